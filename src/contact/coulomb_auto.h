/* The default solver of FC(W, q, mu). */
#ifndef CAROM_CONTACT_COULOMB_AUTO_H
#define CAROM_CONTACT_COULOMB_AUTO_H

#include "carom/contact.h"

extern const carom_coulomb_solver_ops coulomb_solver_auto;

#endif
