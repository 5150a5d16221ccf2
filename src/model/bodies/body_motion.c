/* Where bodies are, and how a position moves along a velocity. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/model/bodies.h"

static void rotation_of_angle(double phi, double r[9])
{
    const double c = cos(phi), s = sin(phi);
    const double matrix[9] = {c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0};
    memcpy(r, matrix, sizeof matrix);
}

static void rotation_of_quaternion(const double q[4], double r[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    r[0] = 1.0 - 2.0 * (y * y + z * z);
    r[1] = 2.0 * (x * y - w * z);
    r[2] = 2.0 * (x * z + w * y);
    r[3] = 2.0 * (x * y + w * z);
    r[4] = 1.0 - 2.0 * (x * x + z * z);
    r[5] = 2.0 * (y * z - w * x);
    r[6] = 2.0 * (x * z - w * y);
    r[7] = 2.0 * (y * z + w * x);
    r[8] = 1.0 - 2.0 * (x * x + y * y);
}

void carom_bodies_poses(const carom_bodies *bodies, const double *q, carom_pose *pose)
{
    for (int i = 0; i < bodies->count; i++) {
        const carom_body *body = &bodies->body[i];
        if (body->q < 0) {
            pose[i] = body->pose;
            continue;
        }
        const double *at = q + body->q;
        if (bodies->dimension == CAROM_PLANE) {
            pose[i] = (carom_pose){.x = {at[0], at[1], 0.0}};
            rotation_of_angle(at[2], pose[i].r);
        } else {
            memcpy(pose[i].x, at, sizeof pose[i].x);
            rotation_of_quaternion(at + 3, pose[i].r);
        }
    }
}

/* exp(turn) q for a turn along the axes of space, of unit length again to rounding. */
static void turn_quaternion(const double turn[3], const double q[4], double turned[4])
{
    const double angle = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]), half = 0.5 * angle;
    /* sin(half) / angle; its series where the division would lose digits */
    const double factor = angle < 1e-4 ? 0.5 - half * half / 12.0 : sin(half) / angle;
    const double c = cos(half), x = factor * turn[0], y = factor * turn[1], z = factor * turn[2];
    const double w0 = q[0], x0 = q[1], y0 = q[2], z0 = q[3];
    double p[4] = {c * w0 - x * x0 - y * y0 - z * z0, c * x0 + x * w0 + y * z0 - z * y0,
                   c * y0 + y * w0 + z * x0 - x * z0, c * z0 + z * w0 + x * y0 - y * x0};
    /* one step of Newton's method for 1 / |p|, which is 1 to rounding */
    const double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3], scale = 1.5 - 0.5 * square;
    for (int k = 0; k < 4; k++)
        turned[k] = scale * p[k];
}

void carom_body_move(const carom_bodies *bodies, const carom_body *body, double h, const double *v,
                     const double *q, double *moved)
{
    const double *from = q + body->q, *along = v + body->v;
    double *to = moved + body->q;
    for (int k = 0; k < 3; k++) /* plane: the angle, too */
        to[k] = from[k] + h * along[k];
    if (bodies->dimension == CAROM_PLANE)
        return;
    const double turn[3] = {h * along[3], h * along[4], h * along[5]};
    if (turn[0] == 0.0 && turn[1] == 0.0 && turn[2] == 0.0)
        memmove(to + 3, from + 3, 4 * sizeof *to);
    else
        turn_quaternion(turn, from + 3, to + 3);
}

const char *carom_bodies_pair_name(const carom_bodies *bodies, int a, int b, char *text, size_t size)
{
    const bool turned = bodies->body[a].kind != CAROM_BODY_FREE && bodies->body[b].kind == CAROM_BODY_FREE;
    snprintf(text, size, "%s/%s", bodies->body[turned ? b : a].name, bodies->body[turned ? a : b].name);
    return text;
}
