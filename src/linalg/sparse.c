/* Sparse matrices, compressed by columns. */
#include <limits.h>
#include <stdlib.h>

#include "carom/linalg.h"

int carom_sparse_place(const carom_sparse *a, int row, int column)
{
    int low = a->column_start[column], high = a->column_start[column + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (a->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->column_start[column + 1] && a->row[low] == row ? low : -1;
}

bool carom_sparse_is_diagonal(const carom_sparse *a)
{
    for (int j = 0; j < a->columns; j++)
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            if (a->row[k] != j)
                return false;
    return true;
}

void carom_sparse_add(const carom_sparse *a, const double *x, double *y)
{
    for (int j = 0; j < a->columns; j++)
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            y[a->row[k]] += a->value[k] * x[j];
}

void carom_sparse_add_transposed(const carom_sparse *a, const double *x, double *y)
{
    for (int j = 0; j < a->columns; j++) {
        double sum = 0.0;
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            sum += a->value[k] * x[a->row[k]];
        y[j] += sum;
    }
}

/* ---- from entries: sorted by rows, then, keeping that order, by columns -------------------------------- */

typedef struct builder {
    int rows, columns;
    size_t count;
    const int *row, *column;
    const double *value;
    size_t *start; /* of the rows, then of the columns; the larger number + 1 */
    size_t *by_row, *by_column;
} builder;

/* Numbers of entries, in `from` or (NULL) their own order, sorted by key and otherwise left in order. */
static void sort_by(const builder *b, int keys, const int *key, const size_t *from, size_t *to)
{
    for (int i = 0; i <= keys; i++)
        b->start[i] = 0;
    for (size_t k = 0; k < b->count; k++)
        b->start[key[k] + 1]++;
    for (int i = 0; i < keys; i++)
        b->start[i + 1] += b->start[i];
    for (size_t k = 0; k < b->count; k++) {
        const size_t entry = from ? from[k] : k;
        to[b->start[key[entry]]++] = entry;
    }
}

static bool is_same_place(const builder *b, size_t k)
{
    const size_t last = b->by_column[k - 1], entry = b->by_column[k];
    return b->row[last] == b->row[entry] && b->column[last] == b->column[entry];
}

static size_t count_places(const builder *b)
{
    size_t places = 0;
    for (size_t k = 0; k < b->count; k++)
        places += k == 0 || !is_same_place(b, k);
    return places;
}

static void fill(const builder *b, int *column_start, int *row, double *value)
{
    int places = 0;
    for (size_t k = 0; k < b->count; k++) {
        const size_t entry = b->by_column[k];
        if (k > 0 && is_same_place(b, k)) {
            value[places - 1] += b->value[entry];
            continue;
        }
        row[places] = b->row[entry];
        value[places] = b->value[entry];
        places++;
        column_start[b->column[entry] + 1] = places;
    }
    for (int j = 0; j < b->columns; j++)
        if (column_start[j + 1] == 0)
            column_start[j + 1] = column_start[j];
}

static bool build(const builder *b, carom_arena *arena, carom_sparse *sparse)
{
    sort_by(b, b->rows, b->row, NULL, b->by_row);
    sort_by(b, b->columns, b->column, b->by_row, b->by_column);
    const size_t places = count_places(b);
    int *column_start = carom_arena_take(arena, (size_t)b->columns + 1, sizeof *column_start);
    int *row = carom_arena_take(arena, places, sizeof *row);
    double *value = carom_arena_take(arena, places, sizeof *value);
    if (!column_start || !row || !value)
        return false;
    fill(b, column_start, row, value);
    *sparse = (carom_sparse){b->rows, b->columns, column_start, row, value};
    return true;
}

bool carom_sparse_take(carom_arena *arena, int rows, int columns, size_t count, const int *row,
                       const int *column, const double *value, carom_sparse *sparse)
{
    if (count > INT_MAX)
        return false;
    builder b = {rows, columns, count, row, column, value, NULL, NULL, NULL};
    b.start = carom_new_array((size_t)(rows > columns ? rows : columns) + 1, sizeof *b.start);
    b.by_row = carom_new_array(count, sizeof *b.by_row);
    b.by_column = carom_new_array(count, sizeof *b.by_column);
    const bool built = b.start && b.by_row && b.by_column && build(&b, arena, sparse);
    free(b.start);
    free(b.by_row);
    free(b.by_column);
    return built;
}
