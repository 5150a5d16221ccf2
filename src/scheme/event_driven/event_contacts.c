/* Contact problems of the event-driven scheme: forces in lasting contact, impacts, which contacts close. */
#include "event_driven.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "scheme/event_driven/variation/variation.h"
#include "scheme/parts/contact_warnings.h"

enum {
    IMPACTS_AT_ONCE_MAX = 50
};

/* A normal velocity this small, relative to the model's speed and the others, is rounding. */
static const double rate_rounding = 1e-12;
static const double closed_rounding = 1e-9;
/* A force or acceleration this small, relative to the model's acceleration and the others, may be zero. */
static const double force_rounding = 1e-11;
/* How far a gap that opens from zero without speed may be off zero, in tolerances of the integration: its
 * first step after a restart is of order 1 and uses them up. */
static const double gap_tolerances = 20.0;
/* A pivot this small against its diagonal entry means that a row depends on the others. */
static const double dependent_pivot = 1e-12;

static const carom_row *response_of(const event_driven *self, int contact)
{
    return contact_response(&self->motion.rows, contact, 0);
}

static void fill_matrix(event_driven *self)
{
    const int count = self->count;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            self->lcp.matrix[a * count + b] =
                contact_coupling(&self->motion.rows, self->list[a], 0, self->list[b], 0);
}

static void fill_rates(event_driven *self, const double *u)
{
    for (int a = 0; a < self->count; a++)
        self->rate[a] = contact_velocity(&self->motion.rows, self->list[a], 0, u);
}

static double own_response(const event_driven *self, int contact)
{
    return contact_coupling(&self->motion.rows, contact, 0, contact, 0);
}

static bool find_islands(event_driven *self)
{
    if (event_islands_find(self))
        return true;
    self->motion.fault = MOTION_NO_MEMORY;
    self->motion.fault_index = self->list[0];
    return false;
}

bool event_driven_rows(event_driven *self, const double *q, const double *u)
{
    for (int a = 0; a < self->count; a++)
        if (!(self->general ? event_mode_row(self, self->list[a], self->t, q)
                            : motion_row(&self->motion, self->list[a], self->t, q)))
            return false;
    if (!find_islands(self))
        return false;
    fill_rates(self, u);
    return true;
}

/* Normal acceleration of a contact without contact forces. */
static double free_gap_acceleration(event_driven *self, int contact, double t, const double *q,
                                    const double *u)
{
    return carom_row_dot(&self->motion.rows.frame[contact].normal, self->motion.acceleration) +
           motion_curvature(&self->motion, contact, t, q, u);
}

bool event_driven_gaps(event_driven *self, double t, const double *q)
{
    if (!motion_gaps(&self->motion, t, q))
        return false;
    for (int contact = 0; contact < self->motion.contacts; contact++)
        self->motion.gap[contact] += self->depth[contact];
    return true;
}

/* The forces of one island, whose accelerations stand in column. */
static bool find_forces(event_driven *self)
{
    smooth_motion *motion = &self->motion;
    const int count = self->count;
    fill_matrix(self);
    memcpy(self->block, self->lcp.matrix, (size_t)count * (size_t)count * sizeof(double));
    int bad_row = carom_cholesky_factor(count, self->block);
    if (bad_row != 0) {
        motion->fault = MOTION_DEPENDENT;
        motion->fault_index = self->list[bad_row - 1];
        return false;
    }
    carom_cholesky_solve(count, self->block, self->column);
    for (int a = 0; a < count; a++) {
        self->lambda[self->list[a]] = self->column[a];
        carom_row_add(response_of(self, self->list[a]), self->column[a], motion->acceleration);
    }
    return true;
}

bool event_driven_forces(event_driven *self, double t, const double *q, const double *u)
{
    smooth_motion *motion = &self->motion;
    if (self->general)
        return event_mode_accelerate(self, t, q, u);
    if (!motion_accelerate(motion, t, q, u))
        return false;
    self->count = 0;
    for (int contact = 0; contact < motion->contacts; contact++) {
        self->lambda[contact] = 0.0;
        if (self->closed[contact])
            self->list[self->count++] = contact;
    }
    if (self->count == 0)
        return true;
    if (!event_driven_gaps(self, t, q))
        return false;
    for (int a = 0; a < self->count; a++)
        if (!motion_row(motion, self->list[a], t, q) ||
            !motion_check_law(motion, &self->stepper, t, self->list[a]) ||
            event_mode_has_begun(self, t, self->list[a]))
            return false;
    if (!find_islands(self))
        return false;
    const double b = event_driven_drift(self);
    for (int a = 0; a < self->count; a++) {
        const int contact = self->list[a];
        self->column[a] = -free_gap_acceleration(self, contact, t, q, u) -
                          2.0 * b * contact_velocity(&motion->rows, contact, 0, u) -
                          b * b * motion->gap[contact];
    }
    bool found = true;
    for (int i = 0; found && i < self->islands.count; i++) {
        const event_view whole = event_islands_enter(self, i);
        found = find_forces(self);
        event_islands_leave(self, whole);
    }
    return found;
}

/* Solves the complementarity problem of the listed contacts with this vector. A solution that misses the tolerance is taken
 * and counted, unless it is useless. */
static carom_status solve_lcp(event_driven *self, const double *vector, carom_error *error)
{
    carom_stepper *stepper = &self->stepper;
    self->lcp.size = self->count;
    memcpy(self->lcp.vector, vector, (size_t)self->count * sizeof *vector);
    memset(self->lcp.z, 0, (size_t)self->count * sizeof *self->lcp.z);
    const carom_solve_report report = normal_lcp_solve(&self->lcp);
    bool missed = false;
    const bool useful = accept_report(&stepper->counts, &report, &missed);
    self->unsolved = self->unsolved || missed;
    self->slack = missed ? report.error : 0.0;
    if (useful)
        return CAROM_OK;
    char why[160];
    return fail_step(
        error, self->t, step_number(stepper),
        "the problem of %d contacts at once was solved to %g only (%s); are their gradients dependent?",
        self->count, report.error, normal_lcp_reason(&self->lcp, why, sizeof why));
}

bool event_driven_add_impulse(event_driven *self, int entry, double impulse)
{
    const int contact = self->list[entry];
    self->event_impulse[contact] += impulse;
    /* A closed contact with friction closes by what the integration leaves of its rate. */
    const double rounding = self->general && self->was_closed[contact] ? closed_rounding : rate_rounding;
    if (impulse * own_response(self, contact) <= rounding * self->rate_size)
        return false;
    if (!self->struck[contact]) {
        self->impacts++;
        self->last_rate = self->rate[entry];
    }
    self->struck[contact] = self->touched[contact] = true;
    self->stepper.state.impact_time[contact] = self->t;
    self->impulse[self->components * contact] += impulse;
    self->last_impact = self->t;
    return true;
}

/* With one restitution e the impulses of Newton's law, 0 <= p _|_ W p + (1 + e) rate >= 0, are 1 + e times those of
 * the projection of u- on the tangent cone in the kinetic metric: (IL) of Paoli 2001. */
static bool has_one_restitution(const event_driven *self)
{
    for (int a = 1; a < self->count; a++)
        if (motion_restitution(&self->motion, self->list[a]) !=
            motion_restitution(&self->motion, self->list[0]))
            return false;
    return true;
}

/* One impact by Newton's law: u+ = u- + sum p M^-1 n with 0 <= p _|_ rate+ + e rate- >= 0 for every contact. Without
 * rebound all e are 0. */
static carom_status strike(event_driven *self, bool rebounds, double *u, carom_error *error)
{
    const bool one = !rebounds || has_one_restitution(self);
    double *vector = self->column;
    for (int a = 0; a < self->count; a++)
        vector[a] =
            one ? self->rate[a] : (1.0 + motion_restitution(&self->motion, self->list[a])) * self->rate[a];
    carom_status status = solve_lcp(self, vector, error);
    if (status != CAROM_OK)
        return status;
    for (int a = 0; a < self->count; a++) {
        const int contact = self->list[a];
        const double z = self->lcp.z[a];
        if (!(z > 0.0))
            continue;
        const double impulse = one && rebounds ? (1.0 + motion_restitution(&self->motion, contact)) * z : z;
        event_driven_add_impulse(self, a, impulse);
        carom_row_add(response_of(self, contact), impulse, u);
    }
    if (self->stepper.tangent)
        event_variation_strike(self, rebounds, self->lcp.z, 1, NULL, NULL);
    return CAROM_OK;
}

/* One impact by the law that the user chose. What it leaves of approach, down to its tolerances, is left to
 * (IL) without restitution. */
static carom_status strike_by_law(event_driven *self, const double *q, double *u, carom_error *error)
{
    carom_status status = chosen_impact_strike(&self->chosen, &self->motion.rows, self->count, self->list,
                                               self->t, q, u, &self->stepper, error);
    if (status != CAROM_OK)
        return status;
    for (int a = 0; a < self->count; a++)
        if (self->chosen.result.impulse[a] > 0.0)
            event_driven_add_impulse(self, a, self->chosen.result.impulse[a]);
    if (self->stepper.tangent)
        event_variation_law(self);
    return CAROM_OK;
}

/* With different restitutions the largest one counts: it asks most of the corner. */
static void check_angles(event_driven *self)
{
    double restitution = 0.0;
    for (int a = 0; a < self->count; a++)
        restitution = fmax(restitution, motion_restitution(&self->motion, self->list[a]));
    warn_about_angles(&self->stepper.warnings, &self->angle_warned, self->count, self->lcp.matrix,
                      restitution, self->t);
}

/* Restitution and friction may depend on time and position. */
static carom_status check_laws(event_driven *self, carom_error *error)
{
    for (int a = 0; a < self->count; a++) {
        const int contact = self->list[a];
        const carom_status status =
            contact_check_step(&self->stepper, self->t, contact, &self->motion.rows.frame[contact], error);
        if (status != CAROM_OK)
            return status;
        if (event_mode_has_begun(self, self->t, contact))
            return carom_fail(error, CAROM_FAILED, "%s", self->motion.law.text);
    }
    return CAROM_OK;
}

/* Does a listed contact close? */
static bool approaches(const event_driven *self)
{
    double worst = 0.0;
    for (int a = 0; a < self->count; a++)
        worst = fmin(worst, self->rate[a]);
    return !(worst >= -fmax(rate_rounding, self->slack) * self->rate_size);
}

/* Impacts of one island until no contact closes: by the law, and with one restitution for all by the law again; otherwise
 * what the law leaves of approach, at contacts that had separated, is taken out without rebound, as it is for a chosen
 * law. */
static carom_status strike_island(event_driven *self, double *u, carom_error *error)
{
    const bool own = !self->chosen.work, friction = event_friction_is_listed(self);
    self->slack = 0.0;
    fill_matrix(self);
    for (int i = own ? 0 : 1; i <= IMPACTS_AT_ONCE_MAX; i++) {
        if (!approaches(self))
            return CAROM_OK;
        carom_status status = i == 0 ? check_laws(self, error) : CAROM_OK;
        if (status == CAROM_OK && own)
            check_angles(self);
        const bool rebounds = own && (i == 0 || has_one_restitution(self));
        if (status == CAROM_OK)
            status =
                friction ? event_friction_strike(self, rebounds, u, error) : strike(self, rebounds, u, error);
        if (status != CAROM_OK)
            return status;
        fill_rates(self, u);
    }
    self->stepper.end_word = "corner";
    char able[200];
    return fail_step(error, self->t, step_number(&self->stepper),
                     "impact sequence at a corner did not close: contact '%s' and %d others meet, and after "
                     "%d impacts one still closes; take %s",
                     self->motion.model->contact[self->list[0]].name, self->count - 1, IMPACTS_AT_ONCE_MAX,
                     schemes_for_anything(able, sizeof able));
}

carom_status event_driven_impact(event_driven *self, const double *q, double *u, carom_error *error)
{
    carom_status status = CAROM_OK;
    self->rate_size = event_driven_speed(self);
    self->slack = 0.0;
    for (int a = 0; a < self->count; a++)
        self->rate_size = fmax(self->rate_size, fabs(self->rate[a]));
    if (self->chosen.work && approaches(self)) {
        status = check_laws(self, error);
        if (status == CAROM_OK)
            status = strike_by_law(self, q, u, error);
        fill_rates(self, u);
    }
    for (int i = 0; status == CAROM_OK && i < self->islands.count; i++) {
        const event_view whole = event_islands_enter(self, i);
        status = strike_island(self, u, error);
        event_islands_leave(self, whole);
    }
    return status;
}

/* Gaps of contacts that leave or rebound start at zero but for rounding, to either side; the guard puts them on the positive side, so that their return is a change of
 * sign. */
void event_driven_keep_candidates(event_driven *self, const double *q)
{
    const double size = event_driven_size(self, q);
    const double rounding = 4.0 * DBL_EPSILON * size;
    const double tolerance = gap_tolerances * (self->atol * self->stepper.scales.length + self->rtol * size);
    int kept = 0;
    for (int a = 0; a < self->count; a++) {
        const int contact = self->list[a];
        const bool slow = self->rate[a] <= self->rebound_min || self->accumulating[contact];
        self->closed[contact] = false;
        self->guard[contact] = fmax(0.0, -self->motion.gap[contact]) + (slow ? tolerance : rounding);
        if (slow && !self->leaving[contact])
            self->list[kept++] = contact;
    }
    self->count = kept;
}

/* Closes a listed contact unless its row depends on those of the contacts closed before it: a row more of the
 * Cholesky factor in block, of which `found` rows stand. Forces that accelerate by `zero` are rounding. */
static bool close_contact(event_driven *self, int entry, int found, double zero)
{
    const int count = self->count;
    const double *row = self->lcp.matrix + entry * count;
    double *factor = self->block + found * count;
    double pivot = row[entry];
    for (int k = 0; k < found; k++) {
        double sum = row[self->independent[k]];
        for (int l = 0; l < k; l++)
            sum -= factor[l] * self->block[k * count + l];
        factor[k] = sum / self->block[k * count + k];
        pivot -= factor[k] * factor[k];
    }
    if (!(pivot > dependent_pivot * row[entry]))
        return false;
    factor[found] = sqrt(pivot);
    self->independent[found] = entry;
    self->closed[self->list[entry]] = true;
    self->guard[self->list[entry]] = 0.0;
    self->least[self->list[entry]] = zero / row[entry];
    return true;
}

/* Solves W p = -rate for the closed contacts and adds the impulses p. */
static void remove_normal_velocity(event_driven *self, int found, double *u)
{
    const int count = self->count;
    double *p = self->column;
    for (int k = 0; k < found; k++) {
        p[k] = -self->rate[self->independent[k]];
        for (int l = 0; l < k; l++)
            p[k] -= self->block[k * count + l] * p[l];
        p[k] /= self->block[k * count + k];
    }
    for (int k = found - 1; k >= 0; k--) {
        for (int l = k + 1; l < found; l++)
            p[k] -= self->block[l * count + k] * p[l];
        p[k] /= self->block[k * count + k];
    }
    for (int k = 0; k < found; k++) {
        const int entry = self->independent[k], contact = self->list[entry];
        self->event_impulse[contact] += p[k];
        if (fabs(p[k]) * own_response(self, contact) > rate_rounding * self->rate_size) {
            self->impulse[contact] += p[k];
            self->touched[contact] = true;
        }
        carom_row_add(response_of(self, contact), p[k], u);
    }
}

/* Closes contacts of one island, whose accelerations stand in rate; up to `zero` they are rounding. */
static carom_status classify_island(event_driven *self, double zero, double *u, carom_error *error)
{
    const int count = self->count;
    const double *acceleration = self->rate;
    fill_matrix(self);
    const carom_status status = solve_lcp(self, acceleration, error);
    if (status != CAROM_OK)
        return status;
    /* First those that press; then those with neither force nor acceleration, whose force may grow. */
    int found = 0;
    for (int a = 0; a < count; a++)
        if (self->lcp.z[a] * self->lcp.matrix[a * count + a] > zero && close_contact(self, a, found, zero))
            found++;
    for (int a = 0; a < count; a++) {
        const double *row = self->lcp.matrix + a * count;
        if (self->lcp.z[a] * row[a] > zero || acceleration[a] + carom_dot(count, row, self->lcp.z) > zero)
            continue;
        if (!close_contact(self, a, found, zero))
            continue;
        self->guard[self->list[a]] = zero / row[a];
        found++;
    }
    fill_rates(self, u);
    remove_normal_velocity(self, found, u);
    return CAROM_OK;
}

carom_status event_driven_classify(event_driven *self, const double *q, double *u, carom_error *error)
{
    if (self->general)
        return event_friction_classify(self, q, u, error);
    event_driven_keep_candidates(self, q);
    if (self->count == 0)
        return CAROM_OK;
    if (!find_islands(self))
        return motion_fail(&self->motion, &self->stepper, ODE_FLOW_NO_RATE, self->t, error);
    double size = event_driven_acceleration(self);
    for (int a = 0; a < self->count; a++) {
        self->rate[a] = free_gap_acceleration(self, self->list[a], self->t, q, u);
        size = fmax(size, fabs(self->rate[a]));
    }
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < self->islands.count; i++) {
        const event_view whole = event_islands_enter(self, i);
        status = classify_island(self, force_rounding * size, u, error);
        event_islands_leave(self, whole);
    }
    return status;
}
