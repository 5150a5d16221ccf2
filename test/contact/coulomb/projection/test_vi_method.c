/* Single steps of the projection methods. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/coulomb/vi_method.h"
#include "test/contact/coulomb/coulomb_checks.h"

static const double half[9] = {.5, 0, 0, 0, .5, 0, 0, 0, .5}, q[3] = {-2, 3, -4}, mu = .3;

/* The step of a method from r = 0 with rho = 1, by hand: p = P_K(-F(0)), F(0) = (-2 + 0.3 * 5, 3, -4). */
static void first_step_is_a_projection(void **state)
{
    (void)state;
    const carom_coulomb problem = one_contact(half, q, &mu);
    const coulomb_vi vi = coulomb_vi_of(&problem);
    double wanted[3], r[3] = {0}, work[3 * COULOMB_VI_WORK];
    carom_cone_project(mu, (const double[]){0.5, -3, 4}, wanted);
    const coulomb_vi_rule rule = coulomb_vi_rule_of(COULOMB_VI_PROJECTION, COULOMB_VI_KHOBOTOV);
    coulomb_vi_state one = coulomb_vi_state_of(1, 1.0, r, work);
    coulomb_vi_refresh(&vi, &one);
    assert_true(coulomb_vi_step(&vi, &rule, &one));
    for (int k = 0; k < 3; k++)
        assert_true(fabs(r[k] - wanted[k]) < 1e-15);
    assert_int_equal(one.products, 2);
    double F[3];
    coulomb_vi_map(&vi, r, F);
    for (int k = 0; k < 3; k++)
        assert_true(F[k] == one.F[k]);
}

/* rho shrinks to pass Khobotov's test and grows when it passes easily: for W = w I without friction the ratio
 * is rho w. */
static void rho_follows_the_test(void **state)
{
    (void)state;
    const double none = 0.0;
    const carom_coulomb problem = one_contact(half, q, &none);
    const coulomb_vi vi = coulomb_vi_of(&problem);
    const coulomb_vi_rule rule = coulomb_vi_rule_of(COULOMB_VI_FIXED_POINT, COULOMB_VI_KHOBOTOV);
    double r[3] = {0}, work[3 * COULOMB_VI_WORK];
    /* ratios 13.5 (2/3)^k, the first at most 0.9: k = 7 */
    coulomb_vi_state large = coulomb_vi_state_of(1, 27.0, r, work);
    coulomb_vi_refresh(&vi, &large);
    assert_true(coulomb_vi_step(&vi, &rule, &large));
    assert_true(fabs(large.rho - 27.0 * pow(2.0 / 3.0, 7)) < 1e-12);
    memset(r, 0, sizeof r);
    coulomb_vi_state small = coulomb_vi_state_of(1, 0.1, r, work);
    coulomb_vi_refresh(&vi, &small);
    assert_true(coulomb_vi_step(&vi, &rule, &small));
    assert_true(fabs(small.rho - 0.15) < 1e-15);
}

static void no_method_leaves_a_solution(void **state)
{
    (void)state;
    const double free_q[3] = {1, .3, -.4};
    const carom_coulomb problem = one_contact(half, free_q, &mu);
    const coulomb_vi vi = coulomb_vi_of(&problem);
    for (int method = COULOMB_VI_PROJECTION; method <= COULOMB_VI_HYPERPLANE; method++) {
        double r[3] = {0}, work[3 * COULOMB_VI_WORK];
        const coulomb_vi_rule rule = coulomb_vi_rule_of((coulomb_vi_method)method, COULOMB_VI_KHOBOTOV);
        coulomb_vi_state one = coulomb_vi_state_of(1, 1.0, r, work);
        coulomb_vi_refresh(&vi, &one);
        assert_false(coulomb_vi_step(&vi, &rule, &one));
        assert_true(r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0);
    }
}

/* Every step of projected gradients lowers 1/2 r.W r + b.r, to the last digits. */
static void gradients_descend(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    coulomb_vi vi = coulomb_vi_of(&problem);
    vi.corrected = false;
    double r[MOST_NUMBERS] = {0}, work[MOST_NUMBERS * COULOMB_VI_WORK];
    const coulomb_vi_rule rule = coulomb_vi_rule_of(COULOMB_VI_GRADIENT, COULOMB_VI_KHOBOTOV);
    coulomb_vi_state state_of = coulomb_vi_state_of(10, 1.0 / coulomb_row_norm(&vi.W), r, work);
    coulomb_vi_refresh(&vi, &state_of);
    double last = 0.0;
    for (int k = 0; k < 500; k++) {
        assert_true(coulomb_vi_step(&vi, &rule, &state_of));
        const double now = energy(&problem, r);
        assert_true(now <= last + 1e-12 * fabs(last));
        last = now;
    }
    assert_true(coulomb_vi_run(&vi, &rule, 1e-11, 20000, NULL, &state_of) < 20000);
    assert_true(fabs(energy(&problem, r) + 390.328145) < 1e-6);
    carom_arena_free(arena);
}

static void run_stops_at_its_limit(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    const coulomb_vi vi = coulomb_vi_of(&problem);
    double r[MOST_NUMBERS] = {0}, work[MOST_NUMBERS * COULOMB_VI_WORK];
    const coulomb_vi_rule rule = coulomb_vi_rule_of(COULOMB_VI_FIXED_POINT, COULOMB_VI_SOLODOV_TSENG);
    coulomb_vi_state state_of = coulomb_vi_state_of(10, 1.0, r, work);
    assert_int_equal(coulomb_vi_run(&vi, &rule, 1e-10, 17, NULL, &state_of), 17);
    assert_int_equal(coulomb_vi_run(&vi, &rule, 1e10, 17, NULL, &state_of), 0);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_step_is_a_projection),  cmocka_unit_test(rho_follows_the_test),
        cmocka_unit_test(no_method_leaves_a_solution), cmocka_unit_test(gradients_descend),
        cmocka_unit_test(run_stops_at_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
