/* The inside of carom_workers on MPI. What ranks say to each other, each a letter that begins with its kind:
 *
 *   leader to follower   CALL bytes               what the survey is (mpi/crew.c); with the C library all ranks know it
 *                        PIECES n (piece brief)*  to be computed
 *                        STOP                     nobody waits for pieces any more
 *                        HOME                     no more work
 *   follower to leader   ANSWERS wanted threads n (piece ends bytes)*
 *                        STOPPED                  the last letter after STOP or ERROR: it computes nothing
 *                        ERROR status text        it cannot go on
 *                        GONE                     the last one after HOME */
#ifndef CAROM_MPI_WORKERS_H
#define CAROM_MPI_WORKERS_H

#include "carom/mpi.h"
#include "letter.h"

typedef enum letter_kind {
    LETTER_CALL = 1,
    LETTER_PIECES,
    LETTER_STOP,
    LETTER_HOME,
    LETTER_ANSWERS,
    LETTER_STOPPED,
    LETTER_ERROR,
    LETTER_GONE,
} letter_kind;

typedef struct follower {
    int wanted;  /* pieces that it waits for */
    int threads; /* 0: it has not said anything yet */
    bool has_stopped;
} follower;

typedef struct mpi_workers {
    carom_workers workers; /* what users see */
    MPI_Comm communicator;
    int rank, size;
    follower *follower; /* of the leader: by rank */
    carom_snapshot
        *call; /* of the leader: what the followers are told before the first piece; NULL: they know */
    bool called;
    bool home; /* of a follower: it was sent home */
    outbox outbox;
    letter received; /* of the leader */
} mpi_workers;

carom_status mpi_lead(void *context, const carom_work *work, carom_error *error);
carom_status mpi_follow(void *context, const carom_work *work, carom_error *error);

/* Of a follower: waits for a call; false: there is none, go home. The bytes stay in the letter. */
bool mpi_wait_for_call(mpi_workers *self, letter *call, const void **bytes, size_t *count);
/* Of a follower: why it cannot go on. */
void mpi_tell_error(mpi_workers *self, const carom_error *error);

#endif
