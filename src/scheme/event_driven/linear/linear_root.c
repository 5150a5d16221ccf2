#include <float.h>
#include <math.h>

#include "linear_system.h"

enum {
    STEPS_MAX = 10000,
    STEPS_FAST = 6, /* before the curvature is looked at where the search is */
    REFINEMENTS = 4
};

/* Value and slope at x. */
static void evaluate(const double *c, int terms, double x, double *value, double *slope)
{
    double v = c[terms - 1], s = 0.0;
    for (int k = terms - 2; k >= 0; k--) {
        s = s * x + v;
        v = v * x + c[k];
    }
    *value = v;
    *slope = s;
}

/* A lower bound of the second derivative on [0, end]. */
static double curvature_bound(const double *c, int terms, double end)
{
    double bound = 2.0 * c[2], power = end;
    for (int k = 3; k < terms; k++) {
        bound -= (double)(k * (k - 1)) * fabs(c[k]) * power;
        power *= end;
    }
    return bound;
}

/* How far the parabola through value and slope with that curvature stays positive; INFINITY: for ever. */
static double safe_distance(double value, double slope, double curvature)
{
    if (curvature >= 0.0) {
        const double inside = slope * slope - 2.0 * curvature * value;
        return slope >= 0.0 || inside < 0.0 ? INFINITY : 2.0 * value / (-slope + sqrt(inside));
    }
    const double root = sqrt(slope * slope - 2.0 * curvature * value);
    return slope < 0.0 ? 2.0 * value / (-slope + root) : (slope + root) / -curvature;
}

/* A bound of |third derivative| on [0, end]. */
static double third_bound(const double *c, int terms, double end)
{
    double bound = 0.0, power = 1.0;
    for (int k = 3; k < terms; k++) {
        bound += (double)(k * (k - 1) * (k - 2)) * fabs(c[k]) * power;
        power *= end;
    }
    return bound;
}

static double second_derivative(const double *c, int terms, double x)
{
    double sum = 0.0;
    for (int k = terms - 1; k >= 2; k--)
        sum = sum * x + (double)(k * (k - 1)) * c[k];
    return sum;
}

/* The same with the curvature where the search is, less what it can change by on the way: near a place where the series almost touches
 * zero the bound of the whole step would make it creep. */
static double refined_distance(const double *c, int terms, double at, double end, double value, double slope,
                               double curvature)
{
    const double here = second_derivative(c, terms, at), third = third_bound(c, terms, end);
    double length = end - at, safe = 0.0;
    for (int i = 0; i < REFINEMENTS; i++) {
        const double distance = safe_distance(value, slope, fmax(curvature, here - third * length));
        if (distance > length)
            return i == 0 ? INFINITY : fmax(safe, length);
        safe = fmax(safe, distance);
        length = fmin(length, 2.0 * safe);
    }
    return safe;
}

/* The first root between `from`, where the series is positive, and end. Close to a root where the series falls the distances
 * shrink as those of Newton's method do, from one side. */
static bool search(const double *c, int terms, double curvature, double from, double end, double *x)
{
    double at = from;
    for (int i = 0; i < STEPS_MAX; i++) {
        double value, slope;
        evaluate(c, terms, at, &value, &slope);
        if (!(value > 0.0))
            break;
        const double distance = i < STEPS_FAST ? safe_distance(value, slope, curvature)
                                               : refined_distance(c, terms, at, end, value, slope, curvature);
        if (at + distance > end)
            return false;
        if (distance <= 2.0 * DBL_EPSILON * at)
            break;
        at += distance;
    }
    *x = at;
    return true;
}

bool linear_first_root(const double *series, int terms, double end, double *x)
{
    const double *c = series;
    const double whole = curvature_bound(c, terms, end);
    if (safe_distance(c[0], c[1], whole) > end)
        return false;
    /* A flight that is short beside the step has its own bound: that of the whole step would slow the search. */
    const double parabola = safe_distance(c[0], c[1], 2.0 * c[2]);
    const double near = 2.0 * parabola;
    if (near < 0.5 * end) {
        if (search(c, terms, curvature_bound(c, terms, near), 0.0, near, x))
            return true;
        return search(c, terms, whole, near, end, x);
    }
    return search(c, terms, whole, 0.0, end, x);
}
