/* Where two parts touch: one function per pair of kinds, all of parts that stand in space. */
#ifndef CAROM_SHAPE_TOUCH_H
#define CAROM_SHAPE_TOUCH_H

#include "part.h"

/* What a touch is at, on one side: a kind and a number, 20 bits together. */
enum {
    FEATURE_VERTEX = 0 << 18,
    FEATURE_EDGE = 1 << 18,
    FEATURE_FACE = 2 << 18,
    FEATURE_ROUND = 3 << 18, /* a point of a curved side that follows the normal */
    FEATURE_BITS = 20,
    PART_BITS = 12
};

/* The touches found so far, all of a collider. Functions of this folder add those of one pair of parts; `swapped`: their
 * first part is that of shape b. */
typedef struct touch_list {
    carom_touch *touch;
    size_t count, capacity;
    bool failed; /* memory ran out; more is ignored */
    int a, b;
    uint64_t parts; /* numbers of the parts in their shapes, in the upper bits of features */
    bool swapped;
    double margin;
    int way;                    /* of the next touch, by touch_by_face; then 0 again */
    struct touch_list *scratch; /* another list for touches that are looked at before they are told */
} touch_list;

/* Ways of a normal: the line between the two points (or across two edges), or that of a face, in the plane of an edge, whose
 * number follows. */
enum {
    WAY_POINTS = 0,
    WAY_FACE_OF_A = 1 << 20,
    WAY_FACE_OF_B = 2 << 20,
    WAY_NUMBER = (1 << 20) - 1
};
/* The normal of the next touch is that of a face of the first or of the second part. */
static inline void touch_by_face(touch_list *list, bool of_first, int face)
{
    list->way = (of_first ? WAY_FACE_OF_A : WAY_FACE_OF_B) | face;
}

/* A touch of the first and the second part: `normal` goes from the second to the first; the point is on the second. Too
 * large gaps are left out. */
void touch_add(touch_list *list, int first_feature, int second_feature, double gap, const double normal[3],
               const double second_point[3]);

void touch_cores_plane(const part *a, const part *b, touch_list *list);
/* The same where parts may be those of a cut polygon: what only its cuts would feel is left out. */
void touch_outlines(const part *a, const part *b, touch_list *list);
void touch_cores_space(const part *a, const part *b, touch_list *list);
void touch_balls(const part *a, const part *b, touch_list *list);
void touch_capsules(const part *a, const part *b, touch_list *list);
/* The first is a ball or capsule, the second a polyhedron. */
void touch_ball_solid(const part *ball, const part *solid, touch_list *list);
void touch_capsule_solid(const part *capsule, const part *solid, touch_list *list);
void touch_solids(const part *a, const part *b, touch_list *list);
/* The second is a cylinder, the first a core or a cylinder, too. */
void touch_cylinder(const part *other, const part *cylinder, touch_list *list);
void touch_cylinder_halfspace(const part *cylinder, const part *halfspace, touch_list *list);
/* The face of edge `edge` of b alone, as far as a is over it. */
void touch_edge_plane(const part *a, const part *b, int edge, touch_list *list);
/* The second is a surface at its pose. */
void touch_surface(int dim, const part *solid, const carom_pose *solid_pose, const part *sheet_part,
                   const carom_pose *pose, touch_list *list);
/* The second is a halfspace. */
void touch_halfspace(const part *solid, const part *halfspace, touch_list *list);
/* Any pair. Poses are those of the shapes; surfaces need them. */
void touch_parts(int dim, const part *a, const carom_pose *pose_a, const part *b, const carom_pose *pose_b,
                 touch_list *list);

#endif
