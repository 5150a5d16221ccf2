#include <math.h>

#include <lapacke.h>

#include "carom/linalg.h"

_Static_assert(sizeof(lapack_int) == sizeof(int), "pivots are handed to LAPACK as they are");

static void swap_rows(int n, double *a, double *b)
{
    for (int i = 0; i < n; i++) {
        double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

static int largest_in_column(int n, const double *matrix, int column)
{
    int largest = column;
    for (int i = column + 1; i < n; i++)
        if (fabs(matrix[i * n + column]) > fabs(matrix[largest * n + column]))
            largest = i;
    return largest;
}

static int factor_small(int n, double *matrix, int *pivot)
{
    for (int k = 0; k < n; k++) {
        pivot[k] = largest_in_column(n, matrix, k);
        double *head = matrix + k * n;
        if (pivot[k] != k)
            swap_rows(n, head, matrix + pivot[k] * n);
        if (!(fabs(head[k]) > 0.0))
            return k + 1;
        for (int i = k + 1; i < n; i++) {
            double *row = matrix + i * n;
            row[k] /= head[k];
            carom_axpy(n - k - 1, -row[k], head + k + 1, row + k + 1);
        }
    }
    return 0;
}

/* LAPACK reads the row-major matrix as its transpose; that is factored in place, without the copy of its
 * row-major interface, and the solve asks for the transposed system. */
static int factor_lapack(int n, double *matrix, int *pivot)
{
    int info = (int)LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, matrix, n, pivot);
    if (info != 0)
        return info;
    for (int i = 0; i < n; i++)
        if (!(fabs(matrix[(ptrdiff_t)i * n + i]) > 0.0))
            return i + 1;
    return 0;
}

int carom_lu_factor(int n, double *matrix, int *pivot)
{
    return n < CAROM_LU_LAPACK_FROM ? factor_small(n, matrix, pivot) : factor_lapack(n, matrix, pivot);
}

static void solve_small(int n, const double *factor, const int *pivot, double *x)
{
    for (int k = 0; k < n; k++) {
        double chosen = x[pivot[k]];
        x[pivot[k]] = x[k];
        x[k] = chosen;
    }
    for (int i = 1; i < n; i++)
        x[i] -= carom_dot(i, factor + i * n, x);
    for (int i = n - 1; i >= 0; i--) {
        const double *row = factor + i * n;
        x[i] = (x[i] - carom_dot(n - i - 1, row + i + 1, x + i + 1)) / row[i];
    }
}

void carom_lu_solve(int n, const double *factor, const int *pivot, double *x)
{
    if (n < CAROM_LU_LAPACK_FROM)
        solve_small(n, factor, pivot, x);
    else
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, factor, n, pivot, x, n);
}
