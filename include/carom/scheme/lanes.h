/* scheme/lanes: up to CAROM_LANES motions stepped side by side, each in a lane of vectors, with the bits that each has alone. Part of
 * room scheme.
 *
 *   carom_lanes *lanes = carom_lanes_create(stepper[0]);      NULL: such motions are stepped alone
 *   for (k ...) carom_lanes_enter(lanes, k, stepper[k]);
 *   carom_lanes_step(lanes, CAROM_LANES_ALL, status, error);  a step of each
 *
 * Motions need not be at the same time, nor have the same step or parameters; the model, the scheme and its options are the same. What
 * a scheme has no form for several of is made alone: in moreau-jean friction, several closed contacts, and what fails. */
#ifndef CAROM_SCHEME_LANES_H
#define CAROM_SCHEME_LANES_H

#include "carom/linalg/wide.h"
#include "carom/scheme.h"

typedef struct carom_lanes carom_lanes;

/* What a scheme that can do this defines. */
typedef struct carom_lane_ops {
    size_t size; /* of its struct, which begins with a carom_lanes */
    /* For steppers like this one; false: their steps have no form for several, or memory is short. */
    bool (*setup)(carom_lanes *self, const carom_stepper *like);
    void (*free)(carom_lanes *self);
    /* Whether a stepper of the same scheme is one like those. */
    bool (*fits)(const carom_lanes *self, const carom_stepper *stepper);
    /* A lane has another stepper from now on. */
    void (*enter)(carom_lanes *self, int lane);
    /* Steps those of `which` (bits) that it can and returns their bits; the others are to be stepped alone, and their steppers
     * have all that belongs to that. */
    unsigned (*step)(carom_lanes *self, unsigned which);
    /* The stepper of a lane gets all that it remembers from step to step; it may be stepped alone from then on. */
    void (*leave)(carom_lanes *self, int lane);
} carom_lane_ops;

struct carom_lanes {
    const carom_lane_ops *ops;
    carom_arena *arena;                  /* owns everything */
    carom_stepper *stepper[CAROM_LANES]; /* NULL: nobody */
    bool outputs;        /* set by the caller: carom_stepper.gap and energy are wanted at every state */
    long beside, single; /* steps that were made side by side, and alone */
};

/* NULL: motions like this one are stepped alone, or memory is short. */
carom_lanes *carom_lanes_create(const carom_stepper *like);
void carom_lanes_free(carom_lanes *lanes); /* NULL is fine */
/* Puts a stepper, which the caller keeps, into a lane, in the place of whoever was there, who may have been freed. False: it is of
 * another kind, and the lane is empty. */
bool carom_lanes_enter(carom_lanes *lanes, int lane, carom_stepper *stepper);
/* Takes the stepper out of its lane: it can be kept, stepped and asked for anything then. In a lane it has its state and its counts,
 * and that of its contacts. */
void carom_lanes_leave(carom_lanes *lanes, int lane);
/* carom_stepper_step of the lanes in `which` (bits, all of them taken), with a status and an error for each. */
void carom_lanes_step(carom_lanes *lanes, unsigned which, carom_status *status, carom_error *error);

#endif
