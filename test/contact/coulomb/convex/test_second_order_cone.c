/* Algebra and scaling of the cone of three numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/base.h"
#include "contact/coulomb/convex/second_order_cone.h"

static void take_inside(carom_random *random, double x[3])
{
    x[1] = carom_random_uniform(random, -1, 1);
    x[2] = carom_random_uniform(random, -1, 1);
    x[0] = hypot(x[1], x[2]) + carom_random_uniform(random, 1e-3, 1);
}

static void take_any(carom_random *random, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = carom_random_uniform(random, -1, 1);
}

static void are_near(const double a[3], const double b[3], double tolerance)
{
    for (int k = 0; k < 3; k++)
        assert_true(fabs(a[k] - b[k]) < tolerance);
}

static void quotient_times_divisor_is_the_dividend(void **state)
{
    (void)state;
    carom_random random = {5};
    for (int trial = 0; trial < 200; trial++) {
        double a[3], b[3], x[3], back[3];
        take_inside(&random, a);
        take_any(&random, b);
        cone_solve(a, b, x);
        cone_product(a, x, back);
        are_near(back, b, 1e-11);
    }
}

/* S z = S^-1 x, S^-1 is the inverse of S, and the Hessian its square. */
static void scaling_makes_both_points_one(void **state)
{
    (void)state;
    carom_random random = {7};
    for (int trial = 0; trial < 200; trial++) {
        double x[3], z[3], a[3], b[3], d[3], hessian[9], product[3];
        take_inside(&random, x);
        take_inside(&random, z);
        const cone_scaling scaling = cone_scaling_of(x, z);
        cone_scale(&scaling, z, a);
        cone_unscale(&scaling, x, b);
        are_near(a, b, 1e-10);
        take_any(&random, d);
        cone_scale(&scaling, d, a);
        cone_unscale(&scaling, a, b);
        are_near(b, d, 1e-10);
        cone_hessian(&scaling, hessian);
        cone_unscale(&scaling, d, a);
        cone_unscale(&scaling, a, b);
        for (int i = 0; i < 3; i++)
            product[i] = hessian[3 * i] * d[0] + hessian[3 * i + 1] * d[1] + hessian[3 * i + 2] * d[2];
        for (int i = 0; i < 3; i++)
            assert_true(fabs(product[i] - b[i]) < 1e-9 * (1.0 + fabs(b[i])));
    }
}

/* The point at the longest step is on the boundary, those before are inside, and there is none beyond. */
static void longest_step_ends_on_the_boundary(void **state)
{
    (void)state;
    carom_random random = {11};
    int finite = 0;
    for (int trial = 0; trial < 500; trial++) {
        double x[3], d[3];
        take_inside(&random, x);
        take_any(&random, d);
        const double step = cone_longest_step(x, d), last = isinf(step) ? 1e6 : step;
        finite += isfinite(step);
        for (int k = 0; k < 20; k++) {
            const double t = last * k / 20.0;
            const double y[3] = {x[0] + t * d[0], x[1] + t * d[1], x[2] + t * d[2]};
            assert_true(y[0] > hypot(y[1], y[2]));
        }
        if (isfinite(step)) {
            const double y[3] = {x[0] + step * d[0], x[1] + step * d[1], x[2] + step * d[2]};
            assert_true(fabs(y[0] - hypot(y[1], y[2])) < 1e-9 * (1.0 + step));
        }
    }
    assert_true(finite > 100 && finite < 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotient_times_divisor_is_the_dividend),
        cmocka_unit_test(scaling_makes_both_points_one),
        cmocka_unit_test(longest_step_ends_on_the_boundary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
