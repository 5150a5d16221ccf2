/* One contact by one step of the fixed point of De Saxce and Feng: the local solver of NSGS-FP-DS-One. */
#include "contact/coulomb/local_contact.h"

#include <math.h>

/* Largest eigenvalue of a symmetric 3 x 3 matrix (xx, yy, zz, xy, xz, yz) as a root of its characteristic
 * polynomial, by the cosine of a third of an angle. */
static double largest_eigenvalue(const double s[6])
{
    const double mean = (s[0] + s[1] + s[2]) / 3.0;
    const double a = s[0] - mean, b = s[1] - mean, c = s[2] - mean;
    const double spread =
        sqrt((a * a + b * b + c * c + 2.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5])) / 6.0);
    if (!(spread > 0.0))
        return mean;
    const double determinant =
        a * (b * c - s[5] * s[5]) - s[3] * (s[3] * c - s[4] * s[5]) + s[4] * (s[3] * s[5] - s[4] * b);
    const double cosine = determinant / (2.0 * spread * spread * spread);
    return mean + 2.0 * spread * cos(acos(fmax(-1.0, fmin(1.0, cosine))) / 3.0);
}

/* One over the largest eigenvalue of W. */
static double step_of(const double W[9])
{
    const double xy = 0.5 * (W[1] + W[3]), xz = 0.5 * (W[2] + W[6]), yz = 0.5 * (W[5] + W[7]);
    const double largest = largest_eigenvalue((const double[]){W[0], W[4], W[8], xy, xz, yz});
    return largest > 0.0 ? 1.0 / largest : 1.0;
}

void coulomb_local_projection(coulomb_local *contact, const double q[3], double r[3])
{
    double u[3];
    if (contact->rho == 0.0) /* other solvers do not need it */
        contact->rho = step_of(contact->W);
    coulomb_local_modified_velocity(contact, q, r, u);
    const double rho = contact->rho;
    carom_cone_project(contact->mu, (const double[]){r[0] - rho * u[0], r[1] - rho * u[1], r[2] - rho * u[2]},
                       r);
}
