/* The elastic bar against a wall through its experiments: exact families, wave finite elements, boundary
 * elements (values of the specification; closed forms). */
#include "test/experiments/trial.h"

#define FAMILY "thorin-2018/bar-family"
#define WAVES "thorin-2018/bar-wfem"

static void families_have_their_closed_forms(void **state)
{
    (void)state;
    static const struct {
        double N, d, T, alpha, energy;
    } cases[] = {
        {1, .25, 3.75, 2 / 3., 8 / 9.},      {1, .5, 3.5, 1, 2},           {1, .75, 3.25, 2, 8},
        {3, .05, 3.95 / 3, -1.875, 7.03125}, {3, .125, 3.875 / 3, -3, 18}, {3, .2, 3.8 / 3, -7.5, 112.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run = trial_run(&(trial_request){.experiment = FAMILY,
                                               .set = {{"N", cases[i].N}, {"d", cases[i].d}, {"masses", 4}}});
        assert_near(measured_value(&run, "T", 0), cases[i].T, 1e-13);
        assert_near(measured_value(&run, "alpha", 0), cases[i].alpha, 1e-12);
        assert_near(measured_value(&run, "energy", 0), cases[i].energy, 1e-10);
        assert_near(measured_value(&run, "t1", 0), cases[i].T - cases[i].d, 1e-13);
        assert_near(measured_value(&run, "admissible", 0), 1, 0);
        trial_free(&run);
    }
}

/* T scales with L / c, the energy with g0^2. */
static void families_scale(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = FAMILY,
                                           .set = {{"L", 2}, {"c", 5}, {"g0", 3}, {"d", 1}, {"masses", 4}}});
    assert_near(measured_value(&run, "T", 0), 3.5 * 2 / 5, 1e-13);
    assert_near(measured_value(&run, "energy", 0), 2 * 9 * 25 / 2.0, 1e-10); /* E S g0^2 / (..) of length 2 */
    trial_free(&run);
}

static void exact_grids_return(void **state)
{
    (void)state;
    static const struct {
        double N, d, cells, periods, tolerance;
    } cases[] = {{1, .5, 40, 1, 1e-12}, {1, .5, 40, 10, 5e-12}, {3, .125, 48, 1, 1e-12}};
    static const char *const methods[] = {WAVES, "thorin-2018/bar-bem"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < 2; k++) {
            trial run = trial_run(&(trial_request){.experiment = methods[k],
                                                   .set = {{"N", cases[i].N},
                                                           {"d", cases[i].d},
                                                           {"cells", cases[i].cells},
                                                           {"periods", cases[i].periods}}});
            assert_near(measured_value(&run, "returns", 0), 0, cases[i].tolerance);
            if (k == 1)
                assert_near(measured_value(&run, "difference", 0), 0, 1e-14);
            trial_free(&run);
        }
}

static void releases(void **state)
{
    (void)state;
    trial line = trial_run(&(trial_request){.experiment = WAVES, .variant = "line"});
    assert_near(measured_value(&line, "impulse", 0), 1.75, 1e-12);
    assert_near(measured_value(&line, "energy_loss", 0), 0, 1e-14);
    trial_free(&line);
    static const double loss[] = {0.0164, 0.0041, 0.0010}, impulse[] = {1.99092, 1.99773, 1.99943};
    for (int k = 0; k < 3; k++) {
        trial run = trial_run(
            &(trial_request){.experiment = WAVES, .variant = "sine", .set = {{"cells", 100 * pow(4, k)}}});
        assert_near(measured_value(&run, "energy_loss", 0), loss[k], 5e-5);
        assert_near(measured_value(&run, "impulse", 0), impulse[k], 5e-6);
        trial_free(&run);
    }
}

static void driven_motions(void **state)
{
    (void)state;
    trial forced = trial_run(&(trial_request){.experiment = WAVES, .variant = "forced"});
    assert_near(measured_value(&forced, "u_end", 0), -0.186876, 1e-6);
    trial_free(&forced);
    trial wall = trial_run(&(trial_request){.experiment = WAVES, .variant = "wall"});
    assert_near(measured_value(&wall, "u_end", 0), 0.011832, 1e-6);
    assert_near(measured_value(&wall, "impulse", 0), 0.58817, 5e-6);
    assert_near(measured_value(&wall, "phases", 0), 4, 0);
    trial_free(&wall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_have_their_closed_forms),
        cmocka_unit_test(families_scale),
        cmocka_unit_test(exact_grids_return),
        cmocka_unit_test(releases),
        cmocka_unit_test(driven_motions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
