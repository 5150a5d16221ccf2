/* Performance profiles of solvers. */
#include <math.h>
#include <stdlib.h>

#include "carom/survey.h"

/* What a clock can tell; shorter times are no better. */
static const double clock_step = 1e-9;

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Turns the times of one problem into ratios. False when no solver solves it. */
static bool take_ratios(int solvers, const double *seconds, double *ratio)
{
    double best = INFINITY;
    for (int s = 0; s < solvers; s++) {
        ratio[s] = isnan(seconds[s]) ? INFINITY : fmax(seconds[s], clock_step);
        best = fmin(best, ratio[s]);
    }
    for (int s = 0; s < solvers; s++)
        ratio[s] = isfinite(ratio[s]) ? ratio[s] / best : INFINITY;
    return isfinite(best);
}

static void take_tau(carom_profile *profile)
{
    int finite = 0;
    for (int i = 0; i < profile->problems * profile->solvers; i++)
        if (isfinite(profile->ratio[i]))
            profile->tau[finite++] = profile->ratio[i];
    qsort(profile->tau, (size_t)finite, sizeof *profile->tau, compare);
    for (int i = 0; i < finite; i++)
        if (i == 0 || profile->tau[i] > profile->tau[profile->tau_count - 1])
            profile->tau[profile->tau_count++] = profile->tau[i];
}

double carom_profile_share(const carom_profile *profile, int solver, double tau)
{
    int within = 0;
    for (int p = 0; p < profile->problems; p++) {
        const double ratio = profile->ratio[p * profile->solvers + solver];
        within += isfinite(ratio) && ratio <= tau;
    }
    return profile->problems > 0 ? (double)within / profile->problems : 0.0;
}

carom_status carom_profile_make(int problems, int solvers, const double *seconds, carom_profile *profile,
                                carom_error *error)
{
    *profile = (carom_profile){.problems = problems, .solvers = solvers, .arena = carom_arena_create()};
    const int cells = problems * solvers;
    for (int i = 0; i < cells; i++)
        if (seconds[i] < 0.0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "performance profile: %g s of problem %d, solver %d: must be >= 0", seconds[i],
                              i / solvers, i % solvers);
    if (!profile->arena)
        return carom_fail_memory(error);
    profile->ratio = carom_arena_take(profile->arena, (size_t)cells, sizeof *profile->ratio);
    profile->tau = carom_arena_take(profile->arena, (size_t)cells, sizeof *profile->tau);
    if (!profile->ratio || !profile->tau)
        return carom_fail_memory(error);
    for (int p = 0; p < problems; p++) {
        const ptrdiff_t row = (ptrdiff_t)p * solvers;
        profile->unsolved += !take_ratios(solvers, seconds + row, profile->ratio + row);
    }
    take_tau(profile);
    profile->share = carom_arena_take(profile->arena, (size_t)solvers * (size_t)profile->tau_count,
                                      sizeof *profile->share);
    if (!profile->share)
        return carom_fail_memory(error);
    for (int s = 0; s < solvers; s++)
        for (int k = 0; k < profile->tau_count; k++)
            profile->share[(ptrdiff_t)s * profile->tau_count + k] =
                carom_profile_share(profile, s, profile->tau[k]);
    return CAROM_OK;
}

void carom_profile_free(carom_profile *profile)
{
    carom_arena_free(profile->arena);
    *profile = (carom_profile){0};
}
