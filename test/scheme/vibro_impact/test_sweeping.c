#include "vibro_impact.h"

#include "test/model/traced/systems.h"

static const carom_scheme_ops *scheme; /* found in main */

/* ---- free ball ------------------------------------------------------------------------------------- */

static void table_of_the_free_ball(void **unused)
{
    (void)unused;
    static const double restitutions[] = {0.0, 0.3, 0.5, 1.0};
    static const double after[4][7] = {{-.05, -.05, -.05, -.05, -.05, -.05, -.05},
                                       {-.05, -.005, .04, .085, .13, .175, .22},
                                       {-.05, .025, .1, .175, .25, .325, .4},
                                       {-.05, .1, .25, .4, .55, .7, .85}};
    const double q0 = 1.0, v0 = -1.0;
    for (int k = 0; k < 4; k++) {
        hand_model hand;
        ball(&hand, 0.0, restitutions[k]);
        carom_stepper *stepper = hand_start(scheme, &hand, 0.0, 0.15, &q0, &v0);
        for (int i = 1; i <= 13; i++) {
            hand_step(stepper);
            assert_near(stepper->state.q[0], i <= 6 ? 1.0 - 0.15 * i : after[k][i - 7], 1e-13);
            assert_near(stepper->state.impulse[0], i == 7 ? 1.0 + restitutions[k] : 0.0, 1e-13);
            assert_int_equal(stepper->state.regime[0], i == 7 ? CAROM_CONTACT_SLIP : CAROM_CONTACT_OPEN);
        }
        hand_free(stepper);
    }
}

/* q^i = e (t_i - 1) + (1 + e)(1 - t*), t* = h ceil(1 / h) */
static void rebound_of_the_free_ball_is_a_closed_form(void **unused)
{
    (void)unused;
    static const double steps[] = {0.125, 0.0625, 0.015625, 0.15, 0.07, 0.013, 0.0033};
    static const double restitutions[] = {0.0, 0.05, 0.3, 0.5, 0.9, 1.0};
    const double q0 = 1.0, v0 = -1.0;
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
        for (size_t l = 0; l < sizeof restitutions / sizeof restitutions[0]; l++) {
            const double h = steps[k], e = restitutions[l], hit = h * ceil(1.0 / h);
            hand_model hand;
            ball(&hand, 0.0, e);
            carom_stepper *stepper = hand_start(scheme, &hand, 0.0, h, &q0, &v0);
            while (stepper->state.t < 2.0) {
                hand_step(stepper);
                const double t = stepper->state.t;
                const double exact = t <= hit + 0.5 * h ? 1.0 - t : e * (t - 1.0) + (1.0 + e) * (1.0 - hit);
                assert_near(stepper->state.q[0], exact, 1e-13);
            }
            hand_free(stepper);
        }
}

static void points_beyond_the_obstacle_are_at_most_1_over_e(void **unused)
{
    (void)unused;
    static const double restitutions[] = {0.05, 0.1, 0.2, 0.3, 0.5, 1.0};
    static const int most[] = {20, 10, 5, 4, 2, 1};
    const double q0 = 1.0, v0 = -1.0;
    for (int k = 0; k < 6; k++) {
        int worst = 0;
        for (int i = 0; i < 200; i++) {
            hand_model hand;
            ball(&hand, 0.0, restitutions[k]);
            carom_stepper *stepper = hand_start(scheme, &hand, 0.0, 0.05 + 1.37e-4 * i, &q0, &v0);
            int beyond = 0;
            for (int n = 0; n < 60; n++) {
                hand_step(stepper);
                beyond += stepper->state.q[0] < 0.0;
            }
            worst = beyond > worst ? beyond : worst;
            hand_free(stepper);
        }
        assert_int_equal(worst, most[k]);
    }
}

/* ---- ball with gravity -------------------------------------------------------------------------------- */

static void positions_under_gravity(void **unused)
{
    (void)unused;
    static const double restitutions[] = {0.0, 0.3, 0.5, 1.0};
    static const double at[4][4] = {
        {-1.7165234375e-4, -1.7165234375e-4, -1.7165234375e-4, -1.7165234375e-4},
        {5.252720781e-2, -7.894160e-7, -7.894160e-7, -7.894160e-7},
        {9.513479688e-2, 6.120216016e-2, -5.631256e-7, -5.631256e-7},
        {2.016537695312e-1, 9.542647070313e-1, 5.390258007812e-1, 8.164648632813e-1}};
    static const double lowest[] = {-1.7165e-4, -1.7165e-4, -3.4601e-4, -1.7165e-4};
    const double q0 = 1.0, v0 = 0.0;
    for (int k = 0; k < 4; k++) {
        hand_model hand;
        ball(&hand, 9.81, restitutions[k]);
        carom_stepper *stepper = hand_start(scheme, &hand, 0.0, 2.0 / 3200.0, &q0, &v0);
        for (int i = 0; i < 4; i++) {
            hand_run(stepper, 800);
            assert_near(stepper->state.q[0], at[k][i], 1e-8);
        }
        hand_free(stepper);
        double low = 0.0;
        ball_error(scheme, restitutions[k], 3200, NULL, 0.0, &low);
        assert_near(low, lowest[k], 1e-8);
    }
}

static void convergence_under_gravity_is_of_first_order(void **unused)
{
    (void)unused;
    static const double e0[] = {2.21e-2, 9.88e-3, 1.38e-3, 5.18e-4, 8.65e-5};
    static const double e3[] = {2.62e-2, 1.44e-2, 1.38e-3, 7.77e-4, 1.37e-4};
    static const double e5[] = {3.38e-2, 1.75e-2, 1.38e-3, 9.50e-4, 1.72e-4};
    static const double e1[] = {8.25e-2, 4.47e-2, 2.07e-3, 2.42e-3, 4.29e-4};
    assert_near(ball_slope(scheme, 0.0, e0), 0.95, 0.01);
    assert_near(ball_slope(scheme, 0.3, e3), 0.89, 0.01);
    assert_near(ball_slope(scheme, 0.5, e5), 0.88, 0.01);
    assert_near(ball_slope(scheme, 1.0, e1), 0.87, 0.01);
}

static void stabilised_positions_stay_admissible(void **unused)
{
    (void)unused;
    static const double inelastic[] = {1.10e-2, 2.77e-3, 6.92e-4, 1.73e-4};
    static const double half_elastic[] = {1.51e-2, 4.31e-3, 1.55e-3, 5.18e-4};
    for (int k = 0; k < 4; k++) {
        const long steps = 400L << (2 * k);
        double lowest = -1.0;
        assert_near(ball_error(scheme, 0.0, steps, "stabilise", 1.0, &lowest), inelastic[k],
                    0.005 * inelastic[k]);
        assert_true(lowest == 0.0);
        assert_near(ball_error(scheme, 0.5, steps, "stabilise", 1.0, &lowest), half_elastic[k],
                    0.005 * half_elastic[k]);
        assert_true(lowest == 0.0);
    }
}

/* q^n = exact + g h t / 2 without the kick, exact - g h t / 2 with it. */
static void kick_turns_the_error_of_free_flight(void **unused)
{
    (void)unused;
    const double q0 = 1.0, v0 = 3.0, h = 0.003;
    for (int kick = 0; kick <= 1; kick++) {
        hand_model hand;
        ball(&hand, 9.81, 0.5);
        carom_stepper *stepper = hand_start_with(scheme, &hand, 0.0, h, &q0, &v0, "kick", kick);
        for (int i = 0; i < 200; i++) {
            hand_step(stepper);
            const double t = stepper->state.t, exact = 1.0 + 3.0 * t - 0.5 * 9.81 * t * t;
            assert_near(stepper->state.q[0], exact + (kick ? -0.5 : 0.5) * 9.81 * h * t, 1e-13);
        }
        hand_free(stepper);
    }
}

static void floor_in_motion(void **unused)
{
    (void)unused;
    check_moving_floor(scheme, 0.0);
    check_moving_floor(scheme, 0.6);
}

/* ---- corners ----------------------------------------------------------------------------------------- */

static void orthogonal_corner_reverses_the_motion(void **unused)
{
    (void)unused;
    static const double wall[2] = {-1.0, 0.0}, flat[2] = {0.0, 1.0}, q0[2] = {-1.0, 0.0}, v0[2] = {1.0, 0.0};
    static const double x256[] = {0.0, -0.5, -1.0}, x151[] = {0.0066225166, -.4900662252, -.9867549669};
    for (int k = 0; k < 3; k++) {
        hand_model hand;
        double q[2];
        planes(&hand, 0.5 * k, wall, flat);
        fly(scheme, &hand, q0, v0, 256, q);
        assert_near(q[0], x256[k], 1e-13);
        assert_near(q[1], 0.0, 0.0);
        fly(scheme, &hand, q0, v0, 151, q);
        assert_near(q[0], x151[k], 1e-10);
        assert_near(q[1], 0.0, 0.0);
    }
}

static void check_obtuse(double e, double eps, long steps, double x, double y)
{
    static const double flat[2] = {0.0, 1.0}, steep[2] = {-1.0, 2.0}, v0[2] = {0.0, -1.0};
    const double q0[2] = {eps, 1.0};
    hand_model hand;
    double q[2];
    planes(&hand, e, flat, steep);
    fly(scheme, &hand, q0, v0, steps, q);
    assert_near(q[0], x, 1e-9);
    assert_near(q[1], y, 1e-9);
}

static void obtuse_wedge(void **unused)
{
    (void)unused;
    check_obtuse(1.0, 0.05, 4999, -.7696839368, .6393678736);
    check_obtuse(0.5, 0.05, 4999, -.5647629526, .2295259052);
    check_obtuse(0.0, 0.05, 4999, -.3598419684, -.000040008);
    check_obtuse(1.0, 0.01, 45, .01, .9555555556);
    check_obtuse(1.0, 0.01, 333, -.7924024024, .6048048048);
}

static void jumps_of_wedges(void **unused)
{
    (void)unused;
    static const double degrees[] = {45.0, 60.0, 90.0, 120.0, 150.0};
    static const double jump[5][3] = {{0.0, 0.140624, 0.0},
                                      {0.0, 0.081189, 0.0},
                                      {0.0, 0.0, 0.0},
                                      {0.433012, 0.974279, 1.732050},
                                      {0.433011, 0.749998, 0.999998}};
    for (int k = 0; k < 5; k++)
        for (int l = 0; l < 3; l++)
            assert_near(wedge_jump(scheme, degrees[k], 0.5 * l, 2e-3, 40001), jump[k][l], 8e-3);
}

static void angle_condition(void **unused)
{
    (void)unused;
    check_angle_warning(scheme);
}

/* Each contact with its own restitution, as long as they do not act together. */
static void restitution_of_each_contact(void **unused)
{
    (void)unused;
    static const double wall[2] = {1.0, 0.0}, flat[2] = {0.0, 1.0}, v0[2] = {-1.0, -1.0};
    const double apart[2] = {0.5, 1.03}, corner[2] = {1.0, 1.0};
    hand_model hand;
    planes(&hand, 0.25, wall, flat);
    hand.restitution[1] = 0.75;
    carom_stepper *stepper = hand_start(scheme, &hand, 0.0, 0.015, apart, v0);
    hand_run(stepper, 100);
    assert_near(stepper->state.v[0], 0.25, 1e-14);
    assert_near(stepper->state.v[1], 0.75, 1e-14);
    hand_free(stepper);
    stepper = hand_start(scheme, &hand, 0.0, 0.015, corner, v0);
    carom_error error = {0};
    hand_run(stepper, 66);
    const double x = stepper->state.q[0];
    assert_int_equal(scheme->step(stepper, &error), CAROM_FAILED);
    assert_mentions(&error, "'one' and 'two' have restitution 0.25 and 0.75");
    assert_mentions(&error, "must have the same restitution");
    assert_true(stepper->state.q[0] == x);
    hand_free(stepper);
}

/* ---- double pendulum --------------------------------------------------------------------------------- */

static void double_pendulum_at_a_wall(void **unused)
{
    (void)unused;
    assert_near(check_pendulum(scheme, 0.0, NULL, 0.0, .10822865, -.42021115), -1.25e-3, 5e-6);
    check_pendulum(scheme, 0.5, NULL, 0.0, .27298183, -.62014277);
    check_pendulum(scheme, 1.0, NULL, 0.0, .15827097, -1.07659493);
    check_pendulum(scheme, 0.0, "implicit", 1.0, .10888985, -.42091033);
    check_pendulum(scheme, 0.5, "implicit", 1.0, .27390530, -.62149318);
    check_pendulum(scheme, 1.0, "implicit", 1.0, .15929463, -1.07496163);
}

/* With stabilisation the tip is on the wall or before it, up to rounding. */
static void stabilised_double_pendulum(void **unused)
{
    (void)unused;
    hand_model hand;
    pendulum(&hand, 0.0);
    carom_stepper *stepper =
        hand_start_with(scheme, &hand, 0.0, 1e-3, pendulum_q0, pendulum_v0, "stabilise", 1.0);
    for (int i = 0; i < 2000; i++) {
        double gap = 0.0;
        hand_step(stepper);
        pendulum_gap(&hand, 0.0, stepper->state.q, &gap);
        assert_true(gap > -1e-15);
    }
    assert_near(stepper->state.q[0], 0.1086432225, 2e-3);
    assert_near(stepper->state.q[1], -0.4207329839, 2e-3);
    hand_free(stepper);
}

/* The same from expressions: energies and gap, nothing derived by hand. */
static void double_pendulum_from_expressions(void **unused)
{
    (void)unused;
    static const double parameters[SYSTEM_PARAMETERS] = {1.0, 1.0, 1.0, 1.0, 9.81};
    system_spec s;
    double_pendulum(&s);
    s.contact.gap =
        minus(&s, minus(&s, number(&s, -0.3), of(&s, CAROM_OP_SIN, s.q[0])), of(&s, CAROM_OP_SIN, s.q[1]));
    s.contact.restitution = number(&s, 0.5);
    s.spec.contacts = 1;
    s.spec.contact = &s.contact;
    built b = build(&s);
    b.model->ops->bind(b.work, parameters);
    const double options[11] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    const carom_step_settings settings = {
        .t0 = 0.0, .h = 1e-3, .values = options, .value_count = sizeof options / sizeof *options};
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    if (carom_stepper_create(scheme, b.work, &settings, pendulum_q0, pendulum_v0, &stepper, &error) !=
        CAROM_OK)
        fail_msg("%s", error.text);
    hand_run(stepper, 2000);
    assert_near(stepper->state.q[0], .27298183, 2e-7);
    assert_near(stepper->state.q[1], -.62014277, 2e-7);
    hand_free(stepper);
    release(&b);
}

static void impulse_is_the_change_of_momentum(void **unused)
{
    (void)unused;
    hand_model hand;
    pendulum(&hand, 0.5);
    carom_stepper *stepper = hand_start(scheme, &hand, 0.0, 1e-3, pendulum_q0, pendulum_v0);
    int impacts = 0;
    for (int i = 0; i < 2000; i++) {
        double before[2], mass[4], force[2];
        memcpy(before, stepper->state.v, sizeof before);
        hand_step(stepper);
        const double *q = stepper->state.q, *u = stepper->state.v;
        pendulum_mass(&hand, q, mass);
        pendulum_force(&hand, 0.0, q, before, force);
        for (int k = 0; k < 2; k++)
            assert_near(mass[2 * k] * (u[0] - before[0]) + mass[2 * k + 1] * (u[1] - before[1]) -
                            1e-3 * force[k],
                        -cos(q[k]) * stepper->state.impulse[0], 1e-13);
        impacts += stepper->state.impulse[0] > 0.1;
    }
    assert_int_equal(impacts, 3);
    hand_free(stepper);
}

/* ---- non-uniqueness, blow-up, failures --------------------------------------------------------------- */

static void two_solutions_of_one_problem(void **unused)
{
    (void)unused;
    assert_true(two_solutions(scheme, 0.0, 0.0, 20000) == 0.0);
    assert_near(two_solutions(scheme, bounce_time(1), 1.0 / 24.0, 20000), 3.05188829e-2, 1e-10);
    assert_near(two_solutions(scheme, bounce_time(3), 1.0 / 720.0, 80000), 3.05187034e-2, 1e-9);
}

static void blow_up(void **unused)
{
    (void)unused;
    static const long steps[] = {400, 40000};
    static const double q[] = {2.59757162, 2.60931699};
    const double q0 = 1.0, v0 = 2.0;
    for (int k = 0; k < 2; k++) {
        hand_model hand;
        ball(&hand, 0.0, 0.5);
        hand.model.constant_force = false;
        hand.force = square_of_velocity;
        carom_stepper *stepper = hand_start(scheme, &hand, 0.0, 0.4 / (double)steps[k], &q0, &v0);
        hand_run(stepper, steps[k]);
        assert_near(stepper->state.q[0], q[k], 1e-8);
        if (k == 0)
            assert_near(stepper->state.v[0], 9.843510, 1e-6);
        hand_free(stepper);
    }
    check_blowup(scheme);
}

static void implicit_step_that_diverges_says_so(void **unused)
{
    (void)unused;
    check_divergence(scheme, "implicit", 1.0);
}

static void wrong_models_are_refused(void **unused)
{
    (void)unused;
    check_refusals(scheme);
}

static void initial_impact(void **unused)
{
    (void)unused;
    check_initial_impact(scheme);
}

int main(void)
{
    scheme = carom_scheme_find("sweeping", NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_of_the_free_ball),
        cmocka_unit_test(rebound_of_the_free_ball_is_a_closed_form),
        cmocka_unit_test(points_beyond_the_obstacle_are_at_most_1_over_e),
        cmocka_unit_test(positions_under_gravity),
        cmocka_unit_test(convergence_under_gravity_is_of_first_order),
        cmocka_unit_test(stabilised_positions_stay_admissible),
        cmocka_unit_test(kick_turns_the_error_of_free_flight),
        cmocka_unit_test(floor_in_motion),
        cmocka_unit_test(orthogonal_corner_reverses_the_motion),
        cmocka_unit_test(obtuse_wedge),
        cmocka_unit_test(jumps_of_wedges),
        cmocka_unit_test(angle_condition),
        cmocka_unit_test(restitution_of_each_contact),
        cmocka_unit_test(double_pendulum_at_a_wall),
        cmocka_unit_test(stabilised_double_pendulum),
        cmocka_unit_test(double_pendulum_from_expressions),
        cmocka_unit_test(impulse_is_the_change_of_momentum),
        cmocka_unit_test(two_solutions_of_one_problem),
        cmocka_unit_test(blow_up),
        cmocka_unit_test(implicit_step_that_diverges_says_so),
        cmocka_unit_test(wrong_models_are_refused),
        cmocka_unit_test(initial_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
