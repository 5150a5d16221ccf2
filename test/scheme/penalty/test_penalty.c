/* The penalty scheme against its closed forms on a ball, and on a double pendulum at a wall. Reference
 * numbers: closed forms, and an independent program (two tolerances agree). */
#include "test/scheme/wall_pendulum.h"

static carom_stepper *start_penalty(hand_model *hand, double h, const double *q0, const double *v0, double n)
{
    return hand_start_with(scheme_named("penalty"), hand, 0.0, h, q0, v0, "n", n);
}

/* ---- a ball without gravity: q0 = 1, u0 = -1 ----------------------------------------------------------- */

static void free_ball_has_closed_form(void **unused)
{
    (void)unused;
    const struct {
        double restitution, n, q;
    } rows[] = {
        {0.3, 1e4, 0.289906814466}, {0.3, 1e6, 0.298990681447}, {0.5, 1e4, 0.483914247441},
        {0.5, 1e6, 0.498391424744}, {1.0, 1e4, 0.968584073464}, {1.0, 1e6, 0.996858407346},
    };
    const double q0[1] = {1.0}, v0[1] = {-1.0};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        hand_model hand;
        ball_init(&hand, 0.0, rows[k].restitution);
        carom_stepper *stepper = start_penalty(&hand, 0.125, q0, v0, rows[k].n);
        double impulse = 0.0;
        int touching = 0;
        for (int i = 0; i < 16; i++) {
            hand_step(stepper);
            impulse += stepper->state.impulse[0];
            touching += stepper->state.regime[0] == CAROM_CONTACT_SLIP;
        }
        assert_near(stepper->state.t, 2.0, 1e-15);
        assert_near(stepper->state.q[0], rows[k].q, 1e-10);
        assert_near(stepper->state.v[0], rows[k].restitution, 1e-10);
        assert_near(impulse, 1.0 + rows[k].restitution, 1e-10);
        assert_true(touching >= 1 && touching <= 2); /* the contact begins at an output, t = 1 */
        hand_free(stepper);
    }
}

/* zeta and the duration of contact: for t in contact q = -exp(-zeta w t) sin(w_d t) / w_d with w = sqrt n. */
static void contact_is_a_damped_oscillation(void **unused)
{
    (void)unused;
    const struct {
        double restitution, zeta, duration;
    } rows[] = {
        {0.3, 0.357857130503, 3.364395178133},
        {0.5, 0.215453761966, 3.217150511712},
        {0.8, 0.070850300195, 3.149507492543},
        {1.0, 0.0, 3.1415926536},
    };
    const double q0[1] = {1.0}, v0[1] = {-1.0};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        hand_model hand;
        ball_init(&hand, 0.0, rows[k].restitution);
        carom_stepper *stepper = start_penalty(&hand, 1.0 / 256.0, q0, v0, 1e4);
        hand_run(stepper, 256);
        for (int i = 1; i <= 7; i++) {
            hand_step(stepper);
            const double t = i / 256.0, frequency = PI / rows[k].duration * 100.0;
            const double q = -exp(-rows[k].zeta * 100.0 * t) * sin(frequency * t) / frequency;
            assert_near(stepper->state.q[0], q, 1e-11);
        }
        hand_free(stepper);
    }
}

static void inelastic_ball_creeps_back(void **unused)
{
    (void)unused;
    const double q0[1] = {1.0}, v0[1] = {-1.0};
    hand_model hand;
    ball_init(&hand, 0.0, 0.0);
    carom_stepper *stepper = start_penalty(&hand, 0.01, q0, v0, 1e4);
    double deepest = 0.0;
    for (int i = 1; i <= 200; i++) {
        hand_step(stepper);
        const double s = stepper->state.t - 1.0;
        if (s > 0.0)
            assert_near(stepper->state.q[0], -s * exp(-100.0 * s), 1e-11);
        deepest = fmin(deepest, stepper->state.q[0]);
    }
    assert_near(deepest, -exp(-1.0) / 100.0, 1e-11); /* at t = 1.01 */
    hand_free(stepper);
}

/* ---- a ball with gravity ------------------------------------------------------------------------------- */

static void ball_with_gravity(void **unused)
{
    (void)unused;
    const struct {
        double n, q;
    } rows[] = {{1e4, 0.3291871240}, {1e6, 0.5213436476}, {1e8, 0.5385425983}, {1e10, 0.5402428157}};
    const double q0[1] = {1.0}, v0[1] = {0.0};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        hand_model hand;
        ball_init(&hand, 9.81, 1.0);
        carom_stepper *stepper = start_penalty(&hand, 0.05, q0, v0, rows[k].n);
        hand_run(stepper, 30);
        assert_near(stepper->state.q[0], rows[k].q, 2e-9);
        hand_free(stepper);
    }
}

/* Contacts on [0, 2]; at the end the ball rests at -g/n. */
static void finitely_many_contacts(void **unused)
{
    (void)unused;
    const struct {
        double restitution, n;
        int contacts;
    } rows[] = {{0.5, 1e4, 5}, {0.5, 1e6, 8}, {0.3, 1e4, 3}, {0.3, 1e6, 5}};
    const double q0[1] = {1.0}, v0[1] = {0.0};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        hand_model hand;
        ball_init(&hand, 9.81, rows[k].restitution);
        const double h = 1e-4;
        carom_stepper *stepper = start_penalty(&hand, h, q0, v0, rows[k].n);
        int contacts = 0;
        bool inside = false;
        for (int i = 0; i < 20000; i++) {
            hand_step(stepper);
            contacts += !inside && stepper->state.q[0] < 0.0;
            inside = stepper->state.q[0] < 0.0;
        }
        assert_int_equal(contacts, rows[k].contacts);
        assert_near(stepper->state.q[0], -9.81 / rows[k].n, 1e-9);
        assert_near(stepper->state.impulse[0], 9.81 * h, 1e-9);
        hand_free(stepper);
    }
}

/* ---- double pendulum ----------------------------------------------------------------------------------- */

static void pendulum_at_a_wall(void **unused)
{
    (void)unused;
    const struct {
        double restitution, n, q[2], deepest;
    } rows[] = {
        {0.5, 1e4, {0.28048907, -0.62121190}, -2.8217e-2}, {0.5, 1e6, {0.27447465, -0.62099280}, -2.7857e-3},
        {0.5, 1e8, {0.27305422, -0.62087359}, -2.7856e-4}, {1.0, 1e4, {0.17069555, -0.92485919}, 0.0},
        {1.0, 1e6, {0.15753608, -1.06719280}, 0.0},        {1.0, 1e8, {0.15743167, -1.08003311}, 0.0},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        hand_model hand;
        pendulum_init(&hand, rows[k].restitution);
        carom_stepper *stepper = start_penalty(&hand, 1e-4, pendulum_q0, pendulum_v0, rows[k].n);
        double deepest = 0.0, gap = 0.0;
        for (int i = 0; i < 20000; i++) {
            hand_step(stepper);
            pendulum_gap(&hand, 0.0, stepper->state.q, &gap);
            deepest = fmin(deepest, gap);
        }
        assert_near(stepper->state.q[0], rows[k].q[0], 1e-8);
        assert_near(stepper->state.q[1], rows[k].q[1], 1e-8);
        if (rows[k].deepest < 0.0)
            assert_near(deepest / rows[k].deepest, 1.0, rows[k].n < 1e7 ? 5e-3 : 0.2); /* sampled */
        hand_free(stepper);
    }
}

/* ---- what else ----------------------------------------------------------------------------------------- */

/* A dip that begins and ends within one step of the integrator: q'' = 1, least gap -1e-8. */
static void short_contacts_are_found(void **unused)
{
    (void)unused;
    const double q0[1] = {0.5}, v0[1] = {-sqrt(1.0 + 2e-8)};
    hand_model hand;
    ball_init(&hand, -1.0, 1.0);
    carom_stepper *stepper = start_penalty(&hand, 2.0, q0, v0, 1e10);
    hand_step(stepper);
    /* spring and force: the velocity is reversed after (pi - 2 atan(1 / (w v))) / w, w = 1e5 */
    const double speed = sqrt(2e-8), duration = (PI - 2.0 * atan(1.0 / (1e5 * speed))) / 1e5;
    assert_true(stepper->state.regime[0] == CAROM_CONTACT_SLIP);
    assert_near(stepper->state.impulse[0], 2.0 * speed - duration, 1e-8);
    hand_free(stepper);
}

static void several_contacts_are_warned_about(void **unused)
{
    (void)unused;
    const double q0[2] = {0.2, 0.3}, v0[2] = {-1.0, -1.0};
    hand_model hand;
    hand_init(&hand, 2, 2);
    hand.gaps = planes_gap;
    hand.frame = planes_frame;
    hand.data[0] = hand.data[3] = 1.0;
    hand.info[0].has_restitution = hand.info[1].has_restitution = true;
    hand.restitution[0] = 0.5;
    hand.restitution[1] = 1.0;
    carom_stepper *stepper = start_penalty(&hand, 0.5, q0, v0, 1e6);
    assert_int_equal(stepper->warnings.count, 1);
    hand_run(stepper, 2);
    assert_near(stepper->state.v[0], 0.5, 1e-10);
    assert_near(stepper->state.v[1], 1.0, 1e-10);
    assert_near(stepper->state.q[1], 0.7 - PI / 1000.0, 1e-10);
    hand_free(stepper);
}

static void square_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)hand;
    (void)t;
    (void)q;
    force[0] = u[0] * u[0];
}

static void blow_up_ends_the_run(void **unused)
{
    (void)unused;
    const double q0[1] = {1.0}, v0[1] = {2.0};
    hand_model hand;
    ball_init(&hand, 0.0, 1.0);
    hand.force = square_force;
    carom_stepper *stepper = start_penalty(&hand, 0.4, q0, v0, 1e6);
    carom_error error = {0};
    hand_step(stepper);
    assert_near(stepper->state.q[0], 2.609437912434, 1e-9);
    assert_int_equal(carom_stepper_step(stepper, &error), CAROM_FAILED);
    assert_string_equal(stepper->end_word, "blowup");
    assert_near(stepper->state.t, 0.4, 0.0);
    hand_free(stepper);
}

static void friction_is_refused(void **unused)
{
    (void)unused;
    const double q0[2] = {0.0, 1.0}, v0[2] = {0.0, 0.0};
    hand_model hand;
    hand_init(&hand, 2, 1);
    hand.gaps = floor_gap;
    hand.frame = floor_frame;
    hand_friction(&hand, 0, 1, -1.0, 0.3);
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    assert_int_equal(hand_try(scheme_named("penalty"), &hand, 0.0, 0.1, q0, v0, NULL, NULL, &stepper, &error),
                     CAROM_BAD_INPUT);
    assert_mentions(&error, "moreau-jean");
    hand.coefficient[0][0] = 0.0;
    hand.info[0].has_restitution = true;
    hand.restitution[0] = 1.5;
    assert_int_equal(hand_try(scheme_named("penalty"), &hand, 0.0, 0.1, q0, v0, NULL, NULL, &stepper, &error),
                     CAROM_BAD_INPUT);
    assert_mentions(&error, "1.5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_ball_has_closed_form),  cmocka_unit_test(contact_is_a_damped_oscillation),
        cmocka_unit_test(inelastic_ball_creeps_back), cmocka_unit_test(ball_with_gravity),
        cmocka_unit_test(finitely_many_contacts),     cmocka_unit_test(pendulum_at_a_wall),
        cmocka_unit_test(short_contacts_are_found),   cmocka_unit_test(several_contacts_are_warned_about),
        cmocka_unit_test(blow_up_ends_the_run),       cmocka_unit_test(friction_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
