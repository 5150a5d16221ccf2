#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "survey/audit/impact_audit.h"

enum {
    POINTS = 30
};

typedef struct sample {
    double x[POINTS][2], y[POINTS][2];
} sample;

/* y = A x at random points, or around the unit circle. */
static sample make_sample(const double *matrix, bool circle)
{
    carom_random random = {9};
    sample s;
    for (int i = 0; i < POINTS; i++) {
        const double angle = 2.0 * acos(-1.0) * i / POINTS;
        s.x[i][0] = circle ? cos(angle) : carom_random_uniform(&random, -1.0, 1.0);
        s.x[i][1] = circle ? sin(angle) : carom_random_uniform(&random, -1.0, 1.0);
        for (int k = 0; k < 2; k++)
            s.y[i][k] = matrix[2 * k] * s.x[i][0] + matrix[2 * k + 1] * s.x[i][1];
    }
    return s;
}

static audit_cycle largest(const sample *s, int points, double slack)
{
    double work[2 * POINTS * POINTS];
    assert_true(audit_cycle_work(POINTS) == sizeof work / sizeof *work);
    return audit_largest_cycle(points, 2, s->x[0], s->y[0], slack, work);
}

static void gradients_have_no_cycle(void **state)
{
    (void)state;
    const double symmetric[] = {2.0, 1.0, 1.0, 1.0};
    const sample s = make_sample(symmetric, false);
    const audit_cycle cycle = largest(&s, POINTS, 1e-12);
    assert_true(cycle.weight < 0.0);
    /* the heaviest cycle is that of the two nearest points, in the metric of the matrix */
    double nearest = INFINITY;
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < i; j++) {
            const double a = s.x[i][0] - s.x[j][0], b = s.x[i][1] - s.x[j][1];
            nearest = fmin(nearest, 2.0 * a * a + 2.0 * a * b + b * b);
        }
    assert_true(fabs(cycle.weight + nearest) <= 1e-10);
    assert_int_not_equal(cycle.first, cycle.second);
}

static void maps_that_are_not_monotone_have_a_short_cycle(void **state)
{
    (void)state;
    const double indefinite[] = {1.0, 0.0, 0.0, -0.5};
    const sample s = make_sample(indefinite, false);
    assert_true(largest(&s, POINTS, 1e-12).weight > 0.01);
    /* two points suffice when they lie one above the other */
    const sample pair = {.x = {{0, 0}, {0, 1}}, .y = {{0, 0}, {0, -0.5}}};
    const audit_cycle cycle = largest(&pair, 2, 1e-12);
    assert_true(fabs(cycle.weight - 0.5) <= 1e-15);
    assert_int_equal(cycle.first + cycle.second, 1);
}

/* Monotone, but turning: pairs lose, and the way round wins. */
static void maps_that_turn_have_a_long_cycle(void **state)
{
    (void)state;
    const double turning[] = {0.2, 1.0, -1.0, 0.2};
    const sample s = make_sample(turning, true);
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < i; j++) {
            const double a = s.x[i][0] - s.x[j][0], b = s.x[i][1] - s.x[j][1];
            const double c = s.y[i][0] - s.y[j][0], d = s.y[i][1] - s.y[j][1];
            assert_true(a * c + b * d > 0.0);
        }
    /* the way round: 30 (sin - 0.2 (1 - cos)) of a thirtieth of a turn */
    const double angle = 2.0 * acos(-1.0) / POINTS;
    const double round = POINTS * (sin(angle) - 0.2 * (1.0 - cos(angle)));
    const audit_cycle cycle = largest(&s, POINTS, 1e-12);
    assert_true(fabs(cycle.weight - round) <= 1e-12);
    assert_int_equal((cycle.first + POINTS - 1) % POINTS, cycle.second);
    /* in an order that jumps to and fro across the circle only paths find one */
    sample mixed;
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 2; k++) {
            mixed.x[i][k] = s.x[i / 2 + i % 2 * (POINTS / 2)][k];
            mixed.y[i][k] = s.y[i / 2 + i % 2 * (POINTS / 2)][k];
        }
    assert_true(largest(&mixed, POINTS, 1e-12).weight > 1e-12);
    const double back[] = {0.2, -1.0, 1.0, 0.2};
    const sample mirror = make_sample(back, true);
    assert_true(fabs(largest(&mirror, POINTS, 1e-12).weight - round) <= 1e-12);
}

/* Cycles of weight zero that rounding makes positive are none. */
static void rounding_makes_no_cycle(void **state)
{
    (void)state;
    carom_random random = {3};
    sample s;
    for (int i = 0; i < POINTS; i++) {
        s.x[i][0] = carom_random_uniform(&random, -1.0, 1.0);
        s.x[i][1] = carom_random_uniform(&random, -1.0, 1.0);
        s.y[i][0] = 1.0 / 3.0; /* one y for all: every cycle is zero */
        s.y[i][1] = -0.7;
    }
    assert_true(fabs(largest(&s, POINTS, 1e-12).weight) <= 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_have_no_cycle),
        cmocka_unit_test(maps_that_are_not_monotone_have_a_short_cycle),
        cmocka_unit_test(maps_that_turn_have_a_long_cycle),
        cmocka_unit_test(rounding_makes_no_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
