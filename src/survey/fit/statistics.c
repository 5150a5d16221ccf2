/* What the residuals and derivatives at the minimum say: variance, standard errors, correlations, intervals.
 *
 * With J = U S V^T (columns times the scales, those held by bounds left out) the covariance of the unknowns is
 *
 *   C = v V S^-2 V^T,   v = sum r^2 / (n - m),
 *
 * and for a loss psi(r) (Huber 1981, 7.6) v = sum psi^2 / (n - m) / (mean of psi')^2. Directions with s near 0 are not
 * determined: they are left out and named. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "carom/linalg.h"
#include "directions.h"
#include "fit.h"
#include "least_squares.h"
#include "svd.h"

static const double confidence = 0.975; /* on each side */
/* Singular values below these parts of the largest are 0, with exact derivatives and with differences. */
static const double exact_rank = 1e-7, difference_rank = 1e-5;
/* A part of an undetermined direction that counts. */
static const double real_part = 1e-3;
static const double hardly_apart = 0.995;

typedef struct spread {
    const fit_problem *problem;
    const fit_minimum *at;
    carom_fit *fit;
    int count;         /* unknowns that no bound holds */
    int *unknown;      /* which they are */
    double *a, *s, *v; /* of the SVD */
    int rank;
} spread;

void fit_warn(carom_fit *fit, const char *format, ...)
{
    if (fit->warnings >= CAROM_FIT_WARNINGS)
        return;
    va_list list;
    va_start(list, format);
    vsnprintf(fit->warning[fit->warnings], sizeof fit->warning[0], format, list);
    va_end(list);
    fit->warnings++;
}

/* ---- spread ----------------------------------------------------------------------------------------------- */

static bool take_spread(spread *self)
{
    const fit_problem *problem = self->problem;
    const size_t n = (size_t)problem->residuals, m = (size_t)problem->unknown_count;
    carom_arena *arena = self->fit->arena;
    self->unknown = carom_arena_take(arena, m, sizeof *self->unknown);
    self->a = carom_arena_take(arena, carom_product(n, m), sizeof(double));
    self->s = carom_arena_take(arena, m, sizeof(double));
    self->v = carom_arena_take(arena, m * m, sizeof(double));
    return self->unknown && self->a && self->s && self->v;
}

static void decompose(spread *self)
{
    const fit_problem *problem = self->problem;
    const size_t n = (size_t)problem->residuals;
    for (int k = 0; k < problem->unknown_count; k++) {
        if (self->at->held[k])
            continue;
        const double *from = self->at->J + (size_t)k * n;
        double *to = self->a + (size_t)self->count * n;
        for (size_t i = 0; i < n; i++)
            to[i] = from[i] * direction_scale(problem, self->at->x, k);
        self->unknown[self->count++] = k;
    }
    fit_svd((int)n, self->count, self->a, self->s, self->v);
    const double least = problem->together ? exact_rank : difference_rank;
    while (self->rank < self->count && self->s[self->rank] > least * self->s[0])
        self->rank++;
}

/* Covariance of two unknowns of the list, relative to their scales and the variance. */
static double covariance(const spread *self, int i, int k)
{
    double sum = 0.0;
    for (int d = 0; d < self->rank; d++) {
        const double *v = self->v + (size_t)d * (size_t)self->count;
        sum += v[i] * v[k] / (self->s[d] * self->s[d]);
    }
    return sum;
}

static double variance_of(const spread *self, fit_loss loss)
{
    const int n = self->problem->residuals;
    double squares = 0.0, rate = 0.0;
    for (int i = 0; i < n; i++) {
        const double psi = fit_loss_psi(loss, self->at->r[i]);
        squares += psi * psi;
        rate += fit_loss_psi_rate(loss, self->at->r[i]) / n;
    }
    return squares / (n - self->problem->unknown_count) / (rate * rate);
}

/* ---- estimates -------------------------------------------------------------------------------------------- */

static carom_fit_estimate estimate_of(const spread *self, int k)
{
    const fit_unknown *unknown = &self->problem->unknown[k];
    const double x = self->at->x[k];
    return (carom_fit_estimate){.name = carom_arena_copy_text(self->fit->arena, unknown->name),
                                .data = unknown->data,
                                .value = x,
                                .error = NAN,
                                .low = NAN,
                                .high = NAN,
                                .start = unknown->start,
                                .least = unknown->low,
                                .most = unknown->high,
                                .scale = unknown->scale,
                                .bound = !self->at->held[k]  ? CAROM_FIT_FREE
                                         : x <= unknown->low ? CAROM_FIT_AT_LOW
                                                             : CAROM_FIT_AT_HIGH,
                                .determined = !self->at->held[k]};
}

static bool is_determined(const spread *self, int i)
{
    for (int d = self->rank; d < self->count; d++)
        if (fabs(self->v[(size_t)d * (size_t)self->count + (size_t)i]) > real_part)
            return false;
    return true;
}

static void put_errors(spread *self)
{
    carom_fit *fit = self->fit;
    const size_t m = (size_t)fit->count;
    for (int i = 0; i < self->count; i++) {
        const int k = self->unknown[i];
        carom_fit_estimate *to = &fit->parameter[k];
        to->determined = is_determined(self, i);
        if (!to->determined)
            continue;
        to->error =
            sqrt(fit->variance * covariance(self, i, i)) * direction_scale(self->problem, self->at->x, k);
        to->low = fmax(to->value - fit->quantile * to->error, to->least);
        to->high = fmin(to->value + fit->quantile * to->error, to->most);
    }
    for (int i = 0; i < self->count; i++)
        for (int k = 0; k < self->count; k++) {
            const size_t a = (size_t)self->unknown[i], b = (size_t)self->unknown[k];
            if (fit->parameter[a].determined && fit->parameter[b].determined)
                fit->correlation[a * m + b] =
                    i == k ? 1.0
                           : covariance(self, i, k) / sqrt(covariance(self, i, i) * covariance(self, k, k));
        }
}

/* ---- columns ---------------------------------------------------------------------------------------------- */

double fit_neighbour_correlation(const fit_problem *problem, const double *residual, int column)
{
    double products = 0.0, squares = 0.0;
    for (int i = 0; i < problem->run_count; i++) {
        const fit_run *run = &problem->run[i];
        double before = NAN;
        for (int k = run->first; k < run->first + run->residuals; k++) {
            const double r = residual[k];
            if (problem->output_of[k] != column)
                continue;
            squares += r * r;
            products += isnan(before) ? 0.0 : r * before;
            before = r;
        }
    }
    return squares > 0.0 ? products / squares : 0.0;
}

static void put_columns(spread *self)
{
    const fit_problem *problem = self->problem;
    carom_fit *fit = self->fit;
    double weighted = 0.0;
    for (int i = 0; i < problem->residuals; i++) {
        carom_fit_column *column = &fit->column[problem->output_of[i]];
        const double sigma = problem->sigma[i], r = self->at->r[i] * sigma;
        column->rms += r * r;
        column->sigma = column->count++ == 0 || column->sigma == sigma ? sigma : NAN;
        weighted += self->at->r[i] * self->at->r[i];
    }
    for (int c = 0; c < fit->column_count; c++) {
        fit->column[c].rms = fit->column[c].count > 0 ? sqrt(fit->column[c].rms / fit->column[c].count) : 0.0;
        fit->column[c].correlation = fit_neighbour_correlation(problem, self->at->r, c);
    }
    fit->rms = fit->column_count == 1 ? fit->column[0].rms : sqrt(weighted / problem->residuals);
}

static void put_fitted(const spread *self)
{
    const fit_problem *problem = self->problem;
    const int outputs = problem->outputs.count;
    for (int i = 0; i < problem->run_count; i++) {
        const fit_run *run = &problem->run[i];
        for (int k = 0; k < run->data->count * outputs; k++) {
            const int at = run->first + run->place[k];
            self->fit->fitted[i][k] =
                run->place[k] < 0 ? NAN : problem->datum[at] + self->at->r[at] * problem->sigma[at];
        }
    }
}

/* ---- warnings --------------------------------------------------------------------------------------------- */

static void warn_of_pairs(const carom_fit *fit, carom_fit *to)
{
    for (int i = 0; i < fit->count; i++)
        for (int k = 0; k < i; k++) {
            const double c = fit->correlation[i * fit->count + k];
            if (fabs(c) > hardly_apart)
                fit_warn(to, "the data hardly tell %s and %s apart: correlation %.4f", fit->parameter[k].name,
                         fit->parameter[i].name, c);
        }
}

static void warn_of_bounds(carom_fit *fit)
{
    for (int i = 0; i < fit->count; i++)
        if (fit->parameter[i].bound != CAROM_FIT_FREE)
            fit_warn(fit,
                     "%s ended at its bound %.6g: there is no interval for it, and those of the others hold "
                     "for that value",
                     fit->parameter[i].name, fit->parameter[i].value);
}

static bool take_results(carom_fit *fit, const fit_problem *problem)
{
    const size_t m = (size_t)problem->unknown_count;
    fit->count = problem->unknown_count;
    fit->parameter = carom_arena_take(fit->arena, m, sizeof *fit->parameter);
    fit->correlation = carom_arena_take(fit->arena, m * m, sizeof *fit->correlation);
    fit->column_count = problem->outputs.count;
    fit->column = carom_arena_take(fit->arena, (size_t)fit->column_count, sizeof *fit->column);
    fit->data_count = problem->run_count;
    fit->fitted = carom_arena_take(fit->arena, (size_t)problem->run_count, sizeof *fit->fitted);
    bool taken = fit->parameter && fit->correlation && fit->column && fit->fitted;
    for (int i = 0; taken && i < problem->run_count; i++) {
        const size_t cells = (size_t)problem->run[i].data->count * (size_t)problem->outputs.count;
        fit->fitted[i] = carom_arena_take(fit->arena, cells + 1, sizeof **fit->fitted);
        taken = fit->fitted[i] != NULL;
    }
    for (size_t i = 0; taken && i < m * m; i++)
        fit->correlation[i] = NAN;
    return taken;
}

carom_status fit_describe(const fit_problem *problem, const fit_minimum *at, fit_loss loss, carom_fit *fit,
                          carom_error *error)
{
    spread self = {.problem = problem, .at = at, .fit = fit};
    if (!take_results(fit, problem) || !take_spread(&self))
        return carom_fail_memory(error);
    for (int k = 0; k < fit->count; k++)
        if (!(fit->parameter[k] = estimate_of(&self, k)).name)
            return carom_fail_memory(error);
    decompose(&self);
    fit->residuals = problem->residuals;
    fit->misfit = at->misfit;
    fit->variance = variance_of(&self, loss);
    fit->quantile = carom_student_quantile(confidence, problem->residuals - problem->unknown_count);
    fit->exact = problem->together;
    fit->loss_scale = loss.kind == CAROM_LOSS_SQUARES ? NAN : loss.scale;
    put_errors(&self);
    put_columns(&self);
    put_fitted(&self);
    warn_of_bounds(fit);
    warn_of_pairs(fit, fit);
    return fit_name_directions(problem, self.count, self.unknown, self.s, self.v, self.rank, fit, error);
}
