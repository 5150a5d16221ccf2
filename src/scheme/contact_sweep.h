/* Several contacts with friction at once: block Gauss-Seidel, each contact solved exactly for the impulses
 * that the others have at the moment. Plain data: the caller fills W, u_free, target, tangents, set. */
#ifndef SCHEME_CONTACT_SWEEP_H
#define SCHEME_CONTACT_SWEEP_H

#include "carom/contact.h"
#include "contact_rows.h"

typedef struct contact_sweep {
    int count;
    double *W;             /* (3 count) x (3 count), row-major; unused tangents are not read */
    double *u_free;        /* 3 per contact: relative velocity without impulses */
    double *target;        /* normal velocity of a contact that carries an impulse */
    int *tangents;         /* 0: frictionless */
    carom_planar_set *set; /* D_1 of each contact with tangents */
    double *impulse;       /* 3 per contact: start and result */
    unsigned char *branch; /* result */
    /* what came out */
    int sweeps;
    double error;       /* worst distance from the laws, relative to the largest given velocity */
    int failed_contact; /* whose own problem had no solution; -1: none */
} contact_sweep;

/* Memory for up to `capacity` contacts; false when memory is short. */
bool contact_sweep_take(contact_sweep *sweep, carom_arena *arena, int capacity);

/* Fills block (k, l) of W for contacts a and b of the rows. */
void contact_sweep_set_block(contact_sweep *sweep, int k, int l, const contact_rows *rows, int a, int b);

/* CAROM_OK when the velocities no longer change and all laws hold. CAROM_FAILED otherwise; the error text is
 * set only when failed_contact >= 0. */
carom_status contact_sweep_solve(contact_sweep *sweep, carom_error *error);

#endif
