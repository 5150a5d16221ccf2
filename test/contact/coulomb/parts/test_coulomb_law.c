/* One contact alone, for solvers outside the room: closed forms, and the law itself at random. */
#include <math.h>

#include "carom/base.h"
#include "carom/contact.h"
#include "carom/contact/coulomb_law.h"
#include "test/near.h"

static void closed_forms(void **state)
{
    (void)state;
    const double W[9] = {2, 0, 0, 0, 1, 0, 0, 0, 1};
    double r[3] = {1, 1, 1};
    assert_true(carom_coulomb_law_solve(0.5, W, (const double[3]){0.3, 1.0, 0.0}, r)); /* open */
    assert_all_near(3, r, ((const double[3]){0, 0, 0}), 0.0);
    assert_true(
        carom_coulomb_law_solve(0.5, W, (const double[3]){-2.0, 0.3, -0.4}, r)); /* sticks: 0.5 in 0.5 * 1 */
    assert_all_near(3, r, ((const double[3]){1.0, -0.3, 0.4}), 1e-13);
    assert_true(carom_coulomb_law_solve(0.2, W, (const double[3]){-2.0, 0.3, -0.4}, r)); /* slides */
    assert_all_near(3, r, ((const double[3]){1.0, -0.12, 0.16}), 1e-12);
    assert_true(carom_coulomb_law_solve(0.0, W, (const double[3]){-2.0, 0.3, -0.4}, r)); /* no friction */
    assert_all_near(3, r, ((const double[3]){1.0, 0.0, 0.0}), 1e-12);
}

static void random_contacts_obey_the_law(void **state)
{
    (void)state;
    carom_random random = {5};
    for (int time = 0; time < 200; time++) {
        double B[9], W[9], q[3], r[3] = {0}, u[3];
        for (int k = 0; k < 9; k++)
            B[k] = carom_random_uniform(&random, -1.0, 1.0);
        for (int k = 0; k < 9; k++)
            W[k] = carom_dot(3, B + k / 3 * 3, B + k % 3 * 3) + (k % 4 == 0 ? 0.2 : 0.0);
        for (int k = 0; k < 3; k++)
            q[k] = carom_random_uniform(&random, -1.0, 1.0);
        const double mu = carom_random_uniform(&random, 0.0, 0.6);
        assert_true(carom_coulomb_law_solve(mu, W, q, r));
        for (int k = 0; k < 3; k++)
            u[k] = q[k] + carom_dot(3, W + k * 3, r);
        assert_true(sqrt(carom_coulomb_law_square(mu, u, r)) < 1e-11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(random_contacts_obey_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
