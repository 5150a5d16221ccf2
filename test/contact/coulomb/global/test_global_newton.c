/* Global problems solved as they are agree with the reduced ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io.h"
#include "test/contact/coulomb/sample_global.h"
#include "test/contact/coulomb/solve_with.h"
#include "test/near.h"

static const double tolerance = 1e-10;

/* ---- what a result must be -------------------------------------------------------------------------- */

static carom_coulomb reduce(const carom_coulomb_global *global, carom_arena *arena)
{
    carom_coulomb problem;
    carom_error error = {0};
    assert_int_equal(carom_coulomb_reduce(global, arena, &problem, &error), CAROM_OK);
    return problem;
}

/* Solves, and compares all that is told with the reduced problem. */
static carom_solve_report solve(const carom_coulomb_global *global, const carom_coulomb *problem,
                                double *three, carom_coulomb_summary *summary)
{
    const int n = global->M.columns, m = global->dimension * global->contacts;
    const carom_solver_options limits = {.tolerance = tolerance};
    double *v = calloc((size_t)n, sizeof *v), *expected = calloc((size_t)n, sizeof *expected);
    double *r = calloc((size_t)m, sizeof *r), *u = calloc((size_t)m, sizeof *u), l[EQUATIONS_MAX + 1];
    carom_solve_report report;
    carom_error error = {0};
    assert_int_equal(carom_coulomb_solve_global(global, &limits, v, r, &report, &error), CAROM_OK);
    assert_true((report.word == CAROM_SOLVE_OK) == (report.error <= tolerance));
    embed_sample(global, r, three);
    assert_true(fabs(carom_coulomb_error(problem, three) - report.error) <= 1e-12 * (1.0 + report.error));
    assert_int_equal(carom_coulomb_motion(global, r, expected, l, &error), CAROM_OK);
    for (int i = 0; i < n; i++)
        assert_true(fabs(v[i] - expected[i]) <= 1e-10 * (1.0 + carom_largest(n, expected)));
    assert_int_equal(carom_coulomb_summarise_global(global, r, u, NULL, summary, &error), CAROM_OK);
    assert_true(fabs(summary->error - report.error) <= 1e-12 * (1.0 + report.error));
    free(v);
    free(expected);
    free(r);
    free(u);
    return report;
}

static carom_solve_report solve_reduced(const carom_coulomb *problem, double *r,
                                        carom_coulomb_summary *summary)
{
    const carom_solver_options limits = {.tolerance = tolerance, .max_seconds = 5};
    double *u = calloc(3 * (size_t)problem->contacts, sizeof *u);
    const carom_solve_report report = solve_with(&coulomb_solver_auto, problem, NULL, &limits, r);
    carom_coulomb_summarise(problem, r, u, NULL, summary);
    free(u);
    return report;
}

/* The number of problems out of `trials` that are not solved. */
static int unsolved_of(int trials, int dimension, int equations, double skew, double friction,
                       bool compare_reactions)
{
    carom_random random = {71};
    int unsolved = 0;
    for (int trial = 0; trial < trials; trial++) {
        sample_global s;
        double r[SIZE_MAX_3] = {0}, expected[SIZE_MAX_3] = {0};
        carom_coulomb_summary summary, reduced;
        make_sample_global(&random, dimension, equations, skew, friction, &s);
        const carom_coulomb problem = reduce(&s.global, s.arena);
        const carom_solve_report report = solve(&s.global, &problem, r, &summary);
        assert_int_equal(solve_reduced(&problem, expected, &reduced).word, CAROM_SOLVE_OK);
        assert_near(summary.q_norm, reduced.q_norm, 1e-11 * reduced.q_norm);
        if (report.word != CAROM_SOLVE_OK)
            unsolved++;
        else if (compare_reactions) {
            for (int i = 0; i < 3 * s.global.contacts; i++)
                assert_near(r[i], expected[i], 1e-7 * (1.0 + reduced.r_norm));
            assert_near(summary.energy, reduced.energy, 1e-8 * (1.0 + fabs(reduced.energy)));
            assert_near(summary.u_norm, reduced.u_norm, 1e-8 * (1.0 + reduced.u_norm));
            assert_near(summary.dissipation, reduced.dissipation, 1e-7 * (1.0 + reduced.r_norm));
        }
        carom_arena_free(s.arena);
    }
    if (unsolved > 0)
        print_message("%d of %d not solved\n", unsolved, trials);
    return unsolved;
}

/* Little friction and full rank: one solution. */
static void agrees_with_the_reduced_problem(void **state)
{
    (void)state;
    assert_int_equal(unsolved_of(150, 3, 0, 0.0, 0.3, true), 0);
}

static void in_the_plane(void **state)
{
    (void)state;
    assert_int_equal(unsolved_of(150, 2, 0, 0.0, 0.3, true), 0);
}

static void with_equations(void **state)
{
    (void)state;
    assert_int_equal(unsolved_of(100, 3, EQUATIONS_MAX, 0.0, 0.3, true), 0);
    assert_int_equal(unsolved_of(50, 2, 2, 0.0, 0.3, true), 0);
}

static void unsymmetric_masses(void **state)
{
    (void)state;
    assert_int_equal(unsolved_of(100, 3, 0, 1.0, 0.3, true), 0);
}

/* Solutions need not be unique: only the error counts. */
static void much_friction(void **state)
{
    (void)state;
    assert_int_equal(unsolved_of(150, 3, 0, 0.5, 2.0, false), 0);
}

/* Stiff springs: W is far from what the masses at the contacts say. */
static void stiff_bodies(void **state)
{
    (void)state;
    carom_random random = {72};
    for (int trial = 0; trial < 100; trial++) {
        sample_global s;
        double r[SIZE_MAX_3] = {0};
        carom_coulomb_summary summary;
        make_sample_global(&random, 3, 0, 0.0, 0.3, &s);
        double *M = carom_arena_take(s.arena, (size_t)s.global.M.column_start[s.global.M.columns], sizeof *M);
        for (int j = 0; j < s.global.M.columns; j++)
            for (int k = s.global.M.column_start[j]; k < s.global.M.column_start[j + 1]; k++)
                M[k] = 100.0 * s.global.M.value[k] - (s.global.M.row[k] == j ? 49.0 : 0.0);
        s.global.M.value = M;
        const carom_coulomb problem = reduce(&s.global, s.arena);
        assert_int_equal(solve(&s.global, &problem, r, &summary).word, CAROM_SOLVE_OK);
        carom_arena_free(s.arena);
    }
}

/* ---- ends ------------------------------------------------------------------------------------------- */

static void a_solution_as_start_is_kept(void **state)
{
    (void)state;
    carom_random random = {73};
    const carom_solver_options limits = {.tolerance = tolerance};
    sample_global s;
    double v[DOF_MAX], r[SIZE_MAX_3] = {0}, same[SIZE_MAX_3];
    carom_solve_report report;
    make_sample_global(&random, 3, 0, 0.0, 0.3, &s);
    assert_int_equal(carom_coulomb_solve_global(&s.global, &limits, v, r, &report, NULL), CAROM_OK);
    assert_true(report.word == CAROM_SOLVE_OK && report.iterations > 0);
    memcpy(same, r, sizeof r);
    assert_int_equal(carom_coulomb_solve_global(&s.global, &limits, v, r, &report, NULL), CAROM_OK);
    assert_true(report.word == CAROM_SOLVE_OK && report.iterations == 0);
    assert_memory_equal(r, same, sizeof r);
    carom_arena_free(s.arena);
}

static void nothing_moves_without_force(void **state)
{
    (void)state;
    carom_random random = {74};
    const carom_solver_options limits = {.tolerance = tolerance};
    sample_global s;
    double v[DOF_MAX], r[SIZE_MAX_3];
    carom_solve_report report;
    make_sample_global(&random, 3, 0, 0.0, 0.3, &s);
    memset(s.f, 0, sizeof s.f);
    memset(s.w, 0, sizeof s.w);
    fill_sample(&random, SIZE_MAX_3, r);
    assert_int_equal(carom_coulomb_solve_global(&s.global, &limits, v, r, &report, NULL), CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    assert_true(carom_largest(3 * s.global.contacts, r) == 0.0);
    assert_true(carom_largest(s.global.M.columns, v) == 0.0);
    carom_arena_free(s.arena);
}

static void count_reports(void *context, int iteration, double error, double seconds)
{
    int *count = context;
    assert_int_equal(iteration, *count);
    assert_true(error >= 0.0 && seconds >= 0.0);
    (*count)++;
}

static void limits_are_kept(void **state)
{
    (void)state;
    carom_random random = {75};
    int reports = 0;
    const carom_solver_options limits = {
        .tolerance = 1e-300, .max_iterations = 3, .report = count_reports, .context = &reports};
    sample_global s;
    double v[DOF_MAX], r[SIZE_MAX_3] = {0};
    carom_solve_report report;
    make_sample_global(&random, 3, 0, 0.0, 0.3, &s);
    assert_int_equal(carom_coulomb_solve_global(&s.global, &limits, v, r, &report, NULL), CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_ITERATIONS);
    assert_int_equal(report.iterations, 3);
    assert_int_equal(reports, 4);
    const carom_solver_options short_time = {.tolerance = 1e-300, .max_seconds = 1e-9};
    assert_int_equal(carom_coulomb_solve_global(&s.global, &short_time, v, r, &report, NULL), CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_TIME);
    carom_arena_free(s.arena);
}

/* A rigid mass between two walls that close on it, without and with much friction: there is no solution. */
static void says_when_there_is_no_solution(void **state)
{
    (void)state;
    static const int M_start[4] = {0, 1, 2, 3}, H_start[7] = {0, 1, 2, 3, 4, 5, 6};
    static const int M_row[3] = {0, 1, 2}, H_row[6] = {0, 1, 2, 0, 1, 2}, no_start[1] = {0};
    static const double M[3] = {1, 1, 1}, H[6] = {1, 1, 1, -1, 1, 1}, f[3] = {0.3, 0.2, 0.1};
    static const double w[6] = {-1, 0, 0, -1, 0, 0};
    for (int friction = 0; friction < 2; friction++) {
        const double mu[2] = {friction, friction};
        const carom_coulomb_global global = {.dimension = 3,
                                             .contacts = 2,
                                             .M = {3, 3, M_start, M_row, M},
                                             .H = {3, 6, H_start, H_row, H},
                                             .G = {3, 0, no_start, M_row, M},
                                             .f = f,
                                             .w = w,
                                             .mu = mu};
        const carom_solver_options limits = {.tolerance = tolerance};
        double v[3], r[6] = {0};
        carom_solve_report report;
        assert_int_equal(carom_coulomb_solve_global(&global, &limits, v, r, &report, NULL), CAROM_OK);
        assert_int_not_equal(report.word, CAROM_SOLVE_OK);
        assert_true(report.error > 0.1 && carom_all_finite(6, r) && carom_all_finite(3, v));
    }
}

static void singular_data_are_told(void **state)
{
    (void)state;
    carom_random random = {76};
    const carom_solver_options limits = {.tolerance = tolerance};
    sample_global s;
    double v[DOF_MAX], r[SIZE_MAX_3] = {0}, u[SIZE_MAX_3];
    carom_solve_report report;
    carom_coulomb_summary summary;
    carom_error error = {0};
    make_sample_global(&random, 3, 2, 0.0, 0.3, &s);
    const carom_sparse G = s.global.G, M = s.global.M;
    const int length = G.column_start[1];
    int start[3] = {0, length, 2 * length}, row[16];
    double value[16];
    assert_true(2 * length <= 16);
    for (int k = 0; k < 2 * length; k++) {
        row[k] = G.row[k % length];
        value[k] = (k < length ? 1.0 : -2.0) * G.value[k % length];
    }
    s.global.G = (carom_sparse){G.rows, 2, start, row, value}; /* the first equation twice */
    assert_int_equal(carom_coulomb_solve_global(&s.global, &limits, v, r, &report, &error), CAROM_FAILED);
    assert_non_null(strstr(error.text, "redundant bilateral constraints"));
    assert_int_not_equal(report.word, CAROM_SOLVE_OK);
    double *zero = carom_arena_take(s.arena, (size_t)M.column_start[M.columns], sizeof *zero);
    s.global.M.value = zero;
    assert_int_equal(carom_coulomb_solve_global(&s.global, &limits, v, r, &report, &error), CAROM_FAILED);
    assert_non_null(strstr(error.text, "M is singular"));
    assert_int_equal(carom_coulomb_summarise_global(&s.global, r, u, NULL, &summary, &error), CAROM_FAILED);
    carom_arena_free(s.arena);
}

/* ---- published problems ----------------------------------------------------------------------------- */

typedef struct published {
    const char *name;
    double u_norm, energy;
    int open, sliding, sticking;
} published;

static const char *directory(void)
{
    const char *given = getenv("CAROM_FCLIB");
    return given ? given : CAROM_SOURCE_DIR "/../shared/fclib";
}

static void check_published(const published *expected, const carom_coulomb_global *global)
{
    double *r = calloc(3 * (size_t)global->contacts, sizeof *r);
    carom_coulomb_summary summary;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = reduce(global, arena);
    assert_int_equal(solve(global, &problem, r, &summary).word, CAROM_SOLVE_OK);
    assert_near(summary.u_norm, expected->u_norm, 1e-9 * expected->u_norm + 1e-12);
    assert_near(summary.energy, expected->energy, 1e-9 * fabs(expected->energy));
    assert_int_equal(summary.open, expected->open);
    assert_int_equal(summary.sliding, expected->sliding);
    assert_int_equal(summary.sticking, expected->sticking);
    carom_arena_free(arena);
    free(r);
}

static void published_problems(void **state)
{
    (void)state;
    static const published problems[] = {
        {"Box_Stacks-i0122-82-5", 0.002110121419, -2.317203238e-5, 4, 4, 74},
        {"LMGC_GlobalFrictionContactProblem00046", 0.0, -0.5738602645, 0, 0, 9},
        {"CubeH8", 4.9833173252e-5, -2.85620059585e-6, 0, 1, 0},
    };
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
        char path[1024];
        carom_fclib *content = NULL;
        snprintf(path, sizeof path, "%s/%s.hdf5", directory(), problems[i].name);
        FILE *file = fopen(path, "r");
        if (!file) {
            print_message("%s is not there (CAROM_FCLIB names another directory): skipped\n", path);
            skip();
        }
        fclose(file);
        assert_int_equal(carom_fclib_read(path, &content, NULL), CAROM_OK);
        assert_true(content->is_global);
        check_published(&problems[i], &content->global);
        carom_fclib_free(content);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_reduced_problem),
        cmocka_unit_test(in_the_plane),
        cmocka_unit_test(with_equations),
        cmocka_unit_test(unsymmetric_masses),
        cmocka_unit_test(much_friction),
        cmocka_unit_test(stiff_bodies),
        cmocka_unit_test(a_solution_as_start_is_kept),
        cmocka_unit_test(nothing_moves_without_force),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(says_when_there_is_no_solution),
        cmocka_unit_test(singular_data_are_told),
        cmocka_unit_test(published_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
