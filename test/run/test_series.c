#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/run.h"

static void parts_of_a_row_stand_in_order(void **state)
{
    (void)state;
    carom_model model = {.dof = 2, .contacts = 3};
    carom_experiment experiment = {.model = &model, .column_count = 4};
    carom_row_layout layout = carom_row_layout_of(&experiment);
    assert_int_equal(layout.dof, 2);
    assert_int_equal(layout.contacts, 3);
    assert_int_equal(layout.columns, 4);
    assert_int_equal(layout.q, 1);
    assert_int_equal(layout.v, 3);
    assert_int_equal(layout.energy, 5);
    assert_int_equal(layout.gap, 6);
    assert_int_equal(layout.impulse, 9);
    assert_int_equal(layout.regime, 18);
    assert_int_equal(layout.column, 21);
    assert_int_equal(layout.located, 25);
    assert_int_equal(layout.width, 25 + layout.contacts);
}

static void rows_are_kept_in_order(void **state)
{
    (void)state;
    enum {
        ROWS = 1000
    };
    carom_series series = {.layout = {.width = 3}};
    carom_recorder recorder = carom_series_recorder(&series);
    for (int i = 0; i < ROWS; i++) {
        double row[3] = {i, 2.0 * i, -1.0};
        assert_int_equal(recorder.row(recorder.context, row, NULL), CAROM_OK);
    }
    assert_int_equal(series.count, ROWS);
    assert_true(series.capacity >= ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(carom_series_row(&series, i)[0] == (double)i);
        assert_true(carom_series_row(&series, i)[1] == 2.0 * (double)i);
        assert_true(carom_series_row(&series, i)[2] == -1.0);
    }
    carom_series_free(&series);
    assert_null(series.rows);
    assert_int_equal(series.count, 0);
}

static void a_freed_series_can_be_filled_again(void **state)
{
    (void)state;
    carom_series series = {.layout = {.width = 1}};
    carom_recorder recorder = carom_series_recorder(&series);
    double row = 4.0;
    assert_int_equal(recorder.row(recorder.context, &row, NULL), CAROM_OK);
    carom_series_free(&series);
    assert_int_equal(recorder.row(recorder.context, &row, NULL), CAROM_OK);
    assert_int_equal(series.count, 1);
    assert_true(carom_series_row(&series, 0)[0] == 4.0);
    carom_series_free(&series);
}

/* 1000 rows with room for 64: what is left is every 16th row or so, evenly spaced from the first on. */
static void a_limited_series_is_thinned_evenly(void **state)
{
    (void)state;
    carom_series series = {.layout = {.width = 1}, .limit = 64};
    carom_recorder recorder = carom_series_recorder(&series);
    for (int i = 0; i < 1000; i++) {
        const double row = i;
        assert_int_equal(recorder.row(recorder.context, &row, NULL), CAROM_OK);
    }
    assert_true(series.count > 32 && series.count <= 64);
    for (size_t i = 0; i < series.count; i++)
        assert_true(carom_series_row(&series, i)[0] == (double)(i * series.stride));
    assert_true(series.count * series.stride >= 1000); /* the next one would be beyond the end */
    carom_series_free(&series);
}

static void a_series_too_large_for_memory_says_so(void **state)
{
    (void)state;
    double row = 0.0;
    carom_series series = {.layout = {.width = 1}, .count = SIZE_MAX / 4, .capacity = SIZE_MAX / 4};
    carom_recorder recorder = carom_series_recorder(&series);
    carom_error error = {0};
    assert_int_equal(recorder.row(recorder.context, &row, &error), CAROM_NO_MEMORY);
    assert_int_equal(error.status, CAROM_NO_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_a_row_stand_in_order),
        cmocka_unit_test(rows_are_kept_in_order),
        cmocka_unit_test(a_freed_series_can_be_filled_again),
        cmocka_unit_test(a_limited_series_is_thinned_evenly),
        cmocka_unit_test(a_series_too_large_for_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
