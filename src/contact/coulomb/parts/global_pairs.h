/* Global problems that are those of rigid bodies which push each other in pairs: the solver of pairs, in the space of velocities,
 * is for them. */
#ifndef CAROM_CONTACT_COULOMB_PARTS_GLOBAL_PAIRS_H
#define CAROM_CONTACT_COULOMB_PARTS_GLOBAL_PAIRS_H

#include <stdbool.h>

#include "carom/contact/pairs.h"

enum {
    GLOBAL_REDUCED_MOST = 500 /* contacts up to which W is made where nothing else helps */
};

/* The problem in the form of pairs, with the free motion v_free = M^-1 f (its velocities as the global problem has them). Of a
 * problem with rolling friction this is the friction alone: rows of moments are left out. */
typedef struct global_pairs {
    carom_pairs pairs;
    carom_pair_rows *row;  /* of pairs */
    double *free;          /* v_free */
    double *u;             /* H^T v_free + w, as many numbers per contact as the problem has */
    const double *inverse; /* J^-1, 9 per body */
    double *room;          /* that was asked for */
    void *memory;          /* owns all */
} global_pairs;

static inline bool global_pairs_in_plane(const carom_coulomb_global *global)
{
    return global->dimension == (global->mu_r ? 3 : 2);
}

/* Numbers of the friction of a contact: normal and tangents. */
static inline int global_pairs_slips(const carom_coulomb_global *global)
{
    return global_pairs_in_plane(global) ? 2 : 3;
}

/* Does M consist of blocks diag(m, m, J) of three velocities in the plane, diag(m, m, m, J) of six in space, ... */
bool global_pairs_bodies_suit(const carom_coulomb_global *global);
/* ... and does a contact push one of them, or two in opposite directions, along rows that are orthonormal? All to rounding; fills
 * the row but for its answers. */
bool global_pairs_read_contact(const carom_coulomb_global *global, int contact, carom_pair_rows *row);
/* Both, of all contacts. From M and H alone. */
bool global_pairs_suit(const carom_coulomb_global *global);
/* FAILED, without a text: it has not this form; NO_MEMORY. `room`: so many numbers more, all 0, for the caller. */
carom_status global_pairs_take(const carom_coulomb_global *global, size_t room, global_pairs *made,
                               carom_error *error);
void global_pairs_free(global_pairs *made);

/* v = M^-1 push, body by body. */
void global_pairs_move(const global_pairs *made, const double *push, double *v);

/* Numbers of room that global_pairs_solve needs. */
size_t global_pairs_solve_room(const carom_coulomb_global *global);
/* As carom_coulomb_solve_global, with the tolerance of `limits` filled in: solves until the error of the problem itself, in its own
 * units, is below it. CAROM_FAILED, without a text: not solved so, r and v are the start's. */
carom_status global_pairs_solve(const carom_coulomb_global *global, const global_pairs *made,
                                const carom_solver_options *limits, double *v, double *r,
                                carom_solve_report *report, carom_error *error);

#endif
