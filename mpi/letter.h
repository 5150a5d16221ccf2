/* Messages between ranks: words of eight bytes, written and read one after the other. */
#ifndef CAROM_MPI_LETTER_H
#define CAROM_MPI_LETTER_H

#include <mpi.h>

#include "carom/base.h"

typedef struct letter {
    uint64_t *word;
    size_t count, capacity;
    size_t place; /* while reading */
    bool failed;  /* memory was short, or it ends too soon */
    /* while it is received: a long one comes when its sender, too, has spoken MPI again, and nobody waits in a loop until then */
    bool comes;
    size_t coming;
    int sender;
    MPI_Request request;
} letter;

void letter_put(letter *self, uint64_t word);
void letter_put_bytes(letter *self, const void *bytes, size_t count); /* with their number */
uint64_t letter_get(letter *self);                                    /* 0 when it failed */
int letter_get_whole(letter *self);                                   /* from 0 to INT_MAX */
const void *letter_get_bytes(letter *self, size_t *count);            /* they stay in the letter */
void letter_free(letter *self);

/* From rank 0 to all others; waits until each has it, or has room for it. */
carom_status letter_send_all(const letter *self, MPI_Comm communicator, carom_error *error);

/* Letters on their way, so that nobody waits for a receiver. */
typedef struct sent_letter sent_letter;
typedef struct outbox {
    sent_letter *first;
} outbox;
/* Takes the letter over, which is empty then. */
carom_status outbox_send(outbox *self, letter *sent, MPI_Comm communicator, int rank, carom_error *error);
void outbox_tidy(outbox *self); /* forgets those that arrived */
void outbox_end(outbox *self);  /* waits for all */

/* The next letter that is there, from `rank` or MPI_ANY_SOURCE; false: none, or one that is still coming: it is for the next call with
 * the same letter. */
bool letter_receive(letter *self, MPI_Comm communicator, int rank, int *sender);

#endif
