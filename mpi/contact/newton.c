/* Proximal points with Newton's method in the space of velocities, on ranks; the method is that of one machine
 * (src/contact/coulomb/global/velocity_newton.c): contacts are linearised and eliminated where they are, and
 *
 *   (M + H D H^T) dv = H (r - g) + f - M v,   dr = -g - D H^T dv
 *
 * is the one system that ranks solve together. In the reduced form it is (I + D W) dr = -g. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reduced.h"

enum {
    FULL_STEPS = 12,
    NEWTON_STEPS = 300
};

/* Direct solvers take harder contacts than iterative ones, whose matrices they make worse. */
static const double hardness_direct = 1e5, hardness_iterative = 1e3, least_hardness = 1e-1,
                    largest_direct = 1e9, largest_iterative = 1e5;
static const double growth_first = 10.0, growth_later = 2.0, shrinkage = 0.1;
static const double inner_part = 0.1, inner_growth = 1e4, slow = 0.1, reserve = 0.5;
/* Of the linear solver in a step. */
static const double step_tolerance = 1e-6;

typedef struct newton {
    carom_mpi_contact *problem;
    const carom_solver_options *limits;
    carom_solve_report *report;
    double hardness;
    double *r_k, *best, *x, *g, *D; /* 3 per contact; 9 of D */
    Vec v_k;
    double error, best_error; /* of r_k; the smallest */
} newton;

static double alpha_of(const newton *self, int a)
{
    return self->hardness * self->problem->rho[a].normal;
}

static void shifted(const newton *self, int a, double u[3])
{
    const carom_mpi_contact *p = self->problem;
    for (int k = 3 * a; k < 3 * (a + 1); k++)
        u[k - 3 * a] = p->u[k] + (p->r[k] - self->r_k[k]) / alpha_of(self, a);
}

static double inner_error(const newton *self)
{
    const carom_mpi_contact *p = self->problem;
    double own = 0.0;
    for (int a = 0; a < p->contacts; a++) {
        double u[3];
        shifted(self, a, u);
        own += carom_coulomb_law_square(p->mu[a], u, p->r + 3 * (ptrdiff_t)a);
    }
    const double error = sqrt(distributed_sum(p, own)) / p->q_size;
    return isfinite(error) ? error : INFINITY;
}

/* dr = -g - D du, from A du' + B dr = -G with du' = du + dr / alpha. */
static void linearise(newton *self)
{
    const carom_mpi_contact *p = self->problem;
    for (int a = 0; a < p->contacts; a++) {
        double u[3];
        shifted(self, a, u);
        carom_coulomb_law_step(p->mu[a], p->rho[a], alpha_of(self, a), u, p->r + 3 * (ptrdiff_t)a,
                               self->D + 9 * (ptrdiff_t)a, self->g + 3 * (ptrdiff_t)a);
    }
}

/* x = r - g + D (u - w), the reactions that the system is pushed by. */
static void fill_push(newton *self)
{
    const carom_mpi_contact *p = self->problem;
    for (int k = 0; k < 3 * p->contacts; k++) {
        const double *D = self->D + 9 * (ptrdiff_t)(k / 3) + 3 * (ptrdiff_t)(k % 3);
        double sum = p->r[k] - self->g[k];
        for (int j = 0; j < p->d; j++)
            sum += D[j] * (p->u[k / 3 * 3 + j] - p->w[k / 3 * p->d + j]);
        self->x[k] = sum;
    }
}

static PetscErrorCode step(newton *self)
{
    carom_mpi_contact *p = self->problem;
    PetscFunctionBeginUser;
    linearise(self);
    if (p->W) {
        PetscCall(reduced_step(p, step_tolerance, self->D, self->g));
        PetscFunctionReturn(0);
    }
    PetscCall(distributed_matrix(p, self->D));
    fill_push(self);
    PetscCall(distributed_answer(p, step_tolerance, self->x));
    memcpy(self->x, p->u, 3 * (size_t)p->contacts * sizeof *self->x);
    PetscCall(distributed_contacts(p, p->v, p->u));
    for (int k = 0; k < 3 * p->contacts; k++)
        self->x[k] = p->u[k] - self->x[k];
    for (int k = 0; k < 3 * p->contacts; k++) {
        const double *D = self->D + 9 * (ptrdiff_t)(k / 3) + 3 * (ptrdiff_t)(k % 3);
        p->r[k] = k % 3 < p->d ? p->r[k] - self->g[k] - carom_dot(3, D, self->x + k / 3 * 3) : 0.0;
    }
    PetscFunctionReturn(0);
}

static void keep_best(newton *self, double error)
{
    if (!(error < self->best_error))
        return;
    self->best_error = error;
    memcpy(self->best, self->problem->r, 3 * (size_t)self->problem->contacts * sizeof *self->best);
}

static PetscErrorCode set_point(newton *self, double error)
{
    PetscFunctionBeginUser;
    memcpy(self->r_k, self->problem->r, 3 * (size_t)self->problem->contacts * sizeof *self->r_k);
    PetscCall(VecCopy(self->problem->v, self->v_k));
    self->error = error;
    PetscFunctionReturn(0);
}

static PetscErrorCode go_back(newton *self)
{
    carom_mpi_contact *p = self->problem;
    PetscFunctionBeginUser;
    memcpy(p->r, self->r_k, 3 * (size_t)p->contacts * sizeof *p->r);
    PetscCall(VecCopy(self->v_k, p->v));
    if (p->W)
        reduced_multiply(p, p->r, p->u);
    else
        PetscCall(distributed_contacts(p, p->v, p->u));
    PetscFunctionReturn(0);
}

static PetscErrorCode find_point(newton *self, bool *found)
{
    carom_mpi_contact *p = self->problem;
    const double wanted = inner_part * self->error;
    PetscFunctionBeginUser;
    *found = false;
    for (int k = 0; k < FULL_STEPS && !distributed_is_over(p, self->limits, self->report); k++) {
        self->report->iterations++;
        PetscCall(step(self));
        const double outer = distributed_error(p, p->u, p->r), inner = inner_error(self);
        keep_best(self, outer);
        distributed_tell(p, self->limits, self->report->iterations, outer);
        if (inner <= wanted || outer <= reserve * self->limits->tolerance) {
            *found = true;
            break;
        }
        if (!(inner <= inner_growth * self->error))
            break;
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode iterate(newton *self)
{
    carom_mpi_contact *p = self->problem;
    KSPType type;
    PetscBool is_direct;
    double growth = growth_first;
    bool is_first = true;
    PetscFunctionBeginUser;
    PetscCall(KSPGetType(p->solver, &type));
    PetscCall(PetscStrcmp(type, KSPPREONLY, &is_direct));
    const double largest = is_direct ? largest_direct : largest_iterative;
    self->hardness = is_direct ? hardness_direct : hardness_iterative;
    while (self->error > reserve * self->limits->tolerance &&
           !distributed_is_over(p, self->limits, self->report)) {
        const double before = self->error;
        bool found;
        PetscCall(find_point(self, &found));
        if (!found) {
            PetscCall(go_back(self));
            if (is_first) { /* the same proximal point with a smaller rho */
                for (int a = 0; a < p->contacts; a++) {
                    p->rho[a].normal *= shrinkage;
                    p->rho[a].tangent *= shrinkage;
                }
                self->hardness /= shrinkage;
            } else {
                self->hardness *= shrinkage;
            }
            is_first = false;
            growth = growth_later;
            if (self->hardness >= least_hardness)
                continue;
            self->report->word = CAROM_SOLVE_STALLED;
            break;
        }
        PetscCall(set_point(self, distributed_error(p, p->u, p->r)));
        if (self->error > slow * before)
            self->hardness = fmin(growth * self->hardness, largest);
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode solve(newton *self)
{
    carom_mpi_contact *p = self->problem;
    const size_t contacts = (size_t)p->contacts;
    PetscFunctionBeginUser;
    double *memory = distributed_take(p, 21 * contacts);
    if (!memory)
        SETERRQ(p->communicator, PETSC_ERR_MEM, "memory is short");
    self->r_k = memory;
    self->best = self->r_k + 3 * contacts;
    self->x = self->best + 3 * contacts;
    self->g = self->x + 3 * contacts;
    self->D = self->g + 3 * contacts;
    PetscCall(VecDuplicate(p->v, &self->v_k));
    PetscCall(distributed_begin(p));
    const double start = p->q_size > 0.0 ? distributed_error(p, p->u, p->r) : 0.0;
    distributed_tell(p, self->limits, 0, start);
    keep_best(self, start);
    PetscCall(set_point(self, start));
    PetscCall(iterate(self));
    memcpy(p->r, self->best, 3 * contacts * sizeof *p->r);
    PetscCall(distributed_end(p, self->limits, self->report));
    PetscCall(VecDestroy(&self->v_k));
    free(memory);
    PetscFunctionReturn(0);
}

carom_status carom_mpi_contact_newton(carom_mpi_contact *problem, const carom_solver_options *options,
                                      carom_solve_report *report, carom_error *error)
{
    const carom_solver_options limits = distributed_limits(options, NEWTON_STEPS);
    *report = (carom_solve_report){.word = CAROM_SOLVE_STALLED, .error = INFINITY, .failed_contact = -1};
    newton self = {.problem = problem, .limits = &limits, .report = report, .best_error = INFINITY};
    return distributed_status(solve(&self), "Newton's method on ranks", error);
}
