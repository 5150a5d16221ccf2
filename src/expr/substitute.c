/* Replacing parts of expressions: rebuilds an expression with other operands, sharing and folding as it goes. */
#include <stdlib.h>

#include "graph.h"

static carom_node rebuild(carom_graph *graph, carom_node node, const carom_node operand[3])
{
    if (graph->node[node].op == CAROM_OP_TABLE) {
        const table_lookup lookup = graph->lookup[node_lookup(&graph->node[node])];
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

/* Lists what is below the node; in graph->place each stands for itself. -1: there is no list. */
static int begin_images(carom_graph *graph, carom_node node, carom_node **list)
{
    *list = NULL;
    const int found = node < 0 || graph->status != CAROM_OK ? -1 : graph_reachable(graph, 1, &node, 0, list);
    for (int i = 0; i < found; i++)
        graph->place[(*list)[i]] = (*list)[i];
    return found;
}

/* The image of the last of the listed nodes, from those of the replaced nodes in graph->place; frees the list. The array moves
 * when the graph grows, so that it is looked up anew. */
static carom_node end_images(carom_graph *graph, int found, carom_node *list)
{
    for (int i = 0; i < found && graph->status == CAROM_OK; i++) {
        const int arity = carom_op_arity(graph->node[list[i]].op);
        carom_node operand[3] = {CAROM_NO_NODE, CAROM_NO_NODE, CAROM_NO_NODE};
        for (int k = 0; k < arity; k++)
            operand[k] = graph->place[graph->node[list[i]].operand[k]];
        if (arity == 0 || graph->place[list[i]] != list[i]) /* the second: it was replaced */
            continue;
        const carom_node image = rebuild(graph, list[i], operand);
        graph->place[list[i]] = image;
    }
    const bool made = found > 0 && graph->status == CAROM_OK;
    const carom_node result = made ? graph->place[list[found - 1]] : CAROM_NO_NODE;
    free(list);
    return result;
}

carom_node carom_substitute(carom_graph *graph, carom_node node, int count, const carom_node *wrt,
                            const carom_node *replacement)
{
    carom_node *list = NULL;
    const int found = begin_images(graph, node, &list);
    for (int i = 0; found > 0 && i < count; i++)
        if (wrt[i] >= 0 && wrt[i] <= node)
            graph->place[wrt[i]] = replacement[i];
    return end_images(graph, found, list);
}

carom_node carom_substitute_leaves(carom_graph *graph, carom_node node, carom_op leaf, carom_node replacement)
{
    carom_node *list = NULL;
    const int found = begin_images(graph, node, &list);
    for (int i = 0; i < found; i++)
        if (graph->node[list[i]].op == leaf)
            graph->place[list[i]] = replacement;
    return end_images(graph, found, list);
}
