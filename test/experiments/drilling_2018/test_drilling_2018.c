/* Drill string with controllers through the experiments (reference values of the specification: an
 * independent program in double precision). */
#include <stdlib.h>
#include <unistd.h>

#include "carom/subject/drilling.h"
#include "test/experiments/trial.h"

static void softtorque_sticks_and_lqg_does_not(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "drilling-2018/startup"});
    assert_near(measured_value(&run, "first_move", 0), 32.785, 0.02);
    assert_near(measured_value(&run, "first_stick", 0), 140.06, 0.1);
    assert_near(measured_value(&run, "period", 0), 13.185, 0.02);
    assert_near(measured_value(&run, "stick_fraction", 0), 0.826, 0.01);
    assert_near(measured_value(&run, "bit_min_rpm", 0), 0, 0);
    assert_near(measured_value(&run, "bit_max_rpm", 0), 53.87, 0.1);
    trial_free(&run);
    run = trial_run(&(trial_request){.experiment = "drilling-2018/startup", .word = {{"controller", "lqg"}}});
    assert_int_equal(
        measured(&run, "first_stick")->count == 0 || isnan(measured_value(&run, "first_stick", 0)), 1);
    assert_near(measured_value(&run, "stick_fraction", 0), 0, 0);
    assert_near(measured_value(&run, "bit_min_rpm", 0), 5.4984, 1e-4);
    assert_near(measured_value(&run, "bit_max_rpm", 0), 5.5015, 1e-4);
    assert_near(measured_value(&run, "first_move", 0), 31.485, 0.01);
    trial_free(&run);
}

static void a_kick_ends_in_stick_slip(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "drilling-2018/startup", .set = {{"kick", 0.3}}});
    assert_near(measured_value(&run, "stick_fraction", 0), 0.83, 0.01);
    trial_free(&run);
    run = trial_run(
        &(trial_request){.experiment = "drilling-2018/startup", .set = {{"kick", 0.05}, {"h", 2e-3}}});
    assert_near(measured_value(&run, "stick_fraction", 0), 0, 0);
    trial_free(&run);
}

/* What is done to the string is not told to the controller, and short runs have no late measures. */
static void other_rock_and_short_runs(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "drilling-2018/startup",
                                           .set = {{"Ts", 0.3}, {"t_end", 50}, {"Nd", 2}},
                                           .word = {{"controller", "hinf"}}});
    assert_true(measured_value(&run, "first_move", 0) > 25.0);
    assert_near(measured_value(&run, "steps_done", 0), 50000, 0);
    trial_free(&run);
}

/* A controller from a file, and a set point that its loop does not hold. */
static void controllers_from_files(void **state)
{
    (void)state;
    static const char *const names[] = {"bit_min_rpm", "bit_max_rpm", "torque_min", "torque_max",
                                        "first_move"};
    char path[] = "drilling-controller.txt"; /* in the working directory */
    carom_drill_string *string;
    carom_drill_plant *plant;
    carom_drill_controller *controller;
    carom_error error;
    const carom_drill_lqg_options options = carom_drill_lqg_defaults();
    assert_int_equal(carom_drill_setup(&string, &error), CAROM_OK);
    assert_int_equal(
        carom_drill_plant_create(string, carom_drill_slope(&string->bit, carom_rpm(5.5)), &plant, &error),
        CAROM_OK);
    assert_int_equal(carom_drill_lqg(plant, &options, NULL, NULL, &controller, &error), CAROM_OK);
    assert_int_equal(carom_drill_controller_write(path, controller, true, &error), CAROM_OK);
    trial named = trial_run(&(trial_request){
        .experiment = "drilling-2018/startup", .set = {{"t_end", 200}}, .word = {{"controller", "lqg"}}});
    trial read = trial_run(&(trial_request){.experiment = "drilling-2018/startup",
                                            .set = {{"t_end", 200}},
                                            .word = {{"controller", "file"}, {"controller_file", path}}});
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_near(measured_value(&read, names[i], 0), measured_value(&named, names[i], 0), 0);
    assert_null(read.result.results->messages);
    trial_free(&named);
    trial_free(&read);
    unlink(path);
    carom_drill_controller_free(controller);
    carom_drill_plant_free(plant);
    carom_drill_string_free(string);
}

static void unstable_set_points_are_told(void **state)
{
    (void)state;
    trial run = trial_run(
        &(trial_request){.experiment = "drilling-2018/startup", .set = {{"rpm", 5.0}, {"t_end", 10}}});
    assert_non_null(run.result.results->messages);
    assert_non_null(strstr(run.result.results->messages,
                           "the set point is unstable: the loop bears a slope of 0.0005738 "
                           "N m s/rad, the law has 0.0008324; stable above 5.186 rpm"));
    trial_free(&run);
    run = trial_run(&(trial_request){.experiment = "drilling-2018/field-scale",
                                     .set = {{"rpm", 20.0}, {"t_end", 2}, {"from", 1}}});
    assert_non_null(run.result.results->messages);
    assert_non_null(strstr(run.result.results->messages, "the set point is unstable"));
    trial_free(&run);
}

static void frequencies(void **state)
{
    (void)state;
    static const double f[] = {0.153549063, 0.379451436, 0.531098248},
                        mobility[] = {0.02635792, 1.51699603, 4.05552076, 30.22273832};
    trial run = trial_run(&(trial_request){.experiment = "drilling-2018/frequency"});
    for (int i = 0; i < 3; i++)
        assert_near(measured_value(&run, "f", i), f[i], 1e-9);
    for (int i = 0; i < 4; i++)
        assert_near(measured_value(&run, "mobility", i), mobility[i], 1e-8);
    assert_near(measured_value(&run, "open_peak", 0), 1769.284, 1e-3);
    assert_near(measured_value(&run, "softtorque_peak", 0), 3737.58, 1e-2);
    trial_free(&run);
}

static void analysis(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "drilling-2018/analysis", .set = {{"t_end", 250}}});
    assert_near(measured_value(&run, "torque", 0), 6.2690160336, 1e-9);
    assert_near(measured_value(&run, "softtorque_critical_rpm", 0), 5.18603, 1e-5);
    assert_near(measured_value(&run, "lqg_low_critical_rpm", 0), 4.07946, 1e-5);
    assert_near(measured_value(&run, "lqg_high_norm", 0), 81.7169, 1e-4);
    assert_near(measured_value(&run, "hinf_norm", 0), 123.959, 1e-3);
    assert_near(measured_value(&run, "softtorque_sector_high", 0), 0.41451, 1e-5);
    assert_near(measured_value(&run, "lqg_low_gain", 0), -5.3687831765, 1e-9);
    assert_near(measured_value(&run, "hinf_low_feasible", 0), 0, 0);
    assert_near(measured_value(&run, "hinf_best_d", 0), 0.158, 1e-3);
    assert_near(measured_value(&run, "hinf_best_k", 0), 0.136, 0.02 * 0.136);
    trial_free(&run);
    run = trial_run(
        &(trial_request){.experiment = "drilling-2018/analysis", .set = {{"rpm", 5.0}, {"t_end", 200}}});
    assert_non_null(strstr(run.result.results->messages,
                           "softtorque: the set point is unstable; stable above 5.186 rpm"));
    trial_free(&run);
}

static void field_scale(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "drilling-2018/field-scale"});
    assert_near(measured_value(&run, "stick_fraction", 0), 0.844, 0.005);
    assert_near(measured_value(&run, "bit_max_rpm", 0), 508, 1);
    assert_near(measured_value(&run, "response", 0), 1.208484e-3, 1e-9);
    assert_near(measured_value(&run, "reduced_response", 0), 1.211642e-3, 1e-9);
    trial_free(&run);
    run = trial_run(&(trial_request){.experiment = "drilling-2018/field-scale", .set = {{"rpm", 140}}});
    assert_near(measured_value(&run, "stick_fraction", 0), 0.595, 0.005);
    assert_near(measured_value(&run, "bit_max_rpm", 0), 627, 1);
    trial_free(&run);
    /* slow start-up of this damped set: no stick-slip */
    run = trial_run(&(trial_request){.experiment = "drilling-2018/field-scale",
                                     .set = {{"rpm", 50}, {"t_end", 250}, {"from", 200}},
                                     .word = {{"start", "slow"}}});
    assert_near(measured_value(&run, "stick_fraction", 0), 0, 0);
    trial_free(&run);
}

static void expect_refused(const char *name, const char *value, const char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/experiments/drilling-2018/startup.lua", CAROM_SOURCE_DIR);
    const carom_override override[] = {{.name = (char *)name, .value = (char *)value}};
    const carom_load_request load = {
        .name = "startup", .file = path, .override_count = 1, .override = override};
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    carom_status status = carom_experiment_load(&load, &experiment, &error);
    if (status == CAROM_OK)
        status = carom_experiment_compute(experiment, (carom_progress){0}, &error);
    carom_experiment_free(experiment);
    assert_int_not_equal(status, CAROM_OK);
    if (!strstr(error.text, text))
        fail_msg("'%s' does not say '%s'", error.text, text);
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    expect_refused("h", "4e-3", "step too large");
    expect_refused("Ts", "0.1", "weakening law needs Ts >= Td");
    expect_refused("Nd", "0", "outside");
    expect_refused("J1", "0", "outside");
    expect_refused("controller", "pid", "softtorque");
    expect_refused("controller", "file", "needs controller_file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(softtorque_sticks_and_lqg_does_not),
        cmocka_unit_test(a_kick_ends_in_stick_slip),
        cmocka_unit_test(other_rock_and_short_runs),
        cmocka_unit_test(controllers_from_files),
        cmocka_unit_test(unstable_set_points_are_told),
        cmocka_unit_test(frequencies),
        cmocka_unit_test(analysis),
        cmocka_unit_test(field_scale),
        cmocka_unit_test(bad_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
