/* Runs an experiment at every point of a grid, several points at a time:
 *
 *   checks -> points, each by the next free thread -> [one at a time] results to the arena, progress
 *
 * A point is a run of its own, with its own parameters and memory, so it is the same whichever thread
 * computes it and whatever the others do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep_axes.h"

enum {
    THREADS_MAX = 256
};

typedef struct active_sweep {
    const carom_sweep_request *request;
    carom_sweep *sweep;
    sweep_axes axes;
    int finished; /* points */
    bool stop;    /* no more points: interrupted, or memory is short */
    bool no_memory;
    carom_error keeping; /* why a point could not be kept */
} active_sweep;

/* One point under way. */
typedef struct active_point {
    int index;
    carom_experiment scratch; /* the request's, with a vector of parameters of its own */
    carom_experiment *loaded; /* where an axis is a setting */
    carom_option *option;     /* those that the scheme knows */
    carom_run_request run;
    carom_run_result result;
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

static carom_status take_measures(active_sweep *active, carom_error *error)
{
    const carom_sweep_request *request = active->request;
    const carom_experiment *experiment = request->experiment;
    carom_sweep *sweep = active->sweep;
    const bool all = request->measure_count == 0;
    sweep->measure_count = all ? experiment->measure_count : request->measure_count;
    sweep->measure = carom_arena_take(sweep->arena, (size_t)sweep->measure_count, sizeof *sweep->measure);
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
    return CAROM_OK;
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

static carom_status choose_threads(active_sweep *active, carom_error *error)
{
    int threads = active->request->threads;
    if (threads < 0 || threads > THREADS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%d threads: from 1 to %d, or 0 for one per core", threads,
                          THREADS_MAX);
    if (threads == 0) {
        const long cores = sysconf(_SC_NPROCESSORS_ONLN);
        threads = cores < 1 ? 1 : cores > THREADS_MAX ? THREADS_MAX : (int)cores;
    }
    active->sweep->threads = threads < active->axes.points ? threads : active->axes.points;
    return CAROM_OK;
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
        status = choose_threads(active, error);
    if (status == CAROM_OK && !take_grid(active))
        status = carom_fail_memory(error);
    return status;
}

/* ---- progress -------------------------------------------------------------------------------------- */

static bool is_stopped(const active_sweep *active)
{
    bool stopped;
#pragma omp atomic read
    stopped = active->stop;
    return stopped;
}

static void stop(active_sweep *active)
{
#pragma omp atomic write
    active->stop = true;
}

/* By one thread at a time. */
static void report(active_sweep *active)
{
    const carom_progress *progress = &active->request->progress;
    if (progress->report &&
        !progress->report(progress->context, active->finished, active->sweep->point_count))
        stop(active);
}

/* Asked by a run now and then, so that long points can be interrupted too. */
static bool goes_on(void *context, double done, double total)
{
    (void)done, (void)total;
    active_sweep *active = context;
#pragma omp critical(carom_sweep)
    if (!is_stopped(active))
        report(active);
    return !is_stopped(active);
}

/* ---- one point --------------------------------------------------------------------------------------- */

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

static void compute(active_sweep *active, active_point *point)
{
    const carom_sweep_request *request = active->request;
    carom_run_result *result = &point->result;
    carom_error error = {0};
    point->run = (carom_run_request){
        .h = request->h, .until = request->until, .progress = {.report = goes_on, .context = active}};
    carom_status status =
        active->axes.reload ? load_point(active, point, &error) : set_parameters(active, point, &error);
    if (status == CAROM_OK)
        status = choose_scheme(active, point, &error);
    if (status == CAROM_OK) {
        carom_run(&point->run, result, &error);
        return;
    }
    result->status = status;
    snprintf(result->word, sizeof result->word, "%s", carom_status_word(status));
    snprintf(result->message, sizeof result->message, "%s", error.text);
}

static bool keep_measures(carom_sweep *sweep, const active_point *point)
{
    for (int i = 0; i < sweep->measure_count; i++) {
        const int index = find_measure(point->run.experiment, sweep->measure[i]);
        if (index < 0) /* a setting may take a measure away */
            continue;
        const carom_measured *measured = &point->result.measure[index];
        carom_measured *kept = &sweep->point[point->index].measure[i];
        kept->is_array = measured->is_array;
        kept->value = carom_arena_take(sweep->arena, (size_t)measured->count, sizeof *kept->value);
        if (!kept->value)
            return false;
        kept->count = measured->count;
        if (measured->count > 0)
            memcpy(kept->value, measured->value, (size_t)measured->count * sizeof *kept->value);
    }
    return true;
}

static bool keep_point(carom_sweep *sweep, const active_point *point)
{
    const carom_run_result *result = &point->result;
    carom_sweep_point *kept = &sweep->point[point->index];
    kept->status = result->status;
    kept->steps = result->steps;
    kept->wall_seconds = result->wall_seconds;
    kept->trusted = result->certificate.trusted || point->run.experiment->study;
    memcpy(kept->word, result->word, sizeof kept->word);
    if (result->message[0])
        kept->message = carom_arena_copy_text(sweep->arena, result->message);
    if (result->message[0] && !kept->message)
        return false;
    kept->done = true;
    return !result->measure || keep_measures(sweep, point);
}

/* By one thread at a time: the arena is shared. A point that was interrupted on its way is not reached. */
static void finish_point(active_sweep *active, const active_point *point)
{
    const carom_status status = point->result.status;
    if (status == CAROM_INTERRUPTED)
        return;
    if (status == CAROM_NO_MEMORY || !keep_point(active->sweep, point)) {
        active->no_memory = true;
        stop(active);
        return;
    }
    const carom_sweep_request *request = active->request;
    const carom_sweep_point *kept = &active->sweep->point[point->index];
    if (request->keep && request->keep(request->keep_context, point->index, active->sweep->measure_count,
                                       kept, &active->keeping) != CAROM_OK)
        stop(active);
    active->finished++;
    if (!is_stopped(active))
        report(active);
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

static void run_point(active_sweep *active, int index)
{
    if (is_stopped(active) || active->sweep->point[index].done)
        return;
    active_point point = {.index = index};
    compute(active, &point);
#pragma omp critical(carom_sweep)
    finish_point(active, &point);
    carom_run_result_free(&point.result);
    carom_experiment_free(point.loaded);
    free(point.scratch.parameter);
    free(point.option);
}

/* ---- all points -------------------------------------------------------------------------------------- */

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
    if (active->no_memory)
        return carom_fail_memory(error);
    if (active->keeping.status != CAROM_OK) {
        *error = active->keeping;
        return active->keeping.status;
    }
    if (active->finished < sweep->point_count)
        return carom_fail(error, CAROM_INTERRUPTED, "interrupted after %d of %d points", active->finished,
                          sweep->point_count);
    for (int i = 0; i < sweep->point_count; i++)
        if (sweep->point[i].status != CAROM_BAD_INPUT)
            return CAROM_OK;
    return fail_unstarted(active, error);
}

static void run_points(active_sweep *active)
{
    const double started = carom_seconds();
    const int count = active->sweep->point_count;
#pragma omp parallel for schedule(dynamic) num_threads(active->sweep->threads)
    for (int i = 0; i < count; i++)
        run_point(active, i);
    active->sweep->wall_seconds = carom_seconds() - started;
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
        run_points(&active);
        status = judge(&active, error);
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
