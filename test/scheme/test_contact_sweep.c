#include "models.h"

#include "contact_sweep.h"

static const carom_planar_set half_interval = {.kind = CAROM_PLANAR_INTERVAL, .a = -0.5, .b = 0.5};

static void start_sweep(contact_sweep *sweep, carom_arena *arena, int count)
{
    assert_true(contact_sweep_take(sweep, arena, count));
    sweep->count = count;
}

/* Contacts that do not act on each other: two sweeps, each contact as if alone. */
static void separate_contacts(void **unused)
{
    (void)unused;
    carom_arena *arena = carom_arena_create();
    contact_sweep sweep;
    start_sweep(&sweep, arena, 3);
    for (int k = 0; k < 3; k++) {
        sweep.tangents[k] = k == 1 ? 0 : 1;
        sweep.set[k] = half_interval;
        for (int i = 0; i < 2; i++)
            sweep.W[(3 * k + i) * 9 + 3 * k + i] = 2.0;
    }
    sweep.target[1] = 0.25;
    const double u_free[9] = {-1.0, 5.0, 0.0, -1.0, 9.9, 9.9, 0.5, 1.0, 0.0};
    memcpy(sweep.u_free, u_free, sizeof u_free);
    assert_int_equal(contact_sweep_solve(&sweep, NULL), CAROM_OK);
    assert_int_equal(sweep.sweeps, 2);
    assert_close(sweep.impulse[0], 0.5, 1e-16);
    assert_close(sweep.impulse[1], -0.25, 1e-16);
    assert_close(sweep.impulse[3], 0.625, 1e-16);
    assert_close(sweep.impulse[6], 0.0, 0.0);
    assert_int_equal(sweep.branch[0], CAROM_CONTACT_SLIP);
    assert_int_equal(sweep.branch[1], CAROM_CONTACT_SLIP);
    assert_int_equal(sweep.branch[2], CAROM_CONTACT_OPEN);
    assert_close(sweep.error, 0.0, 1e-15);
    carom_arena_free(arena);
}

/* Blocks are rows times responses, tangents included. */
static void blocks_from_rows(void **unused)
{
    (void)unused;
    const double q[3] = {0.0, 0.0, 0.0};
    carom_arena *arena = carom_arena_create();
    hand_model hand;
    contact_rows rows;
    contact_sweep sweep;
    hand_init(&hand, 3, 1);
    hand.frame = floor_frame;
    hand_friction(&hand, 0, 2, -1.0, 0.5);
    assert_true(contact_rows_take(&rows, arena, &hand.model));
    hand_frame(&hand.work, 0, 0.0, q, &rows.frame[0]);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            contact_response(&rows, 0, k)[i] = 10.0 * k + i;
    start_sweep(&sweep, arena, 1);
    sweep.tangents[0] = 2;
    contact_sweep_set_block(&sweep, 0, 0, &rows, 0, 0);
    /* row 0 picks coordinate 2, row 1 coordinate 0, row 2 coordinate 1 */
    const double expected[9] = {2, 12, 22, 0, 10, 20, 1, 11, 21};
    for (int i = 0; i < 9; i++)
        assert_close(sweep.W[i], expected[i], 0.0);
    carom_arena_free(arena);
}

/* Random frictionless problems: the same velocities as the LCP; random frictional ones: the laws hold. */
static void random_problems(void **unused)
{
    (void)unused;
    enum {
        COUNT = 3,
        ROWS = 3 * COUNT,
        DOF = 10
    };
    carom_random random = {11};
    for (int trial = 0; trial < 100; trial++) {
        carom_arena *arena = carom_arena_create();
        contact_sweep sweep;
        start_sweep(&sweep, arena, COUNT);
        double rows[ROWS][DOF];
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < DOF; j++)
                rows[i][j] = carom_random_uniform(&random, -1.0, 1.0);
            sweep.u_free[i] = carom_random_uniform(&random, -2.0, 1.0);
        }
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < ROWS; j++)
                sweep.W[i * ROWS + j] = carom_dot(DOF, rows[i], rows[j]);
        for (int k = 0; k < COUNT; k++) {
            sweep.tangents[k] = trial % 3;
            sweep.target[k] = carom_random_uniform(&random, 0.0, 0.5);
            sweep.set[k] =
                trial % 3 == 1 ? half_interval : (carom_planar_set){.kind = CAROM_PLANAR_DISK, .a = 0.3};
        }
        carom_error error = {0};
        if (contact_sweep_solve(&sweep, &error) != CAROM_OK)
            fail_msg("trial %d: %s, error %g", trial, error.text, sweep.error);
        assert_true(sweep.error <= 1e-12);
        for (int k = 0; k < COUNT; k++) {
            double u =
                sweep.u_free[3 * k] + carom_dot(ROWS, sweep.W + (ptrdiff_t)3 * k * ROWS, sweep.impulse);
            assert_true(sweep.impulse[3 * k] >= 0.0);
            if (sweep.impulse[3 * k] > 0.0)
                assert_close(u, sweep.target[k], 1e-11);
            else
                assert_true(u >= sweep.target[k] - 1e-11);
        }
        carom_arena_free(arena);
    }
}

/* A block that is not positive definite is reported with its contact. */
static void bad_block_is_named(void **unused)
{
    (void)unused;
    carom_arena *arena = carom_arena_create();
    contact_sweep sweep;
    carom_error error = {0};
    start_sweep(&sweep, arena, 2);
    for (int k = 0; k < 2; k++) {
        sweep.tangents[k] = 1;
        sweep.set[k] = half_interval;
        sweep.W[3 * k * 6 + 3 * k] = 1.0;
        sweep.W[(3 * k + 1) * 6 + 3 * k + 1] = k == 0 ? 1.0 : -1.0;
        sweep.u_free[3 * k] = -1.0;
    }
    assert_int_not_equal(contact_sweep_solve(&sweep, &error), CAROM_OK);
    assert_int_equal(sweep.failed_contact, 1);
    assert_true(error.text[0] != '\0');
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separate_contacts),
        cmocka_unit_test(blocks_from_rows),
        cmocka_unit_test(random_problems),
        cmocka_unit_test(bad_block_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
