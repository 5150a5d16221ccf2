#include "unit_disk.h"

#include <float.h>
#include <math.h>

/* Newton converges quadratically from the left; the bound only matters for input that is not a number. */
enum {
    NEWTON_MAX = 100
};

/* y(s) = -(L + s I)^-1 c and its length. */
static double shifted_minimiser(const double l[2], const double c[2], double s, double y[2])
{
    for (int i = 0; i < 2; i++)
        y[i] = c[i] == 0.0 ? 0.0 : -c[i] / (l[i] + s);
    return hypot(y[0], y[1]);
}

/* The secular equation |y(s)| = 1. 1/|y(s)| is concave and increasing, so that Newton's method on
 * 1/|y(s)| = 1, started left of the root, climbs to it without overshooting. */
void unit_disk_minimise_diagonal(const double l[2], const double c[2], double y[2])
{
    /* Left of the root, because there |y1|, |y2| or |y| is still at least 1. */
    double s = fmax(0.0, hypot(c[0], c[1]) - fmax(l[0], l[1]));
    s = fmax(s, fmax(fabs(c[0]) - l[0], fabs(c[1]) - l[1]));
    double length = shifted_minimiser(l, c, s, y);
    for (int k = 0; k < NEWTON_MAX && length > 1.0; k++) {
        double slope = 0.0;
        for (int i = 0; i < 2; i++)
            slope += y[i] == 0.0 ? 0.0 : y[i] * y[i] / (l[i] + s);
        double step = (length - 1.0) * length * length / slope;
        if (!(step > DBL_EPSILON * s))
            break;
        s += step;
        length = shifted_minimiser(l, c, s, y);
    }
    if (length > 1.0) {
        y[0] /= length;
        y[1] /= length;
    }
}

void unit_disk_minimise(double w11, double w12, double w22, const double c[2], double y[2])
{
    /* One Jacobi rotation diagonalises W. */
    double cosine = 1.0, sine = 0.0, tangent = 0.0;
    if (w12 != 0.0) {
        double half = (w22 - w11) / (2.0 * w12);
        tangent = copysign(1.0, half) / (fabs(half) + hypot(half, 1.0));
        cosine = 1.0 / hypot(1.0, tangent);
        sine = tangent * cosine;
    }
    const double l[2] = {fmax(0.0, w11 - tangent * w12), fmax(0.0, w22 + tangent * w12)};
    const double rotated[2] = {cosine * c[0] - sine * c[1], sine * c[0] + cosine * c[1]};
    double v[2];
    unit_disk_minimise_diagonal(l, rotated, v);
    y[0] = cosine * v[0] + sine * v[1];
    y[1] = -sine * v[0] + cosine * v[1];
}
