#include "scheme/parts/extrapolation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static int calls;

/* y0' = y1, y1' = -y0, y2' = 5 t^4 */
static bool oscillate(void *context, double t, const double *y, double *rate)
{
    (void)context;
    calls++;
    rate[0] = y[1];
    rate[1] = -y[0];
    rate[2] = 5.0 * t * t * t * t;
    return true;
}

static void test_smooth_flows_to_rounding(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const int part[] = {2, 3};
    extrapolation flow = {.size = 3, .part = part, .rate = oscillate};
    assert_true(extrapolation_take(&flow, arena));
    double y[3] = {1.0, 0.0, 0.0};
    calls = 0;
    assert_true(extrapolation_go(&flow, 0.0, 20.0, y));
    assert_true(fabs(y[0] - cos(20.0)) <= 2e-13 && fabs(y[1] + sin(20.0)) <= 2e-13);
    assert_true(fabs(y[2] - pow(20.0, 5.0)) <= 1e-14 * pow(20.0, 5.0));
    assert_true(calls < 3000);
    /* stretches compose, and the step is kept */
    double z[3] = {1.0, 0.0, 0.0};
    for (int k = 0; k < 40; k++)
        assert_true(extrapolation_go(&flow, 0.5 * k, 0.5 * (k + 1), z));
    assert_true(fabs(z[0] - y[0]) <= 4e-13 && fabs(z[1] - y[1]) <= 4e-13);
    assert_false(flow.broken);
    carom_arena_free(arena);
}

static bool fall(void *context, double t, const double *y, double *rate)
{
    (void)t;
    (void)context;
    calls++;
    rate[0] = y[1];
    rate[1] = -9.81;
    return true;
}

/* A parabola is one step of two rows, exact but for rounding. */
static void test_parabola_is_exact(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const int part[] = {2};
    extrapolation flow = {.size = 2, .part = part, .rate = fall};
    assert_true(extrapolation_take(&flow, arena));
    double y[2] = {1.0, 3.0};
    calls = 0;
    assert_true(extrapolation_go(&flow, 0.0, 0.7, y));
    assert_true(calls <= 8);
    assert_true(fabs(y[0] - (1.0 + 3.0 * 0.7 - 0.5 * 9.81 * 0.49)) <= 1e-15);
    assert_true(fabs(y[1] - (3.0 - 9.81 * 0.7)) <= 2e-15);
    carom_arena_free(arena);
}

/* 1 before t = 0.3, 2 after it; without a rate from t = 2 on. */
static bool jump(void *context, double t, const double *y, double *rate)
{
    (void)context;
    (void)y;
    rate[0] = t < 0.3 ? 1.0 : 2.0;
    return t < 2.0;
}

static void test_jumps_and_walls(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const int part[] = {1};
    extrapolation flow = {.size = 1, .part = part, .rate = jump, .watched = 1};
    assert_true(extrapolation_take(&flow, arena));
    double y = 0.0;
    assert_true(extrapolation_go(&flow, 0.0, 1.0, &y));
    assert_true(fabs(y - 1.7) <= 1e-9);
    assert_true(flow.broken && fabs(flow.broken_time - 0.3) <= 1e-6);
    assert_false(extrapolation_go(&flow, 1.0, 3.0, &y));
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smooth_flows_to_rounding),
        cmocka_unit_test(test_parabola_is_exact),
        cmocka_unit_test(test_jumps_and_walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
