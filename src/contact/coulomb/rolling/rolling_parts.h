/* Where the numbers of a contact with rolling friction stand among those of its parts, three per part:
 *
 *   dimension   frictions 0 .. n-1     rollings n .. 2n-1     torsions 2n .. 3n-1
 *   3           N T -                  . R -
 *   5           N T1 T2                . R1 R2
 *   6           N T1 T2                . R1 R2                . N -
 *
 * The point is the normal of a part, which repeats that of its contact. */
#ifndef CAROM_CONTACT_COULOMB_ROLLING_ROLLING_PARTS_H
#define CAROM_CONTACT_COULOMB_ROLLING_ROLLING_PARTS_H

#include "carom/contact/rolling.h"

/* Numbers of the friction of a contact: normal and tangents. */
static inline int rolling_slips(int dimension)
{
    return dimension == 3 ? 2 : 3;
}

static inline int rolling_place(int dimension, int contacts, int contact, int k)
{
    const int slips = rolling_slips(dimension), moment = k - slips;
    if (moment < 0)
        return 3 * contact + k;
    return moment < 2 ? 3 * (contacts + contact) + 1 + moment : 3 * (2 * contacts + contact) + 1;
}

/* Coefficients of the friction, the rolling and the torsion of a contact, as its parts have them. */
static inline void rolling_coefficients(const carom_rolling *problem, int contact, double coefficient[3])
{
    coefficient[0] = problem->mu[contact];
    coefficient[1] = problem->mu_r[contact] / problem->length[contact];
    coefficient[2] = problem->mu_t ? problem->mu_t[contact] / problem->length[contact] : 0.0;
}

/* mu of all parts. */
void rolling_fill_coefficients(const carom_rolling *problem, double *mu);

/* (normal / spin)^(1/2); 1 where there is no such length. */
double rolling_length(double normal, double spin);

/* Summary and regimes of r and u, three per part, whose error is known. */
void rolling_summarise(const carom_rolling *problem, const double *r, const double *u, unsigned char *regime,
                       carom_coulomb_summary *summary);

/* BAD_INPUT when these do not make a problem with rolling friction. */
carom_status rolling_check(int dimension, int contacts, int reactions, const double *mu_r, const double *mu_t,
                           carom_error *error);

#endif
