#include "beam_split.h"

enum {
    /* Shared subexpressions are walked once per use; what is larger than this stays in one piece. */
    MAX_VISITS = 10000
};

/* place * time * mixed; mixed is what depends on both and stays together. */
typedef struct product {
    carom_node place, time, mixed;
} product;

/* count 0 is the sum that is zero. */
typedef struct sum {
    int count;
    product term[BEAM_SPLIT_MAX];
    bool failed; /* not a sum of few products */
} sum;

typedef struct splitter {
    carom_graph *graph;
    carom_node one;
    int visits;
} splitter;

static carom_node times(const splitter *s, carom_node a, carom_node b)
{
    return carom_binary(s->graph, CAROM_OP_MUL, a, b);
}

static carom_node plus(const splitter *s, carom_node a, carom_node b)
{
    return carom_binary(s->graph, CAROM_OP_ADD, a, b);
}

static carom_node over(const splitter *s, carom_node a, carom_node b)
{
    return carom_binary(s->graph, CAROM_OP_DIV, a, b);
}

/* Terms that differ in one factor only become one. */
static void append(const splitter *s, sum *to, product term)
{
    for (int k = 0; k < to->count; k++) {
        product *have = &to->term[k];
        if (have->mixed != term.mixed)
            continue;
        if (have->time == term.time) {
            have->place = plus(s, have->place, term.place);
            return;
        }
        if (have->place == term.place) {
            have->time = plus(s, have->time, term.time);
            return;
        }
    }
    if (to->count == BEAM_SPLIT_MAX)
        to->failed = true;
    else
        to->term[to->count++] = term;
}

static void split_node(splitter *s, carom_node node, sum *to);

static void split_sum(splitter *s, carom_node a, carom_node b, bool minus, sum *to)
{
    sum right;
    split_node(s, a, to);
    split_node(s, b, &right);
    for (int k = 0; k < right.count; k++) {
        product term = right.term[k];
        if (minus)
            term.place = carom_unary(s->graph, CAROM_OP_NEG, term.place);
        append(s, to, term);
    }
}

static void split_product(splitter *s, carom_node a, carom_node b, sum *to)
{
    sum left, right;
    split_node(s, a, &left);
    split_node(s, b, &right);
    for (int i = 0; i < left.count; i++)
        for (int j = 0; j < right.count && !to->failed; j++) {
            const product *x = &left.term[i], *y = &right.term[j];
            append(s, to,
                   (product){times(s, x->place, y->place), times(s, x->time, y->time),
                             times(s, x->mixed, y->mixed)});
        }
}

/* A quotient is a sum when its denominator is one product. */
static void split_quotient(splitter *s, carom_node a, carom_node b, sum *to)
{
    sum left, right;
    split_node(s, a, &left);
    split_node(s, b, &right);
    if (right.count != 1) {
        to->failed = true;
        return;
    }
    const product *y = &right.term[0];
    for (int i = 0; i < left.count; i++) {
        const product *x = &left.term[i];
        append(
            s, to,
            (product){over(s, x->place, y->place), over(s, x->time, y->time), over(s, x->mixed, y->mixed)});
    }
}

static void split_operation(splitter *s, carom_node node, sum *to)
{
    const carom_node a = carom_node_operand(s->graph, node, 0), b = carom_node_operand(s->graph, node, 1);
    const carom_op op = carom_node_op(s->graph, node);
    if (op == CAROM_OP_ADD || op == CAROM_OP_SUB)
        split_sum(s, a, b, op == CAROM_OP_SUB, to);
    else if (op == CAROM_OP_NEG)
        split_sum(s, carom_constant(s->graph, 0.0), a, true, to);
    else if (op == CAROM_OP_MUL)
        split_product(s, a, b, to);
    else if (op == CAROM_OP_DIV)
        split_quotient(s, a, b, to);
    else
        to->failed = true;
}

static void split_node(splitter *s, carom_node node, sum *to)
{
    double value;
    *to = (sum){0};
    if (node < 0 || (carom_node_is_constant(s->graph, node, &value) && value == 0.0))
        return;
    const unsigned depends = carom_node_depends(s->graph, node);
    if (!(depends & CAROM_ON_TIME))
        append(s, to, (product){node, s->one, s->one});
    else if (!(depends & CAROM_ON_PLACE))
        append(s, to, (product){s->one, node, s->one});
    else if (s->visits++ < MAX_VISITS)
        split_operation(s, node, to);
    else
        to->failed = true;
    if (to->failed)
        *to = (sum){.count = 1, .term = {{s->one, s->one, node}}};
}

void beam_split_load(carom_graph *graph, carom_node node, beam_split *split)
{
    *split = (beam_split){.rest = CAROM_NO_NODE};
    splitter s = {.graph = graph, .one = carom_constant(graph, 1.0)};
    if (node < 0 || s.one < 0)
        return;
    sum all;
    split_node(&s, node, &all);
    for (int k = 0; k < all.count; k++) {
        const product *term = &all.term[k];
        if (term->mixed == s.one) {
            split->term[split->terms++] = (beam_split_term){term->place, term->time};
        } else {
            const carom_node whole = times(&s, term->mixed, times(&s, term->place, term->time));
            split->rest = split->rest < 0 ? whole : plus(&s, split->rest, whole);
        }
    }
}
