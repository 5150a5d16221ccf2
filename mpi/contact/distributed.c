#include "reduced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    REFINEMENTS = 6,
    PROBES = 4
};
static const double motion_tolerance = 1e-13, rho_part = 0.01;

/* ---- sums and words ---------------------------------------------------------------------------------------------- */

carom_status distributed_status(PetscErrorCode code, const char *what, carom_error *error)
{
    const char *text = NULL;
    if (code == 0)
        return CAROM_OK;
    if (code == PETSC_ERR_MEM)
        return carom_fail_memory(error);
    PetscErrorMessage(code, &text, NULL);
    return carom_fail(error, CAROM_FAILED, "%s: PETSc error %d%s%s", what, (int)code, text ? ", " : "",
                      text ? text : "");
}

double distributed_sum(const carom_mpi_contact *self, double own)
{
    double all = 0.0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, self->communicator);
    return all;
}

double distributed_error(const carom_mpi_contact *self, const double *u, const double *r)
{
    double own = 0.0;
    for (int a = 0; a < self->contacts; a++)
        own += carom_coulomb_law_square(self->mu[a], u + 3 * (ptrdiff_t)a, r + 3 * (ptrdiff_t)a);
    const double sum = distributed_sum(self, own), error = sum == 0.0 ? 0.0 : sqrt(sum) / self->q_size;
    return isfinite(error) ? error : INFINITY;
}

bool distributed_is_over(const carom_mpi_contact *self, const carom_solver_options *limits,
                         carom_solve_report *report)
{
    const double seconds = carom_seconds() - self->started;
    int own = 0, all = 0; /* the clock of one rank speaks for all */
    if (limits->max_seconds > 0.0 && seconds > limits->max_seconds)
        own = CAROM_SOLVE_TIME;
    else if (limits->progress.report &&
             !limits->progress.report(limits->progress.context, seconds, limits->max_seconds))
        own = CAROM_SOLVE_INTERRUPTED;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, self->communicator);
    if (all == 0 && report->iterations >= limits->max_iterations)
        all = CAROM_SOLVE_ITERATIONS;
    if (all != 0)
        report->word = (carom_solve_word)all;
    return all != 0;
}

void distributed_tell(const carom_mpi_contact *self, const carom_solver_options *limits, int iteration,
                      double error)
{
    if (limits->report)
        limits->report(limits->context, iteration, error, carom_seconds() - self->started);
}

carom_solver_options distributed_limits(const carom_solver_options *given, int iterations)
{
    carom_solver_options limits = given ? *given : (carom_solver_options){0};
    if (limits.tolerance == 0.0)
        limits.tolerance = 1e-8;
    if (limits.max_iterations == 0)
        limits.max_iterations = iterations;
    return limits;
}

PetscErrorCode distributed_end(carom_mpi_contact *self, const carom_solver_options *limits,
                               carom_solve_report *report)
{
    PetscFunctionBeginUser;
    PetscCall(distributed_move(self, self->r));
    report->error = distributed_error(self, self->u, self->r);
    report->tolerance = limits->tolerance;
    if (report->error <= limits->tolerance)
        report->word = CAROM_SOLVE_OK;
    else if (report->word == CAROM_SOLVE_OK)
        report->word = CAROM_SOLVE_STALLED;
    report->status = report->word == CAROM_SOLVE_OK            ? CAROM_OK
                     : report->word == CAROM_SOLVE_INTERRUPTED ? CAROM_INTERRUPTED
                                                               : CAROM_FAILED;
    report->inner_iterations = self->linear_iterations;
    report->seconds = carom_seconds() - self->started;
    PetscFunctionReturn(0);
}

/* ---- matrix and motions ------------------------------------------------------------------------------------------ */

/* The entries of the contacts follow those of M, contact by contact, in the order of make_places. */
PetscErrorCode distributed_matrix(carom_mpi_contact *self, const double *D)
{
    PetscCount at = self->mass_entries;
    PetscFunctionBeginUser;
    if (self->free) {
        PetscCall(matrix_free_set(self, D));
        PetscFunctionReturn(0);
    }
    memcpy(self->entry, self->mass_value, (size_t)at * sizeof *self->entry);
    for (int a = 0; a < self->contacts; a++)
        for (int k = 0; k < self->d; k++)
            for (int i = self->entry_start[self->d * a + k]; i < self->entry_start[self->d * a + k + 1]; i++)
                for (int l = 0; l < self->d; l++)
                    for (int j = self->entry_start[self->d * a + l];
                         j < self->entry_start[self->d * a + l + 1]; j++)
                        self->entry[at++] =
                            D ? self->entry_value[i] * D[9 * (ptrdiff_t)a + 3 * k + l] * self->entry_value[j]
                              : 0.0;
    PetscCall(MatSetValuesCOO(self->A, self->entry, INSERT_VALUES));
    PetscFunctionReturn(0);
}

PetscErrorCode distributed_solve(carom_mpi_contact *self, double tolerance, Vec b, Vec x)
{
    PetscInt iterations = 0;
    KSPConvergedReason reason;
    PetscFunctionBeginUser;
    PetscCall(KSPSetTolerances(self->solver, tolerance, 1e-300, PETSC_DEFAULT, 2000));
    PetscCall(KSPSolve(self->solver, b, x));
    PetscCall(KSPGetIterationNumber(self->solver, &iterations));
    PetscCall(KSPGetConvergedReason(self->solver, &reason));
    self->linear_iterations += iterations;
    /* what stops early is refined, or stands as an inexact step; a factor that failed gives nothing */
    if (reason == KSP_DIVERGED_PC_FAILED || reason == KSP_DIVERGED_NANORINF)
        SETERRQ(self->communicator, PETSC_ERR_CONV_FAILED,
                "the linear solver has no preconditioner for this matrix");
    PetscFunctionReturn(0);
}

/* Numbers of this rank's contacts into the vector over all. */
static PetscErrorCode put_contacts(carom_mpi_contact *self, const double *three)
{
    double *x;
    PetscFunctionBeginUser;
    PetscCall(VecGetArray(self->at_contacts, &x));
    for (int k = 0; k < self->d * self->contacts; k++)
        x[k] = three[k / self->d * 3 + k % self->d];
    PetscCall(VecRestoreArray(self->at_contacts, &x));
    PetscFunctionReturn(0);
}

PetscErrorCode distributed_push(carom_mpi_contact *self, const double *r, Vec x)
{
    PetscFunctionBeginUser;
    PetscCall(put_contacts(self, r));
    PetscCall(MatMult(self->H, self->at_contacts, x));
    PetscFunctionReturn(0);
}

PetscErrorCode distributed_answer(carom_mpi_contact *self, double tolerance, const double *push)
{
    PetscFunctionBeginUser;
    PetscCall(distributed_push(self, push, self->work[0]));
    PetscCall(VecAXPY(self->work[0], 1.0, self->f));
    PetscCall(MatMult(self->A, self->v, self->work[1]));
    PetscCall(VecAYPX(self->work[1], -1.0, self->work[0]));
    PetscCall(distributed_solve(self, tolerance, self->work[1], self->work[2]));
    PetscCall(VecAXPY(self->v, 1.0, self->work[2]));
    PetscFunctionReturn(0);
}

PetscErrorCode distributed_contacts(carom_mpi_contact *self, Vec v, double *u)
{
    const double *x;
    PetscFunctionBeginUser;
    PetscCall(MatMultTranspose(self->H, v, self->at_contacts));
    PetscCall(VecGetArrayRead(self->at_contacts, &x));
    for (int k = 0; k < 3 * self->contacts; k++)
        u[k] = k % 3 < self->d ? x[k / 3 * self->d + k % 3] + self->w[k / 3 * self->d + k % 3] : 0.0;
    PetscCall(VecRestoreArrayRead(self->at_contacts, &x));
    PetscFunctionReturn(0);
}

/* v = M^-1 (H r + f), A is M. */
static PetscErrorCode move(carom_mpi_contact *self, const double *r)
{
    Vec right = self->work[0], residual = self->work[1], change = self->work[2];
    PetscReal size, last = PETSC_MAX_REAL, now;
    PetscFunctionBeginUser;
    PetscCall(distributed_push(self, r, right));
    PetscCall(VecAXPY(right, 1.0, self->f));
    PetscCall(VecNorm(right, NORM_2, &size));
    PetscCall(VecSet(self->v, 0.0));
    for (int step = 0; step <= REFINEMENTS && size > 0.0; step++) {
        PetscCall(MatMult(self->A, self->v, residual));
        PetscCall(VecAYPX(residual, -1.0, right));
        PetscCall(VecNorm(residual, NORM_2, &now));
        if (now <= motion_tolerance * size || now > 0.5 * last)
            break;
        PetscCall(distributed_solve(self, fmax(1e-10, motion_tolerance * size / now), residual, change));
        PetscCall(VecAXPY(self->v, 1.0, change));
        last = now;
    }
    PetscCall(distributed_contacts(self, self->v, self->u));
    PetscFunctionReturn(0);
}

PetscErrorCode distributed_move(carom_mpi_contact *self, const double *r)
{
    PetscFunctionBeginUser;
    if (self->W) {
        reduced_multiply(self, r, self->u);
        PetscFunctionReturn(0);
    }
    PetscCall(distributed_matrix(self, NULL));
    PetscCall(move(self, r));
    PetscFunctionReturn(0);
}

/* ---- scales ------------------------------------------------------------------------------------------------------ */

/* +1 or -1 for a number of a contact, the same for any number of ranks (splitmix64). */
static double sign_of(int number, int probe)
{
    unsigned long long z =
        0x9e3779b97f4a7c15ull * ((unsigned long long)number * PROBES + (unsigned long long)probe + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (z ^ (z >> 31)) & 1 ? 1.0 : -1.0;
}

static double inverse_or_one(double W)
{
    return W > 0.0 ? 1.0 / W : 1.0;
}

/* rho as if what a contact touches were alone, from the diagonal of M, and the trace of it all. */
static PetscErrorCode masses_at_contacts(carom_mpi_contact *self, double *trace)
{
    double own = 0.0;
    PetscFunctionBeginUser;
    /* H^T diag(M)^-1 H has the diagonal sum_i H_ik^2 / M_ii */
    Mat square;
    PetscCall(MatGetDiagonal(self->A, self->work[0]));
    PetscCall(VecReciprocal(self->work[0]));
    PetscCall(MatDuplicate(self->H, MAT_COPY_VALUES, &square));
    PetscCall(VecCopy(self->work[0], self->work[1]));
    PetscCall(VecSqrtAbs(self->work[1]));
    PetscCall(MatDiagonalScale(square, self->work[1], NULL));
    double *norm = calloc((size_t)(self->d * self->all_contacts) + 1, sizeof *norm);
    if (!norm)
        SETERRQ(self->communicator, PETSC_ERR_MEM, "memory is short");
    PetscCall(MatGetColumnNorms(square, NORM_2, norm));
    PetscCall(MatDestroy(&square));
    PetscInt first;
    PetscCall(VecGetOwnershipRange(self->at_contacts, &first, NULL));
    for (int a = 0; a < self->contacts; a++) {
        double part[3] = {1.0, 1.0, 1.0};
        for (int k = 0; k < self->d; k++) {
            part[k] = norm[first + self->d * a + k] * norm[first + self->d * a + k];
            own += part[k];
        }
        self->rho[a].normal = inverse_or_one(part[0]);
        self->rho[a].tangent = inverse_or_one(fmax(part[1], self->d == 3 ? part[2] : 0.0));
    }
    free(norm);
    *trace = distributed_sum(self, own);
    PetscFunctionReturn(0);
}

/* z.W z of impulses z, 3 per contact; A is M. */
static PetscErrorCode energy_of(carom_mpi_contact *self, const double *z, double *product)
{
    PetscScalar value;
    PetscFunctionBeginUser;
    if (self->W) {
        double own = 0.0;
        reduced_multiply(self, z, self->u);
        for (int k = 0; k < 3 * self->contacts; k++)
            own += z[k] * (self->u[k] - self->q[k]);
        *product = distributed_sum(self, own);
        PetscFunctionReturn(0);
    }
    PetscCall(distributed_push(self, z, self->work[0]));
    PetscCall(distributed_solve(self, 1e-3, self->work[0], self->work[1]));
    PetscCall(VecDot(self->work[0], self->work[1], &value));
    *product = value;
    PetscFunctionReturn(0);
}

/* As in the solver of one machine: a hundredth of the stiffness of contacts in the mean (Hutchinson's trace). */
static PetscErrorCode choose_rho(carom_mpi_contact *self)
{
    double trace = 0.0, sum = 0.0;
    PetscFunctionBeginUser;
    if (self->W)
        reduced_stiffness(self, &trace);
    else
        PetscCall(masses_at_contacts(self, &trace));
    double *three = calloc(3 * (size_t)self->contacts + 1, sizeof *three);
    if (!three)
        SETERRQ(self->communicator, PETSC_ERR_MEM, "memory is short");
    for (int probe = 0; probe < PROBES; probe++) {
        double product = 0.0;
        for (int k = 0; k < 3 * self->contacts; k++)
            three[k] = sign_of(3 * self->number[k / 3] + k % 3, probe);
        PetscCall(energy_of(self, three, &product));
        sum += product / PROBES;
    }
    free(three);
    const double softness = sum > 0.0 && isfinite(sum) && trace > 0.0 ? sum / trace : 1.0;
    for (int a = 0; a < self->contacts; a++) {
        self->rho[a].normal *= rho_part / softness;
        self->rho[a].tangent *= rho_part / softness;
    }
    PetscFunctionReturn(0);
}

PetscErrorCode distributed_begin(carom_mpi_contact *self)
{
    const size_t bytes = 3 * (size_t)self->contacts * sizeof(double);
    PetscFunctionBeginUser;
    self->started = carom_seconds();
    self->linear_iterations = 0;
    memset(self->r, 0, bytes);
    PetscCall(distributed_move(self, self->r));
    memcpy(self->q, self->u, bytes);
    self->q_size = sqrt(distributed_sum(self, carom_dot(3 * self->contacts, self->q, self->q)));
    PetscCall(choose_rho(self));
    memcpy(self->u, self->q, bytes);
    PetscFunctionReturn(0);
}
