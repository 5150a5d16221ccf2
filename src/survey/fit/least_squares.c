#include "least_squares.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "svd.h"

static const double first_damping = 1e-3;
static const double most_damping = 1e16;
/* A singular value below this part of the largest says nothing. */
static const double rank_tolerance = 1e-9;
/* Steps below this part of the scales change nothing. */
static const double smallest_step = 1e-13, rounding_step = 1e-11;
/* Where no step helps and this many standard errors remain the misfit is not what its derivatives say. */
static const double far_from_settled = 1.0;
/* Of what a step promised it must hold so much. */
static const double least_gain = 1e-4;

typedef struct search {
    const fit_squares *problem;
    fit_minimum *at;
    double *residual, *jacobian; /* weighted by the loss; then the jacobian of the trial */
    double *trial, *trial_r;     /* a point and its residuals */
    double *gradient, *size;     /* D */
    double *a, *s, *v, *part;    /* of the SVD; u_k^T r */
    double *step, *path;         /* scaled step of the free unknowns; J times the change of x */
    int *free, free_count;       /* unknowns that no bound holds */
} search;

double fit_misfit(const fit_squares *problem, const double *r)
{
    double sum = 0.0;
    for (int i = 0; i < problem->residuals; i++)
        sum += fit_loss_value(problem->loss, r[i]);
    return sum;
}

static bool take_memory(search *self, carom_arena *arena)
{
    const size_t n = (size_t)self->problem->residuals, m = (size_t)self->problem->unknowns;
    const size_t full = carom_product(n, m);
    self->residual = carom_arena_take(arena, n, sizeof(double));
    self->jacobian = carom_arena_take(arena, full, sizeof(double));
    self->trial = carom_arena_take(arena, m, sizeof(double));
    self->trial_r = carom_arena_take(arena, n, sizeof(double));
    self->gradient = carom_arena_take(arena, m, sizeof(double));
    self->size = carom_arena_take(arena, m, sizeof(double));
    self->a = carom_arena_take(arena, full, sizeof(double));
    self->s = carom_arena_take(arena, m, sizeof(double));
    self->v = carom_arena_take(arena, m * m, sizeof(double));
    self->part = carom_arena_take(arena, m, sizeof(double));
    self->step = carom_arena_take(arena, m, sizeof(double));
    self->path = carom_arena_take(arena, n, sizeof(double));
    self->free = carom_arena_take(arena, m, sizeof(int));
    return self->residual && self->jacobian && self->trial && self->trial_r && self->gradient && self->size &&
           self->a && self->s && self->v && self->part && self->step && self->path && self->free;
}

/* ---- the linear problem ---------------------------------------------------------------------------------- */

/* sqrt(rho') r and sqrt(rho') J: squares with the same gradient as the loss. */
static void weigh(search *self)
{
    const size_t n = (size_t)self->problem->residuals, m = (size_t)self->problem->unknowns;
    for (size_t i = 0; i < n; i++) {
        const double w = sqrt(fit_loss_weight(self->problem->loss, self->at->r[i]));
        self->residual[i] = w * self->at->r[i];
        for (size_t k = 0; k < m; k++)
            self->jacobian[k * n + i] = w * self->at->J[k * n + i];
    }
    for (size_t k = 0; k < m; k++) {
        const double *column = self->jacobian + k * n;
        const double length = sqrt(carom_dot((int)n, column, column));
        self->gradient[k] = carom_dot((int)n, column, self->residual);
        self->size[k] = fmax(self->size[k], length);
        if (!(self->size[k] > 0.0))
            self->size[k] = 1.0 / self->problem->scale[k];
    }
}

static bool is_held(const search *self, int k)
{
    const fit_squares *problem = self->problem;
    const double x = self->at->x[k], g = self->gradient[k];
    return (x <= problem->low[k] && g >= 0.0) || (x >= problem->high[k] && g <= 0.0);
}

static void decompose(search *self)
{
    const size_t n = (size_t)self->problem->residuals;
    self->free_count = 0;
    for (int k = 0; k < self->problem->unknowns; k++) {
        self->at->held[k] = is_held(self, k);
        if (self->at->held[k])
            continue;
        double *column = self->a + (size_t)self->free_count * n;
        for (size_t i = 0; i < n; i++)
            column[i] = self->jacobian[(size_t)k * n + i] / self->size[k];
        self->free[self->free_count++] = k;
    }
    fit_svd((int)n, self->free_count, self->a, self->s, self->v);
    for (int k = 0; k < self->free_count; k++)
        self->part[k] =
            self->s[k] > 0.0 ? carom_dot((int)n, self->a + (size_t)k * n, self->residual) / self->s[k] : 0.0;
}

/* By how much the misfit would fall if the residuals were linear. */
static double promised(const search *self)
{
    double sum = 0.0;
    for (int k = 0; k < self->free_count; k++)
        if (self->s[k] > rank_tolerance * self->s[0])
            sum += self->part[k] * self->part[k];
    return sum;
}

/* The whole way to the minimum of the linear problem is nothing. */
static bool is_rounding(const search *self)
{
    const int count = self->free_count;
    for (int i = 0; i < count; i++) {
        double way = 0.0;
        for (int k = 0; k < count && self->s[k] > rank_tolerance * self->s[0]; k++)
            way += self->v[k * count + i] * self->part[k] / self->s[k];
        const int unknown = self->free[i];
        if (!(fabs(way / self->size[unknown]) <= rounding_step * self->problem->scale[unknown]))
            return false;
    }
    return true;
}

/* At the minimum within the tolerance, or within rounding. */
static bool is_settled(search *self)
{
    const int freedom = self->problem->residuals - self->problem->unknowns;
    const double variance = self->at->misfit / (freedom > 0 ? freedom : 1);
    const double gain = promised(self), tolerance = self->problem->tolerance;
    self->at->distance = gain > 0.0 ? sqrt(gain / variance) : 0.0;
    return self->at->distance <= tolerance || is_rounding(self);
}

/* ---- steps ----------------------------------------------------------------------------------------------- */

/* The trial point for this damping; false when it is the point itself. */
static bool choose_trial(search *self, double damping)
{
    const fit_squares *problem = self->problem;
    const int count = self->free_count;
    memcpy(self->trial, self->at->x, (size_t)problem->unknowns * sizeof *self->trial);
    memset(self->step, 0, (size_t)problem->unknowns * sizeof *self->step);
    for (int k = 0; k < count; k++) {
        const double s = self->s[k], reach = s > 0.0 ? -self->part[k] * s / (s * s + damping) : 0.0;
        carom_axpy(count, reach, self->v + (size_t)k * (size_t)count, self->step);
    }
    bool moves = false;
    for (int k = 0; k < count; k++) {
        const int i = self->free[k];
        const double wanted = self->at->x[i] + self->step[k] / self->size[i];
        self->trial[i] = fmin(fmax(wanted, problem->low[i]), problem->high[i]);
        moves = moves || fabs(self->trial[i] - self->at->x[i]) > smallest_step * problem->scale[i];
    }
    return moves;
}

/* By how much the misfit would fall at the trial point if the residuals were linear. */
static double predict(search *self)
{
    const size_t n = (size_t)self->problem->residuals;
    double slope = 0.0;
    memset(self->path, 0, n * sizeof *self->path);
    for (int k = 0; k < self->problem->unknowns; k++) {
        const double change = self->trial[k] - self->at->x[k];
        slope += self->gradient[k] * change;
        carom_axpy((int)n, change, self->jacobian + (size_t)k * n, self->path);
    }
    return -2.0 * slope - carom_dot((int)n, self->path, self->path);
}

/* The misfit of the trial point; infinite where there is none. */
static carom_status try_trial(search *self, double *misfit, carom_error *error)
{
    const fit_squares *problem = self->problem;
    const carom_status status = problem->evaluate(problem->context, self->trial, self->trial_r,
                                                  problem->together ? self->a : NULL, error);
    *misfit = status == CAROM_OK ? fit_misfit(problem, self->trial_r) : INFINITY;
    if (isnan(*misfit))
        *misfit = INFINITY;
    return status == CAROM_FAILED ? CAROM_OK : status;
}

static carom_status accept(search *self, double misfit, carom_error *error)
{
    const fit_squares *problem = self->problem;
    fit_minimum *at = self->at;
    const size_t n = (size_t)problem->residuals, m = (size_t)problem->unknowns;
    memcpy(at->x, self->trial, m * sizeof *at->x);
    memcpy(at->r, self->trial_r, n * sizeof *at->r);
    at->misfit = misfit;
    at->iterations++;
    if (!problem->together)
        return problem->evaluate(problem->context, at->x, NULL, at->J, error);
    memcpy(at->J, self->a, n * m * sizeof *at->J);
    return CAROM_OK;
}

/* One step that helps; *stuck when there is none. The damping follows Nielsen (1999). */
static carom_status improve(search *self, double *damping, bool *stuck, carom_error *error)
{
    double growth = 2.0;
    for (*stuck = false; !*stuck;) {
        if (*damping > most_damping || !choose_trial(self, *damping)) {
            *stuck = true;
            break;
        }
        const double hoped = predict(self);
        double misfit = INFINITY;
        const carom_status status = hoped > 0.0 ? try_trial(self, &misfit, error) : CAROM_OK;
        if (status != CAROM_OK)
            return status;
        const double gain = (self->at->misfit - misfit) / hoped;
        if (hoped > 0.0 && gain > least_gain) {
            const double cube = 2.0 * gain - 1.0;
            *damping *= fmax(0.1, 1.0 - cube * cube * cube);
            return accept(self, misfit, error);
        }
        *damping *= growth;
        growth *= 2.0;
    }
    return CAROM_OK;
}

static carom_status follow(search *self, carom_error *error)
{
    const fit_squares *problem = self->problem;
    fit_minimum *at = self->at;
    carom_status status = problem->evaluate(problem->context, at->x, at->r, at->J, error);
    if (status != CAROM_OK)
        return status;
    at->misfit = fit_misfit(problem, at->r);
    double damping = first_damping;
    bool stuck = false;
    for (int step = 0; step <= problem->max_iterations; step++) {
        weigh(self);
        decompose(self);
        at->converged = is_settled(self);
        if (at->converged || step == problem->max_iterations)
            break;
        status = improve(self, &damping, &stuck, error);
        if (status != CAROM_OK || stuck)
            break;
    }
    at->converged = at->converged || (stuck && at->distance <= far_from_settled);
    return status;
}

carom_status fit_squares_minimize(const fit_squares *problem, fit_minimum *at, carom_error *error)
{
    carom_arena *arena = carom_arena_create();
    search self = {.problem = problem, .at = at};
    at->iterations = 0;
    at->converged = false;
    at->misfit = INFINITY;
    const carom_status status =
        arena && take_memory(&self, arena) ? follow(&self, error) : carom_fail_memory(error);
    carom_arena_free(arena);
    return status;
}
