/* Joints in numbers with a derivative: rows, positions that are put back, velocities that obey. */
#include <math.h>
#include <string.h>

#include "replay.h"

static const double rank_tolerance = 1e-9;

void body_replay_find_rows(body_replay *self, carom_dual t)
{
    const carom_stepper *stepper = self->base->stepper;
    const int joints = self->joints, *start = self->step->bodies->joint_start;
    if (joints == 0)
        return;
    const carom_direction direction = {
        .t = carom_dual_slope(t),
        .q = self->q_along,
        .parameter = self->column >= 0 ? self->base->column[self->column].parameter : NULL};
    carom_bodies_joint_rows(stepper->work, creal(t), self->q, self->step->joints.entry,
                            self->step->joints.g_t);
    carom_bodies_joint_rows_along(stepper->work, creal(t), self->q, &direction, self->entry_along,
                                  self->joint_along);
    for (int k = 0; k < start[joints]; k++)
        self->rows.entry[k] = carom_dual_of(self->step->joints.entry[k], self->entry_along[k]);
    for (int i = 0; i < joints; i++)
        self->rows.g_t[i] = carom_dual_of(self->step->joints.g_t[i], self->joint_along[i]);
}

carom_dual body_replay_joint_velocity(const body_replay *self, int joint, replay_velocity which)
{
    const body_step_joints *joints = &self->step->joints;
    carom_dual sum = 0.0;
    for (int k = self->step->bodies->joint_start[joint]; k < self->step->bodies->joint_start[joint + 1];
         k++) {
        const replay_body *body = &self->body[joints->block[joints->entry_block[k]].body];
        const carom_dual *v = which == REPLAY_OLD ? body->old : which == REPLAY_END ? body->end : body->lift;
        sum += self->rows.entry[k] * v[joints->entry_place[k]];
    }
    return sum;
}

carom_dual body_replay_joint_rest(const body_replay *self, int joint)
{
    return self->theta * body_replay_joint_velocity(self, joint, REPLAY_END) +
           (1.0 - self->theta) * body_replay_joint_velocity(self, joint, REPLAY_OLD) + self->rows.g_t[joint];
}

void body_replay_push_joint(body_replay *self, int joint, carom_dual impulse)
{
    const body_step_joints *joints = &self->step->joints;
    for (int k = self->step->bodies->joint_start[joint]; k < self->step->bodies->joint_start[joint + 1];
         k++) {
        replay_body *body = &self->body[joints->block[joints->entry_block[k]].body];
        const int place = joints->entry_place[k];
        const carom_dual r = impulse * self->rows.entry[k];
        if (place < 3) {
            body->lift[place] += body->inverse_mass * r;
            continue;
        }
        for (int c = 0; c < 3; c++)
            body->lift[3 + c] += body->spread[3 * c + place - 3] * r;
    }
}

/* copy x = real_right, which is overwritten. */
static bool solve_real(body_replay *self, int n)
{
    memcpy(self->real_matrix, self->copy, (size_t)n * (size_t)n * sizeof(double));
    return carom_least_squares(n, n, self->real_matrix, 1, self->real_right, rank_tolerance, self->pivot,
                               self->work, self->work_size) >= 0;
}

bool body_replay_solve(body_replay *self, int n)
{
    const size_t size = (size_t)n;
    for (size_t i = 0; i < size * size; i++)
        self->copy[i] = creal(self->matrix[i]);
    for (size_t i = 0; i < size; i++)
        self->real_right[i] = creal(self->right[i]);
    if (!solve_real(self, n))
        return false;
    memcpy(self->first, self->real_right, size * sizeof(double));
    for (size_t i = 0; i < size; i++) { /* K dx = db - dK x */
        self->real_right[i] = carom_dual_slope(self->right[i]);
        for (size_t j = 0; j < size; j++)
            self->real_right[i] -= carom_dual_slope(self->matrix[j * size + i]) * self->first[j];
    }
    if (!solve_real(self, n))
        return false;
    for (size_t i = 0; i < size; i++)
        self->right[i] = carom_dual_of(self->first[i], self->real_right[i]);
    return true;
}

/* lift := M^-1 G^T lambda, G M^-1 G^T lambda = right. */
static bool answer(body_replay *self)
{
    const int n = self->joints, bodies = self->step->bodies->count;
    for (int column = 0; column < n; column++) {
        for (int i = 0; i < bodies; i++)
            memset(self->body[i].lift, 0, sizeof self->body[i].lift);
        body_replay_push_joint(self, column, 1.0);
        for (int row = 0; row < n; row++)
            self->matrix[(ptrdiff_t)column * n + row] = body_replay_joint_velocity(self, row, REPLAY_LIFT);
    }
    for (int i = 0; i < bodies; i++)
        memset(self->body[i].lift, 0, sizeof self->body[i].lift);
    if (!body_replay_solve(self, n))
        return false;
    for (int i = 0; i < n; i++)
        body_replay_push_joint(self, i, self->right[i]);
    return true;
}

bool body_replay_project_joints(body_replay *self)
{
    const carom_stepper *stepper = self->base->stepper;
    const carom_dual t = self->t + self->h;
    if (self->joints == 0)
        return true;
    body_replay_write_positions(self);
    const carom_direction direction = {
        .t = carom_dual_slope(t),
        .q = self->q_along,
        .parameter = self->column >= 0 ? self->base->column[self->column].parameter : NULL};
    carom_bodies_joint_values_along(stepper->work, creal(t), self->q, &direction, self->joint_value,
                                    self->joint_along);
    for (int i = 0; i < self->joints; i++)
        self->right[i] = carom_dual_of(-self->joint_value[i], -self->joint_along[i]);
    if (!answer(self))
        return false;
    body_replay_displace(self);
    return true;
}

bool body_replay_settle_joints(body_replay *self)
{
    const carom_bodies *bodies = self->step->bodies;
    const carom_dual t = self->t + self->h;
    if (self->joints == 0)
        return true;
    for (int i = 0; i < bodies->count; i++) {
        replay_body *body = &self->body[i];
        carom_dual_pose pose;
        memcpy(body->end, body->final, sizeof body->end);
        if (bodies->body[i].kind != CAROM_BODY_FREE)
            continue;
        carom_dual_pose_of(bodies->dimension, body->position, &pose);
        carom_dual_turn_matrix(pose.r, body->inverse_inertia, body->spread);
    }
    body_replay_write_positions(self);
    body_replay_find_rows(self, t);
    for (int i = 0; i < self->joints; i++)
        self->right[i] = -body_replay_joint_velocity(self, i, REPLAY_END) - self->rows.g_t[i];
    if (!answer(self))
        return false;
    for (int i = 0; i < bodies->count; i++)
        for (int k = 0; bodies->body[i].kind == CAROM_BODY_FREE && k < 6; k++)
            self->body[i].final[k] += self->body[i].lift[k];
    return true;
}
