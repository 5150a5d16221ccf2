/* Proximal point algorithm for FC(W, q, mu) (Acary, Bremond and Huber 2018, algorithm 8). */
#ifndef CAROM_CONTACT_COULOMB_PROXIMAL_H
#define CAROM_CONTACT_COULOMB_PROXIMAL_H

#include "carom/contact.h"

/* Outer iterations are counted as iterations, those of the inner solver as inner iterations, inner problems
 * that were not solved as local failures. */
extern const carom_coulomb_solver_ops coulomb_solver_ppa_nsn_ac;
extern const carom_coulomb_solver_ops coulomb_solver_ppa_nsn_ac_gp;
extern const carom_coulomb_solver_ops coulomb_solver_ppa_nsgs_ac;

#endif
