/* Without friction the problem is that of a minimum with bounds, where every normal acts on one velocity:
 *
 *   M v - f >= 0 on bounded velocities, zero elsewhere,   v_i >= -w / h_i,   r = (M v - f)_i / h_i
 *
 * which PETSc's own method of reduced spaces solves (SNESVINEWTONRSLS; Benson and Munson 2006). */
#include <math.h>
#include <string.h>

#include <petscsnes.h>

#include "distributed.h"

static PetscErrorCode residual(SNES snes, Vec v, Vec out, void *context)
{
    carom_mpi_contact *self = context;
    PetscFunctionBeginUser;
    (void)snes;
    PetscCall(MatMult(self->A, v, out));
    PetscCall(VecAXPY(out, -1.0, self->f));
    PetscFunctionReturn(0);
}

/* A is M, always. */
static PetscErrorCode jacobian(SNES snes, Vec v, Mat J, Mat P, void *context)
{
    PetscFunctionBeginUser;
    (void)snes;
    (void)v;
    (void)context;
    PetscCall(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
    (void)J;
    PetscFunctionReturn(0);
}

static bool suits(const carom_mpi_contact *self)
{
    int own = 1, all = 0;
    for (int a = 0; a < self->contacts; a++)
        if (self->mu[a] != 0.0 || self->entry_start[self->d * a + 1] - self->entry_start[self->d * a] != 1 ||
            !(self->entry_value[self->entry_start[self->d * a]] > 0.0))
            own = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, self->communicator);
    return all != 0;
}

static PetscErrorCode set_bounds(carom_mpi_contact *self, Vec lower, Vec upper)
{
    PetscFunctionBeginUser;
    PetscCall(VecSet(lower, PETSC_NINFINITY));
    PetscCall(VecSet(upper, PETSC_INFINITY));
    for (int a = 0; a < self->contacts; a++) {
        const int at = self->entry_start[self->d * a];
        PetscCall(VecSetValue(lower, self->entry_row[at], -self->w[self->d * a] / self->entry_value[at],
                              INSERT_VALUES));
    }
    PetscCall(VecAssemblyBegin(lower));
    PetscCall(VecAssemblyEnd(lower));
    PetscFunctionReturn(0);
}

/* r from H^T (M v - f) / h^2: the velocity of a normal is its own. */
static PetscErrorCode take_reactions(carom_mpi_contact *self, Vec v)
{
    PetscFunctionBeginUser;
    PetscCall(residual(NULL, v, self->work[0], self));
    PetscCall(distributed_contacts(self, self->work[0], self->u));
    for (int a = 0; a < self->contacts; a++) {
        const double h = self->entry_value[self->entry_start[self->d * a]];
        self->r[3 * a] = fmax(0.0, (self->u[3 * a] - self->w[self->d * a]) / (h * h));
        self->r[3 * a + 1] = self->r[3 * a + 2] = 0.0;
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode solve(carom_mpi_contact *self, const carom_solver_options *limits,
                            carom_solve_report *report)
{
    SNES snes;
    SNESLineSearch search;
    KSP ksp;
    PC pc;
    Vec lower, upper, v;
    PetscInt iterations;
    PetscReal size;
    PetscFunctionBeginUser;
    PetscCall(distributed_begin(self));
    PetscCall(VecDuplicate(self->v, &lower));
    PetscCall(VecDuplicate(self->v, &upper));
    PetscCall(VecDuplicate(self->v, &v));
    PetscCall(set_bounds(self, lower, upper));
    PetscCall(SNESCreate(self->communicator, &snes));
    PetscCall(SNESSetOptionsPrefix(snes, "obstacle_"));
    PetscCall(SNESSetType(snes, SNESVINEWTONRSLS));
    PetscCall(SNESSetFunction(snes, self->work[1], residual, self));
    PetscCall(SNESSetJacobian(snes, self->A, self->A, jacobian, self));
    PetscCall(SNESVISetVariableBounds(snes, lower, upper));
    PetscCall(SNESGetLineSearch(snes, &search));
    PetscCall(SNESLineSearchSetType(search, SNESLINESEARCHBASIC));
    PetscCall(VecNorm(self->f, NORM_2, &size));
    PetscCall(SNESSetTolerances(snes, 1e-13 * size, 1e-14, 1e-16, limits->max_iterations, 1000000));
    PetscCall(SNESGetKSP(snes, &ksp));
    PetscCall(KSPSetType(ksp, KSPPREONLY));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCSetType(pc, PCLU));
    PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    PetscCall(SNESSetFromOptions(snes));
    PetscCall(VecCopy(self->v, v)); /* the free motion; PETSc moves it within the bounds */
    PetscCall(SNESSolve(snes, NULL, v));
    PetscCall(SNESGetIterationNumber(snes, &iterations));
    report->iterations = (int)iterations;
    PetscCall(take_reactions(self, v));
    PetscCall(SNESDestroy(&snes));
    PetscCall(VecDestroy(&lower));
    PetscCall(VecDestroy(&upper));
    PetscCall(VecDestroy(&v));
    PetscCall(distributed_end(self, limits, report));
    PetscFunctionReturn(0);
}

carom_status carom_mpi_contact_obstacle(carom_mpi_contact *problem, const carom_solver_options *options,
                                        carom_solve_report *report, carom_error *error)
{
    const carom_solver_options limits = distributed_limits(options, 200);
    *report = (carom_solve_report){.word = CAROM_SOLVE_STALLED, .error = INFINITY, .failed_contact = -1};
    if (problem->W)
        return carom_fail(error, CAROM_BAD_INPUT, "bounds on velocities are for the global form (M, H)");
    if (problem->free)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "PETSc's solver of bounds factors M: it takes the direct solver");
    if (!suits(problem))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bounds on velocities are problems without friction (mu = 0) whose normals act on "
                          "one velocity each, "
                          "with a positive entry");
    return distributed_status(solve(problem, &limits, report), "bounds on velocities on ranks", error);
}
