/* The programs over cones of Algorithm 12 by a primal-dual interior-point method: s = mu |u_T| is frozen, the
 * program is solved, u = W r + q, and again.
 *
 * With x = D r, D = (mu, 1, 1) per contact, the cone is L of second_order_cone.h, and the program is
 *
 *   z = Q x + c,  x in L, z in L, x o z = 0,   Q = D^-1 W D^-1,  c = D^-1 (q + s).
 *
 * A step with the scaling S of Nesterov and Todd, y = S z = S^-1 x:
 *
 *   (Q + S^-2) dx = -(Q x + c - z) + S^-1 (y \ t),   dz = S^-1 (y \ t) - S^-2 dx,
 *
 * t = -y o y for the prediction, t = m e - y o y - (S^-1 dx) o (S dz) for the correction (Mehrotra), m being
 * the mean of x.z times the cube of the part that the prediction leaves of it. One step length for both. A
 * contact without friction has a half-line: its tangents are left out of Q and stay zero. W need not be
 * symmetric. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/dense_blocks.h"
#include "contact/coulomb/parts/watch.h"
#include "contact/coulomb/vi_problem.h"
#include "contact/solvers.h"
#include "second_order_cone.h"

enum {
    DEFAULT_PASSES = 1000,
    IDLE_PASSES = 30, /* without a smaller error, then it is at its end */
};

/* A step ends this far before the boundary; one shorter than the second number is none. */
static const double boundary_part = 0.99, smallest_step = 1e-8;
/* m is at least this part of the mean of x.z: farther from the centre x_T and z_T are not parallel, and r is
 * only as close as the root of x.z. */
static const double smallest_centre = 0.1;

enum {
    OPTION_FACTOR,
    OPTION_LIMIT,
    OPTION_COUNT
};

static const carom_option_info options[OPTION_COUNT] = {
    [OPTION_FACTOR] = {"inner_tolerance", 0.1, 1e-8, 1.0, NULL,
                       "tolerance of a program, as a part of the present error"},
    [OPTION_LIMIT] = {"inner_iterations", 60.0, 1.0, 1e6, NULL, "most iterations for a program"},
};

typedef struct interior_point {
    const carom_coulomb *problem;
    coulomb_watch watch;
    coulomb_dense dense;
    coulomb_vi vi; /* the program, for its residual; b = q + s */
    int limit;
    cone_scaling *scaling; /* per contact */
    double *memory;
    double *b, *F, *x, *z, *residual, *y, *target, *dx, *dz;
} interior_point;

enum {
    VECTORS = 10
};

static void begin(interior_point *self, const carom_coulomb *problem)
{
    const size_t size = 3 * (size_t)problem->contacts;
    double **const vector[] = {&self->b, &self->F,      &self->x,  &self->z, &self->residual,
                               &self->y, &self->target, &self->dx, &self->dz};
    self->problem = problem;
    coulomb_dense_begin(&self->dense, &problem->W);
    for (size_t k = 0; k < sizeof vector / sizeof vector[0]; k++)
        *vector[k] = self->memory + (k + 1) * size;
    memcpy(self->b, problem->q, size * sizeof(double));
    self->vi = (coulomb_vi){.W = problem->W, .b = self->b, .mu = problem->mu, .set = COULOMB_SET_CONE};
}

/* 1 / D of the components of a contact; 0 for those that are left out. */
static void inverse_weights(double mu, double weight[3])
{
    weight[0] = mu > 0.0 ? 1.0 / mu : 1.0;
    weight[1] = weight[2] = mu > 0.0 ? 1.0 : 0.0;
}

static void weigh(const interior_point *self, const double *a, double *weighed)
{
    for (int i = 0; i < self->problem->contacts; i++) {
        double weight[3];
        inverse_weights(self->problem->mu[i], weight);
        for (int k = 0; k < 3; k++)
            weighed[3 * (ptrdiff_t)i + k] = weight[k] * a[3 * (ptrdiff_t)i + k];
    }
}

/* r = D^-1 x, brought into the cone where rounding left it. */
static void take_impulses(const interior_point *self, double *r)
{
    weigh(self, self->x, r);
    for (int i = 0; i < self->problem->contacts; i++) {
        double p[3];
        carom_cone_project(self->problem->mu[i], r + 3 * (ptrdiff_t)i, p);
        memcpy(r + 3 * (ptrdiff_t)i, p, sizeof p);
    }
}

/* F = W r + b at the present r: the residual of the program, and that of the linear equation, Q x + c - z. */
static double program_residual(interior_point *self, double *r)
{
    take_impulses(self, r);
    coulomb_vi_map(&self->vi, r, self->F);
    weigh(self, self->F, self->residual);
    for (int k = 0; k < self->dense.size; k++)
        self->residual[k] -= self->z[k];
    return coulomb_vi_residual(&self->vi, r, self->F);
}

/* Multiples of (1, 0, 0) of the size that q and the diagonal of W suggest. */
static void start(interior_point *self)
{
    const double velocity = fmax(carom_largest(self->dense.size, self->b), 1e-300);
    const double diagonal = coulomb_mean_diagonal(&self->problem->W);
    memset(self->x, 0, (size_t)self->dense.size * sizeof(double));
    memset(self->z, 0, (size_t)self->dense.size * sizeof(double));
    for (int i = 0; i < self->problem->contacts; i++) {
        self->x[3 * (ptrdiff_t)i] = diagonal > 0.0 ? velocity / diagonal : 1.0;
        self->z[3 * (ptrdiff_t)i] = velocity;
    }
}

static void scale_rows_and_columns(interior_point *self)
{
    const size_t n = (size_t)self->dense.size;
    double *const weight = self->target; /* free until the right-hand side is made */
    for (int i = 0; i < self->problem->contacts; i++)
        inverse_weights(self->problem->mu[i], weight + 3 * (ptrdiff_t)i);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            self->dense.matrix[i * n + j] *= weight[i] * weight[j];
}

/* Q + S^-2, factored; a part of the diagonal is added when rounding leaves it indefinite. */
static bool factor(interior_point *self, double shift)
{
    const size_t n = (size_t)self->dense.size;
    coulomb_dense_fill(&self->dense, &self->problem->W);
    scale_rows_and_columns(self);
    for (int i = 0; i < self->problem->contacts; i++) {
        double hessian[9];
        cone_hessian(&self->scaling[i], hessian);
        double *const to = self->dense.matrix + 3 * (size_t)i * (n + 1);
        for (size_t k = 0; k < 9; k++)
            to[k / 3 * n + k % 3] += hessian[k];
        for (size_t k = 0; k < 3; k++)
            to[k * (n + 1)] *= 1.0 + shift;
    }
    return coulomb_dense_factor(&self->dense);
}

/* The mean of x.z after a step. */
static double mean_product(const interior_point *self, double step)
{
    double sum = 0.0;
    for (int k = 0; k < self->dense.size; k++)
        sum += (self->x[k] + step * self->dx[k]) * (self->z[k] + step * self->dz[k]);
    return sum / self->problem->contacts;
}

static void find_scaling(interior_point *self)
{
    for (int i = 0; i < self->problem->contacts; i++) {
        const ptrdiff_t at = 3 * (ptrdiff_t)i;
        self->scaling[i] = cone_scaling_of(self->x + at, self->z + at);
        cone_scale(&self->scaling[i], self->z + at, self->y + at);
    }
}

/* dx and dz for the right-hand side t in `target`. dz comes from the linear equation, dz = Q dx + Q x + c -
 * z, which then holds to rounding after a full step; S^-2 dx would lose its digits near the solution. */
static void find_direction(interior_point *self)
{
    for (int i = 0; i < self->problem->contacts; i++) {
        const ptrdiff_t at = 3 * (ptrdiff_t)i;
        double quotient[3];
        cone_solve(self->y + at, self->target + at, quotient);
        cone_unscale(&self->scaling[i], quotient, self->target + at);
    }
    for (int k = 0; k < self->dense.size; k++)
        self->dx[k] = self->target[k] - self->residual[k];
    coulomb_dense_solve(&self->dense, self->dx);
    weigh(self, self->dx, self->F);
    carom_blocks_multiply(&self->problem->W, self->F, NULL, self->target);
    weigh(self, self->target, self->dz);
    carom_axpy(self->dense.size, 1.0, self->residual, self->dz);
}

static void predict(interior_point *self)
{
    for (int i = 0; i < self->problem->contacts; i++) {
        const ptrdiff_t at = 3 * (ptrdiff_t)i;
        cone_product(self->y + at, self->y + at, self->target + at);
        for (int k = 0; k < 3; k++)
            self->target[at + k] *= -1.0;
    }
    find_direction(self);
}

static void correct(interior_point *self, double centre)
{
    for (int i = 0; i < self->problem->contacts; i++) {
        const ptrdiff_t at = 3 * (ptrdiff_t)i;
        double square[3], dx[3], dz[3], second_order[3];
        cone_product(self->y + at, self->y + at, square);
        cone_unscale(&self->scaling[i], self->dx + at, dx);
        cone_scale(&self->scaling[i], self->dz + at, dz);
        cone_product(dx, dz, second_order);
        for (int k = 0; k < 3; k++)
            self->target[at + k] = (k == 0 ? centre : 0.0) - square[k] - second_order[k];
    }
    find_direction(self);
}

static double longest_step(const interior_point *self)
{
    double step = INFINITY;
    for (int i = 0; i < self->problem->contacts; i++) {
        const ptrdiff_t at = 3 * (ptrdiff_t)i;
        step = fmin(step, cone_longest_step(self->x + at, self->dx + at));
        step = fmin(step, cone_longest_step(self->z + at, self->dz + at));
    }
    return step;
}

static bool is_inside(const interior_point *self)
{
    for (int i = 0; i < self->problem->contacts; i++) {
        const double *x = self->x + 3 * (ptrdiff_t)i, *z = self->z + 3 * (ptrdiff_t)i;
        if (!(x[0] > 0.0 && z[0] > 0.0 && cone_determinant(x) > 0.0 && cone_determinant(z) > 0.0))
            return false;
    }
    return true;
}

/* One iteration. False when it got nowhere. */
static bool advance(interior_point *self)
{
    find_scaling(self);
    if (!factor(self, 0.0) && !factor(self, 1e-10))
        return false;
    predict(self);
    const double now = mean_product(self, 0.0);
    const double left = mean_product(self, fmin(1.0, longest_step(self))) / now;
    correct(self, now * fmax(smallest_centre, left * left * left));
    const double step = fmin(1.0, boundary_part * longest_step(self));
    if (!(step > smallest_step) || !carom_all_finite(self->dense.size, self->dx) ||
        !carom_all_finite(self->dense.size, self->dz))
        return false;
    carom_axpy(self->dense.size, step, self->dx, self->x);
    carom_axpy(self->dense.size, step, self->dz, self->z);
    return is_inside(self);
}

/* Solves the program for the present b; r becomes its solution. */
static void solve_program(interior_point *self, double tolerance, double *r)
{
    start(self);
    for (int k = 0; k < self->limit; k++) {
        if (program_residual(self, r) <= tolerance || coulomb_watch_is_over(&self->watch))
            return;
        self->watch.report->inner_iterations++;
        if (!advance(self))
            return;
    }
    program_residual(self, r);
}

static void freeze_correction(interior_point *self, const double *r)
{
    const carom_coulomb *problem = self->problem;
    for (int i = 0; i < problem->contacts; i++) {
        const ptrdiff_t at = 3 * (ptrdiff_t)i;
        double u[3];
        carom_blocks_row(&problem->W, i, r, problem->q, u);
        self->b[at] = problem->q[at] + problem->mu[i] * hypot(u[1], u[2]);
    }
}

static carom_solve_word repeat(interior_point *self, double factor_of_tolerance, double *r)
{
    carom_solve_report *report = self->watch.report;
    const carom_coulomb *problem = self->problem;
    const double size = sqrt(carom_dot(self->dense.size, problem->q, problem->q));
    for (int idle = 0; idle < IDLE_PASSES; idle++) {
        const double best = self->watch.best_error;
        const double tolerance = factor_of_tolerance * size * carom_coulomb_error(problem, r);
        freeze_correction(self, r);
        solve_program(self, tolerance, r);
        report->iterations++;
        if (coulomb_watch_look(&self->watch, r))
            return report->word;
        if (self->watch.best_error < best)
            idle = -1;
    }
    return CAROM_SOLVE_STALLED;
}

/* ---- by name ---------------------------------------------------------------------------------------- */

static void free_data(carom_solver *solver)
{
    interior_point *self = solver->data;
    free(self->memory);
    free(self->scaling);
    coulomb_dense_free(&self->dense);
    free(self);
}

static carom_status setup(carom_solver *solver, carom_error *error)
{
    const size_t contacts = (size_t)solver->shape.size;
    interior_point *self = carom_new_array(1, sizeof *self);
    solver->data = self;
    if (!self)
        return carom_fail_memory(error);
    self->limit = (int)solver->option[OPTION_LIMIT];
    self->memory = carom_new_array(VECTORS * 3 * contacts, sizeof(double));
    self->scaling = carom_new_array(contacts, sizeof(cone_scaling));
    return self->memory && self->scaling && coulomb_dense_create(&self->dense, solver->shape.size)
               ? CAROM_OK
               : carom_fail_memory(error);
}

static void solve(carom_solver *solver, const carom_coulomb *problem, double *r, carom_solve_report *report)
{
    interior_point *self = solver->data;
    carom_solve_word word = CAROM_SOLVE_OK;
    begin(self, problem);
    if (coulomb_watch_begin(&self->watch, problem, &solver->limits, DEFAULT_PASSES, self->memory, r, report))
        word = report->word;
    else
        word = repeat(self, solver->option[OPTION_FACTOR], r);
    coulomb_watch_end(&self->watch, word, r);
}

const carom_solver_ops coulomb_ipm_aclm = {
    .name = "IPM-ACLM",
    .summary = "frozen correction mu |u_T| (Algorithm 12), programs over cones by a primal-dual "
               "interior-point method: "
               "close solutions for ill-conditioned W of up to 3000 contacts",
    .kind = CAROM_PROBLEM_COULOMB,
    .options = options,
    .option_count = OPTION_COUNT,
    .tolerance = 1e-8,
    .max_iterations = DEFAULT_PASSES,
    .setup = setup,
    .free = free_data,
    .solve.coulomb = solve,
};
