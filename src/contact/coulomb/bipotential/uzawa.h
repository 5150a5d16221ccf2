/* Uzawa's iteration by itself: one sweep after the other, for drivers that know when to stop. */
#ifndef CAROM_CONTACT_COULOMB_BIPOTENTIAL_UZAWA_H
#define CAROM_CONTACT_COULOMB_BIPOTENTIAL_UZAWA_H

#include "carom/contact/bipotential.h"

typedef struct coulomb_uzawa {
    const carom_elliptic_problem *problem;
    carom_uzawa_sweep sweep;
    int visits;
    double visit_tolerance; /* relative change at which the visits of one contact end */
    double *rho;            /* per contact */
    double *next;           /* 3 per contact: of Jacobi */
    double best_change;     /* smallest since rho was last chosen */
    int waiting;            /* sweeps since then */
    int patience;           /* sweeps without a smaller change after which rho is halved; 50 */
    int halvings;
    long visited; /* predictor and corrector steps */
} coulomb_uzawa;

enum {
    COULOMB_UZAWA_WORK = 7 /* numbers per contact */
};
/* rho <= 0: by eigenvalues. */
coulomb_uzawa coulomb_uzawa_begin(const carom_elliptic_problem *problem, carom_uzawa_sweep sweep, double rho,
                                  int visits, double *work);

/* All contacts once; r is renewed. Returns |r' - r|; halves rho where that has ceased to fall. */
double coulomb_uzawa_advance(coulomb_uzawa *self, double *r);

#endif
