/* compute(function() ... end): studies written in model files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"

#define MODE "local mode = bar_mode { N = 1, m = 1, d = 0.5, places = 4 }\n"

/* Inside, parameters and results are plain values. */
static void numbers_are_plain_inside(void **state)
{
    (void)state;
    check_computes(MODE, "assert(type(mode.T) == 'number' and #mode.u == 5 and mode.admissible == true)\n"
                         "local again = bar_mode { N = 1, m = 1, d = 0.5, places = 4 }\n"
                         "for i = 1, #again.u do assert(again.u[i] == mode.u[i]) end\n"
                         "local n = 0 for _ in pairs(again) do n = n + 1 end assert(n == 15)\n"
                         "local nested = compute(function() return { two = 2 } end) assert(nested.two == 2)");
    carom_experiment *e =
        load_good_text("local a = param { 'a', 3 }\n" MODE "local u, T = mode.u, mode.T\n"
                       "local r = compute(function()\n"
                       "  assert(a > 2 and a == 3 and a <= 3 and a + 1 == 4 and 2 * T == 2 * mode.T)\n"
                       "  assert(#u == 5 and u[5] == mode.u[5] and type(u[5]) == 'number')\n"
                       "  return { b = 2 * a, c = a, list = { a, 1 }, none = false, t = 'text', ok = true }\n"
                       "end)\n"
                       "measure { b = r.b, c = r.c, list = r.list, none = r.none, t = r.t, ok = r.ok,\n"
                       "          missing = r.missing, d = r.b + a }\n");
    carom_error error = {0};
    carom_run_result result = {0};
    const carom_run_request request = {.experiment = e, .h = NAN, .until = NAN};
    if (carom_run(&request, &result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    static const struct {
        const char *name;
        int count;
        double value;
    } wanted[] = {{"b", 1, 6},       {"c", 1, 3},    {"d", 1, 9},  {"list", 2, 3},
                  {"missing", 0, 0}, {"none", 0, 0}, {"ok", 1, 1}, {"t", 0, 0}};
    assert_int_equal(result.measure_count, 8);
    for (int i = 0; i < 8; i++) {
        assert_string_equal(e->measure[i].name, wanted[i].name);
        assert_int_equal(result.measure[i].count, wanted[i].count);
        if (wanted[i].count > 0)
            assert_true(result.measure[i].value[0] == wanted[i].value);
    }
    carom_run_result_free(&result);
    carom_experiment_free(e);
}

static void what_it_prints_comes_with_the_results(void **state)
{
    (void)state;
    carom_experiment *e =
        load_good_text("print('read')\ncompute(function() print('computed', 3) end)\nmeasure { a = 1 }");
    carom_error error = {0};
    assert_string_equal(e->messages, "read\n");
    for (int k = 0; k < 2; k++) {
        carom_run_result result = {0};
        const carom_run_request request = {.experiment = e, .h = NAN, .until = NAN};
        assert_int_equal(carom_run(&request, &result, &error), CAROM_OK);
        assert_string_equal(result.results->messages, "computed\t3\n");
        carom_run_result_free(&result);
    }
    carom_experiment_free(e);
}

static void errors_name_their_line(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"compute(function()\nerror('mine') end)", "mine"},
        {"compute(function()\nmeasure { a = 1 } end)", "'measure' describes the experiment"},
        {"compute(function()\nlocal x = coordinates('x') end)", "'coordinates' describes"},
        {"local k = param { 'k', 1 }\ncompute(function() plot { 'p', x = k, y = k } end)",
         "'plot' describes"},
        {"compute(function()\nbar_mode { N = 2, m = 1, d = 0.5 } end)", "N is 2"},
        {"compute(function()\nbar_mode { N = 1, m = 1, e = 0.5 } end)", "unknown key 'e'"},
        {"local m = measure\ncompute(function() m { a = 1 } end)", "nothing can be described"},
        {"compute(function()\nwhile true do end end)", "million instructions"},
        {"local x = coordinates('x') mass(1) integrate { h = 1, until_t = 1 }\n"
         "compute(function() if x > 1 then end end)",
         "a study has no motion"},
        {"local x = coordinates('x') mass(1) integrate { h = 1, until_t = 1 }\n"
         "compute(function() return { x = x } end)",
         "depends on the motion"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_study_refused(cases[i][0], 2, cases[i][1], NULL);
    carom_experiment *e = load_good_text("compute(function() return 3 end)\nmeasure { a = 1 }");
    carom_error error = {0};
    assert_int_equal(carom_experiment_compute(e, (carom_progress){0}, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "it returns a table"));
    carom_experiment_free(e);
}

static bool stop(void *context, double done, double total)
{
    (void)context;
    (void)done;
    (void)total;
    return false;
}

/* Ctrl-C ends a run in its studies; nothing is kept. */
static void runs_can_be_stopped_in_studies(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "local r = drill_run { t_end = 1e4 } measure { a = r.first_move }",
        "local r = compute(function() return drill_run { t_end = 1e4 } end) measure { a = r.first_move }",
        ("local r = compute(function() local n = 0 while n < 1e7 do n = n + 1 end return { n = n } end) "
         "measure { n = r.n }"),
    };
    for (int i = 0; i < 3; i++) {
        carom_experiment *e = load_good_text(texts[i]);
        carom_error error = {0};
        carom_run_result result = {0};
        const carom_run_request request = {
            .experiment = e, .h = NAN, .until = NAN, .progress = {.report = stop}};
        assert_int_equal(carom_run(&request, &result, &error), CAROM_INTERRUPTED);
        assert_null(result.final);
        assert_string_equal(result.word, "interrupted");
        carom_run_result_free(&result);
        carom_experiment_free(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_plain_inside),
        cmocka_unit_test(what_it_prints_comes_with_the_results),
        cmocka_unit_test(errors_name_their_line),
        cmocka_unit_test(runs_can_be_stopped_in_studies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
