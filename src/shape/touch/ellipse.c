#include "ellipse.h"

#include <math.h>
#include <stdbool.h>

/* Normals pass through (x, y) at the points (a^2 x / (t + a^2), b^2 y / (t + b^2)) with the roots t of
 *
 *   F(t) = (a x / (t + a^2))^2 + (b y / (t + b^2))^2 - 1,
 *
 * the nearest one with t > -b^2 (Eberly), those on the other side of the long axis with -a^2 < t < -b^2. F is convex on each of these
 * stretches: Newton's method from where F is positive runs straight to the root. False when it leaves the stretch. */
static bool find_root(double a, double b, double x, double y, double start, double low, double high,
                      double *root)
{
    double t = start;
    for (int i = 0; i < 60; i++) {
        const double u = a * x / (t + a * a), v = b * y / (t + b * b);
        const double f = u * u + v * v - 1.0, slope = -2.0 * (u * u / (t + a * a) + v * v / (t + b * b));
        const double next = t - f / slope;
        if (!(next > low && next < high) || (f > 1e-9 && i == 59))
            return false;
        if (fabs(next - t) <= 1e-16 * a * a)
            break;
        t = next;
    }
    *root = t;
    return true;
}

static void write_normal(double x, double y, double nx, double ny, double normal[2])
{
    const double size = hypot(nx, ny);
    normal[0] = (x < 0.0 ? -nx : nx) / size;
    normal[1] = (y < 0.0 ? -ny : ny) / size;
}

/* On the long axis, or a line in place of an ellipse. */
static void axis_normal(double a, double b, double x, double y, double normal[2])
{
    const double px = fabs(x), py = fabs(y), foot = px / fmax(a - b * b / a, 1e-300);
    const bool is_line = !(b > 1e-12 * a);
    if (!is_line && foot < 1.0)
        write_normal(x, y, b * foot, a * sqrt(1.0 - foot * foot), normal);
    else if (px <= a)
        write_normal(x, y, !is_line, is_line, normal);
    else
        write_normal(x, y, px - a, py, normal);
}

int ellipse_normals(double a, double b, double x, double y, double normal[ELLIPSE_NORMALS][2])
{
    const double px = fabs(x), py = fabs(y);
    double t;
    if (b * py <= 1e-14 * a * a) {
        axis_normal(a, b, x, y, normal[0]);
        normal[1][0] = normal[0][0];
        normal[1][1] = -normal[0][1];
        return 2;
    }
    int count = 0;
    const double from_right = fmax(-b * b + b * py, -a * a + a * px);
    if (find_root(a, b, px, py, from_right, -b * b, INFINITY, &t))
        write_normal(x, y, px / (t + a * a), py / (t + b * b), normal[count++]);
    if (find_root(a, b, px, py, -b * b - b * py, -a * a, -b * b, &t))
        write_normal(x, y, px / (t + a * a), py / (t + b * b), normal[count++]);
    if (find_root(a, b, px, py, -a * a + a * px, -a * a, -b * b, &t))
        write_normal(x, y, px / (t + a * a), py / (t + b * b), normal[count++]);
    return count;
}
