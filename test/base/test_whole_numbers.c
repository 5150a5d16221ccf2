#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/base.h"

enum {
    MEMBERS = 200
};

static void begin(int *sets)
{
    for (int i = 0; i < MEMBERS; i++)
        sets[i] = i;
}

/* Joined at random; compared with labels that are written over all members, whatever that costs. */
static void sets_are_those_of_the_joins(void **state)
{
    (void)state;
    carom_random random = {7};
    for (int round = 0; round < 20; round++) {
        int sets[MEMBERS], label[MEMBERS];
        begin(sets);
        begin(label);
        for (int k = 0; k < MEMBERS * round / 10; k++) {
            const int a = (int)carom_random_uniform(&random, 0.0, MEMBERS),
                      b = (int)carom_random_uniform(&random, 0.0, MEMBERS), from = label[a], to = label[b];
            carom_sets_join(sets, a, b);
            for (int i = 0; i < MEMBERS; i++)
                if (label[i] == from)
                    label[i] = to;
        }
        for (int i = 0; i < MEMBERS; i++)
            for (int j = 0; j < i; j++)
                assert_int_equal(carom_sets_root(sets, i) == carom_sets_root(sets, j), label[i] == label[j]);
    }
}

static void the_root_is_the_smallest_member(void **state)
{
    (void)state;
    int sets[MEMBERS];
    begin(sets);
    for (int i = MEMBERS - 1; i > 2; i -= 2) /* a long way to the root */
        carom_sets_join(sets, i, i - 2);
    for (int i = 1; i < MEMBERS; i += 2)
        assert_int_equal(carom_sets_root(sets, i), 1);
    for (int i = 0; i < MEMBERS; i += 2)
        assert_int_equal(carom_sets_root(sets, i), i);
    carom_sets_join(sets, 5, 5);
    assert_int_equal(carom_sets_root(sets, 5), 1);
}

/* The largest number that divides both, found by trying all. */
static void divisor_is_the_greatest_of_all(void **state)
{
    (void)state;
    for (int a = 1; a < 60; a++)
        for (int b = 1; b < 60; b++) {
            int greatest = 1;
            for (int d = 2; d <= a && d <= b; d++)
                if (a % d == 0 && b % d == 0)
                    greatest = d;
            assert_int_equal(carom_greatest_common_divisor(a, b), greatest);
        }
    assert_int_equal(carom_greatest_common_divisor(0, 7), 7);
    assert_int_equal(carom_greatest_common_divisor(7, 0), 7);
    assert_int_equal(carom_greatest_common_divisor(1134903170, 701408733), 1); /* neighbours of Fibonacci */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_those_of_the_joins),
        cmocka_unit_test(the_root_is_the_smallest_member),
        cmocka_unit_test(divisor_is_the_greatest_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
