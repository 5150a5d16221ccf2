/* Replacing leaves: rebuilds an expression with other operands, sharing and folding as it goes. */
#include <stdlib.h>

#include "graph.h"

static carom_node rebuild(carom_graph *graph, carom_node node, const carom_node operand[3])
{
    if (graph->node[node].op == CAROM_OP_TABLE) {
        const table_lookup lookup = graph->lookup[graph->node[node].lookup];
        return carom_lookup(graph, lookup.table, lookup.order, operand[0]);
    }
    switch (carom_op_arity(graph->node[node].op)) {
    case 0:
        return node;
    case 1:
        return carom_unary(graph, graph->node[node].op, operand[0]);
    case 2:
        return carom_binary(graph, graph->node[node].op, operand[0], operand[1]);
    default:
        return carom_select(graph, operand[0], operand[1], operand[2]);
    }
}

carom_node carom_substitute(carom_graph *graph, carom_node node, int count, const carom_node *wrt,
                            const carom_node *replacement)
{
    if (node < 0 || graph->status != CAROM_OK)
        return CAROM_NO_NODE;
    carom_node *list = NULL;
    const int found = graph_reachable(graph, 1, &node, 0, &list);
    carom_node *image = found < 0 ? NULL : malloc(((size_t)node + 1) * sizeof *image);
    if (!image) {
        graph->status = CAROM_NO_MEMORY;
        free(list);
        return CAROM_NO_NODE;
    }
    for (int i = 0; i < found; i++)
        image[list[i]] = list[i];
    for (int i = 0; i < count; i++)
        if (wrt[i] >= 0 && wrt[i] <= node)
            image[wrt[i]] = replacement[i];
    for (int i = 0; i < found; i++) {
        const int arity = carom_op_arity(graph->node[list[i]].op);
        carom_node operand[3] = {CAROM_NO_NODE, CAROM_NO_NODE, CAROM_NO_NODE};
        for (int k = 0; k < arity; k++)
            operand[k] = image[graph->node[list[i]].operand[k]];
        if (arity > 0)
            image[list[i]] = rebuild(graph, list[i], operand);
    }
    const carom_node result = image[node];
    free(image);
    free(list);
    return result;
}
