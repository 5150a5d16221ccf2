/* The spin of bodies whose inertia is not the same about every axis. Along the axes of the body
 *
 *   J (w+ - w) + h w_theta x J w_theta = impulse:
 *
 * the gyroscopic term is implicit, so that a body that turns freely keeps its energy for theta = 1/2; and the spin goes on with the
 * body when it turns. */
#include <math.h>

#include "body_step_data.h"
#include "scheme/parts/step_report.h"

enum {
    GYRO_STEPS = 20
};
static const double gyro_tolerance = 1e-13;

/* y = R x and y = R^T x */
static void rotate(const double r[9], const double x[3], double y[3])
{
    const double a = x[0], b = x[1], c = x[2];
    for (int k = 0; k < 3; k++)
        y[k] = r[3 * k] * a + r[3 * k + 1] * b + r[3 * k + 2] * c;
}

static void rotate_back(const double r[9], const double x[3], double y[3])
{
    const double a = x[0], b = x[1], c = x[2];
    for (int k = 0; k < 3; k++)
        y[k] = r[k] * a + r[3 + k] * b + r[6 + k] * c;
}

/* Gives `turned` the length of x: a matrix from a quaternion stretches by rounding, always in one sense, which a million
 * steps would show. */
static void keep_length(const double x[3], double turned[3])
{
    const double wanted = carom_dot(3, x, x), found = carom_dot(3, turned, turned);
    if (!(found > 0.0))
        return;
    const double scale = 1.0 + 0.5 * (wanted - found) / found;
    for (int k = 0; k < 3; k++)
        turned[k] *= scale;
}

static void multiply(const double a[9], const double x[3], double y[3])
{
    rotate(a, x, y);
}

/* Adds the matrix of x -> s a x b(x), b(x) = J x, and x -> s x x c: the derivative of w x J w at w. */
static void gyro_matrix(const double J[9], double s, const double w[3], double matrix[9])
{
    double Jw[3], column[3], other[3];
    multiply(J, w, Jw);
    for (int k = 0; k < 3; k++) {
        const double unit[3] = {k == 0, k == 1, k == 2}, Jk[3] = {J[k], J[3 + k], J[6 + k]};
        body_cross(w, Jk, column);
        body_cross(unit, Jw, other);
        for (int i = 0; i < 3; i++)
            matrix[3 * i + k] = J[3 * i + k] + s * (column[i] + other[i]);
    }
}

/* J (w+ - w) + h w_theta x J w_theta = impulse along the axes of the body: what the gyroscopic term adds to w+, beside
 * J^-1 impulse. Newton's method from there. False: it does not converge. */
static bool gyro_change(const carom_body *body, double h, double theta, const double w[3],
                        const double impulse[3], double change[3])
{
    const double *J = body->inertia;
    double end[3], plain[3], matrix[9], rest[3];
    int pivot[3];
    multiply(body->inverse_inertia, impulse, plain);
    for (int k = 0; k < 3; k++)
        end[k] = plain[k] = w[k] + plain[k];
    for (int step = 0; step < GYRO_STEPS; step++) {
        double mean[3], difference[3], gyro[3], size = 0.0, moved = 0.0;
        for (int k = 0; k < 3; k++) {
            mean[k] = (1.0 - theta) * w[k] + theta * end[k];
            difference[k] = end[k] - w[k];
        }
        multiply(J, mean, gyro);
        body_cross(mean, gyro, gyro);
        multiply(J, difference, rest);
        for (int k = 0; k < 3; k++)
            rest[k] += h * gyro[k] - impulse[k];
        gyro_matrix(J, h * theta, mean, matrix);
        if (carom_lu_factor(3, matrix, pivot) != 0)
            return false;
        carom_lu_solve(3, matrix, pivot, rest);
        for (int k = 0; k < 3; k++) {
            end[k] -= rest[k];
            size = fmax(size, fabs(end[k]) + fabs(w[k]));
            moved = fmax(moved, fabs(rest[k]));
        }
        if (moved <= gyro_tolerance * size) {
            for (int k = 0; k < 3; k++)
                change[k] = end[k] - plain[k];
            return true;
        }
    }
    return false;
}

bool body_spin_is_gyroscopic(const body_step *self, int i)
{
    const carom_body *body = &self->bodies->body[i];
    return body->kind == CAROM_BODY_FREE && !body->round;
}

carom_status body_spin_change(body_step *self, int i, const double added[3], double change[3],
                              carom_error *error)
{
    const carom_body *body = &self->bodies->body[i];
    const double h = self->stepper->h, *torque = self->force + body->v + 3, *r = self->pose[i].r;
    double w[3], impulse[3], along[3];
    rotate_back(r, self->old + 6 * (ptrdiff_t)i + 3, w);
    keep_length(self->old + 6 * (ptrdiff_t)i + 3, w);
    for (int k = 0; k < 3; k++)
        impulse[k] = h * torque[k] + added[k];
    rotate_back(r, impulse, impulse);
    if (!gyro_change(body, h, self->options.theta, w, impulse, along))
        return fail_step(
            error, step_end(self->stepper), step_number(self->stepper),
            "the spin of body '%s', (%g, %g, %g) per unit of time, is too fast for the step h = %g: take "
            "some ten steps per turn",
            body->name, w[0], w[1], w[2], h);
    rotate(r, along, change);
    return CAROM_OK;
}

carom_status body_spin_correct(body_step *self, bool *changed, carom_error *error)
{
    *changed = false;
    for (int i = 0; i < self->bodies->count; i++) {
        const carom_body *body = &self->bodies->body[i];
        const double *plain = self->plain + 6 * (ptrdiff_t)i, *end = self->end + 6 * (ptrdiff_t)i;
        double *gyro = self->gyro + 3 * (ptrdiff_t)i, turn[3], added[3], change[3], pushed = 0.0;
        if (!body_spin_is_gyroscopic(self, i))
            continue;
        /* what contacts and joints give: J (end - plain - gyro), along the axes of the body and back */
        for (int k = 0; k < 3; k++) {
            turn[k] = end[3 + k] - plain[3 + k] - gyro[k];
            pushed = fmax(pushed, fabs(turn[k]));
        }
        if (pushed <= 1e-15 * (fabs(end[3]) + fabs(end[4]) + fabs(end[5])))
            continue;
        rotate_back(self->pose[i].r, turn, turn);
        multiply(body->inertia, turn, added);
        rotate(self->pose[i].r, added, added);
        const carom_status status = body_spin_change(self, i, added, change, error);
        if (status != CAROM_OK)
            return status;
        const double size = fabs(end[3]) + fabs(end[4]) + fabs(end[5]);
        for (int k = 0; k < 3; k++) {
            *changed = *changed || fabs(change[k] - gyro[k]) > 1e-11 * size;
            gyro[k] = change[k];
        }
    }
    return CAROM_OK;
}

/* Where the inertia is not the same about every axis, along the axes of the body w_theta turns R by R exp(h w_theta), which
 * seen from space is a turn by h R_start R_predicted^T w_theta; and w+ goes with the body. */
void body_spin_turn(const body_step *self, int i, double spin[3])
{
    double along[3];
    if (!body_spin_is_gyroscopic(self, i))
        return;
    rotate_back(self->pose[i].r, spin, along);
    rotate(self->pose_start[i].r, along, spin);
}

void body_spin_carry(const body_step *self, int i, const double *q, const double spin[3], double carried[3])
{
    const int place = self->bodies->body[i].q;
    const carom_body here = {.q = 0};
    const carom_bodies alone = {.dimension = CAROM_SPACE, .count = 1, .body = &here};
    carom_pose pose;
    double along[3];
    if (!body_spin_is_gyroscopic(self, i))
        return;
    carom_bodies_poses(&alone, q + place, &pose);
    rotate_back(self->pose[i].r, spin, along);
    rotate(pose.r, along, carried);
    keep_length(spin, carried);
}
