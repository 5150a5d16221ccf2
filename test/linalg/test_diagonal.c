#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/linalg.h"

static void an_entry_beside_the_diagonal_is_seen(void **state)
{
    (void)state;
    double matrix[16] = {0};
    for (int n = 1; n <= 4; n++)
        for (int k = 0; k < n * n; k++)
            for (int kind = 0; kind < 2; kind++) {
                matrix[k] = kind == 0 ? 1e-300 : NAN;
                assert_int_equal(carom_is_diagonal(n, matrix), k % (n + 1) == 0);
                matrix[k] = -0.0;
                assert_true(carom_is_diagonal(n, matrix));
            }
    assert_true(carom_is_diagonal(0, matrix));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_beside_the_diagonal_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
