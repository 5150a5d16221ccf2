/* The impulses of a pattern by a second way, the periodic Green function: a system of the impulses alone. In
 * modes, with b_c = V^T w_c,
 *
 *   G_cd(t) = sum_j b_cj b_dj cos(omega_j (t - T/2)) / (2 omega_j sin(omega_j T/2)),   0 <= t <= T
 *
 * is the gap of c after a periodic unit impulse on d; closed gaps ask for
 *
 *   sum_d G_cd(tau_c - tau_d) I_d = -g_c. */
#ifndef CAROM_TEST_PERIODIC_PATTERN_PATTERN_GREEN_H
#define CAROM_TEST_PERIODIC_PATTERN_PATTERN_GREEN_H

#include <math.h>

#include "carom/linalg.h"
#include "carom/periodic.h"

typedef struct green_system {
    const carom_linear_oscillator *oscillator;
    double period;
    const carom_phase *pattern;
    int size;
    double *matrix, *right, *near, *far; /* near, far: of each mode, for t = 0 and t = T/2 */
    int *pivot, *contact;
} green_system;

static inline carom_status green_fill_modes(green_system *g, carom_error *error)
{
    const carom_linear_oscillator *o = g->oscillator;
    for (int j = 0; j < o->size; j++) {
        const double omega = o->frequency[j], s = sin(0.5 * omega * g->period);
        if (fabs(s) < 1e-12)
            return carom_fail(
                error, CAROM_FAILED,
                "the Green function of period %.10g does not exist: resonant with mode %d, omega "
                "= %.10g",
                g->period, j, omega);
        g->near[j] = cos(0.5 * omega * g->period) / (2.0 * omega * s);
        g->far[j] = 1.0 / (2.0 * omega * s);
    }
    return CAROM_OK;
}

static inline double green_response(const green_system *g, int c, int d)
{
    const carom_linear_oscillator *o = g->oscillator;
    const double *mode = g->pattern[c] == g->pattern[d] ? g->near : g->far;
    const double *b = o->contact_mode + (ptrdiff_t)c * o->size, *e = o->contact_mode + (ptrdiff_t)d * o->size;
    double sum = 0.0;
    for (int j = 0; j < o->size; j++)
        sum += b[j] * e[j] * mode[j];
    return sum;
}

static inline carom_status green_solve(green_system *g, double *impulse, carom_error *error)
{
    carom_status status = green_fill_modes(g, error);
    if (status != CAROM_OK)
        return status;
    for (int k = 0; k < g->size; k++) {
        for (int l = 0; l < g->size; l++)
            g->matrix[(ptrdiff_t)k * g->size + l] = green_response(g, g->contact[k], g->contact[l]);
        g->right[k] = -g->oscillator->gap[g->contact[k]];
    }
    if (carom_lu_factor(g->size, g->matrix, g->pivot) != 0)
        return carom_fail(error, CAROM_FAILED, "the system of the impulses is singular at period %.10g",
                          g->period);
    carom_lu_solve(g->size, g->matrix, g->pivot, g->right);
    for (int c = 0; c < g->oscillator->contacts; c++)
        impulse[c] = 0.0;
    for (int k = 0; k < g->size; k++)
        impulse[g->contact[k]] = g->right[k];
    return CAROM_OK;
}

/* `impulse` has one entry per contact. FAILED where sin(omega_j T/2) = 0. */
static inline carom_status orbit_green(const carom_linear_oscillator *o, double period,
                                       const carom_phase *pattern, double *impulse, carom_error *error)
{
    carom_arena *arena = carom_arena_create();
    carom_status status = CAROM_OK;
    if (!arena)
        return carom_fail_memory(error);
    const size_t n = (size_t)o->size, m = (size_t)o->contacts;
    green_system g = {.oscillator = o,
                      .period = period,
                      .pattern = pattern,
                      .matrix = carom_arena_take(arena, m * m, sizeof(double)),
                      .right = carom_arena_take(arena, m, sizeof(double)),
                      .near = carom_arena_take(arena, n, sizeof(double)),
                      .far = carom_arena_take(arena, n, sizeof(double)),
                      .pivot = carom_arena_take(arena, m, sizeof(int)),
                      .contact = carom_arena_take(arena, m, sizeof(int))};
    if (!g.matrix || !g.right || !g.near || !g.far || !g.pivot || !g.contact) {
        status = carom_fail_memory(error);
    } else {
        for (int c = 0; c < o->contacts; c++)
            if (pattern[c] != CAROM_PHASE_NEVER)
                g.contact[g.size++] = c;
        status = green_solve(&g, impulse, error);
    }
    carom_arena_free(arena);
    return status;
}

#endif
