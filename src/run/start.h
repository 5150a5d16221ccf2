/* The initial state of a run, and the proof that a motion can start from it. */
#ifndef CAROM_RUN_START_H
#define CAROM_RUN_START_H

#include "plan.h"

/* Fills `state` (memory from the arena; no impulses, all contacts open) and checks it: finite, no violated
 * contact, a mass matrix that is finite, symmetric and positive definite, a finite energy. `work` is
 * bound. */
carom_status run_start(const run_plan *plan, carom_model_work *work, carom_arena *arena, carom_state *state,
                       carom_error *error);

#endif
