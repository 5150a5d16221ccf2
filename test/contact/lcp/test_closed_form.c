#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "sample_lcp.h"

/* Projects v on {v : g_a.v <= 0} by the multipliers; row i of the problem is -g_i. */
static void project_on_cone(const double *g, int rows, int dimension, double *v)
{
    sample_lcp sample = {.size = rows, .dimension = dimension};
    for (int i = 0; i < rows * dimension; i++)
        sample.gradient[i] = -g[i];
    assemble(&sample, v);
    const carom_lcp problem = problem_of(&sample);
    double z[2] = {0};
    assert_int_equal(solve_in(&carom_lcp_closed_form, &problem, 1e-15, NULL, z).status, CAROM_OK);
    for (int i = 0; i < rows; i++)
        carom_axpy(dimension, z[i], sample.gradient + i * dimension, v);
}

/* Moreau 1986 (10.5) on {v1 <= 0, .6 v1 + .8 v2 <= 0} in R^3: one velocity for each region. */
static void the_four_regions(void **state)
{
    (void)state;
    const double g[6] = {1, 0, 0, 0.6, 0.8, 0};
    const double before[5][3] = {{1, 1, 2}, {1, -3, 2}, {-3, 3, 1}, {2, -1, 0}, {-1, -1, 4}};
    const double after[5][3] = {{0, 0, 2}, {0, -3, 2}, {-3.36, 2.52, 1}, {0, -1, 0}, {-1, -1, 4}};
    for (int k = 0; k < 5; k++) {
        double v[3] = {before[k][0], before[k][1], before[k][2]};
        project_on_cone(g, 2, 3, v);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(v[i] - after[k][i]) <= 1e-15);
    }
}

/* Moreau 1986, section 8: the corner q2 >= 0, q1 cos th + q2 sin th <= 0, hit with velocity (w, 0). */
static void the_wedge(void **state)
{
    (void)state;
    const double w = 2.0, angles[3] = {-1.0, -0.3, 0.5};
    const double printed[3][2] = {{1.41614684, 0.90929743}, {0.17466439, 0.56464247}, {0, 0}};
    for (int k = 0; k < 3; k++) {
        const double th = angles[k], g[4] = {0, -1, cos(th), sin(th)};
        double v[2] = {w, 0};
        project_on_cone(g, 2, 2, v);
        const double exact[2] = {th < 0 ? w * sin(th) * sin(th) : 0, th < 0 ? -w * sin(th) * cos(th) : 0};
        for (int i = 0; i < 2; i++) {
            assert_true(fabs(v[i] - exact[i]) <= 5e-16);
            assert_true(fabs(v[i] - printed[k][i]) <= 5e-9);
        }
    }
}

static void random_problems_hold_and_do_not_depend_on_numbering(void **state)
{
    (void)state;
    carom_random random = {31};
    for (int trial = 0; trial < 5000; trial++) {
        sample_lcp a, b = {.size = 2};
        make_sample(&random, 2, 3, &a);
        b.matrix[0] = a.matrix[3];
        b.matrix[1] = b.matrix[2] = a.matrix[1];
        b.matrix[3] = a.matrix[0];
        b.vector[0] = a.vector[1];
        b.vector[1] = a.vector[0];
        const carom_lcp first = problem_of(&a), second = problem_of(&b);
        double z[2], swapped[2];
        assert_int_equal(solve_in(&carom_lcp_closed_form, &first, 1e-13, NULL, z).status, CAROM_OK);
        assert_int_equal(solve_in(&carom_lcp_closed_form, &second, 1e-13, NULL, swapped).status, CAROM_OK);
        assert_true(fabs(z[0] - swapped[1]) <= 1e-13 * (1.0 + z[0]));
        assert_true(fabs(z[1] - swapped[0]) <= 1e-13 * (1.0 + z[1]));
    }
}

static void parallel_rows(void **state)
{
    (void)state;
    /* The same row twice, opposite rows, the same row with different demands, three times the row. */
    const double g[4][4] = {{1, 2, 1, 2}, {1, 2, -1, -2}, {1, 2, 1, 2}, {1, 2, 3, 6}};
    const double demand[4] = {0, 0, -1, 0}, v[2] = {-1, -0.7};
    for (int k = 0; k < 4; k++) {
        sample_lcp sample = {.size = 2, .dimension = 2};
        for (int i = 0; i < 4; i++)
            sample.gradient[i] = g[k][i];
        assemble(&sample, v);
        sample.vector[1] += demand[k];
        const carom_lcp problem = problem_of(&sample);
        double z[2], w[2];
        assert_int_equal(solve_in(&carom_lcp_closed_form, &problem, 1e-15, NULL, z).status, CAROM_OK);
        slack_of(&sample, z, w);
        assert_true(w[0] >= -1e-15 && w[1] >= -3e-15);
        assert_true(z[0] + z[1] > 0.0);
    }
    /* Opposite rows that both approach: no impulse serves both. */
    const double matrix[4] = {1, -1, -1, 1}, vector[2] = {-1, -1};
    double z[2];
    assert_int_equal(solve_in(&carom_lcp_closed_form, &(carom_lcp){2, matrix, vector}, 1e-9, NULL, z).status,
                     CAROM_FAILED);
}

/* Multiples of one row, equal to rounding only: the determinant is noise and must not be divided by. */
static void parallel_to_rounding(void **state)
{
    (void)state;
    carom_random random = {32};
    for (int trial = 0; trial < 3000; trial++) {
        sample_lcp sample = {.size = 2, .dimension = 3};
        double v[3], z[2], terms = 0.0; /* of q, whose rounding is relative to them */
        const double factor = carom_random_uniform(&random, -3.0, 3.0);
        for (int i = 0; i < 3; i++) {
            sample.gradient[i] = carom_random_uniform(&random, -1.0, 1.0);
            sample.gradient[3 + i] = factor * sample.gradient[i];
            v[i] = carom_random_uniform(&random, -1.0, 1.0);
            terms += fabs(sample.gradient[i] * v[i]);
        }
        assemble(&sample, v);
        const carom_lcp problem = problem_of(&sample);
        const double tolerance = 1e-14 / fabs(factor) * terms / fabs(sample.vector[0]);
        assert_int_equal(solve_in(&carom_lcp_closed_form, &problem, tolerance, NULL, z).status, CAROM_OK);
        assert_true(z[0] == 0.0 || z[1] == 0.0);
    }
}

static void one_unknown(void **state)
{
    (void)state;
    const double matrix[1] = {4}, closing[1] = {-2}, leaving[1] = {2}, zero[1] = {0}, nan[1] = {NAN};
    double z[1];
    assert_int_equal(solve_in(&carom_lcp_closed_form, &(carom_lcp){1, matrix, closing}, 0.0, NULL, z).status,
                     CAROM_OK);
    assert_true(z[0] == 0.5);
    assert_int_equal(solve_in(&carom_lcp_closed_form, &(carom_lcp){1, matrix, leaving}, 0.0, NULL, z).status,
                     CAROM_OK);
    assert_true(z[0] == 0.0);
    assert_int_equal(solve_in(&carom_lcp_closed_form, &(carom_lcp){1, zero, closing}, 1e-9, NULL, z).status,
                     CAROM_FAILED);
    assert_int_equal(solve_in(&carom_lcp_closed_form, &(carom_lcp){1, nan, closing}, 1e-9, NULL, z).status,
                     CAROM_FAILED);
}

static void refuses_three_unknowns(void **state)
{
    (void)state;
    const double matrix[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, vector[3] = {-1, -1, -1};
    double z[3] = {0, 0, 0};
    carom_solve_report report =
        solve_in(&carom_lcp_closed_form, &(carom_lcp){3, matrix, vector}, 1e-9, NULL, z);
    assert_int_equal(report.status, CAROM_BAD_INPUT);
    assert_true(report.error == 1.0);
    assert_int_equal(carom_lcp_closed_form.max_size, 2);
    assert_int_equal(work_size_of(&carom_lcp_closed_form, 2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_four_regions),
        cmocka_unit_test(the_wedge),
        cmocka_unit_test(random_problems_hold_and_do_not_depend_on_numbering),
        cmocka_unit_test(parallel_rows),
        cmocka_unit_test(parallel_to_rounding),
        cmocka_unit_test(one_unknown),
        cmocka_unit_test(refuses_three_unknowns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
