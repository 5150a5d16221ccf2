/* The natural map of a contact, (51), where r is large too. */
#ifndef CAROM_CONTACT_COULOMB_PARTS_ERROR_MAP_H
#define CAROM_CONTACT_COULOMB_PARTS_ERROR_MAP_H

#include <math.h>

#include "carom/contact.h"

/* map = r - P_K(r - v), v = u + (mu |u_T|, 0, 0). */
void coulomb_error_map(double mu, const double r[3], const double v[3], double map[3]);

/* Above this coefficient the natural map does not see how fast a contact approaches, which without a reaction is u_N / mu
 * in it, and makes mu times the rounding of a slip of one that sticks. Published problems are far below it: there errors
 * are those of the literature. */
static const double coulomb_large_mu = 100.0;

/* The law by its parts, squared: min(r_N, u_N), which vanishes where the normal obeys it, and r_T - P_D(r_T - u_T), D the
 * disk of radius mu r_N. It loses neither of the two, whatever mu is. */
static inline double coulomb_parts_distance(double mu, const double r[3], const double u[3])
{
    const double normal = r[0] < u[0] ? r[0] : u[0], radius = r[0] > 0.0 ? mu * r[0] : 0.0;
    double z[2] = {r[1] - u[1], r[2] - u[2]};
    const double size = hypot(z[0], z[1]);
    /* inside, r_T - (r_T - u_T) is u_T, which r_T must not round away */
    if (size <= radius)
        return normal * normal + u[1] * u[1] + u[2] * u[2];
    for (int k = 0; k < 2; k++)
        z[k] = r[1 + k] - radius / size * z[k];
    return normal * normal + z[0] * z[0] + z[1] * z[1];
}

/* The part of a contact in carom_coulomb_error, squared. */
static inline double coulomb_map_square(double mu, const double u[3], const double r[3])
{
    if (mu > coulomb_large_mu)
        return coulomb_parts_distance(mu, r, u);
    const double v[3] = {u[0] + mu * hypot(u[1], u[2]), u[1], u[2]};
    double map[3];
    coulomb_error_map(mu, r, v, map);
    return map[0] * map[0] + map[1] * map[1] + map[2] * map[2];
}

#endif
