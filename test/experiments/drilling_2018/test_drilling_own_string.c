/* The experiment drilling-2018/own-string: exact stick, both schemes, starts; strings without drive. */
#include "test/experiments/trial.h"

static trial run_own(const char *scheme, double h, double until)
{
    return trial_run(
        &(trial_request){.experiment = "drilling-2018/own-string", .scheme = scheme, .h = h, .until = until});
}

/* While a disc sticks its speed is 0, to the last bit; torques are within their laws. */
static void stick_is_exact(void **unused)
{
    (void)unused;
    static const char *const scheme[] = {"dai-theta", "dai-euler"};
    for (int k = 0; k < 2; k++) {
        trial run = run_own(scheme[k], k == 0 ? 1e-3 : 2e-4, 2.0);
        const int discs = run.experiment->model->dof;
        assert_int_equal(discs, 12);
        size_t stuck = 0;
        for (size_t r = 1; r < output_count(&run); r++) {
            const double *row = output(&run, r);
            for (int i = 0; i < discs; i++) {
                const double speed = velocity(&run, row, i), h = run.result.h;
                const double torque = row[run.result.layout.impulse + CAROM_CONTACT_COMPONENTS * i + 1] / h;
                if (regime_of(&run, row, i) == CAROM_CONTACT_STICK) {
                    stuck++;
                    assert_true(speed == 0.0);
                    assert_true(fabs(torque) <= (i == 0 ? 1.232 : i == 11 ? 0.662 : 0.5335) * (1 + 1e-12));
                } else if (i == 0)
                    assert_near(torque,
                                -copysign(0.272 + 0.96 * exp(-fabs(speed) * 19.098593171027442), speed),
                                1e-11);
            }
        }
        assert_true(stuck > 100);
        trial_free(&run);
    }
}

/* Both schemes go to one motion as h falls. */
static void schemes_agree(void **unused)
{
    (void)unused;
    const double until = 1.0;
    trial theta = run_own("dai-theta", 1e-3, until), fine = run_own("dai-theta", 1e-4, until);
    trial coarse = run_own("dai-euler", 1e-3, until), euler = run_own("dai-euler", 1e-4, until);
    double off[3] = {0};
    trial *const other[] = {&theta, &coarse, &euler};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 12; i++)
            off[k] = fmax(off[k], fabs(other[k]->result.final[fine.result.layout.q + i] -
                                       fine.result.final[fine.result.layout.q + i]));
    assert_true(off[0] < 2e-3);
    assert_true(off[1] < 2e-2);
    assert_true(off[2] < 0.15 * off[1]); /* first order */
    assert_int_equal(fine.result.warnings.count, 0);
    assert_true(coarse.result.warnings.count > 0);
    assert_non_null(strstr(coarse.result.warnings.text[0], "anti-damping"));
    for (int k = 0; k < 3; k++)
        trial_free(other[k]);
    trial_free(&fine);
}

/* From rest the string follows the ramp, the bit last; a weak kick dies out, a strong one does not. */
static void starts(void **unused)
{
    (void)unused;
    const double until = TRIAL_SLOW ? 3.0 : 40.0;
    trial run = trial_run(&(trial_request){.experiment = "drilling-2018/own-string",
                                           .variant = "rest",
                                           .set = {{"n", 3}, {"from", 0}},
                                           .until = until});
    const double *row = output_at(&run, 2.0);
    for (int i = 0; i < 4; i++) /* bit and pipe wait for the torque of the pipe */
        assert_true(velocity(&run, row, i) == 0.0 && position(&run, row, i) == 0.0);
    if (!TRIAL_SLOW)
        assert_true(measured_value(&run, "bit_max_rpm", 0) > 1.0);
    trial_free(&run);
    if (TRIAL_SLOW)
        return;
    run = trial_run(
        &(trial_request){.experiment = "drilling-2018/own-string", .set = {{"from", 20}}, .until = 50.0});
    assert_true(measured_value(&run, "stick_fraction", 0) > 0.5);
    assert_true(measured_value(&run, "bit_min_rpm", 0) == 0.0);
    assert_near(measured_value(&run, "first_stick", 0), 0.007, 1.1e-3);
    trial_free(&run);
    run = trial_run(&(trial_request){
        .experiment = "drilling-2018/own-string", .set = {{"from", 20}, {"kick", 0.5}}, .until = 50.0});
    assert_true(measured_value(&run, "stick_fraction", 0) == 0.0);
    assert_true(measured_value(&run, "bit_min_rpm", 0) > 0.5 * 5.5);
    trial_free(&run);
}

/* No drive: springs, dampers and friction only take energy (but for h^2 where a slip changes sign). */
static void energy_never_grows_without_drive(void **unused)
{
    (void)unused;
    trial run = trial_run(&(trial_request){
        .text = "local J, k, start = { 0.064 }, {}, {}\n"
                "for i = 1, 10 do J[i + 1] = 0.14 end\nJ[12] = 2.8\nfor i = 1, 11 do k[i] = 3.6 end\n"
                "local s = drill_string { J = J, k = k, d = 0.003, Tw = 0.2,\n"
                "  bit = { Ts = 1.2, Td = 0.3, Nd = 0.5 } }\n"
                "for i = 1, 12 do start[s.angle[i]], start[s.speed[i]] = 0.3 * i, 1 + (i % 3) end\n"
                "initial(start)\nintegrate { scheme = 'dai-theta', h = 1e-3, until_t = 10 }"});
    const double allowed = 1e-6 * 1.2 * 10.0 / (2 * 0.064);
    double last = INFINITY;
    for (size_t r = 0; r < output_count(&run); r++) {
        const double now = energy_of(&run, output(&run, r));
        assert_true(now <= last + allowed);
        last = now;
    }
    assert_true(last < 0.5 * energy_of(&run, output(&run, 0)));
    trial_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stick_is_exact),
        cmocka_unit_test(schemes_agree),
        cmocka_unit_test(starts),
        cmocka_unit_test(energy_never_grows_without_drive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
