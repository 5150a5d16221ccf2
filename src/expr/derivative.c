/* Exact derivatives: reverse accumulation for gradients, forward accumulation for directions. Both write the
 * derivative as new nodes, so a derivative can be differentiated again. */
#include <stdlib.h>

#include "graph.h"

static carom_node binary(carom_graph *graph, carom_op op, carom_node a, carom_node b)
{
    return carom_binary(graph, op, a, b);
}

static carom_node square(carom_graph *graph, carom_node a)
{
    return carom_binary(graph, CAROM_OP_MUL, a, a);
}

static carom_node number(carom_graph *graph, double value)
{
    return carom_constant(graph, value);
}

/* Derivative of a one-operand operation by its operand `a`; `self` is the operation's own node. */
static carom_node unary_partial(carom_graph *graph, carom_op op, carom_node a, carom_node self)
{
    const carom_node one = number(graph, 1.0);
    switch (op) {
    case CAROM_OP_NEG:
        return number(graph, -1.0);
    case CAROM_OP_SQRT:
        return binary(graph, CAROM_OP_DIV, number(graph, 0.5), self);
    case CAROM_OP_EXP:
        return self;
    case CAROM_OP_LOG:
        return binary(graph, CAROM_OP_DIV, one, a);
    case CAROM_OP_SIN:
        return carom_unary(graph, CAROM_OP_COS, a);
    case CAROM_OP_COS:
        return carom_unary(graph, CAROM_OP_NEG, carom_unary(graph, CAROM_OP_SIN, a));
    case CAROM_OP_TAN:
        return binary(graph, CAROM_OP_ADD, one, square(graph, self));
    case CAROM_OP_ASIN:
    case CAROM_OP_ACOS: {
        carom_node root =
            carom_unary(graph, CAROM_OP_SQRT, binary(graph, CAROM_OP_SUB, one, square(graph, a)));
        return binary(graph, CAROM_OP_DIV, number(graph, op == CAROM_OP_ASIN ? 1.0 : -1.0), root);
    }
    case CAROM_OP_ATAN:
        return binary(graph, CAROM_OP_DIV, one, binary(graph, CAROM_OP_ADD, one, square(graph, a)));
    case CAROM_OP_SINH:
        return carom_unary(graph, CAROM_OP_COSH, a);
    case CAROM_OP_COSH:
        return carom_unary(graph, CAROM_OP_SINH, a);
    case CAROM_OP_TANH:
        return binary(graph, CAROM_OP_SUB, one, square(graph, self));
    case CAROM_OP_ABS:
        return carom_unary(graph, CAROM_OP_SIGN, a);
    default: /* sign is piecewise constant */
        return number(graph, 0.0);
    }
}

/* Derivative of a two-operand operation by operand `which`. */
static carom_node binary_partial(carom_graph *graph, carom_op op, carom_node a, carom_node b, carom_node self,
                                 int which)
{
    switch (op) {
    case CAROM_OP_ADD:
        return number(graph, 1.0);
    case CAROM_OP_SUB:
        return number(graph, which == 0 ? 1.0 : -1.0);
    case CAROM_OP_MUL:
        return which == 0 ? b : a;
    case CAROM_OP_DIV:
        if (which == 0)
            return binary(graph, CAROM_OP_DIV, number(graph, 1.0), b);
        return carom_unary(graph, CAROM_OP_NEG, binary(graph, CAROM_OP_DIV, self, b));
    case CAROM_OP_POW:
        if (which == 0) { /* b a^(b-1) */
            carom_node lower = binary(graph, CAROM_OP_SUB, b, number(graph, 1.0));
            return binary(graph, CAROM_OP_MUL, b, binary(graph, CAROM_OP_POW, a, lower));
        }
        return binary(graph, CAROM_OP_MUL, self, carom_unary(graph, CAROM_OP_LOG, a));
    case CAROM_OP_ATAN2: { /* a = y, b = x: (x dy - y dx) / (x^2 + y^2) */
        carom_node r2 = binary(graph, CAROM_OP_ADD, square(graph, a), square(graph, b));
        return binary(graph, CAROM_OP_DIV, which == 0 ? b : carom_unary(graph, CAROM_OP_NEG, a), r2);
    }
    case CAROM_OP_HYPOT:
        return binary(graph, CAROM_OP_DIV, which == 0 ? a : b, self);
    default:
        return number(graph, 0.0);
    }
}

/* The condition under which a selecting operation takes its first value, and the two values' operand places;
 * false for operations that do not select. min(a,b) takes a where b - a > 0. */
static bool selection(carom_graph *graph, carom_node node, carom_node *condition, int place[2])
{
    const graph_node n = graph->node[node];
    place[0] = 0;
    place[1] = 1;
    switch (n.op) {
    case CAROM_OP_MIN:
        *condition = binary(graph, CAROM_OP_SUB, n.operand[1], n.operand[0]);
        return true;
    case CAROM_OP_MAX:
        *condition = binary(graph, CAROM_OP_SUB, n.operand[0], n.operand[1]);
        return true;
    case CAROM_OP_SELECT:
        *condition = n.operand[0];
        place[0] = 1;
        place[1] = 2;
        return true;
    default:
        return false;
    }
}

static carom_node partial(carom_graph *graph, carom_node node, int which)
{
    const graph_node n = graph->node[node];
    if (n.op == CAROM_OP_TABLE) {
        const table_lookup lookup = graph->lookup[node_lookup(&n)];
        return carom_lookup(graph, lookup.table, lookup.order + 1, n.operand[0]);
    }
    if (carom_op_arity(n.op) == 1)
        return unary_partial(graph, n.op, n.operand[0], node);
    return binary_partial(graph, n.op, n.operand[0], n.operand[1], node, which);
}

/* Nested selections that scaled() looks into; deeper ones would make the derivative grow as their square. */
enum {
    SELECT_DEPTH = 8
};

/* factor * slope, moved inside a selection: a branch that is not taken must not turn 0 * infinity into NaN.
 */
static carom_node scaled(carom_graph *graph, carom_node factor, carom_node slope, int depth)
{
    double value;
    if (depth < SELECT_DEPTH && factor >= 0 && graph->node[factor].op == CAROM_OP_SELECT) {
        const graph_node n = graph->node[factor];
        if (carom_node_is_constant(graph, n.operand[2], &value) && value == 0.0)
            return carom_select(graph, n.operand[0], scaled(graph, n.operand[1], slope, depth + 1),
                                n.operand[2]);
        if (carom_node_is_constant(graph, n.operand[1], &value) && value == 0.0)
            return carom_select(graph, n.operand[0], n.operand[1],
                                scaled(graph, n.operand[2], slope, depth + 1));
    }
    return binary(graph, CAROM_OP_MUL, factor, slope);
}

/* a + b, where two selections by the same condition stay one, which scaled() can look into. */
static carom_node added(carom_graph *graph, carom_node a, carom_node b, int depth)
{
    if (depth < SELECT_DEPTH && a >= 0 && b >= 0 && graph->node[a].op == CAROM_OP_SELECT &&
        graph->node[b].op == CAROM_OP_SELECT && graph->node[a].operand[0] == graph->node[b].operand[0]) {
        const graph_node left = graph->node[a], right = graph->node[b];
        return carom_select(graph, left.operand[0],
                            added(graph, left.operand[1], right.operand[1], depth + 1),
                            added(graph, left.operand[2], right.operand[2], depth + 1));
    }
    return binary(graph, CAROM_OP_ADD, a, b);
}

static unsigned mask_of(const carom_graph *graph, int count, const carom_node *wrt)
{
    unsigned mask = 0;
    for (int i = 0; i < count; i++)
        mask |= graph->node[wrt[i]].depends;
    return mask;
}

static bool all_nodes(int count, const carom_node *nodes)
{
    for (int i = 0; i < count; i++)
        if (nodes[i] < 0)
            return false;
    return true;
}

static void fill(int count, carom_node *nodes, carom_node value)
{
    for (int i = 0; i < count; i++)
        nodes[i] = value;
}

/* Index of `node` in the ascending list, -1 when it is not there. */
static int place_in(const carom_node *list, int count, carom_node node)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (list[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && list[low] == node ? low : -1;
}

/* Adds the adjoint of list[i] to the adjoints of its operands. */
static void push_adjoint(carom_graph *graph, const carom_node *list, int count, int i, unsigned mask,
                         carom_node *adjoint)
{
    const graph_node n = graph->node[list[i]];
    carom_node condition;
    int taken[2];
    const bool selects = selection(graph, list[i], &condition, taken);
    const carom_node zero = number(graph, 0.0);
    for (int k = 0; k < carom_op_arity(n.op); k++) {
        if (!(graph->node[n.operand[k]].depends & mask))
            continue;
        carom_node share;
        if (!selects)
            share = scaled(graph, adjoint[i], partial(graph, list[i], k), 0);
        else if (k == taken[0])
            share = carom_select(graph, condition, adjoint[i], zero);
        else if (k == taken[1])
            share = carom_select(graph, condition, zero, adjoint[i]);
        else
            continue; /* the condition of select is piecewise constant */
        int place = place_in(list, count, n.operand[k]);
        adjoint[place] = adjoint[place] < 0 ? share : added(graph, adjoint[place], share, 0);
    }
}

/* The nodes under `node` that depend on the mask, and their adjoints, each of them malloc'ed and the caller's; -1
 * when memory is short. */
static int accumulate(carom_graph *graph, carom_node node, unsigned mask, carom_node **list,
                      carom_node **adjoint)
{
    const int found = graph_reachable(graph, 1, &node, mask, list);
    *adjoint = found < 0 ? NULL : malloc(((size_t)found + 1) * sizeof **adjoint);
    if (!*adjoint) {
        graph->status = CAROM_NO_MEMORY;
        return -1;
    }
    fill(found, *adjoint, CAROM_NO_NODE);
    if (found > 0)
        (*adjoint)[found - 1] = number(graph, 1.0);
    for (int i = found - 1; i >= 0; i--)
        if ((*adjoint)[i] >= 0)
            push_adjoint(graph, *list, found, i, mask, *adjoint);
    return found;
}

void carom_gradient(carom_graph *graph, carom_node node, int count, const carom_node *wrt,
                    carom_node *gradient)
{
    fill(count, gradient, CAROM_NO_NODE);
    if (node < 0 || !all_nodes(count, wrt) || graph->status != CAROM_OK)
        return;
    carom_node *list = NULL, *adjoint = NULL;
    const int found = accumulate(graph, node, mask_of(graph, count, wrt), &list, &adjoint);
    for (int i = 0; found >= 0 && i < count; i++) {
        int place = place_in(list, found, wrt[i]);
        gradient[i] = place >= 0 && adjoint[place] >= 0 ? adjoint[place] : number(graph, 0.0);
    }
    free(adjoint);
    free(list);
}

/* ---- sparse gradients ------------------------------------------------------------------------------ */

static int compare_entries(const void *a, const void *b)
{
    const carom_node_entry *left = a, *right = b;
    return (left->index > right->index) - (left->index < right->index);
}

bool carom_gradient_row(carom_graph *graph, carom_node node, carom_op leaf, carom_arena *arena,
                        carom_node_row *row)
{
    *row = (carom_node_row){0};
    const carom_node first = carom_leaf(graph, leaf, 0); /* tells the bit of its kind */
    if (node < 0 || first < 0)
        return false;
    carom_node *list = NULL, *adjoint = NULL;
    const int found = accumulate(graph, node, graph->node[first].depends, &list, &adjoint);
    int count = 0;
    for (int i = 0; i < found; i++)
        count += graph->node[list[i]].op == leaf && adjoint[i] >= 0;
    if (found >= 0)
        row->entry = carom_arena_take(arena, (size_t)count, sizeof *row->entry);
    for (int i = 0; row->entry && i < found; i++) {
        double value;
        if (graph->node[list[i]].op != leaf || adjoint[i] < 0 ||
            (carom_node_is_constant(graph, adjoint[i], &value) && value == 0.0))
            continue;
        row->entry[row->count++] = (carom_node_entry){graph->node[list[i]].operand[0], adjoint[i]};
    }
    if (row->entry && row->count > 1)
        qsort(row->entry, (size_t)row->count, sizeof *row->entry, compare_entries);
    free(adjoint);
    free(list);
    return row->entry != NULL;
}

void carom_jacobian(carom_graph *graph, int rows, const carom_node *nodes, int count, const carom_node *wrt,
                    carom_node *jacobian)
{
    for (int r = 0; r < rows; r++)
        carom_gradient(graph, nodes[r], count, wrt, jacobian + (size_t)r * (size_t)count);
}

/* Tangent of list[i], which is no leaf, from the tangents of its operands. */
static carom_node tangent_of(carom_graph *graph, const carom_node *list, int count, int i, unsigned mask,
                             const carom_node *tangent)
{
    const graph_node n = graph->node[list[i]];
    const carom_node zero = number(graph, 0.0);
    carom_node of_operand[3] = {zero, zero, zero};
    for (int k = 0; k < 3 && n.operand[k] >= 0; k++) {
        int place = (graph->node[n.operand[k]].depends & mask) ? place_in(list, count, n.operand[k]) : -1;
        if (place >= 0)
            of_operand[k] = tangent[place];
    }
    carom_node condition;
    int taken[2];
    if (selection(graph, list[i], &condition, taken))
        return carom_select(graph, condition, of_operand[taken[0]], of_operand[taken[1]]);
    carom_node sum = zero;
    for (int k = 0; k < 3; k++)
        if (of_operand[k] != zero)
            sum =
                binary(graph, CAROM_OP_ADD, sum, scaled(graph, of_operand[k], partial(graph, list[i], k), 0));
    return sum;
}

/* Tangents of the operations in the list, whose leaves have theirs, and of the rows. */
static void push_tangents(carom_graph *graph, int rows, const carom_node *nodes, int found,
                          const carom_node *list, unsigned mask, carom_node *tangent, carom_node *result)
{
    for (int i = 0; i < found; i++)
        if (carom_op_arity(graph->node[list[i]].op) > 0)
            tangent[i] = tangent_of(graph, list, found, i, mask, tangent);
    for (int r = 0; r < rows; r++) {
        int place = place_in(list, found, nodes[r]);
        result[r] = place >= 0 ? tangent[place] : number(graph, 0.0);
    }
}

/* The nodes under the rows that depend on the mask, and room for their tangents, which are 0; -1 when memory is
 * short. */
static int list_tangents(carom_graph *graph, int rows, const carom_node *nodes, unsigned mask,
                         carom_node **list, carom_node **tangent)
{
    const int found = graph_reachable(graph, rows, nodes, mask, list);
    *tangent = found < 0 ? NULL : malloc(((size_t)found + 1) * sizeof **tangent);
    if (!*tangent) {
        graph->status = CAROM_NO_MEMORY;
        return -1;
    }
    fill(found, *tangent, number(graph, 0.0));
    return found;
}

void carom_directional(carom_graph *graph, int rows, const carom_node *nodes, int count,
                       const carom_node *wrt, const carom_node *direction, carom_node *result)
{
    fill(rows, result, CAROM_NO_NODE);
    if (!all_nodes(rows, nodes) || !all_nodes(count, wrt) || !all_nodes(count, direction) ||
        graph->status != CAROM_OK)
        return;
    const unsigned mask = mask_of(graph, count, wrt);
    carom_node *list = NULL, *tangent = NULL;
    const int found = list_tangents(graph, rows, nodes, mask, &list, &tangent);
    for (int i = 0; found >= 0 && i < count; i++) {
        int place = place_in(list, found, wrt[i]);
        if (place >= 0)
            tangent[place] = direction[i];
    }
    if (found >= 0)
        push_tangents(graph, rows, nodes, found, list, mask, tangent, result);
    free(tangent);
    free(list);
}

void carom_along_motion(carom_graph *graph, int rows, const carom_node *nodes, carom_node *result)
{
    fill(rows, result, CAROM_NO_NODE);
    if (!all_nodes(rows, nodes) || graph->status != CAROM_OK)
        return;
    const unsigned mask = CAROM_ON_COORDINATE | CAROM_ON_TIME;
    carom_node *list = NULL, *tangent = NULL;
    const int found = list_tangents(graph, rows, nodes, mask, &list, &tangent);
    for (int i = 0; i < found; i++) {
        const graph_node n = graph->node[list[i]];
        if (n.op == CAROM_OP_COORDINATE)
            tangent[i] = carom_leaf(graph, CAROM_OP_VELOCITY, n.operand[0]);
        else if (n.op == CAROM_OP_TIME)
            tangent[i] = number(graph, 1.0);
    }
    if (found >= 0)
        push_tangents(graph, rows, nodes, found, list, mask, tangent, result);
    free(tangent);
    free(list);
}

void carom_hessian_vector(carom_graph *graph, carom_node node, int count, const carom_node *wrt,
                          const carom_node *vector, carom_node *result)
{
    fill(count, result, CAROM_NO_NODE);
    carom_node *gradient = malloc(((size_t)count + 1) * sizeof *gradient);
    if (!gradient) {
        graph->status = CAROM_NO_MEMORY;
        return;
    }
    carom_gradient(graph, node, count, wrt, gradient);
    carom_directional(graph, count, gradient, count, wrt, vector, result);
    free(gradient);
}

carom_node carom_time_derivative(carom_graph *graph, carom_node node)
{
    if (node < 0 || (carom_node_depends(graph, node) & (CAROM_ON_VELOCITY | CAROM_ON_NO_MOTION)))
        return CAROM_NO_NODE;
    carom_node derivative;
    carom_along_motion(graph, 1, &node, &derivative);
    return derivative;
}

bool carom_has_kinks(carom_graph *graph, int count, const carom_node *nodes, unsigned mask)
{
    carom_node *list = NULL;
    if (!all_nodes(count, nodes) || graph->status != CAROM_OK)
        return true;
    const int found = graph_reachable(graph, count, nodes, mask, &list);
    bool kinks = found < 0;
    for (int i = 0; i < found; i++) {
        const carom_op op = graph->node[list[i]].op;
        /* of a table its integrals have none */
        kinks = kinks ||
                (op == CAROM_OP_TABLE && graph->lookup[node_lookup(&graph->node[list[i]])].order >= 0) ||
                op == CAROM_OP_ABS || op == CAROM_OP_SIGN || op == CAROM_OP_MIN || op == CAROM_OP_MAX ||
                op == CAROM_OP_SELECT;
    }
    free(list);
    return kinks;
}
