/* Derivatives of the steps of newmark-contact. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/model/beam/beams.h"
#include "test/scheme/tangent_check.h"

/* Clamped at the left, pushed against walls on both sides; everything depends on parameters. */
static carom_model *shaken_beam(carom_beam_basis basis, double restitution)
{
    beam_case c;
    beam_begin(&c, basis, 3);
    c.spec.damping_mass = times(&c, number(&c, 0.2), c.p[2]);
    c.spec.damping_stiffness = times(&c, number(&c, 1e-4), c.p[3]);
    c.spec.restitution = times(&c, number(&c, restitution / 0.25), c.p[5]);
    c.spec.acceleration =
        times(&c, times(&c, number(&c, 30.0), c.x), of(&c, CAROM_OP_SIN, times(&c, c.p[4], c.t)));
    const carom_node bound = plus(&c, times(&c, number(&c, 0.2), c.p[2]), times(&c, number(&c, 0.01), c.x));
    add_obstacle(&c, of(&c, CAROM_OP_NEG, bound), bound);
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_beam_model_create(&c.spec, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_graph_free(c.graph);
    return model;
}

static motion_case shaken_case(const carom_model *model, const carom_option *option, int steps)
{
    motion_case m = {.model = model,
                     .scheme = "newmark-contact",
                     .option = option,
                     .steps = steps,
                     .t0 = 0.1,
                     .h = 0.01,
                     .q = {0.01},
                     .v = {-0.3, 0.1, 0.2},
                     .difference = 1e-6};
    memcpy(m.parameter, beam_values, sizeof beam_values);
    return m;
}

static void test_against_differences(void **state)
{
    (void)state;
    const carom_option usual[] = {{.name = "tolerance", .value = 1e-14}, {0}},
                       other[] = {{.name = "beta", .value = 0.3},
                                  {.name = "load", .word = "instant"},
                                  {.name = "start", .word = "taylor2"},
                                  {.name = "tolerance", .value = 1e-14},
                                  {0}};
    const carom_beam_basis basis[] = {CAROM_BEAM_P3, CAROM_BEAM_BSPLINE, CAROM_BEAM_DIFFERENCE};
    const double restitution[] = {0.0, 0.5, 0.3};
    const motion_case by = {.parameter = {0.3, 20.0, 0.05, 0.2, 0.1, 0.1},
                            .q = {0.01, 0.002},
                            .v = {0.1, 0.2, -0.1},
                            .t0 = 0.2,
                            .h = 0.0005},
                      by_length = {.parameter = {1.0}}, by_restitution = {.parameter = {0, 0, 0, 0, 0, 1.0}};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            carom_model *model = shaken_beam(basis[k], restitution[k]);
            const int steps[] = {1, 2, 20, 118};
            for (int j = 0; j < 4; j++) {
                const motion_case m = shaken_case(model, i ? other : usual, steps[j]);
                check_tangent(&m, &by, 1e-6);
                if (j == 3) { /* it has been at both walls */
                    check_tangent(&m, &by_length, 1e-6);
                    if (k == 1) /* rebounds */
                        check_tangent(&m, &by_restitution, 1e-6);
                }
            }
            carom_model_free(model);
        }
}

/* The option beta, against differences by hand. */
static void test_by_beta(void **state)
{
    (void)state;
    carom_model *model = shaken_beam(CAROM_BEAM_P3, 0.5);
    double end[2][CHECK_MOST];
    const double s = 1e-6, beta = 0.4;
    for (int k = 0; k < 2; k++) {
        const carom_option option[] = {
            {.name = "beta", .value = beta + (k ? s : -s)}, {.name = "tolerance", .value = 1e-14}, {0}};
        const motion_case m = shaken_case(model, option, 80);
        memcpy(end[k], move(&m).q, sizeof end[k]);
    }
    const carom_option option[] = {
        {.name = "beta", .value = beta}, {.name = "tolerance", .value = 1e-14}, {0}};
    const motion_case m = shaken_case(model, option, 80);
    carom_model_work *work = NULL;
    carom_error error = {0};
    carom_stepper *stepper = begin_motion(&m, &work);
    carom_tangent *tangent = NULL;
    double by_option[CHECK_OPTIONS] = {0};
    by_option[carom_scheme_find_option(stepper->ops, "beta")] = 1.0;
    assert_int_equal(
        carom_tangent_create(stepper, 1, &(carom_tangent_column){.option = by_option}, &tangent, &error),
        CAROM_OK);
    for (int i = 0; i < m.steps; i++)
        assert_int_equal(carom_tangent_step(tangent, &error), CAROM_OK);
    for (int i = 0; i < model->dof; i++)
        assert_near(carom_tangent_q(tangent, 0)[i], (end[1][i] - end[0][i]) / (2.0 * s), 1e-6);
    carom_tangent_free(tangent);
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    carom_model_free(model);
}

/* Without contacts the steps are affine: the derivative by the start is what carries differences of starts, however large. */
static void test_linear_steps(void **state)
{
    (void)state;
    carom_model *model = shaken_beam(CAROM_BEAM_P3, 0.0);
    motion_case m = shaken_case(model, NULL, 20);
    m.parameter[2] = 1e3; /* walls far away */
    const motion_case by = {.q = {0.5, -0.2, 0.1}, .v = {1.0, 0.3}};
    const motion_case there = moved_case(&m, &by, 1.0);
    const motion_end here = move(&m), moved = move(&there);
    int breaks = 0;
    const motion_end found = exact(&m, &by, &breaks);
    assert_int_equal(breaks, 0);
    for (int i = 0; i < model->dof; i++) {
        assert_near(found.q[i], moved.q[i] - here.q[i], 1e-11);
        assert_near(found.v[i], moved.v[i] - here.v[i], 1e-10);
    }
    carom_model_free(model);
}

/* A mode of a free beam: u^n = a (cos n p + tan(p/2) sin n p), cos p = (1 - (1 - 2 beta) x/2) / (1 + beta x), x = h^2 l, from rest
 * with u^1 = u^0. The eigenvalue l is proportional to k2. */
static void test_mode_in_closed_form(void **state)
{
    (void)state;
    const double a = 0.5, h = 0.01, beta = 0.5, k2 = beam_values[1];
    const int steps = 50, elements = 4;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, elements);
    c.spec.displacement =
        (carom_beam_field){.function = CAROM_NO_NODE, .mode = 1, .x = c.p[0], .value = c.p[2]};
    built_beam b = beam_build_sound(&c);
    double q0[CHECK_MOST], v0[CHECK_MOST], by_value[CHECK_MOST], ignored[CHECK_MOST];
    const double of_value[BEAM_PARAMETERS] = {0, 0, 1.0}, of_k2[BEAM_PARAMETERS] = {0, 1.0};
    b.model->ops->initial(b.work, q0, v0);
    b.model->ops->tangent->initial(b.work, of_value, by_value, ignored);
    const double x = h * h * frequency(&b, 1) * frequency(&b, 1);
    const double cosine = (1.0 - 0.5 * (1.0 - 2.0 * beta) * x) / (1.0 + beta * x), p = acos(cosine);
    const double cosine_by_x = (-0.5 * (1.0 - 2.0 * beta) - beta * cosine) / (1.0 + beta * x),
                 p_by_k2 = -cosine_by_x / sin(p) * x / k2;
    carom_stepper *stepper = NULL;
    carom_tangent *tangent = NULL;
    carom_error error = {0};
    assert_int_equal(carom_stepper_create(carom_scheme_find("newmark-contact", &error), b.work,
                                          &(carom_step_settings){.h = h}, q0, v0, &stepper, &error),
                     CAROM_OK);
    const carom_tangent_column column[] = {{.parameter = of_value, .q0 = by_value}, {.parameter = of_k2}};
    assert_int_equal(carom_tangent_create(stepper, 2, column, &tangent, &error), CAROM_OK);
    for (int k = 0; k < steps; k++)
        assert_int_equal(carom_tangent_step(tangent, &error), CAROM_OK);
    const int tip = b.n - 2;
    const double n = steps, unit = cos(n * p) + tan(0.5 * p) * sin(n * p);
    const double unit_by_p =
        -n * sin(n * p) + 0.5 * sin(n * p) / (cos(0.5 * p) * cos(0.5 * p)) + n * tan(0.5 * p) * cos(n * p);
    assert_near(stepper->state.q[tip], a * unit, 1e-10);
    assert_near(carom_tangent_q(tangent, 0)[tip], unit, 1e-10);
    assert_near(carom_tangent_q(tangent, 1)[tip], a * unit_by_p * p_by_k2, 1e-10);
    carom_tangent_free(tangent);
    carom_stepper_free(stepper);
    beam_release(&b);
}

/* A beam that lies on its wall without a force: it may leave it, but not go through. */
static void test_break(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 3);
    add_stop(&c, "tip", 10.0, number(&c, 0.0), CAROM_NO_NODE);
    built_beam b = beam_build_sound(&c);
    const double zero[CHECK_MOST] = {0}, one[CHECK_MOST] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    carom_stepper *stepper = NULL;
    carom_tangent *tangent = NULL;
    carom_error error = {0};
    assert_int_equal(carom_stepper_create(carom_scheme_find("newmark-contact", &error), b.work,
                                          &(carom_step_settings){.h = 0.01}, zero, zero, &stepper, &error),
                     CAROM_OK);
    assert_int_equal(carom_tangent_create(stepper, 1, &(carom_tangent_column){.v0 = one}, &tangent, &error),
                     CAROM_OK);
    for (int k = 0; k < 5; k++)
        assert_int_equal(carom_tangent_step(tangent, &error), CAROM_OK);
    assert_true(tangent->breaks > 0);
    assert_non_null(strstr(tangent->kept[0].why, "tip_lower"));
    assert_near(tangent->kept[0].t, 0.02, 1e-12);
    assert_true(carom_all_finite(2 * b.n, carom_tangent_q(tangent, 0)));
    carom_tangent_free(tangent);
    carom_stepper_free(stepper);
    beam_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_differences),
        cmocka_unit_test(test_by_beta),
        cmocka_unit_test(test_linear_steps),
        cmocka_unit_test(test_mode_in_closed_form),
        cmocka_unit_test(test_break),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
