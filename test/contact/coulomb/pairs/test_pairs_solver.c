/* Piles in the plane and in space, by every stage and by the solvers of the matrix; what has no solution. */
#include "contact/coulomb/pairs/pairs_newton.h"
#include "contact/coulomb/pairs/pairs_sweep.h"
#include "sample_piles.h"
#include "test/near.h"

static const double tight = 1e-10;

static carom_pairs_solver *new_solver(const char *name, double tolerance)
{
    carom_pairs_solver *solver;
    const carom_solver_ops *ops = name ? carom_solver_find(CAROM_PROBLEM_COULOMB, name, NULL) : NULL;
    assert_true(ops || !name);
    const carom_status status =
        carom_pairs_solver_create(ops, &(carom_solver_options){.tolerance = tolerance}, &solver, NULL);
    assert_int_equal(status, CAROM_OK);
    return solver;
}

static carom_solve_report solve(const char *name, pile *p)
{
    carom_pairs_solver *solver = new_solver(name, tight);
    memset(p->r, 0, sizeof p->r);
    const carom_solve_report report = carom_pairs_solve(solver, &p->problem, p->r, p->velocity);
    carom_pairs_solver_free(solver);
    return report;
}

static void check_solved(const carom_solve_report *report, const pile *p)
{
    double velocity[6 * PILE_BODIES];
    assert_int_equal(report->status, CAROM_OK);
    assert_int_equal(report->word, CAROM_SOLVE_OK);
    assert_true(report->error <= tight);
    carom_pairs_motion(&p->problem, p->r, velocity);
    assert_memory_equal(velocity, p->velocity, 6 * (size_t)p->problem.bodies * sizeof *velocity);
    assert_true(report->error ==
                carom_pairs_error(&p->problem, carom_pairs_scale(&p->problem), p->r, velocity));
}

static double largest_difference(int n, const double *a, const double *b)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

static void piles_are_solved(void **state)
{
    (void)state;
    static pile p;
    const double mu[] = {0.0, 0.1, 0.4, 0.9};
    for (int k = 0; k < 40; k++) {
        make_pile(&p, 100 + (uint64_t)k, k % 2 == 0, 1 + k % 12, mu[k / 2 % 4]);
        const carom_solve_report report = solve(NULL, &p);
        check_solved(&report, &p);
    }
}

/* The motion is unique without friction, and with a little of it. */
static void the_motion_is_that_of_other_solvers(void **state)
{
    (void)state;
    static pile p;
    const double mu[] = {0.0, 0.05};
    for (int k = 0; k < 12; k++) {
        double velocity[6 * PILE_BODIES];
        make_pile(&p, 200 + (uint64_t)k, k % 2 == 0, 2 + k % 5, mu[k / 2 % 2]);
        const carom_solve_report report = solve(NULL, &p);
        check_solved(&report, &p);
        memcpy(velocity, p.velocity, sizeof velocity);
        const carom_solve_report other = solve("PPA-NSN-AC-GP", &p);
        check_solved(&other, &p);
        assert_true(largest_difference(6 * p.problem.bodies, velocity, p.velocity) < 1e-7);
    }
}

/* ---- stages by themselves ------------------------------------------------------------------------------ */

typedef struct stages {
    pairs_rows rows;
    pairs_sweep sweeps;
    pairs_newton newton;
    double r[3 * PILE_CONTACTS], v[6 * (PILE_BODIES + 1)];
} stages;

static void take_stages(stages *s, const pile *p)
{
    memset(s, 0, sizeof *s);
    assert_true(pairs_rows_take(&s->rows, &p->problem, carom_pairs_scale(&p->problem)));
    assert_true(pairs_sweep_take(&s->sweeps, &s->rows));
    assert_true(pairs_newton_take(&s->newton, &s->rows));
}

static void free_stages(stages *s)
{
    pairs_rows_free(&s->rows);
    pairs_sweep_free(&s->sweeps);
    pairs_newton_free(&s->newton);
}

static void sweeps_lead_to_the_solution(void **state)
{
    (void)state;
    static pile p;
    static stages s;
    for (int plane = 0; plane < 2; plane++) {
        make_pile(&p, 302, plane, 2, 0.3);
        take_stages(&s, &p);
        for (int k = 0; k < 2000 && pairs_rows_error(&s.rows, s.r, s.v) > tight; k++)
            pairs_sweep_once(&s.sweeps, k % 2 != 0, s.r, s.v);
        assert_true(pairs_rows_error(&s.rows, s.r, s.v) <= tight);
        free_stages(&s);
    }
}

static void newton_leads_to_the_solution(void **state)
{
    (void)state;
    static pile p;
    static stages s;
    for (int k = 0; k < 8; k++) {
        make_pile(&p, 400 + (uint64_t)k, k % 2 == 0, 8, k < 4 ? 0.0 : 0.2);
        take_stages(&s, &p);
        pairs_newton_report report = {.error = pairs_rows_error(&s.rows, s.r, s.v)};
        pairs_newton_solve(&s.newton, &(pairs_newton_limits){.tolerance = tight, .steps = 200}, s.r, s.v,
                           &report);
        assert_true(report.error <= tight);
        assert_near(pairs_rows_error(&s.rows, s.r, s.v), report.error, 1e-12);
        free_stages(&s);
    }
}

/* From the solution of a problem that is nearly the same, a few factors are enough. */
static void newton_is_quick_nearby(void **state)
{
    (void)state;
    static pile p;
    for (int plane = 0; plane < 2; plane++) {
        make_pile(&p, 17, plane, 10, 0.3);
        carom_pairs_solver *solver = new_solver(NULL, tight);
        carom_solve_report report = carom_pairs_solve(solver, &p.problem, p.r, p.velocity);
        check_solved(&report, &p);
        report = carom_pairs_solve(solver, &p.problem, p.r, p.velocity);
        assert_int_equal(report.iterations, 0);
        for (int i = 0; i < 3 * p.problem.contacts; i++)
            p.q[i] *= 1.0 + 1e-6 * cos(i);
        report = carom_pairs_solve(solver, &p.problem, p.r, p.velocity);
        check_solved(&report, &p);
        assert_true(report.inner_iterations <= 12);
        carom_pairs_solver_free(solver);
    }
}

/* ---- what must not matter ------------------------------------------------------------------------------ */

static void units_do_not_matter(void **state)
{
    (void)state;
    static pile p, scaled;
    for (int plane = 0; plane < 2; plane++) {
        make_pile(&p, 23, plane, 5, 0.1);
        const carom_solve_report report = solve(NULL, &p);
        check_solved(&report, &p);
        make_pile(&scaled, 23, plane, 5, 0.1);
        const double heavier = 1024.0; /* a power of two: the same bits */
        for (int i = 0; i < scaled.problem.bodies; i++)
            scaled.inverse_mass[i] /= heavier;
        for (int i = 0; i < scaled.problem.contacts; i++)
            for (int k = 0; k < 18; k++)
                (&scaled.row[i].answer[0][0])[k] /= heavier;
        const carom_solve_report other = solve(NULL, &scaled);
        check_solved(&other, &scaled);
        assert_int_equal(other.iterations, report.iterations);
        for (int i = 0; i < 3 * p.problem.contacts; i++)
            assert_near(scaled.r[i], heavier * p.r[i], 1e-12 * heavier);
        assert_true(largest_difference(6 * p.problem.bodies, p.velocity, scaled.velocity) < 1e-12);
    }
}

static void numbers_do_not_matter(void **state)
{
    (void)state;
    static pile p, turned;
    for (int plane = 0; plane < 2; plane++) {
        make_pile(&p, 29, plane, 5, 0.05);
        const int bodies = p.problem.bodies, contacts = p.problem.contacts;
        const carom_solve_report report = solve(NULL, &p);
        check_solved(&report, &p);
        turned = p;
        turned.problem.row = turned.row;
        turned.problem.inverse_mass = turned.inverse_mass;
        turned.problem.q = turned.q;
        for (int i = 0; i < bodies; i++)
            turned.inverse_mass[bodies - 1 - i] = p.inverse_mass[i];
        for (int i = 0; i < contacts; i++) {
            carom_pair_rows *row = &turned.row[contacts - 1 - i];
            *row = p.row[i];
            for (int side = 0; side < 2; side++)
                if (row->body[side] >= 0)
                    row->body[side] = bodies - 1 - row->body[side];
            memcpy(turned.q + 3 * (ptrdiff_t)(contacts - 1 - i), p.q + 3 * (ptrdiff_t)i, 3 * sizeof *p.q);
        }
        const carom_solve_report other = solve(NULL, &turned);
        check_solved(&other, &turned);
        for (int i = 0; i < bodies; i++)
            assert_true(largest_difference(6, p.velocity + 6 * (ptrdiff_t)i,
                                           turned.velocity + 6 * (ptrdiff_t)(bodies - 1 - i)) < 1e-7);
    }
}

/* A solver that has seen other problems finds the same bits as a new one. */
static void the_past_does_not_matter(void **state)
{
    (void)state;
    static pile p, other;
    for (int plane = 0; plane < 2; plane++) {
        make_pile(&p, 31, plane, 7, 0.4);
        make_pile(&other, 37, !plane, 12, 0.6);
        double r[3 * PILE_CONTACTS];
        solve(NULL, &p);
        memcpy(r, p.r, sizeof r);
        carom_pairs_solver *solver = new_solver(NULL, tight);
        carom_pairs_solve(solver, &other.problem, other.r, other.velocity);
        memset(p.r, 0, sizeof p.r);
        const carom_solve_report report = carom_pairs_solve(solver, &p.problem, p.r, p.velocity);
        check_solved(&report, &p);
        assert_memory_equal(p.r, r, sizeof r);
        carom_pairs_solver_free(solver);
    }
}

/* Impulses of a hard impact as start, and velocities of the size of their rounding: bodies that fly on side by side. */
static void large_starts_do_not_hide_small_velocities(void **state)
{
    (void)state;
    static pile p;
    carom_random random = {61};
    for (int k = 0; k < 200; k++) {
        make_pile(&p, 60 + (uint64_t)k, true, 1, 0.5);
        p.problem.contacts = 1;
        p.q[0] = -1e-16 * carom_random_uniform(&random, 0.0, 1.0);
        p.q[1] = carom_random_uniform(&random, -1e-16, 1e-16);
        p.q[2] = 0.0;
        p.r[0] = carom_random_uniform(&random, 0.0, 1.0);
        p.r[1] = p.r[0] * carom_random_uniform(&random, -0.5, 0.5);
        p.r[2] = 0.0;
        carom_pairs_solver *solver = new_solver(NULL, tight);
        const carom_solve_report report = carom_pairs_solve(solver, &p.problem, p.r, p.velocity);
        check_solved(&report, &p);
        carom_pairs_solver_free(solver);
    }
}

/* ---- without a solution -------------------------------------------------------------------------------- */

static void contacts_that_nothing_moves_are_told(void **state)
{
    (void)state;
    static pile p;
    make_pile(&p, 41, true, 3, 0.3);
    p.row[5].body[0] = p.row[5].body[1] = -1;
    p.q[15] = -1.0;
    carom_solve_report report = solve(NULL, &p);
    assert_int_equal(report.status, CAROM_FAILED);
    assert_int_equal(report.word, CAROM_SOLVE_INFEASIBLE);
    assert_true(report.error > 0.01 && isfinite(report.error));

    make_pile(&p, 41, true, 1, 0.3);
    p.problem.contacts = 1;
    p.row[0].body[0] = p.row[0].body[1] = -1;
    p.q[0] = -1.0;
    report = solve(NULL, &p);
    assert_int_equal(report.status, CAROM_FAILED);
    assert_int_equal(report.word, CAROM_SOLVE_INFEASIBLE);
}

/* A body between two walls that come nearer. */
static void a_vice_is_told(void **state)
{
    (void)state;
    static pile p;
    carom_random random = {43};
    make_pile(&p, 43, true, 1, 0.3);
    p.problem.contacts = 0;
    p.problem.bodies = 1;
    pile_touch(&p, &random, 0, -1, 1.0, 0.0, 0.0, 0.0);
    pile_touch(&p, &random, 0, -1, -1.0, 0.0, 0.0, 0.0);
    memset(p.q, 0, sizeof p.q);
    p.q[0] = p.q[3] = -1.0;
    const carom_solve_report report = solve(NULL, &p);
    assert_int_equal(report.status, CAROM_FAILED);
    assert_int_not_equal(report.word, CAROM_SOLVE_OK);
    assert_true(report.error > 0.1);
}

/* What is no number is told at once; without velocities there are no impulses, whatever the start. */
static void strange_velocities_are_answered(void **state)
{
    (void)state;
    static pile p;
    make_pile(&p, 53, false, 4, 0.3);
    p.q[7] = NAN;
    carom_solve_report report = solve(NULL, &p);
    assert_int_equal(report.status, CAROM_FAILED);
    assert_true(isinf(report.error));
    memset(p.q, 0, sizeof p.q);
    for (int i = 0; i < 3 * p.problem.contacts; i++)
        p.r[i] = 1.0;
    carom_pairs_solver *solver = new_solver(NULL, tight);
    report = carom_pairs_solve(solver, &p.problem, p.r, p.velocity);
    assert_int_equal(report.status, CAROM_OK);
    assert_true(carom_largest(3 * p.problem.contacts, p.r) == 0.0);
    carom_pairs_solver_free(solver);
}

static void iterations_are_limited(void **state)
{
    (void)state;
    static pile p;
    carom_pairs_solver *solver;
    make_pile(&p, 47, true, 8, 0.5);
    const int most[] = {3, 8}; /* sweeps; Newton's method, which ends an inner problem */
    for (int k = 0; k < 2; k++) {
        const carom_solver_options limits = {.tolerance = 1e-12, .max_iterations = most[k]};
        memset(p.r, 0, sizeof p.r);
        assert_int_equal(carom_pairs_solver_create(NULL, &limits, &solver, NULL), CAROM_OK);
        const carom_solve_report report = carom_pairs_solve(solver, &p.problem, p.r, p.velocity);
        assert_int_equal(report.word, CAROM_SOLVE_ITERATIONS);
        assert_int_equal(report.status, CAROM_FAILED);
        assert_in_range(report.iterations, most[k], most[k] + 6);
        carom_pairs_solver_free(solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(piles_are_solved),
        cmocka_unit_test(the_motion_is_that_of_other_solvers),
        cmocka_unit_test(sweeps_lead_to_the_solution),
        cmocka_unit_test(newton_leads_to_the_solution),
        cmocka_unit_test(newton_is_quick_nearby),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(numbers_do_not_matter),
        cmocka_unit_test(the_past_does_not_matter),
        cmocka_unit_test(large_starts_do_not_hide_small_velocities),
        cmocka_unit_test(contacts_that_nothing_moves_are_told),
        cmocka_unit_test(a_vice_is_told),
        cmocka_unit_test(strange_velocities_are_answered),
        cmocka_unit_test(iterations_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
