/* Checkpoints of schemes whose integrator cannot be kept: the stepper at an output at which the integrator begins afresh,
 * and how many steps followed. To go on is to make these steps again.
 *
 *   output   0 . . . . . . . . . N . . . . . . . . 2 N . . . .      the integrator begins afresh at 0, N, 2 N, ...
 *                                                   |------>|       again      a checkpoint
 *
 * So it does in a run without checkpoints, too: its numbers depend on where. */
#ifndef CAROM_SCHEME_PARTS_REPLAY_H
#define CAROM_SCHEME_PARTS_REPLAY_H

#include "carom/scheme.h"

enum {
    /* Evaluations of rates after which the next output is such a one: some hundred more for the short steps after it. */
    REPLAY_EVALUATIONS = 100000
};

typedef struct replay {
    carom_snapshot mark; /* of the stepper there */
    long steps;          /* until there */
    long evaluations;    /* since then */
    /* What the scheme remembers there, as carom_scheme_ops.keep; when it is given back, the integrator is to begin afresh. */
    void (*visit)(carom_stepper *stepper, carom_snapshot *snapshot);
} replay;

/* At the end of setup. NO_MEMORY. */
carom_status replay_begin(replay *self, carom_stepper *stepper,
                          void (*visit)(carom_stepper *stepper, carom_snapshot *snapshot),
                          carom_error *error);
/* Whether the integrator is to begin afresh at this output. */
static inline bool replay_is_due(const replay *self)
{
    return self->evaluations >= REPLAY_EVALUATIONS;
}
/* It does: remembers the stepper. Allocates nothing. */
void replay_mark(replay *self, carom_stepper *stepper);
/* As carom_scheme_ops.keep; to restore makes the steps, of which no listener is told. */
void replay_keep(replay *self, carom_stepper *stepper, carom_snapshot *snapshot);
void replay_free(replay *self);

#endif
