#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/contact.h"
#include "test/near.h"

/* M = diag(2, 4, 1), one contact, H = identity, an equation v_1 + v_3 = -b. */
static const int three_start[4] = {0, 1, 2, 3}, three_row[3] = {0, 1, 2};
static const int one_start[2] = {0, 2}, one_row[2] = {0, 2}, no_start[1] = {0};
static const double masses[3] = {2, 4, 1}, ones[3] = {1, 1, 1};
static const double f[3] = {1, -2, 3}, w[3] = {0}, b[1] = {0.5}, mu[1] = {0.3};
static const double r[3] = {2, 0.5, -0.25};

static carom_coulomb_global sample(int equations)
{
    return (carom_coulomb_global){.dimension = 3,
                                  .contacts = 1,
                                  .M = {3, 3, three_start, three_row, masses},
                                  .H = {3, 3, three_start, three_row, ones},
                                  .G = {3, equations, equations ? one_start : no_start, one_row, ones},
                                  .f = f,
                                  .w = w,
                                  .b = b,
                                  .mu = mu};
}

static void without_equations_it_is_the_inverse_of_masses(void **state)
{
    (void)state;
    const carom_coulomb_global global = sample(0);
    double v[3];
    assert_int_equal(carom_coulomb_motion(&global, r, v, NULL, NULL), CAROM_OK);
    for (int i = 0; i < 3; i++)
        assert_near(v[i], (r[i] + f[i]) / masses[i], 1e-15);
}

static void equations_hold_and_forces_balance(void **state)
{
    (void)state;
    const carom_coulomb_global global = sample(1);
    double v[3], l[1];
    assert_int_equal(carom_coulomb_motion(&global, r, v, l, NULL), CAROM_OK);
    assert_near(v[0] + v[2], -b[0], 1e-14);
    const double G[3] = {1, 0, 1};
    for (int i = 0; i < 3; i++)
        assert_near(masses[i] * v[i], r[i] + f[i] + G[i] * l[0], 1e-14);
}

static void missing_masses_are_told(void **state)
{
    (void)state;
    static const double none[3] = {2, 0, 1};
    carom_coulomb_global global = sample(0);
    global.M.value = none;
    double v[3];
    carom_error error = {0};
    assert_int_equal(carom_coulomb_motion(&global, r, v, NULL, &error), CAROM_FAILED);
    assert_true(error.text[0] != '\0');
}

static void multipliers_of_a_local_problem(void **state)
{
    (void)state;
    static const int start[2] = {0, 1}, row[1] = {0}, V_row[2] = {0, 2};
    static const double R[1] = {4}, s[1] = {1}, V[2] = {1, 2};
    const carom_coulomb_local local = {.dimension = 3,
                                       .contacts = 1,
                                       .V = {3, 1, one_start, V_row, V},
                                       .R = {1, 1, start, row, R},
                                       .s = s,
                                       .mu = mu};
    double l[1];
    assert_int_equal(carom_coulomb_multipliers(&local, r, l, NULL), CAROM_OK);
    assert_near(r[0] + 2.0 * r[2] + 4.0 * l[0] + s[0], 0.0, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_equations_it_is_the_inverse_of_masses),
        cmocka_unit_test(equations_hold_and_forces_balance),
        cmocka_unit_test(missing_masses_are_told),
        cmocka_unit_test(multipliers_of_a_local_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
