/* For tests: expressions evaluated in extended precision by a loop of its own, derivatives of them by central
 * differences with Richardson's extrapolation, and random expressions that are smooth near a given point. */
#ifndef CAROM_TEST_EXPR_REFERENCE_H
#define CAROM_TEST_EXPR_REFERENCE_H

#include <math.h>
#include <stdlib.h>

#include "expr/graph.h"

enum {
    SAMPLE_SIZE = 3 /* coordinates, velocities, parameters and impulses of a sample point */
};

/* A point of evaluation; the names say which leaf each number belongs to. */
typedef struct sample {
    long double t, q[SAMPLE_SIZE], u[SAMPLE_SIZE], parameter[SAMPLE_SIZE], impulse[SAMPLE_SIZE];
} sample;

static inline sample random_sample(carom_random *random)
{
    sample at = {.t = carom_random_uniform(random, 0.2, 1.5)};
    for (int i = 0; i < SAMPLE_SIZE; i++) {
        at.q[i] = carom_random_uniform(random, -1.5, 1.5);
        at.u[i] = carom_random_uniform(random, -1.5, 1.5);
        at.parameter[i] = carom_random_uniform(random, -1.5, 1.5);
        at.impulse[i] = carom_random_uniform(random, 0.0, 2.0);
    }
    return at;
}

/* The number of a sample that a leaf stands for. */
static inline long double *sample_entry(sample *at, carom_op op, int index)
{
    switch (op) {
    case CAROM_OP_PARAMETER:
        return &at->parameter[index];
    case CAROM_OP_COORDINATE:
        return &at->q[index];
    case CAROM_OP_VELOCITY:
        return &at->u[index];
    case CAROM_OP_IMPULSE:
        return &at->impulse[index];
    default:
        return &at->t;
    }
}

static inline long double reference_unary(carom_op op, long double a)
{
    switch (op) {
    case CAROM_OP_NEG:
        return -a;
    case CAROM_OP_SQRT:
        return sqrtl(a);
    case CAROM_OP_EXP:
        return expl(a);
    case CAROM_OP_LOG:
        return logl(a);
    case CAROM_OP_SIN:
        return sinl(a);
    case CAROM_OP_COS:
        return cosl(a);
    case CAROM_OP_TAN:
        return tanl(a);
    case CAROM_OP_ASIN:
        return asinl(a);
    case CAROM_OP_ACOS:
        return acosl(a);
    case CAROM_OP_ATAN:
        return atanl(a);
    case CAROM_OP_SINH:
        return sinhl(a);
    case CAROM_OP_COSH:
        return coshl(a);
    case CAROM_OP_TANH:
        return tanhl(a);
    case CAROM_OP_ABS:
        return fabsl(a);
    case CAROM_OP_SIGN:
        return a > 0.0L ? 1.0L : a < 0.0L ? -1.0L : 0.0L;
    default:
        return nanl("");
    }
}

static inline long double reference_binary(carom_op op, long double a, long double b)
{
    switch (op) {
    case CAROM_OP_ADD:
        return a + b;
    case CAROM_OP_SUB:
        return a - b;
    case CAROM_OP_MUL:
        return a * b;
    case CAROM_OP_DIV:
        return a / b;
    case CAROM_OP_POW:
        return powl(a, b);
    case CAROM_OP_ATAN2:
        return atan2l(a, b);
    case CAROM_OP_MIN:
        return a < b ? a : b;
    case CAROM_OP_MAX:
        return a > b ? a : b;
    case CAROM_OP_HYPOT:
        return hypotl(a, b);
    default:
        return nanl("");
    }
}

static inline long double reference_value(const carom_graph *graph, carom_node node, const sample *at)
{
    sample copy = *at;
    long double *value = calloc((size_t)node + 1, sizeof *value);
    for (int i = 0; i <= node; i++) {
        const graph_node *n = &graph->node[i];
        const int arity = carom_op_arity(n->op);
        if (n->op == CAROM_OP_CONSTANT)
            value[i] = (long double)n->value;
        else if (arity == 0)
            value[i] = *sample_entry(&copy, n->op, n->operand[0]);
        else if (arity == 1)
            value[i] = reference_unary(n->op, value[n->operand[0]]);
        else if (arity == 2)
            value[i] = reference_binary(n->op, value[n->operand[0]], value[n->operand[1]]);
        else
            value[i] = value[n->operand[0]] > 0.0L ? value[n->operand[1]] : value[n->operand[2]];
    }
    const long double result = value[node];
    free(value);
    return result;
}

/* d/ds of f(s) at s = 0 for the values along[k] = f(s_k), -s_k: central differences at halved steps, then
 * Richardson's extrapolation of their even error terms. */
enum {
    DIFFERENCE_LEVELS = 7
};

typedef long double (*path_function)(void *context, long double s);

static inline long double difference(path_function f, void *context, long double step)
{
    long double table[DIFFERENCE_LEVELS];
    for (int level = 0; level < DIFFERENCE_LEVELS; level++, step /= 2.0L) {
        table[level] = (f(context, step) - f(context, -step)) / (2.0L * step);
        long double power = 4.0L;
        for (int k = level - 1; k >= 0; k--, power *= 4.0L)
            table[k] = table[k + 1] + (table[k + 1] - table[k]) / (power - 1.0L);
    }
    return table[0];
}

typedef struct line_path {
    const carom_graph *graph;
    carom_node node;
    const sample *at;
    int count;
    const carom_node *wrt;
    const double *direction;
} line_path;

static inline long double on_line(void *context, long double s)
{
    const line_path *path = context;
    sample moved = *path->at;
    for (int i = 0; i < path->count; i++) {
        const graph_node *leaf = &path->graph->node[path->wrt[i]];
        *sample_entry(&moved, leaf->op, leaf->operand[0]) += s * (long double)path->direction[i];
    }
    return reference_value(path->graph, path->node, &moved);
}

/* Derivative of `node` at a point along a direction of some leaves. */
static inline long double difference_along(const carom_graph *graph, carom_node node, const sample *at,
                                           int count, const carom_node *wrt, const double *direction)
{
    line_path path = {graph, node, at, count, wrt, direction};
    return difference(on_line, &path, 0x1p-8L);
}

/* Value by a tape, in double precision. */
static inline double tape_value(const carom_graph *graph, carom_node node, const sample *at)
{
    carom_tape *tape = carom_tape_compile(graph, 1, &node);
    if (!tape)
        return NAN;
    double *work = carom_new_array(carom_tape_work_size(tape), sizeof *work);
    double q[SAMPLE_SIZE], u[SAMPLE_SIZE], parameter[SAMPLE_SIZE], impulse[SAMPLE_SIZE], value;
    for (int i = 0; i < SAMPLE_SIZE; i++) {
        q[i] = (double)at->q[i];
        u[i] = (double)at->u[i];
        parameter[i] = (double)at->parameter[i];
        impulse[i] = (double)at->impulse[i];
    }
    carom_tape_bind(tape, parameter, work);
    carom_tape_evaluate(tape, work, &(carom_inputs){.t = (double)at->t, .q = q, .u = u, .impulse = impulse},
                        &value);
    free(work);
    carom_tape_free(tape);
    return value;
}

/* Distance relative to the larger of 1 and the expected size; infinite for NaN. */
static inline double relative_error(double value, long double expected)
{
    const double size = fabs((double)expected);
    const double error = (double)fabsl((long double)value - expected) / (size > 1.0 ? size : 1.0);
    return isnan(error) ? INFINITY : error;
}

/* ---- random expressions -------------------------------------------------------------------------- */

/* True where the operation is smooth in a neighbourhood of the operands, and none of its derivatives is
 * large. */
static inline bool is_tame(carom_op op, long double a, long double b)
{
    switch (op) {
    case CAROM_OP_SQRT:
    case CAROM_OP_LOG:
        return a > 0.3L;
    case CAROM_OP_ASIN:
    case CAROM_OP_ACOS:
        return fabsl(a) < 0.8L;
    case CAROM_OP_TAN:
        return fabsl(a) < 1.2L;
    case CAROM_OP_EXP:
    case CAROM_OP_SINH:
    case CAROM_OP_COSH:
        return fabsl(a) < 2.0L;
    case CAROM_OP_ABS:
    case CAROM_OP_SIGN:
    case CAROM_OP_SELECT:
        return fabsl(a) > 0.2L;
    case CAROM_OP_DIV:
        return fabsl(b) > 0.3L;
    case CAROM_OP_POW:
        return a > 0.3L && fabsl(b) < 2.5L;
    case CAROM_OP_ATAN2:
    case CAROM_OP_HYPOT:
        return a * a + b * b > 0.2L;
    case CAROM_OP_MIN:
    case CAROM_OP_MAX:
        return fabsl(a - b) > 0.2L;
    default:
        return true;
    }
}

static inline int random_below(carom_random *random, int count)
{
    return (int)carom_random_uniform(random, 0.0, (double)count);
}

static inline carom_node random_leaf(carom_graph *graph, carom_random *random)
{
    static const carom_op kind[] = {CAROM_OP_PARAMETER,  CAROM_OP_TIME,       CAROM_OP_COORDINATE,
                                    CAROM_OP_COORDINATE, CAROM_OP_COORDINATE, CAROM_OP_VELOCITY};
    const int which = random_below(random, 7);
    if (which == 6)
        return carom_constant(graph, carom_random_uniform(random, -2.0, 2.0));
    return carom_leaf(graph, kind[which],
                      kind[which] == CAROM_OP_TIME ? 0 : random_below(random, SAMPLE_SIZE));
}

/* An expression of at most this depth whose operations are all tame at the point and whose value is moderate.
 */
static inline carom_node random_expression(carom_graph *graph, carom_random *random, const sample *at,
                                           int depth)
{
    if (depth == 0)
        return random_leaf(graph, random);
    const carom_node a = random_expression(graph, random, at, depth - 1);
    const carom_node b = random_expression(graph, random, at, random_below(random, depth));
    const carom_node c = random_expression(graph, random, at, random_below(random, depth));
    const long double left = reference_value(graph, a, at), right = reference_value(graph, b, at);
    for (int attempt = 0; attempt < 40; attempt++) {
        const carom_op op = (carom_op)(CAROM_OP_ADD + random_below(random, CAROM_OP_TABLE - CAROM_OP_ADD));
        if (!is_tame(op, left, right))
            continue;
        const int arity = carom_op_arity(op);
        const carom_node made = arity == 1   ? carom_unary(graph, op, a)
                                : arity == 2 ? carom_binary(graph, op, a, b)
                                             : carom_select(graph, a, b, c);
        if (fabsl(reference_value(graph, made, at)) < 10.0L)
            return made;
    }
    return carom_unary(graph, CAROM_OP_ATAN, a);
}

#endif
