#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/contact.h"

static const carom_friction_contact particle = {
    .tangents = 2,
    .W = {{0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}},
    .u_free = {-2, 3, -4},
    .set = {.kind = CAROM_PLANAR_DISK, .a = 0.3},
};

static double error_of(const carom_friction_contact *contact, double n, double s, double t)
{
    const double impulse[3] = {n, s, t};
    return carom_friction_contact_error(contact, impulse);
}

static void vanishes_at_the_solution_only(void **state)
{
    (void)state;
    assert_true(error_of(&particle, 4, -0.72, 0.96) <= 1e-15);
    assert_true(error_of(&particle, 4, -0.72, 0.95) > 4e-3);
    assert_true(error_of(&particle, 4.01, -0.72, 0.96) > 4e-3);
    assert_true(error_of(&particle, 4, 0.72, -0.96) > 1.0);
}

/* In velocity units: the normal equation by its residual, the tangential one by w times the distance. */
static void has_the_documented_value(void **state)
{
    (void)state;
    /* No impulse: u_N misses its target by 2, and the tangent has no impulse to spend. */
    assert_true(error_of(&particle, 0, 0, 0) == 2.0);
    /* Frictionless impulse: the projection has length 1.2, times w = 0.5. */
    assert_true(fabs(error_of(&particle, 4, 0, 0) - 0.6) <= 1e-15);
    /* Sticking impulse outside the cone by 10 - 1.2. */
    assert_true(fabs(error_of(&particle, 4, -6, 8) - 0.5 * (10 - 1.2)) <= 1e-14);
    /* A pulling impulse counts by itself. */
    assert_true(error_of(&particle, -4, 0, 0) == 4.0);
}

static void an_open_contact_may_leave(void **state)
{
    (void)state;
    carom_friction_contact leaving = particle;
    leaving.u_free[0] = 1.0;
    assert_true(error_of(&leaving, 0, 0, 0) == 0.0);
    leaving.target = 1.5;
    assert_true(error_of(&leaving, 0, 0, 0) == 0.5);
}

static void one_tangent_ignores_the_third_component(void **state)
{
    (void)state;
    carom_friction_contact line = particle;
    line.tangents = 1;
    line.set = (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = -0.25, .b = 0.5};
    assert_true(error_of(&line, 4, -1, 99) == 0.0);
    assert_true(error_of(&line, 4, 2, 99) == 0.5 * 3);
}

static void without_friction_the_tangents_carry_nothing(void **state)
{
    (void)state;
    carom_friction_contact smooth = particle;
    smooth.set.kind = CAROM_PLANAR_POINT;
    assert_true(error_of(&smooth, 4, 0, 0) == 0.0);
    assert_true(error_of(&smooth, 4, 0.3, 0.4) == 0.25);
}

static void not_a_number_is_never_a_solution(void **state)
{
    (void)state;
    assert_true(error_of(&particle, NAN, 0, 0) == INFINITY);
    assert_true(error_of(&particle, 4, NAN, 0) == INFINITY);
    carom_friction_contact bad = particle;
    bad.u_free[2] = NAN;
    assert_true(error_of(&bad, 4, -0.72, 0.96) == INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vanishes_at_the_solution_only),
        cmocka_unit_test(has_the_documented_value),
        cmocka_unit_test(an_open_contact_may_leave),
        cmocka_unit_test(one_tangent_ignores_the_third_component),
        cmocka_unit_test(without_friction_the_tangents_carry_nothing),
        cmocka_unit_test(not_a_number_is_never_a_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
