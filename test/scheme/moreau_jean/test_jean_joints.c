/* Joints in the theta method: the balance of every step, what is kept between steps, and what stops one. */
#include "test/scheme/jointed.h"

#include "scheme/moreau_jean/moreau_jean.h"

static const moreau_jean *inside(const carom_stepper *stepper)
{
    return (const moreau_jean *)(const void *)stepper;
}

static carom_stepper *start(jointed *model, double h, const double *q0, const double *v0)
{
    return hand_start(scheme_named("moreau-jean"), &model->hand, 0.0, h, q0, v0);
}

/* ---- two masses and a rod that grows ----------------------------------------------------------------- */

enum {
    DOF = 4
};
static const double rod_q0[DOF] = {-0.5, 0.3, 1.5, 0.3}, rod_v0[DOF] = {-0.1, -1.0, 0.4, 0.7};

/* The first mass has a floor at y = 0, and slips along x. */
static void rod_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    (void)t;
    gap[0] = q[1];
}

static void rod_frame(const hand_model *hand, int contact, double t, const double *q,
                      carom_contact_frame *frame)
{
    (void)hand;
    (void)contact;
    (void)t;
    (void)q;
    for (int i = 0; i < DOF; i++) {
        frame->normal.value[i] = i == 1 ? 1.0 : 0.0;
        frame->tangent[0].value[i] = i == 0 ? 1.0 : 0.0;
    }
}

/* Gravity data[16], and a force across the velocity of the second mass, data[17] times its speed. */
static void rod_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)t;
    (void)q;
    force[0] = 0.0;
    force[1] = -hand->data[16] * hand->mass[0];
    force[2] = -hand->data[17] * u[3];
    force[3] = hand->data[17] * u[2] - hand->data[16] * hand->mass[15];
}

static void rod_jacobian(const hand_model *hand, double t, const double *q, const double *u, double *by_q,
                         double *by_u)
{
    (void)t;
    (void)q;
    (void)u;
    (void)by_q;
    by_u[2 * DOF + 3] = -hand->data[17];
    by_u[3 * DOF + 2] = hand->data[17];
}

static void init_rod(jointed *model, int contacts, double gravity, double across)
{
    jointed_init(model, DOF, contacts, 1);
    model->joint = rod_joint;
    model->hand.force = rod_force;
    model->hand.jacobian = rod_jacobian;
    model->hand.gaps = rod_gap;
    model->hand.frame = rod_frame;
    model->hand.data[16] = gravity;
    model->hand.data[17] = across;
    model->hand.mass[10] = model->hand.mass[15] = 3.0;
}

/* Without forces the joint's impulse is inner: momentum stays, and the first mass alone gets it. */
static void momentum_is_kept(void **unused)
{
    (void)unused;
    jointed model;
    init_rod(&model, 0, 0.0, 0.0);
    carom_stepper *stepper = start(&model, 0.01, rod_q0, rod_v0);
    const double *q = stepper->state.q, *v = stepper->state.v, *p = inside(stepper)->joint_impulse;
    for (int i = 1; i <= 200; i++) {
        const double before[2] = {v[0], v[1]}, rod[2] = {q[0] - q[2], q[1] - q[3]};
        hand_step(stepper);
        for (int k = 0; k < 2; k++) {
            assert_near(v[k] + 3.0 * v[k + 2], rod_v0[k] + 3.0 * rod_v0[k + 2], 1e-12);
            assert_near(v[k] - before[k], 0.5 * (rod[k] + q[k] - q[k + 2]) * p[0], 1e-12);
        }
    }
    hand_free(stepper);
}

/* M (v - v_n) - h f_theta - (G_n + G)^T p_joint / 2 - W p_contact, and G v + g_t, at the state. */
static void check_balance(const jointed *model, const carom_stepper *stepper, const double *row_old,
                          const double *v_old)
{
    const carom_state *state = &stepper->state;
    double value, rate, row[DOF], old[DOF], new[DOF];
    rod_joint(model, 0, state->t, state->q, &value, &rate, row);
    assert_near(carom_dot(DOF, row, state->v) + rate, 0.0, 1e-11);
    rod_force(&model->hand, 0.0, NULL, v_old, old);
    rod_force(&model->hand, 0.0, NULL, state->v, new);
    for (int i = 0; i < DOF; i++) {
        double left = model->hand.mass[i * (DOF + 1)] * (state->v[i] - v_old[i]) - 0.005 * (old[i] + new[i]);
        left -= 0.5 * (row_old[i] + row[i]) * state->reaction[0];
        if (i < 2)
            left -= state->impulse[1 - i];
        assert_near(left, 0.0, 1e-11);
    }
}

/* With gravity, a force whose derivative is not symmetric, and a floor with restitution and friction. */
static void every_step_balances(void **unused)
{
    (void)unused;
    for (int k = 0; k < 4; k++) {
        const bool friction = k % 2 == 1, constant = k >= 2; /* all is constant but the joint */
        jointed model;
        int touched = 0;
        init_rod(&model, 1, 9.81, 0.8);
        model.hand.info[0].has_restitution = true;
        model.hand.restitution[0] = 0.5;
        model.hand.info[0].constant_rows = model.hand.info[0].constant_frame = constant;
        model.hand.model.constant_force_jacobian = model.hand.model.affine_force = constant;
        if (friction)
            hand_friction(&model.hand, 0, 1, -1.0, 0.3);
        carom_stepper *stepper = start(&model, 0.01, rod_q0, rod_v0);
        for (int i = 1; i <= 60; i++) {
            double v_old[DOF], row_old[DOF], value, rate;
            memcpy(v_old, stepper->state.v, sizeof v_old);
            rod_joint(&model, 0, stepper->state.t, stepper->state.q, &value, &rate, row_old);
            hand_step(stepper);
            check_balance(&model, stepper, row_old, v_old);
            touched += stepper->state.impulse[0] > 0.0;
            if (!friction)
                assert_near(stepper->state.impulse[1], 0.0, 0.0);
        }
        assert_true(touched >= 3);
        hand_free(stepper);
    }
}

/* ---- a mass on a rod about a support ------------------------------------------------------------------- */

/* x^2 + (y - s)^2 = 1 about a support at s = data[0] sin(2 t). */
static double support_at(const jointed *model, double t)
{
    return model->hand.data[0] * sin(2.0 * t);
}

static void swing_joint(const jointed *model, int joint, double t, const double *q, double *value,
                        double *rate, double *row)
{
    (void)joint;
    const double x = q[0], y = q[1] - support_at(model, t);
    row[0] = 2.0 * x;
    row[1] = 2.0 * y;
    *value = x * x + y * y - 1.0;
    *rate = -2.0 * y * 2.0 * model->hand.data[0] * cos(2.0 * t);
}

static void swing_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)t;
    (void)q;
    (void)u;
    force[0] = 0.0;
    force[1] = -hand->data[1];
}

static carom_stepper *start_swing(jointed *model, double h, const char *joints, double support,
                                  double gravity, double speed)
{
    const double q0[2] = {1.0, 0.0}, v0[2] = {0.0, speed};
    const double end = strcmp(joints, "end") == 0 ? 1.0 : 0.0;
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    jointed_init(model, 2, 0, 1);
    model->joint = swing_joint;
    model->hand.force = swing_force;
    model->hand.data[0] = support;
    model->hand.data[1] = gravity;
    assert_int_equal(hand_try(scheme_named("moreau-jean"), &model->hand, 0.0, h, q0, v0,
                              (const char *const[]){"joints", NULL}, &end, &stepper, &error),
                     CAROM_OK);
    return stepper;
}

/* Without forces the mass turns for ever; the rod pulls with m v^2 along 2 (x, y). */
static void a_free_rod_keeps_speed_and_length(void **unused)
{
    (void)unused;
    jointed model;
    const double h = 1e-4, turn = 75.0 * h;
    carom_stepper *stepper = start_swing(&model, h, "theta", 0.0, 0.0, 75.0);
    const double *q = stepper->state.q, *v = stepper->state.v;
    for (int i = 0; i < 80000; i++) {
        hand_step(stepper);
        assert_near(hypot(q[0], q[1]), 1.0, 1e-12);
        assert_near(stepper->state.reaction[0] / h, -0.5 * 75.0 * 75.0, 0.5 * 75.0 * 75.0 * turn * turn);
    }
    assert_near(hypot(v[0], v[1]), 75.0, 1e-9);
    hand_free(stepper);
    stepper = start_swing(&model, h, "end", 0.0, 0.0, 75.0);
    hand_run(stepper, 80000);
    assert_near(hypot(stepper->state.v[0], stepper->state.v[1]), 31.980222, 1e-6); /* as published: braked */
    hand_free(stepper);
}

/* Angle and its rate by Runge and Kutta: a'' = -(g + s'') cos(a), s'' = -4 A sin(2 t). */
static void swing_exactly(double support, double gravity, double speed, double until, double *angle)
{
    const int steps = 20000;
    const double h = until / steps;
    double a = 0.0, w = speed - 2.0 * support; /* relative to the support */
    for (int i = 0; i < steps; i++) {
        double ka[4], kw[4];
        for (int k = 0; k < 4; k++) {
            const double part = k == 0 ? 0.0 : k < 3 ? 0.5 * h : h, t = i * h + part;
            const double at = a + (k > 0 ? part * ka[k - 1] : 0.0);
            ka[k] = w + (k > 0 ? part * kw[k - 1] : 0.0);
            kw[k] = -(gravity - 4.0 * support * sin(2.0 * t)) * cos(at);
        }
        a += h * (ka[0] + 2.0 * ka[1] + 2.0 * ka[2] + ka[3]) / 6.0;
        w += h * (kw[0] + 2.0 * kw[1] + 2.0 * kw[2] + kw[3]) / 6.0;
    }
    *angle = a;
}

/* Gravity, and a support that moves: angle and pull of the rod are of second order. */
static void a_swing_is_of_second_order(void **unused)
{
    (void)unused;
    const double supports[] = {0.0, 0.3};
    for (int k = 0; k < 2; k++) {
        double exact, error[3], pull[3];
        swing_exactly(supports[k], 9.81, 0.6, 1.5, &exact);
        for (int fine = 0; fine < 3; fine++) {
            jointed model;
            const int steps = 300 << fine;
            const double h = 1.5 / steps;
            carom_stepper *stepper = start_swing(&model, h, "theta", supports[k], 9.81, 0.6);
            const double *q = stepper->state.q;
            hand_run(stepper, steps);
            error[fine] = atan2(q[1] - support_at(&model, 1.5), q[0]) - exact;
            pull[fine] = stepper->state.reaction[0] / h; /* about the middle of the step */
            hand_step(stepper);
            pull[fine] = 0.5 * (pull[fine] + stepper->state.reaction[0] / h);
            hand_free(stepper);
        }
        for (int i = 0; i < 3; i++)
            error[i] = remainder(error[i], 2.0 * acos(-1.0));
        assert_near(error[2], 0.0, 1e-4);
        for (int i = 0; i < 2; i++)
            assert_near(log2(error[i] / error[i + 1]), 2.0, 0.1);
        assert_near(log2((pull[0] - pull[1]) / (pull[1] - pull[2])), 2.0, 0.1);
    }
}

/* ---- rows that do not change ------------------------------------------------------------------------- */

/* q1 = 2 q2 on a floor with a spring to q3. */
static void spring_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)hand;
    (void)t;
    (void)u;
    const double pull = 30.0 * (q[2] - q[0]);
    force[0] = pull - 5.0;
    force[1] = 0.0;
    force[2] = -pull;
}

static void spring_jacobian(const hand_model *hand, double t, const double *q, const double *u, double *by_q,
                            double *by_u)
{
    (void)hand;
    (void)t;
    (void)q;
    (void)u;
    (void)by_u;
    by_q[0] = by_q[8] = -30.0;
    by_q[2] = by_q[6] = 30.0;
}

static void linked_joint(const jointed *model, int joint, double t, const double *q, double *value,
                         double *rate, double *row)
{
    (void)model;
    (void)joint;
    (void)t;
    row[0] = 1.0;
    row[1] = -2.0;
    *value = q[0] - 2.0 * q[1];
    *rate = 0.0;
}

static carom_stepper *start_linked(jointed *model, bool constant)
{
    const double q0[3] = {0.2, 0.1, 0.2}, v0[3] = {-2.0, -1.0, 0.5};
    jointed_init(model, 3, 1, 1);
    model->joint = linked_joint;
    model->fixed_rows = constant;
    model->hand.force = spring_force;
    model->hand.jacobian = spring_jacobian;
    model->hand.model.constant_force_jacobian = model->hand.model.affine_force = constant;
    model->hand.gaps = planes_gap;
    model->hand.frame = planes_frame;
    model->hand.data[0] = 1.0; /* the normal */
    model->hand.info[0].constant_rows = model->hand.info[0].constant_frame = constant;
    model->hand.info[0].has_restitution = true;
    model->hand.restitution[0] = 0.6;
    return start(model, 0.01, q0, v0);
}

static void constant_rows_change_nothing(void **unused)
{
    (void)unused;
    jointed kept, anew;
    carom_stepper *one = start_linked(&kept, true), *other = start_linked(&anew, false);
    int touched = 0;
    for (int i = 0; i < 300; i++) {
        hand_step(one);
        hand_step(other);
        for (int k = 0; k < 3; k++) {
            assert_near(one->state.q[k], other->state.q[k], 1e-11);
            assert_near(one->state.v[k], other->state.v[k], 1e-10);
        }
        assert_near(inside(one)->joint_impulse[0], inside(other)->joint_impulse[0], 1e-10);
        assert_near(one->state.q[0], 2.0 * one->state.q[1], 1e-12); /* a linear joint has no drift */
        touched += one->state.impulse[0] > 0.0;
    }
    assert_true(touched > 3);
    assert_int_equal(inside(one)->joints.factorisation, 1);
    hand_free(one);
    hand_free(other);
}

/* ---- what stops a step ------------------------------------------------------------------------------- */

static void expect_stop(carom_stepper *stepper, int steps_before, const char *const *words)
{
    carom_error error = {0};
    hand_run(stepper, steps_before);
    const double t = stepper->state.t, q = stepper->state.q[0], v = stepper->state.v[0];
    assert_int_equal(carom_stepper_step(stepper, &error), CAROM_FAILED);
    for (; *words; words++)
        assert_mentions(&error, *words);
    assert_near(stepper->state.t, t, 0.0);
    assert_near(stepper->state.q[0], q, 0.0);
    assert_near(stepper->state.v[0], v, 0.0);
    hand_free(stepper);
}

/* a: q1 = 0; b: q1 + q2^2 / 2 = (1 - t)^2 / 2. At t = 1 the rows are the same. */
static void meeting_joints(const jointed *model, int joint, double t, const double *q, double *value,
                           double *rate, double *row)
{
    (void)model;
    row[0] = 1.0;
    row[1] = joint == 0 ? 0.0 : q[1];
    *value = joint == 0 ? q[0] : q[0] + 0.5 * (q[1] * q[1] - (1.0 - t) * (1.0 - t));
    *rate = joint == 0 ? 0.0 : 1.0 - t;
}

static void singular_position(void **unused)
{
    (void)unused;
    jointed model;
    const double q0[3] = {0.0, 1.0, 0.0}, v0[3] = {0.0, -1.0, 0.0};
    jointed_init(&model, 3, 0, 2);
    model.joint = meeting_joints;
    expect_stop(
        start(&model, 0.125, q0, v0), 7,
        (const char *[]){"t = 1, step 8", "joint 'b' depends on the others", "'a', 'b'", "singular", NULL});
}

/* A rate that changes its sign with the position: the iteration goes to and fro. */
static void flipping_joint(const jointed *model, int joint, double t, const double *q, double *value,
                           double *rate, double *row)
{
    (void)model;
    (void)joint;
    (void)t;
    row[0] = q[0] > 0.0 ? 1.0 : -1.0;
    *value = 0.0;
    *rate = 1.0;
}

static void no_convergence(void **unused)
{
    (void)unused;
    jointed model;
    const double q0[2] = {0.0, 0.0}, v0[2] = {1.0, 0.0};
    jointed_init(&model, 2, 0, 1);
    model.joint = flipping_joint;
    expect_stop(start(&model, 0.01, q0, v0), 0,
                (const char *[]){"did not converge", "joint 'a'", "to and fro", "no step helps", NULL});
}

/* The joint already fixes the gap of the contact. */
static void contact_that_joints_hold(void **unused)
{
    (void)unused;
    jointed model;
    const double q0[3] = {0.0, 0.0, 0.0}, v0[3] = {0.0, 0.0, 0.0};
    jointed_init(&model, 3, 1, 1);
    model.joint = linear_joint;
    model.hand.data[0] = model.hand.data[2] = 1.0;
    model.hand.gaps = planes_gap;
    model.hand.frame = planes_frame;
    expect_stop(start(&model, 0.01, q0, v0), 0, (const char *[]){"joints hold contact 'one'", NULL});
}

/* ---- the start --------------------------------------------------------------------------------------- */

static void start_is_checked_or_projected(void **unused)
{
    (void)unused;
    jointed model;
    carom_error error = {0};
    carom_stepper *stepper = NULL;
    const double q0[3] = {1.0, 0.1, 0.0}, v0[3] = {0.0, 0.0, 0.0}, project = 1.0;
    const char *const names[] = {"initial", NULL};
    jointed_init(&model, 3, 0, 2);
    model.joint = pin_joint;
    assert_int_equal(
        hand_try(scheme_named("moreau-jean"), &model.hand, 0.0, 0.01, q0, v0, NULL, NULL, &stepper, &error),
        CAROM_BAD_INPUT);
    assert_mentions(&error, "joint 'b'");
    assert_int_equal(hand_try(scheme_named("moreau-jean"), &model.hand, 0.0, 0.01, q0, v0, names, &project,
                              &stepper, &error),
                     CAROM_OK);
    const double *q = stepper->state.q;
    assert_near(q[0], cos(q[2]), 1e-12);
    assert_near(q[1], sin(q[2]), 1e-12);
    assert_int_equal(stepper->warnings.count, 1);
    hand_run(stepper, 3); /* at rest it stays at rest */
    assert_near(q[1], sin(q[2]), 1e-12);
    hand_free(stepper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(every_step_balances),
        cmocka_unit_test(a_free_rod_keeps_speed_and_length),
        cmocka_unit_test(a_swing_is_of_second_order),
        cmocka_unit_test(constant_rows_change_nothing),
        cmocka_unit_test(singular_position),
        cmocka_unit_test(no_convergence),
        cmocka_unit_test(contact_that_joints_hold),
        cmocka_unit_test(start_is_checked_or_projected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
