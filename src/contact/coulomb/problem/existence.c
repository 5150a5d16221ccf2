/* Is there a solution of FC(W, q, mu)? A proof that there is none, and a doubt.
 *
 * The proof is a direction d >= 0 of normal reactions with W^T d = 0 and q.d < 0. It is looked for as the point
 * of the cone { A e, e >= 0 } nearest to b,
 *
 *   minimise |A e - b|^2 over e >= 0,   column j of A: row N_j of W, and q_N of contact j;   b = (0, ..., 0, -1),
 *
 * which is reached (distance 0) exactly when there is such a d. Rows and columns of W are scaled by the roots
 * of its diagonal, so that contacts of different sizes count alike. Lawson and Hanson (1974): one column after
 * the other becomes free, those that would become negative are let go. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/presolve.h"

typedef struct cone_search {
    const carom_coulomb *problem;
    int n;              /* contacts, columns of A */
    double *scale;      /* 3 n: 1 / sqrt(W_kk); 1 where W_kk is 0, 0 for contacts that stay open */
    double *normal;     /* n: q_N scaled, the largest 1 */
    double *gram;       /* n x n: A^T A */
    double *e, *trial;  /* n */
    double *map, *map2; /* 3 n: W^T times something, scaled */
    double *factor, *x; /* of the free columns */
    int *free_column, free_count;
    bool *is_free;
    double work, most_work; /* multiplications: a bound on the time that does not depend on a clock */
} cone_search;

static double diagonal_entry(const carom_coulomb *problem, int at)
{
    const carom_blocks *W = &problem->W;
    return carom_block_at(W, W->diagonal[at / 3])[4 * (at % 3)];
}

/* A contact that nothing closes has r = 0: what it could do does not matter. */
static bool is_out(const carom_coulomb *problem, int contact)
{
    return problem->q[3 * (ptrdiff_t)contact] > 0.0 && coulomb_is_never_active(problem, contact);
}

/* y = A e but for its last entry: W^T e over normals, scaled. */
static void apply(const cone_search *s, const double *e, double *y)
{
    const carom_blocks *W = &s->problem->W;
    memset(y, 0, 3 * (size_t)s->n * sizeof *y);
    for (int j = 0; j < s->n; j++)
        for (int k = W->row_start[j]; e[j] != 0.0 && k < W->row_start[j + 1]; k++) {
            const double *row = carom_block_at(W, k), factor = e[j] * s->scale[3 * (ptrdiff_t)j];
            const ptrdiff_t at = 3 * (ptrdiff_t)W->column[k];
            for (int c = 0; c < 3; c++)
                y[at + c] += factor * row[c] * s->scale[at + c];
        }
}

/* Column j of A times y, its last entry times `last`. */
static double column_times(const cone_search *s, int j, const double *y, double last)
{
    const carom_blocks *W = &s->problem->W;
    double sum = 0.0;
    for (int k = W->row_start[j]; k < W->row_start[j + 1]; k++) {
        const double *row = carom_block_at(W, k);
        const ptrdiff_t at = 3 * (ptrdiff_t)W->column[k];
        for (int c = 0; c < 3; c++)
            sum += row[c] * s->scale[at + c] * y[at + c];
    }
    return sum * s->scale[3 * (ptrdiff_t)j] + s->normal[j] * last;
}

static bool take(cone_search *s, const carom_coulomb *problem, carom_arena *arena)
{
    const size_t n = (size_t)problem->contacts;
    *s = (cone_search){.problem = problem, .n = problem->contacts};
    s->scale = carom_arena_take(arena, 3 * n, sizeof *s->scale);
    s->normal = carom_arena_take(arena, n, sizeof *s->normal);
    s->gram = carom_arena_take(arena, n * n, sizeof *s->gram);
    s->factor = carom_arena_take(arena, n * n, sizeof *s->factor);
    s->e = carom_arena_take(arena, n, sizeof *s->e);
    s->trial = carom_arena_take(arena, n, sizeof *s->trial);
    s->x = carom_arena_take(arena, n, sizeof *s->x);
    s->map = carom_arena_take(arena, 3 * n, sizeof *s->map);
    s->map2 = carom_arena_take(arena, 3 * n, sizeof *s->map2);
    s->free_column = carom_arena_take(arena, n, sizeof *s->free_column);
    s->is_free = carom_arena_take(arena, n, sizeof *s->is_free);
    return s->scale && s->normal && s->gram && s->factor && s->e && s->trial && s->x && s->map && s->map2 &&
           s->free_column && s->is_free;
}

/* False when no contact approaches: then r = 0 is a solution. */
static bool prepare(cone_search *s)
{
    const int n = s->n;
    double largest = 0.0;
    bool approaches = false;
    for (int k = 0; k < 3 * n; k++) {
        const double entry = diagonal_entry(s->problem, k);
        s->scale[k] = entry > DBL_MIN && isfinite(entry) ? 1.0 / sqrt(entry) : 1.0;
        if (is_out(s->problem, k / 3))
            s->scale[k] = 0.0;
    }
    for (int j = 0; j < n; j++) {
        s->normal[j] = s->problem->q[3 * (ptrdiff_t)j] * s->scale[3 * (ptrdiff_t)j];
        largest = fmax(largest, fabs(s->normal[j]));
        approaches = approaches || s->normal[j] < 0.0;
    }
    if (!approaches || !isfinite(largest))
        return false;
    for (int j = 0; j < n; j++)
        s->normal[j] /= largest;
    for (int j = 0; j < n; j++) {
        memset(s->e, 0, (size_t)n * sizeof *s->e);
        s->e[j] = 1.0;
        apply(s, s->e, s->map);
        for (int i = 0; i < n; i++)
            s->gram[(ptrdiff_t)j * n + i] = column_times(s, i, s->map, s->normal[j]);
    }
    memset(s->e, 0, (size_t)n * sizeof *s->e);
    s->most_work = 1e7 + 20.0 * (double)n * n * n;
    return true;
}

/* A_free^T (b - A e), the right side for a correction of e; without e the first right side. */
static void residual_of_free(cone_search *s, const double *e)
{
    apply(s, e, s->map2);
    double last = -1.0 - carom_dot(s->n, s->normal, e);
    for (int k = 0; k < 3 * s->n; k++)
        s->map2[k] = -s->map2[k];
    for (int i = 0; i < s->free_count; i++)
        s->x[i] = column_times(s, s->free_column[i], s->map2, last);
}

/* trial = the least squares over the free columns; the normal equations lose half of the digits, which
 * corrections give back. False when the columns depend on each other. */
static bool solve_free(cone_search *s)
{
    const int n = s->n, count = s->free_count;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            s->factor[(ptrdiff_t)i * count + j] =
                s->gram[(ptrdiff_t)s->free_column[i] * n + s->free_column[j]];
    s->work += (double)count * count * count / 3.0 + 4.0 * (double)count * count;
    if (carom_cholesky_factor(count, s->factor) != 0)
        return false;
    memset(s->trial, 0, (size_t)n * sizeof *s->trial);
    for (int round = 0; round < 4; round++) {
        residual_of_free(s, s->trial);
        carom_cholesky_solve(count, s->factor, s->x);
        for (int i = 0; i < count; i++)
            s->trial[s->free_column[i]] += s->x[i];
    }
    return carom_all_finite(n, s->trial);
}

/* The column along which the distance falls most; -1: none, e is the nearest point. */
static int best_column(cone_search *s)
{
    apply(s, s->e, s->map);
    const double last = -1.0 - carom_dot(s->n, s->normal, s->e);
    for (int k = 0; k < 3 * s->n; k++)
        s->map[k] = -s->map[k];
    int best = -1;
    double most = 1e-13;
    for (int j = 0; j < s->n; j++) {
        const double slope = s->is_free[j] ? 0.0 : column_times(s, j, s->map, last);
        if (slope > most) {
            most = slope;
            best = j;
        }
    }
    return best;
}

static void list_free(cone_search *s)
{
    s->free_count = 0;
    for (int j = 0; j < s->n; j++)
        if (s->is_free[j])
            s->free_column[s->free_count++] = j;
}

/* From e towards trial until a component is zero; those components are let go. True when trial is reached. */
static bool move(cone_search *s)
{
    double part = 1.0;
    for (int j = 0; j < s->n; j++)
        if (s->is_free[j] && s->trial[j] <= 0.0)
            part = fmin(part, s->e[j] / (s->e[j] - s->trial[j]));
    const bool reached = part >= 1.0;
    for (int j = 0; j < s->n; j++) {
        if (!s->is_free[j])
            continue;
        const bool limits = s->trial[j] <= 0.0 && s->e[j] / (s->e[j] - s->trial[j]) <= part;
        s->e[j] = limits ? 0.0 : s->e[j] + part * (s->trial[j] - s->e[j]);
        s->is_free[j] = s->e[j] > 0.0;
    }
    list_free(s);
    return reached;
}

/* Makes e the nearest point, or something on the way there when the work is too much. */
static void search(cone_search *s)
{
    while (s->work < s->most_work) {
        const int column = best_column(s);
        if (column < 0)
            return;
        s->is_free[column] = true;
        list_free(s);
        do {
            if (!solve_free(s)) {
                s->is_free[column] = false;
                return;
            }
            if (!(s->trial[column] > 0.0) && s->e[column] == 0.0) { /* rounding: its slope was none */
                s->is_free[column] = false;
                return;
            }
        } while (!move(s) && s->free_count > 0 && s->work < s->most_work);
    }
}

/* ---- what was found --------------------------------------------------------------------------------- */

static double size_of(int n, const double *x)
{
    return sqrt(carom_dot(n, x, x));
}

/* W^T d, and what it is the sum of: |W_jk| d_j, or sqrt(W_jj W_kk) d_j, which bounds it where W is symmetric and
 * whose rounding W has where it was computed from a mass matrix. */
static void transposed_times(const carom_coulomb *problem, const double *d, double *sum, double *terms)
{
    const carom_blocks *W = &problem->W;
    const size_t size = 3 * (size_t)problem->contacts;
    memset(sum, 0, size * sizeof *sum);
    memset(terms, 0, size * sizeof *terms);
    for (int j = 0; j < problem->contacts; j++) {
        const double dj = d[3 * (ptrdiff_t)j], own = fmax(diagonal_entry(problem, 3 * j), 0.0);
        for (int k = W->row_start[j]; dj != 0.0 && k < W->row_start[j + 1]; k++)
            for (int c = 0; c < 3; c++) {
                const ptrdiff_t at = 3 * (ptrdiff_t)W->column[k] + c;
                const double entry = carom_block_at(W, k)[c];
                const double other = fmax(diagonal_entry(problem, (int)at), 0.0);
                sum[at] += entry * dj;
                terms[at] += fmax(fabs(entry), sqrt(own) * sqrt(other)) * dj;
            }
    }
}

static void forget_open_contacts(const carom_coulomb *problem, double *sum)
{
    for (int i = 0; i < problem->contacts; i++)
        if (is_out(problem, i))
            memset(sum + 3 * (ptrdiff_t)i, 0, 3 * sizeof *sum);
}

static bool vanishes(int n, const double *sum, const double *terms)
{
    for (int k = 0; k < n; k++)
        if (!(fabs(sum[k]) <= 1e-12 * terms[k]))
            return false;
    return true;
}

/* With u = W r + q:  d.u <= |W^T d| |r| + q.d <= q.d / 2 for |r| up to |q.d| / (2 |W^T d|). Where the natural map
 * is n, u_N >= -(1 + mu) |n|, so that d.u >= -(1 + mu) |n| for d of length 1: the error |n| / |q| is at least
 * |q.d| / (2 (1 + mu) |q|). Below 1e-9 q.d may be the rounding of a q that has none. */
static bool prove(const carom_coulomb *problem, double tolerance, double *d, double *sum, double *terms,
                  carom_coulomb_proof *proof)
{
    const int m = 3 * problem->contacts;
    const double length = size_of(m, d), q = size_of(m, problem->q);
    if (!(length > 0.0) || !isfinite(length) || !isfinite(q))
        return false;
    for (int k = 0; k < m; k++)
        d[k] /= length;
    transposed_times(problem, d, sum, terms);
    forget_open_contacts(problem, sum);
    const double power = carom_dot(m, problem->q, d), rest = size_of(m, sum);
    const double mu = carom_largest(problem->contacts, problem->mu);
    *proof = (carom_coulomb_proof){.W_d = rest,
                                   .q_d = power / q,
                                   .largest_r = rest > 0.0 ? -0.5 * power / rest : INFINITY,
                                   .least_error = -0.5 * power / (q * (1.0 + mu))};
    return vanishes(m, sum, terms) && proof->least_error > fmax(tolerance, 1e-9) &&
           isfinite(proof->least_error);
}

bool carom_coulomb_infeasible(const carom_coulomb *problem, double tolerance, double *d,
                              carom_coulomb_proof *proof)
{
    const size_t size = 3 * (size_t)problem->contacts;
    *proof = (carom_coulomb_proof){0};
    memset(d, 0, size * sizeof *d);
    carom_arena *arena =
        problem->contacts > 0 && problem->contacts <= CAROM_PROOF_CONTACTS ? carom_arena_create() : NULL;
    cone_search s;
    bool proved = false;
    if (arena && take(&s, problem, arena) && prepare(&s)) {
        search(&s);
        for (int j = 0; j < s.n; j++)
            d[3 * (ptrdiff_t)j] = s.e[j] * s.scale[3 * (ptrdiff_t)j];
        proved = prove(problem, tolerance, d, s.map, s.map2, proof);
    }
    carom_arena_free(arena);
    return proved;
}

/* ---- doubts ----------------------------------------------------------------------------------------- */

bool carom_coulomb_is_doubtful(const carom_coulomb *problem, const double *d)
{
    const int n = problem->contacts;
    const double size = size_of(3 * n, d);
    double outside = 0.0, motion = 0.0, power = 0.0;
    for (int i = 0; i < n; i++) {
        const double *di = d + 3 * (ptrdiff_t)i;
        double p[3], u[3];
        carom_cone_project(problem->mu[i], di, p);
        carom_blocks_row(&problem->W, i, d, NULL, u);
        for (int k = 0; k < 3; k++) {
            outside = fmax(outside, fabs(di[k] - p[k]));
            motion += u[k] * u[k];
            power += problem->q[3 * (ptrdiff_t)i + k] * di[k];
        }
    }
    const double largest = carom_largest(9 * problem->W.row_start[n], problem->W.block);
    return size > 0.0 && isfinite(size) && outside <= 1e-6 * size && sqrt(motion) <= 1e-3 * largest * size &&
           power < -1e-9 * size * size_of(3 * n, problem->q);
}

/* minimise 1/2 |W d|^2 / w^2 + 1/2 (q.d / |q| + 1)^2 over K: zero exactly where W d = 0, q.d < 0. Its gradient
 * is W^T W d / w^2 + (q.d / |q| + 1) q / |q|. */
typedef struct doubt_search {
    const carom_coulomb *problem;
    int m;
    double w, q; /* sizes of W and q */
    double *motion, *gradient;
} doubt_search;

/* The gradient at d. */
static void slope(const doubt_search *s, const double *d)
{
    const carom_blocks *W = &s->problem->W;
    const double miss = carom_dot(s->m, s->problem->q, d) / s->q + 1.0;
    carom_blocks_multiply(W, d, NULL, s->motion);
    for (int k = 0; k < s->m; k++)
        s->gradient[k] = miss * s->problem->q[k] / s->q;
    for (int i = 0; i < W->rows; i++)
        for (int place = W->row_start[i]; place < W->row_start[i + 1]; place++)
            for (int k = 0; k < 9; k++)
                s->gradient[3 * (ptrdiff_t)W->column[place] + k % 3] +=
                    carom_block_at(W, place)[k] * s->motion[3 * (ptrdiff_t)i + k / 3] / (s->w * s->w);
}

/* Nesterov's steps of length 1 / L, begun again where they lead uphill. L <= 1 + |W|^2 / w^2 = 2 with Frobenius'
 * norm for w. */
static bool descend(const doubt_search *s, int steps, double *d, double *ahead)
{
    const double length = 0.5;
    double momentum = 1.0;
    for (int step = 0; step < steps; step++) {
        slope(s, ahead);
        double uphill = 0.0;
        const double next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * momentum * momentum));
        for (int i = 0; i < s->problem->contacts; i++) {
            double z[3], p[3];
            for (int k = 0; k < 3; k++)
                z[k] = ahead[3 * i + k] - length * s->gradient[3 * i + k];
            carom_cone_project(s->problem->mu[i], z, p);
            for (int k = 0; k < 3; k++) {
                const double change = p[k] - d[3 * i + k];
                uphill += s->gradient[3 * i + k] * change;
                ahead[3 * i + k] = p[k] + (momentum - 1.0) / next * change;
                d[3 * i + k] = p[k];
            }
        }
        momentum = next;
        if (uphill > 0.0) {
            momentum = 1.0;
            memcpy(ahead, d, (size_t)s->m * sizeof *d);
        }
        if (step % 50 == 49 && carom_coulomb_is_doubtful(s->problem, d))
            return true;
    }
    return carom_coulomb_is_doubtful(s->problem, d);
}

bool carom_coulomb_find_doubt(const carom_coulomb *problem, double *d)
{
    const int m = 3 * problem->contacts, entries = 9 * problem->W.row_start[problem->contacts];
    const double work = 1e9, steps = fmin(5000.0, 50.0 + work / (2.0 * entries + 50.0 * m));
    doubt_search s = {.problem = problem, .m = m, .q = size_of(m, problem->q)};
    s.w = size_of(entries, problem->W.block);
    if (!(s.q > 0.0) || !isfinite(s.q) || !isfinite(s.w))
        return false;
    s.w = s.w > 0.0 ? s.w : 1.0;
    double *memory = carom_new_array(3 * (size_t)m, sizeof *memory);
    if (!memory)
        return false;
    s.motion = memory;
    s.gradient = memory + m;
    memset(d, 0, (size_t)m * sizeof *d);
    const bool found = descend(&s, (int)steps, d, memory + 2 * (ptrdiff_t)m);
    const double length = size_of(m, d);
    for (int k = 0; found && k < m; k++)
        d[k] /= length;
    free(memory);
    return found;
}
