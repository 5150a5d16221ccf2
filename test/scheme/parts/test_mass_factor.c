#include "test/scheme/models.h"

#include "scheme/parts/mass_factor.h"

static mass_factor take(carom_arena *arena, const hand_model *hand)
{
    mass_factor mass;
    assert_true(mass_factor_take(&mass, arena, &hand->model));
    return mass;
}

static void diagonal_and_full_solve(void **unused)
{
    (void)unused;
    const double matrices[2][9] = {{2, 0, 0, 0, 4, 0, 0, 0, 8}, {4, 1, -1, 1, 3, 0.5, -1, 0.5, 2}};
    const double x[3] = {1.0, -2.0, 3.0};
    for (int k = 0; k < 3; k++) { /* at last: a diagonal one like a full one */
        carom_arena *arena = carom_arena_create();
        hand_model hand;
        bool diagonal = false;
        double f[3], found[3];
        hand_init(&hand, 3, 0);
        memcpy(hand.mass, matrices[k % 2], sizeof matrices[0]);
        assert_int_equal(mass_check(&hand.work, 0.0, x, &diagonal, NULL), CAROM_OK);
        assert_int_equal(diagonal, k % 2 == 0);
        mass_factor mass = take(arena, &hand);
        mass.full = k == 2;
        assert_int_equal(mass_factor_evaluate(&mass, &hand.work, 0.0, x), 0);
        assert_int_equal(mass.diagonal, k == 0);
        for (int i = 0; i < 3; i++)
            f[i] = carom_dot(3, matrices[k % 2] + 3 * i, x);
        mass_factor_solve(&mass, f, found);
        mass_factor_solve(&mass, f, f); /* in place */
        for (int i = 0; i < 3; i++) {
            assert_near(found[i], x[i], 1e-14);
            assert_near(f[i], found[i], 0.0);
        }
        carom_arena_free(arena);
    }
}

static void check_refused(const double *matrix, const char *const *words)
{
    const double q[3] = {0.0, 0.0, 0.0};
    hand_model hand;
    carom_error error = {0};
    hand_init(&hand, 3, 0);
    memcpy(hand.mass, matrix, 9 * sizeof *matrix);
    assert_int_equal(mass_check(&hand.work, 0.0, q, NULL, &error), CAROM_BAD_INPUT);
    for (int i = 0; words[i]; i++)
        assert_mentions(&error, words[i]);
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

static void mass_with_position(const hand_model *hand, const double *q, double *mass)
{
    (void)hand;
    mass[0] = 2.0;
    mass[1] = mass[2] = q[0];
    mass[3] = 3.0;
}

static void mass_that_depends_on_position(void **unused)
{
    (void)unused;
    hand_model hand;
    hand_init(&hand, 2, 0);
    hand.model.constant_mass = false;
    hand.variable_mass = mass_with_position;
    carom_arena *arena = carom_arena_create();
    mass_factor mass = take(arena, &hand);
    static const double places[] = {1.0, 0.0, -2.0};
    for (int k = 0; k < 3; k++) {
        const double q[2] = {places[k], 7.0};
        double x[2] = {5.0, -4.0};
        assert_int_equal(mass_factor_evaluate(&mass, &hand.work, 0.0, q), 0);
        assert_int_equal(mass.diagonal, places[k] == 0.0);
        mass_factor_solve(&mass, x, x);
        assert_near(2.0 * x[0] + q[0] * x[1], 5.0, 1e-14);
        assert_near(q[0] * x[0] + 3.0 * x[1], -4.0, 1e-14);
    }
    const double indefinite[2] = {2.5, 0.0};
    assert_int_equal(mass_factor_evaluate(&mass, &hand.work, 0.0, indefinite), 2);
    carom_arena_free(arena);
}

static void constant_mass_is_evaluated_once(void **unused)
{
    (void)unused;
    hand_model hand;
    hand_init(&hand, 2, 0);
    hand.mass[0] = 4.0;
    carom_arena *arena = carom_arena_create();
    mass_factor mass = take(arena, &hand);
    const double q[2] = {0.0, 0.0};
    double x[2] = {2.0, 3.0};
    assert_int_equal(mass_factor_evaluate(&mass, &hand.work, 0.0, q), 0);
    hand.mass[0] = -1.0;
    assert_int_equal(mass_factor_evaluate(&mass, &hand.work, 0.0, q), 0);
    mass_factor_solve(&mass, x, x);
    assert_near(x[0], 0.5, 0.0);
    assert_near(x[1], 3.0, 0.0);
    carom_arena_free(arena);
}

static void diagonal_mass_names_its_bad_row(void **unused)
{
    (void)unused;
    hand_model hand;
    hand_init(&hand, 3, 0);
    hand.mass[4] = 0.0;
    carom_arena *arena = carom_arena_create();
    mass_factor mass = take(arena, &hand);
    const double q[3] = {0.0, 0.0, 0.0};
    assert_int_equal(mass_factor_evaluate(&mass, &hand.work, 0.0, q), 2);
    assert_false(mass.known);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diagonal_and_full_solve),         cmocka_unit_test(bad_matrices_are_refused),
        cmocka_unit_test(mass_that_depends_on_position),   cmocka_unit_test(constant_mass_is_evaluated_once),
        cmocka_unit_test(diagonal_mass_names_its_bad_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
