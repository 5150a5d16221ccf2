/* Periodic motions of a ring of impact oscillators through the experiment (reference values of the
 * specification: closed-form flow in double precision). */
#include "test/experiments/trial.h"

#define RING "james-2018/ring"

static const double quarter_more = 4.71238898038469; /* T = 3 pi / 2 */

static double edge_coupling(void)
{
    return (pow(2 * acos(-1) / quarter_more, 2) - 1) / 4;
}

static void breathers(void **state)
{
    (void)state;
    static const struct {
        const char *I1, *I2;
        int k, near; /* a particle beside, and its place at 0 */
        double y, speed, energy, multiplier;
        int striker;
    } cases[] = {
        {"", "50", 5, 51, 0.122538973, 0.7720251547, 0.8959317792, 1, 50},
        {"", "50", 10, 52, -0.0699938621, 0.5300039147, 0.9630554273, 1, 50},
        {"", "50", 14, 53, 0.2040985789, 0.2354021434, 1.7769190991, 5.7150916, 50},
        {"49", "50", 5, 49, 1.257352179, 0.7106282626, 1.8202177798, 2.6520862, 50},
        {"49", "50", 14, 51, 0.6001983345, 0.1494292966, 2.6904564505, 34.923451, 50},
        {"", "49,50", 10, 51, 0.3090583778, 0.746023103, 1.8996031206, 1.1012534, 50},
        {"", "45-55", 14, 44, 0.6510499927, 0.6056751541, 11.6926015185, 1.1819656, 45},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run =
            trial_run(&(trial_request){.experiment = RING,
                                       .set = {{"gamma", cases[i].k / 15.0 * edge_coupling()}},
                                       .word = {{"I1", (char *)cases[i].I1}, {"I2", (char *)cases[i].I2}}});
        assert_near(measured_value(&run, "y", cases[i].near), cases[i].y, 1e-9);
        assert_near(measured_value(&run, "y", cases[i].striker), -1, 1e-12);
        assert_near(measured_value(&run, "v", cases[i].striker), cases[i].speed, 1e-9);
        assert_near(measured_value(&run, "energy", 0), cases[i].energy, 1e-9);
        assert_near(measured_value(&run, "max_multiplier", 0), cases[i].multiplier,
                    cases[i].multiplier == 1 ? 1e-5 : 1e-6 * cases[i].multiplier);
        assert_near(measured_value(&run, "admissible", 0), 1, 0);
        assert_near(run.result.energy_final, cases[i].energy, 1e-8); /* of the motion that was run */
        trial_free(&run);
    }
}

/* Long waves: windows of alpha = T / T_1 (table of branch 1, j = 2). */
static void long_waves_end_where_they_should(void **state)
{
    (void)state;
    static const double T1 = 6.150225339304, inside[] = {0.9771420, 0.9905640},
                        outside[] = {0.9771410, 0.9905660};
    for (int i = 0; i < 2; i++)
        for (int in = 0; in < 2; in++) {
            trial run = trial_run(&(trial_request){
                .experiment = RING, .variant = "long-wave", .set = {{"T", (in ? inside : outside)[i] * T1}}});
            assert_near(measured_value(&run, "admissible", 0), in, 0);
            trial_free(&run);
        }
}

/* In phase: y = 1 / |cos(T/2)|, speed -tan(T/2), whatever the coupling. */
static void in_phase_motion_has_a_closed_form(void **state)
{
    (void)state;
    const double T = 4.0;
    for (int k = 0; k < 3; k++) {
        trial run = trial_run(&(trial_request){.experiment = RING,
                                               .set = {{"p", 6}, {"gamma", 0.4 * k}, {"T", T}},
                                               .word = {{"I1", ""}, {"I2", "0-5"}}});
        for (int i = 0; i < 6; i++)
            assert_near(measured_value(&run, "v", i), -tan(T / 2), 1e-12);
        assert_near(measured_value(&run, "energy", 0), 6 / (2 * cos(T / 2) * cos(T / 2)), 1e-11);
        trial_free(&run);
    }
}

static void what_is_no_motion_is_told(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = RING, .variant = "resonant"});
    assert_near(measured_value(&run, "admissible", 0), 0, 0);
    assert_true(measured_value(&run, "margin", 0) < 0);
    assert_non_null(strstr(run.result.results->messages, "NOT a motion: particle"));
    trial_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breathers),
        cmocka_unit_test(long_waves_end_where_they_should),
        cmocka_unit_test(in_phase_motion_has_a_closed_form),
        cmocka_unit_test(what_is_no_motion_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
