/* Solutions do not depend on units: with W -> a W and q -> b q impulses become b / a times as large. Factors are powers of two
 * with an even exponent, so that every solver computes the same significands. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "carom/contact.h"
#include "coulomb/formula_problems.h"

enum {
    CONTACTS = 4,
    SIZE = 3 * CONTACTS,
    RANK = 15
};

static const int exponents[] = {-40, -20, 0, 20, 40};

static void scaled(int n, const double *from, int exponent, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = ldexp(from[i], exponent);
}

static void assert_scaled(const char *solver, int n, const double *one, int exponent, const double *other)
{
    for (int i = 0; i < n; i++)
        if (other[i] != ldexp(one[i], exponent))
            fail_msg("%s: entry %d is %.17g times 2^%d, not %.17g", solver, i, ldexp(other[i], -exponent),
                     exponent, one[i]);
}

/* W = H^T H / RANK and q of the file of formulas. */
static void fill(double *W, double *q)
{
    for (int i = 0; i < SIZE; i++) {
        q[i] = formula_free_velocity(RANK, i, false);
        for (int j = 0; j < SIZE; j++) {
            W[i * SIZE + j] = 0.0;
            for (int k = 0; k < RANK; k++)
                W[i * SIZE + j] += formula_direction(k, i) * formula_direction(k, j) / RANK;
        }
    }
}

/* Calls solve(ops, a, b, r) at all scales; it returns the number of iterations. */
typedef int scale_solve(const carom_solver_ops *ops, int a, int b, double *r);

static void compare_scales(const carom_solver_ops *ops, bool matrix_too, scale_solve *solve)
{
    enum {
        COUNT = sizeof exponents / sizeof exponents[0]
    };
    double one[2 * SIZE], other[2 * SIZE];
    const int iterations = solve(ops, 0, 0, one);
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            const int a = exponents[i], b = exponents[j];
            if (a != 0 && !matrix_too)
                continue;
            assert_int_equal(solve(ops, a, b, other), iterations);
            assert_scaled(ops->name, SIZE, one, b - a, other);
        }
}

static int solve_lcp(const carom_solver_ops *ops, int a, int b, double *z)
{
    const int n = ops->max_size > 0 ? ops->max_size : SIZE;
    double W[SIZE * SIZE], q[SIZE], part[SIZE * SIZE];
    carom_solver *solver = NULL;
    fill(W, q);
    for (int i = 0; i < n; i++) {
        W[i * SIZE + i] += 0.5; /* for Gauss-Seidel, which is slow with W itself */
        scaled(n, W + (ptrdiff_t)i * SIZE, a, part + (ptrdiff_t)i * n);
    }
    scaled(n, q, b, q);
    memset(z, 0, SIZE * sizeof *z);
    assert_int_equal(carom_solver_create(ops, &(carom_problem_shape){.size = n}, NULL, &solver, NULL),
                     CAROM_OK);
    const carom_solve_report report = carom_solver_lcp(solver, &(carom_lcp){n, part, q}, z);
    assert_int_equal(report.status, CAROM_OK);
    carom_solver_free(solver);
    return report.iterations;
}

static void lcp_solutions_have_no_unit(void **state)
{
    (void)state;
    for (size_t s = 0; s < carom_solver_count(CAROM_PROBLEM_LCP); s++)
        compare_scales(carom_solver_at(CAROM_PROBLEM_LCP, s), true, solve_lcp);
}

/* Bounds on every unknown are displacements, f = A x is a force: r grows as f does, x as f / A. */
static int solve_qp(const carom_solver_ops *ops, int a, int b, double *r)
{
    static const int start[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
                     column[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    double W[SIZE * SIZE], f[SIZE], entry[SIZE], lower[SIZE], upper[SIZE], x[SIZE] = {0};
    carom_arena *arena = carom_arena_create();
    carom_band A;
    carom_solver *solver = NULL;
    fill(W, f);
    assert_true(arena && carom_band_take(arena, SIZE, SIZE - 1, &A));
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j <= i; j++)
            *carom_band_at(&A, i, j) = ldexp(W[i * SIZE + j] + (i == j ? 0.1 : 0.0), a);
        entry[i] = 1.0;
        lower[i] = ldexp(-0.3, b - a);
        upper[i] = ldexp(0.2 + 0.1 * i, b - a);
    }
    scaled(SIZE, f, b, f);
    memset(r, 0, SIZE * sizeof *r);
    const carom_qp problem = {.size = SIZE,
                              .matrix = &A,
                              .rows = SIZE,
                              .row_start = start,
                              .column = column,
                              .entry = entry,
                              .lower = lower,
                              .upper = upper,
                              .vector = f};
    assert_int_equal(carom_solver_create(ops, &(carom_problem_shape){.qp = &problem}, NULL, &solver, NULL),
                     CAROM_OK);
    const carom_solve_report report = carom_solver_qp(solver, &problem, x, r);
    assert_int_equal(report.status, CAROM_OK);
    assert_true(report.active > 0 && report.active < SIZE);
    scaled(SIZE, r, -a, r);
    carom_solver_free(solver);
    carom_arena_free(arena);
    return report.iterations;
}

static void qp_solutions_have_no_unit(void **state)
{
    (void)state;
    for (size_t s = 0; s < carom_solver_count(CAROM_PROBLEM_QP); s++)
        compare_scales(carom_solver_at(CAROM_PROBLEM_QP, s), true, solve_qp);
}

static int solve_coulomb(const carom_solver_ops *ops, int a, int b, double *r)
{
    carom_arena *arena = carom_arena_create();
    double block[SIZE * SIZE], q[SIZE];
    assert_non_null(arena);
    carom_coulomb problem = formula_problem(arena, RANK, CONTACTS, 0.2, false);
    carom_solve_report report;
    scaled(SIZE * SIZE, problem.W.block, a, block);
    scaled(SIZE, problem.q, b, q);
    problem.W.block = block;
    problem.q = q;
    memset(r, 0, SIZE * sizeof *r);
    assert_int_equal(
        carom_coulomb_solve(ops, &problem, &(carom_solver_options){.max_iterations = 300}, r, &report, NULL),
        CAROM_OK);
    carom_arena_free(arena);
    return report.iterations;
}

/* carom_coulomb_error, as published, adds impulses and velocities: it has the unit of W. A solver that stops by it stops earlier
 * or later with another W, so q alone is scaled. */
static void coulomb_solutions_do_not_depend_on_the_unit_of_q(void **state)
{
    (void)state;
    for (size_t s = 0; s < carom_solver_count(CAROM_PROBLEM_COULOMB); s++)
        compare_scales(carom_solver_at(CAROM_PROBLEM_COULOMB, s), false, solve_coulomb);
}

static int solve_step(const carom_solver_ops *ops, int a, int b, double *impulse)
{
    double W[SIZE * SIZE], q[SIZE];
    int tangents[CONTACTS];
    double target[CONTACTS] = {0};
    carom_planar_set set[CONTACTS];
    unsigned char regime[CONTACTS];
    carom_solver *solver = NULL;
    carom_error error;
    fill(W, q);
    scaled(SIZE * SIZE, W, a, W);
    scaled(SIZE, q, b, q);
    for (int i = 0; i < CONTACTS; i++) {
        tangents[i] = 2;
        set[i] = (carom_planar_set){.kind = CAROM_PLANAR_DISK, .a = 0.2 + 0.1 * i};
    }
    const carom_friction_problem problem = {CONTACTS, tangents, target, set, W, q};
    memset(impulse, 0, SIZE * sizeof *impulse);
    assert_int_equal(carom_solver_create(ops,
                                         &(carom_problem_shape){.kind = CAROM_PROBLEM_STEP, .size = CONTACTS},
                                         &(carom_solver_options){.max_iterations = 300}, &solver, NULL),
                     CAROM_OK);
    const carom_solve_report report = carom_solver_step(solver, &problem, impulse, regime, &error);
    carom_solver_free(solver);
    return report.iterations;
}

/* The error of a step is relative, in velocities. */
static void steps_have_no_unit(void **state)
{
    (void)state;
    for (size_t s = 0; s < carom_solver_count(CAROM_PROBLEM_STEP); s++)
        compare_scales(carom_solver_at(CAROM_PROBLEM_STEP, s), true, solve_step);
    for (size_t s = 0; s < carom_solver_count(CAROM_PROBLEM_COULOMB); s++)
        compare_scales(carom_solver_at(CAROM_PROBLEM_COULOMB, s), true, solve_step);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lcp_solutions_have_no_unit),
        cmocka_unit_test(qp_solutions_have_no_unit),
        cmocka_unit_test(coulomb_solutions_do_not_depend_on_the_unit_of_q),
        cmocka_unit_test(steps_have_no_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
