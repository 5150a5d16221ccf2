/* W of pairs of bodies in its parts: what they do is what the matrix does. */
#include "contact/coulomb/pairs/pairs_blocks.h"
#include "contact/coulomb/pairs/pairs_rows.h"
#include "sample_piles.h"
#include "test/near.h"

static void fill_impulses(pile *p, uint64_t seed)
{
    carom_random random = {seed};
    for (int i = 0; i < 3 * p->problem.contacts; i++)
        p->r[i] = p->problem.plane && i % 3 == 2 ? 0.0 : carom_random_uniform(&random, -0.5, 1.0);
}

static void check_velocities(bool plane)
{
    static pile p;
    pairs_blocks blocks = {0};
    double u[3 * PILE_CONTACTS], one[3], block[9];
    make_pile(&p, 3, plane, 5, 0.4);
    fill_impulses(&p, 5);
    assert_true(pairs_blocks_assemble(&blocks, &p.problem, 1.0));
    carom_blocks_multiply(&blocks.W, p.r, p.q, u);
    carom_pairs_motion(&p.problem, p.r, p.velocity);
    for (int i = 0; i < p.problem.contacts; i++) {
        carom_pairs_velocity(&p.problem, i, p.velocity, one);
        carom_pairs_block(&p.problem, i, block);
        for (int k = 0; k < 3; k++)
            assert_near(one[k], u[3 * i + k], 1e-12);
        for (int k = 0; k < 9; k++)
            assert_near(block[k], carom_block_at(&blocks.W, blocks.W.diagonal[i])[k], 1e-13);
    }
    pairs_blocks_free(&blocks);
}

static void velocities_are_those_of_the_matrix(void **state)
{
    (void)state;
    check_velocities(true);
    check_velocities(false);
}

/* The error is that of the assembled problem, whose impulses have the unit of velocities. */
static void check_error(bool plane)
{
    static pile p;
    pairs_blocks blocks = {0};
    pairs_rows rows = {0};
    double mu[PILE_CONTACTS], scaled[3 * PILE_CONTACTS], packed[3 * PILE_CONTACTS], v[6 * (PILE_BODIES + 1)];
    make_pile(&p, 7, plane, 4, 0.3);
    fill_impulses(&p, 9);
    const double scale = carom_pairs_scale(&p.problem);
    assert_true(pairs_blocks_assemble(&blocks, &p.problem, scale));
    assert_true(pairs_rows_take(&rows, &p.problem, scale));
    for (int i = 0; i < p.problem.contacts; i++) {
        mu[i] = p.row[i].mu;
        for (int k = 0; k < 3; k++) {
            scaled[3 * i + k] = scale * p.r[3 * i + k];
            if (k < rows.d)
                packed[rows.d * i + k] = scaled[3 * i + k];
        }
    }
    const carom_coulomb coulomb = {.contacts = p.problem.contacts, .W = blocks.W, .q = p.q, .mu = mu};
    const double expected = carom_coulomb_error(&coulomb, scaled);
    carom_pairs_motion(&p.problem, p.r, p.velocity);
    pairs_rows_motion(&rows, packed, v);
    assert_true(expected > 0.1);
    assert_near(carom_pairs_error(&p.problem, scale, p.r, p.velocity), expected, 1e-12 * expected);
    assert_near(pairs_rows_error(&rows, packed, v), expected, 1e-12 * expected);
    pairs_rows_free(&rows);
    pairs_blocks_free(&blocks);
}

static void the_error_is_that_of_the_matrix(void **state)
{
    (void)state;
    check_error(true);
    check_error(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_those_of_the_matrix),
        cmocka_unit_test(the_error_is_that_of_the_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
