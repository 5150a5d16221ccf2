/* Small impacts for tests: dense data in, everything a law says out. */
#ifndef CAROM_TEST_LAW_IMPACT_SAMPLE_IMPACT_H
#define CAROM_TEST_LAW_IMPACT_SAMPLE_IMPACT_H

#include <math.h>
#include <string.h>

#include "carom/law.h"

enum {
    SAMPLE_MOST = 24
};

typedef struct sample {
    int n, c;
    double mass[SAMPLE_MOST * SAMPLE_MOST]; /* n x n; read when full */
    bool full;
    double masses[SAMPLE_MOST];
    double w[SAMPLE_MOST * SAMPLE_MOST]; /* W, n x c */
    double v[SAMPLE_MOST], e[SAMPLE_MOST], rate[SAMPLE_MOST];
} sample;

typedef struct outcome {
    double v[SAMPLE_MOST], p[SAMPLE_MOST], compression[SAMPLE_MOST];
    double before[SAMPLE_MOST], after[SAMPLE_MOST]; /* gamma */
    carom_impact_result r;
    carom_status status;
    carom_error error;
} outcome;

/* Balls in a row, contact j between balls j and j + 1; with a wall contact n stops ball n. */
static inline sample chain_of(int balls, bool wall, const double *masses, const double *v, const double *e)
{
    sample s = {.n = balls, .c = balls - 1 + (wall ? 1 : 0)};
    for (int i = 0; i < balls; i++) {
        s.masses[i] = masses ? masses[i] : 1.0;
        s.v[i] = v[i];
    }
    for (int j = 0; j < s.c; j++) {
        s.w[j * s.c + j] = -1.0;
        if (j + 1 < balls)
            s.w[(j + 1) * s.c + j] = 1.0;
        s.e[j] = e[j];
    }
    return s;
}

static inline double sample_gamma(const sample *s, int contact, const double *v)
{
    double sum = s->rate[contact];
    for (int i = 0; i < s->n; i++)
        sum += s->w[i * s->c + contact] * v[i];
    return sum;
}

static inline outcome run_with(const sample *s, const carom_impact_law_ops *law,
                               const carom_impact_options *options)
{
    int start[SAMPLE_MOST + 1], row[SAMPLE_MOST * SAMPLE_MOST];
    double value[SAMPLE_MOST * SAMPLE_MOST];
    outcome out = {0};
    carom_impact_columns(s->n, s->c, s->w, start, row, value);
    const carom_impact impact = {.coordinates = s->n,
                                 .contacts = s->c,
                                 .mass = s->full ? s->mass : NULL,
                                 .masses = s->full ? NULL : s->masses,
                                 .column_start = start,
                                 .row = row,
                                 .value = value,
                                 .rate = s->rate,
                                 .velocity = s->v,
                                 .restitution = s->e};
    const carom_impact_sizes sizes = carom_impact_sizes_of(&impact);
    carom_impact_work *work = NULL;
    out.status = carom_impact_work_create(law, &sizes, &work, &out.error);
    carom_impact_result r = {.velocity = out.v, .impulse = out.p, .compression = out.compression};
    if (out.status == CAROM_OK)
        out.status = carom_impact_solve(work, &impact, options, &r, &out.error);
    carom_impact_work_free(work);
    out.r = r;
    out.r.velocity = out.r.impulse = out.r.compression = NULL; /* they would point into a copy */
    for (int k = 0; k < s->c; k++) {
        out.before[k] = sample_gamma(s, k, s->v);
        out.after[k] = sample_gamma(s, k, out.v);
    }
    return out;
}

static inline outcome run(const sample *s, const carom_impact_law_ops *law)
{
    const carom_impact_options options = carom_impact_defaults();
    return run_with(s, law, &options);
}

static inline double largest_difference(int n, const double *a, const double *b)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        worst = isnan(a[i] - b[i]) ? INFINITY : fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

/* ---- random data --------------------------------------------------------------------------------------- */

static inline double random_normal(carom_random *random)
{
    const double u = carom_random_uniform(random, 1e-12, 1.0), angle = carom_random_uniform(random, 0.0, 1.0);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * angle);
}

/* M = I, W n x c of normal numbers: G = W^T W. One restitution, or one per contact. */
static inline sample random_sample(carom_random *random, int n, int c, bool global)
{
    sample s = {.n = n, .c = c};
    for (int i = 0; i < n; i++) {
        s.masses[i] = 1.0;
        s.v[i] = random_normal(random);
    }
    for (int k = 0; k < n * c; k++)
        s.w[k] = random_normal(random);
    const double e = carom_random_uniform(random, 0.0, 1.0);
    for (int k = 0; k < c; k++)
        s.e[k] = global ? e : carom_random_uniform(random, 0.0, 1.0);
    return s;
}

/* A full mass matrix B B^T + I. */
static inline void random_mass(carom_random *random, sample *s)
{
    double b[SAMPLE_MOST * SAMPLE_MOST];
    for (int k = 0; k < s->n * s->n; k++)
        b[k] = random_normal(random);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            s->mass[i * s->n + j] = (i == j ? 1.0 : 0.0) + carom_dot(s->n, b + i * s->n, b + j * s->n);
    s->full = true;
}

/* G by its definition, for diagonal masses. */
static inline void sample_delassus(const sample *s, double *g)
{
    for (int a = 0; a < s->c; a++)
        for (int b = 0; b < s->c; b++) {
            double sum = 0.0;
            for (int i = 0; i < s->n; i++)
                sum += s->w[i * s->c + a] * s->w[i * s->c + b] / s->masses[i];
            g[a * s->c + b] = sum;
        }
}

#endif
