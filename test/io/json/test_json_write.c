#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/io.h"

static void test_nested_values_are_separated_by_commas(void **state)
{
    (void)state;
    carom_text text = {0};
    carom_json json = {&text, false};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "status", "ok");
    carom_json_number(&json, "h", 0.1);
    carom_json_object_begin(&json, "final");
    carom_json_object_begin(&json, "q");
    carom_json_object_end(&json);
    carom_json_number(&json, "t", 5);
    carom_json_object_end(&json);
    carom_json_array_begin(&json, "samples");
    carom_json_object_begin(&json, NULL);
    carom_json_bool(&json, "stick", true);
    carom_json_object_end(&json);
    carom_json_object_begin(&json, NULL);
    carom_json_bool(&json, "stick", false);
    carom_json_object_end(&json);
    carom_json_array_end(&json);
    carom_json_array_begin(&json, "none");
    carom_json_array_end(&json);
    carom_json_object_end(&json);
    assert_string_equal(text.bytes, "{\"status\":\"ok\",\"h\":0.10000000000000001,"
                                    "\"final\":{\"q\":{},\"t\":5},"
                                    "\"samples\":[{\"stick\":true},{\"stick\":false}],\"none\":[]}");
    carom_text_free(&text);
}

static void test_numbers_keep_their_bits_and_are_never_nan(void **state)
{
    (void)state;
    carom_text text = {0};
    carom_json json = {&text, false};
    carom_json_array_begin(&json, NULL);
    carom_json_number(&json, NULL, 1.0 / 3.0);
    carom_json_number(&json, NULL, -0.0);
    carom_json_number(&json, NULL, 5e-324);
    carom_json_number(&json, NULL, NAN);
    carom_json_number(&json, NULL, INFINITY);
    carom_json_number(&json, NULL, -INFINITY);
    carom_json_array_end(&json);
    assert_string_equal(text.bytes, "[0.33333333333333331,-0,4.9406564584124654e-324,null,null,null]");
    carom_text_free(&text);
}

static void test_texts_are_escaped(void **state)
{
    (void)state;
    carom_text text = {0};
    carom_json json = {&text, false};
    carom_json_array_begin(&json, NULL);
    carom_json_text(&json, NULL, "a \"b\" \\ / \n\t\r\x01\x1f");
    carom_json_text(&json, NULL, "\xce\xb8 \xe2\x88\x92 \xf0\x9f\x99\x82"); /* 2, 3 and 4 byte characters */
    carom_json_text(&json, NULL, NULL);
    carom_json_array_end(&json);
    assert_string_equal(text.bytes, "[\"a \\\"b\\\" \\\\ / \\n\\t\\r\\u0001\\u001f\","
                                    "\"\xce\xb8 \xe2\x88\x92 \xf0\x9f\x99\x82\",null]");
    carom_text_free(&text);
}

static void test_bytes_that_are_not_utf8_are_replaced(void **state)
{
    (void)state;
    carom_text text = {0};
    carom_json json = {&text, false};
    carom_json_array_begin(&json, NULL);
    carom_json_text(&json, NULL,
                    "a\xff"
                    "b");
    carom_json_text(&json, NULL, "\xc0\xaf");     /* overlong */
    carom_json_text(&json, NULL, "\xed\xa0\x80"); /* surrogate */
    carom_json_text(&json, NULL, "\xe2\x88");     /* cut off */
    carom_json_array_end(&json);
    assert_string_equal(text.bytes, "[\"a\\ufffdb\",\"\\ufffd\\ufffd\",\"\\ufffd\\ufffd\\ufffd\","
                                    "\"\\ufffd\\ufffd\"]");
    carom_text_free(&text);
}

static void test_keys_are_escaped(void **state)
{
    (void)state;
    carom_text text = {0};
    carom_json json = {&text, false};
    carom_json_object_begin(&json, NULL);
    carom_json_number(&json, "\"k\"", 1);
    carom_json_object_end(&json);
    assert_string_equal(text.bytes, "{\"\\\"k\\\"\":1}");
    carom_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested_values_are_separated_by_commas),
        cmocka_unit_test(test_numbers_keep_their_bits_and_are_never_nan),
        cmocka_unit_test(test_texts_are_escaped),
        cmocka_unit_test(test_bytes_that_are_not_utf8_are_replaced),
        cmocka_unit_test(test_keys_are_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
