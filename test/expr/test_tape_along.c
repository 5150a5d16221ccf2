#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference.h"

enum {
    LEAVES = 1 + 3 * SAMPLE_SIZE
};

/* A point and a direction in the form that tapes take. */
typedef struct numbers {
    double t, q[SAMPLE_SIZE], u[SAMPLE_SIZE], parameter[SAMPLE_SIZE], impulse[SAMPLE_SIZE];
} numbers;

static numbers numbers_of(const sample *at)
{
    numbers x = {.t = (double)at->t};
    for (int i = 0; i < SAMPLE_SIZE; i++) {
        x.q[i] = (double)at->q[i];
        x.u[i] = (double)at->u[i];
        x.parameter[i] = (double)at->parameter[i];
        x.impulse[i] = (double)at->impulse[i];
    }
    return x;
}

static carom_inputs inputs_of(const numbers *x)
{
    return (carom_inputs){.t = x->t, .q = x->q, .u = x->u, .impulse = x->impulse};
}

/* The tangent of one node at a point. */
static double along(const carom_graph *graph, carom_node node, const numbers *at, const numbers *direction)
{
    carom_tape *tape = carom_tape_compile(graph, 1, &node);
    assert_non_null(tape);
    const size_t size = carom_tape_work_size(tape);
    double *work = carom_new_array(size, sizeof *work), *tangent = carom_new_array(size, sizeof *tangent);
    const carom_inputs point = inputs_of(at), moves = inputs_of(direction);
    double value, result;
    carom_tape_bind(tape, at->parameter, work);
    carom_tape_along_bind(tape, work, direction->parameter, tangent);
    carom_tape_evaluate(tape, work, &point, &value);
    carom_tape_along(tape, work, tangent, &moves, &result);
    free(work);
    free(tangent);
    carom_tape_free(tape);
    return result;
}

static void take_leaves(carom_graph *graph, carom_node leaf[LEAVES])
{
    leaf[0] = carom_leaf(graph, CAROM_OP_TIME, 0);
    for (int i = 0; i < SAMPLE_SIZE; i++) {
        leaf[1 + i] = carom_leaf(graph, CAROM_OP_COORDINATE, i);
        leaf[1 + SAMPLE_SIZE + i] = carom_leaf(graph, CAROM_OP_VELOCITY, i);
        leaf[1 + 2 * SAMPLE_SIZE + i] = carom_leaf(graph, CAROM_OP_PARAMETER, i);
    }
}

static numbers random_direction(carom_random *random, double by_leaf[LEAVES])
{
    numbers d = {.t = by_leaf[0] = carom_random_uniform(random, -1.0, 1.0)};
    for (int i = 0; i < SAMPLE_SIZE; i++) {
        d.q[i] = by_leaf[1 + i] = carom_random_uniform(random, -1.0, 1.0);
        d.u[i] = by_leaf[1 + SAMPLE_SIZE + i] = carom_random_uniform(random, -1.0, 1.0);
        d.parameter[i] = by_leaf[1 + 2 * SAMPLE_SIZE + i] = carom_random_uniform(random, -1.0, 1.0);
    }
    return d;
}

/* Against differences in extended precision and against the symbolic derivative. */
static void check(carom_graph *graph, carom_node node, const sample *at, carom_random *random,
                  double tolerance)
{
    carom_node leaf[LEAVES], constant[LEAVES], symbolic;
    double by_leaf[LEAVES];
    take_leaves(graph, leaf);
    const numbers point = numbers_of(at), direction = random_direction(random, by_leaf);
    const double found = along(graph, node, &point, &direction);
    const long double expected = difference_along(graph, node, at, LEAVES, leaf, by_leaf);
    if (!(relative_error(found, expected) <= tolerance))
        fail_msg("tangent of node %d (%s): %.17g, expected %.17g", node,
                 carom_op_name(carom_node_op(graph, node)), found, (double)expected);
    for (int i = 0; i < LEAVES; i++)
        constant[i] = carom_constant(graph, by_leaf[i]);
    carom_directional(graph, 1, &node, LEAVES, leaf, constant, &symbolic);
    assert_true(relative_error(found, (long double)tape_value(graph, symbolic, at)) <= tolerance);
}

static carom_node apply(carom_graph *graph, carom_op op, carom_node a, carom_node b, carom_node c)
{
    const int arity = carom_op_arity(op);
    return arity == 1   ? carom_unary(graph, op, a)
           : arity == 2 ? carom_binary(graph, op, a, b)
                        : carom_select(graph, a, b, c);
}

/* Operands that change, one that does not, and parameters alone, which stand in the prologue. */
static void test_every_operation(void **state)
{
    (void)state;
    carom_random random = {.state = 21};
    for (int op = CAROM_OP_ADD; op < CAROM_OP_TABLE; op++)
        for (int trial = 0; trial < 20; trial++) {
            sample at;
            do
                at = random_sample(&random);
            while (!is_tame((carom_op)op, at.q[0], at.q[1]) ||
                   !is_tame((carom_op)op, at.q[0], at.q[0] * at.t) ||
                   !is_tame((carom_op)op, at.parameter[0], at.parameter[1]) ||
                   !is_tame((carom_op)op, at.q[0], 0.7L) || !is_tame((carom_op)op, 0.7L, at.q[1]));
            carom_graph *graph = carom_graph_create(0);
            carom_node q[3], p[3];
            for (int i = 0; i < 3; i++) {
                q[i] = carom_leaf(graph, CAROM_OP_COORDINATE, i);
                p[i] = carom_leaf(graph, CAROM_OP_PARAMETER, i);
            }
            const carom_node fixed = carom_constant(graph, 0.7);
            const carom_node moving =
                carom_binary(graph, CAROM_OP_MUL, q[0], carom_leaf(graph, CAROM_OP_TIME, 0));
            check(graph, apply(graph, (carom_op)op, q[0], q[1], q[2]), &at, &random, 1e-12);
            check(graph, apply(graph, (carom_op)op, q[0], moving, q[1]), &at, &random, 1e-12);
            check(graph, apply(graph, (carom_op)op, p[0], p[1], p[2]), &at, &random, 1e-12);
            check(graph, apply(graph, (carom_op)op, q[0], fixed, q[1]), &at, &random, 1e-12);
            if (carom_op_arity((carom_op)op) > 1)
                check(graph, apply(graph, (carom_op)op, fixed, q[1], p[0]), &at, &random, 1e-12);
            carom_graph_free(graph);
        }
}

static void test_random_expressions(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 80; seed++) {
        carom_random random = {.state = 300 + seed};
        const sample at = random_sample(&random);
        carom_graph *graph = carom_graph_create(0);
        const carom_node node = random_expression(graph, &random, &at, 1 + (int)(seed % 8));
        check(graph, node, &at, &random, 1e-10);
        carom_graph_free(graph);
    }
}

static void test_tables_have_the_slope_of_their_piece(void **state)
{
    (void)state;
    const double x[] = {0.0, 1.0, 3.0}, y[] = {2.0, 5.0, 4.0};
    carom_error error;
    for (int smooth = 0; smooth < 2; smooth++) {
        carom_table *table = NULL;
        const carom_table_spec spec = {3, x, y, smooth != 0, CAROM_OUTSIDE_HOLD};
        assert_int_equal(carom_table_create(&spec, &table, &error), CAROM_OK);
        carom_graph *graph = carom_graph_create(0);
        const carom_node node = carom_lookup(graph, table, 0, carom_leaf(graph, CAROM_OP_COORDINATE, 0));
        for (double at = -0.75; at < 4.0; at += 0.5) {
            const double slope = along(graph, node, &(numbers){.q = {at}}, &(numbers){.q = {2.0}});
            const double step = 1e-6, rise = carom_table_value(table, 0, at + step) -
                                             carom_table_value(table, 0, at - step);
            assert_true(fabs(slope - rise / step) <= 1e-7);
        }
        carom_graph_free(graph);
        carom_table_free(table);
    }
}

static double of_formula(const char *text, double q, double dq)
{
    carom_graph *graph = carom_graph_create(0);
    carom_node x = carom_leaf(graph, CAROM_OP_COORDINATE, 0), zero = carom_constant(graph, 0.0), node;
    if (text[0] == 'r') /* sqrt */
        node = carom_unary(graph, CAROM_OP_SQRT, x);
    else if (text[0] == 'a')
        node = carom_unary(graph, CAROM_OP_ABS, x);
    else if (text[0] == 'h')
        node = carom_binary(graph, CAROM_OP_HYPOT, x, zero);
    else /* x > 0 ? sqrt(x) : 0 */
        node = carom_select(graph, x, carom_unary(graph, CAROM_OP_SQRT, x), zero);
    const double result = along(graph, node, &(numbers){.q = {q}}, &(numbers){.q = {dq}});
    carom_graph_free(graph);
    return result;
}

static void test_kinks_take_a_branch_and_what_does_not_move_is_no_nan(void **state)
{
    (void)state;
    assert_true(of_formula("abs", -2.0, 3.0) == -3.0);
    assert_true(of_formula("abs", 0.0, 3.0) == 0.0);
    assert_true(of_formula("hypot", 0.0, 3.0) == 0.0);
    assert_true(of_formula("root", 0.0, 0.0) == 0.0);   /* 0 * infinity */
    assert_true(isinf(of_formula("root", 0.0, 1.0)));   /* there is no derivative */
    assert_true(of_formula("select", 0.0, 1.0) == 0.0); /* the other branch is not looked at */
    assert_true(of_formula("select", 4.0, 1.0) == 0.25);
}

/* Inputs follow their parameters unless a direction of their own is given; missing arrays do not change. */
static void test_inputs_and_missing_directions(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node node =
        carom_binary(graph, CAROM_OP_MUL, carom_leaf(graph, CAROM_OP_INPUT, 1),
                     carom_binary(graph, CAROM_OP_ADD, carom_leaf(graph, CAROM_OP_COORDINATE, 0),
                                  carom_leaf(graph, CAROM_OP_OBSERVED, 0)));
    carom_tape *tape = carom_tape_compile(graph, 1, &node);
    double work[16], tangent[16], value, result;
    assert_true(carom_tape_work_size(tape) <= 16);
    const double parameter[2] = {0.0, 3.0}, change[2] = {0.0, 7.0}, other[2] = {0.0, 11.0};
    carom_tape_bind(tape, parameter, work);
    const carom_inputs at = {.q = (const double[]){5.0}, .observed = (const double[]){1.0}};
    carom_tape_evaluate(tape, work, &at, &value);
    assert_true(value == 18.0);
    carom_tape_along_bind(tape, work, change, tangent);
    carom_tape_along(tape, work, tangent, &(carom_inputs){0}, &result);
    assert_true(result == 42.0);
    carom_tape_along(tape, work, tangent, &(carom_inputs){.q = (const double[]){1.0}}, &result);
    assert_true(result == 45.0);
    carom_tape_along(tape, work, tangent, &(carom_inputs){.outside = other}, &result);
    assert_true(result == 66.0);
    carom_tape_along_bind(tape, work, NULL, tangent);
    carom_tape_along(tape, work, tangent, &(carom_inputs){.observed = (const double[]){2.0}}, &result);
    assert_true(result == 6.0);
    carom_tape_free(tape);
    carom_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_operation),
        cmocka_unit_test(test_random_expressions),
        cmocka_unit_test(test_tables_have_the_slope_of_their_piece),
        cmocka_unit_test(test_kinks_take_a_branch_and_what_does_not_move_is_no_nan),
        cmocka_unit_test(test_inputs_and_missing_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
