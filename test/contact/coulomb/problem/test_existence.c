/* Proofs that there is no solution, and doubts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../formula_problems.h"

enum {
    MOST = 30
};

/* Two contacts that squeeze one mass from both sides, normals only: W = ((1, -1), (-1, 1)) / m. */
static const int start[] = {0, 2, 4}, column[] = {0, 1, 0, 1}, diagonal[] = {0, 3};

static void squeeze(double block[36], double second)
{
    for (int k = 0; k < 36; k++)
        block[k] = 0.0;
    block[0] = 1.0;
    block[9] = block[18] = -second;
    block[27] = second * second;
    for (int k = 0; k < 4; k += 3)
        block[9 * k + 4] = block[9 * k + 8] = 1.0;
}

/* Walls that approach: u_1 + u_2 = q_1 + q_2 < 0, whatever r is. The second contact may have another unit. */
static void walls_that_approach_leave_no_room(void **state)
{
    (void)state;
    for (double unit = 1e-6; unit < 1e7; unit *= 1e3) {
        double block[36], d[6];
        squeeze(block, unit);
        const double q[6] = {-1, 0, 0, 0.5 * unit, 0, 0}, mu[2] = {0.3, 0.3};
        const carom_coulomb problem = {2, {2, start, column, diagonal, block}, q, mu};
        carom_coulomb_proof proof;
        assert_true(carom_coulomb_infeasible(&problem, 1e-8, d, &proof));
        assert_true(d[0] > 0.0 && d[3] > 0.0 && d[1] == 0.0 && d[2] == 0.0 && d[4] == 0.0);
        assert_true(fabs(d[0] - unit * d[3]) < 1e-12 * d[0]);
        assert_true(proof.q_d < 0.0 && proof.least_error > 1e-8 && proof.largest_r > 1e6);
    }
}

/* Walls that move together, or apart. */
static void walls_that_keep_their_distance(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        double block[36], d[6];
        squeeze(block, 1.0);
        const double q[6] = {-1, 0, 0, 1.0 + 0.25 * k, 0, 0}, mu[2] = {0.3, 0.3};
        const carom_coulomb problem = {2, {2, start, column, diagonal, block}, q, mu};
        carom_coulomb_proof proof;
        assert_false(carom_coulomb_infeasible(&problem, 1e-8, d, &proof));
    }
}

/* A mass of 1e20 beside one of 1: W is small there, but not zero, and r = 1e20 is the solution. */
static void a_large_mass_can_be_moved(void **state)
{
    (void)state;
    const int own_start[] = {0, 1, 2}, own_column[] = {0, 1}, own_diagonal[] = {0, 1};
    double block[18] = {0}, d[6];
    for (int k = 0; k < 9; k += 4) {
        block[k] = 1.0;
        block[9 + k] = 1e-20;
    }
    const double q[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0.3, 0.3}, r[6] = {1, 0, 0, 1e20, 0, 0};
    const carom_coulomb problem = {2, {2, own_start, own_column, own_diagonal, block}, q, mu};
    carom_coulomb_proof proof;
    assert_false(carom_coulomb_infeasible(&problem, 1e-8, d, &proof));
    assert_true(carom_coulomb_error(&problem, r) < 1e-12);
}

/* Where nothing moves, a contact that slides away is open all the same: (35) fails, but there is a solution. */
static void a_doubt_is_no_proof(void **state)
{
    (void)state;
    static const int own_start[] = {0, 1}, own_column[] = {0}, own_diagonal[] = {0};
    const double W[9] = {0}, q[3] = {0, 1, 0}, mu = 1.0;
    const carom_coulomb problem = {1, {1, own_start, own_column, own_diagonal, W}, q, &mu};
    carom_coulomb_proof proof;
    double d[3];
    assert_true(carom_coulomb_error(&problem, (const double[]){0, 0, 0}) == 0.0);
    assert_true(carom_coulomb_find_doubt(&problem, d));
    assert_true(fabs(carom_dot(3, d, d) - 1.0) < 1e-12 && d[1] < 0.0);
    assert_false(carom_coulomb_infeasible(&problem, 1e-8, d, &proof));
}

/* The problem by formulas whose reactions grow without bound, and those that have solutions. */
static void doubts_of_formula_problems(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb grows = formula_syn_inf(arena);
    const carom_coulomb solved[] = {formula_syn36(arena), formula_def15(arena), formula_def12(arena)};
    carom_coulomb_proof proof;
    double d[MOST];
    assert_true(carom_coulomb_find_doubt(&grows, d));
    assert_true(carom_coulomb_is_doubtful(&grows, d));
    for (int k = 0; k < 3; k++) {
        assert_false(carom_coulomb_infeasible(&solved[k], 1e-8, d, &proof));
        assert_false(carom_coulomb_find_doubt(&solved[k], d));
    }
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_that_approach_leave_no_room), cmocka_unit_test(walls_that_keep_their_distance),
        cmocka_unit_test(a_large_mass_can_be_moved),         cmocka_unit_test(a_doubt_is_no_proof),
        cmocka_unit_test(doubts_of_formula_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
