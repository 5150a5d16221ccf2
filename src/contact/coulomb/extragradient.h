/* The extragradient method with Khobotov's rule for its step (EG-VI-UPK), as the first part of other methods.
 */
#ifndef CAROM_CONTACT_COULOMB_EXTRAGRADIENT_H
#define CAROM_CONTACT_COULOMB_EXTRAGRADIENT_H

#include "contact/coulomb/parts/watch.h"

enum {
    COULOMB_EXTRAGRADIENT_WORK = 9 /* doubles per contact */
};

/* Up to `steps` steps from r, counted as inner iterations. True when the solver must end, the reason in the
 * report. */
bool coulomb_extragradient(coulomb_watch *watch, int steps, double *work, double *r);

#endif
