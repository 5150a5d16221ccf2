/* The parts of the law, and what a solver may call a solution. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/contact.h"

static const int one_start[] = {0, 1}, one_column[] = {0}, one_diagonal[] = {0};

static carom_coulomb one_contact(const double W[9], const double q[3], const double *mu)
{
    return (carom_coulomb){1, {1, one_start, one_column, one_diagonal, W}, q, mu};
}

static void all_parts_vanish_at_solutions(void **state)
{
    (void)state;
    const double W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, mu = 0.3;
    const double q[3][3] = {{-2, .3, -.4}, {-2, 3, -4}, {.1, 3, -4}};
    const double r[3][3] = {{4, -.6, .8}, {4, -.72, .96}, {0}};
    for (int k = 0; k < 3; k++) {
        const carom_coulomb problem = one_contact(W, q[k], &mu);
        const carom_coulomb_residual found = carom_coulomb_residuals(&problem, r[k]);
        assert_true(found.velocity < 1e-15 && found.reaction < 1e-15 && found.complementarity < 1e-15);
        assert_true(found.rounding > 1e-17 && found.rounding < 1e-15);
    }
}

/* One part is wrong at a time. */
static void each_part_is_seen(void **state)
{
    (void)state;
    const double W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, mu = 0.3, q[3] = {-2, 3, -4};
    const carom_coulomb problem = one_contact(W, q, &mu);
    assert_true(carom_coulomb_residuals(&problem, (const double[]){3, -.54, .72}).velocity > 0.05);
    assert_true(carom_coulomb_residuals(&problem, (const double[]){4, -.9, 1.2}).reaction > 0.05);
    assert_true(carom_coulomb_residuals(&problem, (const double[]){5, -.9, 1.2}).complementarity > 0.05);
    const carom_coulomb_residual none = carom_coulomb_residuals(&problem, (const double[]){NAN, 0, 0});
    assert_true(none.velocity == INFINITY && none.rounding == INFINITY);
}

/* Without a reaction the natural map is u_N / (1 + mu^2)^(1/2): as published up to 100, above it the approach itself. */
static void large_coefficients_do_not_hide_an_approach(void **state)
{
    (void)state;
    const double W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, q[3] = {-2, 3, -4}, none[3] = {0},
                 size = sqrt(29.0);
    static const double moderate[] = {0.3, 1, 30, 100}, huge[] = {101, 1e3, 1e6, 1e9, 1e12};
    for (size_t k = 0; k < sizeof moderate / sizeof *moderate; k++) {
        const carom_coulomb problem = one_contact(W, q, &moderate[k]);
        const double expected = 2.0 / sqrt(1.0 + moderate[k] * moderate[k]) / size;
        assert_true(fabs(carom_coulomb_error(&problem, none) - expected) <= 1e-12 * expected);
    }
    for (size_t k = 0; k < sizeof huge / sizeof *huge; k++) {
        const carom_coulomb problem = one_contact(W, q, &huge[k]);
        const double stick[3] = {4, -6, 8}, pulls[3] = {-1e-3, 0, 0}, late[3] = {4.004, -6, 8},
                     slips[3] = {4, 0, 0};
        assert_true(fabs(carom_coulomb_error(&problem, none) - 2.0 / size) <= 1e-15);
        assert_true(carom_coulomb_residuals(&problem, none).velocity >= 2.0 / size - 1e-15);
        assert_true(carom_coulomb_error(&problem, stick) == 0.0);
        assert_true(carom_coulomb_error(&problem, pulls) >= 1e-3 / size);
        assert_true(fabs(carom_coulomb_error(&problem, late) - 0.002 / size) <=
                    1e-12);                                                            /* u_N = 0.002 < r_N */
        assert_true(fabs(carom_coulomb_error(&problem, slips) - 5.0 / size) <= 1e-12); /* and it may hold */
    }
}

/* A contact that sticks, but for rounding, is solved: the natural map makes mu times its slip. */
static void large_coefficients_do_not_magnify_rounding(void **state)
{
    (void)state;
    const double W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, q[3] = {-2, 3, -4}, mu = 1e9;
    const carom_coulomb problem = one_contact(W, q, &mu);
    assert_true(carom_coulomb_error(&problem, (const double[]){4, -6 + 1e-14, 8}) <= 1e-14);
    for (int k = 0; k < 3; k++) {
        double found[3] = {4, -6, 8};
        found[k] += 1e-3;
        const double error = carom_coulomb_error(&problem, found);
        assert_true(error >= 0.4e-3 / sqrt(29.0) && error <= 1e-3);
    }
}

/* r - P(r - u) is zero in rounded numbers when u is lost beside r. */
static void large_reactions_do_not_hide_velocities(void **state)
{
    (void)state;
    const double W[9] = {0}, mu = 0.3, q[3] = {-1, 0, 0};
    const carom_coulomb problem = one_contact(W, q, &mu);
    for (double size = 1.0; size < 1e300; size *= 1e10) {
        const double stick[3] = {size, 0, 0}, edge[3] = {size, 0.3 * size, 0};
        assert_true(carom_coulomb_error(&problem, stick) == 1.0);
        assert_true(carom_coulomb_error(&problem, edge) > 0.5);
        assert_true(carom_coulomb_residuals(&problem, stick).velocity == 1.0);
    }
}

/* Two contacts push against each other with 1e12 times what moves them: u is rounding. */
static void what_rounding_hides_is_not_ok(void **state)
{
    (void)state;
    const int start[] = {0, 2, 4}, column[] = {0, 1, 0, 1}, diagonal[] = {0, 3};
    double block[36] = {0};
    for (int k = 0; k < 4; k++) {
        const double normal = k == 0 || k == 3 ? 1.0 : -1.0;
        block[9 * k] = normal;
        block[9 * k + 4] = block[9 * k + 8] = k == 0 || k == 3;
    }
    const double q[6] = {-1, 0, 0, 1, 0, 0}, mu[2] = {0.3, 0.3};
    const carom_coulomb problem = {2, {2, start, column, diagonal, block}, q, mu};
    double large[6] = {1e13 + 1, 0, 0, 1e13, 0, 0}, small[6] = {2, 0, 0, 1, 0, 0};
    assert_true(carom_coulomb_error(&problem, large) <= 1e-8);
    for (int k = 0; k < 2; k++) {
        double *r = k ? large : small;
        carom_solve_report report;
        const carom_solver_options limits = {.tolerance = 1e-8};
        assert_int_equal(carom_coulomb_solve(carom_solver_find(CAROM_PROBLEM_COULOMB, "nsgs", NULL), &problem,
                                             &limits, r, &report, NULL),
                         CAROM_OK);
        assert_int_equal(report.word, k ? CAROM_SOLVE_ROUNDING : CAROM_SOLVE_OK);
        assert_int_equal(report.status, k ? CAROM_FAILED : CAROM_OK);
    }
}

/* Another unit of r: the natural map of a start that is twice the reaction is small, and the reaction found is
 * good to the tolerance all the same. */
static void small_reactions_are_solved_too(void **state)
{
    (void)state;
    const double w = 1e7, W[9] = {w, 0, 0, 0, w, 0, 0, 0, w}, mu = 0.3, q[3] = {-1, 0, 0};
    const carom_coulomb problem = one_contact(W, q, &mu);
    const carom_solver_options limits = {.tolerance = 1e-6};
    static const char *const name[] = {"auto", "nsgs", "ADMM", "PPA-NSN-AC-GP"};
    for (int k = 0; k < 4; k++) {
        double r[3] = {2 / w, 0, 0};
        carom_solve_report report;
        assert_true(carom_coulomb_error(&problem, r) < limits.tolerance);
        assert_int_equal(carom_coulomb_solve(carom_solver_find(CAROM_PROBLEM_COULOMB, name[k], NULL),
                                             &problem, &limits, r, &report, NULL),
                         CAROM_OK);
        if (report.word == CAROM_SOLVE_OK)
            assert_true(fabs(r[0] * w - 1) < 1e-3);
        assert_true(report.word == CAROM_SOLVE_OK || k > 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_parts_vanish_at_solutions),
        cmocka_unit_test(each_part_is_seen),
        cmocka_unit_test(large_coefficients_do_not_hide_an_approach),
        cmocka_unit_test(large_coefficients_do_not_magnify_rounding),
        cmocka_unit_test(large_reactions_do_not_hide_velocities),
        cmocka_unit_test(what_rounding_hides_is_not_ok),
        cmocka_unit_test(small_reactions_are_solved_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
