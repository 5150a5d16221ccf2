/* General band matrices: elimination with partial pivoting. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "carom/linalg.h"

_Static_assert(sizeof(lapack_int) == sizeof(int), "pivots are handed to LAPACK as they are");

static int column_length(const carom_band_lu *a)
{
    return 3 * a->width + 1;
}

void carom_band_lu_clear(carom_band_lu *a)
{
    memset(a->entry, 0, (size_t)a->size * (size_t)column_length(a) * sizeof *a->entry);
}

int carom_band_lu_factor(carom_band_lu *a)
{
    if (a->size == 0)
        return 0;
    const int row = (int)LAPACKE_dgbtrf_work(LAPACK_COL_MAJOR, a->size, a->size, a->width, a->width, a->entry,
                                             column_length(a), a->pivot);
    if (row != 0)
        return row;
    /* LAPACK lets a NaN pivot pass */
    for (int i = 0; i < a->size; i++)
        if (!(fabs(*carom_band_lu_at(a, i, i)) > 0.0))
            return i + 1;
    return 0;
}

void carom_band_lu_solve(const carom_band_lu *factor, double *x)
{
    if (factor->size == 0)
        return;
    LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, 'N', factor->size, factor->width, factor->width, 1, factor->entry,
                        column_length(factor), factor->pivot, x, factor->size);
}
