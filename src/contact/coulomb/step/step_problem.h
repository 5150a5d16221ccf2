/* One contact out of several. */
#ifndef CAROM_CONTACT_COULOMB_STEP_STEP_PROBLEM_H
#define CAROM_CONTACT_COULOMB_STEP_STEP_PROBLEM_H

#include "carom/contact.h"

/* The problem of contact k with the impulses of the others as they are. A contact without tangents gets the
 * set {0}. */
carom_friction_contact friction_contact_among(const carom_friction_problem *problem, const double *impulse,
                                              int k);

/* The largest of the given velocities; not finite when one of them is not. */
double friction_largest_velocity(const carom_friction_problem *problem);

#endif
