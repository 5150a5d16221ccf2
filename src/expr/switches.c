/* Expressions whose sign decides which branch an operation with a kink or a jump takes. */
#include "graph.h"

#include <stdlib.h>

/* Adds a - b unless it is there or depends on more than allowed. */
static bool add(carom_graph *graph, carom_node a, carom_node b, unsigned allowed, int most, carom_node *found,
                int *count)
{
    const carom_node node = b < 0 ? a : carom_binary(graph, CAROM_OP_SUB, a, b);
    double value;
    if (node < 0)
        return false;
    if ((carom_node_depends(graph, node) & ~allowed) != 0 || carom_node_is_constant(graph, node, &value))
        return true;
    for (int i = 0; i < *count; i++)
        if (found[i] == node)
            return true;
    if (*count == most)
        return false;
    found[(*count)++] = node;
    return true;
}

static bool add_table(carom_graph *graph, carom_node node, unsigned allowed, int most, carom_node *found,
                      int *count)
{
    const graph_node at = graph->node[node];
    const table_lookup lookup = graph->lookup[node_lookup(&at)];
    int points = 0;
    const double *x = table_points(lookup.table, &points);
    if (lookup.order < 0) /* its integrals have no kinks */
        return true;
    for (int i = 0; i < points; i++)
        if (!add(graph, at.operand[0], carom_constant(graph, x[i]), allowed, most, found, count))
            return false;
    return true;
}

int carom_switches(carom_graph *graph, int count, const carom_node *nodes, unsigned allowed, int most,
                   carom_node *found)
{
    carom_node *list = NULL;
    int switches = 0;
    const int reached = graph_reachable(graph, count, nodes, allowed & ~(unsigned)CAROM_ON_PARAMETER, &list);
    bool good = reached >= 0;
    for (int i = 0; i < reached && good; i++) {
        const graph_node node = graph->node[list[i]]; /* a copy: more are made on the way */
        if (node.op == CAROM_OP_TABLE)
            good = add_table(graph, list[i], allowed, most, found, &switches);
        else if (node.op == CAROM_OP_ABS || node.op == CAROM_OP_SIGN || node.op == CAROM_OP_SELECT)
            good = add(graph, node.operand[0], CAROM_NO_NODE, allowed, most, found, &switches);
        else if (node.op == CAROM_OP_MIN || node.op == CAROM_OP_MAX)
            good = add(graph, node.operand[0], node.operand[1], allowed, most, found, &switches);
    }
    free(list);
    return good ? switches : -1;
}
