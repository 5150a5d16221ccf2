/* Derivatives of an event-driven motion: variational equations between events, jumps (saltation) at events.
 *
 *   x' = f(t, x, p),  event h(t, x, p) = 0,  x+ = R(t, x-, p)                       S = dx / dp at a fixed time
 *
 *   S' = f_x S + f_p,     dt* = -(h_x S- + h_p) / (h_x f- + h_t),     S+ = R_x S- + R_p + (R_x f- + R_t - f+) dt*
 *
 * The scheme tells of each event before and after it; in between the motion itself is followed once more, together with its
 * derivatives and to more digits than the scheme's tolerances, so that both belong to each other. */
#ifndef CAROM_SCHEME_EVENT_DRIVEN_VARIATION_VARIATION_H
#define CAROM_SCHEME_EVENT_DRIVEN_VARIATION_VARIATION_H

#include "scheme/event_driven/event_driven.h"

extern const carom_tangent_ops event_variation_ops;

/* Told by the scheme while stepper.tangent is set. The flow has come to an event whose contacts are not known yet: */
void event_variation_before(event_driven *scheme);
/* ... a problem of impact of the listed contacts was solved, with these impulses and statuses (event_status, NULL: without
 * friction), x their friction; */
void event_variation_strike(event_driven *scheme, bool rebounds, const double *impulse, int stride,
                            const unsigned char *status, const double *x);
/* ... or the law that was chosen has treated them; */
void event_variation_law(event_driven *scheme);
/* ... contacts have closed and opened, and velocities are those after it; */
void event_variation_after(event_driven *scheme);
/* The gap of an open contact, which stands in motion.gap, has a minimum. */
void event_variation_missed(event_driven *scheme, int contact);
/* ... the listener was told of this. */
void event_variation_told(event_driven *scheme, carom_event_kind kind, int contact);

#endif
