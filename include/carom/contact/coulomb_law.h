/* contact/coulomb_law: the law of one contact of FC(W, q, mu) for solvers outside this room, such as those on ranks of MPI. Three
 * numbers per contact, normal and two tangents; in the plane the last is 0. */
#ifndef CAROM_CONTACT_COULOMB_LAW_H
#define CAROM_CONTACT_COULOMB_LAW_H

#include <stdbool.h>

/* The part of a contact in carom_coulomb_error, squared and without |q|. */
double carom_coulomb_law_square(double mu, const double u[3], const double r[3]);

/* Factors that turn velocities into impulses in the function of Alart and Curnier. */
typedef struct carom_coulomb_rho {
    double normal, tangent;
} carom_coulomb_rho;

/* A step of Newton's method for G(u', r) = 0, G the function of Alart and Curnier, u' = u + (r - r_k) / alpha given as u, is
 * dr = -g - D du where the motion gives du; D row by row. */
void carom_coulomb_law_step(double mu, carom_coulomb_rho rho, double alpha, const double u[3],
                            const double r[3], double D[9], double g[3]);

/* One contact alone: r with u = W r + q and the law, W row by row; r is also where to start. False when it is not solved: r is then a
 * point of the cone that may be nearer. */
bool carom_coulomb_law_solve(double mu, const double W[9], const double q[3], double r[3]);

#endif
