/* Piles of sample_piles.h whose contacts have moments. */
#ifndef CAROM_TEST_CONTACT_COULOMB_PAIRS_SAMPLE_MOMENTS_H
#define CAROM_TEST_CONTACT_COULOMB_PAIRS_SAMPLE_MOMENTS_H

#include "sample_piles.h"

typedef struct rolling_pile {
    pile p; /* its problem has moments; its q and r are too small for them */
    carom_pair_spin spin[PILE_CONTACTS];
    double q[6 * PILE_CONTACTS], r[6 * PILE_CONTACTS];
} rolling_pile;

/* The axes of moments: second tangent, first tangent, normal. */
static void set_spin(rolling_pile *s, int contact, double length, double rolling, double torsion)
{
    const carom_pair_rows *row = &s->p.row[contact];
    carom_pair_spin *spin = &s->spin[contact];
    *spin = (carom_pair_spin){.rolling = rolling / length, .torsion = torsion / length, .length = length};
    for (int side = 0; side < 2; side++)
        for (int k = 0; row->body[side] >= 0 && k < 3; k++)
            for (int c = 0; c < 3; c++)
                spin->answer[side][3 * k + c] =
                    length * carom_dot(3, s->p.inverse_inertia[row->body[side]] + 3 * (ptrdiff_t)c,
                                       row->direction + 3 * (ptrdiff_t)(2 - k));
}

static void bind_pile(rolling_pile *s)
{
    s->p.problem.row = s->p.row;
    s->p.problem.inverse_mass = s->p.inverse_mass;
    s->p.problem.q = s->q;
    s->p.problem.spin = s->spin;
}

/* Every third contact has no rolling, every fifth no torsion. */
static inline void make_rolling_pile(rolling_pile *s, uint64_t seed, bool plane, int layers, double mu,
                                     double rolling, double torsion)
{
    double v[6 * PILE_BODIES];
    carom_random random = {seed + 1000};
    memset(s, 0, sizeof *s);
    make_pile(&s->p, seed, plane, layers, mu);
    memcpy(s->q, s->p.q, sizeof s->p.q);
    bind_pile(s);
    const int n = s->p.problem.contacts;
    for (int i = 0; i < n; i++)
        set_spin(s, i, carom_random_uniform(&random, 0.3, 0.5), i % 3 == 2 ? 0.0 : rolling,
                 i % 5 == 4 || plane ? 0.0 : torsion);
    for (int i = 0; i < 6 * s->p.problem.bodies; i++)
        v[i] = carom_random_uniform(&random, -1.0, 1.0);
    for (int i = 0; i < n; i++) {
        double u[3];
        carom_pairs_spin_velocity(&s->p.problem, i, v, u); /* reads q, which is zero, of this contact only */
        memcpy(s->q + 3 * (ptrdiff_t)(n + i), u, sizeof u);
    }
}

static inline void fill(carom_random *random, int n, double low, double high, double *x)
{
    for (int k = 0; k < n; k++)
        x[k] = carom_random_uniform(random, low, high);
}

static inline double largest_difference(int n, const double *a, const double *b)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

#endif
