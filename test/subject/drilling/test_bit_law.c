/* One disc under the bit's law: exact solutions, exact stick, refusals. */
#include "drill.h"

static const carom_drill_law table = {1.232, 0.272, 19.098593171027442};

static void decay_is_in_rpm(void **state)
{
    (void)state;
    assert_near(carom_drill_decay(0.5), 19.098593171027442, 1e-12);
    assert_near(carom_drill_slope(&table, carom_rpm(3.5)), 0.0167190362, 1e-10);
    assert_near(carom_drill_slope(&table, carom_rpm(5.0)), 8.323918e-4, 1e-10);
    assert_near(carom_drill_slope(&table, carom_rpm(5.5)), 3.06219829e-4, 1e-12);
    assert_near(carom_drill_slope(&table, carom_rpm(6.0)), 1.12651980e-4, 1e-12);
    assert_near(carom_drill_torque(&table, carom_rpm(5.5)), 0.2720160336, 1e-10);
    assert_near(carom_drill_step_limit(0.064, &table), 3.49e-3, 1e-5);
}

/* a w + h r = c with r in the law, whatever the guess; stick has preference and is exactly zero. */
static void one_disc_is_solved_exactly(void **state)
{
    (void)state;
    carom_random random = {7};
    for (int k = 0; k < 20000; k++) {
        const double h = 1e-3, c = carom_random_uniform(&random, -0.01, 0.01) * (k % 3 ? 1.0 : 20.0);
        double r;
        const double w =
            carom_drill_friction(0.064, h, c, &table, carom_random_uniform(&random, -2.0, 2.0), &r);
        assert_near(0.064 * w + h * r, c, 1e-17 + 1e-15 * fabs(c));
        if (fabs(c) <= h * table.Ts)
            assert_true(w == 0.0);
        else
            assert_near(r, (c < 0 ? -1 : 1) * carom_drill_torque(&table, fabs(w)), 1e-12);
    }
}

static carom_drill_string *one_disc(void)
{
    carom_drill_string *string;
    carom_error error;
    assert_ok(carom_drill_string_create(1, &string, &error));
    string->inertia[0] = 0.064;
    string->bit = table;
    return string;
}

static double speed_after(double u, double w0, double h, double t, double *stops, double *torque)
{
    carom_drill_string *string = one_disc();
    carom_drill_stepper *stepper;
    carom_error error;
    double th = 0.0, w = w0, r = 0.0;
    assert_ok(carom_drill_stepper_create(string, h, 0.5, &stepper, &error));
    *stops = NAN;
    for (long k = 1; k <= lround(t / h); k++) {
        assert_ok(carom_drill_step(stepper, u, &table, &th, &w, &r, &error));
        if (w == 0.0 && isnan(*stops))
            *stops = (double)k * h;
    }
    *torque = r;
    carom_drill_stepper_free(stepper);
    carom_drill_string_free(string);
    return w;
}

/* u = 1.5 from rest: w = ln((b + (a - b) e^(a vd t / J)) / a) / vd, a = u - Td, b = Ts - Td. */
static void start_follows_the_closed_form(void **state)
{
    (void)state;
    const double a = 1.5 - table.Td, b = table.Ts - table.Td;
    double stops, r;
    const double exact = log((b + (a - b) * exp(a * table.vd * 0.05 / 0.064)) / a) / table.vd;
    assert_near(exact, 0.879675146, 1e-9);
    assert_near(log((b + (a - b) * exp(a * table.vd * 0.1 / 0.064)) / a) / table.vd, 1.839050144, 1e-9);
    const double coarse = speed_after(1.5, 0.0, 1e-3, 0.05, &stops, &r);
    const double fine = speed_after(1.5, 0.0, 1.25e-4, 0.05, &stops, &r);
    assert_near(coarse, 0.894228248, 1e-9);
    assert_near(fine, 0.881500126, 1e-9);
    assert_near(log2((coarse - exact) / (fine - exact)) / 3.0, 1.0, 0.01); /* order 1 */
}

static void below_the_limit_it_sticks_for_ever(void **state)
{
    (void)state;
    double stops, r;
    assert_true(speed_after(1.2, 0.0, 1e-3, 1.0, &stops, &r) == 0.0);
    assert_near(r, 1.2, 1e-14);
}

static void coasting_stops_in_time(void **state)
{
    (void)state;
    const double b = table.Ts - table.Td;
    double stops, r;
    assert_near(0.064 / (table.Td * table.vd) * log((table.Td * exp(table.vd) + b) / (table.Td + b)),
                0.216683667, 1e-9);
    assert_true(speed_after(0.0, 1.0, 1e-4, 0.3, &stops, &r) == 0.0);
    assert_near(stops, 0.2167, 1e-12);
}

static void large_steps_and_wrong_theta_are_refused(void **state)
{
    (void)state;
    carom_drill_string *string = setup();
    carom_drill_stepper *stepper;
    carom_error error;
    assert_int_equal(carom_drill_stepper_create(string, 3.6e-3, 0.5, &stepper, &error), CAROM_BAD_INPUT);
    assert_non_null(
        strstr(error.text, "step too large: the friction law of the bit is multivalued over one step"));
    assert_null(stepper);
    assert_int_equal(carom_drill_stepper_create(string, 1e-3, 0.4, &stepper, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_drill_stepper_create(string, 0.0, 0.5, &stepper, &error), CAROM_BAD_INPUT);
    assert_ok(carom_drill_stepper_create(string, 3.4e-3, 0.5, &stepper, &error));
    carom_drill_stepper_free(stepper);
    carom_drill_string_free(string);
}

/* Two discs without inertia to speak of behind a stiff spring: the sweeps crawl, and that is an error. */
static void sweeps_that_do_not_settle_are_an_error(void **state)
{
    (void)state;
    carom_drill_string *string;
    carom_drill_stepper *stepper;
    carom_error error;
    double th[2] = {0.0, 0.0}, w[2] = {1.0, -1.0};
    assert_ok(carom_drill_string_create(2, &string, &error));
    string->inertia[0] = string->inertia[1] = 1.0;
    carom_drill_join(string, 0, 1, 1e12, 0.0);
    assert_ok(carom_drill_stepper_create(string, 1e-2, 0.5, &stepper, &error));
    const carom_drill_law none = {0};
    assert_int_equal(carom_drill_step(stepper, 1.0, &none, th, w, NULL, &error), CAROM_FAILED);
    assert_non_null(strstr(error.text, "do not settle"));
    carom_drill_stepper_free(stepper);
    carom_drill_string_free(string);
}

static void expect_refused(const carom_drill_string *string, const char *text)
{
    carom_error error;
    assert_int_equal(carom_drill_check(string, &error), CAROM_BAD_INPUT);
    if (!strstr(error.text, text))
        fail_msg("'%s' does not say '%s'", error.text, text);
}

static void bad_strings_are_refused(void **state)
{
    (void)state;
    carom_error error;
    carom_drill_string *string = setup();
    assert_ok(carom_drill_check(string, &error));
    string->bit.Ts = 0.2;
    expect_refused(string, "weakening law needs Ts >= Td");
    string->bit = table;
    string->bit.vd = -1.0;
    expect_refused(string, "Nd must be positive");
    string->bit = table;
    string->inertia[2] = 0.0;
    expect_refused(string, "disc 3: inertia 0 must be positive");
    string->inertia[2] = 1.0;
    carom_drill_join(string, 1, 2, -1.799, 0.0);
    expect_refused(string, "disc 3 is not connected");
    carom_drill_join(string, 1, 2, -1.0, 0.0);
    expect_refused(string, "must not be negative");
    carom_drill_string_free(string);
    string = setup();
    carom_drill_join(string, 1, 3, 0.1, 0.0);
    expect_refused(string, "disc 4, the top drive, has a spring to disc 2; it may have one to disc 3 only");
    carom_drill_string_free(string);
    assert_int_equal(carom_drill_string_create(0, &string, &error), CAROM_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decay_is_in_rpm),
        cmocka_unit_test(one_disc_is_solved_exactly),
        cmocka_unit_test(start_follows_the_closed_form),
        cmocka_unit_test(below_the_limit_it_sticks_for_ever),
        cmocka_unit_test(coasting_stops_in_time),
        cmocka_unit_test(large_steps_and_wrong_theta_are_refused),
        cmocka_unit_test(sweeps_that_do_not_settle_are_an_error),
        cmocka_unit_test(bad_strings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
