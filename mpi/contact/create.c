/* Contact problems on ranks, from the part that each of them has. */
#include <stdlib.h>
#include <string.h>

#include "reduced.h"

static void *copy_of(const void *from, size_t count, size_t size)
{
    void *to = carom_new_array(count, size);
    if (to && count > 0)
        memcpy(to, from, count * size);
    return to;
}

static bool copy_part(carom_mpi_contact *self, const carom_mpi_contact_part *part)
{
    const size_t contacts = (size_t)part->contacts, columns = (size_t)part->dimension * contacts;
    const size_t entries = (size_t)part->entry_start[columns];
    self->d = part->dimension;
    self->contacts = part->contacts;
    self->velocities = part->velocities;
    self->entry_start = copy_of(part->entry_start, columns + 1, sizeof(int));
    self->entry_row = copy_of(part->entry_row, entries, sizeof(int));
    self->entry_value = copy_of(part->entry_value, entries, sizeof(double));
    self->number = copy_of(part->number, contacts, sizeof(int));
    self->w = copy_of(part->w, columns, sizeof(double));
    self->mu = copy_of(part->mu, contacts, sizeof(double));
    self->q = carom_new_array(3 * contacts, sizeof(double));
    self->u = carom_new_array(3 * contacts, sizeof(double));
    self->r = carom_new_array(3 * contacts, sizeof(double));
    self->rho = carom_new_array(contacts, sizeof *self->rho);
    self->mass_entries = part->row_start[part->velocities];
    self->mass_value = copy_of(part->value, (size_t)self->mass_entries, sizeof(double));
    self->all_entries = self->mass_entries;
    for (int a = 0; a < part->contacts && !self->is_free; a++) {
        const PetscCount own =
            part->entry_start[part->dimension * (a + 1)] - part->entry_start[part->dimension * a];
        self->all_entries += own * own;
    }
    self->entry = carom_new_array((size_t)self->all_entries, sizeof(double));
    return self->entry_start && self->entry_row && self->entry_value && self->number && self->w && self->mu &&
           self->q && self->u && self->r && self->rho && self->mass_value && self->entry;
}

/* Where the entries of A are, in the order of distributed_matrix. */
static void fill_places(const carom_mpi_contact *self, const carom_mpi_contact_part *part, PetscInt first,
                        PetscInt *row, PetscInt *column)
{
    PetscCount at = 0;
    for (int i = 0; i < part->velocities; i++)
        for (int k = part->row_start[i]; k < part->row_start[i + 1]; k++, at++) {
            row[at] = first + i;
            column[at] = part->column[k];
        }
    for (int a = 0; a < self->contacts && !self->is_free; a++) {
        const int begin = self->entry_start[self->d * a], end = self->entry_start[self->d * (a + 1)];
        for (int i = begin; i < end; i++)
            for (int j = begin; j < end; j++, at++) {
                row[at] = self->entry_row[i];
                column[at] = self->entry_row[j];
            }
    }
}

/* Which rows and columns are whose, before there are entries. */
static PetscErrorCode set_up_layouts(Mat matrix)
{
    PetscLayout rows, columns;
    PetscFunctionBeginUser;
    PetscCall(MatGetLayouts(matrix, &rows, &columns));
    PetscCall(PetscLayoutSetUp(rows));
    PetscCall(PetscLayoutSetUp(columns));
    PetscFunctionReturn(0);
}

/* Which rows are whose. */
static PetscErrorCode begin_matrix(carom_mpi_contact *self)
{
    PetscFunctionBeginUser;
    PetscCall(MatCreate(self->communicator, &self->A));
    PetscCall(MatSetSizes(self->A, self->velocities, self->velocities, PETSC_DETERMINE, PETSC_DETERMINE));
    PetscCall(MatSetType(self->A, MATAIJ));
    if (self->all_velocities % 3 == 0)
        PetscCall(MatSetBlockSize(self->A, 3));
    PetscCall(set_up_layouts(self->A));
    PetscFunctionReturn(0);
}

/* PETSc sorts the places, which are not needed any more. */
static PetscErrorCode end_matrix(carom_mpi_contact *self, PetscInt *row, PetscInt *column)
{
    PetscFunctionBeginUser;
    PetscCall(MatSetPreallocationCOO(self->A, self->all_entries, row, column));
    PetscCall(MatCreateVecs(self->A, &self->v, &self->f));
    for (int k = 0; k < 3; k++)
        PetscCall(VecDuplicate(self->v, &self->work[k]));
    PetscFunctionReturn(0);
}

PetscErrorCode distributed_make_matrix(carom_mpi_contact *self, PetscInt *row, PetscInt *column)
{
    PetscFunctionBeginUser;
    PetscCall(begin_matrix(self));
    PetscCall(end_matrix(self, row, column));
    PetscFunctionReturn(0);
}

static PetscErrorCode make_matrix(carom_mpi_contact *self, const carom_mpi_contact_part *part)
{
    PetscInt first;
    PetscFunctionBeginUser;
    PetscInt *row = calloc((size_t)self->all_entries + 1, sizeof *row);
    PetscInt *column = calloc((size_t)self->all_entries + 1, sizeof *column);
    if (!row || !column) {
        free(row);
        free(column);
        SETERRQ(self->communicator, PETSC_ERR_MEM, "memory is short");
    }
    PetscCall(begin_matrix(self));
    PetscCall(MatGetOwnershipRange(self->A, &first, NULL));
    fill_places(self, part, first, row, column);
    PetscCall(end_matrix(self, row, column));
    free(row);
    free(column);
    double *f;
    PetscCall(VecGetArray(self->f, &f));
    for (int i = 0; i < self->velocities; i++)
        f[i] = part->f[i];
    PetscCall(VecRestoreArray(self->f, &f));
    PetscFunctionReturn(0);
}

static PetscErrorCode make_directions(carom_mpi_contact *self)
{
    const int columns = self->d * self->contacts;
    const PetscCount entries = self->entry_start[columns];
    PetscInt first;
    PetscFunctionBeginUser;
    PetscInt *row = calloc((size_t)entries + 1, sizeof *row),
             *column = calloc((size_t)entries + 1, sizeof *column);
    if (!row || !column) {
        free(row);
        free(column);
        SETERRQ(self->communicator, PETSC_ERR_MEM, "memory is short");
    }
    PetscCall(MatCreate(self->communicator, &self->H));
    PetscCall(MatSetSizes(self->H, self->velocities, columns, PETSC_DETERMINE, PETSC_DETERMINE));
    PetscCall(MatSetType(self->H, MATAIJ));
    PetscCall(set_up_layouts(self->H));
    PetscCall(MatGetOwnershipRangeColumn(self->H, &first, NULL));
    for (int k = 0; k < columns; k++)
        for (int at = self->entry_start[k]; at < self->entry_start[k + 1]; at++) {
            row[at] = self->entry_row[at];
            column[at] = first + k;
        }
    PetscCall(MatSetPreallocationCOO(self->H, entries, row, column));
    PetscCall(MatSetValuesCOO(self->H, self->entry_value, INSERT_VALUES));
    free(row);
    free(column);
    PetscCall(MatCreateVecs(self->H, &self->at_contacts, NULL));
    PetscFunctionReturn(0);
}

/* Translations: what is known of a body whose nodes have no places. */
static PetscErrorCode tell_translations(carom_mpi_contact *self)
{
    Vec mode[3];
    MatNullSpace space;
    PetscFunctionBeginUser;
    if (self->all_velocities % 3 != 0)
        PetscFunctionReturn(0);
    for (int k = 0; k < 3; k++) {
        double *x;
        PetscCall(VecDuplicate(self->v, &mode[k]));
        PetscCall(VecGetArray(mode[k], &x));
        for (int i = 0; i < self->velocities; i++)
            x[i] = i % 3 == k ? 1.0 : 0.0;
        PetscCall(VecRestoreArray(mode[k], &x));
        PetscCall(VecNormalize(mode[k], NULL));
    }
    PetscCall(MatNullSpaceCreate(self->communicator, PETSC_FALSE, 3, mode, &space));
    PetscCall(MatSetNearNullSpace(self->A, space));
    PetscCall(MatNullSpaceDestroy(&space));
    for (int k = 0; k < 3; k++)
        PetscCall(VecDestroy(&mode[k]));
    PetscFunctionReturn(0);
}

PetscErrorCode distributed_make_solver(carom_mpi_contact *self, carom_mpi_linear linear)
{
    PC pc;
    PetscFunctionBeginUser;
    PetscCall(KSPCreate(self->communicator, &self->solver));
    PetscCall(KSPSetOptionsPrefix(self->solver, "contact_"));
    PetscCall(KSPSetOperators(self->solver, self->A, self->A));
    PetscCall(KSPGetPC(self->solver, &pc));
    if (linear == CAROM_MPI_DIRECT) {
        PetscCall(KSPSetType(self->solver, KSPPREONLY));
        PetscCall(PCSetType(pc, PCLU));
        PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    } else if (linear == CAROM_MPI_FREE) {
        PetscCall(PCSetType(pc, PCJACOBI));
    } else {
        PetscCall(KSPSetType(self->solver, KSPFGMRES));
        PetscCall(KSPGMRESSetRestart(self->solver, 100));
        PetscCall(PCSetType(pc, linear == CAROM_MPI_HYPRE ? PCHYPRE : PCGAMG));
        if (linear == CAROM_MPI_HYPRE)
            PetscCall(PCHYPRESetType(pc, "boomeramg"));
        if (!self->W)
            PetscCall(tell_translations(self));
    }
    PetscCall(KSPSetFromOptions(self->solver));
    PetscFunctionReturn(0);
}

static PetscErrorCode make(carom_mpi_contact *self, const carom_mpi_contact_part *part,
                           carom_mpi_linear linear)
{
    PetscFunctionBeginUser;
    PetscCall(make_matrix(self, part));
    PetscCall(make_directions(self));
    if (self->is_free)
        PetscCall(matrix_free_create(self));
    PetscCall(distributed_make_solver(self, linear));
    PetscFunctionReturn(0);
}

bool distributed_all_can(MPI_Comm communicator, bool can)
{
    int own = can, all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, communicator);
    return all != 0;
}

double *distributed_take(const carom_mpi_contact *self, size_t count)
{
    double *numbers = carom_new_array(count, sizeof *numbers);
    if (distributed_all_can(self->communicator, numbers))
        return numbers;
    free(numbers);
    return NULL;
}

carom_status carom_mpi_contact_create(MPI_Comm communicator, const carom_mpi_contact_part *part,
                                      carom_mpi_linear linear, carom_mpi_contact **problem,
                                      carom_error *error)
{
    carom_mpi_contact *self = carom_new_array(1, sizeof *self);
    *problem = NULL;
    if (self) {
        self->communicator = communicator;
        self->is_free = linear == CAROM_MPI_FREE;
    }
    const bool can = self && part->entry_start && copy_part(self, part);
    if (!distributed_all_can(communicator, can) || !self) {
        carom_mpi_contact_free(self);
        return carom_fail_memory(error);
    }
    const int own[2] = {self->contacts, self->velocities};
    int all[2];
    MPI_Allreduce(own, all, 2, MPI_INT, MPI_SUM, communicator);
    self->all_contacts = all[0];
    self->all_velocities = all[1];
    const PetscErrorCode code = make(self, part, linear);
    if (code != 0) {
        carom_mpi_contact_free(self);
        return distributed_status(code, "the matrices of the contact problem", error);
    }
    *problem = self;
    return CAROM_OK;
}

void carom_mpi_contact_free(carom_mpi_contact *self)
{
    if (!self)
        return;
    matrix_free_destroy(self);
    KSPDestroy(&self->solver);
    MatDestroy(&self->A);
    MatDestroy(&self->H);
    VecDestroy(&self->f);
    VecDestroy(&self->v);
    for (int k = 0; k < 3; k++)
        VecDestroy(&self->work[k]);
    VecDestroy(&self->at_contacts);
    reduced_free(self->W);
    void *array[] = {self->entry_start, self->entry_row, self->number, self->entry_value, self->w, self->mu,
                     self->mass_value,  self->entry,     self->q,      self->u,           self->r, self->rho};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        free(array[i]);
    free(self);
}

int carom_mpi_contact_contacts(const carom_mpi_contact *self)
{
    return self->all_contacts;
}

int carom_mpi_contact_velocities(const carom_mpi_contact *self)
{
    return self->all_velocities;
}
