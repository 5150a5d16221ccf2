#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "survey/fit/loss.h"

/* psi = rho'/2 = r times weight, its rate: against central differences. */
static void test_derivatives(void **state)
{
    (void)state;
    const double d = 1e-5;
    for (int kind = 0; kind < CAROM_LOSSES; kind++)
        for (double r = -4.03; r < 4.0; r += 0.37) {
            const fit_loss loss = {(carom_fit_loss)kind, 1.5};
            const double slope = (fit_loss_value(loss, r + d) - fit_loss_value(loss, r - d)) / (4.0 * d);
            const double rate = (fit_loss_psi(loss, r + d) - fit_loss_psi(loss, r - d)) / (2.0 * d);
            assert_true(fabs(fit_loss_psi(loss, r) - slope) < 1e-9);
            assert_true(fabs(fit_loss_psi(loss, r) - r * fit_loss_weight(loss, r)) < 1e-15);
            assert_true(fabs(fit_loss_psi_rate(loss, r) - rate) < 1e-8);
            assert_true(fit_loss_value(loss, r) <= r * r * (1.0 + 1e-15));
        }
}

/* Near 0 all are squares, also far below rounding of 1. */
static void test_small_residuals(void **state)
{
    (void)state;
    for (int kind = 0; kind < CAROM_LOSSES; kind++) {
        const fit_loss loss = {(carom_fit_loss)kind, 1.0};
        assert_true(fabs(fit_loss_value(loss, 1e-9) / 1e-18 - 1.0) < 1e-14);
    }
}

/* (E psi')^2 / E psi^2 over normal noise is 0.95 at the usual scale. */
static void test_efficiency(void **state)
{
    (void)state;
    for (int kind = CAROM_LOSS_SOFT_L1; kind < CAROM_LOSSES; kind++) {
        const fit_loss loss = {(carom_fit_loss)kind, fit_loss_usual_scale((carom_fit_loss)kind)};
        double rate = 0.0, square = 0.0, width = 1e-3;
        for (double x = -9.0 + 0.5 * width; x < 9.0; x += width) {
            const double p = exp(-0.5 * x * x) / sqrt(2.0 * acos(-1.0)) * width;
            rate += p * fit_loss_psi_rate(loss, x);
            square += p * fit_loss_psi(loss, x) * fit_loss_psi(loss, x);
        }
        assert_true(fabs(rate * rate / square - 0.95) < 5e-4);
    }
}

static void test_words(void **state)
{
    (void)state;
    assert_string_equal(carom_fit_loss_word(CAROM_LOSS_HUBER), "huber");
    assert_null(carom_fit_loss_word(CAROM_LOSSES));
    assert_null(carom_fit_loss_word(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_small_residuals),
        cmocka_unit_test(test_efficiency),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
