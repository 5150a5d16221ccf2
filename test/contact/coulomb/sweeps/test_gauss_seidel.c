/* Block Gauss-Seidel on problems given by formulas: published figures and sweep counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/gauss_seidel.h"
#include "test/contact/coulomb/formula_problems.h"
#include "test/near.h"

enum {
    LEVELS = 4,
    SIZE_MAX_HERE = 30
};

static const double levels[LEVELS] = {1e-2, 1e-4, 1e-6, 1e-8};

/* First sweeps at which the error is below the levels; 0: never. */
typedef struct first_sweeps {
    int sweep[LEVELS];
    int looks;
} first_sweeps;

static void note(void *context, int iteration, double error, double seconds)
{
    first_sweeps *first = context;
    assert_true(seconds >= 0.0);
    first->looks++;
    for (int i = 0; i < LEVELS; i++)
        if (error <= levels[i] && first->sweep[i] == 0)
            first->sweep[i] = iteration;
}

static carom_solve_report solve(const carom_coulomb *problem, const struct coulomb_nsgs_options *options,
                                double tolerance, int max_iterations, first_sweeps *first, double *r)
{
    const carom_solver_options limits = {.tolerance = tolerance,
                                         .max_iterations = max_iterations,
                                         .report = first ? note : NULL,
                                         .context = first};
    carom_solve_report report;
    memset(r, 0, 3 * (size_t)problem->contacts * sizeof *r);
    if (first)
        memset(first, 0, sizeof *first);
    coulomb_nsgs(problem, options, &limits, r, &report);
    assert_true(report.error == carom_coulomb_error(problem, r));
    return report;
}

/* r, u = W r + q and what follows from them. */
typedef struct figures {
    double u[SIZE_MAX_HERE];
    double norm_r, norm_u, energy, dissipation, sum_normal;
    int open, slide, stick; /* by r */
} figures;

static figures figures_of(const carom_coulomb *problem, const double *r)
{
    const int m = 3 * problem->contacts;
    figures f = {0};
    carom_blocks_multiply(&problem->W, r, problem->q, f.u);
    f.norm_r = formula_norm(m, r);
    f.norm_u = formula_norm(m, f.u);
    f.energy = 0.5 * (carom_dot(m, r, f.u) + carom_dot(m, r, problem->q));
    double largest = 0.0;
    for (int a = 0; a < problem->contacts; a++)
        largest = fmax(largest, r[3 * a]);
    for (int a = 0; a < problem->contacts; a++) {
        const double *ra = r + 3 * a;
        f.dissipation += carom_dot(2, ra + 1, f.u + 3 * a + 1);
        f.sum_normal += ra[0];
        if (ra[0] <= 1e-6 * largest)
            f.open++;
        else if (hypot(ra[1], ra[2]) >= problem->mu[a] * ra[0] * (1 - 1e-6))
            f.slide++;
        else
            f.stick++;
    }
    return f;
}

static void formulas_give_the_stated_problems(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const double zero[SIZE_MAX_HERE] = {0};
    const carom_coulomb syn = formula_syn36(arena), def15 = formula_def15(arena),
                        def12 = formula_def12(arena);
    double trace = 0.0;
    for (int i = 0; i < 30; i++)
        trace += formula_entry(&syn, i, i);
    assert_relative(trace, 15.583943119, 1e-10);
    assert_relative(formula_entry(&syn, 0, 1), -0.55647544478, 1e-10);
    assert_relative(formula_entry(&syn, 3, 17), -0.035153579009, 1e-10);
    assert_relative(formula_norm(30, syn.q), 4.1408983709, 1e-10);
    assert_relative(carom_coulomb_error(&syn, zero), 0.745254604052, 1e-11);
    assert_relative(formula_norm(24, def15.q), 0.460284361414, 1e-11);
    assert_relative(carom_coulomb_error(&def15, zero), 0.185451155042, 1e-11);
    assert_relative(formula_norm(30, def12.q), 0.821559233863, 1e-11);
    assert_relative(carom_coulomb_error(&def12, zero), 0.23238294681, 1e-10);
    carom_arena_free(arena);
}

/* Sweeps to the levels, -1: not stated. One more or less, 2 % beyond 200. */
typedef struct expected_sweeps {
    const char *name;
    coulomb_local_method local;
    double omega;
    int sweep[3][LEVELS]; /* SYN36, DEF15, DEF12 */
} expected_sweeps;

static const expected_sweeps expected[] = {
    {"omega 1", COULOMB_LOCAL_EXACT, 1.0, {{258, 582, 906, 1229}, {3, 7, 12, 17}, {11, 58, 139, 220}}},
    {"omega 0.5", COULOMB_LOCAL_EXACT, 0.5, {{711, 1685, 2659, -1}, {6, 23, 41, 58}, {29, 142, 383, 627}}},
    {"omega 0.8", COULOMB_LOCAL_EXACT, 0.8, {{370, 856, 1343, 1830}, {4, 12, 20, 28}, {16, 79, 200, 323}}},
    {"omega 1.2", COULOMB_LOCAL_EXACT, 1.2, {{184, 399, 614, 829}, {3, 7, 10, 13}, {8, 44, 97, 150}}},
    {"omega 1.5", COULOMB_LOCAL_EXACT, 1.5, {{106, 210, 315, 420}, {4, 10, 16, 22}, {9, 27, 50, 73}}},
    {"omega 1.8", COULOMB_LOCAL_EXACT, 1.8, {{34, 65, 95, 124}, {8, 21, 36, 51}, {30, 49, 76, 96}}},
    {"projection",
     COULOMB_LOCAL_PROJECTION,
     1.0,
     {{712, 1619, 2525, -1}, {5, 17, 30, 42}, {33, 132, 349, 568}}},
};

static void check_sweeps(const carom_coulomb *problem, const expected_sweeps *e, int which)
{
    struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
    options.local = e->local;
    options.omega = e->omega;
    options.every_error = true;
    double r[SIZE_MAX_HERE];
    first_sweeps first;
    const int *sweep = e->sweep[which];
    const carom_solve_report report =
        solve(problem, &options, sweep[LEVELS - 1] < 0 ? 1e-6 : 1e-8, 0, &first, r);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    assert_int_equal(report.local_failures, 0);
    assert_int_equal(first.looks, report.iterations + 1);
    for (int i = 0; i < LEVELS && sweep[i] > 0; i++)
        if (abs(first.sweep[i] - sweep[i]) > (sweep[i] > 200 ? sweep[i] / 50 : 1))
            fail_msg("%s, problem %d, %g: %d sweeps, expected %d", e->name, which, levels[i], first.sweep[i],
                     sweep[i]);
}

static void sweeps_are_the_stated_ones(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem[3] = {formula_syn36(arena), formula_def15(arena), formula_def12(arena)};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        for (int which = 0; which < 3; which++)
            check_sweeps(&problem[which], &expected[i], which);
    carom_arena_free(arena);
}

static void solution_of_syn36(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
    double r[SIZE_MAX_HERE];
    const carom_solve_report report = solve(&problem, &options, 1e-13, 0, NULL, r);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    const double first[6] = {234.270373003, 44.3266953974,  15.1805264015,
                             47.0828175568, -11.8388758048, 7.70404267235};
    for (int i = 0; i < 6; i++)
        assert_relative(r[i], first[i], 3e-11);
    const figures f = figures_of(&problem, r);
    assert_relative(f.norm_r, 300.625153859, 1e-11);
    assert_relative(f.sum_normal, 568.762154667, 1e-11);
    assert_relative(f.norm_u, 6.21438966183, 1e-11);
    assert_relative(f.dissipation, -103.74719222, 1e-10);
    assert_relative(f.energy, -361.170889029, 1e-11);
    assert_int_equal(f.open, 0);
    assert_int_equal(f.stick, 3);
    assert_int_equal(f.slide, 7);
    carom_arena_free(arena);
}

static void solutions_of_singular_problems(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb def15 = formula_def15(arena), def12 = formula_def12(arena);
    struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
    double r[SIZE_MAX_HERE];
    assert_int_equal(solve(&def15, &options, 1e-13, 0, NULL, r).word, CAROM_SOLVE_OK);
    figures f = figures_of(&def15, r);
    assert_relative(f.norm_r, 0.22192323032, 1e-10);
    assert_relative(f.norm_u, 0.42105393535, 1e-10);
    assert_relative(f.energy, -0.020360413617, 1e-10);
    assert_relative(f.dissipation, -0.011368638959, 1e-10);
    assert_relative(r[3], 0.087222766051, 1e-10);
    assert_relative(r[4], 0.0062899806421, 1e-10);
    assert_relative(r[5], 0.025399589093, 1e-10);
    assert_int_equal(f.open, 3);
    assert_int_equal(f.slide, 5);
    assert_int_equal(solve(&def12, &options, 1e-13, 0, NULL, r).word, CAROM_SOLVE_OK);
    f = figures_of(&def12, r);
    assert_relative(f.norm_u, 0.155887287013, 1e-9);
    assert_relative(f.energy, -0.253648142445, 1e-9);
    carom_arena_free(arena);
}

/* All local solvers lead to the same solution, with about the same sweeps. */
static void local_solvers_agree(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    for (int local = 0; local < COULOMB_LOCAL_METHODS; local++) {
        struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
        options.local = (coulomb_local_method)local;
        double r[SIZE_MAX_HERE];
        const carom_solve_report report = solve(&problem, &options, 1e-10, 0, NULL, r);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        assert_relative(figures_of(&problem, r).norm_r, 300.625153859, 1e-6);
        if (local != COULOMB_LOCAL_PROJECTION)
            assert_true(report.iterations > 1500 && report.iterations < 1700);
        assert_true((report.inner_iterations > 0) ==
                    (local != COULOMB_LOCAL_EXACT && local != COULOMB_LOCAL_PROJECTION));
        options.adaptive = true;
        assert_int_equal(solve(&problem, &options, 1e-10, 0, NULL, r).word, CAROM_SOLVE_OK);
        assert_relative(figures_of(&problem, r).norm_r, 300.625153859, 1e-6);
    }
    carom_arena_free(arena);
}

/* The change of r decides when to look; never about success; it costs few looks and few sweeps. */
static void few_looks_and_no_false_success(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem[3] = {formula_syn36(arena), formula_def15(arena), formula_def12(arena)};
    for (int which = 0; which < 3; which++)
        for (int i = 0; i < LEVELS; i++) {
            struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
            double r[SIZE_MAX_HERE];
            first_sweeps first;
            const carom_solve_report report = solve(&problem[which], &options, levels[i], 0, &first, r);
            assert_int_equal(report.word, CAROM_SOLVE_OK);
            assert_true(report.error <= levels[i]);
            const int stated = expected[0].sweep[which][i];
            assert_in_range(report.iterations, stated - 1 - stated / 50, stated + 2 + stated / 5);
            assert_true(first.looks <= 16 + stated / 8);
        }
    carom_arena_free(arena);
}

static void without_solution(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn_inf(arena);
    struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
    options.every_error = true;
    double r[SIZE_MAX_HERE];
    const carom_solve_report report = solve(&problem, &options, 1e-8, 3000, NULL, r);
    assert_int_equal(report.word, CAROM_SOLVE_ITERATIONS);
    assert_int_equal(report.iterations, 3000);
    assert_true(report.error > 0.3);
    options.every_error = false;
    assert_int_equal(solve(&problem, &options, 1e-2, 3000, NULL, r).word, CAROM_SOLVE_ITERATIONS);
    carom_arena_free(arena);
}

static void orders_are_reproducible(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    double natural[SIZE_MAX_HERE];
    struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
    options.every_error = true;
    (void)solve(&problem, &options, 1e-6, 0, NULL, natural);
    for (int order = COULOMB_ORDER_SHUFFLED; order < COULOMB_ORDERS; order++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            double r[SIZE_MAX_HERE], again[SIZE_MAX_HERE];
            options.order = (coulomb_order)order;
            options.seed = seed;
            const carom_solve_report report = solve(&problem, &options, 1e-6, 0, NULL, r);
            assert_int_equal(report.word, CAROM_SOLVE_OK);
            assert_int_equal(solve(&problem, &options, 1e-6, 0, NULL, again).iterations, report.iterations);
            assert_memory_equal(r, again, sizeof r);
            assert_memory_not_equal(r, natural, sizeof r);
            /* one permutation changes little, a new one for every sweep hurts */
            if (order == COULOMB_ORDER_SHUFFLED)
                assert_in_range(report.iterations, 880, 930);
            else
                assert_in_range(report.iterations, 1100, 1300);
            options.seed = seed + 100;
            (void)solve(&problem, &options, 1e-6, 0, NULL, again);
            assert_memory_not_equal(r, again, sizeof r);
        }
    carom_arena_free(arena);
}

static void without_friction(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    carom_coulomb problem = formula_syn36(arena);
    const double mu[10] = {0};
    problem.mu = mu;
    for (int local = 0; local < COULOMB_LOCAL_METHODS; local++) {
        struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
        options.local = (coulomb_local_method)local;
        double r[SIZE_MAX_HERE];
        assert_int_equal(solve(&problem, &options, 1e-12, 0, NULL, r).word, CAROM_SOLVE_OK);
        const figures f = figures_of(&problem, r);
        for (int a = 0; a < 10; a++) {
            assert_true(r[3 * a] >= 0.0 && f.u[3 * a] > -1e-10 && fabs(r[3 * a] * f.u[3 * a]) < 1e-9);
            assert_true(r[3 * a + 1] == 0.0 && r[3 * a + 2] == 0.0);
        }
    }
    carom_arena_free(arena);
}

static const int one_start[] = {0, 1}, one_column[] = {0}, one_diagonal[] = {0};

static carom_coulomb one_contact(const double *W, const double *q, const double *mu)
{
    return (carom_coulomb){1, {1, one_start, one_column, one_diagonal, W}, q, mu};
}

static void one_contact_takes_one_sweep(void **state)
{
    (void)state;
    const double W[9] = {2, .9, -.7, -.4, 1.5, .8, .6, -.9, 1}, q[3] = {-1, -2, .5}, mu = 1;
    const carom_coulomb problem = one_contact(W, q, &mu);
    const struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
    double r[3];
    const carom_solve_report report = solve(&problem, &options, 1e-14, 0, NULL, r);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    assert_int_equal(report.iterations, 1);
    assert_true(fabs(r[0] - 0.33109294109353) < 1e-13);
    /* warm: nothing is left to do */
    const carom_solver_options limits = {.tolerance = 1e-12};
    carom_solve_report again;
    coulomb_nsgs(&problem, &options, &limits, r, &again);
    assert_int_equal(again.word, CAROM_SOLVE_OK);
    assert_int_equal(again.iterations, 0);
}

static void nothing_to_push_and_no_contacts(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    carom_coulomb problem = formula_syn36(arena);
    const double q[SIZE_MAX_HERE] = {0};
    problem.q = q;
    const struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
    const carom_solver_options limits = {.tolerance = 1e-12};
    double r[SIZE_MAX_HERE];
    for (int i = 0; i < SIZE_MAX_HERE; i++)
        r[i] = 1.0;
    carom_solve_report report;
    coulomb_nsgs(&problem, &options, &limits, r, &report);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    assert_true(formula_norm(SIZE_MAX_HERE, r) == 0.0);
    problem.contacts = problem.W.rows = 0;
    coulomb_nsgs(&problem, &options, &limits, r, &report);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    carom_arena_free(arena);
}

static void numbers_that_are_not_finite(void **state)
{
    (void)state;
    const double W[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, bad_W[9] = {2, 0, 0, 0, NAN, 0, 0, 0, 2};
    const double q[3] = {-1, 3, 0}, bad_q[3] = {-1, NAN, 0}, far_q[3] = {-INFINITY, 0, 0}, mu = 0.5;
    const carom_coulomb bad[3] = {one_contact(W, bad_q, &mu), one_contact(bad_W, q, &mu),
                                  one_contact(W, far_q, &mu)};
    const carom_solver_options limits = {.tolerance = 1e-12};
    carom_solve_report report;
    for (int local = 0; local < COULOMB_LOCAL_METHODS; local++) {
        struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
        options.local = (coulomb_local_method)local;
        for (int i = 0; i < 3; i++) {
            double r[3] = {0};
            coulomb_nsgs(&bad[i], &options, &limits, r, &report);
            assert_int_equal(report.word, CAROM_SOLVE_DIVERGED);
            assert_true(report.error == INFINITY && r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0);
        }
        /* a start that is no number is no start */
        const carom_coulomb good = one_contact(W, q, &mu);
        double r[3] = {NAN, 0, INFINITY};
        coulomb_nsgs(&good, &options, &limits, r, &report);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        assert_true(fabs(r[0] - 0.5) < 1e-11 && fabs(r[1] + 0.25) < 1e-11);
    }
}

/* Without inertia in the normal direction: the contact has no solution of its own, but r = 0 where it opens.
 */
static void contact_without_inertia(void **state)
{
    (void)state;
    const double W[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1}, closing[3] = {-1, 0, 0}, opening[3] = {1, 1, 0},
                 mu = 0.5;
    const carom_coulomb problem = one_contact(W, closing, &mu), easy = one_contact(W, opening, &mu);
    struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
    double r[3];
    for (int local = 0; local < COULOMB_LOCAL_PROJECTION; local++) {
        options.local = (coulomb_local_method)local;
        assert_int_equal(solve(&problem, &options, 1e-8, 100, NULL, r).word, CAROM_SOLVE_LOCAL);
        assert_int_equal(solve(&easy, &options, 1e-8, 100, NULL, r).word, CAROM_SOLVE_OK);
    }
    /* a projection can go on, to nowhere here */
    options.local = COULOMB_LOCAL_PROJECTION;
    const carom_solve_report report = solve(&problem, &options, 1e-8, 100, NULL, r);
    assert_int_equal(report.word, CAROM_SOLVE_ITERATIONS);
    assert_int_equal(report.iterations, 100);
}

static void limits_hold(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn_inf(arena);
    const struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
    double r[SIZE_MAX_HERE] = {0};
    carom_solve_report report;
    coulomb_nsgs(&problem, &options, &(carom_solver_options){.tolerance = 1e-8, .max_seconds = 0.01}, r,
                 &report);
    assert_int_equal(report.word, CAROM_SOLVE_TIME);
    assert_true(report.seconds < 1.0);
    /* below rounding: the sweeps come to rest without the wanted error */
    const double W[9] = {0.3, .01, .02, .01, .3, .05, .02, .05, .3}, q[3] = {-1, .7, .3}, mu = .7;
    const carom_coulomb one = one_contact(W, q, &mu);
    report = solve(&one, &options, 1e-30, 0, NULL, r);
    assert_true(report.word == CAROM_SOLVE_STALLED || report.error == 0.0);
    assert_true(report.iterations < 10);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_give_the_stated_problems),
        cmocka_unit_test(sweeps_are_the_stated_ones),
        cmocka_unit_test(solution_of_syn36),
        cmocka_unit_test(solutions_of_singular_problems),
        cmocka_unit_test(local_solvers_agree),
        cmocka_unit_test(few_looks_and_no_false_success),
        cmocka_unit_test(without_solution),
        cmocka_unit_test(orders_are_reproducible),
        cmocka_unit_test(without_friction),
        cmocka_unit_test(one_contact_takes_one_sweep),
        cmocka_unit_test(nothing_to_push_and_no_contacts),
        cmocka_unit_test(numbers_that_are_not_finite),
        cmocka_unit_test(contact_without_inertia),
        cmocka_unit_test(limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
