/* A program that calls setlocale: numbers keep their points. The locale is made here, with localedef. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carom/carom.h"
#include "carom/io.h"

static bool has_comma(void)
{
    return strcmp(localeconv()->decimal_point, ",") == 0;
}

/* A locale with a decimal comma; false: there is none, and none can be made. */
static bool set_comma(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i]) && has_comma())
            return true;
    char here[512], command[700];
    if (!getcwd(here, sizeof here))
        return false;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' > localedef.log 2>&1",
             here);
    if (system(command) < 0 || setenv("LOCPATH", here, 1) != 0)
        return false;
    return setlocale(LC_ALL, "de_DE.UTF-8") && has_comma();
}

static int begin(void **state)
{
    (void)state;
    if (!set_comma())
        print_message("skipped: no locale with a decimal comma (Debian package locales)\n");
    return 0;
}

static void texts_and_errors(void **state)
{
    (void)state;
    if (!has_comma())
        skip();
    char text[20];
    snprintf(text, sizeof text, "%g", 0.5);
    assert_string_equal(text, "0,5"); /* the locale of the program is what it asked for */
    carom_format(text, sizeof text, "%g", 0.5);
    assert_string_equal(text, "0.5");
    carom_text grown = {0};
    carom_text_append(&grown, "%g %.3f", 0.5, 1.25);
    assert_string_equal(grown.bytes, "0.5 1.250");
    carom_text_free(&grown);
    carom_error error;
    carom_fail(&error, CAROM_FAILED, "%g", 0.5);
    assert_string_equal(error.text, "0.5");
    double value = 0.0;
    assert_true(carom_parse_number("0.5", &value));
    assert_true(value == 0.5);
    assert_false(carom_parse_number("0,5", &value));
    assert_true(has_comma()); /* and stays so */
}

static const char model[] =
    "local e = param { 'e', 0.5 } local y = coordinates('y') mass(1.5) potential(9.81 * 1.5 * y)\n"
    "contact { 'floor', gap = y - tonumber('0.25'), restitution = e } initial { y = 1.25 }\n"
    "variant { 'soft', e = 0.125 } print(0.5, 1e-3)\n"
    "measure { low = minimum(y), r = compute(function() return { a = tonumber('0.75') } end).a }\n"
    "integrate { h = 0.01, until_t = 0.5 }\n";

/* A run as CSV, with its messages before. */
static char *run_as_text(const char *variant)
{
    const carom_load_request request = {.file = "model.lua", .text = model, .variant = variant};
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    carom_csv_writer csv;
    carom_recorder recorder = {0};
    carom_run_result result;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (carom_experiment_load(&request, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    fputs(experiment->messages, stream);
    assert_int_equal(carom_csv_begin(&csv, stream, experiment, &recorder, &error), CAROM_OK);
    const carom_run_request run = {.experiment = experiment, .recorder_count = 1, .recorder = &recorder};
    if (carom_run(&run, &result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    assert_true(result.measure[1].value[0] == 0.75);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
    fclose(stream);
    return text;
}

static void a_run_is_the_same(void **state)
{
    (void)state;
    if (!has_comma())
        skip();
    for (int k = 0; k < 2; k++) {
        const char *variant = k ? "soft" : NULL;
        char *with_comma = run_as_text(variant);
        char *before = strdup(setlocale(LC_ALL, NULL));
        setlocale(LC_ALL, "C");
        char *with_point = run_as_text(variant);
        setlocale(LC_ALL, before);
        assert_string_equal(with_comma, with_point);
        free(before);
        free(with_comma);
        free(with_point);
    }
}

static void formulas(void **state)
{
    (void)state;
    if (!has_comma())
        skip();
    carom_graph *graph = carom_graph_create(0);
    carom_error error;
    double value = 0.0;
    assert_true(carom_node_is_constant(graph, carom_formula(graph, "0.5 * 3", NULL, &error), &value));
    assert_true(value == 1.5);
    carom_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_and_errors),
        cmocka_unit_test(a_run_is_the_same),
        cmocka_unit_test(formulas),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
