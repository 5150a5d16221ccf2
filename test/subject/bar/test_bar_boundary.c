#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "bar_starts.h"

static carom_bar_boundary *begin(const carom_bar *bar, int cells, long steps, const bar_start *start)
{
    carom_bar_boundary *boundary;
    carom_error error;
    if (carom_bar_boundary_create(bar, cells, steps, &boundary, &error) ||
        carom_bar_boundary_start(boundary, start->u, start->v, &error))
        fail_msg("%s", error.text);
    return boundary;
}

static void run(carom_bar_boundary *boundary, long steps)
{
    for (long k = 0; k < steps; k++)
        assert_int_equal(carom_bar_boundary_step(boundary, NULL), CAROM_OK);
}

/* Both methods on one grid, from one start, for 8 L / c: ends, stresses of the wall, and fields. */
static void compare_with_waves(const carom_bar *bar, int cells, const bar_start *start, double tolerance)
{
    carom_bar_wave_options options = carom_bar_wave_defaults();
    options.cells = cells;
    carom_bar_wave *wave;
    assert_int_equal(carom_bar_wave_create(bar, &options, &wave, NULL), CAROM_OK);
    assert_int_equal(carom_bar_wave_start(wave, start->u, start->v, NULL), CAROM_OK);
    carom_bar_boundary *boundary = begin(bar, cells, 8L * cells, start);
    bar_start now = bar_start_take(cells);
    for (long k = 1; k <= 8L * cells; k++) {
        carom_bar_wave_step_result result;
        carom_bar_wave_step(wave, &result);
        run(boundary, 1);
        assert_near(carom_bar_boundary_end(boundary, k), carom_bar_wave_now(wave).right, tolerance);
        assert_near(carom_bar_boundary_stress(boundary, k), result.stress, 10.0 * tolerance * cells);
        if (k % 7 != 0)
            continue;
        carom_bar_wave_fields(wave, now.u, NULL, NULL);
        for (int j = 0; j <= cells; j++)
            assert_near(carom_bar_boundary_inside(boundary, (double)j / cells, (double)k / cells), now.u[j],
                        4.0 * tolerance);
    }
    assert_int_equal(carom_bar_boundary_steps(boundary), 8 * cells);
    carom_bar_boundary_free(boundary);
    carom_bar_wave_free(wave);
    bar_start_free(&now);
}

static void boundary_elements_are_waves_on_the_same_grid(void **state)
{
    (void)state;
    carom_bar bar = carom_bar_unit();
    bar_start sine = bar_start_sine(100);
    compare_with_waves(&bar, 100, &sine, 3e-15);
    bar_start_free(&sine);
    bar.gap = 0.25;
    bar_start compressed = bar_start_compressed(40);
    compare_with_waves(&bar, 40, &compressed, 3e-15);
    /* and thrown at the wall */
    for (int j = 0; j < 40; j++)
        compressed.v[j] = 0.3 * j / 40.0;
    compare_with_waves(&bar, 40, &compressed, 3e-15);
    bar_start_free(&compressed);
}

static void check_family(int index, double d, int cells, int steps)
{
    const carom_bar bar = carom_bar_unit();
    carom_bar_mode mode;
    assert_int_equal(carom_bar_mode_make(&bar, index, 1, d, &mode, NULL), CAROM_OK);
    bar_start start = bar_start_take(cells);
    carom_bar_mode_sample(&mode, 0.0, cells, start.u, start.v);
    carom_bar_boundary *boundary = begin(&bar, cells, 10L * steps, &start);
    run(boundary, 10L * steps);
    for (int period = 1; period <= 10; period += 9)
        for (int j = 0; j <= cells; j++)
            assert_near(carom_bar_boundary_inside(boundary, (double)j / cells, period * mode.period),
                        start.u[j], period == 1 ? 1e-12 : 5e-12);
    for (int k = 1; k <= steps; k++) {
        const double t = (k - 0.5) / cells; /* data are constant in cells: linear between grid points */
        assert_near(carom_bar_boundary_stress(boundary, k), carom_bar_mode_at(&mode, 1.0, t).strain, 1e-11);
        for (double x = 0.0; x <= 1.0; x += 0.0371)
            assert_near(carom_bar_boundary_inside(boundary, x, t),
                        carom_bar_mode_at(&mode, x, t).displacement, 1e-12);
    }
    carom_bar_boundary_free(boundary);
    bar_start_free(&start);
}

static void exact_motions_come_back(void **state)
{
    (void)state;
    check_family(1, 0.5, 40, 140);
    check_family(3, 0.125, 48, 62);
}

/* E S times the strain: with other data the wall pushes with E 2 alpha. */
static void any_data_give_the_scaled_motion(void **state)
{
    (void)state;
    const carom_bar bar = {.young = 4.0, .density = 0.25, .area = 2.0, .length = 3.0, .gap = 0.3};
    carom_bar_mode mode;
    assert_int_equal(carom_bar_mode_make(&bar, 1, 1, 1.5, &mode, NULL), CAROM_OK);
    bar_start start = bar_start_take(40);
    carom_bar_mode_sample(&mode, 0.0, 40, start.u, start.v);
    carom_bar_boundary *boundary = begin(&bar, 40, 140, &start);
    run(boundary, 140);
    for (int k = 1; k <= 140; k++)
        assert_near(carom_bar_boundary_stress(boundary, k), k > 120 ? -4.0 * 2.0 * mode.alpha : 0.0, 1e-12);
    for (double x = 0.0; x <= 3.0; x += 0.2)
        for (double t = 0.01; t < mode.period; t += 0.1)
            assert_near(carom_bar_boundary_inside(boundary, x, t),
                        carom_bar_mode_at(&mode, x, t).displacement, 1e-13);
    carom_bar_boundary_free(boundary);
    bar_start_free(&start);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    const carom_bar bar = carom_bar_unit();
    carom_bar_boundary *boundary;
    carom_error error;
    assert_int_equal(carom_bar_boundary_create(&bar, 1, 10, &boundary, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "at least 2"));
    assert_int_equal(carom_bar_boundary_create(&bar, 4, 0, &boundary, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_bar_boundary_create(&bar, 4, 1, &boundary, &error), CAROM_OK);
    const double rest[5] = {0}, behind[] = {0, 0.5, 1, 1.5, 2}, moved[] = {0.1, 0.1, 0.1, 0.1, 0.1};
    assert_int_equal(carom_bar_boundary_start(boundary, behind, rest, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "behind the wall"));
    assert_int_equal(carom_bar_boundary_start(boundary, moved, rest, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "fixed"));
    assert_int_equal(carom_bar_boundary_start(boundary, rest, rest, &error), CAROM_OK);
    assert_int_equal(carom_bar_boundary_step(boundary, &error), CAROM_OK);
    assert_int_equal(carom_bar_boundary_step(boundary, &error), CAROM_FAILED);
    assert_true(isnan(carom_bar_boundary_end(boundary, 2)));
    assert_true(isnan(carom_bar_boundary_stress(boundary, 0)));
    assert_true(isnan(carom_bar_boundary_inside(boundary, 0.5, 0.3)));
    assert_true(isnan(carom_bar_boundary_inside(boundary, 1.5, 0.1)));
    carom_bar_boundary_free(boundary);
    carom_bar_boundary_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boundary_elements_are_waves_on_the_same_grid),
        cmocka_unit_test(exact_motions_come_back),
        cmocka_unit_test(any_data_give_the_scaled_motion),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
