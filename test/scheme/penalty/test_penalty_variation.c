/* Derivatives of motions with springs and dampers as contacts. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/scheme/tangent_models.h"

static const carom_option soft[] = {{.name = "n", .value = 1e4}, {0}};

/* A stepper with a tangent of it; end_tangent frees all. */
typedef struct tangent_motion {
    carom_model *model;
    carom_model_work *work;
    carom_stepper *stepper;
    carom_tangent *tangent;
} tangent_motion;

static tangent_motion begin_tangent(const motion_case *m, int columns, const carom_tangent_column *column)
{
    tangent_motion motion = {0};
    carom_error error = {0};
    motion.stepper = begin_motion(m, &motion.work);
    if (carom_tangent_create(motion.stepper, columns, column, &motion.tangent, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return motion;
}

static void make_steps(tangent_motion *motion, int steps)
{
    carom_error error = {0};
    for (int k = 0; k < steps; k++)
        if (carom_tangent_step(motion->tangent, &error) != CAROM_OK)
            fail_msg("%s", error.text);
}

static void end_tangent(tangent_motion *motion)
{
    carom_tangent_free(motion->tangent);
    carom_stepper_free(motion->stepper);
    carom_model_work_free(motion->work);
}

/* Without gravity a ball leaves a contact of length T = pi/sqrt(N (1 - zeta^2)) with e times its speed:
 *
 *   y(t) = e v (t - y0/v - T),  v the speed at which it comes. */
static void test_ball_in_closed_form(void **state)
{
    (void)state;
    const double e = 0.8, N = 1e4, y0 = 1.0, v = 2.0, t = 1.0;
    const double ln = log(e), square = CAROM_PI * CAROM_PI + ln * ln;
    /* 1 - zeta^2 = pi^2 / square, so that T = sqrt(square / N) */
    const double T = sqrt(square / N), by_e[] = {1.0, 0.0}, one = 1.0, option[] = {1.0, 0.0, 0.0};
    const double T_by_e = ln / (e * sqrt(square * N)), T_by_N = -0.5 * T / N;
    carom_model *model = ball_model();
    const motion_case m = {.model = model,
                           .scheme = "penalty",
                           .option = soft,
                           .h = 0.1,
                           .parameter = {e, 0.0},
                           .q = {y0},
                           .v = {-v}};
    const carom_tangent_column column[] = {
        {.parameter = by_e}, {.q0 = &one}, {.v0 = &one}, {.option = option}, {.t0 = 1.0, .h = 0.5}};
    tangent_motion motion = begin_tangent(&m, 5, column);
    make_steps(&motion, 10);
    const double *q[5], *u[5];
    for (int c = 0; c < 5; c++) {
        q[c] = carom_tangent_q(motion.tangent, c);
        u[c] = carom_tangent_v(motion.tangent, c);
    }
    assert_true(fabs(motion.stepper->state.q[0] - e * v * (t - y0 / v - T)) <= 1e-11);
    assert_true(fabs(q[0][0] - (v * (t - y0 / v - T) - e * v * T_by_e)) <= 1e-9);
    assert_true(fabs(u[0][0] - v) <= 1e-9);
    assert_true(fabs(q[1][0] + e) <= 1e-9);
    assert_true(fabs(u[1][0]) <= 1e-9);
    assert_true(fabs(q[2][0] + e * (t - T)) <= 1e-9);
    assert_true(fabs(u[2][0] + e) <= 1e-9);
    assert_true(fabs(q[3][0] + e * v * T_by_N) <= 1e-9 * e * v * fabs(T_by_N) + 1e-12);
    assert_true(fabs(motion.tangent->t[4] - 6.0) <= 1e-12);
    assert_true(fabs(q[4][0] - 10 * 0.5 * e * v) <= 1e-9); /* later in the same flight */
    assert_int_equal(motion.tangent->breaks, 0);
    end_tangent(&motion);
    carom_model_free(model);
}

/* The impulse of an output interval that has the whole contact is (1 + e) v. */
static void test_impulse_of_a_whole_contact(void **state)
{
    (void)state;
    const double e = 0.8, v = 2.0, by_e[] = {1.0, 0.0}, one = 1.0;
    carom_model *model = ball_model();
    const motion_case m = {
        .model = model, .scheme = "penalty", .h = 1.0, .parameter = {e, 0.0}, .q = {1.0}, .v = {-v}};
    tangent_motion motion = begin_tangent(&m, 2, (carom_tangent_column[]){{.parameter = by_e}, {.v0 = &one}});
    make_steps(&motion, 1);
    assert_true(fabs(motion.tangent->impulse[0] - v) <= 1e-8);
    assert_true(fabs(motion.tangent->impulse[3] + (1.0 + e)) <= 1e-8);
    make_steps(&motion, 1);
    assert_true(motion.tangent->impulse[0] == 0.0 && motion.tangent->impulse[3] == 0.0);
    end_tangent(&motion);
    carom_model_free(model);
}

/* A linear model: derivatives by the initial state are the matrix that carries differences of motions, and have the determinant
 * exp(-c t) of what the damping c does to volumes, as the dampers do in contact. */
static void test_volume(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(x)^2"));
    carom_build_potential(b, carom_build_formula(b, "8*x^2"));
    carom_build_force(b, x, carom_build_formula(b, "-0.3*dot(x)"));
    carom_model *model = finish_model(b);
    const double one = 1.0, t = 2.0, w = sqrt(16.0 - 0.15 * 0.15), decay = exp(-0.15 * t);
    const motion_case m = {.model = model, .scheme = "penalty", .h = 0.5, .q = {1.0}};
    tangent_motion motion = begin_tangent(&m, 2, (carom_tangent_column[]){{.q0 = &one}, {.v0 = &one}});
    make_steps(&motion, 4);
    const double *a = carom_tangent_q(motion.tangent, 0), *c = carom_tangent_q(motion.tangent, 1);
    assert_true(fabs(a[0] - decay * (cos(w * t) + 0.15 / w * sin(w * t))) <= 1e-11);
    assert_true(fabs(c[0] - decay * sin(w * t) / w) <= 1e-11);
    assert_true(fabs(a[0] * c[1] - a[1] * c[0] - decay * decay) <= 1e-11);
    assert_true(fabs(motion.stepper->state.q[0] - a[0]) <= 1e-10); /* from x = 1 at rest */
    end_tangent(&motion);
    carom_model_free(model);
}

static void test_against_differences(void **state)
{
    (void)state;
    check_carts_by("penalty", "0.6", soft, 300, 1e-3, 1e-7);
    check_carts_by("penalty", "0.1 + 0.2*m", soft, 200, 1e-3, 1e-7);
    check_carts_by("penalty", NULL, soft, 100, 1e-3, 1e-7);
    carom_model *model = pendulum_model(pendulum_gap);
    motion_case m = {.model = model,
                     .scheme = "penalty",
                     .option = soft,
                     .steps = 15,
                     .h = 0.1,
                     .parameter = {0.8, 0.6, 3.0, 0.2},
                     .q = {0.1, 0.4},
                     .v = {0.2, 0.1},
                     .difference = 1e-4};
    check_tangent(&m, &(motion_case){.parameter = {0.3, 0.5, 1.0, -0.4}}, 1e-6);
    check_tangent(&m, &(motion_case){.q = {0.2, 0.3}, .v = {-0.4, 0.5}}, 1e-6);
    check_tangent(&m, &(motion_case){.t0 = 0.2, .h = 0.01, .q = {0.1}}, 1e-6);
    carom_model_free(model);
}

static void expect_break(const motion_case *m, const carom_tangent_column *column, int steps, double t,
                         const char *why)
{
    tangent_motion motion = begin_tangent(m, 1, column);
    make_steps(&motion, steps);
    assert_true(motion.tangent->breaks > 0);
    assert_non_null(strstr(motion.tangent->kept[0].why, why));
    assert_true(fabs(motion.tangent->kept[0].t - t) <= 1e-6);
    if (!motion.tangent->lost)
        assert_true(isfinite(*carom_tangent_q(motion.tangent, 0)));
    end_tangent(&motion);
}

static void test_breaks(void **state)
{
    (void)state;
    const double one = 1.0, by_e[] = {1.0, 0.0};
    carom_model *model = ball_model();
    motion_case m = {.model = model, .scheme = "penalty", .h = 0.1, .parameter = {0.8, 10.0}, .v = {-1.0}};
    expect_break(&m, &(carom_tangent_column){.q0 = &one}, 3, 0.0, "gap 0 at the start");
    m.q[0] = 1.0;
    m.v[0] = 0.0;
    m.parameter[0] = 0.0; /* zeta grows without bound there */
    expect_break(&m, &(carom_tangent_column){.parameter = by_e}, 6, sqrt(0.2), "not finite");
    carom_model_free(model);
    /* a parabola that touches 0 at t = 1 */
    model = ball_model();
    m = (motion_case){
        .model = model, .scheme = "penalty", .h = 0.3, .parameter = {0.8, -2.0}, .q = {1.0}, .v = {-2.0}};
    expect_break(&m, &(carom_tangent_column){.q0 = &one}, 5, 1.0, "grazes");
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_in_closed_form),
        cmocka_unit_test(test_impulse_of_a_whole_contact),
        cmocka_unit_test(test_volume),
        cmocka_unit_test(test_against_differences),
        cmocka_unit_test(test_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
