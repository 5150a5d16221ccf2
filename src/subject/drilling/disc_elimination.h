/* One step when the discs above the bit form a row, each joined to its neighbours only (the bit may be joined to
 * any of them): with the discs that stick known, they are eliminated and the bit is left. */
#ifndef CAROM_SUBJECT_DRILLING_DISC_ELIMINATION_H
#define CAROM_SUBJECT_DRILLING_DISC_ELIMINATION_H

#include "carom/subject/drilling.h"

typedef struct drill_disc_row {
    int rest;           /* discs above the bit; all arrays have as many */
    double h, bit;      /* A_11 */
    double *own, *next; /* A_ii, and A_i,i+1 with a zero at the end */
    double *to_bit;     /* A_i1 */
    double *limit;      /* h Tw_i */
    double *push;       /* friction that acts on the discs that turn: limit with their sign */
    int *way;           /* -1, 1: it turns; 0: it sticks */
    double *turns;      /* 1 or 0 */
    double *factor;     /* of L D L^T: L, in which discs that stick have rows of I */
    double *pivot;      /* and the reciprocals of D */
    double *lean;       /* speed of the disc for unit speed of the bit, with the sign turned */
    double left;        /* A_11 - to_bit . lean */
} drill_disc_row;

/* Whether matrix A (n x n) has that shape. */
bool drill_disc_row_fits(int n, const double *A);
carom_status drill_disc_row_take(carom_arena *arena, int n, const double *A, double h, const double *wall,
                                 drill_disc_row *row, carom_error *error);
/* Discs turn or stick as these speeds (n) say. */
void drill_disc_row_follow(drill_disc_row *row, const double *W);
/* A W + h r = b; r may be NULL. False: a disc does not do what it did before; W then means nothing. W[0]
 * holds a guess for the bit. */
bool drill_disc_row_solve(const drill_disc_row *row, const double *b, const carom_drill_law *law, double *W,
                          double *r);

#endif
