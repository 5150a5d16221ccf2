/* The matrix I + M^-1 J^T D J of velocities, as blocks, for D of d x d per contact. Joints are stiff springs in it
 * (pairs_joints.h). */
#ifndef CAROM_CONTACT_COULOMB_PAIRS_PAIRS_SYSTEM_H
#define CAROM_CONTACT_COULOMB_PAIRS_PAIRS_SYSTEM_H

#include "carom/linalg/block_lu.h"
#include "pairs_rows.h"

typedef struct pairs_system {
    carom_block_lu *lu;
    double stiffness; /* of joints, of which S_ii = 1 */
    bool hasty;       /* joints may give way a little */
    /* with joints only: bodies that touch, then those that share a joint; s per body and the one that never moves */
    int (*pair)[2];
    double *change;
    size_t pair_room, body_room;
} pairs_system;

/* The pattern of the rows; false when memory is short. */
bool pairs_system_take(pairs_system *self, const pairs_rows *rows, carom_block_lu *lu);
/* I, and joints for a D of which no number is larger than `largest`. */
void pairs_system_clear(pairs_system *self, const pairs_rows *rows, double largest);
/* Adds the part of one contact. */
void pairs_system_add(pairs_system *self, const pairs_rows *rows, int contact, const double *D);
/* x, s per body, becomes the motion that answers it and obeys the joints. */
void pairs_system_solve(pairs_system *self, const pairs_rows *rows, double *x);
/* All but the factors. */
void pairs_system_free(pairs_system *self);

#endif
