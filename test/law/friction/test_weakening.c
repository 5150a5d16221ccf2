/* Friction that weakens with the slip: one implicit step, its properties, what is no law. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/law.h"
#include "test/near.h"

static const carom_weakening bit = {.Ts = 1.232, .Td = 0.272, .vd = 19.098593171027442};

static void force_falls_from_static_to_the_bound(void **state)
{
    (void)state;
    assert_true(carom_weakening_force(&bit, 0.0) == bit.Ts);
    assert_near(carom_weakening_force(&bit, 10.0), bit.Td, 1e-15);
    assert_near(carom_weakening_force(&bit, 1.0 / bit.vd), bit.Td + (bit.Ts - bit.Td) * exp(-1.0), 1e-15);
    for (double s = 0.0; s < 1.0; s += 0.05) {
        const double d = 1e-6;
        const double slope =
            (carom_weakening_force(&bit, s) - carom_weakening_force(&bit, s + d)) / d; /* at s + d/2 */
        assert_near(carom_weakening_slope(&bit, s + d / 2.0), slope, 1e-8);
    }
}

/* a s + h force = c with a force of the law, whatever the guess. */
static void step_satisfies_law_and_balance(void **state)
{
    (void)state;
    carom_random random = {11};
    for (int k = 0; k < 20000; k++) {
        const double h = 1e-3, a = carom_random_uniform(&random, 0.02, 1.0);
        const double c = carom_random_uniform(&random, -0.01, 0.01) * (k % 3 ? 1.0 : 100.0);
        double force;
        const double s =
            carom_weakening_solve(a, h, c, &bit, carom_random_uniform(&random, -2.0, 2.0), &force);
        assert_near(a * s + h * force, c, 1e-17 + 1e-15 * fabs(c));
        if (fabs(c) <= h * bit.Ts) {
            assert_true(s == 0.0);
            continue;
        }
        assert_true(s * c > 0.0);
        assert_near(force, copysign(carom_weakening_force(&bit, fabs(s)), c), 2e-15 * fabs(c) / h + 1e-13);
    }
}

/* Up to the limit a = h vd (Ts - Td) the slip grows with c; the guess does not matter. */
static void slip_grows_with_the_load(void **state)
{
    (void)state;
    const double h = 1e-3, a = 1.001 * h * carom_weakening_slope(&bit, 0.0);
    double last = 0.0, force;
    for (int k = 1; k <= 2000; k++) {
        const double c = h * (bit.Ts + 1e-3 * k);
        const double s = carom_weakening_solve(a, h, c, &bit, last, &force);
        assert_true(s > last);
        assert_near(carom_weakening_solve(a, h, c, &bit, 1e3, &force), s, 1e-13);
        last = s;
    }
}

/* Without weakening: clamped, in closed form. */
static void coulomb_is_a_special_case(void **state)
{
    (void)state;
    const carom_weakening dry = {.Ts = 0.5, .Td = 0.5}, no_decay = {.Ts = 0.5, .Td = 0.2, .vd = 0.0};
    double force;
    assert_near(carom_weakening_solve(2.0, 0.1, 0.25, &dry, 0.0, &force), 0.1, 1e-16);
    assert_true(force == 0.5);
    assert_true(carom_weakening_solve(2.0, 0.1, -0.05, &dry, 0.0, &force) == 0.0);
    assert_near(force, -0.5, 1e-16);
    assert_near(carom_weakening_solve(2.0, 0.1, -0.25, &no_decay, 0.0, &force), -0.1, 1e-16);
    assert_near(force, -0.5, 1e-15);
}

static void expect_refused(carom_weakening law, const char *word)
{
    carom_error error = {0};
    assert_int_equal(carom_weakening_check(&law, "bit", &error), CAROM_BAD_INPUT);
    if (!strstr(error.text, "'bit'") || !strstr(error.text, word))
        fail_msg("'%s' does not say '%s'", error.text, word);
}

static void what_is_no_law_is_refused(void **state)
{
    (void)state;
    carom_error error = {0};
    assert_int_equal(carom_weakening_check(&bit, "bit", &error), CAROM_OK);
    expect_refused((carom_weakening){.Ts = 1, .Td = -0.1, .vd = 1}, "its bound is -0.1");
    expect_refused((carom_weakening){.Ts = 1, .Td = NAN, .vd = 1}, "its bound is nan");
    expect_refused((carom_weakening){.Ts = 1, .Td = 2, .vd = 1}, "weakening law needs Ts >= Td");
    expect_refused((carom_weakening){.Ts = NAN, .Td = 1, .vd = 1}, "weakening law needs Ts >= Td");
    expect_refused((carom_weakening){.Ts = INFINITY, .Td = 1, .vd = 1}, "finite");
    expect_refused((carom_weakening){.Ts = 2, .Td = 1, .vd = -1}, "its decay is -1");
    expect_refused((carom_weakening){.Ts = 2, .Td = 1, .vd = NAN}, "its decay is nan");
}

/* In other units, by powers of two, the slip has the same significand. */
static void slip_has_no_unit(void **state)
{
    (void)state;
    const carom_weakening law = {.Td = 0.272, .Ts = 1.232, .vd = 19.1};
    for (int trial = 1; trial <= 200; trial++) {
        const double a = 0.064, h = 1e-3, c = 1.3e-3 + 7e-5 * trial * trial;
        double force, other;
        const double slip = carom_weakening_solve(a, h, c, &law, 0.0, &force);
        for (int unit = -40; unit <= 40; unit += 20) { /* of speeds */
            const carom_weakening scaled = {.Td = law.Td, .Ts = law.Ts, .vd = ldexp(law.vd, -unit)};
            assert_true(carom_weakening_solve(ldexp(a, -unit), h, c, &scaled, 0.0, &other) ==
                        ldexp(slip, unit));
            assert_true(other == force);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slip_has_no_unit),
        cmocka_unit_test(force_falls_from_static_to_the_bound),
        cmocka_unit_test(step_satisfies_law_and_balance),
        cmocka_unit_test(slip_grows_with_the_load),
        cmocka_unit_test(coulomb_is_a_special_case),
        cmocka_unit_test(what_is_no_law_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
