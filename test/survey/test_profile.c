#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/survey.h"
#include "test/near.h"

enum {
    A,
    B,
    C,
    SOLVERS
};

/* Four problems; the last is solved by B alone, the second not by C. */
static const double table[4 * SOLVERS] = {
    1, 2, 10, 2, 1, INFINITY, 4, 4, 2, INFINITY, 8, NAN,
};

static void ratios_are_to_the_fastest(void **state)
{
    (void)state;
    static const double expected[4 * SOLVERS] = {1, 2, 10, 2, 1, INFINITY, 2, 2, 1, INFINITY, 1, INFINITY};
    carom_profile profile;
    assert_int_equal(carom_profile_make(4, SOLVERS, table, &profile, NULL), CAROM_OK);
    for (int i = 0; i < 4 * SOLVERS; i++)
        assert_true(profile.ratio[i] == expected[i]);
    assert_int_equal(profile.unsolved, 0);
    carom_profile_free(&profile);
    assert_null(profile.ratio);
}

static void shares_count_problems_within_tau(void **state)
{
    (void)state;
    carom_profile profile;
    assert_int_equal(carom_profile_make(4, SOLVERS, table, &profile, NULL), CAROM_OK);
    static const double tau[3] = {1, 2, 10};
    static const double share[SOLVERS][3] = {{0.25, 0.75, 0.75}, {0.5, 1, 1}, {0.25, 0.25, 0.5}};
    assert_int_equal(profile.tau_count, 3);
    for (int k = 0; k < 3; k++) {
        assert_true(profile.tau[k] == tau[k]);
        for (int s = 0; s < SOLVERS; s++) {
            assert_true(profile.share[s * 3 + k] == share[s][k]);
            assert_true(carom_profile_share(&profile, s, tau[k]) == share[s][k]);
        }
    }
    carom_profile_free(&profile);
}

/* A step function that is continuous from the right. */
static void shares_jump_at_the_ratios(void **state)
{
    (void)state;
    carom_profile profile;
    assert_int_equal(carom_profile_make(4, SOLVERS, table, &profile, NULL), CAROM_OK);
    assert_true(carom_profile_share(&profile, A, 0.999) == 0.0);
    assert_true(carom_profile_share(&profile, A, 1.999) == 0.25);
    assert_true(carom_profile_share(&profile, A, 2.001) == 0.75);
    assert_true(carom_profile_share(&profile, A, INFINITY) == 0.75);
    assert_true(carom_profile_share(&profile, B, INFINITY) == 1.0);
    carom_profile_free(&profile);
}

static void problems_that_nobody_solves_count(void **state)
{
    (void)state;
    static const double seconds[4] = {1, 3, INFINITY, NAN};
    carom_profile profile;
    assert_int_equal(carom_profile_make(2, 2, seconds, &profile, NULL), CAROM_OK);
    assert_int_equal(profile.unsolved, 1);
    assert_true(carom_profile_share(&profile, 0, 1.0) == 0.5);
    assert_true(carom_profile_share(&profile, 0, INFINITY) == 0.5);
    assert_true(carom_profile_share(&profile, 1, 3.0) == 0.5);
    carom_profile_free(&profile);
}

static void ties_count_for_all(void **state)
{
    (void)state;
    static const double seconds[2] = {0.25, 0.25};
    carom_profile profile;
    assert_int_equal(carom_profile_make(1, 2, seconds, &profile, NULL), CAROM_OK);
    assert_true(carom_profile_share(&profile, 0, 1.0) == 1.0);
    assert_true(carom_profile_share(&profile, 1, 1.0) == 1.0);
    assert_int_equal(profile.tau_count, 1);
    carom_profile_free(&profile);
}

static void a_time_of_zero_is_the_step_of_the_clock(void **state)
{
    (void)state;
    static const double seconds[2] = {0.0, 5e-9};
    carom_profile profile;
    assert_int_equal(carom_profile_make(1, 2, seconds, &profile, NULL), CAROM_OK);
    assert_true(profile.ratio[0] == 1.0);
    assert_near(profile.ratio[1], 5.0, 1e-12);
    carom_profile_free(&profile);
}

static void nothing_solved_leaves_no_tau(void **state)
{
    (void)state;
    static const double seconds[2] = {INFINITY, INFINITY};
    carom_profile profile;
    assert_int_equal(carom_profile_make(1, 2, seconds, &profile, NULL), CAROM_OK);
    assert_int_equal(profile.tau_count, 0);
    assert_int_equal(profile.unsolved, 1);
    assert_true(carom_profile_share(&profile, 0, INFINITY) == 0.0);
    carom_profile_free(&profile);
}

static void negative_times_are_refused(void **state)
{
    (void)state;
    static const double seconds[4] = {1, 1, 1, -2};
    carom_profile profile;
    carom_error error = {0};
    assert_int_equal(carom_profile_make(2, 2, seconds, &profile, &error), CAROM_BAD_INPUT);
    assert_string_equal(error.text, "performance profile: -2 s of problem 1, solver 1: must be >= 0");
    carom_profile_free(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_are_to_the_fastest),
        cmocka_unit_test(shares_count_problems_within_tau),
        cmocka_unit_test(shares_jump_at_the_ratios),
        cmocka_unit_test(problems_that_nobody_solves_count),
        cmocka_unit_test(ties_count_for_all),
        cmocka_unit_test(a_time_of_zero_is_the_step_of_the_clock),
        cmocka_unit_test(nothing_solved_leaves_no_tau),
        cmocka_unit_test(negative_times_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
