#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "test/io/lua/scripts.h"

/* Every key of the statement and everything a beam can be asked for. */
static const char complete_beam[] =
    "local L = param { 'L', 10 }\n"
    "local k2 = param { 'k2', 282.84 }\n"
    "local e = param { 'e', 0.5 }\n"
    "local c = param { 'c', 0.01 }\n"
    "local J = setting { 'J', 8, integer = true }\n"
    "local u = beam { 'u', length = L, elements = J, basis = 'p3', k2 = k2, left = 'clamped', right = "
    "'free',\n"
    "  damping = { mass = 0.1, stiffness = 1e-4 }, acceleration = function(x, t) return x / L * sin(10 * t) "
    "end,\n"
    "  load = 1, restitution = e,\n"
    "  obstacles = { { lower = function(x) return -c - 0.1 * x end, upper = c, from = L / 2, to = 3 * L / 4 "
    "} },\n"
    "  stops = { { 'end', x = L, lower = -c } }, forces = { { x = L / 3, value = cos(time()) } },\n"
    "  displacement = function(x) return 1e-4 * x^2 end, velocity = { mode = 2, x = L, value = 0.01 } }\n"
    "integrate { h = 1e-4, until_t = 0.01 }\n"
    "record  { tip = u:at(L), v = u:velocity(L), s = u:slope(L / 3), m = u:moment(0), E = energy() }\n"
    "record  { low = u:impulse('lower'), high = u:impulse('upper'), n = u:touching() }\n"
    "measure { deep = maximum(u:penetration('lower')), same = u:at(L), first = first(touching 'end_lower') "
    "}\n"
    "plot { 'shape', profile { every = 0.001 }, outline(u:obstacle 'lower'), outline(u:obstacle 'upper') }\n";

static void statement_makes_a_structure(void **state)
{
    (void)state;
    carom_experiment *experiment = load_good_text(complete_beam);
    const carom_model *model = experiment->model;
    assert_int_equal(model->dof, 16);
    assert_int_equal(model->contacts, 17);
    assert_int_equal(model->observables, 8); /* u:at(L) is asked for twice */
    assert_non_null(model->ops->structure);
    assert_string_equal(experiment->scheme, "newmark-contact");
    assert_true(carom_model_find_contact(model, "end_lower") == 16);
    assert_true(carom_model_find_contact(model, "lower_4") >= 0);
    assert_true(carom_model_find_contact(model, "upper_8") >= 0);
    assert_int_equal(carom_model_find_contact(model, "end_upper"), -1);
    carom_run_result result;
    carom_error error = {0};
    const carom_run_request request = {.experiment = experiment, .h = NAN, .until = NAN};
    if (carom_run(&request, &result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    assert_true(fabs(result.initial[result.layout.q + 14] - 1e-4 * 100) < 1e-15);
    assert_true(fabs(result.initial[result.layout.v + 14] - 0.01) < 1e-12);
    assert_int_equal(result.steps, 100);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static carom_experiment *load_section(const char *material)
{
    char text[1024];
    snprintf(text, sizeof text,
             "local d = param { 'd', 0.022 }\n"
             "local u = beam { 'u', length = 1, elements = 10, %s }\n"
             "integrate { h = 1e-4, until_t = 0.001 }\n"
             "measure { stiff = u:at(1) }\n",
             material);
    return load_good_text(text);
}

/* Mass and bending stiffness of the first element, from the matrices. */
static void expect_section(const char *material, double mass_per_length, double stiffness)
{
    carom_experiment *experiment = load_section(material);
    const carom_model *model = experiment->model;
    carom_model_work *work = model->ops->work_create(model);
    model->ops->bind(work, experiment->parameter);
    const carom_structure *structure = model->ops->structure(work);
    const double h = 0.1;
    assert_true(fabs(*carom_band_at(&structure->mass, 0, 0) / (2 * 156 * h / 420) - mass_per_length) <
                1e-12 * mass_per_length);
    assert_true(fabs(*carom_band_at(&structure->stiffness, 0, 0) * h * h * h / 24 - stiffness) <
                1e-12 * stiffness);
    model->ops->work_free(work);
    carom_experiment_free(experiment);
}

static void sections_give_area_and_inertia(void **state)
{
    (void)state;
    expect_section("k2 = 3", 1, 3);
    /* 22/18 mm */
    expect_section("E = 2e11, rho = 7800, section = tube { outer = d, inner = 0.018 }",
                   7800 * 1.2566370614359172e-4, 2e11 * 6.346017160251382e-9);
    const double pi = 3.14159265358979323846;
    expect_section("E = 2, rho = 3, section = rectangle { width = 5, height = 7 }", 3 * 35,
                   2 * 5 * 343 / 12.0);
    expect_section("E = 2, rho = 3, section = round { diameter = 2 }", 3 * pi, 2 * pi / 4);
    expect_section("E = 2, rho = 3, section = tube { outer = 2, inner = 1 }", 3 * pi * 0.75,
                   2 * pi / 64 * 15);
    expect_section("E = 2, rho = 3, section = { area = 4, inertia = 5 }", 12, 10);
}

typedef struct wrong_beam {
    const char *line, *says, *also;
} wrong_beam;

static void mistakes_are_explained(void **state)
{
    (void)state;
    static const wrong_beam wrong[] = {
        {"beam(5)", "beam takes a table", NULL},
        {"beam { length = 1, elements = 4, k2 = 1 }", "first entry must be its name", NULL},
        {"beam { 'u', elements = 4, k2 = 1 }", "length is missing", NULL},
        {"beam { 'u', length = 1, k2 = 1 }", "elements must be a whole number", "setting"},
        {"beam { 'u', length = 1, elements = p, k2 = 1 }", "elements must be a whole number", "setting"},
        {"beam { 'u', length = 1, elements = 2.5, k2 = 1 }", "elements must be a whole number", NULL},
        {"beam { 'u', length = 1, elements = 1, k2 = 1 }", "at least 2 elements", NULL},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, basis = 'p5' }", "basis = \"p5\"",
         "p3, bspline, difference"},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, left = 'glued' }", "left = \"glued\"",
         "clamped, pinned"},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, lenght = 1 }", "unknown key 'lenght'", "'length'"},
        {"beam { 'u', length = 1, elements = 4 }", "k2", "section"},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, E = 1 }", "k2", NULL},
        {"beam { 'u', length = 1, elements = 4, E = 1, rho = 1, section = 5 }", "section is tube", NULL},
        {"beam { 'u', length = time(), elements = 4, k2 = 1 }", "length may depend on parameters only", NULL},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, load = 'big' }", "load takes a number",
         "function(x, t)"},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, load = function(x) return 'a' end }",
         "load takes a number", NULL},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, obstacles = 5 }", "obstacles takes a list", NULL},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, obstacles = { 5 } }", "entry 1 of obstacles", NULL},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, obstacles = { {} } }", "lower or upper", NULL},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, obstacles = { { lower = time() } } }",
         "lower may depend on parameters and place only", NULL},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, stops = { { x = 1, lower = 0 } } }", "stop", "name"},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, stops = { { 's', lower = 0 } } }", "x is missing",
         NULL},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, stops = { { 's', x = 1 } } }", "needs lower or upper",
         NULL},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, forces = { { x = 1 } } }", "value is missing", NULL},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, velocity = { mode = 0, x = 1, value = 1 } }",
         "mode number", NULL},
        {"beam { 'u', length = 1, elements = 4, k2 = 1, basis = 'difference', right = 'pinned' }",
         "difference", NULL},
        {"beam { 'u', length = 1, elements = 4, k2 = 1 } beam { 'v', length = 1, elements = 4, k2 = 1 }",
         "a model has one beam", NULL},
        {"coordinates('x') beam { 'u', length = 1, elements = 4, k2 = 1 }", "not both", NULL},
        {"beam { 'u', length = 1, elements = 4, k2 = 1 } coordinates('x')", "not both", NULL},
        {"beam { 'u', length = 1, elements = 4, k2 = 1 } kinetic(1)", "model of its own", "beam { ... }"},
        {"beam { 'u', length = 1, elements = 4, k2 = 1 } initial { }", "model of its own", NULL},
        {"local u = beam { 'u', length = 1, elements = 4, k2 = 1 } record { a = u.at(1) }", "with a colon",
         "u:at"},
        {"local u = beam { 'u', length = 1, elements = 4, k2 = 1 } record { a = u:tip() }",
         "a beam has no 'tip'", "u:at(L)"},
        {"local u = beam { 'u', length = 1, elements = 4, k2 = 1 } record { a = u:at(time()) }",
         "the place x may depend", NULL},
        {"local u = beam { 'u', length = 1, elements = 4, k2 = 1 } record { a = u:impulse('left') }",
         "takes a side", NULL},
        {"local u = beam { 'u', length = 1, elements = 4, k2 = 1 } outline(u:obstacle('lower'))",
         "no obstacle", NULL},
        {"tube { outer = 1 }", "inner is missing", NULL},
        {"round { 1 }", "diameter is missing", NULL},
        {"rectangle { width = 1 }", "height is missing", NULL},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[1024];
        snprintf(text, sizeof text, "local p = param { 'p', 4 }\n%s\nintegrate { h = 1, until_t = 2 }\n",
                 wrong[i].line);
        carom_experiment *experiment = NULL;
        carom_error error = {0};
        assert_int_equal(load_text(text, &experiment, &error), CAROM_BAD_INPUT);
        if (!strstr(error.text, "model.lua:") || !strstr(error.text, wrong[i].says) ||
            (wrong[i].also && !strstr(error.text, wrong[i].also)))
            fail_msg("%s\nsays: %s", wrong[i].line, error.text);
    }
}

/* What only the values of parameters decide is told before the first step, with the line of the beam. */
static void mistakes_in_values_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says, *also;
    } wrong[] = {
        {"length = -1, k2 = 1", "length", "-1"},
        {"length = 1, k2 = 0", "k2", "0"},
        {"length = 1, k2 = 1, restitution = 1.5", "restitution e=1.5 must lie in [0,1]", NULL},
        {"length = 1, k2 = 1, stops = { { 's', x = 0.3, lower = 0 } }", "node", "0.3"},
        {"length = 1, k2 = 1, stops = { { 's', x = 2, lower = 0 } }", "x = 2", NULL},
        {"length = 1, k2 = 1, stops = { { 's', x = 1, lower = 1, upper = 0 } }", "empty guide gap", "'s'"},
        {"length = 1, k2 = 1, obstacles = { { lower = 0.1, upper = -0.1 } }", "lower", "upper"},
        {"length = 1, k2 = 1, forces = { { x = -1, value = 1 } }", "-1", NULL},
        {"length = 1, k2 = 1, displacement = 1, obstacles = { { upper = 0.5 } }", "upper_", "0.5"},
        {"length = 1, k2 = 1, velocity = 600, obstacles = { { upper = 0.5 } }", "after the first step",
         "upper_"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[1024];
        snprintf(text, sizeof text, "beam { 'u', elements = 4, %s }\nintegrate { h = 1e-3, until_t = 2 }\n",
                 wrong[i].line);
        carom_experiment *experiment = load_good_text(text);
        carom_run_result result;
        carom_error error = {0};
        const carom_run_request request = {.experiment = experiment, .h = NAN, .until = NAN};
        assert_int_equal(carom_run(&request, &result, &error), CAROM_BAD_INPUT);
        if (!strstr(error.text, "model.lua:") || !strstr(error.text, wrong[i].says) ||
            (wrong[i].also && !strstr(error.text, wrong[i].also)))
            fail_msg("%s\nsays: %s", wrong[i].line, error.text);
        carom_run_result_free(&result);
        carom_experiment_free(experiment);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statement_makes_a_structure),
        cmocka_unit_test(sections_give_area_and_inertia),
        cmocka_unit_test(mistakes_are_explained),
        cmocka_unit_test(mistakes_in_values_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
