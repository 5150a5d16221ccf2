/* All motions of a trial: residuals, and derivatives with them or by differences of further motions.
 *
 * Every motion is a task of its own, whose result does not depend on the thread that computes it; the results are put together
 * in the order of the tasks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "fit.h"

/* Steps of differences, relative to the scales: of motions that are smooth in their parameters, and of those in which impacts move
 * from step to step, whose jumps they must reach over. */
static const double smooth_difference = 1e-5, stepped_difference = 1e-2;

/* One motion: at x, or with one unknown moved. */
typedef struct task {
    fit_prediction prediction;
    int column;   /* of the run; -1: at x */
    double moved; /* by so much */
    double *value, *derivative;
    carom_status status;
    carom_error error;
} task;

/* ---- what threads share ----------------------------------------------------------------------------------- */

bool fit_is_stopped(const fit_problem *problem)
{
    bool stopped;
#pragma omp atomic read
    stopped = problem->stop;
    return stopped;
}

void fit_ask(fit_problem *problem)
{
    if (problem->is_own) {
        fit_goes_on(problem);
        return;
    }
#pragma omp critical(carom_fit)
    fit_goes_on(problem);
}

static void tell(fit_problem *problem, const task *done)
{
#pragma omp critical(carom_fit)
    {
        problem->runs++;
        problem->failed_runs += done->status == CAROM_FAILED || done->status == CAROM_BAD_INPUT;
    }
    fit_ask(problem);
}

/* ---- tasks ------------------------------------------------------------------------------------------------ */

static bool take_values(task *self, const fit_run *run, bool derivatives)
{
    const size_t count = (size_t)run->residuals, columns = (size_t)run->column_count;
    self->value = carom_new_array(count + 1, sizeof(double));
    self->derivative = derivatives ? carom_new_array(count * columns + 1, sizeof(double)) : NULL;
    self->prediction.value = self->value;
    self->prediction.derivative = self->derivative;
    return self->value && (!derivatives || self->derivative);
}

static void free_tasks(int count, task *list)
{
    for (int i = 0; list && i < count; i++) {
        free(list[i].value);
        free(list[i].derivative);
    }
    free(list);
}

/* All of a task but its numbers; both ways. */
static void pack_task(carom_snapshot *snapshot, task *self)
{
    fit_prediction *prediction = &self->prediction;
    carom_snapshot_block(snapshot, &self->moved, sizeof self->moved);
    carom_snapshot_block(snapshot, &prediction->impacts, sizeof prediction->impacts);
    carom_snapshot_block(snapshot, &prediction->breaks, sizeof prediction->breaks);
    carom_snapshot_block(snapshot, &prediction->lost, sizeof prediction->lost);
    carom_snapshot_block(snapshot, &prediction->inexact, sizeof prediction->inexact);
    carom_snapshot_block(snapshot, &prediction->first_break, sizeof prediction->first_break);
    carom_snapshot_block(snapshot, &prediction->why, sizeof prediction->why);
    fit_pack_error(&self->status, &self->error, snapshot);
}

static void pack_numbers(carom_snapshot *snapshot, const fit_run *run, task *self)
{
    const size_t count = (size_t)run->residuals;
    carom_snapshot_block(snapshot, self->value, count * sizeof(double));
    if (self->derivative)
        carom_snapshot_block(snapshot, self->derivative, count * (size_t)run->column_count * sizeof(double));
}

/* What a motion is, both ways. */
static void pack_motion(carom_snapshot *snapshot, int unknowns, double *x, bool *derivatives, task *self)
{
    carom_snapshot_block(snapshot, x, (size_t)unknowns * sizeof *x);
    carom_snapshot_block(snapshot, &self->prediction.run, sizeof self->prediction.run);
    carom_snapshot_block(snapshot, &self->prediction.rows, sizeof self->prediction.rows);
    carom_snapshot_block(snapshot, &self->column, sizeof self->column);
    carom_snapshot_block(snapshot, &self->moved, sizeof self->moved);
    carom_snapshot_block(snapshot, derivatives, sizeof *derivatives);
}

/* x, or with one unknown moved; NULL: memory is short. */
static double *moved_from(const fit_problem *problem, const double *x, task *self)
{
    const size_t size = (size_t)problem->unknown_count * sizeof *x;
    double *moved = carom_new_array(1, size);
    if (!moved) {
        self->status = carom_fail_memory(&self->error);
        return NULL;
    }
    memcpy(moved, x, size);
    if (self->column >= 0) {
        const int k = problem->run[self->prediction.run].column[self->column];
        const fit_unknown *unknown = &problem->unknown[k];
        moved[k] = fmin(fmax(x[k] + self->moved * unknown->scale, unknown->low), unknown->high);
        self->moved = moved[k] - x[k];
    }
    return moved;
}

static bool is_refused(const task *self)
{
    return self->status == CAROM_FAILED || self->status == CAROM_BAD_INPUT;
}

/* A side on which there is no motion is replaced by the point itself. Returns how many motions that took. */
static int replace_refused(fit_problem *problem, const double *x, task *self)
{
    if (self->column < 0 || self->moved == 0.0 || !is_refused(self))
        return 0;
    self->moved = 0.0;
    self->status = fit_predict(problem, x, &self->prediction, &self->error);
    tell(problem, self);
    return 1;
}

/* The motions of up to FIT_BESIDE tasks; runs[i]: how many they took. */
static void move(fit_problem *problem, const double *x, int count, task *const *list, int *runs)
{
    double *moved[FIT_BESIDE] = {NULL};
    const double *from[FIT_BESIDE] = {NULL};
    fit_prediction *prediction[FIT_BESIDE] = {NULL};
    carom_status status[FIT_BESIDE] = {CAROM_OK};
    carom_error error[FIT_BESIDE] = {0};
    int of[FIT_BESIDE], ready = 0;
    for (int i = 0; i < count; i++) {
        runs[i] = 0;
        moved[i] = moved_from(problem, x, list[i]);
        if (!moved[i])
            continue;
        from[ready] = moved[i];
        prediction[ready] = &list[i]->prediction;
        of[ready++] = i;
    }
    fit_predict_beside(problem, ready, from, prediction, status, error);
    for (int k = 0; k < ready; k++) {
        task *self = list[of[k]];
        self->status = status[k];
        self->error = error[k];
        tell(problem, self);
        runs[of[k]] = 1 + replace_refused(problem, x, self);
    }
    for (int i = 0; i < count; i++)
        free(moved[i]);
}

/* ---- tasks that were done before ---------------------------------------------------------------------------- */

/* What a task is: all of its brief. */
static carom_snapshot key_of(const fit_problem *problem, const double *x, task *self)
{
    carom_snapshot key = {0};
    fit_piece kind = FIT_MOTION;
    bool derivatives = self->derivative != NULL;
    carom_snapshot_block(&key, &kind, sizeof kind);
    pack_motion(&key, problem->unknown_count, (double *)x, &derivatives, self); /* only read */
    return key;
}

/* Its result as an answer would bring it, and the runs that it took. */
static bool recall_task(fit_problem *problem, const carom_snapshot *key, task *self)
{
    size_t count = 0;
    void *bytes = fit_recall(problem, key, &count);
    if (!bytes)
        return false;
    carom_snapshot kept = carom_snapshot_of(bytes, count);
    fit_problem counted = {0};
    fit_pack_counts(&counted, &kept);
    pack_task(&kept, self);
    pack_numbers(&kept, &problem->run[self->prediction.run], self);
    free(bytes);
    if (kept.failed)
        return false;
#pragma omp critical(carom_fit)
    {
        problem->runs += counted.runs - 1;
        problem->failed_runs += counted.failed_runs - (self->status != CAROM_OK);
    }
    tell(problem, self);
    return true;
}

static void keep_task(fit_problem *problem, const carom_snapshot *key, long runs, long failed, task *self)
{
    fit_problem counted = {.runs = runs, .failed_runs = failed};
    carom_snapshot bytes = {0};
    carom_error error = {0};
    fit_pack_counts(&counted, &bytes);
    pack_task(&bytes, self);
    pack_numbers(&bytes, &problem->run[self->prediction.run], self);
    const carom_status status = fit_keep(problem, key, &bytes, &error);
    carom_snapshot_free(&bytes);
    if (status == CAROM_OK)
        return;
    self->status = status;
    self->error = error;
}

/* Up to FIT_BESIDE of them, those that are not known from before side by side. */
static void perform(fit_problem *problem, const double *x, int count, task *list)
{
    task *left[FIT_BESIDE] = {NULL};
    carom_snapshot key[FIT_BESIDE] = {0};
    int runs[FIT_BESIDE], waiting = 0;
    const bool keeps = problem->request->keep;
    for (int i = 0; i < count; i++) {
        if (keeps)
            key[waiting] = key_of(problem, x, &list[i]);
        if (keeps && recall_task(problem, &key[waiting], &list[i]))
            carom_snapshot_free(&key[waiting]);
        else
            left[waiting++] = &list[i];
    }
    move(problem, x, waiting, left, runs);
    for (int i = 0; keeps && i < waiting; i++) {
        const bool refused = is_refused(left[i]);
        if (!fit_is_stopped(problem) && (left[i]->status == CAROM_OK || refused))
            keep_task(problem, &key[i], runs[i], runs[i] - 1 + refused, left[i]);
        carom_snapshot_free(&key[i]);
    }
}

/* ---- tasks that other processes compute, too --------------------------------------------------------------- */

carom_status fit_motion_compute(const fit_problem *problem, carom_snapshot *brief, const carom_worker *worker,
                                carom_error *error)
{
    fit_own_problem own;
    task self = {0};
    bool derivatives = false;
    double *x = carom_new_array((size_t)problem->unknown_count, sizeof *x);
    if (!x)
        return carom_fail_memory(error);
    pack_motion(brief, problem->unknown_count, x, &derivatives, &self);
    carom_status status = CAROM_OK;
    if (brief->failed || self.prediction.run >= problem->run_count)
        status = carom_fail(error, CAROM_FAILED, "what a motion is does not read");
    else if (!take_values(&self, &problem->run[self.prediction.run], derivatives))
        status = carom_fail_memory(error);
    if (status == CAROM_OK) {
        carom_snapshot answer = {0};
        fit_own_problem_make(problem, worker, &own);
        perform(&own.problem, x, 1, &self);
        fit_pack_counts(&own.problem, &answer);
        pack_task(&answer, &self);
        pack_numbers(&answer, &problem->run[self.prediction.run], &self);
        status = own.problem.stop ? carom_fail(error, CAROM_INTERRUPTED, "interrupted")
                                  : worker->answer(worker, &answer, error);
        carom_snapshot_free(&answer);
    }
    free(self.value);
    free(self.derivative);
    free(x);
    return status;
}

/* The tasks of one trial as work. */
typedef struct trial_work {
    fit_problem *problem;
    const double *x;
    task *list;
} trial_work;

static void brief_task(void *context, int index, carom_snapshot *snapshot)
{
    const trial_work *trial = context;
    *snapshot = key_of(trial->problem, trial->x, &trial->list[index]);
}

static bool wants_task(void *context, int index)
{
    const trial_work *trial = context;
    carom_snapshot key = key_of(trial->problem, trial->x, &trial->list[index]);
    const bool done = trial->problem->request->keep && recall_task(trial->problem, &key, &trial->list[index]);
    carom_snapshot_free(&key);
    return !done;
}

static carom_status compute_task(void *context, void *room, carom_snapshot *brief, const carom_worker *worker,
                                 carom_error *error)
{
    (void)room;
    const trial_work *trial = context;
    fit_piece kind;
    carom_snapshot_block(brief, &kind, sizeof kind);
    return fit_motion_compute(trial->problem, brief, worker, error);
}

static carom_status take_task(void *context, int index, carom_snapshot *answer, carom_error *error)
{
    const trial_work *trial = context;
    task *self = &trial->list[index];
    carom_snapshot key = key_of(trial->problem, trial->x, self);
    fit_pack_counts(trial->problem, answer);
    pack_task(answer, self);
    pack_numbers(answer, &trial->problem->run[self->prediction.run], self);
    const carom_status status =
        answer->failed ? carom_fail_memory(error) : fit_keep(trial->problem, &key, answer, error);
    carom_snapshot_free(&key);
    return status;
}

static bool trial_goes_on(void *context)
{
    return fit_goes_on(((const trial_work *)context)->problem);
}

static carom_status share_tasks(fit_problem *problem, const double *x, int count, task *list,
                                carom_error *error)
{
    trial_work trial = {problem, x, list};
    const carom_work work = {.context = &trial,
                             .count = count,
                             .threads = problem->threads,
                             .compute = compute_task,
                             .wants = wants_task,
                             .brief = brief_task,
                             .take = take_task,
                             .goes_on = trial_goes_on};
    return carom_work_run(&work, problem->request->workers, error);
}

/* The first failure in the order of tasks; what a model refuses is a motion that fails. */
static carom_status perform_all(fit_problem *problem, const double *x, int threads, int count, task *list,
                                carom_error *error)
{
    /* with several threads each has its share before anything is done side by side */
    const int share = problem->request->alone ? 1 : count / threads;
    const int group = share < 1 ? 1 : share > FIT_BESIDE ? FIT_BESIDE : share;
    const int groups = (count + group - 1) / group;
    if (threads > groups)
        threads = groups;
    if (problem->request->workers) {
        const carom_status status = share_tasks(problem, x, count, list, error);
        if (status != CAROM_OK)
            return status;
    } else if (threads > 1) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (int i = 0; i < groups; i++)
            perform(problem, x, count - i * group < group ? count - i * group : group, list + i * group);
    } else {
        for (int i = 0; i < groups; i++)
            perform(problem, x, count - i * group < group ? count - i * group : group, list + i * group);
    }
    for (int i = 0; i < count; i++)
        if (list[i].status != CAROM_OK) {
            *error = list[i].error;
            return fit_is_stopped(problem) ? CAROM_INTERRUPTED : list[i].status;
        }
    return CAROM_OK;
}

/* ---- residuals and derivatives ---------------------------------------------------------------------------- */

int fit_run_residuals(const fit_run *run, int rows, int outputs)
{
    int count = 0;
    for (int i = 0; i < rows * outputs; i++)
        count += run->place[i] >= 0;
    return count;
}

static int residuals_of(const fit_view *view, int run)
{
    return fit_run_residuals(&view->problem->run[run], view->rows[run], view->problem->outputs.count);
}

static void put_residuals(const fit_view *view, const task *from, double *r)
{
    const fit_problem *problem = view->problem;
    const int run = from->prediction.run, first = problem->run[run].first, count = residuals_of(view, run);
    for (int i = 0; i < count; i++)
        r[view->first[run] + i] = (from->value[i] - problem->datum[first + i]) / problem->sigma[first + i];
}

static void put_exact(const fit_view *view, const task *from, double *J)
{
    const fit_problem *problem = view->problem;
    const int number = from->prediction.run, count = residuals_of(view, number);
    const fit_run *run = &problem->run[number];
    for (int c = 0; c < run->column_count; c++) {
        double *column = J + (size_t)run->column[c] * (size_t)view->residuals + view->first[number];
        const double *along = from->derivative + (size_t)c * (size_t)run->residuals;
        for (int i = 0; i < count; i++)
            column[i] = along[i] / problem->sigma[run->first + i];
    }
}

static void put_difference(const fit_view *view, const task *low, const task *high, double *J)
{
    const fit_problem *problem = view->problem;
    const int number = low->prediction.run, count = residuals_of(view, number);
    const fit_run *run = &problem->run[number];
    double *column = J + (size_t)run->column[low->column] * (size_t)view->residuals + view->first[number];
    const double width = high->moved - low->moved;
    for (int i = 0; i < count; i++)
        column[i] =
            width > 0.0 ? (high->value[i] - low->value[i]) / width / problem->sigma[run->first + i] : 0.0;
}

/* The tasks of a trial: per run the point, then the two sides of every column. */
static carom_status list_tasks(const fit_view *view, bool point, bool exact, bool sides, int *count,
                               task **list, carom_error *error)
{
    const fit_problem *problem = view->problem;
    int all = 0;
    for (int i = 0; i < problem->run_count; i++)
        all += point + (sides ? 2 * problem->run[i].column_count : 0);
    *count = all;
    *list = carom_new_array((size_t)all + 1, sizeof **list);
    if (!*list)
        return carom_fail_memory(error);
    task *next = *list;
    for (int i = 0; i < problem->run_count; i++) {
        const int columns = sides ? problem->run[i].column_count : 0;
        for (int c = point ? -1 : 0; c < columns; c++)
            for (int side = c < 0 ? 1 : -1; side <= 1; side += 2) {
                *next = (task){.column = c, .moved = side * problem->difference};
                next->prediction.run = i;
                next->prediction.rows = view->rows[i];
                if (!take_values(next++, &problem->run[i], c < 0 && exact))
                    return carom_fail_memory(error);
            }
    }
    return CAROM_OK;
}

static carom_status differences(fit_view *view, const double *x, double *r, double *J, carom_error *error)
{
    task *list = NULL;
    int count = 0;
    carom_status status = list_tasks(view, r != NULL, false, J != NULL, &count, &list, error);
    if (status == CAROM_OK)
        status = perform_all(view->problem, x, view->threads, count, list, error);
    for (int i = 0; status == CAROM_OK && i < count; i++) {
        if (list[i].column < 0)
            put_residuals(view, &list[i], r);
        else if (J) /* else there are none */
            put_difference(view, &list[i], &list[i + 1], J), i++;
    }
    free_tasks(count, list);
    return status;
}

static void meet_break(fit_problem *problem)
{
#pragma omp atomic write
    problem->met_breaks = true;
}

/* *lost: some derivative is of no use, differences must do. */
static carom_status exact(fit_view *view, const double *x, double *r, double *J, bool *lost,
                          carom_error *error)
{
    task *list = NULL;
    int count = 0;
    *lost = false;
    carom_status status = list_tasks(view, true, true, false, &count, &list, error);
    if (status == CAROM_OK)
        status = perform_all(view->problem, x, view->threads, count, list, error);
    for (int i = 0; status == CAROM_OK && i < count; i++) {
        if (r)
            put_residuals(view, &list[i], r);
        put_exact(view, &list[i], J);
        if (list[i].prediction.breaks > 0)
            meet_break(view->problem);
        *lost = *lost || list[i].prediction.lost || list[i].prediction.inexact;
    }
    free_tasks(count, list);
    return status;
}

carom_status fit_view_evaluate(void *context, const double *x, double *r, double *J, carom_error *error)
{
    fit_view *view = context;
    const size_t entries = (size_t)view->residuals * (size_t)view->problem->unknown_count;
    if (J)
        memset(J, 0, entries * sizeof *J); /* a run knows nothing of the unknowns of others */
    carom_status status;
    bool lost = false;
    if (J && view->problem->together)
        status = exact(view, x, r, J, &lost, error);
    else
        status = differences(view, x, r, J, error);
    if (status == CAROM_OK && lost)
        status = differences(view, x, NULL, J, error);
    if (status == CAROM_OK && J)
        for (size_t i = 0; i < entries; i++)
            if (!isfinite(J[i]))
                return carom_fail(error, CAROM_FAILED, "a derivative is not finite");
    return status == CAROM_BAD_INPUT ? CAROM_FAILED : status;
}

/* ---- breaks ------------------------------------------------------------------------------------------------ */

carom_status fit_find_break(fit_problem *problem, const double *x, int *run, carom_tangent_break *found,
                            carom_error *error)
{
    carom_status status = CAROM_OK;
    *run = -1;
    for (int i = 0; problem->met_breaks && *run < 0 && status == CAROM_OK && i < problem->run_count; i++) {
        task look = {.column = -1, .prediction = {.run = i, .rows = problem->run[i].rows}};
        if (take_values(&look, &problem->run[i], true))
            perform(problem, x, 1, &look);
        else
            look.status = carom_fail_memory(&look.error);
        if (look.status == CAROM_OK && look.prediction.breaks > 0) {
            *run = i;
            *found = look.prediction.first_break;
        }
        status = look.status == CAROM_NO_MEMORY ? carom_fail_memory(error) : CAROM_OK;
        free(look.value);
        free(look.derivative);
    }
    return status;
}

/* ---- which derivatives ------------------------------------------------------------------------------------ */

carom_status fit_choose_derivatives(fit_problem *problem, const double *x, carom_error *error)
{
    const carom_fit_derivatives asked = problem->request->derivatives;
    bool available = true, impacts = false;
    for (int i = 0; i < problem->run_count; i++) {
        const fit_run *run = &problem->run[i];
        task look = {.column = -1, .prediction = {.run = i, .rows = run->rows}};
        if (!take_values(&look, run, asked != CAROM_FIT_DIFFERENCES))
            look.status = carom_fail_memory(&look.error);
        else
            perform(problem, x, 1, &look);
        available = available && !look.prediction.inexact;
        impacts = impacts || look.prediction.impacts;
        free(look.value);
        free(look.derivative);
        if (look.status != CAROM_OK) {
            *error = look.error;
            return look.status;
        }
        if (asked == CAROM_FIT_EXACT && look.prediction.inexact)
            return carom_fail(error, CAROM_BAD_INPUT, "there are no exact derivatives: %s",
                              look.prediction.why.text);
    }
    problem->together = asked == CAROM_FIT_EXACT ||
                        (asked == CAROM_FIT_BEST && available && (problem->own_steps || !impacts));
    problem->stepped_impacts = impacts && !problem->own_steps;
    problem->difference = problem->stepped_impacts ? stepped_difference : smooth_difference;
    return CAROM_OK;
}
