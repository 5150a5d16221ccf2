/* Events of schemes that do not locate them, per step. */
#ifndef CAROM_RUN_STEP_EVENTS_H
#define CAROM_RUN_STEP_EVENTS_H

#include "carom/run.h"
#include "event_list.h"

typedef struct step_events {
    carom_model_work *work;
    carom_row_layout layout;
    carom_contact_frame frame;
} step_events;

/* False when memory is short. The model must have frames. */
bool step_events_take(step_events *self, carom_arena *arena, carom_model_work *work,
                      const carom_row_layout *layout);

/* Appends what happened in the step from the output `before` to the output `row`. */
void step_events_find(step_events *self, const carom_stepper *stepper, const double *before,
                      const double *row, event_list *list);

#endif
