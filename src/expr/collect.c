/* Like terms of a sum, collected. An expression is written as a sum of products of atoms,
 *
 *   sum_k c_k a_k1 a_k2 ... ,   atoms: leaves, sines, cosines, and whatever is neither a sum nor a product,
 *
 * equal products become one, sin(x)^2 p + cos(x)^2 p becomes p, and what is left is written with common factors in front.
 * Sums inside of products are multiplied out only where nothing but sines, cosines, velocities and parameters stands in them:
 * of positions, as in (x - y - l)^2, that would lose digits, and such a sum is an atom. */
#include "graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FACTORS_MAX = 16,
    TERMS_MAX = 1024,
    WRITTEN_MAX = 256,
    WORK_MAX = 1 << 16, /* products that are looked at */
    DEPTH_MAX = 4000    /* of nested expressions */
};

/* Coefficients that differ by less than this, relative to them, differ by rounding. */
static const double rounding = 1e-14;

typedef struct term {
    double coefficient;
    int count;
    carom_node atom[FACTORS_MAX]; /* ascending */
} term;

typedef struct term_list {
    int count, room;
    term *at;
} term_list;

typedef struct collector {
    carom_graph *graph;
    long work;
    int depth;
    bool failed; /* too large, or memory is short */
} collector;

static void expand(collector *self, carom_node node, double coefficient, term_list *sum);

/* ---- terms ------------------------------------------------------------------------------------------- */

static void push(collector *self, term_list *list, const term *one)
{
    if (!isfinite(one->coefficient)) {
        self->failed = true;
        return;
    }
    if (list->count == list->room) {
        const int room = list->room > 0 ? 2 * list->room : 16;
        term *grown = room > 2 * TERMS_MAX ? NULL : realloc(list->at, (size_t)room * sizeof *grown);
        if (!grown) {
            self->failed = true;
            return;
        }
        list->at = grown;
        list->room = room;
    }
    list->at[list->count++] = *one;
}

static void put_atom(collector *self, carom_node atom, term *to)
{
    if (to->count == FACTORS_MAX) {
        self->failed = true;
        return;
    }
    int place = to->count++;
    for (; place > 0 && to->atom[place - 1] > atom; place--)
        to->atom[place] = to->atom[place - 1];
    to->atom[place] = atom;
}

static int compare_atoms(const term *a, const term *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = 0; i < a->count; i++)
        if (a->atom[i] != b->atom[i])
            return a->atom[i] < b->atom[i] ? -1 : 1;
    return 0;
}

/* Equal ones by their coefficients, so that their sum does not depend on how they are sorted. */
static int compare_terms(const void *a, const void *b)
{
    const term *x = a, *y = b;
    const int order = compare_atoms(x, y);
    return order != 0 ? order : (x->coefficient > y->coefficient) - (x->coefficient < y->coefficient);
}

/* A sum that is nothing but the rounding of its parts is zero. */
static void combine(term_list *list)
{
    int kept = 0;
    if (list->count > 1)
        qsort(list->at, (size_t)list->count, sizeof *list->at, compare_terms);
    for (int i = 0; i < list->count;) {
        term one = list->at[i];
        double size = fabs(one.coefficient);
        for (i++; i < list->count && compare_atoms(&one, &list->at[i]) == 0; i++) {
            one.coefficient += list->at[i].coefficient;
            size = fmax(size, fabs(list->at[i].coefficient));
        }
        if (fabs(one.coefficient) > rounding * size)
            list->at[kept++] = one;
    }
    list->count = kept;
}

/* ---- sin^2 + cos^2 = 1 ------------------------------------------------------------------------------ */

/* The term without two of its atoms that are one operation of the same argument; false when it has no such square. */
static bool take_square(const collector *self, const term *one, carom_op op, int from, term *rest,
                        carom_node *argument, int *place)
{
    for (int i = from; i + 1 < one->count; i++) {
        const graph_node *node = &self->graph->node[one->atom[i]];
        if (one->atom[i] != one->atom[i + 1] || node->op != op)
            continue;
        *rest = *one;
        rest->count -= 2;
        memmove(rest->atom + i, rest->atom + i + 2, (size_t)(rest->count - i) * sizeof *rest->atom);
        *argument = node->operand[0];
        *place = i;
        return true;
    }
    return false;
}

/* The partner of a term whose rest, without sin(x)^2, is known. */
static int find_partner(const collector *self, const term_list *list, const term *rest, carom_node argument)
{
    for (int j = 0; j < list->count; j++) {
        term other;
        carom_node x = CAROM_NO_NODE;
        for (int place = 0; take_square(self, &list->at[j], CAROM_OP_COS, place, &other, &x, &place); place++)
            if (x == argument && compare_atoms(&other, rest) == 0 &&
                fabs(other.coefficient - rest->coefficient) <= rounding * fabs(rest->coefficient))
                return j;
    }
    return -1;
}

static bool join_one_pair(const collector *self, term_list *list)
{
    for (int i = 0; i < list->count; i++) {
        term rest;
        carom_node argument = CAROM_NO_NODE;
        for (int place = 0; take_square(self, &list->at[i], CAROM_OP_SIN, place, &rest, &argument, &place);
             place++) {
            const int partner = find_partner(self, list, &rest, argument);
            if (partner < 0)
                continue;
            list->at[i] = rest;
            list->at[partner] = list->at[--list->count];
            return true;
        }
    }
    return false;
}

static void join_squares(const collector *self, term_list *list)
{
    while (join_one_pair(self, list))
        combine(list);
}

/* ---- from an expression to terms --------------------------------------------------------------------- */

static bool may_be_multiplied_out(const collector *self, const term_list *list)
{
    for (int i = 0; i < list->count; i++)
        for (int k = 0; k < list->at[i].count; k++) {
            const carom_op op = self->graph->node[list->at[i].atom[k]].op;
            if (op != CAROM_OP_SIN && op != CAROM_OP_COS && op != CAROM_OP_VELOCITY &&
                op != CAROM_OP_PARAMETER)
                return false;
        }
    return true;
}

/* One product on its way to terms: what is known of it, and factors that have not been looked at. */
typedef struct product {
    term known;
    int waiting, sums;
    carom_node wait[FACTORS_MAX], sum[FACTORS_MAX];
} product;

static void wait_for(collector *self, product *one, carom_node node)
{
    if (one->waiting == FACTORS_MAX)
        self->failed = true;
    else
        one->wait[one->waiting++] = node;
}

static void look_at_factor(collector *self, product *one, carom_node node)
{
    const graph_node *n = &self->graph->node[node];
    double divisor;
    if (n->op == CAROM_OP_CONSTANT)
        one->known.coefficient *= n->value;
    else if (n->op == CAROM_OP_NEG) {
        one->known.coefficient = -one->known.coefficient;
        wait_for(self, one, n->operand[0]);
    } else if (n->op == CAROM_OP_DIV && carom_node_is_constant(self->graph, n->operand[1], &divisor)) {
        one->known.coefficient /= divisor;
        wait_for(self, one, n->operand[0]);
    } else if (n->op == CAROM_OP_MUL) {
        wait_for(self, one, n->operand[0]);
        wait_for(self, one, n->operand[1]);
    } else if (n->op != CAROM_OP_ADD && n->op != CAROM_OP_SUB)
        put_atom(self, node, &one->known);
    else if (one->sums < FACTORS_MAX)
        one->sum[one->sums++] = node;
    else
        self->failed = true;
}

/* list := list * by */
static void multiply_lists(collector *self, term_list *list, const term_list *by)
{
    term_list result = {0};
    for (int i = 0; i < list->count; i++)
        for (int j = 0; j < by->count && !self->failed; j++) {
            term one = list->at[i];
            one.coefficient *= by->at[j].coefficient;
            for (int k = 0; k < by->at[j].count; k++)
                put_atom(self, by->at[j].atom[k], &one);
            push(self, &result, &one);
        }
    free(list->at);
    *list = result;
}

/* Adds the product, whose factors are all known but for those that are sums. */
static void multiply_out(collector *self, const product *one, term_list *sum)
{
    term_list list = {0};
    push(self, &list, &one->known);
    for (int i = 0; i < one->sums && !self->failed; i++) {
        term_list inner = {0};
        expand(self, one->sum[i], 1.0, &inner);
        combine(&inner);
        if (!may_be_multiplied_out(self, &inner)) {
            inner.count = 0;
            term atom = {.coefficient = 1.0};
            put_atom(self, one->sum[i], &atom);
            push(self, &inner, &atom);
        }
        multiply_lists(self, &list, &inner);
        free(inner.at);
    }
    for (int i = 0; i < list.count && !self->failed; i++)
        push(self, sum, &list.at[i]);
    free(list.at);
}

/* Adds coefficient * node to the sum. */
static void expand(collector *self, carom_node node, double coefficient, term_list *sum)
{
    if (++self->depth > DEPTH_MAX)
        self->failed = true;
    while (!self->failed) { /* along the left operands of sums */
        product one = {.known = {.coefficient = coefficient}, .waiting = 1, .wait = {node}};
        if (++self->work > WORK_MAX || sum->count > TERMS_MAX)
            self->failed = true;
        while (one.waiting > 0 && !self->failed)
            look_at_factor(self, &one, one.wait[--one.waiting]);
        if (self->failed || one.sums != 1 || one.known.count > 0) {
            if (!self->failed)
                multiply_out(self, &one, sum);
            break;
        }
        const graph_node *n = &self->graph->node[one.sum[0]];
        coefficient = one.known.coefficient;
        expand(self, n->operand[1], n->op == CAROM_OP_SUB ? -coefficient : coefficient, sum);
        node = n->operand[0];
    }
    self->depth--;
}

/* ---- from terms to an expression --------------------------------------------------------------------- */

static bool is_parameter(const collector *self, carom_node atom)
{
    return self->graph->node[atom].op == CAROM_OP_PARAMETER;
}

/* |c| times its atoms, those first that are known before the motion begins. */
static carom_node write_term(const collector *self, const term *one)
{
    carom_graph *graph = self->graph;
    carom_node result = carom_constant(graph, fabs(one->coefficient));
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < one->count; i++)
            if (is_parameter(self, one->atom[i]) == (pass == 0))
                result = carom_binary(graph, CAROM_OP_MUL, result, one->atom[i]);
    return result;
}

/* The atom that most of the terms have, but for parameters; CAROM_NO_NODE when none has two. */
static carom_node find_common(const collector *self, int count, const term *list)
{
    carom_node best = CAROM_NO_NODE;
    int most = 1;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < list[i].count; k++) {
            const carom_node atom = list[i].atom[k];
            if (atom == best || is_parameter(self, atom) || (k > 0 && list[i].atom[k - 1] == atom))
                continue;
            int users = 0;
            for (int j = 0; j < count; j++)
                for (int l = 0; l < list[j].count; l++)
                    if (list[j].atom[l] == atom) {
                        users++;
                        break;
                    }
            if (users > most || (users == most && best >= 0 && atom < best)) {
                most = users;
                best = atom;
            }
        }
    return best;
}

static bool drop_atom(term *one, carom_node atom)
{
    for (int i = 0; i < one->count; i++)
        if (one->atom[i] == atom) {
            one->count--;
            memmove(one->atom + i, one->atom + i + 1, (size_t)(one->count - i) * sizeof *one->atom);
            return true;
        }
    return false;
}

/* The number that all coefficients are, but for their signs; 1 when there is none. */
static double common_coefficient(int count, const term *list)
{
    const double first = fabs(list[0].coefficient);
    for (int i = 1; i < count; i++)
        if (fabs(fabs(list[i].coefficient) - first) > rounding * first)
            return 1.0;
    return count > 1 ? first : 1.0;
}

/* The sum of the terms, which are used up: a common factor times the terms that have it, then the others. */
static carom_node write_sum(const collector *self, int count, term *list)
{
    carom_graph *graph = self->graph;
    carom_node result = carom_constant(graph, 0.0);
    const double common = count > 0 ? common_coefficient(count, list) : 1.0;
    for (int i = 0; common != 1.0 && i < count; i++)
        list[i].coefficient = copysign(1.0, list[i].coefficient);
    while (count > 0) {
        const carom_node atom = find_common(self, count, list);
        int first = 0; /* those with the atom come first */
        for (int i = 0; atom >= 0 && i < count; i++)
            if (drop_atom(&list[i], atom)) {
                const term kept = list[i];
                memmove(list + first + 1, list + first, (size_t)(i - first) * sizeof *list);
                list[first++] = kept;
            }
        if (atom < 0) {
            for (int i = 0; i < count; i++)
                result = carom_binary(graph, list[i].coefficient < 0.0 ? CAROM_OP_SUB : CAROM_OP_ADD, result,
                                      write_term(self, &list[i]));
            break;
        }
        const carom_node part = carom_binary(graph, CAROM_OP_MUL, atom, write_sum(self, first, list));
        result = carom_binary(graph, CAROM_OP_ADD, result, part);
        list += first;
        count -= first;
    }
    return carom_binary(graph, CAROM_OP_MUL, carom_constant(graph, common), result);
}

carom_node carom_collect(carom_graph *graph, carom_node node)
{
    collector self = {.graph = graph};
    term_list sum = {0};
    if (node < 0)
        return node;
    expand(&self, node, 1.0, &sum);
    carom_node result = node;
    if (!self.failed) {
        combine(&sum);
        join_squares(&self, &sum);
        if (sum.count <= WRITTEN_MAX)
            result = write_sum(&self, sum.count, sum.at);
    }
    free(sum.at);
    return carom_node_size(graph, result) < carom_node_size(graph, node) ? result : node;
}
