/* A tape whose outputs are the entries of a matrix that are not the constant zero. */
#ifndef CAROM_MODEL_TRACED_SPARSE_TAPE_H
#define CAROM_MODEL_TRACED_SPARSE_TAPE_H

#include "carom/expr.h"
#include "carom/linalg.h"

typedef struct sparse_tape {
    carom_tape *tape;     /* one output per entry, in the order of the pattern */
    carom_sparse pattern; /* without values */
} sparse_tape;

/* From the rows of the matrix; the pattern is the arena's, the tape the caller's. False when memory is short. */
bool sparse_tape_compile(const carom_graph *graph, int rows, int columns, const carom_node_row *row,
                         carom_arena *arena, sparse_tape *map);

/* One tape of a list of n nodes and, behind them, of the entries of two matrices of n rows, each in the order of its pattern.
 * NULL when memory is short. */
carom_tape *sparse_tapes_together(const carom_graph *graph, int n, const carom_node *list,
                                  const carom_node_row *first, const carom_node_row *second);

#endif
