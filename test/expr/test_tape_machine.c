/* Tapes as machine code: every operation, at ordinary and at special values, and long tapes of random operations have the bits of
 * the interpreter, in the outputs and in all that a tape leaves in its work array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr/tape.h"
#include "small_table.h"

enum {
    COORDINATES = 3,
    OUTPUTS_MAX = 3 * CAROM_OP_COUNT,
    RANDOM_NODES = 3000
};

#if defined(__x86_64__) && defined(__linux__) && !defined(__ILP32__)
static const bool has_machine = true;
#else
static const bool has_machine = false;
#endif

/* What a tape reads. */
typedef struct point {
    double t, place, q[COORDINATES], u[COORDINATES], impulse[2], outside[3], parameter[3];
} point;

/* A NaN is a NaN, whatever its sign. */
static void assert_same_bits(size_t count, const double *expected, const double *given)
{
    for (size_t i = 0; i < count; i++)
        if (!(isnan(expected[i]) && isnan(given[i])) && memcmp(&expected[i], &given[i], sizeof *given) != 0)
            fail_msg("number %zu of %zu is %.17g, not %.17g", i, count, given[i], expected[i]);
}

/* Outputs and work array by both ways. */
static void compare(const carom_tape *tape, const point *at, bool outside, carom_angle *angles)
{
    const size_t size = carom_tape_work_size(tape), outputs = (size_t)carom_tape_outputs(tape);
    double *work = calloc(2 * (size + outputs), sizeof *work), *other = work + size, *expected = other + size,
           *given = expected + outputs;
    const carom_inputs inputs = {.t = at->t,
                                 .place = at->place,
                                 .q = at->q,
                                 .u = at->u,
                                 .impulse = at->impulse,
                                 .outside = outside ? at->outside : NULL,
                                 .angles = angles};
    assert_non_null(work);
    carom_tape_bind(tape, at->parameter, work);
    carom_tape_bind(tape, at->parameter, other);
    tape_interpret(tape, work, &inputs, expected);
    if (angles)
        carom_angles_forget(angles);
    if (tape->code)
        tape->code(tape, tape_look_up, other, &inputs, given);
    else
        carom_tape_evaluate(tape, other, &inputs, given);
    assert_same_bits(outputs, expected, given);
    if (tape->code)
        assert_same_bits(size, work, other);
    free(work);
}

/* One output per operation and per kind of input, and some that only hand something on. */
static int all_operations(carom_graph *g, carom_node *output)
{
    const carom_node x = carom_leaf(g, CAROM_OP_COORDINATE, 0), y = carom_leaf(g, CAROM_OP_COORDINATE, 1),
                     p = carom_leaf(g, CAROM_OP_PARAMETER, 0), c = carom_constant(g, 0.7);
    const carom_node leaf[] = {carom_leaf(g, CAROM_OP_TIME, 0),     carom_leaf(g, CAROM_OP_PLACE, 0),
                               carom_leaf(g, CAROM_OP_VELOCITY, 2), carom_leaf(g, CAROM_OP_IMPULSE, 1),
                               carom_leaf(g, CAROM_OP_INPUT, 2),    carom_leaf(g, CAROM_OP_INPUT, 1)};
    int count = 0;
    for (carom_op op = CAROM_OP_ADD; op < CAROM_OP_COUNT; op++) {
        const int arity = carom_op_arity(op);
        if (op == CAROM_OP_TABLE)
            continue;
        output[count++] = arity == 1   ? carom_unary(g, op, x)
                          : arity == 2 ? carom_binary(g, op, x, y)
                                       : carom_select(g, carom_binary(g, CAROM_OP_SUB, x, y), p, c);
    }
    for (size_t i = 0; i < sizeof leaf / sizeof *leaf; i++) {
        output[count++] = carom_binary(g, CAROM_OP_MUL, p, leaf[i]);
        output[count++] = leaf[i];
    }
    output[count++] = c;
    return count;
}

static void test_every_operation_has_the_same_bits(void **state)
{
    (void)state;
    static const double special[] = {0.0,     -0.0,  1.0,    -1.0,  0.3,      -1.7,      1e-310,
                                     -5e-324, 1e300, -1e300, 1e155, INFINITY, -INFINITY, NAN};
    enum {
        SPECIALS = sizeof special / sizeof *special
    };
    carom_graph *g = carom_graph_create(0);
    carom_node output[OUTPUTS_MAX];
    int count = all_operations(g, output);
    output[count++] = table_at(g, carom_leaf(g, CAROM_OP_COORDINATE, 0));
    assert_true(count <= OUTPUTS_MAX);
    carom_tape *tape = carom_tape_compile(g, count, output);
    assert_non_null(tape);
    assert_int_equal(carom_graph_to_machine(g), has_machine);
    assert_int_equal(tape->code != NULL, has_machine);
    for (int i = 0; i < SPECIALS; i++)
        for (int k = 0; k < SPECIALS; k++) {
            const double a = special[i], b = special[k];
            const point at = {a, b, {a, b, 0.5}, {1.0, 2.0, b}, {3.0, a}, {1.0, a, b}, {b, a, 0.25}};
            compare(tape, &at, k % 2, NULL);
        }
    carom_graph_free(g);
    carom_tape_free(tape);
}

/* Operands are any nodes before, near ones more often: values that are in registers, and values that are there no more. */
static carom_node random_operation(carom_graph *g, carom_random *random, int count, const carom_node *node)
{
    static const carom_op op[] = {CAROM_OP_ADD, CAROM_OP_SUB, CAROM_OP_MUL, CAROM_OP_DIV, CAROM_OP_NEG,
                                  CAROM_OP_ABS, CAROM_OP_SIN, CAROM_OP_COS, CAROM_OP_MIN, CAROM_OP_SQRT,
                                  CAROM_OP_ADD, CAROM_OP_MUL, CAROM_OP_SUB, CAROM_OP_TANH};
    const carom_op chosen = op[(int)carom_random_uniform(random, 0.0, sizeof op / sizeof *op)];
    carom_node operand[2];
    for (int i = 0; i < 2; i++) {
        const double back = carom_random_uniform(random, 0.0, 1.0);
        operand[i] = node[count - 1 - (int)(back * back * back * count)];
    }
    return carom_op_arity(chosen) == 1 ? carom_unary(g, chosen, operand[0])
                                       : carom_binary(g, chosen, operand[0], operand[1]);
}

static void test_random_tapes_have_the_same_bits(void **state)
{
    (void)state;
    static carom_node node[RANDOM_NODES];
    static carom_angle angles[CAROM_ANGLES];
    carom_random random = {.state = 7};
    for (int turn = 0; turn < 40; turn++) {
        const int length = turn % 4 ? 40 : RANDOM_NODES;
        carom_graph *g = carom_graph_create(0);
        for (int i = 0; i < length; i++)
            node[i] = i < COORDINATES       ? carom_leaf(g, CAROM_OP_COORDINATE, i)
                      : i < 2 * COORDINATES ? carom_leaf(g, CAROM_OP_VELOCITY, i - COORDINATES)
                      : i == 6              ? carom_leaf(g, CAROM_OP_TIME, 0)
                      : i == 7              ? carom_leaf(g, CAROM_OP_INPUT, 0)
                                            : random_operation(g, &random, i, node);
        carom_tape *tape = carom_tape_compile(g, 20, node + length - 20);
        assert_non_null(tape);
        assert_int_equal(carom_graph_to_machine(g), has_machine);
        for (int i = 0; i < 10; i++) {
            point at = {.t = 0.1 * i, .outside = {1.5}, .parameter = {2.5}};
            for (int k = 0; k < COORDINATES; k++) {
                at.q[k] = carom_random_uniform(&random, -3.0, 3.0);
                at.u[k] = carom_random_uniform(&random, -3.0, 3.0);
            }
            carom_angles_forget(angles);
            compare(tape, &at, i % 2, i % 3 ? angles : NULL);
        }
        carom_tape_free(tape);
        carom_graph_free(g);
    }
}

/* Code belongs to several tapes and goes with the last; tapes that have some keep it. */
static void test_tapes_come_and_go(void **state)
{
    (void)state;
    const point at = {.q = {0.3, 1.7, -0.2}};
    carom_graph *g = carom_graph_create(0);
    assert_int_equal(carom_graph_to_machine(g), 0);
    const carom_node x = carom_leaf(g, CAROM_OP_COORDINATE, 0), y = carom_leaf(g, CAROM_OP_COORDINATE, 1);
    const carom_node sum = carom_binary(g, CAROM_OP_ADD, x, y), sine = carom_unary(g, CAROM_OP_SIN, y);
    carom_tape *first = carom_tape_compile(g, 1, &sum), *second = carom_tape_compile(g, 1, &sine);
    assert_int_equal(carom_graph_to_machine(g), 2 * has_machine);
    carom_tape_code *const code = second->code;
    carom_tape *third = carom_tape_compile(g, 1, &sum);
    assert_int_equal(carom_graph_to_machine(g), has_machine);
    assert_true(second->code == code);
    carom_tape_free(first);
    compare(second, &at, false, NULL);
    carom_graph_free(g);
    compare(third, &at, false, NULL);
    carom_tape_free(third);
    compare(second, &at, false, NULL);
    carom_tape_free(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_operation_has_the_same_bits),
        cmocka_unit_test(test_random_tapes_have_the_same_bits),
        cmocka_unit_test(test_tapes_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
