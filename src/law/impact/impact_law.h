/* What the laws of impact share beyond the public parts: contact space, and its complementarity problems. */
#ifndef CAROM_LAW_IMPACT_IMPACT_LAW_H
#define CAROM_LAW_IMPACT_IMPACT_LAW_H

#include "carom/law.h"

/* dv = v+ - v- = M^-1 (W p + J^T lambda); dv has a place per coordinate, lambda one per joint; it may be NULL. */
void contact_space_move(const carom_contact_space *space, const double *p, double *dv, double *lambda);

/* y = base + G p; dv (coordinates) is left with v+ - v-. Where impulses nearly balance, as in a
 * long chain, this is far more accurate than G p: the differences of neighbours are exact, and G has not been
 * rounded. */
void contact_space_answer(const carom_contact_space *space, const double *base, const double *p, double *dv,
                          double *y);

/* What the rounding of impulses alone may do to the velocity of a contact: large impulses that nearly balance
 * leave a small velocity. */
double contact_space_rounding(const carom_contact_space *space, int contact, const double *p);

/* What a residual of carom_impact_lcp means, against the velocities of the impact and the rounding of p. */
carom_impact_word impact_lcp_word(const carom_contact_space *space, const double *p, double residual);

/* Most contacts that are worth matrices of contacts^2 where G is sparse. */
enum {
    IMPACT_DENSE = 500
};

/* chain_complementarity.c: G tridiagonal with couplings <= 0. Contacts in the order of the chain; time and memory
 * proportional to their number. */
typedef enum impact_chain_outcome {
    IMPACT_CHAIN_SOLVED,
    IMPACT_CHAIN_INFEASIBLE,
} impact_chain_outcome;
bool impact_chain_fits(const carom_contact_space *space);
size_t impact_chain_work(const carom_impact_sizes *sizes);
impact_chain_outcome impact_chain_solve(const carom_contact_space *space, const double *b, double *work,
                                        double *p);
/* Do the contacts of a chain depend on each other? work: a double per contact. */
bool impact_chain_redundant(const carom_contact_space *space, double *work);

/* sparse_complementarity.c: any sparse G, projected conjugate gradients from p. Infinity: no solution. */
size_t impact_gradient_work(const carom_impact_sizes *sizes);
double impact_gradient_solve(const carom_contact_space *space, const double *b, double tolerance,
                             double *work, double *p);

/* ---- redundant contacts: columns of W that depend on each other (redundant.c) -----------------------  */

/* Up to IMPACT_DENSE contacts, and chains of any length; false where it is not known. */
size_t impact_redundant_work(const carom_impact_sizes *sizes);
bool impact_is_redundant(const carom_contact_space *space, double *work);

/* Replaces impulses by the smallest (Euclidean norm) that give the same velocity and are zero where
 * after > tolerance. False and nothing changed when the contacts with after <= tolerance do not depend on
 * each other, when they have one restitution, or when they are more than IMPACT_DENSE. */
bool impact_smallest_impulses(const carom_contact_space *space, const double *after, double tolerance,
                              double *work, double *p);

#endif
