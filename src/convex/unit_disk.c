#include "unit_disk.h"

#include <float.h>
#include <math.h>

/* Newton converges quadratically from the left; the bound only matters for input that is not a number. */
enum {
    NEWTON_MAX = 100,
    SHIFT_MAX = 200 /* bisections end before */
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

/* -y(s) = (A + s I)^-1 c = (adj A c + s c) / (det A + s tr A + s^2); 1/|y(s)| - 1 and its slope. */
typedef struct shifted {
    double y[2], excess, slope;
} shifted;

static shifted shift_by(const double A[4], const double c[2], double s)
{
    const double m[2] = {(A[3] + s) * c[0] - A[1] * c[1], (A[0] + s) * c[1] - A[2] * c[0]};
    const double d = (A[0] + s) * (A[3] + s) - A[1] * A[2], length = hypot(m[0], m[1]);
    return (shifted){.y = {-m[0] / d, -m[1] / d},
                     .excess = d / length - 1.0,
                     .slope = (A[0] + A[3] + 2.0 * s - d * (m[0] * c[0] + m[1] * c[1]) / (length * length)) /
                              length};
}

/* |y| >= 1 at s = 0, |y| <= 1 at s = |A| + |c|: Newton's method within a bracket that it or a bisection
 * shortens. */
void unit_circle_rest(const double A[4], const double c[2], double y[2])
{
    double low = 0.0, high = hypot(hypot(A[0], A[1]), hypot(A[2], A[3])) + hypot(c[0], c[1]), s = low;
    shifted at = shift_by(A, c, s);
    for (int k = 0; k < SHIFT_MAX && fabs(at.excess) > DBL_EPSILON && low < high; k++) {
        if (at.excess < 0.0)
            low = s;
        else
            high = s;
        double next = s - at.excess / at.slope;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (next == s)
            break;
        s = next;
        at = shift_by(A, c, s);
    }
    const double length = hypot(at.y[0], at.y[1]);
    y[0] = at.y[0] / length;
    y[1] = at.y[1] / length;
}
