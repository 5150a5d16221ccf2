/* A dense copy of the blocks of FC(W, q, mu), changed and factored by the solvers that need a direct
 * solution. One array of (3 contacts)^2 numbers, which limits them to problems of a few thousand contacts. */
#ifndef CAROM_CONTACT_COULOMB_PARTS_DENSE_BLOCKS_H
#define CAROM_CONTACT_COULOMB_PARTS_DENSE_BLOCKS_H

#include "carom/contact.h"

typedef struct coulomb_dense {
    int size;
    bool symmetric;
    double *matrix; /* then its factor */
    int *pivot;
} coulomb_dense;

/* False: no memory, or more contacts than COULOMB_DENSE_CONTACTS. */
enum {
    COULOMB_DENSE_CONTACTS = 3000
};
bool coulomb_dense_create(coulomb_dense *dense, const carom_blocks *W);
void coulomb_dense_free(coulomb_dense *dense);

/* matrix := W */
void coulomb_dense_fill(coulomb_dense *dense, const carom_blocks *W);
/* Cholesky when W is symmetric to rounding, else LU. False: the matrix is not positive definite or
 * singular. */
bool coulomb_dense_factor(coulomb_dense *dense);
void coulomb_dense_solve(const coulomb_dense *dense, double *x);

/* The mean of the diagonal of W. */
double coulomb_mean_diagonal(const carom_blocks *W);

#endif
