#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "contact/coulomb/parts/line_search.h"

static const double mu[1] = {0.5}, rest[3] = {0};
static const coulomb_rho rho[1] = {{1.0, 1.0}};

/* An open contact: G = r. */
static coulomb_line open_line(const double *u, const double *r, const double *dr)
{
    return (coulomb_line){1, coulomb_alart_curnier, mu, rho, u, rest, r, dr};
}

static void merit_is_half_the_square(void **state)
{
    (void)state;
    const double u[3] = {10, 0, 0}, r[3] = {1, 2, -2}, dr[3] = {-1, -2, 2};
    const coulomb_line line = open_line(u, r, dr);
    assert_true(fabs(coulomb_line_merit(&line, 0.0) - 4.5) <= 1e-15);
    assert_true(fabs(coulomb_line_merit(&line, 0.5) - 1.125) <= 1e-15);
    assert_true(coulomb_line_merit(&line, 1.0) == 0.0);
}

/* theta = (1 - t)^2 theta(0) along Newton's direction: mean slope (t - 2) / 2 of the first. */
static void newtons_step_is_taken_whole(void **state)
{
    (void)state;
    const double u[3] = {10, 0, 0}, r[3] = {1, 2, -2}, dr[3] = {-1, -2, 2};
    const coulomb_line line = open_line(u, r, dr);
    assert_true(coulomb_line_goldstein_price(&line, coulomb_line_merit(&line, 0.0)) == 1.0);
}

/* Too long directions are shortened: the mean slope ends between 0.1 and 0.9 of -2 theta(0). */
static void long_directions_are_shortened(void **state)
{
    (void)state;
    const double u[3] = {10, 0, 0}, r[3] = {1, 2, -2}, factor[3] = {2.5, 4.0, 9.0};
    for (int k = 0; k < 3; k++) {
        const double dr[3] = {-factor[k], -2 * factor[k], 2 * factor[k]};
        const coulomb_line line = open_line(u, r, dr);
        const double merit = coulomb_line_merit(&line, 0.0), t = coulomb_line_goldstein_price(&line, merit);
        const double part = (coulomb_line_merit(&line, t) - merit) / (-2.0 * merit * t);
        assert_true(t < 1.0 && part >= 0.1 && part <= 0.9);
    }
}

/* Uphill there is no step. */
static void a_wrong_direction_collapses(void **state)
{
    (void)state;
    const double u[3] = {10, 0, 0}, r[3] = {1, 2, -2}, dr[3] = {1, 2, -2};
    const coulomb_line line = open_line(u, r, dr);
    assert_true(coulomb_line_goldstein_price(&line, coulomb_line_merit(&line, 0.0)) < 1e-10);
}

/* Armijo halves: a step 1, 1/2, 1/4, ... whose descent is a tenth of the first slope, the longest of them. */
static void armijo_takes_the_longest_that_descends(void **state)
{
    (void)state;
    const double u[3] = {10, 0, 0}, r[3] = {1, 2, -2}, factor[4] = {1.0, 2.5, 4.0, 9.0};
    for (int k = 0; k < 4; k++) {
        const double dr[3] = {-factor[k], -2 * factor[k], 2 * factor[k]};
        const coulomb_line line = open_line(u, r, dr);
        const double merit = coulomb_line_merit(&line, 0.0), t = coulomb_line_armijo(&line, merit);
        assert_true(coulomb_line_merit(&line, t) - merit <= -0.2 * merit * t);
        if (t < 1.0)
            assert_false(coulomb_line_merit(&line, 2 * t) - merit <= -0.2 * merit * 2 * t);
    }
    const double uphill[3] = {1, 2, -2};
    const coulomb_line line = open_line(u, r, uphill);
    assert_true(coulomb_line_armijo(&line, coulomb_line_merit(&line, 0.0)) < COULOMB_LINE_SMALLEST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merit_is_half_the_square),
        cmocka_unit_test(newtons_step_is_taken_whole),
        cmocka_unit_test(long_directions_are_shortened),
        cmocka_unit_test(a_wrong_direction_collapses),
        cmocka_unit_test(armijo_takes_the_longest_that_descends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
