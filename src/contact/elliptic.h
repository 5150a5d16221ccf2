/* Axes of elliptic cones that are turned against the tangents. */
#ifndef CAROM_CONTACT_ELLIPTIC_H
#define CAROM_CONTACT_ELLIPTIC_H

#include "carom/contact/bipotential.h"

/* Angle of the contact's axes; 0: they are the tangents. */
double elliptic_axes(const carom_elliptic_problem *problem, int contact);

/* Components along axes that are turned by the angle; turned may be x. */
void elliptic_turn(double angle, const double x[3], double turned[3]);

/* carom_elliptic_from_coulomb with memory of the caller for cones and axes, one per contact. */
carom_status elliptic_pose(const carom_coulomb *problem, const carom_orthotropy *orthotropy,
                           carom_elliptic_cone *cone, double *axes, carom_elliptic_problem *elliptic,
                           carom_error *error);

#endif
