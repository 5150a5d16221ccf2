/* The numerical damping of a step against that of the string. Implicit Euler (theta = 1) damps a mode of 0.53 Hz at
 * h = 1e-3 s faster than the string does itself: stick-slip dies out that is there. */
#include <math.h>

#include "carom/subject/drilling.h"

/* shape_j.D shape_j / 2 of a mass-normalised mode. */
static double physical_rate(const carom_drill_string *s, const double *shape, int mode)
{
    const int n = s->discs;
    double sum = 0.0;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            sum += shape[a * n + mode] * s->damping[a * n + b] * shape[b * n + mode];
    return 0.5 * sum;
}

static void compare_modes(const carom_drill_string *s, double h, double theta, const double *hertz,
                          const double *shape, carom_drill_damping *worst)
{
    const double least_share = 0.05;
    for (int j = 1; j < s->discs; j++) {
        const double w = 2.0 * CAROM_PI * hertz[j], bit = shape[j];
        if (s->inertia[0] * bit * bit < least_share || hertz[j] < 1e-6 * hertz[s->discs - 1])
            continue;
        const carom_drill_damping found = {hertz[j], (theta - 0.5) * w * w * h, physical_rate(s, shape, j)};
        if (worst->hertz == 0.0 || found.scheme * worst->physical > worst->scheme * found.physical)
            *worst = found;
    }
}

carom_status carom_drill_step_damping(const carom_drill_string *string, double h, double theta,
                                      carom_drill_damping *damping, carom_error *error)
{
    *damping = (carom_drill_damping){0};
    const size_t n = (size_t)string->discs;
    if (n < 2)
        return CAROM_OK;
    carom_arena *arena = carom_arena_create();
    double *mass = arena ? carom_arena_take(arena, n * n, sizeof *mass) : NULL;
    double *shape = arena ? carom_arena_take(arena, n * n, sizeof *shape) : NULL;
    double *hertz = arena ? carom_arena_take(arena, n, sizeof *hertz) : NULL;
    carom_status status = mass && shape && hertz ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK) {
        for (size_t i = 0; i < n; i++)
            mass[i * n + i] = string->inertia[i];
        status = carom_drill_modes(string->discs, mass, string->stiffness, hertz, shape, error);
    }
    if (status == CAROM_OK)
        compare_modes(string, h, theta, hertz, shape, damping);
    carom_arena_free(arena);
    return status;
}
