/* Axes of elliptic cones that are rotated against the tangents. */
#ifndef CAROM_CONTACT_ELLIPTIC_H
#define CAROM_CONTACT_ELLIPTIC_H

#include "carom/contact/bipotential.h"

/* Angle of the contact's axes; 0: they are the tangents. */
double elliptic_axes(const carom_elliptic_problem *problem, int contact);

/* Components along axes that are rotated by the angle; rotated may be x. */
void elliptic_rotate(double angle, const double x[3], double rotated[3]);

/* carom_elliptic_from_coulomb with memory of the caller for cones and axes, one per contact. */
carom_status elliptic_pose(const carom_coulomb *problem, const carom_orthotropy *orthotropy,
                           carom_elliptic_cone *cone, double *axes, carom_elliptic_problem *elliptic,
                           carom_error *error);

#endif
