#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "reference.h"

/* ---- expressions ------------------------------------------------------------------------------------- */

static carom_node add(carom_graph *graph, carom_node a, carom_node b)
{
    return carom_binary(graph, CAROM_OP_ADD, a, b);
}

static carom_node multiply(carom_graph *graph, carom_node a, carom_node b)
{
    return carom_binary(graph, CAROM_OP_MUL, a, b);
}

static carom_node find_symbol(void *context, const char *name, bool rate)
{
    static const char names[] = "abc";
    const char *place = strchr(names, name[0]);
    if (strlen(name) == 2 && name[0] == 'p')
        return carom_leaf(context, CAROM_OP_PARAMETER, name[1] - '0');
    if (strcmp(name, "t") == 0)
        return carom_leaf(context, CAROM_OP_TIME, 0);
    return place ? carom_leaf(context, rate ? CAROM_OP_VELOCITY : CAROM_OP_COORDINATE, (int)(place - names))
                 : CAROM_NO_NODE;
}

static carom_node formula(carom_graph *graph, const char *text)
{
    carom_error error = {0};
    const carom_node node =
        carom_formula(graph, text, &(carom_symbols){.find = find_symbol, .context = graph}, &error);
    if (node < 0)
        fail_msg("%s", error.text);
    return node;
}

static void assert_equal_values(carom_graph *graph, carom_node a, carom_node b, double tolerance)
{
    carom_random random = {.state = 5};
    for (int i = 0; i < 20; i++) {
        const sample at = random_sample(&random);
        const long double x = reference_value(graph, a, &at), y = reference_value(graph, b, &at);
        if (!(fabsl(x - y) <= tolerance * (1.0L + fabsl(x))))
            fail_msg("%.17Lg, and collected %.17Lg", x, y);
    }
}

/* ---- what is collected ------------------------------------------------------------------------------- */

/* From the text to the text: equal nodes, whatever their order. */
static void known_results(void **unused)
{
    (void)unused;
    static const struct {
        const char *from, *to;
        int size; /* nodes, at most */
    } known[] = {
        {"a + a + a", "3*a", 3},
        {"2*a*b - b*a*2", "0", 1},
        {"sin(a)^2 + cos(a)^2", "1", 1},
        {"p0*sin(a)^2*dot(b) + p0*dot(b)*cos(a)^2", "p0*dot(b)", 3},
        {"(3*sin(a) + 4*cos(a))^2 + (3*cos(a) - 4*sin(a))^2", "25", 1},
        {"(dot(a) + dot(b))^2 - dot(a)^2 - 2*dot(b)*dot(a)", "dot(b)^2", 2},
        {"a*b/2 + b*a/2", "a*b", 3},
        {"exp(a)*b + 2*exp(a)*b", "3*(b*exp(a))", 6},
        {"-(a - b) - b", "-a", 3},
        {"cos(a)*(sin(b) + sin(b)) - 2*sin(b)*cos(a)", "0", 1},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        carom_graph *graph = carom_graph_create(0);
        const carom_node node = formula(graph, known[i].from), collected = carom_collect(graph, node);
        assert_true(carom_node_size(graph, collected) <= known[i].size);
        assert_equal_values(graph, formula(graph, known[i].to), collected, 1e-14);
        carom_graph_free(graph);
    }
}

/* The node itself: nothing is alike, or it would lose digits. */
static void what_stays(void **unused)
{
    (void)unused;
    static const char *const text[] = {
        "a*b + c",
        "(a - b - 1000)^2",
        "p0*(a - b)^2 + p1*(b - c)^2",
        "sin(a)^2 + cos(b)^2",
        "2*sin(a)^2 + 3*cos(a)^2",
        "sin(a)*cos(b) + t",
        "7",
        "a",
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        carom_graph *graph = carom_graph_create(0);
        const carom_node node = formula(graph, text[i]);
        assert_int_equal(carom_collect(graph, node), node);
        carom_graph_free(graph);
    }
}

/* (a - b - 1000)^2 twice: it is an atom, whose digits stay. */
static void sums_of_positions_are_atoms(void **unused)
{
    (void)unused;
    carom_graph *graph = carom_graph_create(0);
    const carom_node node = formula(graph, "p0*(a - b - 1000)^2 + 2*p0*(a - b - 1000)^2");
    const carom_node collected = carom_collect(graph, node);
    assert_true(collected != node);
    sample at = {.q = {1000.25L, 0.0L, 0.0L}, .parameter = {1.0L}};
    at.q[1] = 1e-9L;
    const long double exact = reference_value(graph, node, &at);
    const double found = tape_value(graph, collected, &at);
    assert_true(fabsl((long double)found - exact) <= 1e-12L * exact); /* multiplied out: some 1e-9 */
    carom_graph_free(graph);
}

/* Random sums of products of few factors: the same values, and never longer. */
static void values_stay(void **unused)
{
    (void)unused;
    static const char *const factor[] = {"a",      "b",      "dot(a)", "dot(b)",           "sin(a)",
                                         "cos(a)", "sin(b)", "p0",     "(sin(a)-cos(b))",  "(a - 2*b)",
                                         "1.5",    "-1",     "exp(b)", "(dot(a)+2*dot(b))"};
    enum {
        FACTORS = sizeof factor / sizeof *factor
    };
    int shorter = 0;
    for (unsigned seed = 0; seed < 100; seed++) {
        carom_random random = {.state = 900 + seed};
        carom_graph *graph = carom_graph_create(0);
        carom_node sum = carom_constant(graph, 0.0);
        for (int i = 0; i < 30; i++) {
            carom_node product = carom_constant(graph, 1.0);
            const int count = 1 + (int)carom_random_uniform(&random, 0.0, 3.999);
            for (int k = 0; k < count; k++) {
                const int which = (int)carom_random_uniform(&random, 0.0, FACTORS - 1e-9);
                product = multiply(graph, product, formula(graph, factor[which]));
            }
            sum = i % 3 == 0 ? carom_binary(graph, CAROM_OP_SUB, sum, product) : add(graph, sum, product);
        }
        const carom_node collected = carom_collect(graph, sum);
        assert_equal_values(graph, sum, collected, 1e-12);
        assert_true(carom_node_size(graph, collected) <= carom_node_size(graph, sum));
        shorter += carom_node_size(graph, collected) < carom_node_size(graph, sum);
        carom_graph_free(graph);
    }
    assert_true(shorter > 50);
}

/* A quadratic form, written term by term: a product and a sum for each entry of its half. */
static void a_quadratic_form(void **unused)
{
    (void)unused;
    carom_graph *graph = carom_graph_create(0);
    carom_node sum = carom_constant(graph, 0.0);
    for (int twice = 0; twice < 2; twice++)
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < 10; j++) {
                const carom_node product =
                    multiply(graph, carom_leaf(graph, CAROM_OP_COORDINATE, i % 3),
                             multiply(graph, carom_constant(graph, 1.0 + i * j + twice),
                                      carom_leaf(graph, CAROM_OP_COORDINATE, j % 3)));
                sum = add(graph, sum, product);
            }
    const carom_node collected = carom_collect(graph, sum);
    assert_true(carom_node_size(graph, collected) <=
                3 + 6 + 6 + 3 + 3 + 2); /* leaves, entries, products, sums */
    assert_equal_values(graph, sum, collected, 1e-14);
    carom_graph_free(graph);
}

/* Too many terms, factors or levels: the node stays, and nothing is written. */
static void what_is_too_large(void **unused)
{
    (void)unused;
    carom_graph *graph = carom_graph_create(0);
    carom_node many = carom_constant(graph, 0.0), deep = carom_leaf(graph, CAROM_OP_COORDINATE, 0);
    carom_node power = carom_constant(graph, 1.0);
    for (int i = 0; i < 5000; i++) {
        many = add(graph, many, carom_unary(graph, CAROM_OP_SIN, carom_leaf(graph, CAROM_OP_COORDINATE, i)));
        deep = carom_binary(graph, CAROM_OP_SUB, carom_leaf(graph, CAROM_OP_COORDINATE, 1), deep);
    }
    for (int i = 0; i < 40; i++)
        power = multiply(graph, power, carom_leaf(graph, CAROM_OP_VELOCITY, i));
    power = add(graph, power, power);
    const carom_node infinite = multiply(graph, carom_constant(graph, INFINITY), power);
    assert_int_equal(carom_collect(graph, many), many);
    assert_int_equal(carom_collect(graph, deep), deep);
    assert_int_equal(carom_collect(graph, power), power);
    assert_int_equal(carom_collect(graph, infinite), infinite);
    assert_int_equal(carom_collect(graph, CAROM_NO_NODE), CAROM_NO_NODE);
    carom_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_results),
        cmocka_unit_test(what_stays),
        cmocka_unit_test(sums_of_positions_are_atoms),
        cmocka_unit_test(values_stay),
        cmocka_unit_test(a_quadratic_form),
        cmocka_unit_test(what_is_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
