/* The motion of a global problem with its equations, factored:
 *
 *   K = ( M   -G )      K (v, l) = (H r + f, -b)
 *       ( G^T  0 ) */
#ifndef CAROM_CONTACT_COULOMB_PARTS_MOTION_FACTOR_H
#define CAROM_CONTACT_COULOMB_PARTS_MOTION_FACTOR_H

#include "carom/contact.h"

/* FAILED: "M is singular", "redundant bilateral constraints". */
carom_status coulomb_motion_factor(const carom_coulomb_global *global, carom_sparse_factor **factor,
                                   carom_error *error);

/* Why a matrix that holds K is singular. */
carom_status coulomb_motion_explain(const carom_coulomb_global *global, carom_error *error);

#endif
