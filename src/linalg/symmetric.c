#include <lapacke.h>

#include "carom/linalg.h"

/* A row-major lower triangle is a column-major upper one. */
int carom_symmetric_eigenvalues(int n, double *matrix, double *value)
{
    return n > 0 ? (int)LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', n, matrix, n, value) : 0;
}
