/* Impacts that accumulate: the estimated time against the closed form. */
#include "test/experiments/trial.h"

#define ZENO "paoli-2001/zeno"

static double estimated_time(const trial *run)
{
    static const char words[] = "accumulate at t = ";
    const char *found = strstr(run->result.message, words);
    assert_non_null(found);
    return strtod(found + strlen(words), NULL);
}

static void accumulation_time_is_estimated(void **state)
{
    (void)state;
    static const struct {
        double q0, u0, g, e, time;
    } cases[] = {
        {1, 0, 9.81, .3, 0.83854390468779}, {1, 0, 9.81, .5, 1.35457092295719},
        {1, 0, 9.81, .8, 4.06371276887158}, {1, 0, 2, .5, 3},
        {.5, 1, 1, .9, 27.87005768508882},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run = trial_run(&(trial_request){
            .experiment = ZENO,
            .ends = "zeno",
            .set = {{"q0", cases[i].q0}, {"u0", cases[i].u0}, {"g", cases[i].g}, {"e", cases[i].e}}});
        assert_near(estimated_time(&run), cases[i].time, 1e-9);
        assert_near(measured_value(&run, "exact_zeno_time", 0), cases[i].time, 1e-13 * cases[i].time);
        double last = measured_value(&run, "last_output", 0); /* what was computed is kept */
        assert_true(last > cases[i].time - 0.02 && last < cases[i].time);
        trial_free(&run);
    }
}

static void run_may_go_on_in_contact(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = ZENO, .option = {{"zeno", "continue"}}, .until = 3});
    for (size_t i = 0; i < output_count(&run); i++)
        if (output(&run, i)[0] > 1.36) {
            assert_near(position(&run, output(&run, i), 0), 0, 1e-12);
            assert_near(velocity(&run, output(&run, i), 0), 0, 1e-12);
        }
    trial_free(&run);
}

static void inelastic_ball_does_not_accumulate(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = ZENO, .set = {{"e", 0}}, .until = 1});
    assert_near(position(&run, output_at(&run, 1), 0), 0, 1e-12);
    trial_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accumulation_time_is_estimated),
        cmocka_unit_test(run_may_go_on_in_contact),
        cmocka_unit_test(inelastic_ball_does_not_accumulate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
