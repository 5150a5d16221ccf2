/* Friction in the theta method, one contact and several, and what stops a step. */
#include "test/scheme/models.h"

static const double rest[3] = {0.0, 0.0, 0.0};

/* A block on a slope: x along it, y normal to it. Started a little below the plane, so that the contact is
 * active from the first step on. */
static carom_stepper *start_block(hand_model *hand, double slope, double static_mu, double mu, double speed)
{
    const double q0[2] = {0.0, -1e-9}, v0[2] = {speed, 0.0}, angle = atan(slope);
    hand_init(hand, 2, 1);
    hand->mass[0] = hand->mass[3] = 3.0;
    hand->gaps = floor_gap;
    hand->frame = floor_frame;
    hand->force = constant_force;
    hand->data[16] = 3.0 * 9.81 * sin(angle);
    hand->data[17] = -3.0 * 9.81 * cos(angle);
    hand_friction(hand, 0, 1, static_mu, mu);
    return hand_start(scheme_named("moreau-jean"), hand, 0.0, 0.01, q0, v0);
}

static void check_block(double slope, double static_mu, double mu, double speed, bool sticks)
{
    hand_model hand;
    carom_stepper *stepper = start_block(&hand, slope, static_mu, mu, speed);
    hand_run(stepper, 100);
    double angle = atan(slope), expected = speed + 9.81 * (sin(angle) - mu * cos(angle));
    assert_near(stepper->state.v[0], sticks ? 0.0 : expected, 1e-12);
    assert_near(stepper->state.v[1], 0.0, 1e-14);
    assert_int_equal(stepper->state.regime[0], sticks ? CAROM_CONTACT_STICK : CAROM_CONTACT_SLIP);
    const double *p = stepper->state.impulse, weight = 3.0 * 9.81 * 0.01;
    assert_near(p[0], weight * cos(angle), 1e-13);
    assert_near(p[1], sticks ? -weight * sin(angle) : -mu * p[0], 1e-13);
    hand_free(stepper);
}

static void slope_threshold(void **unused)
{
    (void)unused;
    check_block(0.3, -1.0, 0.301, 0.0, true);
    check_block(0.3, -1.0, 0.299, 0.0, false);
    /* two levels: at rest the static coefficient holds it, in motion the dynamic one does not */
    check_block(0.3, 0.4, 0.2, 0.0, true);
    check_block(0.3, 0.4, 0.2, 0.5, false);
}

/* A ball with spin hits the floor: restitution in the normal, Coulomb in the tangent. */
static void oblique_bounce(void **unused)
{
    (void)unused;
    const double q0[3] = {0.0, 0.0, -1e-12}, v0[3] = {3.0, 4.0, -2.0};
    for (int sticks = 0; sticks < 2; sticks++) {
        hand_model hand;
        hand_init(&hand, 3, 1);
        hand.gaps = floor_gap;
        hand.frame = floor_frame;
        hand.info[0].has_restitution = true;
        hand.restitution[0] = 0.5;
        hand_friction(&hand, 0, 2, -1.0, sticks ? 2.0 : 0.25);
        carom_stepper *stepper = hand_start(scheme_named("moreau-jean"), &hand, 0.0, 1e-3, q0, v0);
        hand_step(stepper);
        /* the normal impulse 3 allows friction 0.75 against the speed 5 */
        double left = sticks ? 0.0 : 1.0 - 0.75 / 5.0;
        assert_near(stepper->state.impulse[0], 3.0, 1e-14);
        assert_near(stepper->state.v[0], 3.0 * left, 1e-14);
        assert_near(stepper->state.v[1], 4.0 * left, 1e-14);
        assert_near(stepper->state.v[2], 1.0, 1e-14);
        hand_step(stepper);
        assert_int_equal(stepper->state.regime[0], CAROM_CONTACT_OPEN);
        assert_near(stepper->state.impulse[0], 0.0, 0.0);
        hand_free(stepper);
    }
}

/* Two blocks one on the other, each on a line; the belt below moves: contact 0 floor, contact 1 between. */
static void stack_gaps(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    (void)t;
    gap[0] = q[1];
    gap[1] = q[3] - q[1];
}

static void stack_frame(const hand_model *hand, int contact, double t, const double *q,
                        carom_contact_frame *frame)
{
    (void)hand;
    (void)t;
    (void)q;
    for (int i = 0; i < 4; i++)
        frame->normal.value[i] = frame->tangent[0].value[i] = 0.0;
    frame->normal.value[2 * contact + 1] = frame->tangent[0].value[2 * contact] = 1.0;
    if (contact == 1)
        frame->normal.value[1] = frame->tangent[0].value[0] = -1.0;
    else
        frame->tangent_rate[0] = -2.0;
}

static void stack_on_a_belt(void **unused)
{
    (void)unused;
    const double q0[4] = {0.0, -1e-9, 0.0, -2e-9}, v0[4] = {0.0, 0.0, 0.0, 0.0}, h = 0.01;
    hand_model hand;
    hand_init(&hand, 4, 2);
    hand.mass[0] = hand.mass[5] = 2.0; /* below */
    hand.gaps = stack_gaps;
    hand.frame = stack_frame;
    hand.force = constant_force;
    hand.data[17] = -20.0;
    hand.data[19] = -10.0;
    hand_friction(&hand, 0, 1, -1.0, 0.5);
    hand_friction(&hand, 1, 1, -1.0, 0.1);
    carom_stepper *stepper = hand_start(scheme_named("moreau-jean"), &hand, 0.0, h, q0, v0);
    hand_run(stepper, 20);
    const double *p = stepper->state.impulse, *v = stepper->state.v;
    assert_near(p[0], 30.0 * h, 1e-12);
    assert_near(p[3], 10.0 * h, 1e-12);
    assert_near(v[0], (0.5 * 30.0 - 0.1 * 10.0) / 2.0 * 0.2, 1e-12);
    assert_near(v[2], 0.1 * 10.0 * 0.2, 1e-12);
    hand_run(stepper, 300); /* all go with the belt in the end */
    assert_near(v[0], 2.0, 1e-12);
    assert_near(v[2], 2.0, 1e-12);
    assert_int_equal(stepper->state.regime[0], CAROM_CONTACT_STICK);
    assert_int_equal(stepper->state.regime[1], CAROM_CONTACT_STICK);
    assert_true(stepper->counts.worst_solver_error <= 1e-10);
    hand_free(stepper);
}

/* Four frictionless walls with one impulse too many: the LCP path. */
static void corner_without_friction(void **unused)
{
    (void)unused;
    const double normals[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0.6, 0.8, 0};
    const double v0[3] = {-1.0, -2.0, -3.0};
    hand_model hand;
    hand_init(&hand, 3, 4);
    hand.gaps = planes_gap;
    hand.frame = planes_frame;
    memcpy(hand.data, normals, sizeof normals);
    carom_stepper *stepper = hand_start(scheme_named("moreau-jean"), &hand, 0.0, 0.01, rest, v0);
    hand_step(stepper);
    for (int i = 0; i < 3; i++)
        assert_near(stepper->state.v[i], 0.0, 1e-14);
    const double *p = stepper->state.impulse;
    assert_near(p[0] + 0.6 * p[9], 1.0, 1e-14);
    assert_near(p[3] + 0.8 * p[9], 2.0, 1e-14);
    assert_near(p[6], 3.0, 1e-14);
    hand_free(stepper);
}

/* data[0] chooses what is wrong */
static void spoiled_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)t;
    (void)q;
    (void)u;
    force[0] = 0.0;
    force[1] = hand->data[0] == 1.0 ? INFINITY : -1.0;
}

static void spoiled_jacobian(const hand_model *hand, double t, const double *q, const double *u, double *by_q,
                             double *by_u)
{
    (void)t;
    (void)q;
    (void)u;
    by_q[0] = hand->data[0] == 2.0 ? NAN : 0.0;
    if (hand->data[0] == 3.0) /* M - h theta C = 0 for h = 0.5 */
        by_u[3] = 4.0;
}

static void spoiled_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)t;
    gap[0] = hand->data[0] == 4.0 ? NAN : q[1];
}

static void spoiled_frame(const hand_model *hand, int contact, double t, const double *q,
                          carom_contact_frame *frame)
{
    floor_frame(hand, contact, t, q, frame);
    if (hand->data[0] == 5.0)
        frame->normal.value[1] = 0.0;
    if (hand->data[0] == 6.0)
        frame->tangent[0].value[0] = NAN;
}

static void spoiled_models_stop_the_step(void **unused)
{
    (void)unused;
    const char *const words[] = {"force of coordinate 'q2' is inf",
                                 "derivatives of the force",
                                 "singular",
                                 "gap of contact 'one'",
                                 "zero gradient",
                                 "slip direction"};
    for (int k = 1; k <= 6; k++) {
        const double q0[2] = {0.0, 0.0}, v0[2] = {1.0, -1.0};
        hand_model hand;
        carom_error error = {0};
        hand_init(&hand, 2, 1);
        hand.force = spoiled_force;
        hand.jacobian = spoiled_jacobian;
        hand.gaps = spoiled_gap;
        hand.frame = spoiled_frame;
        hand_friction(&hand, 0, 1, -1.0, 0.5);
        hand.data[0] = k;
        carom_stepper *stepper = hand_start(scheme_named("moreau-jean"), &hand, 0.0, 0.5, q0, v0);
        assert_int_equal(carom_stepper_step(stepper, &error), CAROM_FAILED);
        assert_mentions(&error, words[k - 1]);
        assert_mentions(&error, "step 1");
        assert_near(stepper->state.t, 0.0, 0.0);
        assert_near(stepper->state.q[0], 0.0, 0.0);
        assert_near(stepper->state.v[1], -1.0, 0.0);
        hand_free(stepper);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slope_threshold),
        cmocka_unit_test(oblique_bounce),
        cmocka_unit_test(stack_on_a_belt),
        cmocka_unit_test(corner_without_friction),
        cmocka_unit_test(spoiled_models_stop_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
