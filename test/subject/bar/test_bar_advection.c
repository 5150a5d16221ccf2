#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "bar_starts.h"

enum {
    CELLS = 200
};

/* Ones in the first 50 of 200 cells, moved by 100 cells: the largest value then (reference values). */
static double largest_after(double courant, long steps)
{
    double value[CELLS], work[CELLS], largest = 0.0;
    for (int j = 0; j < CELLS; j++)
        value[j] = j < 50;
    assert_int_equal(carom_bar_advect(CELLS, courant, steps, 1, value, work, NULL), CAROM_OK);
    double sum = 0.0;
    for (int j = 0; j < CELLS; j++) {
        largest = fmax(largest, value[j]);
        sum += value[j];
    }
    assert_near(sum, 50.0, 1e-11); /* conserved on a ring */
    if (courant == 1.0)
        for (int j = 0; j < CELLS; j++)
            assert_near(value[j], j >= 100 && j < 150, 0.0);
    return largest;
}

static void fronts_ripple_unless_waves_move_whole_cells(void **state)
{
    (void)state;
    assert_near(largest_after(1.0, 100), 1.0, 0.0);
    assert_near(largest_after(0.5, 200), 1.22317933, 5e-9);
    assert_near(largest_after(0.8, 125), 1.17441701, 5e-9);
}

/* With seam -1 and Courant number 1 the ring is the bar without a wall: as wave finite elements. */
static void ring_with_a_seam_is_the_bar_without_a_wall(void **state)
{
    (void)state;
    enum {
        N = 24
    };
    const carom_bar bar = carom_bar_unit();
    carom_bar_wave_options options = carom_bar_wave_defaults();
    options.cells = N;
    options.no_wall = true;
    bar_start start = bar_start_sine(N);
    for (int j = 0; j < N; j++)
        start.v[j] = 0.3 * cos(j);
    carom_bar_wave *wave;
    assert_int_equal(carom_bar_wave_create(&bar, &options, &wave, NULL), CAROM_OK);
    assert_int_equal(carom_bar_wave_start(wave, start.u, start.v, NULL), CAROM_OK);
    double ring[2 * N], work[2 * N], strain[N], velocity[N];
    for (int j = 0; j < N; j++) {
        const double stress = N * (start.u[j + 1] - start.u[j]);
        ring[N - 1 - j] = stress + start.v[j];
        ring[N + j] = stress - start.v[j];
    }
    for (int k = 0; k < 67; k++)
        carom_bar_wave_step(wave, NULL);
    assert_int_equal(carom_bar_advect(2 * N, 1.0, 67, -1, ring, work, NULL), CAROM_OK);
    carom_bar_wave_fields(wave, NULL, strain, velocity);
    for (int j = 0; j < N; j++) {
        assert_near((ring[N - 1 - j] + ring[N + j]) / 2.0, strain[j], 1e-12);
        assert_near((ring[N - 1 - j] - ring[N + j]) / 2.0, velocity[j], 1e-12);
    }
    carom_bar_wave_free(wave);
    bar_start_free(&start);
}

/* A hundred masses, unit velocity of the last one (reference values). */
static void chain_spreads_a_front(void **state)
{
    (void)state;
    const carom_bar bar = carom_bar_unit();
    const struct {
        double t;
        int mass;
        double displacement;
    } row[] = {
        {0.1, 100, 0.0099154570}, {0.5, 50, 0.0025196665}, {1.0, 50, 0.0097795786}, {2.0, 100, 0.0053507753}};
    double u[100];
    for (int i = 0; i < 4; i++) {
        assert_int_equal(carom_bar_chain_front(&bar, 100, 100, 1.0, row[i].t, u, NULL), CAROM_OK);
        assert_near(u[row[i].mass - 1], row[i].displacement, 5e-11);
    }
    assert_int_equal(carom_bar_chain_front(&bar, 100, 100, 1.0, 1.0, u, NULL), CAROM_OK);
    int highest = 0;
    for (int j = 1; j < 100; j++)
        if (u[j] > u[highest])
            highest = j;
    assert_int_equal(highest + 1, 6);
    assert_near(u[highest], 0.0125868180, 5e-11);
}

/* Velocity at t = 0 is that of the struck mass alone; momentum m v ends in the bar of speed c. */
static void chain_starts_with_one_mass(void **state)
{
    (void)state;
    const carom_bar bar = {.young = 9.0, .density = 0.25, .area = 2.0, .length = 3.0, .gap = 1.0};
    double u[7];
    assert_int_equal(carom_bar_chain_front(&bar, 7, 3, 2.0, 1e-6, u, NULL), CAROM_OK);
    for (int j = 0; j < 7; j++)
        assert_near(u[j] / 1e-6, j == 2 ? 2.0 : 0.0, 1e-8);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    const carom_bar bar = carom_bar_unit();
    double value[4] = {0}, work[4];
    carom_error error;
    assert_int_equal(carom_bar_advect(4, 1.1, 1, 1, value, work, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "Courant number 1.1"));
    assert_int_equal(carom_bar_advect(4, NAN, 1, 1, value, work, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_bar_advect(1, 1.0, 1, 1, value, work, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_bar_advect(4, 1.0, -1, 1, value, work, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_bar_advect(4, 1.0, 1, 0, value, work, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_bar_chain_front(&bar, 4, 5, 1.0, 1.0, value, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_bar_chain_front(&bar, 1, 1, 1.0, 1.0, value, &error), CAROM_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fronts_ripple_unless_waves_move_whole_cells),
        cmocka_unit_test(ring_with_a_seam_is_the_bar_without_a_wall),
        cmocka_unit_test(chain_spreads_a_front),
        cmocka_unit_test(chain_starts_with_one_mass),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
