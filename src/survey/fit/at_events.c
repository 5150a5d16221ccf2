/* A motion whose data are the times of the impacts of one contact, one after the other. */
#include <math.h>
#include <stdlib.h>

#include "fit.h"

typedef struct witness {
    int contact;
    int told; /* events of the step */
    carom_numbers time,
        number; /* of the contact's impacts in the step: when, the how manieth event of the step */
    bool no_memory;
} witness;

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

/* The impacts of the step that was made; *row is that of the next impact. */
static void take_impacts(fit_motion *motion, const witness *seen, int *row)
{
    const fit_run *run = motion->run;
    if (!motion->problem->locates) {
        if (!fit_motion_struck(motion, motion->problem->contact))
            return;
        const int place = run->place[(*row)++];
        if (place >= 0)
            fit_motion_put(motion, place, motion->now.t, NULL, 1);
        return;
    }
    for (size_t i = 0; i < seen->time.length && *row < motion->prediction->rows; i++) {
        const int place = run->place[(*row)++];
        const double *derivative = event_derivatives(motion, (int)seen->number.value[i]);
        if (place >= 0)
            fit_motion_put(motion, place, seen->time.value[i], derivative, 1);
        if (motion->tangent && !derivative)
            motion->prediction->lost = true;
    }
}

static carom_status follow(fit_motion *motion, witness *seen, carom_error *error)
{
    const double last = last_time(motion);
    int row = 0;
    while (row < motion->prediction->rows) {
        if (!(motion->now.t < last))
            return carom_fail(error, CAROM_FAILED,
                              "contact '%s' has only %d impacts until t = %.6g, and %d times were measured",
                              motion->problem->experiment->model->contact[seen->contact].name, row,
                              motion->now.t, motion->prediction->rows);
        seen->told = 0;
        seen->time.length = seen->number.length = 0;
        const carom_status status = fit_motion_step(motion, error);
        if (status != CAROM_OK)
            return status;
        if (seen->no_memory)
            return carom_fail_memory(error);
        take_impacts(motion, seen, &row);
    }
    return CAROM_OK;
}

carom_status fit_motion_at_events(fit_motion *motion, carom_error *error)
{
    witness seen = {.contact = motion->problem->contact};
    if (motion->problem->locates)
        motion->stepper->listener = (carom_event_listener){.context = &seen, .take = take_event};
    const carom_status status = follow(motion, &seen, error);
    motion->stepper->listener = (carom_event_listener){0};
    free(seen.time.value);
    free(seen.number.value);
    return status;
}
