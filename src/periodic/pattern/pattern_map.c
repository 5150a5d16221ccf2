/* Verdicts on one pattern over a grid of couplings and periods, a row of one coupling per thread at a time.
 */
#include <math.h>

#include "pattern.h"
#include "pattern_branch.h"

typedef struct active_map {
    const carom_orbit_map_request *request;
    carom_orbit_map *map;
    int finished; /* rows */
    bool stop;
} active_map;

static double node(double from, double to, int count, int index)
{
    return count > 1 ? from + (to - from) * index / (count - 1) : from;
}

static carom_status check(const carom_orbit_map_request *r, carom_error *error)
{
    if (r->couplings < 1 || r->periods < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "a map of %d x %d nodes: at least one each", r->couplings,
                          r->periods);
    if (!isfinite(r->coupling_from) || !isfinite(r->coupling_to) || !isfinite(r->period_from) ||
        !isfinite(r->period_to))
        return carom_fail(error, CAROM_BAD_INPUT, "the ends of a map must be finite numbers");
    if (fmin(r->coupling_from, r->coupling_to) <= -0.25)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "chain not positive definite: couplings from %g to %g must be above -1/4",
                          r->coupling_from, r->coupling_to);
    if (fmin(r->period_from, r->period_to) <= 0.0)
        return carom_fail(error, CAROM_BAD_INPUT, "periods from %g to %g must be positive", r->period_from,
                          r->period_to);
    return CAROM_OK;
}

static carom_status set_up(active_map *active, carom_error *error)
{
    const carom_orbit_map_request *r = active->request;
    carom_orbit_map *map = active->map;
    const size_t couplings = (size_t)r->couplings, periods = (size_t)r->periods;
    map->arena = carom_arena_create();
    if (!map->arena)
        return carom_fail_memory(error);
    map->couplings = r->couplings;
    map->periods = r->periods;
    map->coupling = carom_arena_take(map->arena, couplings, sizeof *map->coupling);
    map->period = carom_arena_take(map->arena, periods, sizeof *map->period);
    map->word = carom_arena_take(map->arena, couplings * periods, sizeof *map->word);
    if (!map->coupling || !map->period || !map->word)
        return carom_fail_memory(error);
    for (int i = 0; i < r->couplings; i++)
        map->coupling[i] = node(r->coupling_from, r->coupling_to, r->couplings, i);
    for (int i = 0; i < r->periods; i++)
        map->period[i] = node(r->period_from, r->period_to, r->periods, i);
    return CAROM_OK;
}

static carom_status fill_row(const active_map *active, int row, carom_linear_oscillator *ring,
                             carom_orbit *orbit, carom_error *error)
{
    const carom_orbit_map *map = active->map;
    carom_orbit_options options = active->request->orbit;
    options.quick = true;
    carom_status status = carom_ring_couple(ring, map->coupling[row], error);
    for (int k = 0; status == CAROM_OK && k < map->periods; k++) {
        status = carom_orbit_solve(orbit, ring, map->period[k], active->request->pattern, &options, error);
        map->word[(size_t)row * (size_t)map->periods + (size_t)k] = (unsigned char)orbit->word;
    }
    return status;
}

/* By one thread at a time. */
static void report(active_map *active)
{
    const carom_progress *progress = &active->request->progress;
    active->finished++;
    if (progress->report && !progress->report(progress->context, active->finished, active->map->couplings)) {
#pragma omp atomic write
        active->stop = true;
    }
}

static carom_status fill_rows(active_map *active, carom_error *error)
{
    carom_linear_oscillator *ring = NULL;
    carom_orbit *orbit = NULL;
    carom_status status =
        carom_ring_create(active->request->particles, active->map->coupling[0], &ring, error);
    if (status == CAROM_OK)
        status = carom_orbit_create(ring, &orbit, error);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < active->map->couplings; i++) {
        bool stopped;
#pragma omp atomic read
        stopped = active->stop;
        if (stopped || status != CAROM_OK)
            continue;
        status = fill_row(active, i, ring, orbit, error);
#pragma omp critical(carom_orbit_map)
        report(active);
    }
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(ring);
    return status;
}

static carom_status fill(active_map *active, int threads, carom_error *error)
{
    carom_status result = CAROM_OK;
#pragma omp parallel num_threads(threads)
    {
        carom_error own = {0};
        const carom_status status = fill_rows(active, &own);
#pragma omp critical(carom_orbit_map)
        if (status != CAROM_OK)
            result = carom_fail(error, status, "%s", own.text);
    }
    if (result == CAROM_OK && active->finished < active->map->couplings)
        result = carom_fail(error, CAROM_INTERRUPTED, "interrupted after %d of %d couplings",
                            active->finished, active->map->couplings);
    return result;
}

carom_status carom_orbit_map_make(const carom_orbit_map_request *request, carom_orbit_map *map,
                                  carom_error *error)
{
    *map = (carom_orbit_map){0};
    active_map active = {.request = request, .map = map};
    int threads = 1;
    carom_status status = check(request, error);
    if (status == CAROM_OK)
        status = orbit_threads(request->threads, request->couplings, &threads, error);
    if (status == CAROM_OK)
        status = set_up(&active, error);
    if (status == CAROM_OK)
        status = fill(&active, threads, error);
    if (status != CAROM_OK)
        carom_orbit_map_free(map);
    return status;
}

void carom_orbit_map_free(carom_orbit_map *map)
{
    carom_arena_free(map->arena);
    *map = (carom_orbit_map){0};
}
