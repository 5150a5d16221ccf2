#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "contact/one_contact/regimes.h"
#include "sample_friction.h"

/* Where the scalar equation has its root, the iteration finds the same impulse. */
static void agrees_with_the_scalar_equation(void **state)
{
    (void)state;
    carom_random random = {6};
    int slipping = 0;
    for (int trial = 0; trial < 300; trial++) {
        carom_friction_contact contact = random_contact(&random, 2);
        for (int i = 0; i < 3; i++)
            contact.W[i][i] += 1.0;
        contact.set = orthotropic(.3, .15, carom_random_uniform(&random, .1, .3), .15);
        contact.set.angle = carom_random_uniform(&random, -3, 3);
        carom_friction_result result, other;
        assert_int_equal(carom_friction_contact_solve(&contact, &result, NULL), CAROM_OK);
        if (result.regime != CAROM_CONTACT_SLIP)
            continue;
        friction_own_rule(&contact, &other);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(other.impulse[i] - result.impulse[i]) <= 1e-12);
        assert_int_equal(other.regime, CAROM_CONTACT_SLIP);
        slipping++;
    }
    assert_true(slipping > 100);
}

/* Strong coupling: friction may jump with the normal impulse, and an iteration takes over. */
static void strongly_coupled_slip_potentials(void **state)
{
    (void)state;
    carom_random random = {5};
    int unsolved = 0;
    for (int trial = 0; trial < 20000; trial++) {
        const double mu[2] = {carom_random_uniform(&random, 0.05, 0.8),
                              carom_random_uniform(&random, 0.05, 0.8)};
        const double p[2] = {carom_random_uniform(&random, 0.1, 1.0),
                             carom_random_uniform(&random, 0.1, 1.0)};
        carom_friction_contact contact = random_contact(&random, 2);
        contact.set = orthotropic(mu[0], mu[1], p[0], p[1]);
        carom_friction_result result;
        carom_error error = {0};
        const carom_status status = carom_friction_contact_solve(&contact, &result, &error);
        const double size = velocity_size(&contact, result.impulse);
        if (status == CAROM_OK)
            assert_true(carom_friction_contact_error(&contact, result.impulse) <= 1e-9 * size);
        else
            assert_true(error.text[0] != 0);
        unsolved += status != CAROM_OK;
    }
    assert_int_equal(unsolved, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_scalar_equation),
        cmocka_unit_test(strongly_coupled_slip_potentials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
