#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/linalg.h"

/* Only OpenBLAS has them. */
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int count) __attribute__((weak));

static void the_blas_keeps_to_one_thread(void **state)
{
    (void)state;
    enum {
        SIZE = 20 /* for LAPACK, so that the program has a BLAS at all */
    };
    static double matrix[SIZE * SIZE];
    for (int i = 0; i < SIZE; i++)
        matrix[i * (SIZE + 1)] = 4.0;
    assert_int_equal(carom_cholesky_factor(SIZE, matrix), 0);
    if (!openblas_get_num_threads || !openblas_set_num_threads) {
        print_message("the BLAS here is not OpenBLAS, whose threads this looks at: skipped\n");
        skip();
    }
    openblas_set_num_threads(2);
    assert_int_equal(openblas_get_num_threads(), 2);
    carom_linalg_serial();
    assert_int_equal(openblas_get_num_threads(), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_blas_keeps_to_one_thread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
