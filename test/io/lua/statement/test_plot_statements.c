#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"

/* A particle: it has no shape and no places. */
static void particle_with(char *text, size_t size, const char *line)
{
    snprintf(text, size,
             "local x = coordinates('x')\nkinetic(dot(x)^2)\nintegrate { h = 1, until_t = 1 }\n%s\n", line);
}

static void test_layers_of_a_structure(void **state)
{
    (void)state;
    carom_experiment *e = load_good_text(
        "local u = beam { 'u', length = 1, elements = 4, k2 = 1, left = 'clamped', right = 'free' }\n"
        "integrate { scheme = 'newmark-contact', h = 0.1, until_t = 1 }\n"
        "plot { 'shapes', profile { every = 0.2, from = 0.4, to = 0.8, label = 'beam', style = 'dashed' } }\n"
        "plot { 'map', contact_map { 'lower' }, contact_map { 'upper', to = 0.5, style = 'dot' } }\n");
    double *value = values_of(e);
    assert_int_equal(e->plot_count, 2);
    const carom_layer *layer = e->plot[0].panel->layer;
    assert_int_equal(layer->kind, CAROM_LAYER_PROFILE);
    assert_true(value[layer->every] == 0.2 && value[layer->from] == 0.4 && value[layer->to] == 0.8);
    assert_string_equal(layer->label, "beam");
    assert_string_equal(layer->style, "dashed");
    layer = e->plot[1].panel->layer;
    assert_int_equal(e->plot[1].panel->layer_count, 2);
    assert_int_equal(layer[0].kind, CAROM_LAYER_CONTACTS);
    assert_int_equal(layer[1].kind, CAROM_LAYER_CONTACTS);
    assert_true(!layer[0].upper && layer[1].upper);
    assert_int_equal(layer[0].to, CAROM_NO_VALUE);
    assert_true(value[layer[1].to] == 0.5);
    free(value);
    carom_experiment_free(e);
}

static void test_marks_of_events(void **state)
{
    (void)state;
    carom_experiment *e =
        load_good_text("local x = coordinates('x')\nkinetic(dot(x)^2)\nintegrate { h = 1, until_t = 1 }\n"
                       "contact { 'wall', gap = 1 - x }\ncontact { 'floor', gap = x }\n"
                       "plot { 'all', x = time(), y = { x, dot(x) }, marks = true }\n"
                       "plot { 'some', line { time(), x, marks = { release 'floor', sticking() } }, points { "
                       "time(), x, marks = impact 'wall' },\n"
                       "       line { time(), x, marks = false } }\n");
    const carom_layer *layer = e->plot[0].panel->layer;
    assert_int_equal(e->plot[0].panel->layer_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(layer[i].mark_count, 2);
        assert_true(layer[i].mark[0].kind == CAROM_EVENT_IMPACT && layer[i].mark[0].contact == -1);
        assert_true(layer[i].mark[1].kind == CAROM_EVENT_STICK && layer[i].mark[1].contact == -1);
    }
    layer = e->plot[1].panel->layer;
    assert_int_equal(layer[0].mark_count, 2);
    assert_true(layer[0].mark[0].kind == CAROM_EVENT_RELEASE && layer[0].mark[0].contact == 1);
    assert_int_equal(layer[1].mark_count, 1);
    assert_true(layer[1].mark[0].kind == CAROM_EVENT_IMPACT && layer[1].mark[0].contact == 0);
    assert_int_equal(layer[2].mark_count, 0);
    carom_experiment_free(e);
}

static void test_marks_that_are_none(void **state)
{
    (void)state;
    static const char *const plots[][2] = {
        {"plot { 'p', x = time(), y = x, marks = 'impact' }",
         "marks takes true, an event or a list of events"},
        {"plot { 'p', x = time(), y = x, marks = {} }", "marks takes true, an event or a list of events"},
        {"plot { 'p', x = time(), y = x, marks = { impact(), 3 } }", "entry 2 is not an event"},
        {"plot { 'p', x = time(), y = x, marks = touching() }", "touching lasts"},
        {"plot { 'p', segments { x, x, x, x, marks = true } }", "segments have no marks"},
        {"plot { 'p', x = time(), y = x, marks = impact 'wall' }", "there is no contact 'wall'"},
    };
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++) {
        char text[300];
        particle_with(text, sizeof text, plots[i][0]);
        check_refused(text, 4, plots[i][1], NULL);
    }
}

static void test_layers_of_structures_need_one(void **state)
{
    (void)state;
    static const char *const plots[][2] = {
        {"plot { 'shapes', profile { every = 0.1 } }", "profile needs a structure"},
        {"plot { 'shapes', line { time(), x }, profile {} }", "profile needs a structure"},
        {"plot { 'shapes', panel { line { time(), x } }, panel { contact_map { 'upper' } } }",
         "contact_map needs a structure"},
    };
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++) {
        char text[300];
        particle_with(text, sizeof text, plots[i][0]);
        check_refused(text, 0, plots[i][1], "beam {");
        check_refused(text, 0, "'shapes'", NULL);
    }
}

static void test_plots_of_other_variants_do_not_count(void **state)
{
    (void)state;
    char text[300];
    particle_with(text, sizeof text,
                  "variant { 'long' }\nplot { 'shapes', only = { 'long' }, profile { every = 0.1 } }");
    carom_experiment_free(load_good_text(text));
}

static void test_wrong_layers_of_structures(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {
        {"profile { 0.1 }", "profile takes no entries", "every = 0.1"},
        {"profile()", "profile takes a table", "profile {"},
        {"profile { every = x }", "every must be a number", "motion"},
        {"profile { evry = 0.1 }", "unknown key 'evry'", "did you mean 'every'"},
        {"profile { family = true }", "unknown key 'family'", NULL},
        {"profile { style = 'wavy' }", "unknown style 'wavy'", "dashed"},
        {"contact_map {}", "contact_map takes one side", "{ \"lower\" }"},
        {"contact_map { 'left' }", "contact_map takes one side", "{ \"upper\" }"},
        {"contact_map { 1 }", "contact_map takes one side", "{ \"upper\" }"},
        {"contact_map { 'lower', 'upper' }", "contact_map takes one side", "{ \"upper\" }"},
        {"contact_map { 'lower', numbered = true }", "unknown key 'numbered'", NULL},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[300];
        particle_with(text, sizeof text, wrong[i][0]);
        check_refused(text, 4, wrong[i][1], wrong[i][2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers_of_a_structure),
        cmocka_unit_test(test_marks_of_events),
        cmocka_unit_test(test_marks_that_are_none),
        cmocka_unit_test(test_layers_of_structures_need_one),
        cmocka_unit_test(test_plots_of_other_variants_do_not_count),
        cmocka_unit_test(test_wrong_layers_of_structures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
