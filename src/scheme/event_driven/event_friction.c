/* Events of models with friction or joints: impacts with Coulomb's friction, and which contacts close, stick or begin to slip. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "event_driven.h"
#include "scheme/event_driven/variation/variation.h"

/* A force or acceleration this small, relative to the model's acceleration and the others, may be zero. */
static const double force_rounding = 1e-11;
/* A velocity this small, relative to the model's speed and the others, is rounding. */
static const double rate_rounding = 1e-12;
/* A slip this small, relative to the model's speed and velocities, has no direction: in space, and in the plane, where slips that end are located
 * as roots. */
static const double slip_rounding = 1e-8, slip_rounding_plane = 1e-11;
/* Time in which a slip that has no direction any more comes to its stop at most, relative to the model's. */
static const double longest_stop = 1e-4;
/* What of friction a contact may have left that begins to slip, relative to accelerations. */
static const double yield_rounding = 2e-10;
/* How far a slip that begins may be off zero, in tolerances of the integration. */
static const double slip_tolerances = 20.0;

bool event_friction_is_listed(const event_driven *self)
{
    for (int a = 0; self->general && a < self->count; a++)
        if (event_mode_tangents(self, self->list[a]) > 0)
            return true;
    return false;
}

/* ---- impacts ---------------------------------------------------------------------------------------------- */

/* The doubt that forces are not the only ones, once. */
static void tell_of_several(event_driven *self, bool several, const char *what)
{
    if (!several || self->several_told)
        return;
    self->several_told = true;
    carom_doubt(&self->stepper.warnings,
                "painleve: at t = %.9g more than one %s of contact '%s' and those that touch with it "
                "satisfies the law of "
                "friction; one of them was taken",
                self->t, what, self->motion.model->contact[self->problem.contact[0]].name);
}

/* What an impulse does, to the velocity and to what is told of the event. */
static void take_impulses(event_driven *self, double *u)
{
    const event_problem *problem = &self->problem;
    for (int k = 0; k < problem->count; k++) {
        const int contact = problem->contact[k];
        const double *p = problem->r + 3 * k;
        if (!(p[0] > 0.0))
            continue;
        const bool real = event_driven_add_impulse(self, k, p[0]);
        carom_row_add(contact_response(&self->motion.rows, contact, 0), p[0], u);
        for (int i = 0; i < problem->tangents[k]; i++) {
            carom_row_add(contact_response(&self->motion.rows, contact, 1 + i), p[1 + i], u);
            self->event_friction[2 * contact + i] += p[1 + i];
            if (real)
                self->impulse[3 * contact + 1 + i] += p[1 + i];
        }
        self->impact_regime[contact] =
            problem->status[k] == EVENT_STICK ? CAROM_CONTACT_STICK : CAROM_CONTACT_SLIP;
    }
}

carom_status event_friction_strike(event_driven *self, bool rebounds, double *u, carom_error *error)
{
    event_problem *problem = &self->problem;
    bool several = false;
    if (!event_mode_fill(self, self->count, self->list))
        return motion_fail(&self->motion, &self->stepper, ODE_FLOW_NO_RATE, self->t, error);
    for (int k = 0; k < problem->count; k++) {
        const int contact = problem->contact[k];
        const double e = rebounds ? motion_restitution(&self->motion, contact) : 0.0;
        const bool sticks = self->starting || self->mode.status[contact] == EVENT_STICK;
        for (int i = 0; i <= problem->tangents[k]; i++)
            problem->c[3 * k + i] = contact_velocity(&self->motion.rows, contact, i, u);
        problem->c[3 * k] *= 1.0 + e; /* u_N+ + e u_N- */
        problem->set[k] = event_mode_set(self, contact, self->was_closed[contact] && sticks);
    }
    const event_problem_end end = event_problem_decide(problem, rate_rounding * self->rate_size, &several);
    if (end != EVENT_PROBLEM_SOLVED) {
        event_mode_fault(self, EVENT_PROBLEM_PAINLEVE);
        return fail_step(
            error, self->t, step_number(&self->stepper),
            "the impact of %d contacts with friction has no solution that is found, for contact '%s' least",
            problem->count, self->motion.model->contact[problem->bad].name);
    }
    tell_of_several(self, several, "impulse");
    take_impulses(self, u);
    if (self->stepper.tangent)
        event_variation_strike(self, rebounds, problem->r, 3, problem->status, problem->x);
    return CAROM_OK;
}

/* ---- which contacts close, stick or slip -------------------------------------------------------------------- */

/* Slips of candidates: those that have a direction keep it, one whose friction reached its bound begins to slip. Where forces are
 * not unique, others may bear what it cannot, unless it `must` slip. */
static void find_slips(event_driven *self, const double *u, bool must)
{
    event_problem *problem = &self->problem;
    event_mode *mode = &self->mode;
    for (int k = 0; k < problem->count; k++) {
        const int contact = problem->contact[k], tangents = problem->tangents[k];
        double slip[2], *direction = mode->direction + 2 * contact;
        if (tangents == 0)
            continue;
        event_mode_slip(self, contact, u, slip);
        const double speed = hypot(slip[0], slip[1]);
        const bool stuck = self->was_closed[contact] && self->status_before[contact] == EVENT_STICK;
        const bool held = self->starting || (stuck && !self->yielding[contact]);
        problem->set[k] = event_mode_set(self, contact, held);
        const double *force = mode->force + 3 * contact + 1, held_by = hypot(force[0], force[1]);
        const bool yields = self->yielding[contact] && stuck && must && held_by > 0.0;
        const double least =
            tangents == 2 ? self->slip_min : slip_rounding_plane / slip_rounding * self->slip_min;
        /* In space a slip may pass zero at a distance. */
        const bool passes = tangents == 2 && speed > 2.0 * least;
        problem->moves[k] = yields || passes || (!self->stopping[contact] && speed > least);
        if (!problem->moves[k])
            continue;
        if (yields) { /* against the friction that was not enough */
            direction[0] = -force[0] / held_by;
            direction[1] = -force[1] / held_by;
        } else {
            direction[0] = slip[0] / speed;
            direction[1] = slip[1] / speed;
        }
        event_mode_friction(self, contact, yields ? (double[2]){0} : slip, direction, problem->x + 2 * k);
    }
}

/* Does a contact that yielded stick, with nothing left? Then all that have nothing left yield. */
static bool yields_again(event_driven *self, double size)
{
    const event_problem *problem = &self->problem;
    bool again = false;
    for (int pass = 0; pass < (again ? 2 : 1); pass++)
        for (int k = 0; k < problem->count; k++) {
            const int contact = problem->contact[k];
            if (problem->status[k] != EVENT_STICK || !(self->yielding[contact] || pass == 1))
                continue;
            const carom_planar_set set = event_mode_set(self, contact, true);
            const double left = event_friction_margin(&set, problem->tangents[k], problem->r + 3 * k);
            if (!(left * event_problem_at(problem, k, 1, k, 1) < yield_rounding * size))
                continue;
            self->yielding[contact] = again = true;
        }
    return again;
}

/* Is its acceleration along the tangents more than rounding of its friction? */
static bool has_direction(const event_problem *problem, int k)
{
    const double *a = problem->a + 3 * k + 1, *x = problem->x + 2 * k;
    return hypot(a[0], a[1]) >
           1e-6 * hypot(x[0], x[1]) * fabs(problem->r[3 * k]) * event_problem_at(problem, k, 1, k, 1);
}

/* Direction in which a contact begins to slip: that of its acceleration; where that is still zero, against its friction. */
static void begin_slip(event_driven *self, int k)
{
    const event_problem *problem = &self->problem;
    const double *a = problem->a + 3 * k + 1, *x = problem->x + 2 * k;
    double *direction = self->mode.direction + 2 * problem->contact[k];
    const double size = hypot(a[0], a[1]), against = hypot(x[0], x[1]);
    if (problem->tangents[k] == 1) {
        direction[0] = x[0] < 0.0 ? 1.0 : -1.0;
        direction[1] = 0.0;
        return;
    }
    const bool known = has_direction(problem, k);
    for (int i = 0; i < 2; i++)
        direction[i] = known ? a[i] / size : -x[i] / against;
}

/* A slip, and whether it begins: then it starts at zero but for rounding, to either side, and the guard puts it on the positive one. */
static void take_slip(event_driven *self, int k, const double *u)
{
    const event_problem *problem = &self->problem;
    const int contact = problem->contact[k], tangents = problem->tangents[k];
    event_mode *mode = &self->mode;
    double slip[2], *direction = mode->direction + 2 * contact;
    if (!problem->moves[k])
        begin_slip(self, k);
    event_mode_slip(self, contact, u, slip);
    const bool starts = !(hypot(slip[0], slip[1]) > self->slip_min);
    if (tangents == 2 && starts && !problem->redundant && self->yielding[contact] &&
        !has_direction(problem, k))
        direction[0] = direction[1] = 0.0; /* it follows the force */
    mode->status[contact] = starts && tangents == 2 ? EVENT_START : EVENT_SLIP;
    const double tolerance = slip_tolerances * (self->atol * event_driven_speed(self) +
                                                self->rtol * self->slip_min / slip_rounding);
    self->friction_guard[contact] = tangents == 1 && starts ? tolerance : 0.0;
}

/* A contact that sticks with nothing left of its friction yields when it lacks more than rounding. */
static void guard_stick(event_driven *self, int k, double zero)
{
    const event_problem *problem = &self->problem;
    const int contact = problem->contact[k];
    const carom_planar_set set = event_mode_set(self, contact, true);
    const double margin = event_friction_margin(&set, problem->tangents[k], problem->r + 3 * k);
    const double least = zero / event_problem_at(problem, k, 1, k, 1);
    self->friction_guard[contact] = margin > least ? 0.0 : least - fmin(margin, 0.0);
}

/* Statuses of the problem become the mode. */
static void take_statuses(event_driven *self, double zero, const double *u)
{
    const event_problem *problem = &self->problem;
    event_mode *mode = &self->mode;
    mode->redundant = problem->redundant;
    for (int k = 0; k < problem->count; k++) {
        const int contact = problem->contact[k];
        const double *r = problem->r + 3 * k;
        const unsigned char status = problem->status[k];
        self->friction_guard[contact] = 0.0;
        self->closed[contact] = problem->bounded[k] || status != EVENT_OPEN;
        if (!self->closed[contact])
            continue;
        mode->status[contact] = status;
        if (!problem->bounded[k]) {
            const double own = event_problem_at(problem, k, 0, k, 0);
            self->least[contact] = zero / own;
            self->guard[contact] = r[0] * own > zero ? 0.0 : zero / own;
        }
        for (int i = 0; i < 3; i++) {
            mode->reference[3 * contact + i] = problem->redundant ? problem->reference[3 * k + i] : 0.0;
            mode->weight[3 * contact + i] = problem->redundant ? problem->weight[3 * k + i] : 1.0;
        }
        if (event_slips(status))
            take_slip(self, k, u);
        else if (status == EVENT_STICK)
            guard_stick(self, k, zero);
    }
}

/* Takes out what rounding and the location of events leave of normal velocities of closed contacts, and of slips of those that
 * stick. */
static void remove_velocities(event_driven *self, double *u)
{
    event_problem *problem = &self->problem;
    double size = event_driven_speed(self);
    for (int k = 0; k < problem->count; k++) {
        const int contact = problem->contact[k];
        for (int i = problem->bounded[k]; i <= problem->tangents[k]; i++)
            problem->c[3 * k + i] = contact_velocity(&self->motion.rows, contact, i, u);
        for (int i = 0; i < 3; i++)
            problem->reference[3 * k + i] = 0.0;
        problem->x[2 * k] = problem->x[2 * k + 1] = 0.0; /* only what sticks is held */
        size = fmax(size, fabs(problem->c[3 * k]));
    }
    if (event_problem_solve(problem) != EVENT_PROBLEM_SOLVED)
        return;
    for (int k = 0; k < problem->count; k++) {
        const int contact = problem->contact[k];
        double *p = problem->r + 3 * k;
        if (problem->bounded[k])
            p[0] = 0.0;
        for (int i = 0; i <= problem->tangents[k]; i++) {
            if (p[i] == 0.0)
                continue;
            carom_row_add(contact_response(&self->motion.rows, contact, i), p[i], u);
            *(i == 0 ? &self->event_impulse[contact] : &self->event_friction[2 * contact + i - 1]) += p[i];
            if (fabs(p[i]) * event_problem_at(problem, k, i, k, i) <= rate_rounding * size)
                continue;
            self->impulse[3 * contact + i] += p[i];
            self->touched[contact] = true;
        }
    }
}

static carom_status fail_decision(event_driven *self, carom_error *error)
{
    char able[200];
    self->stepper.end_word = "painleve";
    return fail_step(error, self->t, step_number(&self->stepper),
                     "no forces of %d closed contacts satisfy the law of friction, of contact '%s' least "
                     "(Painleve's paradox, "
                     "where an impulse would do it); less friction, or %s",
                     self->problem.count, self->motion.model->contact[self->problem.bad].name,
                     schemes_for_anything(able, sizeof able));
}

carom_status event_friction_classify(event_driven *self, const double *q, double *u, carom_error *error)
{
    event_problem *problem = &self->problem;
    bool several = false;
    double size = event_driven_acceleration(self), speed = event_driven_speed(self);
    event_driven_keep_candidates(self, q);
    for (int contact = 0; contact < self->motion.contacts; contact++)
        if (self->motion.model->contact[contact].friction_force)
            self->list[self->count++] = contact;
    for (int i = 0; i < self->motion.dof; i++)
        speed = fmax(speed, fabs(u[i]));
    self->slip_min = slip_rounding * speed;
    const bool redundant = self->mode.redundant;
    self->mode.redundant = false;
    if (self->count == 0)
        return CAROM_OK;
    if (!event_mode_accelerate_free(self, self->t, q, u))
        return motion_fail(&self->motion, &self->stepper, ODE_FLOW_NO_RATE, self->t, error);
    for (int a = 0; a < self->count; a++)
        if (!event_mode_row(self, self->list[a], self->t, q))
            return motion_fail(&self->motion, &self->stepper, ODE_FLOW_NO_RATE, self->t, error);
    if (!event_mode_fill(self, self->count, self->list))
        return motion_fail(&self->motion, &self->stepper, ODE_FLOW_NO_RATE, self->t, error);
    event_mode_fill_accelerations(self, true, self->t, q, u);
    find_slips(self, u, !redundant);
    for (int i = 0; i < 3 * problem->count; i++)
        size = fmax(size, fabs(problem->c[i]));
    const double zero = force_rounding * size;
    event_problem_end end = event_problem_decide(problem, zero, &several);
    if (end == EVENT_PROBLEM_SOLVED && redundant && yields_again(self, size)) {
        find_slips(self, u, true);
        end = event_problem_decide(problem, zero, &several);
    }
    if (end != EVENT_PROBLEM_SOLVED)
        return fail_decision(self, error);
    tell_of_several(self, several, "set of forces");
    take_statuses(self, zero, u);
    remove_velocities(self, u);
    return CAROM_OK;
}

/* ---- slips that begin and end ----------------------------------------------------------------------------------- */

void event_friction_stop(event_driven *self)
{
    const int n = self->motion.dof;
    double *y = ode_flow_values(self->flow), *q = y, *u = y + n, *rate = self->hop.rate;
    int stops = -1;
    for (int contact = 0; contact < self->motion.contacts; contact++)
        if (self->stopping[contact] && event_mode_tangents(self, contact) == 2)
            stops = contact;
    if (stops < 0 || !event_driven_rate(self, self->t, y, rate))
        return;
    double slip[2], curvature[CAROM_CONTACT_COMPONENTS], along = 0.0;
    event_mode_slip(self, stops, u, slip);
    motion_curvatures(&self->motion, stops, self->t, q, u, curvature);
    for (int i = 0; i < 2; i++)
        along += slip[i] *
                 (carom_row_dot(contact_row(&self->motion.rows, stops, 1 + i), rate + n) + curvature[1 + i]);
    const double speed = hypot(slip[0], slip[1]), left = -speed * speed / along;
    if (!(left > 0.0) || !(left <= longest_stop * self->stepper.scales.time) || self->t + left > self->t_end)
        return;
    for (int i = 0; i < n; i++) {
        q[i] += left * (u[i] + 0.5 * left * rate[n + i]);
        u[i] += left * rate[n + i];
    }
    for (int i = 2 * n; i < self->size; i++)
        y[i] += left * rate[i];
    self->t += left;
}

void event_friction_drop_guards(event_driven *self)
{
    const double *u = ode_flow_values(self->flow) + self->motion.dof;
    for (int contact = 0; contact < self->motion.contacts; contact++) {
        const double guard = self->friction_guard[contact];
        if (guard > 0.0 && self->closed[contact] && event_mode_root(self, contact, u) - guard > 10.0 * guard)
            self->friction_guard[contact] = 0.0;
    }
}
