/* The expression graph: nodes, folding of constants, sharing of equal subexpressions. */
#include "tape.h"

#include <stdlib.h>
#include <string.h>

#include "operation.h"

enum {
    DEFAULT_MAX_NODES = 10000000,
    FIRST_CAPACITY = 256
};

static const struct {
    const char *name;
    int arity;
} operation_table[CAROM_OP_COUNT] = {
    [CAROM_OP_CONSTANT] = {"constant", 0},
    [CAROM_OP_PARAMETER] = {"parameter", 0},
    [CAROM_OP_TIME] = {"time", 0},
    [CAROM_OP_COORDINATE] = {"coordinate", 0},
    [CAROM_OP_VELOCITY] = {"velocity", 0},
    [CAROM_OP_IMPULSE] = {"impulse", 0},
    [CAROM_OP_PLACE] = {"place", 0},
    [CAROM_OP_OBSERVED] = {"observed", 0},
    [CAROM_OP_ACCELERATION] = {"acceleration", 0},
    [CAROM_OP_MULTIPLIER] = {"multiplier", 0},
    [CAROM_OP_INPUT] = {"input", 0},
    [CAROM_OP_ADD] = {"+", 2},
    [CAROM_OP_SUB] = {"-", 2},
    [CAROM_OP_MUL] = {"*", 2},
    [CAROM_OP_DIV] = {"/", 2},
    [CAROM_OP_POW] = {"^", 2},
    [CAROM_OP_ATAN2] = {"atan2", 2},
    [CAROM_OP_MIN] = {"min", 2},
    [CAROM_OP_MAX] = {"max", 2},
    [CAROM_OP_HYPOT] = {"hypot", 2},
    [CAROM_OP_NEG] = {"unary -", 1},
    [CAROM_OP_SQRT] = {"sqrt", 1},
    [CAROM_OP_EXP] = {"exp", 1},
    [CAROM_OP_LOG] = {"log", 1},
    [CAROM_OP_SIN] = {"sin", 1},
    [CAROM_OP_COS] = {"cos", 1},
    [CAROM_OP_TAN] = {"tan", 1},
    [CAROM_OP_ASIN] = {"asin", 1},
    [CAROM_OP_ACOS] = {"acos", 1},
    [CAROM_OP_ATAN] = {"atan", 1},
    [CAROM_OP_SINH] = {"sinh", 1},
    [CAROM_OP_COSH] = {"cosh", 1},
    [CAROM_OP_TANH] = {"tanh", 1},
    [CAROM_OP_ABS] = {"abs", 1},
    [CAROM_OP_SIGN] = {"sign", 1},
    [CAROM_OP_SELECT] = {"select", 3},
    [CAROM_OP_TABLE] = {"table", 1},
};

const char *carom_op_name(carom_op op)
{
    return operation_table[op].name;
}

int carom_op_arity(carom_op op)
{
    return operation_table[op].arity;
}

/* ---- storage ------------------------------------------------------------------------------- */

carom_graph *carom_graph_create(int max_nodes)
{
    carom_graph *graph = calloc(1, sizeof *graph);
    if (graph)
        graph->max_nodes = max_nodes > 0 ? max_nodes : DEFAULT_MAX_NODES;
    return graph;
}

void carom_graph_allow(carom_graph *graph, int max_nodes)
{
    if (max_nodes > graph->max_nodes)
        graph->max_nodes = max_nodes;
}

void carom_graph_free(carom_graph *graph)
{
    if (!graph)
        return;
    for (carom_tape *tape = graph->tapes; tape; tape = tape->next)
        tape->graph = NULL;
    for (int i = 0; i < graph->lookups; i++)
        carom_table_free(graph->lookup[i].table);
    free(graph->lookup);
    free(graph->node);
    free(graph->table);
    free(graph->mark);
    free(graph->list);
    free(graph->place);
    free(graph);
}

carom_status carom_graph_status(const carom_graph *graph, carom_error *error)
{
    if (!graph)
        return carom_fail(error, CAROM_BAD_INPUT, "no graph of expressions is given; see carom_graph_create");
    if (graph->status == CAROM_BAD_INPUT)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the model's expressions have more than %d operations; write it smaller",
                          graph->max_nodes);
    return graph->status == CAROM_OK ? CAROM_OK : carom_fail_memory(error);
}

int carom_graph_size(const carom_graph *graph)
{
    return graph->count;
}

static size_t hash_node(const graph_node *node)
{
    uint64_t bits;
    memcpy(&bits, &node->value, sizeof bits);
    uint64_t hash = (uint64_t)node->op * 0x9E3779B97F4A7C15u ^ bits;
    for (int k = 0; k < 3; k++) {
        hash ^= (uint64_t)(unsigned)node->operand[k] + 0x9E3779B97F4A7C15u + (hash << 6) + (hash >> 2);
        hash *= 0xBF58476D1CE4E5B9u;
        hash ^= hash >> 29;
    }
    return (size_t)hash;
}

static bool same_node(const graph_node *a, const graph_node *b)
{
    return a->op == b->op && memcmp(a->operand, b->operand, sizeof a->operand) == 0 &&
           memcmp(&a->value, &b->value, sizeof a->value) == 0;
}

static size_t find_place(const carom_graph *graph, const graph_node *node)
{
    size_t place = hash_node(node) & (graph->table_size - 1);
    while (graph->table[place] >= 0 && !same_node(&graph->node[graph->table[place]], node))
        place = (place + 1) & (graph->table_size - 1);
    return place;
}

static bool grow_array(void **array, int capacity, size_t size)
{
    void *grown = realloc(*array, (size_t)capacity * size);
    if (grown)
        *array = grown;
    return grown != NULL;
}

/* Doubles the room for nodes, up to their largest number, and rebuilds the hash table (kept at most two thirds full). */
static bool grow(carom_graph *graph)
{
    int capacity = graph->capacity ? 2 * graph->capacity : FIRST_CAPACITY;
    if (capacity > graph->max_nodes && graph->max_nodes > graph->capacity)
        capacity = graph->max_nodes;
    size_t table_size = 2 * FIRST_CAPACITY;
    while (2 * table_size < 3 * (size_t)capacity)
        table_size *= 2;
    int *table = malloc(table_size * sizeof *table);
    if (!table || !grow_array((void **)&graph->node, capacity, sizeof *graph->node) ||
        !grow_array((void **)&graph->mark, capacity, sizeof *graph->mark) ||
        !grow_array((void **)&graph->list, capacity, sizeof *graph->list) ||
        !grow_array((void **)&graph->place, capacity, sizeof *graph->place)) {
        free(table);
        return false;
    }
    memset(graph->mark + graph->capacity, 0, (size_t)(capacity - graph->capacity) * sizeof *graph->mark);
    graph->capacity = capacity;
    free(graph->table);
    graph->table = table;
    graph->table_size = table_size;
    memset(table, -1, table_size * sizeof *table);
    for (int i = 0; i < graph->count; i++)
        table[find_place(graph, &graph->node[i])] = i;
    return true;
}

static carom_node intern(carom_graph *graph, graph_node node)
{
    if (graph->status != CAROM_OK)
        return CAROM_NO_NODE;
    if (graph->count == graph->capacity && !grow(graph)) {
        graph->status = CAROM_NO_MEMORY;
        return CAROM_NO_NODE;
    }
    size_t place = find_place(graph, &node);
    if (graph->table[place] < 0) {
        if (graph->count >= graph->max_nodes) {
            graph->status = CAROM_BAD_INPUT;
            return CAROM_NO_NODE;
        }
        graph->node[graph->count] = node;
        graph->table[place] = graph->count++;
    }
    return graph->table[place];
}

/* ---- leaves -------------------------------------------------------------------------------- */

carom_node carom_constant(carom_graph *graph, double value)
{
    if (value == 0.0)
        value = 0.0; /* -0 and 0 are one constant */
    return intern(graph, (graph_node){.op = CAROM_OP_CONSTANT, .operand = {-1, -1, -1}, .value = value});
}

carom_node carom_leaf(carom_graph *graph, carom_op op, int index)
{
    unsigned depends = 0;
    switch (op) {
    case CAROM_OP_PARAMETER:
        depends = CAROM_ON_PARAMETER;
        break;
    case CAROM_OP_TIME:
    case CAROM_OP_INPUT:
        depends = CAROM_ON_TIME;
        break;
    case CAROM_OP_COORDINATE:
        depends = CAROM_ON_COORDINATE;
        break;
    case CAROM_OP_VELOCITY:
        depends = CAROM_ON_VELOCITY;
        break;
    case CAROM_OP_IMPULSE:
        depends = CAROM_ON_IMPULSE;
        break;
    case CAROM_OP_PLACE:
        depends = CAROM_ON_PLACE;
        break;
    case CAROM_OP_OBSERVED:
        depends = CAROM_ON_OBSERVED;
        break;
    case CAROM_OP_ACCELERATION:
        depends = CAROM_ON_ACCELERATION;
        break;
    case CAROM_OP_MULTIPLIER:
        depends = CAROM_ON_MULTIPLIER;
        break;
    default:
        return CAROM_NO_NODE;
    }
    return intern(graph,
                  (graph_node){.op = (uint16_t)op, .depends = (uint16_t)depends, .operand = {index, -1, -1}});
}

carom_op carom_node_op(const carom_graph *graph, carom_node node)
{
    return graph->node[node].op;
}

int carom_node_index(const carom_graph *graph, carom_node node)
{
    const graph_node *n = &graph->node[node];
    return n->op == CAROM_OP_CONSTANT || carom_op_arity(n->op) > 0 ? -1 : n->operand[0];
}

carom_node carom_node_operand(const carom_graph *graph, carom_node node, int k)
{
    const graph_node *n = &graph->node[node];
    return k >= 0 && k < carom_op_arity(n->op) ? n->operand[k] : CAROM_NO_NODE;
}

unsigned carom_node_depends(const carom_graph *graph, carom_node node)
{
    return graph->node[node].depends;
}

bool carom_node_is_constant(const carom_graph *graph, carom_node node, double *value)
{
    if (node < 0 || graph->node[node].op != CAROM_OP_CONSTANT)
        return false;
    if (value)
        *value = graph->node[node].value;
    return true;
}

/* ---- operations ---------------------------------------------------------------------------- */

static bool equals(const carom_graph *graph, carom_node node, double value)
{
    double constant;
    return carom_node_is_constant(graph, node, &constant) && constant == value;
}

static bool is_negation(const carom_graph *graph, carom_node node)
{
    return graph->node[node].op == CAROM_OP_NEG;
}

static carom_node make(carom_graph *graph, carom_op op, carom_node a, carom_node b, carom_node c)
{
    graph_node node = {.op = (uint16_t)op, .operand = {a, b, c}};
    for (int k = 0; k < 3 && node.operand[k] >= 0; k++)
        node.depends |= graph->node[node.operand[k]].depends;
    return intern(graph, node);
}

carom_node carom_unary(carom_graph *graph, carom_op op, carom_node a)
{
    if (a < 0 || graph->status != CAROM_OK || op == CAROM_OP_TABLE)
        return CAROM_NO_NODE;
    double value;
    if (carom_node_is_constant(graph, a, &value))
        return carom_constant(graph, apply_operation(op, value, 0.0, 0.0));
    if (op == CAROM_OP_NEG && is_negation(graph, a))
        return graph->node[a].operand[0];
    return make(graph, op, a, -1, -1);
}

/* a^exponent for a small whole exponent, by repeated squaring: exact where pow() would be slow. */
static carom_node whole_power(carom_graph *graph, carom_node a, int exponent)
{
    carom_node result = CAROM_NO_NODE, square = a;
    for (int left = exponent; left > 0; left /= 2) {
        if (left % 2)
            result = result < 0 ? square : carom_binary(graph, CAROM_OP_MUL, result, square);
        if (left > 1)
            square = carom_binary(graph, CAROM_OP_MUL, square, square);
    }
    return result;
}

static carom_node simplify_power(carom_graph *graph, carom_node a, carom_node b)
{
    double exponent;
    if (!carom_node_is_constant(graph, b, &exponent))
        return CAROM_NO_NODE;
    if (exponent == 0.0)
        return carom_constant(graph, 1.0);
    if (exponent == 0.5)
        return carom_unary(graph, CAROM_OP_SQRT, a);
    double size = fabs(exponent);
    if (size > 8.0 || size != floor(size))
        return CAROM_NO_NODE;
    carom_node power = whole_power(graph, a, (int)size);
    return exponent > 0.0 ? power : carom_binary(graph, CAROM_OP_DIV, carom_constant(graph, 1.0), power);
}

static carom_node negate(carom_graph *graph, carom_node a)
{
    return carom_unary(graph, CAROM_OP_NEG, a);
}

/* Rules that shrink what differentiation produces: neutral elements, signs. CAROM_NO_NODE: none fits. */
static carom_node simplify(carom_graph *graph, carom_op op, carom_node a, carom_node b)
{
    const graph_node *node = graph->node;
    switch (op) {
    case CAROM_OP_ADD:
        if (equals(graph, a, 0.0))
            return b;
        if (equals(graph, b, 0.0))
            return a;
        if (is_negation(graph, b))
            return carom_binary(graph, CAROM_OP_SUB, a, node[b].operand[0]);
        if (is_negation(graph, a))
            return carom_binary(graph, CAROM_OP_SUB, b, node[a].operand[0]);
        break;
    case CAROM_OP_SUB:
        if (equals(graph, b, 0.0))
            return a;
        if (equals(graph, a, 0.0))
            return negate(graph, b);
        if (a == b)
            return carom_constant(graph, 0.0);
        if (is_negation(graph, b))
            return carom_binary(graph, CAROM_OP_ADD, a, node[b].operand[0]);
        break;
    case CAROM_OP_MUL:
        if (equals(graph, a, 0.0) || equals(graph, b, 0.0))
            return carom_constant(graph, 0.0);
        if (equals(graph, a, 1.0))
            return b;
        if (equals(graph, b, 1.0))
            return a;
        if (equals(graph, a, -1.0))
            return negate(graph, b);
        if (equals(graph, b, -1.0))
            return negate(graph, a);
        if (is_negation(graph, a) && is_negation(graph, b))
            return carom_binary(graph, CAROM_OP_MUL, node[a].operand[0], node[b].operand[0]);
        break;
    case CAROM_OP_DIV:
        if (equals(graph, b, 1.0))
            return a;
        if (equals(graph, a, 0.0) && !equals(graph, b, 0.0))
            return carom_constant(graph, 0.0);
        break;
    case CAROM_OP_POW:
        return simplify_power(graph, a, b);
    case CAROM_OP_MIN:
    case CAROM_OP_MAX:
        if (a == b)
            return a;
        break;
    default:
        break;
    }
    return CAROM_NO_NODE;
}

static bool commutes(carom_op op)
{
    return op == CAROM_OP_ADD || op == CAROM_OP_MUL || op == CAROM_OP_HYPOT;
}

carom_node carom_binary(carom_graph *graph, carom_op op, carom_node a, carom_node b)
{
    if (a < 0 || b < 0 || graph->status != CAROM_OK)
        return CAROM_NO_NODE;
    double left, right;
    if (carom_node_is_constant(graph, a, &left) && carom_node_is_constant(graph, b, &right))
        return carom_constant(graph, apply_operation(op, left, right, 0.0));
    carom_node simpler = simplify(graph, op, a, b);
    if (simpler >= 0 || graph->status != CAROM_OK)
        return simpler;
    if (commutes(op) && a > b)
        return make(graph, op, b, a, -1);
    return make(graph, op, a, b, -1);
}

carom_node carom_select(carom_graph *graph, carom_node condition, carom_node positive, carom_node otherwise)
{
    if (condition < 0 || positive < 0 || otherwise < 0 || graph->status != CAROM_OK)
        return CAROM_NO_NODE;
    double value;
    if (carom_node_is_constant(graph, condition, &value))
        return value > 0.0 ? positive : otherwise;
    if (positive == otherwise)
        return positive;
    return make(graph, CAROM_OP_SELECT, condition, positive, otherwise);
}

/* ---- tables ------------------------------------------------------------------------------- */

/* The number of a lookup, which is new or not; -1: memory is short. */
static int find_lookup(carom_graph *graph, carom_table *table, int order)
{
    for (int i = 0; i < graph->lookups; i++)
        if (graph->lookup[i].table == table && graph->lookup[i].order == order)
            return i;
    if (!grow_array((void **)&graph->lookup, graph->lookups + 1, sizeof *graph->lookup))
        return -1;
    graph->lookup[graph->lookups] = (table_lookup){carom_table_share(table), order};
    return graph->lookups++;
}

carom_node carom_lookup(carom_graph *graph, carom_table *table, int order, carom_node a)
{
    if (a < 0 || graph->status != CAROM_OK || order < -CAROM_TABLE_INTEGRALS)
        return CAROM_NO_NODE;
    double value;
    if (carom_node_is_constant(graph, a, &value))
        return carom_constant(graph, carom_table_value(table, order, value));
    if (order > table_degree(table))
        return carom_constant(graph, 0.0);
    graph_node node = {.op = CAROM_OP_TABLE,
                       .operand = {a, -1, find_lookup(graph, table, order)},
                       .depends = graph->node[a].depends};
    if (node_lookup(&node) >= 0)
        return intern(graph, node);
    graph->status = CAROM_NO_MEMORY;
    return CAROM_NO_NODE;
}

/* ---- traversal ----------------------------------------------------------------------------- */

static int compare_nodes(const void *a, const void *b)
{
    int left = *(const int *)a, right = *(const int *)b;
    return (left > right) - (left < right);
}

int graph_reachable(carom_graph *graph, int roots, const carom_node *root, unsigned mask, carom_node **list)
{
    /* `found` grows while it is walked: a breadth-first search whose queue is the result. */
    int found = 0;
    int *queue = graph->list;
    for (int r = 0; r < roots; r++) {
        if (mask && !(graph->node[root[r]].depends & mask))
            continue;
        if (!graph->mark[root[r]]) {
            graph->mark[root[r]] = true;
            queue[found++] = root[r];
        }
    }
    for (int next = 0; next < found; next++) {
        const graph_node *node = &graph->node[queue[next]];
        for (int k = 0; k < carom_op_arity(node->op); k++) {
            int operand = node->operand[k];
            if (graph->mark[operand] || (mask && !(graph->node[operand].depends & mask)))
                continue;
            graph->mark[operand] = true;
            queue[found++] = operand;
        }
    }
    for (int i = 0; i < found; i++)
        graph->mark[queue[i]] = false;
    *list = malloc(((size_t)found + 1) * sizeof **list);
    if (!*list) {
        graph->status = CAROM_NO_MEMORY;
        return -1;
    }
    if (found > 0) {
        memcpy(*list, queue, (size_t)found * sizeof **list);
        qsort(*list, (size_t)found, sizeof **list, compare_nodes);
    }
    return found;
}

int carom_node_size(carom_graph *graph, carom_node node)
{
    carom_node *list = NULL;
    const int found = node < 0 ? 0 : graph_reachable(graph, 1, &node, 0, &list);
    free(list);
    return found < 0 ? 0 : found;
}
