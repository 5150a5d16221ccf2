/* From the start of a step to its points, and from impulses to velocities. */
#include "replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WHY = 200,
    SPIN_STEPS = 20
};

/* ---- memory ---------------------------------------------------------------------------------------------- */

bool body_replay_take(body_replay *self, carom_tangent *base, body_step *step)
{
    carom_arena *arena = base->arena;
    const carom_model *model = base->stepper->model;
    const size_t bodies = (size_t)step->bodies->count, positions = (size_t)carom_model_positions(model),
                 dof = (size_t)model->dof, joints = (size_t)step->joints.count;
    self->base = base;
    self->step = step;
    self->column = -1;
    self->joints = step->joints.count;
    const size_t entries = joints > 0 ? (size_t)step->bodies->joint_start[joints] : 0;
    self->body = carom_arena_take(arena, bodies, sizeof *self->body);
    self->group = carom_arena_take(arena, bodies, sizeof *self->group);
    self->q = carom_arena_take(arena, positions, sizeof(double));
    self->q_along = carom_arena_take(arena, positions, sizeof(double));
    self->v = carom_arena_take(arena, dof, sizeof(double));
    self->v_along = carom_arena_take(arena, dof, sizeof(double));
    self->force_along = carom_arena_take(arena, dof, sizeof(double));
    self->joint_value = carom_arena_take(arena, joints, sizeof(double));
    self->joint_along = carom_arena_take(arena, joints, sizeof(double));
    self->entry_along = carom_arena_take(arena, entries, sizeof(double));
    self->rows.entry = carom_arena_take(arena, entries, sizeof(carom_dual));
    self->rows.g_t = carom_arena_take(arena, joints, sizeof(carom_dual));
    self->lambda = carom_arena_take(arena, joints, sizeof(carom_dual));
    self->reaction = carom_arena_take(arena, joints, sizeof(double));
    return self->body && self->group && self->q && self->q_along && self->v && self->v_along &&
           self->force_along && self->joint_value && self->joint_along && self->entry_along &&
           self->rows.entry && self->rows.g_t && self->lambda && self->reaction;
}

void body_replay_free(body_replay *self)
{
    free(self->point);
    free(self->impulse);
    free(self->matrix);
    free(self->right);
    free(self->real_matrix);
    free(self->copy);
    free(self->real_right);
    free(self->first);
    free(self->work);
    free(self->pivot);
}

static bool grow(void **array, size_t count, size_t size)
{
    void *larger = realloc(*array, carom_product(count, size));
    if (larger)
        *array = larger;
    return larger != NULL;
}

static void read_impulses(body_replay *self)
{
    const body_step *step = self->step;
    for (int i = 0; i < step->active; i++) {
        double *r = self->impulse + REPLAY_COMPONENTS * (ptrdiff_t)i;
        memset(r, 0, REPLAY_COMPONENTS * sizeof *r);
        memcpy(r, step->impulse + 3 * (ptrdiff_t)i, 3 * sizeof *r);
        for (int k = 0; step->moments.used && k < 3; k++) /* in their own unit */
            r[3 + k] = step->moments.spin[i].length * step->moments.moment[3 * i + k];
    }
}

bool body_replay_grow(body_replay *self)
{
    const size_t points = (size_t)self->step->count + 1, room = points + points / 2;
    if (points > self->room) {
        if (!grow((void **)&self->point, room, sizeof *self->point) ||
            !grow((void **)&self->impulse, REPLAY_COMPONENTS * room, sizeof *self->impulse))
            return false;
        self->room = room;
    }
    read_impulses(self);
    if (self->joints > 0)
        memcpy(self->reaction, self->step->joints.reaction, (size_t)self->joints * sizeof *self->reaction);
    const int needed = self->joints + self->step->count;
    if (self->joints == 0 || needed <= self->system)
        return true;
    const size_t n = (size_t)(needed + needed / 2), entries = carom_product(n, n);
    self->work_size = carom_least_squares_work((int)n, (int)n, 1);
    if (!grow((void **)&self->matrix, entries, sizeof(carom_dual)) ||
        !grow((void **)&self->right, n, sizeof(carom_dual)) ||
        !grow((void **)&self->real_matrix, entries, sizeof(double)) ||
        !grow((void **)&self->copy, entries, sizeof(double)) ||
        !grow((void **)&self->real_right, n, sizeof(double)) ||
        !grow((void **)&self->first, n, sizeof(double)) ||
        !grow((void **)&self->work, self->work_size, sizeof(double)) ||
        !grow((void **)&self->pivot, n, sizeof(int)))
        return false;
    self->system = (int)n;
    return true;
}

/* ---- what the step began with ----------------------------------------------------------------------------- */

static void read_times(body_replay *self)
{
    const carom_tangent *base = self->base;
    const carom_stepper *stepper = base->stepper;
    const body_step_options *options = &self->step->options;
    const carom_tangent_column *column = self->column >= 0 ? &base->column[self->column] : NULL;
    const double *option = column ? column->option : NULL;
    self->t = carom_dual_of(base->t_before, column ? base->t[self->column] : 0.0);
    self->h = carom_dual_of(stepper->h, column ? column->h : 0.0);
    self->theta = carom_dual_of(options->theta, option ? option[self->theta_option] : 0.0);
    self->ahead =
        carom_dual_of(options->prediction, option ? option[self->prediction_option] : 0.0) * self->h;
}

static const double *parameter_of(const body_replay *self)
{
    return self->column >= 0 ? self->base->column[self->column].parameter : NULL;
}

static void read_body(body_replay *self, int i, const carom_bodies *along)
{
    const carom_body *body = &self->step->bodies->body[i], *slope = &along->body[i];
    const bool plane = self->step->plane;
    const carom_tangent *base = self->base;
    const double *dq = self->column >= 0 ? carom_tangent_q(base, self->column) : NULL;
    const double *dv = self->column >= 0 ? carom_tangent_v(base, self->column) : NULL;
    replay_body *to = &self->body[i];
    memset(to, 0, sizeof *to);
    if (body->q < 0) {
        for (int k = 0; k < 3; k++)
            to->at.x[k] = carom_dual_of(body->pose.x[k], slope->pose.x[k]);
        for (int k = 0; k < 9; k++)
            to->at.r[k] = carom_dual_of(body->pose.r[k], slope->pose.r[k]);
        to->start = to->at;
        return;
    }
    for (int k = 0; k < (plane ? 3 : 7); k++)
        to->position[k] = carom_dual_of(base->q_before[body->q + k], dq ? dq[body->q + k] : 0.0);
    for (int k = 0; k < (plane ? 3 : 6); k++)
        to->old[plane && k == 2 ? 5 : k] =
            carom_dual_of(base->v_before[body->v + k], dv ? dv[body->v + k] : 0.0);
    carom_dual_pose_of(self->step->bodies->dimension, to->position, &to->start);
    if (body->kind != CAROM_BODY_FREE)
        return;
    to->mass = carom_dual_of(body->mass, slope->mass);
    to->inverse_mass = 1.0 / to->mass;
    for (int k = 0; k < 9; k++) {
        to->inertia[k] = carom_dual_of(body->inertia[k], slope->inertia[k]);
        to->inverse_inertia[k] = carom_dual_of(body->inverse_inertia[k], slope->inverse_inertia[k]);
    }
}

/* Velocities of driven bodies at a time, by six. */
static void read_drive(body_replay *self, carom_dual t, size_t place)
{
    const carom_bodies *bodies = self->step->bodies;
    memset(self->v_along, 0, (size_t)self->base->stepper->dof * sizeof *self->v_along);
    carom_bodies_drive_along(self->base->stepper->work, creal(t), carom_dual_slope(t), parameter_of(self),
                             self->v, self->v_along);
    for (int i = 0; i < bodies->count; i++) {
        const int v = bodies->body[i].v;
        carom_dual *to = (carom_dual *)((char *)&self->body[i] + place);
        if (bodies->body[i].kind != CAROM_BODY_DRIVEN)
            continue;
        memset(to, 0, 6 * sizeof *to);
        for (int k = 0; k < (self->step->plane ? 3 : 6); k++)
            to[self->step->plane && k == 2 ? 5 : k] = carom_dual_of(self->v[v + k], self->v_along[v + k]);
    }
}

void body_replay_write_positions(body_replay *self)
{
    const carom_bodies *bodies = self->step->bodies;
    for (int i = 0; i < bodies->count; i++)
        for (int k = 0; bodies->body[i].q >= 0 && k < (self->step->plane ? 3 : 7); k++) {
            self->q[bodies->body[i].q + k] = creal(self->body[i].position[k]);
            self->q_along[bodies->body[i].q + k] = carom_dual_slope(self->body[i].position[k]);
        }
}

/* The predicted position: position has it until predict ends, and is that of the start again then. */
static void predict(body_replay *self)
{
    const carom_bodies *bodies = self->step->bodies;
    read_drive(self, self->t + 0.5 * self->ahead, offsetof(replay_body, way));
    for (int i = 0; i < bodies->count; i++) {
        replay_body *body = &self->body[i];
        if (bodies->body[i].q < 0)
            continue;
        carom_dual_move(bodies->dimension, self->ahead,
                        bodies->body[i].kind == CAROM_BODY_DRIVEN ? body->way : body->old, body->position);
        carom_dual_pose_of(bodies->dimension, body->position, &body->at);
        if (bodies->body[i].kind == CAROM_BODY_FREE)
            carom_dual_turn_matrix(body->at.r, body->inverse_inertia, body->spread);
    }
    body_replay_write_positions(self);
}

static void return_to_start(body_replay *self)
{
    const carom_bodies *bodies = self->step->bodies;
    const carom_tangent *base = self->base;
    const double *dq = self->column >= 0 ? carom_tangent_q(base, self->column) : NULL;
    for (int i = 0; i < bodies->count; i++) {
        const int q = bodies->body[i].q;
        for (int k = 0; q >= 0 && k < (self->step->plane ? 3 : 7); k++)
            self->body[i].position[k] = carom_dual_of(base->q_before[q + k], dq ? dq[q + k] : 0.0);
    }
}

static void find_forces(body_replay *self)
{
    const carom_tangent *base = self->base;
    const carom_stepper *stepper = base->stepper;
    const carom_bodies *bodies = self->step->bodies;
    const carom_dual t = self->t + self->ahead;
    const carom_direction direction = {.t = carom_dual_slope(t),
                                       .q = self->q_along,
                                       .u = self->column >= 0 ? carom_tangent_v(base, self->column) : NULL,
                                       .parameter = parameter_of(self)};
    stepper->model->ops->tangent->force(stepper->work, creal(t), self->q, base->v_before, 1, &direction,
                                        self->force_along);
    for (int i = 0; i < bodies->count; i++) {
        const int v = bodies->body[i].v;
        for (int k = 0; bodies->body[i].kind == CAROM_BODY_FREE && k < (self->step->plane ? 3 : 6); k++)
            self->body[i].force[self->step->plane && k == 2 ? 5 : k] =
                carom_dual_of(self->step->force[v + k], self->force_along[v + k]);
    }
}

/* ---- points ------------------------------------------------------------------------------------------------ */

/* As make_frame of points.c. */
static void make_frame(bool plane, const carom_dual n[3], carom_dual frame[9])
{
    memcpy(frame, n, 3 * sizeof *n);
    if (plane) {
        const carom_dual tangents[6] = {-n[1], n[0], 0.0, 0.0, 0.0, 1.0};
        memcpy(frame + 3, tangents, sizeof tangents);
        return;
    }
    const double sign = creal(n[2]) >= 0.0 ? 1.0 : -1.0;
    const carom_dual a = -1.0 / (sign + n[2]), b = n[0] * n[1] * a;
    const carom_dual tangents[6] = {1.0 + sign * n[0] * n[0] * a, sign * b, -sign * n[0], b,
                                    sign + n[1] * n[1] * a,       -n[1]};
    memcpy(frame + 3, tangents, sizeof tangents);
}

static void split_pose(const carom_dual_pose *pose, carom_pose *value, carom_pose *slope)
{
    for (int k = 0; k < 3; k++) {
        value->x[k] = creal(pose->x[k]);
        slope->x[k] = carom_dual_slope(pose->x[k]);
    }
    for (int k = 0; k < 9; k++) {
        value->r[k] = creal(pose->r[k]);
        slope->r[k] = carom_dual_slope(pose->r[k]);
    }
}

static bool find_touch(body_replay *self, int i, carom_dual normal[3], carom_dual at[3])
{
    const body_step *step = self->step;
    const body_point *point = &step->point[i];
    const carom_touch *touch = &step->touch[point->touch];
    carom_touch slope = {0};
    carom_pose a, b, along_a, along_b;
    split_pose(&self->body[point->a].at, &a, &along_a);
    split_pose(&self->body[point->b].at, &b, &along_b);
    if (!carom_touch_along(step->collider, touch, &a, &b, &along_a, &along_b, &slope))
        return false;
    self->point[i].gap = carom_dual_of(touch->gap, slope.gap);
    for (int k = 0; k < 3; k++) {
        normal[k] = carom_dual_of(touch->normal[k], slope.normal[k]);
        at[k] = 0.5 * (carom_dual_of(touch->point_a[k], slope.point_a[k]) +
                       carom_dual_of(touch->point_b[k], slope.point_b[k]));
    }
    return true;
}

static bool fill_point(body_replay *self, int i, const carom_bodies *along, char *why)
{
    const body_step *step = self->step;
    const carom_bodies *bodies = step->bodies;
    const body_point *from = &step->point[i];
    replay_point *to = &self->point[i];
    const int law = bodies->body[from->a].material * bodies->materials + bodies->body[from->b].material;
    carom_dual normal[3], at[3];
    memset(to, 0, sizeof *to);
    if (!find_touch(self, i, normal, at)) {
        char pair[120];
        carom_bodies_pair_name(bodies, from->a, from->b, pair, sizeof pair);
        snprintf(why, WHY, "the features at which bodies %s touch have no derivatives there", pair);
        return false;
    }
    to->mu = carom_dual_of(bodies->law[law].friction, along->law[law].friction);
    to->rolling = carom_dual_of(bodies->law[law].rolling, along->law[law].rolling);
    to->torsion = carom_dual_of(bodies->law[law].torsion, along->law[law].torsion);
    to->restitution = carom_dual_of(bodies->law[law].restitution, along->law[law].restitution);
    make_frame(step->plane, normal, to->direction);
    for (int side = 0; side < 2; side++) {
        const replay_body *body = &self->body[side == 0 ? from->a : from->b];
        const carom_dual arm[3] = {at[0] - body->at.x[0], at[1] - body->at.x[1], at[2] - body->at.x[2]};
        for (int k = 0; k < 3; k++)
            carom_dual_cross(arm, to->direction + 3 * (ptrdiff_t)k, to->turn[side] + 3 * (ptrdiff_t)k);
    }
    body_replay_point_velocity(self, i, REPLAY_OLD, to->before);
    for (int k = 0; i < step->active && k < REPLAY_COMPONENTS; k++)
        to->r[k] = self->impulse[REPLAY_COMPONENTS * i + k];
    return true;
}

/* ---- laws ---------------------------------------------------------------------------------------------------- */

static bool is_struck(const body_step *step, const body_point *point)
{
    const double speed = step->stepper->h * fmax(step->acceleration[point->a], step->acceleration[point->b]);
    return point->gap <= step->gap_tolerance && point->before[0] < -speed;
}

/* W_NN */
static carom_dual inverse_mass_of(const body_replay *self, int i)
{
    const carom_pair_rows *row = &self->step->row[i];
    carom_dual W = 0.0, answer[3];
    for (int side = 0; side < 2; side++)
        if (row->body[side] >= 0) {
            const replay_body *body = &self->body[row->body[side]];
            carom_dual_turn(body->spread, self->point[i].turn[side], answer);
            W += body->inverse_mass + carom_dual_dot(self->point[i].turn[side], answer);
        }
    return W;
}

/* Restitution of Moreau's law in an island. */
static carom_dual island_restitution(const body_replay *self, int island)
{
    const body_step *step = self->step;
    carom_dual weight = 0.0, sum = 0.0;
    for (int i = 0; i < step->active; i++) {
        const carom_dual W = step->point[i].island == island && is_struck(step, &step->point[i])
                                 ? inverse_mass_of(self, i)
                                 : 0.0;
        if (!(creal(W) > 0.0))
            continue;
        const carom_dual energy = self->point[i].before[0] * self->point[i].before[0] / W;
        weight += energy;
        sum += energy * self->point[i].restitution;
    }
    return creal(weight) > 0.0 ? sum / weight : 0.0;
}

static void find_shifts(body_replay *self)
{
    const body_step *step = self->step;
    for (int i = 0; i < step->active; i++) {
        replay_point *to = &self->point[i];
        const body_point *point = &step->point[i];
        const bool open = point->gap > step->gap_tolerance;
        if (step->options.impact == BODY_IMPACT_MOREAU) {
            const carom_dual e = island_restitution(self, point->island);
            for (int k = 0; k < (step->plane ? 2 : 3); k++)
                to->shift[k] = e * to->before[k];
        } else if (!open && point->before[0] < 0.0) {
            to->shift[0] = to->restitution * to->before[0];
        }
        if (open && point->shift != 0.0)
            to->shift[0] += to->gap / (self->theta * self->h);
    }
}

bool body_replay_begin(body_replay *self, int column, char *why)
{
    self->column = column;
    const carom_bodies along = carom_bodies_along(self->base->stepper->work, parameter_of(self));
    const body_step *step = self->step;
    read_times(self);
    for (int i = 0; i < step->bodies->count; i++)
        read_body(self, i, &along);
    predict(self);
    find_forces(self); /* asks for along again: the same numbers */
    body_replay_find_rows(self, self->t + self->ahead);
    for (int i = 0; i < self->joints; i++)
        self->lambda[i] = self->reaction[i];
    return_to_start(self);
    read_drive(self, self->t + self->h, offsetof(replay_body, end));
    read_drive(self, self->t + 0.5 * self->h, offsetof(replay_body, way));
    for (int i = 0; i < step->count; i++)
        if (!fill_point(self, i, &along, why))
            return false;
    find_shifts(self);
    return true;
}

/* ---- velocities ----------------------------------------------------------------------------------------------- */

static const carom_dual *velocity_of(const replay_body *body, replay_velocity which)
{
    return which == REPLAY_OLD ? body->old : which == REPLAY_END ? body->end : body->lift;
}

void body_replay_point_velocity(const body_replay *self, int i, replay_velocity which, carom_dual u[3])
{
    const replay_point *point = &self->point[i];
    const carom_dual *a = velocity_of(&self->body[self->step->point[i].a], which),
                     *b = velocity_of(&self->body[self->step->point[i].b], which);
    const carom_dual between[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    for (int k = 0; k < 3; k++)
        u[k] = carom_dual_dot(point->direction + 3 * (ptrdiff_t)k, between) +
               carom_dual_dot(point->turn[0] + 3 * (ptrdiff_t)k, a + 3) -
               carom_dual_dot(point->turn[1] + 3 * (ptrdiff_t)k, b + 3);
    if (self->step->plane)
        u[2] = 0.0;
}

void body_replay_point_motion(const body_replay *self, int i, replay_velocity which,
                              carom_dual u[REPLAY_COMPONENTS])
{
    const carom_dual *a = velocity_of(&self->body[self->step->point[i].a], which) + 3,
                     *b = velocity_of(&self->body[self->step->point[i].b], which) + 3;
    const carom_dual w[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    body_replay_point_velocity(self, i, which, u);
    for (int k = 0; k < 3; k++)
        u[3 + k] = self->step->plane && k > 0
                       ? 0.0
                       : carom_dual_dot(self->point[i].direction + 3 * (ptrdiff_t)(2 - k), w);
}

void body_replay_point_push(const body_replay *self, int i, int component, int side, carom_dual push[6])
{
    const replay_point *point = &self->point[i];
    for (int c = 0; c < 3; c++) {
        push[c] = component < 3 ? point->direction[3 * component + c] : 0.0;
        push[3 + c] =
            component < 3 ? point->turn[side][3 * component + c] : point->direction[3 * (5 - component) + c];
    }
}

/* Gives `turned` the length of x, to first order. */
static void keep_length(const carom_dual x[3], carom_dual turned[3])
{
    const carom_dual found = carom_dual_dot(turned, turned);
    if (!(creal(found) > 0.0))
        return;
    const carom_dual scale = 1.0 + 0.5 * (carom_dual_dot(x, x) - found) / found;
    for (int k = 0; k < 3; k++)
        turned[k] *= scale;
}

/* J + s d(w x J w)/dw */
static void gyro_matrix(const carom_dual J[9], carom_dual s, const carom_dual w[3], carom_dual matrix[9])
{
    carom_dual Jw[3], column[3], other[3];
    carom_dual_turn(J, w, Jw);
    for (int k = 0; k < 3; k++) {
        const carom_dual unit[3] = {k == 0, k == 1, k == 2}, Jk[3] = {J[k], J[3 + k], J[6 + k]};
        carom_dual_cross(w, Jk, column);
        carom_dual_cross(unit, Jw, other);
        for (int i = 0; i < 3; i++)
            matrix[3 * i + k] = J[3 * i + k] + s * (column[i] + other[i]);
    }
}

/* J (w+ - w) + h w_theta x J w_theta = impulse along the axes of the body, by Newton's method: two steps after the values are
 * those of the solution so are the derivatives. */
static bool gyroscopic_end(const body_replay *self, replay_body *body, const carom_dual impulse[3])
{
    carom_dual w[3], along[3], end[3], inverse[9];
    carom_dual_turn_back(body->at.r, body->old + 3, w);
    keep_length(body->old + 3, w);
    carom_dual_turn_back(body->at.r, impulse, along);
    carom_dual_turn(body->inverse_inertia, along, end);
    for (int k = 0; k < 3; k++)
        end[k] += w[k];
    int left = SPIN_STEPS;
    for (int settled = 0; settled < 3 && left > 0; left--) {
        carom_dual mean[3], rest[3], gyro[3], difference[3], matrix[9];
        double moved = 0.0, size = 0.0;
        for (int k = 0; k < 3; k++) {
            mean[k] = (1.0 - self->theta) * w[k] + self->theta * end[k];
            difference[k] = end[k] - w[k];
        }
        carom_dual_turn(body->inertia, mean, gyro);
        carom_dual_cross(mean, gyro, gyro);
        carom_dual_turn(body->inertia, difference, rest);
        for (int k = 0; k < 3; k++)
            rest[k] += self->h * gyro[k] - along[k];
        gyro_matrix(body->inertia, self->h * self->theta, mean, matrix);
        if (!carom_dual_invert(matrix, inverse))
            return false;
        carom_dual_turn(inverse, rest, rest);
        for (int k = 0; k < 3; k++) {
            end[k] -= rest[k];
            size = fmax(size, fabs(creal(end[k])) + fabs(creal(w[k])));
            moved = fmax(moved, fabs(creal(rest[k])));
        }
        settled = moved <= 1e-13 * size ? settled + 1 : 0;
    }
    carom_dual turned[9];
    carom_dual_turn_matrix(body->at.r, inverse, turned);
    for (int k = 0; k < 9; k++)
        body->reply[k] = creal(turned[k]);
    carom_dual_turn(body->at.r, end, body->end + 3);
    return left > 0;
}

static bool push_body(body_replay *self, int i, const carom_dual impulse[6])
{
    replay_body *body = &self->body[i];
    carom_dual turned[3];
    for (int k = 0; k < 3; k++)
        body->end[k] = body->old[k] + body->inverse_mass * impulse[k];
    if (body_spin_is_gyroscopic(self->step, i) && !self->step->plane)
        return gyroscopic_end(self, body, impulse + 3);
    carom_dual_turn(body->spread, impulse + 3, turned);
    for (int k = 0; k < 9; k++)
        body->reply[k] = creal(body->spread[k]);
    for (int k = 0; k < 3; k++)
        body->end[3 + k] = body->old[3 + k] + turned[k];
    return true;
}

/* Does a component move anything in the plane? */
static bool is_there(const body_step *step, int component)
{
    return !step->plane || component < 2 || component == 3;
}

/* Impulses of forces, points and joints on each body; `lift` is room. */
static void add_points(body_replay *self)
{
    const body_step *step = self->step;
    for (int i = 0; i < step->active; i++)
        for (int side = 0; side < 2; side++) {
            const int body = step->row[i].body[side];
            const double sign = side == 0 ? 1.0 : -1.0;
            for (int k = 0; body >= 0 && k < (step->moments.used ? REPLAY_COMPONENTS : 3); k++) {
                carom_dual push[6];
                if (!is_there(step, k))
                    continue;
                body_replay_point_push(self, i, k, side, push);
                for (int c = 0; c < 6; c++)
                    self->body[body].lift[c] += sign * self->point[i].r[k] * push[c];
            }
        }
}

static void add_joints(body_replay *self)
{
    const body_step_joints *joints = &self->step->joints;
    for (int i = 0; i < self->joints; i++)
        for (int k = self->step->bodies->joint_start[i]; k < self->step->bodies->joint_start[i + 1]; k++)
            self->body[joints->block[joints->entry_block[k]].body].lift[joints->entry_place[k]] +=
                self->lambda[i] * self->rows.entry[k];
}

bool body_replay_velocities(body_replay *self)
{
    const carom_bodies *bodies = self->step->bodies;
    for (int i = 0; i < bodies->count; i++)
        for (int k = 0; k < 6; k++)
            self->body[i].lift[k] = self->h * self->body[i].force[k];
    add_points(self);
    add_joints(self);
    for (int i = 0; i < bodies->count; i++)
        if (bodies->body[i].kind == CAROM_BODY_FREE && !push_body(self, i, self->body[i].lift))
            return false;
    return true;
}
