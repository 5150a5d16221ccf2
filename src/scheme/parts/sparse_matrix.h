/* A sparse square matrix whose entries have the same places always, and its factors, kept until other values come.
 * Chains give narrow bands, which are eliminated in place; other matrices are factored by KLU
 * (carom_sparse_factor). */
#ifndef CAROM_SCHEME_PARTS_SPARSE_MATRIX_H
#define CAROM_SCHEME_PARTS_SPARSE_MATRIX_H

#include "carom/linalg.h"

typedef struct sparse_matrix {
    int size;
    carom_sparse pattern; /* columns; value is `value` */
    double *value;        /* for the caller to fill */
    double *factored;     /* the values that the factors belong to ... */
    bool known;           /* ... when there are any */
    long factorisation;   /* which one this is: what depends on the matrix can be kept with it */
    bool diagonal;        /* the pattern has the diagonal only */
    bool narrow;
    bool no_memory;          /* why it has no factors */
    int *order, *band_place; /* of unknowns, of entries in the band */
    double *ordered;
    carom_narrow band;
    carom_sparse_factor *factor; /* in its place, where the matrix is not narrow */
} sparse_matrix;

/* The places are kept, not copied. False when memory is short. */
bool sparse_matrix_take(sparse_matrix *self, carom_arena *arena, const carom_sparse *pattern);
/* May be called for zeros. */
void sparse_matrix_free(sparse_matrix *self);

/* Factors `value`, unless it is what was factored last. 0, the 1-based row whose pivot is zero or rounding, or -1
 * when an entry is not finite or memory is short. Takes memory where KLU does: the first time, and when pivots must
 * be others. */
int sparse_matrix_factor(sparse_matrix *self);
/* What a snapshot keeps of the factors: the pivots of KLU depend on values that were factored before. */
void sparse_matrix_keep(sparse_matrix *self, carom_snapshot *snapshot);
/* Entries of its factors and floating-point operations to find them, from its places alone. False when memory is short. */
bool sparse_matrix_cost(const sparse_matrix *self, double *entries, double *flops);
/* x := matrix^-1 x */
void sparse_matrix_solve(sparse_matrix *self, double *x);
/* ... without refinement: for results that are verified */
void sparse_matrix_solve_once(sparse_matrix *self, double *x);
/* y += s matrix x, with `value` as it is */
void sparse_matrix_add(const sparse_matrix *self, double s, const double *x, double *y);

/* The places of the sum of some matrices, and with `symmetric` of their transposes, and the diagonal. Values are 0.
 * False when memory is short. */
bool sparse_union(carom_arena *arena, int count, const carom_sparse *const *a, bool symmetric,
                  carom_sparse *sum);

#endif
