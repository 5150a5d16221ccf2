/* How many digits of a measure stand. */
#include "carom/survey.h"
#include "test/near.h"

/* m(h) = 3 + h^p */
static carom_certified of_order(double p)
{
    return carom_certified_of(3.0 + pow(0.1, p), 3.0 + pow(0.05, p), 3.0 + pow(0.025, p));
}

static void errors_of_a_known_order_are_found(void **state)
{
    (void)state;
    for (double p = 1.0; p <= 4.0; p++) {
        const carom_certified found = of_order(p);
        assert_near(found.order, p, 1e-8);
        assert_near(found.error, pow(0.1, p), 1e-9);
        assert_true(found.value == 3.0 + pow(0.1, p));
    }
}

static void what_does_not_converge_has_no_order(void **state)
{
    (void)state;
    const carom_certified jumps = carom_certified_of(1.0, 1.1, 0.7);
    assert_true(isnan(jumps.order));
    assert_near(jumps.error, 0.3, 1e-15);
    const carom_certified same = carom_certified_of(2.0, 2.0, 2.0);
    assert_true(isnan(same.order) && same.error == 0.0);
    const carom_certified none = carom_certified_of(1.0, NAN, 1.0);
    assert_true(isnan(none.order) && isnan(none.error) && none.value == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_a_known_order_are_found),
        cmocka_unit_test(what_does_not_converge_has_no_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
