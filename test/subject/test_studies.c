/* Every registered study: a page of its own that says all, and outputs that are those it declares. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"

static void every_study_says_what_it_takes_and_gives(void **state)
{
    (void)state;
    assert_true(carom_study_count() >= 26);
    for (size_t s = 0; s < carom_study_count(); s++) {
        const carom_study_ops *study = carom_study_at(s);
        assert_ptr_equal(carom_study_find(study->name, NULL), study);
        assert_true(strlen(study->summary) > 10);
        assert_non_null(study->inputs[0].name);
        assert_non_null(study->outputs[0].name);
        for (const carom_study_input *input = study->inputs; input->name; input++) {
            assert_true(input->doc && input->doc[0]);
            if (input->min != 0.0 || input->max != 0.0)
                assert_false(input->value < input->min || input->value > input->max);
            if (input->kind == CAROM_STUDY_WHOLE)
                assert_true(input->max > input->min);
            if (input->kind == CAROM_STUDY_WORD)
                assert_non_null(input->choices);
            for (const carom_study_input *other = study->inputs; other < input; other++)
                assert_string_not_equal(other->name, input->name);
        }
        for (const carom_study_output *output = study->outputs; output->name; output++)
            assert_true(output->doc && output->doc[0]);
    }
    assert_null(carom_study_at(carom_study_count()));
    carom_error error = {0};
    assert_null(carom_study_find("bar_mod", &error));
    assert_non_null(strstr(error.text, "did you mean 'bar_mode'"));
}

/* A small case of each. */
static const char *const calls[] = {
    "bar_mode { N = 1, m = 1, d = 0.5 }",
    "bar_wave { cells = 10, N = 1, m = 1, d = 0.5, periods = 1 }",
    "bar_boundary { cells = 10, steps = 20 }",
    "bar_scan { largest_N = 3, largest_m = 1, step = 0.2 }",
    "bar_grid_mode { cells = 10, free_steps = 35, closed_steps = 5 }",
    "bar_front {}",
    "ring_orbit { p = 4, gamma = 0.05, T = 4.7, I2 = { 1 } }",
    "impact_mode { n = 2, T = 4.4 }",
    "harmonic_balance { w = 1.2, N = 5 }",
    "sink_manifold {}",
    "sink_forcing { n2 = { 1, 2 } }",
    "sink_equilibria {}",
    "sink_flow { t_end = 50 }",
    "collide { masses = { 1, 1, 1 } }",
    "cone_project { tau = { 1, 1, 1 }, mu = 0.2 }",
    "slip_reaction { angle = 30, mu = 0.2 }",
    "contact_solve { W = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, q = { -1, 0.5, 0.4 }, mu = 0.2 }",
    "contact_history { W = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, path = { { -1, 0.5, 0.4 } }, mu = 0.2 }",
    "cylinder_contact { R = 1, height = 1, E = 1, nu = 0.3, core = 2, rings = 1, layers = 1 }",
    "limit_load { matrix = { { 1, 1 } }, load = { 1 }, capacity = { 1, 1 } }",
    ("frame_limit { nodes = { { 0, 0, support = 'clamped' }, { 1, 0, load = { 0, 1 } } }, "
     "bars = { { 1, 2 } } }"),
    "drill_run { t_end = 1 }",
    "drill_analysis { controller = 'lqg' }",
    "drill_response { f = { 0.1 } }",
    "drill_modes {}",
    "drill_hinf {}",
};

static bool is_declared(const carom_study_ops *study, const char *name)
{
    for (const carom_study_output *output = study->outputs; output->name; output++)
        if (strcmp(output->name, name) == 0)
            return true;
    return false;
}

static bool has_kind(carom_study_kind declared, carom_data_kind kind)
{
    switch (declared) {
    case CAROM_STUDY_NUMBER:
    case CAROM_STUDY_WHOLE:
        return kind == CAROM_DATA_NUMBER || kind == CAROM_DATA_NONE;
    case CAROM_STUDY_FLAG:
        return kind == CAROM_DATA_FLAG;
    case CAROM_STUDY_LIST:
        return kind == CAROM_DATA_LIST;
    case CAROM_STUDY_MATRIX:
        return kind == CAROM_DATA_MATRIX;
    case CAROM_STUDY_TABLE:
        return kind == CAROM_DATA_TABLE || kind == CAROM_DATA_NONE;
    default:
        return kind == CAROM_DATA_TEXT;
    }
}

static void every_study_gives_what_it_declares(void **state)
{
    (void)state;
    assert_int_equal(sizeof calls / sizeof *calls, carom_study_count());
    for (size_t s = 0; s < carom_study_count(); s++) {
        char text[400];
        snprintf(text, sizeof text, "local r = %s\nmeasure { one = 1 }\n", calls[s]);
        carom_experiment *experiment = load_good_text(text);
        const carom_study_ops *study = experiment->studies[0].study;
        carom_error error = {0};
        assert_ptr_equal(study, carom_study_at(s));
        assert_null(experiment->results); /* reading computes nothing */
        if (carom_experiment_compute(experiment, (carom_progress){0}, &error) != CAROM_OK)
            fail_msg("%s", error.text);
        const carom_data *found = &experiment->results->output[0];
        for (const carom_data *entry = found->first; entry; entry = entry->next)
            if (!is_declared(study, entry->name))
                fail_msg("%s does not declare its output %s", study->name, entry->name);
        for (const carom_study_output *output = study->outputs; output->name; output++) {
            const carom_data *entry = found->first;
            while (entry && strcmp(entry->name, output->name) != 0)
                entry = entry->next;
            if (!entry || !has_kind(output->kind, entry->kind))
                fail_msg("%s: output %s is %s", study->name, output->name,
                         entry ? "of another kind" : "missing");
        }
        carom_experiment_free(experiment);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_study_says_what_it_takes_and_gives),
        cmocka_unit_test(every_study_gives_what_it_declares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
