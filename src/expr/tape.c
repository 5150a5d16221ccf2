/* Tapes: a graph's nodes in evaluation order, as flat instructions on one array of doubles.
 *
 *   work: | constants | parameters | prologue results | leaves (t, q, u, impulses) | body results |
 *           '------------- written by bind -----------'  '------- written by evaluate -----------'
 *
 * Results stand in the order of their instructions, so an instruction needs no destination. */
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "operation.h"

typedef struct instruction {
    carom_op op;
    int a, b, c; /* places in work */
} instruction;

typedef struct leaf {
    carom_op op;
    int index;
} leaf;

struct carom_tape {
    int constants, parameters, prologue_length, leaves, body_length, outputs;
    double *constant;
    int *parameter;
    instruction *prologue;
    leaf *leaf;
    instruction *body;
    int *output; /* places in work */
    unsigned *depends;
};

enum {
    SECTION_CONSTANT,
    SECTION_PARAMETER,
    SECTION_PROLOGUE,
    SECTION_LEAF,
    SECTION_BODY,
    SECTIONS
};

static int section_of(const graph_node *node)
{
    if (node->op == CAROM_OP_CONSTANT)
        return SECTION_CONSTANT;
    if (node->op == CAROM_OP_PARAMETER)
        return SECTION_PARAMETER;
    if (carom_op_arity(node->op) == 0)
        return SECTION_LEAF;
    return (node->depends & ~(unsigned)CAROM_ON_PARAMETER) ? SECTION_BODY : SECTION_PROLOGUE;
}

static bool take_memory(carom_tape *tape, const int size[SECTIONS])
{
    tape->constants = size[SECTION_CONSTANT];
    tape->parameters = size[SECTION_PARAMETER];
    tape->prologue_length = size[SECTION_PROLOGUE];
    tape->leaves = size[SECTION_LEAF];
    tape->body_length = size[SECTION_BODY];
    tape->constant = carom_new_array((size_t)tape->constants, sizeof *tape->constant);
    tape->parameter = carom_new_array((size_t)tape->parameters, sizeof *tape->parameter);
    tape->prologue = carom_new_array((size_t)tape->prologue_length, sizeof *tape->prologue);
    tape->leaf = carom_new_array((size_t)tape->leaves, sizeof *tape->leaf);
    tape->body = carom_new_array((size_t)tape->body_length, sizeof *tape->body);
    tape->output = carom_new_array((size_t)tape->outputs, sizeof *tape->output);
    tape->depends = carom_new_array((size_t)tape->outputs, sizeof *tape->depends);
    return tape->constant && tape->parameter && tape->prologue && tape->leaf && tape->body && tape->output &&
           tape->depends;
}

/* Writes node number `position` of its section. place[] maps graph nodes to places in work. */
static void write_node(carom_tape *tape, const graph_node *node, int section, int position, const int *place)
{
    int operand[3] = {0, 0, 0};
    for (int k = 0; k < carom_op_arity(node->op); k++)
        operand[k] = place[node->operand[k]];
    const instruction step = {node->op, operand[0], operand[1], operand[2]};
    switch (section) {
    case SECTION_CONSTANT:
        tape->constant[position] = node->value;
        break;
    case SECTION_PARAMETER:
        tape->parameter[position] = node->operand[0];
        break;
    case SECTION_PROLOGUE:
        tape->prologue[position] = step;
        break;
    case SECTION_LEAF:
        tape->leaf[position] = (leaf){node->op, node->operand[0]};
        break;
    default:
        tape->body[position] = step;
    }
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
    if (!place || !take_memory(tape, size)) {
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
    free(tape->parameter);
    free(tape->prologue);
    free(tape->leaf);
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
    return (size_t)tape->constants + (size_t)tape->parameters + (size_t)tape->prologue_length +
           (size_t)tape->leaves + (size_t)tape->body_length + 1;
}

static inline void run(int length, const instruction *program, double *work, double *result)
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
        default:
            result[i] = apply_operation(step->op, a, b, work[step->c]);
        }
    }
}

void carom_tape_bind(const carom_tape *tape, const double *parameters, double *work)
{
    memset(work, 0, carom_tape_work_size(tape) * sizeof *work);
    memcpy(work, tape->constant, (size_t)tape->constants * sizeof *work);
    double *parameter = work + tape->constants;
    for (int i = 0; i < tape->parameters; i++)
        parameter[i] = parameters[tape->parameter[i]];
    run(tape->prologue_length, tape->prologue, work, parameter + tape->parameters);
}

void carom_tape_evaluate(const carom_tape *tape, double *work, const carom_inputs *inputs, double *outputs)
{
    double *input = work + tape->constants + tape->parameters + tape->prologue_length;
    for (int i = 0; i < tape->leaves; i++) {
        const int index = tape->leaf[i].index;
        switch (tape->leaf[i].op) {
        case CAROM_OP_COORDINATE:
            input[i] = inputs->q[index];
            break;
        case CAROM_OP_VELOCITY:
            input[i] = inputs->u[index];
            break;
        case CAROM_OP_TIME:
            input[i] = inputs->t;
            break;
        default:
            input[i] = inputs->impulse[index];
        }
    }
    run(tape->body_length, tape->body, work, input + tape->leaves);
    for (int i = 0; i < tape->outputs; i++)
        outputs[i] = work[tape->output[i]];
}
