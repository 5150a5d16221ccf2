/* Derivatives of the steps of every scheme that has them, against differences of whole motions. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/scheme/tangent_models.h"

static void test_moreau_1986(void **state)
{
    (void)state;
    const carom_option ahead[] = {{.name = "av", .value = 0.5}, {0}};
    check_carts("elast", "1", NULL, 400, 1e-7);
    check_carts("elast", "1", ahead, 400, 1e-7);
    check_carts("billiard", "1", NULL, 300, 1e-7);
    check_carts("billiard", "1", ahead, 200, 1e-7);
    const carom_option none[] = {{.name = "av", .value = 0.0}, {0}},
                       vertex[] = {{.name = "test", .word = "vertex"}, {0}};
    check_carts("inel", NULL, NULL, 400, 1e-7);
    check_carts("inel", NULL, none, 400, 1e-7);
    check_carts("inel", NULL, vertex, 400, 1e-7);
    check_carts("moreau-friction", NULL, NULL, 400, 1e-7);
}

/* The ball of billiard in steps: the free velocity v - h g is turned where the vertex is inside, and falls. */
static void test_billiard_in_closed_form(void **state)
{
    (void)state;
    const double g = 10.0, h = 0.01, by_g[] = {0.0, 1.0}, one = 1.0;
    double y = 1.0, v = 0.0, dy[3] = {0.0, 1.0, 0.0}, dv[3] = {0.0, 0.0, 1.0}; /* by g, y0, v0 */
    carom_model *model = ball_model();
    const motion_case m = {
        .model = model, .scheme = "billiard", .h = h, .parameter = {1.0, g}, .q = {y}, .v = {v}};
    carom_model_work *work = NULL;
    carom_error error = {0};
    carom_stepper *stepper = begin_motion(&m, &work);
    carom_tangent *tangent = NULL;
    assert_int_equal(
        carom_tangent_create(stepper, 3,
                             (carom_tangent_column[]){{.parameter = by_g}, {.q0 = &one}, {.v0 = &one}},
                             &tangent, &error),
        CAROM_OK);
    int impacts = 0;
    for (int k = 0; k < 150; k++) {
        const double before = v, free = v - h * g;
        const bool strikes = y + 0.5 * h * v <= 0.0 && free < 0.0;
        impacts += strikes;
        v = strikes ? -free : free;
        y += 0.5 * h * (before + v);
        for (int c = 0; c < 3; c++) {
            const double old = dv[c], free_along = old - (c == 0 ? h : 0.0);
            dv[c] = strikes ? -free_along : free_along;
            dy[c] += 0.5 * h * (old + dv[c]);
        }
        assert_int_equal(carom_tangent_step(tangent, &error), CAROM_OK);
        for (int c = 0; c < 3; c++) {
            assert_true(fabs(*carom_tangent_q(tangent, c) - dy[c]) <= 1e-12 * (1.0 + fabs(dy[c])));
            assert_true(fabs(*carom_tangent_v(tangent, c) - dv[c]) <= 1e-12 * (1.0 + fabs(dv[c])));
        }
    }
    assert_true(fabs(stepper->state.q[0] - y) <= 1e-12);
    assert_true(impacts >= 2);
    carom_tangent_free(tangent);
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    carom_model_free(model);
}

static void test_sweeping(void **state)
{
    (void)state;
    const carom_option implicit[] = {{.name = "implicit", .word = "on"}, {0}};
    check_carts("sweeping", "0.6", NULL, 400, 1e-7);
    check_carts("sweeping", "0.1 + 0.01*m", implicit, 400, 1e-7);
    check_carts("sweeping", "0", NULL, 400, 1e-7);
}

static void test_paoli_schatzman(void **state)
{
    (void)state;
    const carom_option centred[] = {{.name = "force", .word = "centred"},
                                    {.name = "start", .word = "taylor2"},
                                    {0}},
                       forward[] = {{.name = "force", .word = "forward"}, {0}};
    check_carts("paoli-schatzman", "0.6", NULL, 400, 1e-7);
    check_carts("paoli-schatzman", "0.1 + 0.1*m", centred, 400, 1e-7);
    check_carts("paoli-schatzman", "0.02*k", forward, 300, 1e-7);
    check_carts("paoli-schatzman", "0", NULL, 400, 1e-7);
    check_carts("paoli-schatzman", "0.5", centred, 2, 1e-7);
}

static void check_slider(const carom_option *option, int steps)
{
    carom_model *model = slider_model();
    motion_case m = {.model = model,
                     .scheme = "generalized-alpha",
                     .option = option,
                     .steps = steps,
                     .h = 0.005,
                     .parameter = {1.0, 0.5, 0.6},
                     .q = {0.6, -0.8, 0.0},
                     .difference = 1e-5};
    check_tangent(&m, &(motion_case){.parameter = {0.0, 0.3, 0.2}, .h = 0.0005, .t0 = 0.1}, 1e-6);
    check_tangent(&m, &(motion_case){.v = {0.8, 0.6, 0.0}}, 1e-6);
    check_tangent(&m, &(motion_case){.parameter = {1.0}, .q = {0.6, -0.8, 0.0}}, 1e-6);
    carom_model_free(model);
}

static void test_generalized_alpha(void **state)
{
    (void)state;
    const carom_option tight[] = {{.name = "tol", .value = 1e-12}, {0}},
                       three[] = {{.name = "tol", .value = 1e-12},
                                  {.name = "strategy", .word = "3"},
                                  {.name = "rho_inf", .value = 0.5},
                                  {0}},
                       pvv[] = {{.name = "tol", .value = 1e-12}, {.name = "constraints", .word = "pvv"}, {0}},
                       zero[] = {{.name = "tol", .value = 1e-12}, {.name = "start", .word = "zero"}, {0}};
    check_slider(tight, 150);
    check_slider(tight, 300);
    check_slider(three, 250);
    check_slider(pvv, 250);
    check_slider(zero, 100);
    check_carts("generalized-alpha", "0.6", tight, 300, 1e-6);
    check_carts("generalized-alpha", "0", three, 300, 1e-6);
}

/* A block on a shaken floor with friction in two directions. */
static void test_moreau_friction(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_coordinate(b, "z");
    carom_build_parameter(b, "mu", 0.3);
    carom_build_parameter(b, "a", 2.0);
    carom_build_kinetic(b, carom_build_formula(b, "1/2*(dot(x)^2 + dot(y)^2 + dot(z)^2)"));
    carom_build_potential(b, carom_build_formula(b, "9.81*z + 1/2*25*x^2"));
    const int floor = carom_build_contact(b, "floor", carom_build_formula(b, "z"));
    carom_build_slip(b, floor, carom_build_formula(b, "dot(x) - 0.3*sin(a*t)"));
    carom_build_slip(b, floor, carom_build_formula(b, "dot(y)"));
    carom_build_friction(b, floor, carom_build_formula(b, "mu*(1 + 0.1*x)"));
    carom_model *model = finish_model(b);
    motion_case m = {.model = model,
                     .scheme = "moreau-friction",
                     .steps = 15,
                     .h = 0.005,
                     .parameter = {0.3, 2.0},
                     .q = {0.3, 0.0, -0.001},
                     .v = {0.2, 0.9, 0.0},
                     .difference = 1e-5};
    const motion_case by = {
        .parameter = {0.1, 0.4}, .q = {0.1, 0.2, 0.0}, .v = {0.3, -0.4, 0.0}, .h = 0.0005};
    for (int k = 0; k < 6; k++, m.steps += 25)
        check_tangent(&m, &by, 1e-7);
    carom_model_free(model);
}

/* What has no derivatives says so. */
static void refuse(const char *scheme, const carom_option *option, const char *text)
{
    carom_model *model = carts_model(strcmp(scheme, "elast") == 0 ? "1" : NULL);
    const motion_case m = {
        .model = model, .scheme = scheme, .option = option, .h = 0.004, .parameter = {20.0, 2.0, 3.0}};
    carom_model_work *work = NULL;
    carom_error error = {0};
    carom_stepper *stepper = begin_motion(&m, &work);
    carom_tangent *tangent = NULL;
    assert_int_equal(carom_tangent_create(stepper, 1, &(carom_tangent_column){0}, &tangent, &error),
                     CAROM_BAD_INPUT);
    assert_null(tangent);
    assert_non_null(strstr(error.text, text));
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    carom_model_free(model);
}

static void test_what_has_none_says_so(void **state)
{
    (void)state;
    const carom_option correction[] = {{.name = "correction", .word = "on"}, {0}},
                       stabilise[] = {{.name = "stabilise", .word = "on"}, {0}},
                       law[] = {{.name = "impact_law", .word = "lzb"},
                                {.name = "impact_method", .word = "time"},
                                {0}};
    refuse("inel", correction, "correction");
    refuse("sweeping", stabilise, "put back");
    refuse("sweeping", law, "impact law");
    refuse("moreau-jean", law, "lzb");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moreau_1986),
        cmocka_unit_test(test_billiard_in_closed_form),
        cmocka_unit_test(test_sweeping),
        cmocka_unit_test(test_paoli_schatzman),
        cmocka_unit_test(test_generalized_alpha),
        cmocka_unit_test(test_moreau_friction),
        cmocka_unit_test(test_what_has_none_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
