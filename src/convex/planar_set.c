/* The sets D_1: which points they hold, and quadratic problems on them. */
#include <math.h>

#include "carom/convex.h"
#include "polygon.h"
#include "unit_disk.h"

/* Keeps a value that is not a number, where fmin and fmax would hide it. */
static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static bool ellipse_contains(double a, double b, const double p[2])
{
    if (a == 0.0)
        return p[0] == 0.0 && fabs(p[1]) <= b;
    if (b == 0.0)
        return p[1] == 0.0 && fabs(p[0]) <= a;
    return hypot(p[0] / a, p[1] / b) <= 1.0;
}

static bool contains(const carom_planar_set *set, double scale, const double p[2])
{
    switch (set->kind) {
    case CAROM_PLANAR_POINT:
        break;
    case CAROM_PLANAR_INTERVAL:
        return scale * set->a <= p[0] && p[0] <= scale * set->b;
    case CAROM_PLANAR_DISK:
        return hypot(p[0], p[1]) <= scale * set->a;
    case CAROM_PLANAR_ELLIPSE:
        return ellipse_contains(scale * set->a, scale * set->b, p);
    case CAROM_PLANAR_POLYGON:
        return scale == 0.0 ? p[0] == 0.0 && p[1] == 0.0 : polygon_contains(set, scale, p);
    }
    return p[0] == 0.0 && p[1] == 0.0;
}

/* The ellipse is the image of the unit disk by diag(a, b); an axis of length 0 leaves an interval. */
static void ellipse_minimise(double a, double b, const double w[3], const double linear[2], double x[2])
{
    if (a == 0.0 || b == 0.0) {
        x[0] = a == 0.0 ? 0.0 : clamp(-linear[0] / w[0], -a, a);
        x[1] = b == 0.0 ? 0.0 : clamp(-linear[1] / w[2], -b, b);
        return;
    }
    const double c[2] = {a * linear[0], b * linear[1]};
    double y[2];
    unit_disk_minimise(a * a * w[0], a * b * w[1], b * b * w[2], c, y);
    x[0] = a * y[0];
    x[1] = b * y[1];
}

/* ---- axes of an ellipse -------------------------------------------------------------------------------- */

static bool is_rotated(const carom_planar_set *set)
{
    return set->kind == CAROM_PLANAR_ELLIPSE && set->angle != 0.0;
}

static bool has_own_rule(const carom_planar_set *set)
{
    return set->kind == CAROM_PLANAR_ELLIPSE && set->q2[0] != set->q2[1];
}

/* Components along axes that are turned by the angle. */
static void turn(double angle, const double p[2], double turned[2])
{
    const double c = cos(angle), s = sin(angle), x = p[0], y = p[1];
    turned[0] = c * x + s * y;
    turned[1] = c * y - s * x;
}

static carom_planar_set along_its_axes(const carom_planar_set *set)
{
    carom_planar_set straight = *set;
    straight.angle = 0.0;
    return straight;
}

void carom_planar_slip(const carom_planar_set *set, const double u[2], double v[2])
{
    v[0] = u[0];
    v[1] = u[1];
    if (!has_own_rule(set))
        return;
    turn(set->angle, v, v);
    v[0] *= set->q2[0];
    v[1] *= set->q2[1];
    turn(-set->angle, v, v);
}

/* ---- projection ------------------------------------------------------------------------------------- */

static bool project_straight(const carom_planar_set *set, double scale, const double p[2], double nearest[2])
{
    const double identity[3] = {1.0, 0.0, 1.0};
    const double linear[2] = {-p[0], -p[1]};
    const bool inside = contains(set, scale, p);
    nearest[0] = nearest[1] = 0.0;
    if (set->kind == CAROM_PLANAR_POINT || scale == 0.0)
        return inside;
    if (set->kind == CAROM_PLANAR_INTERVAL) {
        nearest[0] = clamp(p[0], scale * set->a, scale * set->b);
        return inside;
    }
    if (inside) {
        nearest[0] = p[0];
        nearest[1] = p[1];
        return true;
    }
    if (set->kind == CAROM_PLANAR_DISK) {
        double shrink = scale * set->a / hypot(p[0], p[1]);
        nearest[0] = shrink * p[0];
        nearest[1] = shrink * p[1];
    } else if (set->kind == CAROM_PLANAR_ELLIPSE) {
        ellipse_minimise(scale * set->a, scale * set->b, identity, linear, nearest);
    } else {
        polygon_boundary_minimise(set, scale, identity, linear, nearest);
    }
    return false;
}

bool carom_planar_project(const carom_planar_set *set, double scale, const double p[2], double nearest[2])
{
    if (!is_rotated(set))
        return project_straight(set, scale, p, nearest);
    const carom_planar_set straight = along_its_axes(set);
    double turned[2];
    turn(set->angle, p, turned);
    const bool inside = project_straight(&straight, scale, turned, nearest);
    turn(-set->angle, nearest, nearest);
    if (inside) { /* without the rounding of two turns */
        nearest[0] = p[0];
        nearest[1] = p[1];
    }
    return inside;
}

/* ---- quadratic problems -------------------------------------------------------------------------------- */

/* x = -W^-1 b by elimination; not finite when W is singular. */
static void unconstrained_minimiser(const double w[3], const double b[2], double x[2])
{
    double ratio = w[1] / w[0];
    x[1] = -(b[1] - ratio * b[0]) / (w[2] - ratio * w[1]);
    x[0] = -(b[0] + w[1] * x[1]) / w[0];
}

/* x = F y with |y| = 1: F Q^2 (W F y + b) + s y = 0, s > 0. */
static void slip_by_own_rule(const carom_planar_set *set, double scale, const double w[3], const double b[2],
                             double x[2])
{
    const double f[2] = {scale * set->a, scale * set->b};
    const double g[2] = {f[0] * set->q2[0], f[1] * set->q2[1]};
    const double matrix[4] = {g[0] * w[0] * f[0], g[0] * w[1] * f[1], g[1] * w[1] * f[0], g[1] * w[2] * f[1]};
    const double c[2] = {g[0] * b[0], g[1] * b[1]};
    double y[2];
    unit_circle_rest(matrix, c, y);
    x[0] = f[0] * y[0];
    x[1] = f[1] * y[1];
}

static bool minimise_straight(const carom_planar_set *set, double scale, const double w[3], const double b[2],
                              double x[2])
{
    const bool is_multiple = w[1] == 0.0 && w[0] == w[2];
    if (set->kind == CAROM_PLANAR_INTERVAL || (is_multiple && !has_own_rule(set))) {
        const double free[2] = {-b[0] / w[0], -b[1] / w[0]};
        return project_straight(set, scale, free, x);
    }
    unconstrained_minimiser(w, b, x);
    if (contains(set, scale, x))
        return true;
    if (set->kind == CAROM_PLANAR_POINT || scale == 0.0)
        x[0] = x[1] = 0.0;
    else if (set->kind == CAROM_PLANAR_DISK)
        ellipse_minimise(scale * set->a, scale * set->a, w, b, x);
    else if (has_own_rule(set) && set->a > 0.0 && set->b > 0.0)
        slip_by_own_rule(set, scale, w, b, x);
    else if (set->kind == CAROM_PLANAR_ELLIPSE)
        ellipse_minimise(scale * set->a, scale * set->b, w, b, x);
    else
        polygon_boundary_minimise(set, scale, w, b, x);
    return false;
}

bool carom_planar_minimise(const carom_planar_set *set, double scale, double w11, double w12, double w22,
                           const double b[2], double x[2])
{
    const double w[3] = {w11, w12, w22};
    if (!is_rotated(set))
        return minimise_straight(set, scale, w, b, x);
    const carom_planar_set straight = along_its_axes(set);
    const double c = cos(set->angle), s = sin(set->angle), mixed = 2.0 * c * s * w12;
    const double turned_w[3] = {c * c * w11 + mixed + s * s * w22,
                                c * s * (w22 - w11) + (c * c - s * s) * w12,
                                s * s * w11 - mixed + c * c * w22};
    double turned_b[2];
    turn(set->angle, b, turned_b);
    const bool is_free = minimise_straight(&straight, scale, turned_w, turned_b, x);
    turn(-set->angle, x, x);
    return is_free;
}
