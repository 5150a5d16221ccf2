#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/survey.h"

enum {
    BALLS = 100
};

/* n = 100 equal balls after an elastic impact by Moreau's law: (2 - n)/n, 2/n, ..., 2/n. */
static void moreaus_outcome(double *velocity)
{
    for (int i = 0; i < BALLS; i++)
        velocity[i] = (i == 0 ? 2.0 - BALLS : 2.0) / BALLS;
}

static void dispersion_of_moreaus_outcome_is_known(void **state)
{
    (void)state;
    double mass[BALLS], velocity[BALLS];
    moreaus_outcome(velocity);
    for (int i = 0; i < BALLS; i++)
        mass[i] = 1.0;
    assert_true(fabs(carom_energy_dispersion(BALLS, mass, velocity) - 9.551879396) <= 6e-10);
    /* neither masses nor velocities have a unit */
    for (int i = 0; i < BALLS; i++) {
        mass[i] = 0.03;
        velocity[i] *= -7.0;
    }
    assert_true(fabs(carom_energy_dispersion(BALLS, mass, velocity) - 9.551879396) <= 6e-10);
}

static void dispersion_lies_between_its_bounds(void **state)
{
    (void)state;
    const double mass[] = {1, 4, 9, 16}, equal[] = {1, -1.0 / 2, 1.0 / 3, 1.0 / 4}, one[] = {0, 0, -3, 0};
    assert_true(carom_energy_dispersion(4, mass, equal) <= 1e-15);
    assert_true(fabs(carom_energy_dispersion(4, mass, one) - sqrt(3.0)) <= 1e-15);
    const double rest[] = {0, 0, 0, 0};
    assert_true(isnan(carom_energy_dispersion(4, mass, rest)));
}

static void dispersion_does_not_overflow_on_the_way(void **state)
{
    (void)state;
    /* v^4 would */
    const double mass[] = {1, 1}, velocity[] = {1e100, 2e100};
    /* energies 1 : 4, mean 2.5, deviation 1.5 */
    assert_true(fabs(carom_energy_dispersion(2, mass, velocity) - 0.6) <= 1e-15);
}

/* Against the binary outcome (0, ..., 0, 1): |v - r|^2 = 1 - 2 . 2/n + 1. */
static void gap_is_a_percentage_of_the_reference(void **state)
{
    (void)state;
    double velocity[BALLS], binary[BALLS] = {0};
    moreaus_outcome(velocity);
    binary[BALLS - 1] = 1.0;
    assert_true(fabs(carom_velocity_gap(BALLS, velocity, binary) - 100.0 * sqrt(1.96)) <= 1e-12);
    assert_true(carom_velocity_gap(BALLS, velocity, velocity) == 0.0);
    const double rest[BALLS] = {0};
    assert_true(isnan(carom_velocity_gap(BALLS, velocity, rest)));
    assert_true(carom_velocity_gap(BALLS, rest, binary) == 100.0);
}

static void good_velocities_are_near_the_reference(void **state)
{
    (void)state;
    double velocity[BALLS], binary[BALLS] = {0};
    moreaus_outcome(velocity);
    binary[BALLS - 1] = 1.0;
    /* 0.02 is good against 0, the first and the last ball are not */
    assert_int_equal(carom_good_velocities(BALLS, velocity, binary), BALLS - 2);
    assert_int_equal(carom_good_velocities(BALLS, binary, binary), BALLS);
    /* near means 0.05 of the norm, 5, and less than that */
    const double reference[] = {3.0 * 20, 4.0 * 20}, near[] = {64.9, 80}, off[] = {65.1, 80};
    assert_int_equal(carom_good_velocities(2, near, reference), 2);
    assert_int_equal(carom_good_velocities(2, off, reference), 1);
    const double rest[] = {0, 0};
    assert_int_equal(carom_good_velocities(2, near, rest), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dispersion_of_moreaus_outcome_is_known),
        cmocka_unit_test(dispersion_lies_between_its_bounds),
        cmocka_unit_test(dispersion_does_not_overflow_on_the_way),
        cmocka_unit_test(gap_is_a_percentage_of_the_reference),
        cmocka_unit_test(good_velocities_are_near_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
