/* The linear equations of a Newton step on FC(W, q, mu): J d = -G, J = A W + B, where A and B have one 3 x 3
 * block per contact. */
#ifndef CAROM_CONTACT_COULOMB_NEWTON_NEWTON_SYSTEM_H
#define CAROM_CONTACT_COULOMB_NEWTON_NEWTON_SYSTEM_H

#include "carom/contact.h"

typedef struct coulomb_newton_system coulomb_newton_system;

/* For matrices that are not larger than the shape, and dense as it is (coulomb_is_dense). NULL: no memory. */
coulomb_newton_system *coulomb_newton_system_create(const carom_problem_shape *shape);
/* The next matrix may have its blocks at other places; otherwise the order of elimination is kept while the
 * same contacts are active. */
void coulomb_newton_system_forget(coulomb_newton_system *system);
void coulomb_newton_system_free(coulomb_newton_system *system);

/* d = -J^-1 G. Contacts with A = 0 and B = I are eliminated first: only the others are factored. A singular J
 * becomes J + 1e-8 |J| I, and *regularised grows by one. False when d is not finite even then. */
bool coulomb_newton_system_solve(coulomb_newton_system *system, const carom_blocks *W, const double *A,
                                 const double *B, const double *G, double *d, long *regularised);

#endif
