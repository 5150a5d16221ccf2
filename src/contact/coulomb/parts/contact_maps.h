/* The law of one contact of FC(W, q, mu) as an equation G(u, r) = 0 of three numbers, and elements of its
 * generalised derivatives. */
#ifndef CAROM_CONTACT_COULOMB_PARTS_CONTACT_MAPS_H
#define CAROM_CONTACT_COULOMB_PARTS_CONTACT_MAPS_H

#include "carom/contact.h"

/* Factors that turn velocities into impulses. */
typedef struct coulomb_rho {
    double normal, tangent;
} coulomb_rho;

/* How they come from the contact's own block of W. Where a block gives no positive number: 1. */
typedef enum coulomb_rho_rule {
    COULOMB_RHO_110, /* both 1 / (largest singular value of W_aa) */
    COULOMB_RHO_111, /* 1 / W_NN, 1 / (largest eigenvalue of W_TT) */
    COULOMB_RHO_112, /* 1 / W_NN, (smallest) / (largest)^2 of W_TT */
    COULOMB_RHO_ONE,
} coulomb_rho_rule;

coulomb_rho coulomb_rho_of(coulomb_rho_rule rule, const double block[9]);

/* G = 0 exactly when (u, r) obeys the law. A = dG/du and B = dG/dr, row by row; both NULL: not wanted. */
typedef void coulomb_map(double mu, coulomb_rho rho, const double u[3], const double r[3], double G[3],
                         double *A, double *B);

/* (51): r - P_K(r - rho (u + (mu |u_T|, 0, 0))), rho the smaller one of the two. */
coulomb_map coulomb_natural_map;
/* Alart and Curnier, (63): r_N - max(0, y_N), r_T - P_D(y_T), y = r - rho u, D of radius mu max(0, y_N). */
coulomb_map coulomb_alart_curnier;
/* Jean and Moreau, (61): the same with D of radius mu max(0, r_N). */
coulomb_map coulomb_jean_moreau;
/* Fischer and Burmeister, (79): x + y - (x.x + y.y)^(1/2) in the Jordan algebra of the cone, x = (mu r_N,
 * r_T), y = (u_N / mu + |u_T|, u_T). Without friction: that of Alart and Curnier, the only one that takes
 * rho. */
coulomb_map coulomb_fischer_burmeister;

/* A step of Newton's method for G(u', r) = 0, u' = u + (r - r_k) / alpha, is dr = -g - D du: D = S^-1 A, g = S^-1 G with
 * S = B + A / alpha, which is not singular for the maps of Alart and Curnier. */
void coulomb_eliminate_reaction(double alpha, const double G[3], const double A[9], const double B[9],
                                double D[9], double g[3]);

#endif
