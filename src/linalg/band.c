/* Symmetric band matrices: storage, products, Cholesky factor. */
#include <float.h>
#include <lapacke.h>
#include <math.h>

#include "carom/linalg.h"

enum {
    WIDTH_MAX = 16 /* for which the unknowns of a solve fit into registers, or nearly */
};

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

static double row_times(const carom_band *a, int i, const double *x)
{
    const int first = first_column(a, i), last = a->size - 1 - i < a->width ? a->size - 1 : i + a->width;
    double sum = 0.0;
    for (int j = first; j <= i; j++)
        sum += *carom_band_at(a, i, j) * x[j];
    for (int j = i + 1; j <= last; j++)
        sum += *carom_band_at(a, j, i) * x[j];
    return sum;
}

/* Rows that have all their neighbours. With the width known to the compiler the sums have no loop. */
static inline void multiply_inside(const carom_band *a, int width, const double *x, double *y)
{
    const ptrdiff_t stride = width; /* entry (i + k, i) stands k rows below, k places to the left */
    for (int i = width; i < a->size - width; i++) {
        const double *diagonal = a->entry + (ptrdiff_t)i * (width + 1) + width;
        double sum = diagonal[0] * x[i];
        for (int k = 1; k <= width; k++)
            sum += diagonal[-k] * x[i - k] + diagonal[k * stride] * x[i + k];
        y[i] = sum;
    }
}

void carom_band_multiply(const carom_band *a, const double *x, double *y)
{
    const int width = a->width, edge = 2 * width < a->size ? width : a->size;
    for (int i = 0; i < edge; i++)
        y[i] = row_times(a, i, x);
    for (int i = a->size - width > edge ? a->size - width : edge; i < a->size; i++)
        y[i] = row_times(a, i, x);
    if (width == 3)
        multiply_inside(a, 3, x, y);
    else if (width == 2)
        multiply_inside(a, 2, x, y);
    else
        multiply_inside(a, width, x, y);
}

/* The same with y = x: both sums of a row are one. */
static double band_square(const carom_band *a, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < a->size; i++) {
        const int first = first_column(a, i);
        const double *row = carom_band_at(a, i, first);
        double below = 0.0;
        for (int j = first; j < i; j++)
            below += row[j - first] * x[j];
        sum += x[i] * (below + row[i - first] * x[i]) + below * x[i];
    }
    return sum;
}

double carom_band_form(const carom_band *a, const double *x, const double *y)
{
    double sum = 0.0;
    if (x == y)
        return band_square(a, x);
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

/* Row i of L D, then of L; the pivot in the place of the diagonal. False when it is rounding. */
static bool factor_row(const carom_band *a, int i)
{
    const double rounding = 16.0 * DBL_EPSILON;
    const int first = first_column(a, i);
    double *row = carom_band_at(a, i, first);
    for (int j = first; j < i; j++) {
        const int from = first_column(a, j) > first ? first_column(a, j) : first;
        row[j - first] -= carom_dot(j - from, row + (from - first), carom_band_at(a, j, from));
    }
    double pivot = row[i - first], size = fabs(pivot);
    for (int j = first; j < i; j++) {
        const double entry = row[j - first] * *carom_band_at(a, j, j);
        pivot -= row[j - first] * entry;
        size += fabs(row[j - first] * entry);
        row[j - first] = entry;
    }
    row[i - first] = 1.0 / pivot;
    return fabs(pivot) > rounding * size;
}

int carom_band_factor_signed(carom_band *a)
{
    for (int i = 0; i < a->size; i++)
        if (!factor_row(a, i))
            return i + 1;
    return 0;
}

/* x := L^-1 x from row `from` on. The product with the newest unknown comes last: only it is waited for. */
static inline void solve_down(const carom_band *factor, int width, int from, double *x)
{
    for (int i = from; i < factor->size; i++) {
        const double *row = factor->entry + (ptrdiff_t)i * (width + 1);
        double sum = x[i];
        for (int k = 0; k < width; k++)
            sum -= row[k] * x[i - width + k];
        x[i] = sum;
    }
}

/* x := L^-T x down to row `width`: the next unknowns, from which known ones have been taken away already, are
 * kept in registers, so that none waits for a store. On return x holds all of them. */
static inline void solve_up(const carom_band *factor, int width, double *x)
{
    double next[WIDTH_MAX + 1] = {0.0}; /* next[k] is x[i - k] */
    const int n = factor->size;
    for (int k = 0; k <= width; k++)
        next[k] = x[n - 1 - k];
    for (int i = n - 1; i >= width; i--) {
        const double *diagonal = factor->entry + (ptrdiff_t)i * (width + 1) + width;
        const double value = next[0];
        x[i] = value;
        for (int k = 1; k <= width; k++)
            next[k - 1] = next[k] - diagonal[-k] * value;
        next[width] = i > width ? x[i - width - 1] : 0.0;
    }
    for (int k = 0; k < width; k++)
        x[width - 1 - k] = next[k];
}

static void solve_down_edge(const carom_band *factor, int rows, double *x)
{
    for (int i = 0; i < rows; i++)
        for (int j = first_column(factor, i); j < i; j++)
            x[i] -= *carom_band_at(factor, i, j) * x[j];
}

static void solve_up_edge(const carom_band *factor, int rows, double *x)
{
    for (int i = rows - 1; i >= 0; i--)
        for (int j = first_column(factor, i); j < i; j++)
            x[j] -= *carom_band_at(factor, i, j) * x[i];
}

static inline void solve_wide(const carom_band *factor, int width, double *x)
{
    solve_down_edge(factor, width, x);
    solve_down(factor, width, width, x);
    for (int i = 0; i < factor->size; i++)
        x[i] *= factor->entry[(ptrdiff_t)i * (width + 1) + width];
    solve_up(factor, width, x);
    solve_up_edge(factor, width, x);
}

/* The widths of beams are known to the compiler. */
void carom_band_solve(const carom_band *factor, double *x)
{
    const int n = factor->size;
    if (factor->width == 3 && n > 3) {
        solve_wide(factor, 3, x);
        return;
    }
    if (factor->width == 2 && n > 2) {
        solve_wide(factor, 2, x);
        return;
    }
    if (factor->width <= WIDTH_MAX && n > factor->width) {
        solve_wide(factor, factor->width, x);
        return;
    }
    solve_down_edge(factor, n, x);
    for (int i = 0; i < n; i++)
        x[i] *= *carom_band_at(factor, i, i);
    solve_up_edge(factor, n, x);
}
