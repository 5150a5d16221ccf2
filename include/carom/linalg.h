/* linalg: small vectors inline, dense symmetric factorisation over LAPACK. Matrices are row-major. */
#ifndef CAROM_LINALG_H
#define CAROM_LINALG_H

#include "carom/base.h"

static inline double carom_dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* y += s x */
static inline void carom_axpy(int n, double s, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += s * x[i];
}

/* True when all entries are finite. */
bool carom_all_finite(int n, const double *x);

/* Cholesky factor of the symmetric positive definite n x n matrix: only the lower triangle is read
 * and overwritten by L, matrix = L L^T. Returns 0, or the 1-based row whose pivot is not positive. */
int carom_cholesky_factor(int n, double *matrix);

/* x := (L L^T)^-1 x, with the factor of carom_cholesky_factor. */
void carom_cholesky_solve(int n, const double *factor, double *x);

/* General dense solve by Gaussian elimination with partial pivoting: matrix (n x n) is overwritten by
 * its factors, pivot has n entries, x the right-hand side and then the solution. Returns 0, or the
 * 1-based row whose pivot is zero. */
int carom_lu_factor(int n, double *matrix, int *pivot);
void carom_lu_solve(int n, const double *factor, const int *pivot, double *x);

#endif
