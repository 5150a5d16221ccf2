/* Runs an experiment at every point of a grid, several points at a time:
 *
 *   checks -> blocks of points, each a piece of work: bytes -> [one at a time] results to the arena, the journal, progress
 *
 * A point is a run of its own, with its own parameters and memory, so it is the same whichever thread or process
 * computes it, whatever the others do and whoever is stepped beside it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/scheme/lanes.h"
#include "sweep_axes.h"

typedef struct active_sweep {
    const carom_sweep_request *request;
    carom_sweep *sweep;
    sweep_axes axes;
    int finished; /* points */
    int block;    /* of them, which are a piece of work */
    int measures; /* of the model; behind them errors, where an accuracy is asked for */
    int wish_count;
    carom_accuracy_wish *wish; /* of the measures that are wanted */
} active_sweep;

/* What a thread has. */
typedef struct sweep_room {
    carom_lanes *lanes; /* in which points go side by side; NULL: there are none yet */
} sweep_room;

/* One point under way. */
typedef struct active_point {
    int index;
    carom_experiment scratch; /* the request's, with a vector of parameters of its own */
    carom_experiment *loaded; /* where an axis is a setting */
    carom_option *option;     /* those that the scheme knows */
    carom_run_request run;
    carom_run_result result;
    carom_accuracy accuracy; /* where it is asked for */
    double met;
    carom_measured *measure; /* those that are wanted, of the result */
} active_point;

/* ---- set-up ---------------------------------------------------------------------------------------- */

static carom_status fail_unknown_measure(const carom_experiment *experiment, const char *name,
                                         carom_error *error)
{
    const size_t count = (size_t)experiment->measure_count;
    if (count == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "unknown measure '%s': this model has no measures", name);
    const char **known = carom_new_array(count, sizeof *known);
    if (!known)
        return carom_fail_memory(error);
    carom_text list = {0};
    for (size_t i = 0; i < count; i++) {
        known[i] = experiment->measure[i].name;
        carom_text_append(&list, "%s%s", i ? ", " : "", known[i]);
    }
    const char *nearest = carom_nearest_name(name, known, count);
    carom_status status = list.failed
                              ? carom_fail_memory(error)
                              : carom_fail(error, CAROM_BAD_INPUT, "unknown measure '%s'%s%s%s known: %s",
                                           name, nearest ? ": did you mean '" : ";", nearest ? nearest : "",
                                           nearest ? "'?" : "", list.bytes);
    carom_text_free(&list);
    free(known);
    return status;
}

static int find_measure(const carom_experiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->measure_count; i++)
        if (strcmp(experiment->measure[i].name, name) == 0)
            return i;
    return -1;
}

/* An accuracy of all measures is one of those that are wanted. */
static carom_status take_wishes(active_sweep *active, carom_error *error)
{
    const carom_accuracy_request *asked = active->request->accuracy;
    const double all = carom_given(asked->relative, NAN);
    active->wish = carom_arena_take(active->sweep->arena, (size_t)(active->measures + asked->wish_count),
                                    sizeof *active->wish);
    if (!active->wish)
        return carom_fail_memory(error);
    for (int i = 0; !isnan(all) && i < active->measures; i++)
        active->wish[active->wish_count++] = (carom_accuracy_wish){active->sweep->measure[i], all};
    for (int i = 0; i < asked->wish_count; i++)
        active->wish[active->wish_count++] = asked->wish[i];
    return CAROM_OK;
}

/* NAME_error of each measure, and accuracy_met. */
static carom_status name_errors(active_sweep *active, carom_error *error)
{
    const carom_experiment *experiment = active->request->experiment;
    carom_sweep *sweep = active->sweep;
    if (active->measures == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "accuracy: the model has no measures, so a sweep has nothing to know");
    for (int i = 0; i <= active->measures; i++) {
        carom_text name = {0};
        carom_text_append(&name, "%s%s", i < active->measures ? sweep->measure[i] : "accuracy_met",
                          i < active->measures ? "_error" : "");
        const bool is_taken = name.bytes && find_measure(experiment, name.bytes) >= 0;
        char *copy = name.failed ? NULL : carom_arena_copy_text(sweep->arena, name.bytes);
        carom_text_free(&name);
        if (!copy)
            return carom_fail_memory(error);
        if (is_taken)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "accuracy: a sweep needs the column '%s', which is a measure of the model",
                              copy);
        sweep->measure[sweep->measure_count++] = copy;
    }
    return take_wishes(active, error);
}

static carom_status take_measures(active_sweep *active, carom_error *error)
{
    const carom_sweep_request *request = active->request;
    const carom_experiment *experiment = request->experiment;
    carom_sweep *sweep = active->sweep;
    const bool all = request->measure_count == 0;
    sweep->measure_count = all ? experiment->measure_count : request->measure_count;
    active->measures = sweep->measure_count;
    sweep->measure =
        carom_arena_take(sweep->arena, 2 * (size_t)sweep->measure_count + 1, sizeof *sweep->measure);
    if (!sweep->measure)
        return carom_fail_memory(error);
    for (int i = 0; i < sweep->measure_count; i++) {
        const char *name = all ? experiment->measure[i].name : request->measure[i];
        if (find_measure(experiment, name) < 0)
            return fail_unknown_measure(experiment, name, error);
        for (int k = 0; k < i; k++)
            if (strcmp(sweep->measure[k], name) == 0)
                return carom_fail(error, CAROM_BAD_INPUT, "measure '%s' is asked for twice", name);
        sweep->measure[i] = carom_arena_copy_text(sweep->arena, name);
        if (!sweep->measure[i])
            return carom_fail_memory(error);
    }
    return request->accuracy ? name_errors(active, error) : CAROM_OK;
}

static bool copy_axis(carom_arena *arena, const carom_sweep_axis *axis, carom_sweep_axis *copy)
{
    const char **value = carom_arena_take(arena, (size_t)axis->count, sizeof *value);
    *copy = (carom_sweep_axis){carom_arena_copy_text(arena, axis->name), axis->count, value};
    bool copied = copy->name && value;
    for (int i = 0; copied && i < axis->count; i++) {
        value[i] = carom_arena_copy_text(arena, axis->value[i]);
        copied = value[i] != NULL;
    }
    return copied;
}

/* The grid, with no point reached yet. */
static bool take_grid(active_sweep *active)
{
    carom_sweep *sweep = active->sweep;
    sweep->axis_count = active->request->axis_count;
    for (int i = 0; i < sweep->axis_count; i++)
        if (!copy_axis(sweep->arena, &active->request->axis[i], &sweep->axis[i]))
            return false;
    sweep->point_count = active->axes.points;
    sweep->point = carom_arena_take(sweep->arena, (size_t)sweep->point_count, sizeof *sweep->point);
    carom_measured *measured = carom_arena_take(
        sweep->arena, (size_t)sweep->point_count * (size_t)sweep->measure_count, sizeof *measured);
    if (!sweep->point || !measured)
        return false;
    for (int i = 0; i < sweep->point_count; i++) {
        carom_sweep_point *point = &sweep->point[i];
        point->status = CAROM_INTERRUPTED;
        snprintf(point->word, sizeof point->word, "%s", carom_status_word(CAROM_INTERRUPTED));
        point->measure = measured + (size_t)i * (size_t)sweep->measure_count;
    }
    return true;
}

static int block_number(const active_sweep *active, int point)
{
    return point / active->block;
}

static int block_end(const active_sweep *active, int block)
{
    const int end = (block + 1) * active->block;
    return end < active->axes.points ? end : active->axes.points;
}

/* Many points of a scheme that steps several motions side by side are computed so; a few are better shared among threads and
 * processes. Whoever takes part has to come to the same number. */
static int choose_block(const active_sweep *active)
{
    enum {
        ENOUGH = 4 * CAROM_LANES, /* points for the threads of a machine */
        ENOUGH_FOR_WORKERS = 1024
    };
    const carom_sweep_request *request = active->request;
    const char *name = request->scheme ? request->scheme : request->experiment->scheme;
    const carom_scheme_ops *scheme = name ? carom_scheme_find(name, NULL) : NULL;
    const bool alike = !request->alone && !request->accuracy && !active->axes.reload &&
                       active->axes.scheme < 0 && !request->experiment->study;
    return alike && scheme && scheme->lanes &&
                   active->axes.points >= (request->workers ? ENOUGH_FOR_WORKERS : ENOUGH)
               ? CAROM_LANES
               : 1;
}

static carom_status set_up(active_sweep *active, carom_error *error)
{
    active->sweep->arena = carom_arena_create();
    if (!active->sweep->arena)
        return carom_fail_memory(error);
    carom_status status = sweep_axes_check(active->request, &active->axes, error);
    if (status == CAROM_OK)
        status = take_measures(active, error);
    if (status == CAROM_OK)
        active->block = choose_block(active);
    if (status == CAROM_OK)
        status =
            carom_work_threads(active->request->threads, block_number(active, active->axes.points - 1) + 1,
                               active->request->workers, &active->sweep->threads, error);
    if (status == CAROM_OK && !take_grid(active))
        status = carom_fail_memory(error);
    return status;
}

/* ---- one point --------------------------------------------------------------------------------------- */

/* Asked by a run now and then, so that long points can be interrupted too. */
static bool run_goes_on(void *context, double done, double total)
{
    (void)done, (void)total;
    const carom_worker *worker = context;
    return worker->goes_on(worker);
}

static const char *value_at(const active_sweep *active, int axis, int point)
{
    const carom_sweep *sweep = active->sweep;
    return sweep->axis[axis].value[sweep_axis_place(sweep->axis_count, sweep->axis, axis, point)];
}

/* The experiment with the point's values of parameters and settings. */
static carom_status load_point(const active_sweep *active, active_point *point, carom_error *error)
{
    const carom_sweep_request *request = active->request;
    carom_override value[CAROM_SWEEP_AXES_MAX];
    int count = 0;
    for (int i = 0; i < active->sweep->axis_count; i++)
        if (i != active->axes.scheme)
            value[count++] = (carom_override){(char *)active->sweep->axis[i].name,
                                              (char *)value_at(active, i, point->index)};
    carom_status status = request->load(request->load_context, count, value, &point->loaded, error);
    point->run.experiment = point->loaded;
    return status;
}

static carom_status set_parameters(const active_sweep *active, active_point *point, carom_error *error)
{
    const carom_experiment *experiment = active->request->experiment;
    const size_t count = (size_t)experiment->model->parameters;
    point->scratch = *experiment;
    point->scratch.parameter = carom_new_array(count, sizeof(double));
    if (!point->scratch.parameter)
        return carom_fail_memory(error);
    if (count > 0)
        memcpy(point->scratch.parameter, experiment->parameter, count * sizeof(double));
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < active->sweep->axis_count; i++)
        if (i != active->axes.scheme)
            status = carom_experiment_set(&point->scratch, active->sweep->axis[i].name,
                                          value_at(active, i, point->index), error);
    point->run.experiment = &point->scratch;
    return status;
}

/* Schemes that are compared have different options: each takes those that it knows. */
static carom_status choose_scheme(const active_sweep *active, active_point *point, carom_error *error)
{
    const carom_sweep_request *request = active->request;
    carom_run_request *run = &point->run;
    if (active->axes.scheme < 0) {
        run->scheme = request->scheme;
        run->option = request->option;
        return CAROM_OK;
    }
    run->scheme = value_at(active, active->axes.scheme, point->index);
    const carom_scheme_ops *scheme = carom_scheme_find(run->scheme, error);
    size_t given = 0, taken = 0;
    while (request->option && request->option[given].name)
        given++;
    point->option = carom_new_array(given + 1, sizeof *point->option);
    if (!scheme || !point->option)
        return scheme ? carom_fail_memory(error) : CAROM_BAD_INPUT;
    for (size_t i = 0; i < given; i++)
        if (carom_scheme_takes_option(scheme, request->option[i].name))
            point->option[taken++] = request->option[i];
    run->option = point->option;
    return CAROM_OK;
}

/* A request with the point's values; a status other than CAROM_OK is the point's result. */
static carom_status prepare_point(const active_sweep *active, const carom_worker *worker, active_point *point)
{
    const carom_sweep_request *request = active->request;
    carom_run_result *result = &point->result;
    carom_error error = {0};
    point->run = (carom_run_request){.h = request->h,
                                     .until = request->until,
                                     .progress = {.report = run_goes_on, .context = (void *)worker}};
    carom_status status =
        active->axes.reload ? load_point(active, point, &error) : set_parameters(active, point, &error);
    if (status == CAROM_OK)
        status = choose_scheme(active, point, &error);
    if (status == CAROM_OK)
        return CAROM_OK;
    result->status = status;
    snprintf(result->word, sizeof result->word, "%s", carom_status_word(status));
    snprintf(result->message, sizeof result->message, "%s", error.text);
    return status;
}

static void find_measures(const active_sweep *active, active_point *point)
{
    const carom_accuracy *accuracy = &point->accuracy;
    for (int i = 0; point->result.measure && i < active->measures; i++) {
        const int index = find_measure(point->run.experiment, active->sweep->measure[i]);
        if (index >= 0) /* a setting may take a measure away */
            point->measure[i] = point->result.measure[index];
        if (index >= 0 && index < accuracy->measure_count)
            point->measure[active->measures + i] =
                (carom_measured){.count = accuracy->measure[index].count,
                                 .is_array = accuracy->measure[index].is_array,
                                 .value = accuracy->measure[index].error};
    }
    point->met = accuracy->met;
    if (active->request->accuracy)
        point->measure[2 * active->measures] = (carom_measured){.count = 1, .value = &point->met};
}

/* Adds the point to the answer of its block. */
static carom_status describe_point(const active_sweep *active, active_point *point, carom_snapshot *answer,
                                   carom_error *error)
{
    const carom_sweep *sweep = active->sweep;
    carom_run_result *result = &point->result;
    point->measure = carom_new_array((size_t)sweep->measure_count, sizeof *point->measure);
    if (!point->measure)
        return carom_fail_memory(error);
    find_measures(active, point);
    carom_sweep_point described = {.status = result->status,
                                   .message = result->message[0] ? result->message : NULL,
                                   .steps = result->steps,
                                   .wall_seconds = active->request->no_times ? 0.0 : result->wall_seconds,
                                   .trusted = result->certificate.trusted ||
                                              (point->run.experiment && point->run.experiment->study),
                                   .measure = point->measure};
    memcpy(described.word, result->word, sizeof described.word);
    carom_sweep_point_pack(answer, NULL, sweep->measure_count, &described);
    return CAROM_OK;
}

static void free_point(active_point *point)
{
    carom_run_result_free(&point->result);
    carom_accuracy_free(&point->accuracy);
    carom_experiment_free(point->loaded);
    free(point->scratch.parameter);
    free(point->option);
    free(point->measure);
}

/* The best run is the point's result. */
static void run_accurately(const active_sweep *active, active_point *point)
{
    carom_accuracy *accuracy = &point->accuracy;
    carom_run_result *result = &point->result;
    carom_error error = {0};
    carom_accuracy_request request = *active->request->accuracy;
    request.run = point->run;
    request.relative = NAN;
    request.wish_count = active->wish_count;
    request.wish = active->wish;
    const carom_status status = carom_accuracy_run(&request, accuracy, &error);
    *result = accuracy->best;
    accuracy->best = (carom_run_result){0};
    result->wall_seconds = 0.0;
    for (int i = 0; i < accuracy->tried_count; i++)
        result->wall_seconds += accuracy->tried[i].wall_seconds;
    if (status == CAROM_OK)
        return;
    result->status = status;
    carom_format(result->word, sizeof result->word, "%s", carom_status_word(status));
    carom_format(result->message, sizeof result->message, "%s", error.text);
}

/* Those that can be run, side by side. */
static carom_status run_points_of(const active_sweep *active, const carom_worker *worker, int count,
                                  active_point *point, carom_lanes **lanes, carom_error *error)
{
    carom_run_request request[CAROM_LANES] = {0};
    carom_run_result result[CAROM_LANES];
    carom_status ended[CAROM_LANES];
    carom_error why[CAROM_LANES];
    int of[CAROM_LANES], ready = 0;
    for (int i = 0; i < count; i++)
        if (prepare_point(active, worker, &point[i]) == CAROM_OK) {
            request[ready] = point[i].run;
            of[ready++] = i;
        }
    if (active->request->accuracy) {
        for (int i = 0; i < ready; i++)
            run_accurately(active, &point[of[i]]);
        return CAROM_OK;
    }
    if (ready == 1) {
        carom_run(&request[0], &point[of[0]].result, &why[0]);
        return CAROM_OK;
    }
    const carom_status status = carom_run_beside(ready, request, result, lanes, ended, why);
    if (status != CAROM_OK)
        *error = why[0];
    for (int i = 0; status == CAROM_OK && i < ready; i++)
        point[of[i]].result = result[i];
    return status;
}

/* A point that was interrupted on its way is not reached, nor are those beside it; one that fails is a result. */
static carom_status compute_points(const active_sweep *active, const carom_worker *worker, int first, int end,
                                   carom_lanes **lanes, carom_error *error)
{
    active_point point[CAROM_LANES] = {0};
    const int count = end - first;
    for (int i = 0; i < count; i++)
        point[i].index = first + i;
    carom_snapshot answer = {0};
    carom_status status = run_points_of(active, worker, count, point, lanes, error);
    for (int i = 0; status == CAROM_OK && i < count; i++) {
        if (point[i].result.status == CAROM_NO_MEMORY)
            status = carom_fail_memory(error);
        else if (point[i].result.status == CAROM_INTERRUPTED)
            status = carom_fail(error, CAROM_INTERRUPTED, "interrupted");
        else
            status = describe_point(active, &point[i], &answer, error);
    }
    for (int i = 0; i < count; i++)
        free_point(&point[i]);
    if (status == CAROM_OK)
        return worker->answer(worker, &answer, error);
    carom_snapshot_free(&answer);
    return status;
}

static carom_status compute_block(void *context, void *room, carom_snapshot *brief,
                                  const carom_worker *worker, carom_error *error)
{
    (void)brief;
    const active_sweep *active = context;
    sweep_room *own = room;
    const int block = worker->piece;
    return compute_points(active, worker, block * active->block, block_end(active, block), &own->lanes,
                          error);
}

static carom_status enter(void *context, void **room, carom_error *error)
{
    (void)context;
    *room = carom_new_array(1, sizeof(sweep_room));
    return *room ? CAROM_OK : carom_fail_memory(error);
}

static void leave(void *context, void *room)
{
    (void)context;
    sweep_room *own = room;
    if (own)
        carom_lanes_free(own->lanes);
    free(own);
}

/* ---- all points -------------------------------------------------------------------------------------- */

static carom_status take_point(active_sweep *active, int index, carom_snapshot *answer, carom_error *error)
{
    const carom_sweep_request *request = active->request;
    carom_sweep *sweep = active->sweep;
    carom_sweep_point *point = &sweep->point[index];
    carom_sweep_point_pack(answer, sweep->arena, sweep->measure_count, point);
    if (answer->failed)
        return carom_fail_memory(error);
    if (point->done) /* an earlier sweep had it, and the same */
        return CAROM_OK;
    point->done = true;
    active->finished++;
    return request->keep ? request->keep(request->keep_context, index, sweep->measure_count, point, error)
                         : CAROM_OK;
}

static carom_status take_block(void *context, int block, carom_snapshot *answer, carom_error *error)
{
    active_sweep *active = context;
    carom_status status = CAROM_OK;
    for (int i = block * active->block; status == CAROM_OK && i < block_end(active, block); i++)
        status = take_point(active, i, answer, error);
    return status;
}

static bool wants_block(void *context, int block)
{
    const active_sweep *active = context;
    for (int i = block * active->block; i < block_end(active, block); i++)
        if (!active->sweep->point[i].done)
            return true;
    return false;
}

static bool report(void *context)
{
    const active_sweep *active = context;
    const carom_progress *progress = &active->request->progress;
    return !progress->report ||
           progress->report(progress->context, active->finished, active->sweep->point_count);
}

/* Points of an earlier sweep. */
static void recall_points(active_sweep *active)
{
    const carom_sweep_request *request = active->request;
    carom_sweep *sweep = active->sweep;
    for (int i = 0; request->recall && i < sweep->point_count; i++) {
        carom_sweep_point *point = &sweep->point[i];
        point->done = request->recall(request->keep_context, i, sweep->arena, sweep->measure_count, point);
        active->finished += point->done;
    }
}

static carom_status fail_unstarted(const active_sweep *active, carom_error *error)
{
    const carom_sweep *sweep = active->sweep;
    if (sweep->point_count == 1)
        return carom_fail(error, CAROM_BAD_INPUT, "%s", sweep->point[0].message);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "no point of the sweep could be started; the first, %s = %s: %s", sweep->axis[0].name,
                      sweep->axis[0].value[0], sweep->point[0].message);
}

static carom_status judge(const active_sweep *active, carom_error *error)
{
    const carom_sweep *sweep = active->sweep;
    if (active->finished < sweep->point_count)
        return carom_fail(error, CAROM_INTERRUPTED, "interrupted after %d of %d points", active->finished,
                          sweep->point_count);
    for (int i = 0; i < sweep->point_count; i++)
        if (sweep->point[i].status != CAROM_BAD_INPUT)
            return CAROM_OK;
    return fail_unstarted(active, error);
}

static carom_status run_points(active_sweep *active, carom_error *error)
{
    const double started = carom_seconds();
    const carom_work work = {.context = active,
                             .count = block_number(active, active->sweep->point_count - 1) + 1,
                             .threads = active->sweep->threads,
                             .enter = enter,
                             .leave = leave,
                             .compute = compute_block,
                             .wants = wants_block,
                             .take = take_block,
                             .goes_on = report};
    const carom_workers *workers = active->request->workers;
    const carom_status status = carom_work_run(&work, workers, error);
    active->sweep->wall_seconds = carom_seconds() - started;
    if (active->request->no_times) {
        active->sweep->wall_seconds = 0.0;
        active->sweep->threads = 0;
    }
    if (workers && workers->follows)
        return status;
    return status == CAROM_OK || status == CAROM_INTERRUPTED ? judge(active, error) : status;
}

carom_status carom_sweep_run(const carom_sweep_request *request, carom_sweep *sweep, carom_error *error)
{
    carom_error unseen;
    if (!error)
        error = &unseen;
    *sweep = (carom_sweep){0};
    active_sweep active = {.request = request, .sweep = sweep};
    carom_status status = set_up(&active, error);
    if (status == CAROM_OK) {
        recall_points(&active);
        status = run_points(&active, error);
    }
    if (status != CAROM_OK && status != CAROM_INTERRUPTED)
        carom_sweep_free(sweep);
    return status;
}

void carom_sweep_free(carom_sweep *sweep)
{
    carom_arena_free(sweep->arena);
    *sweep = (carom_sweep){0};
}

/* ---- what it will take --------------------------------------------------------------------------------- */

typedef struct timed_point {
    active_sweep active;
    double seconds;
    size_t bytes;
    carom_sweep_point *point;
} timed_point;

static carom_status compute_timed(void *context, void *room, carom_snapshot *brief,
                                  const carom_worker *worker, carom_error *error)
{
    (void)room, (void)brief;
    timed_point *timed = context;
    const int middle = timed->active.sweep->point_count / 2;
    const double started = carom_seconds();
    const carom_status status = compute_points(&timed->active, worker, middle, middle + 1, NULL, error);
    timed->seconds = carom_seconds() - started;
    return status;
}

static carom_status take_timed(void *context, int piece, carom_snapshot *answer, carom_error *error)
{
    (void)piece;
    timed_point *timed = context;
    carom_sweep *sweep = timed->active.sweep;
    timed->point = &sweep->point[sweep->point_count / 2];
    timed->bytes = answer->length;
    carom_sweep_point_pack(answer, sweep->arena, sweep->measure_count, timed->point);
    return answer->failed ? carom_fail_memory(error) : CAROM_OK;
}

static bool report_timed(void *context)
{
    const timed_point *timed = context;
    const carom_progress *progress = &timed->active.request->progress;
    return !progress->report || progress->report(progress->context, 0.0, 1.0);
}

static void describe_trial(const timed_point *timed, carom_survey_trial *trial)
{
    const carom_sweep *sweep = timed->active.sweep;
    const int index = sweep->point_count / 2;
    *trial = (carom_survey_trial){.runs = sweep->point_count,
                                  .status = timed->point->status,
                                  .seconds = timed->seconds,
                                  .all_seconds = timed->seconds * sweep->point_count,
                                  .result_bytes = carom_product((size_t)sweep->point_count, timed->bytes)};
    memcpy(trial->word, timed->point->word, sizeof trial->word);
    size_t length = 0;
    for (int i = 0; i < sweep->axis_count && length < sizeof trial->what; i++)
        length +=
            (size_t)snprintf(trial->what + length, sizeof trial->what - length, "%s%s = %s",
                             i > 0 ? ", " : "", sweep->axis[i].name, value_at(&timed->active, i, index));
}

carom_status carom_sweep_try(const carom_sweep_request *request, carom_survey_trial *trial,
                             carom_error *error)
{
    carom_error unseen;
    if (!error)
        error = &unseen;
    *trial = (carom_survey_trial){0};
    carom_sweep sweep = {0};
    timed_point timed = {.active = {.request = request, .sweep = &sweep}};
    carom_status status = set_up(&timed.active, error);
    const carom_work work = {.context = &timed,
                             .count = 1,
                             .threads = 1,
                             .compute = compute_timed,
                             .take = take_timed,
                             .goes_on = report_timed};
    if (status == CAROM_OK)
        status = carom_work_run(&work, NULL, error);
    if (status == CAROM_OK && timed.point->status == CAROM_BAD_INPUT)
        status = carom_fail(error, CAROM_BAD_INPUT, "%s", timed.point->message);
    if (status == CAROM_OK)
        describe_trial(&timed, trial);
    carom_sweep_free(&sweep);
    return status;
}
