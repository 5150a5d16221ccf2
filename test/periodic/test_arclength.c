/* Curves with known folds: the circle and a cubic. */
#include "modes_chain.h"

#include <string.h>

static bool circle(void *context, const double *x, double p, double *f)
{
    (void)context;
    f[0] = x[0] * x[0] + p * p - 1.0;
    return true;
}

static bool circle_jacobian(void *context, const double *x, double p, double *by_x, double *by_p)
{
    ++*(int *)context;
    by_x[0] = 2.0 * x[0];
    by_p[0] = 2.0 * p;
    return true;
}

/* Once around: folds at p = 1 and p = -1, back at the start. */
static void around_a_circle(void **state)
{
    (void)state;
    int calls = 0;
    const carom_arclength_problem problem = {
        .size = 1, .context = &calls, .residual = circle, .jacobian = circle_jacobian};
    carom_arclength_options options = carom_arclength_defaults();
    options.step = options.step_max = 0.05;
    const double x = 1.1;
    carom_arclength *curve = NULL;
    carom_error error = {0};
    expect_ok(carom_arclength_create(&problem, &options, &x, 0.0, &curve, &error), &error);
    assert_near(carom_arclength_x(curve)[0], 1.0, 1e-10);
    int folds = 0;
    double angle = 0.0;
    for (int i = 0; i < 125; i++) { /* 125 arcs of nearly 0.05: 6.25 */
        expect_ok(carom_arclength_step(curve, &error), &error);
        const double p = carom_arclength_parameter(curve), y = carom_arclength_x(curve)[0];
        assert_near(p * p + y * y, 1.0, 1e-9);
        folds += carom_arclength_folded(curve);
        angle = atan2(p, y);
    }
    assert_int_equal(folds, 2);
    assert_true(fabs(angle) < 0.1);
    assert_true(calls > 100);
    double middle, p;
    expect_ok(carom_arclength_between(curve, 0.5, &middle, &p, &error), &error);
    assert_near(p * p + middle * middle, 1.0, 1e-9);
    carom_arclength_free(curve);
}

/* y = 2 x - p, p = x^3 - x: two unknowns by differences; folds at x = -+1/sqrt 3. */
static bool cubic(void *context, const double *x, double p, double *f)
{
    (void)context;
    f[0] = x[0] * x[0] * x[0] - x[0] - p;
    f[1] = 2.0 * x[0] - p - x[1];
    return fabs(p) < 10.0;
}

static void through_a_cubic(void **state)
{
    (void)state;
    const carom_arclength_problem problem = {.size = 2, .residual = cubic};
    carom_arclength_options options = carom_arclength_defaults();
    const double x[2] = {-1.5, -1.0};
    carom_arclength *curve = NULL;
    carom_error error = {0};
    expect_ok(carom_arclength_create(&problem, &options, x, -1.5, &curve, &error), &error);
    int folds = 0;
    double largest = -INFINITY;
    while (carom_arclength_x(curve)[0] < 1.5) {
        expect_ok(carom_arclength_step(curve, &error), &error);
        folds += carom_arclength_folded(curve);
        if (carom_arclength_x(curve)[0] < 0.0)
            largest = fmax(largest, carom_arclength_parameter(curve));
    }
    assert_int_equal(folds, 2);
    assert_near(largest, 2.0 / (3.0 * sqrt(3.0)), 2e-3);
    carom_arclength_free(curve);
}

static bool nothing(void *context, const double *x, double p, double *f)
{
    (void)context;
    f[0] = x[0] * x[0] + 1.0 + p * p;
    return true;
}

static void failures_say_what_to_do(void **state)
{
    (void)state;
    const carom_arclength_problem problem = {.size = 1, .residual = nothing};
    carom_arclength_options options = carom_arclength_defaults();
    double x = 1.0;
    carom_arclength *curve = NULL;
    carom_error error = {0};
    assert_int_equal(carom_arclength_create(&problem, &options, &x, 0.0, &curve, &error), CAROM_FAILED);
    assert_non_null(strstr(error.text, "the Newton path is lost"));
    assert_null(curve);
    options.step = CAROM_ZERO;
    assert_int_equal(carom_arclength_create(&problem, &options, &x, 0.0, &curve, &error), CAROM_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(around_a_circle),
        cmocka_unit_test(through_a_cubic),
        cmocka_unit_test(failures_say_what_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
