/* lambda = K x^eta for x > 0, with short ways for the exponents in use; and the same from the energy. */
#ifndef CAROM_LAW_IMPACT_LZB_FORCE_H
#define CAROM_LAW_IMPACT_LZB_FORCE_H

#include <math.h>

/* x^p, x > 0. Of Hertz' contacts p is a multiple of 1/5: 2^(5 k) is taken out first, so that a change of units by powers of two
 * changes no digit. */
static inline double lzb_root_power(double x, double p)
{
    int exponent = 0;
    if (5.0 * p != rint(5.0 * p) || !(x > 0.0) || isinf(x))
        return pow(x, p);
    const double part = frexp(x, &exponent);
    const int whole = (int)floor(exponent / 5.0);
    return ldexp(pow(ldexp(part, exponent - 5 * whole), p), whole * (int)(5.0 * p));
}

/* x^eta, x > 0 */
static inline double lzb_power(double x, double eta)
{
    if (eta == 1.5)
        return x * sqrt(x);
    if (eta == 1.0)
        return x;
    if (eta == 2.0)
        return x * x;
    if (eta == 3.0)
        return x * x * x;
    if (eta == 0.5)
        return sqrt(x);
    return pow(x, eta);
}

static inline double lzb_force(double x, double stiffness, double eta)
{
    return x > 0.0 ? stiffness * lzb_power(x, eta) : 0.0;
}

/* e^(eta / (1 + eta)), e > 0 */
static inline double lzb_energy_power(double e, double eta)
{
    if (eta == 1.0)
        return sqrt(e);
    if (eta == 2.0) {
        const double root = cbrt(e);
        return root * root;
    }
    if (eta == 3.0) {
        const double root = sqrt(e);
        return root * sqrt(root);
    }
    if (eta == 0.5)
        return cbrt(e);
    return lzb_root_power(e, eta / (1.0 + eta));
}

/* Hertz: the fifth root of a number e > 0 whose root was about `root` before. By the series of (1 + r)^(1/5)
 * where r = e / root^5 - 1 is small: its next term, 0.021 r^6, is below rounding then. */
static inline double lzb_fifth_root(double e, double root)
{
    const double square = root * root;
    const double r = e / (square * square * root) - 1.0;
    if (!(fabs(r) < 2e-3))
        return lzb_root_power(e, 0.2);
    return root + root * r * (0.2 + r * (-0.08 + r * (0.048 + r * (-0.0336 + r * 0.025536))));
}

#endif
