/* Random frictionless contact problems: W = G G^T, q = G v, with n rows in a space of given dimension. */
#ifndef CAROM_TEST_CONTACT_LCP_SAMPLE_LCP_H
#define CAROM_TEST_CONTACT_LCP_SAMPLE_LCP_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/contact.h"
#include "carom/linalg.h"

enum {
    SAMPLE_MAX = 40,
    SAMPLE_WORK = SAMPLE_MAX * SAMPLE_MAX + 8 * SAMPLE_MAX
};

typedef struct sample_lcp {
    int size, dimension;
    double gradient[SAMPLE_MAX * SAMPLE_MAX]; /* G, row-major */
    double matrix[SAMPLE_MAX * SAMPLE_MAX];
    double vector[SAMPLE_MAX];
} sample_lcp;

static inline carom_lcp problem_of(const sample_lcp *sample)
{
    return (carom_lcp){.size = sample->size, .matrix = sample->matrix, .vector = sample->vector};
}

static inline size_t work_size_of(const carom_solver_ops *ops, int size)
{
    return ops->work_size ? ops->work_size(&(carom_problem_shape){.size = size}) : 0;
}

/* In memory of the caller. */
static inline carom_solve_report solve_in(const carom_solver_ops *ops, const carom_lcp *problem,
                                          double tolerance, double *work, double *z)
{
    carom_solver solver =
        carom_solver_in(ops, &(carom_problem_shape){.size = problem->size}, tolerance, work);
    return carom_solver_lcp(&solver, problem, z);
}

/* W and q from the gradients and the free velocity v. */
static inline void assemble(sample_lcp *sample, const double *v)
{
    const int n = sample->size, m = sample->dimension;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            sample->matrix[i * n + j] = carom_dot(m, sample->gradient + i * m, sample->gradient + j * m);
        sample->vector[i] = carom_dot(m, sample->gradient + i * m, v);
    }
}

static inline void make_sample(carom_random *random, int size, int dimension, sample_lcp *sample)
{
    double v[SAMPLE_MAX];
    sample->size = size;
    sample->dimension = dimension;
    for (int i = 0; i < size * dimension; i++)
        sample->gradient[i] = carom_random_uniform(random, -1.0, 1.0);
    for (int i = 0; i < dimension; i++)
        v[i] = carom_random_uniform(random, -1.0, 1.0);
    assemble(sample, v);
}

/* w = W z + q */
static inline void slack_of(const sample_lcp *sample, const double *z, double *w)
{
    for (int i = 0; i < sample->size; i++)
        w[i] = carom_dot(sample->size, sample->matrix + i * sample->size, z) + sample->vector[i];
}

static inline double largest_difference(int n, const double *a, const double *b)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

/* A number that is none, anywhere in W, q or the start: only the last may be forgotten. */
static inline void expect_end_without_numbers(carom_solve_report (*solve)(const sample_lcp *sample,
                                                                          double tolerance, double *z),
                                              carom_random random)
{
    for (int place = 0; place < 25 + 5 + 5; place++) {
        sample_lcp sample;
        double z[5] = {0.1, 0.1, 0.1, 0.1, 0.1};
        make_sample(&random, 5, 6, &sample);
        if (place < 25)
            sample.matrix[place] = NAN;
        else if (place < 30)
            sample.vector[place - 25] = NAN;
        else
            z[place - 30] = NAN;
        assert_int_equal(solve(&sample, 1e-12, z).status, place < 30 ? CAROM_FAILED : CAROM_OK);
    }
}

#endif
