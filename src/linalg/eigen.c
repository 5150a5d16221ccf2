#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "carom/linalg.h"

static void transpose(int n, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const ptrdiff_t below = (ptrdiff_t)i * n + j, above = (ptrdiff_t)j * n + i;
            const double kept = a[below];
            a[below] = a[above];
            a[above] = kept;
        }
}

/* LAPACK leaves vector j in column j of its column-major matrix: row j of ours. */
int carom_generalized_eigen(int n, const double *stiffness, const double *mass, double *value, double *vector)
{
    if (n < 1)
        return 0;
    const size_t entries = (size_t)n * (size_t)n;
    memcpy(vector, stiffness, entries * sizeof *vector);
    int info;
    if (mass) {
        double *factor = carom_new_array(entries, sizeof *factor);
        if (!factor)
            return LAPACK_WORK_MEMORY_ERROR;
        memcpy(factor, mass, entries * sizeof *factor);
        info = (int)LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'U', n, vector, n, factor, n, value);
        free(factor);
    } else {
        info = (int)LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', n, vector, n, value);
    }
    transpose(n, vector);
    return info;
}

/* The matrix is read as its transpose, which has the same eigenvalues. LAPACK balances it first. */
int carom_eigenvalues(int n, double *matrix, double *real, double *imaginary)
{
    if (n < 1)
        return 0;
    double unused;
    return (int)LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, matrix, n, real, imaginary, &unused, 1, &unused,
                              1);
}
