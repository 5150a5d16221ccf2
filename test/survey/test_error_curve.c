#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "survey/error_curve.h"

enum {
    COUNT = 5
};

static const double steps[COUNT] = {0.1, 0.05, 0.02, 0.01, 0.001};

typedef struct fixture {
    carom_arena *arena;
    carom_error_curve curve;
} fixture;

static fixture begin(void)
{
    fixture made = {.arena = carom_arena_create()};
    assert_true(error_curve_create(COUNT, made.arena, &made.curve));
    return made;
}

static void power_law(carom_error_curve *curve, double factor, double order)
{
    for (int i = 0; i < COUNT; i++)
        curve->error[i] = factor * pow(steps[i], order);
}

static void a_new_curve_has_no_order(void **state)
{
    (void)state;
    fixture made = begin();
    error_curve_fit(COUNT, steps, &made.curve);
    assert_true(isnan(made.curve.order));
    assert_int_equal(made.curve.fitted, 0);
    for (int i = 0; i < COUNT; i++)
        assert_true(isnan(made.curve.error[i]) && isnan(made.curve.local[i]));
    carom_arena_free(made.arena);
}

static void a_power_law_has_its_exponent_everywhere(void **state)
{
    (void)state;
    const double orders[] = {0.5, 1.0, 2.0, 3.75};
    fixture made = begin();
    for (int k = 0; k < 4; k++) {
        power_law(&made.curve, 7e-5, orders[k]);
        error_curve_fit(COUNT, steps, &made.curve);
        assert_true(fabs(made.curve.order - orders[k]) < 1e-12);
        assert_int_equal(made.curve.fitted, COUNT);
        assert_true(isnan(made.curve.local[0]));
        for (int i = 1; i < COUNT; i++)
            assert_true(fabs(made.curve.local[i] - orders[k]) < 1e-12);
    }
    carom_arena_free(made.arena);
}

/* By hand: h = 1, 1/2, 1/4 and log2 of the errors 0, -1, -3 give the slope 1.5. */
static void scattered_errors_have_the_least_squares_slope(void **state)
{
    (void)state;
    const double h[3] = {1.0, 0.5, 0.25};
    fixture made = begin();
    made.curve.error[0] = 1.0;
    made.curve.error[1] = 0.5;
    made.curve.error[2] = 0.125;
    error_curve_fit(3, h, &made.curve);
    assert_true(fabs(made.curve.order - 1.5) < 1e-14);
    assert_true(fabs(made.curve.local[1] - 1.0) < 1e-14);
    assert_true(fabs(made.curve.local[2] - 2.0) < 1e-14);
    carom_arena_free(made.arena);
}

static void what_is_no_error_is_left_out(void **state)
{
    (void)state;
    fixture made = begin();
    power_law(&made.curve, 3.0, 2.0);
    made.curve.error[1] = NAN;
    made.curve.error[3] = 0.0;
    made.curve.error[4] = 1.0;
    made.curve.at_rounding[4] = true;
    error_curve_fit(COUNT, steps, &made.curve);
    assert_int_equal(made.curve.fitted, 2);
    assert_true(fabs(made.curve.order - 2.0) < 1e-12);
    for (int i = 0; i < COUNT; i++)
        assert_true(isnan(made.curve.local[i])); /* no two neighbours are left */
    made.curve.error[2] = INFINITY;
    error_curve_fit(COUNT, steps, &made.curve);
    assert_int_equal(made.curve.fitted, 1);
    assert_true(isnan(made.curve.order));
    carom_arena_free(made.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_curve_has_no_order),
        cmocka_unit_test(a_power_law_has_its_exponent_everywhere),
        cmocka_unit_test(scattered_errors_have_the_least_squares_slope),
        cmocka_unit_test(what_is_no_error_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
