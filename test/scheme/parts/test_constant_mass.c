#include "test/scheme/models.h"

#include "scheme/parts/constant_mass.h"

static carom_status make_mass(hand_model *hand, carom_arena *arena, constant_mass *mass, carom_error *error)
{
    const double q[3] = {0.0, 0.0, 0.0};
    return constant_mass_create(arena, &hand->work, 0.0, q, mass, error);
}

static void diagonal_and_full_solve(void **unused)
{
    (void)unused;
    const double matrices[2][9] = {{2, 0, 0, 0, 4, 0, 0, 0, 8}, {4, 1, -1, 1, 3, 0.5, -1, 0.5, 2}};
    const double x[3] = {1.0, -2.0, 3.0};
    for (int k = 0; k < 2; k++) {
        carom_arena *arena = carom_arena_create();
        hand_model hand;
        constant_mass mass;
        double f[3], found[3];
        hand_init(&hand, 3, 0);
        memcpy(hand.mass, matrices[k], sizeof matrices[k]);
        assert_int_equal(make_mass(&hand, arena, &mass, NULL), CAROM_OK);
        assert_int_equal(mass.diagonal, k == 0);
        for (int i = 0; i < 3; i++)
            f[i] = carom_dot(3, matrices[k] + 3 * i, x);
        constant_mass_solve(&mass, f, found);
        for (int i = 0; i < 3; i++)
            assert_close(found[i], x[i], 1e-14);
        carom_arena_free(arena);
    }
}

static void check_refused(const double *matrix, const char *const *words)
{
    carom_arena *arena = carom_arena_create();
    hand_model hand;
    constant_mass mass;
    carom_error error = {0};
    hand_init(&hand, 3, 0);
    memcpy(hand.mass, matrix, 9 * sizeof *matrix);
    assert_int_equal(make_mass(&hand, arena, &mass, &error), CAROM_BAD_INPUT);
    for (int i = 0; words[i]; i++)
        assert_mentions(&error, words[i]);
    carom_arena_free(arena);
}

static void bad_matrices_are_refused(void **unused)
{
    (void)unused;
    check_refused((double[]){1, 0, 0, 0, -3, 0, 0, 0, 1}, (const char *[]){"q2", "-3", "positive", NULL});
    check_refused((double[]){1, 0, 0, 0, 1, 0, 0, 0, 0}, (const char *[]){"q3", "pivot", "0", NULL});
    /* pivot 1 - 2 * 2 = -3 */
    check_refused((double[]){1, 2, 0, 2, 1, 0, 0, 0, 1}, (const char *[]){"q2", "-3", NULL});
    /* pivot 1 - (1,1) [2 1; 1 2]^-1 (1,1) 4 = 1 - 8/3 */
    check_refused((double[]){2, 1, 2, 1, 2, 2, 2, 2, 1}, (const char *[]){"q3", "-1.66667", NULL});
    check_refused((double[]){1, 0.5, 0, 0.4, 1, 0, 0, 0, 1},
                  (const char *[]){"not symmetric", "q2", "q1", NULL});
    check_refused((double[]){1, 0, 0, 0, NAN, 0, 0, 0, 1}, (const char *[]){"finite", "q2", NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diagonal_and_full_solve),
        cmocka_unit_test(bad_matrices_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
