/* Orbits of a given pattern of impacts, as the solution of a linear boundary value problem on half a period:
 *
 *   at 0:    contacts of I_2 are closed, and only their impulses give velocity
 *   at T/2:  contacts of I_1 are closed, and only their impulses take velocity
 *
 * Evenness in time does the rest. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "pattern.h"

carom_orbit_options carom_orbit_defaults(void)
{
    return (carom_orbit_options){.tolerance = 1e-9, .condition_max = 1e12, .amplitude_max = 1e6};
}

carom_orbit_options orbit_fill_options(const carom_orbit_options *given)
{
    const carom_orbit_options defaults = carom_orbit_defaults();
    carom_orbit_options options = given ? *given : defaults;
    options.tolerance = carom_given(options.tolerance, defaults.tolerance);
    options.condition_max = carom_given(options.condition_max, defaults.condition_max);
    options.amplitude_max = carom_given(options.amplitude_max, defaults.amplitude_max);
    return options;
}

/* ---- memory ------------------------------------------------------------------------------------------- */

static bool take_work(carom_orbit *orbit, size_t n, size_t m, size_t unknowns)
{
    carom_arena *arena = orbit->arena;
    carom_orbit_work *w = orbit->work = carom_arena_take(arena, 1, sizeof *w);
    double *square = carom_arena_take(arena, 3 * n * n, sizeof(double));
    double *vector = carom_arena_take(arena, (8 + ORBIT_BLOCK) * n + 2 * m, sizeof(double));
    if (!w || !square || !vector)
        return false;
    *w = (carom_orbit_work){
        .C = square,
        .S = square + n * n,
        .D = square + 2 * n * n,
        .matrix = carom_arena_take(arena, carom_product(unknowns, unknowns), sizeof(double)),
        .xi = carom_arena_take(arena, unknowns, sizeof(double)),
        .pivot = carom_arena_take(arena, unknowns, sizeof(int)),
        .condition_work = carom_arena_take(arena, carom_product(4, unknowns), sizeof(double)),
        .condition_place = carom_arena_take(arena, unknowns, sizeof(int)),
        .position = vector,
        .velocity = vector + n,
        .cosine = vector + 2 * n,
        .sine = vector + 3 * n,
        .rotated = {vector + 4 * n, vector + 5 * n},
        .flow = vector + 6 * n,
        .block = vector + 8 * n,
        .before = {vector + (8 + ORBIT_BLOCK) * n, vector + (8 + ORBIT_BLOCK) * n + m},
    };
    return w->matrix && w->xi && w->pivot && w->condition_work && w->condition_place;
}

static bool take_orbit(carom_orbit *orbit, const carom_linear_oscillator *o)
{
    const size_t n = (size_t)o->size, m = (size_t)o->contacts;
    orbit->size = o->size;
    orbit->contacts = o->contacts;
    orbit->word = CAROM_ORBIT_SINGULAR;
    orbit->pattern = carom_arena_take(orbit->arena, m, sizeof *orbit->pattern);
    double *state = carom_arena_take(orbit->arena, 4 * n + 2 * m, sizeof(double));
    if (!orbit->pattern || !state)
        return false;
    orbit->y0 = state; /* one piece: branch_memo.c keeps it as a whole */
    orbit->v0 = state + n;
    orbit->yh = state + 2 * n;
    orbit->vh = state + 3 * n;
    orbit->impulse = state + 4 * n;
    orbit->speed = state + 4 * n + m;
    return take_work(orbit, n, m, o->plain ? n : n + m);
}

carom_status carom_orbit_create(const carom_linear_oscillator *oscillator, carom_orbit **orbit,
                                carom_error *error)
{
    carom_orbit *created = *orbit = carom_new_array(1, sizeof *created);
    if (!created)
        return carom_fail_memory(error);
    created->arena = carom_arena_create();
    if (!created->arena || !take_orbit(created, oscillator)) {
        carom_orbit_free(created);
        *orbit = NULL;
        return carom_fail_memory(error);
    }
    return CAROM_OK;
}

void carom_orbit_free(carom_orbit *orbit)
{
    if (orbit)
        carom_arena_free(orbit->arena);
    free(orbit);
}

/* ---- the linear system -------------------------------------------------------------------------------- */

/* M = I and w_n = e_n: one unknown per coordinate, its velocity where it strikes at 0 and its displacement
 * else (source (16)). Velocities are in units of length per pattern_time. */
static int assemble_plain(carom_orbit *orbit, const carom_linear_oscillator *o)
{
    const carom_orbit_work *w = orbit->work;
    const carom_phase *phase = orbit->pattern;
    const double time = pattern_time(o);
    const int n = o->size;
    for (int i = 0; i < n; i++) {
        const bool closes = phase[i] == CAROM_PHASE_HALF;
        const double *of_position = (closes ? w->C : w->D) + (ptrdiff_t)i * n;
        const double *of_velocity = (closes ? w->S : w->C) + (ptrdiff_t)i * n;
        const double unit = closes ? 1.0 : time; /* of the equation */
        double right = closes ? -o->gap[i] : 0.0;
        for (int j = 0; j < n; j++) {
            const bool strikes = phase[j] == CAROM_PHASE_START;
            w->matrix[(ptrdiff_t)i * n + j] = unit * (strikes ? of_velocity[j] / time : of_position[j]);
            right += strikes ? unit * of_position[j] * o->gap[j] : 0.0;
        }
        w->xi[i] = right;
    }
    return n;
}

/* In general: displacements y0, then half the impulse p_c of every contact that strikes, in
 *
 *   D y0 + sum_{I_2} C u_c p_c + sum_{I_1} u_c p_c = 0,   u_c = M^-1 w_c
 *   w_c . y0 = -g_c on I_2,   w_c . (C y0 + sum_{I_2} S u_d p_d) = -g_c on I_1
 *
 * The first equations are multiplied by pattern_time, and p_c is in units of length * impulse_unit. */
static double impulse_unit(const carom_linear_oscillator *o, int contact)
{
    return 1.0 / (o->inverse_mass[contact] * pattern_time(o));
}

static int assemble_general(carom_orbit *orbit, const carom_linear_oscillator *o)
{
    const carom_orbit_work *w = orbit->work;
    const double time = pattern_time(o);
    const int n = o->size;
    int size = n;
    for (int c = 0; c < o->contacts; c++)
        size += orbit->pattern[c] != CAROM_PHASE_NEVER;
    memset(w->matrix, 0, (size_t)size * (size_t)size * sizeof(double));
    memset(w->xi, 0, (size_t)size * sizeof(double));
    for (int i = 0; i < n; i++)
        carom_axpy(n, time, w->D + (ptrdiff_t)i * n, w->matrix + (ptrdiff_t)i * size);
    for (int c = 0, row = n; c < o->contacts; c++) {
        const double *normal = o->normal + (ptrdiff_t)c * n, *push = o->push + (ptrdiff_t)c * n;
        double *equation = w->matrix + (ptrdiff_t)row * size;
        if (orbit->pattern[c] == CAROM_PHASE_NEVER)
            continue;
        w->xi[row] = -o->gap[c];
        const bool starts = orbit->pattern[c] == CAROM_PHASE_START;
        for (int i = 0; i < n; i++)
            w->matrix[(ptrdiff_t)i * size + row] =
                time * impulse_unit(o, c) * (starts ? carom_dot(n, w->C + (ptrdiff_t)i * n, push) : push[i]);
        for (int i = 0; i < n; i++)
            carom_axpy(n, starts ? 0.0 : normal[i], w->C + (ptrdiff_t)i * n, equation);
        if (starts)
            memcpy(equation, normal, (size_t)n * sizeof(double));
        for (int d = 0, column = n; d < o->contacts; d++) {
            if (orbit->pattern[d] == CAROM_PHASE_START && !starts)
                for (int i = 0; i < n; i++)
                    equation[column] += impulse_unit(o, d) * normal[i] *
                                        carom_dot(n, w->S + (ptrdiff_t)i * n, o->push + (ptrdiff_t)d * n);
            column += orbit->pattern[d] != CAROM_PHASE_NEVER;
        }
        row++;
    }
    return size;
}

static double one_norm(int size, const double *matrix)
{
    double largest = 0.0;
    for (int j = 0; j < size; j++) {
        double sum = 0.0;
        for (int i = 0; i < size; i++)
            sum += fabs(matrix[(ptrdiff_t)i * size + j]);
        largest = fmax(largest, sum);
    }
    return largest;
}

/* False when the system is singular. */
static bool solve_system(carom_orbit *orbit, int size, double condition_max)
{
    const carom_orbit_work *w = orbit->work;
    const double norm = one_norm(size, w->matrix);
    orbit->condition = INFINITY;
    orbit->determinant_sign = 0;
    if (carom_lu_factor(size, w->matrix, w->pivot) != 0)
        return false;
    orbit->determinant_sign = carom_lu_sign(size, w->matrix, w->pivot);
    orbit->condition =
        carom_lu_condition(size, w->matrix, w->pivot, norm, w->condition_work, w->condition_place);
    carom_lu_solve(size, w->matrix, w->pivot, w->xi);
    return orbit->condition <= condition_max;
}

/* ---- the candidate ------------------------------------------------------------------------------------ */

static void read_plain(carom_orbit *orbit, const carom_linear_oscillator *o)
{
    const double time = pattern_time(o);
    for (int i = 0; i < o->size; i++) {
        const bool strikes = orbit->pattern[i] == CAROM_PHASE_START;
        orbit->y0[i] = strikes ? -o->gap[i] : orbit->work->xi[i];
        orbit->v0[i] = strikes ? orbit->work->xi[i] / time : 0.0;
    }
}

static void read_general(carom_orbit *orbit, const carom_linear_oscillator *o)
{
    const int n = o->size;
    memcpy(orbit->y0, orbit->work->xi, (size_t)n * sizeof(double));
    memset(orbit->v0, 0, (size_t)n * sizeof(double));
    for (int c = 0, row = n; c < o->contacts; c++) {
        if (orbit->pattern[c] != CAROM_PHASE_NEVER)
            orbit->work->xi[row] *= impulse_unit(o, c);
        if (orbit->pattern[c] == CAROM_PHASE_START)
            carom_axpy(n, orbit->work->xi[row], o->push + (ptrdiff_t)c * n, orbit->v0);
        row += orbit->pattern[c] != CAROM_PHASE_NEVER;
    }
}

/* y(T/2) and its velocity by the blocks of the flow. */
static void reach_half(carom_orbit *orbit)
{
    const carom_orbit_work *w = orbit->work;
    const int n = orbit->size;
    for (int i = 0; i < n; i++) {
        const double *C = w->C + (ptrdiff_t)i * n, *S = w->S + (ptrdiff_t)i * n, *D = w->D + (ptrdiff_t)i * n;
        orbit->yh[i] = carom_dot(n, C, orbit->y0) + carom_dot(n, S, orbit->v0);
        orbit->vh[i] = carom_dot(n, D, orbit->y0) + carom_dot(n, C, orbit->v0);
    }
}

static void measure_impacts(carom_orbit *orbit, const carom_linear_oscillator *o)
{
    const int n = o->size;
    for (int c = 0, row = n; c < o->contacts; c++) {
        const double *normal = o->normal + (ptrdiff_t)c * n;
        orbit->speed[c] = orbit->impulse[c] = 0.0;
        if (orbit->pattern[c] == CAROM_PHASE_NEVER)
            continue;
        orbit->speed[c] = orbit->pattern[c] == CAROM_PHASE_START ? carom_dot(n, normal, orbit->v0)
                                                                 : -carom_dot(n, normal, orbit->vh);
        orbit->impulse[c] = 2.0 * (o->plain ? orbit->speed[c] : orbit->work->xi[row++]);
    }
}

/* The mode with omega_j T / pi nearest to an integer. */
static int nearest_resonance(const carom_linear_oscillator *o, double period)
{
    int nearest = 0;
    double least = INFINITY;
    for (int j = 0; j < o->size; j++) {
        const double halves = o->frequency[j] * period / CAROM_PI, apart = fabs(halves - nearbyint(halves));
        if (apart < least && halves > 0.5) {
            least = apart;
            nearest = j;
        }
    }
    return o->ring ? (nearest + 1) / 2 : nearest;
}

static void judge(carom_orbit *orbit, const carom_linear_oscillator *o, bool solved,
                  const carom_orbit_options *options)
{
    orbit->margin = orbit->time = NAN;
    orbit->contact = -1;
    orbit->amplitude =
        fmax(carom_largest(o->size, orbit->y0), pattern_time(o) * carom_largest(o->size, orbit->v0)) /
        pattern_length(o);
    if (!solved || !carom_all_finite(o->size, orbit->y0)) {
        orbit->word = CAROM_ORBIT_SINGULAR;
        orbit->resonance = nearest_resonance(o, orbit->period);
        return;
    }
    orbit_check_admissible(orbit, o, options);
    if (orbit->amplitude > options->amplitude_max)
        orbit->word = CAROM_ORBIT_DIVERGE;
}

carom_status orbit_check_input(const carom_linear_oscillator *o, double period, const carom_phase *pattern,
                               carom_error *error)
{
    if (!(period > 0.0) || !isfinite(period))
        return carom_fail(error, CAROM_BAD_INPUT, "period T = %g must be a positive number", period);
    int impacts = 0;
    for (int c = 0; c < o->contacts; c++) {
        if (pattern[c] > CAROM_PHASE_START)
            return carom_fail(error, CAROM_BAD_INPUT, "contact %d: phase %d of a pattern must be 0, 1 or 2",
                              c, (int)pattern[c]);
        impacts += pattern[c] != CAROM_PHASE_NEVER;
    }
    if (impacts == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "no impacting particle: this is a linear mode");
    return CAROM_OK;
}

carom_status carom_orbit_solve(carom_orbit *orbit, const carom_linear_oscillator *o, double period,
                               const carom_phase *pattern, const carom_orbit_options *given,
                               carom_error *error)
{
    const carom_orbit_options options = orbit_fill_options(given);
    carom_status status = orbit_check_input(o, period, pattern, error);
    if (status != CAROM_OK)
        return status;
    orbit->period = period;
    memmove(orbit->pattern, pattern, (size_t)o->contacts * sizeof *pattern);
    carom_linear_flow_blocks(o, 0.5 * period, orbit->work->C, orbit->work->S, orbit->work->D);
    const int size = o->plain ? assemble_plain(orbit, o) : assemble_general(orbit, o);
    const bool solved = solve_system(orbit, size, options.condition_max);
    if (o->plain)
        read_plain(orbit, o);
    else
        read_general(orbit, o);
    reach_half(orbit);
    measure_impacts(orbit, o);
    orbit->energy = carom_linear_energy(o, orbit->y0, orbit->v0);
    judge(orbit, o, solved, &options);
    return CAROM_OK;
}
