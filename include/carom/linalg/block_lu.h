/* linalg/block_lu: LU factors of a sparse matrix of square blocks of 3 or 6, with places at (i, j) wherever
 * there is one at (j, i), such as that of bodies that touch.
 *
 * Blocks are never exchanged, pivots are chosen within blocks on the diagonal only: for matrices that are
 * nearly symmetric and positive definite, or have large blocks on the diagonal. */
#ifndef CAROM_LINALG_BLOCK_LU_H
#define CAROM_LINALG_BLOCK_LU_H

#include <stdbool.h>
#include <stddef.h>

typedef struct carom_block_lu carom_block_lu;

/* Blocks of width x width, 3 or 6. NULL when memory is short. The caller frees it. */
carom_block_lu *carom_block_lu_create(int width);
void carom_block_lu_free(carom_block_lu *self);

/* Says which blocks there are: those on the diagonal, and for every pair (i, j) with i != j in
 * 0 ... blocks - 1 those at (i, j) and (j, i). The same pair may come often; pairs with a number outside are
 * none. The order of elimination is looked for when the pattern is not the last one, which takes memory.
 * False when memory is short. */
bool carom_block_lu_pattern(carom_block_lu *self, int blocks, int pairs, const int (*pair)[2]);

/* All blocks become 0. */
void carom_block_lu_clear(carom_block_lu *self);
/* The block (i, i), row by row, to be written. */
double *carom_block_lu_diagonal(carom_block_lu *self, int i);
/* The block of pair `number` at (i, j), side 0, or (j, i), side 1. */
double *carom_block_lu_beside(carom_block_lu *self, int number, int side);

/* Says that blocks of row i are others since the last factors; rows that are not named keep theirs. After
 * carom_block_lu_clear all are. */
void carom_block_lu_touch(carom_block_lu *self, int i);
/* False when a block on the diagonal has no inverse; there is nothing to solve with then. */
bool carom_block_lu_factor(carom_block_lu *self);
/* Numbers in the factors of this pattern, without the inverse blocks of the diagonal. */
size_t carom_block_lu_size(const carom_block_lu *self);
/* x := A^-1 x, width numbers per block. */
void carom_block_lu_solve(carom_block_lu *self, double *x);

#endif
