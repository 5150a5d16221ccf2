#include "replay.h"

static void visit_all(replay *self, carom_stepper *stepper, carom_snapshot *snapshot)
{
    carom_stepper_keep_state(stepper, snapshot);
    carom_snapshot_block(snapshot, &stepper->counts, sizeof stepper->counts);
    carom_snapshot_block(snapshot, &stepper->warnings, sizeof stepper->warnings);
    carom_snapshot_block(snapshot, &stepper->works, sizeof stepper->works);
    carom_snapshot_block(snapshot, &self->steps, sizeof self->steps);
    self->visit(stepper, snapshot);
}

void replay_mark(replay *self, carom_stepper *stepper)
{
    self->steps = stepper->counts.steps;
    self->evaluations = 0;
    self->mark.length = 0; /* what is visited is as long as it was */
    visit_all(self, stepper, &self->mark);
}

carom_status replay_begin(replay *self, carom_stepper *stepper,
                          void (*visit)(carom_stepper *stepper, carom_snapshot *snapshot), carom_error *error)
{
    self->visit = visit;
    replay_mark(self, stepper);
    return self->mark.failed ? carom_fail_memory(error) : CAROM_OK;
}

static bool restore_mark(replay *self, carom_stepper *stepper)
{
    carom_snapshot mark = carom_snapshot_of(self->mark.bytes, self->mark.length);
    visit_all(self, stepper, &mark);
    self->evaluations = 0;
    return !mark.failed && mark.place == mark.length;
}

/* The steps since the mark, until there are `steps` of them; the caller's questions wait. */
static bool repeat(carom_stepper *stepper, long steps)
{
    const carom_event_listener listener = stepper->listener;
    const carom_stop stop = stepper->stop;
    carom_error error;
    bool good = true;
    stepper->listener = (carom_event_listener){0};
    stepper->stop = (carom_stop){0};
    while (good && stepper->counts.steps < steps)
        good = carom_stepper_step(stepper, &error) == CAROM_OK;
    stepper->listener = listener;
    stepper->stop = stop;
    return good;
}

void replay_keep(replay *self, carom_stepper *stepper, carom_snapshot *snapshot)
{
    long steps = stepper->counts.steps;
    size_t length = self->mark.length;
    carom_snapshot_block(snapshot, &steps, sizeof steps);
    carom_snapshot_block(snapshot, &length, sizeof length);
    /* blocks hold what they are asked for: the mark is as long in every stepper that has these settings */
    if (snapshot->failed || self->mark.failed || length != self->mark.length) {
        snapshot->failed = true;
        return;
    }
    carom_snapshot_block(snapshot, self->mark.bytes, length);
    if (!snapshot->restores || snapshot->failed)
        return;
    snapshot->failed = !restore_mark(self, stepper) || !repeat(stepper, steps);
}

void replay_free(replay *self)
{
    carom_snapshot_free(&self->mark);
}
