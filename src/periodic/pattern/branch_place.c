/* Where one point of a branch is solved, and how many threads do so. */
#include <math.h>
#include <unistd.h>

#include "pattern_branch.h"
#include "periodic/oscillator_make.h"

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
    if (status != CAROM_OK)
        branch_place_free(place);
    return status;
}

void branch_place_free(branch_place *place)
{
    carom_orbit_free(place->orbit);
    carom_linear_oscillator_free(place->own);
    *place = (branch_place){0};
}

carom_status branch_solve(branch_place *place, const carom_phase *pattern, double value, carom_error *error)
{
    carom_orbit_options options = place->request->orbit;
    options.amplitude_max = INFINITY;
    double period = value;
    if (place->own) {
        period = place->request->period;
        carom_status status = place->own->ring
                                  ? carom_ring_couple(place->own, value, error)
                                  : place->request->change(place->request->context, value, place->own, error);
        if (status != CAROM_OK)
            return status;
    }
    return carom_orbit_solve(place->orbit, place->oscillator, period, pattern, &options, error);
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
