/* For tests of tapes: a table of four numbers, looked up. Behind cmocka.h. */
#ifndef CAROM_TEST_EXPR_SMALL_TABLE_H
#define CAROM_TEST_EXPR_SMALL_TABLE_H

#include "carom/expr.h"

static inline carom_node table_at(carom_graph *g, carom_node x)
{
    static const double place[] = {-2.0, 0.0, 1.0, 3.0}, value[] = {1.0, -0.5, 2.0, 0.25};
    carom_table *table = NULL;
    carom_error error;
    assert_int_equal(
        carom_table_create(&(carom_table_spec){.count = 4, .x = place, .y = value}, &table, &error),
        CAROM_OK);
    const carom_node node = carom_lookup(g, table, 0, x);
    carom_table_free(table);
    return node;
}

#endif
