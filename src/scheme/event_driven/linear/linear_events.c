/* Event-driven for linear models under harmonic forces: the motion between events is exact (linear_system.h), its impacts are the
 * roots of power series. What happens, and by which rules, is that of event-driven:
 *
 *   open      until a gap falls to zero: impact, rate+ = -e rate-
 *   closed    one contact, with its force, until that falls to zero
 *
 * A contact closes when its rebound is below vtol and it presses: however short the flights before are, their series have all digits.
 * Moments at which several contacts act on each other are left to event-driven itself, until the next output. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "linear_along.h"
#include "linear_system.h"
#include "scheme/event_driven/zeno.h"
#include "scheme/parts/contact_warnings.h"
#include "scheme/parts/step_report.h"

/* As in event-driven: impacts accumulate when the time that remains is this share of the time so far, and contacts that are this
 * close hit together. */
static const double accumulation_remaining = 1e-7;
static const double together = 1e-12;
/* Accelerations up to this, relative to the model's own and their parts, are rounding. */
static const double force_rounding = 1e-13;
/* A gap that is more negative than this, relative to the model's length and positions, is inside its obstacle. */
static const double inside = 1e-9;

static const carom_option_info options[LINEAR_OPTION_COUNT] = {
    [LINEAR_OPTION_VTOL] =
        {"vtol", 1e-9, 0.0, 1.0, NULL,
         "a contact that rebounds with at most this speed, relative to the model's, and presses "
         "closes"},
    [LINEAR_OPTION_MAX_EVENTS] = {"max_events", 1e5, 1.0, 1e9, NULL, "most events between two outputs"},
    [LINEAR_OPTION_ZENO] = {"zeno", 0.0, 0.0, 1.0, linear_zeno_choices,
                            "where impacts accumulate: stop with the estimated time, or close the contact"},
};

enum {
    ZEROS_MAX = 3 /* of a contact that was just released: gap, rate and acceleration */
};

/* Points and weights of Gauss on [-1, 1], for the works of forces: half of them. */
enum {
    WORK_POINTS = 5
};
static const double work_point[WORK_POINTS] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                               0.8650633666889845, 0.9739065285171717};
static const double work_weight[WORK_POINTS] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                                0.1494513491505806, 0.0666713443086881};

typedef struct linear_events {
    carom_stepper stepper; /* first: the handle of the caller */
    linear_system system;
    double rebound_min; /* option vtol */
    long max_events;
    bool closes_accumulations;
    double t;
    double *z, *sample, *before; /* where the motion is; room */
    bool started;                /* what touches is known */
    int closed;                  /* contact, -1: none */
    int *zeros; /* per contact: so many terms of its series are zero, as it has just come from contact */
    impact_history *history;
    long impacts;
    double *impulse; /* per contact, since the output before */
    bool *touched;
    int told; /* events since then, of which the listener was told */
    bool has_works;
    double *power_scratch;
} linear_events;

static double *velocity_of(linear_events *self)
{
    return self->z + self->system.dof;
}

/* ---- creation ------------------------------------------------------------------------------------------ */

static carom_status accepts(const carom_model *model, carom_error *error)
{
    if (!model->is_linear || !model->ops->harmonics)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "scheme 'event-driven-linear' is for linear models: constant mass, forces linear "
                          "in positions and "
                          "velocities, gaps linear in positions, restitution of parameters, no friction, "
                          "driven by sums of sin "
                          "and cos of time; take event-driven");
    if (model->dof > LINEAR_DOF_MAX || model->contacts > LINEAR_CONTACTS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "scheme 'event-driven-linear' takes at most %d coordinates and %d contacts (this "
                          "model has %d and %d); "
                          "take event-driven",
                          LINEAR_DOF_MAX, LINEAR_CONTACTS_MAX, model->dof, model->contacts);
    for (int k = 0; k < model->contacts; k++)
        if (!model->contact[k].has_restitution)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s' has no restitution, and scheme 'event-driven-linear' has no rule "
                              "of its own; give "
                              "restitution = 0 for one that does not rebound",
                              model->contact[k].name);
    return CAROM_OK;
}

static bool take_memory(linear_events *self)
{
    carom_arena *arena = self->stepper.arena;
    const size_t size = (size_t)self->system.size, contacts = (size_t)self->stepper.contacts;
    self->z = carom_arena_take(arena, size, sizeof(double));
    self->sample = carom_arena_take(arena, size, sizeof(double));
    self->before = carom_arena_take(arena, (size_t)self->stepper.dof, sizeof(double));
    self->zeros = carom_arena_take(arena, contacts, sizeof *self->zeros);
    self->history = carom_arena_take(arena, contacts, sizeof *self->history);
    self->impulse = carom_arena_take(arena, contacts, sizeof *self->impulse);
    self->touched = carom_arena_take(arena, contacts, sizeof *self->touched);
    self->power_scratch =
        carom_arena_take(arena, carom_model_power_scratch(self->stepper.model), sizeof(double));
    return self->z && self->sample && self->before && self->zeros && self->history && self->impulse &&
           self->touched && self->power_scratch;
}

/* Moves z to the output, which is where the motion is. */
static void load_state(linear_events *self)
{
    const carom_state *state = &self->stepper.state;
    carom_copy(self->system.dof, state->q, self->z);
    carom_copy(self->system.dof, state->v, self->z + self->system.dof);
    linear_system_set_waves(&self->system, state->t, self->z);
    self->t = state->t;
}

static double position_size(const linear_events *self)
{
    return fmax(self->stepper.scales.length, carom_largest(self->system.dof, self->z));
}

/* Gaps up to this hit at the present time, together with one of this rate. */
static double nearness(const linear_events *self, double rate)
{
    const carom_scales *scales = &self->stepper.scales;
    return together * (scales->time + fabs(self->t)) * (carom_scales_speed(scales) + fabs(rate));
}

static carom_status check_start(linear_events *self, carom_error *error)
{
    for (int k = 0; k < self->stepper.contacts; k++) {
        const double gap = linear_row_dot(&self->system, self->system.gap, k, self->z);
        if (gap < -inside * position_size(self))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s' starts %.6g inside its obstacle, which scheme "
                              "'event-driven-linear' does not treat; "
                              "take event-driven",
                              self->stepper.model->contact[k].name, -gap);
    }
    return CAROM_OK;
}

static carom_status setup(carom_stepper *stepper, carom_error *error)
{
    linear_events *self = (linear_events *)stepper;
    self->rebound_min = stepper->option[LINEAR_OPTION_VTOL] * carom_scales_speed(&stepper->scales);
    self->max_events = (long)stepper->option[LINEAR_OPTION_MAX_EVENTS];
    self->closes_accumulations = stepper->option[LINEAR_OPTION_ZENO] != 0.0;
    self->closed = -1;
    if (stepper->ending.value)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "scheme 'event-driven-linear' does not look for where stop { } ends a motion; take event-driven");
    carom_status status = linear_system_make(&self->system, stepper->arena, stepper->work,
                                             stepper->scales.length, stepper->h, error);
    if (status != CAROM_OK)
        return status;
    if (!take_memory(self))
        return carom_fail_memory(error);
    self->has_works = !stepper->no_works;
    load_state(self);
    return check_start(self, error);
}

/* ---- what is told of events ------------------------------------------------------------------------------ */

static void tell(linear_events *self, carom_event_kind kind, int contact, double before, double after,
                 double impulse, double energy_before)
{
    const carom_event_listener *listener = &self->stepper.listener;
    if (!listener->take)
        return;
    const carom_model *model = self->stepper.model;
    const carom_event event = {
        .t = self->t,
        .kind = kind,
        .contact = contact,
        .rate_before = before,
        .rate_after = after,
        .impulse = impulse,
        .energy_before = energy_before,
        .energy_after = model->ops->energy(self->stepper.work, self->t, self->z, velocity_of(self)),
        .q = self->z,
        .v = self->before,
        .v_after = velocity_of(self)};
    self->told++;
    listener->take(listener->context, &event);
}

int linear_events_told(const carom_stepper *stepper)
{
    return ((const linear_events *)stepper)->told;
}

/* Of an event that event-driven has found. */
static void pass_on(void *context, const carom_event *event)
{
    linear_events *self = context;
    self->told++;
    self->stepper.listener.take(self->stepper.listener.context, event);
}

static double energy_for_listener(linear_events *self)
{
    const carom_model *model = self->stepper.model;
    return self->stepper.listener.take
               ? model->ops->energy(self->stepper.work, self->t, self->z, velocity_of(self))
               : 0.0;
}

/* ---- works of forces ------------------------------------------------------------------------------------------ */

/* Power of the model's forces, and of the wall of a closed contact, at a part x of the step. */
static void add_powers(linear_events *self, const linear_part *part, double x, double weight)
{
    linear_system *system = &self->system;
    carom_copy(system->size, self->z, self->sample);
    const double t = self->t + x * system->h;
    linear_system_move(system, part, x, self->sample);
    linear_system_set_waves(system, t, self->sample);
    const double *q = self->sample, *u = q + system->dof;
    self->stepper.works.forces +=
        weight * carom_model_power(self->stepper.work, t, q, u, self->power_scratch);
    if (self->closed < 0)
        return;
    const double *normal = system->gap + (ptrdiff_t)self->closed * system->size;
    const double coupling = system->coupling[self->closed * system->contacts + self->closed];
    const double force = -linear_row_dot(system, system->acceleration, self->closed, self->sample) / coupling;
    self->stepper.works.contacts += weight * force * carom_dot(system->dof, normal, u);
}

static void add_works(linear_events *self, const linear_part *part, double x)
{
    if (!self->has_works)
        return;
    const double half = 0.5 * x, length = half * self->system.h;
    for (int i = 0; i < WORK_POINTS; i++) {
        add_powers(self, part, half * (1.0 - work_point[i]), work_weight[i] * length);
        add_powers(self, part, half * (1.0 + work_point[i]), work_weight[i] * length);
    }
}

/* ---- events --------------------------------------------------------------------------------------------------- */

/* What a moment asks for. */
typedef enum outcome {
    GOES_ON,
    ASKS_EVENT_DRIVEN, /* several contacts act on each other */
    FAILS,
} outcome;

/* The work of an impulse is that of the mean of the velocities before and after it. */
static void add_impulse(linear_events *self, int contact, double impulse)
{
    const linear_system *system = &self->system;
    const double coupling = system->coupling[contact * system->contacts + contact];
    if (self->has_works)
        self->stepper.works.contacts +=
            impulse *
            (carom_dot(system->dof, system->gap + (ptrdiff_t)contact * system->size, velocity_of(self)) +
             0.5 * impulse * coupling);
    carom_axpy(system->dof, impulse, system->response + (ptrdiff_t)contact * system->dof, velocity_of(self));
    self->impulse[contact] += impulse;
    self->touched[contact] = true;
}

/* Another contact that takes part: it is closed, or touches and does not come from there. */
static bool others_touch(const linear_events *self, int contact)
{
    const linear_system *system = &self->system;
    for (int k = 0; k < system->contacts; k++) {
        if (k == contact)
            continue;
        const double rate = linear_row_dot(system, system->rate, k, self->z);
        const double near = nearness(self, rate);
        if (k == self->closed || linear_row_dot(system, system->gap, k, self->z) <= near)
            return true;
    }
    return false;
}

static bool accumulates(const linear_events *self, int contact, double rebound)
{
    double ratio = 0.0, remaining = 0.0;
    const double so_far = fmax(fabs(self->t), self->t - self->stepper.t0);
    return impact_history_accumulates(&self->history[contact], &ratio, &remaining) &&
           (remaining <= accumulation_remaining * so_far || rebound <= self->rebound_min);
}

static carom_status fail_accumulation(linear_events *self, int contact, carom_error *error)
{
    double ratio = 0.0, remaining = 0.0;
    impact_history_accumulates(&self->history[contact], &ratio, &remaining);
    self->stepper.end_word = "zeno";
    self->stepper.counts.accumulation_time = self->t + remaining;
    return fail_step(
        error, self->t, step_number(&self->stepper),
        "the impacts of contact '%s' accumulate at t = %.12g (%ld impacts so far, intervals shrink by the "
        "factor %.9g); option zeno=continue closes the contact there",
        self->stepper.model->contact[contact].name, self->t + remaining, self->impacts, ratio);
}

/* A contact that touches with the rate `rate`, not below 0 but for rounding, closes or opens. */
static outcome classify(linear_events *self, int contact, double rate, bool slow)
{
    const linear_system *system = &self->system;
    const double *row = system->acceleration + (ptrdiff_t)contact * system->size;
    double acceleration = 0.0, size = carom_scales_speed(&self->stepper.scales) / self->stepper.scales.time;
    for (int i = 0; i < system->size; i++) {
        acceleration += row[i] * self->z[i];
        size = fmax(size, fabs(row[i] * self->z[i]));
    }
    self->zeros[contact] = 1;
    if (!slow)
        return GOES_ON;
    if (fabs(acceleration) <= force_rounding * size)
        return ASKS_EVENT_DRIVEN;
    if (acceleration > 0.0) {
        self->zeros[contact] = rate > 0.0 ? 1 : 2;
        return GOES_ON;
    }
    self->closed = contact;
    self->history[contact].count = 0;
    add_impulse(self, contact, -rate / system->coupling[contact * system->contacts + contact]);
    return GOES_ON;
}

/* The gap of a contact is zero; what rounding leaves is taken out, so that it cannot add up. */
static void put_on_obstacle(linear_events *self, int contact)
{
    const linear_system *system = &self->system;
    const double gap = linear_row_dot(system, system->gap, contact, self->z);
    carom_axpy(system->dof, -gap / system->coupling[contact * system->contacts + contact],
               system->response + (ptrdiff_t)contact * system->dof, self->z);
}

static outcome strike(linear_events *self, int contact, carom_error *error)
{
    const linear_system *system = &self->system;
    if (others_touch(self, contact))
        return ASKS_EVENT_DRIVEN;
    put_on_obstacle(self, contact);
    const double rate = linear_row_dot(system, system->rate, contact, self->z);
    const double energy = energy_for_listener(self);
    const double impulse =
        -(1.0 + system->restitution[contact]) * rate / system->coupling[contact * system->contacts + contact];
    carom_copy(system->dof, velocity_of(self), self->before);
    add_impulse(self, contact, impulse);
    const double after = -system->restitution[contact] * rate;
    self->impacts++;
    self->stepper.state.impact_time[contact] = self->t;
    impact_history_add(&self->history[contact], self->t);
    if (!self->closes_accumulations && accumulates(self, contact, after)) {
        tell(self, CAROM_EVENT_IMPACT, contact, rate, after, impulse, energy);
        fail_accumulation(self, contact, error);
        return FAILS;
    }
    const bool slow = after <= self->rebound_min, gathers = slow && accumulates(self, contact, after);
    const outcome found = classify(self, contact, after, slow);
    if (gathers && self->closed == contact && self->stepper.counts.accumulation_time == 0.0)
        self->stepper.counts.accumulation_time = self->t;
    tell(self, CAROM_EVENT_IMPACT, contact, rate, after, impulse, energy);
    if (self->closed == contact)
        tell(self, CAROM_EVENT_STOP, contact, rate, 0.0, impulse, energy);
    return found;
}

static void release(linear_events *self)
{
    const int contact = self->closed;
    carom_copy(self->system.dof, velocity_of(self), self->before);
    self->closed = -1;
    self->zeros[contact] = ZEROS_MAX;
    tell(self, CAROM_EVENT_RELEASE, contact, 0.0, 0.0, 0.0, energy_for_listener(self));
}

/* ---- the way to the next event ------------------------------------------------------------------------------- */

/* The first event up to a part `end` of the step; its contact, -1: none. False: only event-driven can tell. */
static bool find_event(linear_events *self, const linear_part *part, double end, double *x, int *contact)
{
    double series[LINEAR_TERMS];
    *contact = -1;
    *x = end;
    for (int k = 0; k < self->system.contacts; k++) {
        if ((k == self->closed || self->zeros[k] == 0) &&
            linear_system_is_clear(&self->system, part, k, self->z, *x))
            continue;
        linear_system_series(&self->system, part, k, self->z, series);
        int zeros = k == self->closed ? 0 : self->zeros[k];
        if (k == self->closed && series[0] < 0.0) {
            *x = 0.0;
            *contact = k;
            return true;
        }
        if (k == self->closed && series[0] == 0.0)
            return false;
        double first = 0.0;
        if (!(series[zeros] > 0.0))
            return false;
        if (linear_first_root(series + zeros, LINEAR_TERMS - zeros, *x, &first)) {
            *x = first;
            *contact = k;
        }
    }
    return true;
}

static void carry_impulse(linear_events *self, const linear_part *part, double x)
{
    if (self->closed < 0)
        return;
    double series[LINEAR_TERMS], sum = 0.0;
    linear_system_series(&self->system, part, self->closed, self->z, series);
    for (int k = LINEAR_TERMS - 1; k >= 0; k--)
        sum = sum * x + series[k] / (k + 1);
    self->impulse[self->closed] += sum * x * self->system.h;
    self->touched[self->closed] = true;
}

/* To the next event or to t_end; *contact: of the event. */
static bool advance(linear_events *self, double t_end, int *contact)
{
    linear_system *system = &self->system;
    const linear_part *part = linear_system_part(system, self->closed);
    const double left = (t_end - self->t) / system->h;
    const double end = left < 1.0 + 1e-12 ? fmin(left, 1.0) : 1.0;
    const bool is_last = left < 1.0 + 1e-12;
    double x = 0.0;
    if (!find_event(self, part, end > 1.0 - 1e-12 ? 1.0 : end, &x, contact))
        return false;
    carry_impulse(self, part, x);
    add_works(self, part, x);
    linear_system_move(system, part, x, self->z);
    self->t = is_last && *contact < 0 ? t_end : self->t + x * system->h;
    if (x < 1.0)
        linear_system_set_waves(system, self->t, self->z);
    if (x > 0.0)
        memset(self->zeros, 0, (size_t)system->contacts * sizeof *self->zeros);
    return true;
}

/* ---- moments for event-driven ------------------------------------------------------------------------------- */

/* It goes on from here to the output. */
static carom_status ask_event_driven(linear_events *self, double t_end, carom_error *error)
{
    carom_stepper *stepper = &self->stepper, *helper = NULL;
    carom_status status =
        linear_helper_create(stepper, self->t, t_end, self->z, velocity_of(self), &helper, error);
    if (status != CAROM_OK)
        return status == CAROM_BAD_INPUT ? fail_step(error, self->t, step_number(stepper), "%s", error->text)
                                         : status;
    if (stepper->listener.take)
        helper->listener = (carom_event_listener){.context = self, .take = pass_on};
    status = carom_stepper_step(helper, error);
    if (status == CAROM_OK) {
        const carom_works works = carom_stepper_works(helper);
        stepper->works.forces += works.forces;
        stepper->works.contacts += works.contacts;
        for (int k = 0; k < stepper->contacts; k++) {
            self->impulse[k] += helper->state.impulse[CAROM_CONTACT_COMPONENTS * k];
            self->touched[k] = self->touched[k] || helper->state.regime[k] != CAROM_CONTACT_OPEN;
            if (!isnan(helper->state.impact_time[k]))
                stepper->state.impact_time[k] = helper->state.impact_time[k];
        }
        carom_copy(self->system.dof, helper->state.q, self->z);
        carom_copy(self->system.dof, helper->state.v, velocity_of(self));
        self->t = t_end;
        self->started = false;
    } else {
        stepper->end_word = helper->end_word;
        stepper->counts.accumulation_time = helper->counts.accumulation_time;
    }
    carom_stepper_free(helper);
    return status;
}

/* What touches where the motion begins. */
static outcome start(linear_events *self, carom_error *error)
{
    const linear_system *system = &self->system;
    int touching = -1;
    self->started = true;
    self->closed = -1;
    memset(self->zeros, 0, (size_t)system->contacts * sizeof *self->zeros);
    for (int k = 0; k < system->contacts; k++) {
        const double rate = linear_row_dot(system, system->rate, k, self->z);
        if (linear_row_dot(system, system->gap, k, self->z) > nearness(self, rate))
            continue;
        if (touching >= 0)
            return ASKS_EVENT_DRIVEN;
        touching = k;
    }
    if (touching < 0)
        return GOES_ON;
    const double rate = linear_row_dot(system, system->rate, touching, self->z);
    const double rounding = 1e-14 * fmax(carom_scales_speed(&self->stepper.scales),
                                         carom_largest(system->dof, velocity_of(self)));
    if (rate < -fmax(self->rebound_min, rounding))
        return strike(self, touching, error);
    put_on_obstacle(self, touching);
    return classify(self, touching, rate, rate <= fmax(self->rebound_min, rounding));
}

/* ---- the step --------------------------------------------------------------------------------------------------- */

static carom_status fail_too_many(linear_events *self, carom_error *error)
{
    self->stepper.end_word = "zeno";
    return fail_step(error, self->t, step_number(&self->stepper),
                     "max_events = %ld events do not suffice for one output interval; %ld impacts so far",
                     self->max_events, self->impacts);
}

static void record(linear_events *self, double t_end)
{
    carom_state *state = &self->stepper.state;
    state->t = t_end;
    carom_copy(self->system.dof, self->z, state->q);
    carom_copy(self->system.dof, velocity_of(self), state->v);
    for (int k = 0; k < self->system.contacts; k++) {
        state->impulse[CAROM_CONTACT_COMPONENTS * k] = self->impulse[k];
        state->regime[k] = self->touched[k] ? CAROM_CONTACT_SLIP : CAROM_CONTACT_OPEN;
    }
    self->stepper.counts.steps++;
}

/* Events until t_end; the outcome of the last. */
static outcome go_on(linear_events *self, double t_end, carom_error *error)
{
    outcome now = self->started ? GOES_ON : start(self, error);
    for (long events = 0; now == GOES_ON && self->t < t_end;) {
        int contact = -1;
        if (!advance(self, t_end, &contact))
            return ASKS_EVENT_DRIVEN;
        if (contact < 0)
            continue;
        if (++events > self->max_events) {
            fail_too_many(self, error);
            return FAILS;
        }
        if (contact == self->closed)
            release(self);
        else
            now = strike(self, contact, error);
    }
    return now;
}

static carom_status step(carom_stepper *stepper, carom_error *error)
{
    linear_events *self = (linear_events *)stepper;
    const double t_end = step_end(stepper);
    self->told = 0;
    for (int k = 0; k < stepper->contacts; k++) {
        stepper->state.impact_time[k] = NAN;
        self->impulse[k] = 0.0;
        self->touched[k] = false;
    }
    /* Steps take microseconds. */
    if (stepper->counts.steps % 256 == 255 && carom_stop_asked(&stepper->stop))
        return carom_fail(error, CAROM_INTERRUPTED, "interrupted at t = %.10g", stepper->state.t);
    const carom_works works = stepper->works;
    load_state(self);
    const outcome now = go_on(self, t_end, error);
    carom_status status = now == FAILS ? CAROM_FAILED : CAROM_OK;
    if (now == ASKS_EVENT_DRIVEN && self->t < t_end)
        status = ask_event_driven(self, t_end, error);
    if (status == CAROM_OK && !carom_all_finite(2 * stepper->dof, self->z))
        status =
            fail_not_finite(error, t_end, step_number(stepper), stepper->model, self->z, velocity_of(self));
    if (status == CAROM_OK)
        record(self, t_end);
    else
        stepper->works = works;
    return status;
}

static carom_status forces(carom_stepper *stepper, double *acceleration, double *reaction, carom_error *error)
{
    (void)reaction, (void)error;
    linear_events *self = (linear_events *)stepper;
    if (!acceleration)
        return CAROM_OK;
    load_state(self);
    const linear_part *part = linear_system_part(&self->system, self->closed);
    const int size = self->system.size;
    for (int i = 0; i < stepper->dof; i++)
        acceleration[i] =
            carom_dot(size, part->generator + (ptrdiff_t)(stepper->dof + i) * size, self->z) / self->system.h;
    return CAROM_OK;
}

static void keep(carom_stepper *stepper, carom_snapshot *snapshot)
{
    linear_events *self = (linear_events *)stepper;
    const size_t contacts = (size_t)stepper->contacts;
    carom_snapshot_block(snapshot, &stepper->works, sizeof stepper->works);
    carom_snapshot_block(snapshot, &self->started, sizeof self->started);
    carom_snapshot_block(snapshot, &self->closed, sizeof self->closed);
    carom_snapshot_block(snapshot, &self->impacts, sizeof self->impacts);
    carom_snapshot_block(snapshot, self->zeros, contacts * sizeof *self->zeros);
    carom_snapshot_block(snapshot, self->history, contacts * sizeof *self->history);
    bool known = self->closed >= -1 && self->closed < stepper->contacts;
    for (size_t k = 0; k < contacts; k++)
        known = known && self->zeros[k] >= 0 && self->zeros[k] <= ZEROS_MAX;
    if (!known) /* places in arrays: of another scheme, or damaged */
        snapshot->failed = true;
}

const carom_scheme_ops scheme_event_driven_linear = {
    .name = "event-driven-linear",
    .summary = "event-driven for linear models under harmonic forces: exact motion between impacts, many "
               "times faster",
    .options = options,
    .option_count = LINEAR_OPTION_COUNT,
    .abilities = CAROM_SCHEME_COUPLED_MASS | CAROM_SCHEME_RESTITUTION | CAROM_SCHEME_LOCATES_IMPACTS,
    .for_comparison = true,
    .size = sizeof(linear_events),
    .accepts = accepts,
    .setup = setup,
    .step = step,
    .keep = keep,
    .forces = forces,
    .tangent = &linear_along_ops,
};
