/* Which way a periodic motion is found. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/orbit_output.h"

bool orbit_found_take(const orbit_subject *subject, int impacts, found_orbit *found)
{
    carom_arena *arena = subject->arena;
    const size_t n = (size_t)subject->model->dof, count = (size_t)impacts;
    *found = (found_orbit){.impacts = impacts, .margin = INFINITY, .margin_time = NAN, .margin_contact = -1};
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

bool orbit_rows_take(const orbit_subject *subject, int flights, found_orbit *found)
{
    const size_t width = 1 + 2 * (size_t)subject->model->dof;
    found->rows = flights * ORBIT_ROWS_PER_FLIGHT;
    found->row = carom_arena_take(subject->arena, (size_t)found->rows * width, sizeof *found->row);
    return found->row != NULL;
}

/* Impacts at 0 and half the period only, each contact at most once. */
bool orbit_is_pattern(const orbit_impacts *impacts)
{
    for (int i = 0; i < impacts->count; i++) {
        if (impacts->phase[i] != 0.0 && impacts->phase[i] != 0.5)
            return false;
        for (int k = 0; k < i; k++)
            if (impacts->contact[i] == impacts->contact[k])
                return false;
    }
    return true;
}

static carom_status check_apart(const orbit_subject *subject, const orbit_impacts *impacts,
                                carom_error *error)
{
    for (int i = 1; i < impacts->count; i++)
        if (impacts->phase[i] == impacts->phase[i - 1])
            return carom_fail(error, CAROM_BAD_INPUT,
                              "'%s' and '%s' are struck at one instant, phase %g: that can be solved for "
                              "linear models with "
                              "each contact once, at 0 or half the period; otherwise impacts must be apart",
                              subject->model->contact[impacts->contact[i - 1]].name,
                              subject->model->contact[impacts->contact[i]].name, impacts->phase[i]);
    return CAROM_OK;
}

static carom_status check_flights(const orbit_request *request, carom_error *error)
{
    if (request->flights != 0 && request->flights != request->impacts.count)
        return carom_fail(error, CAROM_BAD_INPUT, "--flights has %d value%s for %d impact%s: one per impact",
                          request->flights, plural(request->flights), request->impacts.count,
                          plural(request->impacts.count));
    return CAROM_OK;
}

carom_status orbit_find(const orbit_subject *subject, const orbit_request *request, found_orbit *found,
                        carom_error *error)
{
    orbit_linear linear = {0};
    carom_error no_rest = {0};
    carom_status status = check_flights(request, error);
    if (status != CAROM_OK)
        return status;
    if (!orbit_found_take(subject, request->impacts.count, found))
        return carom_fail_memory(error);
    const carom_status rests = orbit_linear_take(subject, &linear, &no_rest);
    const bool solvable = rests == CAROM_OK && linear.exact && linear.regular && !request->guess;
    const bool alone = subject->model->contacts == 1;
    if (solvable && orbit_is_pattern(&request->impacts) && (!alone || request->impacts.given))
        return orbit_find_pattern(subject, &linear, request, found, error);
    if (solvable && alone)
        return orbit_find_flights(subject, &linear, request, found, error);
    status = check_apart(subject, &request->impacts, error);
    if (status != CAROM_OK)
        return status;
    return orbit_find_shooting(subject, rests == CAROM_OK && linear.regular ? &linear : NULL, request, found,
                               error);
}
