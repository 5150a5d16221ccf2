/* Elimination in narrow band matrices, row by row. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "carom/linalg.h"

bool carom_narrow_take(carom_arena *arena, int size, int width, carom_narrow *a)
{
    const size_t rows = (size_t)size;
    *a = (carom_narrow){.size = size, .width = width};
    a->entry = carom_arena_take(arena, rows * (3 * (size_t)width + 1), sizeof *a->entry);
    a->scale = carom_arena_take(arena, rows, sizeof *a->scale);
    a->pivot = carom_arena_take(arena, rows, sizeof *a->pivot);
    return a->entry && a->scale && a->pivot;
}

/* Every row divided by its largest entry. */
static void scale_rows(carom_narrow *a)
{
    const int length = 3 * a->width + 1;
    for (int i = 0; i < a->size; i++) {
        double *row = a->entry + (size_t)i * (size_t)length;
        const double largest = carom_largest(length, row);
        a->scale[i] = largest > 0.0 ? 1.0 / largest : 1.0;
        for (int k = 0; k < length; k++)
            row[k] *= a->scale[i];
    }
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* The row below the diagonal (or on it) with the largest entry of column k. */
static int find_pivot(const carom_narrow *a, int k)
{
    int found = k;
    double largest = -1.0;
    for (int i = k; i <= smaller(k + a->width, a->size - 1); i++) {
        const double size = fabs(a->entry[carom_narrow_place(a, i, k)]);
        if (size > largest) {
            largest = size;
            found = i;
        }
    }
    return found;
}

static void exchange_rows(carom_narrow *a, int k, int i, int count)
{
    double *upper = a->entry + carom_narrow_place(a, k, k), *lower = a->entry + carom_narrow_place(a, i, k);
    for (int c = 0; c < count; c++) {
        const double kept = upper[c];
        upper[c] = lower[c];
        lower[c] = kept;
    }
}

static void eliminate(carom_narrow *a, int k, int count)
{
    const double *restrict from = a->entry + carom_narrow_place(a, k, k);
    for (int i = k + 1; i <= smaller(k + a->width, a->size - 1); i++) {
        double *restrict row = a->entry + carom_narrow_place(a, i, k);
        if (row[0] == 0.0)
            continue;
        const double factor = row[0] /= from[0];
        for (int c = 1; c < count; c++)
            row[c] -= factor * from[c];
    }
}

int carom_narrow_factor(carom_narrow *a)
{
    double largest = 0.0, least = INFINITY;
    int least_at = 0;
    scale_rows(a);
    for (int k = 0; k < a->size; k++) {
        const int count = smaller(2 * a->width + 1, a->size - k), i = find_pivot(a, k);
        a->pivot[k] = i;
        if (i != k)
            exchange_rows(a, k, i, count);
        const double size = fabs(a->entry[carom_narrow_place(a, k, k)]);
        if (!(size > 0.0) || isinf(size))
            return k + 1;
        if (size < least) {
            least = size;
            least_at = k;
        }
        largest = fmax(largest, size);
        eliminate(a, k, count);
    }
    return least > 16.0 * DBL_EPSILON * largest || a->size == 0 ? 0 : least_at + 1;
}

void carom_narrow_solve(const carom_narrow *factor, double *x)
{
    const int n = factor->size, width = factor->width;
    for (int i = 0; i < n; i++)
        x[i] *= factor->scale[i];
    for (int k = 0; k < n; k++) {
        const double kept = x[factor->pivot[k]];
        x[factor->pivot[k]] = x[k];
        x[k] = kept;
        for (int i = k + 1; i <= smaller(k + width, n - 1); i++)
            x[i] -= factor->entry[carom_narrow_place(factor, i, k)] * kept;
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *row = factor->entry + carom_narrow_place(factor, k, k);
        double sum = x[k];
        for (int c = 1; c < smaller(2 * width + 1, n - k); c++)
            sum -= row[c] * x[k + c];
        x[k] = sum / row[0];
    }
}
