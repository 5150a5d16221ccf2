/* Expressions of time as sums of sines and cosines,
 *
 *   c + sum a_k cos(w_k t) + b_k sin(w_k t),
 *
 * with c, a, b and w of parameters. Products become sums by cos x cos y = (cos(x - y) + cos(x + y))/2 and the like. */
#include <string.h>

#include "time_dependence.h"

/* One expression; the term 0 is the constant. */
typedef struct signal {
    int count;
    carom_node frequency[TRACED_HARMONICS_MAX], cosine[TRACED_HARMONICS_MAX], sine[TRACED_HARMONICS_MAX];
} signal;

enum {
    POWER_MAX = 6,
    DEPTH_MAX = 200,
    VISITS_MAX = 20000 /* subexpressions that are shared are read again */
};

static carom_node zero_of(carom_graph *graph)
{
    return carom_constant(graph, 0.0);
}

static signal constant_signal(carom_graph *graph, carom_node value)
{
    signal made = {.count = 1};
    made.frequency[0] = made.sine[0] = zero_of(graph);
    made.cosine[0] = value;
    return made;
}

/* Adds a term, to one of the same frequency where there is one. */
static bool add_term(carom_graph *graph, carom_node frequency, carom_node cosine, carom_node sine, signal *to)
{
    double value;
    if (carom_node_is_constant(graph, frequency, &value) && value == 0.0)
        sine = zero_of(graph);
    for (int i = 0; i < to->count; i++)
        if (to->frequency[i] == frequency) {
            to->cosine[i] = carom_binary(graph, CAROM_OP_ADD, to->cosine[i], cosine);
            to->sine[i] = carom_binary(graph, CAROM_OP_ADD, to->sine[i], sine);
            return true;
        }
    if (to->count == TRACED_HARMONICS_MAX)
        return false;
    to->frequency[to->count] = frequency;
    to->cosine[to->count] = cosine;
    to->sine[to->count++] = sine;
    return true;
}

static void scale(carom_graph *graph, carom_op op, carom_node factor, signal *to)
{
    for (int i = 0; i < to->count; i++) {
        to->cosine[i] = carom_binary(graph, op, to->cosine[i], factor);
        to->sine[i] = carom_binary(graph, op, to->sine[i], factor);
    }
}

static bool add_signal(carom_graph *graph, bool subtract, const signal *from, signal *to)
{
    for (int i = 0; i < from->count; i++) {
        carom_node a = from->cosine[i], b = from->sine[i];
        if (subtract) {
            a = carom_unary(graph, CAROM_OP_NEG, a);
            b = carom_unary(graph, CAROM_OP_NEG, b);
        }
        if (!add_term(graph, from->frequency[i], a, b, to))
            return false;
    }
    return true;
}

/* (a cos x + b sin x)(c cos y + d sin y), x faster or not:
 *   half of (a c + b d) cos(x - y) + (b c - a d) sin(x - y) + (a c - b d) cos(x + y) + (b c + a d) sin(x + y) */
static bool add_product(carom_graph *graph, const signal *x, int i, const signal *y, int k, signal *to)
{
    const carom_node half = carom_constant(graph, 0.5);
    const carom_node ac = carom_binary(graph, CAROM_OP_MUL, x->cosine[i], y->cosine[k]);
    const carom_node bd = carom_binary(graph, CAROM_OP_MUL, x->sine[i], y->sine[k]);
    const carom_node bc = carom_binary(graph, CAROM_OP_MUL, x->sine[i], y->cosine[k]);
    const carom_node ad = carom_binary(graph, CAROM_OP_MUL, x->cosine[i], y->sine[k]);
    const bool same = x->frequency[i] == y->frequency[k];
    for (int sign = 0; sign < 2; sign++) {
        const carom_op with = sign ? CAROM_OP_ADD : CAROM_OP_SUB, other = sign ? CAROM_OP_SUB : CAROM_OP_ADD;
        const carom_node frequency =
            same && !sign ? zero_of(graph) : carom_binary(graph, with, x->frequency[i], y->frequency[k]);
        const carom_node cosine = carom_binary(graph, CAROM_OP_MUL, half, carom_binary(graph, other, ac, bd));
        const carom_node sine = carom_binary(graph, CAROM_OP_MUL, half, carom_binary(graph, with, bc, ad));
        if (!add_term(graph, frequency, cosine, sine, to))
            return false;
    }
    return true;
}

static bool multiply(carom_graph *graph, const signal *x, const signal *y, signal *product)
{
    if (y->count == 1 || x->count == 1) {
        *product = y->count == 1 ? *x : *y;
        scale(graph, CAROM_OP_MUL, y->count == 1 ? y->cosine[0] : x->cosine[0], product);
        return true;
    }
    *product = constant_signal(graph, zero_of(graph));
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k < y->count; k++)
            if (!add_product(graph, x, i, y, k, product))
                return false;
    return true;
}

static bool is_of_parameters(const carom_graph *graph, carom_node node)
{
    return node >= 0 && (carom_node_depends(graph, node) & ~(unsigned)CAROM_ON_PARAMETER) == 0;
}

/* sin or cos of slope t + offset. */
static bool read_wave(carom_graph *graph, carom_op op, carom_node argument, signal *made)
{
    const carom_node time = carom_leaf(graph, CAROM_OP_TIME, 0);
    carom_node slope;
    carom_gradient(graph, argument, 1, &time, &slope);
    const carom_node offset = carom_substitute_leaves(graph, argument, CAROM_OP_TIME, zero_of(graph));
    if (!is_of_parameters(graph, slope) || !is_of_parameters(graph, offset) ||
        carom_has_kinks(graph, 1, &argument, CAROM_ON_TIME))
        return false;
    const carom_node cosine = carom_unary(graph, CAROM_OP_COS, offset);
    const carom_node sine = carom_unary(graph, CAROM_OP_SIN, offset);
    *made = constant_signal(graph, zero_of(graph));
    return op == CAROM_OP_COS ? add_term(graph, slope, cosine, carom_unary(graph, CAROM_OP_NEG, sine), made)
                              : add_term(graph, slope, sine, cosine, made);
}

static bool read_signal(carom_graph *graph, carom_node node, int depth, int *visits, signal *made);

static bool read_power(carom_graph *graph, carom_node base, carom_node exponent, int depth, int *visits,
                       signal *made)
{
    double power;
    signal factor;
    if (!carom_node_is_constant(graph, exponent, &power) || power != (int)power || power < 1.0 ||
        power > POWER_MAX || !read_signal(graph, base, depth, visits, &factor))
        return false;
    *made = factor;
    for (int i = 1; i < (int)power; i++) {
        const signal so_far = *made;
        if (!multiply(graph, &so_far, &factor, made))
            return false;
    }
    return true;
}

static bool read_signal(carom_graph *graph, carom_node node, int depth, int *visits, signal *made)
{
    if (is_of_parameters(graph, node)) {
        *made = constant_signal(graph, node);
        return true;
    }
    if (node < 0 || depth == 0 || ++*visits > VISITS_MAX)
        return false;
    const carom_op op = carom_node_op(graph, node);
    const carom_node x = carom_node_operand(graph, node, 0), y = carom_node_operand(graph, node, 1);
    signal other;
    switch (op) {
    case CAROM_OP_ADD:
    case CAROM_OP_SUB:
        return read_signal(graph, x, depth - 1, visits, made) &&
               read_signal(graph, y, depth - 1, visits, &other) &&
               add_signal(graph, op == CAROM_OP_SUB, &other, made);
    case CAROM_OP_NEG:
        *made = constant_signal(graph, zero_of(graph));
        return read_signal(graph, x, depth - 1, visits, &other) && add_signal(graph, true, &other, made);
    case CAROM_OP_MUL: {
        signal first;
        return read_signal(graph, x, depth - 1, visits, &first) &&
               read_signal(graph, y, depth - 1, visits, &other) && multiply(graph, &first, &other, made);
    }
    case CAROM_OP_DIV:
        if (!is_of_parameters(graph, y) || !read_signal(graph, x, depth - 1, visits, made))
            return false;
        scale(graph, CAROM_OP_DIV, y, made);
        return true;
    case CAROM_OP_POW:
        return read_power(graph, x, y, depth - 1, visits, made);
    case CAROM_OP_SIN:
    case CAROM_OP_COS:
        return read_wave(graph, op, x, made);
    default:
        return false;
    }
}

static int find_frequency(const traced_harmonics *found, carom_node frequency)
{
    for (int i = 0; i < found->count; i++)
        if (found->frequency[i] == frequency)
            return i;
    return -1;
}

bool traced_find_harmonics(carom_graph *graph, int count, const carom_node *expression, carom_arena *arena,
                           traced_harmonics *found)
{
    const size_t entries = TRACED_HARMONICS_MAX * (size_t)count;
    *found = (traced_harmonics){.count = 1};
    found->frequency[0] = zero_of(graph);
    found->cosine = carom_arena_take(arena, entries, sizeof *found->cosine);
    found->sine = carom_arena_take(arena, entries, sizeof *found->sine);
    if (!found->cosine || !found->sine)
        return false;
    for (size_t i = 0; i < entries; i++)
        found->cosine[i] = found->sine[i] = CAROM_NO_NODE;
    int visits = 0;
    for (int e = 0; e < count; e++) {
        signal made;
        if (!read_signal(graph, expression[e], DEPTH_MAX, &visits, &made))
            return false;
        for (int i = 0; i < made.count; i++) {
            int k = find_frequency(found, made.frequency[i]);
            if (k < 0 && found->count == TRACED_HARMONICS_MAX)
                return false;
            if (k < 0) {
                k = found->count++;
                found->frequency[k] = made.frequency[i];
            }
            found->cosine[k * count + e] = made.cosine[i];
            found->sine[k * count + e] = made.sine[i];
        }
    }
    return carom_graph_status(graph, NULL) == CAROM_OK;
}
