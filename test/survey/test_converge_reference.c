#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "survey/converge_reference.h"

/* ---- step of a reference ---------------------------------------------------------------------------- */

static void expect_step(int count, const double *h, double wanted, double step, int every)
{
    const reference_step chosen = reference_step_choose(count, h, wanted);
    assert_true(fabs(chosen.h - step) <= 1e-15 * step);
    assert_int_equal(chosen.record_every, every);
}

static void the_reference_step_divides_every_step(void **state)
{
    (void)state;
    expect_step(3, (double[]){0.04, 0.02, 0.01}, NAN, 0.01 / 16, 16);
    /* 0.1 and 0.05 are no multiples of 0.03 / 16, but of 0.03 / 18 */
    expect_step(3, (double[]){0.1, 0.05, 0.03}, NAN, 0.03 / 18, 6);
    /* no divisor near: 1/16 all the same, and every output is kept */
    expect_step(2, (double[]){0.1 * 3.14159265358979, 0.1}, NAN, 0.1 / 16, 1);
    expect_step(2, (double[]){0.3, 0.2}, 0.05, 0.05, 2);
    expect_step(2, (double[]){0.3, 0.2}, 0.03, 0.03, 1);
}

/* ---- errors ----------------------------------------------------------------------------------------- */

/* Rows of t, q, v with the reference q = 10 t, v = 10; the run has q + 1, v + 2. */
enum {
    CURVES = 2
};
static int source[] = {1, 2}, curve[] = {CAROM_CURVE_Q, CAROM_CURVE_V};
static const compared_values compared = {.count = 2, .source = source, .curve = curve};

typedef struct fixture {
    carom_arena *arena;
    reference_run reference;
    error_meter meter;
} fixture;

static void hand(carom_recorder recorder, double t, double q, double v)
{
    const double row[3] = {t, q, v};
    assert_int_equal(recorder.row(recorder.context, row, NULL), CAROM_OK);
}

static void begin(fixture *made)
{
    made->arena = carom_arena_create();
    assert_true(reference_run_create(&compared, made->arena, &made->reference));
    assert_true(error_meter_create(&compared, &made->reference, CURVES, made->arena, &made->meter));
    for (int i = 0; i <= 4; i++)
        hand(reference_run_recorder(&made->reference), 0.5 * i, 5.0 * i, 10.0);
}

static void end(fixture *made)
{
    reference_run_free(&made->reference);
    carom_arena_free(made->arena);
}

static void errors_are_largest_and_mean(void **state)
{
    (void)state;
    fixture made;
    begin(&made);
    error_meter_begin(&made.meter, 1.0, 2.0);
    const carom_recorder recorder = error_meter_recorder(&made.meter);
    hand(recorder, 0.0, 0.0, 17.0); /* the first velocity does not count */
    hand(recorder, 1.0, 7.0, 11.0);
    hand(recorder, 2.0, 21.0, 5.0);
    hand(recorder, 3.0, 1e9, 1e9); /* past the end */
    assert_true(error_meter_error(&made.meter, CAROM_CURVE_Q) == 3.0);
    assert_true(error_meter_error(&made.meter, CAROM_CURVE_V) == 3.0);
    assert_false(made.meter.is_interpolated);
    assert_false(error_meter_at_rounding(&made.meter, CAROM_CURVE_Q));
    end(&made);
}

static void between_two_outputs_the_reference_is_linear(void **state)
{
    (void)state;
    fixture made;
    begin(&made);
    error_meter_begin(&made.meter, 0.75, 2.0);
    const carom_recorder recorder = error_meter_recorder(&made.meter);
    hand(recorder, 0.0, 0.0, 10.0);
    hand(recorder, 0.75, 7.5, 10.0);
    assert_true(made.meter.is_interpolated);
    assert_true(error_meter_error(&made.meter, CAROM_CURVE_Q) == 0.0);
    assert_true(error_meter_at_rounding(&made.meter, CAROM_CURVE_Q));
    hand(recorder, 1.5, 15.25, 10.0);
    assert_true(error_meter_error(&made.meter, CAROM_CURVE_Q) == 0.25);
    end(&made);
}

static void rounding_level_is_relative(void **state)
{
    (void)state;
    for (int power = -6; power <= 6; power += 6) {
        const double unit = pow(10.0, power);
        fixture made = {.arena = carom_arena_create()};
        assert_true(reference_run_create(&compared, made.arena, &made.reference));
        assert_true(error_meter_create(&compared, &made.reference, CURVES, made.arena, &made.meter));
        for (int i = 0; i <= 2; i++)
            hand(reference_run_recorder(&made.reference), i, unit, unit);
        error_meter_begin(&made.meter, 1.0, 2.0);
        for (int i = 0; i <= 2; i++)
            hand(error_meter_recorder(&made.meter), i, unit * (1.0 + 5e-14), unit * (1.0 + 5e-13));
        assert_true(error_meter_at_rounding(&made.meter, CAROM_CURVE_Q));
        assert_false(error_meter_at_rounding(&made.meter, CAROM_CURVE_V));
        end(&made);
    }
}

static void what_is_not_a_number_spoils_the_error(void **state)
{
    (void)state;
    fixture made;
    begin(&made);
    error_meter_begin(&made.meter, 1.0, 2.0);
    const carom_recorder recorder = error_meter_recorder(&made.meter);
    hand(recorder, 0.0, 0.0, 10.0);
    hand(recorder, 1.0, NAN, 10.0);
    hand(recorder, 2.0, 21.0, 10.0);
    assert_true(isnan(error_meter_error(&made.meter, CAROM_CURVE_Q)));
    error_meter_begin(&made.meter, 1.0, 2.0);
    assert_true(isnan(error_meter_error(&made.meter, CAROM_CURVE_V))); /* nothing compared yet */
    end(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_step_divides_every_step),
        cmocka_unit_test(errors_are_largest_and_mean),
        cmocka_unit_test(between_two_outputs_the_reference_is_linear),
        cmocka_unit_test(rounding_level_is_relative),
        cmocka_unit_test(what_is_not_a_number_spoils_the_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
