/* Symmetric band matrices: storage, products, Cholesky factor. */
#include <lapacke.h>
#include <math.h>

#include "carom/linalg.h"

static int first_column(const carom_band *a, int i)
{
    return i > a->width ? i - a->width : 0;
}

bool carom_band_take(carom_arena *arena, int size, int width, carom_band *band)
{
    *band = (carom_band){.size = size, .width = width};
    band->entry = carom_arena_take(arena, (size_t)size * ((size_t)width + 1), sizeof *band->entry);
    return band->entry != NULL;
}

void carom_band_combine(const carom_band *a, double s, const carom_band *b, carom_band *to)
{
    const size_t count = (size_t)a->size * ((size_t)a->width + 1);
    for (size_t k = 0; k < count; k++)
        to->entry[k] = a->entry[k] + s * b->entry[k];
}

void carom_band_multiply(const carom_band *a, const double *x, double *y)
{
    for (int i = 0; i < a->size; i++) {
        const int first = first_column(a, i);
        const double *row = carom_band_at(a, i, first);
        const double xi = x[i];
        double sum = 0.0;
        for (int j = first; j < i; j++) {
            sum += row[j - first] * x[j];
            y[j] += row[j - first] * xi; /* the mirrored entry */
        }
        y[i] = sum + row[i - first] * xi;
    }
}

double carom_band_form(const carom_band *a, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < a->size; i++) {
        const int first = first_column(a, i);
        const double *row = carom_band_at(a, i, first);
        double below = 0.0, above = 0.0;
        for (int j = first; j < i; j++) {
            below += row[j - first] * y[j];
            above += row[j - first] * x[j];
        }
        sum += x[i] * (below + row[i - first] * y[i]) + above * y[i];
    }
    return sum;
}

/* A = U^T U; columns of U stand where rows of the lower triangle stood. They are kept as A = L D^-1 L^T, with
 * L_ij = U_ji / U_jj and D_i = 1 / U_ii^2 in the place of the diagonal: a solve then has no division, and one
 * product and one difference from each unknown to the next. */
static void divide_by_diagonal(carom_band *a)
{
    for (int i = 0; i < a->size; i++)
        for (int j = first_column(a, i); j < i; j++)
            *carom_band_at(a, i, j) /= *carom_band_at(a, j, j);
    for (int i = 0; i < a->size; i++) {
        double *diagonal = carom_band_at(a, i, i);
        *diagonal = 1.0 / (*diagonal * *diagonal);
    }
}

int carom_band_factor(carom_band *a)
{
    if (a->size == 0)
        return 0;
    /* LAPACK lets a NaN pivot pass */
    for (int i = 0; i < a->size; i++)
        if (!isfinite(*carom_band_at(a, i, i)))
            return i + 1;
    const int row =
        (int)LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'U', a->size, a->width, a->entry, a->width + 1);
    if (row != 0)
        return row;
    for (int i = 0; i < a->size; i++) {
        const double diagonal = *carom_band_at(a, i, i);
        if (!(isfinite(diagonal) && diagonal > 0.0))
            return i + 1;
    }
    divide_by_diagonal(a);
    return 0;
}

void carom_band_solve(const carom_band *factor, double *x)
{
    const int n = factor->size;
    for (int i = 0; i < n; i++) {
        const int first = first_column(factor, i);
        const double *row = carom_band_at(factor, i, first);
        double sum = x[i];
        for (int j = first; j < i; j++)
            sum -= row[j - first] * x[j];
        x[i] = sum;
    }
    for (int i = 0; i < n; i++)
        x[i] *= *carom_band_at(factor, i, i);
    for (int i = n - 1; i >= 0; i--) {
        const int first = first_column(factor, i);
        const double *row = carom_band_at(factor, i, first);
        const double value = x[i];
        for (int j = first; j < i; j++)
            x[j] -= row[j - first] * value;
    }
}
