/* Where one point of a branch is solved, and how many threads do so. */
#include <math.h>
#include <unistd.h>

#include "pattern_branch.h"
#include "periodic/oscillator_make.h"

static bool take_memo(branch_place *place)
{
    const size_t contacts = (size_t)place->orbit->contacts;
    if (!place->request->memo)
        return true;
    place->arena = carom_arena_create();
    if (!place->arena)
        return false;
    place->argument = carom_arena_take(place->arena, 1 + contacts, sizeof(double));
    place->known = carom_arena_take(place->arena, branch_orbit_numbers(place->orbit), sizeof(double));
    return place->argument && place->known;
}

carom_status branch_place_make(const carom_orbit_branch_request *request, branch_place *place,
                               carom_error *error)
{
    const carom_linear_oscillator *given = request->oscillator;
    *place = (branch_place){.request = request, .oscillator = given};
    carom_status status = CAROM_OK;
    if (request->parameter == CAROM_ORBIT_BRANCH_COUPLING) {
        status = carom_ring_create(given->size, given->coupling, &place->own, error);
        place->oscillator = place->own;
    } else if (request->parameter == CAROM_ORBIT_BRANCH_SYSTEM) {
        place->own = linear_oscillator_take(given->size, given->contacts, given->mass != NULL, error);
        place->oscillator = place->own;
        status = place->own ? CAROM_OK : CAROM_NO_MEMORY;
    }
    if (status == CAROM_OK)
        status = carom_orbit_create(given, &place->orbit, error);
    if (status == CAROM_OK && !take_memo(place))
        status = carom_fail_memory(error);
    if (status != CAROM_OK)
        branch_place_free(place);
    return status;
}

void branch_place_free(branch_place *place)
{
    carom_arena_free(place->arena);
    carom_orbit_free(place->orbit);
    carom_linear_oscillator_free(place->own);
    *place = (branch_place){0};
}

carom_status branch_oscillator(branch_place *place, carom_error *error)
{
    if (!place->behind)
        return CAROM_OK;
    const carom_status status =
        place->own->ring ? carom_ring_couple(place->own, place->value, error)
                         : place->request->change(place->request->context, place->value, place->own, error);
    place->behind = status != CAROM_OK;
    return status;
}

carom_status branch_solve(branch_place *place, const carom_phase *pattern, double value, carom_error *error)
{
    carom_orbit_options options = place->request->orbit;
    options.amplitude_max = INFINITY;
    place->value = value;
    place->behind = place->own != NULL;
    const double period = place->own ? place->request->period : value;
    const carom_status status = branch_oscillator(place, error);
    return status == CAROM_OK
               ? carom_orbit_solve(place->orbit, place->oscillator, period, pattern, &options, error)
               : status;
}

enum {
    THREADS_MAX = 256
};

carom_status orbit_threads(int asked, int work, int *threads, carom_error *error)
{
    if (asked < 0 || asked > THREADS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%d threads: from 1 to %d, or 0 for one per core", asked,
                          THREADS_MAX);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int count = asked > 0 ? asked : cores < 1 ? 1 : cores > THREADS_MAX ? THREADS_MAX : (int)cores;
    *threads = count < work ? count : work > 0 ? work : 1;
    return CAROM_OK;
}
