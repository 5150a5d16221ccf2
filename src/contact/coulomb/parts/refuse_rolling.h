/* For functions that know three numbers per contact. */
#ifndef CAROM_CONTACT_COULOMB_PARTS_REFUSE_ROLLING_H
#define CAROM_CONTACT_COULOMB_PARTS_REFUSE_ROLLING_H

#include "carom/contact.h"

/* BAD_INPUT when the problem has rolling friction. */
static inline carom_status coulomb_refuse_rolling(const double *mu_r, carom_error *error)
{
    if (!mu_r)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the problem has rolling friction, which is not solved by this function: those of "
                      "carom/contact/rolling.h are for it");
}

#endif
