/* With z = c + i s on the unit circle, z^2 phi is the polynomial
 *
 *   a2 z^4 + a1 z^3 + a0 z^2 + conj(a1) z + conj(a2),
 *   a2 = (R - S - i U) / 4,  a1 = (P - i Q) / 2,  a0 = (R + S) / 2,
 *
 * whose roots Aberth's method finds all at once; those near the circle are polished on it. */
#include "circle_roots.h"

#include <complex.h>
#include <math.h>

enum {
    ABERTH_MAX = 60,
    POLISH_STEPS = 40
};

static const double step_max = 0.5;        /* of an angle */
static const double small_leading = 1e-14; /* a leading coefficient that counts as zero */
static const double root_tolerance = 1e-10;

static double size_of(const coulomb_circle *phi)
{
    return fabs(phi->P) + fabs(phi->Q) + fabs(phi->R) + fabs(phi->S) + fabs(phi->U);
}

static double value_at(const coulomb_circle *phi, double c, double s)
{
    return phi->P * c + phi->Q * s + phi->R * c * c + phi->S * s * s + phi->U * s * c;
}

/* The direction turns by the arc tangent of Newton's step, which differs from it in third order. */
bool coulomb_circle_polish(const coulomb_circle *phi, int steps, double tolerance, double t[2])
{
    double c = t[0], s = t[1];
    for (int k = 0; k < steps; k++) {
        const double slope =
            -phi->P * s + phi->Q * c + 2.0 * (phi->S - phi->R) * s * c + phi->U * (c * c - s * s);
        const double value = value_at(phi, c, s);
        if (value == 0.0)
            break;
        const double step = fmax(-step_max, fmin(step_max, -value / slope));
        const double scale = 1.0 / sqrt(1.0 + step * step), turned = (c - step * s) * scale;
        s = (s + step * c) * scale;
        c = turned;
        /* the next step would be of the size of this one's square */
        if (fabs(step) < 1e-9)
            break;
    }
    const double length = sqrt(c * c + s * s);
    t[0] = c / length;
    t[1] = s / length;
    return fabs(value_at(phi, t[0], t[1])) <= tolerance * size_of(phi);
}

/* One step for root i of the polynomial sum a_k z^k; the step is returned. */
static double complex aberth_step(int degree, const double complex *a, const double complex *z, int i)
{
    double complex value = a[degree], slope = 0.0, others = 0.0;
    for (int k = degree - 1; k >= 0; k--) {
        slope = slope * z[i] + value;
        value = value * z[i] + a[k];
    }
    for (int j = 0; j < degree; j++)
        if (j != i)
            others += 1.0 / (z[i] - z[j]);
    const double complex step = value / (slope - value * others);
    return isfinite(creal(step)) && isfinite(cimag(step)) ? step : 0.0;
}

static void aberth(int degree, const double complex *a, double complex *z)
{
    /* no symmetry that the roots may have */
    const double complex seed = 0.4 + 0.9 * I;
    z[0] = seed;
    for (int i = 1; i < degree; i++)
        z[i] = z[i - 1] * seed;
    for (int k = 0; k < ABERTH_MAX; k++) {
        double largest = 0.0;
        for (int i = 0; i < degree; i++) {
            const double complex step = aberth_step(degree, a, z, i);
            z[i] -= step;
            largest = fmax(largest, cabs(step) / (1.0 + cabs(z[i])));
        }
        if (largest < 1e-13)
            return;
    }
}

int coulomb_circle_roots(const coulomb_circle *phi, double root[CIRCLE_ROOTS][2])
{
    const double complex a2 = 0.25 * (phi->R - phi->S) - 0.25 * phi->U * I,
                         a1 = 0.5 * phi->P - 0.5 * phi->Q * I;
    const double complex all[5] = {conj(a2), conj(a1), 0.5 * (phi->R + phi->S), a1, a2};
    const bool is_quartic = cabs(a2) > small_leading * size_of(phi);
    if (!is_quartic && !(cabs(a1) > small_leading * size_of(phi)))
        return 0;
    const int degree = is_quartic ? 4 : 2;
    double complex z[4];
    aberth(degree, is_quartic ? all : all + 1, z);
    int count = 0;
    for (int i = 0; i < degree; i++) {
        const double size = cabs(z[i]);
        if (!(size > 0.0))
            continue;
        double t[2] = {creal(z[i]) / size, cimag(z[i]) / size};
        if (!coulomb_circle_polish(phi, POLISH_STEPS, root_tolerance, t))
            continue;
        root[count][0] = t[0];
        root[count++][1] = t[1];
    }
    return count;
}
