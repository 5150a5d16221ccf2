/* Projections for one contact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/contact/coulomb/local_contacts.h"

static void published_cases(void **state)
{
    (void)state;
    for (int i = 0; i < LOCAL_CASES; i++) {
        const local_case *c = &local_cases[i];
        coulomb_local contact;
        coulomb_local_counts counts = {0};
        double r[3] = {0};
        coulomb_local_prepare(&contact, c->W, c->mu);
        assert_true(coulomb_local_vi(&contact, 1e-14, c->q, r, &counts));
        if (local_largest_difference(r, c->r) > 1e-11)
            fail_msg("%s: r = (%.15g, %.15g, %.15g)", c->name, r[0], r[1], r[2]);
        assert_true(contact.step > 0.0);
        /* warm, with the step of last time: at once */
        counts.iterations = 0;
        assert_true(coulomb_local_vi(&contact, 1e-12, c->q, r, &counts));
        assert_true(counts.iterations == 1);
    }
}

/* In other units the same iterations: nothing is measured by absolute numbers. */
static void iterations_do_not_depend_on_units(void **state)
{
    (void)state;
    const local_case *c = &local_cases[5];
    long iterations = 0;
    for (int power = -20; power <= 20; power += 10) {
        double W[9], q[3], r[3] = {0};
        for (int i = 0; i < 9; i++)
            W[i] = ldexp(c->W[i], power);
        for (int i = 0; i < 3; i++)
            q[i] = ldexp(c->q[i], -power / 2);
        coulomb_local contact;
        coulomb_local_counts counts = {0};
        coulomb_local_prepare(&contact, W, c->mu);
        assert_true(coulomb_local_vi(&contact, 1e-13, q, r, &counts));
        if (iterations == 0)
            iterations = counts.iterations;
        assert_true(counts.iterations == iterations);
    }
}

/* Without solution it ends, with a point of the cone. */
static void ends_without_solution(void **state)
{
    (void)state;
    const double W[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 1, 0};
    coulomb_local contact;
    coulomb_local_counts counts = {0};
    double r[3] = {0};
    coulomb_local_prepare(&contact, W, 0.5);
    assert_false(coulomb_local_vi(&contact, 1e-14, q, r, &counts));
    assert_true(r[0] > 0.0 && hypot(r[1], r[2]) <= 0.5 * r[0] * (1 + 1e-15));
    assert_false(coulomb_local_vi(&contact, 1e-14, (const double[]){NAN, 0, 0}, r, &counts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_cases),
        cmocka_unit_test(iterations_do_not_depend_on_units),
        cmocka_unit_test(ends_without_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
