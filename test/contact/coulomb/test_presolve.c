#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "contact/coulomb/presolve.h"

enum {
    CONTACTS = 6
};

/* Contacts 0-2 and 1-4 act on each other, 3 acts on none, 5 only opens; every diagonal block is the unit
 * matrix. */
static carom_coulomb sample(carom_arena *arena, double *q, double *mu)
{
    static const int pair[][2] = {{0, 2}, {2, 0}, {1, 4}, {4, 1}};
    int row[3 * CONTACTS + 5], column[3 * CONTACTS + 5];
    double value[3 * CONTACTS + 5];
    size_t count = 0;
    for (int i = 0; i < 3 * CONTACTS; i++) {
        row[count] = column[count] = i;
        value[count++] = 1.0;
    }
    for (int k = 0; k < 4; k++) {
        row[count] = 3 * pair[k][0];
        column[count] = 3 * pair[k][1] + 1;
        value[count++] = 0.25;
    }
    row[count] = 3 * 5; /* contact 3 pushes 5 open, and nothing pushes it shut */
    column[count] = 3 * 3;
    value[count++] = 0.5;
    carom_coulomb problem = {.contacts = CONTACTS, .q = q, .mu = mu};
    for (int i = 0; i < CONTACTS; i++) {
        mu[i] = 0.5;
        q[3 * i] = i == 5 ? 0.1 : -1.0;
    }
    assert_true(carom_blocks_take(arena, CONTACTS, count, row, column, value, &problem.W));
    return problem;
}

static void islands_are_found_and_idle_contacts_dropped(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    double q[3 * CONTACTS] = {0}, mu[CONTACTS];
    const carom_coulomb problem = sample(arena, q, mu);
    coulomb_islands islands;
    assert_true(coulomb_find_islands(&problem, arena, &islands));
    assert_int_equal(islands.count, 3);
    const int start[] = {0, 2, 4, 5}, contact[] = {0, 2, 1, 4, 3};
    for (int i = 0; i <= 3; i++)
        assert_int_equal(islands.start[i], start[i]);
    for (int i = 0; i < 5; i++)
        assert_int_equal(islands.contact[i], contact[i]);
    carom_arena_free(arena);
}

/* A contact that others may close, or that moves shut by itself, is never dropped. */
static void only_what_cannot_close_is_dropped(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    double q[3 * CONTACTS] = {0}, mu[CONTACTS];
    carom_coulomb problem = sample(arena, q, mu);
    coulomb_islands islands;
    q[0] = 1.0; /* opens by itself, but the friction of contact 2 may close it: 0 < 0.5 * 0.25 */
    assert_true(coulomb_find_islands(&problem, arena, &islands));
    assert_int_equal(islands.start[islands.count], 5);
    mu[2] = 0.0; /* without friction there it cannot */
    assert_true(coulomb_find_islands(&problem, arena, &islands));
    assert_int_equal(islands.start[islands.count], 4);
    q[15] = -1e-9;
    assert_true(coulomb_find_islands(&problem, arena, &islands));
    assert_int_equal(islands.start[islands.count], 5);
    carom_arena_free(arena);
}

static void the_problem_of_an_island_has_its_blocks(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    double q[3 * CONTACTS] = {0}, mu[CONTACTS];
    const carom_coulomb problem = sample(arena, q, mu);
    q[3 * 4 + 2] = 7.0;
    mu[4] = 0.75;
    coulomb_islands islands;
    carom_coulomb part;
    assert_true(coulomb_find_islands(&problem, arena, &islands));
    assert_true(coulomb_island_problem(&problem, &islands, 1, arena, &part)); /* contacts 1 and 4 */
    assert_int_equal(part.contacts, 2);
    assert_true(part.mu[1] == 0.75 && part.q[5] == 7.0 && part.q[0] == -1.0);
    assert_int_equal(part.W.row_start[2], 4);
    assert_int_equal(part.W.column[part.W.diagonal[1]], 1);
    assert_true(carom_block_at(&part.W, 1)[1] == 0.25); /* block (0, 1): normal by the first tangent */
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_are_found_and_idle_contacts_dropped),
        cmocka_unit_test(only_what_cannot_close_is_dropped),
        cmocka_unit_test(the_problem_of_an_island_has_its_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
