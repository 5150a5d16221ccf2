/* The bit's law T(w) = Td + (Ts - Td) exp(-vd w), and one disc under it: the weakening friction of room law.
 */
#include <math.h>

#include "carom/law.h"
#include "carom/subject/drilling.h"

static carom_weakening weakening_of(const carom_drill_law *law)
{
    return (carom_weakening){.Ts = law->Ts, .Td = law->Td, .vd = law->vd};
}

double carom_drill_decay(double Nd)
{
    return 1.0 / carom_rpm(Nd);
}

double carom_drill_torque(const carom_drill_law *law, double w)
{
    const carom_weakening same = weakening_of(law);
    return carom_weakening_force(&same, w);
}

double carom_drill_slope(const carom_drill_law *law, double w)
{
    const carom_weakening same = weakening_of(law);
    return carom_weakening_slope(&same, w);
}

double carom_drill_step_limit(double inertia, const carom_drill_law *law)
{
    const double slope = carom_drill_slope(law, 0.0);
    return slope > 0.0 ? inertia / slope : INFINITY;
}

double carom_drill_friction(double a, double h, double c, const carom_drill_law *law, double guess, double *r)
{
    const carom_weakening same = weakening_of(law);
    return carom_weakening_solve(a, h, c, &same, guess, r);
}
