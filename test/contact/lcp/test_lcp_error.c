#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/contact.h"

static void is_zero_exactly_at_the_solution(void **state)
{
    (void)state;
    const double matrix[4] = {2.0, 1.0, 1.0, 4.0}, vector[2] = {-4.0, 3.0};
    const carom_lcp problem = {.size = 2, .matrix = matrix, .vector = vector};
    assert_true(carom_lcp_error(&problem, (double[2]){2.0, 0.0}) == 0.0);
    assert_true(carom_lcp_error(&problem, (double[2]){2.5, 0.0}) > 0.1);
}

/* max |min(z, w / W_ii)| / (max |z| + max |q_i| / W_ii), by hand. */
static void has_the_documented_value(void **state)
{
    (void)state;
    const double matrix[4] = {2.0, 1.0, 1.0, 4.0}, vector[2] = {-4.0, 3.0};
    const carom_lcp problem = {.size = 2, .matrix = matrix, .vector = vector};
    /* w = (-1, 8): min(1, -1/2), min(1, 8/4) */
    assert_true(carom_lcp_error(&problem, (double[2]){1.0, 1.0}) == 1.0 / (1.0 + 2.0));
    /* w = (-5, -1): min(0, -5/2), min(-1, -1/4) */
    assert_true(carom_lcp_error(&problem, (double[2]){0.0, -1.0}) == 2.5 / (1.0 + 2.0));
}

static void a_zero_row_counts_its_velocity(void **state)
{
    (void)state;
    const double matrix[4] = {2.0, 0.0, 0.0, 0.0}, fine[2] = {1.0, 3.0}, stuck[2] = {1.0, -3.0};
    const double z[2] = {0.0, 0.0};
    assert_true(carom_lcp_error(&(carom_lcp){2, matrix, fine}, z) == 0.0);
    assert_true(carom_lcp_error(&(carom_lcp){2, matrix, stuck}, z) == 1.0);
}

static void what_is_not_finite_is_never_a_solution(void **state)
{
    (void)state;
    const double matrix[1] = {1.0}, vector[1] = {-1.0}, nan[1] = {NAN};
    const carom_lcp problem = {1, matrix, vector};
    assert_true(carom_lcp_error(&problem, nan) == INFINITY);
    assert_true(carom_lcp_error(&problem, (double[1]){INFINITY}) == INFINITY);
    assert_true(carom_lcp_error(&(carom_lcp){1, nan, vector}, (double[1]){1.0}) == INFINITY);
    assert_true(carom_lcp_error(&(carom_lcp){1, matrix, nan}, (double[1]){1.0}) == INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_zero_exactly_at_the_solution),
        cmocka_unit_test(has_the_documented_value),
        cmocka_unit_test(a_zero_row_counts_its_velocity),
        cmocka_unit_test(what_is_not_finite_is_never_a_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
