#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/law.h"

static carom_friction_law one_level(const carom_friction_law_ops *shape, int coefficients)
{
    return (carom_friction_law){.dynamic_cone = {.shape = shape, .coefficients = coefficients}};
}

static void every_shape_has_its_set(void **state)
{
    (void)state;
    const double c[8] = {0.5, 0.3, -0.5, 0.3, -0.5, -0.3, 0.5, -0.3};
    carom_friction_law law = one_level(NULL, 0);
    assert_int_equal(carom_friction_law_set(&law, c, 1, false).kind, CAROM_PLANAR_POINT);
    law = one_level(&carom_friction_isotropic, 1);
    carom_planar_set set = carom_friction_law_set(&law, c, 1, false);
    assert_int_equal(set.kind, CAROM_PLANAR_INTERVAL);
    assert_true(set.a == -0.5 && set.b == 0.5);
    set = carom_friction_law_set(&law, c, 2, false);
    assert_int_equal(set.kind, CAROM_PLANAR_DISK);
    assert_true(set.a == 0.5);
    /* 0.5 against negative slip, which friction opposes with a positive impulse. */
    law = one_level(&carom_friction_asymmetric, 2);
    set = carom_friction_law_set(&law, c, 1, false);
    assert_int_equal(set.kind, CAROM_PLANAR_INTERVAL);
    assert_true(set.a == -0.3 && set.b == 0.5);
    law = one_level(&carom_friction_weakening, 3); /* 0.3 while sliding, holds 0.5 */
    set = carom_friction_law_set(&law, (const double[]){0.3, 0.5, 2.0}, 1, true);
    assert_int_equal(set.kind, CAROM_PLANAR_INTERVAL);
    assert_true(set.a == -0.5 && set.b == 0.5);
    law = one_level(&carom_friction_elliptic, 2);
    set = carom_friction_law_set(&law, c, 2, false);
    assert_int_equal(set.kind, CAROM_PLANAR_ELLIPSE);
    assert_true(set.a == 0.5 && set.b == 0.3);
    law = one_level(&carom_friction_polygonal, 8);
    set = carom_friction_law_set(&law, c, 2, false);
    assert_int_equal(set.kind, CAROM_PLANAR_POLYGON);
    assert_int_equal(set.vertices, 4);
    assert_ptr_equal(set.vertex, c);
}

static void two_levels_choose_by_sticking(void **state)
{
    (void)state;
    const double c[3] = {0.6, 0.4, 0.2};
    const carom_friction_law law = {.two_level = true,
                                    .static_cone = {&carom_friction_isotropic, 1},
                                    .dynamic_cone = {&carom_friction_elliptic, 2}};
    assert_int_equal(carom_friction_law_coefficients(&law), 3);
    carom_planar_set set = carom_friction_law_set(&law, c, 2, true);
    assert_int_equal(set.kind, CAROM_PLANAR_DISK);
    assert_true(set.a == 0.6);
    set = carom_friction_law_set(&law, c, 2, false);
    assert_int_equal(set.kind, CAROM_PLANAR_ELLIPSE);
    assert_true(set.a == 0.4 && set.b == 0.2);
    carom_friction_law single = law;
    single.two_level = false;
    assert_int_equal(carom_friction_law_coefficients(&single), 2);
    set = carom_friction_law_set(&single, c + 1, 2, true);
    assert_true(set.a == 0.4 && set.b == 0.2);
}

static void assert_refused(const carom_friction_law *law, const double *c, int tangents, const char *words)
{
    carom_error error = {0};
    assert_int_equal(carom_friction_law_check(law, c, tangents, "floor", &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "contact 'floor'"));
    assert_non_null(strstr(error.text, words));
}

static void accepts_sound_laws(void **state)
{
    (void)state;
    const double c[8] = {0.5, 0.0, 0.0, 0.3, -0.2, 0.0, 0.0, -0.3}, zero[2] = {0.0, 0.0};
    carom_friction_law law = one_level(NULL, 0);
    assert_int_equal(carom_friction_law_check(&law, NULL, 0, "floor", NULL), CAROM_OK);
    assert_int_equal(carom_friction_law_check(&law, NULL, 2, "floor", NULL), CAROM_OK);
    law = one_level(&carom_friction_isotropic, 1);
    assert_int_equal(carom_friction_law_check(&law, c, 1, "floor", NULL), CAROM_OK);
    assert_int_equal(carom_friction_law_check(&law, zero, 2, "floor", NULL), CAROM_OK);
    law = one_level(&carom_friction_elliptic, 2);
    assert_int_equal(carom_friction_law_check(&law, c, 2, "floor", NULL), CAROM_OK);
    law = one_level(&carom_friction_asymmetric, 2);
    assert_int_equal(carom_friction_law_check(&law, zero, 1, "floor", NULL), CAROM_OK);
    law = one_level(&carom_friction_polygonal, 8);
    assert_int_equal(carom_friction_law_check(&law, c, 2, "floor", NULL), CAROM_OK);
    law = one_level(&carom_friction_weakening, 3);
    assert_int_equal(carom_friction_law_check(&law, (const double[]){0.3, 0.5, 2.0}, 1, "bit", NULL),
                     CAROM_OK);
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    const double negative[2] = {0.5, -0.25}, infinite[2] = {INFINITY, 0.1}, nan[2] = {NAN, 0.1};
    const double away[6] = {1, 1, 2, 1, 1, 2};
    carom_friction_law law = one_level(&carom_friction_asymmetric, 2);
    assert_refused(&law, negative, 1, "friction coefficient 2 is -0.25");
    assert_refused(&law, infinite, 1, "coefficient 1 is inf");
    assert_refused(&law, nan, 1, "coefficient 1 is nan");
    assert_refused(&law, negative, 2, "asymmetric friction has 2 slip components; it takes one");
    law = one_level(&carom_friction_isotropic, 1);
    assert_refused(&law, negative, 0, "it takes one or two");
    law = one_level(&carom_friction_isotropic, 2);
    assert_refused(&law, infinite, 1, "has 2 coefficients; it takes 1");
    law = one_level(&carom_friction_elliptic, 2);
    assert_refused(&law, infinite, 1, "it takes two");
    law = one_level(&carom_friction_polygonal, 5);
    assert_refused(&law, away, 2, "two per vertex");
    law = one_level(&carom_friction_polygonal, 4);
    assert_refused(&law, away, 2, "not 2");
    law = one_level(&carom_friction_polygonal, 6);
    assert_refused(&law, away, 2, "does not contain (0, 0)");
    law = one_level(&carom_friction_weakening, 3);
    assert_refused(&law, away, 2, "weakening friction has 2 slip components; it takes one");
    carom_error error = {0};
    assert_int_equal(carom_friction_law_check(&law, (const double[]){0.5, 0.3, 2.0}, 1, "bit", &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "'bit': static = 0.3, bound = 0.5: weakening law needs Ts >= Td"));
    const carom_friction_law levels = {.two_level = true,
                                       .static_cone = {&carom_friction_isotropic, 1},
                                       .dynamic_cone = {&carom_friction_isotropic, 1}};
    assert_refused(&levels, negative, 1, "dynamic friction coefficient 1 is -0.25");
    assert_refused(&levels, infinite, 1, "static friction coefficient 1 is inf");
}

/* Angle of the axes and slip potential of an ellipse. */
static void ellipses_may_have_rules_of_their_own(void **state)
{
    (void)state;
    const double c[5] = {0.3, 0.15, -0.7, 0.05, 0.2};
    carom_friction_law law = one_level(&carom_friction_elliptic, 3);
    assert_int_equal(carom_friction_law_check(&law, c, 2, "floor", NULL), CAROM_OK);
    carom_planar_set set = carom_friction_law_set(&law, c, 2, false);
    assert_true(set.a == 0.3 && set.b == 0.15 && set.angle == -0.7 && set.q2[0] == set.q2[1]);
    law = one_level(&carom_friction_elliptic, 5);
    assert_int_equal(carom_friction_law_check(&law, c, 2, "floor", NULL), CAROM_OK);
    set = carom_friction_law_set(&law, c, 2, false);
    /* Q = (p_x / mu_x, p_y / mu_y) = (1/6, 4/3) */
    assert_true(set.angle == -0.7 && fabs(set.q2[0] - 1.0 / 64.0) <= 1e-17 && set.q2[1] == 1.0);
    assert_refused(&law, (double[]){0.3, 0.15, NAN, 1, 1}, 2, "turned by nan");
    assert_refused(&law, (double[]){0.3, 0.15, 0, 0, 1}, 2, "p_x = 0");
    assert_refused(&law, (double[]){0.3, 0, 0, 1, 1}, 2, "mu_y = 0 allows the associated rule only");
    assert_refused(&law, (double[]){-0.3, 0, 0, 1, 1}, 2, "coefficient 1 is -0.3");
    law = one_level(&carom_friction_elliptic, 4);
    assert_refused(&law, c, 2, "has 4 coefficients; it takes 2");
}

/* An angle is no friction. */
static void laws_without_friction(void **state)
{
    (void)state;
    carom_friction_law law = one_level(&carom_friction_elliptic, 3);
    assert_false(carom_friction_law_acts(&law, (double[]){0, 0, 1}));
    assert_true(carom_friction_law_acts(&law, (double[]){0, 0.1, 1}));
    law = (carom_friction_law){.two_level = true,
                               .static_cone = {&carom_friction_elliptic, 3},
                               .dynamic_cone = {&carom_friction_isotropic, 1}};
    assert_false(carom_friction_law_acts(&law, (double[]){0, 0, 1, 0}));
    assert_true(carom_friction_law_acts(&law, (double[]){0, 0, 1, 0.2}));
    law = one_level(NULL, 0);
    assert_false(carom_friction_law_acts(&law, NULL));
}

static void shapes_have_names(void **state)
{
    (void)state;
    assert_string_equal(carom_friction_name(NULL), "none");
    assert_string_equal(carom_friction_name(&carom_friction_isotropic), "isotropic");
    assert_string_equal(carom_friction_name(&carom_friction_elliptic), "elliptic");
    assert_string_equal(carom_friction_name(&carom_friction_polygonal), "polygonal");
    assert_string_equal(carom_friction_name(&carom_friction_asymmetric), "asymmetric");
    assert_string_equal(carom_friction_name(&carom_friction_weakening), "weakening");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_has_its_set), cmocka_unit_test(two_levels_choose_by_sticking),
        cmocka_unit_test(accepts_sound_laws),      cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(shapes_have_names),       cmocka_unit_test(ellipses_may_have_rules_of_their_own),
        cmocka_unit_test(laws_without_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
