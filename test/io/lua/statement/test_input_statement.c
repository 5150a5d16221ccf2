/* input { }: where inputs may stand, what they are in runs, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"

#define END "\nintegrate { h = 0.1, until_t = 1 }\n"

static void test_inputs_stand_in_forces_potentials_and_contacts(void **unused)
{
    (void)unused;
    carom_experiment *e =
        load_good_text("local x, y = coordinates('x', 'y')\n"
                       "local a = param('a', 3)\n"
                       "local u = input { 'u', 2, doc = 'thrust', unit = 'N', min = -10, max = 10 }\n"
                       "local mu, e, w = input('mu', 0.25), input { 'e', 0.5 }, input 'w'\n"
                       "mass(1)  force { x = a * u }  potential(w * x^2 / 2)\n"
                       "contact { 'floor', gap = y, slip = dot(x) - w, friction = mu, restitution = e }\n"
                       "record { u = u, twice = 2 * u }\n"
                       "assert(tostring(u) == 'u')\n" END);
    const carom_model *model = e->model;
    assert_int_equal(model->inputs, 4);
    assert_int_equal(model->parameters, 5);
    assert_false(model->parameter[0].input);
    assert_true(model->parameter[1].input && model->parameter[1].value == 2.0);
    assert_string_equal(model->parameter[1].doc, "thrust");
    assert_true(model->parameter[4].value == 0.0); /* the default of the default */
    assert_false(model->constant_force || model->constant_force_jacobian || model->conservative);
    assert_false(model->contact[0].constant_frame);
    carom_model_work *work = NULL;
    carom_error error;
    assert_int_equal(carom_model_work_create(model, e->parameter, &work, &error), CAROM_OK);
    const double q[] = {0.5, 1.0}, v[] = {0.0, 0.0};
    double force[2], slope[4], rate[4];
    model->ops->force(work, 0.0, q, v, force);
    assert_true(force[0] == 6.0 && force[1] == 0.0);
    carom_arena *arena = carom_arena_create();
    carom_contact_frame frame;
    assert_true(carom_contact_frame_take(arena, model, &frame));
    work->input[1] = -1.0;
    work->input[2] = 0.75;
    work->input[3] = 0.125;
    work->input[4] = 4.0;
    model->ops->force(work, 0.0, q, v, force);
    model->ops->force_jacobian(work, 0.0, q, v, slope, rate);
    model->ops->frame(work, 0, 0.0, q, &frame);
    assert_true(force[0] == -3.0 - 4.0 * 0.5 && slope[0] == -4.0);
    assert_true(frame.coefficients[0] == 0.75 && frame.restitution == 0.125 && frame.tangent_rate[0] == -4.0);
    assert_true(model->ops->energy(work, 0.0, q, v) == 0.5); /* w x^2 / 2 */
    model->ops->bind(work, e->parameter);                    /* as at the start again */
    model->ops->force(work, 0.0, q, v, force);
    assert_true(force[0] == 6.0);
    double *column = columns_of(e, &(carom_inputs){.q = q, .u = v});
    assert_true(column[column_named(e, "u")] == 2.0 && column[column_named(e, "twice")] == 4.0);
    free(column);
    carom_arena_free(arena);
    carom_model_work_free(work);
    carom_experiment_free(e);
}

/* In a run an input has the value that a parameter has: the same motion, to the bit where the scheme makes no difference. */
static void test_in_runs_inputs_are_constant(void **unused)
{
    (void)unused;
    double end[2];
    for (int k = 0; k < 2; k++) {
        char text[300];
        snprintf(
            text, sizeof text,
            "local x = coordinates('x')\nlocal u = %s('u', 0)\nmass(1) force { x = u * dot(x) - x * u }\n"
            "initial { x = 1 } integrate { scheme = 'sweeping', h = 0.01, until_t = 1 }\n",
            k ? "input" : "param");
        char name[] = "u", value[] = "0.75";
        carom_experiment *e =
            load_good(&(carom_load_request){.file = script_name,
                                            .text = text,
                                            .override_count = 1,
                                            .override = (const carom_override[]){{name, value}}});
        carom_run_result result;
        carom_error error = {0};
        assert_int_equal(carom_run(&(carom_run_request){.experiment = e}, &result, &error), CAROM_OK);
        end[k] = result.final[result.layout.q];
        carom_run_result_free(&result);
        carom_experiment_free(e);
    }
    assert_true(end[0] == end[1] && end[0] != 1.0);
}

/* A force on every velocity that the file does not know of. */
static void test_force_inputs(void **unused)
{
    (void)unused;
    static const char *const script[] = {
        "local x, y = coordinates('x', 'y')\nlocal a = param('a', 3)\nmass(1) force { y = a }" END,
        "local x, y = coordinates('x', 'y')\nmass(1) potential(-3 * y)" END,
        "world { gravity = { 0, -3 } }\nlocal x = coordinates 'x'\nmass { x = 2 }\n"
        "body { 'b', shape = disc { 1 }, mass = 1, inertia = 1, at = { 0, 5 } }" END};
    for (size_t k = 0; k < sizeof script / sizeof *script; k++) {
        carom_experiment *e =
            load_good(&(carom_load_request){.file = script_name, .text = script[k], .force_inputs = true});
        const carom_model *model = e->model;
        const int first = model->parameters - model->dof;
        assert_int_equal(model->inputs, model->dof);
        assert_true(model->parameter[first].input && model->parameter[first].computed);
        carom_model_work *work = NULL;
        carom_error error;
        assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
        double q[8] = {0}, v[8] = {0}, before[8], after[8];
        model->ops->force(work, 0.0, q, v, before);
        for (int i = 0; i < model->dof; i++)
            work->input[first + i] = 10.0 + i;
        model->ops->force(work, 0.0, q, v, after);
        for (int i = 0; i < model->dof; i++)
            assert_true(after[i] - before[i] == 10.0 + i);
        carom_model_work_free(work);
        carom_experiment_free(e);
    }
    carom_experiment *e = NULL;
    carom_error error = {0};
    assert_int_equal(carom_experiment_load(
                         &(carom_load_request){
                             .file = script_name,
                             .text = "beam { 'u', length = 1, elements = 4, k2 = 1, left = 'clamped' }" END,
                             .force_inputs = true},
                         &e, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "beam"));
}

static void test_what_is_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *word;
    } wrong[] = {
        {"input()", "name"},
        {"input { 'u', 'a' }", "number"},
        {"input { 'u', 3, max = 1 }", "range"},
        {"input { 'u', 0/0 }", "number"},
        {"input { 'u', 0, colour = 1 }", "colour"},
        {"input 'x'", "x"},
        {"input 'u' input 'u'", "u"},
        {"initial { x = input 'u' }", "param"},
        {"if input 'u' then end initial { x = y }", "y"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[300];
        snprintf(text, sizeof text, "local x = coordinates 'x'\nmass(1)\n%s" END, wrong[i].text);
        carom_experiment *e = NULL;
        carom_error error = {0};
        assert_int_equal(load_text(text, &e, &error), CAROM_BAD_INPUT);
        assert_null(e);
        assert_non_null(strstr(error.text, wrong[i].word));
        assert_non_null(strstr(error.text, "model.lua:3:"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inputs_stand_in_forces_potentials_and_contacts),
        cmocka_unit_test(test_in_runs_inputs_are_constant),
        cmocka_unit_test(test_force_inputs),
        cmocka_unit_test(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
