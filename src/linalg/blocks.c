/* Matrices of 3 x 3 blocks. */
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"

void carom_blocks_multiply(const carom_blocks *a, const double *x, const double *b, double *y)
{
    for (int row = 0; row < a->rows; row++)
        carom_blocks_row(a, row, x, b, y + 3 * (ptrdiff_t)row);
}

/* ---- from entries: sorted by rows of blocks, then the columns of each row --------------------------- */

typedef struct builder {
    int rows;
    size_t count;
    const int *row, *column;
    const double *value;
    size_t *start; /* where the entries of a row of blocks begin in `order`; rows + 1 */
    size_t *order;
    int *place; /* per column of blocks: 1 + its place in the row at work; 0: not there */
    int *list;  /* columns of the row at work */
} builder;

static void sort_entries(const builder *b)
{
    memset(b->start, 0, ((size_t)b->rows + 2) * sizeof *b->start);
    for (size_t k = 0; k < b->count; k++)
        b->start[b->row[k] / 3 + 2]++;
    for (int i = 0; i < b->rows; i++)
        b->start[i + 2] += b->start[i + 1];
    for (size_t k = 0; k < b->count; k++)
        b->order[b->start[b->row[k] / 3 + 1]++] = k;
}

static int compare(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The columns of blocks of a row in `list`, ascending, the diagonal among them; returns their number. */
static int find_columns(const builder *b, int row)
{
    int found = 0;
    b->list[found++] = row;
    b->place[row] = 1;
    for (size_t k = b->start[row]; k < b->start[row + 1]; k++) {
        const int column = b->column[b->order[k]] / 3;
        if (b->place[column] == 0) {
            b->place[column] = 1;
            b->list[found++] = column;
        }
    }
    qsort(b->list, (size_t)found, sizeof *b->list, compare);
    for (int i = 0; i < found; i++)
        b->place[b->list[i]] = 0;
    return found;
}

static size_t count_blocks(const builder *b, int *row_start)
{
    size_t total = 0;
    for (int row = 0; row < b->rows; row++) {
        row_start[row] = (int)total;
        total += (size_t)find_columns(b, row);
    }
    row_start[b->rows] = (int)total;
    return total;
}

static void fill_row(const builder *b, int row, const int *row_start, int *column, int *diagonal,
                     double *block)
{
    const int first = row_start[row], found = find_columns(b, row);
    for (int i = 0; i < found; i++) {
        column[first + i] = b->list[i];
        b->place[b->list[i]] = 1 + first + i;
    }
    diagonal[row] = b->place[row] - 1;
    for (size_t k = b->start[row]; k < b->start[row + 1]; k++) {
        const size_t entry = b->order[k];
        const int place = b->place[b->column[entry] / 3] - 1;
        block[9 * (ptrdiff_t)place + 3 * (b->row[entry] % 3) + b->column[entry] % 3] += b->value[entry];
    }
    for (int i = 0; i < found; i++)
        b->place[b->list[i]] = 0;
}

static bool build(const builder *b, carom_arena *arena, carom_blocks *blocks)
{
    const size_t rows = (size_t)b->rows;
    int *row_start = carom_arena_take(arena, rows + 1, sizeof *row_start);
    int *diagonal = carom_arena_take(arena, rows, sizeof *diagonal);
    if (!row_start || !diagonal)
        return false;
    sort_entries(b);
    const size_t total = count_blocks(b, row_start);
    int *column = carom_arena_take(arena, total, sizeof *column);
    double *block = carom_arena_take(arena, 9 * total, sizeof *block);
    if (!column || !block)
        return false;
    for (int row = 0; row < b->rows; row++)
        fill_row(b, row, row_start, column, diagonal, block);
    *blocks = (carom_blocks){b->rows, row_start, column, diagonal, block};
    return true;
}

bool carom_blocks_take(carom_arena *arena, int rows, size_t count, const int *row, const int *column,
                       const double *value, carom_blocks *blocks)
{
    builder b = {.rows = rows, .count = count, .row = row, .column = column, .value = value};
    b.start = carom_new_array((size_t)rows + 2, sizeof *b.start);
    b.order = carom_new_array(count, sizeof *b.order);
    b.place = carom_new_array((size_t)rows, sizeof *b.place);
    b.list = carom_new_array((size_t)rows, sizeof *b.list);
    const bool built = b.start && b.order && b.place && b.list && build(&b, arena, blocks);
    free(b.start);
    free(b.order);
    free(b.place);
    free(b.list);
    return built;
}
