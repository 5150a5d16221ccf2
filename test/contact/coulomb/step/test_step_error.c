#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_friction_problem.h"
#include "test/near.h"

/* Two contacts in the plane that share nothing: closed by p = (2, -0.5), open. The largest velocity is 4. */
static void start_pair(sample_problem *sample)
{
    memset(sample, 0, sizeof *sample);
    for (int i = 0; i < 6; i++)
        sample->rows[i][i] = 1.0;
    for (int k = 0; k < 2; k++) {
        sample->tangents[k] = 1;
        sample->set[k] = (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = -0.25, .b = 0.25};
    }
    const double u_free[6] = {-2.0, 4.0, NAN, 1.0, 3.0, NAN}; /* places that are not read */
    memcpy(sample->u_free, u_free, sizeof u_free);
    finish_sample(sample, 2);
}

static double error_of(const sample_problem *sample, double n1, double t1, double n2, double t2)
{
    const double impulse[6] = {n1, t1, NAN, n2, t2, NAN};
    return carom_friction_problem_error(&sample->problem, impulse);
}

static void zero_at_the_solution_only(void **state)
{
    (void)state;
    sample_problem pair;
    start_pair(&pair);
    assert_near(error_of(&pair, 2.0, -0.5, 0.0, 0.0), 0.0, 0.0);
    /* each law broken alone, by a known velocity */
    assert_near(error_of(&pair, 1.5, -0.375, 0.0, 0.0), 0.5 / 4.0, 1e-16);  /* approaches with 0.5 */
    assert_near(error_of(&pair, 2.5, -0.625, 0.0, 0.0), 0.5 / 4.0, 1e-16);  /* an impulse, yet it leaves */
    assert_near(error_of(&pair, 2.0, -0.25, 0.0, 0.0), 0.25 / 4.0, 1e-16);  /* slips with too little */
    assert_near(error_of(&pair, 2.0, -0.75, 0.0, 0.0), 0.25 / 4.0, 1e-16);  /* friction out of the cone */
    assert_near(error_of(&pair, 2.0, -0.5, -0.3, 0.0), 0.3 / 4.0, 1e-16);   /* an open contact that pulls */
    assert_near(error_of(&pair, 2.0, -0.5, 0.3, -0.075), 0.3 / 4.0, 1e-16); /* and one that presses */
    assert_near(error_of(&pair, 2.0, -0.5, 0.0, 0.2), 0.2 / 4.0, 1e-16);    /* friction without pressure */
}

/* The second contact carries what the first one does to it. */
static void coupling_counts(void **state)
{
    (void)state;
    sample_problem pair;
    start_pair(&pair);
    pair.rows[3][0] = -1.0; /* u_N2 = 1 + 2 p_N2 - p_N1 */
    finish_sample(&pair, 2);
    assert_near(error_of(&pair, 2.0, -0.5, 0.0, 0.0), 1.0 / 4.0, 1e-16);
    const double p2 = 0.0; /* target below what the first leaves */
    pair.target[1] = -1.0;
    assert_near(error_of(&pair, 2.0, -0.5, p2, 0.0), 0.0, 0.0);
}

static void frictionless_contact_needs_no_set(void **state)
{
    (void)state;
    sample_problem pair;
    start_pair(&pair);
    pair.tangents[0] = 0;
    pair.set[0] = (carom_planar_set){.kind = CAROM_PLANAR_DISK, .a = NAN};
    pair.u_free[1] = NAN;
    assert_near(error_of(&pair, 2.0, NAN, 0.0, 0.0), 0.0, 0.0);
    assert_near(error_of(&pair, 1.0, NAN, 0.0, 0.0), 1.0 / 3.0, 1e-16);
}

static void not_finite_is_infinite(void **state)
{
    (void)state;
    sample_problem pair;
    start_pair(&pair);
    assert_true(isinf(error_of(&pair, NAN, -0.5, 0.0, 0.0)));
    assert_true(isinf(error_of(&pair, INFINITY, -0.5, 0.0, 0.0)));
    assert_true(isinf(error_of(&pair, 2.0, NAN, 0.0, 0.0)));
    pair.u_free[4] = NAN; /* slip of an open contact: no law is broken, and yet */
    assert_true(isinf(error_of(&pair, 2.0, -0.5, 0.0, 0.0)));
    start_pair(&pair);
    pair.W[0] = NAN;
    assert_true(isinf(error_of(&pair, 2.0, -0.5, 0.0, 0.0)));
}

static void without_velocities(void **state)
{
    (void)state;
    sample_problem pair;
    start_pair(&pair);
    for (int i = 0; i < 6; i++)
        pair.u_free[i] = 0.0;
    assert_near(error_of(&pair, 0.0, 0.0, 0.0, 0.0), 0.0, 0.0);
    assert_true(isinf(error_of(&pair, 1e-9, 0.0, 0.0, 0.0)));
    pair.problem.count = 0;
    assert_near(carom_friction_problem_error(&pair.problem, NULL), 0.0, 0.0);
}

/* Velocities in other units: the same error. */
static void independent_of_units(void **state)
{
    (void)state;
    carom_random random = {3};
    for (int trial = 0; trial < 50; trial++) {
        sample_problem sample;
        random_problem(&sample, &random, 4, -1);
        double impulse[SAMPLE_ROWS];
        for (int i = 0; i < 12; i++)
            impulse[i] = carom_random_uniform(&random, -1.0, 1.0);
        double error = carom_friction_problem_error(&sample.problem, impulse);
        const double velocity = 7e5, mass = 3e-4;
        for (int i = 0; i < 12; i++) {
            sample.u_free[i] *= velocity;
            impulse[i] *= velocity * mass;
        }
        for (int k = 0; k < 4; k++)
            sample.target[k] *= velocity;
        for (int i = 0; i < 12 * 12; i++)
            sample.W[i] /= mass;
        assert_true(error > 1e-3);
        assert_near(carom_friction_problem_error(&sample.problem, impulse), error, 1e-13 * error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_at_the_solution_only),
        cmocka_unit_test(coupling_counts),
        cmocka_unit_test(frictionless_contact_needs_no_set),
        cmocka_unit_test(not_finite_is_infinite),
        cmocka_unit_test(without_velocities),
        cmocka_unit_test(independent_of_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
