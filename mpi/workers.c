#include "workers.h"

#include <stdlib.h>
#include <time.h>

carom_status carom_mpi_workers_create(MPI_Comm communicator, carom_workers **workers, carom_error *error)
{
    int level = MPI_THREAD_SINGLE;
    *workers = NULL;
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_FUNNELED)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "MPI was initialised without threads: call MPI_Init_thread with MPI_THREAD_FUNNELED");
    mpi_workers *self = carom_new_array(1, sizeof *self);
    if (!self)
        return carom_fail_memory(error);
    MPI_Comm_dup(communicator, &self->communicator);
    MPI_Comm_rank(self->communicator, &self->rank);
    MPI_Comm_size(self->communicator, &self->size);
    self->follower = carom_new_array((size_t)self->size, sizeof *self->follower);
    self->workers = (carom_workers){self, self->size, self->rank > 0, self->rank > 0 ? mpi_follow : mpi_lead};
    *workers = &self->workers;
    if (self->follower)
        return CAROM_OK;
    carom_mpi_workers_free(*workers);
    *workers = NULL;
    return carom_fail_memory(error);
}

/* Letters that are still on their way are read, so that their senders can go. */
static void send_home(mpi_workers *self)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    letter sent = {0};
    int left = self->size - 1;
    letter_put(&sent, LETTER_HOME);
    letter_send_all(&sent, self->communicator, NULL);
    while (left > 0) {
        while (letter_receive(&self->received, self->communicator, MPI_ANY_SOURCE, NULL))
            left -= letter_get(&self->received) == LETTER_GONE;
        if (left > 0)
            nanosleep(&pause, NULL);
    }
    outbox_end(&self->outbox);
    letter_free(&sent);
    letter_free(&self->received);
}

static void go_home(mpi_workers *self)
{
    letter sent = {0}, call = {0};
    const void *bytes;
    size_t count;
    while (!self->home) /* a follower whose survey failed before the work began */
        mpi_wait_for_call(self, &call, &bytes, &count);
    letter_free(&call);
    letter_put(&sent, LETTER_GONE);
    outbox_send(&self->outbox, &sent, self->communicator, 0, NULL);
    outbox_end(&self->outbox);
}

void carom_mpi_workers_free(carom_workers *workers)
{
    if (!workers)
        return;
    mpi_workers *self = workers->context;
    if (self->rank > 0)
        go_home(self);
    else
        send_home(self);
    MPI_Comm_free(&self->communicator);
    free(self->follower);
    free(self);
}
