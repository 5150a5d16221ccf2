/* One contact with moments: friction, rolling and torsion under one normal (pairs_cone.h), u = W r + q. */
#ifndef CAROM_CONTACT_COULOMB_PAIRS_PAIRS_LOCAL_H
#define CAROM_CONTACT_COULOMB_PAIRS_PAIRS_LOCAL_H

#include "pairs_law.h"

/* r: start and result. rho: of pairs_law_rho. False: not to rounding; r is then a point of the cone that is nearer to
 * the solution than zero, or there is no inertia in the normal direction. */
bool pairs_local_solve(int d, int s, const double *W, const double *coefficient, const double *rho,
                       const double *q, double *r);
/* The last resort of it: friction with its normal, rolling, torsion, one after the other and again. */
bool pairs_local_by_parts(int d, int s, const double *W, const double *coefficient, const double *rho,
                          const double *q, double *r);

#endif
