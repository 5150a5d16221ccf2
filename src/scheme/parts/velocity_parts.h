/* Inside of velocity_tangent.c, for the look at breaks. */
#ifndef CAROM_SCHEME_PARTS_VELOCITY_PARTS_H
#define CAROM_SCHEME_PARTS_VELOCITY_PARTS_H

#include "velocity_tangent.h"

typedef struct moved {
    const double *old_q, *old_v, *u; /* of the state before, and of the velocity after */
    bool still; /* positions, velocities, time and parameters do not change: impulses only */
} moved;

/* A point of the step, and its derivative along a direction, into dq. */
static inline double velocity_time_at(const velocity_tangent *self, const step_point *point)
{
    return self->base.t_before + point->time * self->base.stepper->h;
}

void velocity_place_at(velocity_tangent *self, const step_point *point, double *q);
carom_direction velocity_direction_at(velocity_tangent *self, const step_direction *d, const moved *to,
                                      const step_point *at, const step_point *at_along,
                                      const double *velocity, double *dq);
moved velocity_find_moved(velocity_tangent *self, const step_direction *d);

static inline const carom_row *velocity_row(const carom_contact_frame *frame, int component)
{
    return component == 0 ? &frame->normal : &frame->tangent[component - 1];
}

static inline double velocity_along_row(const carom_contact_frame *frame, int component, const double *v)
{
    const double rate = component == 0 ? frame->normal_rate : frame->tangent_rate[component - 1];
    return carom_row_dot(velocity_row(frame, component), v) + rate;
}

/* du of a contact, target and all; self->along becomes the derivative of its frame. */
void velocity_contact_along(velocity_tangent *self, const contact_status *status, const step_direction *d,
                            const moved *to, double *du);

/* velocity_breaks.c: after the equations of a step with contacts are solved. */
void velocity_look_for_breaks(velocity_tangent *self);

#endif
