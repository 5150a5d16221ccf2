/* Projection on the elliptic cone { |F^-1 r_T| <= r_N }, to rounding. */
#include <math.h>

#include "carom/convex.h"

enum {
    MOST_STEPS = 60
};

/* A component without friction is dropped: r_i = 0. */
static double cone_norm(const double mu[2], const double tau[3])
{
    const double x = mu[0] > 0.0 ? tau[1] / mu[0] : 0.0, y = mu[1] > 0.0 ? tau[2] / mu[1] : 0.0;
    return hypot(x, y);
}

static void on_circular_surface(double mu, const double tau[3], double r[3])
{
    const double t = hypot(tau[1], tau[2]), normal = (tau[0] + mu * t) / (1.0 + mu * mu);
    const double x = tau[1] / t, y = tau[2] / t;
    r[0] = normal;
    r[1] = mu * normal * x;
    r[2] = mu * normal * y;
}

/* d_i = (1 + mu_i^2) n - tau_N at n = base + m with base = max(0, tau_N): a sum of terms that are not
 * negative, so that thin cones lose no digits. */
static double denominator(double square, double top, double m)
{
    return top > 0.0 ? (1.0 + square) * m + square * top : (1.0 + square) * m - top;
}

/* The normal reaction n is the root of f(n) = sum (mu_i t_i / d_i)^2 - 1, which is convex and decreasing for
 * m > 0. From the root of its larger term, where f >= 0, Newton's method climbs to it without passing it.
 * Returns m. */
static double elliptic_excess(const double mu[2], const double tau[3])
{
    const double base = fmax(0.0, tau[0]);
    double m = 0.0;
    for (int i = 0; i < 2; i++)
        m = fmax(m, (tau[0] + mu[i] * fabs(tau[i + 1])) / (1.0 + mu[i] * mu[i]) - base);
    for (int step = 0; step < MOST_STEPS; step++) {
        double f = -1.0, slope = 0.0;
        for (int i = 0; i < 2; i++) {
            const double a = mu[i] * tau[i + 1], square = mu[i] * mu[i];
            const double d = denominator(square, tau[0], m);
            if (a == 0.0)
                continue;
            f += (a / d) * (a / d);
            slope -= 2.0 * (a / d) * (a / d) * (1.0 + square) / d;
        }
        const double change = -f / slope;
        if (!(change > 4e-16 * m))
            break;
        m += change;
    }
    return m;
}

static void on_elliptic_surface(const double mu[2], const double tau[3], double r[3])
{
    const double m = elliptic_excess(mu, tau), top = tau[0], normal = fmax(0.0, top) + m;
    for (int i = 0; i < 2; i++) {
        const double t = tau[i + 1], square = mu[i] * mu[i];
        r[i + 1] = square * t == 0.0 ? 0.0 : square * t * normal / denominator(square, top, m);
    }
    r[0] = normal;
}

carom_cone_region carom_elliptic_cone_project(const double mu[2], const double tau[3], double r[3])
{
    if (hypot(mu[0] * tau[1], mu[1] * tau[2]) <= -tau[0]) {
        r[0] = r[1] = r[2] = 0.0;
        return CAROM_CONE_APEX;
    }
    if (cone_norm(mu, tau) <= tau[0]) {
        r[0] = tau[0];
        r[1] = mu[0] > 0.0 ? tau[1] : 0.0;
        r[2] = mu[1] > 0.0 ? tau[2] : 0.0;
        return CAROM_CONE_INSIDE;
    }
    if (mu[0] == mu[1])
        on_circular_surface(mu[0], tau, r);
    else
        on_elliptic_surface(mu, tau, r);
    return CAROM_CONE_SURFACE;
}
