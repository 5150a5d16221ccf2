/* Polygons of the tangent plane. */
#ifndef CAROM_CONVEX_POLYGON_H
#define CAROM_CONVEX_POLYGON_H

#include "carom/convex.h"

bool polygon_contains(const carom_planar_set *set, double scale, const double p[2]);

/* Minimises 1/2 x^T W x + b.x over the boundary of scale * set; w = {w11, w12, w22}. */
void polygon_boundary_minimise(const carom_planar_set *set, double scale, const double w[3],
                               const double b[2], double x[2]);

#endif
