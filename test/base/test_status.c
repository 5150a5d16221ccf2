#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "carom/base.h"

static void every_status_has_its_own_word(void **state)
{
    (void)state;
    const carom_status statuses[] = {CAROM_OK,          CAROM_BAD_INPUT, CAROM_FAILED,
                                     CAROM_INTERRUPTED, CAROM_NO_MEMORY, CAROM_IO_ERROR};
    const size_t count = sizeof statuses / sizeof *statuses;
    for (size_t i = 0; i < count; i++) {
        assert_string_not_equal(carom_status_word(statuses[i]), "unknown");
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(carom_status_word(statuses[i]), carom_status_word(statuses[j]));
    }
    assert_string_equal(carom_status_word(CAROM_OK), "ok");
    assert_string_equal(carom_status_word(CAROM_BAD_INPUT), "bad-input");
}

static void fail_fills_the_error_and_returns_the_status(void **state)
{
    (void)state;
    carom_error error = {0};
    assert_int_equal(carom_fail(&error, CAROM_BAD_INPUT, "h = %g: must be positive", -0.5), CAROM_BAD_INPUT);
    assert_int_equal(error.status, CAROM_BAD_INPUT);
    assert_string_equal(error.text, "h = -0.5: must be positive");
}

static void fail_takes_no_error_to_fill(void **state)
{
    (void)state;
    assert_int_equal(carom_fail(NULL, CAROM_FAILED, "nobody asked"), CAROM_FAILED);
    assert_int_equal(carom_fail_memory(NULL), CAROM_NO_MEMORY);
}

static void a_new_text_may_quote_the_old_one(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_fail(&error, CAROM_FAILED, "pivot %d is zero", 3);
    carom_fail(&error, CAROM_FAILED, "step %d: %s", 17, error.text);
    assert_string_equal(error.text, "step 17: pivot 3 is zero");
}

static void a_long_text_is_cut_and_terminated(void **state)
{
    (void)state;
    carom_error error;
    memset(&error, 'x', sizeof error);
    const int longer = 2 * (int)sizeof error.text;
    carom_fail(&error, CAROM_IO_ERROR, "%*s", longer, "end");
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_int_equal(error.status, CAROM_IO_ERROR);
}

static void out_of_memory_says_so(void **state)
{
    (void)state;
    carom_error error = {0};
    assert_int_equal(carom_fail_memory(&error), CAROM_NO_MEMORY);
    assert_int_equal(error.status, CAROM_NO_MEMORY);
    assert_string_equal(error.text, "out of memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_its_own_word),
        cmocka_unit_test(fail_fills_the_error_and_returns_the_status),
        cmocka_unit_test(fail_takes_no_error_to_fill),
        cmocka_unit_test(a_new_text_may_quote_the_old_one),
        cmocka_unit_test(a_long_text_is_cut_and_terminated),
        cmocka_unit_test(out_of_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
