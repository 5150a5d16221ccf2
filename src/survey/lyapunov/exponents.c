/* Exponents of many motions as pieces of work. An answer is a motion that has ended, or a checkpoint of one under way; the
 * brief of a piece is the last checkpoint. */
#include "carom/survey/exponents.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "survey/values.h"

enum {
    POINTS_MAX = 10000000,
    STARTS_MAX = 100000
};
static const double usual_scatter = 0.1, usual_seconds = 5.0;

/* What an answer holds, its first word. */
typedef enum answer_kind {
    ANSWER_CHECKPOINT,
    ANSWER_END,
    ANSWER_TIME, /* how far it came, for the progress */
} answer_kind;

typedef struct kept_bytes {
    void *bytes;
    size_t count;
} kept_bytes;

typedef struct active_exponents {
    const carom_exponents_request *request;
    carom_exponents *all;
    int parameter;          /* index; -1: none varies */
    kept_bytes *kept;       /* per motion: its last checkpoint, in the arena */
    double *come;           /* per motion: time that it has come */
    double transient, time; /* of one motion */
} active_exponents;

static int motion_count(const carom_exponents *all)
{
    return all->points * all->starts;
}

/* ---- one motion -------------------------------------------------------------------------------------------------------- */

/* A motion under way and who waits for it. */
typedef struct motion_room {
    const active_exponents *active;
    const carom_worker *worker;
    double told; /* when the time was told last */
} motion_room;

static carom_status give_answer(const motion_room *room, carom_snapshot *answer, carom_error *error)
{
    const carom_status status = room->worker->answer(room->worker, answer, error);
    carom_snapshot_free(answer);
    return status;
}

static carom_status save(void *context, const void *bytes, size_t count, carom_error *error)
{
    const motion_room *room = context;
    answer_kind kind = ANSWER_CHECKPOINT;
    carom_snapshot answer = {0};
    carom_snapshot_block(&answer, &kind, sizeof kind);
    carom_snapshot_bytes(&answer, bytes, &count);
    return give_answer(room, &answer, error);
}

static bool report_time(void *context, double done, double total)
{
    (void)total;
    motion_room *room = context;
    const double now = carom_seconds();
    if (now - room->told > 0.2) {
        answer_kind kind = ANSWER_TIME;
        carom_snapshot answer = {0};
        carom_error error = {0};
        room->told = now;
        carom_snapshot_block(&answer, &kind, sizeof kind);
        carom_snapshot_block(&answer, &done, sizeof done);
        if (give_answer(room, &answer, &error) != CAROM_OK)
            return false;
    }
    return room->worker->goes_on(room->worker);
}

/* Both ways. */
static void pack_point(carom_snapshot *snapshot, carom_exponents_point *point)
{
    carom_snapshot_block(snapshot, &point->status, sizeof point->status);
    carom_snapshot_block(snapshot, point->message, sizeof point->message);
    carom_lyapunov_pack(snapshot, &point->found);
    point->message[sizeof point->message - 1] = '\0';
}

/* The request of one of the motions; `parameter` has room for all. */
static void describe_motion(const active_exponents *active, int index, double *parameter,
                            carom_lyapunov_request *motion)
{
    const carom_exponents_request *request = active->request;
    const carom_experiment *experiment = request->motion.experiment;
    const int start = index % active->all->starts;
    *motion = request->motion;
    motion->transient = active->transient;
    motion->time = active->time;
    motion->scatter = 0.0;
    motion->scatter_in_sizes = !(request->motion.scatter > 0.0);
    if (start > 0)
        motion->scatter = request->motion.scatter > 0.0 ? request->motion.scatter : usual_scatter;
    motion->scatter_seed = (unsigned)start;
    motion->progress = (carom_progress){0};
    motion->checkpoint = NULL;
    motion->parameter = NULL;
    if (motion_count(active->all) > 1 && motion->points == 0)
        motion->points = 1;
    if (active->parameter < 0)
        return;
    memcpy(parameter, experiment->parameter, (size_t)experiment->model->parameters * sizeof *parameter);
    parameter[active->parameter] = active->all->point[index].value;
    motion->parameter = parameter;
}

static carom_status answer_end(motion_room *room, carom_exponents_point *point, carom_error *error)
{
    answer_kind kind = ANSWER_END;
    carom_snapshot answer = {0};
    carom_snapshot_block(&answer, &kind, sizeof kind);
    pack_point(&answer, point);
    return give_answer(room, &answer, error);
}

/* A motion that is interrupted has saved where it is. One that cannot begin ends all when it is the first: then the others cannot,
 * either. */
static carom_status compute_motion(void *context, void *unused, carom_snapshot *brief,
                                   const carom_worker *worker, carom_error *error)
{
    (void)unused;
    const active_exponents *active = context;
    const carom_exponents_request *request = active->request;
    const bool keeps = request->keep || request->workers;
    motion_room room = {active, worker, carom_seconds()};
    size_t count = 0;
    const void *kept = carom_snapshot_bytes(brief, NULL, &count);
    const carom_checkpoint checkpoint = {.context = &room,
                                         .seconds = request->seconds > 0.0 ? request->seconds : usual_seconds,
                                         .save = keeps ? save : NULL,
                                         .bytes = count > 0 ? kept : NULL,
                                         .count = count};
    double *parameter =
        carom_new_array((size_t)request->motion.experiment->model->parameters + 1, sizeof *parameter);
    if (!parameter)
        return carom_fail_memory(error);
    carom_lyapunov_request motion;
    describe_motion(active, worker->piece, parameter, &motion);
    motion.progress = (carom_progress){.report = report_time, .context = &room};
    motion.checkpoint = &checkpoint;
    carom_exponents_point point = {0};
    carom_error why = {0};
    point.status = carom_lyapunov_run(&motion, &point.found, &why);
    carom_status status = CAROM_OK;
    if (point.status != CAROM_OK)
        carom_plain_copy(why.text, point.message, sizeof point.message);
    if (point.status != CAROM_OK && point.status != CAROM_FAILED && point.status != CAROM_INTERRUPTED &&
        (worker->piece == 0 || point.status != CAROM_BAD_INPUT)) {
        *error = why;
        status = point.status;
    } else {
        status = answer_end(&room, &point, error);
    }
    if (status == CAROM_OK && point.status == CAROM_INTERRUPTED)
        status = carom_fail(error, CAROM_INTERRUPTED, "interrupted");
    carom_lyapunov_free(&point.found);
    free(parameter);
    return status;
}

/* ---- where the results are ---------------------------------------------------------------------------------------------- */

static bool wants_motion(void *context, int piece)
{
    const active_exponents *active = context;
    return !active->all->point[piece].done;
}

static void brief_motion(void *context, int piece, carom_snapshot *snapshot)
{
    const active_exponents *active = context;
    kept_bytes kept = active->kept[piece];
    carom_snapshot_bytes(snapshot, kept.bytes, &kept.count);
}

static carom_status take_end(active_exponents *active, int piece, carom_snapshot *answer, carom_error *error)
{
    carom_exponents_point *point = &active->all->point[piece];
    carom_lyapunov_free(&point->found);
    pack_point(answer, point);
    if (answer->failed)
        return carom_fail_memory(error);
    point->done = point->status != CAROM_INTERRUPTED;
    active->come[piece] = point->done ? active->transient + active->time : active->come[piece];
    return CAROM_OK;
}

static carom_status take_answer(void *context, int piece, carom_snapshot *answer, carom_error *error)
{
    active_exponents *active = context;
    const carom_exponents_request *request = active->request;
    answer_kind kind = ANSWER_TIME;
    carom_snapshot_block(answer, &kind, sizeof kind);
    carom_status status = CAROM_OK;
    if (kind == ANSWER_TIME) {
        carom_snapshot_block(answer, &active->come[piece], sizeof(double));
        return CAROM_OK;
    }
    if (kind == ANSWER_END)
        status = take_end(active, piece, answer, error);
    if (status != CAROM_OK || !request->keep || (kind == ANSWER_END && !active->all->point[piece].done))
        return status; /* of one that was interrupted the checkpoint is kept */
    return request->keep(request->keep_context, piece, answer->bytes, answer->length, error);
}

static bool copy_checkpoint(active_exponents *active, int index, carom_snapshot *from)
{
    kept_bytes *kept = &active->kept[index];
    const void *bytes = carom_snapshot_bytes(from, NULL, &kept->count);
    kept->bytes = bytes ? carom_arena_take(active->all->arena, kept->count, 1) : NULL;
    if (kept->bytes)
        memcpy(kept->bytes, bytes, kept->count);
    return kept->bytes;
}

/* What an earlier process has kept: motions that have ended, checkpoints of others. */
static carom_status recall(active_exponents *active, carom_error *error)
{
    const carom_exponents_request *request = active->request;
    carom_status status = CAROM_OK;
    for (int i = 0; request->recall && status == CAROM_OK && i < motion_count(active->all); i++) {
        size_t count = 0;
        void *bytes = request->recall(request->keep_context, i, &count);
        if (!bytes)
            continue;
        carom_snapshot kept = carom_snapshot_of(bytes, count);
        answer_kind kind = ANSWER_TIME;
        carom_snapshot_block(&kept, &kind, sizeof kind);
        if (!kept.failed && kind == ANSWER_END)
            take_end(active, i, &kept, error);
        else if (!kept.failed && kind == ANSWER_CHECKPOINT && !copy_checkpoint(active, i, &kept))
            status = carom_fail_memory(error);
        free(bytes);
    }
    return status;
}

static bool report(void *context)
{
    const active_exponents *active = context;
    const carom_progress *progress = &active->request->progress;
    double come = 0.0;
    if (!progress->report)
        return true;
    for (int i = 0; i < motion_count(active->all); i++)
        come += active->come[i];
    return progress->report(progress->context, come,
                            (active->transient + active->time) * motion_count(active->all));
}

/* ---- set-up ------------------------------------------------------------------------------------------------------------- */

static carom_status check(active_exponents *active, carom_error *error)
{
    const carom_exponents_request *request = active->request;
    if (!request->motion.experiment)
        return carom_fail(error, CAROM_BAD_INPUT, "no motion to look at: give an experiment");
    if (request->starts < 0 || request->starts > STARTS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%d starts: from 1 to %d", request->starts, STARTS_MAX);
    active->parameter = -1;
    if (!request->parameter)
        return CAROM_OK;
    if (request->points < 2 || request->points > POINTS_MAX ||
        (request->starts > 0 && request->points > INT_MAX / request->starts))
        return carom_fail(error, CAROM_BAD_INPUT, "%d values of '%s': from 2 to %d, starts included",
                          request->points, request->parameter, POINTS_MAX);
    if (!isfinite(request->from) || !isfinite(request->to) || request->from == request->to)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "values of '%s' from %g to %g: both must be finite, and differ", request->parameter,
                          request->from, request->to);
    active->parameter = carom_model_find_parameter(request->motion.experiment->model, request->parameter);
    return survey_check_values(request->motion.experiment, request->parameter, request->from, request->to,
                               request->points, error);
}

static carom_status set_up(active_exponents *active, carom_error *error)
{
    const carom_exponents_request *request = active->request;
    carom_exponents *all = active->all;
    double unit;
    carom_status status = check(active, error);
    if (status == CAROM_OK)
        status = carom_lyapunov_times(&request->motion, &active->transient, &active->time, &unit, error);
    if (status != CAROM_OK)
        return status;
    all->points = request->parameter ? request->points : 1;
    all->starts = request->starts > 0 ? request->starts : 1;
    all->arena = carom_arena_create();
    const size_t count = (size_t)motion_count(all);
    all->point = all->arena ? carom_arena_take(all->arena, count, sizeof *all->point) : NULL;
    active->kept = all->point ? carom_arena_take(all->arena, count, sizeof *active->kept) : NULL;
    active->come = active->kept ? carom_arena_take(all->arena, count, sizeof *active->come) : NULL;
    if (!active->come)
        return carom_fail_memory(error);
    for (int i = 0; i < motion_count(all); i++)
        all->point[i].value = request->parameter
                                  ? survey_value(request->from, request->to, request->points, i / all->starts)
                                  : NAN;
    return carom_work_threads(request->threads, motion_count(all), request->workers, &all->threads, error);
}

static carom_status run_motions(active_exponents *active, carom_error *error)
{
    carom_exponents *all = active->all;
    const carom_work work = {.context = active,
                             .count = motion_count(all),
                             .threads = all->threads,
                             .compute = compute_motion,
                             .wants = wants_motion,
                             .brief = brief_motion,
                             .take = take_answer,
                             .goes_on = report};
    const carom_status status = carom_work_run(&work, active->request->workers, error);
    int finished = 0;
    for (int i = 0; i < motion_count(all); i++)
        finished += all->point[i].done;
    return status == CAROM_INTERRUPTED
               ? carom_fail(error, status, "interrupted after %d of %d motions", finished, motion_count(all))
               : status;
}

carom_status carom_exponents_run(const carom_exponents_request *request, carom_exponents *all,
                                 carom_error *error)
{
    active_exponents active = {.request = request, .all = all};
    const double begun = carom_seconds();
    *all = (carom_exponents){0};
    carom_status status = set_up(&active, error);
    if (status == CAROM_OK)
        status = recall(&active, error);
    if (status == CAROM_OK)
        status = run_motions(&active, error);
    all->wall_seconds = carom_seconds() - begun;
    return status;
}

void carom_exponents_free(carom_exponents *all)
{
    for (int i = 0; all->point && i < motion_count(all); i++)
        carom_lyapunov_free(&all->point[i].found);
    carom_arena_free(all->arena);
    *all = (carom_exponents){0};
}
