/* The interior-point method by itself: the step of one contact against its equations, piles against their law and
 * against Newton's method. */
#include "contact/coulomb/pairs/pairs_interior.h"
#include "contact/coulomb/pairs/pairs_newton.h"
#include "contact/coulomb/pairs/pairs_system.h"
#include "sample_piles.h"
#include "test/near.h"

static const double tight = 1e-9;

/* Random points inside. */
typedef struct point {
    double mu, theta, x[4], y[4], rest[4], target[4], du[2];
} point;

static point make_point(carom_random *random)
{
    point p = {.mu = carom_random_uniform(random, 0.1, 1.0), .theta = carom_random_uniform(random, 0.0, 1.0)};
    for (int k = 0; k < 4; k++) {
        p.x[k] = carom_random_uniform(random, 0.01, 2.0);
        p.y[k] = carom_random_uniform(random, 0.01, 2.0);
        p.rest[k] = carom_random_uniform(random, -1.0, 1.0);
        p.target[k] = carom_random_uniform(random, -1.0, 1.0);
    }
    p.du[0] = carom_random_uniform(random, -1.0, 1.0);
    p.du[1] = carom_random_uniform(random, -1.0, 1.0);
    return p;
}

static void a_step_solves_its_equations(void **state)
{
    (void)state;
    carom_random random = {5};
    for (int time = 0; time < 200; time++) {
        const point p = make_point(&random);
        double dx[4], dy[4];
        pairs_interior_step(p.mu, p.theta, p.x, p.y, p.rest, p.target, p.du, dx, dy);
        for (int k = 0; k < 4; k++)
            assert_near(p.x[k] * dy[k] + p.y[k] * dx[k], p.target[k], 1e-9);
        const double shift = pairs_interior_shift;
        assert_near(dy[0], p.rest[0] + p.du[0] - p.theta * p.mu * dx[3] + shift * dx[0], 1e-9);
        assert_near(dy[1], p.rest[1] + p.du[1] + dx[3] + shift * dx[1], 1e-9);
        assert_near(dy[2], p.rest[2] - p.du[1] + dx[3] + shift * dx[2], 1e-9);
        assert_near(dy[3], p.rest[3] + p.mu * dx[0] - dx[1] - dx[2], 1e-9);
    }
}

/* D is how the impulse of a step changes with the velocity; the convex problem has a symmetric one. */
static void the_answer_is_that_of_the_step(void **state)
{
    (void)state;
    carom_random random = {6};
    for (int time = 0; time < 200; time++) {
        const point p = make_point(&random);
        double D[4], dx[2][4], dy[4];
        pairs_interior_answer(p.mu, p.theta, p.x, p.y, D);
        pairs_interior_step(p.mu, p.theta, p.x, p.y, p.rest, p.target, (const double[2]){0.0, 0.0}, dx[0],
                            dy);
        pairs_interior_step(p.mu, p.theta, p.x, p.y, p.rest, p.target, p.du, dx[1], dy);
        const double scale = 1.0 + fabs(D[0]) + fabs(D[3]);
        assert_near(dx[1][0] - dx[0][0], -D[0] * p.du[0] - D[1] * p.du[1], 1e-11 * scale);
        assert_near(dx[1][1] - dx[1][2] - dx[0][1] + dx[0][2], -D[2] * p.du[0] - D[3] * p.du[1],
                    1e-11 * scale);
        pairs_interior_answer(p.mu, 1.0, p.x, p.y, D);
        assert_near(D[1], D[2], 1e-12 * (1.0 + fabs(D[2])));
        assert_true(D[0] > 0.0 && D[0] * D[3] - D[1] * D[2] > 0.0);
    }
}

/* ---- piles --------------------------------------------------------------------------------------------- */

typedef struct stages {
    pairs_rows rows;
    pairs_interior interior;
    pairs_newton newton;
    double r[3 * PILE_CONTACTS], v[6 * (PILE_BODIES + 1)];
} stages;

static void take_stages(stages *s, const pile *p)
{
    memset(s, 0, sizeof *s);
    assert_true(pairs_rows_take(&s->rows, &p->problem, carom_pairs_scale(&p->problem)));
    assert_true(pairs_newton_take(&s->newton, &s->rows));
    assert_true(pairs_interior_knows(&s->rows));
    assert_true(pairs_interior_take(&s->interior, &s->rows, &s->newton.system));
}

static void free_stages(stages *s)
{
    pairs_rows_free(&s->rows);
    pairs_newton_free(&s->newton);
    pairs_interior_free(&s->interior);
}

static pairs_interior_report solve_inside(stages *s, int attempt, int steps)
{
    pairs_rows_motion(&s->rows, s->r, s->v);
    pairs_interior_report report = {.error = pairs_rows_error(&s->rows, s->r, s->v)};
    pairs_interior_solve(&s->interior,
                         &(pairs_interior_limits){.tolerance = tight, .attempt = attempt, .steps = steps},
                         s->r, s->v, &report);
    assert_near(pairs_rows_error(&s->rows, s->r, s->v), report.error, 1e-13);
    return report;
}

/* From every start, some contacts without friction. */
static void piles_are_solved(void **state)
{
    (void)state;
    static pile p;
    static stages s;
    const double mu[] = {0.0, 0.1, 0.3, 0.5};
    for (int k = 0; k < 24; k++) {
        make_pile(&p, 500 + (uint64_t)k, true, 4 + k % 11, mu[k % 4]);
        for (int i = 0; k % 3 == 0 && i < p.problem.contacts; i += 5)
            p.row[i].mu = 0.0;
        take_stages(&s, &p);
        const pairs_interior_report report = solve_inside(&s, k % 6, 100);
        assert_true(report.error <= tight);
        assert_in_range(report.steps, 5, 60);
        free_stages(&s);
    }
}

/* The motion is unique with little friction. */
static void the_motion_is_that_of_newton(void **state)
{
    (void)state;
    static pile p;
    static stages s;
    for (int k = 0; k < 6; k++) {
        double v[6 * PILE_BODIES];
        make_pile(&p, 600 + (uint64_t)k, true, 3 + k, 0.05);
        take_stages(&s, &p);
        assert_true(solve_inside(&s, 0, 100).error <= tight);
        memcpy(v, s.v, 3 * (size_t)p.problem.bodies * sizeof *v);
        memset(s.r, 0, sizeof s.r);
        pairs_rows_motion(&s.rows, s.r, s.v);
        pairs_newton_report report = {.error = pairs_rows_error(&s.rows, s.r, s.v)};
        pairs_newton_forget(&s.newton);
        pairs_newton_solve(&s.newton, &(pairs_newton_limits){.tolerance = tight, .steps = 300}, s.r, s.v,
                           &report);
        assert_true(report.error <= tight);
        assert_all_near(3 * p.problem.bodies, v, s.v, 1e-6);
        free_stages(&s);
    }
}

/* A body of mass 1 on the floor, struck by q: it sticks, or slips with the friction that it has. */
static void one_contact_has_its_closed_form(void **state)
{
    (void)state;
    const double mu = 0.3, slip[] = {0.1, 2.0};
    for (int k = 0; k < 2; k++) {
        static stages s;
        const carom_pair_rows row = {.body = {0, -1}, .mu = mu, .direction = {0, 1, 0, 1, 0, 0, 0, 0, 1}};
        const double inverse_mass = 1.0, q[3] = {-1.0, slip[k], 0.0};
        const pile p = {
            .problem = {.contacts = 1, .bodies = 1, .inverse_mass = &inverse_mass, .q = q, .plane = true}};
        pile one = p;
        one.problem.row = &row;
        take_stages(&s, &one);
        assert_true(solve_inside(&s, 1, 100).error <= tight);
        const double friction = fmin(slip[k], mu);
        assert_near(s.v[1], 1.0, 1e-8);
        assert_near(s.v[0], -friction, 1e-8);
        free_stages(&s);
    }
}

static void limits_are_kept(void **state)
{
    (void)state;
    static pile p;
    static stages s;
    make_pile(&p, 700, true, 10, 0.3);
    take_stages(&s, &p);
    const pairs_interior_report report = solve_inside(&s, 0, 3);
    assert_int_equal(report.steps, 3);
    assert_true(report.error > tight && report.error < 1.0);
    free_stages(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_solves_its_equations),
        cmocka_unit_test(the_answer_is_that_of_the_step),
        cmocka_unit_test(piles_are_solved),
        cmocka_unit_test(the_motion_is_that_of_newton),
        cmocka_unit_test(one_contact_has_its_closed_form),
        cmocka_unit_test(limits_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
