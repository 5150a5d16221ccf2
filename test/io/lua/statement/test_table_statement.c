/* table_of { }: values, derivatives and integrals in a model, and what is refused. Files: test/app/test_data_files.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"
#include "test/near.h"

#define MODEL "local x = coordinates('x')\nlocal k = param('k', 2)\nmass(1)\n"
#define END "\nintegrate { h = 0.1, until_t = 1 }\n"

static void test_values(void **unused)
{
    (void)unused;
    carom_experiment *experiment = load_good_text(
        MODEL "local a = table_of { { 0, 1, 3 }, { 1, 3, -1 } }\n"
              "local b = table_of { { 1, 3, 7 }, step = 0.5, smooth = true, outside = 'zero' }\n"
              "assert(a(2) == 1 and a.from == 0 and a.to == 3 and a:integral(1) == 2 and a(-5) == 1)\n"
              "assert(b.to == 1 and b(0.5) == 3 and b(2) == 0 and a:derivative(2) == -2)\n"
              "record { v = a(x), rate = dot(a(x)), i = a:integral(x), ii = a:integral(k * x, 2), d = "
              "a:derivative(x),\n"
              "         scaled = k * a(time()), s = b(x), s_rate = dot(b(x)), s_dot = b:derivative(x) * "
              "dot(x) }" END);
    const double q = 2.25, u = 3.0;
    double *column = columns_of(experiment, &(carom_inputs){.t = 0.5, .q = &q, .u = &u});
    assert_near(column[column_named(experiment, "v")], 0.5, 1e-15);
    assert_near(column[column_named(experiment, "rate")], -6.0, 1e-15);
    assert_near(column[column_named(experiment, "d")], -2.0, 1e-15);
    assert_near(column[column_named(experiment, "i")], 2.0 + 1.25 * (3.0 + 0.5) / 2.0, 1e-15);
    /* The second integral is 5/6 at 1, 5/6 + 2 s + 3 s^2/2 - s^3/3 with s = x - 1 up to 3; beyond, -1 is held. */
    const double at_3 = 5.0 / 6.0 + 4.0 + 6.0 - 8.0 / 3.0, slope_3 = 2.0 + 6.0 - 4.0;
    assert_near(column[column_named(experiment, "ii")], at_3 + 1.5 * slope_3 - 0.5 * 1.5 * 1.5, 1e-14);
    assert_near(column[column_named(experiment, "scaled")], 4.0, 1e-15);
    assert_near(column[column_named(experiment, "s")], 0.0, 0.0);
    assert_near(column[column_named(experiment, "s_rate")], 0.0, 0.0);
    free(column);
    const double inside = 0.3;
    column = columns_of(experiment, &(carom_inputs){.t = 0.5, .q = &inside, .u = &u});
    assert_near(column[column_named(experiment, "s_rate")], column[column_named(experiment, "s_dot")], 1e-14);
    assert_true(column[column_named(experiment, "s_rate")] > 0.0);
    free(column);
    carom_experiment_free(experiment);
}

/* A mass that is pushed by a table alone moves as its integrals do: the schemes see the same curve. */
static void test_motion(void **unused)
{
    (void)unused;
    carom_experiment *experiment = load_good_text(
        MODEL "local a = table_of { { 0, 0.25, 0.5, 0.75, 1 }, { 0, 2, -1, 3, 0 } }\n"
              "force { x = a(time()) }\n"
              "measure { wrong_v = dot(x) - a:integral(time()), wrong_x = x - a:integral(time(), 2) }\n"
              "integrate { h = 1e-3, until_t = 1 }\n");
    static const struct {
        const char *scheme;
        double tolerance;
    } scheme[] = {{"moreau-jean", 1e-6}, {"event-driven", 1e-10}};
    for (int i = 0; i < 2; i++) {
        carom_run_result result;
        carom_error error;
        const carom_run_request request = {.experiment = experiment, .scheme = scheme[i].scheme};
        if (carom_run(&request, &result, &error) != CAROM_OK)
            fail_msg("%s", error.text);
        assert_near(result.measure[0].value[0], 0.0, scheme[i].tolerance);
        assert_near(result.measure[1].value[0], 0.0, scheme[i].tolerance);
        carom_run_result_free(&result);
    }
    carom_experiment_free(experiment);
}

/* Where a table has no value, a run that gets there fails. */
static void test_none(void **unused)
{
    (void)unused;
    carom_experiment *experiment = load_good_text(
        MODEL "local a = table_of { { 0, 0.5 }, { 1, 1 }, outside = 'none' }\nforce { x = a(time()) }" END);
    carom_run_result result;
    carom_error error;
    assert_int_equal(carom_run(&(carom_run_request){.experiment = experiment}, &result, &error),
                     CAROM_FAILED);
    assert_true(result.t_end < 0.61);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void test_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *line, *word, *cure;
    } wrong[] = {
        {"table_of(1)", "table_of takes a table", "table_of { t, values }"},
        {"table_of {}", "two lists", "file = "},
        {"table_of { { 0, 1 } }", "two lists", NULL},
        {"table_of { { 0, 1 }, 3 }", "the values must be a list", "a number"},
        {"table_of { { 0, 1 }, { 1, 2, 3 } }", "2 and 3 entries", NULL},
        {"table_of { { 0, 1 }, { 1, k } }", "entry 2 of the values", "plain numbers"},
        {"table_of { { 0, 0 }, { 1, 2 } }", "entry 2", "must grow"},
        {"table_of { { 0 }, { 1 } }", "two points at least", NULL},
        {"table_of { { 0, 1 }, { 1, 0 / 0 } }", "entry 2", "finite"},
        {"table_of { { 1, 2 }, step = 0 }", "step must be", "> 0"},
        {"table_of { { 0, 1 }, { 1, 2 }, step = 1 }", "with step there is one list", NULL},
        {"table_of { { 0, 1 }, { 1, 2 }, column = 2 }", "columns of a file", NULL},
        {"table_of { { 0, 1 }, { 1, 2 }, smoth = true }", "unknown key 'smoth'", "smooth"},
        {"table_of { { 0, 1 }, { 1, 2 }, outside = 'zeor' }", "outside = \"zeor\"", "\"zero\""},
        {"table_of { { 0, 1 }, { 1, 2 } }.integrl(x)", "no 'integrl'", "integral"},
        {"table_of { { 0, 1 }, { 1, 2 } }.integral(x)", "with a colon", "a:integral(x)"},
        {"table_of { { 0, 1 }, { 1, 2 } }:integral(x, 3)", "n is 1, or 2", NULL},
        {"table_of { { 0, 1 }, { 1, 2 } }('x')", "the argument of a table", NULL},
        {"table_of { { 0, 1 }, { 1, 2 } }()", "one argument", NULL},
        {"table_of { { 0, 1 }, { 1, 2 }, outside = 'none' }(2)", "not a number", NULL},
        {"table_of { { 0, 1 }, { 1, 2 } } + x", "must be a number or an expression", NULL},
        {"table_of { file = 'none-here.csv' }", "cannot read data file", "none-here.csv"},
        {"table_of { file = '/etc/passwd' }", "not the name of a data file", "beside the model file"},
        {"table_of { file = '../a.csv' }", "not the name of a data file", NULL},
        {"table_of { file = 'a/../../a.csv' }", "not the name of a data file", NULL},
        {"table_of { file = '..' }", "not the name of a data file", NULL},
        {"table_of { file = '.hidden' }", "not the name of a data file", NULL},
        {"table_of { file = 'a/.hidden/b' }", "not the name of a data file", NULL},
        {"table_of { file = 'a\\\\b' }", "not the name of a data file", NULL},
        {"table_of { file = '' }", "not the name of a data file", NULL},
        {"table_of { { 1 }, file = 'a.csv' }", "in a file, or in lists", NULL},
        {"table_of { file = 'a.csv', step = 1, time = 't' }", "give one of them", NULL},
        {"table_of { file = 'a.csv', column = 0 }", "its number from 1", NULL},
        {"table_of { file = 1 }", "'file' must be a text", NULL},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char script[1000];
        snprintf(script, sizeof script, MODEL "local a = %s" END, wrong[i].line);
        check_refused(script, 4, wrong[i].word, wrong[i].cure);
    }
}

/* The text of an experiment carries its data, also data that look like the end of a comment. */
static void test_text_carries_data(void **unused)
{
    (void)unused;
    static const char script[] = MODEL "local a = table_of { file = 'd.csv', column = 'a]=]' }\n"
                                       "local b = table_of { file = 'd.csv', column = 2 }\n"
                                       "assert(a(1) == 5 and b(0) == 3)" END;
    FILE *file = fopen("d.csv", "w");
    fputs("t,a]=],--]]\n0,3,0\n1,5,0", file);
    fclose(file);
    carom_experiment *first = load_good_text(script);
    assert_int_equal(remove("d.csv"), 0);
    assert_true(strncmp(first->text, script, strlen(script)) == 0);
    carom_experiment *second = load_good_text(first->text);
    assert_string_equal(second->text, first->text);
    assert_non_null(strstr(first->text, "\n--[==[ carom data: d.csv\nt,a]=],--]]\n0,3,0\n1,5,0\n]==]\n"));
    assert_null(strstr(strstr(first->text, "carom data") + 1, "carom data")); /* once */
    carom_experiment_free(first);
    carom_experiment_free(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_motion),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_text_carries_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
