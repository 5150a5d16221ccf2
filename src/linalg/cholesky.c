#include <math.h>
#include <string.h>

#include <lapacke.h>

#include "carom/linalg.h"

/* Below this size the overhead of a LAPACK call costs more than the arithmetic. */
enum {
    LAPACK_FROM = 17
};

static int factor_small(int n, double *matrix)
{
    for (int i = 0; i < n; i++) {
        double *row = matrix + i * n;
        for (int j = 0; j < i; j++) {
            const double *above = matrix + j * n;
            row[j] = (row[j] - carom_dot(j, row, above)) / above[j];
        }
        double pivot = row[i] - carom_dot(i, row, row);
        if (!(pivot > 0.0))
            return i + 1;
        row[i] = sqrt(pivot);
    }
    return 0;
}

/* A row-major lower triangle is a column-major upper one, so LAPACK works in place: its row-major
 * interface would allocate a transposed copy. */
static int factor_lapack(int n, double *matrix)
{
    int info = (int)LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, matrix, n);
    if (info != 0)
        return info;
    /* Some implementations let a pivot that is not a number pass. */
    for (int i = 0; i < n; i++)
        if (!(matrix[(ptrdiff_t)i * n + i] > 0.0))
            return i + 1;
    return 0;
}

int carom_cholesky_factor(int n, double *matrix)
{
    return n < LAPACK_FROM ? factor_small(n, matrix) : factor_lapack(n, matrix);
}

static void solve_small(int n, const double *factor, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = (x[i] - carom_dot(i, factor + i * n, x)) / factor[i * n + i];
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= factor[i * n + i];
        carom_axpy(i, -x[i], factor + i * n, x);
    }
}

void carom_cholesky_solve(int n, const double *factor, double *x)
{
    if (n < LAPACK_FROM)
        solve_small(n, factor, x);
    else
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'U', n, 1, factor, n, x, n);
}

double carom_cholesky_pivot(int n, const double *matrix, int row, double *block, double *column)
{
    for (int i = 0; i < row; i++) {
        memcpy(block + (ptrdiff_t)i * row, matrix + (ptrdiff_t)i * n, (size_t)row * sizeof *block);
        column[i] = matrix[(ptrdiff_t)row * n + i];
    }
    if (row > 0) {
        carom_cholesky_factor(row, block);
        carom_cholesky_solve(row, block, column);
    }
    return matrix[(ptrdiff_t)row * n + row] - carom_dot(row, matrix + (ptrdiff_t)row * n, column);
}
