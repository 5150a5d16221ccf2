/* Shapes are lists of parts; a part is one of few simple things, in coordinates of its shape, or of space where a collider
 * has put it.
 *
 *   core       the hull of some vertices, and all within `radius` of it: disc and ball (1 vertex), capsule (2), polygon,
 *              box, hull
 *   cylinder   the solid cylinder
 *   halfspace  n.x <= offset
 *   surface    segments or triangles without inside */
#ifndef CAROM_SHAPE_PART_H
#define CAROM_SHAPE_PART_H

#include "vector.h"

typedef enum part_kind {
    PART_CORE,
    PART_CYLINDER,
    PART_HALFSPACE,
    PART_SURFACE
} part_kind;

/* Faces and edges of a polyhedron by the numbers of its vertices. Corners of a face turn left seen from outside. */
typedef struct polyhedron {
    int faces, edges;
    const int *first;  /* faces + 1 places in corner */
    const int *corner; /* vertices of the faces, one face behind the other */
    const int *edge;   /* 4 each: from, to, face on its left, face on its right */
} polyhedron;

typedef struct surface surface;

typedef struct part {
    part_kind kind;
    double radius; /* core, cylinder */
    double size;   /* about its diameter: what tolerances are relative to */
    int vertices;
    double *vertex; /* core: 3 each; those of polygons turn left */
    int normals;
    double *normal; /* core: outward, 3 each: plane: of edge i from vertex i to the next; space: of face i */
    /* Convex parts of a cut polygon: which edges are cuts, and for each vertex the directions, 3 numbers each, to its two
     * neighbours on the outline. NULL for others. */
    const bool *seam;
    double *outline;
    const polyhedron *solid; /* core of space with 3 vertices or more */
    double frame[9];         /* cylinder: its axes as columns, the third is its own */
    double half;             /* cylinder: half of its height */
    double offset;           /* halfspace */
    const surface *sheet;
    double inner[3]; /* centre and radius of a ball inside; cylinder: its middle; halfspace: its normal */
    double inner_radius;
    double reach; /* no point is farther from `inner` */
} part;

struct carom_shape {
    int dim;
    size_t parts;
    part *part;
    carom_arena *arena;
};

/* A shape without parts; NULL when memory is short. */
carom_shape *shape_create(int dim, size_t parts);
/* Ends a function that makes a shape: hands it over, or frees it and says so when something is missing. */
carom_status shape_finish(carom_shape *shape, bool complete, carom_shape **result, carom_error *error);
carom_status shape_check_dim(int dim, const char *what, carom_error *error);

/* Room for a core's vertices and normals. */
bool core_take(carom_arena *arena, part *core, int vertices, int normals);
/* Room for a copy of what part_place moves. */
bool core_take_like(carom_arena *arena, const part *from, part *core);
/* Fills normals of a polygon's edges (of a capsule of the plane too), size and inner ball, when vertices stand. */
void core_finish_plane(part *core);
/* The same for a polyhedron (faces known) or a capsule of space. */
void core_finish_space(part *core);
/* The triangle as a core of space: two faces. */
extern const polyhedron triangle_solid;

/* `moved` (vertex and normal point to room enough) is the part seen from outside of a pose. A surface stays what it is:
 * its points move when they are needed. */
void part_place(const part *from, const carom_pose *pose, part *moved);
void part_bounds(const part *placed, const carom_pose *pose, double low[3], double high[3]);

#endif
