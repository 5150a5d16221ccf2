/* Contacts with rolling and torsional friction: piles, stages, what must not matter, wedges that close. */
#include "contact/coulomb/pairs/pairs_expand.h"
#include "contact/coulomb/pairs/pairs_newton.h"
#include "contact/coulomb/pairs/pairs_sweep.h"
#include "contact/coulomb/pairs_one.h"
#include "sample_moments.h"
#include "test/near.h"

static const double tight = 1e-10;

/* ---- many ----------------------------------------------------------------------------------------------- */

static carom_pairs_solver *new_solver(const char *name, double tolerance)
{
    carom_pairs_solver *solver;
    const carom_solver_ops *ops = name ? carom_solver_find(CAROM_PROBLEM_COULOMB, name, NULL) : NULL;
    assert_true(ops || !name);
    assert_int_equal(
        carom_pairs_solver_create(ops, &(carom_solver_options){.tolerance = tolerance}, &solver, NULL),
        CAROM_OK);
    return solver;
}

static carom_solve_report solve(const char *name, rolling_pile *s)
{
    carom_pairs_solver *solver = new_solver(name, tight);
    memset(s->r, 0, sizeof s->r);
    const carom_solve_report report = carom_pairs_solve(solver, &s->p.problem, s->r, s->p.velocity);
    carom_pairs_solver_free(solver);
    return report;
}

/* The error is what the function says, which is written out here; every moment and every friction is against its
 * velocity, and within its bound. */
static void check_solved(const carom_solve_report *report, const rolling_pile *s)
{
    const carom_pairs *problem = &s->p.problem;
    const int n = problem->contacts;
    const double scale = carom_pairs_scale(problem);
    double sum = 0.0, size = 0.0;
    assert_int_equal(report->status, CAROM_OK);
    assert_true(report->error <= tight);
    for (int i = 0; i < n; i++) {
        const carom_pair_spin *spin = &s->spin[i];
        const double *r = s->r + 3 * (ptrdiff_t)i, *m = s->r + 3 * (ptrdiff_t)(n + i);
        double u[6], z[6], p[6];
        carom_pairs_velocity(problem, i, s->p.velocity, u);
        carom_pairs_spin_velocity(problem, i, s->p.velocity, u + 3);
        const double slack = 1e-8;
        assert_true(r[0] >= -slack);
        assert_true(hypot(r[1], r[2]) <= problem->row[i].mu * r[0] + slack);
        assert_true(hypot(m[0], m[1]) <= spin->rolling * r[0] + slack);
        assert_true(fabs(m[2]) <= spin->torsion * r[0] + slack);
        assert_true(u[1] * r[1] + u[2] * r[2] <= slack);
        assert_true(u[3] * m[0] + u[4] * m[1] <= slack);
        assert_true(u[5] * m[2] <= slack);
        for (int k = 0; k < 6; k++) {
            z[k] = scale * (k < 3 ? r[k] : m[k - 3]);
            const double q = s->q[k < 3 ? 3 * i + k : 3 * (n + i) + k - 3];
            size += q * q;
        }
        double moved[6], own = 0.0;
        for (int k = 0; k < 6; k++)
            moved[k] = z[k] - u[k];
        moved[0] -= problem->row[i].mu * hypot(u[1], u[2]) + spin->rolling * hypot(u[3], u[4]) +
                    spin->torsion * fabs(u[5]);
        pairs_cone_project(6, 6, (const double[3]){problem->row[i].mu, spin->rolling, spin->torsion}, moved,
                           p);
        for (int k = 0; k < 6; k++)
            own += (z[k] - p[k]) * (z[k] - p[k]);
        const double normal = fmin(z[0], u[0]);
        sum += fmax(own, normal * normal);
    }
    assert_near(sqrt(sum / size), report->error, 1e-13);
}

static void piles_are_solved(void **state)
{
    (void)state;
    static rolling_pile s;
    const double mu[] = {0.0, 0.1, 0.4, 0.9}, rolling[] = {0.0, 0.02, 0.1, 0.3}, torsion[] = {0.05, 0.0, 0.2};
    int rolls = 0;
    for (int k = 0; k < 60; k++) {
        make_rolling_pile(&s, 100 + (uint64_t)k, k % 2 == 0, 1 + k % 12, mu[k / 2 % 4], rolling[k / 3 % 4],
                          torsion[k % 3]);
        const carom_solve_report report = solve(NULL, &s);
        check_solved(&report, &s);
        rolls += carom_largest(3 * s.p.problem.contacts, s.r + 3 * (ptrdiff_t)s.p.problem.contacts) > 0.0;
    }
    assert_true(rolls >= 35);
}

/* Without coefficients moments are not there. */
static void without_coefficients_nothing_changes(void **state)
{
    (void)state;
    static rolling_pile s;
    for (int plane = 0; plane < 2; plane++) {
        make_rolling_pile(&s, 61, plane, 4, 0.1, 0.0, 0.0);
        double velocity[6 * PILE_BODIES];
        carom_solve_report report = solve(NULL, &s);
        check_solved(&report, &s);
        memcpy(velocity, s.p.velocity, sizeof velocity);
        assert_true(carom_largest(3 * s.p.problem.contacts, s.r + 3 * (ptrdiff_t)s.p.problem.contacts) ==
                    0.0);
        s.p.problem.spin = NULL;
        report = solve(NULL, &s);
        assert_int_equal(report.status, CAROM_OK);
        assert_true(largest_difference(6 * s.p.problem.bodies, velocity, s.p.velocity) < 1e-7);
    }
}

/* Solvers of three numbers per contact, which see moments as contacts. The motion is unique with little friction. */
static void the_motion_is_that_of_other_solvers(void **state)
{
    (void)state;
    static rolling_pile s;
    static const char *const name[] = {"PPA-NSN-AC-GP", "NSGS-EXACT", "NSGS-AC"};
    for (int k = 0; k < 12; k++) {
        double velocity[6 * PILE_BODIES];
        make_rolling_pile(&s, 200 + (uint64_t)k, k % 2 == 0, 1 + k % 4, k % 4 < 2 ? 0.0 : 0.05, 0.02, 0.03);
        carom_solve_report report = solve(NULL, &s);
        check_solved(&report, &s);
        memcpy(velocity, s.p.velocity, sizeof velocity);
        report = solve(name[k % 3], &s);
        check_solved(&report, &s);
        assert_true(largest_difference(6 * s.p.problem.bodies, velocity, s.p.velocity) < 1e-7);
    }
}

/* ---- stages by themselves ------------------------------------------------------------------------------- */

typedef struct stages {
    pairs_rows rows;
    pairs_sweep sweeps;
    pairs_newton newton;
    double r[6 * PILE_CONTACTS], v[6 * (PILE_BODIES + 1)];
} stages;

static void take_stages(stages *t, const rolling_pile *s)
{
    memset(t, 0, sizeof *t);
    assert_true(pairs_rows_take(&t->rows, &s->p.problem, carom_pairs_scale(&s->p.problem)));
    assert_true(pairs_sweep_take(&t->sweeps, &t->rows));
    assert_true(pairs_newton_take(&t->newton, &t->rows));
}

static void free_stages(stages *t)
{
    pairs_rows_free(&t->rows);
    pairs_sweep_free(&t->sweeps);
    pairs_newton_free(&t->newton);
}

/* Packed rows move and measure as the problem does. */
static void rows_are_those_of_the_problem(void **state)
{
    (void)state;
    static rolling_pile s;
    static stages t;
    carom_random random = {31};
    for (int plane = 0; plane < 2; plane++) {
        double back[6 * PILE_CONTACTS];
        make_rolling_pile(&s, 301, plane, 4, 0.3, 0.1, 0.2);
        take_stages(&t, &s);
        const int n = s.p.problem.contacts;
        fill(&random, 6 * n, -0.5, 1.0, s.r);
        for (int i = 0; plane && i < n; i++)
            s.r[3 * i + 2] = s.r[3 * (n + i) + 1] = s.r[3 * (n + i) + 2] = 0.0;
        pairs_rows_pack(&t.rows, s.r, t.r);
        pairs_rows_unpack(&t.rows, t.r, back);
        assert_true(largest_difference(6 * n, s.r, back) < 1e-15);
        pairs_rows_motion(&t.rows, t.r, t.v);
        carom_pairs_motion(&s.p.problem, s.r, s.p.velocity);
        for (int i = 0; i < s.p.problem.bodies; i++)
            for (int k = 0; k < 6; k++) {
                const int own = plane ? (k == 5 ? 2 : k < 2 ? k : -1) : k;
                if (own >= 0)
                    assert_near(t.v[t.rows.s * i + own],
                                s.p.velocity[6 * i + k] * (k < 3 ? 1.0 : t.rows.length), 1e-12);
                else
                    assert_true(s.p.velocity[6 * i + k] == 0.0);
            }
        const double error =
            carom_pairs_error(&s.p.problem, carom_pairs_scale(&s.p.problem), s.r, s.p.velocity);
        assert_true(error > 0.1);
        assert_near(pairs_rows_error(&t.rows, t.r, t.v), error, 1e-12 * error);
        free_stages(&t);
    }
}

static void stages_lead_to_the_solution(void **state)
{
    (void)state;
    static rolling_pile s;
    static stages t;
    for (int k = 0; k < 8; k++) {
        make_rolling_pile(&s, 400 + (uint64_t)k, k % 2 == 0, k < 4 ? 2 : 8, 0.2, 0.05, 0.1);
        take_stages(&t, &s);
        if (k < 4) {
            for (int sweep = 0; sweep < 3000 && pairs_rows_error(&t.rows, t.r, t.v) > tight; sweep++)
                pairs_sweep_once(&t.sweeps, sweep % 2 != 0, t.r, t.v);
        } else {
            pairs_newton_report report = {.error = pairs_rows_error(&t.rows, t.r, t.v)};
            pairs_newton_solve(&t.newton, &(pairs_newton_limits){.tolerance = tight, .steps = 300}, t.r, t.v,
                               &report);
        }
        assert_true(pairs_rows_error(&t.rows, t.r, t.v) <= tight);
        free_stages(&t);
    }
}

/* ---- what must not matter ------------------------------------------------------------------------------- */

/* Heavier bodies and a longer length of spins: the same motion. */
static void units_do_not_matter(void **state)
{
    (void)state;
    static rolling_pile s, other;
    for (int plane = 0; plane < 2; plane++) {
        make_rolling_pile(&s, 23, plane, 4, 0.1, 0.05, 0.02);
        carom_solve_report report = solve(NULL, &s);
        check_solved(&report, &s);
        other = s;
        bind_pile(&other);
        const double heavier = 1024.0;
        for (int i = 0; i < s.p.problem.bodies; i++)
            other.p.inverse_mass[i] /= heavier;
        for (int i = 0; i < s.p.problem.contacts; i++)
            for (int k = 0; k < 18; k++) {
                (&other.p.row[i].answer[0][0])[k] /= heavier;
                (&other.spin[i].answer[0][0])[k] /= heavier;
            }
        report = solve(NULL, &other);
        check_solved(&report, &other);
        assert_true(largest_difference(6 * s.p.problem.bodies, s.p.velocity, other.p.velocity) < 1e-12);
        const int n = s.p.problem.contacts;
        other = s;
        bind_pile(&other);
        for (int i = 0; i < n; i++) {
            set_spin(&other, i, 2.0 * s.spin[i].length, s.spin[i].rolling * s.spin[i].length,
                     s.spin[i].torsion * s.spin[i].length);
            for (int k = 0; k < 3; k++)
                other.q[3 * (n + i) + k] *= 2.0;
        }
        report = solve(NULL, &other);
        check_solved(&report, &other);
        assert_true(largest_difference(6 * s.p.problem.bodies, s.p.velocity, other.p.velocity) < 1e-7);
    }
}

/* Other tangents, other numbers of bodies and contacts. */
static void frames_and_numbers_do_not_matter(void **state)
{
    (void)state;
    static rolling_pile s, turned;
    for (int plane = 0; plane < 2; plane++) {
        make_rolling_pile(&s, 29, plane, 4, 0.05, 0.03, 0.02);
        const int bodies = s.p.problem.bodies, n = s.p.problem.contacts;
        carom_solve_report report = solve(NULL, &s);
        check_solved(&report, &s);
        turned = s;
        bind_pile(&turned);
        for (int i = 0; i < bodies; i++) {
            turned.p.inverse_mass[bodies - 1 - i] = s.p.inverse_mass[i];
            memcpy(turned.p.inverse_inertia[bodies - 1 - i], s.p.inverse_inertia[i], 9 * sizeof(double));
        }
        const double c = plane ? 1.0 : 0.6, a = plane ? 0.0 : 0.8;
        for (int i = 0; i < n; i++) {
            const int to = n - 1 - i;
            carom_pair_rows *row = &turned.p.row[to];
            *row = s.p.row[i];
            double *block[] = {row->direction, row->turn[0], row->turn[1], row->answer[0], row->answer[1]};
            for (int b = 0; b < 5; b++)
                for (int k = 3; k < 6; k++) {
                    const double first = block[b][k], second = block[b][3 + k];
                    block[b][k] = c * first + a * second;
                    block[b][3 + k] = c * second - a * first;
                }
            for (int side = 0; side < 2; side++)
                if (row->body[side] >= 0)
                    row->body[side] = bodies - 1 - row->body[side];
            set_spin(&turned, to, s.spin[i].length, s.spin[i].rolling * s.spin[i].length,
                     s.spin[i].torsion * s.spin[i].length);
            const double *q = s.q + 3 * (ptrdiff_t)i, *w = s.q + 3 * (ptrdiff_t)(n + i);
            const double q_turned[3] = {q[0], c * q[1] + a * q[2], c * q[2] - a * q[1]};
            const double w_turned[3] = {c * w[0] - a * w[1], c * w[1] + a * w[0], w[2]};
            memcpy(turned.q + 3 * (ptrdiff_t)to, q_turned, sizeof q_turned);
            memcpy(turned.q + 3 * (ptrdiff_t)(n + to), w_turned, sizeof w_turned);
        }
        report = solve(NULL, &turned);
        check_solved(&report, &turned);
        for (int i = 0; i < bodies; i++)
            assert_true(largest_difference(6, s.p.velocity + 6 * (ptrdiff_t)i,
                                           turned.p.velocity + 6 * (ptrdiff_t)(bodies - 1 - i)) < 1e-7);
    }
}

/* A solver that has seen other problems, with moments and without, finds the same bits; a start that is a solution stays. */
static void the_past_does_not_matter(void **state)
{
    (void)state;
    static rolling_pile s, other;
    for (int k = 0; k < 4; k++) {
        make_rolling_pile(&s, 31, k % 2, 7, 0.4, 0.1, 0.1);
        double r[6 * PILE_CONTACTS];
        solve(NULL, &s);
        memcpy(r, s.r, sizeof r);
        make_rolling_pile(&other, 37, k % 2 == k / 2, 12, 0.6, 0.1, 0.1);
        carom_pairs_solver *solver = new_solver(NULL, tight);
        if (k % 2 == 0)
            other.p.problem.spin = NULL;
        carom_pairs_solve(solver, &other.p.problem, other.r, other.p.velocity);
        memset(s.r, 0, sizeof s.r);
        carom_solve_report report = carom_pairs_solve(solver, &s.p.problem, s.r, s.p.velocity);
        check_solved(&report, &s);
        assert_memory_equal(s.r, r, sizeof r);
        report = carom_pairs_solve(solver, &s.p.problem, s.r, s.p.velocity);
        assert_int_equal(report.iterations, 0);
        assert_memory_equal(s.r, r, sizeof r);
        carom_pairs_solver_free(solver);
    }
}

/* As contacts of their own: the solution of the problem solves the expanded one, whose W is that of the problem. */
static void expanded_problems_have_the_same_solution(void **state)
{
    (void)state;
    static rolling_pile s;
    static double expanded[9 * PILE_CONTACTS], mu[3 * PILE_CONTACTS], back[6 * PILE_CONTACTS];
    for (int plane = 0; plane < 2; plane++) {
        pairs_expand expand = {0};
        pairs_blocks blocks = {0};
        make_rolling_pile(&s, 43, plane, 3, 0.2, 0.05, 0.1);
        const carom_solve_report report = solve(NULL, &s);
        check_solved(&report, &s);
        const int n = s.p.problem.contacts;
        const double scale = carom_pairs_scale(&s.p.problem);
        assert_true(pairs_expand_take(&expand, &s.p.problem));
        assert_true(expand.problem.contacts > n);
        assert_true(pairs_blocks_assemble(&blocks, &expand.problem, scale));
        pairs_expand_bind(&expand, &blocks);
        pairs_expand_impulses(&expand, scale, s.r, expanded);
        pairs_expand_reduce(&expand, scale, expanded, back);
        assert_true(largest_difference(6 * n, s.r, back) < 1e-14);
        for (int i = 0; i < expand.problem.contacts; i++)
            mu[i] = expand.problem.row[i].mu;
        const carom_coulomb coulomb = {
            .contacts = expand.problem.contacts, .W = blocks.W, .q = expand.problem.q, .mu = mu};
        assert_true(carom_coulomb_error(&coulomb, expanded) <= 10.0 * tight);
        pairs_blocks_free(&blocks);
        pairs_expand_free(&expand);
    }
}

/* One contact by itself is what the solver of all makes of it, to the last bit; with moments and without. */
static void one_contact_needs_no_solver(void **state)
{
    (void)state;
    static rolling_pile s;
    int moved = 0;
    for (int k = 0; k < 80; k++) {
        double r[6] = {0.0}, alone[6] = {0.0}, velocity[6 * PILE_BODIES];
        make_rolling_pile(&s, 500 + (uint64_t)k, k % 2 == 0, 1, k % 3 == 0 ? 0.0 : 0.5, 0.2, 0.1);
        const int n = s.p.problem.contacts;
        if (k % 5 == 4)
            s.p.problem.spin = NULL;
        else
            for (int i = 0; i < 3; i++)
                s.q[3 + i] = s.q[3 * n + i]; /* the moments of the first one */
        assert_false(coulomb_pairs_one(&s.p.problem, alone));
        s.p.problem.contacts = 1;
        carom_pairs_solver *solver = new_solver(NULL, tight);
        const carom_solve_report report = carom_pairs_solve(solver, &s.p.problem, r, velocity);
        carom_pairs_solver_free(solver);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        assert_true(coulomb_pairs_one(&s.p.problem, alone));
        assert_memory_equal(r, alone, sizeof r);
        moved += r[0] > 0.0;
    }
    assert_true(moved > 20);
}

/* ---- wedges that close ---------------------------------------------------------------------------------- */

/* A disc between two planes, which are `slope` from parallel and come nearer by `closing` together: it cannot give way as they are
 * within its cones of friction, and nothing solves the problem. */
static void make_wedge(rolling_pile *s, double slope, double mu, double rolling, double closing)
{
    const double v[6] = {0.3, -0.8, 0.0, 0.0, 0.0, 0.5}, radius = 0.5;
    memset(s, 0, sizeof *s);
    s->p.problem.plane = true;
    s->p.problem.bodies = 1;
    s->p.problem.contacts = 2;
    s->p.inverse_mass[0] = 1.0;
    s->p.inverse_inertia[0][0] = s->p.inverse_inertia[0][4] = s->p.inverse_inertia[0][8] = 8.0;
    for (int i = 0; i < 2; i++) {
        carom_pair_rows *row = &s->p.row[i];
        const double n[3] = {i == 0 ? cos(slope) : -cos(slope), sin(slope), 0.0};
        *row = (carom_pair_rows){.body = {0, -1}, .mu = mu};
        pile_frame(true, n, row->direction);
        for (int k = 0; k < 2; k++) {
            const double *d = row->direction + 3 * (ptrdiff_t)k;
            row->turn[0][3 * k + 2] = -radius * (n[0] * d[1] - n[1] * d[0]);
            row->answer[0][3 * k + 2] = 8.0 * row->turn[0][3 * k + 2];
        }
        set_spin(s, i, 0.4, rolling, 0.0);
    }
    bind_pile(s);
    for (int i = 0; i < 2; i++) {
        double u[3];
        carom_pairs_velocity(&s->p.problem, i, v, u);
        memcpy(s->q + 3 * (ptrdiff_t)i, u, 2 * sizeof *u);
        carom_pairs_spin_velocity(&s->p.problem, i, v, u);
        s->q[6 + 3 * i] = u[0];
    }
    for (int i = 0; i < 2; i++)
        s->q[3 * i] -= 0.5 * closing;
}

/* The least error: both contacts approach by x and slip by z = t x, of which a closing takes 2 (1 + t tan(slope)) x, with t as large
 * as is not seen in max(x^2, (x - mu z)^2 + z^2), 2 mu / (1 + mu^2). Rolling spins are left out, which could do still less. */
static void wedges_have_the_least_error(void **state)
{
    (void)state;
    static rolling_pile s;
    const double mu[] = {0.4, 0.5, 0.8};
    for (int k = 0; k < 9; k++) {
        const double slope = 0.2 + 0.05 * (k % 3), closing = 1e-8, m = mu[k / 3];
        make_wedge(&s, slope, m, 0.05, closing);
        const double q_size = sqrt(carom_dot(12, s.q, s.q));
        const double x = 0.5 * closing / (1.0 + tan(slope) * 2.0 * m / (1.0 + m * m));
        const double least = sqrt(2.0) * x / q_size;
        carom_pairs_solver *solver;
        assert_int_equal(carom_pairs_solver_create(NULL, &(carom_solver_options){.tolerance = 1.01 * least},
                                                   &solver, NULL),
                         CAROM_OK);
        const carom_solve_report report = carom_pairs_solve(solver, &s.p.problem, s.r, s.p.velocity);
        carom_pairs_solver_free(solver);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        assert_true(report.error <= 1.01 * least && report.error > 0.95 * least);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(piles_are_solved),
        cmocka_unit_test(without_coefficients_nothing_changes),
        cmocka_unit_test(the_motion_is_that_of_other_solvers),
        cmocka_unit_test(rows_are_those_of_the_problem),
        cmocka_unit_test(stages_lead_to_the_solution),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(frames_and_numbers_do_not_matter),
        cmocka_unit_test(the_past_does_not_matter),
        cmocka_unit_test(expanded_problems_have_the_same_solution),
        cmocka_unit_test(one_contact_needs_no_solver),
        cmocka_unit_test(wedges_have_the_least_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
