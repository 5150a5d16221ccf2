/* What solvers of a step share: one contact out of several, and sweeps over all. */
#ifndef CAROM_CONTACT_COULOMB_STEP_STEP_PROBLEM_H
#define CAROM_CONTACT_COULOMB_STEP_STEP_PROBLEM_H

#include "carom/contact.h"

/* The problem of contact k with the impulses of the others as they are. A contact without tangents gets the
 * set {0}. */
carom_friction_contact friction_contact_among(const carom_friction_problem *problem, const double *impulse,
                                              int k);

enum {
    FRICTION_SWEEPS = 10000 /* default */
};

/* Block Gauss-Seidel: contact after contact is solved exactly for the impulses that the others have at the
 * moment (Jean 1999). Takes no memory. */
void friction_gauss_seidel(const carom_friction_problem *problem, double tolerance, int max_sweeps,
                           double *impulse, unsigned char *regime, carom_solve_report *report,
                           carom_error *error);

/* The same without a text where they do not converge, for who goes on otherwise then: a text takes as long as several
 * sweeps over a few contacts. friction_tell_unsettled makes it of the report. */
void friction_sweeps(const carom_friction_problem *problem, double tolerance, int max_sweeps, double *impulse,
                     unsigned char *regime, carom_solve_report *report, carom_error *error);
void friction_tell_unsettled(const carom_friction_problem *problem, const carom_solve_report *report,
                             carom_error *error);

/* What the contacts do with the impulses of the others as they are: as sweeps would say it. */
void friction_find_regimes(const carom_friction_problem *problem, const double *impulse,
                           unsigned char *regime);

/* The largest of the given velocities; not finite when one of them is not. */
double friction_largest_velocity(const carom_friction_problem *problem);

#endif
