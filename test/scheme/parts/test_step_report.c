#include "test/scheme/models.h"

#include "scheme/parts/step_report.h"

static void texts_say_where(void **unused)
{
    (void)unused;
    hand_model hand;
    carom_error error = {0};
    hand_init(&hand, 3, 0);
    assert_int_equal(fail_step(&error, 0.25, 7, "value %d", 42), CAROM_FAILED);
    assert_string_equal(error.text, "t = 0.25, step 7: value 42");
    const double good[3] = {1.0, 2.0, 3.0}, bad[3] = {1.0, NAN, INFINITY};
    assert_int_equal(first_not_finite(3, good), 3);
    assert_int_equal(first_not_finite(3, bad), 1);
    fail_not_finite(&error, 0.0, 1, &hand.model, bad, good);
    assert_mentions(&error, "force of coordinate 'q2'");
    fail_not_finite(&error, 0.0, 1, &hand.model, good, (double[]){0.0, 0.0, INFINITY});
    assert_mentions(&error, "velocity of coordinate 'q3'");
    assert_int_equal(fail_step(NULL, 0.0, 1, "no place for the text"), CAROM_FAILED);
}

static void solves_are_counted(void **unused)
{
    (void)unused;
    carom_step_counts counts = {0};
    count_solve(&counts, 3, 1e-9);
    count_solve(&counts, 4, 1e-12);
    assert_int_equal(counts.solver_iterations, 7);
    assert_near(counts.worst_solver_error, 1e-9, 0.0);
    assert_near(counts.solver_tolerance, 0.0, 0.0);
    count_report(&counts, &(carom_solve_report){.iterations = 2, .error = 1e-8, .tolerance = 1e-6});
    count_report(&counts, &(carom_solve_report){.iterations = 1, .tolerance = 1e-10});
    assert_int_equal(counts.solver_iterations, 10);
    assert_near(counts.worst_solver_error, 1e-8, 0.0);
    assert_near(counts.solver_tolerance, 1e-6, 0.0); /* the largest */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_say_where),
        cmocka_unit_test(solves_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
