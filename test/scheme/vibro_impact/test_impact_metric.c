#include "test/scheme/models.h"

#include "scheme/vibro_impact/impact_metric.h"

static void mass_with_position(const hand_model *hand, const double *q, double *mass)
{
    (void)hand;
    mass[0] = 2.0;
    mass[1] = mass[2] = q[0];
    mass[3] = 3.0;
}

static impact_metric take(carom_arena *arena, const hand_model *hand)
{
    impact_metric metric;
    assert_true(impact_metric_take(&metric, arena, &hand->model));
    return metric;
}

static void mass_that_depends_on_position(void **unused)
{
    (void)unused;
    hand_model hand;
    hand_init(&hand, 2, 0);
    hand.model.constant_mass = false;
    hand.variable_mass = mass_with_position;
    carom_arena *arena = carom_arena_create();
    impact_metric metric = take(arena, &hand);
    static const double places[] = {1.0, 0.0, -2.0};
    for (int k = 0; k < 3; k++) {
        const double q[2] = {places[k], 7.0};
        double x[2] = {5.0, -4.0};
        assert_int_equal(impact_metric_evaluate(&metric, &hand.work, 0.0, q), 0);
        assert_int_equal(metric.diagonal, places[k] == 0.0);
        impact_metric_solve(&metric, x);
        assert_close(2.0 * x[0] + q[0] * x[1], 5.0, 1e-14);
        assert_close(q[0] * x[0] + 3.0 * x[1], -4.0, 1e-14);
    }
    const double indefinite[2] = {2.5, 0.0};
    assert_int_equal(impact_metric_evaluate(&metric, &hand.work, 0.0, indefinite), 2);
    carom_arena_free(arena);
}

static void constant_mass_is_evaluated_once(void **unused)
{
    (void)unused;
    hand_model hand;
    hand_init(&hand, 2, 0);
    hand.mass[0] = 4.0;
    carom_arena *arena = carom_arena_create();
    impact_metric metric = take(arena, &hand);
    const double q[2] = {0.0, 0.0};
    double x[2] = {2.0, 3.0};
    assert_int_equal(impact_metric_evaluate(&metric, &hand.work, 0.0, q), 0);
    hand.mass[0] = -1.0;
    assert_int_equal(impact_metric_evaluate(&metric, &hand.work, 0.0, q), 0);
    impact_metric_solve(&metric, x);
    assert_close(x[0], 0.5, 0.0);
    assert_close(x[1], 3.0, 0.0);
    carom_arena_free(arena);
}

static void diagonal_mass_names_its_bad_row(void **unused)
{
    (void)unused;
    hand_model hand;
    hand_init(&hand, 3, 0);
    hand.mass[4] = 0.0;
    carom_arena *arena = carom_arena_create();
    impact_metric metric = take(arena, &hand);
    const double q[3] = {0.0, 0.0, 0.0};
    assert_int_equal(impact_metric_evaluate(&metric, &hand.work, 0.0, q), 2);
    assert_false(metric.known);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_that_depends_on_position),
        cmocka_unit_test(constant_mass_is_evaluated_once),
        cmocka_unit_test(diagonal_mass_names_its_bad_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
