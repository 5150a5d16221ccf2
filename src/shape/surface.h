/* Surfaces without inside: pieces (segments in the plane, triangles in space) with what is on the other side of their borders,
 * and a tree of boxes that finds those near a place. */
#ifndef CAROM_SHAPE_SURFACE_H
#define CAROM_SHAPE_SURFACE_H

#include "part.h"

enum {
    SURFACE_LEAF = 4,
    SURFACE_MOST = 1 << 18 /* points, borders, pieces: numbers of features have so many */
};

/* A segment has corners 0 and 1, and its borders are these; a triangle has the borders i from corner i to the next. */
typedef struct piece {
    int corner[3];
    int neighbour[3]; /* piece beyond each border; -1: none, or more than one */
    int border[3];    /* number of each border of a triangle, the same for both pieces */
    int flat;         /* pieces that continue each other in one plane (line) have the same number */
} piece;

typedef struct surface_node {
    double low[3], high[3];
    int first, count; /* leaf: places in order; count 0: children are first and first + 1 */
} surface_node;

struct surface {
    int dim, points, pieces;
    const double *point;
    const piece *piece;
    const int *order; /* pieces in the order of the leaves */
    int nodes;
    const surface_node *node;
    /* Points joined with point i by a border: joined[joint[i] .. joint[i + 1]). */
    const int *joint, *joined;
};

/* Calls visit for every piece whose box meets the given one, in the order of their tree. */
void surface_visit(const surface *sheet, const double low[3], const double high[3],
                   void (*visit)(void *context, int piece), void *context);

#endif
