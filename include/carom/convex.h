/* convex: closed convex sets and the projections on them. */
#ifndef CAROM_CONVEX_H
#define CAROM_CONVEX_H

#include "carom/base.h"

/* ---- convex sets of the tangent plane that contain 0 (Moreau's D_1) -------------------------
 *
 * Every set is D_1; the friction impulse lies in s D_1 where s >= 0 is the normal impulse. */

typedef enum carom_planar_kind {
    CAROM_PLANAR_POINT,    /* {0}: no friction */
    CAROM_PLANAR_INTERVAL, /* [low, high] on a line (one tangent) */
    CAROM_PLANAR_DISK,     /* radius a */
    CAROM_PLANAR_ELLIPSE,  /* semi-axes a, b along the two tangents */
    CAROM_PLANAR_POLYGON,  /* convex, vertices counter-clockwise */
} carom_planar_kind;

enum {
    CAROM_POLYGON_MAX = 32
};

typedef struct carom_planar_set {
    carom_planar_kind kind;
    double a, b;          /* radius, semi-axes, or the ends low <= 0 <= high of the interval */
    int vertices;         /* polygon only */
    const double *vertex; /* polygon only: x0 y0 x1 y1 ...; the caller's memory */
} carom_planar_set;

/* Nearest point of scale * set to p in the Euclidean metric; true when p itself is in the set. */
bool carom_planar_project(const carom_planar_set *set, double scale, const double p[2], double nearest[2]);

/* Minimises 1/2 x^T W x + b.x over x in scale * set; W = [w11 w12; w12 w22] symmetric positive definite.
 * That is the projection of -W^-1 b in the metric W. True when the minimiser is the unconstrained one. */
bool carom_planar_minimise(const carom_planar_set *set, double scale, double w11, double w12, double w22,
                           const double b[2], double x[2]);

/* Checks that a polygon is convex, counter-clockwise and contains 0; says what is wrong otherwise. */
carom_status carom_polygon_check(int vertices, const double *vertex, carom_error *error);

#endif
