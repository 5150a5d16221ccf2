/* The contact problem of a step as its listener gets it: its solution is the step. */
#include "test/scheme/models.h"

typedef struct kept_problem {
    int told;
    double t, r[12], v[8];
    carom_coulomb_summary summary;
    double mu, w_normal;
    int dimension, contacts;
} kept_problem;

/* Solves it at once, from nothing: what it points to is gone afterwards. */
static carom_status keep(void *context, double t, const carom_coulomb_global *problem, const double *start,
                         carom_error *error)
{
    kept_problem *kept = context;
    carom_solve_report report;
    const carom_solver_options options = {.tolerance = 1e-13};
    const carom_status status =
        carom_coulomb_summarise_global(problem, start, NULL, NULL, &kept->summary, error);
    kept->told++;
    kept->t = t;
    kept->mu = problem->mu[0];
    kept->w_normal = problem->w[0];
    kept->dimension = problem->dimension;
    kept->contacts = problem->contacts;
    memset(kept->r, 0, sizeof kept->r);
    assert_int_equal(status, CAROM_OK);
    assert_int_equal(carom_coulomb_solve_global(problem, &options, kept->v, kept->r, &report, error),
                     CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    return CAROM_OK;
}

/* A ball with spin hits the floor: u_N + 2 e = 0 before the impulse, w_N = -1. */
static void test_one_contact(void **unused)
{
    (void)unused;
    const double q0[3] = {0.0, 0.0, -1e-12}, v0[3] = {3.0, 4.0, -2.0};
    hand_model hand;
    kept_problem kept = {0};
    hand_init(&hand, 3, 1);
    hand.gaps = floor_gap;
    hand.frame = floor_frame;
    hand.info[0].has_restitution = true;
    hand.restitution[0] = 0.5;
    hand_friction(&hand, 0, 2, -1.0, 0.25);
    carom_stepper *stepper = hand_start(scheme_named("moreau-jean"), &hand, 0.0, 1e-3, q0, v0);
    assert_true(stepper->tells_problems);
    stepper->problems = (carom_problem_listener){&kept, keep};
    hand_step(stepper);
    assert_int_equal(kept.told, 1);
    assert_int_equal(kept.dimension, 3);
    assert_int_equal(kept.contacts, 1);
    assert_near(kept.t, 1e-3, 1e-18);
    assert_near(kept.mu, 0.25, 0.0);
    assert_near(kept.w_normal, -1.0, 1e-15);
    assert_near(kept.summary.q_norm, sqrt(9.0 + 9.0 + 16.0), 1e-14);
    for (int i = 0; i < 3; i++) {
        assert_near(kept.v[i], stepper->state.v[i], 1e-12);
        assert_near(kept.r[i], stepper->state.impulse[i], 1e-12);
    }
    hand_run(stepper, 2); /* it leaves, and flies: nothing to tell */
    const int told = kept.told;
    hand_run(stepper, 5);
    assert_int_equal(kept.told, told);
    hand_free(stepper);
}

/* A block on a slope that pushes into a spring along it: the matrix is M + h^2 theta^2 K. */
static void spring_force(const hand_model *hand, double t, const double *q, const double *v, double *force)
{
    (void)t;
    (void)v;
    force[0] = hand->data[16] - 50.0 * q[0];
    force[1] = hand->data[17];
}

static void spring_jacobian(const hand_model *hand, double t, const double *q, const double *v, double *by_q,
                            double *by_u)
{
    (void)hand;
    (void)t;
    (void)q;
    (void)v;
    memset(by_q, 0, 4 * sizeof *by_q);
    memset(by_u, 0, 4 * sizeof *by_u);
    by_q[0] = -50.0;
}

static void test_steps_in_the_plane(void **unused)
{
    (void)unused;
    const double q0[2] = {0.0, -1e-9}, v0[2] = {1.0, 0.0};
    hand_model hand;
    kept_problem kept = {0};
    hand_init(&hand, 2, 1);
    hand.mass[0] = hand.mass[3] = 3.0;
    hand.gaps = floor_gap;
    hand.frame = floor_frame;
    hand.force = spring_force;
    hand.jacobian = spring_jacobian;
    hand.data[16] = 2.0;
    hand.data[17] = -20.0;
    hand_friction(&hand, 0, 1, 0.5, 0.3);
    carom_stepper *stepper = hand_start(scheme_named("moreau-jean"), &hand, 0.0, 0.01, q0, v0);
    stepper->problems = (carom_problem_listener){&kept, keep};
    bool stuck = false;
    for (int step = 1; step <= 100; step++) {
        const bool sticks = stepper->state.regime[0] == CAROM_CONTACT_STICK;
        hand_step(stepper);
        assert_int_equal(kept.told, step);
        assert_int_equal(kept.dimension, 2);
        assert_near(kept.mu, sticks ? 0.5 : 0.3, 0.0);
        for (int i = 0; i < 2; i++)
            assert_near(kept.v[i], stepper->state.v[i], 1e-11);
        stuck = stuck || stepper->state.regime[0] == CAROM_CONTACT_STICK;
    }
    assert_true(stuck);
    hand_free(stepper);
}

/* Whoever does not want the problem ends the step. */
static carom_status refuse(void *context, double t, const carom_coulomb_global *problem, const double *start,
                           carom_error *error)
{
    (void)context;
    (void)t;
    (void)problem;
    (void)start;
    return carom_fail(error, CAROM_IO_ERROR, "the disk is full");
}

static void test_a_listener_that_fails(void **unused)
{
    (void)unused;
    const double q0[2] = {0.0, -1e-9}, v0[2] = {0.0, -1.0};
    hand_model hand;
    carom_error error = {0};
    hand_init(&hand, 2, 1);
    hand.gaps = floor_gap;
    hand.frame = floor_frame;
    carom_stepper *stepper = hand_start(scheme_named("moreau-jean"), &hand, 0.0, 0.01, q0, v0);
    assert_true(stepper->tells_problems);
    stepper->problems = (carom_problem_listener){NULL, refuse};
    assert_int_equal(carom_stepper_step(stepper, &error), CAROM_IO_ERROR);
    assert_string_equal(error.text, "the disk is full");
    hand_free(stepper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_contact),
        cmocka_unit_test(test_steps_in_the_plane),
        cmocka_unit_test(test_a_listener_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
