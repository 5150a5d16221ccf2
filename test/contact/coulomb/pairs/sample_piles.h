/* Piles of round bodies on a grid, with what their contacts make of a free fall. */
#ifndef CAROM_TEST_CONTACT_COULOMB_PAIRS_SAMPLE_PILES_H
#define CAROM_TEST_CONTACT_COULOMB_PAIRS_SAMPLE_PILES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/contact/pairs.h"

enum {
    PILE_WIDTH = 6, /* bodies beside each other */
    PILE_BODIES = 90,
    PILE_CONTACTS = 400
};

typedef struct pile {
    carom_pairs problem;
    carom_pair_rows row[PILE_CONTACTS];
    double inverse_mass[PILE_BODIES], inverse_inertia[PILE_BODIES][9];
    double q[3 * PILE_CONTACTS], r[3 * PILE_CONTACTS], velocity[6 * PILE_BODIES];
} pile;

static void pile_frame(bool plane, const double n[3], double frame[9])
{
    const double other[3] = {0.0, plane ? 0.0 : 0.6, plane ? 1.0 : 0.8};
    double *s = frame + 3, *t = frame + 6;
    memcpy(frame, n, 3 * sizeof *n);
    s[0] = other[1] * n[2] - other[2] * n[1];
    s[1] = other[2] * n[0] - other[0] * n[2];
    s[2] = other[0] * n[1] - other[1] * n[0];
    const double length = sqrt(carom_dot(3, s, s));
    for (int k = 0; k < 3; k++)
        s[k] /= length;
    t[0] = n[1] * s[2] - n[2] * s[1];
    t[1] = n[2] * s[0] - n[0] * s[2];
    t[2] = n[0] * s[1] - n[1] * s[0];
}

/* A contact of two bodies (-1: none), the normal towards a, the point at distance `arm` from the centre of
 * each. */
static void pile_touch(pile *p, carom_random *random, int a, int b, double x, double y, double z, double mu)
{
    carom_pair_rows *row = &p->row[p->problem.contacts];
    const double length = sqrt(x * x + y * y + z * z), n[3] = {x / length, y / length, z / length};
    *row = (carom_pair_rows){.body = {a, b}, .mu = mu};
    pile_frame(p->problem.plane, n, row->direction);
    for (int side = 0; side < 2; side++) {
        if (row->body[side] < 0)
            continue;
        const double arm = (side == 0 ? -1.0 : 1.0) * carom_random_uniform(random, 0.3, 0.6);
        for (int k = 0; k < 3; k++) {
            const double *d = row->direction + 3 * (ptrdiff_t)k, *J = p->inverse_inertia[row->body[side]];
            double *turn = row->turn[side] + 3 * (ptrdiff_t)k;
            turn[0] = arm * (n[1] * d[2] - n[2] * d[1]);
            turn[1] = arm * (n[2] * d[0] - n[0] * d[2]);
            turn[2] = arm * (n[0] * d[1] - n[1] * d[0]);
            for (int c = 0; c < 3; c++)
                row->answer[side][3 * k + c] = carom_dot(3, J + 3 * (ptrdiff_t)c, turn);
        }
    }
    p->problem.contacts++;
}

/* Inverse masses, and inverse inertias that are not the same about every axis in space. */
static void pile_masses(pile *p, carom_random *random)
{
    for (int i = 0; i < p->problem.bodies; i++) {
        double *J = p->inverse_inertia[i];
        p->inverse_mass[i] = carom_random_uniform(random, 0.3, 2.0);
        for (int k = 0; k < 3; k++)
            J[4 * k] = p->inverse_mass[i] * carom_random_uniform(random, 4.0, 10.0);
        if (p->problem.plane)
            continue;
        J[1] = J[3] = p->inverse_mass[i] * carom_random_uniform(random, -1.0, 1.0);
        J[5] = J[7] = p->inverse_mass[i] * carom_random_uniform(random, -1.0, 1.0);
    }
}

/* q from a free fall with some noise: there is a solution. */
static void pile_fall(pile *p, carom_random *random)
{
    double v[6 * PILE_BODIES];
    for (int i = 0; i < 6 * p->problem.bodies; i++)
        v[i] = carom_random_uniform(random, -0.2, 0.2);
    for (int i = 0; i < p->problem.bodies; i++) {
        double *six = v + 6 * (ptrdiff_t)i;
        six[1] -= 1.0;
        if (p->problem.plane)
            six[2] = six[3] = six[4] = 0.0;
    }
    memset(p->q, 0, sizeof p->q);
    for (int i = 0; i < p->problem.contacts; i++) {
        double u[3];
        carom_pairs_velocity(&p->problem, i, v, u); /* reads q, which is zero, of this contact only */
        memcpy(p->q + 3 * (ptrdiff_t)i, u, sizeof u);
    }
}

/* `layers` of bodies on a floor: each touches those beside and above it, and some of them one askew. */
static void make_pile(pile *p, uint64_t seed, bool plane, int layers, double mu)
{
    carom_random random = {seed};
    memset(p, 0, sizeof *p);
    p->problem = (carom_pairs){.bodies = layers * PILE_WIDTH,
                               .row = p->row,
                               .inverse_mass = p->inverse_mass,
                               .q = p->q,
                               .plane = plane};
    pile_masses(p, &random);
    for (int i = 0; i < p->problem.bodies; i++) {
        const int column = i % PILE_WIDTH;
        const double tilt = carom_random_uniform(&random, -0.4, 0.4);
        const double out = plane ? 0.0 : carom_random_uniform(&random, -0.3, 0.3);
        if (i < PILE_WIDTH)
            pile_touch(p, &random, i, -1, 0.0, 1.0, 0.0, mu);
        else
            pile_touch(p, &random, i, i - PILE_WIDTH, tilt, 1.0, out, mu);
        if (column > 0)
            pile_touch(p, &random, i, i - 1, 1.0, tilt, out, mu);
        if (column > 0 && i >= PILE_WIDTH && i % 3 == 0)
            pile_touch(p, &random, i, i - PILE_WIDTH - 1, 0.7, 0.7 + tilt, -out, mu);
    }
    pile_fall(p, &random);
}

#endif
