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

bool carom_planar_project(const carom_planar_set *set, double scale, const double p[2], double nearest[2])
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

/* x = -W^-1 b by elimination; not finite when W is singular. */
static void unconstrained_minimiser(const double w[3], const double b[2], double x[2])
{
    double ratio = w[1] / w[0];
    x[1] = -(b[1] - ratio * b[0]) / (w[2] - ratio * w[1]);
    x[0] = -(b[0] + w[1] * x[1]) / w[0];
}

bool carom_planar_minimise(const carom_planar_set *set, double scale, double w11, double w12, double w22,
                           const double b[2], double x[2])
{
    const double w[3] = {w11, w12, w22};
    if (set->kind == CAROM_PLANAR_INTERVAL || (w12 == 0.0 && w11 == w22)) {
        const double free[2] = {-b[0] / w11, -b[1] / w11};
        return carom_planar_project(set, scale, free, x);
    }
    unconstrained_minimiser(w, b, x);
    if (contains(set, scale, x))
        return true;
    if (set->kind == CAROM_PLANAR_POINT || scale == 0.0)
        x[0] = x[1] = 0.0;
    else if (set->kind == CAROM_PLANAR_DISK)
        ellipse_minimise(scale * set->a, scale * set->a, w, b, x);
    else if (set->kind == CAROM_PLANAR_ELLIPSE)
        ellipse_minimise(scale * set->a, scale * set->b, w, b, x);
    else
        polygon_boundary_minimise(set, scale, w, b, x);
    return false;
}
