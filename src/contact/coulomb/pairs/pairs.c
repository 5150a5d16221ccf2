/* The parts of W of pairs of bodies: what they do to velocities and impulses, and the error. */
#include "carom/contact/pairs.h"

#include <math.h>
#include <string.h>

#include "contact/coulomb/parts/error_map.h"
#include "pairs_cone.h"

static void add_side(double sign, double inverse_mass, const double direction[9], const double answer[9],
                     const double r[3], double *restrict velocity)
{
    const double n = sign * r[0], s = sign * r[1], t = sign * r[2];
    for (int k = 0; k < 3; k++) {
        velocity[k] += inverse_mass * (n * direction[k] + s * direction[3 + k] + t * direction[6 + k]);
        velocity[3 + k] += n * answer[k] + s * answer[3 + k] + t * answer[6 + k];
    }
}

static void add_moments(const carom_pairs *problem, int contact, const double r[3], double *velocity)
{
    const carom_pair_rows *row = &problem->row[contact];
    const carom_pair_spin *spin = &problem->spin[contact];
    for (int side = 0; side < 2; side++) {
        if (row->body[side] < 0)
            continue;
        double *w = velocity + 6 * (ptrdiff_t)row->body[side] + 3;
        for (int i = 0; i < (problem->plane ? 1 : 3); i++)
            carom_axpy(3, side == 0 ? r[i] : -r[i], spin->answer[side] + 3 * (ptrdiff_t)i, w);
    }
}

void carom_pairs_motion(const carom_pairs *problem, const double *r, double *velocity)
{
    memset(velocity, 0, 6 * (size_t)problem->bodies * sizeof *velocity);
    for (int i = 0; i < problem->contacts; i++) {
        const carom_pair_rows *row = &problem->row[i];
        const double *p = r + 3 * (ptrdiff_t)i;
        const double plane[3] = {p[0], p[1], problem->plane ? 0.0 : p[2]};
        for (int side = 0; side < 2; side++)
            if (row->body[side] >= 0)
                add_side(side == 0 ? 1.0 : -1.0, problem->inverse_mass[row->body[side]], row->direction,
                         row->answer[side], plane, velocity + 6 * (ptrdiff_t)row->body[side]);
    }
    for (int i = 0; problem->spin && i < problem->contacts; i++)
        add_moments(problem, i, r + 3 * (ptrdiff_t)(problem->contacts + i), velocity);
}

void carom_pairs_velocity(const carom_pairs *problem, int contact, const double *velocity, double u[3])
{
    const carom_pair_rows *row = &problem->row[contact];
    double v[3] = {0.0, 0.0, 0.0};
    memcpy(u, problem->q + 3 * (ptrdiff_t)contact, 3 * sizeof *u);
    for (int side = 0; side < 2; side++) {
        if (row->body[side] < 0)
            continue;
        const double sign = side == 0 ? 1.0 : -1.0, *of = velocity + 6 * (ptrdiff_t)row->body[side];
        for (int k = 0; k < 3; k++) {
            const double *turn = row->turn[side] + 3 * (ptrdiff_t)k;
            v[k] += sign * of[k];
            u[k] += sign * (turn[0] * of[3] + turn[1] * of[4] + turn[2] * of[5]);
        }
    }
    for (int k = 0; k < 3; k++) {
        const double *d = row->direction + 3 * (ptrdiff_t)k;
        u[k] += d[0] * v[0] + d[1] * v[1] + d[2] * v[2];
    }
    if (problem->plane)
        u[2] = 0.0;
}

/* The axes of moments are the rows of the frame from the last to the first. */
static const double *spin_axis(const carom_pair_rows *row, int axis)
{
    return row->direction + 3 * (ptrdiff_t)(2 - axis);
}

void carom_pairs_spin_velocity(const carom_pairs *problem, int contact, const double *velocity, double u[3])
{
    const carom_pair_rows *row = &problem->row[contact];
    double w[3] = {0.0, 0.0, 0.0};
    for (int side = 0; side < 2; side++)
        if (row->body[side] >= 0)
            carom_axpy(3, side == 0 ? 1.0 : -1.0, velocity + 6 * (ptrdiff_t)row->body[side] + 3, w);
    for (int k = 0; k < 3; k++)
        u[k] = problem->plane && k > 0
                   ? 0.0
                   : problem->q[3 * (problem->contacts + contact) + k] +
                         problem->spin[contact].length * carom_dot(3, spin_axis(row, k), w);
}

carom_pair_rows carom_pair_moments(const carom_pair_rows *row, const carom_pair_spin *spin, bool torsion)
{
    carom_pair_rows made = {.body = {row->body[0], row->body[1]},
                            .mu = torsion ? spin->torsion : spin->rolling};
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < (torsion ? 1 : 2); k++) {
            const int axis = torsion ? 2 : k;
            carom_axpy(3, spin->length, spin_axis(row, axis), made.turn[side] + 3 * (ptrdiff_t)(1 + k));
            memcpy(made.answer[side] + 3 * (ptrdiff_t)(1 + k), spin->answer[side] + 3 * (ptrdiff_t)axis,
                   3 * sizeof(double));
        }
    return made;
}

void carom_pairs_block(const carom_pairs *problem, int contact, double block[9])
{
    const carom_pair_rows *row = &problem->row[contact];
    memset(block, 0, 9 * sizeof *block);
    for (int side = 0; side < 2; side++) {
        if (row->body[side] < 0)
            continue;
        const double inverse = problem->inverse_mass[row->body[side]];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                block[3 * i + j] += inverse * carom_dot(3, row->direction + 3 * i, row->direction + 3 * j) +
                                    carom_dot(3, row->turn[side] + 3 * i, row->answer[side] + 3 * j);
    }
    if (problem->plane) {
        block[2] = block[5] = block[6] = block[7] = 0.0;
        block[8] = 1.0;
    }
}

double carom_pairs_scale(const carom_pairs *problem)
{
    double sum = 0.0;
    for (int i = 0; i < problem->contacts; i++) {
        const carom_pair_rows *row = &problem->row[i];
        for (int side = 0; side < 2; side++)
            if (row->body[side] >= 0)
                sum +=
                    problem->inverse_mass[row->body[side]] + carom_dot(3, row->turn[side], row->answer[side]);
    }
    return problem->contacts > 0 ? sum / problem->contacts : 0.0;
}

double carom_pair_distance(bool plane, double mu, double rolling, double torsion, const double r[6],
                           const double u[6])
{
    const double coefficient[3] = {mu, rolling, torsion};
    if (!plane)
        return pairs_cone_distance(6, 6, coefficient, r, u);
    return pairs_cone_distance(3, 3, coefficient, (const double[3]){r[0], r[1], r[3]},
                               (const double[3]){u[0], u[1], u[3]});
}

/* As below, with moments. */
static double error_with_moments(const carom_pairs *problem, double scale, const double *r,
                                 const double *velocity)
{
    const int n = problem->contacts;
    double sum = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
        const carom_pair_spin *spin = &problem->spin[i];
        double u[6], p[6];
        carom_pairs_velocity(problem, i, velocity, u);
        carom_pairs_spin_velocity(problem, i, velocity, u + 3);
        for (int k = 0; k < 6; k++) {
            const ptrdiff_t at = k < 3 ? 3 * (ptrdiff_t)i + k : 3 * (ptrdiff_t)(n + i) + k - 3;
            p[k] = scale * r[at];
            size += problem->q[at] * problem->q[at];
        }
        sum += carom_pair_distance(problem->plane, problem->row[i].mu, spin->rolling, spin->torsion, p, u);
    }
    if (sum == 0.0)
        return 0.0;
    return isfinite(sum) && isfinite(size) ? sqrt(sum) / sqrt(size) : INFINITY;
}

double carom_pairs_error(const carom_pairs *problem, double scale, const double *r, const double *velocity)
{
    if (problem->spin)
        return error_with_moments(problem, scale, r, velocity);
    double sum = 0.0, size = 0.0;
    for (int i = 0; i < problem->contacts; i++) {
        const double *p = r + 3 * (ptrdiff_t)i, *q = problem->q + 3 * (ptrdiff_t)i;
        const double mu = problem->row[i].mu;
        double u[3], z[3], projected[3];
        carom_pairs_velocity(problem, i, velocity, u);
        for (int k = 0; k < 3; k++)
            size += q[k] * q[k];
        if (mu > coulomb_large_mu) {
            sum += coulomb_parts_distance(mu, (const double[3]){scale * p[0], scale * p[1], scale * p[2]}, u);
            continue;
        }
        for (int k = 0; k < 3; k++)
            z[k] = scale * p[k] - u[k];
        z[0] -= mu * sqrt(u[1] * u[1] + u[2] * u[2]);
        carom_cone_project(mu, z, projected);
        for (int k = 0; k < 3; k++) {
            const double distance = scale * p[k] - projected[k];
            sum += distance * distance;
        }
    }
    if (sum == 0.0)
        return 0.0;
    return isfinite(sum) && isfinite(size) ? sqrt(sum) / sqrt(size) : INFINITY;
}
