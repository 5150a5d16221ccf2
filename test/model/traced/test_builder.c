/* The builder of models from expressions: calls that go wrong, and models that it makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "carom/run.h"

static carom_node formula(carom_builder *b, const char *text)
{
    return carom_build_formula(b, text);
}

/* A point on a rod of length 1, in Cartesian coordinates: the rod is a joint. */
static carom_builder *rod(void)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_parameter(b, "m", 2.0);
    carom_build_parameter(b, "g", 10.0);
    carom_build_kinetic(b, formula(b, "m/2 * dot(x)^2"));
    carom_build_kinetic(b, formula(b, "m/2 * dot(y)^2"));
    carom_build_potential(b, formula(b, "m*g*y"));
    carom_build_joint(b, "rod", formula(b, "hypot(x, y) - 1"));
    return b;
}

static void joints_and_sums_of_energies(void **state)
{
    (void)state;
    carom_builder *b = rod();
    carom_model *model;
    carom_error error = {0};
    assert_int_equal(carom_build_model(b, &model, &error), CAROM_OK);
    carom_builder_free(b);
    assert_int_equal(model->joints, 1);
    assert_int_equal(model->parameters, 2);
    assert_true(model->conservative && model->constant_mass);
    carom_run_result result;
    const carom_run_request request = {
        .model = model, .scheme = "generalized-alpha", .q0 = (double[]){1.0, 0.0}, .h = 1e-3, .until = 1.0};
    assert_int_equal(carom_run(&request, &result, &error), CAROM_OK);
    const double *q = result.final + result.layout.q;
    assert_true(fabs(hypot(q[0], q[1]) - 1.0) < 1e-9);
    assert_true(fabs(result.energy_final - result.energy_initial) < 1e-3);
    carom_run_result_free(&result);

    /* parameters of the run: without weight nothing moves */
    carom_run_request still = request;
    still.parameter = (double[]){2.0, 0.0};
    assert_int_equal(carom_run(&still, &result, &error), CAROM_OK);
    assert_true(result.final[result.layout.q] == 1.0 && result.final[result.layout.v + 1] == 0.0);
    carom_run_result_free(&result);
    carom_model_free(model);
}

/* The first mistake is remembered, whatever comes after it. */
static void expect_refused(carom_builder *b, const char *words)
{
    carom_model *model;
    carom_error error = {0}, first = {0};
    assert_int_equal(carom_build_model(b, &model, &error), CAROM_BAD_INPUT);
    assert_null(model);
    if (!strstr(error.text, words))
        fail_msg("'%s' is not in: %s", words, error.text);
    if (carom_builder_status(b, &first) != CAROM_OK)
        assert_string_equal(first.text, error.text);
    assert_int_equal(carom_build_model(b, &model, NULL), CAROM_BAD_INPUT);
    carom_builder_free(b);
}

static void mistakes_are_told_in_the_end(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    expect_refused(b, "no coordinates");

    b = carom_builder_create();
    carom_build_coordinate(b, "x");
    expect_refused(b, "no inertia");

    b = rod();
    carom_build_potential(b, formula(b, "m*g*z"));
    carom_build_kinetic(b, formula(b, "also wrong"));
    expect_refused(b, "no symbol z");

    b = rod();
    carom_build_coordinate(b, "m");
    expect_refused(b, "'m' of a coordinate is taken");

    b = rod();
    carom_build_parameter(b, "", 1.0);
    expect_refused(b, "a parameter has no name");

    b = rod();
    carom_build_contact(b, NULL, formula(b, "y"));
    expect_refused(b, "a contact has no name");

    b = rod();
    carom_build_contact(b, "floor", CAROM_NO_NODE);
    expect_refused(b, "the gap of floor is no expression");

    b = rod();
    carom_build_restitution(b, 0, formula(b, "1"));
    expect_refused(b, "no contact 0");

    b = rod();
    carom_build_friction(b, carom_build_contact(b, "floor", formula(b, "y + 2")), formula(b, "0.1"));
    expect_refused(b, "'floor' has friction and nothing that slips");

    b = rod();
    const int floor = carom_build_contact(b, "floor", formula(b, "y + 2"));
    for (int i = 0; i < 3; i++)
        carom_build_slip(b, floor, formula(b, "dot(x)"));
    expect_refused(b, "at most 2 slip");

    b = rod();
    carom_build_force(b, formula(b, "2*x"), formula(b, "1"));
    expect_refused(b, "acts on a coordinate");

    b = rod();
    carom_build_velocity(b, formula(b, "x + y"));
    expect_refused(b, "only a coordinate has a velocity");

    b = rod();
    carom_build_contact(b, "floor", formula(b, "dot(y)"));
    expect_refused(b, "not of velocity");
}

static void symbols_are_leaves(void **state)
{
    (void)state;
    carom_builder *b = rod();
    carom_graph *graph = carom_builder_graph(b);
    const carom_node x = formula(b, "x");
    assert_int_equal(x, carom_leaf(graph, CAROM_OP_COORDINATE, 0));
    assert_int_equal(carom_build_velocity(b, x), formula(b, "dot(x)"));
    assert_int_equal(formula(b, "t"), carom_leaf(graph, CAROM_OP_TIME, 0));
    assert_int_equal(formula(b, "pi"), carom_constant(graph, 3.14159265358979323846));
    assert_int_equal(carom_builder_status(b, NULL), CAROM_OK);
    carom_builder_free(b);
}

/* An input is found by its name in formulas, and its value is what stands in the work. */
static void test_inputs(void **unused)
{
    (void)unused;
    carom_builder *b = carom_builder_create();
    carom_model *model = NULL;
    carom_model_work *work = NULL;
    carom_error error = {0};
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_parameter(b, "k", 2.0);
    const carom_node u = carom_build_input(b, "u", 5.0);
    assert_int_equal(carom_build_formula(b, "u"), u);
    carom_build_kinetic(b, carom_build_formula(b, "dot(x)^2 / 2"));
    carom_build_force(b, x, carom_build_formula(b, "k * u - x"));
    assert_int_equal(carom_build_model(b, &model, &error), CAROM_OK);
    carom_build_input(b, "u", 1.0);
    assert_int_equal(carom_builder_status(b, &error), CAROM_BAD_INPUT); /* the name is taken */
    carom_builder_free(b);
    assert_int_equal(model->inputs, 1);
    assert_true(model->parameter[1].input && !model->parameter[0].input);
    assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
    double force = 0.0;
    const double q = 1.0, v = 0.0;
    model->ops->force(work, 0.0, &q, &v, &force);
    assert_true(force == 9.0);
    work->input[1] = -3.0;
    model->ops->force(work, 0.0, &q, &v, &force);
    assert_true(force == -7.0);
    carom_model_work_free(work);
    carom_model_free(model);
}

/* A block in a bowl by its level, on a belt, and what does not go with one. */
static carom_builder *bowl(void)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_kinetic(b, formula(b, "(dot(x)^2 + dot(y)^2)/2"));
    carom_build_potential(b, formula(b, "9.81*y"));
    return b;
}

static void levels_have_distance_and_slip(void **state)
{
    (void)state;
    carom_builder *b = bowl();
    const int belt = carom_build_level(b, "belt", formula(b, "5*y"), 0, NULL);
    carom_build_surface(b, belt, (carom_node[]){formula(b, "3"), formula(b, "0")});
    carom_build_friction(b, belt, formula(b, "0.5"));
    carom_model *model;
    carom_error error = {0};
    assert_int_equal(carom_build_model(b, &model, &error), CAROM_OK);
    carom_builder_free(b);
    carom_run_result result;
    const carom_run_request request = {.model = model, .scheme = "moreau-jean", .h = 1e-3, .until = 0.2};
    assert_int_equal(carom_run(&request, &result, &error), CAROM_OK);
    assert_true(fabs(result.final[result.layout.v] - 0.5 * 9.81 * 0.2) < 1e-2); /* the belt takes it along */
    carom_run_result_free(&result);
    carom_model_free(model);
}

static void faults_of_levels_are_named(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        static const char *const message[] = {
            "has 1 to 3 components, not 4",  "is no expression of this builder",
            "does not depend on its point",  "from which its slips are derived",
            "needs two or three components", "has no level"};
        carom_builder *b = bowl();
        const carom_node x = formula(b, "x"), y = formula(b, "y");
        const carom_node point[] = {i == 1 ? CAROM_NO_NODE : x, y, x, y};
        const int contact = i == 5 ? carom_build_contact(b, "c", y)
                                   : carom_build_level(b, "c", y,
                                                       i == 0             ? 4
                                                       : i == 2 || i == 4 ? 1
                                                                          : 2,
                                                       i == 4 ? &y : point);
        if (i == 3)
            carom_build_slip(b, contact, formula(b, "dot(x)"));
        if (i == 4)
            carom_build_friction(b, contact, formula(b, "0.3"));
        if (i == 5)
            carom_build_surface(b, contact, point);
        carom_model *model;
        carom_error error = {0};
        assert_int_equal(carom_build_model(b, &model, &error), CAROM_BAD_INPUT);
        if (!strstr(error.text, message[i]))
            fail_msg("'%s' does not say '%s'", error.text, message[i]);
        carom_builder_free(b);
    }
}

static void distances_are_taken_as_they_are(void **state)
{
    (void)state;
    for (int given = 0; given < 2; given++) {
        carom_builder *b = bowl();
        const int contact = carom_build_contact(b, "c", formula(b, "2*y"));
        carom_build_slip(b, contact, formula(b, "dot(x)"));
        carom_build_friction(b, contact, formula(b, "0.3"));
        if (given)
            carom_build_distance(b, contact);
        carom_model *model;
        assert_int_equal(carom_build_model(b, &model, NULL), CAROM_OK);
        assert_int_equal(model->contact[0].normalized, !given);
        carom_model_free(model);
        carom_builder_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(joints_and_sums_of_energies),
        cmocka_unit_test(mistakes_are_told_in_the_end),
        cmocka_unit_test(symbols_are_leaves),
        cmocka_unit_test(levels_have_distance_and_slip),
        cmocka_unit_test(faults_of_levels_are_named),
        cmocka_unit_test(distances_are_taken_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
