/* Solids on surfaces: each piece is touched as a solid of its own, and what only its borders to the next piece would feel is
 * left out.
 *
 *         d                  A normal d at a border is right when no neighbour goes on towards the solid there: d.w <= 0
 *    _____|_____             for the direction w from the border into the neighbour. On a flat surface and in a valley
 *    piece    neighbour      this is never so but for the normals of the pieces themselves; on a ridge it is.
 *                     -> w
 *
 * With a wrong normal the piece touches with its face, or not at all. Points over pieces of one plane have the number of the plane,
 * so that nothing changes when a body slides from one to the next. */
#include <float.h>

#include "patch.h"
#include "shape/surface.h"

static const double same_direction = 1e-6;

typedef struct visit {
    int dim;
    const part *solid;
    const surface *sheet;
    const carom_pose *pose;
    touch_list *list, *found;
    /* The piece that is looked at, as a solid in space. */
    int number;
    double vertex[9], normal[6];
    part piece;
} visit;

static void point_at(const visit *v, int number, double at[3])
{
    place(v->pose, v->sheet->point + 3 * number, at);
}

static void put_piece(visit *v, int number)
{
    const piece *p = &v->sheet->piece[number];
    v->number = number;
    for (int c = 0; c < v->dim; c++)
        point_at(v, p->corner[c], v->vertex + 3 * c);
    double u[3], w[3], n[3];
    subtract(v->vertex + 3, v->vertex, u);
    double size = length(u);
    if (v->dim == CAROM_SPACE) {
        subtract(v->vertex + 6, v->vertex, w);
        cross(u, w, n);
        size = fmax(size, length(w));
    } else {
        n[0] = u[1];
        n[1] = -u[0];
        n[2] = 0.0;
    }
    normalise(n);
    for (int k = 0; k < 3; k++) {
        v->normal[k] = n[k];
        v->normal[3 + k] = -n[k];
    }
    v->piece = (part){.kind = PART_CORE,
                      .size = size,
                      .vertices = v->dim,
                      .vertex = v->vertex,
                      .normals = 2,
                      .normal = v->normal,
                      .solid = v->dim == CAROM_SPACE ? &triangle_solid : NULL};
}

/* ---- is a normal right? ---------------------------------------------------------------------------------- */

/* What a normal at a border means for a piece. */
typedef enum verdict {
    RIGHT,
    ON_FACE, /* the neighbour goes on under the solid: the piece touches with its face, if at all */
    COVERED  /* another piece touches there */
} verdict;

/* Of a normal d at a place from which the surface goes on along w. Where it goes on level or rises a little towards the solid, the
 * solid lies on both; a steep neighbour is touched itself. */
static verdict judge(const visit *v, const double d[3], const double w[3])
{
    const double size = length(w);
    if (!(dot(d, w) > same_direction * size))
        return RIGHT;
    double offset[3];
    subtract(v->solid->inner, v->vertex, offset);
    const double side = dot(offset, v->normal) < 0.0 ? -1.0 : 1.0, rise = side * dot(w, v->normal);
    return rise >= -same_direction * size && rise <= 0.7 * size ? ON_FACE : COVERED;
}

/* At corner c, from which borders lead to other points. */
static verdict judge_point(const visit *v, int c, const double d[3])
{
    const int number = v->sheet->piece[v->number].corner[c];
    verdict worst = RIGHT;
    for (int i = v->sheet->joint[number]; i < v->sheet->joint[number + 1]; i++) {
        double way[3];
        point_at(v, v->sheet->joined[i], way);
        subtract(way, v->vertex + 3 * c, way);
        const verdict found = judge(v, d, way);
        if (found == ON_FACE)
            return ON_FACE;
        worst = found == COVERED ? COVERED : worst;
    }
    return worst;
}

/* At border e of a triangle: the neighbour goes on across it. */
static verdict judge_border(const visit *v, int e, const double d[3])
{
    const piece *p = &v->sheet->piece[v->number];
    if (p->neighbour[e] < 0)
        return RIGHT;
    const piece *q = &v->sheet->piece[p->neighbour[e]];
    const int from = p->corner[e], to = p->corner[(e + 1) % 3];
    double opposite[3] = {0}, way[3], border[3];
    for (int c = 0; c < 3; c++)
        if (q->corner[c] != from && q->corner[c] != to)
            point_at(v, q->corner[c], opposite);
    subtract(opposite, v->vertex + 3 * e, way);
    subtract(v->vertex + 3 * ((e + 1) % 3), v->vertex + 3 * e, border);
    along(way, -dot(way, border) / dot(border, border), border, way);
    return judge(v, d, way);
}

/* By the feature that is foremost along d: corners within rounding of the foremost one. */
static verdict judge_normal(const visit *v, const double d[3])
{
    double height[3], most = -INFINITY;
    int foremost = 0, last = 0, first = -1;
    for (int c = 0; c < v->dim; c++) {
        height[c] = dot(d, v->vertex + 3 * c);
        most = fmax(most, height[c]);
    }
    for (int c = 0; c < v->dim; c++)
        if (height[c] >= most - same_direction * v->piece.size) {
            first = first < 0 ? c : first;
            last = c;
            foremost++;
        }
    if (foremost == v->dim)
        return RIGHT;
    if (foremost == 1)
        return judge_point(v, first, d);
    return judge_border(v, last == first + 1 ? first : last, d);
}

/* ---- telling ------------------------------------------------------------------------------------------------ */

/* Does the surface go on flat beyond border e (corner e of a segment)? */
static bool is_flat(const visit *v, int e)
{
    const piece *p = &v->sheet->piece[v->number];
    return p->neighbour[e] >= 0 && v->sheet->piece[p->neighbour[e]].flat == p->flat;
}

/* The feature of the surface that a feature of the piece is; -1: none of its own. `d` along the piece's normal: `upright`. */
static int surface_feature(const visit *v, int solid_feature, int feature, bool upright)
{
    const piece *p = &v->sheet->piece[v->number];
    const int kind = feature & FEATURE_ROUND, number = feature & (FEATURE_EDGE - 1);
    const int solid_kind = solid_feature & FEATURE_ROUND;
    const int face = FEATURE_FACE | p->flat;
    const bool is_face = v->dim == CAROM_PLANE ? kind == FEATURE_EDGE : kind == FEATURE_FACE;
    if (is_face || (upright && (solid_kind == FEATURE_VERTEX || solid_kind == FEATURE_ROUND)))
        return face;
    if (v->dim == CAROM_PLANE)
        return upright && is_flat(v, number) ? -1 : FEATURE_VERTEX | p->corner[number];
    if (kind == FEATURE_EDGE)
        return upright && is_flat(v, number) ? -1 : FEATURE_EDGE | p->border[number];
    return upright && is_flat(v, number) && is_flat(v, (number + 2) % 3) ? -1
                                                                         : FEATURE_VERTEX | p->corner[number];
}

static void tell_found(visit *v)
{
    for (size_t i = 0; i < v->found->count; i++) {
        const carom_touch *touch = &v->found->touch[i];
        const bool upright =
            fabs(dot(touch->normal, v->normal)) > 1.0 - 0.5 * same_direction * same_direction;
        const int solid = (int)(touch->feature >> FEATURE_BITS),
                  piece_feature = (int)(touch->feature & ((1 << FEATURE_BITS) - 1));
        const int feature = surface_feature(v, solid, piece_feature, upright);
        if (feature < 0)
            continue;
        /* faces of the surface: piece and side */
        v->list->way = ((int)touch->way & ~WAY_NUMBER) != WAY_FACE_OF_B
                           ? (int)touch->way
                           : WAY_FACE_OF_B | 2 * v->number | ((int)touch->way & 1);
        touch_add(v->list, solid, feature, touch->gap, touch->normal, touch->point_b);
    }
}

/* Touches of the face alone, on the side where the solid's middle is. */
static void find_on_face(visit *v)
{
    double offset[3];
    subtract(v->solid->inner, v->vertex, offset);
    const int side = dot(offset, v->normal) < 0.0;
    v->found->count = 0;
    if (v->dim == CAROM_PLANE) {
        touch_edge_plane(v->solid, &v->piece, side, v->found);
        return;
    }
    polygon reference, incident;
    const double *n = v->normal + 3 * side;
    polygon_of_face(&v->piece, side, &reference);
    if (v->solid->kind == PART_CYLINDER)
        polygon_of_cylinder(v->solid, (double[3]){-n[0], -n[1], -n[2]}, CAP_FEW, &incident);
    else if (v->solid->solid)
        polygon_of_face(v->solid, facing_face(v->solid, n), &incident);
    else if (v->solid->vertices == 2)
        polygon_of_capsule(v->solid, &incident);
    else
        return; /* a ball touches the nearest point, and this is another piece's */
    const double radius = v->solid->kind == PART_CYLINDER ? 0.0 : v->solid->radius;
    patch_tell(&reference, 0.0, &incident, radius, false, 1e-9 * v->piece.size, DBL_MAX, v->found);
}

static void touch_piece(void *context, int number)
{
    visit *v = context;
    put_piece(v, number);
    v->found->count = 0;
    /* The piece goes first, so that it is the reference where both have a face there. */
    v->found->swapped = true;
    if (v->dim == CAROM_PLANE)
        touch_outlines(&v->piece, v->solid, v->found);
    else if (v->solid->kind == PART_CYLINDER)
        touch_cylinder(&v->piece, v->solid, v->found);
    else
        touch_cores_space(&v->piece, v->solid, v->found);
    v->found->swapped = false;
    verdict worst = RIGHT;
    for (size_t i = 0; i < v->found->count && worst == RIGHT; i++)
        worst = judge_normal(v, v->found->touch[i].normal);
    if (worst == ON_FACE)
        find_on_face(v);
    if (worst != COVERED)
        tell_found(v);
}

/* Two pieces may tell the same: the lowest of each feature stays. */
static void drop_doubles(touch_list *list, size_t from)
{
    carom_touch *touch = list->touch;
    for (size_t i = from + 1; i < list->count; i++) {
        const carom_touch moved = touch[i];
        size_t j = i;
        for (; j > from && (touch[j - 1].feature > moved.feature ||
                            (touch[j - 1].feature == moved.feature && touch[j - 1].gap > moved.gap));
             j--)
            touch[j] = touch[j - 1];
        touch[j] = moved;
    }
    size_t kept = from;
    for (size_t i = from; i < list->count; i++)
        if (kept == from || touch[kept - 1].feature != touch[i].feature)
            touch[kept++] = touch[i];
    list->count = kept;
}

void touch_surface(int dim, const part *solid, const carom_pose *solid_pose, const part *sheet_part,
                   const carom_pose *pose, touch_list *list)
{
    visit v = {.dim = dim,
               .solid = solid,
               .sheet = sheet_part->sheet,
               .pose = pose,
               .list = list,
               .found = list->scratch};
    v.found->margin = list->margin;
    v.found->failed = false;
    double low[3], high[3], own_low[3], own_high[3];
    part_bounds(solid, solid_pose, low, high);
    for (int k = 0; k < 3; k++)
        own_low[k] = -(own_high[k] = -INFINITY);
    for (int c = 0; c < 8; c++) { /* the solid's box seen from the surface */
        const double corner[3] = {c & 1 ? high[0] : low[0], c & 2 ? high[1] : low[1],
                                  c & 4 ? high[2] : low[2]};
        double at[3];
        place_back(pose, corner, at);
        for (int k = 0; k < 3; k++) {
            own_low[k] = fmin(own_low[k], at[k] - list->margin);
            own_high[k] = fmax(own_high[k], at[k] + list->margin);
        }
    }
    const size_t before = list->count;
    surface_visit(v.sheet, own_low, own_high, touch_piece, &v);
    list->failed = list->failed || v.found->failed;
    drop_doubles(list, before);
}
