/* Cores of the plane: discs, capsules, polygons.
 *
 *        incident polygon             The reference edge is the one that separates best: the largest distance of an
 *          \         /                edge's line from the other polygon. The edge of the other one that faces it
 *     ------x-------x------           is cut to its length; both ends are touches. Each end is a vertex of one polygon at
 *     |   reference edge  |           an edge of the other, whichever is the reference: that pair is its identity.
 *
 * When no edge of one overlaps one of the other, the two nearest points are vertices. Rounding (`radius`) is
 * taken off at the end. A capsule is a polygon of two edges back to back. */
#include "shape/touch.h"

/* Two edges that separate equally well are one: the first polygon's is taken, so that boxes at rest keep it. Ends
 * that stand over by less than this are not cut off. Relative to the size. */
static const double same = 1e-6;

typedef struct separation {
    double distance;
    int edge;
} separation;

static separation best_edge(const part *p, const part *q)
{
    separation best = {-INFINITY, 0};
    for (int i = 0; i < p->normals; i++) {
        const double *n = p->normal + 3 * i, *from = p->vertex + 3 * i;
        double least = INFINITY;
        for (int j = 0; j < q->vertices; j++) {
            const double *v = q->vertex + 3 * j;
            const double d = n[0] * (v[0] - from[0]) + n[1] * (v[1] - from[1]);
            least = d < least ? d : least;
        }
        if (least > best.distance)
            best = (separation){least, i};
    }
    return best;
}

static int facing_edge(const part *q, const double n[3])
{
    int facing = 0;
    double least = INFINITY;
    for (int j = 0; j < q->normals; j++) {
        const double d = n[0] * q->normal[3 * j] + n[1] * q->normal[3 * j + 1];
        if (d < least) {
            least = d;
            facing = j;
        }
    }
    return facing;
}

/* A touch of a vertex and an edge before it is told: distance from the reference edge's line, place on it. */
typedef struct end {
    double distance;
    double point[3]; /* of the incident polygon's core */
    int reference, incident;
} end;

/* The facing edge of q, cut to the length of the reference edge of p; false when nothing is left. */
static bool cut_edge(const part *p, int edge, const part *q, double tolerance, end ends[2])
{
    const double *n = p->normal + 3 * edge, *from = p->vertex + 3 * edge;
    const int next = edge + 1 < p->vertices ? edge + 1 : 0;
    const double *to = p->vertex + 3 * next;
    const double extent = -n[1] * (to[0] - from[0]) + n[0] * (to[1] - from[1]);
    const int facing = facing_edge(q, n), second = facing + 1 < q->vertices ? facing + 1 : 0;
    const int corner[2] = {facing, second};
    double at[2], off[2];
    for (int e = 0; e < 2; e++) {
        const double *v = q->vertex + 3 * corner[e];
        at[e] = -n[1] * (v[0] - from[0]) + n[0] * (v[1] - from[1]);
        off[e] = n[0] * (v[0] - from[0]) + n[1] * (v[1] - from[1]);
    }
    if (fmax(at[0], at[1]) < -tolerance || fmin(at[0], at[1]) > extent + tolerance)
        return false;
    for (int e = 0; e < 2; e++) {
        const bool before = at[e]<-tolerance, beyond = at[e]> extent + tolerance;
        if (!before && !beyond) {
            ends[e] = (end){off[e], {0}, FEATURE_EDGE | edge, FEATURE_VERTEX | corner[e]};
            copy(q->vertex + 3 * corner[e], ends[e].point);
            continue;
        }
        const double part_of = ((before ? 0.0 : extent) - at[e]) / (at[1 - e] - at[e]);
        double edge_vector[3];
        subtract(q->vertex + 3 * corner[1 - e], q->vertex + 3 * corner[e], edge_vector);
        ends[e] = (end){off[e] + part_of * (off[1 - e] - off[e]),
                        {0},
                        FEATURE_VERTEX | (before ? edge : next),
                        FEATURE_EDGE | facing};
        along(q->vertex + 3 * corner[e], part_of, edge_vector, ends[e].point);
    }
    return true;
}

/* Tells a touch at a point of q's core, n away from p's. */
static void tell(const part *p, const part *q, bool p_is_first, const end *at, const double n[3],
                 touch_list *list)
{
    const double gap = at->distance - p->radius - q->radius;
    double point[3], normal[3];
    touch_by_face(list, p_is_first, (int)((n - p->normal) / 3));
    if (p_is_first) {
        for (int k = 0; k < 3; k++)
            normal[k] = -n[k];
        along(at->point, -q->radius, n, point);
        touch_add(list, at->reference, at->incident, gap, normal, point);
    } else {
        along(at->point, p->radius - at->distance, n, point);
        touch_add(list, at->incident, at->reference, gap, n, point);
    }
}

/* Inside each other, and nothing faces the edge to within rounding: the vertex that is deepest. */
static void tell_deepest(const part *p, const part *q, bool p_is_first, separation best, touch_list *list)
{
    const double *n = p->normal + 3 * best.edge;
    int deepest = 0;
    for (int j = 1; j < q->vertices; j++)
        if (dot(n, q->vertex + 3 * j) < dot(n, q->vertex + 3 * deepest))
            deepest = j;
    end at = {best.distance, {0}, FEATURE_EDGE | best.edge, FEATURE_VERTEX | deepest};
    copy(q->vertex + 3 * deepest, at.point);
    tell(p, q, p_is_first, &at, n, list);
}

static bool touch_edge(const part *p, const part *q, bool p_is_first, separation best, touch_list *list)
{
    end ends[2];
    const double tolerance = same * fmin(p->size, q->size);
    if (q->normals == 0) { /* a disc */
        ends[0] = ends[1] = (end){best.distance, {0}, FEATURE_EDGE | best.edge, FEATURE_VERTEX};
        copy(q->vertex, ends[0].point);
        const double *n = p->normal + 3 * best.edge, *from = p->vertex + 3 * best.edge;
        const double *to = p->vertex + 3 * ((best.edge + 1) % p->vertices);
        const double at = -n[1] * (q->vertex[0] - from[0]) + n[0] * (q->vertex[1] - from[1]);
        const double extent = -n[1] * (to[0] - from[0]) + n[0] * (to[1] - from[1]);
        if (best.distance > 0.0 && (at < 0.0 || at > extent))
            return false;
        tell(p, q, p_is_first, ends, n, list);
        return true;
    }
    if (!cut_edge(p, best.edge, q, tolerance, ends)) {
        if (best.distance > 0.0)
            return false;
        tell_deepest(p, q, p_is_first, best, list);
        return true;
    }
    /* Apart, the edge's distance is the true one only where an end has it. */
    if (best.distance > 0.0 && fmin(ends[0].distance, ends[1].distance) > best.distance + tolerance)
        return false;
    tell(p, q, p_is_first, &ends[0], p->normal + 3 * best.edge, list);
    const bool twice = ends[0].reference == ends[1].reference && ends[0].incident == ends[1].incident;
    if (!twice)
        tell(p, q, p_is_first, &ends[1], p->normal + 3 * best.edge, list);
    return true;
}

/* The nearest point of edge `edge` of p (or its only vertex) to v; its number as a feature. */
static int nearest_on(const part *p, int edge, const double v[3], double nearest[3])
{
    copy(p->vertex + 3 * edge, nearest);
    if (p->vertices == 1)
        return FEATURE_VERTEX;
    const int next = (edge + 1) % p->vertices;
    double direction[3], from[3];
    subtract(p->vertex + 3 * next, p->vertex + 3 * edge, direction);
    subtract(v, p->vertex + 3 * edge, from);
    const double s = dot(direction, from) / dot(direction, direction);
    if (s <= 0.0)
        return FEATURE_VERTEX | edge;
    along(p->vertex + 3 * edge, s < 1.0 ? s : 1.0, direction, nearest);
    if (s >= 1.0)
        copy(p->vertex + 3 * next, nearest);
    return s < 1.0 ? FEATURE_EDGE | edge : FEATURE_VERTEX | next;
}

typedef struct nearest_pair {
    double distance, on_p[3], on_q[3];
    int of_p, of_q;
} nearest_pair;

/* Vertices of q against edges of p. */
static void search(const part *p, const part *q, bool exchange, nearest_pair *best)
{
    for (int j = 0; j < q->vertices; j++)
        for (int i = 0; i < p->vertices; i++) {
            double on_p[3];
            const int feature = nearest_on(p, i, q->vertex + 3 * j, on_p);
            const double d = distance(on_p, q->vertex + 3 * j);
            if (!(d < best->distance))
                continue;
            best->distance = d;
            copy(on_p, exchange ? best->on_q : best->on_p);
            copy(q->vertex + 3 * j, exchange ? best->on_p : best->on_q);
            *(exchange ? &best->of_q : &best->of_p) = feature;
            *(exchange ? &best->of_p : &best->of_q) = FEATURE_VERTEX | j;
        }
}

/* Cores that are apart, nearest at vertices; `n` where they are too near for a direction. */
static void touch_nearest(const part *a, const part *b, const double n[3], touch_list *list)
{
    nearest_pair best = {.distance = INFINITY};
    search(a, b, false, &best);
    search(b, a, true, &best);
    double normal[3], point[3];
    subtract(best.on_p, best.on_q, normal);
    if (!(normalise(normal) > 1e-12 * fmin(a->size, b->size)))
        copy(n, normal);
    along(best.on_q, b->radius, normal, point);
    touch_add(list, best.of_p, best.of_q, best.distance - a->radius - b->radius, normal, point);
}

void touch_edge_plane(const part *a, const part *b, int edge, touch_list *list)
{
    end ends[2];
    if (a->normals == 0 || !cut_edge(b, edge, a, same * fmin(a->size, b->size), ends))
        return;
    tell(b, a, false, &ends[0], b->normal + 3 * edge, list);
    if (ends[0].reference != ends[1].reference || ends[0].incident != ends[1].incident)
        tell(b, a, false, &ends[1], b->normal + 3 * edge, list);
}

void touch_cores_plane(const part *a, const part *b, touch_list *list)
{
    if (a->vertices == 1 && b->vertices == 1) {
        touch_balls(a, b, list);
        return;
    }
    const double reach = a->radius + b->radius + list->margin;
    const separation of_a = best_edge(a, b);
    if (of_a.distance > reach)
        return;
    const separation of_b = best_edge(b, a);
    if (of_b.distance > reach)
        return;
    const bool a_first = b->normals == 0 || of_b.distance <= of_a.distance + same * fmin(a->size, b->size);
    if (a_first && a->normals > 0 ? touch_edge(a, b, true, of_a, list) : touch_edge(b, a, false, of_b, list))
        return;
    const double *n = a_first && a->normals > 0 ? a->normal + 3 * of_a.edge : b->normal + 3 * of_b.edge;
    const double sign = a_first && a->normals > 0 ? -1.0 : 1.0;
    touch_nearest(a, b, (double[3]){sign * n[0], sign * n[1], 0.0}, list);
}
