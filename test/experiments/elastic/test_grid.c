/* The grid of beams beside closed deflections, and its first step beside the problem that bench/large makes of it. */
#include "bench/large/large_problem.h"
#include "test/experiments/trial.h"

enum {
    NX = 4,
    NY = 3,
    CROSSINGS = NX * NY
};

/* One crossing that does not reach its stop: two beams of two bays, clamped at both ends, in bending and in tension. */
static void a_crossing_gives_way_as_clamped_beams_do(void **state)
{
    (void)state;
    const double E = 2e8, size = 0.02, bay = 0.5, second = size * size * size * size / 12.0;
    const double bending = 192.0 * E * second / (8.0 * bay * bay * bay),
                 tension = 2.0 * E * size * size / bay;
    trial run =
        trial_run(&(trial_request){.experiment = "elastic/grid",
                                   .variant = "constant",
                                   .set = {{"nx", 1}, {"ny", 1}, {"play", 1}, {"h", 1}, {"t_end", 30}}});
    const double *end = output(&run, output_count(&run) - 1);
    assert_near(position(&run, end, 0), 0.04 / (tension + bending), 1e-15);
    assert_near(position(&run, end, 1), 0.02 / (tension + bending), 1e-15);
    assert_near(position(&run, end, 2), -0.1 / (2.0 * bending), 1e-13);
    trial_free(&run);
}

/* Stops that touch from the start: the first step is the problem of the generator, whose gaps are taken away. */
static void the_first_step_is_that_of_the_generator(void **state)
{
    (void)state;
    carom_fclib *problem = NULL;
    carom_error error = {0};
    carom_solve_report report;
    const carom_solver_options limits = {.tolerance = 1e-12};
    double v[6 * CROSSINGS] = {0}, r[3 * CROSSINGS] = {0}, w[3 * CROSSINGS] = {0};
    assert_int_equal(beam_grid_make(&(beam_grid){NX, NY, 0.5}, &problem, &error), CAROM_OK);
    carom_coulomb_global global = problem->global;
    global.w = w;
    assert_int_equal(carom_coulomb_solve_global(&global, &limits, v, r, &report, &error), CAROM_OK);
    trial run = trial_run(&(trial_request){
        .experiment = "elastic/grid",
        .variant = "constant",
        .option = {{"tolerance", "1e-12"}},
        .set = {{"nx", NX}, {"ny", NY}, {"play", 0}, {"F", 0.5}, {"h", 1e-3}, {"t_end", 1e-3}}});
    const double *row = output(&run, 1);
    int sliding = 0, open = 0;
    for (int i = 0; i < 6 * CROSSINGS; i++)
        assert_near(velocity(&run, row, i), v[i], 1e-9);
    for (int i = 0; i < 3 * CROSSINGS; i++)
        assert_near(row[run.result.layout.impulse + i], r[i], 1e-9);
    for (int c = 0; c < CROSSINGS; c++) {
        open += r[3 * c] <= 1e-12;
        sliding += r[3 * c] > 1e-12 && hypot(r[3 * c + 1], r[3 * c + 2]) > 0.499999 * r[3 * c];
    }
    print_message("%d open, %d sliding of %d\n", open, sliding, CROSSINGS);
    assert_true(sliding > 0 && open + sliding < CROSSINGS);
    trial_free(&run);
    carom_fclib_free(problem);
}

/* The shaken grid lifts off and strikes; nothing but the load gives it energy. */
static void it_lifts_off_and_strikes(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "elastic/grid", .set = {{"t_end", 0.1}}});
    assert_true(run.result.certificate.trusted);
    assert_true(measured_value(&run, "highest", 0) > 1e-3);
    assert_true(measured_value(&run, "blow", 0) > 0.0);
    assert_true(measured_value(&run, "deepest", 0) > -1e-4);
    trial_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crossing_gives_way_as_clamped_beams_do),
        cmocka_unit_test(the_first_step_is_that_of_the_generator),
        cmocka_unit_test(it_lifts_off_and_strikes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
