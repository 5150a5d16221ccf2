#include <math.h>

#include <lapacke.h>

#include "carom/linalg.h"

/* The last pivot has no row to choose from: it tells whether rows are counted from 0 (the own loop) or from
 * 1 (LAPACK). */
static int first_row(int n, const int *pivot)
{
    return pivot[n - 1] - (n - 1);
}

int carom_lu_sign(int n, const double *factor, const int *pivot)
{
    int sign = 1;
    for (int i = 0; i < n; i++) {
        const double diagonal = factor[(ptrdiff_t)i * n + i];
        if (!(fabs(diagonal) > 0.0))
            return 0;
        if ((diagonal < 0.0) != (pivot[i] - first_row(n, pivot) != i))
            sign = -sign;
    }
    return sign;
}

/* Column sums of the inverse, column by column. */
static double condition_small(int n, const double *factor, const int *pivot, double norm, double *column)
{
    double largest = 0.0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            column[i] = i == j ? 1.0 : 0.0;
        carom_lu_solve(n, factor, pivot, column);
        double sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += fabs(column[i]);
        if (!(sum <= largest))
            largest = sum;
    }
    return largest * norm;
}

/* LAPACK's factor is that of the transpose, whose row sums are our column sums. */
double carom_lu_condition(int n, const double *factor, const int *pivot, double norm, double *work,
                          int *places)
{
    if (n < 1)
        return 1.0;
    if (first_row(n, pivot) == 0)
        return condition_small(n, factor, pivot, norm, work);
    double reciprocal = 0.0;
    if (LAPACKE_dgecon_work(LAPACK_COL_MAJOR, 'I', n, factor, n, norm, &reciprocal, work, places) != 0)
        return INFINITY;
    return reciprocal > 0.0 ? 1.0 / reciprocal : INFINITY;
}
