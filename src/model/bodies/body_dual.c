/* body_motion.c in numbers with a derivative: the same formulas. */
#include "carom/model/body_dual.h"

#include <string.h>

void carom_dual_pose_of(int dimension, const carom_dual *position, carom_dual_pose *pose)
{
    memcpy(pose->x, position, sizeof pose->x);
    if (dimension == CAROM_PLANE) {
        const carom_dual c = ccos(position[2]), s = csin(position[2]);
        const carom_dual turned[9] = {c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0};
        pose->x[2] = 0.0;
        memcpy(pose->r, turned, sizeof turned);
        return;
    }
    const carom_dual w = position[3], x = position[4], y = position[5], z = position[6];
    const carom_dual turned[9] = {
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z),       2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),       1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),       2.0 * (y * z + w * x),       1.0 - 2.0 * (x * x + y * y)};
    memcpy(pose->r, turned, sizeof turned);
}

/* exp(turn) q */
static void turn_quaternion(const carom_dual turn[3], carom_dual q[4])
{
    const carom_dual square = carom_dual_dot(turn, turn);
    carom_dual factor = 0.5 - square / 48.0, c = 1.0 - square / 8.0 + square * square / 384.0;
    if (creal(square) >= 1e-8) { /* else series, which have a derivative at 0, too */
        const carom_dual angle = csqrt(square);
        factor = csin(0.5 * angle) / angle;
        c = ccos(0.5 * angle);
    }
    const carom_dual x = factor * turn[0], y = factor * turn[1], z = factor * turn[2];
    const carom_dual w0 = q[0], x0 = q[1], y0 = q[2], z0 = q[3];
    const carom_dual p[4] = {c * w0 - x * x0 - y * y0 - z * z0, c * x0 + x * w0 + y * z0 - z * y0,
                             c * y0 + y * w0 + z * x0 - x * z0, c * z0 + z * w0 + x * y0 - y * x0};
    const carom_dual scale = 1.5 - 0.5 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int k = 0; k < 4; k++)
        q[k] = scale * p[k];
}

void carom_dual_move(int dimension, carom_dual h, const carom_dual velocity[6], carom_dual *position)
{
    const bool plane = dimension == CAROM_PLANE;
    for (int k = 0; k < (plane ? 2 : 3); k++)
        position[k] += h * velocity[k];
    if (plane) {
        position[2] += h * velocity[5];
        return;
    }
    const carom_dual turn[3] = {h * velocity[3], h * velocity[4], h * velocity[5]};
    bool turns = false;
    for (int k = 0; k < 3; k++)
        turns = turns || creal(turn[k]) != 0.0 || cimag(turn[k]) != 0.0;
    if (turns)
        turn_quaternion(turn, position + 3);
}

void carom_dual_turn_matrix(const carom_dual r[9], const carom_dual a[9], carom_dual turned[9])
{
    carom_dual half[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            half[3 * i + j] = r[3 * i] * a[j] + r[3 * i + 1] * a[3 + j] + r[3 * i + 2] * a[6 + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turned[3 * i + j] = carom_dual_dot(half + 3 * (ptrdiff_t)i, r + 3 * (ptrdiff_t)j);
}

bool carom_dual_invert(const carom_dual a[9], carom_dual inverse[9])
{
    carom_dual cofactor[9];
    carom_dual_cross(a + 3, a + 6, cofactor);
    carom_dual_cross(a + 6, a, cofactor + 3);
    carom_dual_cross(a, a + 3, cofactor + 6);
    const carom_dual determinant = carom_dual_dot(a, cofactor);
    if (creal(determinant) == 0.0)
        return false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            inverse[3 * k + i] = cofactor[3 * i + k] / determinant;
    return true;
}
