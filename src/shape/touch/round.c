/* Balls and capsules: with each other, and with polyhedra. In closed form. */
#include "patch.h"
#include "segments.h"

/* Two points of the cores that are nearest; `n` when they fall together. */
static void tell(const part *a, const part *b, int feature_a, int feature_b, const double on_a[3],
                 const double on_b[3], const double n[3], touch_list *list)
{
    double normal[3], point[3];
    subtract(on_a, on_b, normal);
    const double reach = a->radius + b->radius + list->margin, square = dot(normal, normal);
    if (!(square <= reach * reach))
        return;
    const double d = sqrt(square);
    if (d > 1e-14 * (a->size + b->size))
        for (int k = 0; k < 3; k++)
            normal[k] /= d;
    else
        copy(n, normal);
    along(on_b, b->radius, normal, point);
    touch_add(list, feature_a, feature_b, d - a->radius - b->radius, normal, point);
}

static const double up[3] = {0.0, 1.0, 0.0};

void touch_balls(const part *a, const part *b, touch_list *list)
{
    tell(a, b, FEATURE_VERTEX, FEATURE_VERTEX, a->vertex, b->vertex, up, list);
}

/* ---- capsules ------------------------------------------------------------------------------------------ */

/* End i of capsule a over the inside of b's segment. */
static void tell_end(const part *a, int i, const part *b, bool exchanged, const double n[3], touch_list *list)
{
    const double t = segment_nearest(b->vertex, b->vertex + 3, a->vertex + 3 * i);
    if (!(t > 0.0 && t < 1.0))
        return;
    double on_b[3];
    segment_point(b->vertex, b->vertex + 3, t, on_b);
    if (exchanged)
        tell(b, a, FEATURE_EDGE, FEATURE_VERTEX | i, on_b, a->vertex + 3 * i, n, list);
    else
        tell(a, b, FEATURE_VERTEX | i, FEATURE_EDGE, a->vertex + 3 * i, on_b, n, list);
}

/* Ends that are nearest to each other. */
static void tell_ends(const part *a, int i, const part *b, int j, const double n[3], touch_list *list)
{
    const double *end_a = a->vertex + 3 * i, *end_b = b->vertex + 3 * j;
    if (segment_nearest(b->vertex, b->vertex + 3, end_a) == j &&
        segment_nearest(a->vertex, a->vertex + 3, end_b) == i)
        tell(a, b, FEATURE_VERTEX | i, FEATURE_VERTEX | j, end_a, end_b, n, list);
}

/* Capsules that lie side by side touch at the ends of what they have in common, crossing ones in a point. */
void touch_capsules(const part *a, const part *b, touch_list *list)
{
    double u[3], v[3], n[3], s, t;
    subtract(a->vertex + 3, a->vertex, u);
    subtract(b->vertex + 3, b->vertex, v);
    cross(u, v, n);
    if (!(normalise(n) > 1e-9 * length(u) * length(v))) {
        double across[3];
        frame_of(u, n, across);
    }
    for (int i = 0; i < 2; i++) {
        tell_end(a, i, b, false, n, list);
        tell_end(b, i, a, true, n, list);
        for (int j = 0; j < 2; j++)
            tell_ends(a, i, b, j, n, list);
    }
    if (segments_nearest(a->vertex, a->vertex + 3, b->vertex, b->vertex + 3, &s, &t) && s > 0.0 && s < 1.0 &&
        t > 0.0 && t < 1.0) {
        double on_a[3], on_b[3];
        segment_point(a->vertex, a->vertex + 3, s, on_a);
        segment_point(b->vertex, b->vertex + 3, t, on_b);
        tell(a, b, FEATURE_EDGE, FEATURE_EDGE, on_a, on_b, n, list);
    }
}

static void touch_ball_capsule(const part *ball, const part *capsule, touch_list *list)
{
    const double t = segment_nearest(capsule->vertex, capsule->vertex + 3, ball->vertex);
    double point[3], u[3], n[3], across[3];
    segment_point(capsule->vertex, capsule->vertex + 3, t, point);
    subtract(capsule->vertex + 3, capsule->vertex, u);
    frame_of(u, n, across);
    tell(ball, capsule, FEATURE_VERTEX, t == 0.0 || t == 1.0 ? FEATURE_VERTEX | (int)t : FEATURE_EDGE,
         ball->vertex, point, n, list);
}

/* ---- polyhedra ------------------------------------------------------------------------------------------ */

static const double *face_vertex(const part *solid, int face)
{
    return solid->vertex + 3 * solid->solid->corner[solid->solid->first[face]];
}

/* The face that is farthest from a point, as far as its plane goes. */
static int outermost_face(const part *solid, const double point[3], double *height)
{
    int best = 0;
    *height = -INFINITY;
    for (int f = 0; f < solid->normals; f++) {
        double offset[3];
        subtract(point, face_vertex(solid, f), offset);
        const double h = dot(solid->normal + 3 * f, offset);
        if (h > *height) {
            *height = h;
            best = f;
        }
    }
    return best;
}

/* Is a point over the face, inside the planes through its edges? */
static bool is_over(const part *solid, int face, const double point[3])
{
    const int *corner = solid->solid->corner + solid->solid->first[face];
    const int corners = solid->solid->first[face + 1] - solid->solid->first[face];
    for (int i = 0; i < corners; i++) {
        const double *from = solid->vertex + 3 * corner[i],
                     *to = solid->vertex + 3 * corner[(i + 1) % corners];
        double edge[3], outward[3], offset[3];
        subtract(to, from, edge);
        cross(edge, solid->normal + 3 * face, outward);
        subtract(point, from, offset);
        if (dot(outward, offset) > 0.0)
            return false;
    }
    return true;
}

/* From a face of the second, or `feature_b` of it, to a point of the first's core. */
static void tell_face(const part *a, int feature, const part *solid, int face, int feature_b,
                      const double on_a[3], touch_list *list)
{
    const double *n = solid->normal + 3 * face;
    double offset[3], point[3];
    subtract(on_a, face_vertex(solid, face), offset);
    const double height = dot(n, offset);
    along(on_a, solid->radius - height, n, point);
    touch_by_face(list, false, face);
    touch_add(list, feature, feature_b, height - a->radius - solid->radius, n, point);
}

void touch_ball_solid(const part *ball, const part *solid, touch_list *list)
{
    double height;
    const int face = outermost_face(solid, ball->vertex, &height);
    if (height > ball->radius + solid->radius + list->margin)
        return;
    if (height <= 0.0 || is_over(solid, face, ball->vertex)) {
        tell_face(ball, FEATURE_VERTEX, solid, face, FEATURE_FACE | face, ball->vertex, list);
        return;
    }
    double best = INFINITY, nearest[3] = {0};
    int feature = 0;
    for (int e = 0; e < solid->solid->edges; e++) {
        const int *edge = solid->solid->edge + 4 * e;
        const double *from = solid->vertex + 3 * edge[0], *to = solid->vertex + 3 * edge[1];
        const double t = segment_nearest(from, to, ball->vertex);
        double point[3];
        segment_point(from, to, t, point);
        const double d = distance(point, ball->vertex);
        if (!(d < best))
            continue;
        best = d;
        copy(point, nearest);
        feature = t == 0.0   ? FEATURE_VERTEX | edge[0]
                  : t == 1.0 ? FEATURE_VERTEX | edge[1]
                             : FEATURE_EDGE | e;
    }
    tell(ball, solid, FEATURE_VERTEX, feature, ball->vertex, nearest, solid->normal + 3 * face, list);
}

/* The part of a segment over a face, from within[0] to within[1], and the edges that cut it, -1: none; false when nothing
 * is over it. */
static bool part_over(const part *solid, int face, const double a0[3], const double a1[3], double within[2],
                      int cut[2])
{
    const int *corner = solid->solid->corner + solid->solid->first[face];
    const int corners = solid->solid->first[face + 1] - solid->solid->first[face];
    within[0] = 0.0;
    within[1] = 1.0;
    cut[0] = cut[1] = -1;
    for (int i = 0; i < corners; i++) {
        const int next = corner[(i + 1) % corners];
        const double *from = solid->vertex + 3 * corner[i], *to = solid->vertex + 3 * next;
        double edge[3], outward[3], offset[3], direction[3];
        subtract(to, from, edge);
        cross(edge, solid->normal + 3 * face, outward);
        subtract(a0, from, offset);
        subtract(a1, a0, direction);
        const double start = dot(outward, offset), rate = dot(outward, direction);
        const double slack = 1e-9 * solid->size * length(outward), at = (slack - start) / rate;
        if (rate == 0.0 && start > slack)
            return false;
        const int end = rate > 0.0;
        if (rate == 0.0 || (end ? at >= within[1] : at <= within[0]))
            continue;
        within[end] = at;
        cut[end] = edge_number(solid->solid, corner[i], next);
    }
    return within[0] <= within[1];
}

typedef struct axis {
    double separation, normal[3];
    int face, edge; /* edge >= 0: across that edge and the capsule */
} axis;

static double lower_end(const part *capsule, const double n[3])
{
    return fmin(dot(n, capsule->vertex), dot(n, capsule->vertex + 3));
}

/* Faces of the solid, and directions across one of its edges and the capsule's segment. */
static axis best_axis(const part *capsule, const part *solid)
{
    axis best = {.separation = -INFINITY, .edge = -1};
    for (int f = 0; f < solid->normals; f++) {
        const double *n = solid->normal + 3 * f;
        const double s = lower_end(capsule, n) - dot(n, face_vertex(solid, f));
        if (s > best.separation) {
            best = (axis){.separation = s, .face = f, .edge = -1};
            copy(n, best.normal);
        }
    }
    double u[3];
    subtract(capsule->vertex + 3, capsule->vertex, u);
    const double long_u = length(u);
    for (int e = 0; e < solid->solid->edges; e++) {
        const int *edge = solid->solid->edge + 4 * e;
        double v[3], n[3];
        subtract(solid->vertex + 3 * edge[1], solid->vertex + 3 * edge[0], v);
        cross(u, v, n);
        if (!(normalise(n) > 1e-6 * long_u * length(v)))
            continue;
        /* Both faces' normals on one side: the edge is the farthest of the solid there. */
        double left[3], right[3];
        cross(v, solid->normal + 3 * edge[2], left); /* away from the faces, along them */
        cross(solid->normal + 3 * edge[3], v, right);
        const double l = dot(left, n), r = dot(right, n);
        if (l * r < 0.0)
            continue;
        if (l + r < 0.0)
            for (int k = 0; k < 3; k++)
                n[k] = -n[k];
        const double s = lower_end(capsule, n) - dot(n, solid->vertex + 3 * edge[0]);
        if (s > best.separation + 1e-9 * solid->size) {
            best = (axis){.separation = s, .face = best.face, .edge = e};
            copy(n, best.normal);
        }
    }
    return best;
}

/* Both ends of what is over the face. */
static bool tell_over(const part *capsule, const part *solid, int face, double separation, touch_list *list)
{
    double within[2], point[2][3], height[2];
    int cut[2];
    if (!part_over(solid, face, capsule->vertex, capsule->vertex + 3, within, cut))
        return false;
    for (int i = 0; i < 2; i++) {
        segment_point(capsule->vertex, capsule->vertex + 3, within[i], point[i]);
        height[i] =
            dot(solid->normal + 3 * face, point[i]) - dot(solid->normal + 3 * face, face_vertex(solid, face));
    }
    if (separation > 0.0 && fmin(height[0], height[1]) > separation + 1e-9 * solid->size)
        return false;
    for (int i = 0; i < 2; i++)
        if (i == 0 || within[1] > within[0])
            tell_face(capsule, cut[i] < 0 ? FEATURE_VERTEX | i : FEATURE_EDGE, solid, face,
                      cut[i] < 0 ? FEATURE_FACE | face : FEATURE_EDGE | cut[i], point[i], list);
    return true;
}

static void tell_nearest_edge(const part *capsule, const part *solid, const axis *best, touch_list *list)
{
    double least = INFINITY, on_capsule[3] = {0}, on_edge[3] = {0};
    int feature_a = 0, feature_b = 0;
    for (int e = 0; e < solid->solid->edges; e++) {
        const int *edge = solid->solid->edge + 4 * e;
        const double *from = solid->vertex + 3 * edge[0], *to = solid->vertex + 3 * edge[1];
        double s, t, a[3], b[3];
        segments_nearest(capsule->vertex, capsule->vertex + 3, from, to, &s, &t);
        segment_point(capsule->vertex, capsule->vertex + 3, s, a);
        segment_point(from, to, t, b);
        const double d = distance(a, b);
        if (!(d < least))
            continue;
        least = d;
        copy(a, on_capsule);
        copy(b, on_edge);
        feature_a = s == 0.0 || s == 1.0 ? FEATURE_VERTEX | (int)s : FEATURE_EDGE;
        feature_b = t == 0.0   ? FEATURE_VERTEX | edge[0]
                    : t == 1.0 ? FEATURE_VERTEX | edge[1]
                               : FEATURE_EDGE | e;
    }
    tell(capsule, solid, feature_a, feature_b, on_capsule, on_edge, best->normal, list);
}

/* The segment runs through the solid, out across an edge. */
static void tell_crossing(const part *capsule, const part *solid, const axis *best, touch_list *list)
{
    const int *edge = solid->solid->edge + 4 * best->edge;
    double s, t, on_edge[3], point[3];
    segments_nearest(capsule->vertex, capsule->vertex + 3, solid->vertex + 3 * edge[0],
                     solid->vertex + 3 * edge[1], &s, &t);
    segment_point(solid->vertex + 3 * edge[0], solid->vertex + 3 * edge[1], t, on_edge);
    along(on_edge, solid->radius, best->normal, point);
    touch_add(list, FEATURE_EDGE, FEATURE_EDGE | best->edge,
              best->separation - capsule->radius - solid->radius, best->normal, point);
}

void touch_capsule_solid(const part *capsule, const part *solid, touch_list *list)
{
    const axis best = best_axis(capsule, solid);
    if (best.separation > capsule->radius + solid->radius + list->margin)
        return;
    if (best.edge < 0 && tell_over(capsule, solid, best.face, best.separation, list))
        return;
    if (best.separation > 0.0)
        tell_nearest_edge(capsule, solid, &best, list);
    else if (best.edge >= 0)
        tell_crossing(capsule, solid, &best, list);
    else
        tell_face(capsule, FEATURE_VERTEX, solid, best.face, FEATURE_FACE | best.face,
                  capsule->vertex +
                      (dot(best.normal, capsule->vertex) <= dot(best.normal, capsule->vertex + 3) ? 0 : 3),
                  list);
}

void touch_cores_space(const part *a, const part *b, touch_list *list)
{
    /* 0: ball, 1: capsule, 2: polyhedron */
    const int kind_a = a->solid ? 2 : a->vertices - 1, kind_b = b->solid ? 2 : b->vertices - 1;
    static void (*const function[3][3])(const part *, const part *,
                                        touch_list *) = {{touch_balls, touch_ball_capsule, touch_ball_solid},
                                                         {NULL, touch_capsules, touch_capsule_solid},
                                                         {NULL, NULL, touch_solids}};
    if (kind_a <= kind_b) {
        function[kind_a][kind_b](a, b, list);
        return;
    }
    list->swapped = !list->swapped;
    function[kind_b][kind_a](b, a, list);
    list->swapped = !list->swapped;
}
