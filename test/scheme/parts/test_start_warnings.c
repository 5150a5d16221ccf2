#include "test/scheme/models.h"

#include "scheme/parts/start_warnings.h"

static void warnings_are_kept_up_to_a_number_and_counted(void **unused)
{
    (void)unused;
    carom_warnings warnings = {0};
    for (int i = 0; i < CAROM_WARNINGS_KEPT + 3; i++)
        carom_warn(&warnings, "number %d", i);
    assert_int_equal(warnings.count, CAROM_WARNINGS_KEPT + 3);
    assert_string_equal(warnings.text[0], "number 0");
    assert_string_equal(warnings.text[CAROM_WARNINGS_KEPT - 1], "number 3");
}

/* One contact with normal (0, 1), two friction levels, and a given start. */
static carom_warnings warnings_of(double gap, double normal_velocity, double static_mu, double dynamic_mu)
{
    double normal[2] = {0.0, 1.0}, tangent[2] = {1.0, 0.0}, coefficients[2] = {static_mu, dynamic_mu};
    char name[] = "floor";
    carom_contact_info info = {.name = name,
                               .tangents = 1,
                               .friction = {.two_level = true,
                                            .static_cone = {CAROM_FRICTION_ISOTROPIC, 1},
                                            .dynamic_cone = {CAROM_FRICTION_ISOTROPIC, 1}},
                               .coefficients = 2};
    const carom_model model = {.dof = 2, .contacts = 1, .contact = &info};
    carom_contact_frame frame = {
        .normal = normal, .tangent = {tangent, tangent}, .coefficients = coefficients};
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
                                            .static_cone = {CAROM_FRICTION_ELLIPTIC, 3},
                                            .dynamic_cone = {CAROM_FRICTION_ELLIPTIC, 3}},
                               .coefficients = 6};
    const carom_model model = {.dof = 2, .contacts = 1, .contact = &info};
    carom_contact_frame frame = {.normal = row, .tangent = {row, row}, .coefficients = copy};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warnings_are_kept_up_to_a_number_and_counted),
        cmocka_unit_test(a_start_that_drives_into_a_closed_contact_is_told),
        cmocka_unit_test(static_friction_below_dynamic_is_told),
        cmocka_unit_test(turned_ellipses_are_compared_where_they_can_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
