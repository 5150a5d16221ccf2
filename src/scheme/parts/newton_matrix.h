/* The matrix of a Newton iteration and its factors, kept until another matrix comes. */
#ifndef CAROM_SCHEME_PARTS_NEWTON_MATRIX_H
#define CAROM_SCHEME_PARTS_NEWTON_MATRIX_H

#include "carom/linalg.h"

typedef struct newton_matrix {
    int dof;
    bool factored;
    bool diagonal;
    long factorisation; /* which one this is: what depends on the matrix can be kept with it */
    double *matrix;     /* as it was given */
    double *factor;     /* its factors */
    double *diagonals;  /* of a diagonal matrix; of a band what 1 over those of the factors is */
    int *pivot;
    bool banded;           /* most of the factors is zero: */
    int *first, *last;     /* per row, what lies outside is */
    int *order;            /* where the right-hand side of a row stands before rows are exchanged */
    double *lower, *upper; /* two per row, the nearest to the diagonal; those right of it times 1 over it */
    double *right;         /* room for a right-hand side */
} newton_matrix;

/* Memory for dof x dof; false when memory is short. */
bool newton_matrix_take(newton_matrix *newton, carom_arena *arena, int dof);

/* Factors the matrix, unless it is the one factored last. 0, the 1-based row whose pivot is zero, or -1 when
 * an entry is not finite. */
int newton_matrix_factor(newton_matrix *newton, const double *matrix);

/* The same of a matrix that is known to be diagonal, and was in all calls before. */
int newton_matrix_factor_diagonal(newton_matrix *newton, const double *matrix);

/* With the factors of a band. */
void newton_matrix_solve_banded(const newton_matrix *newton, double *x);

/* x := matrix^-1 x */
static inline void newton_matrix_solve(const newton_matrix *newton, double *x)
{
    if (newton->banded) {
        newton_matrix_solve_banded(newton, x);
        return;
    }
    if (!newton->diagonal) {
        carom_lu_solve(newton->dof, newton->factor, newton->pivot, x);
        return;
    }
    for (int i = 0; i < newton->dof; i++)
        x[i] /= newton->diagonals[i];
}

#endif
