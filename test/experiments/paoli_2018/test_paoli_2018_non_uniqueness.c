/* Two motions from one start: the schemes stay at rest, and follow the bouncing motion from any point of it.
 */
#include "test/experiments/trial.h"

#define BOUNCES "paoli-2018/non-uniqueness"

static trial run_from(const char *variant, const char *scheme)
{
    return trial_run(&(trial_request){.experiment = BOUNCES, .variant = variant, .scheme = scheme});
}

static void from_rest_they_stay_at_rest(void **state)
{
    (void)state;
    static const char *const schemes[] = {"sweeping", "paoli-schatzman"};
    for (int k = 0; k < 2; k++) {
        trial run = run_from("rest", schemes[k]);
        for (size_t i = 0; i < output_count(&run); i++)
            assert_true(position(&run, output(&run, i), 0) == 0.0);
        trial_free(&run);
    }
}

static void from_the_first_bounce(void **state)
{
    (void)state;
    trial vs = run_from(NULL, "sweeping"), ps = run_from(NULL, "paoli-schatzman");
    assert_near(vs.result.t0, 55.0 / 72, 1e-15);
    assert_int_equal(vs.result.steps, 20000);
    assert_near(measured_value(&vs, "q_end", 0), 3.05188829e-2, 1e-10);
    assert_near(measured_value(&ps, "q_end", 0), 3.05188829e-2, 1e-10);
    trial_free(&vs);
    trial_free(&ps);
}

static void from_the_third_bounce(void **state)
{
    (void)state;
    trial vs = run_from("alpha-3", "sweeping"), ps = run_from("alpha-3", "paoli-schatzman");
    assert_int_equal(vs.result.steps, 80000);
    assert_near(measured_value(&vs, "q_end", 0), 3.05187034e-2, 1e-10);
    assert_near(measured_value(&ps, "q_end", 0), 3.05179060e-2, 1e-10);
    trial_free(&vs);
    trial_free(&ps);
}

/* Arcs: tops, and values at t = 0.6, 1 and 1.5. */
static void event_driven_follows_the_bounces(void **state)
{
    (void)state;
    trial run = trial_run(
        &(trial_request){.experiment = BOUNCES, .scheme = "event-driven", .set = {{"start", 4}}, .h = 1e-4});
    static const double tops[] = {1.503614e-4, 1.911151e-3};
    double below[2] = {0};
    for (size_t i = 0; i < output_count(&run); i++) {
        double t = output(&run, i)[0], q = position(&run, output(&run, i), 0);
        if (t > 0.327778 && t < 0.463888)
            below[0] = fmax(below[0], q);
        if (t > 0.463889 && t < 0.763888)
            below[1] = fmax(below[1], q);
    }
    assert_near(below[0], tops[0], 1e-10);
    assert_near(below[1], tops[1], 1e-9);
    double offset = run.result.t0; /* outputs do not fall on 0.6 and 1: go on along the straight flights */
    const double *near_06 = output(&run, (size_t)((0.6 - offset) / 1e-4));
    const double *near_1 = output(&run, (size_t)((1 - offset) / 1e-4));
    assert_near(position(&run, near_06, 0) + (0.6 - near_06[0]) * velocity(&run, near_06, 0), 1.1342592593e-3,
                1e-10);
    assert_near(position(&run, near_1, 0) + (1 - near_1[0]) * velocity(&run, near_1, 0), 9.8379629630e-3,
                1e-10);
    trial_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_rest_they_stay_at_rest),
        cmocka_unit_test(from_the_first_bounce),
        cmocka_unit_test(from_the_third_bounce),
        cmocka_unit_test(event_driven_follows_the_bounces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
