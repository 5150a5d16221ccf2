/* Lanes of moreau-jean, for the files that fill and step them: jean_lanes.c, jean_lanes_step.c. */
#ifndef CAROM_SCHEME_MOREAU_JEAN_JEAN_LANES_H
#define CAROM_SCHEME_MOREAU_JEAN_JEAN_LANES_H

#include "carom/model/wide.h"
#include "carom/scheme/lanes.h"
#include "moreau_jean.h"

enum {
    NO_CONTACT = -1, /* in place of a contact's number */
    SEVERAL = -2
};

typedef struct jean_lanes {
    carom_lanes base;
    carom_model_wide *model;
    int n, contacts;
    double theta, prediction, looseness;
    bool constant_newton, affine, newton_diagonal, mass_diagonal;
    /* Lanes whose numbers here are those of their steppers, or newer ones: the state of a stepper is always that of its lane, what it
     * remembers beside it only after leave(). */
    unsigned current;
    unsigned symmetric; /* of these: a constant Newton matrix is, and serves with contacts, too */
    bool factored;      /* constant Newton matrices, of all lanes */
    /* What a stepper remembers, one for all lanes ... */
    carom_wide *t0, *h, *slow, *steps, *t;
    carom_wide *past_contact, *smooth;
    carom_wide_mask *force_known;
    /* ... or n of it: */
    carom_wide *q_old, *v_old, *past, *earlier, *force_old;
    /* The step under way. */
    carom_wide *t_end, *t_mid, *t_ahead;
    carom_wide *contact, *target; /* number of the closed contact, and the velocity that its law asks for */
    carom_wide *q, *v, *q_mid, *force_new, *v_free, *v_free_last, *v_next;
    carom_wide *row, *response; /* of that contact: the normal, and what an impulse along it does */
    carom_wide *own, *away;     /* ... to its own velocity; its velocity without it, less the target */
    carom_wide *gap;
    carom_wide *mass, *by_q, *by_u; /* n x n */
    carom_wide *matrix, *factor;    /* of Newton's method */
    carom_wide_mask *exchanged;     /* n x n: row k was exchanged with row i > k */
    /* Of the states, where outputs are wanted: for all lanes, and lane by lane. */
    carom_wide *energy;
    double *energy_of, *gap_of; /* one, and `contacts` of them, for each lane */
} jean_lanes;

static inline moreau_jean *jean_of(const jean_lanes *self, int lane)
{
    return (moreau_jean *)self->base.stepper[lane];
}

/* jean_lanes_step.c: steps those of `which` (bits) that it can, and returns their bits. Their numbers are those of the end then; frames
 * along which contacts acted are with their steppers. */
unsigned jean_lanes_step_wide(jean_lanes *self, unsigned which);

#endif
