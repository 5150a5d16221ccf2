/* The square of restitutions of a system with two contacts (Winandy, Baumann and Leine 2018). With
 * N = G - E G E and c^2 = G12^2 / (G11 G22), Newton's law is
 *
 *   monotone (non-expansive)   where N is positive semidefinite: (1 - e1^2)(1 - e2^2) >= c^2 (1 - e1 e2)^2,
 *   energy-consistent          where N is copositive: there, and wherever G12 >= 0.
 *
 * For a given e1 the first holds between the roots
 *
 *   e2 = (c^2 e1 -+ (1 - e1^2) sqrt(1 - c^2)) / (1 - e1^2 + c^2 e1^2). */
#include <math.h>

#include "carom/survey.h"

void carom_monotone_restitutions(double c2, double first, double *low, double *high)
{
    const double e1 = first, room = 1.0 - e1 * e1, below = room + c2 * e1 * e1,
                 half = room * sqrt(fmax(0.0, 1.0 - c2));
    /* No coupling and e1 = 1: 0 / 0, everything is monotone. */
    *low = below > 0.0 ? fmax(0.0, (c2 * e1 - half) / below) : 0.0;
    *high = below > 0.0 ? fmin(1.0, (c2 * e1 + half) / below) : 1.0;
}
