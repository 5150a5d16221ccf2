/* A motion whose data are the times of the impacts of one contact, one after the other. */
#include <math.h>
#include <stdlib.h>

#include "fit.h"

struct fit_witness {
    int contact;
    int told; /* events of the step */
    carom_numbers time,
        number; /* of the contact's impacts in the step: when, the how manieth event of the step */
    bool no_memory;
};
typedef struct fit_witness witness;

static void take_event(void *context, const carom_event *event)
{
    witness *self = context;
    const int number = self->told++;
    if (event->kind != CAROM_EVENT_IMPACT || event->contact != self->contact)
        return;
    self->no_memory = self->no_memory || carom_numbers_append(&self->time, event->t, NULL) != CAROM_OK ||
                      carom_numbers_append(&self->number, number, NULL) != CAROM_OK;
}

/* The motion is given twice the time in which its impacts were measured. */
static double last_time(const fit_motion *motion)
{
    const fit_run *run = motion->run;
    double last = motion->now.t;
    for (int i = 0; i < motion->prediction->rows; i++)
        if (run->place[i] >= 0)
            last = fmax(last, run->data->value[i]);
    return last + (last - motion->now.t) + motion->stepper->h;
}

static const double *event_derivatives(const fit_motion *motion, int number)
{
    const carom_tangent *tangent = motion->tangent;
    if (!tangent || !tangent->event_time || number >= tangent->events)
        return NULL;
    return tangent->event_time + (size_t)number * (size_t)motion->columns;
}

/* The impacts of the step that was made; motion->row is that of the next impact. */
static void take_impacts(fit_motion *motion)
{
    const fit_run *run = motion->run;
    const witness *seen = motion->seen_events;
    if (!motion->problem->locates) {
        if (!fit_motion_struck(motion, motion->problem->contact))
            return;
        const int place = run->place[motion->row++];
        if (place >= 0)
            fit_motion_put(motion, place, motion->now.t, NULL, 1);
        return;
    }
    for (size_t i = 0; i < seen->time.length && motion->row < motion->prediction->rows; i++) {
        const int place = run->place[motion->row++];
        const double *derivative = event_derivatives(motion, (int)seen->number.value[i]);
        if (place >= 0)
            fit_motion_put(motion, place, seen->time.value[i], derivative, 1);
        if (motion->tangent && !derivative)
            motion->prediction->lost = true;
    }
}

carom_status fit_events_begin(fit_motion *motion, carom_error *error)
{
    witness *seen = carom_arena_take(motion->arena, 1, sizeof *seen);
    if (!seen)
        return carom_fail_memory(error);
    seen->contact = motion->problem->contact;
    motion->seen_events = seen;
    motion->last = last_time(motion);
    if (motion->problem->locates)
        motion->stepper->listener = (carom_event_listener){.context = seen, .take = take_event};
    return CAROM_OK;
}

bool fit_events_go_on(fit_motion *motion, carom_status *status, carom_error *error)
{
    witness *seen = motion->seen_events;
    if (motion->row >= motion->prediction->rows)
        return false;
    if (!(motion->now.t < motion->last)) {
        *status = carom_fail(error, CAROM_FAILED,
                             "contact '%s' has only %d impacts until t = %.6g, and %d times were measured",
                             motion->problem->experiment->model->contact[seen->contact].name, motion->row,
                             motion->now.t, motion->prediction->rows);
        return false;
    }
    seen->told = 0;
    seen->time.length = seen->number.length = 0;
    return true;
}

carom_status fit_events_take(fit_motion *motion, carom_error *error)
{
    if (motion->seen_events->no_memory)
        return carom_fail_memory(error);
    take_impacts(motion);
    return CAROM_OK;
}

void fit_events_end(fit_motion *motion)
{
    witness *seen = motion->seen_events;
    if (!seen)
        return;
    motion->stepper->listener = (carom_event_listener){0};
    free(seen->time.value);
    free(seen->number.value);
}
