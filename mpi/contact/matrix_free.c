/* A = M + H D H^T by its products alone, for problems whose factors or grids do not fit: the memory is that of M and H. What is
 * solved with it is preconditioned by its diagonal,
 *
 *   A_ii = M_ii + sum over contacts a of  H_i,a D_a H_i,a^T
 *
 * by conjugate gradients where all D are symmetric, as those of alternating directions and none at all are; by generalised minimal
 * residuals where they are not, as those of Newton's method. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "distributed.h"

struct matrix_free {
    Mat mass;
    double *D; /* 9 per contact */
    bool has_D;
    Vec diagonal, at_contacts;
};

/* D of the contacts of this rank on the numbers in the vector. */
static PetscErrorCode scale_contacts(const carom_mpi_contact *self, Vec at_contacts)
{
    double *x;
    PetscFunctionBeginUser;
    PetscCall(VecGetArray(at_contacts, &x));
    for (int a = 0; a < self->contacts; a++) {
        const double *D = self->free->D + 9 * (ptrdiff_t)a;
        double *own = x + self->d * (ptrdiff_t)a, old[3] = {0};
        memcpy(old, own, (size_t)self->d * sizeof *old);
        for (int k = 0; k < self->d; k++)
            own[k] = D[3 * k] * old[0] + D[3 * k + 1] * old[1] + D[3 * k + 2] * old[2];
    }
    PetscCall(VecRestoreArray(at_contacts, &x));
    PetscFunctionReturn(0);
}

static PetscErrorCode multiply(Mat A, Vec x, Vec y)
{
    carom_mpi_contact *self;
    PetscFunctionBeginUser;
    PetscCall(MatShellGetContext(A, (void *)&self));
    PetscCall(MatMult(self->free->mass, x, y));
    if (self->free->has_D) {
        PetscCall(MatMultTranspose(self->H, x, self->free->at_contacts));
        PetscCall(scale_contacts(self, self->free->at_contacts));
        PetscCall(MatMultAdd(self->H, self->free->at_contacts, y, y));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode get_diagonal(Mat A, Vec diagonal)
{
    carom_mpi_contact *self;
    PetscFunctionBeginUser;
    PetscCall(MatShellGetContext(A, (void *)&self));
    PetscCall(VecCopy(self->free->diagonal, diagonal));
    PetscFunctionReturn(0);
}

/* Rows of contacts may be those of other ranks. */
static PetscErrorCode find_diagonal(carom_mpi_contact *self)
{
    Vec diagonal = self->free->diagonal;
    PetscFunctionBeginUser;
    PetscCall(MatGetDiagonal(self->free->mass, diagonal));
    for (int a = 0; self->free->has_D && a < self->contacts; a++)
        for (int k = 0; k < self->d; k++)
            for (int l = 0; l < self->d; l++) {
                const double D = self->free->D[9 * (ptrdiff_t)a + 3 * k + l];
                const int *start = self->entry_start + self->d * (ptrdiff_t)a;
                for (int i = start[k]; D != 0.0 && i < start[k + 1]; i++)
                    for (int j = start[l]; j < start[l + 1]; j++)
                        if (self->entry_row[i] == self->entry_row[j])
                            PetscCall(VecSetValue(diagonal, self->entry_row[i],
                                                  self->entry_value[i] * D * self->entry_value[j],
                                                  ADD_VALUES));
            }
    PetscCall(VecAssemblyBegin(diagonal));
    PetscCall(VecAssemblyEnd(diagonal));
    PetscFunctionReturn(0);
}

PetscErrorCode matrix_free_create(carom_mpi_contact *self)
{
    PetscFunctionBeginUser;
    self->free = carom_new_array(1, sizeof *self->free);
    if (self->free)
        self->free->D = carom_new_array(9 * (size_t)self->contacts, sizeof *self->free->D);
    if (!self->free || !self->free->D)
        SETERRQ(self->communicator, PETSC_ERR_MEM, "memory is short");
    self->free->mass = self->A;
    PetscCall(MatCreateShell(self->communicator, self->velocities, self->velocities, PETSC_DETERMINE,
                             PETSC_DETERMINE, self, &self->A));
    PetscCall(MatShellSetOperation(self->A, MATOP_MULT, (void (*)(void))multiply));
    PetscCall(MatShellSetOperation(self->A, MATOP_GET_DIAGONAL, (void (*)(void))get_diagonal));
    PetscCall(VecDuplicate(self->v, &self->free->diagonal));
    PetscCall(VecDuplicate(self->at_contacts, &self->free->at_contacts));
    PetscCall(MatSetValuesCOO(self->free->mass, self->mass_value, INSERT_VALUES));
    PetscFunctionReturn(0);
}

void matrix_free_destroy(carom_mpi_contact *self)
{
    if (!self->free)
        return;
    MatDestroy(&self->free->mass);
    VecDestroy(&self->free->diagonal);
    VecDestroy(&self->free->at_contacts);
    free(self->free->D);
    free(self->free);
}

static bool is_symmetric(const carom_mpi_contact *self)
{
    int own = 1, all = 0;
    for (int a = 0; a < self->contacts; a++) {
        const double *D = self->free->D + 9 * (ptrdiff_t)a;
        own = own && D[1] == D[3] && D[2] == D[6] && D[5] == D[7];
    }
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, self->communicator);
    return all != 0;
}

PetscErrorCode matrix_free_set(carom_mpi_contact *self, const double *D)
{
    PetscFunctionBeginUser;
    self->free->has_D = D != NULL;
    if (D)
        memcpy(self->free->D, D, 9 * (size_t)self->contacts * sizeof *D);
    PetscCall(find_diagonal(self));
    PetscCall(MatAssemblyBegin(self->A, MAT_FINAL_ASSEMBLY)); /* it is another one: a new preconditioner */
    PetscCall(MatAssemblyEnd(self->A, MAT_FINAL_ASSEMBLY));
    if (!D || is_symmetric(self)) {
        PetscCall(KSPSetType(self->solver, KSPCG));
    } else {
        PetscCall(KSPSetType(self->solver, KSPFGMRES));
        PetscCall(KSPGMRESSetRestart(self->solver, 100));
    }
    PetscFunctionReturn(0);
}
