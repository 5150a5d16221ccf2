/* Uzawa's iteration on bipotentials. Values: the specification (which has them from an independent direct
 * solution), and a direct solution of one contact here: enumeration of states and a scan of slip angles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "contact/coulomb/bipotential/uzawa.h"
#include "test/contact/coulomb/coulomb_checks.h"
#include "test/near.h"

static const double table_1[5][4] = {
    {.2, .2, .2, .2}, {.3, .25, .3, .25}, {.3, .15, .3, .15}, {.3, .15, .2, .2}, {.3, .15, .05, .2}};
static const double full[9] = {1, .2, .1, .2, 1.5, .3, .1, .3, 2};

static carom_elliptic_cone cone_of(int number)
{
    carom_elliptic_cone cone;
    carom_error error;
    const double *data = table_1[number - 1];
    assert_int_equal(carom_elliptic_cone_make(data, data + 2, &cone, &error), CAROM_OK);
    return cone;
}

static carom_elliptic_problem one(const double *W, const double *q, const double *gap,
                                  const carom_elliptic_cone *cone)
{
    return (carom_elliptic_problem){1, {1, one_start, one_column, one_diagonal, W}, q, cone, gap, NULL};
}

/* tol = 1e-14, as the specification asks for reference values */
static carom_uzawa_report solve(const carom_elliptic_problem *problem, carom_uzawa_options options, double *r)
{
    carom_error error;
    options.tolerance = 1e-14;
    memset(r, 0, 3 * (size_t)problem->contacts * sizeof *r);
    const carom_uzawa_report report = carom_uzawa_solve(problem, &options, r, &error);
    if (report.status != CAROM_OK)
        fail_msg("%s", error.text);
    assert_true(report.error < 1e-10);
    return report;
}

static void one_contact_has_the_reference_values(void **state)
{
    (void)state;
    static const struct {
        int table;
        double q[3], gap, r[3], u[3];
    } cases[] = {
        {1,
         {-1, .5, .4},
         0,
         {1.04670522205, -0.180558020796, -0.105936178904},
         {0, 0.406723159545, 0.238630758158}},
        {3,
         {-1, .5, .4},
         0,
         {1.06403822156, -0.283526518659, -0.0733291782672},
         {0, 0.265519112843, 0.274687510024}},
        {5,
         {-1, .5, .4},
         0,
         {1.02144663254, -0.0310181441774, -0.152430037077},
         {0, 0.612033099119, 0.187979145846}},
        {1, {-1, .1, -.05}, 0, {1.04085603113, -0.206225680933, 0.0038910505837}, {0, 0, 0}},
        {3, {-1, .1, -.05}, 0, {1.04085603113, -0.206225680933, 0.0038910505837}, {0, 0, 0}},
        {5, {-1, .1, -.05}, 0, {1.04085603113, -0.206225680933, 0.0038910505837}, {0, 0, 0}},
        {3,
         {-1, .5, .4},
         .3,
         {0.745156909625, -0.201674556724, -0.0482199828045},
         {-.3, 0.332053551997, 0.317573358336}},
        {2, {.2, .5, .4}, 0, {0, 0, 0}, {.2, .5, .4}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const carom_elliptic_cone cone = cone_of(cases[i].table);
        const carom_elliptic_problem problem = one(full, cases[i].q, &cases[i].gap, &cone);
        double r[3], u[3];
        const carom_uzawa_report report = solve(&problem, carom_uzawa_defaults(), r);
        const carom_elliptic_certificate found = carom_elliptic_certify(&problem, r, u);
        assert_all_near(3, r, cases[i].r, 1e-10);
        assert_all_near(3, u, cases[i].u, 1e-10);
        assert_true(fabs(found.power) < 1e-10 && found.penetration < 1e-10 && found.outside < 1e-14);
        assert_true(report.certificate.power == found.power && report.halvings == 0);
    }
}

/* Strong non-associativity in stick is slow: 1302 to 2093 iterations against about 50. */
static void non_associated_sticking_is_slow(void **state)
{
    (void)state;
    const double q[3] = {-1, .1, -.05};
    const carom_elliptic_cone cones[2] = {cone_of(3), cone_of(5)};
    int iterations[2];
    for (int k = 0; k < 2; k++) {
        const carom_elliptic_problem problem = one(full, q, NULL, cones + k);
        const carom_uzawa_options options = carom_uzawa_defaults();
        double r[3] = {0};
        carom_error error;
        iterations[k] = carom_uzawa_solve(&problem, &options, r, &error).iterations;
    }
    assert_in_range(iterations[0], 30, 80);
    assert_in_range(iterations[1], 1302, 2093);
}

static void first_iterates_are_exact(void **state)
{
    (void)state;
    static const double W[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2}, q[3] = {-1, .5, .4};
    static const double expected[5][3] = {{0.480769230769, -0.0750835393695, -0.0600668314956},
                                          {0.730399408284, -0.114069223273, -0.0912553786183},
                                          {0.860015077378, -0.134311789915, -0.107449431932},
                                          {0.927315520946, -0.144822353364, -0.115857882691},
                                          {1, -0.156173761889, -0.124939009511}};
    const carom_elliptic_cone cone = cone_of(1);
    const carom_elliptic_problem problem = one(W, q, NULL, &cone);
    carom_uzawa_options options = carom_uzawa_defaults();
    options.rho = .5;
    double r[3];
    solve(&problem, options, r);
    assert_all_near(3, r, expected[4], 1e-11);
    for (int steps = 1; steps <= 4; steps++) {
        carom_error error;
        memset(r, 0, sizeof r);
        options.max_iterations = steps;
        assert_int_equal(carom_uzawa_solve(&problem, &options, r, &error).status, CAROM_FAILED);
        assert_non_null(strstr(error.text, "lower rho"));
        assert_all_near(3, r, expected[steps - 1], 1e-11);
    }
}

static void iterations_depend_on_rho(void **state)
{
    (void)state;
    static const struct {
        double rho;
        int iterations;
    } cases[] = {{.05, 552}, {.1, 278}, {.2, 137}, {.4, 64}, {.6, 38},
                 {.8, 25},   {1, 15},   {1.2, 19}, {2, 106}};
    const double q[3] = {-1, .5, .4};
    const carom_elliptic_cone cone = cone_of(3);
    const carom_elliptic_problem problem = one(full, q, NULL, &cone);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        carom_uzawa_options options = carom_uzawa_defaults();
        options.rho = cases[i].rho;
        double r[3] = {0};
        carom_error error;
        const carom_uzawa_report report = carom_uzawa_solve(&problem, &options, r, &error);
        assert_int_equal(report.status, CAROM_OK);
        if (abs(report.iterations - cases[i].iterations) > 2)
            fail_msg("rho = %g: %d iterations, expected %d", cases[i].rho, report.iterations,
                     cases[i].iterations);
    }
}

/* In stick rho must be below 2 / lambda_max = 0.9227; a cycle is noticed and left. */
static void too_large_a_step_is_halved(void **state)
{
    (void)state;
    const double q[3] = {-1, .1, -.05};
    const carom_elliptic_cone cone = cone_of(3);
    const carom_elliptic_problem problem = one(full, q, NULL, &cone);
    carom_uzawa_options options = carom_uzawa_defaults();
    options.rho = .9;
    double r[3] = {0};
    carom_error error;
    carom_uzawa_report report = carom_uzawa_solve(&problem, &options, r, &error);
    assert_int_equal(report.status, CAROM_OK);
    assert_in_range(report.iterations, 489, 529); /* specification: 509 */
    assert_int_equal(report.halvings, 0);
    options.rho = .95;
    memset(r, 0, sizeof r);
    report = carom_uzawa_solve(&problem, &options, r, &error);
    assert_int_equal(report.status, CAROM_OK);
    assert_true(report.halvings >= 1);
    assert_all_near(3, r, (const double[]){1.04085603113, -0.206225680933, 0.0038910505837}, 1e-10);
}

/* ---- direct solution of one contact ------------------------------------------------------------------- */

static void apply(const double *W, const double q[3], const double r[3], double u[3])
{
    memcpy(u, q, 3 * sizeof *u);
    carom_block_add(W, r, u);
}

/* The slipping reaction with friction at angle a, gap closed; returns cross(-u_T, P^-2 r_T). */
static double slip_at(const double *W, const double q[3], double gap, const double mu[2], const double p[2],
                      double a, double r[3], double *dot)
{
    const double e[3] = {1, mu[0] * cos(a), mu[1] * sin(a)};
    const double n = -(q[0] + gap) / (W[0] + W[1] * e[1] + W[2] * e[2]);
    double u[3];
    for (int k = 0; k < 3; k++)
        r[k] = n * e[k];
    apply(W, q, r, u);
    const double g[2] = {r[1] / (p[0] * p[0]), r[2] / (p[1] * p[1])};
    *dot = -(u[1] * g[0] + u[2] * g[1]);
    return -u[1] * g[1] + u[2] * g[0];
}

static bool slips(const double *W, const double q[3], double gap, const double *data, double r[3])
{
    enum {
        ANGLES = 720
    };
    const double step = 2 * acos(-1.0) / ANGLES;
    double dot, last = slip_at(W, q, gap, data, data + 2, -step, r, &dot);
    for (int i = 0; i < ANGLES; i++) {
        const double value = slip_at(W, q, gap, data, data + 2, i * step, r, &dot);
        if (value * last <= 0.0 && dot > 0.0 && r[0] > 0.0) {
            double low = (i - 1) * step, high = i * step;
            for (int k = 0; k < 60; k++) {
                const double middle = .5 * (low + high);
                const double at = slip_at(W, q, gap, data, data + 2, middle, r, &dot);
                *(at * last <= 0.0 ? &high : &low) = middle;
            }
            return true;
        }
        last = value;
    }
    return false;
}

static bool direct(const double *W, const double q[3], double gap, const double *data, double r[3])
{
    memset(r, 0, 3 * sizeof *r);
    if (q[0] + gap >= 0.0)
        return true;
    double matrix[9];
    memcpy(matrix, W, sizeof matrix);
    const double right[3] = {-q[0] - gap, -q[1], -q[2]};
    memcpy(r, right, sizeof right);
    assert_int_equal(carom_cholesky_factor(3, matrix), 0);
    carom_cholesky_solve(3, matrix, r);
    if (hypot(r[1] / data[0], r[2] / data[1]) <= r[0])
        return true;
    return slips(W, q, gap, data, r);
}

/* Random contacts against the direct solution: all five rules. */
static void uzawa_is_the_direct_solution(void **state)
{
    (void)state;
    carom_random random = {11};
    int slipping = 0;
    for (int i = 0; i < 60; i++) {
        const carom_elliptic_cone cone = cone_of(i % 5 + 1);
        double L[9], W[9] = {0}, q[3], r[3], expected[3];
        for (int k = 0; k < 9; k++)
            L[k] = carom_random_uniform(&random, -.5, .5) + (k % 4 == 0 ? 1.0 : 0.0);
        for (int k = 0; k < 27; k++)
            W[k / 3] += L[3 * (k / 9) + k % 3] * L[3 * (k / 3 % 3) + k % 3];
        for (int k = 0; k < 3; k++)
            q[k] = carom_random_uniform(&random, k ? -.6 : -1.0, k ? .6 : .2);
        const double gap = i % 3 ? 0.0 : carom_random_uniform(&random, 0, .5);
        if (!direct(W, q, gap, table_1[i % 5], expected))
            fail_msg("contact %d has no direct solution", i);
        const carom_elliptic_problem problem = one(W, q, &gap, &cone);
        solve(&problem, carom_uzawa_defaults(), r);
        assert_all_near(3, r, expected, 1e-9);
        slipping += r[0] > 0.0 && hypot(r[1] / cone.mu[0], r[2] / cone.mu[1]) > r[0] * (1 - 1e-9);
    }
    assert_true(slipping > 15);
}

/* ---- several contacts --------------------------------------------------------------------------------- */

static void two_contacts(double mu, double *block, carom_elliptic_cone *cone, carom_elliptic_problem *problem)
{
    static const int start[] = {0, 2, 4}, column[] = {0, 1, 0, 1}, diagonal[] = {0, 3};
    static const double q[6] = {-1, .5, .4, -.6, -.2, .3};
    for (int k = 0; k < 9; k++) {
        block[k] = full[k];
        block[9 + k] = block[18 + k] = k % 4 == 0 ? -.3 : 0;
        block[27 + k] = 1.2 * full[k];
    }
    for (int a = 0; a < 2; a++)
        cone[a] = (carom_elliptic_cone){{mu, mu}, {1, 1}};
    *problem = (carom_elliptic_problem){2, {2, start, column, diagonal, block}, q, cone, NULL, NULL};
}

static void all_sweeps_agree(void **state)
{
    (void)state;
    static const double r_expected[6] = {1.34876239391,  -0.356077129471,  -0.192180845660,
                                         0.861096278178, -0.0253942580425, -0.188268280910};
    static const double u_expected[6] = {0, 0.185600808290, 0.100171893503, 0, 0, 0};
    double block[36], u[6], r[6];
    carom_elliptic_cone cone[2];
    carom_elliptic_problem problem;
    two_contacts(.3, block, cone, &problem);
    int iterations[3];
    for (int way = 0; way < 3; way++) {
        carom_uzawa_options options = carom_uzawa_defaults();
        options.sweep = way == 0 ? CAROM_UZAWA_JACOBI : CAROM_UZAWA_GAUSS_SEIDEL;
        options.visits = way == 2 ? 100000 : 1;
        iterations[way] = solve(&problem, options, r).iterations;
        carom_elliptic_certify(&problem, r, u);
        assert_all_near(6, r, r_expected, 1e-11);
        assert_all_near(6, u, u_expected, 1e-11);
    }
    /* exact local solutions save sweeps: some 15 against 110 to 310 at 1e-12 */
    assert_true(iterations[2] < 25 && iterations[0] > 60 && iterations[1] > 25);
}

static void incremental_loading_drags_a_point(void **state)
{
    (void)state;
    static const struct {
        int table;
        double r[2], u[2], dissipation;
        int sticking;
    } cases[] = {
        {1, {-0.141421356237, -0.141421356237}, {0.0012727922061, 0.0012727922061}, 3.6e-4, 4},
        {3, {-0.268320720192, -0.0670894759172}, {0.0011458928422, 0.0013471240865}, 4.02032485e-4, 3},
        {5, {-0.0093704257134, -0.149926811413}, {0.0014048431367, 0.0012642867510}, 2.09342192e-4, 3}};
    static const double W[9] = {1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const carom_elliptic_cone cone = cone_of(cases[i].table);
        double r[3] = {0}, slip[2] = {0}, dissipation = 0;
        int sticking = 0;
        for (int step = 1; step <= 40; step++) {
            const double driver = step * 5e-5 / sqrt(2.0), before[2] = {slip[0], slip[1]};
            const double q[3] = {-1e-3, driver - slip[0], driver - slip[1]};
            const carom_elliptic_problem problem = one(W, q, NULL, &cone);
            carom_uzawa_options options = carom_uzawa_defaults();
            options.tolerance = 1e-14;
            carom_error error;
            assert_int_equal(carom_uzawa_load_step(&problem, &options, r, slip, &dissipation, &error).status,
                             CAROM_OK);
            sticking += hypot(slip[0] - before[0], slip[1] - before[1]) < 1e-9;
        }
        assert_all_near(2, r + 1, cases[i].r, 1e-11);
        assert_all_near(2, slip, cases[i].u, 1e-12);
        assert_true(fabs(dissipation - cases[i].dissipation) < 1e-12);
        assert_int_equal(sticking, cases[i].sticking);
    }
}

static void bad_problems_are_told(void **state)
{
    (void)state;
    const carom_elliptic_cone cone = cone_of(1);
    const double q[3] = {-1, 0, 0}, bad_q[3] = {-1, NAN, 0}, gap = -1e-3;
    const double skew[9] = {1, .2, 0, .1, 1, 0, 0, 0, 1}, weak[9] = {1, 2, 0, 2, 1, 0, 0, 0, 1};
    carom_error error;
    carom_elliptic_problem problem = one(full, q, &gap, &cone);
    assert_int_equal(carom_elliptic_problem_check(&problem, false, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "penetration"));
    assert_int_equal(carom_elliptic_problem_check(&problem, true, &error), CAROM_OK);
    problem = one(skew, q, NULL, &cone);
    assert_int_equal(carom_elliptic_problem_check(&problem, false, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "not symmetric"));
    problem = one(weak, q, NULL, &cone);
    assert_int_equal(carom_elliptic_problem_check(&problem, false, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "eigenvalue is -1"));
    problem = one(full, bad_q, NULL, &cone);
    assert_int_equal(carom_elliptic_problem_check(&problem, false, &error), CAROM_BAD_INPUT);
    problem = one(full, q, NULL, &cone);
    carom_uzawa_options options = carom_uzawa_defaults();
    options.rho = -1;
    double r[3] = {0};
    assert_int_equal(carom_uzawa_solve(&problem, &options, r, &error).status, CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "rho"));
}

/* ---- the solver of FC(W, q, mu) --------------------------------------------------------------------- */

static const carom_solver_ops *const uzawa = &coulomb_solver_uzawa_bipotential;

static void problems_of_the_reference_are_solved(void **state)
{
    (void)state;
    solves_syn36(uzawa);
    solves_def15(uzawa);
    solves_one_contact(uzawa);
    solves_without_friction(uzawa);
    takes_odd_input(uzawa);
    ends_in_time(uzawa);
    ends_without_solution(uzawa, 300);
    assert_ptr_equal(carom_solver_find(CAROM_PROBLEM_COULOMB, "uzawa-bipotential", NULL), uzawa);
}

/* Where velocities are unique, auto finds the same ones. */
static void auto_finds_the_same_motion(void **state)
{
    (void)state;
    const carom_solver_ops *other = carom_solver_find(CAROM_PROBLEM_COULOMB, "auto", NULL);
    for (int contacts = 1; contacts <= 9; contacts += 2) {
        carom_arena *arena = carom_arena_create();
        const carom_coulomb problem = formula_problem(arena, 36, contacts, 0.1, contacts % 4 == 1);
        double r[MOST_NUMBERS], s[MOST_NUMBERS], u[MOST_NUMBERS], v[MOST_NUMBERS];
        assert_int_equal(run(uzawa, &problem, 1e-10, 0, r).word, CAROM_SOLVE_OK);
        const carom_solver_options limits = {.tolerance = 1e-10};
        memset(s, 0, sizeof s);
        const carom_solve_report report = solve_with(other, &problem, NULL, &limits, s);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        carom_blocks_multiply(&problem.W, r, problem.q, u);
        carom_blocks_multiply(&problem.W, s, problem.q, v);
        assert_all_near(3 * contacts, u, v, 1e-7);
        carom_arena_free(arena);
    }
}

/* mu_y = ratio mu and turned axes: random ones on the problems given by formulas, and the two contacts of the
 * reference, whose round cones a turn of the axes does not touch. */
static carom_solve_report run_orthotropic(const carom_coulomb *problem, carom_orthotropy asked, double *r)
{
    const carom_option option[] = {{"ratio", asked.ratio, NULL},
                                   {"slip_ratio", asked.slip_ratio, NULL},
                                   {"angle", asked.angle, NULL},
                                   {0}};
    const carom_solver_options options = {.tolerance = 1e-10, .option = option};
    carom_solve_report report;
    carom_orthotropy found;
    const bool is_round = asked.ratio == 1 && asked.slip_ratio == 0;
    assert_int_equal(carom_solver_orthotropy(uzawa, option, &found), !is_round);
    memset(r, 0, 3 * (size_t)problem->contacts * sizeof *r);
    assert_int_equal(carom_coulomb_solve(uzawa, problem, &options, r, &report, NULL), CAROM_OK);
    return report;
}

static void orthotropic_problems(void **state)
{
    (void)state;
    carom_random random = {31};
    for (int trial = 0; trial < 20; trial++) {
        carom_arena *arena = carom_arena_create();
        const carom_coulomb problem = formula_problem(arena, 36, 1 + trial % 8, 0.1, trial % 2);
        const carom_orthotropy asked = {.ratio = carom_random_uniform(&random, 0.3, 1.5),
                                        .slip_ratio =
                                            trial % 3 ? carom_random_uniform(&random, 0.3, 1.5) : 0.0,
                                        .angle = carom_random_uniform(&random, -3, 3)};
        double r[MOST_NUMBERS], u[MOST_NUMBERS];
        carom_elliptic_problem elliptic;
        carom_coulomb_summary summary;
        assert_int_equal(carom_elliptic_from_coulomb(&problem, &asked, arena, &elliptic, NULL), CAROM_OK);
        const carom_solve_report report = run_orthotropic(&problem, asked, r);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        assert_true(report.error == carom_elliptic_error(&elliptic, r) && report.error <= 1e-10);
        assert_true(carom_coulomb_error(&problem, r) > 1e-6 || problem.contacts == 1);
        const carom_elliptic_certificate found = carom_elliptic_certify(&elliptic, r, NULL);
        assert_true(found.largest_power <= 1e-8 && found.penetration <= 1e-8 && found.outside <= 1e-8);
        carom_elliptic_summarise(&elliptic, r, u, NULL, &summary);
        assert_true(summary.error == report.error && summary.dissipation <= 1e-9);
        carom_arena_free(arena);
    }
}

static void two_contacts_of_the_reference(void **state)
{
    (void)state;
    static const double expected[6] = {1.34876239391,  -0.356077129471,  -0.192180845660,
                                       0.861096278178, -0.0253942580425, -0.188268280910};
    static const double mu[2] = {.3, .3};
    double block[36], r[6];
    carom_elliptic_cone cone[2];
    carom_elliptic_problem given;
    two_contacts(.3, block, cone, &given);
    const carom_coulomb problem = {2, given.W, given.q, mu};
    for (int turn = 0; turn < 3; turn++) {
        const carom_orthotropy asked = {.ratio = 1, .angle = turn};
        assert_int_equal(run_orthotropic(&problem, asked, r).word, CAROM_SOLVE_OK);
        assert_all_near(6, r, expected, 1e-9);
    }
}

static void bad_orthotropy_is_told(void **state)
{
    (void)state;
    const double mu[1] = {.3}, q[3] = {-1, 0, 0};
    const carom_elliptic_cone cone = cone_of(1);
    const carom_coulomb problem = {1, one(full, q, NULL, &cone).W, q, mu};
    static const struct {
        carom_orthotropy asked;
        const char *text;
    } cases[] = {{{0, 0, 0}, "ratio = 0"}, {{1, -1, 0}, "slip_ratio = -1"}, {{1, 0, NAN}, "angle"}};
    carom_arena *arena = carom_arena_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        carom_elliptic_problem elliptic;
        carom_error error;
        assert_int_equal(carom_elliptic_from_coulomb(&problem, &cases[i].asked, arena, &elliptic, &error),
                         CAROM_BAD_INPUT);
        assert_non_null(strstr(error.text, cases[i].text));
    }
    carom_orthotropy asked;
    assert_false(
        carom_solver_orthotropy(carom_solver_find(CAROM_PROBLEM_COULOMB, "auto", NULL), NULL, &asked));
    carom_arena_free(arena);
}

/* The certificate belongs to the pair (u, r), not to the solver: it tells on any reaction that is wrong. */
static void certificates_tell_on_wrong_reactions(void **state)
{
    (void)state;
    const carom_elliptic_cone cone = cone_of(4);
    const double q[3] = {-1, .5, .4};
    const carom_elliptic_problem problem = one(full, q, NULL, &cone);
    double r[3];
    solve(&problem, carom_uzawa_defaults(), r);
    for (int k = 0; k < 3; k++) {
        double wrong[3] = {r[0], r[1], r[2]};
        wrong[k] *= .9;
        const carom_elliptic_certificate found = carom_elliptic_certify(&problem, wrong, NULL);
        assert_true(fabs(found.power) + found.penetration + found.outside > 1e-3);
        assert_true(carom_elliptic_error(&problem, wrong) > 1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_has_the_reference_values),
        cmocka_unit_test(non_associated_sticking_is_slow),
        cmocka_unit_test(first_iterates_are_exact),
        cmocka_unit_test(iterations_depend_on_rho),
        cmocka_unit_test(too_large_a_step_is_halved),
        cmocka_unit_test(uzawa_is_the_direct_solution),
        cmocka_unit_test(all_sweeps_agree),
        cmocka_unit_test(incremental_loading_drags_a_point),
        cmocka_unit_test(bad_problems_are_told),
        cmocka_unit_test(problems_of_the_reference_are_solved),
        cmocka_unit_test(auto_finds_the_same_motion),
        cmocka_unit_test(certificates_tell_on_wrong_reactions),
        cmocka_unit_test(orthotropic_problems),
        cmocka_unit_test(two_contacts_of_the_reference),
        cmocka_unit_test(bad_orthotropy_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
