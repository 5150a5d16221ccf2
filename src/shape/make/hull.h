/* Convex hulls, and polyhedra from the corners of their faces. */
#ifndef CAROM_SHAPE_MAKE_HULL_H
#define CAROM_SHAPE_MAKE_HULL_H

#include "shape/part.h"

/* Copies the faces and finds the edges; NULL when memory is short. Each edge must belong to two faces. */
const polyhedron *polyhedron_make(carom_arena *arena, int faces, const int *first, const int *corner);

/* Fills the core with the hull of the points, 3 numbers each. BAD_INPUT: all in one plane. */
carom_status hull_make(carom_arena *arena, int points, const double *point, part *core, carom_error *error);

/* Hull of points of the plane, 3 numbers each: their numbers, turning left, to `corner` (as many places as points); the
 * count, less than 3 when all are in one line. Points within `tolerance` of an edge are left out. */
int hull_plane(int points, const double *point, double tolerance, int *corner);

/* A core of the polygon with these corners, which turn left. Corners in line are left out. */
bool polygon_make(carom_arena *arena, int corners, const int *corner, const double *point, part *core);

#endif
