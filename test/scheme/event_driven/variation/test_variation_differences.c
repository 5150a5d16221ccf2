/* Derivatives of event-driven motions against differences of whole motions: all kinds of events, friction, joints, laws that
 * depend on everything; breaks. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "carom/io.h"
#include "test/scheme/tangent_models.h"

static void test_pendulum_with_wall(void **state)
{
    (void)state;
    carom_model *model = pendulum_model(pendulum_gap);
    motion_case m = {.model = model,
                     .scheme = "event-driven",
                     .steps = 15,
                     .h = 0.1,
                     .parameter = {0.8, 0.6, 3.0, 0.2},
                     .q = {0.1, 0.4},
                     .v = {0.2, 0.1},
                     .difference = 1e-3};
    check_tangent(&m, &(motion_case){.parameter = {0.3, 0.5, 1.0, -0.4}}, 1e-7);
    check_tangent(&m, &(motion_case){.q = {0.2, 0.3}, .v = {-0.4, 0.5}}, 1e-7);
    check_tangent(&m, &(motion_case){.t0 = 0.2, .h = 0.01, .q = {0.1}}, 1e-7);
    carom_model_free(model);
}

/* Inelastic: it lands on a curved floor that moves, slides along it, and leaves it again. */
static void test_landing_sliding_release(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_parameter(b, "g", 9.81);
    carom_build_parameter(b, "a", 0.4);
    carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(x)^2 + 1/2*dot(y)^2 + 0.1*dot(x)*dot(y)"));
    carom_build_potential(b, carom_build_formula(b, "g*y"));
    const int floor =
        carom_build_contact(b, "floor", carom_build_formula(b, "y - a*cos(2*x) - 0.01*sin(2*t)"));
    carom_build_restitution(b, floor, carom_build_formula(b, "0"));
    carom_model *model = finish_model(b);
    motion_case m = {.model = model,
                     .scheme = "event-driven",
                     .steps = 4,
                     .h = 0.1,
                     .parameter = {9.81, 0.4},
                     .q = {-0.1, 0.5},
                     .v = {2.2, 0.0},
                     .difference = 1e-3};
    const motion_case by = {.parameter = {1.0, 0.1}, .q = {0.2, 0.1}, .v = {0.3, -0.2}};
    for (int k = 0; k < 6; k++, m.steps += 1)
        check_tangent(&m, &by, 2e-7);
    carom_model_free(model);
}

/* A block on a belt, in the plane: it lands, slips, sticks, slips, with one coefficient and with two. */
static void test_friction_in_the_plane(void **state)
{
    (void)state;
    for (int two = 0; two < 2; two++) {
        carom_builder *b = carom_builder_create();
        carom_build_coordinate(b, "x");
        carom_build_coordinate(b, "y");
        carom_build_parameter(b, "mu", 0.4);
        carom_build_parameter(b, "k", 30.0);
        carom_build_parameter(b, "belt", 0.3);
        carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(x)^2 + 1/2*dot(y)^2"));
        carom_build_potential(b, carom_build_formula(b, "9.81*y + 1/2*k*x^2"));
        const int floor = carom_build_contact(b, "floor", carom_build_formula(b, "y"));
        carom_build_slip(b, floor, carom_build_formula(b, "dot(x) - belt"));
        carom_build_friction(b, floor, carom_build_formula(b, two ? "mu*(1 + 0.2*sin(t))" : "mu"));
        carom_build_restitution(b, floor, carom_build_formula(b, "0"));
        carom_model *model = finish_model(b);
        motion_case m = {.model = model,
                         .scheme = "event-driven",
                         .steps = 2,
                         .h = 0.1,
                         .parameter = {0.4, 30.0, 0.3},
                         .q = {0.05, 0.02},
                         .v = {0.0, -0.3},
                         .difference = 1e-4};
        const motion_case by = {.parameter = {0.1, 3.0, 0.2}, .q = {0.02, 0.01}, .v = {0.1, 0.3}, .h = 0.001};
        for (int k = 0; k < 8; k++, m.steps += 3)
            check_tangent(&m, &by, 1e-6);
        carom_model_free(model);
    }
}

/* Friction forces without an obstacle, constant and weakening with the slip: stick and slip of an oscillator on a belt. */
static void test_friction_forces(void **state)
{
    (void)state;
    static const char *const bound[] = {"bound = f", "bound = f, static = 1.4*f, decay = 0.3"};
    for (int k = 0; k < 2; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "local f, v0 = param('f', 0.7), param('v0', 0.5)\n"
                 "local x, z = coordinates('x', 'z')\nmass { { 1, 0 }, { 0, 1 } }\n"
                 "potential(x^2/2 + (x - z)^2 + z^2/2)\n"
                 "friction_force { 'belt', slip = dot(x) - v0, %s }\n"
                 "initial { x = 0.3 }\nintegrate { scheme = 'event-driven', h = 0.1, until_t = 1 }\n",
                 bound[k]);
        carom_experiment *experiment = NULL;
        carom_error error = {0};
        const carom_load_request request = {.name = "belt", .file = "belt.lua", .text = text};
        if (carom_experiment_load(&request, &experiment, &error) != CAROM_OK)
            fail_msg("%s", error.text);
        motion_case m = {.model = experiment->model,
                         .scheme = "event-driven",
                         .steps = 5,
                         .h = 0.3,
                         .parameter = {0.7, 0.5},
                         .q = {0.3, -0.6},
                         .v = {0.2, 1.0},
                         .difference = 1e-4};
        const motion_case by = {.parameter = {0.2, 0.3}, .q = {0.2, 0.1}, .v = {0.3, 0.1}};
        for (int i = 0; i < 5; i++, m.steps += 7)
            check_tangent(&m, &by, 1e-6);
        carom_experiment_free(experiment);
    }
}

/* A puck in space: it falls, hits with friction, slides and comes to rest. */
static void test_friction_in_space(void **state)
{
    (void)state;
    carom_model *model = puck_model("0");
    motion_case m = {.model = model,
                     .scheme = "event-driven",
                     .steps = 1,
                     .h = 0.1,
                     .parameter = {0.4, 30.0},
                     .q = {0.4, 0.3, 0.02},
                     .v = {0.5, -1.0, 0.0},
                     .difference = 1e-4};
    const motion_case by = {.parameter = {0.1, 3.0}, .q = {0.02, 0.03, 0.1}, .v = {0.1, 0.2, 0.3}};
    for (int k = 0; k < 3; k++, m.steps += 2)
        check_tangent(&m, &by, 1e-6);
    carom_model_free(model);
}

/* A rod, a joint, a wall: impulses of joints too. */
static void test_joints(void **state)
{
    (void)state;
    carom_model *model = rod_model();
    const motion_case m = {.model = model,
                           .scheme = "event-driven",
                           .steps = 17,
                           .h = 0.1,
                           .parameter = {1.0, 0.5},
                           .q = {0.6, -0.8, 0.0},
                           .v = {0.0, 0.0, 0.0},
                           .difference = 1e-3};
    check_tangent(&m, &(motion_case){.parameter = {0.0, 0.3}, .h = 0.005}, 1e-7);
    check_tangent(&m, &(motion_case){.v = {0.8, 0.6, 0.0}}, 1e-7);
    check_tangent(&m, &(motion_case){.parameter = {1.0}, .q = {0.6, -0.8, 0.0}}, 1e-7);
    carom_model_free(model);
}

/* Four equal feet: impulses are not unique, the velocity is. */
static void test_redundant_contacts(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "y");
    carom_build_coordinate(b, "phi");
    carom_build_parameter(b, "e", 0.3);
    carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(y)^2 + 1/6*dot(phi)^2"));
    carom_build_potential(b, carom_build_formula(b, "9.81*y"));
    const char *foot[] = {"y - phi", "y - phi/3", "y + phi/3", "y + phi"};
    for (int k = 0; k < 4; k++) {
        const int contact =
            carom_build_contact(b, (const char *[]){"a", "b", "c", "d"}[k], carom_build_formula(b, foot[k]));
        carom_build_restitution(b, contact, carom_build_formula(b, "e"));
    }
    carom_model *model = finish_model(b);
    const motion_case m = {
        .model = model, .scheme = "event-driven", .steps = 3, .h = 0.1, .parameter = {0.3}, .q = {0.3037}};
    int breaks = 0;
    double error = 0.0;
    const motion_case by = {.parameter = {0.2}, .q = {0.1}};
    const motion_end found = exact(&m, &by, &breaks), expected = differences(&m, &by, &error);
    assert_int_equal(breaks, 0); /* the four stay together along this direction */
    assert_true(fabs(found.q[0] - expected.q[0]) <= 1e-8 && fabs(found.v[0] - expected.v[0]) <= 1e-8);
    exact(&m, &(motion_case){.q = {0.0, 1.0}}, &breaks);
    assert_true(breaks > 0); /* and not along this one */
    carom_model_free(model);
}

/* ---- properties ------------------------------------------------------------------------------------------------------- */

static carom_model *elastic_pendulum(void)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(x)^2 + 3/2*dot(y)^2"));
    carom_build_potential(b, carom_build_formula(b, "1/2*x^2 + y^2 + x^2*y^2 - 0.4*x*y"));
    const int wall = carom_build_contact(b, "wall", carom_build_formula(b, "x + 0.3*y + 0.4"));
    carom_build_restitution(b, wall, carom_build_formula(b, "1"));
    return finish_model(b);
}

static void flow_matrix(const carom_model *model, double t, int steps, double *q, double *v, double F[4][4])
{
    carom_model_work *work = NULL;
    carom_stepper *stepper = NULL;
    carom_tangent *tangent = NULL;
    carom_error error = {0};
    const double unit[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    carom_tangent_column column[4] = {{.q0 = unit[0]}, {.q0 = unit[1]}, {.v0 = unit[0]}, {.v0 = unit[1]}};
    assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
    assert_int_equal(carom_stepper_create(carom_scheme_find("event-driven", &error), work,
                                          &(carom_step_settings){.h = t / steps}, q, v, &stepper, &error),
                     CAROM_OK);
    assert_int_equal(carom_tangent_create(stepper, 4, column, &tangent, &error), CAROM_OK);
    for (int k = 0; k < steps; k++)
        assert_int_equal(carom_tangent_step(tangent, &error), CAROM_OK);
    assert_int_equal(tangent->breaks, 0);
    for (int c = 0; c < 4; c++)
        for (int i = 0; i < 4; i++)
            F[i][c] = carom_tangent_q(tangent, c)[i];
    memcpy(q, stepper->state.q, 2 * sizeof *q);
    memcpy(v, stepper->state.v, 2 * sizeof *v);
    carom_tangent_free(tangent);
    carom_stepper_free(stepper);
    carom_model_work_free(work);
}

/* A Hamiltonian flow with elastic impacts keeps F^T J F = J, not only the volume; stretches compose. */
static void test_symplectic_and_composed(void **state)
{
    (void)state;
    carom_model *model = elastic_pendulum();
    double q[2] = {0.5, 0.3}, v[2] = {-0.7, 0.4}, whole[4][4], first[4][4], second[4][4];
    const double mass[2] = {1.0, 3.0};
    flow_matrix(model, 6.0, 7, q, v, whole);
    double p[2] = {0.5, 0.3}, w[2] = {-0.7, 0.4};
    flow_matrix(model, 2.5, 1, p, w, first);
    flow_matrix(model, 3.5, 3, p, w, second);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double form = 0.0, product = 0.0;
            for (int k = 0; k < 2; k++) /* momenta are mass times velocity */
                form += mass[k] * (whole[k][i] * whole[2 + k][j] - whole[2 + k][i] * whole[k][j]);
            const double expected = j == i + 2 ? mass[i] : i == j + 2 ? -mass[j] : 0.0;
            assert_true(fabs(form - expected) <= 1e-10 * 3.0);
            for (int k = 0; k < 4; k++)
                product += second[i][k] * first[k][j];
            assert_true(fabs(product - whole[i][j]) <= 1e-9 * 10.0);
        }
    carom_model_free(model);
}

/* ---- breaks ---------------------------------------------------------------------------------------------------------------- */

static carom_model *forced(const char *gap, const char *e)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_parameter(b, "a", 1.0);
    carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(x)^2"));
    carom_build_potential(b, carom_build_formula(b, "1/2*x^2"));
    carom_build_restitution(b, carom_build_contact(b, "wall", carom_build_formula(b, gap)),
                            carom_build_formula(b, e));
    return finish_model(b);
}

/* x = cos t just reaches the wall at x = -1. */
static void test_grazing_is_a_break(void **state)
{
    (void)state;
    const double place[] = {1.0, 1.0 - 1e-14, 1.0 - 4e-14};
    int told = 0;
    for (size_t k = 0; k < 3; k++) {
        carom_model *model = forced("x + a", "0.5");
        const motion_case m = {.model = model,
                               .scheme = "event-driven",
                               .steps = 5,
                               .h = 1.0,
                               .parameter = {place[k]},
                               .q = {1.0}};
        int breaks = 0;
        const motion_end found = exact(&m, &(motion_case){.q = {1.0}}, &breaks);
        for (int i = 0; i < CHECK_MOST; i++)
            assert_true(isfinite(found.q[i]) && isfinite(found.v[i]));
        told += breaks > 0;
        carom_model_free(model);
    }
    assert_int_equal(told, 3);
}

/* Neither an impact at the start nor a start in contact along a column that opens it has a derivative on both sides. */
static void test_breaks_at_the_start(void **state)
{
    (void)state;
    carom_model *model = forced("x", "0.5");
    int breaks = 0;
    const motion_case m = {
        .model = model, .scheme = "event-driven", .steps = 2, .h = 0.1, .parameter = {1.0}, .v = {-1.0}};
    exact(&m, &(motion_case){.q = {1.0}}, &breaks);
    assert_true(breaks > 0);
    carom_model_free(model);
}

/* A force that jumps without a contact: told, not guessed. */
static void test_jump_of_a_force(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(x)^2"));
    carom_build_force(b, x, carom_build_formula(b, "sign(x - 0.5)"));
    carom_model *model = finish_model(b);
    int breaks = 0;
    const motion_case m = {.model = model, .scheme = "event-driven", .steps = 4, .h = 0.25, .v = {1.5}};
    exact(&m, &(motion_case){.q = {1.0}}, &breaks);
    assert_true(breaks > 0);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum_with_wall),    cmocka_unit_test(test_landing_sliding_release),
        cmocka_unit_test(test_friction_in_the_plane), cmocka_unit_test(test_friction_forces),
        cmocka_unit_test(test_friction_in_space),     cmocka_unit_test(test_joints),
        cmocka_unit_test(test_redundant_contacts),    cmocka_unit_test(test_symplectic_and_composed),
        cmocka_unit_test(test_grazing_is_a_break),    cmocka_unit_test(test_breaks_at_the_start),
        cmocka_unit_test(test_jump_of_a_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
