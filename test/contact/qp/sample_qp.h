/* Quadratic programs with bounds on short rows. */
#ifndef CAROM_TEST_CONTACT_QP_SAMPLE_QP_H
#define CAROM_TEST_CONTACT_QP_SAMPLE_QP_H

#include <math.h>
#include <string.h>

#include "carom/contact.h"
#include "contact/qp/qp_solver.h"

typedef struct sample_qp {
    carom_arena *arena;
    carom_band A;
    carom_qp problem;
    int *row_start, *column;
    double *entry, *lower, *upper, *f;
    double *x, *r, *work; /* results; size, rows, size */
} sample_qp;

static inline sample_qp new_sample(int size, int width, int rows, int entries)
{
    sample_qp sample = {.arena = carom_arena_create()};
    const size_t n = (size_t)size, m = (size_t)rows;
    assert_non_null(sample.arena);
    assert_true(carom_band_take(sample.arena, size, width, &sample.A));
    sample.row_start = carom_arena_take(sample.arena, m + 1, sizeof(int));
    sample.column = carom_arena_take(sample.arena, (size_t)entries, sizeof(int));
    sample.entry = carom_arena_take(sample.arena, (size_t)entries, sizeof(double));
    sample.lower = carom_arena_take(sample.arena, m, sizeof(double));
    sample.upper = carom_arena_take(sample.arena, m, sizeof(double));
    sample.f = carom_arena_take(sample.arena, n, sizeof(double));
    sample.x = carom_arena_take(sample.arena, n, sizeof(double));
    sample.r = carom_arena_take(sample.arena, m, sizeof(double));
    sample.work = carom_arena_take(sample.arena, n, sizeof(double));
    assert_non_null(sample.work);
    sample.problem = (carom_qp){.size = size,
                                .rows = rows,
                                .row_start = sample.row_start,
                                .column = sample.column,
                                .entry = sample.entry,
                                .lower = sample.lower,
                                .upper = sample.upper,
                                .vector = sample.f};
    return sample;
}

static inline void free_sample(sample_qp *sample)
{
    carom_arena_free(sample->arena);
}

/* The matrix lives in the sample, which the caller may have moved. */
static inline const carom_qp *problem_of(sample_qp *sample)
{
    sample->problem.matrix = &sample->A;
    return &sample->problem;
}

static inline void fill_random(carom_random *random, int n, double low, double high, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = carom_random_uniform(random, low, high);
}

static inline void fill_matrix(carom_random *random, carom_band *A)
{
    for (int i = 0; i < A->size; i++)
        for (int j = i > A->width ? i - A->width : 0; j <= i; j++)
            *carom_band_at(A, i, j) =
                carom_random_uniform(random, -1.0, 1.0) + (i == j ? A->width + 1.5 : 0.0);
}

/* Row i selects the unknown 2 i, as nodal values of cubic Hermite elements. */
static inline void select_every_second(sample_qp *sample)
{
    for (int i = 0; i < sample->problem.rows; i++) {
        sample->row_start[i + 1] = i + 1;
        sample->column[i] = 2 * i;
        sample->entry[i] = 1.0;
    }
}

/* Row i: 1/6, 4/6, 1/6 from column i on, as nodal values of cubic B-splines. */
static inline void select_splines(sample_qp *sample)
{
    for (int i = 0; i < sample->problem.rows; i++) {
        sample->row_start[i + 1] = 3 * (i + 1);
        for (int k = 0; k < 3; k++) {
            sample->column[3 * i + k] = i + k;
            sample->entry[3 * i + k] = k == 1 ? 4.0 / 6.0 : 1.0 / 6.0;
        }
    }
}

static inline void fill_bounds(carom_random *random, sample_qp *sample, double distance)
{
    for (int i = 0; i < sample->problem.rows; i++) {
        sample->lower[i] = -carom_random_uniform(random, 0.0, distance);
        sample->upper[i] = carom_random_uniform(random, 0.0, distance);
    }
}

static inline sample_qp random_sample(carom_random *random, int size, int width, bool spline)
{
    const int rows = spline ? size - 2 : size / 2;
    sample_qp sample = new_sample(size, width, rows, 3 * rows);
    fill_matrix(random, &sample.A);
    if (spline)
        select_splines(&sample);
    else
        select_every_second(&sample);
    fill_bounds(random, &sample, 0.2);
    fill_random(random, size, -1.0, 1.0, sample.f);
    return sample;
}

/* A beam clamped at its left end, cubic Hermite elements: M + dt^2 / 2 S; rows: nodal values. */
static inline sample_qp beam_sample(int elements, double length, double k2, double dt)
{
    const double h = length / elements;
    const double mass[4][4] = {{156, 22, 54, -13}, {22, 4, 13, -3}, {54, 13, 156, -22}, {-13, -3, -22, 4}};
    const double bending[4][4] = {{12, 6, -12, 6}, {6, 4, -6, 2}, {-12, -6, 12, -6}, {6, 2, -6, 4}};
    sample_qp sample = new_sample(2 * elements, 3, elements, elements);
    for (int e = 0; e < elements; e++)
        for (int a = 0; a < 4; a++)
            for (int b = 0; b <= a; b++) {
                const int i = 2 * e - 2 + a, j = 2 * e - 2 + b;
                const double slopes = pow(h, a % 2 + b % 2);
                if (j >= 0)
                    *carom_band_at(&sample.A, i, j) +=
                        slopes * (h / 420.0 * mass[a][b] + 0.5 * dt * dt * k2 / (h * h * h) * bending[a][b]);
            }
    select_every_second(&sample);
    return sample;
}

static inline qp_solver *new_solver(sample_qp *sample, const qp_options *options)
{
    qp_solver *solver;
    carom_error error = {.text = ""};
    if (qp_solver_create(problem_of(sample), options, &solver, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return solver;
}

/* A cold solve into x and r. */
static inline carom_solve_report solve_once(sample_qp *sample, const qp_options *options, double *x,
                                            double *r)
{
    qp_solver *solver = new_solver(sample, options);
    carom_solve_report report = qp_solve(solver, sample->f, x, r);
    qp_solver_free(solver);
    return report;
}

static inline double largest(int n, const double *x)
{
    double value = 0.0;
    for (int i = 0; i < n; i++)
        value = fmax(value, fabs(x[i]));
    return value;
}

static inline double largest_difference(int n, const double *a, const double *b)
{
    double value = 0.0;
    for (int i = 0; i < n; i++)
        value = fmax(value, fabs(a[i] - b[i]));
    return value;
}

#endif
