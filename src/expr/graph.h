/* Inside of the expression graph, for the files of this room. */
#ifndef CAROM_EXPR_GRAPH_H
#define CAROM_EXPR_GRAPH_H

#include "carom/expr.h"
#include "table.h"

typedef struct graph_node {
    double value;   /* constants only */
    int operand[3]; /* operands, -1 where there is none; leaves: index in operand[0]; tables: node_lookup */
    uint16_t op;    /* a carom_op; small, since large models have millions of nodes */
    uint16_t depends;
} graph_node;

/* Of a table: which of the graph's lookups; it has one operand, and the last place is left. */
static inline int node_lookup(const graph_node *node)
{
    return node->operand[2];
}

/* A table, and which of its derivatives or integrals. */
typedef struct table_lookup {
    carom_table *table;
    int order;
} table_lookup;

struct carom_graph {
    graph_node *node;
    int count, capacity, max_nodes;
    int *table; /* open-addressing hash table of node indices, -1 where empty */
    size_t table_size;
    table_lookup *lookup;
    int lookups;
    /* Scratch of traversals, sized like `node`: marks are all false between calls. */
    bool *mark;
    int *list;
    int *place; /* for who visits nodes: a number for each of them, whatever was left there */
    carom_status status;
    carom_tape *tapes; /* those that were compiled from it and are still there */
};

/* Lists the nodes under the roots that depend on `mask` (all of them when mask is 0), in ascending order, so
 * operands come before what uses them. The list is malloc'ed and the caller's; -1 when memory is short. */
int graph_reachable(carom_graph *graph, int roots, const carom_node *root, unsigned mask, carom_node **list);

#endif
