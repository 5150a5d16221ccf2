#ifndef CAROM_SHAPE_COLLIDER_H
#define CAROM_SHAPE_COLLIDER_H

#include "grid.h"
#include "shape/touch.h"

struct carom_collider {
    int dim, shapes, parts;
    const carom_shape **shape;
    int *group;
    int *first;       /* shapes + 1: parts of each shape */
    int *owner;       /* shape of each part */
    part *placed;     /* parts where they are */
    carom_pose *pose; /* of each shape at the last call */
    uint64_t *apart;  /* pairs of shapes, a << 32 | b, sorted */
    size_t apart_count;
    double margin;
    cell_grid grid;
    touch_list touches, scratch, second_scratch;
    carom_arena *arena;
    /* for crossings: */
    double (*swept)[6]; /* box around the way of each part */
    int *order;
    double *way; /* how far each part moved */
};

#endif
