/* The natural map of a contact, (51), where r is large too. */
#ifndef CAROM_CONTACT_COULOMB_PARTS_ERROR_MAP_H
#define CAROM_CONTACT_COULOMB_PARTS_ERROR_MAP_H

#include <math.h>

#include "carom/contact.h"

/* map = r - P_K(r - v), v = u + (mu |u_T|, 0, 0). */
void coulomb_error_map(double mu, const double r[3], const double v[3], double map[3]);

/* Above this coefficient the natural map does not see how fast a contact approaches: without a reaction it is about
 * u_N / mu. Published problems are far below it: there errors are those of the literature. */
static const double coulomb_large_mu = 100.0;

/* The square of a distance from Coulomb's law, which sees it: min(r_N, u_N) vanishes where the normal parts obey it. */
static inline double coulomb_with_normal(double mu, double distance, double r_N, double u_N)
{
    const double normal = r_N < u_N ? r_N : u_N;
    return mu > coulomb_large_mu ? fmax(distance, normal * normal) : distance;
}

#endif
