/* Floquet multipliers of orbits by pattern: eigenvalues of the product of free flights and saltations.
 *
 *   Mono = ST Phi SH Phi,   Phi = flow over T/2,  SH, ST = saltations of the impacts at T/2 and at T
 *
 * With R = diag(I, -I), the reversal of time, ST R and R Phi SH Phi are involutions P and Q (impacts that
 * commute are reversible), Mono = P Q, and Mono + 1/Mono = P Q + Q P leaves the eigenspaces of P as they are.
 * On that of +1, which the unknowns of the boundary value problem span, it is 2 Q_11: sigma + 1/sigma are
 * the eigenvalues of an n x n matrix. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/periodic/multipliers.h"
#include "pattern.h"

carom_floquet_options carom_floquet_defaults(void)
{
    return (carom_floquet_options){.method = CAROM_FLOQUET_AUTO, .tolerance = 1e-5};
}

typedef struct multiplier {
    double real, imaginary, modulus;
} multiplier;

struct carom_floquet_work {
    double *right, *left; /* 2n x n and n x 2n */
    double *matrix;       /* n x n */
    double *real, *imaginary;
    multiplier *sorted;
};

/* ---- memory ------------------------------------------------------------------------------------------- */

static bool take(carom_floquet *f, size_t n)
{
    f->count = 2 * (int)n;
    f->real = carom_arena_take(f->arena, 4 * n, sizeof(double));
    carom_floquet_work *w = f->work = carom_arena_take(f->arena, 1, sizeof *w);
    if (!f->real || !w)
        return false;
    f->imaginary = f->real + 2 * n;
    w->right = carom_arena_take(f->arena, 5 * n * n, sizeof(double));
    w->real = carom_arena_take(f->arena, 4 * n, sizeof(double));
    w->sorted = carom_arena_take(f->arena, 2 * n, sizeof *w->sorted);
    if (!w->right || !w->real || !w->sorted)
        return false;
    w->left = w->right + 2 * n * n;
    w->matrix = w->right + 4 * n * n;
    w->imaginary = w->real + 2 * n;
    return true;
}

carom_status carom_floquet_create(const carom_linear_oscillator *oscillator, carom_floquet **floquet,
                                  carom_error *error)
{
    carom_floquet *f = *floquet = carom_new_array(1, sizeof *f);
    if (!f)
        return carom_fail_memory(error);
    f->arena = carom_arena_create();
    if (!f->arena || !take(f, (size_t)oscillator->size)) {
        carom_floquet_free(f);
        *floquet = NULL;
        return carom_fail_memory(error);
    }
    return CAROM_OK;
}

void carom_floquet_free(carom_floquet *floquet)
{
    if (floquet)
        carom_arena_free(floquet->arena);
    free(floquet);
}

/* ---- the monodromy matrix ----------------------------------------------------------------------------- */

/* to += a b, for a of rows x inner and b of inner x columns */
static void add_product(int rows, int inner, int columns, const double *a, const double *b, double *to)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++)
            carom_axpy(columns, a[(ptrdiff_t)i * inner + k], b + (ptrdiff_t)k * columns,
                       to + (ptrdiff_t)i * columns);
}

/* matrix := Salt matrix for one contact, with N = I - 2 p w^T, p = M^-1 w / (w . M^-1 w):
 *
 *   Salt = [[N, 0], [2 (w.a / w.v-) p w^T, N]],   and v- := N v-
 *
 * `row` has 4n entries. */
static carom_status apply_saltation(const carom_linear_oscillator *o, int contact, const double *y, double *v,
                                    double *matrix, double *row, carom_error *error)
{
    const int n = o->size;
    const double *w = o->normal + (ptrdiff_t)contact * n, *push = o->push + (ptrdiff_t)contact * n;
    const double before = carom_dot(n, w, v), inverse = 1.0 / carom_dot(n, w, push);
    if (!(before < 0.0))
        return carom_fail(error, CAROM_FAILED,
                          "contact %d does not approach (velocity %g) when its turn comes: impacts at one "
                          "instant taken one by one do not give this motion",
                          contact, before);
    const double ratio = carom_linear_gap_acceleration(o, contact, y) / before;
    double *of_y = row, *of_v = row + 2 * n;
    memset(row, 0, 4 * (size_t)n * sizeof *row);
    for (int i = 0; i < n; i++)
        if (w[i] != 0.0) {
            carom_axpy(2 * n, w[i], matrix + (ptrdiff_t)i * 2 * n, of_y);
            carom_axpy(2 * n, w[i], matrix + (ptrdiff_t)(n + i) * 2 * n, of_v);
        }
    for (int i = 0; i < n; i++) {
        const double twice = 2.0 * push[i] * inverse;
        if (twice == 0.0)
            continue;
        carom_axpy(2 * n, -twice, of_y, matrix + (ptrdiff_t)i * 2 * n);
        carom_axpy(2 * n, -twice, of_v, matrix + (ptrdiff_t)(n + i) * 2 * n);
        carom_axpy(2 * n, twice * ratio, of_y, matrix + (ptrdiff_t)(n + i) * 2 * n);
        v[i] -= twice * before;
    }
    return CAROM_OK;
}

static carom_status apply_impacts(const carom_linear_oscillator *o, const carom_orbit *orbit,
                                  carom_phase phase, double *matrix, double *row, double *v,
                                  carom_error *error)
{
    const bool starts = phase == CAROM_PHASE_START;
    for (int i = 0; i < o->size; i++)
        v[i] = starts ? -orbit->v0[i] : orbit->vh[i];
    carom_status status = CAROM_OK;
    for (int c = 0; status == CAROM_OK && c < o->contacts; c++)
        if (orbit->pattern[c] == phase)
            status = apply_saltation(o, c, starts ? orbit->y0 : orbit->yh, v, matrix, row, error);
    return status;
}

/* w_c . M^-1 w_d of contacts that strike at one instant does not vanish. */
static bool impacts_depend_on_order(const carom_linear_oscillator *o, const carom_phase *pattern)
{
    const int n = o->size;
    for (int c = 0; !o->plain && c < o->contacts; c++)
        for (int d = 0; d < c; d++) {
            if (pattern[c] == CAROM_PHASE_NEVER || pattern[c] != pattern[d])
                continue;
            const double *w = o->normal + (ptrdiff_t)c * n, *push = o->push + (ptrdiff_t)c * n;
            const double *e = o->push + (ptrdiff_t)d * n;
            if (fabs(carom_dot(n, w, e)) > 1e-12 * carom_dot(n, w, push))
                return true;
        }
    return false;
}

carom_status carom_monodromy(const carom_linear_oscillator *o, const carom_orbit *orbit, double *matrix,
                             bool *ordered, carom_error *error)
{
    const size_t n = (size_t)o->size, entries = 4 * n * n;
    double *flow = carom_new_array(2 * entries + 5 * n, sizeof *flow);
    if (!flow)
        return carom_fail_memory(error);
    double *half = flow + entries, *row = flow + 2 * entries, *v = row + 4 * n;
    if (ordered)
        *ordered = impacts_depend_on_order(o, orbit->pattern);
    carom_status status = carom_linear_flow_matrix(o, 0.5 * orbit->period, flow, error);
    memcpy(half, flow, entries * sizeof *flow);
    if (status == CAROM_OK)
        status = apply_impacts(o, orbit, CAROM_PHASE_HALF, half, row, v, error);
    if (status == CAROM_OK) {
        memset(matrix, 0, entries * sizeof *matrix);
        add_product(2 * o->size, 2 * o->size, 2 * o->size, flow, half, matrix);
        status = apply_impacts(o, orbit, CAROM_PHASE_START, matrix, row, v, error);
    }
    free(flow);
    return status;
}

static carom_status full_multipliers(carom_floquet *f, const carom_linear_oscillator *o,
                                     const carom_orbit *orbit, carom_error *error)
{
    double *matrix = carom_new_array(carom_product((size_t)f->count, (size_t)f->count), sizeof *matrix);
    if (!matrix)
        return carom_fail_memory(error);
    carom_status status = carom_monodromy(o, orbit, matrix, &f->ordered, error);
    if (status == CAROM_OK)
        carom_monodromy_in_time(o->size, pattern_time(o), matrix);
    if (status == CAROM_OK)
        status = carom_multipliers(f->count, matrix, f->work->real, f->work->imaginary, NULL, error);
    free(matrix);
    return status;
}

/* ---- by reversibility --------------------------------------------------------------------------------- */

/* SH Phi on the unknowns of the boundary value problem; a plain saltation changes the rows of its particle.
 */
static void fill_right(const carom_floquet_work *w, const carom_linear_oscillator *o,
                       const carom_orbit *orbit)
{
    const carom_orbit_work *flow = orbit->work;
    const int n = o->size;
    for (int i = 0; i < n; i++) {
        const bool strikes = orbit->pattern[i] == CAROM_PHASE_HALF;
        const double twice =
            strikes ? 2.0 * carom_linear_gap_acceleration(o, i, orbit->yh) / orbit->vh[i] : 0.0;
        const double sign = strikes ? -1.0 : 1.0;
        for (int j = 0; j < n; j++) {
            const ptrdiff_t at = (ptrdiff_t)i * n + j;
            const bool starts = orbit->pattern[j] == CAROM_PHASE_START;
            const double y = starts ? flow->S[at] : flow->C[at], v = starts ? flow->C[at] : flow->D[at];
            w->right[at] = sign * y;
            w->right[at + (ptrdiff_t)n * n] = sign * v + twice * y;
        }
    }
}

/* R Phi, and of that the coordinates in the eigenspace of P to +1: displacements of particles that do not
 * strike at 0, v + (a / v-) y of those that do. */
static void fill_left(const carom_floquet_work *w, const carom_linear_oscillator *o, const carom_orbit *orbit)
{
    const carom_orbit_work *flow = orbit->work;
    const int n = o->size;
    for (int i = 0; i < n; i++) {
        const bool starts = orbit->pattern[i] == CAROM_PHASE_START;
        const double ratio = starts ? -carom_linear_gap_acceleration(o, i, orbit->y0) / orbit->v0[i] : 0.0;
        double *row = w->left + (ptrdiff_t)i * 2 * n;
        for (int j = 0; j < n; j++) {
            const ptrdiff_t at = (ptrdiff_t)i * n + j;
            row[j] = starts ? ratio * flow->C[at] - flow->D[at] : flow->C[at];
            row[n + j] = starts ? ratio * flow->S[at] - flow->C[at] : flow->S[at];
        }
    }
}

/* sigma + 1/sigma = 2h */
static void split_pairs(const carom_floquet *f, int n)
{
    double *real = f->work->real, *imaginary = f->work->imaginary;
    for (int j = n - 1; j >= 0; j--) { /* from behind: the results overwrite what was read */
        const double complex h = real[j] + imaginary[j] * I;
        const double complex root = csqrt(h - 1.0) * csqrt(h + 1.0);
        double complex sigma = cabs(h + root) >= cabs(h - root) ? h + root : h - root;
        if (imaginary[j] == 0.0 && fabs(real[j]) <= 1.0)
            sigma /= cabs(sigma);
        const double complex partner = 1.0 / sigma;
        real[2 * j] = creal(sigma);
        imaginary[2 * j] = cimag(sigma);
        real[2 * j + 1] = creal(partner);
        imaginary[2 * j + 1] = cimag(partner);
    }
}

static carom_status halved_multipliers(carom_floquet *f, const carom_linear_oscillator *o,
                                       const carom_orbit *orbit, carom_error *error)
{
    const int n = o->size;
    carom_floquet_work *w = f->work;
    fill_right(w, o, orbit);
    fill_left(w, o, orbit);
    memset(w->matrix, 0, (size_t)n * (size_t)n * sizeof(double));
    add_product(n, 2 * n, n, w->left, w->right, w->matrix);
    const carom_status status = carom_multipliers(n, w->matrix, w->real, w->imaginary, NULL, error);
    if (status == CAROM_OK)
        split_pairs(f, n);
    f->ordered = false;
    return status;
}

/* ---- census ------------------------------------------------------------------------------------------- */

/* Largest modulus first; then by angle, so that the order is always the same. */
static int compare(const void *left, const void *right)
{
    const multiplier *a = left, *b = right;
    if (a->modulus != b->modulus)
        return a->modulus > b->modulus ? -1 : 1;
    if (a->real != b->real)
        return a->real > b->real ? -1 : 1;
    return (a->imaginary < b->imaginary) - (a->imaginary > b->imaginary);
}

static void sort_multipliers(carom_floquet *f)
{
    multiplier *sorted = f->work->sorted;
    for (int i = 0; i < f->count; i++)
        sorted[i] = (multiplier){f->work->real[i], f->work->imaginary[i],
                                 hypot(f->work->real[i], f->work->imaginary[i])};
    qsort(sorted, (size_t)f->count, sizeof *sorted, compare);
    for (int i = 0; i < f->count; i++) {
        f->real[i] = sorted[i].real;
        f->imaginary[i] = sorted[i].imaginary;
    }
}

static void take_census(carom_floquet *f, double tolerance)
{
    int complex_outside = 0;
    f->off_circle = f->positive_pairs = f->negative_pairs = 0;
    for (int i = 0; i < f->count; i++) {
        const multiplier *m = &f->work->sorted[i];
        f->off_circle += m->modulus > 1.0 + tolerance || m->modulus < 1.0 / (1.0 + tolerance);
        if (!(m->modulus > 1.0 + tolerance))
            continue;
        if (fabs(m->imaginary) > tolerance * m->modulus)
            complex_outside++;
        else if (m->real > 0.0)
            f->positive_pairs++;
        else
            f->negative_pairs++;
    }
    f->quadruplets = complex_outside / 2;
    f->largest = f->work->sorted[0].modulus;
    f->stable = !(f->largest > 1.0 + tolerance);
}

static void measure_residuals(carom_floquet *f)
{
    double logarithm = 0.0, angle = 0.0;
    f->pair_residual = 0.0;
    f->unit_residual = INFINITY;
    for (int a = 0; a < f->count; a++) {
        const double complex sigma = f->real[a] + f->imaginary[a] * I;
        logarithm += log(cabs(sigma));
        angle += carg(sigma);
        f->unit_residual = fmin(f->unit_residual, cabs(sigma + 1.0 / sigma - 2.0));
        double best = f->halved ? 0.0 : INFINITY;
        for (int b = 0; !f->halved && b < f->count; b++)
            if (b != a)
                best = fmin(best, cabs(sigma * (f->real[b] + f->imaginary[b] * I) - 1.0));
        f->pair_residual = fmax(f->pair_residual, best);
    }
    f->product_residual = cabs(cexp(logarithm + angle * I) - 1.0);
}

static carom_status check(const carom_linear_oscillator *o, const carom_orbit *orbit, bool halved,
                          carom_error *error)
{
    if (orbit->word == CAROM_ORBIT_SINGULAR)
        return carom_fail(error, CAROM_BAD_INPUT, "multipliers: there is no orbit");
    for (int c = 0; c < o->contacts; c++)
        if (orbit->pattern[c] != CAROM_PHASE_NEVER && !(orbit->speed[c] > 0.0))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "multipliers: contact %d has the impact velocity %g; the flow has a derivative "
                              "where it is positive",
                              c, orbit->speed[c]);
    if (halved && !o->plain)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "multipliers by halves need a mass matrix of 1 and contacts that are coordinates");
    return CAROM_OK;
}

carom_status carom_floquet_compute(carom_floquet *floquet, const carom_linear_oscillator *o,
                                   const carom_orbit *orbit, const carom_floquet_options *options,
                                   carom_error *error)
{
    const carom_floquet_options defaults = carom_floquet_defaults();
    if (!options)
        options = &defaults;
    const bool halved =
        options->method == CAROM_FLOQUET_HALVED || (options->method == CAROM_FLOQUET_AUTO && o->plain);
    carom_status status = check(o, orbit, halved, error);
    if (status != CAROM_OK)
        return status;
    floquet->halved = halved;
    status =
        halved ? halved_multipliers(floquet, o, orbit, error) : full_multipliers(floquet, o, orbit, error);
    if (status != CAROM_OK)
        return status;
    sort_multipliers(floquet);
    take_census(floquet, carom_given(options->tolerance, defaults.tolerance));
    measure_residuals(floquet);
    return CAROM_OK;
}
