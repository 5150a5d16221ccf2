/* The extragradient method as a first part: published errors after 100 steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "contact/coulomb/extragradient.h"
#include "test/contact/coulomb/formula_problems.h"

enum {
    SIZE = 30
};

typedef struct run {
    carom_solve_report report;
    bool over;
    double error;
} run;

static run advance(const carom_coulomb *problem, int steps, double tolerance, double *r)
{
    const carom_solver_options limits = {.tolerance = tolerance};
    double best[SIZE], work[COULOMB_EXTRAGRADIENT_WORK * SIZE / 3];
    coulomb_watch watch;
    run result;
    assert_false(coulomb_watch_begin(&watch, problem, &limits, 1, best, r, &result.report));
    result.over = coulomb_extragradient(&watch, steps, work, r);
    result.error = carom_coulomb_error(problem, r);
    return result;
}

/* Steps depend on every rounding of the rule for their length: 10 % where the error falls slowly. */
static void errors_after_100_steps(void **state)
{
    (void)state;
    static const struct {
        carom_coulomb (*make)(carom_arena *arena);
        double error;
    } sample[] = {{formula_syn36, 0.278081}, {formula_def15, 1.13e-8}, {formula_def12, 5.6e-3}};
    for (size_t k = 0; k < sizeof sample / sizeof sample[0]; k++) {
        carom_arena *arena = carom_arena_create();
        const carom_coulomb problem = sample[k].make(arena);
        double r[SIZE] = {0};
        const run result = advance(&problem, 100, 1e-12, r);
        assert_false(result.over);
        assert_int_equal(result.report.inner_iterations, 100);
        assert_true(fabs(result.error / sample[k].error - 1) < .1);
        for (int a = 0; a < problem.contacts; a++)
            assert_true(hypot(r[3 * a + 1], r[3 * a + 2]) <= problem.mu[a] * r[3 * a] * (1 + 1e-14));
        carom_arena_free(arena);
    }
}

static void ends_at_a_solution(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def15(arena);
    double r[SIZE] = {0};
    const run result = advance(&problem, 1000, 1e-6, r);
    assert_true(result.over && result.report.word == CAROM_SOLVE_OK && result.error <= 1e-6);
    assert_in_range(result.report.inner_iterations, 64, 78); /* 71 published */
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_after_100_steps),
        cmocka_unit_test(ends_at_a_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
