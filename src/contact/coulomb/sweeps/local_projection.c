/* One contact by one step of the fixed point of De Saxce and Feng: the local solver of NSGS-FP-DS-One. */
#include "contact/coulomb/local_contact.h"

void coulomb_local_projection(const coulomb_local *contact, const double q[3], double r[3])
{
    double u[3];
    coulomb_local_modified_velocity(contact, q, r, u);
    const double rho = contact->rho;
    carom_cone_project(contact->mu, (const double[]){r[0] - rho * u[0], r[1] - rho * u[1], r[2] - rho * u[2]},
                       r);
}
