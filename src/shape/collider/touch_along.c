/* How a touch changes when its shapes move, with its features held: gap, normal and points are then smooth functions of the two
 * poses,
 *
 *   vertex or edge and face     the normal is that of the face; the point is the vertex, or where the edge passes a border
 *   vertex and vertex or edge   the normal is along the line between the two nearest points
 *   edge and edge               the normal is across both
 *
 * in numbers with a derivative (carom/linalg/dual.h). What they give must be the touch itself; if it is not, nothing is told. */
#include "carom/linalg/dual.h"
#include "collider.h"
#include "shape/surface.h"

/* What is farther from the touch is another one, relative to the sizes. */
static const double same = 1e-6;

/* One of the two shapes: its part, and where it is. */
typedef struct side {
    const part *own;
    carom_dual x[3], r[9];
    int kind, number; /* of the feature */
    double radius;
} side;

typedef struct face_of {
    carom_dual normal[3], point[3];
} face_of;

static side side_of(const carom_shape *shape, uint64_t part_number, int feature, const carom_pose *pose,
                    const carom_pose *along)
{
    side s = {.own = &shape->part[part_number],
              .kind = feature & FEATURE_ROUND,
              .number = feature & (FEATURE_EDGE - 1)};
    s.radius = s.own->kind == PART_CORE ? s.own->radius : 0.0;
    for (int k = 0; k < 3; k++)
        s.x[k] = carom_dual_of(pose->x[k], along->x[k]);
    for (int k = 0; k < 9; k++)
        s.r[k] = carom_dual_of(pose->r[k], along->r[k]);
    return s;
}

static void turn_from(const side *s, const double local[3], carom_dual to[3])
{
    const carom_dual at[3] = {local[0], local[1], local[2]};
    carom_dual_turn(s->r, at, to);
}

static void place_from(const side *s, const double local[3], carom_dual to[3])
{
    turn_from(s, local, to);
    for (int k = 0; k < 3; k++)
        to[k] += s->x[k];
}

/* ---- features ------------------------------------------------------------------------------------------- */

static const double *local_vertex(const side *s, int number)
{
    return s->own->kind == PART_SURFACE ? s->own->sheet->point + 3 * (ptrdiff_t)number
                                        : s->own->vertex + 3 * (ptrdiff_t)number;
}

/* The ends of a border of a surface of triangles. */
static bool border_ends(const surface *sheet, int border, int end[2])
{
    for (int i = 0; i < sheet->pieces; i++)
        for (int k = 0; k < 3; k++)
            if (sheet->piece[i].border[k] == border) {
                end[0] = sheet->piece[i].corner[k];
                end[1] = sheet->piece[i].corner[(k + 1) % 3];
                return true;
            }
    return false;
}

/* The vertices at the ends of an edge. */
static bool edge_ends(int dim, const side *s, int end[2])
{
    const part *own = s->own;
    if (own->kind == PART_SURFACE)
        return dim == CAROM_SPACE && border_ends(own->sheet, s->number, end);
    if (own->kind != PART_CORE || own->vertices < 2)
        return false;
    const bool of_polygon = dim == CAROM_PLANE || !own->solid;
    end[0] = of_polygon ? s->number : own->solid->edge[4 * s->number];
    end[1] = of_polygon ? (s->number + 1) % own->vertices : own->solid->edge[4 * s->number + 1];
    return true;
}

static bool find_edge(int dim, const side *s, carom_dual from[3], carom_dual direction[3])
{
    int end[2];
    carom_dual to[3];
    if (!edge_ends(dim, s, end))
        return false;
    place_from(s, local_vertex(s, end[0]), from);
    place_from(s, local_vertex(s, end[1]), to);
    for (int k = 0; k < 3; k++)
        direction[k] = to[k] - from[k];
    return true;
}

/* A piece of a surface seen from one side: number is twice the piece, and 1 for its back. */
static void find_piece(int dim, const side *s, int number, face_of *face)
{
    const surface *sheet = s->own->sheet;
    const piece *p = &sheet->piece[number / 2];
    const double *a = sheet->point + 3 * (ptrdiff_t)p->corner[0],
                 *b = sheet->point + 3 * (ptrdiff_t)p->corner[1];
    double u[3], w[3], n[3];
    subtract(b, a, u);
    n[0] = u[1];
    n[1] = -u[0];
    n[2] = 0.0;
    if (dim == CAROM_SPACE) {
        subtract(sheet->point + 3 * (ptrdiff_t)p->corner[2], a, w);
        cross(u, w, n);
    }
    normalise(n);
    for (int k = 0; k < 3 && number % 2 == 1; k++)
        n[k] = -n[k];
    turn_from(s, n, face->normal);
    place_from(s, a, face->point);
}

static bool find_face(int dim, const side *s, int number, face_of *face)
{
    const part *own = s->own;
    if (own->kind == PART_SURFACE) {
        find_piece(dim, s, number, face);
        return true;
    }
    if (own->kind == PART_HALFSPACE) {
        const double point[3] = {own->offset * own->inner[0], own->offset * own->inner[1],
                                 own->offset * own->inner[2]};
        turn_from(s, own->inner, face->normal);
        place_from(s, point, face->point);
        return true;
    }
    if (own->kind != PART_CORE || number >= own->normals)
        return false;
    const int vertex = own->solid ? own->solid->corner[own->solid->first[number]] : number;
    turn_from(s, own->normal + 3 * (ptrdiff_t)number, face->normal);
    place_from(s, own->vertex + 3 * (ptrdiff_t)vertex, face->point);
    return true;
}

/* The face that is the feature of a side. Of a surface it has the number of all pieces in its plane. */
static bool find_own_face(int dim, const side *s, face_of *face)
{
    if (s->own->kind != PART_SURFACE)
        return find_face(dim, s, s->number, face);
    for (int i = 0; i < s->own->sheet->pieces; i++)
        if (s->own->sheet->piece[i].flat == s->number)
            return find_face(dim, s, 2 * i, face);
    return false;
}

/* ---- a face and a point of the other ------------------------------------------------------------------------ */

/* The point of the line from + s direction where level.(point - origin) is what it is at `near`. */
static bool cut_line(const carom_dual from[3], const carom_dual direction[3], const carom_dual level[3],
                     const carom_dual origin[3], const double near[3], carom_dual point[3])
{
    double wanted = 0.0;
    carom_dual start = 0.0;
    for (int k = 0; k < 3; k++) {
        wanted += creal(level[k]) * (near[k] - creal(origin[k]));
        start += level[k] * (from[k] - origin[k]);
    }
    const carom_dual rate = carom_dual_dot(level, direction);
    if (creal(rate) == 0.0)
        return false;
    for (int k = 0; k < 3; k++)
        point[k] = from[k] + (wanted - start) / rate * direction[k];
    return true;
}

/* Plane: an edge of the other passes over a vertex of the one with the normal n, along it. */
static bool pass_vertex(const side *x, const carom_dual n[3], const carom_dual from[3],
                        const carom_dual direction[3], const double near[3], carom_dual point[3])
{
    carom_dual vertex[3];
    const carom_dual level[3] = {-n[1], n[0], 0.0};
    place_from(x, local_vertex(x, x->number), vertex);
    return cut_line(from, direction, level, vertex, near, point);
}

/* The point of y's core that is over the face of x; `near`: where it is. */
static bool find_over(int dim, const side *x, const face_of *face, const side *y, const double near[3],
                      carom_dual point[3])
{
    carom_dual from[3], direction[3], start[3], along_x[3], level[3];
    face_of other;
    if (y->kind == FEATURE_VERTEX) {
        place_from(y, local_vertex(y, y->number), point);
        return true;
    }
    if (y->kind == FEATURE_EDGE) {
        if (!find_edge(dim, y, from, direction))
            return false;
        if (dim == CAROM_PLANE)
            return x->kind == FEATURE_VERTEX && pass_vertex(x, face->normal, from, direction, near, point);
        if (x->kind != FEATURE_EDGE || !find_edge(dim, x, start, along_x))
            return false;
        carom_dual_cross(along_x, face->normal, level);
        return cut_line(from, direction, level, start, near, point);
    }
    if (y->kind != FEATURE_FACE || x->kind != FEATURE_VERTEX || !find_own_face(dim, y, &other))
        return false;
    if (dim == CAROM_PLANE) { /* a piece of a surface, along which the point moves */
        const carom_dual line[3] = {-other.normal[1], other.normal[0], 0.0};
        return pass_vertex(x, face->normal, other.point, line, near, point);
    }
    place_from(x, local_vertex(x, x->number), start);
    return cut_line(start, face->normal, other.normal, other.point, near, point);
}

typedef struct moved {
    carom_dual gap, normal[3], point_a[3], point_b[3];
} moved;

static bool touch_face(int dim, const carom_touch *touch, bool of_a, const side *a, const side *b,
                       const face_of *face, moved *to)
{
    const side *x = of_a ? a : b, *y = of_a ? b : a;
    const double *on_y = of_a ? touch->point_b : touch->point_a;
    const carom_dual *n = face->normal;
    double near[3];
    carom_dual point[3], distance = 0.0;
    for (int k = 0; k < 3; k++)
        near[k] = on_y[k] + y->radius * creal(n[k]);
    if (!find_over(dim, x, face, y, near, point))
        return false;
    for (int k = 0; k < 3; k++)
        distance += n[k] * (point[k] - face->point[k]);
    to->gap = distance - x->radius - y->radius;
    for (int k = 0; k < 3; k++) {
        const carom_dual of_x = point[k] + (x->radius - distance) * n[k], of_y = point[k] - y->radius * n[k];
        to->normal[k] = of_a ? -n[k] : n[k];
        to->point_a[k] = of_a ? of_x : of_y;
        to->point_b[k] = of_a ? of_y : of_x;
    }
    return true;
}

/* ---- two points ------------------------------------------------------------------------------------------ */

static void finish_points(const side *a, const side *b, const carom_dual on_b[3], carom_dual distance,
                          moved *to)
{
    to->gap = distance - a->radius - b->radius;
    for (int k = 0; k < 3; k++) {
        to->point_b[k] = on_b[k] + b->radius * to->normal[k];
        to->point_a[k] = to->point_b[k] + to->gap * to->normal[k];
    }
}

static bool touch_edges(const carom_touch *touch, const side *a, const side *b, moved *to)
{
    carom_dual from_a[3], u[3], from_b[3], v[3], n[3], w[3], on_b[3];
    double sign = 0.0;
    if (!find_edge(CAROM_SPACE, a, from_a, u) || !find_edge(CAROM_SPACE, b, from_b, v))
        return false;
    carom_dual_cross(u, v, n);
    const carom_dual square = carom_dual_dot(n, n), size = csqrt(square);
    if (!(creal(square) > 0.0))
        return false;
    for (int k = 0; k < 3; k++) {
        sign += creal(n[k]) * touch->normal[k];
        w[k] = from_a[k] - from_b[k];
    }
    for (int k = 0; k < 3; k++)
        to->normal[k] = (sign < 0.0 ? -1.0 : 1.0) * n[k] / size;
    const carom_dual uu = carom_dual_dot(u, u), uv = carom_dual_dot(u, v), uw = carom_dual_dot(u, w),
                     vw = carom_dual_dot(v, w), t = (uu * vw - uv * uw) / square;
    for (int k = 0; k < 3; k++)
        on_b[k] = from_b[k] + t * v[k];
    finish_points(a, b, on_b, carom_dual_dot(to->normal, w), to);
    return true;
}

/* The point of an edge that is nearest to `from`. */
static bool nearest_of_edge(int dim, const side *s, const carom_dual from[3], carom_dual point[3])
{
    carom_dual start[3], direction[3], offset[3];
    if (!find_edge(dim, s, start, direction))
        return false;
    for (int k = 0; k < 3; k++)
        offset[k] = from[k] - start[k];
    const carom_dual at = carom_dual_dot(direction, offset) / carom_dual_dot(direction, direction);
    for (int k = 0; k < 3; k++)
        point[k] = start[k] + at * direction[k];
    return true;
}

static bool touch_points(int dim, const carom_touch *touch, const side *a, const side *b, moved *to)
{
    carom_dual on_a[3], on_b[3], between[3];
    if (a->kind == FEATURE_EDGE && b->kind == FEATURE_EDGE)
        return dim == CAROM_SPACE && touch_edges(touch, a, b, to);
    if (a->kind == FEATURE_VERTEX)
        place_from(a, local_vertex(a, a->number), on_a);
    if (b->kind == FEATURE_VERTEX)
        place_from(b, local_vertex(b, b->number), on_b);
    else if (a->kind != FEATURE_VERTEX || b->kind != FEATURE_EDGE || !nearest_of_edge(dim, b, on_a, on_b))
        return false;
    if (a->kind != FEATURE_VERTEX && (a->kind != FEATURE_EDGE || !nearest_of_edge(dim, a, on_b, on_a)))
        return false;
    for (int k = 0; k < 3; k++)
        between[k] = on_a[k] - on_b[k];
    const carom_dual square = carom_dual_dot(between, between);
    if (!(creal(square) > 0.0))
        return false;
    const carom_dual distance = csqrt(square);
    for (int k = 0; k < 3; k++)
        to->normal[k] = between[k] / distance;
    finish_points(a, b, on_b, distance, to);
    return true;
}

/* ---- the touch ------------------------------------------------------------------------------------------- */

bool carom_shape_has_slopes(const carom_shape *shape)
{
    for (size_t i = 0; i < shape->parts; i++)
        if (shape->part[i].kind == PART_CYLINDER)
            return false;
    return true;
}

/* Of a point above pieces of one plane of a surface, at a border between two of them, and of other touches of a face. */
static bool find_way(int dim, const carom_touch *touch, const side *a, const side *b, bool *of_a,
                     face_of *face)
{
    const int of = (int)touch->way & ~WAY_NUMBER;
    *of_a = of == WAY_FACE_OF_A;
    if (of != WAY_POINTS)
        return find_face(dim, *of_a ? a : b, (int)touch->way & WAY_NUMBER, face);
    *of_a = a->kind == FEATURE_FACE;
    if (!find_own_face(dim, *of_a ? a : b, face))
        return false;
    double sign = *of_a ? -1.0 : 1.0, cosine = 0.0;
    for (int k = 0; k < 3; k++)
        cosine += sign * creal(face->normal[k]) * touch->normal[k];
    for (int k = 0; k < 3 && cosine < 0.0; k++)
        face->normal[k] = -face->normal[k];
    return true;
}

static bool is_same(const carom_touch *touch, const moved *to, double size)
{
    bool near = fabs(creal(to->gap) - touch->gap) <= same * size;
    for (int k = 0; k < 3; k++)
        near = near && fabs(creal(to->normal[k]) - touch->normal[k]) <= same &&
               fabs(creal(to->point_a[k]) - touch->point_a[k]) <= same * size &&
               fabs(creal(to->point_b[k]) - touch->point_b[k]) <= same * size;
    return near;
}

bool carom_touch_along(const carom_collider *collider, const carom_touch *touch, const carom_pose *pose_a,
                       const carom_pose *pose_b, const carom_pose *along_a, const carom_pose *along_b,
                       carom_touch *along)
{
    const int dim = collider->dim, bits = (1 << FEATURE_BITS) - 1;
    const uint64_t parts = touch->feature >> (2 * FEATURE_BITS);
    const side a = side_of(collider->shape[touch->a], parts >> PART_BITS,
                           (int)(touch->feature >> FEATURE_BITS) & bits, pose_a, along_a);
    const side b = side_of(collider->shape[touch->b], parts & ((1 << PART_BITS) - 1),
                           (int)touch->feature & bits, pose_b, along_b);
    moved to;
    face_of face;
    bool of_a = false;
    const bool by_face =
        ((int)touch->way & ~WAY_NUMBER) != WAY_POINTS || a.kind == FEATURE_FACE || b.kind == FEATURE_FACE;
    if (by_face
            ? !find_way(dim, touch, &a, &b, &of_a, &face) || !touch_face(dim, touch, of_a, &a, &b, &face, &to)
            : !touch_points(dim, touch, &a, &b, &to))
        return false;
    if (!is_same(touch, &to, a.own->kind == PART_CORE ? a.own->size : b.own->size))
        return false;
    *along = (carom_touch){.a = touch->a, .b = touch->b, .feature = touch->feature, .way = touch->way};
    along->gap = carom_dual_slope(to.gap);
    for (int k = 0; k < 3; k++) {
        along->normal[k] = carom_dual_slope(to.normal[k]);
        along->point_a[k] = carom_dual_slope(to.point_a[k]);
        along->point_b[k] = carom_dual_slope(to.point_b[k]);
    }
    return true;
}
