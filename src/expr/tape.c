/* Tapes: a graph's nodes in evaluation order, as flat instructions; see tape.h. */
#include "tape.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "operation.h"

const tape_input tape_inputs[INPUTS] = {{offsetof(carom_inputs, t), false},
                                        {offsetof(carom_inputs, place), false},
                                        {offsetof(carom_inputs, q), true},
                                        {offsetof(carom_inputs, u), true},
                                        {offsetof(carom_inputs, impulse), true},
                                        {offsetof(carom_inputs, observed), true},
                                        {offsetof(carom_inputs, acceleration), true},
                                        {offsetof(carom_inputs, multiplier), true}};

static int section_of(const graph_node *node)
{
    switch (node->op) {
    case CAROM_OP_CONSTANT:
        return SECTION_CONSTANT;
    case CAROM_OP_PARAMETER:
        return SECTION_PARAMETER;
    case CAROM_OP_INPUT:
        return SECTION_OUTSIDE;
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

/* Cuts `count` pieces off the memory behind *place. */
static void *cut(char **place, int count, size_t size)
{
    void *piece = *place;
    *place += (size_t)count * size;
    return piece;
}

/* The tape with room for all sections; arrays of wider types come first, so that all are aligned. */
static carom_tape *take_tape(const int size[SECTIONS], int runs, int outputs, int lookups)
{
    int inputs = 0;
    for (int k = 0; k < INPUTS; k++)
        inputs += size[FIRST_INPUT + k];
    const size_t wide =
        (size_t)size[SECTION_CONSTANT] * sizeof(double) + (size_t)lookups * sizeof(table_lookup);
    const size_t steps = (size_t)size[SECTION_PROLOGUE] + (size_t)size[SECTION_BODY];
    const size_t numbers = (size_t)size[SECTION_PARAMETER] + (size_t)size[SECTION_OUTSIDE] + (size_t)inputs +
                           2 * (size_t)outputs + (size_t)runs;
    char *place = calloc(1, sizeof(carom_tape) + wide + steps * sizeof(instruction) + numbers * sizeof(int));
    if (!place)
        return NULL;
    carom_tape *tape = cut(&place, 1, sizeof *tape);
    tape->constants = size[SECTION_CONSTANT];
    tape->parameters = size[SECTION_PARAMETER];
    tape->prologue_length = size[SECTION_PROLOGUE];
    tape->outside = size[SECTION_OUTSIDE];
    tape->body_length = size[SECTION_BODY];
    tape->outputs = outputs;
    tape->first_kind = INPUTS;
    for (int k = 0; k < INPUTS; k++) {
        tape->inputs[k] = size[FIRST_INPUT + k];
        if (tape->inputs[k] > 0 && k < tape->first_kind)
            tape->first_kind = k;
        if (tape->inputs[k] > 0)
            tape->end_kind = k + 1;
    }
    tape->lookup = cut(&place, lookups, sizeof *tape->lookup);
    tape->constant = cut(&place, tape->constants, sizeof *tape->constant);
    tape->prologue = cut(&place, tape->prologue_length, sizeof *tape->prologue);
    tape->body = cut(&place, tape->body_length, sizeof *tape->body);
    tape->parameter = cut(&place, tape->parameters, sizeof *tape->parameter);
    tape->from_outside = cut(&place, tape->outside, sizeof *tape->from_outside);
    tape->input = cut(&place, inputs, sizeof *tape->input);
    tape->output = cut(&place, outputs, sizeof *tape->output);
    tape->depends = cut(&place, outputs, sizeof *tape->depends);
    tape->run = cut(&place, runs, sizeof *tape->run);
    return tape;
}

/* Writes node number `position` of its section. place[] maps graph nodes to places in work. */
static void write_node(carom_tape *tape, const graph_node *node, int section, int position, const int *place)
{
    int operand[3] = {0, 0, 0};
    for (int k = 0; k < carom_op_arity(node->op); k++)
        operand[k] = place[node->operand[k]];
    if (node->op == CAROM_OP_TABLE)
        operand[2] = node_lookup(node);
    if (node->op == CAROM_OP_SIN || node->op == CAROM_OP_COS) {
        operand[1] = (node->depends & CAROM_ON_COORDINATE) != 0;
        operand[2] = node->operand[0] % CAROM_ANGLES;
    }
    const instruction step = {node->op, operand[0], operand[1], operand[2]};
    if (section == SECTION_CONSTANT)
        tape->constant[position] = node->value;
    else if (section == SECTION_PROLOGUE)
        tape->prologue[position] = step;
    else if (section == SECTION_BODY)
        tape->body[position] = step;
    else if (section == SECTION_PARAMETER)
        tape->parameter[position] = node->operand[0];
    else if (section == SECTION_OUTSIDE)
        tape->from_outside[position] = node->operand[0];
    else {
        int *input = tape->input;
        for (int k = 0; k < section - FIRST_INPUT; k++)
            input += tape->inputs[k];
        input[position] = node->operand[0];
    }
}

/* How many lookups the tape keeps: all of the graph, which are few, or none when no node needs one. */
static int count_lookups(const carom_graph *graph, int count, const carom_node *list)
{
    for (int i = 0; i < count; i++)
        if (graph->node[list[i]].op == CAROM_OP_TABLE)
            return graph->lookups;
    return 0;
}

static void share_lookups(carom_tape *tape, const carom_graph *graph, int lookups)
{
    for (; tape->lookups < lookups; tape->lookups++) {
        tape->lookup[tape->lookups] = graph->lookup[tape->lookups];
        carom_table_share(graph->lookup[tape->lookups].table);
    }
}

static bool is_body(const graph_node *node)
{
    return section_of(node) == SECTION_BODY;
}

/* Leaves, prologue and body in their order, whatever stands between them. */
static int count_runs(const carom_graph *graph, int found, const carom_node *list)
{
    int runs = 0;
    carom_op op = CAROM_OP_COUNT;
    for (int i = 0; i < found; i++) {
        const graph_node *node = &graph->node[list[i]];
        if (!is_body(node))
            continue;
        runs += node->op != op;
        op = node->op;
    }
    return runs;
}

static void find_runs(carom_tape *tape)
{
    for (int i = 0; i < tape->body_length; i++) {
        if (i == 0 || tape->body[i].op != tape->body[i - 1].op)
            tape->run[tape->runs++] = 0;
        tape->run[tape->runs - 1]++;
    }
}

static carom_tape *compile_list(const carom_graph *graph, int outputs, const carom_node *nodes, int found,
                                const carom_node *list)
{
    int *place = graph->place; /* scratch, as the marks are */
    int size[SECTIONS] = {0}, start[SECTIONS], next[SECTIONS] = {0};
    for (int i = 0; i < found; i++)
        size[section_of(&graph->node[list[i]])]++;
    const int lookups = count_lookups(graph, found, list);
    carom_tape *tape = take_tape(size, count_runs(graph, found, list), outputs, lookups);
    if (!tape)
        return NULL;
    share_lookups(tape, graph, lookups);
    start[0] = 0;
    for (int s = 1; s < SECTIONS; s++)
        start[s] = start[s - 1] + size[s - 1];
    for (int i = 0; i < found; i++) {
        const graph_node *node = &graph->node[list[i]];
        const int section = section_of(node);
        place[list[i]] = start[section] + next[section];
        write_node(tape, node, section, next[section]++, place);
    }
    find_runs(tape);
    for (int i = 0; i < outputs; i++) {
        tape->output[i] = place[nodes[i]];
        tape->depends[i] = graph->node[nodes[i]].depends;
    }
    return tape;
}

static void join_graph(carom_tape *tape, carom_graph *graph)
{
    tape->graph = graph;
    tape->next = graph->tapes;
    if (tape->next)
        tape->next->before = tape;
    graph->tapes = tape;
}

static void leave_graph(carom_tape *tape)
{
    if (!tape->graph)
        return;
    if (tape->before)
        tape->before->next = tape->next;
    else
        tape->graph->tapes = tape->next;
    if (tape->next)
        tape->next->before = tape->before;
}

carom_tape *carom_tape_compile(const carom_graph *graph, int outputs, const carom_node *nodes)
{
    for (int i = 0; i < outputs; i++)
        if (nodes[i] < 0)
            return NULL;
    /* Marks are scratch that every call leaves clean, so the graph is unchanged for its users. */
    carom_node *list = NULL;
    const int found = graph_reachable((carom_graph *)graph, outputs, nodes, 0, &list);
    if (found > 0)
        tape_order(graph, found, list);
    carom_tape *tape = found < 0 ? NULL : compile_list(graph, outputs, nodes, found, list);
    free(list);
    if (tape)
        join_graph(tape, (carom_graph *)graph);
    return tape;
}

void carom_tape_free(carom_tape *tape)
{
    if (!tape)
        return;
    leave_graph(tape);
    tape_block_leave(tape->block);
    for (int i = 0; i < tape->lookups; i++)
        carom_table_free(tape->lookup[i].table);
    free(tape->factor);
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

int carom_tape_coordinates(const carom_tape *tape, const int **index)
{
    *index = tape->input;
    for (int k = 0; k < SECTION_COORDINATE - FIRST_INPUT; k++)
        *index += tape->inputs[k];
    return tape->inputs[SECTION_COORDINATE - FIRST_INPUT];
}

size_t carom_tape_work_size(const carom_tape *tape)
{
    size_t size = (size_t)tape->constants + (size_t)tape->parameters + (size_t)tape->prologue_length +
                  (size_t)tape->outside + (size_t)tape->body_length + 1;
    for (int k = 0; k < INPUTS; k++)
        size += (size_t)tape->inputs[k];
    return size;
}

/* ---- other units --------------------------------------------------------------------------- */

bool carom_tape_rescale(carom_tape *tape, const carom_inputs *input, const double *output)
{
    const double *const from[INPUTS] = {
        &input->t,       &input->place,       input->q,         input->u, input->impulse,
        input->observed, input->acceleration, input->multiplier};
    double *factor = malloc(((size_t)tape_input_count(tape) + (size_t)tape->outputs + 1) * sizeof *factor);
    if (!factor)
        return false;
    double *to = factor;
    const int *index = tape->input;
    for (int k = 0; k < INPUTS; k++)
        for (int i = 0; i < tape->inputs[k]; i++, index++)
            *to++ = from[k] ? from[k][*index] : 1.0;
    for (int i = 0; i < tape->outputs; i++)
        *to++ = output ? output[i] : 1.0;
    free(tape->factor);
    tape->factor = factor;
    tape->code = NULL;
    return true;
}

/* ---- angles -------------------------------------------------------------------------------- */

void carom_angles_forget(carom_angle *angles)
{
    for (int i = 0; i < CAROM_ANGLES; i++)
        angles[i] = (carom_angle){NAN, NAN, NAN, NAN};
}

/* Compared by bits: -0 has another sine than 0. */
static inline bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Both, alone in a function: compilers make one call of it that way. */
__attribute__((noinline)) static carom_angle both_of(double x)
{
    const double sine = sin(x), cosine = cos(x);
    return (carom_angle){x, sine, x, cosine};
}

static inline double sine_of(carom_angle *angles, const instruction *step, double x)
{
    if (!angles)
        return sin(x);
    carom_angle *known = &angles[step->c];
    if (!is_same(known->sine_at, x)) {
        if (step->b)
            *known = both_of(x);
        else
            *known = (carom_angle){x, sin(x), known->cosine_at, known->cosine};
    }
    return known->sine;
}

static inline double cosine_of(carom_angle *angles, const instruction *step, double x)
{
    if (!angles)
        return cos(x);
    carom_angle *known = &angles[step->c];
    if (!is_same(known->cosine_at, x)) {
        if (step->b)
            *known = both_of(x);
        else
            *known = (carom_angle){known->sine_at, known->sine, x, cos(x)};
    }
    return known->cosine;
}

/* ---- evaluation ---------------------------------------------------------------------------- */

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
        case CAROM_OP_SIN:
            result[i] = sin(a);
            break;
        case CAROM_OP_COS:
            result[i] = cos(a);
            break;
        default:
            result[i] = apply_operation(step->op, a, b, work[step->c]);
        }
    }
}

/* The body, one decision for each run of equal operations. */
static inline void run_body(const carom_tape *tape, const double *work, carom_angle *angles, double *result)
{
    const instruction *step = tape->body;
    for (int k = 0; k < tape->runs; k++) {
        const instruction *const end = step + tape->run[k];
        switch (step->op) {
        case CAROM_OP_ADD:
            for (; step < end; step++)
                *result++ = work[step->a] + work[step->b];
            break;
        case CAROM_OP_SUB:
            for (; step < end; step++)
                *result++ = work[step->a] - work[step->b];
            break;
        case CAROM_OP_MUL:
            for (; step < end; step++)
                *result++ = work[step->a] * work[step->b];
            break;
        case CAROM_OP_DIV:
            for (; step < end; step++)
                *result++ = work[step->a] / work[step->b];
            break;
        case CAROM_OP_NEG:
            for (; step < end; step++)
                *result++ = -work[step->a];
            break;
        case CAROM_OP_SIN:
            for (; step < end; step++)
                *result++ = sine_of(angles, step, work[step->a]);
            break;
        case CAROM_OP_COS:
            for (; step < end; step++)
                *result++ = cosine_of(angles, step, work[step->a]);
            break;
        case CAROM_OP_TABLE:
            for (; step < end; step++) {
                const table_lookup *lookup = &tape->lookup[step->c];
                *result++ = carom_table_value(lookup->table, lookup->order, work[step->a]);
            }
            break;
        default:
            for (; step < end; step++)
                *result++ = apply_operation(step->op, work[step->a], work[step->b], work[step->c]);
        }
    }
}

/* Copies the entries that the tape reads; returns the place behind them. */
static inline double *load(int count, const int *index, const double *from, double *to)
{
    for (int i = 0; i < count; i++)
        to[i] = from[index[i]];
    return to + count;
}

void carom_tape_bind(const carom_tape *tape, const double *parameters, double *work)
{
    memset(work, 0, carom_tape_work_size(tape) * sizeof *work);
    memcpy(work, tape->constant, (size_t)tape->constants * sizeof *work);
    double *result = load(tape->parameters, tape->parameter, parameters, work + tape->constants);
    run(tape, tape->prologue_length, tape->prologue, work, result);
    load(tape->outside, tape->from_outside, parameters, result + tape->prologue_length);
}

/* ---- for compiled code ----------------------------------------------------------------------- */

double tape_look_up(const carom_tape *tape, int c, double a)
{
    return carom_table_value(tape->lookup[c].table, tape->lookup[c].order, a);
}

double tape_sine(carom_angle *angles, const instruction *step, double x)
{
    return sine_of(angles, step, x);
}

double tape_cosine(carom_angle *angles, const instruction *step, double x)
{
    return cosine_of(angles, step, x);
}

double tape_apply(const instruction *step, double a, double b, double c)
{
    return apply_operation(step->op, a, b, c);
}

/* ---- one evaluation -------------------------------------------------------------------------- */

void tape_interpret(const carom_tape *tape, double *work, const carom_inputs *inputs, double *outputs)
{
    /* time and place have the only index 0 */
    const double *const from[INPUTS] = {
        &inputs->t,       &inputs->place,       inputs->q,         inputs->u, inputs->impulse,
        inputs->observed, inputs->acceleration, inputs->multiplier};
    double *place = work + tape->constants + tape->parameters + tape->prologue_length;
    const int *index = tape->input;
    if (tape->outside > 0 && inputs->outside)
        load(tape->outside, tape->from_outside, inputs->outside, place);
    place += tape->outside;
    for (int k = tape->first_kind; k < tape->end_kind; k++) {
        place = load(tape->inputs[k], index, from[k], place);
        index += tape->inputs[k];
    }
    if (tape->factor)
        tape_apply_factors((int)(index - tape->input), tape->factor, place - (index - tape->input));
    run_body(tape, work, inputs->angles, place);
    const int *output = tape->output;
    for (int i = 0; i < tape->outputs; i++)
        outputs[i] = work[output[i]];
    if (tape->factor)
        tape_apply_factors(tape->outputs, tape->factor + tape_input_count(tape), outputs);
}

void carom_tape_evaluate(const carom_tape *tape, double *work, const carom_inputs *inputs, double *outputs)
{
    if (tape->code)
        tape->code(tape, tape_look_up, work, inputs, outputs);
    else
        tape_interpret(tape, work, inputs, outputs);
}
