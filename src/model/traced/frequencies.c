/* The frequencies of a model. Every part of an expression that depends on time is a line a t plus something periodic:
 *
 *   t                          slope 1
 *   x + y, x - y, -x           slopes add up
 *   x y, x / y                 a slope stays one where the other factor is of parameters; else it must be 0
 *   sin x, cos x, tan x        periodic: the slope is a frequency
 *   any other function         periodic where its operands are
 *
 * A model is periodic when all its expressions have the slope 0. */
#include <stdlib.h>
#include <string.h>

#include "time_dependence.h"

/* Slopes that are no node. */
enum {
    SLOPE_ZERO = -1,
    SLOPE_NONE = -2 /* neither: not a line */
};

typedef struct frequency_search {
    carom_graph *graph;
    carom_node *slope; /* per node */
    bool *seen;
    carom_node *stack;
    int limit; /* nodes when the search began */
    int count;
    carom_node *frequency;
} frequency_search;

static bool depends_on_time(const frequency_search *search, carom_node node)
{
    return (carom_node_depends(search->graph, node) & CAROM_ON_TIME) != 0;
}

static bool is_of_parameters(const frequency_search *search, carom_node node)
{
    return (carom_node_depends(search->graph, node) & ~(unsigned)CAROM_ON_PARAMETER) == 0;
}

static carom_node slope_of(const frequency_search *search, carom_node node)
{
    return depends_on_time(search, node) ? search->slope[node] : SLOPE_ZERO;
}

static void add_frequency(frequency_search *search, carom_node frequency)
{
    for (int i = 0; i < search->count; i++)
        if (search->frequency[i] == frequency)
            return;
    search->frequency[search->count++] = frequency;
}

static carom_node sum_slope(frequency_search *search, carom_op op, carom_node a, carom_node b)
{
    if (a == SLOPE_NONE || b == SLOPE_NONE)
        return SLOPE_NONE;
    if (b == SLOPE_ZERO)
        return a;
    if (a == SLOPE_ZERO)
        return op == CAROM_OP_ADD ? b : carom_unary(search->graph, CAROM_OP_NEG, b);
    return carom_binary(search->graph, op, a, b);
}

static carom_node product_slope(frequency_search *search, carom_op op, carom_node x, carom_node y)
{
    const carom_node a = slope_of(search, x), b = slope_of(search, y);
    if (a == SLOPE_ZERO && b == SLOPE_ZERO)
        return SLOPE_ZERO;
    if (a >= 0 && is_of_parameters(search, y))
        return carom_binary(search->graph, op, a, y);
    if (op == CAROM_OP_MUL && b >= 0 && is_of_parameters(search, x))
        return carom_binary(search->graph, op, x, b);
    return SLOPE_NONE;
}

/* Of a node whose operands are known. */
static carom_node find_slope(frequency_search *search, carom_node node)
{
    carom_graph *graph = search->graph;
    const carom_op op = carom_node_op(graph, node);
    if (op == CAROM_OP_TIME)
        return carom_constant(graph, 1.0);
    if (op == CAROM_OP_INPUT) /* in runs it is constant */
        return SLOPE_ZERO;
    const carom_node x = carom_node_operand(graph, node, 0), y = carom_node_operand(graph, node, 1);
    if (op == CAROM_OP_ADD || op == CAROM_OP_SUB)
        return sum_slope(search, op, slope_of(search, x), slope_of(search, y));
    if (op == CAROM_OP_NEG) {
        const carom_node a = slope_of(search, x);
        return a >= 0 ? carom_unary(graph, CAROM_OP_NEG, a) : a;
    }
    if (op == CAROM_OP_MUL || op == CAROM_OP_DIV)
        return product_slope(search, op, x, y);
    if ((op == CAROM_OP_SIN || op == CAROM_OP_COS || op == CAROM_OP_TAN) && slope_of(search, x) >= 0) {
        const carom_node slope = slope_of(search, x);
        const bool half = op == CAROM_OP_TAN; /* tan repeats itself after half the time */
        add_frequency(search, half ? carom_binary(search->graph, CAROM_OP_ADD, slope, slope) : slope);
        return SLOPE_ZERO;
    }
    for (int k = 0; k < carom_op_arity(op); k++)
        if (slope_of(search, carom_node_operand(graph, node, k)) != SLOPE_ZERO)
            return SLOPE_NONE;
    return SLOPE_ZERO;
}

/* True: its slope is 0. Operands come first; a node waits on the stack until theirs are known. */
static bool is_periodic(frequency_search *search, carom_node root)
{
    if (root < 0 || !depends_on_time(search, root))
        return true;
    int height = 0;
    search->stack[height++] = root;
    while (height > 0) {
        const carom_node node = search->stack[height - 1];
        bool waits = false;
        for (int k = 0; !search->seen[node] && k < carom_op_arity(carom_node_op(search->graph, node)); k++) {
            const carom_node operand = carom_node_operand(search->graph, node, k);
            if (depends_on_time(search, operand) && !search->seen[operand]) {
                search->stack[height++] = operand;
                waits = true;
                break;
            }
        }
        if (waits)
            continue;
        if (!search->seen[node])
            search->slope[node] = find_slope(search, node);
        search->seen[node] = true;
        height--;
    }
    return search->slope[root] == SLOPE_ZERO;
}

static bool contact_is_periodic(frequency_search *search, const carom_traced_contact *contact)
{
    bool periodic = is_periodic(search, contact->gap) && is_periodic(search, contact->restitution) &&
                    is_periodic(search, contact->stiffness) && is_periodic(search, contact->exponent);
    for (int k = 0; periodic && k < contact->tangents; k++)
        periodic = is_periodic(search, contact->slip[k]);
    const int coefficients = carom_friction_law_coefficients(&contact->friction);
    for (int k = 0; periodic && k < coefficients; k++)
        periodic = is_periodic(search, contact->coefficient[k]);
    return periodic;
}

static bool all_periodic(frequency_search *search, const carom_traced_spec *spec)
{
    const int n = spec->dof;
    bool periodic = is_periodic(search, spec->kinetic) && is_periodic(search, spec->potential);
    for (int i = 0; periodic && spec->force && i < n; i++)
        periodic = is_periodic(search, spec->force[i]);
    for (int i = 0; periodic && spec->masses && i < n; i++)
        periodic = is_periodic(search, spec->masses[i]);
    for (int i = 0; periodic && spec->mass && i < n * n; i++)
        periodic = is_periodic(search, spec->mass[i]);
    for (int k = 0; periodic && k < spec->contacts; k++)
        periodic = contact_is_periodic(search, &spec->contact[k]);
    for (int k = 0; periodic && k < spec->joints; k++)
        periodic = is_periodic(search, spec->joint[k].value);
    return periodic;
}

int traced_frequencies(const carom_traced_spec *spec, carom_arena *arena, carom_node **frequency)
{
    const size_t nodes = (size_t)carom_graph_size(spec->graph);
    frequency_search search = {.graph = spec->graph,
                               .slope = carom_new_array(nodes, sizeof(carom_node)),
                               .seen = carom_new_array(nodes, sizeof(bool)),
                               .stack = carom_new_array(nodes, sizeof(carom_node)),
                               .frequency = carom_new_array(nodes, sizeof(carom_node)),
                               .limit = (int)nodes};
    const bool room = search.slope && search.seen && search.stack && search.frequency,
               found =
                   room && all_periodic(&search, spec) && carom_graph_status(spec->graph, NULL) == CAROM_OK;
    *frequency = found ? carom_arena_take(arena, (size_t)search.count, sizeof **frequency) : NULL;
    if (*frequency)
        memcpy(*frequency, search.frequency, (size_t)search.count * sizeof **frequency);
    free(search.slope);
    free(search.seen);
    free(search.stack);
    free(search.frequency);
    if (!room || (found && !*frequency))
        return TRACED_NO_MEMORY;
    return found ? search.count : -1;
}
