/* bruls-2018/pendulum. Expected: independent prototype of the discrete equations (states, residuals), exact
 * motion by Runge-Kutta of order 8 with tolerance 1e-13. */
#include "test/experiments/trial.h"

#define PENDULUM "bruls-2018/pendulum"

static const double THETA_1 = 10.824839998, W_1 = 11.269798960; /* exact at t = 1 */

static void check_state(const trial *run, size_t step, const double *q, const double *v)
{
    const double *row = output(run, step);
    for (int i = 0; i < 3; i++) {
        assert_near(position(run, row, i), q[i], 6e-9);
        assert_near(velocity(run, row, i), v[i], 6e-9);
    }
}

/* h = 2e-3, rho_inf = 0.9, pva */
static void states_are_those_of_the_prototype(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = PENDULUM});
    check_state(&run, 1, (double[]){0.85586129, 0.51720543, 0.54358251},
                (double[]){-5.16395544, 8.54521099, 9.98434107});
    check_state(&run, 500, (double[]){-0.17032784, -0.98538745, 10.82441192},
                (double[]){11.10480058, -1.91950560, 11.26947637});
    check_state(&run, 1000, (double[]){-0.67945981, 0.73371273, 21.16737839},
                (double[]){-7.17956495, -6.64868638, 9.78525337});
    assert_true(measured_value(&run, "drift", 0) < 1e-12);
    assert_true(measured_value(&run, "drift_rate", 0) < 1e-12);
    trial_free(&run);
}

/* Joints at position, velocity, or both levels: which residual is left, and where the motion ends. The tenth
 * digit needs a tighter tolerance than the default 1e-10. */
static void levels_leave_their_residuals(void **state)
{
    (void)state;
    static const struct {
        const char *constraints;
        double theta, w, drift, drift_end, drift_rate, tolerance;
    } cases[] = {
        {"p", 21.1673322822, 9.7849664453, 0, 0, 4.924e-4, 6e-8},
        {"v", 21.1680077818, 9.7856662158, 8.938e-5, 8.1100e-5, 0, 6e-9},
        {"pv", 21.1673856845, 9.7852662133, 0, 0, 0, 1e-9},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        trial run = trial_run(
            &(trial_request){.experiment = PENDULUM,
                             .option = {{"constraints", (char *)cases[k].constraints}, {"tol", "1e-12"}}});
        assert_near(measured_value(&run, "theta_end", 0), cases[k].theta, 6e-11);
        assert_near(measured_value(&run, "w_end", 0), cases[k].w, 6e-11);
        assert_near(measured_value(&run, "drift", 0), cases[k].drift, cases[k].tolerance);
        assert_near(measured_value(&run, "drift_end", 0), cases[k].drift_end, 6e-10);
        assert_near(measured_value(&run, "drift_rate", 0), cases[k].drift_rate, cases[k].tolerance);
        trial_free(&run);
    }
}

/* Errors at t = 1 fall by four when the step is halved; largest errors over [0, 1] are 1.7177e-3
 * and 4.2807e-4 for the first two steps, and they are at the end. */
static void the_scheme_is_of_second_order(void **state)
{
    (void)state;
    static const double h[] = {4e-3, 2e-3, 1e-3}, largest[] = {1.7177e-3, 4.2807e-4, 1.0684e-4};
    double before = NAN;
    for (int k = 0; k < 3; k++) {
        trial run = trial_run(&(trial_request){.experiment = PENDULUM, .h = h[k], .until = 1.0});
        const double theta = fabs(measured_value(&run, "theta_end", 0) - THETA_1);
        const double w = fabs(measured_value(&run, "w_end", 0) - W_1);
        assert_true(theta <= largest[k] * 1.0001 && theta > 0.9 * largest[k]);
        if (k > 0)
            assert_near(log2(before / w), 2.0, 0.03);
        before = w;
        trial_free(&run);
    }
}

/* Zero accelerations at the start cost pva O(h) once, and no level of the joints. */
static void a_start_after_an_impact_keeps_the_joints(void **state)
{
    (void)state;
    static const char *const variants[] = {"post-impact", "post-impact-rho-1"};
    for (int k = 0; k < 2; k++) {
        trial run = trial_run(&(trial_request){.experiment = PENDULUM, .variant = variants[k]});
        assert_near(measured_value(&run, "theta_end", 0) - THETA_1, 6.05e-3, 2e-5);
        assert_true(measured_value(&run, "drift_rate", 0) < 1e-12);
        trial_free(&run);
    }
    trial run = trial_run(&(trial_request){
        .experiment = PENDULUM, .variant = "post-impact-rho-1", .option = {{"constraints", "p"}}});
    assert_true(measured_value(&run, "drift_rate", 0) > 1.0); /* p without damping: grows */
    trial_free(&run);
}

static void gravity_may_point_along_y(void **state)
{
    (void)state;
    trial coarse = trial_run(&(trial_request){.experiment = PENDULUM, .variant = "up", .h = 1e-3});
    trial fine = trial_run(&(trial_request){.experiment = PENDULUM, .variant = "up", .h = 5e-4});
    const char *const names[] = {"theta_end", "w_end"};
    const double exact[] = {19.452207020, 10.060569777};
    for (int i = 0; i < 2; i++) {
        const double f = measured_value(&fine, names[i], 0), c = measured_value(&coarse, names[i], 0);
        assert_near(f + (f - c) / 3, exact[i], 1e-6);
    }
    trial_free(&coarse);
    trial_free(&fine);
}

/* moreau-jean as published, theta = 1/2: w(1) and the largest errors of the angle, which are at the end. */
static void published_moreau_jean_is_of_first_order(void **state)
{
    (void)state;
    static const double h[] = {4e-3, 2e-3, 1e-3}, error[] = {0.9069, 0.4869, 0.2529};
    for (int k = 0; k < 3; k++) {
        trial run = trial_run(&(trial_request){.experiment = PENDULUM,
                                               .scheme = "moreau-jean",
                                               .option = {{"joints", "end"}},
                                               .h = h[k],
                                               .until = 1.0});
        assert_near(THETA_1 - measured_value(&run, "theta_end", 0), error[k], 6e-5);
        if (k == 2)
            assert_near(measured_value(&run, "w_end", 0), 10.78279392, 6e-9);
        trial_free(&run);
    }
}

/* Joints that act at both ends of the step: nearer than generalized-alpha. */
static void moreau_jean_is_of_second_order(void **state)
{
    (void)state;
    double error[3];
    for (int k = 0; k < 3; k++) {
        trial run = trial_run(&(trial_request){
            .experiment = PENDULUM, .scheme = "moreau-jean", .h = 4e-3 / (1 << k), .until = 1.0});
        error[k] = measured_value(&run, "theta_end", 0) - THETA_1;
        if (k == 2)
            assert_near(measured_value(&run, "w_end", 0), 11.26979896, 3e-5);
        trial_free(&run);
    }
    assert_near(error[0], 0.0, 1e-4);
    for (int k = 0; k < 2; k++)
        assert_near(log2(error[k] / error[k + 1]), 2.0, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_those_of_the_prototype),
        cmocka_unit_test(levels_leave_their_residuals),
        cmocka_unit_test(the_scheme_is_of_second_order),
        cmocka_unit_test(a_start_after_an_impact_keeps_the_joints),
        cmocka_unit_test(gravity_may_point_along_y),
        cmocka_unit_test(published_moreau_jean_is_of_first_order),
        cmocka_unit_test(moreau_jean_is_of_second_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
