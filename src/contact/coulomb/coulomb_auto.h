/* The default solver of FC(W, q, mu). */
#ifndef CAROM_CONTACT_COULOMB_COULOMB_AUTO_H
#define CAROM_CONTACT_COULOMB_COULOMB_AUTO_H

#include "carom/contact.h"

extern const carom_coulomb_solver_ops coulomb_solver_auto;

/* With its default options. */
void coulomb_auto(const carom_coulomb *problem, const carom_coulomb_limits *limits, double *r,
                  carom_coulomb_report *report);

#endif
