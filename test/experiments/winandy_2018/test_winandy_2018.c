/* Worked examples of generalized Newton and Poisson laws (values of the specification, closed forms), through
 * the event-driven scheme. */
#include "test/experiments/trial.h"

static void expect_measures(const trial *run, const char *const *names, const double *expected, int count)
{
    for (int i = 0; i < count; i++)
        assert_near(measured_value(run, names[i], 0), expected[i], 1e-11);
}

static void three_balls(void **state)
{
    (void)state;
    static const char *const names[] = {"v_1", "v_2", "v_3", "impulse_1", "impulse_2", "energy_change"};
    static const struct {
        double e1, e2;
        const char *law;
        double expected[6];
    } cases[] = {
        {0, 0, "newton", {1 / 3., 1 / 3., 1 / 3., 2 / 3., 1 / 3., -1 / 3.}},
        {.5, .5, "poisson", {0, .5, .5, 1, .5, -.25}},
        {1, 1, "newton", {-1 / 3., 2 / 3., 2 / 3., 4 / 3., 2 / 3., 0}},
        {.3, .9, "newton", {2 / 15., 13 / 30., 13 / 30., 13 / 15., 13 / 30., -0.303333333333333}},
        {.3, .9, "poisson", {2 / 15., 7 / 30., 19 / 30., 13 / 15., 19 / 30., -0.263333333333333}},
        {0, 1, "poisson", {1 / 6., 1 / 6., 2 / 3., 5 / 6., 2 / 3., -.25}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run = trial_run(&(trial_request){.experiment = "winandy-2018/cradle",
                                               .set = {{"e1", cases[i].e1}, {"e2", cases[i].e2}},
                                               .word = {{"law", (char *)cases[i].law}}});
        expect_measures(&run, names, cases[i].expected, 6);
        trial_free(&run);
    }
}

static void four_balls(void **state)
{
    (void)state;
    static const char *const names[] = {"v_1", "v_2", "v_3", "v_4", "impulse_1", "impulse_2", "impulse_3"};
    static const struct {
        const char *start, *law;
        double expected[7];
    } cases[] = {
        {"two", "newton", {.25, .25, .75, .75, .75, 1.5, .75}},
        {"two", "poisson", {.05, .45, .75, .75, .95, 1.5, .75}},
        {"both", "newton", {-.7, .2, .2, .3, 1.7, 1.5, 1.3}},
        {"both", "poisson", {-.9, .3, .3, .3, 1.9, 1.6, 1.3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run = trial_run(
            &(trial_request){.experiment = "winandy-2018/four-balls",
                             .word = {{"start", (char *)cases[i].start}, {"law", (char *)cases[i].law}}});
        expect_measures(&run, names, cases[i].expected, 7);
        trial_free(&run);
    }
}

static void block_on_two_corners(void **state)
{
    (void)state;
    static const char *const names[] = {"gamma_1", "gamma_2", "impulse_1", "impulse_2", "energy_change"};
    static const struct {
        const char *variant, *law;
        double expected[5];
    } cases[] = {
        {NULL, "newton", {.5, 0.329268292683, 1.82926829268, 0, -0.457317073171}},
        {NULL, "poisson", {.5, 0.329268292683, 1.82926829268, 0, -0.457317073171}},
        {"flat", "newton", {.784, .176, 2.1425, .8175, -0.6477}},
        {"flat", "poisson", {.710875, .282875, 2.01875, .975, -0.704058984375}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run = trial_run(&(trial_request){.experiment = "winandy-2018/block",
                                               .variant = cases[i].variant,
                                               .word = {{"law", (char *)cases[i].law}}});
        expect_measures(&run, names, cases[i].expected, 5);
        trial_free(&run);
    }
}

/* Newton's velocity is unique; Poisson's is that of the smallest impulses. */
static void redundant_contacts(void **state)
{
    (void)state;
    static const char *const names[] = {"vx", "vy", "energy_change"};
    static const double newton[] = {1.376, 1.168, -1.7424}, poisson[] = {.698, .928, -3.651612};
    trial run = trial_run(&(trial_request){.experiment = "winandy-2018/redundant"});
    expect_measures(&run, names, newton, 3);
    trial_free(&run);
    run = trial_run(&(trial_request){.experiment = "winandy-2018/redundant", .variant = "poisson"});
    expect_measures(&run, names, poisson, 3);
    trial_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_balls),
        cmocka_unit_test(four_balls),
        cmocka_unit_test(block_on_two_corners),
        cmocka_unit_test(redundant_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
