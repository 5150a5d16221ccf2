#include "segments.h"

double segment_nearest(const double from[3], const double to[3], const double point[3])
{
    double direction[3], offset[3];
    subtract(to, from, direction);
    subtract(point, from, offset);
    const double square = dot(direction, direction);
    return square > 0.0 ? clamp(dot(direction, offset) / square, 0.0, 1.0) : 0.0;
}

/* Minimises |a0 + s u - b0 - t v|: on the two lines first, then on the ends that it ran over. */
bool segments_nearest(const double a0[3], const double a1[3], const double b0[3], const double b1[3],
                      double *s, double *t)
{
    double u[3], v[3], w[3];
    subtract(a1, a0, u);
    subtract(b1, b0, v);
    subtract(a0, b0, w);
    const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
    double normal[3];
    cross(u, v, normal);
    const double square = dot(normal, normal); /* uu vv - uv^2 without cancellation */
    const bool crossing = square > 1e-12 * uu * vv;
    *s = crossing ? clamp((uv * vw - vv * uw) / square, 0.0, 1.0) : 0.0;
    *t = (uv * *s + vw) / vv;
    if (*t < 0.0 || *t > 1.0) {
        *t = clamp(*t, 0.0, 1.0);
        *s = clamp((uv * *t - uw) / uu, 0.0, 1.0);
    }
    return crossing;
}
