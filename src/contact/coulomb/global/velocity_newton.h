/* Proximal points with Newton's method in the space of velocities, for global problems without equations: large elastic bodies,
 * whose W is full, and piles, whose W is singular. */
#ifndef CAROM_CONTACT_COULOMB_GLOBAL_VELOCITY_NEWTON_H
#define CAROM_CONTACT_COULOMB_GLOBAL_VELOCITY_NEWTON_H

#include "contact/coulomb/parts/velocity_system.h"

/* As carom_coulomb_solve_global, with the tolerance and the iterations of `limits` filled in. The report has the word, the error
 * of what is returned, iterations (factors of M + H D H^T) and proximal points (inner iterations). */
carom_status coulomb_velocity_newton(const carom_coulomb_global *global, const carom_solver_options *limits,
                                     double *v, double *r, carom_solve_report *report, carom_error *error);

#endif
