/* The exact solver of one contact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "test/contact/coulomb/local_contacts.h"

static void published_cases(void **state)
{
    (void)state;
    for (int i = 0; i < LOCAL_CASES; i++) {
        const local_case *c = &local_cases[i];
        coulomb_local contact;
        double r[3];
        coulomb_local_prepare(&contact, c->W, c->mu);
        assert_true(coulomb_local_exact(&contact, c->q, r));
        double u[3] = {c->q[0], c->q[1], c->q[2]};
        carom_block_add(c->W, r, u);
        if (local_largest_difference(r, c->r) > 2e-12 || local_largest_difference(u, c->u) > 5e-12)
            fail_msg("%s: r = (%.15g, %.15g, %.15g)", c->name, r[0], r[1], r[2]);
        assert_true(coulomb_local_error(&contact, c->q, r) < 1e-14);
    }
}

/* Of three solutions it takes the open one. */
static void open_comes_first(void **state)
{
    (void)state;
    coulomb_local contact;
    double r[3] = {1, 1, 1};
    coulomb_local_prepare(&contact, local_rod3.W, local_rod3.mu);
    assert_true(coulomb_local_exact(&contact, local_rod3.q, r));
    assert_true(r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0);
}

static void random_positive_definite_blocks(void **state)
{
    (void)state;
    carom_random random = {11};
    int open = 0, stick = 0, slide = 0;
    double worst = 0.0;
    for (int i = 0; i < 20000; i++) {
        const local_random c = local_random_contact(&random, i % 2 == 0);
        coulomb_local contact;
        double r[3];
        coulomb_local_prepare(&contact, c.W, c.mu);
        assert_true(coulomb_local_exact(&contact, c.q, r));
        if (r[0] == 0.0)
            open++;
        else if (hypot(r[1], r[2]) < c.mu * r[0] * (1 - 1e-12))
            stick++;
        else
            slide++;
        worst = fmax(worst, local_natural_error(&c, r));
    }
    print_message("open %d, stick %d, slide %d, worst error %.2g\n", open, stick, slide, worst);
    assert_true(open > 9000 && stick > 1000 && slide > 5000);
    assert_true(worst < 1e-12);
}

/* From the last direction the same solution as from none, where there is one only: W = a I. */
static void last_direction_changes_nothing(void **state)
{
    (void)state;
    const double W[9] = LOCAL_HALF;
    carom_random random = {5};
    coulomb_local warm;
    coulomb_local_prepare(&warm, W, 0.3);
    for (int i = 0; i < 1000; i++) {
        double q[3] = {-carom_random_uniform(&random, 0, 1)}, r[3], again[3];
        q[1] = carom_random_uniform(&random, -1, 1);
        q[2] = carom_random_uniform(&random, -1, 1);
        coulomb_local cold;
        coulomb_local_prepare(&cold, W, 0.3);
        assert_true(coulomb_local_exact(&cold, q, r));
        assert_true(coulomb_local_exact(&warm, q, again));
        assert_true(local_largest_difference(r, again) < 1e-14);
        const double speed = hypot(q[1], q[2]), normal = -q[0] / 0.5;
        const double part = speed <= 0.3 * -q[0] ? 1.0 / 0.5 : 0.3 * normal / speed;
        assert_true(local_largest_difference(r, (const double[]){normal, -part * q[1], -part * q[2]}) <
                    1e-14);
    }
}

static void no_friction(void **state)
{
    (void)state;
    const double W[9] = LOCAL_SYMMETRIC, q[3] = {-1, 2, 1};
    coulomb_local contact;
    double r[3];
    coulomb_local_prepare(&contact, W, 0.0);
    assert_true(coulomb_local_exact(&contact, q, r));
    assert_true(r[0] == 0.5 && r[1] == 0.0 && r[2] == 0.0);
}

/* Without an inverse, a rod along the normal: W = (1, 0, 0) x (1, 0, 0). It slides. */
static void singular_block(void **state)
{
    (void)state;
    const double W[9] = {2, 0, 0, 0, 0, 0, 0, 0, 0}, q[3] = {-1, 3, 4};
    coulomb_local contact;
    double r[3];
    coulomb_local_prepare(&contact, W, 0.5);
    assert_false(contact.regular);
    assert_true(coulomb_local_exact(&contact, q, r));
    assert_true(local_largest_difference(r, (const double[]){0.5, -0.15, -0.2}) < 1e-15);
}

static void what_has_no_solution(void **state)
{
    (void)state;
    const double W[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0};
    coulomb_local contact;
    double r[3];
    coulomb_local_prepare(&contact, W, 0.5);
    assert_false(coulomb_local_exact(&contact, q, r));
    assert_true(coulomb_local_exact(&contact, (const double[]){1, 2, 3}, r));
    const double good[9] = LOCAL_HALF;
    coulomb_local_prepare(&contact, good, 0.5);
    assert_false(coulomb_local_exact(&contact, (const double[]){NAN, 0, 0}, r));
    assert_false(coulomb_local_exact(&contact, (const double[]){-1, NAN, 0}, r));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_cases),
        cmocka_unit_test(open_comes_first),
        cmocka_unit_test(random_positive_definite_blocks),
        cmocka_unit_test(last_direction_changes_nothing),
        cmocka_unit_test(no_friction),
        cmocka_unit_test(singular_block),
        cmocka_unit_test(what_has_no_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
