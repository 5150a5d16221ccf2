/* Several runs at once: their steps side by side where the scheme has them, all else one after the other. */
#include <stdlib.h>

#include "active_run.h"
#include "carom/scheme/lanes.h"

/* Runs that are under way, each in a lane. */
typedef struct beside {
    active_run run[CAROM_LANES];
    carom_lanes *lanes; /* NULL: there are none like these */
    carom_status *status;
    carom_error *error;
    unsigned running;
} beside;

/* What a step side by side does not have. */
static bool needs_its_own(const active_run *run)
{
    const carom_run_request *request = run->request;
    return request->bare || request->only_start || run->sensitivity || run_makes_checkpoints(run) ||
           !run->stepper;
}

static void begin(beside *self, int lane)
{
    active_run *run = &self->run[lane];
    const bool alone = needs_its_own(run);
    bool entered = !alone && self->lanes && carom_lanes_enter(self->lanes, lane, run->stepper);
    if (!alone && !entered && !self->running) { /* others than those before */
        carom_lanes_free(self->lanes);
        self->lanes = carom_lanes_create(run->stepper);
        if (self->lanes)
            self->lanes->outputs = true;
        entered = self->lanes && carom_lanes_enter(self->lanes, lane, run->stepper);
    }
    if (!entered) {
        self->status[lane] = run_alone(run, &self->error[lane]);
        return;
    }
    run_begin_moving(run);
    self->running |= 1U << lane;
}

static void step_all(beside *self)
{
    carom_status stepped[CAROM_LANES];
    for (int lane = 0; lane < CAROM_LANES; lane++)
        if (self->running >> lane & 1 &&
            !run_goes_on(&self->run[lane], &self->status[lane], &self->error[lane]))
            self->running &= ~(1U << lane);
    if (!self->running)
        return;
    carom_lanes_step(self->lanes, self->running, stepped, self->error);
    for (int lane = 0; lane < CAROM_LANES; lane++) {
        if (!(self->running >> lane & 1))
            continue;
        self->status[lane] = run_after_step(&self->run[lane], stepped[lane], &self->error[lane]);
        if (self->status[lane] != CAROM_OK)
            self->running &= ~(1U << lane);
    }
}

static void run_some(beside *self, int count, const carom_run_request *request, carom_run_result *result)
{
    const double started = carom_seconds();
    for (int i = 0; i < count; i++) {
        self->status[i] = run_open(&self->run[i], &request[i], &result[i], &self->error[i]);
        if (self->status[i] == CAROM_OK)
            begin(self, i);
    }
    while (self->running)
        step_all(self);
    for (int i = 0; i < count; i++) {
        if (self->lanes)
            carom_lanes_leave(self->lanes, i);
        self->status[i] = run_close(&self->run[i], self->status[i], &self->error[i]);
    }
    const double share = (carom_seconds() - started) / count;
    for (int i = 0; i < count; i++)
        result[i].wall_seconds = share;
}

carom_status carom_run_beside(int count, const carom_run_request *request, carom_run_result *result,
                              carom_lanes **lanes, carom_status *status, carom_error *error)
{
    beside *self = carom_new_array(1, sizeof *self);
    if (!self)
        return carom_fail_memory(error);
    self->lanes = lanes ? *lanes : NULL;
    for (int first = 0; first < count; first += CAROM_LANES) {
        const int some = count - first < CAROM_LANES ? count - first : CAROM_LANES;
        self->status = status + first;
        self->error = error + first;
        run_some(self, some, request + first, result + first);
    }
    if (lanes)
        *lanes = self->lanes;
    else
        carom_lanes_free(self->lanes);
    free(self);
    return CAROM_OK;
}
