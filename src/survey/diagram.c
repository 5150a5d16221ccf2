/* Bifurcation diagrams:
 *
 *   course (start, direction):  value 1 -> value 2 -> ...      each: skip returns, keep returns
 *
 * Courses are independent of each other, each a piece of work; the values of one course follow each other, unless each begins at the
 * start and is a piece of its own. */
#include "carom/survey/diagram.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "returns_room.h"
#include "values.h"

enum {
    DEFAULT_SKIP = 200,
    DEFAULT_ITERATES = 100,
    LONGEST = 64
};

/* A state that is inside an obstacle at the next value of the parameter by less than this is put on it, relative to the model's
 * length and positions. */
static const double pushed_out = 0.05;

typedef struct active_diagram {
    const carom_diagram_request *request;
    carom_diagram *diagram;
    int skip, iterates, parameter;
    double *value; /* points, as a course up goes */
    int finished;  /* values */
} active_diagram;

/* What a thread has: the value under way and the one before it. */
typedef struct diagram_room {
    returns_room base;
    carom_arena *arena;
    carom_diagram_point point[2];
    int now; /* which of the two is under way */
} diagram_room;

/* ---- one value ---------------------------------------------------------------------------------------- */

carom_status carom_diagram_value(carom_returns *returns, int positions, int dof, int skip, int iterates,
                                 int longest, double tolerance, carom_diagram_point *point,
                                 carom_error *error)
{
    const int width = positions + dof;
    carom_error why = {0};
    point->end = CAROM_RETURNED;
    point->count = point->period = point->period_impacts = 0;
    point->forcing = returns->period;
    point->message[0] = '\0';
    for (long i = 0; i < (long)skip + iterates && point->end == CAROM_RETURNED; i++) {
        const carom_status status = carom_returns_next(returns, &point->end, &why);
        if (status != CAROM_OK) {
            *error = why;
            return status;
        }
        if (point->end != CAROM_RETURNED || i < skip)
            continue;
        double *state = point->state + (ptrdiff_t)point->count * width;
        memcpy(state, returns->q, (size_t)positions * sizeof *state);
        memcpy(state + positions, returns->v, (size_t)dof * sizeof *state);
        point->t[point->count] = returns->t;
        point->impacts[point->count++] = (int)returns->impacts;
    }
    if (point->end == CAROM_RETURN_FAILED)
        carom_plain_copy(why.text, point->message, sizeof point->message);
    else if (point->end == CAROM_RETURNED)
        point->period =
            carom_returns_period(returns, positions, dof, point->count, point->state, longest, tolerance);
    const int first = point->period > 0 ? point->count - point->period : 0;
    for (int i = first; i < point->count; i++)
        point->period_impacts += point->impacts[i];
    return CAROM_OK;
}

void carom_diagram_point_pack(carom_snapshot *snapshot, int state, carom_diagram_point *point)
{
    carom_snapshot_block(snapshot, &point->end, sizeof point->end);
    carom_snapshot_block(snapshot, &point->restarted, sizeof point->restarted);
    carom_snapshot_block(snapshot, &point->count, sizeof point->count);
    carom_snapshot_block(snapshot, &point->period, sizeof point->period);
    carom_snapshot_block(snapshot, &point->period_impacts, sizeof point->period_impacts);
    carom_snapshot_block(snapshot, &point->forcing, sizeof point->forcing);
    carom_snapshot_block(snapshot, point->message, sizeof point->message);
    point->message[sizeof point->message - 1] = '\0';
    if ((int)point->end < 0 || point->end > CAROM_RETURN_FAILED || point->period < 0 || point->count < 0 ||
        point->count > point->room)
        snapshot->failed = true;
    if (snapshot->failed)
        return;
    const size_t count = (size_t)point->count;
    carom_snapshot_block(snapshot, point->t, count * sizeof *point->t);
    carom_snapshot_block(snapshot, point->impacts, count * sizeof *point->impacts);
    carom_snapshot_block(snapshot, point->state, count * (size_t)state * sizeof *point->state);
}

/* ---- a course ----------------------------------------------------------------------------------------- */

static carom_status start_course(const active_diagram *active, int course, carom_returns *returns,
                                 bool *inside, carom_error *error)
{
    const carom_diagram_request *request = active->request;
    const int start = course / active->diagram->directions;
    const carom_diagram_start *from = request->start_count > 0 ? &request->start[start] : NULL;
    return carom_returns_start(returns, NAN, from ? from->q : NULL, from ? from->v : NULL, 0.0, inside,
                               error);
}

/* The state where the value before ended, at the same phase of the forcing. */
static carom_status follow(const active_diagram *active, const carom_diagram_point *before,
                           carom_returns *returns, bool *inside, carom_error *error)
{
    const carom_diagram *diagram = active->diagram;
    const double *state =
        before->state + (ptrdiff_t)(before->count - 1) * (diagram->positions + diagram->dof);
    double t = NAN; /* a stroboscope begins where it always does */
    if (active->request->returns.at_impact && before->forcing > 0.0 && returns->period > 0.0)
        t = fmod(before->t[before->count - 1], before->forcing) * (returns->period / before->forcing);
    else if (active->request->returns.at_impact)
        t = 0.0;
    const double pushed = pushed_out * fmax(returns->length, carom_largest(diagram->positions, state));
    return carom_returns_start(returns, t, state, state + diagram->positions, pushed, inside, error);
}

/* `before` NULL: this is the first value. */
static carom_status begin_value(const active_diagram *active, int course, const carom_diagram_point *before,
                                carom_returns *returns, carom_diagram_point *point, bool *inside,
                                carom_error *error)
{
    carom_status status = carom_returns_bind(returns, NULL, error);
    if (status != CAROM_OK)
        return status;
    *inside = true;
    if (before && !active->request->restart && before->end == CAROM_RETURNED && before->count > 0)
        status = follow(active, before, returns, inside, error);
    if (status != CAROM_OK || !*inside)
        return status;
    point->restarted = before && !active->request->restart;
    /* The start of the experiment may depend on the parameter: it is what binding has found. */
    status = carom_returns_bind(returns, NULL, error);
    return status == CAROM_OK ? start_course(active, course, returns, inside, error) : status;
}

/* A value that cannot begin is one that failed, and says why. */
static carom_status run_value(const active_diagram *active, int course, const carom_diagram_point *before,
                              carom_returns *returns, carom_diagram_point *point, carom_error *error)
{
    const carom_diagram *diagram = active->diagram;
    bool inside = false;
    returns->parameter[active->parameter] = point->value;
    point->restarted = false;
    carom_status status = begin_value(active, course, before, returns, point, &inside, error);
    if (status == CAROM_OK && !inside)
        return carom_diagram_value(returns, diagram->positions, diagram->dof, active->skip, active->iterates,
                                   diagram->longest, diagram->tolerance, point, error);
    if (status != CAROM_OK && status != CAROM_BAD_INPUT && status != CAROM_FAILED)
        return status;
    point->end = CAROM_RETURN_FAILED;
    point->count = point->period = point->period_impacts = 0;
    carom_plain_copy(status == CAROM_OK ? "the start is inside an obstacle" : error->text, point->message,
                     sizeof point->message);
    return CAROM_OK;
}

/* ---- courses as pieces of work ------------------------------------------------------------------------- */

static bool take_arrays(const active_diagram *active, carom_arena *arena, carom_diagram_point *point)
{
    const size_t kept = (size_t)active->iterates,
                 width = (size_t)(active->diagram->positions + active->diagram->dof);
    point->room = active->iterates;
    point->t = carom_arena_take(arena, kept, sizeof(double));
    point->state = carom_arena_take(arena, carom_product(kept, width), sizeof(double));
    point->impacts = carom_arena_take(arena, kept, sizeof *point->impacts);
    return point->t && point->state && point->impacts;
}

static carom_status enter(void *context, void **room, carom_error *error)
{
    const active_diagram *active = context;
    diagram_room *self = carom_new_array(1, sizeof *self);
    *room = self;
    if (!self)
        return carom_fail_memory(error);
    self->arena = carom_arena_create();
    if (!self->arena || !take_arrays(active, self->arena, &self->point[0]) ||
        !take_arrays(active, self->arena, &self->point[1]))
        return carom_fail_memory(error);
    return returns_room_open(&self->base, &active->request->returns, error);
}

static void leave(void *context, void *room)
{
    (void)context;
    diagram_room *self = room;
    if (!self)
        return;
    returns_room_close(&self->base);
    carom_arena_free(self->arena);
    free(self);
}

/* A piece: `count` values of a course from `first` on. */
typedef struct diagram_piece {
    int course, first, count;
} diagram_piece;

static diagram_piece piece_at(const active_diagram *active, int piece)
{
    const carom_diagram *diagram = active->diagram;
    if (active->request->restart)
        return (diagram_piece){piece / diagram->points, piece % diagram->points, 1};
    diagram_piece course = {piece, 0, diagram->points};
    while (course.count > 0 && carom_diagram_at(diagram, piece, course.first)->done) {
        course.first++;
        course.count--;
    }
    return course;
}

static bool wants_piece(void *context, int piece)
{
    const active_diagram *active = context;
    const diagram_piece wanted = piece_at(active, piece);
    return wanted.count > 0 && !carom_diagram_at(active->diagram, wanted.course, wanted.first)->done;
}

/* Where it goes on, and the value before that. */
static void brief_piece(void *context, int piece, carom_snapshot *snapshot)
{
    const active_diagram *active = context;
    const carom_diagram *diagram = active->diagram;
    diagram_piece given = piece_at(active, piece);
    carom_snapshot_block(snapshot, &given, sizeof given);
    if (given.first > 0 && !active->request->restart) {
        carom_diagram_point before = *carom_diagram_at(diagram, given.course, given.first - 1);
        carom_diagram_point_pack(snapshot, diagram->positions + diagram->dof, &before);
    }
}

static carom_status compute_value(const active_diagram *active, diagram_room *room, int course, int place,
                                  carom_error *error)
{
    const carom_diagram *diagram = active->diagram;
    carom_diagram_point *point = &room->point[room->now];
    const carom_diagram_point *before = place > 0 ? &room->point[1 - room->now] : NULL;
    int index = course * diagram->points + place;
    point->value = diagram->point[index].value;
    carom_status status = run_value(active, course, before, room->base.returns, point, error);
    if (status != CAROM_OK)
        return status;
    carom_snapshot answer = {0};
    carom_snapshot_block(&answer, &index, sizeof index);
    carom_diagram_point_pack(&answer, diagram->positions + diagram->dof, point);
    room->now = 1 - room->now;
    return room->base.worker->answer(room->base.worker, &answer, error);
}

static carom_status compute_piece(void *context, void *given, carom_snapshot *brief,
                                  const carom_worker *worker, carom_error *error)
{
    const active_diagram *active = context;
    diagram_room *room = given;
    diagram_piece piece = {0};
    room->base.worker = worker;
    carom_snapshot_block(brief, &piece, sizeof piece);
    if (piece.first > 0 && !active->request->restart)
        carom_diagram_point_pack(brief, active->diagram->positions + active->diagram->dof,
                                 &room->point[1 - room->now]);
    if (brief->failed)
        return carom_fail(error, CAROM_FAILED, "the beginning of a course does not read");
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < piece.count; i++)
        status = worker->goes_on(worker) ? compute_value(active, room, piece.course, piece.first + i, error)
                                         : carom_fail(error, CAROM_INTERRUPTED, "interrupted");
    return status;
}

static carom_status take_value(void *context, int piece, carom_snapshot *answer, carom_error *error)
{
    (void)piece;
    active_diagram *active = context;
    const carom_diagram_request *request = active->request;
    const int width = active->diagram->positions + active->diagram->dof;
    int index = 0;
    carom_snapshot_block(answer, &index, sizeof index);
    carom_diagram_point *point = &active->diagram->point[index];
    carom_diagram_point_pack(answer, width, point);
    if (answer->failed)
        return carom_fail_memory(error);
    point->done = true;
    active->finished++;
    return request->keep ? request->keep(request->keep_context, index, width, point, error) : CAROM_OK;
}

static int value_count(const carom_diagram *diagram)
{
    return diagram->courses * diagram->points;
}

static bool report(void *context)
{
    const active_diagram *active = context;
    const carom_progress *progress = &active->request->progress;
    return !progress->report ||
           progress->report(progress->context, active->finished, value_count(active->diagram));
}

static carom_status run_courses(active_diagram *active, carom_error *error)
{
    const carom_diagram *diagram = active->diagram;
    const carom_work work = {.context = active,
                             .count = active->request->restart ? value_count(diagram) : diagram->courses,
                             .threads = diagram->threads,
                             .enter = enter,
                             .leave = leave,
                             .compute = compute_piece,
                             .wants = wants_piece,
                             .brief = brief_piece,
                             .take = take_value,
                             .goes_on = report};
    return returns_interrupted(carom_work_run(&work, active->request->workers, error), active->finished,
                               value_count(diagram), "values", error);
}

/* ---- set-up ------------------------------------------------------------------------------------------- */

static carom_status check(active_diagram *active, carom_error *error)
{
    const carom_diagram_request *request = active->request;
    const carom_experiment *experiment = request->returns.experiment;
    if (!experiment)
        return carom_fail(error, CAROM_BAD_INPUT, "no motion to look at: give an experiment");
    if (!request->parameter)
        return carom_fail(error, CAROM_BAD_INPUT, "which parameter varies? Give its name");
    active->parameter = carom_model_find_parameter(experiment->model, request->parameter);
    if (request->points < 1 || request->points > 10000000)
        return carom_fail(error, CAROM_BAD_INPUT, "%d points: from 1 to 10000000 values of the parameter",
                          request->points);
    if (!isfinite(request->from) || !isfinite(request->to) ||
        (request->points > 1 && request->from == request->to))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "values of '%s' from %g to %g: both must be finite, and differ", request->parameter,
                          request->from, request->to);
    if (request->skip < CAROM_DIAGRAM_NO_SKIP || request->iterates < 0 || request->longest < 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "skip = %d, iterates = %d, longest = %d: none may be negative", request->skip,
                          request->iterates, request->longest);
    if (!(request->tolerance >= 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "tolerance = %g: must be above 0", request->tolerance);
    return CAROM_OK;
}

/* Values take memory one after the other: more than the machine has is found before the first one. */
static carom_status check_memory(const active_diagram *active, carom_error *error)
{
    const carom_diagram *diagram = active->diagram;
    const double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const double width = diagram->positions + diagram->dof,
                 values = (double)diagram->courses * diagram->points;
    const double look = (width + 1.0) * sizeof(double) + sizeof *diagram->point->impacts;
    const double needed = values * (sizeof *diagram->point + active->iterates * look);
    if (!(machine > 0.0) || needed <= machine)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "%.10g values with %d looks each take %.3g GB of memory, and this machine has %.3g: take "
        "fewer points or iterates",
        values, active->iterates, 1e-9 * needed, 1e-9 * machine);
}

static bool take_points(active_diagram *active)
{
    const carom_diagram_request *request = active->request;
    carom_diagram *diagram = active->diagram;
    const size_t all = carom_product((size_t)diagram->courses, (size_t)diagram->points);
    diagram->point = carom_arena_take(diagram->arena, all, sizeof *diagram->point);
    for (size_t i = 0; diagram->point && i < all; i++) {
        carom_diagram_point *point = &diagram->point[i];
        const int course = (int)(i / (size_t)diagram->points), place = (int)(i % (size_t)diagram->points);
        const bool down = carom_diagram_is_down(diagram, course);
        point->value = survey_value(request->from, request->to, diagram->points,
                                    down ? diagram->points - 1 - place : place);
        if (!take_arrays(active, diagram->arena, point))
            return false;
    }
    return diagram->point;
}

static carom_status set_up(active_diagram *active, carom_error *error)
{
    const carom_diagram_request *request = active->request;
    carom_diagram *diagram = active->diagram;
    carom_status status = check(active, error);
    if (status == CAROM_OK)
        status = survey_check_values(request->returns.experiment, request->parameter, request->from,
                                     request->to, request->points, error);
    if (status != CAROM_OK)
        return status;
    const carom_model *model = request->returns.experiment->model;
    active->skip = request->skip == 0 ? DEFAULT_SKIP : request->skip < 0 ? 0 : request->skip;
    active->iterates = request->iterates > 0 ? request->iterates : DEFAULT_ITERATES;
    const int half = active->iterates / 2;
    diagram->longest = request->longest > 0 ? request->longest : half < LONGEST ? half : LONGEST;
    diagram->tolerance = request->tolerance > 0.0 ? request->tolerance : 1e-6;
    diagram->model = model;
    diagram->positions = carom_model_positions(model);
    diagram->dof = model->dof;
    diagram->points = request->points;
    diagram->starts = request->start_count > 0 ? request->start_count : 1;
    diagram->directions = request->up && request->down ? 2 : 1;
    diagram->first_is_down = request->down && !request->up;
    if (diagram->starts > INT_MAX / 2 / diagram->points)
        return carom_fail(error, CAROM_BAD_INPUT, "%d starts of %d values are too many", diagram->starts,
                          diagram->points);
    diagram->courses = diagram->starts * diagram->directions;
    status = check_memory(active, error);
    if (status != CAROM_OK)
        return status;
    diagram->arena = carom_arena_create();
    if (!diagram->arena || !take_points(active))
        return carom_fail_memory(error);
    const int units = request->restart ? diagram->courses * diagram->points : diagram->courses;
    return carom_work_threads(request->threads, units, request->workers, &diagram->threads, error);
}

/* Everything that is wrong with the starts is found by motions that are begun, at the first value. */
static carom_status try_starts(const active_diagram *active, carom_error *error)
{
    const carom_diagram_request *request = active->request;
    carom_returns *returns = NULL;
    carom_experiment scratch = *request->returns.experiment;
    const size_t count = (size_t)scratch.model->parameters;
    scratch.parameter = carom_new_array(count, sizeof *scratch.parameter);
    if (!scratch.parameter)
        return carom_fail_memory(error);
    memcpy(scratch.parameter, request->returns.experiment->parameter, count * sizeof *scratch.parameter);
    scratch.parameter[active->parameter] = request->from;
    carom_returns_request trial = request->returns;
    trial.experiment = &scratch;
    carom_status status = carom_returns_create(&trial, (carom_stop){0}, &returns, error);
    for (int i = 0; status == CAROM_OK && i < request->start_count; i++) {
        bool inside = false;
        status =
            carom_returns_start(returns, NAN, request->start[i].q, request->start[i].v, 0.0, &inside, error);
        if (status == CAROM_OK && inside)
            status = carom_fail(error, CAROM_BAD_INPUT, "start %d is inside an obstacle at %s = %.10g", i + 1,
                                request->parameter, request->from);
    }
    active->diagram->scheme = returns ? returns->scheme : NULL;
    carom_returns_free(returns);
    free(scratch.parameter);
    return status;
}

static int recall(active_diagram *active)
{
    const carom_diagram_request *request = active->request;
    carom_diagram *diagram = active->diagram;
    int recalled = 0;
    for (int course = 0; request->recall && course < diagram->courses; course++) {
        bool unbroken = true; /* values of a course need those before them */
        for (int place = 0; place < diagram->points; place++) {
            const int index = course * diagram->points + place;
            carom_diagram_point *point = &diagram->point[index];
            point->done =
                (unbroken || request->restart) &&
                request->recall(request->keep_context, index, diagram->positions + diagram->dof, point);
            unbroken = unbroken && point->done;
            recalled += point->done;
        }
    }
    return recalled;
}

carom_status carom_diagram_run(const carom_diagram_request *request, carom_diagram *diagram,
                               carom_error *error)
{
    carom_error unseen;
    if (!error)
        error = &unseen;
    *diagram = (carom_diagram){0};
    active_diagram active = {.request = request, .diagram = diagram};
    carom_status status = set_up(&active, error);
    if (status == CAROM_OK)
        status = try_starts(&active, error);
    if (status == CAROM_OK) {
        const double started = carom_seconds();
        active.finished = recall(&active);
        status = run_courses(&active, error);
        diagram->wall_seconds = carom_seconds() - started;
    }
    if (status != CAROM_OK && status != CAROM_INTERRUPTED)
        carom_diagram_free(diagram);
    return status;
}

void carom_diagram_free(carom_diagram *diagram)
{
    carom_arena_free(diagram->arena);
    *diagram = (carom_diagram){0};
}
