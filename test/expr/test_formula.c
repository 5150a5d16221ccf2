/* Formulas as text: what they mean, and where they are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "carom/expr.h"

/* x, also called disc.x, is coordinate 0, y coordinate 1, k parameter 0. */
static carom_node find(void *context, const char *name, bool rate)
{
    carom_graph *graph = context;
    const int index = strcmp(name, "x") == 0 || strcmp(name, "disc.x") == 0 ? 0
                      : strcmp(name, "y") == 0                              ? 1
                                                                            : -1;
    if (index >= 0)
        return carom_leaf(graph, rate ? CAROM_OP_VELOCITY : CAROM_OP_COORDINATE, index);
    return !rate && strcmp(name, "k") == 0 ? carom_leaf(graph, CAROM_OP_PARAMETER, 0) : CAROM_NO_NODE;
}

/* At x = 0.75, y = -2, x' = 3, y' = -0.5, k = 1.25. */
static double value_of(const char *text)
{
    carom_graph *graph = carom_graph_create(0);
    const carom_symbols symbols = {find, graph};
    carom_error error = {0};
    const carom_node node = carom_formula(graph, text, &symbols, &error);
    if (node < 0)
        fail_msg("%s", error.text);
    carom_tape *tape = carom_tape_compile(graph, 1, &node);
    double work[64], value;
    assert_true(carom_tape_work_size(tape) <= 64);
    const double q[] = {0.75, -2.0}, u[] = {3.0, -0.5}, k = 1.25;
    carom_tape_bind(tape, &k, work);
    carom_tape_evaluate(tape, work, &(carom_inputs){.q = q, .u = u}, &value);
    carom_tape_free(tape);
    carom_graph_free(graph);
    return value;
}

static void formulas_mean_what_they_mean_elsewhere(void **state)
{
    (void)state;
    const double x = 0.75, y = -2.0, dx = 3.0, dy = -0.5, k = 1.25;
    const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1", 1.0},
        {" .5e1 ", 5.0},
        {"x", x},
        {"disc.x + 1.", x + 1.0},
        {"dot(disc.x)*.5", 0.5 * dx},
        {"1 - 2 - 3", -4.0},
        {"8 / 4 / 2", 1.0},
        {"2 + 3 * 4", 14.0},
        {"(2 + 3) * 4", 20.0},
        {"-x^2", -x * x},
        {"2^3^2", 512.0},
        {"2^-1", 0.5},
        {"--x", x},
        {"+x - -y", x + y},
        {"x*-y", -x * y},
        {"1/2 * k * dot(x)^2 + dot( y )", 0.5 * k * dx * dx + dy},
        {"sin(x)*cos(y)", sin(x) * cos(y)},
        {"hypot(x, y) - atan2(x, y)", hypot(x, y) - atan2(x, y)},
        {"max(x, min(y, 1))", x},
        {"select(y, 1, k)", k},
        {"select(x, 1, k)", 1.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double value = value_of(cases[i].text);
        if (!(fabs(value - cases[i].value) <= 1e-14 * fmax(1.0, fabs(cases[i].value))))
            fail_msg("%s = %.17g, not %.17g", cases[i].text, value, cases[i].value);
    }
}

static void mistakes_say_where_they_are(void **state)
{
    (void)state;
    const struct {
        const char *text, *words[2];
    } cases[] = {
        {"", {"character 1", "expected"}},
        {"x +", {"character 4", "expected"}},
        {"x y", {"character 3", "operator"}},
        {"(x", {"character 3", ") is expected"}},
        {"x)", {"character 2", "operator"}},
        {"z + 1", {"character 1", "no symbol z"}},
        {"1 + dot(k)", {"character 9", "no coordinate k"}},
        {"dot(x + y)", {"character 7", "one coordinate"}},
        {"sinus(x)", {"character 1", "no function sinus"}},
        {"sin(x, y)", {"character 6", ") is expected"}},
        {"atan2(x)", {"character 8", ", is expected"}},
        {"2 # 3", {"character 3", "operator"}},
        {"2e", {"character 2", "operator"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        carom_graph *graph = carom_graph_create(0);
        const carom_symbols symbols = {find, graph};
        carom_error error = {0};
        assert_int_equal(carom_formula(graph, cases[i].text, &symbols, &error), CAROM_NO_NODE);
        assert_int_equal(error.status, CAROM_BAD_INPUT);
        for (int w = 0; w < 2; w++)
            if (!strstr(error.text, cases[i].words[w]))
                fail_msg("'%s' is not in: %s", cases[i].words[w], error.text);
        carom_graph_free(graph);
    }
}

static void depth_and_missing_things_are_refused(void **state)
{
    (void)state;
    char deep[1001];
    memset(deep, '(', 1000);
    deep[1000] = '\0';
    carom_graph *graph = carom_graph_create(0);
    carom_error error = {0};
    assert_int_equal(carom_formula(graph, deep, NULL, &error), CAROM_NO_NODE);
    assert_non_null(strstr(error.text, "200 levels"));
    assert_int_equal(carom_formula(graph, "x", NULL, &error), CAROM_NO_NODE);
    assert_non_null(strstr(error.text, "no symbol x"));
    assert_int_equal(carom_formula(graph, NULL, NULL, &error), CAROM_NO_NODE);
    assert_int_equal(carom_formula(NULL, "1", NULL, &error), CAROM_NO_NODE);
    assert_int_equal(carom_formula(graph, "x", NULL, NULL), CAROM_NO_NODE);
    carom_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_mean_what_they_mean_elsewhere),
        cmocka_unit_test(mistakes_say_where_they_are),
        cmocka_unit_test(depth_and_missing_things_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
