/* Joints at the start of a run: independent, and satisfied by the initial position and velocity. */
#ifndef CAROM_SCHEME_PARTS_JOINTS_START_H
#define CAROM_SCHEME_PARTS_JOINTS_START_H

#include "carom/scheme.h"

/* Checks that the mass matrix is positive definite, that the rows of the joints do not depend on each other
 * (the text names the joint that does), and that g(q) = 0 and G v + g_t = 0 to 1e-9 of their sizes. With
 * `project` q and v are corrected first in the kinetic metric, with a warning that says by how much;
 * otherwise what is not consistent is BAD_INPUT (joint, value, what to do). A model without joints is fine.
 */
carom_status joints_prepare_start(carom_model_work *work, double t, bool project, double *q, double *v,
                                  carom_warnings *warnings, carom_error *error);

/* The warning of that correction, for schemes that make it themselves. size: what each velocity is multiplied by before velocities
 * are compared. A change up to `tolerance` of the largest is rounding. */
void joints_warn_of_velocity(const carom_model *model, const double *size, double tolerance,
                             const double *now, const double *before, carom_warnings *warnings);

#endif
