/* Runs of the event-driven scheme with a look inside it. */
#ifndef CAROM_TEST_SCHEME_EVENT_DRIVEN_EVENT_DRIVEN_RUNS_H
#define CAROM_TEST_SCHEME_EVENT_DRIVEN_EVENT_DRIVEN_RUNS_H

#include "scheme/event_driven/event_driven.h"

#include <stdlib.h>

#include "test/scheme/wall_pendulum.h"

static inline const event_driven *inside(const carom_stepper *stepper)
{
    return (const event_driven *)stepper;
}

static inline carom_stepper *start_events(hand_model *hand, double h, const double *q0, const double *v0)
{
    return hand_start(scheme_named("event-driven"), hand, 0.0, h, q0, v0);
}

/* zeno=continue */
static inline carom_stepper *start_on(hand_model *hand, double h, const double *q0, const double *v0)
{
    return hand_start_with(scheme_named("event-driven"), hand, 0.0, h, q0, v0, "zeno", 1.0);
}

/* Steps until the scheme gives up; the text says why. */
static inline void run_to_failure(carom_stepper *stepper, long steps, carom_error *error)
{
    for (long i = 0; i < steps; i++)
        if (carom_stepper_step(stepper, error) != CAROM_OK)
            return;
    fail_msg("no failure in %ld steps", steps);
}

#endif
