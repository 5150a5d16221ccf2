/* Periodic motions with whatever happens in them, by the map of a period: a run settles, and Newton's method goes on from
 * there. */
#include <math.h>
#include <string.h>

#include "find.h"

enum {
    ROWS = 4 /* times CAROM_FOUND_ROWS samples of the period */
};

/* Periods of the run before the guess, where none are asked for. */
static const double settles[] = {30.0, 150.0};

carom_status find_map_create(const carom_periodic_model *periodic, double period, int multiple,
                             carom_period_map **map, carom_error *error)
{
    const carom_map_problem problem = {.model = periodic->model,
                                       .parameter = periodic->parameter,
                                       .driven = periodic->timed,
                                       .period = period,
                                       .multiple = multiple};
    return carom_period_map_create(&problem, map, error);
}

/* Impacts of the period in the order of time, and what else happens. */
static bool take_events(const carom_period_map *map, const carom_mapped *motion, carom_found_orbit *found)
{
    const carom_map_event *event = carom_period_map_events(map);
    const size_t events = (size_t)motion->events;
    int count = 0;
    for (int i = 0; i < motion->events; i++)
        count += event[i].kind == CAROM_EVENT_IMPACT;
    carom_arena *arena = found->arena;
    found->impacts = count;
    found->events = motion->events;
    found->event = carom_arena_take(arena, events, sizeof *found->event);
    found->contact = carom_arena_take(arena, (size_t)count, sizeof(int));
    double **number[] = {&found->time, &found->flight, &found->impulse, &found->approach};
    for (int i = 0; i < 4; i++)
        if (!(*number[i] = carom_arena_take(arena, (size_t)count + 1, sizeof(double))))
            return false;
    if (!found->event || !found->contact)
        return false;
    memcpy(found->event, event, events * sizeof *event);
    for (int i = 0, k = 0; i < motion->events; i++) {
        if (event[i].kind != CAROM_EVENT_IMPACT)
            continue;
        found->contact[k] = event[i].contact;
        found->time[k] = event[i].t - motion->t0;
        found->approach[k] = -event[i].rate_before;
        found->impulse[k++] = event[i].impulse;
    }
    for (int k = 0; k < count; k++)
        found->flight[k] = k + 1 < count ? found->time[k + 1] - found->time[k]
                                         : found->time[0] + motion->period - found->time[k];
    return true;
}

static carom_status fill(carom_period_map *map, const carom_mapped *motion,
                         const carom_periodic_model *periodic, carom_found_orbit *found, carom_error *error)
{
    const size_t n = (size_t)periodic->model->dof;
    found->found = found->is_motion = true;
    found->solutions = 1;
    found->t0 = motion->t0;
    found->period = motion->period;
    found->phase = motion->phase;
    found->energy = motion->energy;
    found->residual = motion->residual;
    found->iterations = motion->iterations;
    found->multipliers = 2 * periodic->model->dof;
    memcpy(found->real, carom_period_map_real(map), 2 * n * sizeof(double));
    memcpy(found->imaginary, carom_period_map_imaginary(map), 2 * n * sizeof(double));
    found->largest = motion->multiplier;
    found->stable = motion->multiplier <= CAROM_STABLE_MULTIPLIER;
    carom_format(found->verdict, sizeof found->verdict, "a motion%s",
                 motion->impacts == 0 ? " without impacts" : "");
    memcpy(found->middle, motion->q, n * sizeof(double));
    memcpy(found->middle + n, motion->v, n * sizeof(double));
    if (!take_events(map, motion, found) || !found_take_rows(periodic, ROWS, found))
        return carom_fail_memory(error);
    return carom_period_map_sample(map, motion, found->rows, found->row, error);
}

carom_status find_by_map(const carom_periodic_model *periodic, const carom_find_request *request,
                         carom_found_orbit *found, carom_error *error)
{
    carom_period_map *map = NULL;
    carom_mapped motion = {.q = found->q, .v = found->v};
    found->method = "map";
    if (request->flights > 0 || request->guess == CAROM_GUESS_LINEAR)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "impacts: with whatever happens in it a motion is guessed from a run, not from flights or "
            "the linearised model");
    if (periodic->model->conservative)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "impacts: with whatever happens in them motions of driven models and limit cycles are found; "
            "%s conserves energy, name the contacts that are struck",
            periodic->name);
    carom_status status = find_map_create(periodic, request->period, found->multiple, &map, error);
    if (status != CAROM_OK)
        return status;
    const bool asked = request->settle > 0.0;
    status = CAROM_FAILED;
    for (int i = 0; i < (asked ? 1 : 2) && status == CAROM_FAILED; i++) {
        const double settle = asked ? request->settle : settles[i];
        status =
            carom_period_map_settle(map, periodic->t0, periodic->q0, periodic->v0, settle, &motion, error);
        if (status == CAROM_OK)
            status = carom_period_map_solve(map, &motion, error);
        carom_format(found->guess, sizeof found->guess, "a run from the initial state, after %.0f periods",
                     ceil(settle));
    }
    if (status == CAROM_OK)
        status = fill(map, &motion, periodic, found, error);
    carom_period_map_free(map);
    return status;
}
