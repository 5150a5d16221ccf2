/* Solvers of FC(W, q, mu) that serve steps: the same answers as sweeps, no memory, round cones only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_friction_problem.h"
#include "test/base/counted_memory.h"

/* Contacts without tangents, with one and with two, all cones round. */
static void round_problem(sample_problem *sample, carom_random *random, int count)
{
    random_problem(sample, random, count, -1);
    for (int k = 0; k < count; k++) {
        const double mu = carom_random_uniform(random, 0.0, 0.5);
        sample->tangents[k] = k % 3;
        sample->set[k] = k % 3 == 2 ? (carom_planar_set){.kind = CAROM_PLANAR_DISK, .a = mu}
                                    : (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = -mu, .b = mu};
    }
}

static carom_solver *new_solver(const carom_solver_ops *ops, int contacts)
{
    carom_solver *solver = NULL;
    carom_error error = {0};
    const carom_problem_shape shape = {.kind = CAROM_PROBLEM_STEP, .size = contacts};
    if (carom_solver_create(ops, &shape, NULL, &solver, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return solver;
}

typedef struct solution {
    carom_solve_report report;
    double impulse[SAMPLE_ROWS];
    unsigned char regime[SAMPLE_CONTACTS];
} solution;

static solution solve(carom_solver *solver, const carom_friction_problem *problem)
{
    solution found = {0};
    carom_error error = {0};
    const long before = asked;
    found.report = carom_solver_step(solver, problem, found.impulse, found.regime, &error);
    if (found.report.status == CAROM_OK)
        assert_int_equal(asked, before); /* no memory on the way of a step */
    else
        assert_true(strlen(error.text) > 0);
    assert_true(found.report.error == carom_friction_problem_error(problem, found.impulse));
    assert_true((found.report.status == CAROM_OK) == (found.report.error <= 1e-10));
    assert_int_equal(found.report.failed_contact, -1);
    return found;
}

/* Methods that are known to be slow, or that solve another problem (SOCLCP-NSGS-PLI), may not come to an end.
 */
static void every_solver_serves_steps(void **state)
{
    (void)state;
    enum {
        TRIALS = 6
    };
    int solved = 0, tried = 0;
    carom_solver *sweeps = new_solver(carom_solver_find(CAROM_PROBLEM_STEP, "nsgs", NULL), SAMPLE_CONTACTS);
    for (size_t s = 0; s < carom_solver_count(CAROM_PROBLEM_STEP); s++) {
        const carom_solver_ops *ops = carom_solver_at(CAROM_PROBLEM_STEP, s);
        carom_solver *solver = new_solver(ops, SAMPLE_CONTACTS);
        carom_random random = {3};
        for (int trial = 0; trial < TRIALS; trial++, tried++) {
            sample_problem sample;
            round_problem(&sample, &random, 1 + trial % SAMPLE_CONTACTS);
            const solution expected = solve(sweeps, &sample.problem), found = solve(solver, &sample.problem);
            assert_int_equal(expected.report.status, CAROM_OK);
            if (found.report.status != CAROM_OK)
                continue;
            solved++;
            for (int i = 0; i < 3 * sample.problem.count; i++)
                if (!(fabs(found.impulse[i] - expected.impulse[i]) < 1e-7))
                    fail_msg("%s, problem %d: impulse %d is %g, not %g", ops->name, trial, i,
                             found.impulse[i], expected.impulse[i]);
            assert_memory_equal(found.regime, expected.regime, (size_t)sample.problem.count);
        }
        carom_solver_free(solver);
    }
    carom_solver_free(sweeps);
    assert_true(tried - solved <= 10);        /* HP-VI is too slow, SOCLCP-NSGS-PLI solves another problem */
    assert_true(!COUNTS_MEMORY || asked > 0); /* they are counted */
}

/* A larger step than the shape, and a solver that was made for FC(W, q, mu), take memory once. */
static void solvers_grow_when_a_larger_step_comes(void **state)
{
    (void)state;
    const carom_solver_ops *newton = carom_solver_find(CAROM_PROBLEM_STEP, "NSN-AC-GP", NULL);
    carom_solver *large = new_solver(newton, SAMPLE_CONTACTS), *grown = NULL;
    const carom_solver_options options = {.tolerance = 1e-10};
    assert_int_equal(carom_solver_create(newton, NULL, &options, &grown, NULL), CAROM_OK);
    carom_random random = {5};
    for (int count = 1; count <= SAMPLE_CONTACTS; count++) {
        sample_problem sample;
        round_problem(&sample, &random, count);
        const solution expected = solve(large, &sample.problem);
        solution found = {0};
        found.report = carom_solver_step(grown, &sample.problem, found.impulse, found.regime, NULL);
        assert_int_equal(found.report.status, expected.report.status);
        assert_memory_equal(found.impulse, expected.impulse, sizeof found.impulse);
        const long before = asked;
        carom_solver_step(grown, &sample.problem, found.impulse, found.regime, NULL);
        assert_int_equal(asked, before);
    }
    carom_solver_free(large);
    carom_solver_free(grown);
}

static void other_cones_are_refused(void **state)
{
    (void)state;
    sample_problem sample;
    carom_random random = {7};
    round_problem(&sample, &random, 3);
    sample.set[2] = (carom_planar_set){.kind = CAROM_PLANAR_ELLIPSE, .a = 0.4, .b = 0.2};
    carom_solver *solver = new_solver(carom_solver_find(CAROM_PROBLEM_STEP, "ADMM", NULL), 3);
    double impulse[SAMPLE_ROWS] = {0};
    unsigned char regime[SAMPLE_CONTACTS];
    carom_error error = {0};
    const carom_solve_report report = carom_solver_step(solver, &sample.problem, impulse, regime, &error);
    assert_int_equal(report.status, CAROM_BAD_INPUT);
    assert_int_equal(report.word, CAROM_SOLVE_REFUSED);
    assert_non_null(strstr(error.text, "contact 2 "));
    assert_non_null(strstr(error.text, "'auto', 'nsgs'"));
    for (int i = 0; i < SAMPLE_ROWS; i++)
        assert_true(impulse[i] == 0.0);
    carom_solver_free(solver);
}

static void no_velocities_no_impulses(void **state)
{
    (void)state;
    sample_problem sample;
    carom_random random = {9};
    round_problem(&sample, &random, 3);
    memset(sample.u_free, 0, sizeof sample.u_free);
    memset(sample.target, 0, sizeof sample.target);
    carom_solver *solver = new_solver(carom_solver_find(CAROM_PROBLEM_STEP, "PPA-NSN-AC-GP", NULL), 3);
    solution found = {.impulse = {1, 1, 1, 1, 1, 1, 1, 1, 1}};
    found.report = carom_solver_step(solver, &sample.problem, found.impulse, found.regime, NULL);
    assert_int_equal(found.report.status, CAROM_OK);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(found.regime[k], CAROM_CONTACT_OPEN);
        for (int i = 0; i <= sample.tangents[k]; i++)
            assert_true(found.impulse[3 * k + i] == 0.0);
    }
    carom_solver_free(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_serves_steps),
        cmocka_unit_test(solvers_grow_when_a_larger_step_comes),
        cmocka_unit_test(other_cones_are_refused),
        cmocka_unit_test(no_velocities_no_impulses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
