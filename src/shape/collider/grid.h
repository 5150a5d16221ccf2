/* Broad phase: which boxes are near each other.
 *
 * Each box is kept somewhat larger than its part (fat), so that a part that moves little changes nothing. Boxes stand in
 * grids of cells, one grid per power of two of the size; each in the one cell that holds its middle. A box that left its
 * fat one looks around itself: in grids of its own size and of larger cells there are few cells to look into.
 *
 * Pairs are numbers (i << 32 | j) with i < j, sorted. They may be more than touch, never fewer, and what touches in the end does not
 * depend on them. */
#ifndef CAROM_SHAPE_COLLIDER_GRID_H
#define CAROM_SHAPE_COLLIDER_GRID_H

#include "shape/part.h"

enum {
    GRID_LEVELS = 32
};

typedef struct grid_box {
    double low[3], high[3]; /* around the part, with half of the margin; NAN: absent */
    double fat_low[3], fat_high[3];
    int cell[3], level; /* level -1: in no grid (infinite, or not there yet) */
    int next, before;   /* in the same bucket; before: -1 - bucket for the first */
    bool is_infinite, dirty;
} grid_box;

typedef struct cell_grid {
    int dim, boxes;
    grid_box *box;
    double cell; /* of level 0 */
    double skin; /* what is added to boxes, in parts of their size */
    int in_level[GRID_LEVELS];
    int bucket_mask, *bucket;
    int dirty_count, *dirty; /* boxes that left their fat ones */
    int infinite_count, *infinite;
    size_t pairs, pair_room;
    uint64_t *pair, *spare; /* spare: as long as pair */
    bool (*may_touch)(const void *context, int i, int j);
    /* Is a box on the free side of an infinite part, out of reach? */
    bool (*is_clear)(const void *context, int infinite, const double low[3], const double high[3]);
    const void *context;
} cell_grid;

/* Room for so many boxes; false when memory is short. */
bool grid_setup(cell_grid *grid, int dim, int boxes);
void grid_free(cell_grid *grid);
/* Box i has no bounds; told before it first moves. */
void grid_set_infinite(cell_grid *grid, int i);
/* Box i is now around low, high, as far as they are numbers. */
void grid_move(cell_grid *grid, int i, const double low[3], const double high[3]);
/* Finds the pairs again of all boxes that left their fat ones; false when memory is short. */
bool grid_update(cell_grid *grid);

#endif
