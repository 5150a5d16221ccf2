/* The shortest solution of a square system whose rows depend on each other, and whose right-hand side agrees with that. */
#ifndef CAROM_SCHEME_PARTS_LEAST_NORM_H
#define CAROM_SCHEME_PARTS_LEAST_NORM_H

enum {
    LEAST_NORM_SCRATCH = 4 /* numbers per row */
};

/* b := the x with A x = b of the smallest length; what of b does not lie in the range of A is left out. A, n x n row-major, is
 * overwritten. Columns that are shorter than `dependent` times the longest one, once those before are taken out, are
 * taken for zero. order: n. scratch: LEAST_NORM_SCRATCH n. Returns the rank.
 *
 * Householder's reflections from the left, the longest column first, A P = Q [R S; 0 0], and then from the right,
 * [R S] = [T 0] Z: x = P Z^T [T^-1 Q^T b; 0]. */
int least_norm_solve(int n, double *A, double *b, double dependent, int *order, double *scratch);

#endif
