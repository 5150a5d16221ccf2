#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/scheme/tangent_models.h"

/* The ball in steps: v_{k+1} = v_k - h g until the step whose predicted gap is not positive, where v = -e v_k. All is
 * elementary, and so are the derivatives. */
static void test_ball_in_closed_form(void **state)
{
    (void)state;
    const double e = 0.8, g = 10.0, h = 0.01, y0 = 1.0;
    double y = y0, v = 0.0, dy[3] = {0.0, 0.0, 1.0}, dv[3] = {0.0, 0.0, 0.0}; /* by e, g, y0 */
    carom_model *model = ball_model();
    carom_model_work *work = NULL;
    carom_error error;
    assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
    carom_stepper *stepper = NULL;
    assert_int_equal(carom_stepper_create(carom_scheme_find("moreau-jean", &error), work,
                                          &(carom_step_settings){.h = h}, &y, &v, &stepper, &error),
                     CAROM_OK);
    const double by_e[] = {1.0, 0.0}, by_g[] = {0.0, 1.0}, one = 1.0;
    carom_tangent *tangent = NULL;
    assert_int_equal(
        carom_tangent_create(stepper, 3,
                             (carom_tangent_column[]){{.parameter = by_e}, {.parameter = by_g}, {.q0 = &one}},
                             &tangent, &error),
        CAROM_OK);
    int impacts = 0;
    for (int k = 0; k < 150; k++) {
        const bool strikes = y + 0.5 * h * v <= 0.0 && -e * v > v - h * g;
        const double before = v, old[3] = {dv[0], dv[1], dv[2]};
        impacts += strikes;
        v = strikes ? -e * v : v - h * g;
        y += 0.5 * h * (before + v);
        for (int c = 0; c < 3; c++) {
            dv[c] = strikes ? -e * old[c] - (c == 0) * before : old[c] - (c == 1) * h;
            dy[c] += 0.5 * h * (old[c] + dv[c]);
        }
        assert_int_equal(carom_tangent_step(tangent, &error), CAROM_OK);
        for (int c = 0; c < 3; c++) {
            assert_true(fabs(*carom_tangent_q(tangent, c) - dy[c]) <= 1e-12 * (1.0 + fabs(dy[c])));
            assert_true(fabs(*carom_tangent_v(tangent, c) - dv[c]) <= 1e-12 * (1.0 + fabs(dv[c])));
        }
    }
    assert_int_equal(impacts, 2);
    assert_int_equal(tangent->breaks, 0);
    carom_tangent_free(tangent);
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    carom_model_free(model);
}

/* Two equal balls, elastic: velocities are exchanged, and so are their derivatives, exactly. */
static void test_equal_balls_exchange_their_derivatives(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x1");
    carom_build_coordinate(b, "x2");
    carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(x1)^2 + 1/2*dot(x2)^2"));
    const int touch = carom_build_contact(b, "touch", carom_build_formula(b, "x2 - x1"));
    carom_build_restitution(b, touch, carom_build_formula(b, "1"));
    carom_model *model = finish_model(b);
    carom_model_work *work = NULL;
    carom_error error;
    assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
    carom_stepper *stepper = NULL;
    const double q0[] = {0.0, 0.1037}, v0[] = {1.0, 0.25}, first[] = {1.0, 0.0}, second[] = {0.0, 1.0};
    assert_int_equal(carom_stepper_create(carom_scheme_find("moreau-jean", &error), work,
                                          &(carom_step_settings){.h = 0.01}, q0, v0, &stepper, &error),
                     CAROM_OK);
    carom_tangent *tangent = NULL;
    assert_int_equal(carom_tangent_create(stepper, 2, (carom_tangent_column[]){{.v0 = first}, {.v0 = second}},
                                          &tangent, &error),
                     CAROM_OK);
    for (int k = 0; k < 30; k++)
        assert_int_equal(carom_tangent_step(tangent, &error), CAROM_OK);
    assert_true(stepper->state.v[0] == 0.25 && stepper->state.v[1] == 1.0);
    assert_true(carom_tangent_v(tangent, 0)[0] == 0.0 && carom_tangent_v(tangent, 0)[1] == 1.0);
    assert_true(carom_tangent_v(tangent, 1)[0] == 1.0 && carom_tangent_v(tangent, 1)[1] == 0.0);
    carom_tangent_free(tangent);
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    carom_model_free(model);
}

/* ---- against differences ------------------------------------------------------------------------------------ */

static void test_ball_against_differences(void **state)
{
    (void)state;
    carom_model *model = ball_model();
    const motion_case m = {.model = model,
                           .scheme = "moreau-jean",
                           .steps = 120,
                           .h = 0.01,
                           .parameter = {0.8, 10.0},
                           .q = {1.0031},
                           .v = {0.1}};
    check_tangent(&m, &(motion_case){.parameter = {0.7, 0.2}, .q = {0.3}, .v = {-0.4}}, 1e-9);
    check_tangent(&m, &(motion_case){.h = 0.01, .t0 = 0.3}, 1e-7);
    const carom_option theta[] = {{.name = "theta", .value = 0.75}, {0}};
    motion_case other = m;
    other.option = theta;
    check_tangent(&other, &(motion_case){.parameter = {0.7, 0.2}, .q = {0.3}, .v = {-0.4}, .h = 0.001}, 1e-8);
    carom_model_free(model);
}

/* A mass that depends on the position, forces that depend on everything, a wall that moves. */
static void test_pendulum_with_wall(void **state)
{
    (void)state;
    carom_model *model = pendulum_model("x + l*sin(phi) + 0.1 + 0.05*sin(w*t)");
    const motion_case by = {
        .parameter = {0.3, 0.5, 1.0, -0.4}, .q = {0.2, 0.3}, .v = {-0.4, 0.5}, .t0 = 0.2, .h = 0.001};
    const carom_option predicted[] = {{.name = "rows", .word = "predicted"}, {0}},
                       theta[] = {{.name = "theta", .value = 0.6}, {.name = "prediction", .value = 0.3}, {0}};
    motion_case m = {.model = model,
                     .scheme = "moreau-jean",
                     .steps = 150,
                     .h = 0.01,
                     .parameter = {0.8, 0.6, 3.0, 0.2},
                     .q = {0.1, 0.4},
                     .v = {0.2, 0.1},
                     .difference = 1e-5};
    check_tangent(&m, &by, 1e-7);
    m.option = predicted;
    check_tangent(&m, &by, 1e-7);
    m.option = theta;
    check_tangent(&m, &by, 1e-7);
    carom_model_free(model);
}

/* A force that is linear, but not symmetric: with a contact the first iterate is not the solution. */
static void test_gyroscopic_force(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x"), y = carom_build_coordinate(b, "y");
    carom_build_parameter(b, "w", 3.0);
    carom_build_kinetic(b, carom_build_formula(b, "1/2*dot(x)^2 + 1/2*dot(y)^2"));
    carom_build_force(b, x, carom_build_formula(b, "w*dot(y) - 9.81"));
    carom_build_force(b, y, carom_build_formula(b, "-w*dot(x)"));
    const int wall = carom_build_contact(b, "wall", carom_build_formula(b, "x + 0.3*y"));
    carom_build_restitution(b, wall, carom_build_formula(b, "0.6"));
    carom_model *model = finish_model(b);
    const motion_case m = {.model = model,
                           .scheme = "moreau-jean",
                           .steps = 150,
                           .h = 0.01,
                           .parameter = {3.0},
                           .q = {0.5, 0.1},
                           .v = {0.0, 0.3}};
    check_tangent(&m, &(motion_case){.parameter = {1.0}, .q = {0.2, 0.3}, .v = {0.3, 0.4}}, 1e-8);
    carom_model_free(model);
}

/* A block on a belt, in the plane: it slips, sticks, slips. */
static void test_friction_in_the_plane(void **state)
{
    (void)state;
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
    carom_build_friction(b, floor, carom_build_formula(b, "mu"));
    carom_build_restitution(b, floor, carom_build_formula(b, "0"));
    carom_model *model = finish_model(b);
    motion_case m = {.model = model,
                     .scheme = "moreau-jean",
                     .steps = 20,
                     .h = 0.01,
                     .parameter = {0.4, 30.0, 0.3},
                     .q = {0.05, -0.001},
                     .v = {0.0, 0.0}};
    const motion_case by = {.parameter = {0.1, 3.0, 0.2}, .q = {0.02, 0.0}, .v = {0.1, 0.0}, .h = 0.001};
    for (int k = 0; k < 8; k++, m.steps += 25)
        check_tangent(&m, &by, 1e-8);
    carom_model_free(model);
}

static void test_friction_in_space(void **state)
{
    (void)state;
    carom_model *model = puck_model("0.5");
    motion_case m = {.model = model,
                     .scheme = "moreau-jean",
                     .steps = 10,
                     .h = 0.01,
                     .parameter = {0.4, 30.0},
                     .q = {0.4, 0.3, 0.02},
                     .v = {0.5, -1.0, 0.0},
                     .difference = 1e-5};
    const motion_case by = {
        .parameter = {0.1, 3.0}, .q = {0.02, 0.03, 0.1}, .v = {0.1, 0.2, 0.3}, .h = 0.001};
    for (int k = 0; k < 6; k++, m.steps += 20)
        check_tangent(&m, &by, 1e-7);
    carom_model_free(model);
}

/* A slider crank: two joints, a contact, both ways of joints. */
static void test_joints(void **state)
{
    (void)state;
    carom_model *model = rod_model();
    const motion_case m = {.model = model,
                           .scheme = "moreau-jean",
                           .steps = 170,
                           .h = 0.01,
                           .parameter = {1.0, 0.5},
                           .q = {0.6, -0.8, 0.0},
                           .v = {0.0, 0.0, 0.0},
                           .difference = 1e-5};
    /* positions that stay on the joint: along the rod with its length, and along its tangent to first order */
    check_tangent(&m, &(motion_case){.parameter = {0.0, 0.3}, .h = 0.0005}, 1e-7);
    check_tangent(&m, &(motion_case){.v = {0.8, 0.6, 0.0}}, 1e-7);
    check_tangent(&m, &(motion_case){.parameter = {1.0}, .q = {0.6, -0.8, 0.0}}, 1e-7);
    const carom_option end[] = {{.name = "joints", .word = "end"}, {.name = "theta", .value = 0.8}, {0}};
    motion_case other = m;
    other.option = end;
    check_tangent(&other, &(motion_case){.parameter = {0.0, 0.3}, .v = {0.8, 0.6, 0.0}, .h = 0.0005}, 1e-7);
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
    motion_case m = {.model = model,
                     .scheme = "moreau-jean",
                     .steps = 100,
                     .h = 0.01,
                     .parameter = {0.3},
                     .q = {0.3037, 0.0},
                     .v = {0.0, 0.0}};
    int breaks = 0;
    double error = 0.0;
    const motion_case by = {.parameter = {0.2}, .q = {0.1}};
    const motion_end found = exact(&m, &by, &breaks), expected = differences(&m, &by, &error);
    assert_int_equal(breaks, 0);
    assert_true(fabs(found.q[0] - expected.q[0]) <= 1e-9 && fabs(found.v[0] - expected.v[0]) <= 1e-9);
    carom_model_free(model);
}

/* A ball that begins to touch exactly where the step looks: there is no derivative by its position. */
static void test_a_gap_of_zero_is_a_break(void **state)
{
    (void)state;
    carom_model *model = ball_model();
    int breaks = 0;
    const motion_case m = {
        .model = model, .scheme = "moreau-jean", .steps = 3, .h = 0.01, .parameter = {0.8, 10.0}};
    exact(&m, &(motion_case){.q = {1.0}}, &breaks);
    assert_true(breaks > 0);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_in_closed_form),
        cmocka_unit_test(test_equal_balls_exchange_their_derivatives),
        cmocka_unit_test(test_ball_against_differences),
        cmocka_unit_test(test_pendulum_with_wall),
        cmocka_unit_test(test_gyroscopic_force),
        cmocka_unit_test(test_friction_in_the_plane),
        cmocka_unit_test(test_friction_in_space),
        cmocka_unit_test(test_joints),
        cmocka_unit_test(test_redundant_contacts),
        cmocka_unit_test(test_a_gap_of_zero_is_a_break),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
