/* Projection methods for FC(W, q, mu): iteration counts and values of the formula problems. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "test/contact/coulomb/coulomb_checks.h"

static const carom_solver_ops *const adaptive[] = {&coulomb_fp_vi_upk, &coulomb_fp_vi_upts,
                                                   &coulomb_eg_vi_upk, &coulomb_eg_vi_upts};
enum {
    ADAPTIVE = 4
};

static void is_within_a_tenth(long measured, long wanted)
{
    assert_true(10 * labs(measured - wanted) <= wanted);
}

/* Iterations and products to 1e-6, which depend on every rounding of the step rule: within a tenth. */
static void counts_are_those_of_the_reference(void **state)
{
    (void)state;
    static const struct {
        long iterations[3], products[3];
    } wanted[ADAPTIVE] = {{{1969, 42, 250}, {2763, 42, 267}},
                          {{1471, 26, 261}, {2462, 26, 332}},
                          {{5222, 71, 450}, {11029, 142, 930}},
                          {{5559, 68, 708}, {12117, 137, 1476}}};
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem[3] = {formula_syn36(arena), formula_def15(arena), formula_def12(arena)};
    for (int s = 0; s < ADAPTIVE; s++)
        for (int p = 0; p < 3; p++) {
            double r[MOST_NUMBERS];
            const carom_solve_report report = run(adaptive[s], &problem[p], 1e-6, 0, r);
            assert_int_equal(report.word, CAROM_SOLVE_OK);
            is_within_a_tenth(report.iterations, wanted[s].iterations[p]);
            is_within_a_tenth(report.inner_iterations, wanted[s].products[p]);
        }
    carom_arena_free(arena);
}

static void fixed_rho_is_enough_for_some(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb syn36 = formula_syn36(arena), def15 = formula_def15(arena),
                        def12 = formula_def12(arena);
    double r[MOST_NUMBERS];
    carom_solve_report report = run(&coulomb_fp_ds, &syn36, 1e-12, 3000, r);
    assert_int_equal(report.word, CAROM_SOLVE_ITERATIONS);
    assert_true(report.error > 2.1e-6 && report.error < 2.3e-6);
    is_within_a_tenth(run(&coulomb_fp_ds, &def15, 1e-6, 0, r).iterations, 57);
    is_within_a_tenth(run(&coulomb_fp_ds, &def12, 1e-6, 0, r).iterations, 260);
    carom_arena_free(arena);
}

static void fixed_rho_may_diverge(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    const carom_solver_options limits = {.tolerance = 1e-6};
    const double rho = 10.0;
    double r[MOST_NUMBERS] = {0};
    const carom_solve_report report = solve_with(&coulomb_fp_ds, &problem, &rho, &limits, r);
    assert_int_equal(report.word, CAROM_SOLVE_DIVERGED);
    assert_true(report.iterations < 200);
    assert_true(report.error <= carom_coulomb_error(&problem, (const double[MOST_NUMBERS]){0}));
    carom_arena_free(arena);
}

/* The error of the source's trial after 20000 iterations. */
static void hyperplanes_are_slow(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem[3] = {formula_syn36(arena), formula_def15(arena), formula_def12(arena)};
    static const double wanted[3] = {0.20, 1.4e-2, 1.0e-2};
    for (int p = 0; p < 3; p++) {
        double r[MOST_NUMBERS];
        const carom_solve_report report = run(&coulomb_hp_vi, &problem[p], 1e-6, 20000, r);
        assert_int_equal(report.word, CAROM_SOLVE_ITERATIONS);
        assert_true(fabs(report.error / wanted[p] - 1.0) < 0.05);
    }
    carom_arena_free(arena);
}

static void values_are_those_of_the_reference(void **state)
{
    (void)state;
    for (int s = 0; s < ADAPTIVE; s++) {
        solves_syn36(adaptive[s]);
        solves_def15(adaptive[s]);
        solves_def12(adaptive[s]);
        solves_one_contact(adaptive[s]);
        solves_without_friction(adaptive[s]);
    }
    solves_syn36(&coulomb_fp_ds);
    solves_def15(&coulomb_fp_ds);
    solves_def12(&coulomb_fp_ds);
}

/* rho follows the size of W, be it far from 1. */
static void rho_adapts_to_the_size_of_W(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def15(arena);
    double *const block = (double *)problem.W.block;
    for (int k = 0; k < 9 * 64; k++)
        block[k] *= 1e4;
    for (int s = 0; s < ADAPTIVE; s++) {
        double r[MOST_NUMBERS];
        assert_int_equal(run(adaptive[s], &problem, 1e-8, 0, r).word, CAROM_SOLVE_OK);
        assert_true(fabs(formula_norm(24, r) * 1e4 - 0.22192323032) < 1e-3);
    }
    carom_arena_free(arena);
}

static void odd_problems_are_told(void **state)
{
    (void)state;
    for (int s = 0; s < ADAPTIVE; s++) {
        takes_odd_input(adaptive[s]);
        ends_without_solution(adaptive[s], 3000);
        ends_in_time(adaptive[s]);
    }
    takes_odd_input(&coulomb_fp_ds);
    takes_odd_input(&coulomb_hp_vi);
    ends_without_solution(&coulomb_hp_vi, 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_reference),
        cmocka_unit_test(fixed_rho_is_enough_for_some),
        cmocka_unit_test(fixed_rho_may_diverge),
        cmocka_unit_test(hyperplanes_are_slow),
        cmocka_unit_test(values_are_those_of_the_reference),
        cmocka_unit_test(rho_adapts_to_the_size_of_W),
        cmocka_unit_test(odd_problems_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
