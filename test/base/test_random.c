#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/base.h"

static void the_numbers_are_those_of_splitmix64(void **state)
{
    (void)state;
    /* The published first outputs for the seed 1234567. */
    const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                 4593380528125082431u, 16408922859458223821u};
    carom_random random = {1234567};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        double number = carom_random_uniform(&random, 0.0, 0x1p53);
        assert_true(number == (double)(expected[i] >> 11));
    }
}

static void the_same_seed_gives_the_same_numbers(void **state)
{
    (void)state;
    carom_random one = {7}, same = {7}, other = {8};
    int differences = 0;
    for (int i = 0; i < 100; i++) {
        double number = carom_random_uniform(&one, -1.0, 1.0);
        assert_true(number == carom_random_uniform(&same, -1.0, 1.0));
        differences += number != carom_random_uniform(&other, -1.0, 1.0);
    }
    assert_int_equal(differences, 100);
}

static void the_numbers_fill_the_interval_evenly(void **state)
{
    (void)state;
    enum {
        BINS = 16,
        NUMBERS = 160000
    };
    int hits[BINS] = {0};
    carom_random random = {2024};
    for (int i = 0; i < NUMBERS; i++) {
        double number = carom_random_uniform(&random, -3.0, 5.0);
        assert_true(number >= -3.0 && number < 5.0);
        hits[(int)((number + 3.0) / 8.0 * BINS)]++;
    }
    /* Chi-square with 15 degrees of freedom: above 37.7 one time in a thousand. */
    const double mean = (double)NUMBERS / BINS;
    double chi_square = 0.0;
    for (int bin = 0; bin < BINS; bin++)
        chi_square += (hits[bin] - mean) * (hits[bin] - mean) / mean;
    assert_true(chi_square < 37.7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_numbers_are_those_of_splitmix64),
        cmocka_unit_test(the_same_seed_gives_the_same_numbers),
        cmocka_unit_test(the_numbers_fill_the_interval_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
