/* What a Newmark scheme with contact must know before its first step, and what it tells its user. */
#ifndef CAROM_SCHEME_NEWMARK_NEWMARK_CHECKS_H
#define CAROM_SCHEME_NEWMARK_NEWMARK_CHECKS_H

#include "carom/scheme.h"

/* The largest eigenvalue kappa of (S, M) limits the step when beta < 1/4: BAD_INPUT gives kappa, limit and h.
 * With restitution a step that does not resolve the fastest vibration may create energy: a warning. */
carom_status newmark_check_step(const carom_structure *structure, double h, double beta,
                                carom_warnings *warnings, carom_error *error);

/* The positions at t0 and t0 + h must lie between the obstacles, Dumont and Paoli 2008 (9): BAD_INPUT names
 * the worst contact, its place and by how much. `when` says which position it is, `advice` what
 * helps. */
carom_status newmark_check_position(const carom_model *model, const carom_structure *structure,
                                    const double *u, const char *when, const char *advice,
                                    carom_error *error);

/* An obstacle that leaves no room for the beam at rest is told, not refused. */
void newmark_warn_about_rest(const carom_model *model, const carom_structure *structure,
                             carom_warnings *warnings);

#endif
