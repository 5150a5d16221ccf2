#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/convex.h"
#include "convex/unit_disk.h"

static void assert_point(const double x[2], double x0, double x1, double tolerance)
{
    assert_true(fabs(x[0] - x0) <= tolerance);
    assert_true(fabs(x[1] - x1) <= tolerance);
}

/* The secular equation of Moreau 1986, section 12: reference values of a prototype. */
static void ellipse_reference_values(void **state)
{
    (void)state;
    const carom_planar_set flat = {.kind = CAROM_PLANAR_ELLIPSE, .a = 0.5, .b = 0.25};
    const carom_planar_set wide = {.kind = CAROM_PLANAR_ELLIPSE, .a = 0.6, .b = 0.3};
    double x[2];
    assert_false(carom_planar_project(&flat, 2.0, (double[2]){-3.0, -1.0}, x));
    assert_point(x, -0.97654229, -0.10766286, 5e-9);
    assert_true(carom_planar_project(&flat, 2.0, (double[2]){-0.3, -0.4}, x));
    assert_point(x, -0.3, -0.4, 0.0);
    assert_false(carom_planar_project(&wide, 1.5, (double[2]){-1.2, 0.6}, x));
    assert_point(x, 0.39585492 - 1.2, -0.39791667 + 0.6, 5e-9);
}

/* On the boundary p - x is along the outward normal (x0/a^2, x1/b^2). */
static void projection_is_along_the_normal(void **state)
{
    (void)state;
    carom_random random = {21};
    for (int trial = 0; trial < 2000; trial++) {
        const double a = pow(10.0, carom_random_uniform(&random, -3.0, 3.0));
        const double b = pow(10.0, carom_random_uniform(&random, -3.0, 3.0));
        const double angle = carom_random_uniform(&random, 0.0, 6.3);
        const double length = fmax(a, b) * carom_random_uniform(&random, 1.0, 10.0);
        const double p[2] = {length * cos(angle), length * sin(angle)};
        const carom_planar_set set = {.kind = CAROM_PLANAR_ELLIPSE, .a = a, .b = b};
        double x[2];
        if (carom_planar_project(&set, 1.0, p, x))
            continue;
        assert_true(fabs(hypot(x[0] / a, x[1] / b) - 1.0) <= 1e-15);
        double normal[2] = {x[0] / (a * a), x[1] / (b * b)};
        double cross = normal[0] * (p[1] - x[1]) - normal[1] * (p[0] - x[0]);
        double sizes = hypot(normal[0], normal[1]) * length;
        assert_true(fabs(cross) <= 1e-14 * sizes);
        assert_true(normal[0] * (p[0] - x[0]) + normal[1] * (p[1] - x[1]) >= -1e-14 * sizes);
    }
}

/* Points on the axes, where one term of the secular equation vanishes. */
static void axes_of_the_ellipse(void **state)
{
    (void)state;
    const carom_planar_set set = {.kind = CAROM_PLANAR_ELLIPSE, .a = 2.0, .b = 0.5};
    double x[2];
    carom_planar_project(&set, 1.0, (double[2]){5.0, 0.0}, x);
    assert_point(x, 2.0, 0.0, 4e-16);
    carom_planar_project(&set, 1.0, (double[2]){0.0, -5.0}, x);
    assert_point(x, 0.0, -0.5, 4e-16);
    carom_planar_minimise(&set, 1.0, 3.0, 0.0, 7.0, (double[2]){0.0, 35.0}, x);
    assert_point(x, 0.0, -0.5, 4e-16);
}

/* A quarter turn of the metric and of the data turns the minimiser. */
static void minimiser_turns_with_the_metric(void **state)
{
    (void)state;
    carom_random random = {22};
    const carom_planar_set disk = {.kind = CAROM_PLANAR_DISK, .a = 0.7};
    for (int trial = 0; trial < 300; trial++) {
        double w11 = carom_random_uniform(&random, 0.5, 2.0), w22 = carom_random_uniform(&random, 0.5, 2.0);
        double w12 = carom_random_uniform(&random, -0.45, 0.45);
        double b[2] = {carom_random_uniform(&random, -3.0, 3.0), carom_random_uniform(&random, -3.0, 3.0)};
        double x[2], turned[2];
        carom_planar_minimise(&disk, 1.0, w11, w12, w22, b, x);
        carom_planar_minimise(&disk, 1.0, w22, -w12, w11, (double[2]){-b[1], b[0]}, turned);
        assert_point(turned, -x[1], x[0], 2e-15);
    }
}

/* A metric that is singular to rounding still has a minimiser on the disk. */
static void singular_metric(void **state)
{
    (void)state;
    const carom_planar_set disk = {.kind = CAROM_PLANAR_DISK, .a = 1.0};
    double x[2];
    assert_false(carom_planar_minimise(&disk, 1.0, 1.0, 1.0, 1.0, (double[2]){-1.0, 1.0}, x));
    assert_point(x, sqrt(0.5), -sqrt(0.5), 4e-16);
}

/* (A + s I) y = -c on the circle with s >= 0, for matrices D1 W D2 of any asymmetry. */
static void circle_without_symmetry(void **state)
{
    (void)state;
    carom_random random = {23};
    for (int trial = 0; trial < 3000; trial++) {
        const double w12 = carom_random_uniform(&random, -0.9, 0.9);
        const double d[2] = {pow(10.0, carom_random_uniform(&random, -2.0, 1.0)),
                             pow(10.0, carom_random_uniform(&random, -2.0, 1.0))};
        const double A[4] = {d[0], d[0] * w12, d[1] * w12, d[1]}, det = A[0] * A[3] - A[1] * A[2];
        double c[2] = {carom_random_uniform(&random, -3.0, 3.0), carom_random_uniform(&random, -3.0, 3.0)};
        const double free = hypot(A[3] * c[0] - A[1] * c[1], A[0] * c[1] - A[2] * c[0]) / det;
        for (int i = 0; i < 2; i++)
            c[i] *= free < 1.0 ? 1.5 / free : 1.0;
        double y[2];
        unit_circle_rest(A, c, y);
        const double rest[2] = {A[0] * y[0] + A[1] * y[1] + c[0], A[2] * y[0] + A[3] * y[1] + c[1]};
        const double size = d[0] + d[1] + hypot(c[0], c[1]);
        assert_true(fabs(hypot(y[0], y[1]) - 1.0) <= 4e-16);
        assert_true(fabs(rest[0] * y[1] - rest[1] * y[0]) <= 2e-14 * size);
        assert_true(rest[0] * y[0] + rest[1] * y[1] <= 1e-14 * size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ellipse_reference_values), cmocka_unit_test(projection_is_along_the_normal),
        cmocka_unit_test(axes_of_the_ellipse),      cmocka_unit_test(minimiser_turns_with_the_metric),
        cmocka_unit_test(singular_metric),          cmocka_unit_test(circle_without_symmetry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
