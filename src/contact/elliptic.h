/* Axes of elliptic cones that are turned against the tangents. */
#ifndef CAROM_CONTACT_ELLIPTIC_H
#define CAROM_CONTACT_ELLIPTIC_H

#include "carom/contact/bipotential.h"

/* Angle of the contact's axes; 0: they are the tangents. */
double elliptic_axes(const carom_elliptic_problem *problem, int contact);

/* Components along axes that are turned by the angle; turned may be x. */
void elliptic_turn(double angle, const double x[3], double turned[3]);

#endif
