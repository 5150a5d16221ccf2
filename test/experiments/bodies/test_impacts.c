/* A ball breaks a wall; dominoes fall. */
#include "body_trials.h"

static void a_ball_breaks_a_wall(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "bodies/wall", .until = 0.06});
    assert_near(measure_of(&run, "hit"), 0.1 / 5.0, 1e-3); /* the ball starts 0.1 before the wall */
    assert_true(measure_of(&run, "moved") > 0.05);
    assert_true(measure_of(&run, "lowest") > 0.035); /* half a brick's height is 0.0355 */
    assert_true(measure_of(&run, "ball_speed") < 5.0);
    assert_energy_never_grows(&run);
    trial_free(&run);
    run = trial_run(&(trial_request){.experiment = "bodies/wall", .variant = "calm", .until = 0.1});
    assert_true(measure_of(&run, "moved") == 0.0);
    trial_free(&run);
}

/* The wave of dominoes has a speed of its own, whatever the push. */
static void dominoes_fall(void **state)
{
    (void)state;
    double speed[2];
    for (int k = 0; k < 2; k++) {
        trial run = trial_run(
            &(trial_request){.experiment = "bodies/dominoes", .variant = k ? "pushed" : NULL, .until = 0.8});
        assert_true(measure_of(&run, "fallen") == 20.0);
        assert_true(measure_of(&run, "lowest") > 0.004 - 1e-5); /* half a thickness: flat on the floor */
        speed[k] = 9 * 0.02 / (measure_of(&run, "hit_last") - measure_of(&run, "hit_half"));
        assert_energy_never_grows(&run);
        trial_free(&run);
    }
    assert_relative(speed[1], speed[0], 0.02);
    assert_true(speed[0] > sqrt(gravity * 0.048) && speed[0] < 2.0 * sqrt(gravity * 0.048));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_breaks_a_wall),
        cmocka_unit_test(dominoes_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
