/* The bit's law T(w) = Td + (Ts - Td) exp(-vd w), and one disc under it. */
#include <math.h>

#include "carom/drill.h"

double carom_drill_decay(double Nd)
{
    return 1.0 / carom_rpm(Nd);
}

double carom_drill_torque(const carom_drill_law *law, double w)
{
    return law->Td + (law->Ts - law->Td) * exp(-law->vd * w);
}

double carom_drill_slope(const carom_drill_law *law, double w)
{
    return law->vd * (law->Ts - law->Td) * exp(-law->vd * w);
}

double carom_drill_step_limit(double inertia, const carom_drill_law *law)
{
    const double weakening = law->vd * (law->Ts - law->Td);
    return weakening > 0.0 ? inertia / weakening : INFINITY;
}

/* g(w) = a w + h T(w) - C is increasing and convex, g(0) < 0 <= g(C/a): Newton's method comes from the right
 * after its first step, and bisection only guards against rounding. What is left after a step of length m is
 * at most g''/(2 g') m^2. */
static double slip_speed(double a, double h, double C, const carom_drill_law *law, double guess)
{
    double low = 0.0, high = C / a;
    double w = guess > low && guess < high ? guess : high;
    for (int i = 0; i < 100; i++) {
        const double weakening = (law->Ts - law->Td) * exp(-law->vd * w);
        const double g = a * w + h * (law->Td + weakening) - C, slope = a - h * law->vd * weakening;
        if (g < 0.0)
            low = w;
        else
            high = w;
        double next = w - g / slope;
        const bool inside = next >= low && next <= high;
        if (!inside)
            next = 0.5 * (low + high);
        const double moved = next - w, bend = h * law->vd * law->vd * weakening;
        w = next;
        if (inside && bend * moved * moved <= 1e-17 * slope)
            break;
    }
    return w;
}

double carom_drill_friction(double a, double h, double c, const carom_drill_law *law, double guess, double *r)
{
    const double C = fabs(c), sign = c < 0.0 ? -1.0 : 1.0;
    if (C <= h * law->Ts) {
        *r = c / h;
        return 0.0;
    }
    if (law->Ts == law->Td) {
        *r = sign * law->Td;
        return sign * (C - h * law->Td) / a;
    }
    const double w = slip_speed(a, h, C, law, sign * guess);
    *r = sign * (C - a * w) / h; /* the balance itself: T(w) to rounding */
    return sign * w;
}
