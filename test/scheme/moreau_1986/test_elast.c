/* Reference numbers: Moreau 1986, trials 2 to 4 (plates 3 to 5). */
#include "test/scheme/models.h"

/* Trials 2 and 3: inside the circle around (0,-60) of radius 60, force (0,8). */
static void make_trial2(hand_model *hand)
{
    hand_init(hand, 2, 1);
    hand->force = constant_force;
    hand->gaps = inside_ball_gap;
    hand->frame = inside_ball_frame;
    hand->data[1] = -60.0;
    hand->data[8] = 60.0;
    hand->data[17] = 8.0;
}

typedef struct trial2_row {
    const carom_scheme_ops *scheme;
    double av, x20, y20, tolerance20, x40, y40, tolerance40, deviation_min, deviation_max, energy_gain;
    long adhesive;
} trial2_row;

static void check_trial2(const trial2_row *row)
{
    const double q0[2] = {0.0, 0.0}, u0[2] = {25.0, 0.0};
    hand_model hand;
    make_trial2(&hand);
    carom_stepper *stepper = hand_start_with(row->scheme, &hand, 0.0, 0.1, q0, u0, "av", row->av);
    const carom_state *state = &stepper->state;
    double low = 0.0, high = 0.0, energy0 = 0.5 * 625.0, energy = energy0;
    for (int i = 1; i <= 400; i++) {
        hand_step(stepper);
        double deviation = hypot(state->q[0], state->q[1] + 60.0) - 60.0;
        low = fmin(low, deviation);
        high = fmax(high, deviation);
        energy = 0.5 * carom_dot(2, state->v, state->v) - 8.0 * state->q[1];
        if (row->scheme == scheme_named("elast"))
            assert_near(energy, energy0, 1e-13 * energy0);
        if (i == 200) {
            assert_near(state->q[0], row->x20, row->tolerance20);
            assert_near(state->q[1], row->y20, row->tolerance20);
        }
    }
    assert_near(state->t, 40.0, 0.0);
    assert_near(state->q[0], row->x40, row->tolerance40);
    assert_near(state->q[1], row->y40, row->tolerance40);
    assert_near(low, row->deviation_min, 0.005 * (1.0 + fabs(row->deviation_min)) * 0.2);
    assert_near(high, row->deviation_max, 0.005 * (1.0 + fabs(row->deviation_max)) * 0.2);
    assert_near((energy - energy0) / energy0, row->energy_gain, row->energy_gain > 0.0 ? 5e-5 : 1e-13);
    assert_int_equal(stepper->counts.adhesive_impulses, row->adhesive);
    hand_free(stepper);
}

static void trial_2_and_3(void **unused)
{
    (void)unused;
    const carom_scheme_ops *elast = scheme_named("elast"), *billiard = scheme_named("billiard");
    const trial2_row rows[] = {
        {elast, 0.0, 25.001525, -5.456675, 1e-6, 43.001657, -18.110351, 1e-6, -0.05079, 0.04696, 0.0, 0},
        {billiard, 0.0, 26.881743, -10.465820, 1e-4, 52.664821, -29.479015, 1e-3, -24.58, 0.87, 0.4030, 0},
        {elast, -0.5, 16.577050, 3.056992, 1e-6, 11.348434, 9.449892, 1e-6, 0.0, 10.37098, 0.0, 4},
        {elast, 0.5, 26.431602, -10.517722, 1e-4, 44.237722, -26.143798, 1e-3, -7.91543, 0.35410, 0.0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_trial2(&rows[i]);
}

static void guard_removes_pulling_impulses(void **unused)
{
    (void)unused;
    const double q0[2] = {0.0, 0.0}, u0[2] = {25.0, 0.0}, values[] = {-0.5, 1.0};
    const char *const names[] = {"av", "guard", NULL};
    hand_model hand;
    make_trial2(&hand);
    carom_stepper *stepper = NULL;
    assert_int_equal(hand_try(scheme_named("elast"), &hand, 0.0, 0.1, q0, u0, names, values, &stepper, NULL),
                     CAROM_OK);
    for (int i = 0; i < 400; i++) {
        hand_step(stepper);
        assert_true(stepper->state.impulse[0] >= 0.0);
    }
    assert_int_equal(stepper->counts.adhesive_impulses, 0);
    assert_near(stepper->state.q[0], 11.330037, 1e-6);
    assert_near(stepper->state.q[1], 9.454565, 1e-6);
    hand_free(stepper);
}

/* Trial 4, plate 5: revolving pendulum inside a circle of radius 40. */
static void check_trial4(double av, double angle_at_1, double tolerance, double mean, double quadratic)
{
    const double q0[2] = {0.0, -40.0}, u0[2] = {40.0 * sqrt(200.0), 0.0};
    hand_model hand;
    hand_init(&hand, 2, 1);
    hand.force = constant_force;
    hand.gaps = inside_ball_gap;
    hand.frame = inside_ball_frame;
    hand.data[8] = 40.0;
    hand.data[17] = -1000.0;
    carom_stepper *stepper = hand_start_with(scheme_named("elast"), &hand, 0.0, 0.005, q0, u0, "av", av);
    double angle = 0.0, last = 0.0, sum = 0.0, squares = 0.0;
    for (int i = 0; i < 200; i++) {
        hand_step(stepper);
        const double *q = stepper->state.q;
        double now = atan2(q[0], -q[1]);
        angle += remainder(now - last, 2.0 * PI);
        last = now;
        double violation = 1e6 * (hypot(q[0], q[1]) - 40.0) / 40.0;
        sum += fabs(violation);
        squares += violation * violation;
    }
    assert_near(angle, angle_at_1, tolerance);
    /* The plate's means are cut to integers. */
    assert_near(floor(sum / 200.0), mean, 0.0);
    assert_near(floor(sqrt(squares / 200.0)), quadratic, 0.0);
    hand_free(stepper);
}

static void trial_4(void **unused)
{
    (void)unused;
    check_trial4(-0.02, 11.77668530, 1e-8, 7112, 8184);
    check_trial4(-0.01, 11.82858582, 1e-8, 3476, 4025);
    check_trial4(0.0, 11.88134374, 1e-8, 177, 207);
    check_trial4(0.01, 11.88104961, 1e-7, 2662, 3486);
    check_trial4(0.02, 11.89552200, 1e-7, 5304, 6875);
}

/* The same system with masses and in scaled coordinates y = M^(1/2) q moves the same way. */
static void masses_are_scaled_coordinates(void **unused)
{
    (void)unused;
    const double root[2] = {1.5, 0.25};
    const double q0[2] = {0.0, 1.0}, u0[2] = {0.3, 0.0};
    const double y0[2] = {root[0] * q0[0], root[1] * q0[1]}, w0[2] = {root[0] * u0[0], 0.0};
    hand_model heavy, scaled;
    hand_init(&heavy, 2, 1);
    heavy.gaps = planes_gap;
    heavy.frame = planes_frame;
    heavy.force = constant_force;
    scaled = heavy;
    scaled.model.contact = scaled.info;
    scaled.work.model = &scaled.model;
    const double normal[2] = {0.6, 0.8}, force[2] = {0.0, -0.7};
    for (int i = 0; i < 2; i++) {
        heavy.mass[3 * i] = root[i] * root[i];
        heavy.data[i] = normal[i];
        heavy.data[16 + i] = force[i];
        scaled.data[i] = normal[i] / root[i];
        scaled.data[16 + i] = force[i] / root[i];
    }
    carom_stepper *a = hand_start(scheme_named("elast"), &heavy, 0.0, 0.01, q0, u0);
    carom_stepper *b = hand_start(scheme_named("elast"), &scaled, 0.0, 0.01, y0, w0);
    double impulse = 0.0;
    for (int step = 0; step < 500; step++) {
        hand_step(a);
        hand_step(b);
        impulse += a->state.impulse[0];
        assert_near(a->state.impulse[0], b->state.impulse[0], 1e-12);
        for (int i = 0; i < 2; i++)
            assert_near(root[i] * a->state.q[i], b->state.q[i], 1e-12);
    }
    assert_true(impulse > 0.1);
    hand_free(a);
    hand_free(b);
}

static void restitution_and_friction_are_refused(void **unused)
{
    (void)unused;
    const double q0[2] = {0.0, 1.0}, u0[2] = {0.0, 0.0};
    hand_model hand;
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    hand_init(&hand, 2, 1);
    hand.gaps = floor_gap;
    hand.frame = floor_frame;
    hand.info[0].has_restitution = true;
    hand.restitution[0] = 0.8;
    assert_int_equal(hand_try(scheme_named("elast"), &hand, 0, 0.1, q0, u0, NULL, NULL, &stepper, &error),
                     CAROM_BAD_INPUT);
    assert_mentions(&error, "one");
    assert_mentions(&error, "0.8");
    assert_mentions(&error, "moreau-jean");
    hand.restitution[0] = 1.0;
    hand_friction(&hand, 0, 1, -1.0, 0.3);
    assert_int_equal(hand_try(scheme_named("elast"), &hand, 0, 0.1, q0, u0, NULL, NULL, &stepper, &error),
                     CAROM_BAD_INPUT);
    assert_mentions(&error, "moreau-friction");
    hand.coefficient[0][0] = 0.0;
    hand_free(hand_start(scheme_named("elast"), &hand, 0, 0.1, q0, u0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trial_2_and_3),
        cmocka_unit_test(guard_removes_pulling_impulses),
        cmocka_unit_test(trial_4),
        cmocka_unit_test(masses_are_scaled_coordinates),
        cmocka_unit_test(restitution_and_friction_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
