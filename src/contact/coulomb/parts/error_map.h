/* The natural map of a contact, (51), where r is large too. */
#ifndef CAROM_CONTACT_COULOMB_PARTS_ERROR_MAP_H
#define CAROM_CONTACT_COULOMB_PARTS_ERROR_MAP_H

#include "carom/contact.h"

/* map = r - P_K(r - v), v = u + (mu |u_T|, 0, 0). */
void coulomb_error_map(double mu, const double r[3], const double v[3], double map[3]);

#endif
