/* Start-ups and motions from the set point. */
#include "drill.h"

typedef struct outcome {
    double first_move[4], first_stick, period;
    int slips, per_period;
    carom_drill_slip last[3];
    carom_drill_window early, late, all;
} outcome;

static outcome run(carom_drill_request request)
{
    carom_drill_string *string = setup();
    carom_drill_window window[3] = {
        {.from = 110.0, .to = 200.0}, {.from = 250.0, .to = 1e9}, {.from = 0.0, .to = 1e9}};
    carom_drill_motion *motion;
    carom_error error;
    request.string = string;
    request.windows = 3;
    request.window = window;
    assert_ok(carom_drill_run(&request, &motion, &error));
    outcome o = {.first_stick = motion->first_stick,
                 .period = motion->period,
                 .slips = motion->slips,
                 .per_period = motion->slips_per_period,
                 .early = window[0],
                 .late = window[1],
                 .all = window[2]};
    for (int i = 0; i < 4; i++)
        o.first_move[i] = motion->first_move[i];
    for (int i = 0; i < 3 && i < motion->slips; i++)
        o.last[i] = motion->slip[motion->slips - 1 - i];
    carom_drill_motion_free(motion);
    carom_drill_string_free(string);
    return o;
}

static void soft_torque_ends_in_stick_slip(void **state)
{
    (void)state;
    carom_drill_controller *soft = soft_torque();
    static const double step[] = {5e-4, 1e-3}, first[] = {32.785, 30.98, 20.16, 2.435};
    for (int k = 0; k < 2; k++) {
        carom_drill_request request = carom_drill_request_defaults();
        request.controller = soft;
        request.h = step[k];
        const outcome o = run(request);
        for (int i = 0; i < 4; i++)
            assert_near(o.first_move[i], first[i], 0.02);
        assert_near(o.first_stick, 140.06, 0.1);
        assert_near(o.period, 13.185, 0.02);
        assert_int_equal(o.per_period, 2); /* two slips, then a long stick */
        assert_near(o.late.stick_fraction, 0.826, 0.01);
        assert_near(o.late.top_min, 3.569, 0.01);
        assert_near(o.late.top_max, 9.066, 0.01);
        assert_near(o.late.torque_min, 5.345, 0.002);
        assert_near(o.late.torque_max, 7.422, 0.002);
        const carom_drill_slip *a = &o.last[0], *b = &o.last[1], *c = &o.last[2];
        assert_near(fmax(a->peak_rpm, b->peak_rpm), 53.87, 0.1);
        assert_near(fmin(a->peak_rpm, b->peak_rpm), 50.02, 0.1);
        assert_near(fmax(a->duration, b->duration), 1.14, 0.01);
        assert_near(fmin(a->duration, b->duration), 1.13, 0.01);
        const double gap_a = a->start - b->start - b->duration, gap_b = b->start - c->start - c->duration;
        assert_near(fmax(gap_a, gap_b), 9.04, 0.02);
        assert_near(fmin(gap_a, gap_b), 1.88, 0.02);
    }
    carom_drill_controller_free(soft);
}

static void robust_controllers_do_not_stick(void **state)
{
    (void)state;
    carom_drill_hinf result;
    struct {
        carom_drill_controller *controller;
        double early[2], late[2], late_within, torque[2], torque_within;
    } cases[] = {
        {lqg(10.0), {3.403, 5.649}, {5.4984, 5.5015}, 1e-4, {-0.081, 9.01}, 0.01},
        {lqg(100.0), {3.428, 5.603}, {5.50000, 5.50005}, 1e-5, {-2.33, 11.89}, 0.01},
        {hinf(&result), {3.416, 5.568}, {5.4999, 5.5001}, 1e-4, {-10.0, 14.0}, 0.05},
    };
    for (int k = 0; k < 3; k++) {
        carom_drill_request request = carom_drill_request_defaults();
        request.controller = cases[k].controller;
        request.stick_from = 60.0;
        const outcome o = run(request);
        assert_true(isnan(o.first_stick));
        assert_near(o.early.bit_min, cases[k].early[0], 1e-3);
        assert_near(o.early.bit_max, cases[k].early[1], 1e-3);
        assert_near(o.late.bit_min, cases[k].late[0], cases[k].late_within);
        assert_near(o.late.bit_max, cases[k].late[1], cases[k].late_within);
        assert_near(o.all.torque_min, cases[k].torque[0], cases[k].torque_within);
        assert_near(o.all.torque_max, cases[k].torque[1], cases[k].torque_within);
        assert_true(o.late.stick_fraction == 0.0);
        if (k == 0) {
            static const double first[] = {31.485, 30.02, 17.13, 0.435};
            for (int i = 0; i < 4; i++)
                assert_near(o.first_move[i], first[i], 0.01);
        }
        carom_drill_controller_free(cases[k].controller);
    }
}

/* Low gain to 210 s, then high gain, without a jump of the torque. */
static void gains_are_switched(void **state)
{
    (void)state;
    carom_drill_string *string = setup();
    carom_drill_controller *low = lqg(10.0), *high = lqg(100.0), *soft = soft_torque();
    carom_drill_window window[2] = {{.from = 210.0, .to = 1e9}, {.from = 250.0, .to = 1e9}};
    carom_drill_request request = carom_drill_request_defaults();
    carom_drill_motion *motion;
    carom_error error;
    request.string = string;
    request.controller = low;
    request.next = high;
    request.switch_time = 210.0;
    request.windows = 2;
    request.window = window;
    assert_ok(carom_drill_run(&request, &motion, &error));
    assert_true(isnan(motion->first_stick));
    assert_near(window[0].bit_min, 5.494, 1e-3);
    assert_near(window[0].bit_max, 5.509, 1e-3);
    assert_near(window[0].torque_min, 6.264, 1e-3);
    assert_near(window[0].torque_max, 6.274, 1e-3);
    assert_near(window[1].bit_min, 5.49998, 1e-5);
    assert_near(window[1].bit_max, 5.50015, 1e-5);
    carom_drill_motion_free(motion);
    request.next = soft; /* of another size */
    assert_int_equal(carom_drill_run(&request, &motion, &error), CAROM_BAD_INPUT);
    carom_drill_controller_free(low);
    carom_drill_controller_free(high);
    carom_drill_controller_free(soft);
    carom_drill_string_free(string);
}

/* theta = 1 damps the third mode falsely at h = 1e-3, not at 1e-4. */
static void implicit_euler_hides_stick_slip(void **state)
{
    (void)state;
    carom_drill_request request = carom_drill_request_defaults();
    carom_drill_controller *soft = soft_torque();
    request.controller = soft;
    request.theta = 1.0;
    assert_true(isnan(run(request).first_stick));
    request.h = 1e-4;
    request.t_end = 150.0;
    assert_true(run(request).first_stick > 110.0);
    carom_drill_controller_free(soft);
}

/* Which can be told before: (theta - 1/2) w^2 h against the damping of the mode of 0.531 Hz. */
static void damping_of_the_step_is_known(void **state)
{
    (void)state;
    carom_drill_string *string = setup();
    carom_drill_damping found;
    carom_error error;
    assert_int_equal(carom_drill_step_damping(string, 1e-3, 1.0, &found, &error), CAROM_OK);
    assert_true(fabs(found.hertz - 0.531) < 1e-3);
    assert_true(fabs(found.scheme - 5.57e-3) < 1e-5 && fabs(found.physical - 3.63e-3) < 1e-5);
    assert_int_equal(carom_drill_step_damping(string, 1e-3, 0.5, &found, &error), CAROM_OK);
    assert_true(found.scheme == 0.0);
    carom_drill_string_free(string);
}

/* Locally stable is not globally stable. */
static void kicks_at_the_set_point(void **state)
{
    (void)state;
    static const struct {
        double rpm, kick, low, high, stick;
    } cases[] = {{5.5, 0.05, 5.363, 5.637, 0.0},
                 {5.5, 0.3, 0.0, NAN, 0.83},
                 {10.0, 0.3, 9.18, 10.82, 0.0},
                 {10.0, 0.9, 0.0, NAN, 0.69}};
    carom_drill_string *string = setup();
    carom_drill_controller *soft = soft_torque();
    carom_error error;
    for (int k = 0; k < 4; k++) {
        carom_drill_window window = {.from = 300.0, .to = 400.0};
        carom_drill_request request = carom_drill_request_defaults();
        carom_drill_motion *motion;
        request.string = string;
        request.controller = soft;
        request.constant = true;
        request.rpm = cases[k].rpm;
        request.kick = cases[k].kick;
        request.stick_from = CAROM_ZERO;
        request.windows = 1;
        request.window = &window;
        assert_ok(carom_drill_run(&request, &motion, &error));
        assert_near(window.bit_min, cases[k].low, 0.005);
        if (!isnan(cases[k].high))
            assert_near(window.bit_max, cases[k].high, 0.005);
        assert_near(window.stick_fraction, cases[k].stick, cases[k].stick > 0.0 ? 0.01 : 0.0);
        carom_drill_motion_free(motion);
    }
    carom_drill_controller_free(soft);
    carom_drill_string_free(string);
}

/* An equilibrium without a kick stays: feedforward, reference of the pipe and friction agree. */
static void equilibrium_stays(void **state)
{
    (void)state;
    carom_drill_string *string = setup();
    carom_drill_controller *controller[] = {NULL, soft_torque(), lqg(10.0)};
    carom_error error;
    for (int k = 0; k < 3; k++) {
        carom_drill_window window = {.from = 0.0, .to = 20.0};
        carom_drill_request request = carom_drill_request_defaults();
        carom_drill_motion *motion;
        request.string = string;
        request.controller = controller[k];
        request.constant = true;
        request.t_end = 20.0;
        request.windows = 1;
        request.window = &window;
        assert_ok(carom_drill_run(&request, &motion, &error));
        assert_near(window.bit_min, 5.5, 1e-9);
        assert_near(window.bit_max, 5.5, 1e-9);
        carom_drill_motion_free(motion);
        carom_drill_controller_free(controller[k]);
    }
    carom_drill_string_free(string);
}

static void wrong_requests_are_refused(void **state)
{
    (void)state;
    carom_drill_string *string = setup();
    carom_drill_request good = carom_drill_request_defaults(), bad;
    carom_drill_motion *motion;
    carom_error error;
    good.string = string;
    bad = good;
    bad.rpm = -1.0;
    assert_int_equal(carom_drill_run(&bad, &motion, &error), CAROM_BAD_INPUT);
    assert_null(motion);
    bad = good;
    bad.h = 4e-3;
    assert_int_equal(carom_drill_run(&bad, &motion, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "step too large"));
    bad = good;
    bad.t_end = CAROM_ZERO;
    assert_int_equal(carom_drill_run(&bad, &motion, &error), CAROM_BAD_INPUT);
    carom_drill_string_free(string);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soft_torque_ends_in_stick_slip),
        cmocka_unit_test(robust_controllers_do_not_stick),
        cmocka_unit_test(gains_are_switched),
        cmocka_unit_test(implicit_euler_hides_stick_slip),
        cmocka_unit_test(damping_of_the_step_is_known),
        cmocka_unit_test(kicks_at_the_set_point),
        cmocka_unit_test(equilibrium_stays),
        cmocka_unit_test(wrong_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
