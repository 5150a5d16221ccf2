/* Two polyhedra: separating axes, then the patch between the two faces that look at each other.
 *
 * The distance of convex bodies, negative when they overlap, is the largest over all directions of the gap between the planes that
 * enclose them. Faces and pairs of edges are all directions that count when they overlap; when they are apart and the
 * nearest points are not on a face or inside two edges, these are found among the edges themselves. */
#include "patch.h"

#include <float.h>

#include "segments.h"

/* Faces are taken before edges whose direction differs by less than this (radians), the first body's before the
 * second's that separate as well to within `same` of the size: so a body at rest keeps its points whatever rounding
 * does. The corners of the patch have their true heights whichever is taken. */
static const double same_direction = 1e-3, same = 1e-6;

typedef struct axis {
    double separation, normal[3]; /* from a to b */
    int a, b;                     /* faces or edges; -1: none */
} axis;

static const double *face_vertex(const part *solid, int face)
{
    return solid->vertex + 3 * solid->solid->corner[solid->solid->first[face]];
}

/* The face of p that is farthest from q; stops at the first beyond reach. */
static axis best_face(const part *p, const part *q, double reach)
{
    axis best = {.separation = -INFINITY, .a = -1, .b = -1};
    for (int f = 0; f < p->normals; f++) {
        const double *n = p->normal + 3 * f;
        double least = INFINITY;
        for (int i = 0; i < q->vertices; i++) {
            const double d = dot(n, q->vertex + 3 * i);
            least = d < least ? d : least;
        }
        const double separation = least - dot(n, face_vertex(p, f));
        if (separation > best.separation) {
            best.separation = separation;
            best.a = f;
            if (separation > reach)
                break;
        }
    }
    copy(p->normal + 3 * best.a, best.normal);
    return best;
}

/* Do the two edges make a face of the difference of the bodies: do the arcs between their faces' normals cross on the
 * sphere (one of them seen from behind)? With u, v the directions of the edges, which lie across these arcs. */
static bool arcs_cross(const double *a, const double *b, const double u[3], const double *c, const double *d,
                       const double v[3])
{
    const double cu = dot(c, u), du = dot(d, u);
    if (cu * du >= 0.0)
        return false;
    const double av = dot(a, v), bv = dot(b, v);
    return av * bv < 0.0 && cu * bv < 0.0;
}

/* Calls look for each edge of b that makes a face with edge e of a. */
static void look_at_edges(const part *a, int e, const part *b, axis *best)
{
    const int *edge_a = a->solid->edge + 4 * e;
    const double *from_a = a->vertex + 3 * edge_a[0];
    const double *left = a->normal + 3 * edge_a[2], *right = a->normal + 3 * edge_a[3];
    double u[3], between[3], outward[3];
    subtract(a->vertex + 3 * edge_a[1], from_a, u);
    subtract(left, right, between);
    cross(u, between, outward);
    const double long_u = dot(u, u);
    for (int f = 0; f < b->solid->edges; f++) {
        const int *edge_b = b->solid->edge + 4 * f;
        const double *from_b = b->vertex + 3 * edge_b[0];
        double v[3], n[3], offset[3];
        subtract(b->vertex + 3 * edge_b[1], from_b, v);
        if (!arcs_cross(left, right, u, b->normal + 3 * edge_b[2], b->normal + 3 * edge_b[3], v))
            continue;
        cross(u, v, n);
        const double square = dot(n, n);
        if (!(square > 1e-12 * long_u * dot(v, v)))
            continue;
        const double scale = (dot(n, outward) < 0.0 ? -1.0 : 1.0) / sqrt(square);
        subtract(from_b, from_a, offset);
        const double separation = scale * dot(n, offset);
        if (separation > best->separation) {
            *best = (axis){separation, {scale * n[0], scale * n[1], scale * n[2]}, e, f};
        }
    }
}

/* ---- patches of faces -------------------------------------------------------------------------------------- */

/* False when the two faces have nothing in common, or when the bodies are apart and nearer elsewhere. */
static bool tell_faces(const part *p, int face, const part *q, bool p_is_first, double separation,
                       touch_list *list)
{
    polygon reference, incident;
    polygon_of_face(p, face, &reference);
    polygon_of_face(q, facing_face(q, reference.normal), &incident);
    const double size = fmin(p->size, q->size);
    const double highest = separation > 0.0 ? separation + same * size : DBL_MAX;
    return patch_tell(&reference, p->radius, &incident, q->radius, p_is_first, same * size, highest, list) <=
           highest;
}

/* ---- edges and vertices -------------------------------------------------------------------------------------- */

static void tell_points(const part *a, const part *b, int feature_a, int feature_b, const double on_b[3],
                        const double from_a[3], double separation, touch_list *list)
{
    double normal[3] = {-from_a[0], -from_a[1], -from_a[2]}, point[3];
    along(on_b, b->radius, normal, point);
    touch_add(list, feature_a, feature_b, separation - a->radius - b->radius, normal, point);
}

/* Inside each other, and nothing of the other faces the best face to within rounding: its deepest vertex. */
static void tell_deepest(const part *a, const part *b, const axis *best, touch_list *list)
{
    int on_b = 0;
    for (int i = 1; i < b->vertices; i++)
        if (dot(best->normal, b->vertex + 3 * i) < dot(best->normal, b->vertex + 3 * on_b))
            on_b = i;
    tell_points(a, b, FEATURE_FACE, FEATURE_VERTEX | on_b, b->vertex + 3 * on_b, best->normal,
                best->separation, list);
}

static bool tell_edges(const part *a, const part *b, const axis *best, touch_list *list)
{
    const int *edge_a = a->solid->edge + 4 * best->a, *edge_b = b->solid->edge + 4 * best->b;
    const double *b0 = b->vertex + 3 * edge_b[0], *b1 = b->vertex + 3 * edge_b[1];
    double s, t, on_b[3];
    segments_nearest(a->vertex + 3 * edge_a[0], a->vertex + 3 * edge_a[1], b0, b1, &s, &t);
    if (best->separation > 0.0 && (s <= 0.0 || s >= 1.0 || t <= 0.0 || t >= 1.0))
        return false;
    segment_point(b0, b1, t, on_b);
    tell_points(a, b, FEATURE_EDGE | best->a, FEATURE_EDGE | best->b, on_b, best->normal, best->separation,
                list);
    return true;
}

static int feature_on(const int *edge, int e, double s)
{
    return s == 0.0 ? FEATURE_VERTEX | edge[0] : s == 1.0 ? FEATURE_VERTEX | edge[1] : FEATURE_EDGE | e;
}

/* Bodies that are apart, nearest at an edge or vertex of both. Edges that are farther along the best axis than what was
 * found need no look. */
static void tell_nearest(const part *a, const part *b, const axis *best, touch_list *list)
{
    const double *n = best->normal;
    double least = INFINITY, high = -INFINITY, low = INFINITY, from[3] = {0}, on_b[3] = {0};
    int feature_a = 0, feature_b = 0;
    for (int i = 0; i < a->vertices; i++)
        high = fmax(high, dot(n, a->vertex + 3 * i));
    for (int i = 0; i < b->vertices; i++)
        low = fmin(low, dot(n, b->vertex + 3 * i));
    for (int e = 0; e < a->solid->edges; e++) {
        const int *edge_a = a->solid->edge + 4 * e;
        const double *a0 = a->vertex + 3 * edge_a[0], *a1 = a->vertex + 3 * edge_a[1];
        if (low - fmax(dot(n, a0), dot(n, a1)) > least)
            continue;
        for (int f = 0; f < b->solid->edges; f++) {
            const int *edge_b = b->solid->edge + 4 * f;
            const double *b0 = b->vertex + 3 * edge_b[0], *b1 = b->vertex + 3 * edge_b[1];
            if (fmin(dot(n, b0), dot(n, b1)) - high > least)
                continue;
            double s, t, p[3], q[3];
            segments_nearest(a0, a1, b0, b1, &s, &t);
            segment_point(a0, a1, s, p);
            segment_point(b0, b1, t, q);
            if (!(distance(p, q) < least))
                continue;
            least = distance(p, q);
            subtract(q, p, from);
            copy(q, on_b);
            feature_a = feature_on(edge_a, e, s);
            feature_b = feature_on(edge_b, f, t);
        }
    }
    if (!(normalise(from) > 1e-12 * fmin(a->size, b->size)))
        copy(n, from);
    tell_points(a, b, feature_a, feature_b, on_b, from, least, list);
}

void touch_solids(const part *a, const part *b, touch_list *list)
{
    const double reach = a->radius + b->radius + list->margin;
    const axis of_a = best_face(a, b, reach);
    if (of_a.separation > reach)
        return;
    const axis of_b = best_face(b, a, reach);
    if (of_b.separation > reach)
        return;
    axis edges = {.separation = -INFINITY};
    for (int e = 0; e < a->solid->edges; e++)
        look_at_edges(a, e, b, &edges);
    if (edges.separation > reach)
        return;
    const bool a_first = of_b.separation <= of_a.separation + same * fmin(a->size, b->size);
    const axis *face = a_first ? &of_a : &of_b;
    const double towards = a_first ? 1.0 : -1.0;
    const bool across = edges.separation > face->separation + 1e-9 * fmin(a->size, b->size) &&
                        towards * dot(edges.normal, face->normal) < cos(same_direction);
    if (across && tell_edges(a, b, &edges, list))
        return;
    if (!across && tell_faces(a_first ? a : b, face->a, a_first ? b : a, a_first, face->separation, list))
        return;
    axis best = across ? edges : *face;
    if (!across)
        for (int k = 0; k < 3; k++)
            best.normal[k] *= towards;
    if (best.separation > 0.0)
        tell_nearest(a, b, &best, list);
    else if (edges.separation > best.separation - same * fmin(a->size, b->size))
        tell_edges(a, b, &edges, list);
    else
        tell_deepest(a, b, &best, list);
}
