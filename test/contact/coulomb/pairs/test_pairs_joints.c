/* Piles whose bodies are linked by joints: what the joints do is compared with a full S, results with the solvers of a full W. */
#include "contact/coulomb/pairs/pairs_joints.h"
#include "sample_piles.h"
#include "test/base/sanitized.h"
#include "test/near.h"

enum {
    MOST_JOINTS = 6 * PILE_BODIES,
    SMALL_BODIES = 3 * PILE_WIDTH
};
static const double tight = 1e-10;

typedef struct linked_pile {
    pile pile;
    carom_pair_joint joint[MOST_JOINTS];
    double S[MOST_JOINTS * MOST_JOINTS]; /* the factor of the full matrix */
    int count;                           /* equations of S */
} linked_pile;

static void set_row(linked_pile *p, carom_pair_joint *joint, int side, const double row[6])
{
    const int body = joint->body[side];
    memcpy(joint->row[side], row, sizeof joint->row[side]);
    for (int k = 0; k < 3; k++) {
        joint->answer[side][k] = p->pile.inverse_mass[body] * row[k];
        joint->answer[side][3 + k] = carom_dot(3, p->pile.inverse_inertia[body] + 3 * (ptrdiff_t)k, row + 3);
    }
}

/* Bodies a and b (-1: the ground) share a point: two or three equations. */
static void add_ball(linked_pile *p, carom_random *random, int a, int b)
{
    double arm[2][3];
    for (int k = 0; k < 6; k++)
        arm[k / 3][k % 3] =
            p->pile.problem.plane && k % 3 == 2 ? 0.0 : carom_random_uniform(random, -0.5, 0.5);
    for (int i = 0; i < (p->pile.problem.plane ? 2 : 3); i++) {
        carom_pair_joint *joint = &p->joint[p->pile.problem.joints++];
        *joint = (carom_pair_joint){.body = {a, b}};
        for (int side = 0; side < 2; side++) {
            const double sign = side == 0 ? 1.0 : -1.0, *r = arm[side];
            double row[6] = {0.0};
            row[i] = sign; /* e_i, and r x e_i */
            row[3 + (i + 1) % 3] = sign * r[(i + 2) % 3];
            row[3 + (i + 2) % 3] = -sign * r[(i + 1) % 3];
            if (p->pile.problem.plane)
                row[3] = row[4] = 0.0;
            if (joint->body[side] >= 0)
                set_row(p, joint, side, row);
        }
    }
}

static double rate_of(const carom_pair_joint *joint, const double *v)
{
    double sum = 0.0;
    for (int side = 0; side < 2; side++)
        if (joint->body[side] >= 0)
            sum += carom_dot(6, joint->row[side], v + 6 * (ptrdiff_t)joint->body[side]);
    return sum;
}

static void push_joint(const carom_pair_joint *joint, double impulse, double *v)
{
    for (int side = 0; side < 2; side++)
        if (joint->body[side] >= 0)
            carom_axpy(6, impulse, joint->answer[side], v + 6 * (ptrdiff_t)joint->body[side]);
}

/* The factor of the full S of the first `count` equations. */
static void factor_S(linked_pile *p, int count)
{
    static double v[6 * PILE_BODIES];
    p->count = count;
    for (int j = 0; j < count; j++) {
        memset(v, 0, sizeof v);
        push_joint(&p->joint[j], 1.0, v);
        for (int i = 0; i < count; i++)
            p->S[i * count + j] = rate_of(&p->joint[i], v);
    }
    assert_int_equal(carom_cholesky_factor(count, p->S), 0);
}

static void obey_full(const linked_pile *p, double *v)
{
    double rest[MOST_JOINTS];
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < p->count; i++)
            rest[i] = rate_of(&p->joint[i], v);
        carom_cholesky_solve(p->count, p->S, rest);
        for (int i = 0; i < p->count; i++)
            push_joint(&p->joint[i], -rest[i], v);
    }
}

/* A pile whose bodies are linked in chains along its rows, the first body of the first row with the ground; q is that of a fall that the
 * joints allow. With `again` some equations come twice. */
static void make_linked(linked_pile *p, uint64_t seed, bool plane, int layers, double mu, bool again)
{
    carom_random random = {seed};
    double v[6 * PILE_BODIES];
    make_pile(&p->pile, seed, plane, layers, mu);
    carom_pairs *problem = &p->pile.problem;
    problem->joint = p->joint;
    add_ball(p, &random, 0, -1);
    for (int i = 1; i < problem->bodies; i++)
        if (i % PILE_WIDTH != 0)
            add_ball(p, &random, i - 1, i);
    factor_S(p, problem->joints);
    for (int i = 0; again && i < 10; i++) {
        p->joint[problem->joints] = p->joint[3 * i];
        if (i % 2 == 0) { /* the other way round, and larger */
            carom_pair_joint *joint = &p->joint[problem->joints];
            *joint = (carom_pair_joint){.body = {p->joint[3 * i].body[1], p->joint[3 * i].body[0]}};
            for (int side = 0; side < 2; side++) {
                carom_axpy(6, 7.0, p->joint[3 * i].row[1 - side], joint->row[side]);
                carom_axpy(6, 7.0, p->joint[3 * i].answer[1 - side], joint->answer[side]);
            }
        }
        problem->joints++;
    }
    for (int i = 0; i < 6 * problem->bodies; i++)
        v[i] = plane && i % 6 >= 2 && i % 6 <= 4
                   ? 0.0
                   : carom_random_uniform(&random, -0.2, 0.2) - (i % 6 == 1 ? 1.0 : 0.0);
    obey_full(p, v);
    memset(p->pile.q, 0, sizeof p->pile.q);
    for (int i = 0; i < problem->contacts; i++) {
        double u[3];
        carom_pairs_velocity(problem, i, v, u);
        memcpy(p->pile.q + 3 * (ptrdiff_t)i, u, sizeof u);
    }
}

static carom_solve_report solve(linked_pile *p)
{
    carom_pairs_solver *solver;
    assert_int_equal(
        carom_pairs_solver_create(NULL, &(carom_solver_options){.tolerance = tight}, &solver, NULL),
        CAROM_OK);
    memset(p->pile.r, 0, sizeof p->pile.r);
    const carom_solve_report report =
        carom_pairs_solve(solver, &p->pile.problem, p->pile.r, p->pile.velocity);
    carom_pairs_solver_free(solver);
    return report;
}

static double largest_difference(int n, const double *a, const double *b)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

/* P with S in blocks is that with a full S, its own square, and symmetric in the metric of M. */
static void motions_obey(void **state)
{
    (void)state;
    static linked_pile p;
    for (int k = 0; k < 8; k++) {
        pairs_joints joints = {0};
        double room[6 * (PILE_BODIES + 1)], v[6 * PILE_BODIES], full[6 * PILE_BODIES], twice[6 * PILE_BODIES];
        carom_random random = {7 + (uint64_t)k};
        make_linked(&p, 20 + (uint64_t)k, k % 2 == 0, 2 + k, 0.3, k % 3 == 0);
        const int n = 6 * p.pile.problem.bodies;
        for (int i = 0; i < n; i++)
            v[i] = full[i] =
                k % 2 == 0 && i % 6 >= 2 && i % 6 <= 4 ? 0.0 : carom_random_uniform(&random, -1.0, 1.0);
        assert_true(pairs_joints_take(&joints, &p.pile.problem));
        pairs_joints_obey_six(&joints, v, room);
        obey_full(&p, full);
        assert_true(largest_difference(n, v, full) < 1e-12);
        for (int i = 0; i < p.pile.problem.joints; i++)
            assert_true(fabs(rate_of(&p.joint[i], v)) < 1e-12);
        memcpy(twice, v, sizeof v);
        pairs_joints_obey_six(&joints, twice, room);
        assert_true(largest_difference(n, v, twice) < 1e-13);
        pairs_joints_free(&joints);
    }
}

/* The velocity of the result is that of its impulses, by the full S, and has the error that is told. */
static void results_are_checked(void **state)
{
    (void)state;
    static linked_pile p;
    const double mu[2][4] = {{0.0, 0.1, 0.4, 0.9}, {0.0, 0.1, 0.4, 0.5}}; /* in the plane, in space */
    for (int k = 0; k < 32; k += SANITIZED ? 3 : 1) {
        double v[6 * PILE_BODIES];
        make_linked(&p, 100 + (uint64_t)k, k % 2 == 0, 1 + k % 12, mu[k % 2][k / 2 % 4], k % 5 == 0);
        const carom_pairs *problem = &p.pile.problem;
        const carom_solve_report report = solve(&p);
        assert_int_equal(report.status, CAROM_OK);
        carom_pairs_motion(problem, p.pile.r, v);
        obey_full(&p, v);
        assert_true(largest_difference(6 * problem->bodies, v, p.pile.velocity) < 1e-11);
        assert_true(carom_pairs_error(problem, carom_pairs_scale(problem), p.pile.r, v) <= 2.0 * tight);
    }
}

/* W as it is, column by column, for the solvers of it. */
static void solve_full(linked_pile *p, double *velocity)
{
    static double block[9 * PILE_CONTACTS * PILE_CONTACTS], q[3 * PILE_CONTACTS], mu[PILE_CONTACTS],
        r[3 * PILE_CONTACTS];
    static int start[PILE_CONTACTS + 1], column[PILE_CONTACTS * PILE_CONTACTS], diagonal[PILE_CONTACTS];
    carom_pairs problem = p->pile.problem;
    const int n = problem.contacts;
    memcpy(q, p->pile.q, sizeof q);
    memset(p->pile.q, 0, sizeof p->pile.q);
    for (int j = 0; j < 3 * n; j++) {
        memset(r, 0, sizeof r);
        r[j] = 1.0;
        carom_pairs_motion(&problem, r, velocity);
        obey_full(p, velocity);
        for (int i = 0; i < n; i++) {
            double u[3];
            carom_pairs_velocity(&problem, i, velocity, u);
            for (int k = 0; k < 3; k++)
                block[9 * (i * n + j / 3) + 3 * k + j % 3] =
                    problem.plane && (k == 2 || j % 3 == 2) ? (double)(3 * i + k == j) : u[k];
        }
    }
    for (int i = 0; i < n; i++) {
        start[i] = n * i;
        diagonal[i] = n * i + i;
        mu[i] = problem.row[i].mu;
        for (int j = 0; j < n; j++)
            column[n * i + j] = j;
    }
    start[n] = n * n;
    memcpy(p->pile.q, q, sizeof q);
    const carom_coulomb coulomb = {
        .contacts = n,
        .W = {.rows = n, .row_start = start, .column = column, .diagonal = diagonal, .block = block},
        .q = q,
        .mu = mu};
    carom_solver *solver;
    assert_int_equal(carom_solver_create(carom_solver_find(CAROM_PROBLEM_COULOMB, "auto", NULL),
                                         &(carom_problem_shape){.size = n},
                                         &(carom_solver_options){.tolerance = 1e-12}, &solver, NULL),
                     CAROM_OK);
    memset(r, 0, sizeof r);
    const carom_solve_report report = carom_solver_coulomb(solver, &coulomb, r);
    carom_solver_free(solver);
    assert_true(report.error < 1e-11);
    carom_pairs_motion(&problem, r, velocity);
    obey_full(p, velocity);
}

/* Without friction, and with little of it, there is one velocity. */
static void velocities_are_those_of_a_full_W(void **state)
{
    (void)state;
    static linked_pile p;
    for (int k = 0; k < 12; k += SANITIZED ? 5 : 1) {
        double velocity[6 * PILE_BODIES];
        make_linked(&p, 300 + (uint64_t)k, k % 2 == 0, 1 + k % 3, k < 6 ? 0.0 : 0.1, k % 4 == 0);
        assert_true(p.pile.problem.bodies <= SMALL_BODIES);
        assert_int_equal(solve(&p).status, CAROM_OK);
        solve_full(&p, velocity);
        const double difference = largest_difference(6 * p.pile.problem.bodies, velocity, p.pile.velocity);
        assert_true(difference < 1e-7);
    }
}

/* What obeys the law already stays, and costs nothing. */
static void solutions_stay(void **state)
{
    (void)state;
    static linked_pile p;
    carom_pairs_solver *solver;
    double r[3 * PILE_CONTACTS];
    make_linked(&p, 5, true, 4, 0.4, false);
    assert_int_equal(solve(&p).status, CAROM_OK);
    memcpy(r, p.pile.r, sizeof r);
    assert_int_equal(
        carom_pairs_solver_create(NULL, &(carom_solver_options){.tolerance = tight}, &solver, NULL),
        CAROM_OK);
    const carom_solve_report report = carom_pairs_solve(solver, &p.pile.problem, p.pile.r, p.pile.velocity);
    carom_pairs_solver_free(solver);
    assert_int_equal(report.status, CAROM_OK);
    assert_int_equal(report.iterations, 0);
    assert_memory_equal(r, p.pile.r, sizeof r);
}

/* Solvers of W do not know joints. */
static void others_refuse(void **state)
{
    (void)state;
    static linked_pile p;
    carom_pairs_solver *solver;
    make_linked(&p, 5, true, 2, 0.4, false);
    assert_int_equal(carom_pairs_solver_create(carom_solver_find(CAROM_PROBLEM_COULOMB, "nsgs", NULL), NULL,
                                               &solver, NULL),
                     CAROM_OK);
    const carom_solve_report report = carom_pairs_solve(solver, &p.pile.problem, p.pile.r, p.pile.velocity);
    carom_pairs_solver_free(solver);
    assert_int_equal(report.status, CAROM_BAD_INPUT);
    assert_int_equal(report.word, CAROM_SOLVE_REFUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_obey),
        cmocka_unit_test(results_are_checked),
        cmocka_unit_test(velocities_are_those_of_a_full_W),
        cmocka_unit_test(solutions_stay),
        cmocka_unit_test(others_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
