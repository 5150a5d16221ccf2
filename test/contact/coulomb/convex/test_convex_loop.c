/* Loops over convex programs: outer counts and values of the formula problems, for every inner solver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "contact/coulomb/convex/convex_loop.h"
#include "test/contact/coulomb/coulomb_checks.h"

static const carom_solver_ops *const tresca[] = {&coulomb_tresca_fp_vi_upk, &coulomb_tresca_eg_vi_upk,
                                                 &coulomb_tresca_convexqp_pg, &coulomb_tresca_nsgs_fp_vi_upk};
static const carom_solver_ops *const aclm[] = {&coulomb_aclm_fp_vi_upk, &coulomb_aclm_eg_vi_upk,
                                               &coulomb_aclm_convexqp_pg, &coulomb_aclm_nsgs_fp_vi_upk};
static const carom_solver_ops *const pana[] = {&coulomb_pana_pgs_fp_vi_upk, &coulomb_pana_pgs_eg_vi_upk,
                                               &coulomb_pana_pgs_convexqp_pg, &coulomb_pana_convexqp_pg};
enum {
    INNER = 4
};

static void takes_passes(const carom_solver_ops *solver, const carom_coulomb *problem, int wanted,
                         int allowed)
{
    double r[MOST_NUMBERS];
    const carom_solve_report report = run(solver, problem, 1e-6, 0, r);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    assert_true(abs(report.iterations - wanted) <= allowed);
}

/* Passes to 1e-6 with projected gradients. The reference does not cut friction after a pass of Tresca's loop,
 * and takes two passes more on DEF12. */
static void passes_are_those_of_the_reference(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb syn36 = formula_syn36(arena), def15 = formula_def15(arena),
                        def12 = formula_def12(arena);
    takes_passes(&coulomb_tresca_convexqp_pg, &syn36, 38, 1);
    takes_passes(&coulomb_tresca_convexqp_pg, &def15, 13, 1);
    takes_passes(&coulomb_tresca_convexqp_pg, &def12, 23, 2);
    takes_passes(&coulomb_aclm_convexqp_pg, &syn36, 15, 1);
    takes_passes(&coulomb_aclm_convexqp_pg, &def15, 6, 1);
    takes_passes(&coulomb_aclm_convexqp_pg, &def12, 19, 1);
    takes_passes(&coulomb_pana_convexqp_pg, &def15, 12, 1);
    takes_passes(&coulomb_pana_convexqp_pg, &def12, 31, 1);
    double r[MOST_NUMBERS];
    const carom_solve_report report = run(&coulomb_pana_convexqp_pg, &syn36, 1e-6, 100, r);
    assert_int_equal(report.word, CAROM_SOLVE_ITERATIONS);
    assert_true(fabs(report.error - 1.6e-2) < 1e-3);
    carom_arena_free(arena);
}

static void values_are_those_of_the_reference(void **state)
{
    (void)state;
    for (int s = 0; s < INNER; s++) {
        solves_syn36(tresca[s]);
        solves_syn36(aclm[s]);
        solves_def15(tresca[s]);
        solves_def15(aclm[s]);
        solves_def15(pana[s]);
        solves_def12(tresca[s]);
        solves_def12(aclm[s]);
        solves_def12(pana[s]);
    }
}

static void small_problems_are_solved(void **state)
{
    (void)state;
    for (int s = 0; s < INNER; s++) {
        solves_one_contact(tresca[s]);
        solves_one_contact(aclm[s]);
        solves_one_contact(pana[s]);
        solves_without_friction(tresca[s]);
        solves_without_friction(aclm[s]);
        solves_without_friction(pana[s]);
    }
}

static void odd_problems_are_told(void **state)
{
    (void)state;
    for (int s = 0; s < INNER; s++) {
        const carom_solver_ops *const all[] = {tresca[s], aclm[s], pana[s]};
        for (int k = 0; k < 3; k++) {
            takes_odd_input(all[k]);
            ends_in_time(all[k]);
            ends_without_solution(all[k], 3);
        }
    }
}

/* A start outside the cone and with negative normals is as good as any. */
static void any_start_will_do(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def15(arena);
    const carom_solver_options limits = {.tolerance = 1e-9};
    for (int s = 0; s < INNER; s++) {
        const carom_solver_ops *const all[] = {tresca[s], aclm[s], pana[s]};
        for (int k = 0; k < 3; k++) {
            double r[MOST_NUMBERS];
            for (int i = 0; i < MOST_NUMBERS; i++)
                r[i] = sin(3.0 * i);
            assert_int_equal(run_from(all[k], &problem, &limits, r).word, CAROM_SOLVE_OK);
        }
    }
    carom_arena_free(arena);
}

/* Impulses that are large against velocities, as stiff units make them: an impulse a little outside the cone
 * is then a large error, which must not keep the programs from being solved closely. */
static void large_impulses_are_found(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def12(arena);
    double *const block = (double *)problem.W.block;
    for (int k = 0; k < 9 * 100; k++)
        block[k] *= 1e-5;
    for (int s = 0; s < INNER; s++) {
        double r[MOST_NUMBERS];
        assert_int_equal(run(tresca[s], &problem, 1e-4, 0, r).word, CAROM_SOLVE_OK);
        assert_int_equal(run(aclm[s], &problem, 1e-4, 0, r).word, CAROM_SOLVE_OK);
    }
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_are_those_of_the_reference),
        cmocka_unit_test(values_are_those_of_the_reference),
        cmocka_unit_test(small_problems_are_solved),
        cmocka_unit_test(odd_problems_are_told),
        cmocka_unit_test(any_start_will_do),
        cmocka_unit_test(large_impulses_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
