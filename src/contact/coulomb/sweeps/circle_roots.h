/* Roots on the unit circle of a trigonometric polynomial of degree two. */
#ifndef CAROM_CONTACT_COULOMB_SWEEPS_CIRCLE_ROOTS_H
#define CAROM_CONTACT_COULOMB_SWEEPS_CIRCLE_ROOTS_H

#include <stdbool.h>

enum {
    CIRCLE_ROOTS = 4 /* at most */
};

/* phi = P c + Q s + R c^2 + S s^2 + U s c on the circle c^2 + s^2 = 1. */
typedef struct coulomb_circle {
    double P, Q, R, S, U;
} coulomb_circle;

/* From the unit vector t, at most `steps` Newton steps for the angle, each of at most half a radian. True
 * when |phi| <= tolerance times the sum of the coefficients' sizes. */
bool coulomb_circle_polish(const coulomb_circle *phi, int steps, double tolerance, double t[2]);

/* All roots, as unit vectors; returns how many, at most 4. A double root may come twice. */
int coulomb_circle_roots(const coulomb_circle *phi, double root[CIRCLE_ROOTS][2]);

#endif
