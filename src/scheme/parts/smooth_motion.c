#include "smooth_motion.h"

#include <string.h>

#include "difference.h"
#include "step_report.h"

/* Faster than this, relative to the model's speed, a motion blows up. */
static const double fastest = 1e12;

bool motion_take(smooth_motion *self, const carom_stepper *stepper)
{
    carom_arena *arena = stepper->arena;
    carom_model_work *work = stepper->work;
    const size_t dof = (size_t)work->model->dof;
    self->work = work;
    self->model = work->model;
    self->ops = *work->model->ops;
    self->dof = work->model->dof;
    self->contacts = work->model->contacts;
    self->time = stepper->scales.time;
    self->speed_max = fastest * carom_scales_speed(&stepper->scales);
    self->force = carom_arena_take(arena, dof, sizeof(double));
    self->acceleration = carom_arena_take(arena, dof, sizeof(double));
    self->q_probe = carom_arena_take(arena, dof, sizeof(double));
    self->gap = carom_arena_take(arena, (size_t)self->contacts, sizeof(double));
    self->noisy = carom_arena_take(arena, (size_t)self->contacts, sizeof(bool));
    self->gap_probe = carom_arena_take(arena, (size_t)self->contacts, sizeof(double));
    if (!mass_factor_take(&self->mass, arena, self->model))
        return false;
    self->mass.full = true;
    return self->force && self->acceleration && self->q_probe && self->gap && self->gap_probe &&
           self->noisy &&
           contact_rows_take(&self->rows, arena, self->model,
                             self->model->joints > 0 ? RESPONSES_FULL : RESPONSES_OF_MASS) &&
           carom_contact_frame_take(arena, self->model, &self->probe);
}

void motion_free(smooth_motion *self)
{
    mass_factor_free(&self->mass);
}

static bool fault(smooth_motion *self, motion_fault kind, int index)
{
    self->fault = kind;
    self->fault_index = index;
    return false;
}

bool motion_accelerate(smooth_motion *self, double t, const double *q, const double *u)
{
    const int n = self->dof;
    for (int i = 0; i < n; i++) {
        if (!isfinite(q[i]) || !isfinite(u[i]))
            return fault(self, MOTION_NOT_FINITE, i);
        if (fabs(u[i]) > self->speed_max)
            return fault(self, MOTION_TOO_FAST, i);
    }
    const int bad_row = mass_factor_evaluate(&self->mass, self->work, t, q);
    if (bad_row != 0)
        return fault(self, MOTION_BAD_MASS, bad_row - 1);
    self->ops.force(self->work, t, q, u, self->force);
    int bad = first_not_finite(n, self->force);
    if (bad < n)
        return fault(self, MOTION_NOT_FINITE, bad);
    mass_factor_solve(&self->mass, self->force, self->acceleration);
    return true;
}

bool motion_gaps(smooth_motion *self, double t, const double *q)
{
    if (self->contacts == 0)
        return true;
    self->ops.gaps(self->work, t, q, self->gap);
    int bad = first_not_finite(self->contacts, self->gap);
    return bad == self->contacts || fault(self, MOTION_BAD_GAP, bad);
}

void motion_frame(smooth_motion *self, int contact, double t, const double *q)
{
    if (!self->rows.kept[contact])
        self->ops.frame(self->work, contact, t, q, &self->rows.frame[contact]);
}

bool motion_row(smooth_motion *self, int contact, double t, const double *q)
{
    carom_row *response = contact_response(&self->rows, contact, 0);
    if (self->rows.kept[contact])
        return true;
    motion_frame(self, contact, t, q);
    mass_factor_answer(&self->mass, &self->rows.frame[contact].normal, response);
    if (!contact_row_finite(&self->rows, contact, 0) ||
        !(contact_coupling(&self->rows, contact, 0, contact, 0) > 0.0))
        return fault(self, MOTION_BAD_GAP, contact);
    self->rows.kept[contact] = self->mass.constant && self->model->contact[contact].constant_frame;
    return true;
}

static void frame_rates(const carom_contact_info *info, const carom_contact_frame *frame, const double *u,
                        double rate[CAROM_CONTACT_COMPONENTS])
{
    rate[0] = carom_row_dot(&frame->normal, u) + frame->normal_rate;
    for (int k = 0; k < info->tangents; k++)
        rate[1 + k] = carom_row_dot(&frame->tangent[k], u) + frame->tangent_rate[k];
}

/* From the derivatives of the frame along (1, u). Returns false if there are none. */
static bool differentiate(smooth_motion *self, int contact, double t, const double *q, const double *u,
                          double curvature[CAROM_CONTACT_COMPONENTS])
{
    const carom_contact_info *info = &self->model->contact[contact];
    const carom_direction along = {.t = 1.0, .q = u};
    if (!self->ops.tangent)
        return false;
    self->ops.tangent->frame(self->work, contact, t, q, 1, &along, &self->probe);
    frame_rates(info, &self->probe, u, curvature);
    return first_not_finite(contact_components(info), curvature) == contact_components(info);
}

typedef struct point_beside {
    smooth_motion *motion;
    int contact;
    double t;
    const double *q, *u;
} point_beside;

static void move_beside(const point_beside *at, double s)
{
    for (int i = 0; i < at->motion->dof; i++)
        at->motion->q_probe[i] = at->q[i] + s * at->u[i];
}

static void gap_beside(void *context, double s, double *gap)
{
    const point_beside *at = context;
    smooth_motion *self = at->motion;
    move_beside(at, s);
    self->ops.gaps(self->work, at->t + s, self->q_probe, self->gap_probe);
    *gap = self->gap_probe[at->contact];
}

static void rates_beside(void *context, double s, double *rate)
{
    const point_beside *at = context;
    smooth_motion *self = at->motion;
    move_beside(at, s);
    self->ops.frame(self->work, at->contact, at->t + s, self->q_probe, &self->probe);
    frame_rates(&self->model->contact[at->contact], &self->probe, at->u, rate);
}

static void slips_beside(void *context, double s, double *slip)
{
    const point_beside *at = context;
    double rate[CAROM_CONTACT_COMPONENTS];
    rates_beside(context, s, rate);
    memcpy(slip, rate + 1, (size_t)at->motion->model->contact[at->contact].tangents * sizeof *slip);
}

/* A normal that is itself a difference of gaps has noise: then second differences of the gap have less of it. Once that is seen it
 * stays so, since two estimates in turn would be noise, too. */
void motion_curvatures(smooth_motion *self, int contact, double t, const double *q, const double *u,
                       double curvature[CAROM_CONTACT_COMPONENTS])
{
    double scratch[DIFFERENCE_SCRATCH * CAROM_CONTACT_COMPONENTS];
    const carom_contact_info *info = &self->model->contact[contact];
    for (int k = 0; k < CAROM_CONTACT_COMPONENTS; k++)
        curvature[k] = 0.0;
    if (info->constant_frame || differentiate(self, contact, t, q, u, curvature))
        return;
    point_beside at = {.motion = self, .contact = contact, .t = t, .q = q, .u = u};
    difference along = {.context = &at, .scale = self->time, .scratch = scratch};
    along.count = contact_components(info);
    along.value = rates_beside;
    if (!self->noisy[contact])
        self->noisy[contact] = !difference_find(&along, curvature);
    if (!self->noisy[contact])
        return;
    along.count = info->tangents;
    along.value = slips_beside;
    if (along.count > 0)
        difference_find(&along, curvature + 1);
    along.count = 1;
    along.second = true;
    along.value = gap_beside;
    difference_find(&along, curvature);
}

double motion_curvature(smooth_motion *self, int contact, double t, const double *q, const double *u)
{
    double curvature[CAROM_CONTACT_COMPONENTS];
    motion_curvatures(self, contact, t, q, u, curvature);
    return curvature[0];
}

double motion_restitution(const smooth_motion *self, int contact)
{
    return self->model->contact[contact].has_restitution ? self->rows.frame[contact].restitution : 0.0;
}

carom_status motion_check_contacts(smooth_motion *self, const carom_stepper *stepper, carom_error *error)
{
    const carom_state *state = &stepper->state;
    for (int contact = 0; contact < self->contacts; contact++) {
        const carom_contact_info *info = &self->model->contact[contact];
        motion_frame(self, contact, state->t, state->q);
        const carom_status status = contact_check(info, &self->rows.frame[contact], error);
        if (status != CAROM_OK)
            return status;
    }
    motion_gaps(self, state->t, state->q);
    return refuse_absent_contacts(stepper, self->gap, error);
}

bool motion_check_law(smooth_motion *self, const carom_stepper *stepper, double t, int contact)
{
    return contact_check_step(stepper, t, contact, &self->rows.frame[contact], &self->law) == CAROM_OK ||
           fault(self, MOTION_BAD_LAW, contact);
}

/* Painleve's paradox: friction turns the body into the obstacle faster than the normal force lifts it. */
static carom_status fail_painleve(const smooth_motion *self, carom_stepper *stepper, double t,
                                  carom_error *error)
{
    char able[200];
    stepper->end_word = "painleve";
    return fail_step(error, t, step_number(stepper),
                     "contact '%s' jams: with its friction no normal force holds it (Painleve's paradox); "
                     "less friction, or %s, "
                     "where an impulse does it",
                     self->model->contact[self->fault_index].name, schemes_for_anything(able, sizeof able));
}

static carom_status fail_fault(const smooth_motion *self, carom_stepper *stepper, double t,
                               carom_error *error)
{
    const long step = step_number(stepper);
    if (self->fault == MOTION_BAD_MASS)
        return fail_step(error, t, step, "the mass matrix is not positive definite at coordinate '%s'",
                         self->model->coordinate[self->fault_index]);
    if (self->fault == MOTION_BAD_GAP)
        return fail_step(error, t, step,
                         "the gap of contact '%s' or its gradient is not finite, or the gradient is zero",
                         self->model->contact[self->fault_index].name);
    if (self->fault == MOTION_BAD_LAW)
        return carom_fail(error, CAROM_FAILED, "%s", self->law.text);
    if (self->fault == MOTION_DEPENDENT)
        return fail_step(error, t, step, "the gradient of contact '%s' depends on those of other closed ones",
                         self->model->contact[self->fault_index].name);
    if (self->fault == MOTION_BAD_JOINTS)
        return fail_step(error, t, step, "%s", self->law.text);
    if (self->fault == MOTION_NO_MEMORY)
        return carom_fail_memory(error);
    if (self->fault == MOTION_PAINLEVE)
        return fail_painleve(self, stepper, t, error);
    stepper->end_word = "blowup";
    if (self->fault == MOTION_TOO_FAST)
        return fail_step(error, t, step,
                         "the motion blows up: the velocity of coordinate '%s' is beyond %g; its last finite "
                         "state is at t = %.12g",
                         self->model->coordinate[self->fault_index], self->speed_max, t);
    return fail_step(error, t, step,
                     "the motion blows up: position, velocity or force of coordinate '%s' is not finite",
                     self->model->coordinate[self->fault_index]);
}

carom_status motion_fail(const smooth_motion *self, carom_stepper *stepper, ode_flow_end end, double t,
                         carom_error *error)
{
    if (end == ODE_FLOW_NO_RATE && self->fault != MOTION_FINE)
        return fail_fault(self, stepper, t, error);
    const long step = step_number(stepper);
    char able[200];
    if (end == ODE_FLOW_STOPPED)
        return carom_fail(error, CAROM_INTERRUPTED, "t = %.9g, step %ld: interrupted", t, step);
    if (end == ODE_FLOW_TOO_LONG)
        return fail_step(error, t, step,
                         "%d integration steps do not suffice for one output interval; the motion is too "
                         "fast or too stiff: take a smaller h or larger rtol and atol, or %s",
                         ODE_FLOW_STEPS_MAX, schemes_for_anything(able, sizeof able));
    if (end == ODE_FLOW_STALLED) {
        stepper->end_word = "blowup";
        return fail_step(error, t, step,
                         "the motion blows up: it changes so fast that time stands still at t = %.12g", t);
    }
    return fail_step(error, t, step,
                     "the integration does not meet its tolerances here: the force may jump or grow without "
                     "bound; larger rtol and atol, or %s, may pass",
                     schemes_for_anything(able, sizeof able));
}
