/* W of pairs of bodies as a matrix of blocks. */
#ifndef CAROM_CONTACT_COULOMB_PAIRS_PAIRS_BLOCKS_H
#define CAROM_CONTACT_COULOMB_PAIRS_PAIRS_BLOCKS_H

#include "carom/contact/pairs.h"

/* Memory that grows with the problems. */
typedef struct pairs_blocks {
    carom_blocks W;
    int *row_start, *diagonal, *column;
    double *block;
    int *of_body, *at_body; /* contacts of each body, ascending: of_body[at_body[k]] ... */
    size_t rows, places, bodies;
} pairs_blocks;

/* W / scale. False when memory is short, or the blocks are more than an int counts. */
bool pairs_blocks_assemble(pairs_blocks *self, const carom_pairs *problem, double scale);
void pairs_blocks_free(pairs_blocks *self);

#endif
