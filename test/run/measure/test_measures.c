/* The registry of measures, and a measure of one's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/measure.h"

static void test_every_measure_is_complete_and_named_once(void **state)
{
    (void)state;
    assert_true(carom_measure_count() >= 20);
    for (size_t i = 0; i < carom_measure_count(); i++) {
        const carom_measure_ops *ops = carom_measure_at(i);
        assert_true(strlen(ops->name) > 0 && strlen(ops->summary) > 0 && ops->take && ops->finish);
        assert_ptr_equal(carom_measure_find(ops->name, NULL), ops);
        /* an example writes it as it is written */
        assert_true(ops->hidden || strstr(ops->example, ops->name) == ops->example);
        for (const carom_measure_key *key = ops->keys; key && key->name; key++)
            assert_true(strlen(key->doc) > 0);
    }
    assert_null(carom_measure_at(carom_measure_count()));
    carom_error error = {0};
    assert_null(carom_measure_find("maximun", &error));
    assert_non_null(strstr(error.text, "did you mean 'maximum'"));
}

/* ---- outputs above a level ------------------------------------------------------------------------- */

typedef struct above {
    double level, count;
} above;

static carom_status start_above(void *memory, const carom_measure_start *start, carom_error *error)
{
    (void)error;
    ((above *)memory)->level = isnan(start->argument[0]) ? 0.0 : start->argument[0];
    return CAROM_OK;
}

static carom_status take_above(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    above *a = memory;
    a->count += output->inside && output->x > a->level;
    return CAROM_OK;
}

static carom_status finish_above(void *memory, const carom_measure_output *output, carom_measured *measured,
                                 carom_error *error)
{
    (void)output;
    return carom_measured_number(((above *)memory)->count, measured, error);
}

static const carom_measure_key above_keys[] = {{"level", "counted from here", false}, {0}};

static const carom_measure_ops measure_above = {
    .name = "above",
    .summary = "outputs above a level",
    .example = "above(x, { level = 1 })",
    .keys = above_keys,
    .memory = sizeof(above),
    .start = start_above,
    .take = take_above,
    .finish = finish_above,
};

static double count_above(carom_value level)
{
    static carom_model model; /* no contacts */
    const double value[] = {2.5};
    carom_measure measure = {.name = "m",
                             .ops = carom_measure_find("above", NULL),
                             .column = 0,
                             .from = CAROM_NO_VALUE,
                             .to = CAROM_NO_VALUE,
                             .every = CAROM_NO_VALUE,
                             .argument = {level}};
    const carom_experiment experiment = {
        .model = &model, .column_count = 1, .measure_count = 1, .measure = &measure};
    const carom_row_layout layout = carom_row_layout_of(&experiment);
    measure_set *set = NULL;
    assert_int_equal(measure_set_create(&experiment, value, 0.0, 1.0, 5.0, &set, NULL), CAROM_OK);
    for (int i = 0; i < 5; i++) {
        double row[16] = {i};
        row[layout.column] = i;
        assert_int_equal(measure_set_take(set, row, NULL), CAROM_OK);
    }
    carom_measured measured;
    assert_int_equal(measure_set_finish(set, NULL, &measured, NULL), CAROM_OK);
    assert_int_equal(measured.count, 1);
    const double count = measured.value[0];
    free(measured.value);
    measure_set_free(set);
    return count;
}

static void test_own_measure(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_measure_ops incomplete = measure_above;
    incomplete.take = NULL;
    assert_int_equal(carom_measure_register(&incomplete, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_measure_register(&measure_above, &error), CAROM_OK);
    assert_int_equal(carom_measure_register(&measure_above, &error), CAROM_BAD_INPUT);
    assert_true(count_above(0) == 2.0);              /* above 2.5: 3, 4 */
    assert_true(count_above(CAROM_NO_VALUE) == 4.0); /* above 0 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_measure_is_complete_and_named_once),
        cmocka_unit_test(test_own_measure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
