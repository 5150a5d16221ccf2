/* Large islands with joints: the contact problem stays in its parts, contacts and equations between pairs of bodies
 * (carom/contact/pairs.h), so that memory and time of a step grow like the island. For islands of points and joints alone, each
 * equation between two free bodies at most; those with limits, motors, contacts of expressions or coordinates have a
 * full W (jointed.c), as small ones do in models with few joints. */
#ifndef CAROM_SCHEME_BODIES_JOINTED_PAIRS_H
#define CAROM_SCHEME_BODIES_JOINTED_PAIRS_H

#include "carom/contact/pairs.h"
#include "carom/scheme.h"

typedef struct body_step_jointed_pairs {
    bool allowed;             /* the solver knows joints */
    carom_pairs_solver *lift; /* of projections, which need not be as precise */
    bool *wide;               /* per equation: of more than two free bodies */
    int *island;              /* per equation, -1: in none */
    int *start, *list;        /* equations of each island; starts have room for all islands */
    carom_pair_joint *joint;  /* as an island has them, at its places of the list */
    int *body;                /* of an island's bodies, at its places: their own numbers */
    bool *is_large;           /* per island */
    carom_pairs *problem;     /* per island that is large */
} body_step_jointed_pairs;

struct body_step;

carom_status jointed_pairs_set_up(struct body_step *self, carom_error *error);
/* Room for so many islands; false when memory is short. */
bool jointed_pairs_take_room(body_step_jointed_pairs *pairs, size_t islands);
void jointed_pairs_free(body_step_jointed_pairs *pairs);

/* Says of all islands with joints which are large, from now on. */
void jointed_pairs_find(struct body_step *self);
/* Bodies of the equations of an island have no number. */
void jointed_pairs_forget(struct body_step *self, int island);
/* They get the next ones, with `mass`, and the problem its equations. */
void jointed_pairs_gather(struct body_step *self, int island, double *mass, carom_pairs *problem);
/* Islands that are not solved and not too large for a full W are not large any more. */
void jointed_pairs_give_up(struct body_step *self);
/* All large islands, whose impulses are found: x += what these and their joints do, by the factor of all joints. The errors are
 * those of this motion: of the contacts, and of the joints. In a projection reactions stay as they are. */
void jointed_pairs_finish(struct body_step *self, bool projection, double *x);

#endif
