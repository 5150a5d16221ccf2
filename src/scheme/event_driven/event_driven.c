/* Event-driven: smooth motion between events at the tolerances of the integrator, impacts located in time, no
 * step but that of the outputs, for any mass matrix (Paoli 2001; Paoli 2018).
 *
 *   open      M u' = f(t, q, u)                        until a gap falls to zero
 *   closed    M u' = f + sum lambda n, gap'' = 0       until a lambda falls to zero
 *   stick     slip held at zero                        until the friction it takes is at its bound
 *   slip      friction at its bound, against the slip  until the slip is zero
 *   joints    their values held at zero                always
 *   impact    Newton's law with all touching contacts: 0 <= p _|_ rate+ + e rate- >= 0, which is
 *             u+ = u- - (1 + e) Proj(N, u-) in the kinetic metric where all have one e; or the law chosen;
 *             with friction Coulomb's law for impulses and velocities after it
 *
 * After an impact a contact closes when its rebound is below vtol and it presses (acceleration level
 * complementarity of all such contacts). The impulse of an output is that of the impacts since the last one
 * plus the integral of lambda, which the integrator carries as further unknowns. */
#include "event_driven.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "scheme/event_driven/variation/variation.h"
#include "scheme/parts/contact_solver.h"
#include "scheme/parts/contact_warnings.h"

enum {
    OPTION_RTOL,
    OPTION_ATOL,
    OPTION_VTOL,
    OPTION_MAX_EVENTS,
    OPTION_ZENO,
    OPTION_GAP_CHECK,
    OPTION_INITIAL,
    OPTION_IMPACT,
    OPTION_SOLVER = OPTION_IMPACT + IMPACT_OPTIONS,
    OPTION_COUNT = OPTION_SOLVER + SOLVER_OPTIONS
};

/* Impacts accumulate when the time that remains is this share of the time so far. */
static const double accumulation_remaining = 1e-7;
/* Contacts that are this close, in time and space, hit together: relative to the time and the model's own, and its speed. */
static const double together = 1e-12;

/* Values of joints that are put right at an event, and at an output, relative to the model's length. */
static const double drift_at_events = 1e-13, drift_at_outputs = 1e-11;

/* So often the flow may end at one time without an event. */
enum {
    IDLE_MAX = 1000
};

static const char *const zeno_choices[] = {"stop", "continue", NULL};
static const char *const initial_choices[] = {"check", "project", NULL};

static const carom_option_info options[OPTION_COUNT] = {
    [OPTION_RTOL] = {"rtol", 1e-12, 1e-14, 1e-2, NULL, "relative tolerance of the integration"},
    [OPTION_ATOL] = {"atol", 1e-13, 1e-300, 1.0, NULL,
                     "absolute tolerance of the integration, relative to the model's length and speed"},
    [OPTION_VTOL] = {"vtol", 1e-9, 0.0, 1.0, NULL,
                     "a contact that rebounds with at most this speed, relative to the model's, and presses "
                     "closes"},
    [OPTION_MAX_EVENTS] = {"max_events", 1e5, 1.0, 1e9, NULL, "most events between two outputs"},
    [OPTION_ZENO] = {"zeno", 0.0, 0.0, 1.0, zeno_choices,
                     "where impacts accumulate: stop with the estimated time, or close the contact"},
    [OPTION_GAP_CHECK] =
        {"gap_check", 2.0, 0.0, GAP_CHECK_MAX, NULL,
         "parts of a step of the integrator at whose ends gaps are looked at for obstacles that it "
         "passed; 0: none"},
    [OPTION_INITIAL] = {"initial", 0.0, 0.0, 1.0, initial_choices,
                        "joints that the initial data do not satisfy: an error, or the data are corrected"},
    CHOSEN_IMPACT_OPTIONS(OPTION_IMPACT),
    CONTACT_SOLVER_OPTIONS(OPTION_SOLVER, solver_automatic, &carom_lcp_solvers, NULL,
                           "of the contacts that act together; auto: closed form, active-set, gauss-seidel"),
};

/* ---- creation ------------------------------------------------------------------------------------------ */

static bool take_memory(event_driven *self)
{
    const carom_stepper *stepper = &self->stepper;
    const size_t contacts = (size_t)stepper->contacts;
    carom_arena *arena = stepper->arena;
    double **numbers[] = {&self->lambda, &self->guard, &self->rate,        &self->column,
                          &self->depth,  &self->least, &self->rate_before, &self->event_impulse};
    self->tolerance = carom_arena_take(arena, (size_t)self->size, sizeof(double));
    self->impulse = carom_arena_take(arena, (size_t)self->components * contacts, sizeof(double));
    self->carried = carom_arena_take(arena, (size_t)self->components * contacts, sizeof(double));
    if (!self->tolerance || !self->impulse || !self->carried)
        return false;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!(*numbers[i] = carom_arena_take(arena, contacts, sizeof(double))))
            return false;
    bool **flags[] = {&self->closed,       &self->hit,   &self->leaving, &self->struck,
                      &self->accumulating, &self->muted, &self->touched, &self->was_closed};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (!(*flags[i] = carom_arena_take(arena, contacts, sizeof(bool))))
            return false;
    self->list = carom_arena_take(arena, contacts, sizeof(int));
    self->independent = carom_arena_take(arena, contacts, sizeof(int));
    self->touching = carom_arena_take(arena, contacts, sizeof(int));
    self->u_before = carom_arena_take(arena, (size_t)stepper->dof, sizeof(double));
    self->history = carom_arena_take(arena, contacts, sizeof *self->history);
    return self->list && self->independent && self->touching && self->u_before && self->history &&
           event_islands_take(self) && event_driven_works_take(self, arena) && event_mode_take(self) &&
           event_driven_hop_take(&self->hop, arena, self->size) && event_flight_take(self);
}

/* What of friction and joints there is, from the contacts at the start, and the sizes that follow from it. */
static carom_status look_at_model(event_driven *self, carom_error *error)
{
    carom_stepper *stepper = &self->stepper;
    if (!motion_take(&self->motion, stepper))
        return contact_rows_fail(stepper, RESPONSES_OF_MASS, error);
    const carom_state *state = &stepper->state;
    carom_status status = mass_check(stepper->work, state->t, state->q, NULL, error);
    if (status == CAROM_OK && stepper->model->joints > 0)
        status = event_joints_start(self, stepper->option[OPTION_INITIAL] != 0.0, error);
    if (status == CAROM_OK)
        status = motion_check_contacts(&self->motion, stepper, error);
    if (status == CAROM_OK)
        status = event_mode_look_at(self, error);
    self->components = self->general ? CAROM_CONTACT_COMPONENTS : 1;
    self->roots = self->general ? 3 : 2;
    self->size =
        2 * stepper->dof + self->components * stepper->contacts + stepper->model->joints + EVENT_WORKS;
    return status;
}

static carom_status setup(carom_stepper *stepper, carom_error *error)
{
    event_driven *self = (event_driven *)stepper;
    const carom_state *state = &stepper->state;
    const double *option = stepper->option;
    self->rtol = option[OPTION_RTOL];
    self->atol = option[OPTION_ATOL];
    self->rebound_min = option[OPTION_VTOL] * event_driven_speed(self);
    self->max_events = (long)option[OPTION_MAX_EVENTS];
    self->closes_accumulations = option[OPTION_ZENO] != 0.0;
    self->gap_check = (int)option[OPTION_GAP_CHECK];
    self->t = self->collected = stepper->t0;
    self->dipped = -1;
    carom_status status = look_at_model(self, error);
    if (status != CAROM_OK)
        return status;
    if (!take_memory(self))
        return contact_rows_fail(stepper, RESPONSES_OF_MASS, error);
    status = event_joints_take(self, error);
    if (status == CAROM_OK)
        status = normal_lcp_setup(&self->lcp, stepper, error);
    if (status != CAROM_OK)
        return status;
    warn_about_start(&stepper->warnings, stepper->model, &self->motion.rows, self->motion.gap, state->v);
    status = event_driven_create_flow(self, error);
    if (status == CAROM_OK)
        status = chosen_impact_create(stepper, OPTION_IMPACT, &self->chosen, error);
    return status == CAROM_OK ? replay_begin(&self->replay, stepper, event_driven_visit, error) : status;
}

static void free_parts(carom_stepper *stepper)
{
    event_driven *self = (event_driven *)stepper;
    replay_free(&self->replay);
    ode_flow_free(self->flow);
    chosen_impact_free(&self->chosen);
    normal_lcp_free(&self->lcp);
    event_islands_free(self);
    event_problem_free(&self->problem);
    event_joints_free(self);
    motion_free(&self->motion);
}

/* ---- events -------------------------------------------------------------------------------------------- */

static void restart(event_driven *self)
{
    double *carried = ode_flow_values(self->flow) + 2 * self->motion.dof;
    event_driven_works_take_over(self);
    for (int i = 0; i < self->components * self->motion.contacts; i++)
        carried[i] = self->carried[i] = 0.0;
    carried += self->components * (ptrdiff_t)self->motion.contacts;
    for (int k = 0; k < self->joints.count; k++)
        carried[k] = self->joints.carried[k] = 0.0;
    ode_flow_restart(self->flow, self->t);
    memset(self->muted, 0, (size_t)self->motion.contacts * sizeof *self->muted);
    self->fresh = true;
    self->flight.on = false;
}

double event_driven_near(const event_driven *self, double rate)
{
    return together * (self->stepper.scales.time + fabs(self->t)) * (event_driven_speed(self) + fabs(rate));
}

/* Closed contacts, those whose gap reached zero, and those so close that they hit at the same time. */
static bool list_touching(event_driven *self, const double *q, const double *u)
{
    smooth_motion *motion = &self->motion;
    if (!event_driven_gaps(self, self->t, q))
        return false;
    self->count = 0;
    for (int contact = 0; contact < motion->contacts; contact++) {
        motion_frame(motion, contact, self->t, q);
        if (motion->model->contact[contact].friction_force)
            continue;
        const double rate = contact_velocity(&motion->rows, contact, 0, u);
        if (self->closed[contact] || self->hit[contact] ||
            motion->gap[contact] <= event_driven_near(self, rate))
            self->list[self->count++] = contact;
    }
    return true;
}

/* Contacts that hit are put back when what rounding and the location of events leave them inside has added
 * up over many impacts. */
static bool remove_violations(event_driven *self, double *q)
{
    smooth_motion *motion = &self->motion;
    for (int a = 0; a < self->count; a++) {
        const int contact = self->list[a];
        const double gap = motion->gap[contact];
        const double length = self->stepper.scales.length;
        if (!self->closed[contact] && gap < -together * length && gap > -event_driven_overlooked * length)
            carom_row_add(contact_response(&motion->rows, contact, 0),
                          -gap / contact_coupling(&motion->rows, contact, 0, contact, 0), q);
    }
    return event_driven_gaps(self, self->t, q);
}

/* Adds the impacts to the histories and finds those that accumulate here. */
static void find_accumulations(event_driven *self, const double *u)
{
    const double so_far = fmax(fabs(self->t), self->t - self->stepper.t0);
    for (int contact = 0; contact < self->motion.contacts; contact++) {
        self->accumulating[contact] = false;
        if (!self->struck[contact])
            continue;
        impact_history *history = &self->history[contact];
        impact_history_add(history, self->t);
        double ratio = 0.0, remaining = 0.0;
        if (!impact_history_accumulates(history, &ratio, &remaining))
            continue;
        const double rebound = contact_velocity(&self->motion.rows, contact, 0, u);
        self->accumulating[contact] =
            remaining <= accumulation_remaining * so_far || rebound <= self->rebound_min;
    }
}

static carom_status fail_accumulation(event_driven *self, int contact, double ratio, double remaining,
                                      carom_error *error)
{
    self->stepper.end_word = "zeno";
    return fail_step(error, self->t, step_number(&self->stepper),
                     "the impacts of contact '%s' accumulate at t = %.12g (%ld impacts so far, intervals "
                     "shrink by the factor %.9g); option zeno=continue closes the contact there",
                     self->motion.model->contact[contact].name, self->t + remaining, self->impacts, ratio);
}

/* A contact that closes ends its series of impacts; at an accumulation the run may end, too. */
static carom_status settle(event_driven *self, carom_error *error)
{
    for (int contact = 0; contact < self->motion.contacts; contact++) {
        if (!self->closed[contact])
            continue;
        double ratio = 0.0, remaining = 0.0;
        if (self->accumulating[contact]) {
            impact_history_accumulates(&self->history[contact], &ratio, &remaining);
            if (self->stepper.counts.accumulation_time == 0.0)
                self->stepper.counts.accumulation_time = self->t + remaining;
            if (!self->closes_accumulations)
                return fail_accumulation(self, contact, ratio, remaining, error);
        }
        self->history[contact].count = 0;
    }
    return CAROM_OK;
}

/* Open contacts that are inside their obstacles, at the start or since a gap jumped: nothing pushes them out. */
static bool find_depths(event_driven *self, const double *q, const double *u)
{
    const double size = event_driven_size(self, q);
    if (!event_driven_gaps(self, self->t, q))
        return false;
    for (int contact = 0; contact < self->motion.contacts; contact++) {
        const double gap = self->motion.gap[contact];
        if (self->closed[contact] || !(gap < -event_driven_overlooked * size))
            continue;
        motion_frame(&self->motion, contact, self->t,
                     q); /* far from t = 0 a fast hit is not located better than that */
        if (gap >= -event_driven_near(self, contact_velocity(&self->motion.rows, contact, 0, u)))
            continue;
        self->depth[contact] -= gap;
        if (!self->starting && !self->depth_warned)
            carom_doubt(&self->stepper.warnings,
                        "penetration: contact '%s' was found %.6g inside its obstacle at t = %.9g: does its "
                        "gap jump? "
                        "Until it has come out it is held where it is",
                        self->motion.model->contact[contact].name, -gap, self->t);
        self->depth_warned = self->depth_warned || !self->starting;
    }
    return true;
}

/* Accelerations before the event: free ones, or in the mode, whose friction says in which direction a slip begins. */
static bool accelerate(event_driven *self, const double *q, const double *u)
{
    return self->general ? event_mode_accelerate(self, self->t, q, u)
                         : motion_accelerate(&self->motion, self->t, q, u);
}

/* Impacts and changes of contact at the present time; hit and leaving say what happened. */
static carom_status treat_event(event_driven *self, carom_error *error)
{
    smooth_motion *motion = &self->motion;
    double *q = ode_flow_values(self->flow), *u = q + motion->dof;
    if (self->general)
        event_friction_stop(self);
    if (self->stepper.tangent)
        event_variation_before(self);
    event_driven_collect(self);
    event_joints_put_back(self, drift_at_events, q, u);
    memset(self->struck, 0, (size_t)motion->contacts * sizeof *self->struck);
    if (!accelerate(self, q, u) || !find_depths(self, q, u) || !list_touching(self, q, u) ||
        !event_driven_rows(self, q, u) || !remove_violations(self, q))
        return motion_fail(motion, &self->stepper, ODE_FLOW_NO_RATE, self->t, error);
    event_driven_before(self, q, u);
    carom_status status = event_driven_impact(self, q, u, error);
    if (status != CAROM_OK)
        return status;
    find_accumulations(self, u);
    if (!self->general && !motion_accelerate(motion, self->t, q, u))
        return motion_fail(motion, &self->stepper, ODE_FLOW_NO_RATE, self->t, error);
    status = event_driven_classify(self, q, u, error);
    if (status != CAROM_OK)
        return status;
    if (self->stepper.tangent)
        event_variation_after(self);
    event_driven_after(self, q, u);
    status = settle(self, error);
    if (status == CAROM_OK)
        restart(self);
    return status;
}

/* ---- the step ------------------------------------------------------------------------------------------ */

static carom_status start(event_driven *self, carom_error *error)
{
    const carom_state *state = &self->stepper.state;
    const size_t dof = (size_t)self->motion.dof;
    double *y = ode_flow_values(self->flow);
    memcpy(y, state->q, dof * sizeof *y);
    memcpy(y + dof, state->v, dof * sizeof *y);
    memset(y + 2 * dof, 0, ((size_t)self->size - 2 * dof) * sizeof *y);
    self->started = self->starting = true;
    const carom_status status = treat_event(self, error);
    self->starting = false;
    return status;
}

static carom_status fail_too_many(event_driven *self, carom_error *error)
{
    self->stepper.end_word = "zeno";
    return fail_step(error, self->t, step_number(&self->stepper),
                     "max_events = %ld events do not suffice for one output interval; %ld impacts so far, "
                     "the last one at t = %.12g",
                     self->max_events, self->impacts, self->last_impact);
}

/* Roots of a gap rate that is nothing but rounding, as of bodies that move together, may hold the flow at one time for
 * ever: they are left out until it has gone on. False: it does not go on without them either. */
static bool mute_rates(event_driven *self, ode_flow_end end, double t_before)
{
    const bool moved = self->t - t_before > 64.0 * DBL_EPSILON * fmax(fabs(self->t), fabs(t_before));
    for (int contact = 0; contact < self->motion.contacts; contact++)
        self->muted[contact] =
            !moved && (self->muted[contact] ||
                       (end == ODE_FLOW_ROOT && ode_flow_is_root(self->flow, self->roots * contact + 1)));
    self->idle = moved ? 0 : self->idle + 1;
    return self->idle <= IDLE_MAX;
}

static carom_status fail_chatter(event_driven *self, carom_error *error)
{
    char able[200];
    self->stepper.end_word = "chatter";
    return fail_step(
        error, self->t, step_number(&self->stepper),
        "the motion does not get on: gaps and forces of contacts change their signs %d times at one "
        "moment without an event; other rtol and atol, or %s, may pass",
        IDLE_MAX, schemes_for_anything(able, sizeof able));
}

/* Does the motion end where the flow has come to? At a root the value may be zero; an impact can make it jump. */
static carom_status find_end(event_driven *self, bool root, carom_error *error)
{
    const double *q = ode_flow_values(self->flow);
    double value = 0.0;
    if (!event_driven_ending_value(self, self->t, q, q + self->motion.dof, &value))
        return fail_step(error, self->t, step_number(&self->stepper),
                         "where the motion ends is not a number");
    self->stepper.ended = root || value > 0.0;
    return CAROM_OK;
}

static void forget_friction_events(event_driven *self)
{
    const size_t contacts = self->general ? (size_t)self->motion.contacts : 0;
    memset(self->yielding, 0, contacts * sizeof *self->yielding);
    memset(self->stopping, 0, contacts * sizeof *self->stopping);
}

/* Goes on to the next event or t_end; *event says whether hit or leaving hold something. */
static carom_status advance(event_driven *self, double t_end, bool *event, carom_error *error)
{
    const size_t contacts = (size_t)self->motion.contacts;
    const double t_before = self->t;
    memset(self->hit, 0, contacts * sizeof *self->hit);
    memset(self->leaving, 0, contacts * sizeof *self->leaving);
    forget_friction_events(self);
    self->at_ending = false;
    self->t_end = t_end;
    self->hopped = self->fresh && event_driven_hop_try(self, t_end);
    if (self->hopped) {
        *event = self->hit[self->hop.contact];
        if (!*event) {
            event_driven_collect(self);
            restart(self);
        }
        return CAROM_OK;
    }
    if (self->flight.on || (self->fresh && event_flight_begin(self))) {
        self->fresh = false;
        if (event_flight_advance(self, t_end, event))
            return CAROM_OK;
        restart(self);
    }
    self->fresh = false;
    ode_flow_end end = ode_flow_advance(self->flow, t_end, &self->t);
    if (end != ODE_FLOW_TIME && end != ODE_FLOW_ROOT && end != ODE_FLOW_BACK)
        return motion_fail(&self->motion, &self->stepper, end, self->t, error);
    const double t_flow = self->t;
    self->at_ending = end == ODE_FLOW_ROOT && self->stepper.ending.value &&
                      ode_flow_is_root(self->flow, self->roots * self->motion.contacts);
    *event = event_driven_find_events(self, end);
    self->at_ending = self->at_ending && self->t == t_flow; /* an event before it took the flow back */
    event_driven_forget_depths(self);
    if (*event)
        return CAROM_OK;
    event_driven_drop_guards(self);
    return mute_rates(self, end, t_before) || !(self->t < t_end) ? CAROM_OK : fail_chatter(self, error);
}

/* The flow from the output on as if it began there: a motion can go on from here. */
static carom_status begin_afresh(event_driven *self, carom_error *error)
{
    restart(self);
    if (!ode_flow_renew(self->flow, self->t))
        return carom_fail_memory(error);
    replay_mark(&self->replay, &self->stepper);
    return CAROM_OK;
}

/* Other forces: which contacts stay closed is asked again, and the flow begins afresh. */
static carom_status renew(carom_stepper *stepper, carom_error *error)
{
    event_driven *self = (event_driven *)stepper;
    const size_t contacts = (size_t)self->motion.contacts;
    if (!self->started)
        return CAROM_OK;
    memset(self->hit, 0, contacts * sizeof *self->hit);
    memset(self->leaving, 0, contacts * sizeof *self->leaving);
    forget_friction_events(self);
    const carom_status status = treat_event(self, error);
    return status == CAROM_OK ? begin_afresh(self, error) : status;
}

static void keep(carom_stepper *stepper, carom_snapshot *snapshot)
{
    replay_keep(&((event_driven *)stepper)->replay, stepper, snapshot);
}

/* What fast motions leave of joints between events is put right where it shows, and the flow begins afresh. */
static void put_back_at_output(event_driven *self)
{
    double *q = ode_flow_values(self->flow);
    if (self->joints.count == 0 || !event_joints_put_back(self, drift_at_outputs, q, q + self->motion.dof))
        return;
    event_driven_collect(self);
    restart(self);
}

static carom_status step(carom_stepper *stepper, carom_error *error)
{
    event_driven *self = (event_driven *)stepper;
    const double t_end = step_end(stepper);
    for (int contact = 0; contact < stepper->contacts; contact++)
        stepper->state.impact_time[contact] = NAN;
    stepper->ended = false;
    carom_status status = self->started ? CAROM_OK : start(self, error);
    for (long events = 0; status == CAROM_OK && self->t < t_end && !stepper->ended;) {
        bool event = false;
        if (carom_stop_asked(&stepper->stop))
            return motion_fail(&self->motion, stepper, ODE_FLOW_STOPPED, self->t, error);
        status = advance(self, t_end, &event, error); /* smooth motion to the next event or the output */
        if (status == CAROM_OK && event && ++events > self->max_events)
            status = fail_too_many(self, error);
        else if (status == CAROM_OK && event)
            status = treat_event(self, error); /* impacts; contacts that close or open */
        if (status == CAROM_OK && stepper->ending.value)
            status = find_end(self, self->at_ending, error);
    }
    if (status == CAROM_OK && self->no_memory)
        status = carom_fail_memory(error);
    if (status == CAROM_OK)
        put_back_at_output(self);
    if (status == CAROM_OK)
        event_driven_record(self, stepper->ended ? self->t : t_end);
    return status == CAROM_OK && replay_is_due(&self->replay) ? begin_afresh(self, error) : status;
}

/* At the output, after an impact there. */
static carom_status forces(carom_stepper *stepper, double *acceleration, double *reaction, carom_error *error)
{
    event_driven *self = (event_driven *)stepper;
    const carom_state *state = &stepper->state;
    if (!acceleration && self->joints.count == 0)
        return CAROM_OK;
    if (!event_driven_forces(self, state->t, state->q, state->v))
        return motion_fail(&self->motion, stepper, ODE_FLOW_NO_RATE, state->t, error);
    if (acceleration)
        memcpy(acceleration, self->motion.acceleration, (size_t)stepper->dof * sizeof *acceleration);
    if (reaction && self->joints.count > 0)
        memcpy(reaction, self->joints.reaction, (size_t)self->joints.count * sizeof *reaction);
    return CAROM_OK;
}

const carom_scheme_ops scheme_event_driven = {
    .name = "event-driven",
    .summary = "impacts, sticks and slips located in time, smooth motion to tolerance between them, "
               "friction, joints (Paoli 2001)",
    .options = options,
    .option_count = OPTION_COUNT,
    .abilities = CAROM_SCHEME_COUPLED_MASS | CAROM_SCHEME_ANY_MASS | CAROM_SCHEME_RESTITUTION |
                 CAROM_SCHEME_LOCATES_IMPACTS | CAROM_SCHEME_FRICTION | CAROM_SCHEME_FRICTION_FORCES |
                 CAROM_SCHEME_JOINTS | CAROM_SCHEME_REACTIONS,
    .problems = CAROM_SCHEME_SOLVES(CAROM_PROBLEM_LCP),
    .size = sizeof(event_driven),
    .setup = setup,
    .step = step,
    .works = event_driven_works,
    .free = free_parts,
    .keep = keep,
    .renew = renew,
    .forces = forces,
    .tangent = &event_variation_ops,
};
