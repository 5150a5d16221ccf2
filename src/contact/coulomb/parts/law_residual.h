/* The law of friction problems part by part, contact after contact, from u and r: with W or without. */
#ifndef CAROM_CONTACT_COULOMB_PARTS_LAW_RESIDUAL_H
#define CAROM_CONTACT_COULOMB_PARTS_LAW_RESIDUAL_H

#include "carom/contact.h"

/* Sums over contacts; squares where the name ends so. */
typedef struct coulomb_law_sums {
    double q_square, r_square, v_square;
    double approach_square, outside_square, rounding_square;
    double power;
} coulomb_law_sums;

/* One contact; `terms_square`: the sizes of what u is the sum of, squared. */
void coulomb_law_add(coulomb_law_sums *sums, double mu, const double q[3], const double r[3],
                     const double u[3], double terms_square);
carom_coulomb_residual coulomb_law_residual(const coulomb_law_sums *sums);

/* What a small natural map is worth: OK, ROUNDING or STALLED. */
carom_solve_word coulomb_law_judge(const carom_coulomb_residual *residual, double tolerance);

#endif
