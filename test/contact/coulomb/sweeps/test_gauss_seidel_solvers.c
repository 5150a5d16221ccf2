/* The named solvers of the Gauss-Seidel family and their options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "contact/coulomb/gauss_seidel.h"
#include "test/contact/coulomb/formula_problems.h"
#include "test/contact/coulomb/solve_with.h"

enum {
    OPTIONS_MAX = 16,
    SIZE = 24
};

static const carom_solver_ops *const solvers[] = {
    &coulomb_solver_nsgs,           &coulomb_solver_nsgs_exact,     &coulomb_solver_nsgs_ac,
    &coulomb_solver_nsgs_jm,        &coulomb_solver_nsgs_ac_gp,     &coulomb_solver_nsgs_jm_gp,
    &coulomb_solver_nsgs_fp_ds_one, &coulomb_solver_nsgs_fp_vi_upk, &coulomb_solver_psor_ac};

/* Defaults, and then one option as text: "omega", "1.5". */
static carom_solve_report solve(const carom_solver_ops *solver, const carom_coulomb *problem,
                                const char *name, const char *text, double *r)
{
    double option[OPTIONS_MAX];
    for (int i = 0; i < solver->option_count; i++)
        option[i] = solver->options[i].value;
    if (name) {
        const int i = carom_option_find(solver->option_count, solver->options, name);
        assert_true(i >= 0);
        carom_error error;
        assert_int_equal(carom_option_parse("solver", &solver->options[i], text, &option[i], &error),
                         CAROM_OK);
    }
    const carom_solver_options limits = {.tolerance = 1e-8};
    memset(r, 0, SIZE * sizeof *r);
    return solve_with(solver, problem, option, &limits, r);
}

static void defaults_are_within_their_ranges(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        assert_true(solvers[s]->option_count <= OPTIONS_MAX);
        for (int i = 0; i < solvers[s]->option_count; i++) {
            const carom_option_info *o = &solvers[s]->options[i];
            assert_true(o->name && o->doc && o->value >= o->min && o->value <= o->max);
            int choices = 0;
            while (o->choices && o->choices[choices])
                choices++;
            assert_true(!o->choices || choices == (int)o->max + 1);
        }
    }
}

static void every_name_solves(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def15(arena);
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        double r[SIZE];
        const carom_solve_report report = solve(solvers[s], &problem, NULL, NULL, r);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        assert_true(fabs(formula_norm(SIZE, r) - 0.22192323032) < 1e-7);
        print_message("%s: %d sweeps, %ld inner, %ld fall-backs\n", solvers[s]->name, report.iterations,
                      report.inner_iterations, report.local_failures);
    }
    carom_arena_free(arena);
}

/* "nsgs" with a local solver is the preset of that name, bit by bit; on a problem with much friction all
 * local solvers take other ways. */
static void presets_are_choices_of_nsgs(void **state)
{
    (void)state;
    static const char *const local[] = {"exact",        "newton-ac",  "newton-jm", "newton-ac-gp",
                                        "newton-jm-gp", "projection", "vi"};
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_problem(arena, 12, 8, 2.0, true);
    double all[7][SIZE];
    for (int i = 0; i < 7; i++) {
        double r[SIZE];
        const carom_solve_report a = solve(&coulomb_solver_nsgs, &problem, "local", local[i], all[i]);
        const carom_solve_report b = solve(solvers[1 + i], &problem, NULL, NULL, r);
        assert_int_equal(a.word, CAROM_SOLVE_OK);
        assert_memory_equal(all[i], r, sizeof r);
        assert_int_equal(a.iterations, b.iterations);
        assert_true(a.inner_iterations == b.inner_iterations);
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(all[i], all[j], sizeof r);
    }
    carom_arena_free(arena);
}

static void options_reach_the_sweeps(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def15(arena);
    double r[SIZE], other[SIZE];
    assert_in_range(solve(&coulomb_solver_psor_ac, &problem, "omega", "0.5", r).iterations, 57, 62);
    assert_in_range(solve(&coulomb_solver_psor_ac, &problem, NULL, NULL, r).iterations, 12, 15);
    assert_int_equal(solve(&coulomb_solver_nsgs_exact, &problem, "check", "every-sweep", r).iterations, 17);
    (void)solve(&coulomb_solver_nsgs_exact, &problem, "order", "shuffled", other);
    assert_memory_not_equal(r, other, sizeof r);
    const int scaled = solve(&coulomb_solver_nsgs_fp_ds_one, &problem, NULL, NULL, r).iterations;
    const int one = solve(&coulomb_solver_nsgs_fp_ds_one, &problem, "rho", "one", r).iterations;
    assert_int_not_equal(scaled, one);
    const long tight = solve(&coulomb_solver_nsgs_ac, &problem, NULL, NULL, r).inner_iterations;
    assert_true(solve(&coulomb_solver_nsgs_ac, &problem, "adaptive", "yes", r).inner_iterations < tight);
    assert_true(solve(&coulomb_solver_nsgs_ac, &problem, "tol_local", "1e-3", r).inner_iterations < tight);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_within_their_ranges),
        cmocka_unit_test(every_name_solves),
        cmocka_unit_test(presets_are_choices_of_nsgs),
        cmocka_unit_test(options_reach_the_sweeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
