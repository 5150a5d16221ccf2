/* Products of pieces of panels (block_panels.h). */
#ifndef CAROM_LINALG_PANEL_PRODUCT_H
#define CAROM_LINALG_PANEL_PRODUCT_H

#include <stddef.h>

enum {
    PANEL_CHUNK = 16 /* rows at a time */
};

/* c = a b^T, rows x columns numbers: a and b have their columns `apart`, c has them `c_apart`, which leaves room for a
 * multiple of PANEL_CHUNK. Every number of c is summed in the same order, without fused operations, whichever function does it:
 * processors with wider registers find the same bits. */
typedef struct panel_product {
    int rows, columns, inner;
    ptrdiff_t apart, c_apart;
    const double *a, *b;
    double *c;
} panel_product;

void panel_multiply(const panel_product *p);

/* Numbers that a column of c takes; a may be read as far. */
static inline ptrdiff_t panel_room(int rows)
{
    return (ptrdiff_t)(rows + PANEL_CHUNK - 1) / PANEL_CHUNK * PANEL_CHUNK;
}

#endif
