/* What a run wants to know of a step of bodies: works, penetration, the pairs that are watched. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "body_step_data.h"

void body_step_note_penetration(body_step *self, int point, double depth)
{
    self->cut.deepest[0] = self->point[point].a;
    self->cut.deepest[1] = self->point[point].b;
    body_step_set_penetration(self, self->point[point].a, self->point[point].b, depth);
}

void body_step_set_penetration(body_step *self, int a, int b, double depth)
{
    carom_step_accounts *accounts = &self->stepper->accounts;
    accounts->penetration = depth;
    accounts->penetration_time = self->stepper->state.t + self->stepper->h;
    carom_bodies_pair_name(self->bodies, a, b, accounts->penetration_contact,
                           sizeof accounts->penetration_contact);
}

/* One warning tells of all: how many, how much, and the largest. */
static void warn_of_gains(carom_warnings *warnings, carom_step_accounts *accounts)
{
    static const char text[] =
        "energy-gain: Newton's law of impact made the energy %.6g at t = %.9g (contact "
        "%.60s); %ld impacts made more than 0.1 %% of what moves, %.6g in all; impact_law=moreau cannot";
    if (accounts->gains == 1) {
        accounts->gain_warning = warnings->count;
        carom_warn(warnings, text, accounts->gain, accounts->gain_time, accounts->gain_contact,
                   accounts->gains, accounts->gain_sum);
    } else
        carom_doubt_again(warnings, accounts->gain_warning, text, accounts->gain, accounts->gain_time,
                          accounts->gain_contact, accounts->gains, accounts->gain_sum);
}

void body_step_tell_gain(body_step *self, double gain, bool warns, const char *contact)
{
    carom_stepper *stepper = self->stepper;
    carom_step_accounts *accounts = &stepper->accounts;
    if (gain > accounts->gain) {
        accounts->gain = gain;
        accounts->gain_time = stepper->state.t + stepper->h;
        snprintf(accounts->gain_contact, sizeof accounts->gain_contact, "%s", contact);
    }
    if (!warns)
        return;
    accounts->gains++;
    accounts->gain_sum += gain;
    warn_of_gains(&stepper->warnings, accounts);
}

void body_step_note_gain(body_step *self, double gain, bool warns, int point)
{
    const int a = self->point[point].a, b = self->point[point].b;
    char pair[160];
    if (self->cut.used) { /* told when all processes know of it */
        cut_put(&self->cut.gains, gain);
        cut_put(&self->cut.gains, warns);
        cut_put(&self->cut.gains, a);
        cut_put(&self->cut.gains, b);
        return;
    }
    body_step_tell_gain(self, gain, warns, carom_bodies_pair_name(self->bodies, a, b, pair, sizeof pair));
}

/* The impulse of a point that stays closed, of the one in the step before: more is an impact, or a kink of the path. */
static const double steady_growth = 2.0;

int body_point_pushes(const body_step *self, int i)
{
    const body_point *point = &self->point[i];
    if (!(point->last > 0.0 && self->impulse[3 * i] <= steady_growth * point->last))
        return 1;
    return point->pushes < BODY_STEPS_TO_STAY ? point->pushes + 1 : BODY_STEPS_TO_STAY;
}

/* After a step that pushed a point does not approach: what it approaches by in the next one is how its normal turned. So
 * its work along the normal is an error of the step, not of an impact. */
static bool stays_closed(const body_step *self, int i)
{
    return body_point_pushes(self, i) == BODY_STEPS_TO_STAY;
}

/* Work of a point's impulse on the free bodies, which is what their energy gains by it for theta = 1/2. Of a point that
 * stays closed: that of friction, and of bodies that are driven. */
static double point_work(const body_step *self, int i)
{
    const carom_pair_rows *row = &self->row[i];
    const double *r = self->impulse + 3 * (ptrdiff_t)i;
    double before[3], after[3], work = 0.0, of_pair = 0.0;
    body_point_velocity(self, i, self->old, before);
    body_point_velocity(self, i, self->end, after);
    if (stays_closed(self, i))
        work -= 0.5 * r[0] * (before[0] + after[0]);
    for (int side = 0; side < 2; side++) {
        if (row->body[side] < 0)
            continue;
        const double sign = side == 0 ? 1.0 : -1.0;
        const double *old = self->old + 6 * (ptrdiff_t)row->body[side],
                     *end = self->end + 6 * (ptrdiff_t)row->body[side];
        for (int k = 0; k < (self->plane ? 2 : 3); k++)
            for (int c = 0; c < 3; c++)
                work += sign * 0.5 * r[k] *
                        (row->direction[3 * k + c] * (old[c] + end[c]) +
                         row->turn[side][3 * k + c] * (old[3 + c] + end[3 + c]));
    }
    return work + body_moments_work(self, i, &of_pair);
}

static bool is_driven(const body_step *self, int i)
{
    const carom_body *body = self->bodies->body;
    return body[self->point[i].a].kind == CAROM_BODY_DRIVEN ||
           body[self->point[i].b].kind == CAROM_BODY_DRIVEN;
}

static void add_works(body_step *self)
{
    carom_stepper *stepper = self->stepper;
    for (int i = 0; i < self->active; i++) {
        if (self->impulse[3 * i] == 0.0)
            continue;
        const double work = point_work(self, i);
        stepper->works.contacts += work;
        stepper->accounts.moved += fabs(is_driven(self, i) ? body_point_work(self, i) : work);
    }
}

/* The position halfway, where implicit forces of a linked part are taken. */
static void move_halfway(body_step *self, double half)
{
    const carom_bodies *bodies = self->bodies;
    const carom_state *state = &self->stepper->state;
    memcpy(self->q_mean, state->q, (size_t)carom_model_positions(self->stepper->model) * sizeof *state->q);
    for (int i = 0; i < bodies->count; i++)
        if (bodies->body[i].q >= 0)
            carom_body_move(bodies, &bodies->body[i], half, self->v_mean, state->q, self->q_mean);
    for (int i = 0; i < bodies->linked.coordinates; i++)
        self->q_mean[bodies->linked.q[i]] += half * self->v_mean[bodies->linked.v[i]];
}

/* Forces work along the mean velocity of the step: the velocity at its end has what joints and contacts changed afterwards. The power
 * takes them at that velocity; explicit ones, self->force, were taken at the velocity before the step. */
static void add_force_work(body_step *self)
{
    carom_stepper *stepper = self->stepper;
    const carom_model_ops *ops = stepper->model->ops;
    const double h = stepper->h;
    const bool is_explicit = self->linked.count == 0;
    const double ahead = is_explicit ? self->step_ahead : 0.5 * h, t = stepper->state.t + ahead;
    if (!stepper->accounts.forces || stepper->model->powerless)
        return;
    for (int i = 0; i < self->slots; i++)
        self->shift6[i] = 0.5 * (self->old[i] + self->end[i]);
    memcpy(self->v_mean, stepper->state.v, (size_t)stepper->dof * sizeof *self->v_mean);
    body_step_gather(self, self->shift6, self->v_mean);
    if (!is_explicit)
        move_halfway(self, ahead);
    double power = ops->power(stepper->work, t, self->q_mean, self->v_mean);
    if (is_explicit) {
        ops->force(stepper->work, t, self->q_mean, self->v_mean, self->f_mean);
        for (int i = 0; i < stepper->dof; i++)
            power += (self->force[i] - self->f_mean[i]) * self->v_mean[i];
    }
    stepper->works.forces += h * power;
}

/* Of joints and guides on the free bodies: with theta = 1/2 that of joints is what they move by themselves. */
static void add_joint_works(body_step *self)
{
    const body_step_joints *joints = &self->joints;
    const int rows = joints->count + joints->guides;
    for (int k = 0; rows > 0 && k < joints->block_start[rows]; k++) {
        const joint_block *block = &joints->block[k];
        const double impulse = block->joint < joints->count ? joints->reaction[block->joint]
                                                            : joints->impulse[block->joint - joints->count];
        const double *old = self->old + 6 * (ptrdiff_t)block->body,
                     *end = self->end + 6 * (ptrdiff_t)block->body;
        if (self->inverse_mass[block->body] > 0.0)
            self->stepper->works.joints +=
                0.5 * impulse * (carom_dot(6, block->row, old) + carom_dot(6, block->row, end));
    }
    for (int i = 0; self->linked.count > 0 && i < rows; i++)
        self->stepper->works.joints += linked_row_work(
            self, i, i < joints->count ? joints->reaction[i] : joints->impulse[i - joints->count]);
}

static bool is_watched(const int watched[2], const body_point *point)
{
    if (watched[1] < 0)
        return point->a == watched[0] || point->b == watched[0];
    return (point->a == watched[0] && point->b == watched[1]) ||
           (point->a == watched[1] && point->b == watched[0]);
}

watched_sum body_step_watch(const body_step *self, int contact)
{
    watched_sum sum = {.gap = INFINITY};
    for (int i = 0; i < self->count; i++) {
        const double *r = self->impulse + 3 * (ptrdiff_t)i;
        double after[3];
        if (!is_watched(self->bodies->watched_pair[contact], &self->point[i]))
            continue;
        sum.gap = fmin(sum.gap, self->point[i].gap);
        if (i >= self->active || r[0] == 0.0)
            continue;
        sum.normal += r[0];
        sum.tangential += sqrt(r[1] * r[1] + r[2] * r[2]);
        body_point_velocity(self, i, self->end, after);
        sum.slip = fmax(sum.slip, fmax(fabs(after[1]), fabs(after[2])));
    }
    return sum;
}

void body_step_set_watched(body_step *self, int contact, const watched_sum *sum)
{
    carom_state *state = &self->stepper->state;
    double *impulse = state->impulse + CAROM_CONTACT_COMPONENTS * (ptrdiff_t)contact;
    impulse[0] = sum->normal;
    impulse[1] = sum->tangential;
    impulse[2] = 0.0;
    self->watched_gap[contact] = sum->gap;
    state->regime[contact] = sum->normal == 0.0                                         ? CAROM_CONTACT_OPEN
                             : sum->slip <= 100.0 * self->tolerance * self->scale_speed ? CAROM_CONTACT_STICK
                                                                                        : CAROM_CONTACT_SLIP;
}

void body_step_account(body_step *self)
{
    add_works(self);
    add_joint_works(self);
    for (int i = 0; i < self->bodies->watched && !self->cut.used; i++)
        if (self->bodies->watched_pair[i][0] >= 0) {
            const watched_sum sum = body_step_watch(self, i);
            body_step_set_watched(self, i, &sum);
        }
    row_contacts_account(self);
    add_force_work(self);
}

carom_status body_step_look_for_crossing(body_step *self, const double *q, carom_error *error)
{
    carom_step_accounts *accounts = &self->stepper->accounts;
    int a = 0, b = 0;
    double part = 0.0;
    carom_bodies_poses(self->bodies, q, self->pose);
    for (int i = 0; i < self->shapes; i++) {
        self->shape_start[i] = self->pose_start[self->shape_body[i]];
        self->shape_pose[i] = self->pose[self->shape_body[i]];
    }
    if (self->cut.used)
        space_cut_hide(self, self->shape_pose);
    if (!carom_collider_crossing(self->collider, self->shape_start, self->shape_pose, &a, &b, &part))
        part = INFINITY;
    const carom_status status =
        self->cut.used ? space_cut_first_crossing(self, &part, &a, &b, error) : CAROM_OK;
    if (status != CAROM_OK || isinf(part))
        return status;
    if (accounts->crossings++ > 0)
        return CAROM_OK;
    accounts->crossing_time = self->stepper->state.t;
    carom_bodies_pair_name(self->bodies, self->shape_body[a], self->shape_body[b], accounts->crossing_contact,
                           sizeof accounts->crossing_contact);
    return CAROM_OK;
}
