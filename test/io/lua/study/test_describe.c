/* Studies in model files: what is noted while a file is read, and what is refused then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"

static void reading_computes_nothing(void **state)
{
    (void)state;
    /* 1e9 steps would take minutes */
    carom_experiment *e = load_good_text("local r = drill_run { t_end = 1e6, h = 1e-3 }\n"
                                         "compute(function() error('called') end)\n"
                                         "measure { first = r.first_move }\n");
    assert_int_equal(e->study_count, 2);
    assert_string_equal(e->studies[0].study->name, "drill_run");
    assert_int_equal(e->studies[0].line, 1);
    assert_null(e->studies[1].study);
    assert_null(e->results);
    assert_true(e->study);
    assert_null(e->measure[0].ops);
    assert_string_equal(e->measure[0].result.output, "first_move");
    carom_experiment_free(e);
}

static void bad_inputs_are_refused_at_their_line(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"bar_mode { N = 1, m = 1, placs = 5 }", "bar_mode: unknown key 'placs'; did you mean 'places'?"},
        {"bar_mode { N = 1, m = 1 }", "bar_mode needs d = a number"},
        {"bar_mode { N = 1.5, m = 1, d = 0.5 }", "N = 1.5 must be a whole number from -99 to 99"},
        {"bar_mode { N = 1, m = 1, d = 'x' }", "d takes a number; got a text"},
        {"bar_mode { N = 1, m = 1, d = 0.5, places = 0 }", "places = 0"},
        {"bar_mode { 1, 1, 0.5 }", "every input has a name"},
        {"bar_mode(3)", "bar_mode takes a table"},
        {"bar_wave { cells = 4, steps = 1, left = 'lose' }", "left 'lose' is not known"},
        {"collide { masses = { 1, 1 }, wall = 1 }", "'wall' must be true or false"},
        {"collide { masses = function() end }", "masses cannot be a function"},
        {"local x = coordinates('x') bar_mode { N = 1, m = 1, d = x }", "d depends on the motion"},
        {"bar_mode { N = 1, m = 1, d = 0.5 }.TT = 3", "cannot be changed"},
        {"local r = bar_mode { N = 1, m = 1, d = 0.5 } local y = r.TT",
         "output of bar_mode 'TT' is not known"},
        {"local r = bar_mode { N = 1, m = 1, d = 0.5 } local y = r[1]", "outputs of a study have names"},
        {"local r = bar_mode { N = 1, m = 1, d = 0.5 } local n = #r.u", "known only when the study has run"},
        {"local r = bar_mode { N = 1, m = 1, d = 0.5 } if r.T > 1 then end", "inside compute(function()"},
        {"local r = bar_mode { N = 1, m = 1, d = 0.5 } for i = 1, r.touches do end", "compute(function()"},
        {"local r = bar_mode { N = 1, m = 1, d = 0.5 } local y = r.u.first", "u has entries 1, 2"},
        {"local r = bar_mode { N = 1, m = 1, d = 0.5 } local y = r.u[1][1][1]", "u[1][1] is a number"},
        {"compute(3)", "compute takes a function"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refused(cases[i][0], 1, cases[i][1], NULL);
}

static double measured(const carom_run_result *result, const carom_experiment *e, const char *name)
{
    for (int i = 0; i < e->measure_count; i++)
        if (strcmp(e->measure[i].name, name) == 0)
            return result->measure[i].count == 1 ? result->measure[i].value[0] : NAN;
    fail_msg("no measure %s", name);
    return NAN;
}

/* Inputs may be parameters and what other studies find; numbers of results stand in every expression. */
static void studies_feed_each_other_and_the_run(void **state)
{
    (void)state;
    carom_experiment *e = load_good_text(
        "local d = param { 'd', 0.25 }\n"
        "local a = bar_mode { N = 1, m = 1, d = 2 * d, places = 4 }\n"
        "local b = bar_mode { N = 1, m = 1, d = a.t2, g0 = a.T / a.T, places = 4 }\n"
        "local w = bar_wave { cells = 4, steps = 4, u = a.u, v = { 0, a.v[1], 0, 0 } }\n"
        "local c = collide { masses = { 1, 1, 1 }, velocity = { 1, 0, a.t2 - b.t2 } }\n"
        "local x = coordinates('x')\n"
        "mass(1) initial { x = a.u[5] + c.velocity[3] } integrate { h = a.T / 4, until_t = 2 * a.T }\n"
        "measure { a = a.T, b = b.T, same = a.T - b.T, start = w.right_end[1], u = a.u[5], list = a.u,\n"
        "          both = { a.T, b.T }, final_x = x, admissible = a.admissible }\n");
    assert_int_equal(e->study_count, 4);
    carom_error error = {0};
    double steps[2];
    for (int k = 0; k < 2; k++) {
        carom_run_result result = {0};
        const carom_run_request request = {.experiment = e, .h = NAN, .until = NAN};
        if (k == 1)
            assert_int_equal(carom_experiment_set(e, "d", "0.3", &error), CAROM_OK);
        if (carom_run(&request, &result, &error) != CAROM_OK)
            fail_msg("%s", error.text);
        const double T = measured(&result, e, "a");
        assert_true(measured(&result, e, "same") == 0.0);
        assert_true(measured(&result, e, "admissible") == 1.0);
        assert_true(measured(&result, e, "start") == measured(&result, e, "u"));
        assert_true(result.h == T / 4 && result.steps == 8);
        assert_true(measured(&result, e, "final_x") > measured(&result, e, "u"));
        assert_int_equal(result.results->count, 4);
        steps[k] = result.h;
        carom_run_result_free(&result);
    }
    assert_true(steps[0] != steps[1]);
    carom_experiment_free(e);
}

/* Results are no parameters for users. */
static void numbers_of_results_are_hidden(void **state)
{
    (void)state;
    carom_experiment *e = load_good_text("local r = bar_mode { N = 1, m = 1, d = 0.5 }\n"
                                         "local x = coordinates('x') mass(1)\n"
                                         "integrate { h = r.T, until_t = r.T }\n");
    carom_error error = {0};
    assert_int_equal(e->study_number_count, 1);
    assert_true(e->model->parameter[0].computed);
    assert_int_equal(e->h_parameter, -1);
    assert_int_equal(carom_experiment_set(e, e->model->parameter[0].name, "3", &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "has no parameters"));
    assert_true(carom_experiment_start_waits(e));
    assert_int_equal(carom_experiment_compute(e, (carom_progress){0}, &error), CAROM_OK);
    assert_false(carom_experiment_start_waits(e));
    carom_experiment_free(e);
}

static void only_names_are_read_when_no_more_is_asked(void **state)
{
    (void)state;
    const carom_load_request request = {.name = "t",
                                        .file = script_name,
                                        .text = "experiment { title = 'one' } variant { 'v', a = 2 }\n"
                                                "local a = param { 'a', 1 } measure { a = a }",
                                        .only_names = true};
    carom_experiment *e = load_good(&request);
    assert_string_equal(e->title, "one");
    assert_int_equal(e->variant_count, 1);
    assert_int_equal(e->measure_count, 1);
    assert_null(e->model);
    carom_experiment_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_computes_nothing),
        cmocka_unit_test(bad_inputs_are_refused_at_their_line),
        cmocka_unit_test(studies_feed_each_other_and_the_run),
        cmocka_unit_test(numbers_of_results_are_hidden),
        cmocka_unit_test(only_names_are_read_when_no_more_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
