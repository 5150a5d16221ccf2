/* Expressions that decide which branch kinks and jumps take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/expr.h"

enum {
    MOST = 8
};

static void those_of_time_alone(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node t = carom_leaf(graph, CAROM_OP_TIME, 0), p = carom_leaf(graph, CAROM_OP_PARAMETER, 0),
                     x = carom_leaf(graph, CAROM_OP_COORDINATE, 0);
    const carom_node nodes[] = {
        carom_unary(graph, CAROM_OP_ABS, carom_binary(graph, CAROM_OP_MUL, p, t)),
        carom_binary(graph, CAROM_OP_MAX, t, p),
        carom_select(graph, t, x, p),
        carom_unary(graph, CAROM_OP_SIGN, x), /* of the position */
        carom_binary(graph, CAROM_OP_MIN, t, x),
    };
    carom_node found[MOST];
    const unsigned allowed = CAROM_ON_PARAMETER | CAROM_ON_TIME;
    assert_int_equal(carom_switches(graph, 5, nodes, allowed, MOST, found), 3);
    assert_int_equal(carom_switches(graph, 5, nodes, allowed, 2, found), -1);
    assert_int_equal(carom_switches(graph, 1, &nodes[3], allowed, MOST, found), 0);
    carom_graph_free(graph);
}

static void points_of_a_table(void **state)
{
    (void)state;
    const double x[] = {0.0, 1.0, 3.0}, y[] = {0.0, 2.0, 2.0};
    carom_graph *graph = carom_graph_create(0);
    carom_table *table = NULL;
    carom_error error = {0};
    assert_int_equal(carom_table_create(&(carom_table_spec){.count = 3, .x = x, .y = y}, &table, &error),
                     CAROM_OK);
    const carom_node t = carom_leaf(graph, CAROM_OP_TIME, 0);
    const carom_node value = carom_lookup(graph, table, 0, t), integral = carom_lookup(graph, table, -1, t);
    carom_node found[MOST];
    assert_int_equal(carom_switches(graph, 1, &value, CAROM_ON_TIME, MOST, found), 3);
    assert_int_equal(carom_switches(graph, 1, &integral, CAROM_ON_TIME, MOST, found), 0);
    carom_table_free(table);
    carom_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_of_time_alone),
        cmocka_unit_test(points_of_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
