#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "carom/base.h"

static void shown(const char *text, const char *expected)
{
    carom_text plain = {0};
    carom_text_append_plain(&plain, text);
    assert_string_equal(plain.bytes, expected);
    carom_text_free(&plain);
    assert_int_equal(carom_is_plain(text), strcmp(text, expected) == 0);
    carom_arena *arena = carom_arena_create();
    assert_string_equal(carom_arena_copy_plain(arena, text), expected);
    carom_arena_free(arena);
}

static void what_can_be_shown_stays(void **state)
{
    (void)state;
    shown("y = 1.5 m\n\tand \\x1b", "y = 1.5 m\n\tand \\x1b");
    shown("\xc3\xbc \xe2\x88\x82 \xf0\x9f\x8e\xb1", "\xc3\xbc \xe2\x88\x82 \xf0\x9f\x8e\xb1");
}

static void controls_are_shown_as_numbers(void **state)
{
    (void)state;
    shown("\x1b]0;title\x07", "\\x1b]0;title\\x07");
    shown("a\rb\x7f", "a\\x0db\\x7f");
    shown("\xc2\x9b"
          "31m",
          "\\xc2\\x9b31m"); /* U+009B begins sequences as ESC [ does */
    shown("\xe2\x80\xae"
          "txt",
          "\\xe2\\x80\\xaetxt");
    shown("\xe2\x81\xa6", "\\xe2\\x81\\xa6");
}

static void what_is_no_utf8_is_shown_as_numbers(void **state)
{
    (void)state;
    shown("\xff", "\\xff");
    shown("caf\xe9", "caf\\xe9");
    shown("\xc0\xaf", "\\xc0\\xaf");          /* overlong */
    shown("\xed\xa0\x80", "\\xed\\xa0\\x80"); /* surrogate */
    shown("\xf0\x9f\x8e", "\\xf0\\x9f\\x8e"); /* cut short */
}

static void a_copy_ends_after_a_whole_character(void **state)
{
    (void)state;
    char to[6];
    carom_plain_copy("abc\xe2\x88\x82"
                     "d",
                     to, sizeof to);
    assert_string_equal(to, "abc");
    carom_plain_copy("a\x1b"
                     "b",
                     to, sizeof to);
    assert_string_equal(to, "a\\x1b");
    carom_plain_copy("ab\x1b", to, sizeof to);
    assert_string_equal(to, "ab");
}

static void texts_of_errors_are_plain(void **state)
{
    (void)state;
    carom_error error;
    carom_fail(&error, CAROM_BAD_INPUT, "unknown key '%s'", "\x1b[2J");
    assert_string_equal(error.text, "unknown key '\\x1b[2J'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_can_be_shown_stays),
        cmocka_unit_test(controls_are_shown_as_numbers),
        cmocka_unit_test(what_is_no_utf8_is_shown_as_numbers),
        cmocka_unit_test(a_copy_ends_after_a_whole_character),
        cmocka_unit_test(texts_of_errors_are_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
