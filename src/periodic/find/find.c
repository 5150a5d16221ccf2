/* Which way a periodic motion is found. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "find.h"

bool found_take(const carom_periodic_model *periodic, int impacts, carom_found_orbit *found)
{
    carom_arena *arena = carom_arena_create();
    const size_t n = (size_t)periodic->model->dof, count = (size_t)(impacts > 0 ? impacts : 1);
    *found = (carom_found_orbit){
        .arena = arena, .impacts = impacts, .margin = INFINITY, .margin_time = NAN, .margin_contact = -1};
    if (!arena)
        return false;
    found->contact = carom_arena_take(arena, count, sizeof(int));
    found->time = carom_arena_take(arena, count, sizeof(double));
    found->flight = carom_arena_take(arena, count, sizeof(double));
    found->impulse = carom_arena_take(arena, count, sizeof(double));
    found->approach = carom_arena_take(arena, count, sizeof(double));
    found->q = carom_arena_take(arena, n, sizeof(double));
    found->v = carom_arena_take(arena, n, sizeof(double));
    found->middle = carom_arena_take(arena, 2 * n, sizeof(double));
    found->real = carom_arena_take(arena, 2 * n, sizeof(double));
    found->imaginary = carom_arena_take(arena, 2 * n, sizeof(double));
    found->largest = NAN;
    return found->contact && found->time && found->flight && found->impulse && found->approach && found->q &&
           found->v && found->middle && found->real && found->imaginary;
}

void carom_found_orbit_free(carom_found_orbit *found)
{
    carom_arena_free(found->arena);
    *found = (carom_found_orbit){0};
}

bool found_take_rows(const carom_periodic_model *periodic, int flights, carom_found_orbit *found)
{
    const size_t width = 1 + 2 * (size_t)periodic->model->dof;
    found->rows = flights * CAROM_FOUND_ROWS;
    found->row = carom_arena_take(found->arena, (size_t)found->rows * width, sizeof *found->row);
    return found->row != NULL;
}

static carom_status check_apart(const carom_periodic_model *periodic, const carom_impact_sequence *impacts,
                                carom_error *error)
{
    for (int i = 1; i < impacts->count; i++)
        if (impacts->phase[i] == impacts->phase[i - 1])
            return carom_fail(error, CAROM_BAD_INPUT,
                              "'%s' and '%s' are struck at one instant, phase %g: that can be solved for "
                              "linear models with "
                              "each contact once, at 0 or half the period; otherwise impacts must be apart",
                              periodic->model->contact[impacts->contact[i - 1]].name,
                              periodic->model->contact[impacts->contact[i]].name, impacts->phase[i]);
    return CAROM_OK;
}

/* A limit cycle, in which nothing is struck. */
static carom_status find_cycle(const carom_periodic_model *periodic, const carom_find_request *request,
                               carom_found_orbit *found, carom_error *error)
{
    const carom_status status = find_by_map(periodic, request, found, error);
    if (status != CAROM_OK || found->impacts == 0)
        return status;
    return carom_fail(error, CAROM_FAILED,
                      "the run settles to a motion with %d impact%s in a period of %.6g: any finds that one",
                      found->impacts, found->impacts == 1 ? "" : "s", found->period);
}

static carom_status check_request(const carom_find_request *request, carom_error *error)
{
    if (request->flights != 0 && request->flights != request->impacts.count)
        return carom_fail(error, CAROM_BAD_INPUT, "%d flights are guessed for %d impacts: one per impact",
                          request->flights, request->impacts.count);
    if (request->impacts.count < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "a motion with %d impacts: at least 0",
                          request->impacts.count);
    return CAROM_OK;
}

carom_status carom_find_orbit(const carom_periodic_model *periodic, const carom_find_request *given,
                              carom_found_orbit *found, carom_error *error)
{
    carom_linearised linear = {0};
    carom_error no_rest = {0};
    carom_find_request settled = *given;
    const carom_find_request *request = &settled;
    int multiple = 0;
    *found = (carom_found_orbit){0};
    carom_status status = check_request(request, error);
    if (status == CAROM_OK && !periodic->model)
        status = carom_fail(error, CAROM_BAD_INPUT,
                            "no model; carom_periodic_model_create makes one to search in");
    if (status == CAROM_OK)
        status = carom_find_period(periodic, given, &settled.period, &multiple, error);
    if (status != CAROM_OK)
        return status;
    if (!found_take(periodic, request->impacts.count, found))
        return carom_fail_memory(error);
    found->multiple = multiple;
    if (request->impacts.any)
        return find_by_map(periodic, request, found, error);
    if (request->impacts.count == 0 && !periodic->timed && periodic->model->conservative)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "impacts: motions without impacts are looked for in driven models and in those that lose and "
            "gain energy; nothing in %s depends on time, and it conserves energy",
            periodic->name);
    if (request->impacts.count == 0 && !periodic->timed)
        return find_cycle(periodic, request, found, error);
    const carom_status rests = carom_linearise(periodic, found->arena, &linear, &no_rest);
    if (rests == CAROM_NO_MEMORY)
        return carom_fail_memory(error);
    const bool solvable =
        rests == CAROM_OK && linear.exact && linear.regular && request->guess == CAROM_GUESS_ANY;
    const bool alone = periodic->model->contacts == 1;
    if (solvable && request->impacts.count > 0 && carom_impact_is_pattern(&request->impacts) &&
        (!alone || request->impacts.given))
        return find_by_pattern(periodic, &linear, request, found, error);
    if (solvable && alone && request->impacts.count > 0)
        return find_by_flights(periodic, &linear, request, found, error);
    status = check_apart(periodic, &request->impacts, error);
    if (status != CAROM_OK)
        return status;
    return find_by_shooting(periodic, rests == CAROM_OK && linear.regular ? &linear : NULL, request, found,
                            error);
}
