/* Contacts on supports that shake fast: second derivatives of gaps and slips at any frequency. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "model_runs.h"

static const double pi = 3.14159265358979323846;

/* A part on a table with the lift A sin(w t), A w^2 = 2 g, leaves it where sin(w t) = 1/2. */
static void test_part_leaves_table(void **state)
{
    (void)state;
    const double frequency[] = {1e-3, 1.0, 16.0, 50.0, 60.0, 100.0, 150.0, 1e4};
    for (size_t i = 0; i < sizeof frequency / sizeof *frequency; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "local f = %.17g\n"
                 "local w, g = 2 * pi * f, 9.81\n"
                 "local A = 2 * g / w^2\n"
                 "local y = coordinates('y')\n"
                 "mass(1)\n"
                 "potential(g * y)\n"
                 "contact { 'table', gap = y - A * sin(w * time()), restitution = 0 }\n"
                 "initial { [dot(y)] = A * w }\n"
                 "integrate { scheme = 'event-driven', h = 0.05 / f, until_t = 0.3 / f }\n",
                 frequency[i]);
        motion m = move_events(text);
        assert_true(fabs(time_of(&m, CAROM_EVENT_RELEASE, 0) * 12.0 * frequency[i] - 1.0) < 1e-9);
        forget(&m);
    }
}

/* A block on a plate that shakes along itself with 0.3 g sticks where the friction is 0.4. */
static void test_block_sticks_to_plate(void **state)
{
    (void)state;
    const double frequency[] = {1.0, 16.0, 50.0, 60.0, 100.0};
    for (size_t i = 0; i < sizeof frequency / sizeof *frequency; i++) {
        char text[700];
        const double w = 2.0 * pi * frequency[i];
        snprintf(text, sizeof text,
                 "local w, g = %.17g, 9.81\n"
                 "local x, y = coordinates('x', 'y')\n"
                 "mass(1)\n"
                 "potential(g * y)\n"
                 "contact { 'plate', gap = y, slip = dot(x) - 0.3 * g / w * cos(w * time()), friction = 0.4, "
                 "restitution = 0 }\n"
                 "initial { [dot(x)] = 0.3 * g / w }\n"
                 "integrate { scheme = 'event-driven', h = 0.7 / w, until_t = 14 / w }\n",
                 w);
        motion m = move_events(text);
        assert_true(fabs(position(&m, 0) * w * w / 9.81 - 0.3 * sin(w * m.result.final[0])) < 1e-8);
        forget(&m);
    }
}

static const double w_functions = 314.15926535897932; /* 50 Hz */

static void weight(void *context, double t, const double *q, const double *v, double *f)
{
    (void)context, (void)t, (void)q, (void)v;
    f[0] = -9.81;
}

static void above_table(void *context, double t, const double *q, double *gap)
{
    const double w = w_functions;
    (void)context;
    gap[0] = q[0] - 2.0 * 9.81 / (w * w) * sin(w * t);
}

static void normal_of_table(void *context, int contact, double t, const double *q, double *row, double *rate)
{
    const double w = w_functions;
    (void)context, (void)contact, (void)q;
    row[0] = 1.0;
    *rate = -2.0 * 9.81 / w * cos(w * t);
}

/* The same table where no expression gives derivatives. It flies from pi / (6 w) on. */
static void test_functions(void **state)
{
    (void)state;
    const double w = w_functions, g = 9.81, A = 2.0 * g / (w * w), leaves = pi / (6.0 * w);
    const carom_model_functions table = {
        .dof = 1,
        .masses = (double[]){1.0},
        .force = weight,
        .contacts = 1,
        .gap = above_table,
        .normal = normal_of_table,
        .contact = &(carom_function_contact){.restitution = 0.0},
    };
    carom_model *model = NULL;
    carom_model_work *work = NULL;
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    assert_int_equal(carom_model_from_functions(&table, &model, &error), CAROM_OK);
    assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
    const double q0[1] = {0.0}, v0[1] = {A * w}, h = 0.1 / w;
    assert_int_equal(carom_stepper_create(scheme_named("event-driven"), work, &(carom_step_settings){.h = h},
                                          q0, v0, &stepper, &error),
                     CAROM_OK);
    for (int i = 1; i <= 12; i++) {
        assert_int_equal(carom_stepper_step(stepper, &error), CAROM_OK);
        const double t = stepper->state.t, s = t - leaves;
        const double exact = s < 0.0 ? A * sin(w * t) : 0.5 * A + s * (A * w * cos(w * leaves) - 0.5 * g * s);
        assert_true(fabs(stepper->state.q[0] - exact) < 1e-9 * A);
    }
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_part_leaves_table),
        cmocka_unit_test(test_block_sticks_to_plate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
