/* One-contact problems: published and analytic cases, and random ones. */
#ifndef CAROM_TEST_CONTACT_COULOMB_LOCAL_CONTACTS_H
#define CAROM_TEST_CONTACT_COULOMB_LOCAL_CONTACTS_H

#include <math.h>

#include "carom/contact.h"
#include "contact/coulomb/local_contact.h"

typedef struct local_case {
    const char *name;
    double W[9], q[3], mu;
    double r[3], u[3]; /* the solution */
} local_case;

#define LOCAL_HALF                                                                                           \
    {                                                                                                        \
        0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5                                                                      \
    }
#define LOCAL_SYMMETRIC                                                                                      \
    {                                                                                                        \
        2, .3, -.2, .3, 1.5, .4, -.2, .4, 1                                                                  \
    }
#define LOCAL_UNSYMMETRIC                                                                                    \
    {                                                                                                        \
        2, .9, -.7, -.4, 1.5, .8, .6, -.9, 1                                                                 \
    }
#define LOCAL_ROD                                                                                            \
    {                                                                                                        \
        3.25, -1.29903810567666, 0, -1.29903810567666, 1.75, 0, 0, 0, 1                                      \
    }

static const local_case local_cases[] = {
    {"A1", LOCAL_HALF, {-2, .3, -.4}, .3, {4, -.6, .8}, {0}},
    {"A2", LOCAL_HALF, {-2, 3, -4}, .3, {4, -.72, .96}, {0, 2.64, -3.52}},
    {"A3", LOCAL_HALF, {.1, 3, -4}, .3, {0}, {.1, 3, -4}},
    {"A4", LOCAL_SYMMETRIC, {-1, .2, .1}, .6, {0.5535858178888, -0.27639000805802, 0.12127316680097}, {0}},
    {"A5",
     LOCAL_SYMMETRIC,
     {-1, 2, 1},
     .6,
     {0.53288979080066, -0.29744929407866, -0.11727603311142},
     {0, 1.6667825828776, 0.65716629109699}},
    {"A6",
     LOCAL_UNSYMMETRIC,
     {-1, 2, 1},
     .6,
     {0.52165089895697, -0.2207159259297, -0.22191790774684},
     {0, 1.2827314253252, 1.2897169649641}},
    {"A7",
     LOCAL_UNSYMMETRIC,
     {-1, -2, .5},
     1,
     {0.33109294109353, 0.32459995348163, -0.065248799542107},
     {0, -1.6977362858487, 0.34126700698054}},
    {"ROD1",
     LOCAL_ROD,
     {-.1, 1, 0},
     2.8,
     {0.014519463763623, -0.040654498538144, 0},
     {0, 0.90999329085531, 0}},
    {"ROD2", LOCAL_ROD, {-.1, -1, 0}, 2.8, {0.368509526419, 0.844975952642, 0}, {0}},
};

enum {
    LOCAL_CASES = sizeof local_cases / sizeof local_cases[0]
};

/* A rod at 30 degrees with three solutions: open, stick, slide. */
static const local_case local_rod3 = {"ROD3", LOCAL_ROD, {.1, -1, 0}, 2.8, {0}, {.1, -1, 0}};

typedef struct local_random {
    double W[9], q[3], mu;
} local_random;

/* W = s (A A^T + 0.05 I + skew part for every second one), s from 1e-6 to 1e6: positive definite. */
static inline local_random local_random_contact(carom_random *random, bool symmetric)
{
    local_random c;
    double A[9];
    const double scale = pow(10.0, carom_random_uniform(random, -6, 6));
    const double flow = pow(10.0, carom_random_uniform(random, -3, 3));
    for (int i = 0; i < 9; i++)
        A[i] = carom_random_uniform(random, -1, 1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.W[3 * i + j] = scale * (carom_dot(3, A + 3 * i, A + 3 * j) + (i == j ? 0.05 : 0.0));
    for (int i = 0; i < 3 && !symmetric; i++)
        for (int j = i + 1; j < 3; j++) {
            const double skew = scale * carom_random_uniform(random, -1, 1);
            c.W[3 * i + j] += skew;
            c.W[3 * j + i] -= skew;
        }
    for (int i = 0; i < 3; i++)
        c.q[i] = flow * carom_random_uniform(random, -1, 1);
    c.mu = pow(10.0, carom_random_uniform(random, -2, log10(5)));
    return c;
}

/* |r - P_K(r - rho (u + g(u)))| / |r|, rho = 1 / |W|: independent of the solvers. In long double, because the
 * normal part is a small difference of large numbers when u_T is large compared with W r. */
static inline double local_natural_error(const local_random *c, const double r[3])
{
    const long double rho = 1.0L / sqrtl(carom_dot(9, c->W, c->W)), mu = c->mu;
    long double u[3], z[3], p[3] = {0}, sum = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        u[i] = c->q[i];
        for (int j = 0; j < 3; j++)
            u[i] += (long double)c->W[3 * i + j] * r[j];
    }
    u[0] += mu * hypotl(u[1], u[2]);
    for (int i = 0; i < 3; i++)
        z[i] = r[i] - rho * u[i];
    const long double t = hypotl(z[1], z[2]), a = (z[0] + mu * t) / (1 + mu * mu);
    for (int i = 0; i < 3 && mu * t > -z[0]; i++)
        p[i] = t <= mu * z[0] ? z[i] : i == 0 ? a : mu * a * z[i] / t;
    for (int i = 0; i < 3; i++) {
        sum += (r[i] - p[i]) * (r[i] - p[i]);
        size += (long double)r[i] * r[i];
    }
    return sum == 0 ? 0.0 : (double)sqrtl(sum / size);
}

static inline double local_largest_difference(const double a[3], const double b[3])
{
    return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

#endif
