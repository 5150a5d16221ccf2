/* A few contacts with friction at once, by Newton's method. */
#ifndef CAROM_CONTACT_COULOMB_STEP_STEP_NEWTON_H
#define CAROM_CONTACT_COULOMB_STEP_STEP_NEWTON_H

#include "carom/contact.h"

/* Memory for problems of up to so many contacts; NULL when it is short. */
typedef struct step_newton step_newton;
step_newton *step_newton_create(int contacts);
void step_newton_free(step_newton *newton);

/* Are all sets intervals or disks? */
bool step_newton_takes(const carom_friction_problem *problem);

/* From `impulse`, which becomes the best iterate. Returns its carom_friction_problem_error, or that of the start where
 * no iterate is better. Ends when it is at most `tolerance`, after `most` steps, or when there is no progress. */
double step_newton_solve(step_newton *newton, const carom_friction_problem *problem, double tolerance,
                         int most, double *impulse, int *iterations);

/* Two contacts with at most one tangent each: every combination of open, stick and slip is tried. False: none of them
 * is a solution to the tolerance; the impulse is then what it was. */
bool step_newton_enumerate(step_newton *newton, const carom_friction_problem *problem, double tolerance,
                           double *impulse);

#endif
