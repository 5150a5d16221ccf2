/* Several motions of a fit at once: those of a trial, and of the differences beside it. */
#include "carom/scheme/lanes.h"
#include "fit.h"

typedef struct group {
    fit_motion motion[FIT_BESIDE];
    carom_lanes *lanes; /* NULL: none like these */
    unsigned running;
} group;

/* It is in a lane, or it has been moved alone. */
static carom_status move_or_enter(group *self, int k, carom_error *error)
{
    fit_motion *motion = &self->motion[k];
    const bool alone = motion->tangent || motion->problem->own_steps;
    if (!self->lanes && !alone)
        self->lanes = carom_lanes_create(motion->stepper);
    if (alone || !self->lanes || !carom_lanes_enter(self->lanes, k, motion->stepper))
        return fit_motion_move(motion, error);
    self->running |= 1U << k;
    return CAROM_OK;
}

static void step_all(group *self, carom_status *status, carom_error *error)
{
    carom_status stepped[CAROM_LANES];
    for (int k = 0; k < FIT_BESIDE; k++)
        if (self->running >> k & 1 && !fit_motion_goes_on(&self->motion[k], &status[k], &error[k]))
            self->running &= ~(1U << k);
    if (!self->running)
        return;
    carom_lanes_step(self->lanes, self->running, stepped, error);
    for (int k = 0; k < FIT_BESIDE; k++) {
        if (!(self->running >> k & 1))
            continue;
        status[k] = fit_motion_after_step(&self->motion[k], stepped[k], &error[k]);
        if (status[k] != CAROM_OK)
            self->running &= ~(1U << k);
    }
}

void fit_predict_beside(fit_problem *problem, int count, const double *const *x,
                        fit_prediction *const *prediction, carom_status *status, carom_error *error)
{
    group self = {0};
    for (int k = 0; k < count; k++) {
        status[k] = fit_motion_open(&self.motion[k], problem, x[k], prediction[k], &error[k]);
        if (status[k] == CAROM_OK)
            status[k] = move_or_enter(&self, k, &error[k]);
    }
    while (self.running)
        step_all(&self, status, error);
    for (int k = 0; k < count; k++) {
        if (self.lanes)
            carom_lanes_leave(self.lanes, k);
        status[k] = fit_motion_close(&self.motion[k], status[k], &error[k]);
    }
    carom_lanes_free(self.lanes);
}
