/* Derivatives of the steps of the schemes for inclusions. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/io.h"
#include "test/scheme/tangent_check.h"

static const char *const schemes[] = {"dai-theta", "dai-euler"};

static carom_experiment *load(const char *text)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    const carom_load_request request = {.name = "model", .file = "model.lua", .text = text};
    if (carom_experiment_load(&request, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

/* Two masses, one on a belt that moves, one in a sleeve: slip and stick, bounds that depend on everything. */
static void test_friction(void **state)
{
    (void)state;
    static const char *const text[] = {
        "local f, v0, m = param('f', 0.7), param('v0', 0.5), param('m', 1.5)\n"
        "local x, z = coordinates('x', 'z')\nmass { { m, 0.2 }, { 0.2, 1 } }\n"
        "potential(x^2/2 + (x - z)^2 + z^4/2)\nforce { z = sin(2*time()) - 0.1*dot(z) }\n"
        "friction_force { 'belt', slip = dot(x) - v0*(1 + 0.1*sin(time())), bound = f*(1 + 0.1*x^2) }\n"
        "friction_force { 'sleeve', slip = dot(z), bound = 0.2*f }\n"
        "initial { x = 0.3 }\nintegrate { scheme = 'dai-theta', h = 0.02, until_t = 1 }\n",
        "local f, v0, m = param('f', 0.7), param('v0', 0.5), param('m', 1.5)\n"
        "local x, z = coordinates('x', 'z')\nmass { { m, 0.2 }, { 0.2, 1 } }\n"
        "potential(x^2/2 + (x - z)^2 + z^4/2)\nforce { z = sin(2*time()) - 0.1*dot(z) }\n"
        "friction_force { 'belt', slip = dot(x) - v0, bound = f, static = 1.4*f, decay = 0.3*m }\n"
        "friction_force { 'sleeve', slip = dot(z), bound = 0.2*f }\n"
        "initial { x = 0.3 }\nintegrate { scheme = 'dai-theta', h = 0.02, until_t = 1 }\n"};
    const motion_case by = {
        .parameter = {0.1, 0.2, -0.1}, .q = {0.2, 0.1}, .v = {0.3, -0.1}, .t0 = 0.1, .h = 0.001};
    for (int k = 0; k < 2; k++)
        for (int s = 0; s < 2; s++) {
            carom_experiment *experiment = load(text[k]);
            motion_case m = {.model = experiment->model,
                             .scheme = schemes[s],
                             .steps = 7,
                             .h = 0.02,
                             .parameter = {0.7, 0.5, 1.5},
                             .q = {0.3, -0.1},
                             .v = {0.2, 0.6},
                             .difference = 1e-5};
            for (int i = 0; i < 6; i++, m.steps += 45)
                check_tangent(&m, &by, 1e-6);
            carom_experiment_free(experiment);
        }
}

/* Coordinates without inertia, which joints give: they move with time and parameters, and forces depend on them. */
static void test_algebraic_variables(void **state)
{
    (void)state;
    carom_experiment *experiment =
        load("local a, f, k = param('a', 0.4), param('f', 0.05), param('k', 3)\n"
             "local x, y, z, w = coordinates('x', 'y', 'z', 'w')\n"
             "mass { { 1, 0, 0, 0 }, { 0, 0.3, 0, 0 }, { 0, 0, 0, 0 }, { 0, 0, 0, 0 } }\n"
             "force { x = -k*x - 0.5*z + 0.2*sin(time()), y = -k*y + 0.3*w*x - 0.05*dot(y) }\n"
             "joint { 'first', z + a*z^3 - x + y - 0.1*sin(2*time()) }\n"
             "joint { 'second', w*(1 + 0.1*x^2) - a*y + 0.2*z }\n"
             "friction_force { 'dry', slip = dot(x) - dot(y), bound = f }\n"
             "initial { x = 0.5, y = -0.2 }\n"
             "integrate { scheme = 'dai-theta', h = 0.02, until_t = 1, initial = 'project' }\n");
    const carom_option project[] = {{.name = "initial", .word = "project"}, {0}};
    const motion_case by = {
        .parameter = {0.1, 0.01, 0.3}, .q = {0.2, 0.1}, .v = {0.3, -0.1}, .t0 = 0.1, .h = 0.001};
    for (int s = 0; s < 2; s++) {
        motion_case m = {.model = experiment->model,
                         .scheme = schemes[s],
                         .option = project,
                         .steps = 1,
                         .h = 0.02,
                         .parameter = {0.4, 0.05, 3.0},
                         .q = {0.5, -0.2, 0.6, -0.2},
                         .v = {0.2, 0.4},
                         .difference = 1e-5};
        for (int i = 0; i < 5; i++, m.steps += 60)
            check_tangent(&m, &by, 1e-6);
    }
    carom_experiment_free(experiment);
}

static carom_tangent *begin_tangent(carom_stepper *stepper, int columns, const carom_tangent_column *column)
{
    carom_tangent *tangent = NULL;
    carom_error error = {0};
    if (carom_tangent_create(stepper, columns, column, &tangent, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return tangent;
}

static void end_motion(carom_tangent *tangent, carom_model_work *work)
{
    carom_stepper *stepper = tangent->stepper;
    carom_tangent_free(tangent);
    carom_stepper_free(stepper);
    carom_model_work_free(work);
}

/* A block that friction stops: v_j = v0 - j h b for N steps, then 0; with the midpoint scheme x = h (v0/2 + v_1 + ... + v_N). */
static void test_block_in_closed_form(void **state)
{
    (void)state;
    carom_experiment *experiment = load("local b = param('b', 2)\nlocal x = coordinates 'x'\nmass(1)\n"
                                        "friction_force { 'dry', slip = dot(x), bound = b }\n"
                                        "integrate { scheme = 'dai-theta', h = 0.01, until_t = 1 }\n");
    const double h = 0.01, b = 2.0, v0 = 1.013, one = 1.0;
    const int N = (int)floor(v0 / (h * b));
    const motion_case m = {
        .model = experiment->model, .scheme = "dai-theta", .h = h, .parameter = {b}, .v = {v0}};
    carom_model_work *work = NULL;
    carom_error error = {0};
    carom_stepper *stepper = begin_motion(&m, &work);
    carom_tangent *tangent =
        begin_tangent(stepper, 2, (carom_tangent_column[]){{.v0 = &one}, {.parameter = &one}});
    for (int k = 0; k < 100; k++)
        assert_int_equal(carom_tangent_step(tangent, &error), CAROM_OK);
    const double sum = 0.5 * N * (N + 1);
    assert_true(fabs(stepper->state.q[0] - h * (v0 / 2.0 + N * v0 - sum * h * b)) <= 1e-13);
    assert_true(fabs(*carom_tangent_q(tangent, 0) - h * (0.5 + N)) <= 1e-13);
    assert_true(fabs(*carom_tangent_q(tangent, 1) + h * h * sum) <= 1e-13);
    assert_true(*carom_tangent_v(tangent, 0) == 0.0 && *carom_tangent_v(tangent, 1) == 0.0);
    assert_int_equal(tangent->breaks, 0);
    end_motion(tangent, work);
    carom_experiment_free(experiment);
}

/* Without friction a linear oscillator: (q, v) after a step of the midpoint rule is Cayley's matrix times those before. */
static void test_linear_steps(void **state)
{
    (void)state;
    carom_experiment *experiment = load("local x = coordinates 'x'\nmass(1)\npotential(8*x^2)\n"
                                        "friction_force { 'none', slip = dot(x), bound = 0 }\n"
                                        "integrate { scheme = 'dai-theta', h = 0.1, until_t = 1 }\n");
    const double h = 0.1, k = 16.0, a = h * h * k / 4.0, one = 1.0;
    const motion_case m = {.model = experiment->model, .scheme = "dai-theta", .h = h, .q = {0.3}, .v = {0.4}};
    carom_model_work *work = NULL;
    carom_error error = {0};
    carom_stepper *stepper = begin_motion(&m, &work);
    carom_tangent *tangent = begin_tangent(stepper, 2, (carom_tangent_column[]){{.q0 = &one}, {.v0 = &one}});
    assert_int_equal(carom_tangent_step(tangent, &error), CAROM_OK);
    const double *q = carom_tangent_q(tangent, 0), *v = carom_tangent_q(tangent, 1);
    assert_true(fabs(q[0] - (1.0 - a) / (1.0 + a)) <= 1e-14 && fabs(q[1] + h * k / (1.0 + a)) <= 1e-13);
    assert_true(fabs(v[0] - h / (1.0 + a)) <= 1e-14 && fabs(v[1] - (1.0 - a) / (1.0 + a)) <= 1e-14);
    for (int i = 0; i < 50; i++)
        assert_int_equal(carom_tangent_step(tangent, &error), CAROM_OK);
    assert_true(fabs(q[0] * v[1] - q[1] * v[0] - 1.0) <= 1e-12); /* areas stay */
    end_motion(tangent, work);
    carom_experiment_free(experiment);
}

/* A spring pulls exactly as strongly as friction can hold. */
static void test_break(void **state)
{
    (void)state;
    carom_experiment *experiment = load("local x = coordinates 'x'\nmass(1)\npotential(x^2)\n"
                                        "friction_force { 'dry', slip = dot(x), bound = 1 }\n"
                                        "integrate { scheme = 'dai-euler', h = 0.125, until_t = 1 }\n");
    const double one = 1.0;
    const motion_case m = {.model = experiment->model, .scheme = "dai-euler", .h = 0.125, .q = {0.5}};
    carom_model_work *work = NULL;
    carom_error error = {0};
    carom_stepper *stepper = begin_motion(&m, &work);
    carom_tangent *tangent = begin_tangent(stepper, 1, &(carom_tangent_column){.q0 = &one});
    for (int k = 0; k < 4; k++)
        assert_int_equal(carom_tangent_step(tangent, &error), CAROM_OK);
    assert_true(tangent->breaks > 0);
    assert_non_null(strstr(tangent->kept[0].why, "'dry'"));
    assert_true(fabs(tangent->kept[0].t - 0.125) <= 1e-12);
    assert_true(isfinite(*carom_tangent_q(tangent, 0)));
    end_motion(tangent, work);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_friction),
        cmocka_unit_test(test_algebraic_variables),
        cmocka_unit_test(test_block_in_closed_form),
        cmocka_unit_test(test_linear_steps),
        cmocka_unit_test(test_break),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
