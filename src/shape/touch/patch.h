/* The patch that two facing polygons have in common: the incident one is cut by planes through the sides of the reference
 * one. Each corner of the patch knows which features of the two meet there, whichever of them is the reference. */
#ifndef CAROM_SHAPE_TOUCH_PATCH_H
#define CAROM_SHAPE_TOUCH_PATCH_H

#include "shape/touch.h"

enum {
    PATCH_CORNERS = 64, /* of a polygon that is cut; more are left out, evenly */
    PATCH_TOUCHES = 8
};

typedef struct patch_corner {
    double point[3];
    int reference, incident; /* features */
    int side; /* what runs to the next corner: side of the incident polygon, or -1 - side of the reference */
} patch_corner;

/* A polygon: corners and the features of corners and sides. */
typedef struct polygon {
    int corners, face; /* face: its own feature */
    double normal[3];
    double point[PATCH_CORNERS][3];
    int vertex[PATCH_CORNERS], edge[PATCH_CORNERS];
} polygon;

/* The edge between two vertices. */
int edge_number(const polyhedron *solid, int from, int to);
/* The face that looks most against n; and faces, the segment of a capsule as polygons. */
int facing_face(const part *solid, const double n[3]);
void polygon_of_face(const part *solid, int face, polygon *to);
void polygon_of_capsule(const part *capsule, polygon *to);

/* The cap of a cylinder, as that many points of its rim. Where the direction `lowest` leans away from the axis by more than
 * RIM_FLAT, the point that is farthest that way takes the place of the nearest of them, and moves on with the direction. */
#define RIM_FLAT 1e-7
enum {
    SIDE_LINE = 1 << 16, /* number of the line on the side among the edges */
    CAP_FEW = 8,
    CAP_MANY = 32
};
void polygon_of_cap(const part *cylinder, int upper, int corners, const double lowest[3], polygon *to);
/* Its cap or the line on its side, whichever is more that way. */
void polygon_of_cylinder(const part *cylinder, const double out[3], int corners, polygon *to);
/* The line on the side of a cylinder that is farthest that way. */
void polygon_of_side(const part *cylinder, const double lowest[3], polygon *to);

/* Cuts; the number of corners that are left, in `corner` of 2 PATCH_CORNERS places. */
int patch_cut(const polygon *reference, const polygon *incident, double tolerance, patch_corner *corner);

/* Tells the corners of a patch that are near the reference polygon's plane, or the few that span them. `first`: the
 * reference is of the first part. Radii are taken off. Returns the lowest distance from the plane, INFINITY when nothing is left. */
double patch_tell(const polygon *reference, double reference_radius, const polygon *incident,
                  double incident_radius, bool first, double tolerance, double highest, touch_list *list);

#endif
