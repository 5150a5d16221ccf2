/* The reduced form u = W r + q on ranks: rows of W, and copies of the reactions of other ranks' contacts that they meet.
 *
 * Contacts are taken in the order of a walk through the graph of W, breadth first, and cut into as many pieces as there are
 * ranks, each with about the same number of blocks: neighbours mostly stay together. */
#ifndef CAROM_MPI_CONTACT_REDUCED_H
#define CAROM_MPI_CONTACT_REDUCED_H

#include "distributed.h"

struct reduced {
    int contacts, copies; /* own ones come first in columns and reactions */
    int first;            /* place of the first own contact among all */
    int *row_start, *column, *diagonal;
    double *block;   /* 9 each */
    double *r;       /* 3 per contact and copy */
    int *copy_place; /* among all, ascending */
    /* who gets what: contacts to be sent to rank i are send[send_start[i]] ..., copies of its own receive_start[i] ... */
    int ranks, *send_start, *send, *receive_start;
    double *letter; /* 3 per contact to be sent */
    MPI_Request *request;
    long exchanges;
};

/* Reactions of the own contacts to all ranks that have copies of them, and back. */
void reduced_exchange(carom_mpi_contact *self, const double *r);
/* u = W r + q, 3 per own contact; exchanges r. */
void reduced_multiply(carom_mpi_contact *self, const double *r, double *u);
/* rho from the blocks on the diagonal, and the trace of W. */
void reduced_stiffness(carom_mpi_contact *self, double *trace);
/* Newton's step (I + D W) dr = -g; self->r and self->u follow. */
PetscErrorCode reduced_step(carom_mpi_contact *self, double tolerance, const double *D, const double *g);
void reduced_free(struct reduced *W);

#endif
