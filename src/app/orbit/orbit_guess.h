/* Guesses for shooting. */
#ifndef CAROM_APP_ORBIT_ORBIT_GUESS_H
#define CAROM_APP_ORBIT_ORBIT_GUESS_H

#include "app/orbit_output.h"

/* From a run of the event-driven scheme from the initial state to the first impact asked for. The flights of
 * the shot are set before, and improved where the run strikes in the same order. */
carom_status orbit_guess_run(const orbit_subject *subject, const orbit_request *request, carom_shot *shot,
                             carom_error *error);
/* With one impact: a motion of the linearised model at another period, *from, followed to the one asked for.
 * FAILED: there is none, or its branch ends before. */
carom_status orbit_guess_follow(const orbit_subject *subject, const orbit_linear *linear,
                                const orbit_request *request, carom_shot *shot, double *from,
                                carom_error *error);

#endif
