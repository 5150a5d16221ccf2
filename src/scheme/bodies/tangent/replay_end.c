/* From velocities to positions: the way of the step, joints, projection and the balance of energy. */
#include <math.h>
#include <string.h>

#include "replay.h"

/* y = R_to R_from^T x */
static void carry(const carom_dual from[9], const carom_dual to[9], const carom_dual x[3], carom_dual y[3])
{
    carom_dual along[3];
    carom_dual_turn_back(from, x, along);
    carom_dual_turn(to, along, y);
}

static carom_dual product(const body_replay *self, int i, const carom_dual a[6], const carom_dual b[6])
{
    const replay_body *body = &self->body[i];
    carom_dual own_a[3], own_b[3], sum = body->mass * carom_dual_dot(a, b);
    carom_dual_turn_back(body->at.r, a + 3, own_a);
    carom_dual_turn_back(body->at.r, b + 3, own_b);
    for (int k = 0; k < 3; k++)
        sum += own_a[k] * carom_dual_dot(body->inertia + 3 * (ptrdiff_t)k, own_b);
    return sum;
}

/* As body_step_note_energy. */
static void note_energy(body_replay *self, int i, carom_dual work)
{
    replay_body *body = &self->body[i];
    carom_dual change[6], sum[6];
    for (int k = 0; k < 6; k++) {
        change[k] = body->end[k] - body->old[k];
        sum[k] = body->end[k] + body->old[k];
    }
    body->change = 0.5 * product(self, i, change, sum) - work;
    body->kinetic = 0.5 * product(self, i, body->end, body->end);
    body->size = 0.5 * product(self, i, body->old, body->old) + body->kinetic + fabs(creal(work));
}

static void move_free(body_replay *self, int i)
{
    replay_body *body = &self->body[i];
    const bool gyroscopic = body_spin_is_gyroscopic(self->step, i);
    carom_dual mean[6], work = 0.0;
    for (int k = 0; k < 6; k++)
        mean[k] = (1.0 - self->theta) * body->old[k] + self->theta * body->end[k];
    if (gyroscopic)
        carry(body->at.r, body->start.r, mean + 3, mean + 3);
    carom_dual_move(self->step->bodies->dimension, self->h, mean, body->position);
    for (int k = 0; k < 6; k++)
        work += self->h * body->force[k] * mean[k];
    note_energy(self, i, work);
    memcpy(body->final, body->end, sizeof body->final);
    if (!gyroscopic)
        return;
    carom_dual_pose pose;
    carom_dual_pose_of(self->step->bodies->dimension, body->position, &pose);
    carry(body->at.r, pose.r, body->end + 3, body->final + 3);
    const carom_dual found = carom_dual_dot(body->final + 3, body->final + 3);
    for (int k = 3; k < 6 && creal(found) > 0.0; k++)
        body->final[k] *= 1.0 + 0.5 * (carom_dual_dot(body->end + 3, body->end + 3) - found) / found;
}

static void move_bodies(body_replay *self)
{
    const carom_bodies *bodies = self->step->bodies;
    for (int i = 0; i < bodies->count; i++) {
        replay_body *body = &self->body[i];
        if (bodies->body[i].kind == CAROM_BODY_DRIVEN) {
            carom_dual_move(bodies->dimension, self->h, body->way, body->position);
            memcpy(body->final, body->end, sizeof body->final);
        } else if (bodies->body[i].kind == CAROM_BODY_FREE) {
            move_free(self, i);
        }
    }
}

void body_replay_displace(body_replay *self)
{
    const carom_bodies *bodies = self->step->bodies;
    for (int i = 0; i < bodies->count; i++)
        if (bodies->body[i].kind == CAROM_BODY_FREE)
            carom_dual_move(bodies->dimension, 1.0, self->body[i].lift, self->body[i].position);
}

bool body_replay_end(body_replay *self, char *why)
{
    move_bodies(self);
    if (!body_replay_project_joints(self))
        return false;
    if (!body_replay_project(self, why))
        return false;
    return body_replay_settle_joints(self);
}
