/* Alternating directions of multipliers. Reactions r in the cones and copies of them obey the motion; with u' = u + (mu |u_T|, 0, 0)
 * of the last iteration, b per contact and the multiplier z in units of velocities, one iteration is
 *
 *   v, r:  M v = H r + f,  r = y - b (H^T v + w + s + z)      one solution with M + H B H^T, B = b I
 *   y:     P_K(over-relaxed r + b z)
 *   z:     z + (r - y) / b
 *
 * so that at the end r = y in K, -z is the velocity that the cone answers with, and s = (mu |u_T|, 0, 0) is that of u. Over-relaxation
 * 1.5. The matrix stays the same while b does: one factor, or one preconditioner, and no other matrix. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "distributed.h"

enum {
    ITERATIONS = 20000,
    ATTEMPTS = 4 /* at an error that holds for the motion of the reactions, too */
};

static const double relaxation = 1.5, solve_tolerance = 1e-10;
/* Without a factor each digit of the velocities costs products: what is left of a change of them is found in the next iteration. */
static const double free_tolerance = 1e-2;

typedef struct admm {
    carom_mpi_contact *problem;
    const carom_solver_options *limits;
    carom_solve_report *report;
    double hardness;
    double *y, *z, *s, *x, *D; /* 3 per contact; 9 of D */
    double apart;              /* |r - y| as a velocity */
} admm;

static double b_of(const admm *self, int a)
{
    return self->hardness * self->problem->rho[a].normal;
}

static PetscErrorCode set_matrix(admm *self)
{
    PetscFunctionBeginUser;
    memset(self->D, 0, 9 * (size_t)self->problem->contacts * sizeof *self->D);
    for (int a = 0; a < self->problem->contacts; a++)
        for (int k = 0; k < 3; k++)
            self->D[9 * (ptrdiff_t)a + 4 * k] = b_of(self, a);
    PetscCall(distributed_matrix(self->problem, self->D));
    PetscFunctionReturn(0);
}

/* v and r of the motion. */
static PetscErrorCode move(admm *self)
{
    carom_mpi_contact *p = self->problem;
    PetscFunctionBeginUser;
    for (int k = 0; k < 3 * p->contacts; k++)
        self->x[k] = k % 3 < p->d ? self->y[k] - b_of(self, k / 3) *
                                                     (p->w[k / 3 * p->d + k % 3] + self->s[k] + self->z[k])
                                  : 0.0;
    PetscCall(distributed_answer(p, p->free ? free_tolerance : solve_tolerance, self->x));
    PetscCall(distributed_contacts(p, p->v, p->u));
    for (int k = 0; k < 3 * p->contacts; k++)
        p->r[k] = k % 3 < p->d ? self->y[k] - b_of(self, k / 3) * (p->u[k] + self->s[k] + self->z[k]) : 0.0;
    PetscFunctionReturn(0);
}

static void project(admm *self)
{
    const carom_mpi_contact *p = self->problem;
    double own = 0.0;
    for (int a = 0; a < p->contacts; a++) {
        double over[3], to[3], last[3];
        const double b = b_of(self, a);
        for (int k = 0; k < 3; k++) {
            last[k] = self->y[3 * a + k];
            over[k] = relaxation * p->r[3 * a + k] + (1.0 - relaxation) * last[k] + b * self->z[3 * a + k];
        }
        carom_cone_project(p->mu[a], over, to);
        for (int k = 0; k < 3; k++) {
            self->y[3 * a + k] = to[k];
            self->z[3 * a + k] = (over[k] - to[k]) / b;
            own += (p->r[3 * a + k] - to[k]) * (p->r[3 * a + k] - to[k]) / (b * b);
        }
        self->s[3 * a] = p->mu[a] * hypot(p->u[3 * a + 1], p->u[3 * a + 2]);
    }
    self->apart = sqrt(distributed_sum(p, own));
}

/* Until what is left of u, y and their distance is below `wanted`. */
static PetscErrorCode iterate(admm *self, double wanted)
{
    carom_mpi_contact *p = self->problem;
    PetscFunctionBeginUser;
    PetscCall(set_matrix(self));
    for (double error = INFINITY; error > wanted && !distributed_is_over(p, self->limits, self->report);) {
        self->report->iterations++;
        PetscCall(move(self));
        project(self);
        /* y is in the cones; u is that of r, which differs from y by what is left */
        error = distributed_error(p, p->u, self->y) + self->apart / p->q_size;
        distributed_tell(p, self->limits, self->report->iterations, error);
    }
    memcpy(p->r, self->y, 3 * (size_t)p->contacts * sizeof *p->r);
    PetscFunctionReturn(0);
}

static PetscErrorCode solve(admm *self)
{
    carom_mpi_contact *p = self->problem;
    const size_t contacts = (size_t)p->contacts;
    PetscFunctionBeginUser;
    double *memory = distributed_take(p, 21 * contacts);
    if (!memory)
        SETERRQ(p->communicator, PETSC_ERR_MEM, "memory is short");
    self->y = memory;
    self->z = self->y + 3 * contacts;
    self->s = self->z + 3 * contacts;
    self->x = self->s + 3 * contacts;
    self->D = self->x + 3 * contacts;
    PetscCall(distributed_begin(p));
    self->hardness = 1.0 / 0.01; /* rho is a hundredth of the stiffness of contacts */
    double wanted = 0.5 * self->limits->tolerance;
    for (int k = 0; k < ATTEMPTS; k++) {
        self->report->word = CAROM_SOLVE_STALLED;
        if (p->q_size > 0.0)
            PetscCall(iterate(self, wanted));
        PetscCall(distributed_end(p, self->limits, self->report));
        if (self->report->word != CAROM_SOLVE_STALLED)
            break;
        wanted *= 0.3 * self->limits->tolerance / self->report->error;
    }
    free(memory);
    PetscFunctionReturn(0);
}

carom_status carom_mpi_contact_admm(carom_mpi_contact *problem, const carom_solver_options *options,
                                    carom_solve_report *report, carom_error *error)
{
    const carom_solver_options limits = distributed_limits(options, ITERATIONS);
    *report = (carom_solve_report){.word = CAROM_SOLVE_STALLED, .error = INFINITY, .failed_contact = -1};
    if (problem->W)
        return carom_fail(error, CAROM_BAD_INPUT, "alternating directions are for the global form (M, H)");
    admm self = {.problem = problem, .limits = &limits, .report = report};
    return distributed_status(solve(&self), "alternating directions on ranks", error);
}
