#include "sparse_tape.h"

#include <limits.h>
#include <stdlib.h>

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
