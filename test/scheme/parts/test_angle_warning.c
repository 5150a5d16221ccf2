#include "test/scheme/models.h"

#include "scheme/parts/angle_warning.h"

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
        cmocka_unit_test(corners_are_judged_by_their_angle_and_restitution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
