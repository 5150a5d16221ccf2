/* The bipotential of Coulomb's law, slip rules, potentials of samples. Values: the specification (computed
 * there independently), closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/convex.h"

/* Table 1 of the source: mu_x, mu_y, p_x, p_y */
static const double table_1[5][4] = {
    {.2, .2, .2, .2}, {.3, .25, .3, .25}, {.3, .15, .3, .15}, {.3, .15, .2, .2}, {.3, .15, .05, .2}};

static carom_elliptic_cone cone_of(int k)
{
    carom_elliptic_cone cone;
    carom_error error;
    assert_int_equal(carom_elliptic_cone_make(table_1[k], table_1[k] + 2, &cone, &error), CAROM_OK);
    return cone;
}

static void slip_reactions_of_table_1(void **state)
{
    (void)state;
    static const double expected[5][5] = {
        {-0.141421356237, -0.141421356237, 45, .2, .2},
        {-0.230466383879, -0.160046099916, 34.777831366, 0.280587790534, 0.276134025430},
        {-0.268328157300, -0.067082039325, 14.036243468, 0.276586333719, 0.237170824513},
        {-0.134164078650, -0.134164078650, 45, 0.189736659610, 0.189736659610},
        {-0.0093704257133, -0.149926811413, 86.423665625, 0.150219351811, 0.112640156596}};
    for (int k = 0; k < 5; k++) {
        const carom_elliptic_cone cone = cone_of(k);
        double r[2];
        const double loss = carom_slip_reaction(&cone, 1.0, (const double[]){3, 3}, r);
        assert_true(fabs(r[0] - expected[k][0]) < 1e-11 && fabs(r[1] - expected[k][1]) < 1e-11);
        assert_true(fabs(atan2(-r[1], -r[0]) * 180 / acos(-1.0) - expected[k][2]) < 1e-8);
        assert_true(fabs(hypot(r[0], r[1]) - expected[k][3]) < 1e-11);
        assert_true(fabs(loss - expected[k][4]) < 1e-11);
        /* it is on the cone, and a pair of the law with any slip along d */
        const double u[3] = {0, .7, .7}, reaction[3] = {1, r[0], r[1]};
        const carom_law_defect defect = carom_bipotential_defect(&cone, 0.0, u, reaction);
        assert_true(fabs(defect.power) < 1e-15 && defect.penetration == 0.0 && defect.outside < 1e-15);
    }
}

/* b(-u, r) >= -u.r for all pairs with finite b; the law: equality. */
static void the_bipotential_bounds_the_power(void **state)
{
    (void)state;
    carom_random random = {7};
    for (int k = 0; k < 5; k++) {
        const carom_elliptic_cone cone = cone_of(k);
        for (int i = 0; i < 400; i++) {
            double u[3], tau[3], r[3];
            for (int c = 0; c < 3; c++) {
                u[c] = carom_random_uniform(&random, c ? -1.0 : 0.0, 1.0);
                tau[c] = carom_random_uniform(&random, -1.0, 1.0);
            }
            carom_elliptic_cone_project(cone.mu, tau, r);
            r[0] *= 1.0 + 1e-14; /* inside to rounding */
            const double power = -(u[0] * r[0] + u[1] * r[1] + u[2] * r[2]);
            const double b = carom_bipotential(&cone, u, r);
            assert_true(b >= power - 1e-15);
            assert_true(fabs(carom_bipotential_defect(&cone, 0.0, u, r).power - (b - power)) < 1e-14);
            /* positively homogeneous in u */
            const double twice[3] = {2 * u[0], 2 * u[1], 2 * u[2]};
            assert_true(fabs(carom_bipotential(&cone, twice, r) - 2 * b) < 1e-14);
        }
    }
}

static void indicators_are_infinite(void **state)
{
    (void)state;
    const carom_elliptic_cone cone = cone_of(2);
    assert_true(isinf(carom_bipotential(&cone, (const double[]){-1e-9, 0, 0}, (const double[]){1, 0, 0})));
    assert_true(isinf(carom_bipotential(&cone, (const double[]){0, 0, 0}, (const double[]){1, .31, 0})));
    assert_true(isinf(carom_bipotential(&cone, (const double[]){0, 0, 0}, (const double[]){-1, 0, 0})));
    assert_true(carom_bipotential(&cone, (const double[]){1, 2, 3}, (const double[]){0, 0, 0}) == 0.0);
    const carom_law_defect defect =
        carom_bipotential_defect(&cone, .1, (const double[]){-.3, 0, 0}, (const double[]){1, .6, 0});
    assert_true(fabs(defect.penetration - .2) < 1e-15 && fabs(defect.outside - 1.0) < 1e-15);
}

/* Isotropic (14): b = mu r_N |u_T| */
static void round_cones_have_the_plain_form(void **state)
{
    (void)state;
    const carom_elliptic_cone cone = cone_of(0);
    const double b = carom_bipotential(&cone, (const double[]){.5, 3, -4}, (const double[]){2, .1, .2});
    assert_true(fabs(b - .2 * 2 * 5) < 1e-15);
}

/* The same slip potential in another scale is the same law. */
static void only_the_ratio_of_the_slip_potential_matters(void **state)
{
    (void)state;
    carom_elliptic_cone a, b;
    carom_error error;
    const double mu[2] = {.3, .15}, p[2] = {.05, .2}, large[2] = {5, 20};
    assert_int_equal(carom_elliptic_cone_make(mu, p, &a, &error), CAROM_OK);
    assert_int_equal(carom_elliptic_cone_make(mu, large, &b, &error), CAROM_OK);
    assert_true(fabs(a.q2[0] - b.q2[0]) < 1e-16 && a.q2[1] == 1.0 && b.q2[1] == 1.0);
    assert_true(fabs(a.q2[0] - (1.0 / 64)) < 1e-16); /* (.05/.3)^2 / (.2/.15)^2 */
}

static void bad_cones_are_told(void **state)
{
    (void)state;
    static const struct {
        double mu[2], p[2];
        bool slip;
        const char *text;
    } cases[] = {{{-.1, .2}, {0, 0}, false, "mu_x"},
                 {{.1, NAN}, {0, 0}, false, "mu_y"},
                 {{.1, .2}, {0, 1}, true, "p_x"},
                 {{.1, .2}, {1, -1}, true, "p_y"},
                 {{0, .2}, {1, 1}, true, "associated"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        carom_elliptic_cone cone;
        carom_error error;
        assert_int_equal(
            carom_elliptic_cone_make(cases[i].mu, cases[i].slip ? cases[i].p : NULL, &cone, &error),
            CAROM_BAD_INPUT);
        assert_non_null(strstr(error.text, cases[i].text));
    }
}

/* Slopes of x^4 at random places: the potential lies below it, touches it at x_0 + const, and has y_i as a
 * slope at x_i. */
static void samples_of_slopes_have_a_potential(void **state)
{
    (void)state;
    double x[9], y[9], phi[9];
    for (int i = 0; i < 9; i++) {
        x[i] = sin(3.0 * i);
        y[i] = 4 * pow(x[i], 3);
    }
    assert_true(carom_sample_potential(1, 9, x, y, phi));
    assert_true(phi[0] == 0.0);
    for (int i = 0; i < 9; i++) {
        assert_true(phi[i] <= pow(x[i], 4) - pow(x[0], 4) + 1e-14);
        for (int j = 0; j < 9; j++)
            assert_true(phi[j] >= phi[i] + y[i] * (x[j] - x[i]) - 1e-13);
    }
}

/* Two slips along one direction, the faster one under less pressure: (x2 - x1).(r2 - r1) = -mu. */
static void coulomb_friction_has_none(void **state)
{
    (void)state;
    const double mu = .3, x[4] = {0, 1, 0, 2}, r[4] = {2, 2 * mu, 1, mu};
    double phi[2];
    assert_true(fabs((x[2] - x[0]) * (r[2] - r[0]) + (x[3] - x[1]) * (r[3] - r[1]) + mu) < 1e-15);
    assert_false(carom_sample_potential(2, 2, x, r, phi));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slip_reactions_of_table_1),
        cmocka_unit_test(the_bipotential_bounds_the_power),
        cmocka_unit_test(indicators_are_infinite),
        cmocka_unit_test(round_cones_have_the_plain_form),
        cmocka_unit_test(only_the_ratio_of_the_slip_potential_matters),
        cmocka_unit_test(bad_cones_are_told),
        cmocka_unit_test(samples_of_slopes_have_a_potential),
        cmocka_unit_test(coulomb_friction_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
