#include "test/scheme/models.h"

#include "scheme/parts/contact_warnings.h"

/* One contact with normal (0, 1), two friction levels, and a given start. */
static carom_warnings warnings_of(double gap, double normal_velocity, double static_mu, double dynamic_mu)
{
    double normal[2] = {0.0, 1.0}, tangent[2] = {1.0, 0.0}, coefficients[2] = {static_mu, dynamic_mu};
    char name[] = "floor";
    carom_contact_info info = {.name = name,
                               .tangents = 1,
                               .friction = {.two_level = true,
                                            .static_cone = {&carom_friction_isotropic, 1},
                                            .dynamic_cone = {&carom_friction_isotropic, 1}},
                               .coefficients = 2};
    const carom_model model = {.dof = 2, .contacts = 1, .contact = &info};
    carom_contact_frame frame = {.normal = {2, NULL, normal},
                                 .tangent = {{2, NULL, tangent}, {2, NULL, tangent}},
                                 .coefficients = coefficients};
    const contact_rows rows = {.dof = 2, .frame = &frame};
    const double v[2] = {3.0, normal_velocity};
    carom_warnings warnings = {0};
    warn_about_start(&warnings, &model, &rows, &gap, v);
    return warnings;
}

static void a_start_that_drives_into_a_closed_contact_is_told(void **unused)
{
    (void)unused;
    assert_int_equal(warnings_of(0.0, 0.0, 0.6, 0.4).count, 0);
    assert_int_equal(warnings_of(0.0, 1.0, 0.6, 0.4).count, 0);
    assert_int_equal(warnings_of(0.1, -1.0, 0.6, 0.4).count, 0);
    const carom_warnings closing = warnings_of(0.0, -2.5, 0.6, 0.4);
    assert_int_equal(closing.count, 1);
    assert_non_null(strstr(closing.text[0], "'floor'"));
    assert_non_null(strstr(closing.text[0], "-2.5"));
}

static void static_friction_below_dynamic_is_told(void **unused)
{
    (void)unused;
    assert_int_equal(warnings_of(1.0, 0.0, 0.4, 0.4).count, 0);
    const carom_warnings odd = warnings_of(1.0, 0.0, 0.3, 0.4);
    assert_int_equal(odd.count, 1);
    assert_non_null(strstr(odd.text[0], "static friction 0.3"));
}

/* Of ellipses the semi-axes are compared, when their axes are the same; angles are no friction. */
static carom_warnings ellipse_warnings(const double *coefficients)
{
    double row[2] = {0.0, 1.0}, copy[6];
    char name[] = "floor";
    memcpy(copy, coefficients, sizeof copy);
    carom_contact_info info = {.name = name,
                               .tangents = 2,
                               .friction = {.two_level = true,
                                            .static_cone = {&carom_friction_elliptic, 3},
                                            .dynamic_cone = {&carom_friction_elliptic, 3}},
                               .coefficients = 6};
    const carom_model model = {.dof = 2, .contacts = 1, .contact = &info};
    carom_contact_frame frame = {
        .normal = {2, NULL, row}, .tangent = {{2, NULL, row}, {2, NULL, row}}, .coefficients = copy};
    const contact_rows rows = {.dof = 2, .frame = &frame};
    carom_warnings warnings = {0};
    warn_about_start(&warnings, &model, &rows, (const double[]){1.0}, (const double[]){0.0, 0.0});
    return warnings;
}

static void turned_ellipses_are_compared_where_they_can_be(void **unused)
{
    (void)unused;
    assert_int_equal(ellipse_warnings((double[]){.5, .4, -1, .5, .3, -1}).count, 0);
    assert_int_equal(ellipse_warnings((double[]){.5, .2, -1, .5, .3, -1}).count, 1);
    assert_int_equal(ellipse_warnings((double[]){.5, .4, -1, .4, .3, 1}).count, 0);
}

/* Warnings for two contacts whose gradients have this product and length 1, twice in a row. */
static int warnings_for(double product, double restitution)
{
    const double matrix[4] = {1.0, product, product, 1.0};
    carom_warnings warnings = {0};
    bool warned = false;
    warn_about_angles(&warnings, &warned, 2, matrix, restitution, 0.5);
    warn_about_angles(&warnings, &warned, 2, matrix, restitution, 0.6);
    return warnings.count;
}

static void corners_are_judged_by_their_angle_and_restitution(void **unused)
{
    (void)unused;
    assert_int_equal(warnings_for(0.0, 0.0), 0);
    assert_int_equal(warnings_for(0.0, 1.0), 0);
    assert_int_equal(warnings_for(-0.5, 0.0), 0); /* an acute wedge without restitution */
    assert_int_equal(warnings_for(-0.5, 0.5), 1); /* told once only */
    assert_int_equal(warnings_for(0.5, 0.0), 1);  /* an obtuse wedge */
    assert_int_equal(warnings_for(0.5, 1.0), 1);
    assert_int_equal(warnings_for(1e-15, 1.0), 0); /* orthogonal but for rounding */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_that_drives_into_a_closed_contact_is_told),
        cmocka_unit_test(static_friction_below_dynamic_is_told),
        cmocka_unit_test(turned_ellipses_are_compared_where_they_can_be),
        cmocka_unit_test(corners_are_judged_by_their_angle_and_restitution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
