/* The only contact of a problem between pairs of bodies. */
#ifndef CAROM_CONTACT_COULOMB_PAIRS_ONE_H
#define CAROM_CONTACT_COULOMB_PAIRS_ONE_H

#include <stdbool.h>

#include "carom/contact/pairs.h"

/* r of a problem that has one contact and no joints, as the first sweep of carom_pairs_solve gives it from r = 0, without the memory
 * of a solver; 3 numbers, 6 with moments. False: it has to be solved otherwise, r stays. What r is worth is not measured. */
bool coulomb_pairs_one(const carom_pairs *problem, double *r);

#endif
