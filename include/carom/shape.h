/* shape: solids and surfaces of the plane and of space, where they are, and where they touch. Lengths in any unit,
 * which is that of the gaps; no velocities, no masses but those of unit density.
 *
 *   shapes + poses --broad phase--> pairs that are near --narrow phase--> touches: gap, normal, points, identity
 *
 * Vectors always have three places; in the plane the third is 0, and rotations turn about z. */
#ifndef CAROM_SHAPE_H
#define CAROM_SHAPE_H

#include "carom/base.h"

enum {
    CAROM_PLANE = 2,
    CAROM_SPACE = 3
};

/* Where a shape is: a point p of it stands at x + r p. */
typedef struct carom_pose {
    double x[3];
    double r[9]; /* rotation, row-major; in the plane a turn about z */
} carom_pose;

/* x = 0, r = identity. */
carom_pose carom_pose_identity(void);

/* A rotation as a unit quaternion w, i, j, k. */
void carom_rotation_quaternion(const double r[9], double q[4]);

/* ---- shapes ----------------------------------------------------------------------------------- */

/* Immutable; its origin is where its author put it. Functions that make one give BAD_INPUT with a text that says what
 * would be right, and *shape is NULL then; free with carom_shape_free. Nothing of the arguments is kept. */
typedef struct carom_shape carom_shape;

/* Disc or ball around the origin. */
carom_status carom_shape_sphere(int dim, double radius, carom_shape **shape, carom_error *error);
/* `dim` full edges along the axes, centre at the origin. */
carom_status carom_shape_box(int dim, const double edges[], carom_shape **shape, carom_error *error);
/* All points within `radius` of a segment of that length, whose middle is the origin: along x in the plane, along z in
 * space. */
carom_status carom_shape_capsule(int dim, double radius, double length, carom_shape **shape,
                                 carom_error *error);
/* Axis z, middle at the origin; space only. */
carom_status carom_shape_cylinder(double radius, double height, carom_shape **shape, carom_error *error);
/* The convex hull of points (dim numbers each), which must not all lie on a line (plane) or in a plane (space). */
carom_status carom_shape_convex(int dim, size_t points, const double *xyz, carom_shape **shape,
                                carom_error *error);
/* The inside of a simple polygon of the plane, in either sense of turning, cut into convex parts. */
carom_status carom_shape_polygon(size_t points, const double *xy, carom_shape **shape, carom_error *error);
/* All x with n.x <= offset; n.x > offset is free. `normal` need not be a unit vector: it is made one, and the offset
 * is divided by its length. */
carom_status carom_shape_halfspace(int dim, const double normal[], double offset, carom_shape **shape,
                                   carom_error *error);
/* A line of straight pieces in the plane, without inside: both sides can be touched. No touch feels the joint of two
 * pieces in one line. */
carom_status carom_shape_polyline(size_t points, const double *xy, bool closed, carom_shape **shape,
                                  carom_error *error);
/* A surface of triangles, three corners each (numbers of points from 0), without inside, as the polyline. */
carom_status carom_shape_mesh(size_t points, const double *xyz, size_t triangles, const int *corner,
                              carom_shape **shape, carom_error *error);
/* The surface over the grid of nx by ny points (i dx, j dy), heights z[j nx + i]; the first point at the origin. */
carom_status carom_shape_heightfield(size_t nx, size_t ny, double dx, double dy, const double *z,
                                     carom_shape **shape, carom_error *error);
/* Several shapes as one, each at its pose. When it is OK the parts are consumed; else they stay the caller's. */
carom_status carom_shape_compound(int dim, size_t parts, carom_shape *const *part, const carom_pose *pose,
                                  carom_shape **shape, carom_error *error);
void carom_shape_free(carom_shape *shape);

/* CAROM_PLANE or CAROM_SPACE. */
int carom_shape_dim(const carom_shape *shape);
/* Has a volume, so that a body may have it: not halfspace, polyline, mesh, heightfield, nor a compound with one. */
bool carom_shape_is_solid(const carom_shape *shape);

/* Volume (area in the plane), centre and inertia about the centre, along the shape's axes, for unit density; exact to rounding. In
 * the plane only inertia[8], about z, is not 0. A compound is the sum of its parts: where they overlap they count
 * twice. All 0 for what is not solid. */
typedef struct carom_shape_mass {
    double volume;
    double centre[3];
    double inertia[9];
} carom_shape_mass;
void carom_shape_mass_of(const carom_shape *shape, carom_shape_mass *mass);

/* A copy whose points are at x - shift: with the centre of mass as the shift its origin is there. */
carom_status carom_shape_moved(const carom_shape *shape, const double shift[3], carom_shape **moved,
                               carom_error *error);

/* A copy whose points are at factor x; the factor is positive. Powers of two keep the significands of all its numbers. */
carom_status carom_shape_scaled(const carom_shape *shape, double factor, carom_shape **scaled,
                                carom_error *error);

/* The box along the axes around the shape at a pose; infinite for a halfspace. */
void carom_shape_bounds(const carom_shape *shape, const carom_pose *pose, double low[3], double high[3]);

/* For pictures and files of scenes, along the shape's axes: points, 3 numbers each, and pieces by numbers of points: segments of the
 * border in the plane (2 each), triangles of the surface in space (3 each); solids turn left seen from outside. */
typedef struct carom_drawing {
    size_t points, pieces;
    double *point;
    int *corner;
} carom_drawing;
/* Circles get `around` corners (4 to 1024); of a halfspace a piece of length `extent` around its nearest point to the origin is
 * drawn. Free with carom_drawing_free. */
carom_status carom_shape_draw(const carom_shape *shape, int around, double extent, carom_drawing **drawing,
                              carom_error *error);
void carom_drawing_free(carom_drawing *drawing);

/* What a shape is made of, along its own axes; nothing is copied.
 *
 *   hull       all within `radius` of the hull of the vertices: disc and ball have one vertex, capsules two
 *   cylinder   of `radius`, `half` of its height, around `centre` along `axis`
 *   halfspace  axis.x <= offset
 *   surface    segments or triangles; carom_shape_draw has them */
typedef enum carom_shape_part_kind {
    CAROM_PART_HULL,
    CAROM_PART_CYLINDER,
    CAROM_PART_HALFSPACE,
    CAROM_PART_SURFACE,
} carom_shape_part_kind;
typedef struct carom_shape_part {
    carom_shape_part_kind kind;
    double radius, half, offset;
    double centre[3], axis[3];
    int vertices;
    const double *vertex; /* 3 each; in the plane they turn left */
    const bool
        *seam; /* plane: edge i, from vertex i to the next, is only a cut through the shape; NULL: none is */
} carom_shape_part;
size_t carom_shape_part_count(const carom_shape *shape);
carom_shape_part carom_shape_part_at(const carom_shape *shape, size_t index);

/* Who looks, from far away: unit vectors across and up the picture, and towards him; which part of the world he sees, where
 * halfspaces end. */
typedef struct carom_view {
    double right[3], up[3], toward[3];
    double low[3], high[3];
} carom_view;
typedef void carom_shape_line(void *context, size_t points, const double *xyz);
/* Calls `line` with the lines that show a shape at a pose: outlines of what is round, edges of the rest. What stands before
 * something else does not hide it; a shape hides its own edges. NO_MEMORY is the only failure. */
carom_status carom_shape_lines(const carom_shape *shape, const carom_pose *pose, const carom_view *view,
                               carom_shape_line *line, void *context, carom_error *error);

/* ---- where shapes touch ----------------------------------------------------------------------- */

/* A point where two shapes touch or nearly touch. */
typedef struct carom_touch {
    int a, b;          /* shape numbers in the collider, a < b */
    uint64_t feature;  /* the same features of the same two shapes: the same number, in every step */
    double gap;        /* negative: depth */
    double normal[3];  /* unit, from b towards a: the gap grows when a moves along it */
    double point_a[3]; /* on the surfaces, along the axes of space: */
    double point_b[3]; /* point_a - point_b = gap normal */
    int64_t way;       /* what the normal belongs to: for carom_touch_along */
} carom_touch;

typedef struct carom_collider carom_collider;

/* Shapes are borrowed and must outlive the collider; one shape may stand there several times. Shapes of one group never
 * touch each other (all that is fixed or driven: one group); group NULL: each is a group of its own. `apart`: pairs
 * that are left out (joined bodies). Touches with gap <= margin are reported, margin >= 0. */
carom_status carom_collider_setup(int dim, int shapes, const carom_shape *const *shape, const int *group,
                                  size_t apart_count, const int (*apart)[2], double margin,
                                  carom_collider **collider, carom_error *error);
/* All touches at these poses, one pose per shape, sorted by (a, b, feature). They depend on the poses alone, not on earlier
 * calls. The array lives until the next call. Memory grows only when there are more touches or near pairs than ever
 * before; NO_MEMORY is the only failure. A shape whose pose is not finite touches nothing. */
carom_status carom_collider_find(carom_collider *collider, const carom_pose *pose, const carom_touch **touch,
                                 size_t *count, carom_error *error);
/* Has a small or thin shape passed through another between two sets of poses (start and end of a step), so that no touch
 * shows it? The pair that met first, and the part of the step, 0 to 1, after which it did. Looks only at shapes that moved
 * further than the radius of the ball that fits into them: that ball's half is moved along the straight relative way. A
 * ball that ends in another shape has passed, too (part 1), where the last carom_collider_find, of poses between the two,
 * did not show the pair. */
bool carom_collider_crossing(carom_collider *collider, const carom_pose *before, const carom_pose *after,
                             int *a, int *b, double *part);
void carom_collider_free(carom_collider *collider);

/* ---- derivatives ------------------------------------------------------------------------------ */

/* Are touches of a shape known to carom_touch_along? All but those of cylinders. */
bool carom_shape_has_slopes(const carom_shape *shape);
/* The derivatives of gap, normal and points of a touch of the collider, found at these poses, as its shapes move: x and r of
 * along_a and along_b are the derivatives of those of their poses. The features that touch are held: a vertex stays the vertex that
 * it is, a face the face. False: these features have none there, or they are not known. */
bool carom_touch_along(const carom_collider *collider, const carom_touch *touch, const carom_pose *pose_a,
                       const carom_pose *pose_b, const carom_pose *along_a, const carom_pose *along_b,
                       carom_touch *along);

#endif
