/* Factors of block_lu.h for many blocks: columns with nearly the same places are dense panels.
 *
 * Rows and columns are in the order of elimination, children before their parents, each subtree of the elimination tree
 * one after the other (block_panels_order). Panel J has columns `first` to `last` and the rows that they meet: L below the
 * diagonal of blocks, U transposed, both column by column, so that every update from a panel K to its left is one product
 * of two pieces of K (supernodal, left-looking: Ng and Peyton 1993). */
#ifndef CAROM_LINALG_BLOCK_PANELS_H
#define CAROM_LINALG_BLOCK_PANELS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct block_panels block_panels;

/* A as block_lu.h keeps it: places beside the diagonal, row by row, columns ascending; both sides of every pair. */
typedef struct block_matrix {
    int width, blocks;
    const int *start, *column;
    const double *diagonal, *beside;
} block_matrix;

/* NULL when memory is short. */
block_panels *block_panels_create(void);
void block_panels_free(block_panels *self);

/* The numbers of blocks in a postorder of the elimination tree: order[new] = old. False when memory is short. */
bool block_panels_order(const block_matrix *A, int *order);
/* For matrices of this pattern, in a postorder; false when memory is short. */
bool block_panels_analyse(block_panels *self, const block_matrix *A);
/* Panels with a stale row, and those above them in the tree, are made anew. False when a pivot is singular. */
bool block_panels_factor(block_panels *self, const block_matrix *A, const bool *stale);
/* x := A^-1 x, in the order of elimination. */
void block_panels_solve(block_panels *self, double *x);

/* Numbers in L and U. */
size_t block_panels_size(const block_panels *self);

#endif
