/* Numbers with 17 digits against printf: every exponent, random ones, neighbours of powers of ten and of two, ties. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/base.h"

static void expect_same(double value)
{
    char expected[64], text[CAROM_NUMBER_SIZE + 1];
    snprintf(expected, sizeof expected, "%.17g", value);
    const size_t length = carom_put_number(text, value);
    assert_true(length < sizeof text);
    text[length] = '\0';
    if (strcmp(text, expected) != 0)
        fail_msg("%a: %s, but %s is right", value, text, expected);
}

static void expect_around(double value)
{
    expect_same(value);
    expect_same(-value);
    expect_same(nextafter(value, INFINITY));
    expect_same(nextafter(value, 0.0));
}

static void test_special_numbers(void **state)
{
    (void)state;
    const double value[] = {0.0,    1.0,      0.1,  0.5,  2.0 / 3.0,  9.81,   1e-5,      1e-4,
                            1e16,   1e17,     1e22, 1e23, 123456.0,   5e-324, DBL_MIN,   DBL_MAX,
                            1e-308, 2.5e-310, 9.5,  99.5, 1e15 + 0.5, 0x1p53, 0x1p-1074, 1.0 / 1024.0};
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        expect_around(value[i]);
    expect_same(INFINITY);
    expect_same(-INFINITY);
    expect_same(NAN);
}

static void test_powers(void **state)
{
    (void)state;
    for (int e = -1074; e <= 1023; e++)
        expect_around(ldexp(1.0, e));
    char text[16];
    for (int e = -307; e <= 308; e++) {
        snprintf(text, sizeof text, "1e%d", e);
        double value = 0.0;
        assert_true(carom_parse_number(text, &value));
        expect_around(value);
        expect_around(9.0 * value);
    }
}

/* Halves between two numbers of 17 digits: printf rounds to the even one. */
static void test_ties(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        expect_around(1e15 + 0.5 * i + 0.25);
        expect_around(1e16 + 2.0 * i);
        expect_around(ldexp(2.0 * i + 1.0, -40));
        expect_around(ldexp(9007199254740881.0 - 2.0 * i, -3));
    }
}

static void test_random_bits(void **state)
{
    (void)state;
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 200000; i++) {
        double value;
        bits ^= bits << 13; /* Marsaglia 2003 */
        bits ^= bits >> 7;
        bits ^= bits << 17;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            expect_same(value);
        expect_same(ldexp((double)(bits >> 11), (int)(bits & 127) - 117)); /* as motions have them */
    }
}

/* Where exponents of ten change within those of two, and where the point moves. */
static void test_neighbours_of_powers_of_ten(void **state)
{
    (void)state;
    for (int e = -307; e <= 308; e++) {
        char text[16];
        double value = 0.0;
        snprintf(text, sizeof text, "1e%d", e);
        assert_true(carom_parse_number(text, &value));
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        bits -= 40;
        for (int i = 0; i <= 80; i++, bits++) {
            memcpy(&value, &bits, sizeof value);
            expect_same(value);
        }
    }
    for (int digits = 1; digits <= 17; digits++) /* zeros at the end, with all places of the point */
        for (int e = -25; e <= 25; e++) {
            char text[48];
            double value = 0.0;
            snprintf(text, sizeof text, "%.*se%d", digits, "73819264519283746", e);
            assert_true(carom_parse_number(text, &value));
            expect_around(value);
        }
}

static void test_several_numbers(void **state)
{
    (void)state;
    const double value[] = {0.0, -0.0, 0.1, -1e-300, 12345.678, 5e-324, -INFINITY, 1e15, -2.5e-7, DBL_MAX};
    enum {
        COUNT = sizeof value / sizeof *value
    };
    char expected[COUNT * 64], text[COUNT * CAROM_NUMBER_SIZE + 1];
    uint16_t end[COUNT];
    size_t length = 0;
    const size_t got = carom_put_numbers(text, COUNT, value, end);
    for (int i = 0; i < COUNT; i++) {
        length += (size_t)snprintf(expected + length, sizeof expected - length, "%.17g", value[i]);
        assert_int_equal(end[i], length);
        expected[length++] = ',';
    }
    assert_int_equal(got, length);
    assert_memory_equal(text, expected, length);
    assert_int_equal(carom_put_numbers(text, COUNT, value, NULL), length);
    assert_int_equal(carom_put_numbers(text, 0, value, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_special_numbers),
        cmocka_unit_test(test_powers),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_random_bits),
        cmocka_unit_test(test_neighbours_of_powers_of_ten),
        cmocka_unit_test(test_several_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
