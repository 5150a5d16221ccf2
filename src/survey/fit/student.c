/* Student's t: from the incomplete beta function, whose continued fraction is that of Abramowitz and Stegun 26.5.8. */
#include <float.h>
#include <math.h>

#include "carom/survey/fit.h"

/* By Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0);
    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    double f = d;
    for (int m = 1; m <= 10000; m++) {
        const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        const double term[2] = {even, odd};
        double factor = 1.0;
        for (int i = 0; i < 2; i++) {
            d = 1.0 + term[i] * d;
            d = 1.0 / (fabs(d) < tiny ? tiny : d);
            c = 1.0 + term[i] / c;
            c = fabs(c) < tiny ? tiny : c;
            factor = c * d;
            f *= factor;
        }
        if (fabs(factor - 1.0) < 4.0 * DBL_EPSILON)
            break;
    }
    return f;
}

/* I_x(a, b), the share of the beta distribution below x. */
static double incomplete_beta(double a, double b, double x)
{
    if (x <= 0.0 || x >= 1.0)
        return x <= 0.0 ? 0.0 : 1.0;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1.0) / (a + b + 2.0) ? front * beta_fraction(a, b, x) / a
                                         : 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

/* P(T > t), t >= 0. */
static double upper_tail(double t, double freedom)
{
    return 0.5 * incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + t * t));
}

double carom_student_quantile(double p, double freedom)
{
    if (!(p > 0.0 && p < 1.0 && freedom > 0.0))
        return NAN;
    if (p < 0.5)
        return -carom_student_quantile(1.0 - p, freedom);
    double low = 0.0, high = 1.0;
    while (upper_tail(high, freedom) > 1.0 - p && high < 1e300)
        high *= 2.0;
    for (int i = 0; i < 200 && high - low > 2.0 * DBL_EPSILON * high; i++) {
        const double middle = 0.5 * (low + high);
        if (upper_tail(middle, freedom) > 1.0 - p)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}
