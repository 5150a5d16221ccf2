/* linalg/dual: numbers with a derivative, as complex numbers x + i s d with a step s so small that its square is nothing beside 1.
 * What is computed with them by +, -, *, /, sqrt, sin and cos has the imaginary part s times its derivative, exact to rounding:
 * nothing is subtracted that is nearly equal. Absolute values and comparisons are for real parts.
 *
 *   carom_dual x = carom_dual_of(2.0, 1.0), y = x * x;      carom_dual_slope(y) == 4 */
#ifndef CAROM_LINALG_DUAL_H
#define CAROM_LINALG_DUAL_H

#include <complex.h>

typedef double complex carom_dual;

#define CAROM_DUAL_STEP 1e-100

static inline carom_dual carom_dual_of(double value, double slope)
{
    return value + CAROM_DUAL_STEP * slope * I;
}

static inline double carom_dual_slope(carom_dual x)
{
    return cimag(x) / CAROM_DUAL_STEP;
}

static inline carom_dual carom_dual_dot(const carom_dual a[3], const carom_dual b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* c = a x b; c may be one of them. */
static inline void carom_dual_cross(const carom_dual a[3], const carom_dual b[3], carom_dual c[3])
{
    const carom_dual x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2],
                     z = a[0] * b[1] - a[1] * b[0];
    c[0] = x;
    c[1] = y;
    c[2] = z;
}

/* y = R x and y = R^T x, R row-major; y may be x. */
static inline void carom_dual_turn(const carom_dual r[9], const carom_dual x[3], carom_dual y[3])
{
    const carom_dual a = x[0], b = x[1], c = x[2];
    for (int k = 0; k < 3; k++)
        y[k] = r[3 * k] * a + r[3 * k + 1] * b + r[3 * k + 2] * c;
}

static inline void carom_dual_turn_back(const carom_dual r[9], const carom_dual x[3], carom_dual y[3])
{
    const carom_dual a = x[0], b = x[1], c = x[2];
    for (int k = 0; k < 3; k++)
        y[k] = r[k] * a + r[3 + k] * b + r[6 + k] * c;
}

#endif
