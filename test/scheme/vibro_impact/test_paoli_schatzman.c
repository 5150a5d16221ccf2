#include "vibro_impact.h"

static const carom_scheme_ops *scheme; /* found in main */

/* ---- free ball ------------------------------------------------------------------------------------- */

static void table_of_the_free_ball(void **unused)
{
    (void)unused;
    static const double restitutions[] = {0.0, 0.3, 0.5, 1.0};
    static const double after[4][7] = {{0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
                                       {-.05, -.03, .015, .06, .105, .15, .195},
                                       {-.05, -.05, .025, .1, .175, .25, .325},
                                       {-.05, -.1, .05, .2, .35, .5, .65}};
    const double q0 = 1.0, v0 = -1.0;
    for (int k = 0; k < 4; k++) {
        hand_model hand;
        ball(&hand, 0.0, restitutions[k]);
        carom_stepper *stepper = hand_start(scheme, &hand, 0.0, 0.15, &q0, &v0);
        double last = 1.0, total = 0.0;
        for (int i = 1; i <= 13; i++) {
            hand_step(stepper);
            const carom_state *state = &stepper->state;
            assert_near(state->q[0], i <= 6 ? 1.0 - 0.15 * i : after[k][i - 7], 1e-13);
            assert_near(state->v[0], (state->q[0] - last) / 0.15, 1e-13);
            assert_int_equal(state->regime[0],
                             state->impulse[0] > 0.0 ? CAROM_CONTACT_SLIP : CAROM_CONTACT_OPEN);
            assert_true(state->impulse[0] >= 0.0);
            last = state->q[0];
            total += state->impulse[0];
        }
        assert_near(total, 1.0 + restitutions[k], 1e-12);
        hand_free(stepper);
    }
}

/* q^i = 1 - t_i for i <= p, then e (t_i - 1 - 2 h): a delay of two steps for any h and e. */
static void rebound_of_the_free_ball_is_two_steps_late(void **unused)
{
    (void)unused;
    static const double steps[] = {0.1, 0.125, 0.15, 0.07, 0.0625, 0.013, 0.01, 0.0033};
    static const double restitutions[] = {0.0, 0.05, 0.3, 0.5, 0.9, 1.0};
    const double q0 = 1.0, v0 = -1.0;
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
        for (size_t l = 0; l < sizeof restitutions / sizeof restitutions[0]; l++) {
            const double h = steps[k], e = restitutions[l];
            /* where 1 / h decides by rounding both neighbours of p are right */
            const double p_exact = (1.0 - (1.0 - e) * h / (1.0 + e)) / h;
            const int p = 1 + (int)floor(p_exact + 1e-9), earliest = 1 + (int)floor(p_exact - 1e-9);
            hand_model hand;
            ball(&hand, 0.0, e);
            carom_stepper *stepper = hand_start(scheme, &hand, 0.0, h, &q0, &v0);
            int negative = 0;
            double lowest = 0.0;
            for (int i = 1; i * h < 3.0; i++) {
                hand_step(stepper);
                const double q = stepper->state.q[0], t = stepper->state.t;
                if (i <= earliest)
                    assert_near(q, 1.0 - t, 1e-13);
                if (i >= p + 1)
                    assert_near(q, e * (t - 1.0 - 2.0 * h), 1e-13);
                negative += q < -1e-13;
                lowest = fmin(lowest, q);
            }
            assert_true(negative <= 2);
            assert_true(lowest >= -2.0 * e * h / (1.0 + e) - 1e-13);
            hand_free(stepper);
        }
}

/* ---- ball with gravity -------------------------------------------------------------------------------- */

static void positions_under_gravity(void **unused)
{
    (void)unused;
    static const double restitutions[] = {0.0, 0.3, 0.5, 1.0};
    static const double at[4][4] = {
        {0.0, 0.0, 0.0, 0.0},
        {5.138155430e-2, 0.0, 0.0, 0.0},
        {9.291678321e-2, 6.024260252e-2, 0.0, 0.0},
        {1.967548554945e-1, 9.524314180123e-1, 5.352589140509e-1, 8.188292265580e-1}};
    static const double lowest[] = {0.0, -7.785e-4, -1.2975e-3, -2.5951e-3};
    const double q0 = 1.0, v0 = 0.0;
    for (int k = 0; k < 4; k++) {
        hand_model hand;
        ball(&hand, 9.81, restitutions[k]);
        carom_stepper *stepper = hand_start(scheme, &hand, 0.0, 2.0 / 3200.0, &q0, &v0);
        for (int i = 0; i < 4; i++) {
            hand_run(stepper, 800);
            assert_near(stepper->state.q[0], at[k][i], at[k][i] == 0.0 ? 1e-40 : 1e-8);
        }
        for (int i = 0; i < 3000; i++) { /* at rest the positions do not fade through tiny numbers */
            hand_step(stepper);
            assert_true(stepper->state.q[0] == 0.0 || fabs(stepper->state.q[0]) >= 1e-200);
        }
        if (restitutions[k] < 1.0)
            assert_true(stepper->state.q[0] == 0.0);
        hand_free(stepper);
        double low = 0.0;
        ball_error(scheme, restitutions[k], 3200, NULL, 0.0, &low);
        assert_near(low, lowest[k], 5.1e-8);
    }
}

static void convergence_under_gravity_is_of_first_order(void **unused)
{
    (void)unused;
    static const double e0[] = {2.21e-2, 5.52e-3, 1.38e-3, 3.46e-4, 8.65e-5};
    static const double e3[] = {3.15e-2, 8.24e-3, 2.07e-3, 5.19e-4, 1.30e-4};
    static const double e5[] = {5.37e-2, 1.38e-2, 3.46e-3, 8.65e-4, 2.16e-4};
    static const double e1[] = {1.66e-1, 6.63e-2, 7.60e-3, 3.80e-3, 7.75e-4};
    assert_near(ball_slope(scheme, 0.0, e0), 1.00, 0.01);
    assert_near(ball_slope(scheme, 0.3, e3), 0.99, 0.01);
    assert_near(ball_slope(scheme, 0.5, e5), 0.99, 0.01);
    assert_near(ball_slope(scheme, 1.0, e1), 0.93, 0.01);
}

static void second_order_start_makes_the_inelastic_ball_exact(void **unused)
{
    (void)unused;
    double lowest = -1.0;
    assert_true(ball_error(scheme, 0.0, 3200, "start", 1.0, &lowest) < 1e-11);
    assert_true(lowest == 0.0);
}

static void floor_in_motion(void **unused)
{
    (void)unused;
    check_moving_floor(scheme, 0.0);
    check_moving_floor(scheme, 0.6);
    check_moving_floor(scheme, 1.0);
}

static void shaken_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)q;
    (void)u;
    force[0] = hand->data[0] * sin(hand->data[1] * t + hand->data[2]);
}

/* |eta^i| <= max(|eta^{i-1}|, e |eta^{i-2}|) + h |f^i| + h |f^{i-1}| (Paoli 2001, lemma 3.1) */
static void speed_is_bounded_by_that_of_two_steps_before(void **unused)
{
    (void)unused;
    carom_random random = {7};
    for (int trial = 0; trial < 20000; trial++) {
        const double e = carom_random_uniform(&random, 0.0, 1.0);
        const double h = carom_random_uniform(&random, 0.001, 0.3);
        const double q0 = carom_random_uniform(&random, 0.0, 1.0),
                     v0 = carom_random_uniform(&random, -2.0, 2.0);
        hand_model hand;
        ball(&hand, 0.0, e);
        hand.model.constant_force = false;
        hand.force = shaken_force;
        hand.data[0] = carom_random_uniform(&random, 0.0, 20.0);
        hand.data[1] = carom_random_uniform(&random, 0.0, 30.0);
        hand.data[2] = carom_random_uniform(&random, 0.0, 6.3);
        carom_stepper *stepper = hand_start(scheme, &hand, 0.0, h, &q0, &v0);
        double slope[2] = {0.0, 0.0}, force_before = 0.0; /* slopes one and two steps before */
        for (int i = 0; i < 30; i++) {
            double force = 0.0;
            shaken_force(&hand, stepper->state.t, NULL, NULL, &force);
            hand_step(stepper);
            const double eta = stepper->state.v[0];
            if (i >= 2)
                assert_true(fabs(eta) <= fmax(fabs(slope[0]), e * fabs(slope[1])) + h * fabs(force) +
                                             h * fabs(force_before) + 1e-12);
            slope[1] = slope[0];
            slope[0] = eta;
            force_before = force;
        }
        hand_free(stepper);
    }
}

/* ---- corners ----------------------------------------------------------------------------------------- */

static void orthogonal_corner_reverses_the_motion(void **unused)
{
    (void)unused;
    static const double wall[2] = {-1.0, 0.0}, flat[2] = {0.0, 1.0}, q0[2] = {-1.0, 0.0}, v0[2] = {1.0, 0.0};
    for (int k = 0; k < 3; k++)
        for (long steps = 20; steps < 300; steps += steps == 20 ? 131 : 105) { /* 20, 151, 256 */
            const double e = 0.5 * k, h = 2.0 / (double)steps;
            hand_model hand;
            double q[2];
            planes(&hand, e, wall, flat);
            fly(scheme, &hand, q0, v0, steps, q);
            assert_near(q[0], -e * (1.0 - 2.0 * h), 1e-13);
            assert_near(q[1], 0.0, 0.0);
        }
}

/* Both components of a motion into an orthogonal corner reverse together: one intermediate slope. */
static void exact_hits_of_a_corner_have_one_intermediate_slope(void **unused)
{
    (void)unused;
    static const double wall[2] = {1.0, 0.0}, flat[2] = {0.0, 1.0};
    carom_random random = {11};
    for (int trial = 0; trial < 1500; trial++) {
        const double e = carom_random_uniform(&random, 0.0, 1.0);
        const double h = carom_random_uniform(&random, 0.01, 0.2);
        const double v0[2] = {-carom_random_uniform(&random, 0.1, 1.0),
                              -carom_random_uniform(&random, 0.1, 1.0)};
        const double q0[2] = {-v0[0], -v0[1]};
        hand_model hand;
        planes(&hand, e, wall, flat);
        carom_stepper *stepper = hand_start(scheme, &hand, 0.0, h, q0, v0);
        int intermediate = 0;
        for (int i = 0; i * h < 2.0; i++) {
            hand_step(stepper);
            const double *v = stepper->state.v;
            const bool before = fabs(v[0] - v0[0]) + fabs(v[1] - v0[1]) < 1e-10;
            const bool after = fabs(v[0] + e * v0[0]) + fabs(v[1] + e * v0[1]) < 1e-10;
            intermediate += !before && !after;
        }
        assert_true(intermediate <= 1);
        assert_near(stepper->state.v[0], -e * v0[0], 1e-10);
        assert_near(stepper->state.v[1], -e * v0[1], 1e-10);
        hand_free(stepper);
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
    check_obtuse(1.0, 0.05, 4999, -.769679936, .639359872);
    check_obtuse(0.5, 0.05, 4999, -.564839968, .229679936);
    check_obtuse(0.0, 0.05, 4999, -.36, 0.0);
    check_obtuse(1.0, 0.01, 45, -.43, .9111111111);
    check_obtuse(1.0, 0.01, 333, -.7891951952, .5983903904);
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

/* ---- double pendulum --------------------------------------------------------------------------------- */

static void double_pendulum_at_a_wall(void **unused)
{
    (void)unused;
    assert_true(check_pendulum(scheme, 0.0, NULL, 0.0, .10835556, -.42041972) > -1e-15);
    check_pendulum(scheme, 0.5, NULL, 0.0, .27347574, -.61987229);
    check_pendulum(scheme, 1.0, NULL, 0.0, .15553155, -1.07075490);
    check_pendulum(scheme, 0.0, "start", 1.0, .10817219, -.42022003);
    check_pendulum(scheme, 0.5, "start", 1.0, .27298511, -.61981964);
    check_pendulum(scheme, 1.0, "start", 1.0, .15563561, -1.07124428);
}

/* (q^{n+1} + e q^{n-1}) / (1 + e) is admissible, and impulses never pull. */
static void means_of_positions_are_admissible(void **unused)
{
    (void)unused;
    const double e = 0.7;
    hand_model hand;
    pendulum(&hand, e);
    carom_stepper *stepper = hand_start(scheme, &hand, 0.0, 1e-3, pendulum_q0, pendulum_v0);
    double last[2], before[2];
    memcpy(before, pendulum_q0, sizeof before);
    hand_step(stepper);
    for (int i = 1; i < 2000; i++) {
        memcpy(last, stepper->state.q, sizeof last);
        hand_step(stepper);
        double mean[2], gap = 0.0;
        for (int k = 0; k < 2; k++)
            mean[k] = (stepper->state.q[k] + e * before[k]) / (1.0 + e);
        pendulum_gap(&hand, 0.0, mean, &gap);
        assert_true(gap > -1e-14);
        assert_true(stepper->state.impulse[0] >= 0.0);
        memcpy(before, last, sizeof before);
    }
    hand_free(stepper);
}

/* In free flight the force at the slope after the step is the implicit sweeping scheme. */
static void forward_force_is_the_implicit_sweeping_scheme(void **unused)
{
    (void)unused;
    hand_model hand;
    pendulum(&hand, 0.5);
    const double shift[2] = {-0.9 + 1e-3 * 0.2, -0.6 - 1e-3 * 0.1}, v0[2] = {0.2, -0.1};
    carom_stepper *forward = hand_start_with(scheme, &hand, 0.0, 1e-3, pendulum_q0, v0, "force", 2.0);
    hand_step(forward);
    assert_near(forward->state.q[0], shift[0], 1e-15);
    /* output n of sweeping holds the slope of the step after it */
    carom_stepper *implicit =
        hand_start_with(scheme_named("sweeping"), &hand, 0.0, 1e-3, pendulum_q0, v0, "implicit", 1.0);
    hand_step(implicit);
    for (int i = 0; i < 500; i++) {
        hand_step(forward);
        assert_near(forward->state.v[0], implicit->state.v[0], 1e-9);
        hand_step(implicit);
        assert_near(forward->state.q[0], implicit->state.q[0], 1e-9);
        assert_near(forward->state.q[1], implicit->state.q[1], 1e-9);
    }
    hand_free(forward);
    hand_free(implicit);
}

/* At the mean of both slopes the free flight is of second order when the start is. */
static void centred_force_is_of_second_order_in_free_flight(void **unused)
{
    (void)unused;
    static const char *const names[] = {"start", "force", NULL};
    static const double values[] = {1.0, 1.0};
    double error[2];
    for (int k = 0; k < 2; k++) {
        const long steps = 250L << k;
        hand_model hand;
        pendulum(&hand, 0.5);
        carom_stepper *stepper = NULL;
        carom_error why = {0};
        if (hand_try(scheme, &hand, 0.0, 0.5 / (double)steps, pendulum_q0, pendulum_v0, names, values,
                     &stepper, &why) != CAROM_OK)
            fail_msg("%s", why.text);
        hand_run(stepper, steps);
        error[k] = hypot(stepper->state.q[0] - -0.0825425823, stepper->state.q[1] - -0.6278324488);
        hand_free(stepper);
    }
    assert_true(error[1] < 1e-6);
    assert_near(error[0] / error[1], 4.0, 0.1);
}

/* ---- non-uniqueness, blow-up, refusals --------------------------------------------------------------- */

static void two_solutions_of_one_problem(void **unused)
{
    (void)unused;
    assert_true(two_solutions(scheme, 0.0, 0.0, 20000) == 0.0);
    assert_near(two_solutions(scheme, bounce_time(1), 1.0 / 24.0, 20000), 3.05188829e-2, 1e-10);
    assert_near(two_solutions(scheme, bounce_time(3), 1.0 / 720.0, 80000), 3.05179060e-2, 1e-9);
}

static void blow_up(void **unused)
{
    (void)unused;
    check_blowup(scheme);
}

static void implicit_force_that_diverges_says_so(void **unused)
{
    (void)unused;
    check_divergence(scheme, "force", 2.0);
}

static void wrong_models_are_refused(void **unused)
{
    (void)unused;
    check_refusals(scheme);
    static const double wall[2] = {1.0, 0.0}, flat[2] = {0.0, 1.0}, q0[2] = {1.0, 1.0}, v0[2] = {0.0, 0.0};
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    hand_model hand;
    planes(&hand, 0.25, wall, flat);
    hand.info[1].has_restitution = false;
    assert_int_equal(hand_try(scheme, &hand, 0.0, 0.1, q0, v0, NULL, NULL, &stepper, &error),
                     CAROM_BAD_INPUT);
    assert_mentions(&error, "restitution 0.25 and 0;");
    assert_mentions(&error, "must have the same restitution");
}

static void restitution_that_changes_is_refused(void **unused)
{
    (void)unused;
    const double q0 = 1.0, v0 = -1.0;
    hand_model hand;
    ball(&hand, 0.0, 0.5);
    hand.info[0].constant_frame = false;
    carom_stepper *stepper = hand_start(scheme, &hand, 0.0, 0.15, &q0, &v0);
    hand.restitution[0] = 0.4;
    carom_error error = {0};
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && stepper->state.t < 3.0)
        status = scheme->step(stepper, &error);
    assert_int_equal(status, CAROM_FAILED);
    assert_mentions(&error, "changed from 0.5 to 0.4");
    hand_free(stepper);
}

static void step_that_crosses_at_once_is_told(void **unused)
{
    (void)unused;
    const double q0 = 1.0, v0 = -1.0;
    hand_model hand;
    ball(&hand, 0.0, 0.5);
    carom_stepper *stepper = hand_start(scheme, &hand, 0.0, 0.74, &q0, &v0);
    assert_int_equal(stepper->warnings.count, 0);
    hand_free(stepper);
    stepper = hand_start(scheme, &hand, 0.0, 0.76, &q0, &v0);
    assert_int_equal(stepper->warnings.count, 1);
    assert_non_null(strstr(stepper->warnings.text[0], "step too large"));
    hand_free(stepper);
}

static void initial_impact(void **unused)
{
    (void)unused;
    check_initial_impact(scheme);
}

/* ---- motions within a disc ------------------------------------------------------------------------- */

static void disc_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand, (void)t;
    gap[0] = 1.0 - q[0] * q[0] - q[1] * q[1];
}

static void disc_frame(const hand_model *hand, int contact, double t, const double *q,
                       carom_contact_frame *frame)
{
    (void)hand, (void)contact, (void)t;
    frame->normal.value[0] = -2.0 * q[0];
    frame->normal.value[1] = -2.0 * q[1];
}

/* The point of the disc that is nearest to p in the metric of the masses 1 and m: (1 + k) x = p[0], (m + k) y = m p[1]. */
static void nearest_of_disc(double m, const double p[2], double found[2])
{
    double low = 0.0, high = fmax(1.0, m) * hypot(p[0], p[1]);
    for (int i = 0; i < 200; i++) {
        const double k = 0.5 * (low + high);
        if (hypot(p[0] / (1.0 + k), m * p[1] / (m + k)) > 1.0)
            low = k;
        else
            high = k;
    }
    found[0] = p[0] / (1.0 + high);
    found[1] = m * p[1] / (m + high);
}

/* A disc is convex, so there is one projection however far a step goes and however different the masses are. */
static void steps_far_out_of_a_disc(void **unused)
{
    (void)unused;
    static const double masses[] = {0.04, 1.0, 9.0, 100.0}, speeds[] = {3.0, 30.0, 1e3},
                        restitutions[] = {0.0, 0.5};
    for (int trial = 0; trial < 24; trial++) {
        const double m = masses[trial % 4], speed = speeds[trial / 4 % 3], e = restitutions[trial / 12],
                     h = 0.1;
        const double q0[2] = {0.3, -0.2}, v0[2] = {0.8 * speed, 0.6 * speed};
        hand_model hand;
        hand_init(&hand, 2, 1);
        hand.gaps = disc_gap;
        hand.frame = disc_frame;
        hand.mass[3] = m;
        set_restitution(&hand, e);
        carom_stepper *stepper = hand_start(scheme, &hand, 0.0, h, q0, v0);
        double q[3][2] = {{q0[0], q0[1]}};
        for (int i = 1; i <= 12; i++) {
            hand_step(stepper);
            double *next = q[i < 2 ? i : 2];
            memcpy(next, stepper->state.q, sizeof q[0]);
            if (e == 0.0 && i > 1)
                assert_true(hypot(next[0], next[1]) <= 1.0 + 1e-12);
            if (i == 1)
                continue;
            /* q'' + e q = (1 + e) P((2 q' - (1 - e) q)/(1 + e)) */
            double p[2], mean[2];
            for (int k = 0; k < 2; k++)
                p[k] = (2.0 * q[1][k] - (1.0 - e) * q[0][k]) / (1.0 + e);
            nearest_of_disc(m, p, mean);
            for (int k = 0; k < 2; k++)
                assert_near(next[k], (1.0 + e) * mean[k] - e * q[0][k], 1e-11);
            memcpy(q[0], q[1], sizeof q[0]);
            memcpy(q[1], next, sizeof q[0]);
        }
        hand_free(stepper);
    }
}

int main(void)
{
    scheme = carom_scheme_find("paoli-schatzman", NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_of_the_free_ball),
        cmocka_unit_test(rebound_of_the_free_ball_is_two_steps_late),
        cmocka_unit_test(positions_under_gravity),
        cmocka_unit_test(convergence_under_gravity_is_of_first_order),
        cmocka_unit_test(second_order_start_makes_the_inelastic_ball_exact),
        cmocka_unit_test(floor_in_motion),
        cmocka_unit_test(speed_is_bounded_by_that_of_two_steps_before),
        cmocka_unit_test(orthogonal_corner_reverses_the_motion),
        cmocka_unit_test(exact_hits_of_a_corner_have_one_intermediate_slope),
        cmocka_unit_test(obtuse_wedge),
        cmocka_unit_test(jumps_of_wedges),
        cmocka_unit_test(angle_condition),
        cmocka_unit_test(double_pendulum_at_a_wall),
        cmocka_unit_test(means_of_positions_are_admissible),
        cmocka_unit_test(forward_force_is_the_implicit_sweeping_scheme),
        cmocka_unit_test(centred_force_is_of_second_order_in_free_flight),
        cmocka_unit_test(two_solutions_of_one_problem),
        cmocka_unit_test(steps_far_out_of_a_disc),
        cmocka_unit_test(blow_up),
        cmocka_unit_test(implicit_force_that_diverges_says_so),
        cmocka_unit_test(wrong_models_are_refused),
        cmocka_unit_test(restitution_that_changes_is_refused),
        cmocka_unit_test(step_that_crosses_at_once_is_told),
        cmocka_unit_test(initial_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
