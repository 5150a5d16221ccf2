/* One projection for one contact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/contact/coulomb/local_contacts.h"

/* W = a I: from r = 0 one step of rho = 1 / a goes to P_K(-(q + g(q)) / a). */
static void first_step_is_a_projection(void **state)
{
    (void)state;
    const double W[9] = LOCAL_HALF, q[3] = {-2, 3, -4};
    coulomb_local contact;
    double r[3] = {0}, p[3];
    coulomb_local_prepare(&contact, W, 0.3);
    coulomb_local_projection(&contact, q, r);
    carom_cone_project(0.3, (const double[]){-2 * (-2 + 0.3 * 5), -6, 8}, p);
    assert_true(local_largest_difference(r, p) < 1e-14);
}

/* Solutions stay where they are, and repeated steps come to them. */
static void solutions_are_fixed_points(void **state)
{
    (void)state;
    for (int i = 0; i < LOCAL_CASES; i++) {
        const local_case *c = &local_cases[i];
        coulomb_local contact;
        double r[3] = {c->r[0], c->r[1], c->r[2]};
        coulomb_local_prepare(&contact, c->W, c->mu);
        coulomb_local_projection(&contact, c->q, r);
        assert_true(local_largest_difference(r, c->r) < 1e-11);
    }
    const local_case *c = &local_cases[4];
    coulomb_local contact;
    double r[3] = {0};
    coulomb_local_prepare(&contact, c->W, c->mu);
    for (int i = 0; i < 200; i++)
        coulomb_local_projection(&contact, c->q, r);
    assert_true(local_largest_difference(r, c->r) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_step_is_a_projection),
        cmocka_unit_test(solutions_are_fixed_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
