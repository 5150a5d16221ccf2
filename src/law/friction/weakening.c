/* Friction that weakens with the slip, over one implicit step. */
#include <math.h>

#include "carom/law.h"

enum {
    NEWTON_MAX = 100
};

double carom_weakening_force(const carom_weakening *law, double speed)
{
    return law->Td + (law->Ts - law->Td) * exp(-law->vd * speed);
}

double carom_weakening_slope(const carom_weakening *law, double speed)
{
    return law->vd * (law->Ts - law->Td) * exp(-law->vd * speed);
}

/* g(s) = a s + h T(s) - C is increasing and convex, g(0) < 0 <= g(C/a): Newton's method comes from the right
 * after its first step, and bisection only guards against rounding. What is left after a step of length m is
 * at most g''/(2 g') m^2, which is compared with the rounding of C/a. */
static double sliding_speed(double a, double h, double C, const carom_weakening *law, double guess)
{
    const double rounding = 1e-17 * C / a;
    double low = 0.0, high = C / a;
    double s = guess > low && guess < high ? guess : high;
    for (int i = 0; i < NEWTON_MAX; i++) {
        const double weakening = (law->Ts - law->Td) * exp(-law->vd * s);
        const double g = a * s + h * (law->Td + weakening) - C, slope = a - h * law->vd * weakening;
        if (g < 0.0)
            low = s;
        else
            high = s;
        double next = s - g / slope;
        const bool inside = next >= low && next <= high;
        if (!inside)
            next = 0.5 * (low + high);
        const double moved = next - s, bend = h * law->vd * law->vd * weakening;
        s = next;
        if (inside && bend * moved * moved <= rounding * slope)
            break;
    }
    return s;
}

double carom_weakening_solve(double a, double h, double c, const carom_weakening *law, double guess,
                             double *force)
{
    const double C = fabs(c), sign = c < 0.0 ? -1.0 : 1.0;
    if (C <= h * law->Ts) {
        *force = c / h;
        return 0.0;
    }
    if (law->Ts == law->Td) {
        *force = sign * law->Td;
        return sign * (C - h * law->Td) / a;
    }
    const double s = sliding_speed(a, h, C, law, sign * guess);
    *force = sign * (C - a * s) / h; /* the balance itself: T(s) to rounding */
    return sign * s;
}

/* ---- as a friction law ------------------------------------------------------------------------------ */

static carom_planar_set set(int count, const double *c, int tangents)
{
    (void)count;
    (void)tangents;
    /* What it can hold; what is left of that while it slips is not a set of the position. */
    return (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = -c[1], .b = c[1]};
}

static carom_status check(int count, const double *c, const carom_friction_place *at, carom_error *error)
{
    (void)count;
    const carom_weakening law = {.Td = c[0], .Ts = c[1], .vd = c[2]};
    return carom_weakening_check(&law, at->contact, error);
}

const carom_friction_law_ops carom_friction_weakening = {
    .name = "weakening",
    .usage =
        "falls with the slip, without obstacle: friction_force { \"bit\", slip =, bound =, static =, decay = "
        "}",
    .tangents_min = 1,
    .tangents_max = 1,
    .coefficients = 3,
    .set = set,
    .check = check,
};

carom_status carom_weakening_check(const carom_weakening *law, const char *name, carom_error *error)
{
    if (!(law->Td >= 0.0) || !isfinite(law->Td))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "friction force '%s': its bound is %g; it must be finite and not negative, or "
                          "friction would drive the motion",
                          name, law->Td);
    if (!(law->Ts >= law->Td) || !isfinite(law->Ts))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "friction force '%s': static = %g, bound = %g: weakening law needs Ts >= Td, the "
                          "static force finite and not below the bound",
                          name, law->Ts, law->Td);
    if (!(law->vd >= 0.0) || !isfinite(law->vd))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "friction force '%s': its decay is %g; it must be finite and not negative: 1 / the "
                          "slip at which the weakening has fallen to 1/e",
                          name, law->vd);
    return CAROM_OK;
}
