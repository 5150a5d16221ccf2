/* The summary of reactions whose velocities are known. */
#ifndef CAROM_CONTACT_COULOMB_PARTS_COULOMB_SUMMARY_H
#define CAROM_CONTACT_COULOMB_PARTS_COULOMB_SUMMARY_H

#include "carom/contact.h"

/* q, r, u: 3 per contact; regime may be NULL. */
void coulomb_summary_fill(int contacts, const double *q, const double *r, const double *u, double error,
                          unsigned char *regime, carom_coulomb_summary *summary);

#endif
