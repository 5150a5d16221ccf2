/* Conditions of order of the pair: sums that the coefficients must satisfy. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/linalg.h"

enum {
    N = CAROM_DORMAND_PRINCE
};

static void rows_sum_to_their_times(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        double sum = 0.0;
        for (int j = 0; j < N; j++)
            sum += carom_dormand_prince_stage[i][j];
        assert_true(fabs(sum - carom_dormand_prince_time[i]) <= 4e-15);
    }
}

/* sum b_i c_i^k = 1/(k+1) for order 5, and of the difference of the two solutions 0 up to order 4. */
static void quadrature_conditions(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        double sum = 0.0, difference = 0.0;
        for (int i = 0; i < N; i++) {
            sum += carom_dormand_prince_stage[N - 1][i] * pow(carom_dormand_prince_time[i], k);
            difference += carom_dormand_prince_error[i] * pow(carom_dormand_prince_time[i], k);
        }
        assert_true(fabs(sum - 1.0 / (k + 1)) <= 1e-15);
        if (k < 4)
            assert_true(fabs(difference) <= 1e-16);
        else
            assert_true(fabs(difference) > 1e-4);
    }
}

/* x' = x by one step: exp(h) to the sixth power of h. */
static void step_of_fifth_order(void **state)
{
    (void)state;
    double last = 0.0;
    for (int halving = 0; halving < 3; halving++) {
        const double h = 0.2 / (1 << halving);
        double rate[N], x = 1.0;
        for (int i = 0; i < N; i++) {
            x = 1.0;
            for (int j = 0; j < i; j++)
                x += h * carom_dormand_prince_stage[i][j] * rate[j];
            rate[i] = x;
        }
        const double error = fabs(x - exp(h));
        if (halving > 0)
            assert_true(last / error > 55.0 && last / error < 75.0);
        last = error;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_sum_to_their_times),
        cmocka_unit_test(quadrature_conditions),
        cmocka_unit_test(step_of_fifth_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
