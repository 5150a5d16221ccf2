/* Branches of motions with k impacts of a linear system, over the period. */
#include <math.h>

#include "impact_equations.h"
#include "periodic/follower.h"

static carom_status describe(void *context, const double *x, double period, carom_branch_point *point,
                             double *unknown, carom_error *error)
{
    modes_equations *equations = context;
    carom_mode *mode = NULL;
    carom_status status = modes_equations_motion(equations, x, period, &mode, error);
    if (status != CAROM_OK)
        return status;
    *point = (carom_branch_point){.parameter = period,
                                  .period = period,
                                  .energy = mode->energy,
                                  .multiplier = NAN,
                                  .gap = mode->gap,
                                  .impulse = mode->impulse[0],
                                  .impacts = mode->impacts,
                                  .admissible = mode->verdict == CAROM_MODE_ADMISSIBLE};
    point->strongest = mode->impulse[0];
    for (int i = 1; i < mode->impacts; i++) {
        point->impulse = fmin(point->impulse, mode->impulse[i]);
        point->strongest = fmax(point->strongest, mode->impulse[i]);
    }
    if (mode->verdict != CAROM_MODE_DIVERGE)
        status = carom_mode_multipliers(mode, NULL, NULL, &point->multiplier, error);
    point->stable = point->multiplier <= CAROM_STABLE_MULTIPLIER;
    for (int i = 0; i < equations->unknowns; i++)
        unknown[i] = x[i];
    carom_mode_free(mode);
    return status;
}

static double smallest_flight(void *context, const double *x, double period)
{
    const modes_equations *equations = context;
    double smallest = period, sum = 0.0;
    for (int i = 0; i < equations->unknowns; i++) {
        const double flight = equations->symmetric && i > 0 ? x[i] - x[i - 1] : x[i];
        smallest = fmin(smallest, flight);
        sum += equations->symmetric ? 2.0 * flight : flight;
    }
    return fmin(smallest, period - sum) / period;
}

static void fill_start(const modes_equations *equations, const carom_mode *start, double *x)
{
    for (int i = 0; i < equations->unknowns; i++)
        x[i] = start->flight[i] + (equations->symmetric && i > 0 ? x[i - 1] : 0.0);
}

carom_status carom_mode_follow(const carom_mode *start, int pairs, const carom_branch_options *given,
                               carom_branch *branch, carom_error *error)
{
    const carom_branch_options options = branch_fill_options(given);
    *branch = (carom_branch){.end = CAROM_END_LOST};
    if (pairs > 0 && start->impacts != 2 * pairs + 1)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%d pairs and one impact are not the %d impacts of the start", pairs,
                          start->impacts);
    modes_equations *equations = NULL;
    carom_status status = modes_equations_create(start->basis, start->impacts, pairs > 0, &equations, error);
    if (status != CAROM_OK)
        return status;
    const carom_arclength_problem problem = modes_equations_problem(equations);
    const branch_course course = {.context = equations,
                                  .width = equations->unknowns,
                                  .describe = describe,
                                  .smallest_flight = smallest_flight};
    carom_arclength *curve = NULL;
    double *x = carom_arena_take(equations->arena, (size_t)equations->impacts, sizeof *x);
    if (!x)
        status = carom_fail_memory(error);
    if (status == CAROM_OK) {
        fill_start(equations, start, x);
        status = carom_arclength_create(&problem, &options.arclength, x, start->period, &curve, error);
    }
    if (status == CAROM_OK)
        status = branch_follow(curve, &course, &options, branch, error);
    carom_arclength_free(curve);
    carom_arena_free(equations->arena);
    return status;
}
