/* The chain of solvers for one contact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/contact/coulomb/local_contacts.h"

static const char *const names[COULOMB_LOCAL_METHODS] = {
    [COULOMB_LOCAL_EXACT] = "exact",
    [COULOMB_LOCAL_NEWTON_AC] = "newton-ac",
    [COULOMB_LOCAL_NEWTON_JM] = "newton-jm",
    [COULOMB_LOCAL_NEWTON_AC_GP] = "newton-ac-gp",
    [COULOMB_LOCAL_NEWTON_JM_GP] = "newton-jm-gp",
    [COULOMB_LOCAL_VI] = "vi",
    [COULOMB_LOCAL_PROJECTION] = "projection",
};

/* Every method from r = 0 finds the published solution, which is the only one. */
static void published_cases(void **state)
{
    (void)state;
    for (int method = 0; method < COULOMB_LOCAL_PROJECTION; method++)
        for (int i = 0; i < LOCAL_CASES; i++) {
            const local_case *c = &local_cases[i];
            coulomb_local contact;
            coulomb_local_counts counts = {0};
            double r[3] = {0};
            coulomb_local_prepare(&contact, c->W, c->mu);
            assert_true(coulomb_local_solve(&contact, (coulomb_local_method)method, 1e-14, c->q, r, &counts));
            if (local_largest_difference(r, c->r) > 1e-11)
                fail_msg("%s, %s: r = (%.15g, %.15g, %.15g)", c->name, names[method], r[0], r[1], r[2]);
        }
}

/* Newton alone fails now and then; with its fall-backs no contact is left. */
static void no_contact_is_left_unsolved(void **state)
{
    (void)state;
    for (int method = 0; method < COULOMB_LOCAL_PROJECTION; method++) {
        carom_random random = {23};
        coulomb_local_counts counts = {0};
        double worst = 0.0;
        for (int i = 0; i < 2000; i++) {
            const local_random c = local_random_contact(&random, i % 2 == 0);
            coulomb_local contact;
            double r[3] = {0};
            coulomb_local_prepare(&contact, c.W, c.mu);
            assert_true(coulomb_local_solve(&contact, (coulomb_local_method)method, 1e-13, c.q, r, &counts));
            worst = fmax(worst, coulomb_local_error(&contact, c.q, r));
        }
        print_message("%s: fall-backs %ld of 2000, iterations %ld, worst error %.2g\n", names[method],
                      counts.failures, counts.iterations, worst);
        assert_true(worst < 1e-12);
        assert_true(counts.failures < 200);
    }
}

/* The error is zero at solutions only, and does not depend on units. */
static void error_is_free_of_units(void **state)
{
    (void)state;
    const local_case *c = &local_cases[4];
    const double wrong[3] = {0.5, -0.2, -0.1};
    coulomb_local contact;
    coulomb_local_prepare(&contact, c->W, c->mu);
    const double error = coulomb_local_error(&contact, c->q, wrong);
    assert_true(coulomb_local_error(&contact, c->q, c->r) < 1e-13);
    assert_true(error > 1e-2);
    double W[9], q[3], r[3];
    for (int i = 0; i < 9; i++)
        W[i] = 1024 * c->W[i];
    for (int i = 0; i < 3; i++) {
        q[i] = 65536 * c->q[i];
        r[i] = 64 * wrong[i];
    }
    coulomb_local scaled;
    coulomb_local_prepare(&scaled, W, c->mu);
    assert_true(fabs(coulomb_local_error(&scaled, q, r) - (error)) < 1e-15);
}

/* 1 / largest eigenvalue: for a x a^T + b I it is 1 / (|a|^2 + b). */
static void step_is_the_largest_eigenvalue(void **state)
{
    (void)state;
    const double a[3] = {1, -2, 3}, skew[9] = {0, 5, -6, -5, 0, 7, 6, -7, 0};
    double W[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            W[3 * i + j] = a[i] * a[j] + (i == j ? 0.25 : 0.0) + skew[3 * i + j];
    coulomb_local contact;
    double r[3] = {0};
    coulomb_local_prepare(&contact, W, 0.5);
    assert_true(contact.rho == 0.0);
    coulomb_local_projection(&contact, a, r); /* the first one finds it */
    assert_true(fabs(contact.rho - (1 / 14.25)) < 1e-15);
    assert_true(fabs(contact.rho_N - (1 / 1.25)) < 1e-15);
    assert_true(fabs(contact.rho_T - (1 / 13.25)) < 1e-15);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                sum += contact.inverse[3 * i + k] * W[3 * k + j];
            assert_true(fabs(sum - (i == j ? 1.0 : 0.0)) < 1e-13);
        }
    const double zero[9] = {0};
    coulomb_local_prepare(&contact, zero, 0.5);
    coulomb_local_projection(&contact, a, r);
    assert_true(contact.rho == 1.0 && contact.rho_N == 1.0 && contact.rho_T == 1.0 && !contact.regular);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_cases),
        cmocka_unit_test(no_contact_is_left_unsolved),
        cmocka_unit_test(error_is_free_of_units),
        cmocka_unit_test(step_is_the_largest_eigenvalue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
