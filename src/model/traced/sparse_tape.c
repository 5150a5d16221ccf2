#include "sparse_tape.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static size_t count_entries(int rows, const carom_node_row *row)
{
    size_t entries = 0;
    for (int i = 0; i < rows; i++)
        entries += (size_t)row[i].count;
    return entries;
}

/* Rows are visited in their order, so that they ascend within each column. */
static void by_columns(int rows, int columns, const carom_node_row *row, int *start, int *place_row,
                       carom_node *node)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < row[i].count; k++)
            start[row[i].entry[k].index + 1]++;
    for (int j = 0; j < columns; j++)
        start[j + 1] += start[j];
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < row[i].count; k++) {
            const int place = start[row[i].entry[k].index]++;
            place_row[place] = i;
            node[place] = row[i].entry[k].node;
        }
    for (int j = columns; j > 0; j--) /* each start has moved to its end */
        start[j] = start[j - 1];
    start[0] = 0;
}

bool sparse_tape_compile(const carom_graph *graph, int rows, int columns, const carom_node_row *row,
                         carom_arena *arena, sparse_tape *map)
{
    const size_t entries = count_entries(rows, row);
    if (entries > INT_MAX)
        return false;
    int *start = carom_arena_take(arena, (size_t)columns + 1, sizeof *start);
    int *place_row = carom_arena_take(arena, entries, sizeof *place_row);
    carom_node *node = carom_new_array(entries, sizeof *node);
    if (start && place_row && node) {
        by_columns(rows, columns, row, start, place_row, node);
        map->pattern = (carom_sparse){rows, columns, start, place_row, NULL};
        map->tape = carom_tape_compile(graph, (int)entries, node);
    }
    free(node);
    return map->tape != NULL;
}

carom_tape *sparse_tapes_together(const carom_graph *graph, int n, const carom_node *list,
                                  const carom_node_row *first, const carom_node_row *second)
{
    const carom_node_row *const matrix[2] = {first, second};
    const size_t entries[2] = {count_entries(n, first), count_entries(n, second)};
    const size_t rows = (size_t)n, all = rows + entries[0] + entries[1];
    if (all > INT_MAX)
        return NULL;
    carom_node *node = carom_new_array(all, sizeof *node);
    int *start = carom_new_array(2 * (rows + 1), sizeof *start);
    int *place_row = carom_new_array(all, sizeof *place_row);
    carom_tape *tape = NULL;
    if (node && start && place_row) {
        memcpy(node, list, rows * sizeof *node);
        for (size_t m = 0, place = rows; m < 2; place += entries[m++])
            by_columns(n, n, matrix[m], start + m * (rows + 1), place_row, node + place);
        tape = carom_tape_compile(graph, (int)all, node);
    }
    free(node);
    free(start);
    free(place_row);
    return tape;
}
