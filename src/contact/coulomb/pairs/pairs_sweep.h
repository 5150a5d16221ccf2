/* Sweeps over contacts between pairs of bodies in the space of velocities: each contact is solved for the
 * motion that the others give its bodies at the moment, which then moves on. */
#ifndef CAROM_CONTACT_COULOMB_PAIRS_PAIRS_SWEEP_H
#define CAROM_CONTACT_COULOMB_PAIRS_PAIRS_SWEEP_H

#include "contact/coulomb/local_contact.h"
#include "pairs_rows.h"

typedef struct pairs_sweep {
    const pairs_rows *rows;
    coulomb_local *contact; /* in space without moments only */
    double *rho;            /* with moments only: per contact, normal and parts */
    size_t room, rho_room;
} pairs_sweep;

/* False when memory is short. */
bool pairs_sweep_take(pairs_sweep *self, const pairs_rows *rows);
void pairs_sweep_free(pairs_sweep *self);

/* Once over all contacts, first to last or back, then all joints at once. Returns |change of r|^2. */
double pairs_sweep_once(pairs_sweep *self, bool backwards, double *r, double *v);
/* r of one contact from 0, as if there were no other one. False when there is nothing to solve with. */
bool pairs_sweep_alone(pairs_sweep *self, int contact, double *r);

#endif
