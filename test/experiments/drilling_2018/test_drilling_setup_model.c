/* The published drill string as a model, by drill_string and soft_torque (values of the specification, 8.6,
 * of an independent program). */
#include "test/experiments/trial.h"

static const char setup[] =
    "local rpm, kick = param('rpm', 5.5), param('kick', 0.3)\n"
    "local s = drill_string { J = { 0.064, 0.708, 0.708, 2.845 }, k = { 0.630, 1.799, 1.097 },\n"
    "  d = { 0, 0.0018, 0.0024 }, joins = { { 1, 4, 0, 0.0005 } }, Tw = { 2.297, 3.038, 0.662 },\n"
    "  bit = { Ts = 1.232, Td = 0.272, Nd = 0.5 } }\n"
    "soft_torque { s, ct = 2.93, kt = 1.87, rpm = rpm, feedforward = s.torque(rpm) }\n"
    "initial(s.on_set_point(rpm, kick))\n"
    "integrate { scheme = 'dai-theta', h = 1e-3, until_t = 400 }\n"
    "local late = { from = 300 }\n"
    "measure { sticking = fraction(sticking 'bit', late), lowest = minimum(s.bit, late),\n"
    "          highest = maximum(s.bit, late), feedforward = s.torque(rpm) }";

/* Without keeping the outputs. */
static trial run_setup(double rpm, double kick, double until)
{
    trial run = {.experiment =
                     trial_load(&(trial_request){.text = setup, .set = {{"rpm", rpm}, {"kick", kick}}})};
    carom_error error = {0};
    const carom_run_request request = {
        .experiment = run.experiment, .h = NAN, .until = until > 0.0 ? until : NAN};
    if (carom_run(&request, &run.result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return run;
}

static void setup_sticks_after_a_kick(void **unused)
{
    (void)unused;
    skip_when_slow();
    trial run = run_setup(5.5, 0.3, 0.0);
    assert_near(measured_value(&run, "sticking", 0), 0.83, 0.01);
    assert_near(measured_value(&run, "lowest", 0), 0.0, 0.0);
    assert_near(measured_value(&run, "feedforward", 0), 6.2690160336, 1e-10);
    trial_free(&run);
    run = run_setup(5.5, 0.05, 0.0);
    assert_near(measured_value(&run, "sticking", 0), 0.0, 0.0);
    assert_near(measured_value(&run, "lowest", 0), 5.363, 1e-3);
    assert_near(measured_value(&run, "highest", 0), 5.637, 1e-3);
    trial_free(&run);
}

static void setup_at_ten_rpm(void **unused)
{
    (void)unused;
    skip_when_slow();
    trial run = run_setup(10.0, 0.3, 0.0);
    assert_near(measured_value(&run, "sticking", 0), 0.0, 0.0);
    assert_near(measured_value(&run, "lowest", 0), 9.18, 0.005);
    assert_near(measured_value(&run, "highest", 0), 10.82, 0.005);
    trial_free(&run);
    run = run_setup(10.0, 0.9, 0.0);
    assert_near(measured_value(&run, "sticking", 0), 0.69, 0.01);
    trial_free(&run);
}

/* Steady rotation stays what it is: the angles of on_set_point balance all torques. */
static void set_point_is_an_equilibrium(void **unused)
{
    (void)unused;
    trial run = run_setup(5.5, 0.0, 5.0);
    const double w = 5.5 * 3.14159265358979323846 / 30.0;
    for (int i = 0; i < 4; i++)
        assert_near(run.result.final[run.result.layout.v + i], w, 1e-12);
    trial_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setup_sticks_after_a_kick),
        cmocka_unit_test(setup_at_ten_rpm),
        cmocka_unit_test(set_point_is_an_equilibrium),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
