/* Tapes: a graph's nodes in evaluation order, as flat instructions on one array of doubles.
 *
 *   work: | constants | parameters | prologue results | t | place | q | u | impulses | observed | body
 * results |
 *           '------------- written by bind -----------'  '------------- written by evaluate -----------'
 *
 * Results stand in the order of their instructions, so an instruction needs no destination. */
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "operation.h"

typedef struct instruction {
    carom_op op;
    int a, b, c; /* places in work; of a table: its argument, nothing, the number of the lookup */
} instruction;

/* Leaves of one kind: which entries of an input array the tape reads. */
typedef struct leaves {
    int count;
    int *index;
} leaves;

struct carom_tape {
    int constants, prologue_length, body_length, outputs;
    double *constant;
    leaves parameter, time, place, q, u, impulse, observed, acceleration, multiplier;
    instruction *prologue;
    instruction *body;
    int lookups;
    table_lookup *lookup;
    int *output; /* places in work */
    unsigned *depends;
};

enum {
    SECTION_CONSTANT,
    SECTION_PARAMETER,
    SECTION_PROLOGUE,
    SECTION_TIME,
    SECTION_PLACE,
    SECTION_COORDINATE,
    SECTION_VELOCITY,
    SECTION_IMPULSE,
    SECTION_OBSERVED,
    SECTION_ACCELERATION,
    SECTION_MULTIPLIER,
    SECTION_BODY,
    SECTIONS
};

static int section_of(const graph_node *node)
{
    switch (node->op) {
    case CAROM_OP_CONSTANT:
        return SECTION_CONSTANT;
    case CAROM_OP_PARAMETER:
        return SECTION_PARAMETER;
    case CAROM_OP_TIME:
        return SECTION_TIME;
    case CAROM_OP_COORDINATE:
        return SECTION_COORDINATE;
    case CAROM_OP_VELOCITY:
        return SECTION_VELOCITY;
    case CAROM_OP_IMPULSE:
        return SECTION_IMPULSE;
    case CAROM_OP_PLACE:
        return SECTION_PLACE;
    case CAROM_OP_OBSERVED:
        return SECTION_OBSERVED;
    case CAROM_OP_ACCELERATION:
        return SECTION_ACCELERATION;
    case CAROM_OP_MULTIPLIER:
        return SECTION_MULTIPLIER;
    default:
        return (node->depends & ~(unsigned)CAROM_ON_PARAMETER) ? SECTION_BODY : SECTION_PROLOGUE;
    }
}

static bool take_leaves(leaves *leaf, int count)
{
    leaf->count = count;
    leaf->index = carom_new_array((size_t)count, sizeof *leaf->index);
    return leaf->index != NULL;
}

static bool take_memory(carom_tape *tape, const int size[SECTIONS])
{
    tape->constants = size[SECTION_CONSTANT];
    tape->prologue_length = size[SECTION_PROLOGUE];
    tape->body_length = size[SECTION_BODY];
    tape->constant = carom_new_array((size_t)tape->constants, sizeof *tape->constant);
    tape->prologue = carom_new_array((size_t)tape->prologue_length, sizeof *tape->prologue);
    tape->body = carom_new_array((size_t)tape->body_length, sizeof *tape->body);
    tape->output = carom_new_array((size_t)tape->outputs, sizeof *tape->output);
    tape->depends = carom_new_array((size_t)tape->outputs, sizeof *tape->depends);
    return tape->constant && tape->prologue && tape->body && tape->output && tape->depends &&
           take_leaves(&tape->parameter, size[SECTION_PARAMETER]) &&
           take_leaves(&tape->time, size[SECTION_TIME]) && take_leaves(&tape->place, size[SECTION_PLACE]) &&
           take_leaves(&tape->q, size[SECTION_COORDINATE]) && take_leaves(&tape->u, size[SECTION_VELOCITY]) &&
           take_leaves(&tape->impulse, size[SECTION_IMPULSE]) &&
           take_leaves(&tape->observed, size[SECTION_OBSERVED]) &&
           take_leaves(&tape->acceleration, size[SECTION_ACCELERATION]) &&
           take_leaves(&tape->multiplier, size[SECTION_MULTIPLIER]);
}

/* Writes node number `position` of its section. place[] maps graph nodes to places in work. */
static void write_node(carom_tape *tape, const graph_node *node, int section, int position, const int *place)
{
    int operand[3] = {0, 0, 0};
    for (int k = 0; k < carom_op_arity(node->op); k++)
        operand[k] = place[node->operand[k]];
    if (node->op == CAROM_OP_TABLE)
        operand[2] = node->lookup;
    const instruction step = {node->op, operand[0], operand[1], operand[2]};
    leaves *const leaf[SECTIONS] = {
        [SECTION_PARAMETER] = &tape->parameter,  [SECTION_TIME] = &tape->time,
        [SECTION_COORDINATE] = &tape->q,         [SECTION_VELOCITY] = &tape->u,
        [SECTION_IMPULSE] = &tape->impulse,      [SECTION_PLACE] = &tape->place,
        [SECTION_OBSERVED] = &tape->observed,    [SECTION_ACCELERATION] = &tape->acceleration,
        [SECTION_MULTIPLIER] = &tape->multiplier};
    if (section == SECTION_CONSTANT)
        tape->constant[position] = node->value;
    else if (section == SECTION_PROLOGUE)
        tape->prologue[position] = step;
    else if (section == SECTION_BODY)
        tape->body[position] = step;
    else
        leaf[section]->index[position] = node->operand[0];
}

/* All lookups of the graph, which are few; none when no node needs one. */
static bool take_lookups(carom_tape *tape, const carom_graph *graph, int count, const carom_node *list)
{
    bool needed = false;
    for (int i = 0; i < count; i++)
        needed = needed || graph->node[list[i]].op == CAROM_OP_TABLE;
    if (!needed)
        return true;
    tape->lookup = carom_new_array((size_t)graph->lookups, sizeof *tape->lookup);
    for (; tape->lookup && tape->lookups < graph->lookups; tape->lookups++) {
        tape->lookup[tape->lookups] = graph->lookup[tape->lookups];
        carom_table_share(graph->lookup[tape->lookups].table);
    }
    return tape->lookup;
}

carom_tape *carom_tape_compile(const carom_graph *graph, int outputs, const carom_node *nodes)
{
    for (int i = 0; i < outputs; i++)
        if (nodes[i] < 0)
            return NULL;
    carom_tape *tape = calloc(1, sizeof *tape);
    /* Marks are scratch that every call leaves clean, so the graph is unchanged for its users. */
    carom_node *list = NULL;
    const int found = tape ? graph_reachable((carom_graph *)graph, outputs, nodes, 0, &list) : -1;
    int *place = found < 0 ? NULL : malloc(((size_t)graph->count + 1) * sizeof *place);
    int size[SECTIONS] = {0}, start[SECTIONS], next[SECTIONS] = {0};
    for (int i = 0; place && i < found; i++)
        size[section_of(&graph->node[list[i]])]++;
    if (tape)
        tape->outputs = outputs;
    if (!place || !take_memory(tape, size) || !take_lookups(tape, graph, found, list)) {
        free(place);
        free(list);
        carom_tape_free(tape);
        return NULL;
    }
    start[0] = 0;
    for (int s = 1; s < SECTIONS; s++)
        start[s] = start[s - 1] + size[s - 1];
    for (int i = 0; i < found; i++) {
        const graph_node *node = &graph->node[list[i]];
        const int section = section_of(node);
        place[list[i]] = start[section] + next[section];
        write_node(tape, node, section, next[section]++, place);
    }
    for (int i = 0; i < outputs; i++) {
        tape->output[i] = place[nodes[i]];
        tape->depends[i] = graph->node[nodes[i]].depends;
    }
    free(place);
    free(list);
    return tape;
}

void carom_tape_free(carom_tape *tape)
{
    if (!tape)
        return;
    free(tape->constant);
    free(tape->parameter.index);
    free(tape->time.index);
    free(tape->q.index);
    free(tape->u.index);
    free(tape->impulse.index);
    free(tape->place.index);
    free(tape->observed.index);
    free(tape->acceleration.index);
    free(tape->multiplier.index);
    for (int i = 0; i < tape->lookups; i++)
        carom_table_free(tape->lookup[i].table);
    free(tape->lookup);
    free(tape->prologue);
    free(tape->body);
    free(tape->output);
    free(tape->depends);
    free(tape);
}

int carom_tape_outputs(const carom_tape *tape)
{
    return tape->outputs;
}

int carom_tape_length(const carom_tape *tape)
{
    return tape->body_length;
}

unsigned carom_tape_depends(const carom_tape *tape, int index)
{
    return tape->depends[index];
}

size_t carom_tape_work_size(const carom_tape *tape)
{
    return (size_t)tape->constants + (size_t)tape->parameter.count + (size_t)tape->prologue_length +
           (size_t)tape->time.count + (size_t)tape->place.count + (size_t)tape->q.count +
           (size_t)tape->u.count + (size_t)tape->impulse.count + (size_t)tape->observed.count +
           (size_t)tape->acceleration.count + (size_t)tape->multiplier.count + (size_t)tape->body_length + 1;
}

static inline void run(const carom_tape *tape, int length, const instruction *program, double *work,
                       double *result)
{
    for (int i = 0; i < length; i++) {
        const instruction *step = &program[i];
        const double a = work[step->a], b = work[step->b];
        switch (step->op) {
        case CAROM_OP_ADD:
            result[i] = a + b;
            break;
        case CAROM_OP_SUB:
            result[i] = a - b;
            break;
        case CAROM_OP_MUL:
            result[i] = a * b;
            break;
        case CAROM_OP_TABLE:
            result[i] = carom_table_value(tape->lookup[step->c].table, tape->lookup[step->c].order, a);
            break;
        default:
            result[i] = apply_operation(step->op, a, b, work[step->c]);
        }
    }
}

/* Copies the entries that the tape reads; returns the place behind them. */
static inline double *load(const leaves *leaf, const double *from, double *to)
{
    for (int i = 0; i < leaf->count; i++)
        to[i] = from[leaf->index[i]];
    return to + leaf->count;
}

void carom_tape_bind(const carom_tape *tape, const double *parameters, double *work)
{
    memset(work, 0, carom_tape_work_size(tape) * sizeof *work);
    memcpy(work, tape->constant, (size_t)tape->constants * sizeof *work);
    double *result = load(&tape->parameter, parameters, work + tape->constants);
    run(tape, tape->prologue_length, tape->prologue, work, result);
}

void carom_tape_evaluate(const carom_tape *tape, double *work, const carom_inputs *inputs, double *outputs)
{
    double *place = work + tape->constants + tape->parameter.count + tape->prologue_length;
    place = load(&tape->time, &inputs->t, place);      /* its only index is 0 */
    place = load(&tape->place, &inputs->place, place); /* likewise */
    place = load(&tape->q, inputs->q, place);
    place = load(&tape->u, inputs->u, place);
    place = load(&tape->impulse, inputs->impulse, place);
    place = load(&tape->observed, inputs->observed, place);
    place = load(&tape->acceleration, inputs->acceleration, place);
    place = load(&tape->multiplier, inputs->multiplier, place);
    run(tape, tape->body_length, tape->body, work, place);
    const int *output = tape->output;
    for (int i = 0; i < tape->outputs; i++)
        outputs[i] = work[output[i]];
}
