/* Slips that are not tangential are warned of, with the right one; others are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/io.h"

/* Warnings of a run of a point with this contact. */
static carom_warnings warnings_of(const char *before, const char *contact)
{
    char text[600];
    snprintf(text, sizeof text,
             "%s contact { 'c', %s } integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.01 }", before,
             contact);
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&(carom_load_request){.file = "model.lua", .text = text}, &experiment,
                              &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_run_result result = {0};
    const carom_run_request request = {.experiment = experiment, .h = NAN, .until = NAN};
    assert_int_equal(carom_run(&request, &result, &error), CAROM_OK);
    const carom_warnings warnings = result.warnings;
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
    return warnings;
}

#define PLANE "local x, y = coordinates('x', 'y') mass(1) initial { x = 1, y = 2 }"
#define SPACE "local x, y, z = coordinates('x', 'y', 'z') mass(1) initial { x = 10, z = 30 }"

static void slips_that_are_not_tangential(void **state)
{
    (void)state;
    /* on y = x^2/2 at x = 1.3 or so; the tangent is that of the parabola */
    const carom_warnings warnings = warnings_of(PLANE, "gap = y - x^2/2, slip = dot(x), friction = 0.3");
    assert_int_equal(warnings.count, 1);
    assert_false(warnings.is_doubt[0]);
    assert_non_null(strstr(warnings.text[0], "contact 'c': slip is not tangential: at x = "));
    double x, y, along, up;
    const char *at = strstr(warnings.text[0], "at x = ");
    assert_int_equal(
        sscanf(at, "at x = %lf, y = %lf a tangent is %lf*dot(x) + %lf*dot(y)", &x, &y, &along, &up), 4);
    assert_true(fabs(y - x * x / 2.0) < 1e-2 && fabs(up - x * along) < 1e-2);
    assert_true(fabs(hypot(along, up) - 1.0) < 1e-3);
    /* at the start the slip is tangential, and beside it not */
    assert_int_equal(warnings_of("local x, y = coordinates('x', 'y') mass(1) initial { y = 2 }",
                                 "gap = y - x^2/2, slip = dot(x), friction = 0.3")
                         .count,
                     1);
    assert_int_equal(warnings_of(SPACE, "gap = z - x, slip = { dot(y), dot(x) }, friction = 0.3").count, 1);
}

static void slips_that_are_tangential(void **state)
{
    (void)state;
    static const char *const plane[] = {
        "gap = y - x^2/2, slip = dot(x) + x*dot(y), friction = 0.3",
        "gap = y - x^2/2, slip = dot(x)",
        "gap = y - x^2/2, slip = dot(x), friction = 0.3, distance = true",
        "level = y - x^2/2, friction = 0.3",
        "gap = y, slip = dot(x) - 3, friction = 0.3",
    };
    for (size_t i = 0; i < sizeof plane / sizeof *plane; i++)
        assert_int_equal(warnings_of(PLANE, plane[i]).count, 0);
    /* orthogonal on the surface only */
    assert_int_equal(warnings_of(SPACE,
                                 "gap = 4*z^2 - 9*x^2 - 9*y^2, slip = { (-y*dot(x) + x*dot(y))/hypot(x, y),\n"
                                 "2*(x*dot(x) + y*dot(y))/hypot(x, y) + 3*dot(z) }, friction = 0.3")
                         .count,
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slips_that_are_not_tangential),
        cmocka_unit_test(slips_that_are_tangential),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
