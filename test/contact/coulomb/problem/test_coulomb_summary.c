#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/contact.h"
#include "test/near.h"

enum {
    CONTACTS = 3
};

/* Three contacts that do not know of each other, W = I / 2: the first sticks, the second slides, the third is
 * open. */
static const int row_start[CONTACTS + 1] = {0, 1, 2, 3}, column[CONTACTS] = {0, 1, 2};
static const double block[9 * CONTACTS] = {
    0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5,
};
static const double q[3 * CONTACTS] = {-2, 0.3, -0.4, -2, 3, -4, 0.1, 3, -4};
static const double mu[CONTACTS] = {0.3, 0.3, 0.3};
static const double solution[3 * CONTACTS] = {4, -0.6, 0.8, 4, -0.72, 0.96, 0, 0, 0};
static const carom_coulomb problem = {CONTACTS, {CONTACTS, row_start, column, column, block}, q, mu};

static void a_solution_is_described(void **state)
{
    (void)state;
    double u[3 * CONTACTS];
    unsigned char regime[CONTACTS];
    carom_coulomb_summary summary;
    carom_coulomb_summarise(&problem, solution, u, regime, &summary);
    static const double expected[3 * CONTACTS] = {0, 0, 0, 0, 2.64, -3.52, 0.1, 3, -4};
    for (int i = 0; i < 3 * CONTACTS; i++)
        assert_near(u[i], expected[i], 1e-15);
    assert_int_equal(regime[0], CAROM_CONTACT_STICK);
    assert_int_equal(regime[1], CAROM_CONTACT_SLIP);
    assert_int_equal(regime[2], CAROM_CONTACT_OPEN);
    assert_int_equal(summary.sticking, 1);
    assert_int_equal(summary.sliding, 1);
    assert_int_equal(summary.open, 1);
    assert_near(summary.q_norm, sqrt(4.25 + 29.0 + 25.01), 1e-14);
    assert_near(summary.r_norm, sqrt(17.0 + 17.44), 1e-14);
    assert_near(summary.u_norm, sqrt(4.4 * 4.4 + 25.01), 1e-14);
    /* 1/2 r.W r + q.r = r.r / 4 + q.r */
    assert_near(summary.energy, (17.0 + 17.44) / 4.0 - 8.0 - 0.18 - 0.32 - 8.0 - 2.16 - 3.84, 1e-13);
    assert_near(summary.dissipation, -2.64 * 0.72 - 3.52 * 0.96, 1e-14);
    assert_true(summary.error <= 1e-15);
}

static void the_absolute_error_is_that_of_the_map(void **state)
{
    (void)state;
    static const double zero[3 * CONTACTS];
    double u[3 * CONTACTS];
    carom_coulomb_summary summary;
    carom_coulomb_summarise(&problem, zero, u, NULL, &summary);
    assert_true(summary.error > 0.1);
    assert_true(summary.error == carom_coulomb_error(&problem, zero));
    assert_near(summary.absolute_error, summary.error * summary.q_norm, 1e-14);
    assert_true(summary.energy == 0.0);
}

/* All stick, up to the error of the solution: velocities of its size are no slip and no opening. */
static void velocities_within_the_error_are_zero(void **state)
{
    (void)state;
    static const double W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, given[3] = {-2, 0.3, -0.4};
    const carom_coulomb one = {1, {1, row_start, column, column, W}, given, mu};
    const double r[3] = {4 + 2e-9, -0.6 + 1e-9, 0.8};
    double u[3];
    carom_coulomb_summary summary;
    carom_coulomb_summarise(&one, r, u, NULL, &summary);
    assert_true(summary.u_norm > 1e-10);
    assert_int_equal(summary.sticking, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solution_is_described),
        cmocka_unit_test(the_absolute_error_is_that_of_the_map),
        cmocka_unit_test(velocities_within_the_error_are_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
