/* The two cases of one contact with friction. Both are given a contact that needs an impulse:
 * u_free[0] < target. They fill impulse, velocity and regime. */
#ifndef CAROM_CONTACT_ONE_CONTACT_BRANCHES_H
#define CAROM_CONTACT_ONE_CONTACT_BRANCHES_H

#include "carom/contact.h"

/* Velocity of an impulse that slips; the normal component is the target, not the target to rounding. */
void friction_slip(const carom_friction_contact *contact, carom_friction_result *result);

/* Velocity of an impulse that sticks: the target, and exactly no slip. */
void friction_stick(const carom_friction_contact *contact, carom_friction_result *result);

carom_status friction_one_tangent(const carom_friction_contact *contact, carom_friction_result *result,
                                  carom_error *error);
carom_status friction_two_tangents(const carom_friction_contact *contact, carom_friction_result *result,
                                   carom_error *error);

/* Impulse and velocity of a contact that slips by the rule of its own ellipse, by iteration. */
void friction_own_rule(const carom_friction_contact *contact, carom_friction_result *result);

#endif
