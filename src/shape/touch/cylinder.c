/* Cylinders with balls, capsules, polyhedra and other cylinders.
 *
 * The distance of convex bodies, negative when they overlap, is the largest over all directions d of
 *
 *   s(d) = min over the other body of d.x  -  max over the cylinder of d.x,
 *
 * and the best direction belongs to one of few pairs of features: a face of the other or a cap; a vertex beside the side
 * or the rim; an edge across the side; an edge at the rim, where the cylinder seen along the edge is an ellipse.
 * All of these are tried; each s(d) is one that the bodies have, so that none does harm where it does not belong. Rim at rim has no
 * closed form: Newton's method on the sphere of directions. */
#include <float.h>

#include "ellipse.h"
#include "patch.h"
#include "segments.h"

static const double same = 1e-6, same_direction = 1e-3; /* as for polyhedra: solids.c */

typedef enum feature_pair {
    OTHER_FACE,
    CAP,
    OTHER_CAP,
    VERTEX_SIDE,
    VERTEX_RIM,
    EDGE_SIDE,
    EDGE_RIM,
    SIDE_SIDE,
    RIM_RIM
} feature_pair;

typedef struct direction {
    double d[3], separation;
    feature_pair pair;
    int number; /* of the other's face, vertex or edge */
} direction;

typedef struct search {
    const part *other, *cylinder;
    double u[3];           /* axis */
    direction flat, round; /* the best along a face or cap, and else */
} search;

static void axis_of(const part *cylinder, double u[3])
{
    for (int k = 0; k < 3; k++)
        u[k] = cylinder->frame[3 * k + 2];
}

static double cylinder_reach(const part *cylinder, const double d[3])
{
    double u[3], across[3];
    axis_of(cylinder, u);
    const double du = dot(d, u);
    along(d, -du, u, across); /* sqrt(1 - du^2) would lose half of the digits along the axis */
    return dot(d, cylinder->inner) + cylinder->half * fabs(du) + cylinder->radius * length(across);
}

static double separation_along(const search *s, const double d[3])
{
    const part *other = s->other;
    if (other->kind == PART_CYLINDER)
        return -cylinder_reach(other, (double[3]){-d[0], -d[1], -d[2]}) - cylinder_reach(s->cylinder, d);
    double least = INFINITY;
    for (int i = 0; i < other->vertices; i++)
        least = fmin(least, dot(d, other->vertex + 3 * i));
    return least - other->radius - cylinder_reach(s->cylinder, d);
}

/* Tries a direction, which need not be a unit vector. */
static void try(search *s, const double d[3], feature_pair pair, int number)
{
    direction tried = {.pair = pair, .number = number};
    copy(d, tried.d);
    if (!(normalise(tried.d) > 1e-12 * s->cylinder->size))
        return;
    tried.separation = separation_along(s, tried.d);
    direction *best = pair == OTHER_FACE || pair == CAP || pair == OTHER_CAP ? &s->flat : &s->round;
    /* Of equal ones the first: faces of the other are tried before caps, and a side is preferred to the end of it. */
    const double size = fmin(s->other->size, s->cylinder->size);
    const bool is_rim = pair == VERTEX_RIM || pair == EDGE_RIM || pair == RIM_RIM;
    const double slack = best == &s->flat ? same * size * (best->pair != pair) : 1e-9 * size * is_rim;
    if (tried.separation > best->separation + slack)
        *best = tried;
}

static void try_scaled(search *s, double scale, const double d[3], feature_pair pair, int number)
{
    const double size = scale * s->cylinder->size;
    try(s, (double[3]){size * d[0], size * d[1], size * d[2]}, pair, number);
}

/* ---- directions -------------------------------------------------------------------------------------------- */

static void try_vertex(search *s, const double p[3], int number)
{
    double w[3], across[3], rim[3];
    subtract(p, s->cylinder->inner, w);
    const double z = dot(w, s->u);
    along(w, -z, s->u, across);
    try(s, across, VERTEX_SIDE, number);
    const double away = length(across), r = s->cylinder->radius, h = s->cylinder->half;
    if (!(away > r && fabs(z) > h))
        return;
    for (int k = 0; k < 3; k++)
        rim[k] = across[k] * (1.0 - r / away) + s->u[k] * (z - copysign(h, z));
    try(s, rim, VERTEX_RIM, number);
}

/* A line through p along the unit vector e: across the side, and at both rims. */
static void try_line(search *s, const double p[3], const double e[3], feature_pair at_side,
                     feature_pair at_rim, int number)
{
    double across[3], other[3], w[3];
    cross(e, s->u, across);
    if (!(normalise(across) > 1e-9))
        return; /* along the axis: like a vertex */
    try_scaled(s, 1.0, across, at_side, number);
    try_scaled(s, -1.0, across, at_side, number);
    cross(e, across, other);
    const double a = s->cylinder->radius, b = a * fabs(dot(e, s->u));
    for (int sign = -1; sign <= 1; sign += 2) {
        double centre[3], normal[ELLIPSE_NORMALS][2];
        along(s->cylinder->inner, sign * s->cylinder->half, s->u, centre);
        subtract(p, centre, w);
        const int count = ellipse_normals(a, b, dot(w, across), dot(w, other), normal);
        for (int i = 0; i < count; i++) {
            double d[3];
            for (int k = 0; k < 3; k++)
                d[k] = normal[i][0] * across[k] + normal[i][1] * other[k];
            try_scaled(s, 1.0, d, at_rim, number);
        }
    }
}

static void try_core(search *s)
{
    const part *other = s->other;
    for (int f = 0; other->solid && f < other->normals; f++)
        try_scaled(s, -1.0, other->normal + 3 * f, OTHER_FACE, f);
    for (int sign = -1; sign <= 1; sign += 2)
        try_scaled(s, sign, s->u, CAP, sign > 0);
    for (int i = 0; i < other->vertices; i++)
        try_vertex(s, other->vertex + 3 * i, i);
    const int edges = other->solid ? other->solid->edges : other->vertices - 1;
    for (int e = 0; e < edges; e++) {
        const double *from = other->vertex + 3 * (other->solid ? other->solid->edge[4 * e] : 0);
        const double *to = other->vertex + 3 * (other->solid ? other->solid->edge[4 * e + 1] : 1);
        double along_edge[3];
        subtract(to, from, along_edge);
        normalise(along_edge);
        try_line(s, from, along_edge, EDGE_SIDE, EDGE_RIM, e);
    }
}

/* ---- rim at rim ----------------------------------------------------------------------------------------------- */

/* Gradient of s and, added to `hessian`, the curvature of one cylinder's reach: r / |d_across| t t^T, t = u x d_across. */
static void bend(const part *cylinder, double sign, const double d[3], double gradient[3], double hessian[9])
{
    double u[3], across[3], t[3];
    axis_of(cylinder, u);
    const double du = dot(d, u);
    along(d, -du, u, across);
    const double size = fmax(normalise(across), 1e-9);
    for (int k = 0; k < 3; k++)
        gradient[k] -=
            sign * cylinder->inner[k] + copysign(cylinder->half, du) * u[k] + cylinder->radius * across[k];
    cross(u, across, t);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            hessian[3 * i + j] -= cylinder->radius / size * t[i] * t[j];
}

/* One Newton step in the tangent plane of the sphere, or a small one uphill; false at the top. */
static bool climb(const search *s, double d[3], double *separation)
{
    double gradient[3] = {0}, hessian[9] = {0}, t1[3], t2[3], turned[3];
    bend(s->cylinder, 1.0, d, gradient, hessian);
    bend(s->other, -1.0, d, gradient, hessian);
    frame_of(d, t1, t2);
    const double g1 = dot(gradient, t1), g2 = dot(gradient, t2);
    turn(hessian, t1, turned);
    const double h11 = dot(t1, turned) - *separation, h12 = dot(t2, turned);
    turn(hessian, t2, turned);
    const double h22 = dot(t2, turned) - *separation, determinant = h11 * h22 - h12 * h12;
    double x1 = -(h22 * g1 - h12 * g2) / determinant, x2 = -(h11 * g2 - h12 * g1) / determinant;
    if (!(h11 < 0.0 && determinant > 0.0)) {
        const double scale = 0.1 / fmax(hypot(g1, g2), 1e-300);
        x1 = scale * g1;
        x2 = scale * g2;
    }
    const double size = hypot(x1, x2);
    double part_of = size > 0.3 ? 0.3 / size : 1.0;
    for (int halving = 0; halving < 6; halving++, part_of *= 0.5) {
        double next[3];
        for (int k = 0; k < 3; k++)
            next[k] = d[k] + part_of * (x1 * t1[k] + x2 * t2[k]);
        normalise(next);
        const double reached = separation_along(s, next), gain = reached - *separation;
        /* Near the top s is flat and says nothing of the last half of d's digits; the steps do. */
        if (gain > 0.0 || (size < 1e-4 && gain > -1e-14 * s->cylinder->size)) {
            copy(next, d);
            *separation = reached;
            return size > 1e-14;
        }
    }
    return false;
}

static void climb_from(search *s, double start[3])
{
    normalise(start);
    double separation = separation_along(s, start);
    for (int step = 0; step < 16 && climb(s, start, &separation); step++)
        ;
    try_scaled(s, 1.0, start, RIM_RIM, 0);
}

/* Cylinders whose axes are (nearly) parallel: their rims are nearest when they are apart both along the axes and across. Else
 * rims win only where the axes differ, and from the best directions known a way up leads there. */
static void try_rims(search *s)
{
    double v[3], w[3], across[3], turned[3], start[3];
    axis_of(s->other, v);
    subtract(s->other->inner, s->cylinder->inner, w);
    cross(s->u, v, turned);
    if (length(turned) < 1e-2) {
        const double z = dot(w, s->u);
        along(w, -z, s->u, across);
        const double beside = normalise(across) - s->cylinder->radius - s->other->radius;
        const double above = fabs(z) - s->cylinder->half - s->other->half;
        if (!(beside > 0.0 && above > 0.0))
            return;
        for (int k = 0; k < 3; k++)
            start[k] = beside * across[k] + copysign(above, z) * s->u[k];
        climb_from(s, start);
        return;
    }
    const direction first = s->round.separation > s->flat.separation ? s->round : s->flat;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++)
            start[k] = first.d[k] + (i & 1 ? 0.3 : -0.3) * s->u[k] + (i & 2 ? 0.3 : -0.3) * v[k];
        climb_from(s, start);
    }
    climb_from(s, w);
}

static void try_cylinder(search *s, double margin)
{
    double v[3], w[3], across[3];
    axis_of(s->other, v);
    subtract(s->other->inner, s->cylinder->inner, w);
    for (int sign = -1; sign <= 1; sign += 2) {
        try_scaled(s, sign, v, OTHER_CAP, sign < 0);
        try_scaled(s, sign, s->u, CAP, sign > 0);
    }
    along(w, -dot(w, s->u), s->u, across);
    try(s, across, SIDE_SIDE, 0);
    try_line(s, s->other->inner, v, SIDE_SIDE, RIM_RIM, 0);
    /* The same seen from the other cylinder. */
    search seen = {.other = s->cylinder,
                   .cylinder = s->other,
                   .flat.separation = DBL_MAX,
                   .round.separation = -INFINITY};
    copy(v, seen.u);
    try_line(&seen, s->cylinder->inner, s->u, SIDE_SIDE, RIM_RIM, 0);
    if (seen.round.separation > -INFINITY)
        try_scaled(s, -1.0, seen.round.d, seen.round.pair, 0);
    if (fmax(s->flat.separation, s->round.separation) <= margin)
        try_rims(s);
}

/* ---- touches --------------------------------------------------------------------------------------------------- */

static void polygon_of_other(const part *other, const double out[3], polygon *to)
{
    if (other->kind == PART_CYLINDER)
        polygon_of_cylinder(other, out, CAP_FEW, to);
    else if (other->solid)
        polygon_of_face(other, facing_face(other, (double[3]){-out[0], -out[1], -out[2]}), to);
    else
        polygon_of_capsule(other, to);
}

static double other_radius(const part *other)
{
    return other->kind == PART_CORE ? other->radius : 0.0;
}

/* The patch over a flat face of one of them; false when it is not where they are nearest. */
static bool tell_flat(const search *s, const direction *best, touch_list *list)
{
    polygon reference, incident;
    const double back[3] = {-best->d[0], -best->d[1], -best->d[2]}, radius = other_radius(s->other);
    const bool of_other = best->pair != CAP;
    if (best->pair == OTHER_FACE)
        polygon_of_face(s->other, best->number, &reference);
    else
        polygon_of_cap(of_other ? s->other : s->cylinder, best->number, CAP_MANY, (double[3]){0}, &reference);
    if (of_other)
        polygon_of_cylinder(s->cylinder, best->d, CAP_FEW, &incident);
    else
        polygon_of_other(s->other, back, &incident);
    const double size = fmin(s->other->size, s->cylinder->size);
    const double core = best->separation + radius; /* without the rounding of the other */
    const double highest = core > 0.0 ? core + same * size : DBL_MAX;
    return patch_tell(&reference, of_other ? radius : 0.0, &incident, of_other ? 0.0 : radius, of_other,
                      same * size, highest, list) <= highest;
}

static void tell_one(const direction *best, int feature, int cylinder_feature, const double on_cylinder[3],
                     touch_list *list)
{
    touch_add(list, feature, cylinder_feature, best->separation, best->d, on_cylinder);
}

/* The point of the cylinder that is farthest along d: of its rim, or of the middle of the side. */
static int farthest_point(const part *cylinder, const double d[3], double point[3])
{
    double u[3], across[3];
    axis_of(cylinder, u);
    const double du = dot(u, d);
    along(d, -du, u, across);
    if (normalise(across) == 0.0)
        across[0] = across[1] = across[2] = 0.0;
    for (int k = 0; k < 3; k++)
        point[k] = cylinder->inner[k] + copysign(cylinder->half, du) * u[k] + cylinder->radius * across[k];
    return FEATURE_ROUND | (du > 0.0);
}

/* A point p of the other's core beside the cylinder, at most `radius` of rounding. */
static void tell_beside(const search *s, const double p[3], double radius, int feature, int cylinder_feature,
                        touch_list *list)
{
    double w[3], across[3], point[3];
    subtract(p, s->cylinder->inner, w);
    const double z = dot(w, s->u);
    along(w, -z, s->u, across);
    const double away = normalise(across);
    for (int k = 0; k < 3; k++)
        point[k] = s->cylinder->inner[k] + z * s->u[k] + s->cylinder->radius * across[k];
    if (away > 0.0)
        touch_add(list, feature, cylinder_feature, away - s->cylinder->radius - radius, across, point);
}

/* A segment of the other along the side: both ends of what is between the caps. False when it runs across. */
static bool tell_ends(const search *s, const double from[3], const double to[3], double radius,
                      const int end_feature[2], int feature, touch_list *list)
{
    double e[3], w[3], p[3];
    subtract(to, from, e);
    subtract(from, s->cylinder->inner, w);
    const double start = dot(w, s->u), rate = dot(e, s->u);
    if (!(fabs(rate) > 0.9 * length(e)))
        return false;
    for (int i = 0; i < 2; i++) {
        const double z = clamp(start + i * rate, -s->cylinder->half, s->cylinder->half);
        const double at = clamp((z - start) / rate, 0.0, 1.0);
        segment_point(from, to, at, p);
        if (at == i)
            tell_beside(s, p, radius, end_feature[i], FEATURE_ROUND | 2, list);
        else if (at > 0.0 && at < 1.0)
            tell_beside(s, p, radius, feature, FEATURE_ROUND | (z > 0.0), list);
    }
    return true;
}

/* The place where such a segment crosses the side; none when they are parallel. */
static void tell_crossing(const search *s, const direction *best, const double from[3], const double to[3],
                          double radius, int feature, touch_list *list)
{
    double low[3], high[3], on_cylinder[3], p[3], x, t;
    along(s->cylinder->inner, -s->cylinder->half, s->u, low);
    along(s->cylinder->inner, s->cylinder->half, s->u, high);
    if (!segments_nearest(low, high, from, to, &x, &t))
        return;
    segment_point(from, to, t, p);
    along(p, -radius - best->separation, best->d, on_cylinder);
    tell_one(best, feature, FEATURE_ROUND | 2, on_cylinder, list);
}

static void tell_edge(const search *s, const direction *best, int e, touch_list *list)
{
    const part *other = s->other;
    const int end[2] = {other->solid ? other->solid->edge[4 * e] : 0,
                        other->solid ? other->solid->edge[4 * e + 1] : 1};
    const double *from = other->vertex + 3 * end[0], *to = other->vertex + 3 * end[1];
    tell_ends(s, from, to, other->radius, (const int[2]){FEATURE_VERTEX | end[0], FEATURE_VERTEX | end[1]},
              FEATURE_EDGE | e, list);
    tell_crossing(s, best, from, to, other->radius, FEATURE_EDGE | e, list);
}

/* A vertex beside the cylinder, and the edge that runs from it along the side, if there is one. */
static void tell_vertex(const search *s, int vertex, touch_list *list)
{
    const part *other = s->other;
    const int edges = other->solid ? other->solid->edges : other->vertices - 1;
    for (int e = 0; e < edges; e++) {
        const int end[2] = {other->solid ? other->solid->edge[4 * e] : 0,
                            other->solid ? other->solid->edge[4 * e + 1] : 1};
        if ((end[0] == vertex || end[1] == vertex) &&
            tell_ends(s, other->vertex + 3 * end[0], other->vertex + 3 * end[1], other->radius,
                      (const int[2]){FEATURE_VERTEX | end[0], FEATURE_VERTEX | end[1]}, FEATURE_EDGE | e,
                      list))
            return;
    }
    tell_beside(s, other->vertex + 3 * vertex, other->radius, FEATURE_VERTEX | vertex, FEATURE_ROUND | 2,
                list);
}

static void tell_sides(const search *s, const direction *best, touch_list *list)
{
    const part *other = s->other;
    double v[3], from[3], to[3];
    axis_of(other, v);
    along(other->inner, -other->half, v, from);
    along(other->inner, other->half, v, to);
    tell_ends(s, from, to, other->radius, (const int[2]){FEATURE_ROUND, FEATURE_ROUND | 1}, FEATURE_ROUND | 2,
              list);
    tell_crossing(s, best, from, to, other->radius, FEATURE_ROUND | 2, list);
}

static void tell_round(const search *s, const direction *best, touch_list *list)
{
    const part *other = s->other;
    double point[3];
    int feature = FEATURE_EDGE | best->number;
    switch (best->pair) {
    case VERTEX_SIDE:
        tell_vertex(s, best->number, list);
        return;
    case EDGE_SIDE:
        tell_edge(s, best, best->number, list);
        return;
    case SIDE_SIDE:
        tell_sides(s, best, list);
        return;
    case VERTEX_RIM:
        feature = FEATURE_VERTEX | best->number;
        break;
    case RIM_RIM:
        feature = farthest_point(other, (double[3]){-best->d[0], -best->d[1], -best->d[2]}, point);
        break;
    default:
        break;
    }
    const int rim = farthest_point(s->cylinder, best->d, point);
    tell_one(best, feature, rim, point, list);
}

/* The corners of a cap leave slivers free, inside its rim: the point of the other's face that is nearest to the middle. */
static void tell_sliver(const search *s, const direction *best, touch_list *list)
{
    polygon face;
    double middle[3], nearest[3] = {0}, least = INFINITY;
    int feature = 0;
    polygon_of_face(s->other, best->number, &face);
    const int upper = dot(s->u, best->d) > 0.0;
    along(s->cylinder->inner, upper ? s->cylinder->half : -s->cylinder->half, s->u, middle);
    for (int i = 0; i < face.corners; i++) {
        const int next = (i + 1) % face.corners;
        const double t = segment_nearest(face.point[i], face.point[next], middle);
        double p[3];
        segment_point(face.point[i], face.point[next], t, p);
        if (!(distance(p, middle) < least))
            continue;
        least = distance(p, middle);
        copy(p, nearest);
        feature = t == 0.0 ? face.vertex[i] : t == 1.0 ? face.vertex[next] : face.edge[i];
    }
    double on_cylinder[3];
    along(nearest, -best->separation - s->other->radius, best->d, on_cylinder);
    tell_one(best, feature, FEATURE_FACE | upper, on_cylinder, list);
}

/* A flat pair without a patch: the lowest point alone. */
static void tell_lowest(const search *s, const direction *best, touch_list *list)
{
    double point[3];
    if (best->pair == OTHER_FACE && fabs(dot(s->u, best->d)) > cos(same_direction)) {
        tell_sliver(s, best, list);
        return;
    }
    if (best->pair != CAP || s->other->kind == PART_CYLINDER) {
        const int rim = farthest_point(s->cylinder, best->d, point);
        tell_one(best, FEATURE_FACE | best->number, rim, point, list);
        return;
    }
    int lowest = 0;
    for (int i = 1; i < s->other->vertices; i++)
        if (dot(best->d, s->other->vertex + 3 * i) < dot(best->d, s->other->vertex + 3 * lowest))
            lowest = i;
    along(s->other->vertex + 3 * lowest, -best->separation - s->other->radius, best->d, point);
    tell_one(best, FEATURE_VERTEX | lowest, FEATURE_FACE | best->number, point, list);
}

void touch_cylinder(const part *other, const part *cylinder, touch_list *list)
{
    search s = {
        .other = other, .cylinder = cylinder, .flat.separation = -INFINITY, .round.separation = -INFINITY};
    axis_of(cylinder, s.u);
    if (other->kind == PART_CYLINDER)
        try_cylinder(&s, list->margin);
    else
        try_core(&s);
    if (fmax(s.flat.separation, s.round.separation) > list->margin)
        return;
    const double size = fmin(other->size, cylinder->size);
    const bool is_round = s.round.separation > s.flat.separation + 1e-9 * size &&
                          dot(s.round.d, s.flat.d) < cos(same_direction);
    if (is_round)
        tell_round(&s, &s.round, list);
    else if ((other->kind == PART_CORE && other->vertices == 1) || !tell_flat(&s, &s.flat, list))
        tell_lowest(&s, &s.flat, list);
}

/* ---- half-spaces ------------------------------------------------------------------------------------------------ */

void touch_cylinder_halfspace(const part *cylinder, const part *halfspace, touch_list *list)
{
    const double down[3] = {-halfspace->inner[0], -halfspace->inner[1], -halfspace->inner[2]};
    for (int upper = 0; upper < 2; upper++) {
        polygon cap;
        polygon_of_cap(cylinder, upper, CAP_FEW, down, &cap);
        for (int i = 0; i < cap.corners; i++) {
            const double height = dot(halfspace->inner, cap.point[i]) - halfspace->offset;
            double point[3];
            along(cap.point[i], -height, halfspace->inner, point);
            touch_add(list, cap.vertex[i], FEATURE_FACE, height, halfspace->inner, point);
        }
    }
}
