/* Alternating directions for the convex program of Algorithm 12, its correction renewed in every iteration:
 *
 *   min 1/2 x.W x + (q + s).x + I_K(z),  x = z,  multiplier l of x - z, penalty rho:
 *
 *   (W + rho I) x = rho z - l - q - s
 *   y = a x + (1 - a) z                          over-relaxation
 *   z := P_K(y + l / rho)
 *   l := l + rho (y - z)                         so that -l is in K*
 *   s = mu |l_T| in the normal components        at a solution -l = u + s, and s does not touch u_T
 *
 * r = z. W + rho I is factored once, and again when rho changes: rho is multiplied by the square root of
 * (|x - z| / max(|x|, |z|)) / (rho |z - z_old| / |l|) when that is far from 1, ever more seldom. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/dense_blocks.h"
#include "contact/coulomb/parts/watch.h"
#include "contact/solvers.h"

enum {
    DEFAULT_ITERATIONS = 20000,
    FIRST_BALANCE = 10, /* iterations before rho is looked at, and more after every change */
};

/* Balance of the residuals that is left alone, and the most that rho changes by at once. */
static const double balance_limit = 4.0, largest_change = 10.0;

enum {
    OPTION_RHO,
    OPTION_RELAXATION,
    OPTION_REFACTORISATIONS,
    OPTION_COUNT
};

static const carom_option_info options[OPTION_COUNT] = {
    [OPTION_RHO] = {"rho", 1.0, 1e-12, 1e12, NULL, "penalty at the start, times the mean diagonal of W"},
    [OPTION_RELAXATION] = {"relaxation", 1.5, 0.1, 1.95, NULL, "over-relaxation; 1: none"},
    [OPTION_REFACTORISATIONS] = {"refactorisations", 30.0, 0.0, 1e6, NULL,
                                 "how often rho may change at most; 0: it is fixed"},
};

typedef struct admm {
    const carom_coulomb *problem;
    coulomb_watch watch;
    coulomb_dense dense;
    double rho, relaxation;
    int refactorisations, most_refactorisations, next_balance;
    double *memory, *x, *z, *z_old, *multiplier;
} admm;

/* What was left by the last problem is forgotten. */
static void begin(admm *self, const carom_coulomb *problem, const double *option)
{
    const size_t size = 3 * (size_t)problem->contacts;
    self->problem = problem;
    self->rho = option[OPTION_RHO] * coulomb_mean_diagonal(&problem->W);
    self->relaxation = option[OPTION_RELAXATION];
    self->refactorisations = 0;
    self->most_refactorisations = (int)option[OPTION_REFACTORISATIONS];
    self->next_balance = FIRST_BALANCE;
    if (!(self->rho > 0.0))
        self->rho = option[OPTION_RHO];
    coulomb_dense_begin(&self->dense, &problem->W);
    self->x = self->memory + size;
    self->z = self->memory + 2 * size;
    self->z_old = self->memory + 3 * size;
    self->multiplier = self->memory + 4 * size;
}

static bool factor(admm *self)
{
    const size_t n = (size_t)self->dense.size;
    coulomb_dense_fill(&self->dense, &self->problem->W);
    for (size_t i = 0; i < n; i++)
        self->dense.matrix[i * n + i] += self->rho;
    return coulomb_dense_factor(&self->dense);
}

/* z = P_K(r), l = -(u + s) for it. */
static void start(admm *self, const double *r)
{
    const carom_coulomb *problem = self->problem;
    for (int i = 0; i < problem->contacts; i++)
        carom_cone_project(problem->mu[i], r + 3 * (ptrdiff_t)i, self->z + 3 * (ptrdiff_t)i);
    carom_blocks_multiply(&problem->W, self->z, problem->q, self->multiplier);
    for (int i = 0; i < problem->contacts; i++) {
        double *l = self->multiplier + 3 * (ptrdiff_t)i;
        l[0] = -l[0] - problem->mu[i] * hypot(l[1], l[2]);
        l[1] = -l[1];
        l[2] = -l[2];
    }
}

/* x from the linear system. */
static void minimise(admm *self)
{
    const carom_coulomb *problem = self->problem;
    const double *l = self->multiplier;
    for (int k = 0; k < self->dense.size; k++)
        self->x[k] = self->rho * self->z[k] - l[k] - problem->q[k];
    for (int i = 0; i < problem->contacts; i++)
        self->x[3 * (ptrdiff_t)i] -= problem->mu[i] * hypot(l[3 * (ptrdiff_t)i + 1], l[3 * (ptrdiff_t)i + 2]);
    coulomb_dense_solve(&self->dense, self->x);
}

static void project(admm *self)
{
    const carom_coulomb *problem = self->problem;
    memcpy(self->z_old, self->z, (size_t)self->dense.size * sizeof(double));
    for (int i = 0; i < problem->contacts; i++) {
        double y[3], shifted[3], *z = self->z + 3 * (ptrdiff_t)i, *l = self->multiplier + 3 * (ptrdiff_t)i;
        const double *x = self->x + 3 * (ptrdiff_t)i;
        for (int k = 0; k < 3; k++) {
            y[k] = self->relaxation * x[k] + (1.0 - self->relaxation) * z[k];
            shifted[k] = y[k] + l[k] / self->rho;
        }
        carom_cone_project(problem->mu[i], shifted, z);
        for (int k = 0; k < 3; k++)
            l[k] += self->rho * (y[k] - z[k]);
    }
}

static double norm(int n, const double *a)
{
    return sqrt(carom_dot(n, a, a));
}

static double distance(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* The factor by which rho should change. */
static double imbalance(const admm *self)
{
    const int n = self->dense.size;
    const double primal = distance(n, self->x, self->z) / fmax(norm(n, self->x), norm(n, self->z));
    const double dual = self->rho * distance(n, self->z, self->z_old) / norm(n, self->multiplier);
    const double change = sqrt(primal / dual);
    if (!(change > 0.0 && isfinite(change)))
        return 1.0;
    return fmin(fmax(change, 1.0 / largest_change), largest_change);
}

/* False when the new matrix cannot be factored. */
static bool balance(admm *self)
{
    if (self->watch.report->iterations < self->next_balance ||
        self->refactorisations >= self->most_refactorisations)
        return true;
    const double change = imbalance(self);
    self->next_balance = self->watch.report->iterations + FIRST_BALANCE * (1 + self->refactorisations);
    if (change <= balance_limit && change >= 1.0 / balance_limit)
        return true;
    self->rho *= change;
    self->refactorisations++;
    return factor(self);
}

static carom_solve_word iterate(admm *self)
{
    carom_solve_report *report = self->watch.report;
    if (!factor(self))
        return CAROM_SOLVE_STALLED;
    for (;;) {
        minimise(self);
        project(self);
        report->iterations++;
        if (coulomb_watch_look(&self->watch, self->z))
            return report->word;
        if (!balance(self))
            return CAROM_SOLVE_STALLED;
    }
}

/* ---- by name ---------------------------------------------------------------------------------------- */

static void free_data(carom_solver *solver)
{
    admm *self = solver->data;
    free(self->memory);
    coulomb_dense_free(&self->dense);
    free(self);
}

static carom_status setup(carom_solver *solver, carom_error *error)
{
    admm *self = carom_new_array(1, sizeof *self);
    solver->data = self;
    if (!self)
        return carom_fail_memory(error);
    self->memory = carom_new_array(5 * 3 * (size_t)solver->shape.size, sizeof(double));
    return self->memory && coulomb_dense_create(&self->dense, solver->shape.size) ? CAROM_OK
                                                                                  : carom_fail_memory(error);
}

static void solve(carom_solver *solver, const carom_coulomb *problem, double *r, carom_solve_report *report)
{
    admm *self = solver->data;
    carom_solve_word word = CAROM_SOLVE_OK;
    begin(self, problem, solver->option);
    if (coulomb_watch_begin(&self->watch, problem, &solver->limits, DEFAULT_ITERATIONS, self->memory, r,
                            report)) {
        word = report->word;
    } else {
        start(self, r);
        word = iterate(self);
    }
    report->inner_iterations = self->refactorisations;
    coulomb_watch_end(&self->watch, word, r);
}

const carom_solver_ops coulomb_admm = {
    .name = "ADMM",
    .summary = "alternating directions over the program of Algorithm 12, dense factor of W + rho I: steady "
               "progress for "
               "ill-conditioned or singular W of up to 3000 contacts",
    .kind = CAROM_PROBLEM_COULOMB,
    .options = options,
    .option_count = OPTION_COUNT,
    .tolerance = 1e-8,
    .max_iterations = DEFAULT_ITERATIONS,
    .setup = setup,
    .free = free_data,
    .solve.coulomb = solve,
};
