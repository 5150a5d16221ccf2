/* Starts of a fit that several processes compute. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "course.h"

/* Both ways. */
static void pack_finish(const fit_problem *problem, finish *end, carom_snapshot *snapshot)
{
    const size_t n = (size_t)problem->residuals, m = (size_t)problem->unknown_count;
    fit_minimum *at = &end->at;
    carom_snapshot_block(snapshot, at->x, m * sizeof *at->x);
    carom_snapshot_block(snapshot, at->r, n * sizeof *at->r);
    carom_snapshot_block(snapshot, at->J, n * m * sizeof *at->J);
    carom_snapshot_block(snapshot, at->held, m * sizeof *at->held);
    carom_snapshot_block(snapshot, &at->misfit, sizeof at->misfit);
    carom_snapshot_block(snapshot, &at->iterations, sizeof at->iterations);
    carom_snapshot_block(snapshot, &at->converged, sizeof at->converged);
    carom_snapshot_block(snapshot, &at->distance, sizeof at->distance);
    carom_snapshot_block(snapshot, &end->iterations, sizeof end->iterations);
    fit_pack_error(&end->status, &end->error, snapshot);
}

static carom_status compute_start(const course *self, int start, const carom_worker *worker,
                                  carom_error *error)
{
    fit_own_problem own;
    course alone = *self;
    finish end = {0};
    carom_arena *arena = carom_arena_create();
    if (!arena || !fit_take_finish(&self->problem, arena, &end)) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    memcpy(end.at.x, self->end[start].at.x, (size_t)self->problem.unknown_count * sizeof *end.at.x);
    fit_own_problem_make(&self->problem, worker, &own);
    alone.problem = own.problem;
    fit_search_from(&alone, 1, fit_stages(self), &end);
    carom_snapshot answer = {0};
    fit_pack_counts(&alone.problem, &answer);
    pack_finish(&self->problem, &end, &answer);
    const carom_status status = fit_is_stopped(&alone.problem)
                                    ? carom_fail(error, CAROM_INTERRUPTED, "interrupted")
                                    : worker->answer(worker, &answer, error);
    carom_snapshot_free(&answer);
    carom_arena_free(arena);
    return status;
}

/* Of a process that follows: whatever the other one asks. */
static carom_status compute_piece(void *context, void *room, carom_snapshot *brief,
                                  const carom_worker *worker, carom_error *error)
{
    (void)room;
    const course *self = context;
    fit_piece kind = FIT_MOTION;
    carom_snapshot_block(brief, &kind, sizeof kind);
    return kind == FIT_START ? compute_start(self, worker->piece, worker, error)
                             : fit_motion_compute(&self->problem, brief, worker, error);
}

static void brief_start(void *context, int start, carom_snapshot *snapshot)
{
    (void)context, (void)start;
    fit_piece kind = FIT_START;
    carom_snapshot_block(snapshot, &kind, sizeof kind);
}

/* The places of starts follow from the request: its number is enough. */
static carom_snapshot start_key(int start)
{
    carom_snapshot key = {0};
    fit_piece kind = FIT_START;
    carom_snapshot_block(&key, &kind, sizeof kind);
    carom_snapshot_block(&key, &start, sizeof start);
    return key;
}

static void unpack_start(course *self, int start, carom_snapshot *answer)
{
    fit_pack_counts(&self->problem, answer);
    pack_finish(&self->problem, &self->end[start], answer);
}

static bool wants_start(void *context, int start)
{
    course *self = context;
    size_t count = 0;
    carom_snapshot key = start_key(start);
    void *bytes = fit_recall(&self->problem, &key, &count);
    carom_snapshot_free(&key);
    if (!bytes)
        return true;
    carom_snapshot kept = carom_snapshot_of(bytes, count);
    unpack_start(self, start, &kept);
    free(bytes);
    return kept.failed;
}

static carom_status take_start(void *context, int start, carom_snapshot *answer, carom_error *error)
{
    course *self = context;
    unpack_start(self, start, answer);
    if (answer->failed)
        return carom_fail_memory(error);
    carom_snapshot key = start_key(start);
    const carom_status status = fit_keep(&self->problem, &key, answer, error);
    carom_snapshot_free(&key);
    return status;
}

static bool course_goes_on(void *context)
{
    return fit_goes_on(&((course *)context)->problem);
}

void fit_skip_start(finish *end)
{
    end->at.misfit = NAN;
    end->status = carom_fail(&end->error, CAROM_INTERRUPTED, "interrupted");
}

carom_status fit_share_starts(course *self, carom_error *error)
{
    const carom_workers *workers = self->problem.request->workers;
    const carom_work work = {.context = self,
                             .count = workers->follows ? 0 : self->starts,
                             .threads = self->problem.threads,
                             .compute = compute_piece,
                             .wants = wants_start,
                             .brief = brief_start,
                             .take = take_start,
                             .goes_on = course_goes_on};
    for (int i = 0; i < self->starts; i++)
        fit_skip_start(&self->end[i]);
    const carom_status status = carom_work_run(&work, workers, error);
    return status == CAROM_INTERRUPTED ? CAROM_OK : status;
}
