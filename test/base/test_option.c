/* Options by name. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "carom/base.h"

static const char *const methods[] = {"slow", "fast", NULL};
static const carom_option_info table[] = {
    {"theta", 0.5, 0.0, 1.0, NULL, "weight"},
    {"method", 1, 0, 1, methods, "how"},
};

static carom_status resolve(const carom_option *list, double value[2], carom_error *error)
{
    return carom_options_resolve("scheme 'x'", 2, table, list, value, error);
}

static void test_defaults_and_names(void **state)
{
    (void)state;
    double value[2];
    carom_error error = {0};
    assert_int_equal(resolve(NULL, value, &error), CAROM_OK);
    assert_float_equal(value[0], 0.5, 0.0);
    assert_float_equal(value[1], 1.0, 0.0);
    assert_int_equal(
        resolve((carom_option[]){{"method", .word = "slow"}, {"theta", 1.0}, {0}}, value, &error), CAROM_OK);
    assert_float_equal(value[0], 1.0, 0.0);
    assert_float_equal(value[1], 0.0, 0.0);
}

static void expect_refusal(const carom_option *list, const char *text)
{
    double value[2];
    carom_error error = {0};
    assert_int_equal(resolve(list, value, &error), CAROM_BAD_INPUT);
    assert_string_equal(error.text, text);
}

static void test_refusals(void **state)
{
    (void)state;
    expect_refusal((carom_option[]){{"teta", 1.0}, {0}},
                   "scheme 'x': option 'teta' is not known; did you mean 'theta'? Known: theta, method");
    expect_refusal((carom_option[]){{"theta", 1.5}, {0}}, "scheme 'x', option theta: 1.5 is not in [0, 1]");
    expect_refusal((carom_option[]){{"theta", NAN}, {0}}, "scheme 'x', option theta: nan is not in [0, 1]");
    expect_refusal((carom_option[]){{"method", 2.0}, {0}}, "scheme 'x', option method: 2 is not in [0, 1]");
    expect_refusal((carom_option[]){{"method", 0.5}, {0}},
                   "scheme 'x', option method: 0.5 is not the number of a word");
    expect_refusal(
        (carom_option[]){{"method", .word = "fst"}, {0}},
        "scheme 'x', option method: value 'fst' is not known; did you mean 'fast'? Known: slow, fast");
    carom_error error = {0};
    assert_int_equal(
        carom_options_resolve("law 'y'", 0, NULL, (carom_option[]){{"a", 1.0}, {0}}, NULL, &error),
        CAROM_BAD_INPUT);
    assert_string_equal(error.text, "law 'y' has no options ('a' was given)");
}

/* ---- words from registries ------------------------------------------------------------------------------ */

typedef struct thing {
    const char *name;
} thing;

static const thing one = {"one"}, two = {"two"}, big = {"BIG"}, again = {"two"};
static const void *const first_table[] = {&one, &two, NULL}, *const second_table[] = {&again, &big, NULL};
static const carom_registry first = {.what = "thing", .table = first_table},
                            second = {.what = "thing", .table = second_table, .any_case = true};

static void test_words_of_two_registries(void **state)
{
    (void)state;
    static const char *const words[] = {"auto", "one", NULL};
    const carom_option_info option = {"thing", 0, 0, 9, words, "which", &first, &second};
    static const char *const expected[] = {"auto", "one", "two", "BIG"}; /* each once */
    assert_int_equal(carom_option_word_count(&option), 4);
    for (int i = 0; i < 4; i++)
        assert_string_equal(carom_option_word(&option, i), expected[i]);
    assert_null(carom_option_word(&option, 4));
    assert_null(carom_option_word(&option, -1));
    double value = -1.0;
    assert_int_equal(carom_option_parse("x", &option, "big", &value, NULL), CAROM_OK); /* of any case */
    assert_float_equal(value, 3.0, 0.0);
    assert_int_equal(carom_option_parse("x", &option, "Two", &value, NULL), CAROM_BAD_INPUT);
    assert_int_equal(carom_option_parse("x", &option, "2", &value, NULL), CAROM_OK);
    assert_float_equal(value, 2.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_and_names),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_words_of_two_registries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
