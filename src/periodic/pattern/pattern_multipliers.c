/* Multipliers of the points of a branch, each solved anew by the next free thread. */
#include "pattern_branch.h"

typedef struct thread_seat {
    branch_place place;
    carom_floquet *floquet;
} thread_seat;

static const carom_phase *pattern_at(const carom_orbit_branch *branch, int index)
{
    int k = 0;
    while (k + 1 < branch->stretch_count && index >= branch->stretch[k + 1].first)
        k++;
    return branch->stretch[k].pattern;
}

static carom_status compute(thread_seat *seat, carom_orbit_branch *branch, int index, carom_error *error)
{
    carom_orbit_branch_point *point = &branch->point[index];
    branch_place *place = &seat->place;
    carom_status status = branch_solve(place, pattern_at(branch, index), point->value, error);
    if (status == CAROM_OK)
        status = carom_floquet_compute(seat->floquet, place->oscillator, place->orbit,
                                       &place->request->floquet, error);
    if (status != CAROM_OK)
        return status;
    point->largest = seat->floquet->largest;
    point->off_circle = seat->floquet->off_circle;
    return CAROM_OK;
}

carom_status branch_multipliers(const carom_orbit_branch_request *request, carom_orbit_branch *branch,
                                carom_error *error)
{
    int threads;
    carom_status result =
        orbit_threads(request->parameter == CAROM_ORBIT_BRANCH_SYSTEM ? 1 : request->threads,
                      branch->point_count, &threads, error);
    if (result != CAROM_OK)
        return result;
#pragma omp parallel num_threads(threads)
    {
        carom_error own = {0};
        thread_seat seat = {0};
        carom_status status = branch_place_make(request, &seat.place, &own);
        if (status == CAROM_OK)
            status = carom_floquet_create(request->oscillator, &seat.floquet, &own);
#pragma omp for schedule(dynamic)
        for (int i = 0; i < branch->point_count; i++)
            if (status == CAROM_OK)
                status = compute(&seat, branch, i, &own);
#pragma omp critical(carom_orbit_branch)
        if (status != CAROM_OK)
            result = carom_fail(error, status, "%s", own.text);
        carom_floquet_free(seat.floquet);
        branch_place_free(&seat.place);
    }
    return result;
}
