/* Contacts that touch so many velocities that the places of M + H D H^T cannot be numbered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "contact/coulomb/parts/velocity_system.h"

enum {
    BLOCKS = 65537, /* BLOCKS (BLOCKS - 1) / 2 is more than an int holds */
    VELOCITIES = 3 * BLOCKS
};

/* One contact in the plane that pushes a velocity of every block, and slides along one; M is the unit matrix. */
static carom_coulomb_global wide_contact(carom_arena *arena)
{
    static double mu = 0.5, w[2] = {-1.0, 0.0};
    int *start = carom_arena_take(arena, VELOCITIES + 1, sizeof *start),
        *row = carom_arena_take(arena, VELOCITIES, sizeof *row),
        *H_start = carom_arena_take(arena, 3, sizeof *H_start),
        *H_row = carom_arena_take(arena, BLOCKS + 1, sizeof *H_row);
    double *one = carom_arena_take(arena, VELOCITIES, sizeof *one),
           *f = carom_arena_take(arena, VELOCITIES, sizeof *f);
    assert_true(start && row && H_start && H_row && one && f);
    for (int i = 0; i < VELOCITIES; i++) {
        start[i + 1] = i + 1;
        row[i] = i;
        one[i] = 1.0;
    }
    for (int i = 0; i < BLOCKS; i++)
        H_row[i] = 3 * i;
    H_row[BLOCKS] = 1;
    H_start[1] = BLOCKS;
    H_start[2] = BLOCKS + 1;
    return (carom_coulomb_global){.contacts = 1,
                                  .dimension = 2,
                                  .M = {VELOCITIES, VELOCITIES, start, row, one},
                                  .H = {VELOCITIES, 2, H_start, H_row, one},
                                  .f = f,
                                  .w = w,
                                  .mu = &mu};
}

static void test_wide_contact_is_solved_another_way(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    assert_non_null(arena);
    const carom_coulomb_global global = wide_contact(arena);
    assert_true(coulomb_velocity_system_suits(&global));
    assert_null(coulomb_velocity_system_create(&global));
    double *v = carom_arena_take(arena, VELOCITIES, sizeof *v), r[2] = {0.0, 0.0};
    carom_solve_report report;
    carom_error error = {0};
    assert_non_null(v);
    assert_int_equal(carom_coulomb_solve_global(&global, NULL, v, r, &report, &error), CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    assert_true(fabs(BLOCKS * r[0] - 1.0) <= 1e-7); /* u_N = BLOCKS r_N - 1 */
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wide_contact_is_solved_another_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
