/* How far a point is from a part. */
#ifndef CAROM_SHAPE_COLLIDER_DISTANCE_H
#define CAROM_SHAPE_COLLIDER_DISTANCE_H

#include "shape/part.h"

/* Distance of a point from a part where it stands, 0 inside; for a surface INFINITY. */
double part_distance(int dim, const part *p, const double point[3]);
/* Of a piece, dim points. */
double piece_distance(int dim, const double *vertex, const double point[3]);

#endif
