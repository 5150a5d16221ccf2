/* Multipliers of the points of a branch, each solved anew by the next free thread. */
#include <math.h>

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

/* Points from the first on whose multipliers the memo knows. */
static carom_status recall_multipliers(const carom_orbit_branch_request *request, carom_orbit_branch *branch,
                                       int *known, carom_error *error)
{
    branch_place place = {0};
    const carom_status status = branch_place_make(request, &place, error);
    double found[2];
    *known = 0;
    while (status == CAROM_OK && *known < branch->point_count &&
           branch_recall(&place, BRANCH_MULTIPLIERS, pattern_at(branch, *known), branch->point[*known].value,
                         2, found)) {
        branch->point[*known].largest = found[0];
        branch->point[*known].off_circle = (int)found[1];
        ++*known;
    }
    branch_place_free(&place);
    return status;
}

/* What the threads share, each in its turn. */
typedef struct shared_work {
    const carom_orbit_branch_request *request;
    carom_orbit_branch *branch;
    bool *computed; /* per point */
    int kept;       /* points that are computed and kept, from the first on */
    bool stopped;
    carom_status status;
    carom_error *error;
} shared_work;

/* Point i is computed, or failed: keeps what is complete, in the order of the points. False: no more are wanted. */
static bool hand_in(shared_work *work, branch_place *place, int i, carom_status status,
                    const carom_error *error)
{
    const carom_orbit_branch *branch = work->branch;
    const carom_progress *progress = &work->request->progress;
    const double range = fabs(work->request->to - work->request->from);
    if (status != CAROM_OK && work->status == CAROM_OK)
        work->status = carom_fail(work->error, status, "%s", error->text);
    work->computed[i] = status == CAROM_OK;
    for (; status == CAROM_OK && work->kept < branch->point_count && work->computed[work->kept];
         work->kept++) {
        const carom_orbit_branch_point *point = &branch->point[work->kept];
        const double found[2] = {point->largest, point->off_circle};
        branch_keep(place, BRANCH_MULTIPLIERS, pattern_at(branch, work->kept), point->value, 2, found);
    }
    if (progress->report && !work->stopped)
        work->stopped = !progress->report(progress->context, range, range);
    return work->status == CAROM_OK && !work->stopped;
}

static carom_status compute_multipliers(const carom_orbit_branch_request *request, int known, int threads,
                                        carom_orbit_branch *branch, carom_error *error)
{
    shared_work work = {.request = request, .branch = branch, .kept = known, .error = error};
    work.computed = carom_arena_take(branch->arena, (size_t)branch->point_count, sizeof *work.computed);
    if (!work.computed)
        return carom_fail_memory(error);
#pragma omp parallel num_threads(threads)
    {
        carom_error own = {0};
        thread_seat seat = {0};
        bool goes_on = true;
        carom_status status = branch_place_make(request, &seat.place, &own);
        if (status == CAROM_OK)
            status = carom_floquet_create(request->oscillator, &seat.floquet, &own);
#pragma omp for schedule(dynamic)
        for (int i = known; i < branch->point_count; i++) {
            if (goes_on && status == CAROM_OK)
                status = compute(&seat, branch, i, &own);
#pragma omp critical(carom_orbit_branch)
            goes_on = goes_on && hand_in(&work, &seat.place, i, status, &own);
        }
        carom_floquet_free(seat.floquet);
        branch_place_free(&seat.place);
    }
    if (work.status == CAROM_OK && work.stopped)
        return carom_fail(error, CAROM_INTERRUPTED, "interrupted when multipliers were computed");
    return work.status;
}

carom_status branch_multipliers(const carom_orbit_branch_request *request, carom_orbit_branch *branch,
                                carom_error *error)
{
    int threads, known = 0;
    carom_status status =
        orbit_threads(request->parameter == CAROM_ORBIT_BRANCH_SYSTEM ? 1 : request->threads,
                      branch->point_count, &threads, error);
    if (status == CAROM_OK && request->memo)
        status = recall_multipliers(request, branch, &known, error);
    return status == CAROM_OK ? compute_multipliers(request, known, threads, branch, error) : status;
}
