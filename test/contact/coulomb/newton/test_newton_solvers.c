/* The Newton methods by their names, and the extragradient start of one of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "contact/coulomb/nonsmooth_newton.h"
#include "test/contact/coulomb/formula_problems.h"
#include "test/contact/coulomb/solve_with.h"

enum {
    SIZE = 30,
    OPTIONS = 8
};

static const struct {
    const char *name;
    const carom_solver_ops *ops;
} solvers[] = {
    {"NSN-AC", &coulomb_solver_nsn_ac},       {"NSN-AC-GP", &coulomb_solver_nsn_ac_gp},
    {"NSN-AC-A", &coulomb_solver_nsn_ac_a},   {"NSN-JM", &coulomb_solver_nsn_jm},
    {"NSN-JM-GP", &coulomb_solver_nsn_jm_gp}, {"NSN-JM-A", &coulomb_solver_nsn_jm_a},
    {"NSN-NM", &coulomb_solver_nsn_nm},       {"NSN-NM-GP", &coulomb_solver_nsn_nm_gp},
    {"NSN-NM-A", &coulomb_solver_nsn_nm_a},   {"NSN-FB", &coulomb_solver_nsn_fb},
    {"NSN-FB-GP", &coulomb_solver_nsn_fb_gp}, {"NSN-FB-A", &coulomb_solver_nsn_fb_a},
    {"newton", &coulomb_solver_newton},       {"NSN-AC-HYBRID", &coulomb_solver_nsn_ac_hybrid},
};

static void defaults(const carom_solver_ops *ops, double *option)
{
    assert_in_range(ops->option_count, 1, OPTIONS);
    for (int k = 0; k < ops->option_count; k++)
        option[k] = ops->options[k].value;
}

static carom_solve_report solve(const carom_solver_ops *ops, const carom_coulomb *problem,
                                const double *option, double tolerance, double *r)
{
    const carom_solver_options limits = {.tolerance = tolerance};
    memset(r, 0, SIZE * sizeof *r);
    return solve_with(ops, problem, option, &limits, r);
}

static void every_name_solves(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    for (size_t k = 0; k < sizeof solvers / sizeof solvers[0]; k++) {
        double option[OPTIONS], r[SIZE];
        assert_string_equal(solvers[k].ops->name, solvers[k].name);
        defaults(solvers[k].ops, option);
        assert_int_equal(solve(solvers[k].ops, &problem, option, 1e-10, r).word, CAROM_SOLVE_OK);
        assert_true(fabs(formula_norm(SIZE, r) - 300.625153859) < 1e-6);
    }
    carom_arena_free(arena);
}

/* Function and search of the general solver: what the names mean. */
static void options_choose_what_the_names_say(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    for (int k = 0; k < 12; k++) {
        double named[OPTIONS], general[OPTIONS], r[SIZE], other[SIZE];
        defaults(solvers[k].ops, named);
        defaults(&coulomb_solver_newton, general);
        general[0] = k / 3; /* functions and searches stand in this order above */
        general[1] = k % 3;
        general[2] = named[0];
        const int steps = solve(solvers[k].ops, &problem, named, 1e-12, r).iterations;
        assert_int_equal(solve(&coulomb_solver_newton, &problem, general, 1e-12, other).iterations, steps);
        assert_memory_equal(r, other, sizeof r);
    }
    carom_arena_free(arena);
}

static void hybrid_starts_near_the_solution(void **state)
{
    (void)state;
    static const struct {
        carom_coulomb (*make)(carom_arena *arena);
        int newton; /* steps after the extragradient method, to 1e-10 */
    } sample[] = {{formula_syn36, 6}, {formula_def15, 1}, {formula_def12, 4}};
    for (size_t k = 0; k < sizeof sample / sizeof sample[0]; k++) {
        carom_arena *arena = carom_arena_create();
        const carom_coulomb problem = sample[k].make(arena);
        double option[OPTIONS], r[SIZE];
        defaults(&coulomb_solver_nsn_ac_hybrid, option);
        const carom_solve_report report = solve(&coulomb_solver_nsn_ac_hybrid, &problem, option, 1e-10, r);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        assert_int_equal(report.inner_iterations, 100);
        assert_in_range(report.iterations, sample[k].newton == 1 ? 1 : sample[k].newton - 1,
                        sample[k].newton + 1);
        carom_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_solves),
        cmocka_unit_test(options_choose_what_the_names_say),
        cmocka_unit_test(hybrid_starts_near_the_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
