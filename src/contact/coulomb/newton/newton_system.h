/* The linear equations of a Newton step on FC(W, q, mu): J d = -G, J = A W + B, where A and B have one 3 x 3
 * block per contact. */
#ifndef CAROM_CONTACT_COULOMB_NEWTON_NEWTON_SYSTEM_H
#define CAROM_CONTACT_COULOMB_NEWTON_NEWTON_SYSTEM_H

#include "carom/contact.h"

typedef struct coulomb_newton_system coulomb_newton_system;

/* For matrices that have blocks where W has, whose places must outlive the system. NULL: no memory. */
coulomb_newton_system *coulomb_newton_system_create(const carom_blocks *W);
void coulomb_newton_system_free(coulomb_newton_system *system);

/* d = -J^-1 G. Contacts with A = 0 and B = I are eliminated first: only the others are factored. A singular J
 * becomes J + 1e-8 |J| I, and *regularised grows by one. False when d is not finite even then. */
bool coulomb_newton_system_solve(coulomb_newton_system *system, const carom_blocks *W, const double *A,
                                 const double *B, const double *G, double *d, long *regularised);

#endif
