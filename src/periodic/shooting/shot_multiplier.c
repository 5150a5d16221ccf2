/* The largest multiplier of a periodic motion, without those that are 1 for a reason known beforehand.
 *
 * Without forcing the monodromy M leaves the direction of motion f = (v, a) as it is, M f = f; with a
 * conserved energy E also dE M = dE. Together they make a double 1 that is defective, so that errors of 1e-10
 * in M would move it by 1e-5. Reflections that turn f and dE to the first two axes leave a block with the
 * other multipliers. */
#include <math.h>
#include <string.h>

#include "shooting.h"

static const double difference_step = 1e-6;

/* x becomes a multiple of axis `first` and M becomes H M H, H = 1 - 2 r r^T / r.r, r = x +- |x| e_first, for
 * vectors whose entries before `first` are zero. False when x is zero. */
static bool reflect(int size, int first, double *x, double *matrix)
{
    const int count = size - first;
    double *r = x + first;
    const double length = sqrt(carom_dot(count, r, r));
    if (!(length > 0.0))
        return false;
    r[0] += copysign(length, r[0]);
    const double square = carom_dot(count, r, r);
    for (int i = 0; i < size; i++) {
        double *row = matrix + (ptrdiff_t)i * size + first;
        carom_axpy(count, -2.0 * carom_dot(count, row, r) / square, r, row);
    }
    for (int k = 0; k < size; k++) {
        double sum = 0.0;
        for (int i = 0; i < count; i++)
            sum += r[i] * matrix[(ptrdiff_t)(first + i) * size + k];
        for (int i = 0; i < count; i++)
            matrix[(ptrdiff_t)(first + i) * size + k] -= 2.0 * r[i] * sum / square;
    }
    return true;
}

/* y := H y with the r that reflect left in x. */
static void reflect_vector(int size, int first, const double *x, double *y)
{
    const int count = size - first;
    const double *r = x + first;
    carom_axpy(count, -2.0 * carom_dot(count, r, y + first) / carom_dot(count, r, r), r, y + first);
}

/* By positions and velocities in units of their sizes. */
static void energy_gradient(carom_shooting *self, const carom_shot *shot, double *gradient)
{
    const int dof = self->dof;
    double *state = self->state;
    memcpy(state, shot->q, (size_t)dof * sizeof *state);
    memcpy(state + dof, shot->v, (size_t)dof * sizeof *state);
    for (int i = 0; i < 2 * dof; i++) {
        const double size = i < dof ? self->flow.length : self->flow.speed;
        const double kept = state[i], h = difference_step * size;
        state[i] = kept + h;
        gradient[i] = self->model->ops->energy(self->work, shot->t0, state, state + dof);
        state[i] = kept - h;
        gradient[i] -= self->model->ops->energy(self->work, shot->t0, state, state + dof);
        gradient[i] *= size / (2.0 * h);
        state[i] = kept;
    }
}

/* Rates of a state in units of its sizes; false when one is not finite. */
static bool in_sizes(int dof, double length, double speed, double *rate)
{
    for (int i = 0; i < dof; i++) {
        rate[i] /= length;
        rate[dof + i] /= speed;
    }
    return carom_all_finite(2 * dof, rate);
}

/* The rows and columns from `first` on, moved to the front. */
static void keep_block(int size, int first, double *matrix)
{
    const int count = size - first;
    for (int i = 0; i < count; i++)
        memmove(matrix + (ptrdiff_t)i * count, matrix + (ptrdiff_t)(first + i) * size + first,
                (size_t)count * sizeof *matrix);
}

carom_status shooting_largest_multiplier(carom_shooting *shooting, const carom_shot *shot, double *matrix,
                                         double *largest, carom_error *error)
{
    const int size = shooting->flow.size, dof = shooting->dof;
    const bool conserves =
        shooting->kind == CAROM_SHOOT_CONSERVATIVE || shooting->kind == CAROM_SHOOT_SYMMETRIC;
    double *motion = shooting->columns, *gradient = motion + size;
    double *real = shooting->real, *imaginary = shooting->imaginary;
    const double length = shooting->flow.length, speed = shooting->flow.speed;
    shooting->multipliers = size;
    carom_monodromy_in_time(dof, length / speed, matrix);
    if (shooting->kind == CAROM_SHOOT_FORCED)
        return carom_multipliers(size, matrix, real, imaginary, largest, error);
    memcpy(motion, shot->v, (size_t)dof * sizeof *motion);
    if (!shooting_acceleration(&shooting->flow, shot->t0, shot->q, shot->v, motion + dof) ||
        !in_sizes(dof, length, speed, motion) || !reflect(size, 0, motion, matrix))
        return carom_multipliers(size, matrix, real, imaginary, largest, error);
    int known = 1;
    if (conserves) {
        energy_gradient(shooting, shot, gradient);
        reflect_vector(size, 0, motion, gradient);
        gradient[0] = 0.0; /* the energy does not change along the motion */
        known += reflect(size, 1, gradient, matrix);
    }
    keep_block(size, known, matrix);
    *largest = 0.0;
    shooting->multipliers = size - known;
    const carom_status status =
        size > known ? carom_multipliers(size - known, matrix, real, imaginary, largest, error) : CAROM_OK;
    *largest = fmax(*largest, 1.0);
    return status;
}
