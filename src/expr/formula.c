/* Formulas as text: one recursive function per level of binding.
 *
 *   sum     = product { (+ | -) product }
 *   product = sign { (* | /) sign }
 *   sign    = (+ | -) sign | power
 *   power   = atom [ ^ sign ]                      so that -x^2 = -(x^2) and 2^-1 is right
 *   atom    = number | name | function ( sum { , sum } ) | dot ( name ) | ( sum ) */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "carom/expr.h"

enum {
    DEPTH_MAX = 200,
    NAME_MAX_LENGTH = 64,
    OPERANDS_MAX = 3
};

typedef struct reader {
    carom_graph *graph;
    const char *text, *next;
    const carom_symbols *symbols;
    int depth;
    bool failed;
    carom_error *error;
} reader;

static carom_node read_sum(reader *in);

/* The first complaint is the one that is kept. */
static carom_node complain(reader *in, const char *at, const char *what, const char *detail)
{
    if (!in->failed)
        carom_fail(in->error, CAROM_BAD_INPUT, "formula '%s', character %d: %s%s", in->text,
                   (int)(at - in->text) + 1, what, detail);
    in->failed = true;
    return CAROM_NO_NODE;
}

static char peek(reader *in)
{
    while (isspace((unsigned char)*in->next))
        in->next++;
    return *in->next;
}

static bool take(reader *in, char wanted)
{
    if (peek(in) != wanted)
        return false;
    in->next++;
    return true;
}

static bool expect(reader *in, char wanted, const char *what)
{
    if (take(in, wanted))
        return true;
    complain(in, in->next, what, "");
    return false;
}

static carom_node binary(reader *in, carom_op op, carom_node a, carom_node b)
{
    return in->failed ? CAROM_NO_NODE : carom_binary(in->graph, op, a, b);
}

static carom_node read_number(reader *in)
{
    char *end;
    const carom_number_format numbers = carom_numbers_begin();
    const double value = strtod(in->next, &end);
    carom_numbers_end(numbers);
    if (end == in->next)
        return complain(in, in->next, "a number, a name or ( is expected here", "");
    in->next = end;
    return carom_constant(in->graph, value);
}

static bool read_name(reader *in, char name[NAME_MAX_LENGTH])
{
    const char *start = in->next;
    size_t length = 0;
    while (isalnum((unsigned char)start[length]) || start[length] == '_' ||
           (length > 0 && start[length] == '.' && isalpha((unsigned char)start[length + 1]))) /* body.x */
        length++;
    if (length == 0 || length >= NAME_MAX_LENGTH) {
        complain(in, start, length ? "a name of more than 63 letters" : "a name is expected here", "");
        return false;
    }
    memcpy(name, start, length);
    name[length] = '\0';
    in->next += length;
    return true;
}

static carom_node find_symbol(reader *in, const char *at, const char *name, bool rate)
{
    const carom_node node = in->symbols && in->symbols->find
                                ? in->symbols->find(in->symbols->context, name, rate)
                                : CAROM_NO_NODE;
    if (node >= 0)
        return node;
    return complain(in, at, rate ? "there is no coordinate " : "there is no symbol ", name);
}

static carom_node read_rate(reader *in)
{
    char name[NAME_MAX_LENGTH];
    peek(in);
    const char *at = in->next;
    if (!read_name(in, name))
        return CAROM_NO_NODE;
    const carom_node node = find_symbol(in, at, name, true);
    expect(in, ')', "dot(...) takes one coordinate; ) is expected here");
    return node;
}

static carom_op find_function(const char *name)
{
    for (int op = 0; op < CAROM_OP_COUNT; op++)
        if (op != CAROM_OP_TABLE && carom_op_arity((carom_op)op) > 0 &&
            strcmp(carom_op_name((carom_op)op), name) == 0)
            return (carom_op)op;
    return CAROM_OP_COUNT;
}

static carom_node read_call(reader *in, const char *at, const char *name)
{
    if (strcmp(name, "dot") == 0)
        return read_rate(in);
    const carom_op op = find_function(name);
    if (op == CAROM_OP_COUNT)
        return complain(in, at, "there is no function ", name);
    carom_node operand[OPERANDS_MAX] = {0};
    const int arity = carom_op_arity(op);
    for (int k = 0; k < arity && !in->failed; k++) {
        if (k > 0 && !expect(in, ',', "the function takes more operands; , is expected here"))
            return CAROM_NO_NODE;
        operand[k] = read_sum(in);
    }
    if (in->failed || !expect(in, ')', "the operands of a function end here; ) is expected"))
        return CAROM_NO_NODE;
    if (arity == 1)
        return carom_unary(in->graph, op, operand[0]);
    return arity == 2 ? carom_binary(in->graph, op, operand[0], operand[1])
                      : carom_select(in->graph, operand[0], operand[1], operand[2]);
}

static carom_node read_atom(reader *in)
{
    if (take(in, '(')) {
        const carom_node node = read_sum(in);
        expect(in, ')', "( is not closed; ) is expected here");
        return node;
    }
    if (!isalpha((unsigned char)*in->next) && *in->next != '_')
        return isdigit((unsigned char)*in->next) || *in->next == '.'
                   ? read_number(in)
                   : complain(in, in->next, "a number, a name or ( is expected here", "");
    char name[NAME_MAX_LENGTH];
    const char *at = in->next;
    if (!read_name(in, name))
        return CAROM_NO_NODE;
    return take(in, '(') ? read_call(in, at, name) : find_symbol(in, at, name, false);
}

static carom_node read_sign(reader *in)
{
    if (++in->depth > DEPTH_MAX)
        return complain(in, in->next, "more than 200 levels of parentheses and signs", "");
    carom_node node;
    if (take(in, '-')) {
        node = read_sign(in);
        node = in->failed ? node : carom_unary(in->graph, CAROM_OP_NEG, node);
    } else if (take(in, '+')) {
        node = read_sign(in);
    } else {
        node = read_atom(in);
        if (!in->failed && take(in, '^'))
            node = binary(in, CAROM_OP_POW, node, read_sign(in));
    }
    in->depth--;
    return node;
}

static carom_node read_product(reader *in)
{
    carom_node node = read_sign(in);
    while (!in->failed && (peek(in) == '*' || peek(in) == '/')) {
        const carom_op op = take(in, '*') ? CAROM_OP_MUL : CAROM_OP_DIV;
        if (op == CAROM_OP_DIV)
            in->next++;
        node = binary(in, op, node, read_sign(in));
    }
    return node;
}

static carom_node read_sum(reader *in)
{
    carom_node node = read_product(in);
    while (!in->failed && (peek(in) == '+' || peek(in) == '-')) {
        const carom_op op = take(in, '+') ? CAROM_OP_ADD : CAROM_OP_SUB;
        if (op == CAROM_OP_SUB)
            in->next++;
        node = binary(in, op, node, read_product(in));
    }
    return node;
}

carom_node carom_formula(carom_graph *graph, const char *text, const carom_symbols *symbols,
                         carom_error *error)
{
    reader in = {.graph = graph, .text = text, .next = text, .symbols = symbols, .error = error};
    if (!graph || !text) {
        carom_fail(error, CAROM_BAD_INPUT, "no %s is given", graph ? "formula" : "graph");
        return CAROM_NO_NODE;
    }
    const carom_node node = read_sum(&in);
    if (!in.failed && peek(&in) != '\0')
        complain(&in, in.next, "an operator or the end is expected here", "");
    if (node < 0 && (!in.failed || carom_graph_status(graph, NULL) == CAROM_NO_MEMORY))
        carom_graph_status(graph, error);
    return in.failed ? CAROM_NO_NODE : node;
}
