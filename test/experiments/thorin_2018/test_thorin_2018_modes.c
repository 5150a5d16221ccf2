/* Nonsmooth modes of chains through the experiments (values of the specification; closed forms). */
#include "test/experiments/trial.h"

static void one_impact_per_period(void **state)
{
    (void)state;
    static const struct {
        double n, T, impulse, energy, multiplier, first;
    } cases[] = {
        {1, 5, 1.4940445945, 0.7790211563, 1, 1},
        {2, 3.6, 1.6077177776, 1.6550608217, 1, -0.0044163502},
        {2, 4.0, 3.4116774611, 28.2649595883, 4.9920606, 4.025271182},
        {2, 4.4, 0.8157356551, 0.8002692971, 1, 0.7587596688},
        {3, 3.8, 1.3758830489, 1.7884994420, 1.9139037, 0.6971581052},
        {5, 3.5, 1.3186706591, 2.0128839844, 1, 0.4516072783},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run = trial_run(&(trial_request){.experiment = "thorin-2018/one-impact-mode",
                                               .set = {{"n", cases[i].n}, {"T", cases[i].T}}});
        assert_near(measured_value(&run, "impulse", 0), cases[i].impulse, 1e-9);
        assert_near(measured_value(&run, "energy", 0), cases[i].energy, 1e-8);
        assert_near(measured_value(&run, "u", 0), cases[i].first, 1e-8);
        assert_near(measured_value(&run, "max_multiplier", 0), cases[i].multiplier, 1e-5);
        assert_near(measured_value(&run, "admissible", 0), 1, 0);
        assert_near(measured_value(&run, "impact_times", 0), cases[i].T,
                    1e-6); /* of the motion that was run */
        assert_near(measured_value(&run, "impacts", 0), 1, 0);
        trial_free(&run);
    }
}

static void two_impacts_per_period(void **state)
{
    (void)state;
    static const struct {
        double T, flight, impulse, energy, multiplier;
    } cases[] = {{3.83, 1.033624523950, 4.02637652, 21.6935168194, 2.4602330},
                 {8.08, 3.424599274588, 1.89134337, 3.0310378608, 1},
                 {9.57, 4.250662867540, 0.30907648, 0.7727337492, 16.612260}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run = trial_run(
            &(trial_request){.experiment = "thorin-2018/two-impact-mode", .set = {{"T", cases[i].T}}});
        assert_near(measured_value(&run, "flight", 0), cases[i].flight, 1e-10);
        assert_near(measured_value(&run, "impulse", 0), cases[i].impulse, 1e-8);
        assert_near(measured_value(&run, "impulse_2", 0), cases[i].impulse, 1e-8);
        assert_near(measured_value(&run, "energy", 0), cases[i].energy, 1e-8);
        assert_near(measured_value(&run, "max_multiplier", 0), cases[i].multiplier, 1e-5);
        trial_free(&run);
    }
}

static void outside_of_a_window_the_wall_would_pull(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "thorin-2018/one-impact-mode", .set = {{"T", 3.9}}});
    assert_near(measured_value(&run, "admissible", 0), 0, 0);
    assert_non_null(strstr(run.result.results->messages, "pull"));
    trial_free(&run);
}

static void harmonics_converge_like_their_number(void **state)
{
    (void)state;
    static const struct {
        double w, N, energy, penetration;
    } cases[] = {{1.2, 1, 3.951798, .66136},
                 {1.2, 5, 1.034447, .10895},
                 {1.2, 20, 0.753371, .02326},
                 {1.5, 5, 6.459069, NAN},
                 {1.5, 20, 2.707181, NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run = trial_run(&(trial_request){.experiment = "thorin-2018/harmonic-balance",
                                               .set = {{"w", cases[i].w}, {"N", cases[i].N}}});
        assert_near(measured_value(&run, "energy_hbm", 0), cases[i].energy, 1e-6);
        if (!isnan(cases[i].penetration))
            assert_near(measured_value(&run, "penetration", 0), cases[i].penetration, 1e-5);
        assert_near(measured_value(&run, "energy_exact", 0), cases[i].w == 1.2 ? 2 / 3. : 2, 1e-12);
        assert_near(measured_value(&run, "energy_run", 0), cases[i].w == 1.2 ? 2 / 3. : 2, 1e-9);
        trial_free(&run);
    }
}

/* Figure 28 as far as it can be told: two impacts per period of the force, five in two periods, chatter. */
static void forced_responses(void **state)
{
    (void)state;
    static const struct {
        const char *variant;
        double impacts;
    } cases[] = {{NULL, 24}, {"two-periods", 30}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run =
            trial_run(&(trial_request){.experiment = "thorin-2018/forced", .variant = cases[i].variant});
        assert_near(measured_value(&run, "impacts_seen", 0), cases[i].impacts, 0);
        trial_free(&run);
    }
    trial run = trial_run(&(trial_request){.experiment = "thorin-2018/forced", .variant = "chatter"});
    assert_true(measured_value(&run, "impacts_seen", 0) > 12 * 20);
    trial_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_impact_per_period),
        cmocka_unit_test(two_impacts_per_period),
        cmocka_unit_test(outside_of_a_window_the_wall_would_pull),
        cmocka_unit_test(harmonics_converge_like_their_number),
        cmocka_unit_test(forced_responses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
