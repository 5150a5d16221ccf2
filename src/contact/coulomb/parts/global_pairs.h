/* Global problems that are those of rigid bodies which push each other in pairs: the solver of pairs, in the space of velocities,
 * is for them. */
#ifndef CAROM_CONTACT_COULOMB_PARTS_GLOBAL_PAIRS_H
#define CAROM_CONTACT_COULOMB_PARTS_GLOBAL_PAIRS_H

#include "carom/contact/pairs.h"

enum {
    GLOBAL_REDUCED_MOST = 500 /* contacts up to which W is made where nothing else helps */
};

/* The problem in the form of pairs, with the free motion v_free = M^-1 f (its velocities as the global problem has them). */
typedef struct global_pairs {
    carom_pairs pairs;
    double *free;
    const double *inverse; /* J^-1, 9 per body */
    carom_arena *arena;    /* owns all */
} global_pairs;

/* Does M consist of blocks diag(m, m, J) of three velocities in the plane, diag(m, m, m, J) of six in space, and does every contact
 * push one of them, or two in opposite directions, along rows that are orthonormal? All to rounding. From M and H alone. */
bool global_pairs_suit(const carom_coulomb_global *global);
/* For problems that suit. NO_MEMORY. */
carom_status global_pairs_take(const carom_coulomb_global *global, global_pairs *made, carom_error *error);
void global_pairs_free(global_pairs *made);

/* v = M^-1 push, body by body. */
void global_pairs_move(const global_pairs *made, const double *push, double *v);

/* As carom_coulomb_solve_global, with the tolerance of `limits` filled in: solves until the error of the problem itself, in its own
 * units, is below it. CAROM_FAILED, without a text: not solved so, r and v are the start's. */
carom_status global_pairs_solve(const carom_coulomb_global *global, const carom_solver_options *limits,
                                double *v, double *r, carom_solve_report *report, carom_error *error);

#endif
