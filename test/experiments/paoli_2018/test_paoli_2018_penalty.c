/* The penalised ball: closed forms without gravity, finitely many impacts with it. */
#include "test/experiments/trial.h"

#define PENALTY "paoli-2018/penalty"

static trial run_until(const char *variant, double e, double n, double h, double until)
{
    return trial_run(&(trial_request){
        .experiment = PENALTY, .variant = variant, .set = {{"e", e}, {"n", n}}, .h = h, .until = until});
}

static trial run_penalised(const char *variant, double e, double n, double h)
{
    return run_until(variant, e, n, h, 2);
}

static void ball_leaves_with_the_restitution(void **state)
{
    (void)state;
    static const struct {
        double e, zeta, contact; /* contact time times sqrt(n) */
        double at_1e4, at_1e6;   /* q(2), 0: not given */
    } cases[] = {
        {.3, 0.357857130503, 3.364395178133, 0.289906814466, 0.298990681447},
        {.5, 0.215453761966, 3.217150511712, 0.483914247441, 0.498391424744},
        {.8, 0.070850300195, 3.149507492543, 0, 0},
        {1, 0, 3.1415926536, 0.968584073464, 0.996858407346},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int fine = 0; fine < 2; fine++) {
            double e = cases[i].e, n = fine ? 1e6 : 1e4, published = fine ? cases[i].at_1e6 : cases[i].at_1e4;
            trial run = run_penalised(NULL, e, n, 0.01);
            double q = measured_value(&run, "q_end", 0);
            assert_near(measured_value(&run, "damping_ratio", 0), cases[i].zeta, 1e-12);
            assert_near(q, e * (1 - cases[i].contact / sqrt(n)), 1e-10);
            assert_near(velocity(&run, output_at(&run, 2), 0), e, 1e-10);
            if (published > 0)
                assert_near(q, published, 1e-10);
            trial_free(&run);
        }
}

static void critically_damped_ball_does_not_rebound(void **state)
{
    (void)state;
    trial run = run_penalised(NULL, 0, 1e4, 1e-3);
    for (size_t i = 1000; i < output_count(&run); i++) {
        double s = output(&run, i)[0] - 1;
        assert_near(position(&run, output(&run, i), 0), -s * exp(-100 * s), 1e-11);
    }
    assert_near(measured_value(&run, "deepest", 0), -exp(-1) / 100, 1e-9); /* at an output: t = 1.01 */
    trial_free(&run);
}

static void ball_comes_to_rest_on_the_spring(void **state)
{
    (void)state;
    static const double n[] = {1e4, 1e6, 1e8, 1e10};
    for (int i = 0; i < 4; i++) {
        trial run = run_penalised("gravity", .5, n[i], 0.01);
        assert_near(measured_value(&run, "q_end", 0), -9.81 / n[i], 1e-2 / n[i]);
        trial_free(&run);
    }
}

/* The error of an inelastic ball is its penetration. */
static void inelastic_ball_sinks_in_by_its_speed(void **state)
{
    (void)state;
    static const double n[] = {1e4, 1e6, 1e8}, deepest[] = {1.66e-2, 1.63e-3, 1.63e-4};
    for (int i = 0; i < 3; i++) {
        trial run = run_until("gravity", 0, n[i], 0.05 / sqrt(n[i]), 0.5);
        assert_near(measured_value(&run, "deepest", 0), -deepest[i], 0.004 * deepest[i]);
        trial_free(&run);
    }
}

/* Counted with outputs close enough to see the shortest flight; the accumulations end at 1.355 and 0.839. */
static void number_of_impacts_is_finite(void **state)
{
    (void)state;
    static const double n[] = {1e4, 1e6, 1e8, 1e10}, h[] = {1e-3, 1e-4, 4e-6, 1e-5};
    static const int of_05[] = {5, 8, 12, 15}, of_03[] = {3, 5, 7, 9};
    for (int i = 0; i < 4; i++) {
        trial half = run_until("gravity", .5, n[i], h[i], 1.4),
              third = run_until("gravity", .3, n[i], h[i], 0.85);
        assert_int_equal((int)measured_value(&half, "impacts", 0), of_05[i]);
        assert_int_equal((int)measured_value(&third, "impacts", 0), of_03[i]);
        trial_free(&half);
        trial_free(&third);
    }
}

static void elastic_ball_comes_to_the_rigid_one(void **state)
{
    (void)state;
    static const double n[] = {1e4, 1e6, 1e8, 1e10};
    static const double at_15[] = {0.3291871240, 0.5213436476, 0.5385425983, 0.5402428157};
    for (int i = 0; i < 4; i++) {
        trial run = run_penalised("gravity", 1, n[i], 0.01);
        assert_near(measured_value(&run, "q_15", 0), at_15[i], 1e-9);
        trial_free(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_leaves_with_the_restitution),
        cmocka_unit_test(critically_damped_ball_does_not_rebound),
        cmocka_unit_test(ball_comes_to_rest_on_the_spring),
        cmocka_unit_test(inelastic_ball_sinks_in_by_its_speed),
        cmocka_unit_test(number_of_impacts_is_finite),
        cmocka_unit_test(elastic_ball_comes_to_the_rigid_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
