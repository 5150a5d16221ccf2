#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference.h"

static void test_random_expressions_take_the_replaced_values(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 60; seed++) {
        carom_random random = {.state = 300 + seed};
        const sample at = random_sample(&random);
        carom_graph *graph = carom_graph_create(0);
        const carom_node node = random_expression(graph, &random, &at, 1 + (int)(seed % 8));
        /* q_i becomes a small expression of other leaves; the sample moved there must give the same value */
        carom_node wrt[SAMPLE_SIZE], replacement[SAMPLE_SIZE];
        sample moved = at;
        for (int i = 0; i < SAMPLE_SIZE; i++) {
            wrt[i] = carom_leaf(graph, CAROM_OP_COORDINATE, i);
            const carom_node next = carom_leaf(graph, CAROM_OP_COORDINATE, (i + 1) % SAMPLE_SIZE);
            replacement[i] = carom_binary(graph, CAROM_OP_ADD, next, carom_leaf(graph, CAROM_OP_IMPULSE, i));
            moved.q[i] = reference_value(graph, replacement[i], &at);
        }
        const carom_node replaced = carom_substitute(graph, node, SAMPLE_SIZE, wrt, replacement);
        const long double expected = reference_value(graph, node, &moved);
        if (isfinite((double)expected)) {
            const long double value = reference_value(graph, replaced, &at);
            assert_true(fabsl(value - expected) <= 1e-14L * (1.0L + fabsl(expected)));
        }
        carom_graph_free(graph);
    }
}

static void test_numbers_fold_what_they_replace(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node x = carom_leaf(graph, CAROM_OP_COORDINATE, 0),
                     u = carom_leaf(graph, CAROM_OP_VELOCITY, 0);
    const carom_node slip = carom_binary(graph, CAROM_OP_SUB, carom_binary(graph, CAROM_OP_MUL, x, u),
                                         carom_constant(graph, 2.0));
    const carom_node zero = carom_constant(graph, 0.0);
    assert_int_equal(carom_substitute(graph, slip, 1, &u, &zero), carom_constant(graph, -2.0));
    /* nothing to replace: the same node */
    const carom_node y = carom_leaf(graph, CAROM_OP_COORDINATE, 1);
    assert_int_equal(carom_substitute(graph, slip, 1, &y, &zero), slip);
    assert_int_equal(carom_substitute(graph, slip, 0, NULL, NULL), slip);
    assert_int_equal(carom_substitute(graph, zero, 1, &u, &x), zero);
    assert_int_equal(carom_substitute(graph, u, 1, &u, &x), x);
    carom_graph_free(graph);
}

static void test_leaves_are_replaced_at_once(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node x = carom_leaf(graph, CAROM_OP_COORDINATE, 0),
                     y = carom_leaf(graph, CAROM_OP_COORDINATE, 1);
    const carom_node wrt[2] = {x, y}, swapped[2] = {y, x};
    assert_int_equal(carom_substitute(graph, carom_binary(graph, CAROM_OP_SUB, x, y), 2, wrt, swapped),
                     carom_binary(graph, CAROM_OP_SUB, y, x));
    const carom_node chosen = carom_select(graph, x, carom_unary(graph, CAROM_OP_SIN, y), x);
    assert_int_equal(carom_substitute(graph, chosen, 2, wrt, swapped),
                     carom_select(graph, y, carom_unary(graph, CAROM_OP_SIN, x), y));
    carom_graph_free(graph);
}

static void test_no_node_gives_no_node(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node x = carom_leaf(graph, CAROM_OP_COORDINATE, 0),
                     sine = carom_unary(graph, CAROM_OP_SIN, x);
    const carom_node none = CAROM_NO_NODE;
    assert_int_equal(carom_substitute(graph, none, 1, &x, &sine), CAROM_NO_NODE);
    assert_int_equal(carom_substitute(graph, sine, 1, &x, &none), CAROM_NO_NODE);
    assert_int_equal(carom_substitute(graph, sine, 1, &none, &x), sine);
    carom_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_expressions_take_the_replaced_values),
        cmocka_unit_test(test_numbers_fold_what_they_replace),
        cmocka_unit_test(test_leaves_are_replaced_at_once),
        cmocka_unit_test(test_no_node_gives_no_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
