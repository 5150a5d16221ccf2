/* Pseudo-arclength: the curve f(x, p) = 0 in the unknowns z = (x, p) / scale, one point after the other.
 *
 *   predictor   z = z_now + step * direction      the secant of the last two points, at first the tangent
 *   corrector   f = 0,  direction . (z - predictor) = 0
 *
 * Newton's method at fixed p is the corrector with the direction of p. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "follower.h"

enum {
    HALVINGS = 8,
    QUICK = 4, /* iterations up to which the step grows */
};

static const double difference_step = 3e-6;
/* A step that leaves less than this share of the residual: its matrix serves once more. */
static const double quick_enough = 0.02;
/* A Newton step this small, in scaled unknowns, ends the iteration when f is nearly small enough. */
static const double smallest_change = 1e-13, nearly = 1e3;

carom_arclength_options carom_arclength_defaults(void)
{
    return (carom_arclength_options){.step = 0.01,
                                     .step_min = 1e-7,
                                     .step_max = 0.1,
                                     .direction = 1.0,
                                     .tolerance = 1e-10,
                                     .turn = 0.35,
                                     .iterations = 30};
}

carom_arclength_options arclength_fill_options(const carom_arclength_options *given)
{
    const carom_arclength_options defaults = carom_arclength_defaults();
    if (!given)
        return defaults;
    return (carom_arclength_options){.step = carom_given(given->step, defaults.step),
                                     .step_min = carom_given(given->step_min, defaults.step_min),
                                     .step_max = carom_given(given->step_max, defaults.step_max),
                                     .direction = carom_given(given->direction, defaults.direction),
                                     .tolerance = carom_given(given->tolerance, defaults.tolerance),
                                     .turn = carom_given(given->turn, defaults.turn),
                                     .iterations =
                                         given->iterations ? given->iterations : defaults.iterations,
                                     .memo = given->memo};
}

struct carom_arclength {
    carom_arclength_problem problem;
    carom_arclength_options options;
    carom_arena *arena; /* owns everything */
    int size;           /* unknowns with p */
    double *z, *before; /* this point and the one before */
    double *direction;  /* of the next predictor, length 1 */
    double *trial, *predicted, *candidate, *x;
    double *f, *f_plus, *f_minus, *matrix, *change;
    int *pivot;
    double step;
    int steps;
    double dp, dp_before; /* change of p in the last steps */
};

/* ---- the equations in scaled unknowns ----------------------------------------------------------------- */

static double scale_of(const carom_arclength *self, int i)
{
    if (i == self->problem.size)
        return self->problem.parameter_scale > 0.0 ? self->problem.parameter_scale : 1.0;
    return self->problem.scale ? self->problem.scale[i] : 1.0;
}

static bool evaluate(carom_arclength *self, const double *z, double *f)
{
    const int n = self->problem.size;
    for (int i = 0; i < n; i++)
        self->x[i] = z[i] * scale_of(self, i);
    const carom_branch_memo *memo = self->options.memo;
    const double p = z[n] * scale_of(self, n);
    bool good = false;
    if (memo && memo->recall(memo->context, n, self->x, p, n, f, &good))
        return good;
    good = self->problem.residual(self->problem.context, self->x, p, f) && carom_all_finite(n, f);
    if (memo)
        memo->keep(memo->context, n, self->x, p, n, f, good);
    return good;
}

/* Column i of the matrix by central differences. */
static bool differentiate(carom_arclength *self, double *z, int i)
{
    const int n = self->problem.size, size = self->size;
    const double kept = z[i], h = difference_step * fmax(1.0, fabs(kept));
    z[i] = kept + h;
    bool good = evaluate(self, z, self->f_plus);
    z[i] = kept - h;
    good = good && evaluate(self, z, self->f_minus);
    z[i] = kept;
    for (int row = 0; row < n && good; row++)
        self->matrix[row * size + i] = (self->f_plus[row] - self->f_minus[row]) / (2.0 * h);
    return good;
}

static bool given_jacobian(carom_arclength *self, const double *z)
{
    const int n = self->problem.size, size = self->size;
    const carom_branch_memo *memo = self->options.memo;
    const double p = z[n] * scale_of(self, n);
    double *by_x = self->matrix, *by_p = self->matrix + n * n; /* it has (n + 1)^2 places */
    bool good = false;
    for (int i = 0; i < n; i++)
        self->x[i] = z[i] * scale_of(self, i);
    if (!memo || !memo->recall(memo->context, n, self->x, p, n * n + n, by_x, &good)) {
        good = self->problem.jacobian(self->problem.context, self->x, p, by_x, by_p);
        if (memo)
            memo->keep(memo->context, n, self->x, p, n * n + n, by_x, good);
    }
    if (!good)
        return false;
    memcpy(self->f_plus, by_p, (size_t)n * sizeof *by_p);
    by_p = self->f_plus;
    for (int row = n - 1; row >= 0; row--) { /* n columns become n + 1: from the end */
        self->matrix[row * size + n] = by_p[row] * scale_of(self, n);
        for (int i = n - 1; i >= 0; i--)
            self->matrix[row * size + i] = by_x[row * n + i] * scale_of(self, i);
    }
    return true;
}

static bool fill_matrix(carom_arclength *self, double *z, const double *direction)
{
    const int n = self->problem.size;
    memcpy(self->matrix + n * self->size, direction, (size_t)self->size * sizeof *direction);
    if (self->problem.jacobian) {
        const bool good = given_jacobian(self, z);
        memcpy(self->matrix + n * self->size, direction, (size_t)self->size * sizeof *direction);
        return good;
    }
    for (int i = 0; i <= n; i++)
        if (!differentiate(self, z, i))
            return false;
    return true;
}

/* ---- Newton's method ---------------------------------------------------------------------------------- */

typedef struct outcome {
    bool converged;
    int iterations;
    double residual;
} outcome;

/* One damped step from z, whose f stands in self->f; *residual is max |f| before and after. With `again` the
 * matrix of the last step serves. False when nothing reduces it. */
static bool newton_step(carom_arclength *self, const double *direction, bool again, double *z,
                        double *residual)
{
    const int n = self->problem.size, size = self->size;
    if (!again && (!fill_matrix(self, z, direction) || carom_lu_factor(size, self->matrix, self->pivot) != 0))
        return false;
    memcpy(self->change, self->f, (size_t)n * sizeof(double));
    self->change[n] = 0.0; /* the predictor lies on the hyperplane, and steps stay on it */
    carom_lu_solve(size, self->matrix, self->pivot, self->change);
    if (!carom_all_finite(size, self->change))
        return false;
    double share = 1.0;
    for (int halving = 0; halving < HALVINGS; halving++, share *= 0.5) {
        memcpy(self->candidate, z, (size_t)size * sizeof(double));
        carom_axpy(size, -share, self->change, self->candidate);
        if (!evaluate(self, self->candidate, self->f))
            continue;
        const double after = carom_largest(n, self->f);
        if (after < *residual || after <= self->options.tolerance) {
            memcpy(z, self->candidate, (size_t)size * sizeof(double));
            *residual = after;
            return true;
        }
    }
    return false;
}

static outcome correct(carom_arclength *self, const double *direction, double *z)
{
    const double tolerance = self->options.tolerance;
    outcome out = {.residual = NAN};
    if (!evaluate(self, z, self->f))
        return out;
    out.residual = carom_largest(self->problem.size, self->f);
    bool again = false;
    while (!(out.converged = out.residual <= tolerance) && out.iterations < self->options.iterations) {
        const double before = out.residual;
        out.iterations++;
        if (again && !newton_step(self, direction, true, z, &out.residual)) {
            again = false;
            evaluate(self, z, self->f);
            continue;
        }
        if (!again && !newton_step(self, direction, false, z, &out.residual)) {
            out.converged =
                out.residual <= nearly * tolerance && carom_largest(self->size, self->change) <= 1e-9;
            return out;
        }
        if (carom_largest(self->size, self->change) <= smallest_change &&
            out.residual <= nearly * tolerance) {
            out.converged = true;
            return out;
        }
        again = out.residual < quick_enough * before;
    }
    return out;
}

/* ---- life --------------------------------------------------------------------------------------------- */

static carom_status check(const carom_arclength_problem *problem, const carom_arclength_options *options,
                          carom_error *error)
{
    if (problem->size < 1 || !problem->residual)
        return carom_fail(error, CAROM_BAD_INPUT, "a curve f(x, p) = 0 needs f and at least one unknown");
    if (!(options->step > 0.0) || !(options->step_min > 0.0) || !(options->step_max >= options->step_min) ||
        !(options->tolerance > 0.0) || options->iterations < 1 || !(options->turn > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "steps, tolerance and largest angle must be positive (step %g, from %g to %g, "
                          "tolerance %g, angle %g)",
                          options->step, options->step_min, options->step_max, options->tolerance,
                          options->turn);
    return CAROM_OK;
}

static carom_arclength *take(const carom_arclength_problem *problem, const carom_arclength_options *options)
{
    const size_t size = (size_t)problem->size + 1;
    carom_arena *arena = carom_arena_create();
    carom_arclength *self = arena ? carom_arena_take(arena, 1, sizeof *self) : NULL;
    if (!self) {
        carom_arena_free(arena);
        return NULL;
    }
    self->problem = *problem;
    self->options = *options;
    self->arena = arena;
    self->size = problem->size + 1;
    self->step = options->step;
    double **vectors[] = {&self->z,         &self->before, &self->direction, &self->trial,
                          &self->predicted, &self->x,      &self->f,         &self->f_plus,
                          &self->f_minus,   &self->change, &self->candidate};
    bool taken = true;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        taken = (*vectors[i] = carom_arena_take(arena, size, sizeof(double))) && taken;
    self->matrix = carom_arena_take(arena, carom_product(size, size), sizeof(double));
    self->pivot = carom_arena_take(arena, size, sizeof(int));
    if (taken && self->matrix && self->pivot)
        return self;
    carom_arena_free(arena);
    return NULL;
}

static void set_point(carom_arclength *self, const double *x, double p)
{
    const int n = self->problem.size;
    for (int i = 0; i < n; i++)
        self->z[i] = x[i] / scale_of(self, i);
    self->z[n] = p / scale_of(self, n);
    memset(self->direction, 0, (size_t)self->size * sizeof(double));
    self->direction[n] = 1.0;
}

static carom_status fail_newton(const outcome *out, double p, carom_error *error)
{
    if (isnan(out->residual))
        return carom_fail(error, CAROM_FAILED,
                          "the Newton path is lost: the equations cannot be computed at the start (parameter "
                          "%.9g); a better guess is needed",
                          p);
    return carom_fail(error, CAROM_FAILED,
                      "the Newton path is lost at parameter %.9g: after %d iterations the residual is %.3g; "
                      "start nearer to a solution, or follow the branch in smaller steps of the parameter",
                      p, out->iterations, out->residual);
}

static carom_status begin(const carom_arclength_problem *problem, const carom_arclength_options *options,
                          const double *x, double p, carom_arclength **curve, carom_error *error)
{
    const carom_arclength_options filled = arclength_fill_options(options);
    const carom_status status = check(problem, &filled, error);
    if (status != CAROM_OK)
        return status;
    *curve = take(problem, &filled);
    if (!*curve)
        return carom_fail_memory(error);
    set_point(*curve, x, p);
    return CAROM_OK;
}

carom_status carom_newton(const carom_arclength_problem *problem, const carom_arclength_options *options,
                          double p, double *x, int *iterations, double *residual, carom_error *error)
{
    carom_arclength *self = NULL;
    const carom_status status = begin(problem, options, x, p, &self, error);
    if (status != CAROM_OK)
        return status;
    const outcome out = correct(self, self->direction, self->z);
    if (iterations)
        *iterations = out.iterations;
    if (residual)
        *residual = out.residual;
    if (out.converged)
        for (int i = 0; i < problem->size; i++)
            x[i] = self->z[i] * scale_of(self, i);
    carom_arclength_free(self);
    return out.converged ? CAROM_OK : fail_newton(&out, p, error);
}

/* The tangent: f_x dx + f_p dp = 0 with dp = 1, then of length 1 in the wanted direction. */
static bool find_tangent(carom_arclength *self)
{
    if (!fill_matrix(self, self->z, self->direction) ||
        carom_lu_factor(self->size, self->matrix, self->pivot) != 0)
        return false;
    memset(self->change, 0, (size_t)self->size * sizeof(double));
    self->change[self->problem.size] = 1.0;
    carom_lu_solve(self->size, self->matrix, self->pivot, self->change);
    const double length = sqrt(carom_dot(self->size, self->change, self->change));
    if (!isfinite(length))
        return false;
    for (int i = 0; i < self->size; i++)
        self->direction[i] = copysign(1.0, self->options.direction) * self->change[i] / length;
    return true;
}

carom_status carom_arclength_create(const carom_arclength_problem *problem,
                                    const carom_arclength_options *options, const double *x, double p,
                                    carom_arclength **curve, carom_error *error)
{
    *curve = NULL;
    carom_arclength *self = NULL;
    carom_status status = begin(problem, options, x, p, &self, error);
    if (status != CAROM_OK)
        return status;
    const outcome out = correct(self, self->direction, self->z);
    if (!out.converged)
        status = fail_newton(&out, p, error);
    else if (!find_tangent(self))
        status = carom_fail(error, CAROM_FAILED,
                            "there is no tangent at parameter %.9g: the start is a fold or a point where "
                            "branches meet; start beside it",
                            p);
    if (status == CAROM_OK) {
        memcpy(self->before, self->z, (size_t)self->size * sizeof(double));
        *curve = self;
    } else {
        carom_arclength_free(self);
    }
    return status;
}

carom_status arclength_create_along(const carom_arclength_problem *problem,
                                    const carom_arclength_options *options, const double *x, double p,
                                    const double *direction, carom_arclength **curve, carom_error *error)
{
    *curve = NULL;
    carom_arclength *self = NULL;
    const carom_status status = begin(problem, options, x, p, &self, error);
    if (status != CAROM_OK)
        return status;
    memcpy(self->before, self->z, (size_t)self->size * sizeof(double));
    for (int i = 0; i < problem->size; i++)
        self->direction[i] = direction[i] / scale_of(self, i);
    self->direction[problem->size] = 0.0;
    const double length = sqrt(carom_dot(self->size, self->direction, self->direction));
    for (int i = 0; i < self->size; i++)
        self->direction[i] /= length;
    *curve = self;
    return CAROM_OK;
}

void carom_arclength_free(carom_arclength *curve)
{
    if (curve)
        carom_arena_free(curve->arena);
}

/* ---- steps -------------------------------------------------------------------------------------------- */

/* The corrected point must not be far from the predictor: otherwise it lies on another branch, or the curve
 * bends too much for this step. */
static bool is_near(const carom_arclength *self, double *length)
{
    double along = 0.0, square = 0.0;
    for (int i = 0; i < self->size; i++) {
        const double d = self->trial[i] - self->z[i];
        along += d * self->direction[i];
        square += d * d;
    }
    *length = sqrt(square);
    return along > 0.0 && along >= cos(self->options.turn) * *length;
}

static void accept(carom_arclength *self, double length, int iterations)
{
    for (int i = 0; i < self->size; i++) {
        self->before[i] = self->z[i];
        self->direction[i] = (self->trial[i] - self->z[i]) / length;
        self->z[i] = self->trial[i];
    }
    self->dp_before = self->dp;
    self->dp = self->z[self->size - 1] - self->before[self->size - 1];
    self->steps++;
    if (iterations <= QUICK)
        self->step = fmin(1.3 * self->step, self->options.step_max);
}

carom_status carom_arclength_step(carom_arclength *curve, carom_error *error)
{
    const size_t bytes = (size_t)curve->size * sizeof(double);
    outcome out = {.residual = NAN};
    for (; curve->step >= curve->options.step_min; curve->step *= 0.5) {
        memcpy(curve->trial, curve->z, bytes);
        carom_axpy(curve->size, curve->step, curve->direction, curve->trial);
        out = correct(curve, curve->direction, curve->trial);
        double length = 0.0;
        if (out.converged && is_near(curve, &length)) {
            accept(curve, length, out.iterations);
            return CAROM_OK;
        }
    }
    curve->step = curve->options.step_min;
    return carom_fail(error, CAROM_FAILED,
                      "the Newton path is lost after parameter %.9g: steps down to %.3g fail (residual %.3g)",
                      carom_arclength_parameter(curve), curve->options.step_min, out.residual);
}

const double *carom_arclength_x(const carom_arclength *curve)
{
    for (int i = 0; i < curve->problem.size; i++)
        curve->x[i] = curve->z[i] * scale_of(curve, i);
    return curve->x;
}

double carom_arclength_parameter(const carom_arclength *curve)
{
    return curve->z[curve->size - 1] * scale_of(curve, curve->size - 1);
}

int arclength_size(const carom_arclength *curve)
{
    return curve->problem.size;
}

bool arclength_slope(carom_arclength *curve, double share, double *slope)
{
    const int size = curve->size;
    double *at = curve->predicted;
    for (int i = 0; i < size; i++)
        at[i] = curve->before[i] + share * (curve->z[i] - curve->before[i]);
    if ((share != 1.0 && !correct(curve, curve->direction, at).converged) ||
        !fill_matrix(curve, at, curve->direction) || carom_lu_factor(size, curve->matrix, curve->pivot) != 0)
        return false;
    memset(curve->change, 0, (size_t)size * sizeof(double));
    curve->change[size - 1] = 1.0;
    carom_lu_solve(size, curve->matrix, curve->pivot, curve->change);
    *slope = curve->change[size - 1] / sqrt(carom_dot(size, curve->change, curve->change));
    return isfinite(*slope);
}

bool carom_arclength_folded(const carom_arclength *curve)
{
    return curve->steps > 1 && curve->dp * curve->dp_before < 0.0;
}

carom_status carom_arclength_between(carom_arclength *curve, double share, double *x, double *p,
                                     carom_error *error)
{
    const int n = curve->problem.size;
    for (int i = 0; i < curve->size; i++)
        curve->predicted[i] = curve->before[i] + share * (curve->z[i] - curve->before[i]);
    const outcome out = correct(curve, curve->direction, curve->predicted);
    *p = curve->predicted[n] * scale_of(curve, n);
    for (int i = 0; i < n; i++)
        x[i] = curve->predicted[i] * scale_of(curve, i);
    return out.converged ? CAROM_OK : fail_newton(&out, *p, error);
}
