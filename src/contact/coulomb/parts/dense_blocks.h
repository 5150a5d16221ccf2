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

/* Memory for up to so many contacts. False: there is none, or they are more than COULOMB_DENSE_CONTACTS. */
enum {
    COULOMB_DENSE_CONTACTS = 3000
};
bool coulomb_dense_create(coulomb_dense *dense, int contacts);
void coulomb_dense_free(coulomb_dense *dense);

/* Another W: its size, and whether it is symmetric; matrix := W */
void coulomb_dense_begin(coulomb_dense *dense, const carom_blocks *W);

/* matrix := W */
void coulomb_dense_fill(coulomb_dense *dense, const carom_blocks *W);
/* Cholesky when W is symmetric to rounding, else LU. False: the matrix is not positive definite or
 * singular. */
bool coulomb_dense_factor(coulomb_dense *dense);
void coulomb_dense_solve(const coulomb_dense *dense, double *x);

/* Matrices of W are stored and factored as dense ones: few contacts, or so many blocks that sparsity does not
 * pay. */
bool coulomb_is_dense(const carom_problem_shape *shape);

/* The mean of the diagonal of W. */
double coulomb_mean_diagonal(const carom_blocks *W);

#endif
