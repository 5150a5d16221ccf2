#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "carom/linalg.h"

static int solve(int rows, int columns, double *matrix, int right, double *x)
{
    const size_t size = carom_least_squares_work(rows, columns, right);
    double *work = carom_new_array(size, sizeof *work);
    int pivot[8];
    const int rank = carom_least_squares(rows, columns, matrix, right, x, 1e-12, pivot, work, size);
    free(work);
    return rank;
}

static void test_a_regular_system_has_its_solution(void **state)
{
    (void)state;
    double matrix[] = {2.0, 1.0, 1.0, 3.0}, x[] = {5.0, 10.0, 3.0, 4.0}; /* two right-hand sides */
    assert_int_equal(solve(2, 2, matrix, 2, x), 2);
    const double expected[] = {1.0, 3.0, 1.0, 1.0};
    for (int i = 0; i < 4; i++)
        assert_true(fabs(x[i] - expected[i]) <= 1e-14);
}

/* x + y = 2 twice: the shortest of all solutions, and the rank tells. */
static void test_a_redundant_system_has_the_shortest_one(void **state)
{
    (void)state;
    double matrix[] = {1.0, 1.0, 1.0, 1.0}, x[] = {2.0, 2.0};
    assert_int_equal(solve(2, 2, matrix, 1, x), 1);
    assert_true(fabs(x[0] - 1.0) <= 1e-14 && fabs(x[1] - 1.0) <= 1e-14);
}

/* A line through three points that are on none. */
static void test_more_equations_than_unknowns(void **state)
{
    (void)state;
    double matrix[] = {1.0, 1.0, 1.0, 0.0, 1.0, 2.0}, x[] = {0.0, 2.0, 1.0};
    assert_int_equal(solve(3, 2, matrix, 1, x), 2);
    assert_true(fabs(x[0] - 0.5) <= 1e-14 && fabs(x[1] - 0.5) <= 1e-14);
}

static void test_nothing_is_fine(void **state)
{
    (void)state;
    double x = 0.0;
    assert_int_equal(solve(0, 0, &x, 1, &x), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_regular_system_has_its_solution),
        cmocka_unit_test(test_a_redundant_system_has_the_shortest_one),
        cmocka_unit_test(test_more_equations_than_unknowns),
        cmocka_unit_test(test_nothing_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
