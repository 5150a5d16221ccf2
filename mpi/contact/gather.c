/* What ranks found, certified and brought together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reduced.h"

carom_status carom_mpi_contact_error(carom_mpi_contact *self, double *natural, carom_error *error)
{
    const PetscErrorCode code = distributed_move(self, self->r);
    if (code == 0)
        *natural = distributed_error(self, self->u, self->r);
    return distributed_status(code, "the motion of the reactions", error);
}

static carom_contact_regime regime_of(const double u[3], double small)
{
    return u[0] > small                ? CAROM_CONTACT_OPEN
           : hypot(u[1], u[2]) > small ? CAROM_CONTACT_SLIP
                                       : CAROM_CONTACT_STICK;
}

void carom_mpi_contact_summarise(const carom_mpi_contact *self, carom_coulomb_summary *summary)
{
    double own[4] = {0.0}, all[4], largest = 0.0, all_largest;
    int count[3] = {0}, all_count[3];
    for (int k = 0; k < 3 * self->contacts; k++) {
        const double u = self->u[k], r = self->r[k];
        own[0] += r * r;
        own[1] += u * u;
        own[2] += 0.5 * r * (u + self->q[k]); /* u = W r + q */
        own[3] += k % 3 > 0 ? u * r : 0.0;
        largest = fmax(largest, fabs(u));
    }
    MPI_Allreduce(own, all, 4, MPI_DOUBLE, MPI_SUM, self->communicator);
    MPI_Allreduce(&largest, &all_largest, 1, MPI_DOUBLE, MPI_MAX, self->communicator);
    const double error = self->q_size > 0.0 ? distributed_error(self, self->u, self->r) : 0.0;
    *summary = (carom_coulomb_summary){.q_norm = self->q_size,
                                       .r_norm = sqrt(all[0]),
                                       .u_norm = sqrt(all[1]),
                                       .error = error,
                                       .absolute_error = error * self->q_size,
                                       .energy = all[2],
                                       .dissipation = all[3]};
    const double small = fmax(fmax(1e-6 * all_largest, 2.0 * summary->absolute_error), 1e-14 * self->q_size);
    for (int a = 0; a < self->contacts; a++)
        count[regime_of(self->u + 3 * (ptrdiff_t)a, small)]++;
    MPI_Allreduce(count, all_count, 3, MPI_INT, MPI_SUM, self->communicator);
    summary->open = all_count[CAROM_CONTACT_OPEN];
    summary->sliding = all_count[CAROM_CONTACT_SLIP];
    summary->sticking = all_count[CAROM_CONTACT_STICK];
}

void carom_mpi_contact_border(const carom_mpi_contact *self, int *neighbours, long *numbers)
{
    *neighbours = 0;
    *numbers = 0;
    for (int rank = 0; self->W && rank < self->W->ranks; rank++) {
        const int sent = self->W->send_start[rank + 1] - self->W->send_start[rank],
                  received = self->W->receive_start[rank + 1] - self->W->receive_start[rank];
        *neighbours += sent + received > 0;
        *numbers += 3L * (sent + received);
    }
}

/* On rank 0: the contacts of all ranks, each with its number. */
typedef struct collection {
    int *count, *start; /* per rank: contacts */
    int *number;
    double *three;
} collection;

static bool take_collection(const carom_mpi_contact *self, int ranks, collection *all)
{
    const size_t contacts = (size_t)self->all_contacts;
    all->count = carom_new_array((size_t)ranks, sizeof(int));
    all->start = carom_new_array((size_t)ranks, sizeof(int));
    all->number = carom_new_array(contacts, sizeof(int));
    all->three = carom_new_array(3 * contacts, sizeof(double));
    return all->count && all->start && all->number && all->three;
}

static void gather_contacts(const carom_mpi_contact *self, collection *all, int ranks, const double *own,
                            double *to)
{
    int rank;
    MPI_Datatype triple;
    MPI_Type_contiguous(3, MPI_DOUBLE, &triple);
    MPI_Type_commit(&triple);
    MPI_Comm_rank(self->communicator, &rank);
    MPI_Gather(&self->contacts, 1, MPI_INT, all->count, 1, MPI_INT, 0, self->communicator);
    for (int i = 1; rank == 0 && i < ranks; i++)
        all->start[i] = all->start[i - 1] + all->count[i - 1];
    MPI_Gatherv(self->number, self->contacts, MPI_INT, all->number, all->count, all->start, MPI_INT, 0,
                self->communicator);
    MPI_Gatherv(own, self->contacts, triple, all->three, all->count, all->start, triple, 0,
                self->communicator);
    MPI_Type_free(&triple);
    for (int a = 0; rank == 0 && a < self->all_contacts; a++)
        for (int k = 0; k < self->d; k++)
            to[self->d * all->number[a] + k] = all->three[3 * a + k];
}

static PetscErrorCode gather_velocities(carom_mpi_contact *self, double *v)
{
    VecScatter scatter;
    Vec whole;
    const double *x;
    PetscInt count;
    PetscFunctionBeginUser;
    PetscCall(VecScatterCreateToZero(self->v, &scatter, &whole));
    PetscCall(VecScatterBegin(scatter, self->v, whole, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecScatterEnd(scatter, self->v, whole, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecGetLocalSize(whole, &count));
    PetscCall(VecGetArrayRead(whole, &x));
    if (count > 0 && v)
        memcpy(v, x, (size_t)count * sizeof *v);
    PetscCall(VecRestoreArrayRead(whole, &x));
    PetscCall(VecDestroy(&whole));
    PetscCall(VecScatterDestroy(&scatter));
    PetscFunctionReturn(0);
}

carom_status carom_mpi_contact_gather(carom_mpi_contact *self, double *r, double *u, double *v,
                                      carom_error *error)
{
    int ranks, can, all_can;
    collection all = {0};
    MPI_Comm_size(self->communicator, &ranks);
    can = take_collection(self, ranks, &all);
    MPI_Allreduce(&can, &all_can, 1, MPI_INT, MPI_MIN, self->communicator);
    carom_status status = CAROM_OK;
    if (all_can) {
        gather_contacts(self, &all, ranks, self->r, r);
        gather_contacts(self, &all, ranks, self->u, u);
        if (!self->W)
            status = distributed_status(gather_velocities(self, v), "the velocities of all ranks", error);
    } else {
        status = carom_fail_memory(error);
    }
    free(all.count);
    free(all.start);
    free(all.number);
    free(all.three);
    return status;
}
