/* Roots of trigonometric polynomials of degree two on the unit circle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/base.h"
#include "contact/coulomb/sweeps/circle_roots.h"

static double value(const coulomb_circle *f, double angle)
{
    const double c = cos(angle), s = sin(angle);
    return f->P * c + f->Q * s + f->R * c * c + f->S * s * s + f->U * s * c;
}

static bool has_root(int count, double root[4][2], double angle)
{
    for (int i = 0; i < count; i++)
        if (hypot(root[i][0] - cos(angle), root[i][1] - sin(angle)) < 1e-12)
            return true;
    return false;
}

static void known_roots(void **state)
{
    (void)state;
    const double pi = acos(-1.0);
    double root[4][2];
    /* c - s; no quartic */
    assert_int_equal(coulomb_circle_roots(&(coulomb_circle){1, -1, 0, 0, 0}, root), 2);
    assert_true(has_root(2, root, pi / 4) && has_root(2, root, 5 * pi / 4));
    /* c^2 - s^2 */
    assert_int_equal(coulomb_circle_roots(&(coulomb_circle){0, 0, 1, -1, 0}, root), 4);
    for (int k = 0; k < 4; k++)
        assert_true(has_root(4, root, (2 * k + 1) * pi / 4));
    /* (c + 1) s: a half angle would lose the root at pi */
    const int count = coulomb_circle_roots(&(coulomb_circle){0, 1, 0, 0, 1}, root);
    assert_true(has_root(count, root, 0));
    double nearest = 1;
    for (int i = 0; i < count; i++)
        nearest = fmin(nearest, hypot(root[i][0] + 1, root[i][1]));
    assert_true(nearest < 1e-3); /* threefold */
    /* c^2 + s^2 + c / 2 has none, and neither have constants */
    assert_int_equal(coulomb_circle_roots(&(coulomb_circle){0.5, 0, 1, 1, 0}, root), 0);
    assert_int_equal(coulomb_circle_roots(&(coulomb_circle){0, 0, 1, 1, 0}, root), 0);
    assert_int_equal(coulomb_circle_roots(&(coulomb_circle){0, 0, 0, 0, 0}, root), 0);
}

/* Every change of sign on a fine grid belongs to a root. */
static void no_change_of_sign_is_missed(void **state)
{
    (void)state;
    carom_random random = {2};
    for (int trial = 0; trial < 500; trial++) {
        const double scale = pow(10, carom_random_uniform(&random, -8, 8));
        const coulomb_circle f = {
            scale * carom_random_uniform(&random, -1, 1), scale * carom_random_uniform(&random, -1, 1),
            scale * carom_random_uniform(&random, -1, 1), scale * carom_random_uniform(&random, -1, 1),
            scale * carom_random_uniform(&random, -1, 1)};
        double root[4][2];
        const int count = coulomb_circle_roots(&f, root);
        for (int i = 0; i < count; i++)
            assert_true(fabs(value(&f, atan2(root[i][1], root[i][0]))) < 1e-13 * scale);
        int changes = 0;
        for (int k = 0; k < 1000; k++)
            changes += value(&f, 2 * acos(-1.0) * k / 1000) * value(&f, 2 * acos(-1.0) * (k + 1) / 1000) < 0;
        assert_true(count >= changes);
    }
}

static void polish_from_nearby(void **state)
{
    (void)state;
    const coulomb_circle f = {0.3, -0.7, 0.2, 0.1, 0.5};
    double root[4][2];
    const int count = coulomb_circle_roots(&f, root);
    assert_true(count >= 2);
    for (int i = 0; i < count; i++) {
        const double angle = atan2(root[i][1], root[i][0]) + 1e-2;
        double t[2] = {cos(angle), sin(angle)};
        assert_true(coulomb_circle_polish(&f, 5, 1e-14, t));
        assert_true(hypot(t[0] - root[i][0], t[1] - root[i][1]) < 1e-14);
    }
    double t[2] = {1, 0};
    assert_false(coulomb_circle_polish(&(coulomb_circle){0.5, 0, 1, 1, 0}, 20, 1e-13, t));
    assert_false(coulomb_circle_polish(&(coulomb_circle){NAN, 0, 1, 1, 0}, 20, 1e-13, t));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_roots),
        cmocka_unit_test(no_change_of_sign_is_missed),
        cmocka_unit_test(polish_from_nearby),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
