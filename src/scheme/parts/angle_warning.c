#include "angle_warning.h"

#include <math.h>

/* Gradients whose product is below this share of their lengths are orthogonal. */
static const double angle_tolerance = 1e-12;

void warn_about_angles(carom_warnings *warnings, bool *warned, int count, const double *matrix,
                       double restitution, double t)
{
    for (int k = 0; k < count && !*warned; k++)
        for (int l = 0; l < k && !*warned; l++) {
            const double product = matrix[k * count + l];
            const double limit = angle_tolerance * sqrt(matrix[k * count + k] * matrix[l * count + l]);
            if (product <= limit && (restitution == 0.0 || product >= -limit))
                continue;
            *warned = true;
            carom_warn(
                warnings,
                "corner at t=%g violates the angle condition (g1.M^-1.g2=%g, e=%g): outcome may depend "
                "discontinuously on data and step",
                t, product, restitution);
        }
}
