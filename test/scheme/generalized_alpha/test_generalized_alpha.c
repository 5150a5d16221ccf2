/* Generalized-alpha on smooth motions: the pendulum as a mechanism, against the reference values of the spec
 * (section 10.1) and the exact motion of its angle. */
#include "alpha_runs.h"

static void expect_vector(const double *found, double a, double b, double c, double tolerance)
{
    assert_near(found[0], a, tolerance);
    assert_near(found[1], b, tolerance);
    assert_near(found[2], c, tolerance);
}

/* ---- coefficients, section 4.1 ---------------------------------------------------------------------- */

static void coefficients_of_the_table(void **state)
{
    (void)state;
    static const double table[][6] = {
        {1.0, 0.5, 0.5, 0.5, 0.25, 1.0},
        {0.9, 0.421052631579, 0.473684210526, 0.552631578947, 0.277008310249, 0.909090909091},
        {0.8, 1.0 / 3, 4.0 / 9, 0.611111111111, 0.308641975309, 5.0 / 6},
        {0.5, 0.0, 1.0 / 3, 0.833333333333, 0.444444444444, 2.0 / 3},
        {0.0, -1.0, 0.0, 1.5, 1.0, 0.5},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const double h = 0.1;
        const alpha_coefficients c = alpha_coefficients_of(table[i][0], h);
        assert_near(c.m, table[i][1], 1e-12);
        assert_near(c.f, table[i][2], 1e-12);
        assert_near(c.gamma, table[i][3], 1e-12);
        assert_near(c.beta, table[i][4], 1e-12);
        assert_near(c.by_v, h * c.gamma * table[i][5], 1e-12);
        assert_near(c.by_q, h * h * c.beta * table[i][5], 1e-12);
    }
}

/* ---- the pendulum, section 10.1 --------------------------------------------------------------------- */

/* The largest residual of the joints so far on each level. */
typedef struct levels {
    double position, velocity, acceleration;
} levels;

static void note_levels(const alpha_run *run, levels *largest)
{
    const generalized_alpha *self = inside(run);
    largest->position = fmax(largest->position, with_joints(self, self->g));
    largest->velocity = fmax(largest->velocity, with_joints(self, self->rate));
    largest->acceleration = fmax(largest->acceleration, with_joints(self, self->curvature));
}

static levels run_steps(alpha_run *run, int steps)
{
    levels largest = {0};
    for (int i = 0; i < steps; i++) {
        hand_step(run->stepper);
        note_levels(run, &largest);
    }
    return largest;
}

static void pva_has_the_reference_values(void **state)
{
    (void)state;
    const char *const options[] = {"rho_inf=0.9", "tol=1e-13", NULL};
    alpha_run run = pendulum_run(pendulum_text, 2e-3, PI / 6, 10.0, options);
    const carom_state *now = &run.stepper->state;
    assert_near(inside(&run)->multiplier[0], -82.66606127, 1e-8);
    assert_near(inside(&run)->multiplier[1], -46.81818182, 1e-8);
    levels largest = run_steps(&run, 1);
    expect_vector(now->q, 0.85586129, 0.51720543, 0.54358251, 6e-9);
    expect_vector(now->v, -5.16395544, 8.54521099, 9.98434107, 6e-9);
    expect_vector(inside(&run)->shifted, -81.41887344, -58.09053479, -7.78895724, 1e-8);
    assert_near(inside(&run)->multiplier[0], -81.29415466, 1e-8);
    assert_near(inside(&run)->multiplier[1], -48.21777009, 1e-8);
    levels more = run_steps(&run, 499);
    expect_vector(now->q, -0.17032784, -0.98538745, 10.82441192, 6e-9);
    expect_vector(now->v, 11.10480058, -1.91950560, 11.26947637, 6e-9);
    assert_near(inside(&run)->multiplier[0], 23.15763141, 1e-8);
    assert_near(inside(&run)->multiplier[1], 134.88154615, 1e-8);
    levels last = run_steps(&run, 500);
    expect_vector(now->q, -0.67945981, 0.73371273, 21.16737839, 6e-9);
    expect_vector(now->v, -7.17956495, -6.64868638, 9.78525337, 6e-9);
    assert_near(inside(&run)->multiplier[0], 60.52700525, 1e-8);
    assert_near(inside(&run)->multiplier[1], -64.45082244, 1e-8);
    for (int i = 0; i < 3; i++) {
        const levels *some = i == 0 ? &largest : i == 1 ? &more : &last;
        assert_true(some->position < 1e-14 && some->velocity < 1e-12 && some->acceleration < 1e-11);
    }
    assert_true(now->t == 2.0);
    alpha_free(&run);
}

static void other_levels_have_the_reference_values(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        double theta, w;
        levels largest; /* over 0 .. 2 s; 0: rounding */
    } rows[] = {{"constraints=p", 21.1673322822, 9.7849664453, {0, 4.924e-4, 5.056}},
                {"constraints=v", 21.1680077818, 9.7856662158, {8.938e-5, 0, 2.272e-2}},
                {"constraints=pv", 21.1673856845, 9.7852662133, {0, 0, 2.068e-2}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const options[] = {"rho_inf=0.9", rows[i].word, NULL};
        alpha_run run = pendulum_run(pendulum_text, 2e-3, PI / 6, 10.0, options);
        const levels found = run_steps(&run, 1000), *expected = &rows[i].largest;
        assert_near(run.stepper->state.q[THETA], rows[i].theta, 1e-9);
        assert_near(run.stepper->state.v[THETA], rows[i].w, 1e-9);
        assert_near(found.position, expected->position, 1e-12 + 6e-4 * expected->position);
        assert_near(found.velocity, expected->velocity, 1e-10 + 6e-4 * expected->velocity);
        assert_near(found.acceleration, expected->acceleration, 6e-4 * expected->acceleration);
        if (i == 1)
            assert_near(with_joints(inside(&run), inside(&run)->g), 8.1100e-5, 1e-9);
        alpha_free(&run);
    }
}

/* The largest residual of accelerations in steps 1-20 and in the last 20 of a run from v'_0 = a_0 = 0. */
static void post_impact(const char *constraints, const char *rho, double *first, double *last)
{
    const char *const options[] = {rho, constraints, "start=zero", "tol=1e-12", NULL};
    alpha_run run = pendulum_run(pendulum_text, 2e-3, PI / 6, 10.0, options);
    *first = run_steps(&run, 20).acceleration;
    run_steps(&run, 460);
    *last = run_steps(&run, 20).acceleration;
    if (strcmp(constraints, "constraints=pva") == 0 && strcmp(rho, "rho_inf=0.9") == 0) /* error O(h) */
        assert_near(fabs(run.stepper->state.q[THETA] - 10.824839998), 6.05e-3, 5e-6);
    alpha_free(&run);
}

static void wrong_accelerations_at_the_start(void **state)
{
    (void)state;
    static const struct {
        const char *word, *rho;
        double first, last;
    } rows[] = {
        {"constraints=p", "rho_inf=0.9", 85.871, 1.29e-2}, {"constraints=v", "rho_inf=0.9", 85.870, 6.5e-3},
        {"constraints=pv", "rho_inf=0.9", 85.865, 1.9e-3}, {"constraints=p", "rho_inf=1", 107.8, 5.3e5},
        {"constraints=v", "rho_inf=1", 91.64, 111.9},      {"constraints=pv", "rho_inf=1", 91.64, 111.9},
        {"constraints=pva", "rho_inf=0.9", 0, 0},          {"constraints=pva", "rho_inf=1", 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double first = 0.0, last = 0.0;
        post_impact(rows[i].word, rows[i].rho, &first, &last);
        assert_near(first, rows[i].first, 1e-10 + 6e-4 * rows[i].first);
        assert_near(last, rows[i].last, 1e-10 + 0.03 * rows[i].last);
    }
}

/* Section 7.2: residuals of accelerations of V fall with order 2 when a_0 is that of its own time. */
static void shifted_start_has_order_two(void **state)
{
    (void)state;
    const char *const options[] = {"rho_inf=0.9", "constraints=v", "shift=i", NULL};
    static const double expected[] = {2.67e-2, 6.67e-3, 1.67e-3};
    for (int i = 0; i < 3; i++) {
        const int steps = 500 << i;
        alpha_run run = pendulum_run(pendulum_text, 2.0 / steps, PI / 6, 10.0, options);
        assert_near(run_steps(&run, steps).acceleration, expected[i], 4e-3 * expected[i]);
        alpha_free(&run);
    }
}

/* ---- order ------------------------------------------------------------------------------------------ */

/* Largest errors over [0, 1] of angle, angular velocity and multipliers m x'', m y'' + m g. */
static void errors_of(int steps, double *theta_error, double *w_error, double *lambda_error)
{
    const char *const options[] = {"rho_inf=0.9", NULL};
    const double h = 1.0 / steps;
    alpha_run run = pendulum_run(pendulum_text, h, PI / 6, 10.0, options);
    double theta = PI / 6, w = 10.0;
    *theta_error = *w_error = *lambda_error = 0.0;
    for (int i = 0; i < steps; i++) {
        hand_step(run.stepper);
        exact_pendulum(h, 20, &theta, &w);
        const double c = cos(theta), s = sin(theta), acceleration = -10.0 / 1.1 * c;
        const double *lambda = inside(&run)->multiplier;
        *theta_error = fmax(*theta_error, fabs(run.stepper->state.q[THETA] - theta));
        *w_error = fmax(*w_error, fabs(run.stepper->state.v[THETA] - w));
        *lambda_error = fmax(*lambda_error, fabs(lambda[0] - (-s * acceleration - c * w * w)));
        *lambda_error = fmax(*lambda_error, fabs(lambda[1] - (c * acceleration - s * w * w + 10.0)));
    }
    alpha_free(&run);
}

static void second_order_with_multipliers(void **state)
{
    (void)state;
    static const double theta[] = {6.9084e-3, 1.7177e-3, 4.2807e-4, 1.0684e-4};
    static const double lambda[] = {9.0187e-1, 2.2461e-1, 5.6005e-2, 1.3980e-2};
    double error[4][3];
    for (int i = 0; i < 4; i++) {
        errors_of(125 << i, &error[i][0], &error[i][1], &error[i][2]);
        assert_near(error[i][0], theta[i], 1e-4 * theta[i]);
        assert_near(error[i][2], lambda[i], 1e-4 * lambda[i]);
    }
    assert_near(error[0][1], 7.2228e-3, 1e-6);
    assert_near(error[3][1], 1.1005e-4, 1e-8);
    for (int k = 0; k < 3; k++)
        assert_near(log2(error[2][k] / error[3][k]), 2.0, 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_of_the_table),
        cmocka_unit_test(pva_has_the_reference_values),
        cmocka_unit_test(other_levels_have_the_reference_values),
        cmocka_unit_test(wrong_accelerations_at_the_start),
        cmocka_unit_test(shifted_start_has_order_two),
        cmocka_unit_test(second_order_with_multipliers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
