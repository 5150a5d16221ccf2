/* A tippe top and a rattleback. */
#include "body_trials.h"

/* It turns over, and its centre of mass rises; Jellett's product stays while the belly carries. */
static void a_tippe_top_turns_over(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "bodies/tippe-top"});
    assert_true(measure_of(&run, "angle_end") > 2.9);
    assert_near(measure_of(&run, "height_end"), 0.021, 3e-4);
    assert_true(measure_of(&run, "spin_z") > 0.0 && measure_of(&run, "spin_axis") < 0.0);
    for (int i = 1; i < 3; i++)
        assert_relative(measured_value(&run, "jellett", i), measured_value(&run, "jellett", 0), 2e-6);
    assert_true(measure_of(&run, "deepest") > -1e-5);
    assert_energy_never_grows(&run);
    trial_free(&run);
}

/* Against its sense it turns round once; in its own sense it goes on. */
static void a_rattleback_changes_its_mind(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "bodies/rattleback", .until = 2.0});
    assert_int_equal(measured(&run, "reversals")->count, 1);
    assert_true(measure_of(&run, "spin_end") > 2.0);
    assert_energy_never_grows(&run);
    trial_free(&run);
    run = trial_run(&(trial_request){.experiment = "bodies/rattleback", .variant = "with", .until = 1.5});
    assert_int_equal(measured(&run, "reversals")->count, 0);
    assert_true(measure_of(&run, "spin_end") > 4.0);
    trial_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tippe_top_turns_over),
        cmocka_unit_test(a_rattleback_changes_its_mind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
