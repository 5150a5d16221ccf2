#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/model/chain.h"

static carom_chain *make_chain(int balls, bool wall)
{
    carom_chain *chain;
    carom_error error;
    assert_int_equal(carom_chain_create(balls, wall, &chain, &error), CAROM_OK);
    return chain;
}

static void a_new_chain_is_struck_at_its_left_end(void **state)
{
    (void)state;
    for (int wall = 0; wall < 2; wall++) {
        carom_chain *chain = make_chain(5, wall);
        assert_int_equal(chain->balls, 5);
        assert_int_equal(chain->contacts, wall ? 5 : 4);
        assert_true(chain->wall == (wall == 1));
        for (int i = 0; i < 5; i++) {
            assert_true(chain->mass[i] == 1.0);
            assert_true(chain->velocity[i] == (wall || i == 0 ? 1.0 : 0.0));
        }
        for (int j = 0; j < chain->contacts; j++)
            assert_true(chain->stiffness[j] == 1.0 && chain->exponent[j] == 1.5 &&
                        chain->restitution[j] == 1.0);
        carom_chain_free(chain);
    }
    carom_chain_free(NULL);
}

static void directions_are_those_of_the_gaps(void **state)
{
    (void)state;
    carom_chain *chain = make_chain(3, true);
    const carom_impact impact = carom_chain_impact(chain);
    assert_int_equal(impact.coordinates, 3);
    assert_int_equal(impact.contacts, 3);
    assert_ptr_equal(impact.masses, chain->mass);
    assert_null(impact.mass);
    const int start[] = {0, 2, 4, 5}, row[] = {0, 1, 1, 2, 2};
    const double value[] = {-1, 1, -1, 1, -1};
    assert_memory_equal(impact.column_start, start, sizeof start);
    assert_memory_equal(impact.row, row, sizeof row);
    for (int k = 0; k < 5; k++)
        assert_true(impact.value[k] == value[k]);
    carom_chain_free(chain);
}

static void masses_follow_a_pattern(void **state)
{
    (void)state;
    carom_error error;
    carom_chain *chain = make_chain(5, false);
    const struct {
        carom_chain_pattern pattern;
        double value;
        double mass[5];
    } expected[] = {
        {CAROM_CHAIN_DECORATED, 0.5, {1, 0.5, 1, 0.5, 1}},
        {CAROM_CHAIN_TAPERED, 0.5, {1, 0.5, 0.25, 0.125, 0.0625}},
        {CAROM_CHAIN_STEPPED, 3.0, {1, 1, 1, 3, 3}},
        {CAROM_CHAIN_EQUAL, -7.0, {1, 1, 1, 1, 1}}, /* the value is not used */
    };
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        assert_int_equal(carom_chain_masses(chain, expected[k].pattern, expected[k].value, &error), CAROM_OK);
        for (int i = 0; i < 5; i++)
            assert_true(chain->mass[i] == expected[k].mass[i]);
    }
    /* 1/2 + u from seed 1 */
    assert_int_equal(carom_chain_masses(chain, CAROM_CHAIN_RANDOM, 1.0, &error), CAROM_OK);
    const double random[] = {0.500007826, 0.631537788, 1.255605322};
    for (int i = 0; i < 3; i++)
        assert_true(fabs(chain->mass[i] - random[i]) <= 6e-10);
    carom_chain_free(chain);
}

static void patterns_without_masses_are_refused(void **state)
{
    (void)state;
    carom_error error;
    carom_chain *chain = make_chain(2000, false);
    const struct {
        carom_chain_pattern pattern;
        double value;
        const char *text;
    } bad[] = {
        {CAROM_CHAIN_DECORATED, 0.0, "got 0"},
        {CAROM_CHAIN_DECORATED, NAN, "nan"},
        {CAROM_CHAIN_STEPPED, INFINITY, "inf"},
        {CAROM_CHAIN_TAPERED, -0.5, "got -0.5"},
        {CAROM_CHAIN_TAPERED, 2.0, "mass of ball 1025 is inf"}, /* 2^1024 */
        {CAROM_CHAIN_RANDOM, 0.0, "whole number from 1"},
        {CAROM_CHAIN_RANDOM, 1.5, "got 1.5"},
        {CAROM_CHAIN_RANDOM, 2147483647.0, "got 2147483647"},
        {CAROM_CHAIN_RANDOM, NAN, "nan"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(carom_chain_masses(chain, bad[k].pattern, bad[k].value, &error), CAROM_BAD_INPUT);
        if (!strstr(error.text, bad[k].text))
            fail_msg("no '%s' in '%s'", bad[k].text, error.text);
        for (int i = 0; i < 2000; i++)
            assert_true(chain->mass[i] == 1.0);
    }
    carom_chain_free(chain);
}

static void stiffness_rises_from_either_end(void **state)
{
    (void)state;
    carom_chain *chain = make_chain(5, false);
    carom_chain_stiffness_slope(chain, 20.0);
    for (int j = 0; j < 4; j++)
        assert_true(chain->stiffness[j] == 1.0 + 20.0 * j);
    carom_chain_stiffness_slope(chain, -3.0);
    const double falling[] = {10, 7, 4, 1};
    for (int j = 0; j < 4; j++)
        assert_true(chain->stiffness[j] == falling[j]);
    carom_chain_stiffness_slope(chain, 0.0);
    for (int j = 0; j < 4; j++)
        assert_true(chain->stiffness[j] == 1.0);
    carom_chain_free(chain);
}

static void chains_without_contact_are_refused(void **state)
{
    (void)state;
    carom_error error;
    carom_chain *chain;
    assert_int_equal(carom_chain_create(1, false, &chain, &error), CAROM_BAD_INPUT);
    assert_null(chain);
    assert_non_null(strstr(error.text, "no contact: nothing to compute"));
    assert_int_equal(carom_chain_create(0, true, &chain, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_chain_create(-3, true, &chain, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "got -3"));
    chain = make_chain(1, true);
    assert_int_equal(chain->contacts, 1);
    assert_int_equal(carom_chain_check(chain, false, &error), CAROM_OK);
    carom_chain_free(chain);
}

static void assert_refused(const carom_chain *chain, const char *text)
{
    carom_error error;
    assert_int_equal(carom_chain_check(chain, false, &error), CAROM_BAD_INPUT);
    if (!strstr(error.text, text))
        fail_msg("no '%s' in '%s'", text, error.text);
}

static void bad_numbers_are_named(void **state)
{
    (void)state;
    carom_error error;
    carom_chain *chain = make_chain(4, false);
    assert_int_equal(carom_chain_check(chain, false, &error), CAROM_OK);
    const struct {
        double *place, value;
        const char *text;
    } bad[] = {
        {&chain->mass[2], 0.0, "mass of ball 3 must be positive and finite (got 0)"},
        {&chain->mass[0], NAN, "mass of ball 1 "},
        {&chain->mass[3], INFINITY, "mass of ball 4 "},
        {&chain->velocity[1], NAN, "velocity of ball 2 must be finite"},
        {&chain->stiffness[2], -1.0, "stiffness of contact 3 must be positive and finite (got -1)"},
        {&chain->exponent[0], 0.0, "exponent of contact 1 must be positive and finite (got 0): 0 is not"},
        {&chain->exponent[0], 0.0, "moreau"},
        {&chain->restitution[1], 1.2, "restitution of contact 2 must lie in [0, 1] (got 1.2): above 1"},
        {&chain->restitution[1], -0.1, "restitution of contact 2 must lie in [0, 1] (got -0.1)"},
        {&chain->restitution[1], NAN, "restitution of contact 2 "},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const double good = *bad[k].place;
        *bad[k].place = bad[k].value;
        assert_refused(chain, bad[k].text);
        *bad[k].place = good;
    }
    chain->restitution[1] = 1.2;
    assert_int_equal(carom_chain_check(chain, true, &error), CAROM_OK);
    chain->restitution[1] = INFINITY;
    assert_int_equal(carom_chain_check(chain, true, &error), CAROM_BAD_INPUT);
    carom_chain_free(chain);
}

/* Steel beads of the source: E = 203 GPa, nu = 0.3, r = 10 mm. */
static void stiffness_of_spheres_is_that_of_hertz(void **state)
{
    (void)state;
    const double K = carom_hertz_stiffness(203e9, 0.3, 0.01, 0.01);
    assert_true(fabs(K - 1.0515947e10) <= 1e3);
    assert_true(fabs(K - 203e9 * sqrt(0.02) / (3.0 * (1.0 - 0.09))) <= 1e-15 * K);
    const double wall = carom_hertz_stiffness(203e9, 0.3, 0.01, INFINITY);
    assert_true(fabs(wall - sqrt(2.0) * K) <= 1e-15 * K);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_chain_is_struck_at_its_left_end),
        cmocka_unit_test(directions_are_those_of_the_gaps),
        cmocka_unit_test(masses_follow_a_pattern),
        cmocka_unit_test(patterns_without_masses_are_refused),
        cmocka_unit_test(stiffness_rises_from_either_end),
        cmocka_unit_test(chains_without_contact_are_refused),
        cmocka_unit_test(bad_numbers_are_named),
        cmocka_unit_test(stiffness_of_spheres_is_that_of_hertz),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
