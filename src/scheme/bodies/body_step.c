/* The step:
 *
 *   M (v+ - v) = h f + H^T p,   x+ = x + h x'_theta,   R+ = R exp(h w_theta),
 *
 * M of the body along its own axes, the rows H and the forces at the predicted position; the gyroscopic term is implicit. */
#include "body_step_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scheme/parts/step_report.h"

enum {
    GYRO_PASSES = 6
};
/* Of the tolerance of contact problems: what a body at rest is allowed to move without being moved. */
static const double rest_factor = 100.0;

/* The coordinates of a motion. */
static double *coordinate_slots(const body_step *self, double *motion)
{
    return motion + 6 * (ptrdiff_t)self->bodies->count;
}

/* ---- velocities by six ------------------------------------------------------------------------------- */

void body_step_spread(const body_step *self, const double *v, double *six)
{
    for (int i = 0; i < self->bodies->count; i++) {
        const int from = self->bodies->body[i].v;
        double *to = six + 6 * (ptrdiff_t)i;
        if (from < 0)
            memset(to, 0, 6 * sizeof *to);
        else if (!self->plane)
            memcpy(to, v + from, 6 * sizeof *to);
        else
            memcpy(to, (const double[6]){v[from], v[from + 1], 0.0, 0.0, 0.0, v[from + 2]}, 6 * sizeof *to);
    }
    for (int i = 0; i < self->bodies->linked.coordinates; i++)
        coordinate_slots(self, six)[i] = v[self->bodies->linked.v[i]];
}

static void put_back(const body_step *self, int body, const double six[6], double *v)
{
    double *to = v + self->bodies->body[body].v;
    if (!self->plane) {
        memcpy(to, six, 6 * sizeof *to);
        return;
    }
    to[0] = six[0];
    to[1] = six[1];
    to[2] = six[5];
}

void body_step_turn_inertia(const double r[9], const double a[9], double turned[9])
{
    double half[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            half[3 * i + j] = r[3 * i] * a[j] + r[3 * i + 1] * a[3 + j] + r[3 * i + 2] * a[6 + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turned[3 * i + j] = carom_dot(3, half + 3 * (ptrdiff_t)i, r + 3 * (ptrdiff_t)j);
}

void body_step_gather(const body_step *self, const double *six, double *v)
{
    for (int i = 0; i < self->bodies->count; i++)
        if (self->bodies->body[i].kind == CAROM_BODY_FREE)
            put_back(self, i, six + 6 * (ptrdiff_t)i, v);
    for (int i = 0; i < self->bodies->linked.coordinates; i++)
        v[self->bodies->linked.v[i]] = six[6 * self->bodies->count + i];
}

void body_step_turn_inertias(body_step *self, const double *q)
{
    carom_bodies_poses(self->bodies, q, self->pose);
    for (int i = 0; i < self->bodies->count; i++)
        if (self->bodies->body[i].kind == CAROM_BODY_FREE)
            body_step_turn_inertia(self->pose[i].r, self->bodies->body[i].inverse_inertia,
                                   self->inverse_inertia + 9 * (ptrdiff_t)i);
}

/* ---- without contacts -------------------------------------------------------------------------------- */

/* plain = old + h M^-1 f, and the gyroscopic terms that belong to it. */
static carom_status find_plain(body_step *self, carom_error *error)
{
    const carom_stepper *stepper = self->stepper;
    const double h = stepper->h;
    stepper->model->ops->force(stepper->work, stepper->state.t + self->step_ahead, self->q, stepper->state.v,
                               self->force);
    if (stepper->accounts.forces && !stepper->model->powerless)
        memcpy(self->q_mean, self->q, (size_t)carom_model_positions(stepper->model) * sizeof *self->q);
    if (!carom_all_finite(stepper->dof, self->force))
        return fail_not_finite(error, step_end(stepper), step_number(stepper), stepper->model, self->force,
                               stepper->state.v);
    self->scale_speed = 0.0;
    const carom_status linked = linked_begin(self, error);
    if (linked != CAROM_OK)
        return linked;
    for (int i = 0; i < self->bodies->count; i++) {
        const carom_body *body = &self->bodies->body[i];
        const double *old = self->old + 6 * (ptrdiff_t)i, *inverse = self->inverse_inertia + 9 * (ptrdiff_t)i;
        double *plain = self->plain + 6 * (ptrdiff_t)i, *gyro = self->gyro + 3 * (ptrdiff_t)i, f[6] = {0.0};
        memcpy(plain, old, 6 * sizeof *plain);
        if (body->kind != CAROM_BODY_FREE)
            continue;
        memcpy(f, self->force + body->v, (self->plane ? 2 : 3) * sizeof *f);
        if (self->plane)
            f[5] = self->force[body->v + 2];
        else
            memcpy(f + 3, self->force + body->v + 3, 3 * sizeof *f);
        gyro[0] = gyro[1] = gyro[2] = 0.0;
        self->acceleration[i] = sqrt(carom_dot(3, f, f)) * self->inverse_mass[i];
        self->scale_speed = fmax(self->scale_speed, h * self->acceleration[i]);
        if (body_spin_is_gyroscopic(self, i)) {
            const carom_status status = body_spin_change(self, i, (const double[3]){0.0}, gyro, error);
            if (status != CAROM_OK)
                return status;
        }
        for (int k = 0; k < 3; k++) {
            plain[k] += h * self->inverse_mass[i] * f[k];
            plain[3 + k] += h * carom_dot(3, inverse + 3 * (ptrdiff_t)k, f + 3);
        }
    }
    return CAROM_OK;
}

/* ---- with contacts ------------------------------------------------------------------------------------ */

static void find_problem(body_step *self, double *q)
{
    for (int i = 0; i < self->active; i++)
        body_point_velocity(self, i, self->free, q + 3 * (ptrdiff_t)i);
    body_step_add_law(self, q);
    body_moments_find_problem(self, self->active, self->free);
}

/* free = plain + gyro + joints; driven bodies have what they are told at the end of the step. */
static void find_free(body_step *self)
{
    for (int i = 0; i < self->bodies->count; i++) {
        const bool free = self->bodies->body[i].kind == CAROM_BODY_FREE;
        for (int k = 0; k < 6; k++)
            self->free[6 * i + k] =
                self->plain[6 * i + k] + (free && k >= 3 ? self->gyro[3 * i + k - 3] : 0.0);
    }
    for (int i = 6 * self->bodies->count; i < self->slots; i++)
        self->free[i] = self->plain[i];
    linked_add_late(self, self->free);
    body_joints_constrain(self, self->free);
}

static carom_status find_velocities(body_step *self, carom_error *error)
{
    const size_t bytes = (size_t)self->slots * sizeof(double);
    carom_step_counts *counts = &self->stepper->counts;
    double worst = 0.0;
    body_step_find_islands(self, self->active);
    for (int pass = 0; pass < GYRO_PASSES; pass++) {
        bool changed = false;
        find_free(self);
        memcpy(self->end, self->free, bytes);
        find_problem(self, self->problem_q);
        carom_status status = pass == 0 ? body_step_tell_problem(self, error) : CAROM_OK;
        if (status == CAROM_OK)
            status = body_step_solve(self, self->problem_q, self->impulse, self->end, &worst, error);
        if (self->cut.again)
            return status;
        if (status == CAROM_OK && self->active + self->joints.rows + self->linked.count > 0 && !self->plane)
            status = body_spin_correct(self, &changed, error);
        if (self->cut.has_wide)
            status = space_cut_all_well(self, status, &changed, error);
        if (status != CAROM_OK)
            return status;
        changed = linked_correct(self) || changed;
        if (!changed)
            break;
    }
    counts->worst_solver_error = fmax(counts->worst_solver_error, worst);
    if (self->active > 0)
        counts->solver_tolerance = self->tolerance;
    if (worst > self->tolerance)
        counts->unsolved++;
    return CAROM_OK;
}

/* A body that was at rest and has a velocity that the tolerance of the contact problem does not know from rest stays at
 * rest: piles and boxes on slopes do not creep, however long one looks. */
static void rest(body_step *self)
{
    for (int i = 0; i < self->bodies->count; i++) {
        const carom_body *body = &self->bodies->body[i];
        const double *old = self->old + 6 * (ptrdiff_t)i, *free = self->free + 6 * (ptrdiff_t)i;
        double *end = self->end + 6 * (ptrdiff_t)i;
        if (body->kind != CAROM_BODY_FREE || memcmp(end, free, 6 * sizeof *end) == 0)
            continue;
        double before = 0.0, after = 0.0, pushed = 0.0;
        for (int k = 0; k < 6; k++) {
            const double unit = k < 3 ? 1.0 : self->size[i];
            before = fmax(before, unit * fabs(old[k]));
            after = fmax(after, unit * fabs(end[k]));
            pushed = fmax(pushed, unit * fabs(free[k] - old[k]));
        }
        const double limit = rest_factor * self->tolerance * pushed;
        if (before <= limit && after <= limit)
            memset(end, 0, 6 * sizeof *end);
    }
    for (int i = 6 * self->bodies->count; i < self->slots; i++) { /* coordinates likewise */
        const double limit = rest_factor * self->tolerance * fabs(self->free[i] - self->old[i]);
        if (self->end[i] != self->free[i] && fabs(self->old[i]) <= limit && fabs(self->end[i]) <= limit)
            self->end[i] = 0.0;
    }
}

/* ---- positions ----------------------------------------------------------------------------------------- */

static void move_bodies(body_step *self, double *q, double *v)
{
    const carom_bodies *bodies = self->bodies;
    const double h = self->stepper->h, theta = self->options.theta;
    for (int i = 0; i < bodies->count; i++) {
        const carom_body *body = &bodies->body[i];
        if (body->v < 0)
            continue;
        const double *old = self->old + 6 * (ptrdiff_t)i, *end = self->end + 6 * (ptrdiff_t)i;
        double mean[6], six[6];
        if (body->kind == CAROM_BODY_DRIVEN) {
            carom_body_move(bodies, body, h, self->drive, q, q);
            put_back(self, i, end, v);
            continue;
        }
        for (int k = 0; k < 6; k++)
            mean[k] = (1.0 - theta) * old[k] + theta * end[k];
        memcpy(six, end, sizeof six);
        body_spin_turn(self, i, mean + 3);
        put_back(self, i, mean, self->v);
        carom_body_move(bodies, body, h, self->v, q, q);
        body_step_note_energy(self, i,
                              h * carom_dot(self->plane ? 3 : 6, self->force + body->v, self->v + body->v));
        body_spin_carry(self, i, q, end + 3, six + 3);
        put_back(self, i, six, v);
    }
    for (int i = 0; i < bodies->linked.coordinates; i++) {
        const int slot = 6 * bodies->count + i;
        q[bodies->linked.q[i]] += h * ((1.0 - theta) * self->old[slot] + theta * self->end[slot]);
        v[bodies->linked.v[i]] = self->end[slot];
    }
}

/* Of a part with coordinates, which may be stiff, and where forces are applied, the energy itself tells what a displacement costs.
 */
static double energy_at(body_step *self, const double *q)
{
    const carom_stepper *stepper = self->stepper;
    return stepper->model->ops->energy(stepper->work, step_end(stepper), q, self->v_end);
}

static bool has_applied_forces(const body_step *self)
{
    return self->stepper->accounts.forces && !self->stepper->model->powerless;
}

/* Work of the applied forces along a displacement x at once: x/h is a velocity, and the part of the power that changes its sign with
 * the velocity is that of forces which do not depend on it. Dampers do nothing. */
static double applied_work(body_step *self, const double *x, const double *q)
{
    const carom_stepper *stepper = self->stepper;
    const carom_model_ops *ops = stepper->model->ops;
    const double h = stepper->h, t = step_end(stepper);
    memset(self->v_mean, 0, (size_t)stepper->dof * sizeof *self->v_mean);
    body_step_gather(self, x, self->v_mean);
    for (int i = 0; i < stepper->dof; i++)
        self->v_mean[i] /= h;
    const double along = ops->power(stepper->work, t, q, self->v_mean);
    for (int i = 0; i < stepper->dof; i++)
        self->v_mean[i] = -self->v_mean[i];
    return 0.5 * h * (along - ops->power(stepper->work, t, q, self->v_mean));
}

void body_step_displace(body_step *self, const double *x, double *q, double *work)
{
    const bool applied = has_applied_forces(self), by_energy = applied || self->linked.count > 0;
    const double given = applied ? applied_work(self, x, q) : 0.0,
                 before = by_energy ? energy_at(self, q) : 0.0;
    for (int i = 0; i < self->bodies->count; i++) {
        const carom_body *body = &self->bodies->body[i];
        const double *own = x + 6 * (ptrdiff_t)i;
        if (body->kind != CAROM_BODY_FREE || memcmp(own, (const double[6]){0.0}, 6 * sizeof *own) == 0)
            continue;
        put_back(self, i, own, self->v);
        carom_body_move(self->bodies, body, 1.0, self->v, q, q);
        if (!by_energy && space_cut_counts(self, i))
            *work += body_step_lift_work(self, i, own);
    }
    for (int i = 0; i < self->bodies->linked.coordinates; i++)
        q[self->bodies->linked.q[i]] += x[6 * self->bodies->count + i];
    if (by_energy)
        *work += energy_at(self, q) - before - given;
    self->stepper->works.forces += given;
}

double body_step_lift_work(const body_step *self, int i, const double x[6])
{
    const double *f = self->force + self->bodies->body[i].v;
    if (self->plane)
        return -(f[0] * x[0] + f[1] * x[1] + f[2] * x[5]);
    return -carom_dot(6, f, x);
}

/* ---- the step ------------------------------------------------------------------------------------------ */

static void predict(body_step *self)
{
    const carom_stepper *stepper = self->stepper;
    const carom_state *state = &stepper->state;
    memcpy(self->q, state->q, (size_t)carom_model_positions(stepper->model) * sizeof *self->q);
    memcpy(self->v, state->v, (size_t)stepper->dof * sizeof *self->v);
    carom_bodies_drive(stepper->work, state->t + 0.5 * self->step_ahead, self->v);
    carom_bodies_poses(self->bodies, state->q, self->pose_start);
    for (int i = 0; i < self->bodies->count; i++)
        if (self->bodies->body[i].q >= 0)
            carom_body_move(self->bodies, &self->bodies->body[i], self->step_ahead, self->v, state->q,
                            self->q);
    for (int i = 0; i < self->bodies->linked.coordinates; i++)
        self->q[self->bodies->linked.q[i]] += self->step_ahead * self->v[self->bodies->linked.v[i]];
    body_step_turn_inertias(self, self->q);
    for (int i = 0; i < self->shapes; i++)
        self->shape_pose[i] = self->pose[self->shape_body[i]];
}

/* Driven bodies: at the end of the step for the contact laws, in its middle for their own way. */
static void drive(body_step *self)
{
    carom_stepper *stepper = self->stepper;
    memcpy(self->drive, stepper->state.v, (size_t)stepper->dof * sizeof *self->drive);
    carom_bodies_drive(stepper->work, step_end(stepper), self->drive);
    for (int i = 0; i < self->bodies->count; i++) {
        const carom_body *body = &self->bodies->body[i];
        double *plain = self->plain + 6 * (ptrdiff_t)i;
        if (body->kind != CAROM_BODY_DRIVEN)
            continue;
        const double *v = self->drive + body->v;
        if (self->plane)
            memcpy(plain, (const double[6]){v[0], v[1], 0.0, 0.0, 0.0, v[2]}, 6 * sizeof *plain);
        else
            memcpy(plain, v, 6 * sizeof *plain);
    }
    carom_bodies_drive(stepper->work, stepper->state.t + 0.5 * stepper->h, self->drive);
}

/* From the touches to velocities and positions, of what is here. */
static carom_status solve_step(body_step *self, carom_error *error)
{
    const carom_stepper *stepper = self->stepper;
    const carom_state *state = &stepper->state;
    carom_status status;
    do {
        self->cut.again = false;
        status = body_step_find_points(self, error);
        if (status == CAROM_OK)
            status = find_velocities(self, error);
    } while (status == CAROM_OK && self->cut.again);
    if (status != CAROM_OK)
        return status;
    rest(self);
    memcpy(self->q, state->q, (size_t)carom_model_positions(stepper->model) * sizeof *self->q);
    memcpy(self->v_end, state->v, (size_t)stepper->dof * sizeof *self->v_end);
    move_bodies(self, self->q, self->v_end);
    body_step_account(self);
    body_joints_project(self, self->q);
    return body_step_project(self, self->q, error);
}

/* The same, of all processes where space is cut. */
static carom_status solve_together(body_step *self, carom_error *error)
{
    const carom_stepper *stepper = self->stepper;
    const cut_before before = {.works = stepper->works,
                               .counts = stepper->counts,
                               .penetration = stepper->accounts.penetration,
                               .moved = stepper->accounts.moved};
    if (self->cut.used)
        space_cut_begin_step(self);
    const carom_status mine = solve_step(self, error);
    if (!self->cut.used)
        return mine;
    const carom_status status = space_cut_agree(self, &before, mine, error);
    return status == CAROM_OK && self->cut.wishes & CUT_POINTS ? space_cut_collect_points(self, error)
                                                               : status;
}

carom_status body_step_move(body_step *self, carom_error *error)
{
    carom_stepper *stepper = self->stepper;
    carom_state *state = &stepper->state;
    const size_t positions = (size_t)carom_model_positions(stepper->model);
    const bool listened = stepper->listener.take != NULL;
    const double energy_before =
        listened ? stepper->model->ops->energy(stepper->work, state->t, state->q, state->v) : 0.0;
    predict(self);
    body_step_spread(self, state->v, self->old);
    carom_status status = find_plain(self, error);
    if (status == CAROM_OK) {
        drive(self);
        body_joints_begin(self);
        status = body_joints_prepare(self, state->t + self->step_ahead, self->q, error);
    }
    if (status == CAROM_OK)
        status = row_contacts_begin(self, error);
    if (status == CAROM_OK)
        status = solve_together(self, error);
    if (status == CAROM_OK)
        status = body_joints_settle(self, self->q, self->v_end, error);
    if (status == CAROM_OK)
        status = body_step_look_for_crossing(self, self->q, error);
    if (status != CAROM_OK)
        return status;
    body_step_keep_impulses(self);
    stepper->counts.steps++;
    state->t = stepper->t0 + (double)stepper->counts.steps * stepper->h;
    memcpy(state->q, self->q, positions * sizeof *self->q);
    memcpy(state->v, self->v_end, (size_t)stepper->dof * sizeof *self->v_end);
    const bool tells = self->cut.used ? self->cut.wishes & CUT_EVENTS : listened;
    return tells ? body_step_tell_events(self, energy_before, error) : CAROM_OK;
}

/* Saves what the state does not hold: the impulses by which the next step starts, the pairs that touched, and the pivot history of
 * the sparse factors. */
void body_step_keep(body_step *self, carom_snapshot *snapshot)
{
    size_t length = 0, capacity = 0;
    double *packed = NULL;
    if (!snapshot->restores) {
        length = body_step_packed(self);
        packed = carom_new_array(length, sizeof *packed);
        if (!packed) {
            snapshot->failed = true;
            return;
        }
        body_step_pack(self, packed);
    }
    carom_snapshot_numbers(snapshot, &packed, &length, &capacity);
    if (snapshot->restores && !snapshot->failed)
        snapshot->failed = !body_step_unpack(self, length, packed);
    free(packed);
    body_step_keep_pairs(self, snapshot);
    carom_snapshot_block(snapshot, self->watched_gap, (size_t)self->stepper->contacts * sizeof(double));
    linked_keep(self, snapshot);
    if (self->joints.count > 0)
        carom_sparse_factor_keep(&self->joints.factor, &self->joints.S, snapshot);
    if (self->joints.guides > 0) /* where their problems start */
        carom_snapshot_block(snapshot, self->joints.impulse, (size_t)self->joints.guides * sizeof(double));
}
