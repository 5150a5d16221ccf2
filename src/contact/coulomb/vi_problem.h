/* Variational inequalities over a product of one set per contact: find r in X with F(r).(s - r) >= 0 for all
 * s in X. FC(W, q, mu) is one (Acary, Bremond and Huber 2018, (40)); so are the convex programs that loops
 * solve for it. */
#ifndef CAROM_CONTACT_COULOMB_VI_PROBLEM_H
#define CAROM_CONTACT_COULOMB_VI_PROBLEM_H

#include "carom/contact.h"

typedef enum coulomb_set {
    COULOMB_SET_CONE,      /* |r_T| <= mu r_N */
    COULOMB_SET_CYLINDER,  /* r_N >= 0, |r_T| <= radius */
    COULOMB_SET_HALF_LINE, /* r_N >= 0; r_T stays as it is */
    COULOMB_SET_DISK,      /* |r_T| <= radius; r_N stays as it is */
} coulomb_set;

/* F(r) = W r + b, its normal parts raised by mu |(W r + b)_T| when `corrected`; parts of r that the set
 * leaves as they are have F = 0. */
typedef struct coulomb_vi {
    carom_blocks W;
    const double *b;      /* 3 per contact */
    const double *mu;     /* read for cones and when corrected */
    const double *radius; /* read for cylinders and disks */
    coulomb_set set;
    bool corrected;
} coulomb_vi;

/* The inequality (40) that FC(W, q, mu) is. */
coulomb_vi coulomb_vi_of(const carom_coulomb *problem);

void coulomb_vi_map(const coulomb_vi *vi, const double *r, double *F);

/* p = P_X(r - rho F); p may be r. */
void coulomb_vi_project(const coulomb_vi *vi, const double *r, double rho, const double *F, double *p);

/* |r - P_X(r - F)|, zero exactly at a solution when F = F(r). */
double coulomb_vi_residual(const coulomb_vi *vi, const double *r, const double *F);

/* The largest row sum of |W|. */
double coulomb_row_norm(const carom_blocks *W);

#endif
