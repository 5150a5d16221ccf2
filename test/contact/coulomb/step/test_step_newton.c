/* A few contacts at once by Newton's method: the same impulses as sweeps, in a few steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/coulomb/step/step_newton.h"
#include "contact/coulomb/step/step_problem.h"
#include "sample_friction_problem.h"

/* Random problems with intervals and disks; couplings are small enough for one solution. */
static void draw(sample_problem *sample, carom_random *random, int count, int tangents)
{
    do
        random_problem(sample, random, count, tangents);
    while (!step_newton_takes(&sample->problem));
}

static double solve_by_sweeps(const sample_problem *sample, double *impulse, unsigned char *regime)
{
    carom_solve_report report;
    friction_gauss_seidel(&sample->problem, 1e-11, 100000, impulse, regime, &report, NULL);
    return report.error;
}

/* From zero it may go to and fro, as Newton's method does; where it ends, it ends at the solution. */
static void agrees_with_sweeps(void **unused)
{
    (void)unused;
    carom_random random = {11};
    step_newton *newton = step_newton_create(SAMPLE_CONTACTS);
    int solved = 0, trials = 600;
    for (int trial = 0; trial < trials; trial++) {
        sample_problem sample;
        draw(&sample, &random, 1 + trial % SAMPLE_CONTACTS, trial % 4 - 1);
        double swept[SAMPLE_ROWS] = {0}, impulse[SAMPLE_ROWS] = {0};
        unsigned char regime[SAMPLE_CONTACTS];
        assert_true(solve_by_sweeps(&sample, swept, regime) <= 1e-11);
        int steps = 0;
        const double error = step_newton_solve(newton, &sample.problem, 1e-13, 12, impulse, &steps);
        assert_true(error == carom_friction_problem_error(&sample.problem, impulse));
        assert_true(steps <= 12);
        if (error > 1e-13)
            continue;
        solved++;
        for (int k = 0; k < sample.problem.count; k++)
            for (int i = 0; i <= sample.problem.tangents[k]; i++)
                assert_true(fabs(impulse[3 * k + i] - swept[3 * k + i]) <= 1e-10);
    }
    assert_true(solved >= trials * 98 / 100);
    step_newton_free(newton);
}

/* Near a solution the steps are those of Newton's method: the error is squared, of which a wrong derivative of the
 * sliding direction would leave a factor. */
static void converges_like_newton(void **unused)
{
    (void)unused;
    carom_random random = {5};
    step_newton *newton = step_newton_create(SAMPLE_CONTACTS);
    for (int trial = 0; trial < 200; trial++) {
        sample_problem sample;
        draw(&sample, &random, 2 + trial % 5, 2);
        double impulse[SAMPLE_ROWS] = {0};
        unsigned char regime[SAMPLE_CONTACTS];
        assert_true(solve_by_sweeps(&sample, impulse, regime) <= 1e-11);
        for (int i = 0; i < 3 * sample.problem.count; i++)
            impulse[i] *= 1.0 + carom_random_uniform(&random, -1e-4, 1e-4);
        int steps = 0;
        assert_true(step_newton_solve(newton, &sample.problem, 1e-12, 3, impulse, &steps) <= 1e-12);
    }
    step_newton_free(newton);
}

/* Every combination is tried: one of them is the solution, whatever the start. */
static void two_contacts_are_tried_out(void **unused)
{
    (void)unused;
    carom_random random = {7};
    step_newton *newton = step_newton_create(2);
    for (int trial = 0; trial < 500; trial++) {
        sample_problem sample;
        random_problem(&sample, &random, 2, trial % 2);
        double swept[SAMPLE_ROWS] = {0}, impulse[SAMPLE_ROWS] = {3.0, -1.0, 0.0, 2.0, 9.0, 0.0};
        unsigned char regime[SAMPLE_CONTACTS];
        assert_true(solve_by_sweeps(&sample, swept, regime) <= 1e-11);
        assert_true(step_newton_enumerate(newton, &sample.problem, 1e-12, impulse));
        for (int k = 0; k < 2; k++)
            for (int i = 0; i <= sample.problem.tangents[k]; i++)
                assert_true(fabs(impulse[3 * k + i] - swept[3 * k + i]) <= 1e-10);
    }
    step_newton_free(newton);
}

/* A block of mass 1, a wide and b high, on two corners, falls by g h and is pushed by f h at half its height: the corners
 * carry g/2 -+ f b/(2 a) together with f, as long as f <= mu g. */
static void a_block_on_two_corners(void **unused)
{
    (void)unused;
    const double a = 2.0, b = 1.0, g = 10.0, f = 3.0, mu = 0.5, inertia = (a * a + b * b) / 12.0;
    sample_problem sample;
    memset(&sample, 0, sizeof sample);
    for (int k = 0; k < 2; k++) { /* coordinates scaled to unit mass: x, y, angle sqrt(J) */
        const double arm = k ? a / 2 : -a / 2;
        sample.rows[3 * k][1] = 1.0;
        sample.rows[3 * k][2] = arm / sqrt(inertia);
        sample.rows[3 * k + 1][0] = 1.0;
        sample.rows[3 * k + 1][2] = b / 2 / sqrt(inertia);
        sample.tangents[k] = 1;
        sample.set[k] = (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = -mu, .b = mu};
        sample.u_free[3 * k] = -g;
        sample.u_free[3 * k + 1] = f;
    }
    finish_sample(&sample, 2);
    step_newton *newton = step_newton_create(2);
    double impulse[SAMPLE_ROWS] = {0};
    int steps = 0;
    assert_true(step_newton_solve(newton, &sample.problem, 1e-14, 12, impulse, &steps) <= 1e-14);
    /* four impulses, three equations: the corners share the friction as they like */
    assert_true(fabs(impulse[1] + impulse[4] + f) <= 1e-12);
    assert_true(fabs(impulse[0] - (g / 2 - f * b / (2 * a))) <= 1e-12);
    assert_true(fabs(impulse[3] - (g / 2 + f * b / (2 * a))) <= 1e-12);
    step_newton_free(newton);
}

static void other_sets_are_not_taken(void **unused)
{
    (void)unused;
    sample_problem sample;
    carom_random random = {1};
    random_problem(&sample, &random, 2, 2);
    sample.set[0] = sample.set[1] = (carom_planar_set){.kind = CAROM_PLANAR_DISK, .a = 0.3};
    assert_true(step_newton_takes(&sample.problem));
    sample.set[1] = (carom_planar_set){.kind = CAROM_PLANAR_ELLIPSE, .a = 0.3, .b = 0.2};
    assert_false(step_newton_takes(&sample.problem));
    sample.tangents[1] = 0; /* its set is not read */
    assert_true(step_newton_takes(&sample.problem));
}

/* Two contacts that push each other ever harder have no solution; the impulses stay the best that were seen. */
static void what_is_no_better_is_not_taken(void **unused)
{
    (void)unused;
    sample_problem sample;
    memset(&sample, 0, sizeof sample);
    sample.u_free[0] = sample.u_free[3] = -1.0;
    finish_sample(&sample, 2);
    const double W[36] = {[0] = 1.0, [3] = -1.0, [18] = -1.0, [21] = 1.0};
    memcpy(sample.W, W, sizeof W);
    step_newton *newton = step_newton_create(2);
    double impulse[SAMPLE_ROWS] = {0};
    int steps = 0;
    const double before = carom_friction_problem_error(&sample.problem, impulse);
    const double error = step_newton_solve(newton, &sample.problem, 1e-12, 12, impulse, &steps);
    assert_true(error <= before && error > 1e-3);
    assert_true(error == carom_friction_problem_error(&sample.problem, impulse));
    assert_false(step_newton_enumerate(newton, &sample.problem, 1e-12, impulse));
    assert_true(error == carom_friction_problem_error(&sample.problem, impulse));
    step_newton_free(newton);
    step_newton_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_sweeps),         cmocka_unit_test(converges_like_newton),
        cmocka_unit_test(two_contacts_are_tried_out), cmocka_unit_test(a_block_on_two_corners),
        cmocka_unit_test(other_sets_are_not_taken),   cmocka_unit_test(what_is_no_better_is_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
