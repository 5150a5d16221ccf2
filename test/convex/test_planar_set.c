#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/convex.h"
#include "sample_sets.h"

/* Largest coordinate of scale * set, p and x: what rounding is relative to. */
static double size_of(const double a[2], const double b[2])
{
    return hypot(a[0], a[1]) + hypot(b[0], b[1]);
}

/* x is the projection of p exactly when (p - x).(v - x) <= 0 for every v of the set. */
static void projection_satisfies_its_variational_inequality(void **state)
{
    (void)state;
    carom_random random = {11};
    for (int k = 0; k < SAMPLE_SETS; k++) {
        const carom_planar_set set = sample_set(k);
        for (int trial = 0; trial < 300; trial++) {
            const double scale = carom_random_uniform(&random, 0.0, 3.0);
            const double p[2] = {carom_random_uniform(&random, -2.0, 2.0),
                                 carom_random_uniform(&random, -2.0, 2.0)};
            double x[2], again[2], v[2];
            bool inside = carom_planar_project(&set, scale, p, x);
            assert_true(inside == (x[0] == p[0] && x[1] == p[1]));
            for (int i = 0; i < 50; i++) {
                boundary_point(&set, scale, i / 50.0, v);
                double product = (p[0] - x[0]) * (v[0] - x[0]) + (p[1] - x[1]) * (v[1] - x[1]);
                assert_true(product <= 1e-14 * size_of(p, v) * size_of(x, v));
            }
            carom_planar_project(&set, scale, x, again);
            assert_true(hypot(again[0] - x[0], again[1] - x[1]) <= 1e-15 * size_of(p, x));
        }
    }
}

static void interval_uses_the_first_component_only(void **state)
{
    (void)state;
    const carom_planar_set set = {.kind = CAROM_PLANAR_INTERVAL, .a = -0.2, .b = 0.5};
    double x[2];
    assert_false(carom_planar_project(&set, 2.0, (double[2]){1.5, 7.0}, x));
    assert_true(x[0] == 1.0 && x[1] == 0.0);
    assert_false(carom_planar_project(&set, 2.0, (double[2]){-1.5, 7.0}, x));
    assert_true(x[0] == -0.4 && x[1] == 0.0);
    assert_true(carom_planar_project(&set, 2.0, (double[2]){0.75, 7.0}, x));
    assert_true(x[0] == 0.75 && x[1] == 0.0);
    assert_false(carom_planar_minimise(&set, 2.0, 4.0, 9.0, 9.0, (double[2]){-8.0, 3.0}, x));
    assert_true(x[0] == 1.0 && x[1] == 0.0);
    assert_true(carom_planar_minimise(&set, 2.0, 4.0, 9.0, 9.0, (double[2]){-2.0, 3.0}, x));
    assert_true(x[0] == 0.5 && x[1] == 0.0);
}

static void scale_zero_leaves_the_origin(void **state)
{
    (void)state;
    const carom_planar_set interval = {.kind = CAROM_PLANAR_INTERVAL, .a = -0.2, .b = 0.5};
    for (int k = -1; k < SAMPLE_SETS; k++) {
        const carom_planar_set set = k < 0 ? interval : sample_set(k);
        double x[2] = {9.0, 9.0};
        assert_false(carom_planar_project(&set, 0.0, (double[2]){1.0, -2.0}, x));
        assert_true(x[0] == 0.0 && x[1] == 0.0);
        x[0] = x[1] = 9.0;
        assert_false(carom_planar_minimise(&set, 0.0, 2.0, 0.3, 1.0, (double[2]){1.0, -2.0}, x));
        assert_true(x[0] == 0.0 && x[1] == 0.0);
        assert_true(carom_planar_project(&set, 0.0, (double[2]){0.0, 0.0}, x));
    }
}

static void disk_is_projected_along_the_radius(void **state)
{
    (void)state;
    const carom_planar_set disk = {.kind = CAROM_PLANAR_DISK, .a = 0.5};
    double x[2];
    assert_false(carom_planar_project(&disk, 2.0, (double[2]){-3.0, 4.0}, x));
    assert_true(fabs(x[0] + 0.6) <= 2e-16 && fabs(x[1] - 0.8) <= 2e-16);
    assert_true(carom_planar_project(&disk, 10.0, (double[2]){-3.0, 4.0}, x));
    assert_true(x[0] == -3.0 && x[1] == 4.0);
}

/* A random matrix with eigenvalues in [1e-3, 1] times a random size. */
static void random_metric(carom_random *random, double w[3])
{
    double angle = carom_random_uniform(random, 0.0, 3.2), c = cos(angle), s = sin(angle);
    double large = pow(10.0, carom_random_uniform(random, -3.0, 3.0));
    double small = large * pow(10.0, carom_random_uniform(random, -3.0, 0.0));
    w[0] = large * c * c + small * s * s;
    w[1] = (large - small) * c * s;
    w[2] = large * s * s + small * c * c;
}

static double value(const double w[3], const double b[2], const double x[2])
{
    return 0.5 * (w[0] * x[0] * x[0] + 2.0 * w[1] * x[0] * x[1] + w[2] * x[1] * x[1]) + b[0] * x[0] +
           b[1] * x[1];
}

/* x is the minimiser exactly when (W x + b).(v - x) >= 0 for every v; then no sampled value is lower. */
static void minimiser_satisfies_its_variational_inequality(void **state)
{
    (void)state;
    carom_random random = {12};
    for (int k = 0; k < SAMPLE_SETS; k++) {
        const carom_planar_set set = sample_set(k);
        int free_count = 0;
        for (int trial = 0; trial < 400; trial++) {
            const double scale = carom_random_uniform(&random, 0.1, 3.0);
            double w[3], x[2], v[2];
            random_metric(&random, w);
            const double target[2] = {carom_random_uniform(&random, -2.0, 2.0),
                                      carom_random_uniform(&random, -2.0, 2.0)};
            const double b[2] = {-w[0] * target[0] - w[1] * target[1], -w[1] * target[0] - w[2] * target[1]};
            bool is_free = carom_planar_minimise(&set, scale, w[0], w[1], w[2], b, x);
            free_count += is_free;
            const double rounding = 1e-14 * ((w[0] + w[2]) * hypot(x[0], x[1]) + hypot(b[0], b[1]));
            const double gradient[2] = {w[0] * x[0] + w[1] * x[1] + b[0], w[1] * x[0] + w[2] * x[1] + b[1]};
            if (is_free)
                assert_true(hypot(gradient[0], gradient[1]) <= rounding);
            for (int i = 0; i < 200; i++) {
                boundary_point(&set, scale, i / 200.0, v);
                double product = gradient[0] * (v[0] - x[0]) + gradient[1] * (v[1] - x[1]);
                assert_true(product >= -rounding * size_of(x, v));
                assert_true(value(w, b, v) >= value(w, b, x) - rounding * size_of(x, v));
            }
            double nearest[2];
            carom_planar_project(&set, scale, x, nearest);
            assert_true(hypot(nearest[0] - x[0], nearest[1] - x[1]) <= 1e-15 * scale);
        }
        bool has_area = set.kind == CAROM_PLANAR_POLYGON || (set.kind == CAROM_PLANAR_DISK && set.a > 0.0) ||
                        (set.kind == CAROM_PLANAR_ELLIPSE && fmin(set.a, set.b) > 0.1);
        assert_true(has_area ? free_count > 5 && free_count < 395 : free_count < 5);
    }
}

static void a_multiple_of_the_identity_gives_the_projection(void **state)
{
    (void)state;
    carom_random random = {13};
    for (int k = 0; k < SAMPLE_SETS; k++) {
        const carom_planar_set set = sample_set(k);
        for (int trial = 0; trial < 200; trial++) {
            const double scale = carom_random_uniform(&random, 0.1, 3.0);
            const double w = pow(10.0, carom_random_uniform(&random, -3.0, 3.0));
            const double p[2] = {carom_random_uniform(&random, -2.0, 2.0),
                                 carom_random_uniform(&random, -2.0, 2.0)};
            const double b[2] = {-w * p[0], -w * p[1]};
            double nearest[2], x[2], nearly[2];
            carom_planar_project(&set, scale, p, nearest);
            carom_planar_minimise(&set, scale, w, 0.0, w, b, x);
            /* A matrix off by one rounding takes the general way. */
            carom_planar_minimise(&set, scale, w, 0.0, w * (1.0 + 3e-16), b, nearly);
            assert_true(hypot(x[0] - nearest[0], x[1] - nearest[1]) <= 1e-15 * size_of(p, p));
            assert_true(hypot(nearly[0] - nearest[0], nearly[1] - nearest[1]) <= 2e-15 * size_of(p, p));
        }
    }
}

/* -Q^2 (W x + b) is in the normal cone at x: for every v of the set Q^2 (W x + b).(v - x) >= 0. */
static void own_slip_rules(void **state)
{
    (void)state;
    carom_random random = {14};
    int free_count = 0;
    for (int trial = 0; trial < 2000; trial++) {
        const double weak = carom_random_uniform(&random, 0.02, 1.0);
        const carom_planar_set set = {.kind = CAROM_PLANAR_ELLIPSE,
                                      .a = carom_random_uniform(&random, 0.1, 1.0),
                                      .b = carom_random_uniform(&random, 0.1, 1.0),
                                      .angle = trial % 2 ? carom_random_uniform(&random, -4.0, 4.0) : 0.0,
                                      .q2 = {trial % 4 < 2 ? weak : 1.0, trial % 4 < 2 ? 1.0 : weak}};
        const double scale = carom_random_uniform(&random, 0.1, 3.0);
        double w[3], x[2], v[2], ruled[2], nearest[2];
        random_metric(&random, w);
        const double target[2] = {carom_random_uniform(&random, -2.0, 2.0),
                                  carom_random_uniform(&random, -2.0, 2.0)};
        const double b[2] = {-w[0] * target[0] - w[1] * target[1], -w[1] * target[0] - w[2] * target[1]};
        free_count += carom_planar_minimise(&set, scale, w[0], w[1], w[2], b, x);
        const double rounding = 1e-14 * ((w[0] + w[2]) * hypot(x[0], x[1]) + hypot(b[0], b[1]));
        const double slip[2] = {w[0] * x[0] + w[1] * x[1] + b[0], w[1] * x[0] + w[2] * x[1] + b[1]};
        carom_planar_slip(&set, slip, ruled);
        for (int i = 0; i < 100; i++) {
            boundary_point(&set, scale, i / 100.0, v);
            assert_true(ruled[0] * (v[0] - x[0]) + ruled[1] * (v[1] - x[1]) >= -rounding * size_of(x, v));
        }
        carom_planar_project(&set, scale, x, nearest);
        assert_true(hypot(nearest[0] - x[0], nearest[1] - x[1]) <= 1e-15 * scale);
    }
    assert_true(free_count > 100 && free_count < 1900);
}

/* Q^2 acts along the axes; equal entries, or none, leave the velocity alone. */
static void slips_by_the_rule(void **state)
{
    (void)state;
    const double u[2] = {0.3, -0.8}, angle = 0.9, c = cos(angle), s = sin(angle);
    carom_planar_set set = {.kind = CAROM_PLANAR_ELLIPSE, .a = 0.5, .b = 0.2, .angle = angle};
    double v[2];
    carom_planar_slip(&set, u, v);
    assert_true(v[0] == u[0] && v[1] == u[1]);
    set.q2[0] = 0.25;
    set.q2[1] = 1.0;
    carom_planar_slip(&set, u, v);
    const double along = c * u[0] + s * u[1], across = c * u[1] - s * u[0];
    assert_true(fabs(c * v[0] + s * v[1] - 0.25 * along) <= 2e-16);
    assert_true(fabs(c * v[1] - s * v[0] - across) <= 2e-16);
}

static void not_a_number_ends_and_shows(void **state)
{
    (void)state;
    for (int k = 1; k < SAMPLE_SETS; k++) {
        const carom_planar_set set = sample_set(k);
        double x[2];
        assert_false(carom_planar_project(&set, 1.0, (double[2]){NAN, 1.0}, x));
        assert_false(carom_planar_minimise(&set, 1.0, 2.0, NAN, 1.0, (double[2]){1.0, 1.0}, x));
        assert_false(carom_planar_minimise(&set, 1.0, 2.0, 0.5, 1.0, (double[2]){1.0, NAN}, x));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projection_satisfies_its_variational_inequality),
        cmocka_unit_test(interval_uses_the_first_component_only),
        cmocka_unit_test(scale_zero_leaves_the_origin),
        cmocka_unit_test(disk_is_projected_along_the_radius),
        cmocka_unit_test(minimiser_satisfies_its_variational_inequality),
        cmocka_unit_test(a_multiple_of_the_identity_gives_the_projection),
        cmocka_unit_test(own_slip_rules),
        cmocka_unit_test(slips_by_the_rule),
        cmocka_unit_test(not_a_number_ends_and_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
