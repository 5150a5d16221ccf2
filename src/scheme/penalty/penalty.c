/* Penalty: contacts as springs with dampers that act while a gap is negative, for any mass matrix
 * (Paoli 2018, (9)-(10), per unit of the effective mass of each contact).
 *
 *   M u' = f + sum lambda n,   lambda = m (-n gap - 2 zeta sqrt(n) gap'),   m = 1 / (n.M^-1 n),
 *   zeta = -ln e / sqrt(pi^2 + ln^2 e),   zeta = 1 for e = 0.
 *
 * A free contact lasts pi / sqrt(n (1 - zeta^2)) and ends with the gap rate -e times that at its begin. The
 * damper acts during the whole stay, in tension too: cutting lambda at zero would change the restitution.
 * Begin and end of every contact are located in time. The impulse of an output is the integral of lambda,
 * which the integrator carries as further unknowns. */
#include "penalty.h"

#include <math.h>
#include <string.h>

#include "scheme/parts/step_report.h"

static const carom_option_info options[PENALTY_OPTION_COUNT] = {
    [PENALTY_OPTION_N] = {"n", 0.0, 0.0, 1e300, NULL,
                          "stiffness per unit of effective mass: a contact lasts about pi/sqrt(n); 0: 1e6 "
                          "over the square of the model's time",
                          .dimension = {.time = -2}},
    [PENALTY_OPTION_RTOL] = {"rtol", 1e-12, 1e-14, 1e-2, NULL, "relative tolerance of the integration"},
    [PENALTY_OPTION_ATOL] =
        {"atol", 1e-13, 1e-300, 1.0, NULL,
         "absolute tolerance of the integration, relative to the model's length and speed"},
};

/* Stiffness times the square of the model's time, where none is given. A contact then lasts 0.003 of that time. */
static const double usual_stiffness = 1e6;
/* A contact that begins as deep as this: shares of its speed that the spring gives back, times the depth at rest. */
static const double depth_told = 1e-3, depth_held = 10.0;

double penalty_damping_ratio(double restitution)
{
    if (restitution <= 0.0)
        return 1.0;
    const double logarithm = log(restitution);
    return -logarithm / sqrt(CAROM_PI * CAROM_PI + logarithm * logarithm);
}

/* ---- the flow: q, u, impulses -------------------------------------------------------------------------- */

bool penalty_rate(penalty *self, double t, const double *y, double *rate)
{
    smooth_motion *motion = &self->motion;
    const int n = motion->dof;
    const double *q = y, *u = y + n;
    double *acceleration = rate + n, *force = rate + 2 * n;
    if (!motion_accelerate(motion, t, q, u) || !motion_gaps(motion, t, q))
        return false;
    memcpy(rate, u, (size_t)n * sizeof *rate);
    memcpy(acceleration, motion->acceleration, (size_t)n * sizeof *rate);
    for (int contact = 0; contact < motion->contacts; contact++) {
        force[contact] = 0.0;
        if (!self->inside[contact])
            continue;
        if (!motion_row(motion, contact, t, q) || !motion_check_law(motion, &self->stepper, t, contact))
            return false;
        const double mass = 1.0 / contact_coupling(&motion->rows, contact, 0, contact, 0);
        const double zeta = penalty_damping_ratio(motion_restitution(motion, contact));
        force[contact] =
            mass * (-self->stiffness * motion->gap[contact] -
                    2.0 * zeta * sqrt(self->stiffness) * contact_velocity(&motion->rows, contact, 0, u));
        carom_row_add(contact_response(&motion->rows, contact, 0), force[contact], acceleration);
    }
    return true;
}

/* Powers of forces and of contacts, whose rows and forces were evaluated there; in a frame that moves u + M^-1 b stands for
 * u. */
static void find_powers(penalty *self, double t, const double *y, const double *rate,
                        double power[PENALTY_WORKS])
{
    smooth_motion *motion = &self->motion;
    const int n = motion->dof;
    const double *u = y + n, *force = rate + 2 * n;
    power[0] = carom_model_power(motion->work, t, y, u, self->power_scratch);
    power[1] = 0.0;
    if (motion->model->moving_frame &&
        carom_model_carrier(motion->work, t, y, self->power_scratch, self->carrier)) {
        carom_axpy(n, 1.0, u, self->carrier);
        u = self->carrier;
    }
    for (int contact = 0; contact < motion->contacts; contact++)
        if (self->inside[contact])
            power[1] += force[contact] * carom_row_dot(&motion->rows.frame[contact].normal, u);
}

static int flow_size(const penalty *self)
{
    return 2 * self->motion.dof + self->motion.contacts + PENALTY_WORKS;
}

/* The flow carries the works of forces and contacts as further unknowns. */
static bool flow_rate(void *context, double t, const double *y, double *rate)
{
    penalty *self = context;
    double *power = rate + flow_size(self) - PENALTY_WORKS;
    self->replay.evaluations++;
    if (!penalty_rate(self, t, y, rate))
        return false;
    memset(power, 0, PENALTY_WORKS * sizeof *power);
    if (!self->stepper.no_works)
        find_powers(self, t, y, rate, power);
    for (int i = 0; i < PENALTY_WORKS; i++)
        if (!isfinite(power[i])) { /* the integrator cannot carry it */
            power[i] = 0.0;
            self->works_lost = true;
        }
    return true;
}

/* Until the last output. */
static carom_works works(carom_stepper *stepper)
{
    const penalty *self = (penalty *)stepper;
    const double *carried = ode_flow_values(self->flow) + flow_size(self) - PENALTY_WORKS;
    carom_works sum = {.forces = self->works_lost ? NAN : carried[0], .contacts = carried[1]};
    return sum;
}

/* Per contact: how far it is from its next change, and the gap rate, whose roots show gaps that change sign
 * twice within a step. */
static bool flow_roots(void *context, double t, const double *y, double *value)
{
    penalty *self = context;
    smooth_motion *motion = &self->motion;
    if (!motion_gaps(motion, t, y))
        return false;
    for (int contact = 0; contact < motion->contacts; contact++) {
        motion_frame(motion, contact, t, y);
        value[2 * contact] = self->inside[contact] ? -motion->gap[contact] : motion->gap[contact];
        value[2 * contact + 1] = contact_velocity(&motion->rows, contact, 0, y + motion->dof);
    }
    return true;
}

static bool flow_stop(void *context)
{
    return carom_stop_asked(&((penalty *)context)->stepper.stop);
}

/* ---- creation ------------------------------------------------------------------------------------------ */

/* Positions, velocities and impulses: relative to the model's scales. Errors of works do not count. */
static void set_tolerances(penalty *self)
{
    const carom_scales *scales = &self->stepper.scales;
    const double atol = self->stepper.option[PENALTY_OPTION_ATOL], speed = carom_scales_speed(scales);
    const int n = self->motion.dof, size = flow_size(self);
    for (int i = 0; i < size; i++)
        self->tolerance[i] = i < n                      ? atol * scales->length
                             : i < 2 * n                ? atol * speed
                             : i < size - PENALTY_WORKS ? atol * (scales->mass * speed)
                                                        : INFINITY;
}

static carom_status create_flow(penalty *self, carom_error *error)
{
    const carom_stepper *stepper = &self->stepper;
    const int contacts = stepper->contacts;
    int *direction = carom_arena_take(stepper->arena, 2 * (size_t)contacts, sizeof(int));
    if (!direction)
        return carom_fail_memory(error);
    for (int contact = 0; contact < contacts; contact++)
        direction[2 * contact] = -1; /* the gap rate: both */
    set_tolerances(self);
    const ode_flow_problem problem = {
        .size = flow_size(self),
        .roots = 2 * contacts,
        .context = self,
        .rate = flow_rate,
        .root = flow_roots,
        .direction = direction,
        .relative_tolerance = stepper->option[PENALTY_OPTION_RTOL],
        .absolute_tolerance = self->tolerance,
        .max_step = ode_flow_longest * stepper->scales.time,
        .stop = flow_stop,
    };
    return ode_flow_create(&problem, &self->flow, error);
}

static void visit(carom_stepper *stepper, carom_snapshot *snapshot)
{
    penalty *self = (penalty *)stepper;
    const size_t contacts = (size_t)stepper->contacts;
    carom_snapshot_block(snapshot, &self->t, sizeof self->t);
    carom_snapshot_block(snapshot, &self->started, sizeof self->started);
    carom_snapshot_block(snapshot, &self->works_lost, sizeof self->works_lost);
    carom_snapshot_block(snapshot, self->inside, contacts * sizeof *self->inside);
    carom_snapshot_block(snapshot, self->touched, contacts * sizeof *self->touched);
    carom_snapshot_block(snapshot, self->carried, contacts * sizeof *self->carried);
    carom_snapshot_block(snapshot, self->begun, contacts * sizeof *self->begun);
    carom_snapshot_block(snapshot, ode_flow_values(self->flow), (size_t)flow_size(self) * sizeof(double));
    if (snapshot->restores && !snapshot->failed && self->started)
        snapshot->failed = !ode_flow_renew(self->flow, self->t);
}

static carom_status setup(carom_stepper *stepper, carom_error *error)
{
    penalty *self = (penalty *)stepper;
    const size_t contacts = (size_t)stepper->contacts;
    const double time = stepper->scales.time, given = stepper->option[PENALTY_OPTION_N];
    self->stiffness = given > 0.0 ? given : usual_stiffness / (time * time);
    self->t = stepper->t0;
    self->inside = carom_arena_take(stepper->arena, contacts, sizeof(bool));
    self->touched = carom_arena_take(stepper->arena, contacts, sizeof(bool));
    self->carried = carom_arena_take(stepper->arena, contacts, sizeof(double));
    self->begun = carom_arena_take(stepper->arena, contacts, sizeof(double));
    self->rate = carom_arena_take(stepper->arena, 2 * (size_t)stepper->dof + contacts, sizeof(double));
    self->power_scratch =
        carom_arena_take(stepper->arena, carom_model_power_scratch(stepper->model), sizeof(double));
    self->carrier = carom_arena_take(stepper->arena, (size_t)stepper->dof, sizeof(double));
    self->tolerance =
        carom_arena_take(stepper->arena, 2 * (size_t)stepper->dof + contacts + PENALTY_WORKS, sizeof(double));
    if (!self->tolerance || !self->power_scratch || !self->carrier || !self->inside || !self->touched ||
        !self->begun || !self->carried || !self->rate || !motion_take(&self->motion, stepper))
        return contact_rows_fail(stepper, RESPONSES_OF_MASS, error);
    carom_status status = mass_check(stepper->work, stepper->t0, stepper->state.q, NULL, error);
    if (status == CAROM_OK)
        status = motion_check_contacts(&self->motion, stepper, error);
    if (status != CAROM_OK)
        return status;
    if (stepper->contacts > 1)
        carom_warn(&stepper->warnings,
                   "%d contacts: where several act at once, what penalty tends to for large n depends on the "
                   "shape of the penalty, and need not be the impact law",
                   stepper->contacts);
    status = create_flow(self, error);
    return status == CAROM_OK ? replay_begin(&self->replay, stepper, visit, error) : status;
}

static void free_flow(carom_stepper *stepper)
{
    penalty *self = (penalty *)stepper;
    replay_free(&self->replay);
    ode_flow_free(self->flow);
    motion_free(&self->motion);
}

static void keep(carom_stepper *stepper, carom_snapshot *snapshot)
{
    replay_keep(&((penalty *)stepper)->replay, stepper, snapshot);
}

/* ---- the step ------------------------------------------------------------------------------------------ */

/* A contact that begins to push well inside its obstacle: its spring has energy that nothing gave it. The depth at which it
 * rests under the forces is none. */
static void doubt_depth(penalty *self, int contact)
{
    smooth_motion *motion = &self->motion;
    const double *y = ode_flow_values(self->flow), *u = y + motion->dof;
    if (!self->inside[contact] || !motion_accelerate(motion, self->t, y, u) ||
        !motion_gaps(motion, self->t, y))
        return;
    motion_frame(motion, contact, self->t, y);
    const double depth = fabs(motion->gap[contact]),
                 rate = fabs(contact_velocity(&motion->rows, contact, 0, u)),
                 pull = fabs(contact_velocity(&motion->rows, contact, 0, motion->acceleration));
    if (sqrt(self->stiffness) * depth <= depth_told * rate || self->stiffness * depth <= depth_held * pull)
        return;
    carom_doubt(
        &self->stepper.warnings,
        "penetration: contact '%s' begins to push at t = %.9g with a gap of %.6g: its spring gives energy "
        "that nothing put in; begin outside, with a gap that does not jump",
        motion->model->contact[contact].name, self->t, motion->gap[contact]);
}

/* A contact begins or ends where the flow has come to. No velocity jumps there: the impulse of an impact is zero, that of a
 * release is what the contact has carried. */
static void report_change(penalty *self, int contact)
{
    const carom_event_listener *listener = &self->stepper.listener;
    smooth_motion *motion = &self->motion;
    const int n = motion->dof;
    const double *y = ode_flow_values(self->flow), *u = y + n, carried = y[2 * n + contact];
    const bool begins = self->inside[contact];
    if (begins) {
        self->stepper.state.impact_time[contact] = self->t;
        self->begun[contact] = carried;
    }
    if (!listener->take)
        return;
    motion_frame(motion, contact, self->t, y);
    const double rate = contact_velocity(&motion->rows, contact, 0, u),
                 energy = motion->ops.energy(motion->work, self->t, y, u);
    const carom_event event = {.t = self->t,
                               .kind = begins ? CAROM_EVENT_IMPACT : CAROM_EVENT_RELEASE,
                               .contact = contact,
                               .rate_before = rate,
                               .rate_after = rate,
                               .impulse = begins ? 0.0 : carried - self->begun[contact],
                               .energy_before = energy,
                               .energy_after = energy,
                               .q = y,
                               .v = u,
                               .v_after = u};
    if (self->stepper.tangent)
        penalty_variation_report(self, contact);
    listener->take(listener->context, &event);
}

static carom_status start(penalty *self, carom_error *error)
{
    const carom_state *state = &self->stepper.state;
    smooth_motion *motion = &self->motion;
    const size_t dof = (size_t)motion->dof;
    double *y = ode_flow_values(self->flow);
    memcpy(y, state->q, dof * sizeof *y);
    memcpy(y + dof, state->v, dof * sizeof *y);
    memset(y + 2 * dof, 0, ((size_t)motion->contacts + PENALTY_WORKS) * sizeof *y);
    if (!motion_gaps(motion, self->t, y))
        return motion_fail(motion, &self->stepper, ODE_FLOW_NO_RATE, self->t, error);
    for (int contact = 0; contact < motion->contacts; contact++) {
        motion_frame(motion, contact, self->t, y);
        const double gap = motion->gap[contact];
        self->inside[contact] =
            gap < 0.0 || (gap == 0.0 && contact_velocity(&motion->rows, contact, 0, y + dof) <= 0.0);
        self->touched[contact] = self->inside[contact];
    }
    self->started = true;
    ode_flow_restart(self->flow, self->t);
    for (int contact = 0; contact < motion->contacts; contact++) {
        doubt_depth(self, contact);
        motion_frame(motion, contact, self->t, y);
        if (self->inside[contact] && contact_velocity(&motion->rows, contact, 0, y + dof) < 0.0)
            report_change(self, contact);
    }
    return self->no_memory ? carom_fail_memory(error) : CAROM_OK;
}

static void change(penalty *self, int contact)
{
    if (self->stepper.tangent)
        penalty_variation_change(self, contact);
    else
        self->inside[contact] = !self->inside[contact];
    self->touched[contact] = true;
    doubt_depth(self, contact);
    report_change(self, contact);
}

/* Does the gap go where the change says? In rounding about zero a gap changes its sign both ways; in a frame that moves fast there
 * is much of it. */
static bool is_going(penalty *self, int contact)
{
    const double *y = ode_flow_values(self->flow);
    motion_frame(&self->motion, contact, self->t, y);
    const double rate = contact_velocity(&self->motion.rows, contact, 0, y + self->motion.dof);
    return self->inside[contact] ? !(rate < 0.0) : !(rate > 0.0);
}

/* Changes of contact where the flow has come to, with going back to those that a step has passed; false when
 * there are none. */
static bool change_contacts(penalty *self, ode_flow_end end)
{
    const int contacts = self->motion.contacts;
    int passed = -1;
    for (int contact = 0; contact < contacts; contact++) {
        const double *q = ode_flow_values(self->flow);
        if ((end == ODE_FLOW_ROOT && ode_flow_is_root(self->flow, 2 * contact)) ||
            !motion_gaps(&self->motion, self->t, q))
            continue;
        const double gap = self->motion.gap[contact];
        if ((self->inside[contact] ? -gap : gap) < 0.0 &&
            ode_flow_back_to_root(self->flow, 2 * contact, &self->t))
            passed = contact;
    }
    if (passed >= 0) {
        if (is_going(self, passed))
            change(self, passed);
        return true; /* the flow went back */
    }
    bool any = false;
    for (int contact = 0; end == ODE_FLOW_ROOT && contact < contacts; contact++)
        if (ode_flow_is_root(self->flow, 2 * contact) && is_going(self, contact)) {
            change(self, contact);
            any = true;
        }
    return any;
}

static void record(penalty *self, double t_end)
{
    carom_state *state = &self->stepper.state;
    const size_t dof = (size_t)self->motion.dof;
    const double *y = ode_flow_values(self->flow);
    state->t = t_end;
    memcpy(state->q, y, dof * sizeof *y);
    memcpy(state->v, y + dof, dof * sizeof *y);
    for (int contact = 0; contact < self->motion.contacts; contact++) {
        const double carried = y[2 * dof + (size_t)contact];
        state->impulse[CAROM_CONTACT_COMPONENTS * contact] = carried - self->carried[contact];
        state->regime[contact] = self->touched[contact] ? CAROM_CONTACT_SLIP : CAROM_CONTACT_OPEN;
        self->carried[contact] = carried;
        self->touched[contact] = self->inside[contact];
    }
    self->stepper.counts.steps++;
}

/* As if the motion began at the output: it can go on from here. */
static carom_status begin_afresh(penalty *self, carom_error *error)
{
    if (!ode_flow_renew(self->flow, self->t))
        return carom_fail_memory(error);
    replay_mark(&self->replay, &self->stepper);
    return CAROM_OK;
}

static carom_status renew(carom_stepper *stepper, carom_error *error)
{
    penalty *self = (penalty *)stepper;
    if (!self->started)
        return CAROM_OK;
    return begin_afresh(self, error);
}

static carom_status step(carom_stepper *stepper, carom_error *error)
{
    penalty *self = (penalty *)stepper;
    const double t_end = step_end(stepper);
    for (int contact = 0; contact < stepper->contacts; contact++)
        stepper->state.impact_time[contact] = NAN;
    carom_status status = self->started ? CAROM_OK : start(self, error);
    while (status == CAROM_OK && self->t < t_end) {
        const ode_flow_end end = ode_flow_advance(self->flow, t_end, &self->t);
        if (end != ODE_FLOW_TIME && end != ODE_FLOW_ROOT)
            status = motion_fail(&self->motion, stepper, end, self->t, error);
        else if (change_contacts(self, end))
            ode_flow_restart(self->flow, self->t);
        else if (stepper->tangent && end == ODE_FLOW_ROOT)
            penalty_variation_missed(self);
        if (self->no_memory)
            status = carom_fail_memory(error);
    }
    if (status == CAROM_OK)
        record(self, t_end);
    if (status != CAROM_OK || !replay_is_due(&self->replay))
        return status;
    return begin_afresh(self, error);
}

/* At the output; without joints. */
static carom_status forces(carom_stepper *stepper, double *acceleration, double *reaction, carom_error *error)
{
    (void)reaction;
    penalty *self = (penalty *)stepper;
    const size_t dof = (size_t)stepper->dof;
    if (!acceleration)
        return CAROM_OK;
    if (!penalty_rate(self, stepper->state.t, ode_flow_values(self->flow), self->rate))
        return motion_fail(&self->motion, stepper, ODE_FLOW_NO_RATE, stepper->state.t, error);
    memcpy(acceleration, self->rate + dof, dof * sizeof *acceleration);
    return CAROM_OK;
}

const carom_scheme_ops scheme_penalty = {
    .name = "penalty",
    .summary = "contacts as springs with dampers that give the restitution, any mass matrix (Paoli 2018)",
    .options = options,
    .option_count = PENALTY_OPTION_COUNT,
    .abilities = CAROM_SCHEME_COUPLED_MASS | CAROM_SCHEME_ANY_MASS | CAROM_SCHEME_RESTITUTION |
                 CAROM_SCHEME_OWN_STEPS | CAROM_SCHEME_REPORTS_EVENTS,
    .size = sizeof(penalty),
    .setup = setup,
    .step = step,
    .free = free_flow,
    .keep = keep,
    .renew = renew,
    .works = works,
    .forces = forces,
    .tangent = &penalty_variation_ops,
};
