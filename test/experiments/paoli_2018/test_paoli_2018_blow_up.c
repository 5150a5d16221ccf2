/* A motion that ends in finite time: values before it, status and kept outputs past it. */
#include "test/experiments/trial.h"

#define BLOW_UP "paoli-2018/blow-up"

static void velocity_level_values(void **state)
{
    (void)state;
    trial coarse = trial_run(&(trial_request){.experiment = BLOW_UP});
    assert_near(measured_value(&coarse, "q_end", 0), 2.59757162, 1e-8);
    assert_near(measured_value(&coarse, "u_end", 0), 9.843510, 1e-6);
    assert_near(measured_value(&coarse, "exact_q_end", 0), 2.609437912434, 1e-12);
    trial fine = trial_run(&(trial_request){.experiment = BLOW_UP, .h = 1e-5});
    assert_near(measured_value(&fine, "q_end", 0), 2.60931699, 1e-8);
    trial_free(&coarse);
    trial_free(&fine);
}

static void event_driven_is_exact(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = BLOW_UP, .scheme = "event-driven"});
    assert_near(measured_value(&run, "q_end", 0), 2.609437912434, 1e-9);
    assert_near(measured_value(&run, "u_end", 0), 10, 2e-8);
    trial_free(&run);
}

static void run_past_the_end_says_so_and_keeps_finite_outputs(void **state)
{
    (void)state;
    static const char *const schemes[] = {"sweeping", "paoli-schatzman"};
    for (int k = 0; k < 2; k++) {
        trial run = trial_run(&(trial_request){
            .experiment = BLOW_UP, .variant = "past", .scheme = schemes[k], .ends = "blowup"});
        assert_true(output_count(&run) >= 500);
        for (size_t i = 0; i < output_count(&run); i++) {
            assert_true(isfinite(position(&run, output(&run, i), 0)));
            assert_true(isfinite(velocity(&run, output(&run, i), 0)));
        }
        assert_non_null(strstr(run.result.message, "last good time"));
        trial_free(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocity_level_values),
        cmocka_unit_test(event_driven_is_exact),
        cmocka_unit_test(run_past_the_end_says_so_and_keeps_finite_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
