/* Trees of numbers, lists and texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/run/study.h"

static double numbers[] = {1, 2, 3, 4, 5, 6};

static void elements_of_every_kind(void **state)
{
    (void)state;
    const carom_data number = {.kind = CAROM_DATA_NUMBER, .number = 7},
                     list = {.kind = CAROM_DATA_LIST, .rows = 6, .columns = 1, .list = numbers},
                     matrix = {.kind = CAROM_DATA_MATRIX, .rows = 2, .columns = 3, .list = numbers};
    double value = 0;
    assert_true(carom_data_element(&number, -1, -1, &value) && value == 7);
    assert_false(carom_data_element(&number, 0, -1, &value));
    assert_true(carom_data_element(&list, 5, -1, &value) && value == 6);
    assert_false(carom_data_element(&list, 6, -1, &value));
    assert_false(carom_data_element(&list, 0, 0, &value));
    assert_true(carom_data_element(&matrix, 1, 2, &value) && value == 6);
    assert_false(carom_data_element(&matrix, 1, 3, &value));
    assert_int_equal(carom_data_length(&list), 6);
    assert_int_equal(carom_data_length(&matrix), 2);
    carom_data row;
    const carom_data *second = carom_data_row(&matrix, 1, &row);
    assert_non_null(second);
    assert_int_equal(second->rows, 3);
    assert_true(second->list[0] == 4);
    assert_null(carom_data_row(&matrix, 2, &row));
}

static void tables_have_names_and_rows(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    carom_data table = {.kind = CAROM_DATA_TABLE}, copy = {0};
    carom_data_add(arena, &table, "a", CAROM_DATA_NUMBER)->number = 1;
    carom_data_add(arena, &table, NULL, CAROM_DATA_NUMBER)->number = 2;
    carom_data_add(arena, &table, "none", CAROM_DATA_NONE);
    carom_data *inner = carom_data_add(arena, &table, NULL, CAROM_DATA_TABLE);
    carom_data_add(arena, inner, "text", CAROM_DATA_TEXT)->text = "word";
    carom_data *list = carom_data_add(arena, inner, NULL, CAROM_DATA_LIST);
    *list = (carom_data){.kind = CAROM_DATA_LIST, .rows = 2, .columns = 1, .list = numbers};
    assert_true(carom_data_copy(arena, &table, &copy));
    numbers[0] = 99; /* the copy has its own */
    for (int i = 0; i < 2; i++) {
        const carom_data *at = i ? &copy : &table;
        double value = 0;
        assert_true(carom_data_find(at, "a")->number == 1);
        assert_null(carom_data_find(at, "none"));
        assert_null(carom_data_find(at, "b"));
        assert_int_equal(carom_data_length(at), 2);
        assert_true(carom_data_element(at, 0, -1, &value) && value == 2);
        assert_string_equal(carom_data_find(carom_data_at(at, 1), "text")->text, "word");
        assert_true(carom_data_element(carom_data_at(at, 1), 0, 1, &value) && value == 2);
        assert_null(carom_data_at(at, 2));
    }
    assert_true(carom_data_at(carom_data_at(&copy, 1), 0)->list[0] == 1);
    numbers[0] = 1;
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_of_every_kind),
        cmocka_unit_test(tables_have_names_and_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
