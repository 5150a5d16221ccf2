#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "sample_friction.h"

static const carom_planar_set smooth = {.kind = CAROM_PLANAR_POINT};

static void opens_when_it_leaves_fast_enough(void **state)
{
    (void)state;
    carom_friction_contact contact = {.tangents = 2,
                                      .W = {{0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}},
                                      .u_free = {0.1, 3, -4},
                                      .set = {.kind = CAROM_PLANAR_DISK, .a = 0.3}};
    carom_friction_result result;
    assert_int_equal(carom_friction_contact_solve(&contact, &result, NULL), CAROM_OK);
    assert_int_equal(result.regime, CAROM_CONTACT_OPEN);
    assert_true(result.error == 0.0);
    for (int i = 0; i < 3; i++)
        assert_true(result.impulse[i] == 0.0 && result.velocity[i] == contact.u_free[i]);
}

/* The rod that could also stick or slide: with a leaving free velocity it opens. */
static void opens_before_it_jams(void **state)
{
    (void)state;
    const carom_friction_contact rod = {
        .tangents = 2,
        .W = {{3.25, -1.29903810568, 0}, {-1.29903810568, 1.75, 0}, {0, 0, 1}},
        .u_free = {0.1, -1, 0},
        .set = {.kind = CAROM_PLANAR_DISK, .a = 2.8},
    };
    carom_friction_result result;
    assert_int_equal(carom_friction_contact_solve(&rod, &result, NULL), CAROM_OK);
    assert_int_equal(result.regime, CAROM_CONTACT_OPEN);
}

static void without_friction_any_number_of_tangents_works(void **state)
{
    (void)state;
    for (int tangents = 0; tangents <= 2; tangents++) {
        const carom_friction_contact contact = {
            .tangents = tangents,
            .W = {{2.0, 0.5, -0.25}, {0.5, 1.0, 0.0}, {-0.25, 0.0, 1.0}},
            .u_free = {-1.0, 0.5, 0.125},
            .target = 0.5,
            .set = smooth,
        };
        carom_friction_result result;
        assert_int_equal(carom_friction_contact_solve(&contact, &result, NULL), CAROM_OK);
        assert_int_equal(result.regime, CAROM_CONTACT_SLIP);
        assert_true(result.error == 0.0);
        assert_true(result.impulse[0] == 0.75 && result.impulse[1] == 0.0 && result.impulse[2] == 0.0);
        assert_true(result.velocity[0] == 0.5);
        assert_true(result.velocity[1] == (tangents > 0 ? 0.875 : 0.0));
        assert_true(result.velocity[2] == (tangents > 1 ? -0.0625 : 0.0));
    }
}

static void assert_refused(const carom_friction_contact *contact, carom_status status, const char *words)
{
    carom_friction_result result;
    carom_error error = {0};
    assert_int_equal(carom_friction_contact_solve(contact, &result, &error), status);
    assert_true(result.error == INFINITY);
    assert_non_null(strstr(error.text, words));
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    const carom_planar_set interval = {.kind = CAROM_PLANAR_INTERVAL, .a = -0.5, .b = 0.5};
    const carom_planar_set disk = {.kind = CAROM_PLANAR_DISK, .a = 0.5};
    const carom_friction_contact good = {
        .tangents = 2, .W = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .u_free = {-1, 1, 1}, .set = disk};
    carom_friction_contact bad = good;
    bad.set = interval;
    assert_refused(&bad, CAROM_BAD_INPUT, "2 tangents");
    bad = good;
    bad.tangents = 1;
    assert_refused(&bad, CAROM_BAD_INPUT, "1 tangents");
    bad = good;
    bad.tangents = 3;
    assert_refused(&bad, CAROM_BAD_INPUT, "3 tangents");
    bad = good;
    bad.W[0][0] = 0.0;
    assert_refused(&bad, CAROM_BAD_INPUT, "entry 0");
    bad = good;
    bad.W[2][2] = -3.0;
    assert_refused(&bad, CAROM_BAD_INPUT, "entry 2 of the contact matrix is -3");
    bad = good;
    bad.W[1][2] = NAN;
    assert_refused(&bad, CAROM_BAD_INPUT, "finite");
    bad = good;
    bad.u_free[0] = NAN;
    assert_refused(&bad, CAROM_BAD_INPUT, "nan");
    bad = good;
    bad.target = INFINITY;
    assert_refused(&bad, CAROM_BAD_INPUT, "inf");
    /* Indefinite: friction pulls the normal in faster than the normal impulse pushes it out. */
    bad = good;
    bad.set.a = 2.0;
    bad.W[0][1] = bad.W[1][0] = 2.0;
    bad.u_free[1] = 10.0;
    assert_refused(&bad, CAROM_FAILED, "positive definite");
    bad = (carom_friction_contact){.tangents = 1,
                                   .W = {{1, 2, 0}, {2, 1, 0}, {0, 0, 0}},
                                   .u_free = {-1, 10, 0},
                                   .set = {.kind = CAROM_PLANAR_INTERVAL, .a = -2, .b = 2}};
    assert_refused(&bad, CAROM_FAILED, "[1 2; 2 1] is not positive definite");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_when_it_leaves_fast_enough),
        cmocka_unit_test(opens_before_it_jams),
        cmocka_unit_test(without_friction_any_number_of_tangents_works),
        cmocka_unit_test(says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
