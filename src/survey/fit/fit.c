/* The course of a fit:
 *
 *   checks -> starts, each in stages --best--> weights of columns, scale of the loss, searched again -> what it says
 *
 * Starts are independent of each other and go on all threads; with one start the motions of a trial do. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course.h"
#include "places.h"
#include "weights.h"

enum {
    ITERATIONS = 60,
    STARTS_MAX = 100000,
    STAGES_MAX = 1000,
    WEIGHT_PASSES = 6,
    STAGES_IN_NEED = 10
};
static const double usual_tolerance = 1e-3;
/* Misfits that differ by less than this part are the same minimum. */
static const double same_misfit = 1e-3;
/* Parts of the spread of the data: residuals that may belong to another minimum; residuals that are rounding. */
static const double far_off = 1e-3, rounding = 1e-9;

/* ---- one start -------------------------------------------------------------------------------------------- */

bool fit_take_finish(const fit_problem *problem, carom_arena *arena, finish *end)
{
    const size_t n = (size_t)problem->residuals, m = (size_t)problem->unknown_count;
    end->at.x = carom_arena_take(arena, m, sizeof(double));
    end->at.r = carom_arena_take(arena, n, sizeof(double));
    end->at.J = carom_arena_take(arena, carom_product(n, m), sizeof(double));
    end->at.held = carom_arena_take(arena, m, sizeof(bool));
    return end->at.x && end->at.r && end->at.J && end->at.held;
}

/* The first rows of every motion: part `stage` of `stages`. */
static carom_status take_view(fit_problem *problem, carom_arena *arena, int stage, int stages, fit_view *view,
                              carom_error *error)
{
    view->rows = carom_arena_take(arena, (size_t)problem->run_count, sizeof *view->rows);
    view->first = carom_arena_take(arena, (size_t)problem->run_count, sizeof *view->first);
    if (!view->rows || !view->first)
        return carom_fail_memory(error);
    view->problem = problem;
    view->residuals = 0;
    for (int i = 0; i < problem->run_count; i++) {
        const fit_run *run = &problem->run[i];
        view->rows[i] = (int)ceil((double)run->rows * stage / stages);
        view->first[i] = view->residuals;
        view->residuals += fit_run_residuals(run, view->rows[i], problem->outputs.count);
    }
    return CAROM_OK;
}

static carom_status search_view(const course *self, fit_view *view, finish *end)
{
    const fit_problem *problem = &self->problem;
    const carom_fit_request *request = problem->request;
    double *range = carom_new_array(3 * (size_t)problem->unknown_count, sizeof *range);
    if (!range)
        return carom_fail_memory(&end->error);
    double *low = range, *high = low + problem->unknown_count, *scale = high + problem->unknown_count;
    for (int k = 0; k < problem->unknown_count; k++) {
        low[k] = problem->unknown[k].low;
        high[k] = problem->unknown[k].high;
        scale[k] = problem->unknown[k].scale;
    }
    const fit_squares squares = {
        .residuals = view->residuals,
        .unknowns = problem->unknown_count,
        .low = low,
        .high = high,
        .scale = scale,
        .evaluate = fit_view_evaluate,
        .context = view,
        .together = problem->together,
        .loss = self->loss,
        .max_iterations = request->max_iterations > 0 ? request->max_iterations : ITERATIONS,
        .tolerance = request->tolerance > 0.0 ? request->tolerance : usual_tolerance,
    };
    const carom_status status = fit_squares_minimize(&squares, &end->at, &end->error);
    end->iterations += end->at.iterations;
    free(range);
    return status;
}

/* Stages without enough data for the unknowns are passed over. */
void fit_search_from(course *self, int threads, int stages, finish *end)
{
    fit_problem *problem = &self->problem;
    carom_arena *arena = carom_arena_create();
    end->status = arena ? CAROM_OK : carom_fail_memory(&end->error);
    for (int stage = 1; end->status == CAROM_OK && stage <= stages; stage++) {
        fit_view view = {.threads = threads};
        end->status = take_view(problem, arena, stage, stages, &view, &end->error);
        if (end->status == CAROM_OK && (view.residuals > problem->unknown_count || stage == stages))
            end->status = search_view(self, &view, end);
    }
    carom_arena_free(arena);
}

/* ---- all starts ------------------------------------------------------------------------------------------- */

static carom_status check_request(const carom_fit_request *request, carom_error *error)
{
    if (request->starts < 0 || request->starts > STARTS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%d starts: from 1 to %d", request->starts, STARTS_MAX);
    if (request->stages < 0 || request->stages > STAGES_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%d stages: from 1 to %d", request->stages, STAGES_MAX);
    if (request->loss < 0 || request->loss >= CAROM_LOSSES)
        return carom_fail(error, CAROM_BAD_INPUT, "there is no loss %d", (int)request->loss);
    if (request->loss_scale < 0.0 || !isfinite(request->loss_scale))
        return carom_fail(error, CAROM_BAD_INPUT, "the scale of the loss is %g: must be positive",
                          request->loss_scale);
    if (request->tolerance < 0.0 || request->max_iterations < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "tolerance and iterations must be positive");
    return CAROM_OK;
}

/* Other starts lie between the bounds, which must be finite. */
static carom_status check_bounds(const fit_problem *problem, carom_error *error)
{
    for (int k = 0; k < problem->unknown_count; k++) {
        const fit_unknown *unknown = &problem->unknown[k];
        if (!isfinite(unknown->low) || !isfinite(unknown->high))
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "several starts need bounds, and '%s' has none (%g to %g); give some, such as %.3g to %.3g",
                unknown->name, unknown->low, unknown->high,
                fmax(unknown->low, unknown->start - 0.5 * unknown->scale),
                fmin(unknown->high, unknown->start + 0.5 * unknown->scale));
    }
    return CAROM_OK;
}

static carom_status choose_starts(course *self, carom_error *error)
{
    const fit_problem *problem = &self->problem;
    self->starts = problem->request->starts > 0 ? problem->request->starts : 1;
    self->end = carom_arena_take(self->fit->arena, (size_t)self->starts, sizeof *self->end);
    if (!self->end)
        return carom_fail_memory(error);
    for (int i = 0; i < self->starts; i++)
        if (!fit_take_finish(problem, self->fit->arena, &self->end[i]))
            return carom_fail_memory(error);
    for (int k = 0; k < problem->unknown_count; k++)
        self->end[0].at.x[k] = problem->unknown[k].start;
    if (self->starts == 1)
        return CAROM_OK;
    carom_status status = check_bounds(problem, error);
    double *place = carom_new_array((size_t)self->starts, (size_t)problem->unknown_count * sizeof *place);
    if (status == CAROM_OK && !place)
        status = carom_fail_memory(error);
    if (status == CAROM_OK)
        status = fit_places(self->starts - 1, problem->unknown_count, problem->request->seed, place, error);
    for (int i = 1; status == CAROM_OK && i < self->starts; i++)
        for (int k = 0; k < problem->unknown_count; k++) {
            const fit_unknown *unknown = &problem->unknown[k];
            const double share = place[(i - 1) * problem->unknown_count + k];
            self->end[i].at.x[k] = unknown->low + share * (unknown->high - unknown->low);
        }
    free(place);
    return status;
}

/* A start whose motion fails is no start. */
static carom_status search_all(course *self, carom_error *error)
{
    const int stages = fit_stages(self);
    const int threads = self->problem.threads;
    if (self->starts > 1 && self->problem.request->workers) {
        const carom_status status = fit_share_starts(self, error);
        if (status != CAROM_OK)
            return status;
    } else if (self->starts == 1) {
        fit_search_from(self, threads, stages, &self->end[0]);
    } else {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (int i = 0; i < self->starts; i++)
            if (fit_is_stopped(&self->problem))
                fit_skip_start(&self->end[i]);
            else
                fit_search_from(self, 1, stages, &self->end[i]);
    }
    self->best = -1;
    for (int i = 0; i < self->starts; i++) {
        const finish *end = &self->end[i];
        if (end->status != CAROM_OK && end->status != CAROM_FAILED && end->status != CAROM_INTERRUPTED) {
            *error = end->error;
            return end->status;
        }
        if (isfinite(end->at.misfit) && end->status != CAROM_FAILED &&
            (self->best < 0 || end->at.misfit < self->end[self->best].at.misfit))
            self->best = i;
    }
    if (self->best < 0) {
        *error = self->end[0].error;
        return self->end[0].status;
    }
    return CAROM_OK;
}

static bool is_interrupted(const course *self)
{
    return fit_is_stopped(&self->problem);
}

/* Residuals whose neighbours are alike are no noise. */
static bool is_no_noise(double correlation, int count)
{
    return correlation > 0.5 && correlation * sqrt(count) > 4.0;
}

static bool looks_bad(const fit_problem *problem, const double *r)
{
    for (int c = 0; c < problem->outputs.count; c++) {
        double squares = 0.0;
        int count = 0;
        for (int i = 0; i < problem->residuals; i++)
            if (problem->output_of[i] == c) {
                const double off = r[i] * problem->sigma[i];
                squares += off * off;
                count++;
            }
        if (sqrt(squares / count) > far_off * fit_spread_of(problem, c) &&
            is_no_noise(fit_neighbour_correlation(problem, r, c), count))
            return true;
    }
    return false;
}

/* One start that has led to a bad fit: once more in stages, unless someone has chosen how. */
static carom_status search_in_stages(course *self, carom_error *error)
{
    fit_problem *problem = &self->problem;
    if (self->starts > 1 || problem->request->stages > 0 || is_interrupted(self) ||
        self->end[0].status != CAROM_OK || !looks_bad(problem, self->end[0].at.r))
        return CAROM_OK;
    finish second = {0};
    if (!fit_take_finish(problem, self->fit->arena, &second))
        return carom_fail_memory(error);
    for (int k = 0; k < problem->unknown_count; k++)
        second.at.x[k] = problem->unknown[k].start;
    fit_search_from(self, problem->threads, STAGES_IN_NEED, &second);
    if (second.status == CAROM_NO_MEMORY)
        return carom_fail_memory(error);
    if (second.status == CAROM_OK && second.at.misfit < self->end[0].at.misfit)
        self->end[0] = second;
    return CAROM_OK;
}

/* ---- weights and the scale of the loss --------------------------------------------------------------------- */

/* Searches again, from where the best start has ended. */
static carom_status search_again(course *self, carom_error *error)
{
    finish *end = &self->end[self->best];
    fit_search_from(self, self->problem.threads, 1, end);
    if (end->status != CAROM_OK && end->status != CAROM_INTERRUPTED) {
        *error = end->error;
        return end->status;
    }
    return CAROM_OK;
}

/* Columns that nobody has weighed have the deviation of their own residuals. */
static carom_status settle_weights(course *self, carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int pass = 0; status == CAROM_OK && pass < WEIGHT_PASSES && !is_interrupted(self); pass++) {
        if (!fit_weigh_columns(&self->problem, self->end[self->best].at.r))
            break;
        status = search_again(self, error);
    }
    return status;
}

static carom_status settle_loss(course *self, carom_error *error)
{
    const carom_fit_request *request = self->problem.request;
    if (request->loss == CAROM_LOSS_SQUARES)
        return CAROM_OK;
    carom_status status = CAROM_OK;
    const int passes = request->loss_scale > 0.0 ? 1 : 3;
    for (int pass = 0; status == CAROM_OK && pass < passes && !is_interrupted(self); pass++) {
        self->loss.kind = request->loss;
        self->loss.scale = request->loss_scale;
        if (passes > 1)
            status = fit_loss_scale_of(&self->problem, self->end[self->best].at.r, request->loss,
                                       &self->loss.scale, error);
        if (status == CAROM_OK)
            status = search_again(self, error);
    }
    return status;
}

/* ---- the result ------------------------------------------------------------------------------------------- */

/* A start at which nothing that is measured depends on an unknown leads nowhere. */
static carom_status check_dependence(course *self, carom_error *error)
{
    fit_problem *problem = &self->problem;
    const finish *end = &self->end[self->best];
    const size_t n = (size_t)problem->residuals;
    for (int k = 0; k < problem->unknown_count; k++) {
        bool depends = false;
        for (size_t i = 0; i < n && !depends; i++)
            depends = end->at.J[(size_t)k * n + i] != 0.0;
        if (!depends)
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "nothing that was measured depends on '%s' (at %s = %.6g): leave it out, or give a "
                "start or data with which it matters",
                problem->unknown[k].name, problem->unknown[k].name, end->at.x[k]);
    }
    return CAROM_OK;
}

static void warn_of_residuals(course *self)
{
    carom_fit *fit = self->fit;
    const fit_problem *problem = &self->problem;
    const char *cure = self->starts > 1
                           ? "the model may lack something"
                           : "this may be another minimum than the best (try --starts 20 with --bound), or "
                             "the model lacks something";
    for (int c = 0; c < fit->column_count; c++) {
        const carom_fit_column *column = &fit->column[c];
        if (column->rms > rounding * fit_spread_of(problem, c) &&
            is_no_noise(column->correlation, column->count))
            fit_warn(fit,
                     "the residuals%s%s are not noise (neighbours are alike, correlation %.2f): %s. Standard "
                     "errors are too small then",
                     fit->column_count > 1 ? " of " : "",
                     fit->column_count > 1 ? problem->request->output[c] : "", column->correlation, cure);
    }
    if (problem->known_sigma && fit->variance > 1.0 + 6.0 * sqrt(2.0 / (double)(fit->residuals - fit->count)))
        fit_warn(fit, "the residuals are %.3g times the standard deviations that were given: %s",
                 sqrt(fit->variance), cure);
}

static void warn_of_motion(course *self)
{
    carom_fit *fit = self->fit;
    fit_problem *problem = &self->problem;
    if (problem->stepped_impacts) {
        const carom_scheme_ops *better = carom_scheme_with(CAROM_SCHEME_LOCATES_IMPACTS);
        const bool known =
            better && carom_scheme_accepts(better, problem->experiment->model, NULL) == CAROM_OK;
        fit_warn(fit,
                 "scheme %s moves impacts from step to step: the misfit has jumps, and derivatives are "
                 "differences over "
                 "them. %s%s%s",
                 problem->scheme->name, known ? "With --scheme " : "A smaller h makes them smaller",
                 known ? better->name : "", known ? " it is smooth and needs far fewer runs" : "");
    }
    int run = -1;
    carom_tangent_break found;
    if (!is_interrupted(self) &&
        fit_find_break(problem, self->end[self->best].at.x, &run, &found, NULL) == CAROM_OK && run >= 0)
        fit_warn(fit, "%s: the fitted motion is not differentiable at t = %.6g: %s",
                 problem->run[run].data->name, found.t, found.why);
}

static void count_ends(course *self)
{
    carom_fit *fit = self->fit;
    const double best = self->end[self->best].at.misfit;
    fit->starts = self->starts;
    fit->best_start = self->best;
    for (int i = 0; i < self->starts; i++)
        fit->same_end +=
            self->end[i].status == CAROM_OK && self->end[i].at.misfit <= best * (1.0 + same_misfit) + DBL_MIN;
}

static carom_status describe(course *self, carom_error *error)
{
    carom_fit *fit = self->fit;
    const finish *end = &self->end[self->best];
    carom_status status = fit_describe(&self->problem, &end->at, self->loss, fit, error);
    if (status == CAROM_OK)
        status = fit_draw_curves(&self->problem, end->at.x, fit, error);
    if (status != CAROM_OK)
        return status;
    fit->iterations = end->iterations;
    fit->runs = self->problem.runs;
    fit->failed_runs = self->problem.failed_runs;
    fit->scheme = self->problem.scheme;
    fit->threads = self->problem.request->no_times ? 0 : self->problem.threads;
    snprintf(fit->word, sizeof fit->word, "%s",
             is_interrupted(self)       ? "interrupted"
             : !end->at.converged       ? "not-converged"
             : fit->direction_count > 0 ? "undetermined"
                                        : "ok");
    if (!end->at.converged && !is_interrupted(self))
        fit_warn(fit, "the search ended %.2g standard errors from the minimum as the derivatives see it",
                 end->at.distance);
    warn_of_residuals(self);
    warn_of_motion(self);
    return CAROM_OK;
}

/* ---- the whole -------------------------------------------------------------------------------------------- */

/* Says where the motion failed. */
static carom_status fail_start(const course *self, carom_status status, carom_error *error)
{
    const fit_problem *problem = &self->problem;
    carom_text where = {0};
    for (int k = 0; k < problem->unknown_count && where.length < 300; k++)
        carom_text_append(&where, "%s%s = %.6g", k ? ", " : "", problem->unknown[k].name,
                          problem->unknown[k].start);
    const carom_error why = *error;
    carom_fail(error, status, "where the fit starts (%s): %s", where.bytes ? where.bytes : "", why.text);
    carom_text_free(&where);
    return status;
}

static carom_status go(course *self, carom_error *error)
{
    fit_problem *problem = &self->problem;
    carom_status status = choose_starts(self, error);
    if (status != CAROM_OK)
        return status;
    fit_first_weights(problem);
    status = fit_choose_derivatives(problem, self->end[0].at.x, error);
    if (status != CAROM_OK && status != CAROM_INTERRUPTED && status != CAROM_NO_MEMORY && self->starts == 1)
        return fail_start(self, status, error);
    if (status != CAROM_OK && self->starts == 1)
        return status;
    if (problem->request->workers && problem->request->workers->follows)
        return fit_share_starts(self, error);
    status = search_all(self, error);
    if (status == CAROM_OK)
        status = search_in_stages(self, error);
    if (status == CAROM_OK && !is_interrupted(self))
        status = check_dependence(self, error);
    if (status == CAROM_OK) {
        count_ends(self);
        status = settle_weights(self, error);
    }
    if (status == CAROM_OK)
        status = settle_loss(self, error);
    if (status == CAROM_OK)
        status = describe(self, error);
    if (status == CAROM_OK && is_interrupted(self))
        status = carom_fail(error, CAROM_INTERRUPTED,
                            "interrupted after %ld runs; the best fit so far is shown", problem->runs);
    return status;
}

carom_status carom_fit_run(const carom_fit_request *request, carom_fit *fit, carom_error *error)
{
    carom_error unseen;
    if (!error)
        error = &unseen;
    *error = (carom_error){0};
    *fit = (carom_fit){.arena = carom_arena_create()};
    const double started = carom_seconds();
    course self = {.fit = fit, .loss = {CAROM_LOSS_SQUARES, 1.0}};
    carom_status status = fit->arena ? check_request(request, error) : carom_fail_memory(error);
    if (status == CAROM_OK) {
        status = fit_problem_create(request, &self.problem, error);
        if (status == CAROM_OK)
            status = go(&self, error);
        fit_problem_free(&self.problem);
    }
    fit->wall_seconds = request->no_times ? 0.0 : carom_seconds() - started;
    return status;
}

void carom_fit_free(carom_fit *fit)
{
    carom_arena_free(fit->arena);
    *fit = (carom_fit){0};
}
