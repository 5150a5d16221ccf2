#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "bar_starts.h"

static carom_bar_grid_mode find(const carom_bar_grid_request *request)
{
    const carom_bar bar = carom_bar_unit();
    carom_bar_grid_mode mode;
    carom_error error;
    if (carom_bar_grid_mode_find(&bar, request, &mode, &error))
        fail_msg("%s", error.text);
    return mode;
}

/* The grid motion, stepped with the wall instead of prescribed phases: comes back after each period. */
static void assert_waves_agree(const carom_bar_grid_request *request, const carom_bar_grid_mode *mode)
{
    const carom_bar bar = carom_bar_unit();
    carom_bar_wave_options options = carom_bar_wave_defaults();
    options.cells = request->cells;
    options.left = request->left;
    options.spring = request->spring;
    carom_bar_wave *wave;
    assert_int_equal(carom_bar_wave_create(&bar, &options, &wave, NULL), CAROM_OK);
    assert_int_equal(carom_bar_wave_start(wave, mode->displacement, mode->velocity, NULL), CAROM_OK);
    assert_near(carom_bar_wave_energy(wave), mode->energy, 1e-12 * mode->energy);
    for (int k = 0; k < request->free_steps + request->closed_steps; k++)
        carom_bar_wave_step(wave, NULL);
    bar_start now = bar_start_take(request->cells);
    carom_bar_wave_fields(wave, now.u, NULL, now.v);
    for (int j = 0; j < request->cells; j++) {
        assert_near(now.u[j + 1], mode->displacement[j + 1], 1e-10);
        assert_near(now.v[j], mode->velocity[j], 1e-10 * sqrt(mode->energy));
    }
    assert_near(carom_bar_wave_energy(wave), mode->energy, 1e-10 * mode->energy);
    bar_start_free(&now);
    carom_bar_wave_free(wave);
}

static void check_family(int index, double d, int cells, int free_steps, int closed_steps, int cycles)
{
    const carom_bar bar = carom_bar_unit();
    carom_bar_mode exact;
    assert_int_equal(carom_bar_mode_make(&bar, index, 1, d, &exact, NULL), CAROM_OK);
    const carom_bar_grid_request request = {
        .cells = cells, .free_steps = free_steps, .closed_steps = closed_steps};
    carom_bar_grid_mode mode = find(&request);
    assert_true(mode.admissible);
    assert_int_equal(mode.cycles, cycles);
    assert_int_equal(mode.freedom, cycles);
    assert_near(mode.residual, 0.0, 0.0);
    assert_near(mode.period, exact.period, 1e-14);
    assert_near(mode.energy, exact.energy, 1e-12);
    bar_start start = bar_start_take(cells);
    carom_bar_mode_sample(&exact, 0.0, cells, start.u, start.v);
    for (int j = 0; j < cells; j++) {
        assert_near(mode.displacement[j + 1], start.u[j + 1], 1e-13);
        assert_near(mode.velocity[j], start.v[j], 1e-12);
    }
    assert_waves_agree(&request, &mode);
    bar_start_free(&start);
    carom_bar_grid_mode_free(&mode);
}

static void equal_cycles_are_the_exact_families(void **state)
{
    (void)state;
    check_family(1, 0.5, 40, 120, 20, 20);
    check_family(3, 0.125, 48, 56, 6, 2);
}

/* A rational period carries other motions: the amplitudes w of the cycles are free, and the energy is that of
 * equal ones times mean(w^2) / mean(w)^2. */
static void unequal_cycles_are_other_motions_of_the_same_period(void **state)
{
    (void)state;
    double weight[20], mean = 0.0, squares = 0.0;
    for (int k = 0; k < 20; k++) {
        weight[k] = 1.0 + 0.5 * sin(1.0 + k);
        mean += weight[k] / 20.0;
        squares += weight[k] * weight[k] / 20.0;
    }
    const carom_bar_grid_request request = {
        .cells = 40, .free_steps = 120, .closed_steps = 20, .weight = weight};
    carom_bar_grid_mode mode = find(&request);
    assert_true(mode.admissible);
    assert_near(mode.energy, 2.0 * squares / (mean * mean), 1e-13);
    assert_near(mode.residual, 0.0, 0.0);
    assert_waves_agree(&request, &mode);
    carom_bar_grid_mode_free(&mode);
}

static void motions_that_cannot_be_say_why(void **state)
{
    (void)state;
    /* one more linear period of flight: the end passes the wall */
    carom_bar_grid_request request = {.cells = 40, .free_steps = 280, .closed_steps = 20};
    carom_bar_grid_mode mode = find(&request);
    assert_false(mode.admissible);
    assert_non_null(strstr(mode.reason, "behind the wall"));
    carom_bar_grid_mode_free(&mode);
    /* One cycle, whose sign is that of its free steps: an odd number leaves only rest. */
    request = (carom_bar_grid_request){.cells = 20, .free_steps = 141, .closed_steps = 20};
    const carom_bar bar = carom_bar_unit();
    carom_error error;
    assert_int_equal(carom_bar_grid_mode_find(&bar, &request, &mode, &error), CAROM_FAILED);
    assert_non_null(strstr(error.text, "only rest is periodic"));
    request.free_steps = 140;
    request.closed_steps = 21;
    mode = find(&request);
    assert_int_equal(mode.cycles, 1);
    assert_int_equal(mode.freedom, 1);
    carom_bar_grid_mode_free(&mode);
}

/* Energies from the reference table; unit bar with u_x(0) = u(0), 20 cells. */
static void spring_end_has_the_known_grid_motions(void **state)
{
    (void)state;
    const struct {
        int free_steps, closed_steps;
        double energy;
    } row[] = {{142, 1, 0.533435}, {116, 11, 1.224667}, {128, 12, 0.411614}, {92, 11, 17.307281}};
    for (int i = 0; i < 4; i++) {
        const carom_bar_grid_request request = {.cells = 20,
                                                .left = CAROM_BAR_SPRING,
                                                .spring = 1.0,
                                                .free_steps = row[i].free_steps,
                                                .closed_steps = row[i].closed_steps};
        carom_bar_grid_mode mode = find(&request);
        assert_near(mode.energy, row[i].energy, 5e-7);
        assert_int_equal(mode.freedom, 1);
        if (!mode.admissible)
            fail_msg("(%d, %d): %s", row[i].free_steps, row[i].closed_steps, mode.reason);
        assert_near(mode.residual, 0.0, 1e-11);
        assert_near(mode.displacement[20], 1.0, 1e-12);
        assert_waves_agree(&request, &mode);
        carom_bar_grid_mode_free(&mode);
    }
}

/* The same motion in other units: energy scales with E S gap^2 / L, the spring with 1 / L. */
static void any_data_give_the_scaled_motion(void **state)
{
    (void)state;
    const carom_bar bar = {.young = 3.0, .density = 0.2, .area = 0.6, .length = 2.5, .gap = 0.1};
    const carom_bar_grid_request request = {
        .cells = 20, .left = CAROM_BAR_SPRING, .spring = 0.4, .free_steps = 116, .closed_steps = 11};
    carom_bar_grid_mode mode;
    assert_int_equal(carom_bar_grid_mode_find(&bar, &request, &mode, NULL), CAROM_OK);
    assert_near(mode.energy / (3.0 * 0.6 * 0.01 / 2.5), 1.224667, 5e-7);
    assert_near(mode.period, 127.0 / 20.0 * 2.5 / sqrt(15.0), 1e-14);
    assert_near(mode.displacement[20], 0.1, 1e-13);
    assert_true(mode.admissible);
    carom_bar_grid_mode_free(&mode);
}

/* The map of a period is orthogonal of odd size: with an odd number of free steps its determinant is -1. */
static void spring_end_with_odd_flight_has_only_rest(void **state)
{
    (void)state;
    const carom_bar bar = carom_bar_unit();
    const carom_bar_grid_request request = {
        .cells = 20, .left = CAROM_BAR_SPRING, .spring = 1.0, .free_steps = 141, .closed_steps = 2};
    carom_bar_grid_mode mode;
    carom_error error;
    assert_int_equal(carom_bar_grid_mode_find(&bar, &request, &mode, &error), CAROM_FAILED);
    assert_non_null(strstr(error.text, "only rest is periodic"));
    assert_null(mode.displacement);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    const carom_bar_grid_request good = {.cells = 10, .free_steps = 30, .closed_steps = 5};
    carom_bar_grid_request request[5] = {good, good, good, good, good};
    request[0].cells = 1;
    request[1].free_steps = 0;
    request[2].closed_steps = -1;
    request[3].left = CAROM_BAR_FREE;
    request[4].left = CAROM_BAR_SPRING;
    const char *const says[] = {"at least 2", "must be positive", "must be positive", "flies", "spring > 0"};
    carom_bar bar = carom_bar_unit();
    carom_bar_grid_mode mode;
    carom_error error;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(carom_bar_grid_mode_find(&bar, &request[i], &mode, &error), CAROM_BAD_INPUT);
        if (!strstr(error.text, says[i]))
            fail_msg("'%s' does not say '%s'", error.text, says[i]);
    }
    bar.gap = 0.0;
    assert_int_equal(carom_bar_grid_mode_find(&bar, &good, &mode, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "infinite energy"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_cycles_are_the_exact_families),
        cmocka_unit_test(unequal_cycles_are_other_motions_of_the_same_period),
        cmocka_unit_test(motions_that_cannot_be_say_why),
        cmocka_unit_test(spring_end_has_the_known_grid_motions),
        cmocka_unit_test(any_data_give_the_scaled_motion),
        cmocka_unit_test(spring_end_with_odd_flight_has_only_rest),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
