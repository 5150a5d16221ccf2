#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/base.h"

static void appended_pieces_stand_one_after_the_other(void **state)
{
    (void)state;
    carom_text text = {0};
    carom_text_append(&text, "%s = %d", "n", 3);
    carom_text_append_bytes(&text, ", m...", 3);
    carom_text_append(&text, " = %.17g", 0.1);
    assert_string_equal(text.bytes, "n = 3, m = 0.10000000000000001");
    assert_int_equal(text.length, strlen(text.bytes));
    assert_false(text.failed);
    carom_text_free(&text);
    assert_null(text.bytes);
    assert_int_equal(text.length, 0);
}

static void nothing_appended_is_an_empty_text(void **state)
{
    (void)state;
    carom_text text = {0};
    carom_text_append(&text, "%s", "");
    assert_string_equal(text.bytes, "");
    carom_text_append_bytes(&text, "unread", 0);
    assert_string_equal(text.bytes, "");
    carom_text_free(&text);
}

static void bytes_may_hold_zeros(void **state)
{
    (void)state;
    carom_text text = {0};
    carom_text_append_bytes(&text, "a\0b", 3);
    assert_int_equal(text.length, 3);
    assert_memory_equal(text.bytes, "a\0b", 4);
    carom_text_free(&text);
}

static void a_text_grows_through_many_sizes(void **state)
{
    (void)state;
    carom_text text = {0};
    size_t expected = 0;
    for (int i = 0; i < 3000; i++) {
        carom_text_append(&text, "%*d", 1 + i % 300, i % 10);
        expected += (size_t)(1 + i % 300);
        assert_int_equal(text.length, expected);
        assert_int_equal(text.bytes[expected - 1], '0' + i % 10);
        assert_int_equal(text.bytes[expected], '\0');
    }
    carom_text_free(&text);
}

static void a_failed_text_takes_nothing_more(void **state)
{
    (void)state;
    carom_text text = {0};
    carom_text_append(&text, "kept");
    text.failed = true;
    carom_text_append(&text, "%d", 1);
    carom_text_append_bytes(&text, "lost", 4);
    assert_string_equal(text.bytes, "kept");
    carom_text_free(&text);
    assert_false(text.failed);
}

static const char *const schemes[] = {"moreau-jean", "event-driven", "explicit-euler", "h", "av"};

static const char *nearest(const char *wanted)
{
    return carom_nearest_name(wanted, schemes, sizeof schemes / sizeof *schemes);
}

static void the_nearest_name_is_found(void **state)
{
    (void)state;
    assert_string_equal(nearest("moreau-jean"), "moreau-jean");
    assert_string_equal(nearest("moreua-jean"), "moreau-jean");
    assert_string_equal(nearest("moreau_jean"), "moreau-jean");
    assert_string_equal(nearest("event-drive"), "event-driven");
    assert_string_equal(nearest("explict-eular"), "explicit-euler");
    assert_string_equal(nearest("a"), "av");
    assert_string_equal(nearest("aw"), "av");
}

static void a_name_that_is_far_from_all_has_no_nearest(void **state)
{
    (void)state;
    assert_null(nearest("newmark"));
    assert_null(nearest(""));
    assert_null(nearest("x"));
    assert_null(carom_nearest_name("h", NULL, 0));
}

static void very_long_names_are_no_danger(void **state)
{
    (void)state;
    char longest[1000];
    memset(longest, 'h', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    const char *const names[] = {longest};
    assert_null(carom_nearest_name("hhh", names, 1));
}

static void expect_number(const char *text, double expected)
{
    double value = NAN;
    assert_true(carom_parse_number(text, &value));
    /* Bits, so that -0 is not 0. */
    assert_memory_equal(&value, &expected, sizeof value);
}

static void numbers_are_read_exactly(void **state)
{
    (void)state;
    expect_number("0.1", 0.1);
    expect_number("-1e-3", -1e-3);
    expect_number("0x1p-52", 0x1p-52);
    expect_number("-0", -0.0);
    expect_number("1.7976931348623157e308", 1.7976931348623157e308);
    expect_number("inf", (double)INFINITY);
    expect_number("-infinity", -(double)INFINITY);
}

static void what_is_no_number_is_refused_and_leaves_the_value(void **state)
{
    (void)state;
    const char *const wrong[] = {"", " ", "x", "1x", "1 ", "1,5", "nan", "-nan", "1e", "--1", "1 2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double value = 42.0;
        if (carom_parse_number(wrong[i], &value))
            fail_msg("\"%s\" was read as a number", wrong[i]);
        assert_true(value == 42.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appended_pieces_stand_one_after_the_other),
        cmocka_unit_test(nothing_appended_is_an_empty_text),
        cmocka_unit_test(bytes_may_hold_zeros),
        cmocka_unit_test(a_text_grows_through_many_sizes),
        cmocka_unit_test(a_failed_text_takes_nothing_more),
        cmocka_unit_test(the_nearest_name_is_found),
        cmocka_unit_test(a_name_that_is_far_from_all_has_no_nearest),
        cmocka_unit_test(very_long_names_are_no_danger),
        cmocka_unit_test(numbers_are_read_exactly),
        cmocka_unit_test(what_is_no_number_is_refused_and_leaves_the_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
