/* Where a step on the level of velocities is not differentiable: statuses that are not strict. */
#include <math.h>

#include "velocity_parts.h"

/* A status with a smaller margin is not strict. */
static const double strict_margin = 1e-9;
/* A gap that is smaller, relative to the length of the model, is zero to rounding. */
static const double zero_gap = 1e-12;
/* A derivative of a gap or of a slip that is smaller, relative to the derivatives of the coordinates, is zero to rounding. */
static const double zero_change = 1e-12;

static bool is_at_zero(const velocity_tangent *self, int contact)
{
    for (int k = 0; self->now.restitution == RESTITUTION_POSITION && k < self->now.active_count; k++)
        if (self->status[k].contact == contact)
            return false; /* where it was put */
    return !self->base.stepper->model->contact[contact].friction_force &&
           fabs(self->now.gap[contact]) <= zero_gap * self->base.stepper->scales.length;
}

static bool is_active(const velocity_tangent *self, int contact)
{
    for (int k = 0; k < self->now.active_count; k++)
        if (self->now.active[k] == contact)
            return true;
    return false;
}

/* A contact that is about to act or not: its gap is zero to rounding where the step looks, and changes along a column. */
static void look_at_gaps(velocity_tangent *self)
{
    carom_stepper *stepper = self->base.stepper;
    bool any = false;
    for (int k = 0; k < self->contacts; k++)
        any = any || is_at_zero(self, k);
    if (!any)
        return;
    velocity_place_at(self, &self->now.gaps, self->q_force[0]);
    for (int c = 0; c < self->base.columns; c++) {
        step_direction d = step_tangent_direction(&self->base, c);
        d.z = step_tangent_solution(&self->step, c);
        const moved to = velocity_find_moved(self, &d);
        const carom_direction at =
            velocity_direction_at(self, &d, &to, &self->now.gaps, &self->now_along.gaps, NULL, self->dq_rows);
        stepper->model->ops->tangent->gaps(stepper->work, velocity_time_at(self, &self->now.gaps),
                                           self->q_force[0], 1, &at, self->gap_along);
        for (int k = 0; k < self->contacts; k++)
            if (is_at_zero(self, k) && fabs(self->gap_along[k]) > zero_change * carom_largest(self->n, at.q))
                carom_tangent_tell(&self->base, self->base.t_before,
                                   "contact '%s' has gap 0 where the step looks: it acts on one side only; "
                                   "taken: the side on which it %s",
                                   stepper->model->contact[k].name, is_active(self, k) ? "acts" : "does not");
    }
}

/* Whether the other status of a contact would give other derivatives, all as velocities. */
static bool matters(velocity_tangent *self, const contact_status *status)
{
    const carom_scales *scales = &self->base.stepper->scales;
    double size = 0.0, found = 0.0;
    for (int c = 0; c < self->base.columns; c++) {
        const double *dz = step_tangent_solution(&self->step, c);
        step_direction d = step_tangent_direction(&self->base, c);
        d.z = dz;
        const moved to = velocity_find_moved(self, &d);
        double du[CAROM_CONTACT_COMPONENTS] = {0};
        velocity_contact_along(self, status, &d, &to, du);
        size = fmax(size, fmax(carom_largest(self->n, dz), carom_largest(self->n, d.before + self->n)));
        size = fmax(size, carom_largest(self->n, d.before) / scales->time);
        for (int i = status->open || status->slip != SLIP_NONE ? 0 : 1; i <= status->tangents; i++)
            found = fmax(found, fabs(du[i]));
        for (int i = 0; i < contact_tangent_count(status); i++)
            found = fmax(found, fabs(dz[status->first + i]) / scales->mass);
    }
    return found > 1e-9 * size;
}

/* The largest term of the velocities of a contact. */
static double velocity_scale(const velocity_tangent *self, const contact_status *status)
{
    const carom_contact_frame *frame = &self->frame[status->contact];
    double scale = fabs(frame->normal_rate);
    for (int i = 0; i <= status->info->tangents; i++) {
        const carom_row *row = velocity_row(frame, i);
        for (int j = 0; j < row->count; j++) {
            const int column = carom_row_column(row, j);
            scale = fmax(scale, fabs(row->value[j]) * fmax(fabs(self->base.stepper->state.v[column]),
                                                           fabs(self->base.v_before[column])));
        }
    }
    return scale;
}

static void look_at_statuses(velocity_tangent *self)
{
    double impulse = 0.0;
    for (int k = 0; k < self->now.active_count; k++)
        impulse = fmax(impulse, fabs(self->status[k].p[0]));
    for (int k = 0; k < self->now.active_count; k++) {
        const contact_status *status = &self->status[k];
        const char *other = "";
        const double margin = contact_tangent_margin(status, impulse, velocity_scale(self, status), &other);
        if (margin < strict_margin && matters(self, status))
            carom_tangent_tell(
                &self->base, self->base.stepper->state.t,
                "contact '%s' %s on one side, and not on the other; taken: the side on which it "
                "does not",
                status->info->name, other);
    }
}

/* The largest term of the derivative of a slip along a column at the start, and the largest derivative of a velocity. */
static double slip_size(const velocity_tangent *self, const contact_status *status, const double *before)
{
    double size = carom_largest(self->n, before + self->n);
    for (int i = 1; i <= status->info->tangents; i++) {
        const carom_row *row = velocity_row(&self->start_frame[status->contact], i),
                        *along = velocity_row(&self->start_along, i);
        size = fmax(size, fabs(self->start_along.tangent_rate[i - 1]));
        for (int j = 0; j < row->count; j++)
            size = fmax(size, fabs(row->value[j] * before[self->n + carom_row_column(row, j)]));
        for (int j = 0; j < along->count; j++)
            size = fmax(size, fabs(along->value[j] * self->base.v_before[carom_row_column(along, j)]));
    }
    return size;
}

/* A contact that is closed and does not slip at all at the start begins with its static friction: with any slip it would not. */
static void look_at_start(velocity_tangent *self)
{
    const carom_stepper *stepper = self->base.stepper;
    const carom_model_tangent_ops *along = stepper->model->ops->tangent;
    for (int k = 0; k < self->now.active_count; k++) {
        const contact_status *status = &self->status[k];
        if (!status->info->friction.two_level || !status->sticking)
            continue;
        carom_contact_frame *frame = &self->start_frame[status->contact];
        stepper->model->ops->frame(stepper->work, status->contact, self->base.t_before, self->base.q_before,
                                   frame);
        for (int c = 0; c < self->base.columns; c++) {
            const step_direction d = step_tangent_direction(&self->base, c);
            const carom_direction start = {d.t, d.before, NULL, d.parameter};
            along->frame(stepper->work, status->contact, self->base.t_before, self->base.q_before, 1, &start,
                         &self->start_along);
            double slip = 0.0;
            for (int i = 1; i <= status->info->tangents; i++)
                slip = fmax(slip, fabs(velocity_along_row(&self->start_along, i, self->base.v_before) +
                                       carom_row_dot(velocity_row(frame, i), d.before + self->n)));
            if (slip > zero_change * slip_size(self, status, d.before))
                carom_tangent_tell(&self->base, self->base.t_before,
                                   "contact '%s' begins without slip, under static friction: with any slip "
                                   "it begins under dynamic friction; taken: static friction",
                                   status->info->name);
        }
    }
}

void velocity_look_for_breaks(velocity_tangent *self)
{
    look_at_gaps(self);
    look_at_statuses(self);
    if (self->base.stepper->counts.steps == 1)
        look_at_start(self);
}
