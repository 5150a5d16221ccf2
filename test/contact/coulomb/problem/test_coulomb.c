/* Cone and error measure of FC(W, q, mu), with the one-contact cases of the source that have closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/contact.h"

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* The nearest of many points of the cone is never nearer than the projection. */
static void projection_is_the_nearest_point(void **state)
{
    (void)state;
    carom_random random = {3};
    for (int trial = 0; trial < 300; trial++) {
        const double mu = trial % 7 == 0 ? 0.0 : carom_random_uniform(&random, 0, 2);
        double z[3], p[3];
        for (int k = 0; k < 3; k++)
            z[k] = carom_random_uniform(&random, -1, 1);
        carom_cone_project(mu, z, p);
        assert_true(hypot(p[1], p[2]) <= mu * p[0] * (1 + 1e-14) + 1e-300);
        for (int k = 0; k < 300; k++) {
            const double n = carom_random_uniform(&random, 0, 2), angle = carom_random_uniform(&random, 0, 7),
                         t = mu * n * sqrt(carom_random_uniform(&random, 0, 1));
            const double other[3] = {n, t * cos(angle), t * sin(angle)};
            assert_true(distance(z, p) <= distance(z, other) + 1e-14);
        }
        double again[3];
        carom_cone_project(mu, p, again);
        assert_true(distance(p, again) < 1e-15);
    }
}

static const int one_start[] = {0, 1}, one_column[] = {0}, one_diagonal[] = {0};

static double one_contact_error(const double W[9], const double q[3], double mu, const double r[3])
{
    const carom_coulomb problem = {1, {1, one_start, one_column, one_diagonal, W}, q, &mu};
    return carom_coulomb_error(&problem, r);
}

static void error_vanishes_at_solutions_only(void **state)
{
    (void)state;
    const double half[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5};
    const double stick[3] = {-2, .3, -.4}, slide[3] = {-2, 3, -4}, open[3] = {.1, 3, -4}, zero[3] = {0};
    assert_true(one_contact_error(half, stick, .3, (const double[]){4, -.6, .8}) < 1e-15);
    assert_true(one_contact_error(half, slide, .3, (const double[]){4, -.72, .96}) < 1e-15);
    assert_true(one_contact_error(half, open, .3, zero) == 0.0);
    assert_true(one_contact_error(half, stick, .3, (const double[]){4, -.6, .81}) > 1e-3);
    assert_true(one_contact_error(half, slide, .3, (const double[]){4, .72, -.96}) > 0.1);
    assert_true(one_contact_error(half, open, .3, (const double[]){.1, 0, 0}) > 1e-3);
    assert_true(one_contact_error(half, zero, .3, zero) == 0.0);
    assert_true(one_contact_error(half, slide, .3, (const double[]){NAN, 0, 0}) == INFINITY);
    const double endless[3] = {INFINITY, 0, 0};
    assert_true(one_contact_error(half, endless, .3, zero) == INFINITY);
}

/* Three solutions of a rod at 30 degrees: open, stick and slide. */
static void a_problem_may_have_three_solutions(void **state)
{
    (void)state;
    const double W[9] = {3.25, -1.29903810568, 0, -1.29903810568, 1.75, 0, 0, 0, 1}, q[3] = {.1, -1, 0};
    const double r[3][3] = {{0}, {0.281009526419, 0.780024047358, 0}, {0.258193315685, 0.722941283918, 0}};
    for (int k = 0; k < 3; k++)
        assert_true(one_contact_error(W, q, 2.8, r[k]) < 1e-10);
}

/* K is the half-line r_N >= 0 then: also where there are no tangential parts at all. */
static void without_friction_normals_do_not_pull(void **state)
{
    (void)state;
    static const int row_start[2] = {0, 1}, zero[1] = {0};
    static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mu[1] = {0}, leaving[3] = {1, 0, 0};
    double p[3];
    carom_cone_project(0.0, (const double[]){-0.5, 0, 0}, p);
    assert_true(p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0);
    carom_cone_project(0.0, (const double[]){0.5, 0, 0}, p);
    assert_true(p[0] == 0.5 && p[1] == 0.0 && p[2] == 0.0);
    const carom_coulomb problem = {1, {1, row_start, zero, zero, W}, leaving, mu};
    assert_true(carom_coulomb_error(&problem, (const double[]){0, 0, 0}) == 0.0);
    assert_true(carom_coulomb_error(&problem, (const double[]){-1, 0, 0}) == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_friction_normals_do_not_pull),
        cmocka_unit_test(projection_is_the_nearest_point),
        cmocka_unit_test(error_vanishes_at_solutions_only),
        cmocka_unit_test(a_problem_may_have_three_solutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
