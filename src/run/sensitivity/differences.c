/* Derivatives of a run by differences of whole runs, for what has no exact ones: central differences with steps s, s/4, s/16,
 * ..., extrapolated (Richardson); of all that the table has, the entry whose neighbours agree best is taken (Ridders 1982):
 * one for the rows of the motion together, and one for each measure.
 *
 * A kink within the steps does not show in central differences, which converge to the mean of both slopes. It shows in what slopes of
 * both sides differ by: with the step it becomes smaller where all is smooth, and stays the same where there is a kink. Then only
 * smaller steps count. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/model/bodies.h"
#include "sensitivity.h"

enum {
    LEVELS = 9
};
/* The first step, relative to the size of the number that is changed (sensitivity_scale). */
static const double first_step = 1e-3;
/* Differences that agree worse than this say nothing. */
static const double useless = 1e-3;
/* ... and those that agree better need no smaller steps. */
static const double good_enough = 1e-10;

/* Slopes of both sides that differ by less, relative to the largest derivative, show no kink; nor do those whose difference changes by
 * more than this from one step to the next. */
static const double flat = 1e-6, steady = 0.2;

/* Of the rows, or of a measure: what slopes of both sides differed by, and the first level without a kink. */
typedef struct kink_watch {
    double difference;
    int same; /* so many levels in a row did not change it: chance does that once */
    int first;
} kink_watch;

typedef struct difference_job {
    active_run *run;
    carom_run_request request; /* of the runs beside */
    moved_room room;
    size_t count;                     /* numbers of a run */
    double *above, *below;            /* of two runs */
    int side;                         /* 0: central; 1 and -1: one-sided, above and below */
    double scale, step;               /* of the number that is changed, and how far it is moved */
    double *table[LEVELS], *previous; /* extrapolations */
    double *best;
    double *weight;        /* 1 / size of positions and velocities, which are compared */
    double error;          /* of the best, relative to the largest derivative of the final state */
    size_t rows;           /* numbers of the rows, which come first */
    double *measure_error; /* per measure: of the best, relative to its own largest derivative */
    double *middle;        /* numbers of the run itself */
    kink_watch *watch;     /* of the rows, then per measure */
} difference_job;

static size_t count_numbers(const carom_run_result *result)
{
    size_t count = (size_t)result->layout.width * (1 + (size_t)result->sample_count);
    for (int i = 0; i < result->measure_count; i++)
        count += (size_t)result->measure[i].count;
    return count;
}

/* NAN where a measure has another number of values than in the run in the middle: another count of events, say. */
static void gather(const active_run *run, const carom_run_result *result, double *to)
{
    const carom_run_result *middle = run->result;
    const size_t width = (size_t)result->layout.width;
    memcpy(to, result->final, width * sizeof *to);
    to += width;
    memcpy(to, result->sample, width * (size_t)result->sample_count * sizeof *to);
    to += width * (size_t)result->sample_count;
    for (int i = 0; i < middle->measure_count; i++) {
        const carom_measured *measure = &result->measure[i];
        for (int k = 0; k < middle->measure[i].count; k++)
            *to++ = measure->count == middle->measure[i].count ? measure->value[k] : NAN;
    }
}

/* One run with name number c moved by s. */
static carom_status run_moved(difference_job *job, int c, double s, double *to, carom_error *error)
{
    carom_run_result result;
    sensitivity_move(job->run, c, s, &job->room, &job->request);
    const carom_status status = carom_run(&job->request, &result, error);
    if (status == CAROM_OK)
        gather(job->run, &result, to);
    carom_run_result_free(&result);
    return status;
}

/* Derivatives that are smaller than this, relative to what numbers would change by if they were proportional to the name, are
 * zero as far as errors are concerned. */
static const double small = 1e-4;

/* How far an extrapolation is from its two neighbours in the table, relative to the largest of its numbers from..to; weight: of
 * these, NULL: 1. Rounding of the runs counts: neighbours that agree better do so by chance. */
static double error_of(const difference_job *job, size_t from, size_t to, const double *weight,
                       const double *found, const double *one, const double *other)
{
    double size = 0.0, worst = 0.0, value = weight ? 1.0 : 0.0; /* a state is as large as the model */
    for (size_t i = from; i < to; i++) {
        if (!isfinite(found[i]) || !isfinite(one[i]) || !isfinite(other[i]))
            return INFINITY;
        const double by = weight ? weight[i - from] : 1.0;
        size = fmax(size, by * fabs(found[i]));
        worst = fmax(worst, by * fmax(fabs(found[i] - one[i]), fabs(found[i] - other[i])));
        value = fmax(value, by * fabs(job->above[i]));
        if (job->above[i] != job->below[i])
            worst = fmax(worst, by * DBL_EPSILON * fabs(job->above[i]) / job->step);
    }
    if (size == 0.0 && worst == 0.0)
        return 0.0;
    return worst / fmax(size, small * value / job->scale);
}

/* Of the rows: of the final state; where nothing moves (a parameter of columns only) of all that is a number. */
static double error_of_rows(const difference_job *job, const double *found, const double *one,
                            const double *other)
{
    const carom_row_layout *layout = &job->run->layout;
    double worst =
        error_of(job, (size_t)layout->q, (size_t)(layout->v + layout->dof), job->weight, found, one, other);
    for (size_t i = 0; worst == 0.0 && i < job->rows; i++) {
        const double error = error_of(job, i, i + 1, NULL, found, one, other);
        worst = isfinite(error) ? fmax(worst, error) : worst;
    }
    return worst;
}

/* Keeps what is better than the best so far: an extrapolation, from this level on, whose neighbours in the table are these two. */
static void keep_better(difference_job *job, int from, const double *found, const double *one,
                        const double *other)
{
    const carom_run_result *middle = job->run->result;
    const double error = error_of_rows(job, found, one, other);
    if (error < job->error && from >= job->watch[0].first) {
        job->error = error;
        memcpy(job->best, found, job->rows * sizeof *found);
    }
    size_t place = job->rows;
    for (int i = 0; i < middle->measure_count; i++) {
        const size_t count = (size_t)middle->measure[i].count;
        const double of_measure = error_of(job, place, place + count, NULL, found, one, other);
        if (of_measure < job->measure_error[i] && from >= job->watch[1 + i].first) {
            job->measure_error[i] = of_measure;
            memcpy(job->best + place, found + place, count * sizeof *found);
        }
        place += count;
    }
}

/* Whether there is a kink of the numbers from..to within the step of a level. */
static bool has_kink(const difference_job *job, int level, size_t from, size_t to, const double *weight,
                     kink_watch *watch)
{
    const double *slope = job->table[level];
    double size = 0.0, difference = 0.0;
    for (size_t i = from; i < to; i++) {
        const double by = weight ? weight[i - from] : 1.0;
        const double apart = by * fabs(job->above[i] - 2.0 * job->middle[i] + job->below[i]) / job->step;
        difference = isfinite(apart) ? fmax(difference, apart) : difference;
        size = isfinite(slope[i]) ? fmax(size, by * fabs(slope[i])) : size;
    }
    const double before = watch->difference;
    watch->difference = difference;
    const bool same = level > 0 && difference > flat * size && fabs(difference - before) <= steady * before;
    watch->same = same ? watch->same + 1 : 0;
    return watch->same >= 2;
}

/* What was found with steps that reach over a kink is forgotten. */
static void look_for_kinks(difference_job *job, int level)
{
    const carom_run_result *middle = job->run->result;
    const carom_row_layout *layout = &job->run->layout;
    if (job->side != 0)
        return;
    if (has_kink(job, level, (size_t)layout->q, (size_t)(layout->v + layout->dof), job->weight,
                 &job->watch[0])) {
        job->watch[0].first = level + 1;
        job->error = INFINITY;
    }
    size_t place = job->rows;
    for (int i = 0; i < middle->measure_count; place += (size_t)middle->measure[i++].count)
        if (has_kink(job, level, place, place + (size_t)middle->measure[i].count, NULL, &job->watch[1 + i])) {
            job->watch[1 + i].first = level + 1;
            job->measure_error[i] = INFINITY;
        }
}

/* table[k] becomes the extrapolation over k + 1 levels that ends at this one; keeps the best. */
static void extrapolate(difference_job *job, int level)
{
    const double ratio = job->side == 0 ? 16.0 : 4.0; /* of the errors s^2 or s of two levels */
    double power = ratio;
    for (int k = level - 1; k >= 0; k--, power *= ratio) {
        double *next = job->table[k], *last = job->table[k + 1];
        memcpy(job->previous, next, job->count * sizeof *next);
        for (size_t i = 0; i < job->count; i++)
            next[i] = last[i] + (last[i] - next[i]) / (power - 1.0);
        keep_better(job, k, next, last, job->previous);
    }
}

static bool is_good_enough(const difference_job *job)
{
    double error = job->error;
    bool doubtful = job->watch[0].same > 0;
    for (int i = 0; i < job->run->result->measure_count; i++) {
        error = fmax(error, job->measure_error[i]);
        doubtful = doubtful || job->watch[1 + i].same > 0;
    }
    return error <= good_enough && !doubtful;
}

/* The two runs of a difference; one-sided: the run itself is the second. */
static carom_status run_pair(difference_job *job, int c, carom_error *error)
{
    carom_status status = run_moved(job, c, job->side < 0 ? -job->step : job->step, job->above, error);
    if (status == CAROM_OK && job->side == 0)
        return run_moved(job, c, -job->step, job->below, error);
    gather(job->run, job->run->result, job->below);
    return status;
}

/* Runs that cannot be made (a parameter out of its range, a start inside an obstacle) leave smaller steps. *levels: how many
 * there were. */
static carom_status differentiate_on(int side, difference_job *job, int c, int *levels, carom_error *error)
{
    job->side = side;
    job->scale = sensitivity_scale(job->run, c);
    job->step = first_step * job->scale;
    job->error = INFINITY;
    for (int i = 0; i < job->run->result->measure_count; i++)
        job->measure_error[i] = INFINITY;
    memset(job->watch, 0, (1 + (size_t)job->run->result->measure_count) * sizeof *job->watch);
    gather(job->run, job->run->result, job->middle);
    *levels = 0;
    for (int attempt = 0; attempt < LEVELS + 2 && *levels < LEVELS && !is_good_enough(job);
         attempt++, job->step /= 4.0) {
        const carom_status status = run_pair(job, c, error);
        if (status == CAROM_NO_MEMORY || status == CAROM_INTERRUPTED)
            return status;
        if (status != CAROM_OK) {
            *levels = 0;
            continue;
        }
        const double apart = side == 0 ? 2.0 * job->step : side * job->step;
        for (size_t i = 0; i < job->count; i++)
            job->table[*levels][i] = (job->above[i] - job->below[i]) / apart;
        look_for_kinks(job, *levels);
        extrapolate(job, *levels);
        ++*levels;
    }
    return CAROM_OK;
}

/* Where a range ends there are runs on one side only. */
static carom_status differentiate(difference_job *job, int c, carom_error *error)
{
    static const int sides[] = {0, 1, -1};
    carom_status status = CAROM_OK;
    int levels = 0;
    for (size_t i = 0; i < sizeof sides / sizeof *sides && status == CAROM_OK && levels == 0; i++)
        status = differentiate_on(sides[i], job, c, &levels, error);
    return status;
}

/* In the model's scales. */
static bool take_weights(difference_job *job)
{
    const active_run *run = job->run;
    const carom_row_layout *layout = &run->layout;
    const int count = layout->v + layout->dof - layout->q;
    if (!run->stepper) /* a study: nothing moves */
        return true;
    const carom_scales *scales = &run->stepper->scales;
    const carom_bodies *bodies = run->work->model->has_bodies ? carom_model_bodies(run->work) : NULL;
    job->weight = carom_arena_take(run->arena, (size_t)count, sizeof *job->weight);
    if (!job->weight)
        return false;
    double *velocity = job->weight + layout->v - layout->q;
    for (int i = 0; i < count; i++)
        job->weight[i] = 1.0 / (job->weight + i < velocity ? scales->length : carom_scales_speed(scales));
    for (int i = 0; bodies && i < bodies->count; i++) {
        const carom_body *body = &bodies->body[i];
        const int axes = bodies->dimension, turns = axes == 2 ? 1 : 4, spins = axes == 2 ? 1 : 3;
        for (int k = 0; body->q >= 0 && k < turns; k++)
            job->weight[body->q + axes + k] = 1.0;
        for (int k = 0; body->v >= 0 && k < spins; k++)
            velocity[body->v + axes + k] = scales->time;
    }
    return true;
}

static carom_status take_memory(difference_job *job, carom_error *error)
{
    active_run *run = job->run;
    carom_arena *arena = run->arena;
    double **lists[] = {&job->above, &job->below, &job->previous, &job->best, &job->middle};
    const size_t measures = (size_t)run->result->measure_count;
    job->measure_error = carom_arena_take(arena, measures, sizeof(double));
    job->watch = carom_arena_take(arena, 1 + measures, sizeof *job->watch);
    bool taken =
        sensitivity_take_room(run, &job->room) && job->measure_error && job->watch && take_weights(job);
    for (size_t i = 0; taken && i < sizeof lists / sizeof *lists; i++)
        taken = (*lists[i] = carom_arena_take(arena, job->count, sizeof(double))) != NULL;
    for (int k = 0; taken && k < LEVELS; k++)
        taken = (job->table[k] = carom_arena_take(arena, job->count, sizeof(double))) != NULL;
    return taken ? CAROM_OK : carom_fail_memory(error);
}

/* The best numbers of one name to their places; without any: none. */
static carom_status scatter(difference_job *job, int c, carom_error *error)
{
    const active_run *run = job->run;
    const carom_run_result *middle = run->result;
    carom_sensitivity *result = middle->sensitivity;
    const size_t width = (size_t)run->layout.width, count = (size_t)result->count;
    if (!(job->error <= useless))
        for (size_t i = 0; i < job->rows; i++)
            job->best[i] = NAN;
    const double *from = job->best;
    memcpy(result->final + (size_t)c * width, from, width * sizeof *from);
    from += width;
    for (int i = 0; i < middle->sample_count; i++, from += width)
        memcpy(result->sample + ((size_t)i * count + (size_t)c) * width, from, width * sizeof *from);
    for (int i = 0; i < middle->measure_count; i++) {
        carom_measured *measure = &result->measure[(size_t)i * count + (size_t)c];
        const carom_measured *of = &middle->measure[i];
        measure->value = carom_new_array((size_t)of->count, sizeof *measure->value);
        if (!measure->value)
            return carom_fail_memory(error);
        measure->is_array = of->is_array;
        measure->count = of->count;
        memcpy(measure->value, from, (size_t)of->count * sizeof *from);
        result->measure_error[(size_t)i * count + (size_t)c] = job->measure_error[i];
        for (int k = 0; k < of->count && !(job->measure_error[i] <= useless); k++)
            measure->value[k] = NAN;
        if (of->count == 1 && isnan(measure->value[0]) && !of->is_array)
            measure->count = 0;
        from += of->count;
    }
    return CAROM_OK;
}

static void tell(const difference_job *job, int c, carom_tangent_break *to)
{
    const active_run *run = job->run;
    to->t = run->result->t_end;
    snprintf(to->why, sizeof to->why,
             "differences of whole runs by %s do not converge: the motion jumps or has a kink there, or is "
             "chaotic",
             run->request->sensitivity[c]);
}

carom_status run_differ(active_run *run, carom_error *error)
{
    carom_sensitivity *result = run->result->sensitivity;
    difference_job job = {.run = run, .request = *run->request, .count = count_numbers(run->result)};
    job.request.sensitivity_count = 0;
    sensitivity_plain_request(&job.request);
    job.rows = (size_t)run->layout.width * (1 + (size_t)run->result->sample_count);
    carom_status status = take_memory(&job, error);
    if (status == CAROM_OK &&
        !(result->breaks = carom_new_array((size_t)result->count, sizeof *result->breaks)))
        status = carom_fail_memory(error);
    for (int c = 0; status == CAROM_OK && c < result->count; c++) {
        carom_error inner = {0};
        status = differentiate(&job, c, &inner);
        if (status != CAROM_OK) {
            *error = inner;
            return status;
        }
        if (!(job.error <= useless))
            tell(&job, c, &result->breaks[result->breaks_kept++]);
        else
            result->error = fmax(result->error, job.error);
        result->break_count = result->breaks_kept;
        status = scatter(&job, c, error);
    }
    return status;
}
