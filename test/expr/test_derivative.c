#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference.h"
#include "test/near.h"

static carom_node coordinate(carom_graph *graph, int index)
{
    return carom_leaf(graph, CAROM_OP_COORDINATE, index);
}

/* All leaves that random expressions hold. */
enum {
    LEAVES = 1 + 3 * SAMPLE_SIZE
};

static void take_leaves(carom_graph *graph, carom_node leaf[LEAVES])
{
    leaf[0] = carom_leaf(graph, CAROM_OP_TIME, 0);
    for (int i = 0; i < SAMPLE_SIZE; i++) {
        leaf[1 + i] = carom_leaf(graph, CAROM_OP_COORDINATE, i);
        leaf[1 + SAMPLE_SIZE + i] = carom_leaf(graph, CAROM_OP_VELOCITY, i);
        leaf[1 + 2 * SAMPLE_SIZE + i] = carom_leaf(graph, CAROM_OP_PARAMETER, i);
    }
}

/* Gradient by each leaf, and the derivative in a random direction, of one expression at one point. */
static void check_first_derivatives(carom_graph *graph, carom_node node, const sample *at,
                                    carom_random *random, double tolerance)
{
    carom_node leaf[LEAVES], gradient[LEAVES], constant[LEAVES], along;
    double direction[LEAVES];
    take_leaves(graph, leaf);
    carom_gradient(graph, node, LEAVES, leaf, gradient);
    long double expected = 0.0L;
    for (int i = 0; i < LEAVES; i++) {
        const double one = 1.0;
        const long double slope = difference_along(graph, node, at, 1, &leaf[i], &one);
        const double error = relative_error(tape_value(graph, gradient[i], at), slope);
        if (!(error <= tolerance))
            fail_msg("gradient of node %d by leaf %d: %g, expected %g", node, i,
                     tape_value(graph, gradient[i], at), (double)slope);
        direction[i] = carom_random_uniform(random, -1.0, 1.0);
        constant[i] = carom_constant(graph, direction[i]);
        expected += slope * (long double)direction[i];
    }
    carom_directional(graph, 1, &node, LEAVES, leaf, constant, &along);
    assert_true(relative_error(tape_value(graph, along, at), expected) <= 4.0 * tolerance);
    assert_true(relative_error((double)difference_along(graph, node, at, LEAVES, leaf, direction),
                               expected) <= 4.0 * tolerance);
}

/* op applied to operands that are expressions of all kinds of leaves. */
static carom_node apply(carom_graph *graph, carom_op op, carom_node a, carom_node b, carom_node c)
{
    const int arity = carom_op_arity(op);
    return arity == 1   ? carom_unary(graph, op, a)
           : arity == 2 ? carom_binary(graph, op, a, b)
                        : carom_select(graph, a, b, c);
}

static void test_every_operation_against_differences(void **state)
{
    (void)state;
    carom_random random = {.state = 11};
    for (int op = CAROM_OP_ADD; op < CAROM_OP_TABLE; op++)
        for (int trial = 0; trial < 20; trial++) {
            sample at;
            do
                at = random_sample(&random);
            while (!is_tame((carom_op)op, at.q[0], at.q[1]) ||
                   !is_tame((carom_op)op, at.q[0], at.q[0] * at.t));
            carom_graph *graph = carom_graph_create(0);
            const carom_node a = coordinate(graph, 0), b = coordinate(graph, 1), c = coordinate(graph, 2);
            check_first_derivatives(graph, apply(graph, (carom_op)op, a, b, c), &at, &random, 1e-12);
            /* the same leaf in both operands */
            const carom_node moving =
                carom_binary(graph, CAROM_OP_MUL, a, carom_leaf(graph, CAROM_OP_TIME, 0));
            check_first_derivatives(graph, apply(graph, (carom_op)op, a, moving, b), &at, &random, 1e-12);
            carom_graph_free(graph);
        }
}

static void test_random_expressions_against_differences(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 60; seed++) {
        carom_random random = {.state = seed};
        const sample at = random_sample(&random);
        carom_graph *graph = carom_graph_create(0);
        const carom_node node = random_expression(graph, &random, &at, 1 + (int)(seed % 8));
        check_first_derivatives(graph, node, &at, &random, 1e-10);
        assert_int_equal(carom_graph_status(graph, NULL), CAROM_OK);
        carom_graph_free(graph);
    }
}

static void test_hessian_is_the_derivative_of_the_gradient_and_symmetric(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 40; seed++) {
        carom_random random = {.state = 1000 + seed};
        const sample at = random_sample(&random);
        carom_graph *graph = carom_graph_create(0);
        const carom_node node = random_expression(graph, &random, &at, 1 + (int)(seed % 6));
        carom_node leaf[LEAVES], gradient[LEAVES], hv[LEAVES], hw[LEAVES], v[LEAVES], w[LEAVES];
        double v_value[LEAVES], w_value[LEAVES];
        take_leaves(graph, leaf);
        for (int i = 0; i < LEAVES; i++) {
            v[i] = carom_constant(graph, v_value[i] = carom_random_uniform(&random, -1.0, 1.0));
            w[i] = carom_constant(graph, w_value[i] = carom_random_uniform(&random, -1.0, 1.0));
        }
        carom_gradient(graph, node, LEAVES, leaf, gradient);
        carom_hessian_vector(graph, node, LEAVES, leaf, v, hv);
        carom_hessian_vector(graph, node, LEAVES, leaf, w, hw);
        double vhw = 0.0, whv = 0.0, size = 1.0;
        for (int i = 0; i < LEAVES; i++) {
            const long double expected = difference_along(graph, gradient[i], &at, LEAVES, leaf, v_value);
            const double value = tape_value(graph, hv[i], &at);
            assert_true(relative_error(value, expected) <= 1e-9);
            vhw += v_value[i] * tape_value(graph, hw[i], &at);
            whv += w_value[i] * value;
            size = fmax(size, fabs(value));
        }
        assert_true(fabs(vhw - whv) <= 1e-11 * size);
        carom_graph_free(graph);
    }
}

static void test_jacobian_has_the_gradients_as_rows(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node x[2] = {coordinate(graph, 0), coordinate(graph, 1)};
    const carom_node f[2] = {carom_binary(graph, CAROM_OP_MUL, x[0], x[1]),
                             carom_unary(graph, CAROM_OP_SIN, x[1])};
    carom_node jacobian[4];
    carom_jacobian(graph, 2, f, 2, x, jacobian);
    assert_int_equal(jacobian[0], x[1]);
    assert_int_equal(jacobian[1], x[0]);
    assert_int_equal(jacobian[2], carom_constant(graph, 0.0));
    assert_int_equal(jacobian[3], carom_unary(graph, CAROM_OP_COS, x[1]));
    carom_graph_free(graph);
}

/* ---- time derivative ------------------------------------------------------------------------- */

/* q(t) = q + u s + acceleration s^2 / 2 around the sample's time. */
typedef struct motion {
    const carom_graph *graph;
    carom_node node;
    const sample *start;
} motion;

static long double on_motion(void *context, long double s)
{
    static const long double acceleration[SAMPLE_SIZE] = {0.7L, -1.3L, 2.1L};
    const motion *m = context;
    sample moved = *m->start;
    moved.t += s;
    for (int i = 0; i < SAMPLE_SIZE; i++)
        moved.q[i] += moved.u[i] * s + acceleration[i] * s * s / 2.0L;
    return reference_value(m->graph, m->node, &moved);
}

static void test_time_derivative_is_the_rate_along_a_motion(void **state)
{
    (void)state;
    int checked = 0;
    for (unsigned seed = 0; seed < 80; seed++) {
        carom_random random = {.state = 5000 + seed};
        const sample at = random_sample(&random);
        carom_graph *graph = carom_graph_create(0);
        const carom_node node = random_expression(graph, &random, &at, 1 + (int)(seed % 5));
        const carom_node rate = carom_time_derivative(graph, node);
        if (carom_node_depends(graph, node) & CAROM_ON_VELOCITY) {
            assert_int_equal(rate, CAROM_NO_NODE); /* accelerations are not symbols */
        } else {
            motion m = {graph, node, &at};
            const long double expected = difference(on_motion, &m, 0x1p-8L);
            assert_true(relative_error(tape_value(graph, rate, &at), expected) <= 1e-11);
            checked++;
        }
        carom_graph_free(graph);
    }
    assert_true(checked > 20);
}

/* The sparse gradient is the full one without its zeros, node by node. */
static void test_rows_are_gradients_without_zeros(void **state)
{
    (void)state;
    int entries = 0, zeros = 0;
    for (unsigned seed = 0; seed < 200; seed++) {
        carom_random random = {.state = 900 + seed};
        const sample at = random_sample(&random);
        carom_graph *graph = carom_graph_create(0);
        carom_arena *arena = carom_arena_create();
        const carom_node node = random_expression(graph, &random, &at, 1 + (int)(seed % 6));
        for (int kind = 0; kind < 2; kind++) {
            const carom_op op = kind ? CAROM_OP_VELOCITY : CAROM_OP_COORDINATE;
            carom_node leaf[SAMPLE_SIZE], full[SAMPLE_SIZE];
            carom_node_row row;
            for (int i = 0; i < SAMPLE_SIZE; i++)
                leaf[i] = carom_leaf(graph, op, i);
            assert_true(carom_gradient_row(graph, node, op, arena, &row));
            carom_gradient(graph, node, SAMPLE_SIZE, leaf, full);
            int next = 0;
            for (int i = 0; i < SAMPLE_SIZE; i++) {
                double value;
                if (carom_node_is_constant(graph, full[i], &value) && value == 0.0) {
                    zeros++;
                    continue;
                }
                assert_true(next < row.count && row.entry[next].index == i);
                assert_int_equal(row.entry[next++].node, full[i]);
                entries++;
            }
            assert_int_equal(next, row.count);
        }
        carom_arena_free(arena);
        carom_graph_free(graph);
    }
    assert_true(entries > 100 && zeros > 100);
}

/* Of n terms that share nothing: each row costs what its own expression costs, and has its own columns only. */
static void test_rows_of_a_chain_have_three_entries(void **state)
{
    (void)state;
    enum {
        SIZE = 3000
    };
    carom_graph *graph = carom_graph_create(0);
    carom_arena *arena = carom_arena_create();
    carom_node energy = carom_constant(graph, 0.0);
    for (int i = 0; i + 1 < SIZE; i++) {
        const carom_node stretch =
            carom_binary(graph, CAROM_OP_SUB, coordinate(graph, i + 1), coordinate(graph, i));
        energy = carom_binary(graph, CAROM_OP_ADD, energy,
                              carom_binary(graph, CAROM_OP_POW, stretch, carom_constant(graph, 4.0)));
    }
    carom_node_row slope, row;
    assert_true(carom_gradient_row(graph, energy, CAROM_OP_COORDINATE, arena, &slope));
    assert_int_equal(slope.count, SIZE);
    const int before = carom_graph_size(graph);
    for (int i = 0; i < SIZE; i++) {
        assert_int_equal(slope.entry[i].index, i);
        assert_true(carom_gradient_row(graph, slope.entry[i].node, CAROM_OP_COORDINATE, arena, &row));
        const int first = i > 0 ? i - 1 : 0, last = i + 1 < SIZE ? i + 1 : i;
        assert_int_equal(row.count, last - first + 1);
        for (int k = 0; k < row.count; k++)
            assert_int_equal(row.entry[k].index, first + k);
    }
    assert_true(carom_graph_size(graph) - before < 40 * SIZE);
    assert_false(carom_gradient_row(graph, CAROM_NO_NODE, CAROM_OP_COORDINATE, arena, &row));
    carom_arena_free(arena);
    carom_graph_free(graph);
}

static void test_time_derivative_of_leaves(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node q = coordinate(graph, 1);
    assert_int_equal(carom_time_derivative(graph, q), carom_leaf(graph, CAROM_OP_VELOCITY, 1));
    assert_int_equal(carom_time_derivative(graph, carom_leaf(graph, CAROM_OP_TIME, 0)),
                     carom_constant(graph, 1.0));
    assert_int_equal(carom_time_derivative(graph, carom_leaf(graph, CAROM_OP_PARAMETER, 0)),
                     carom_constant(graph, 0.0));
    assert_int_equal(carom_time_derivative(graph, carom_leaf(graph, CAROM_OP_IMPULSE, 0)), CAROM_NO_NODE);
    assert_int_equal(carom_time_derivative(graph, CAROM_NO_NODE), CAROM_NO_NODE);
    carom_graph_free(graph);
}

/* ---- selections ------------------------------------------------------------------------------ */

/* First and second derivative by q0, each by gradients and by directions, must all be `first` and `second`.
 */
static void check_scalar_derivatives(carom_graph *graph, carom_node node, double q0, double first,
                                     double second)
{
    const carom_node x = coordinate(graph, 0), one = carom_constant(graph, 1.0);
    const sample at = {.q = {(long double)q0, 1.0L, 1.0L}};
    carom_node by[2], twice[4];
    carom_gradient(graph, node, 1, &x, &by[0]);
    carom_directional(graph, 1, &node, 1, &x, &one, &by[1]);
    for (int i = 0; i < 2; i++) {
        assert_near(tape_value(graph, by[i], &at), first, 1e-14);
        carom_gradient(graph, by[i], 1, &x, &twice[2 * i]);
        carom_directional(graph, 1, &by[i], 1, &x, &one, &twice[2 * i + 1]);
    }
    for (int i = 0; i < 4; i++)
        assert_near(tape_value(graph, twice[i], &at), second, 1e-14);
}

static void test_the_branch_not_taken_gives_no_nan(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node x = coordinate(graph, 0), zero = carom_constant(graph, 0.0);
    const carom_node root = carom_unary(graph, CAROM_OP_SQRT, x);
    const carom_node selected = carom_select(graph, x, root, zero);
    check_scalar_derivatives(graph, selected, -1.0, 0.0, 0.0);
    check_scalar_derivatives(graph, selected, 4.0, 0.25, -1.0 / 32.0);
    const carom_node other = carom_select(graph, carom_unary(graph, CAROM_OP_NEG, x), zero, root);
    check_scalar_derivatives(graph, other, -1.0, 0.0, 0.0);
    check_scalar_derivatives(graph, other, 4.0, 0.25, -1.0 / 32.0);
    /* the root used twice, so that two shares of its adjoint are added */
    const carom_node both =
        carom_binary(graph, CAROM_OP_ADD, root, carom_binary(graph, CAROM_OP_MUL, x, root));
    const carom_node shared = carom_select(graph, x, both, zero);
    check_scalar_derivatives(graph, shared, -1.0, 0.0, 0.0);
    check_scalar_derivatives(graph, shared, 4.0, 3.25, 0.34375);
    /* log of a negative number in the branch not taken */
    const carom_node logarithm = carom_select(graph, x, carom_unary(graph, CAROM_OP_LOG, x), zero);
    check_scalar_derivatives(graph, logarithm, -1.0, 0.0, 0.0);
    check_scalar_derivatives(graph, logarithm, 2.0, 0.5, -0.25);
    carom_graph_free(graph);
}

static void test_functions_of_a_clipped_argument_are_flat_outside(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node x = coordinate(graph, 0), zero = carom_constant(graph, 0.0);
    const carom_node clipped = carom_binary(graph, CAROM_OP_MAX, x, zero);
    check_scalar_derivatives(graph, carom_unary(graph, CAROM_OP_SQRT, clipped), -1.0, 0.0, 0.0);
    /* Hertz contact: max(x, 0)^1.5, whose second derivative is infinite at 0 */
    const carom_node hertz = carom_binary(graph, CAROM_OP_POW, clipped, carom_constant(graph, 1.5));
    check_scalar_derivatives(graph, hertz, -2.0, 0.0, 0.0);
    check_scalar_derivatives(graph, hertz, 4.0, 3.0, 0.375);
    /* and with a factor, so that the adjoint is a product of selections */
    const carom_node twice =
        carom_binary(graph, CAROM_OP_MUL, carom_binary(graph, CAROM_OP_MUL, x, x), hertz);
    check_scalar_derivatives(graph, twice, -2.0, 0.0, 0.0);
    const carom_node below = carom_binary(graph, CAROM_OP_MIN, x, zero);
    check_scalar_derivatives(graph, carom_binary(graph, CAROM_OP_MUL, below, below), 3.0, 0.0, 0.0);
    check_scalar_derivatives(graph, carom_binary(graph, CAROM_OP_MUL, below, below), -3.0, -6.0, 2.0);
    carom_graph_free(graph);
}

static void test_min_max_abs_and_sign_take_the_active_side(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node x = coordinate(graph, 0), square = carom_binary(graph, CAROM_OP_MUL, x, x);
    check_scalar_derivatives(graph, carom_binary(graph, CAROM_OP_MIN, x, square), 3.0, 1.0, 0.0);
    check_scalar_derivatives(graph, carom_binary(graph, CAROM_OP_MIN, x, square), 0.25, 0.5, 2.0);
    check_scalar_derivatives(graph, carom_binary(graph, CAROM_OP_MAX, x, square), 3.0, 6.0, 2.0);
    check_scalar_derivatives(graph, carom_binary(graph, CAROM_OP_MAX, x, square), 0.25, 1.0, 0.0);
    check_scalar_derivatives(graph, carom_unary(graph, CAROM_OP_ABS, x), -3.0, -1.0, 0.0);
    check_scalar_derivatives(graph, carom_unary(graph, CAROM_OP_ABS, x), 0.0, 0.0, 0.0);
    check_scalar_derivatives(graph, carom_unary(graph, CAROM_OP_SIGN, x), -3.0, 0.0, 0.0);
    /* where min's operands are equal, value and slope come from the same operand */
    check_scalar_derivatives(graph, carom_binary(graph, CAROM_OP_MIN, x, square), 1.0, 2.0, 2.0);
    carom_graph_free(graph);
}

/* ---- cost and failures ----------------------------------------------------------------------- */

static void test_gradient_costs_a_small_multiple_of_the_expression(void **state)
{
    (void)state;
    enum {
        OPERATIONS = 1000
    };
    carom_graph *graph = carom_graph_create(0);
    carom_node x[SAMPLE_SIZE], gradient[SAMPLE_SIZE];
    for (int i = 0; i < SAMPLE_SIZE; i++)
        x[i] = coordinate(graph, i);
    carom_node chain = x[0];
    for (int i = 0; i < OPERATIONS; i++)
        chain = i % 3 == 0   ? carom_unary(graph, CAROM_OP_SIN, chain)
                : i % 3 == 1 ? carom_binary(graph, CAROM_OP_MUL, chain, x[i % SAMPLE_SIZE])
                             : carom_binary(graph, CAROM_OP_ADD, chain, x[(i / 3) % SAMPLE_SIZE]);
    const int size = carom_graph_size(graph);
    assert_in_range(size, OPERATIONS, OPERATIONS + 10);
    carom_gradient(graph, chain, SAMPLE_SIZE, x, gradient);
    assert_in_range(carom_graph_size(graph) - size, OPERATIONS, 3 * OPERATIONS);
    /* again: everything is there already */
    const int after = carom_graph_size(graph);
    carom_gradient(graph, chain, SAMPLE_SIZE, x, gradient);
    assert_int_equal(carom_graph_size(graph), after);
    carom_graph_free(graph);
}

static void test_nested_selections_do_not_explode(void **state)
{
    (void)state;
    enum {
        OPERATIONS = 1000
    };
    carom_graph *graph = carom_graph_create(0);
    const carom_node x = coordinate(graph, 0), y = coordinate(graph, 1);
    carom_node chain = x, gradient[2];
    for (int i = 0; i < OPERATIONS; i++)
        chain = i % 2 ? carom_binary(graph, CAROM_OP_MAX, chain, carom_constant(graph, -1.0 - i))
                      : carom_binary(graph, CAROM_OP_MUL, chain, y);
    const int size = carom_graph_size(graph);
    const carom_node wrt[2] = {x, y};
    carom_gradient(graph, chain, 2, wrt, gradient);
    assert_true(carom_graph_size(graph) - size <= 20 * OPERATIONS);
    carom_graph_free(graph);
}

static void test_leaves_that_do_not_occur_have_zero_gradient(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node x = coordinate(graph, 0);
    const carom_node wrt[4] = {coordinate(graph, 1), x, carom_leaf(graph, CAROM_OP_TIME, 0), x};
    carom_node gradient[4], along;
    carom_gradient(graph, carom_unary(graph, CAROM_OP_EXP, x), 4, wrt, gradient);
    assert_int_equal(gradient[0], carom_constant(graph, 0.0));
    assert_int_equal(gradient[1], carom_unary(graph, CAROM_OP_EXP, x));
    assert_int_equal(gradient[2], carom_constant(graph, 0.0));
    assert_int_equal(gradient[3], gradient[1]); /* the same leaf twice */
    carom_gradient(graph, carom_constant(graph, 3.0), 1, &x, gradient);
    assert_int_equal(gradient[0], carom_constant(graph, 0.0));
    carom_gradient(graph, x, 1, &x, gradient);
    assert_int_equal(gradient[0], carom_constant(graph, 1.0));
    const carom_node constant = carom_constant(graph, 3.0);
    carom_directional(graph, 1, &constant, 1, &x, &x, &along);
    assert_int_equal(along, carom_constant(graph, 0.0));
    carom_graph_free(graph);
}

static void test_kinks_are_found_where_the_mask_says(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node x = coordinate(graph, 0), u = carom_leaf(graph, CAROM_OP_VELOCITY, 0);
    const carom_node t = carom_leaf(graph, CAROM_OP_TIME, 0);
    const carom_node smooth = carom_binary(graph, CAROM_OP_ADD, carom_unary(graph, CAROM_OP_SIN, x), u);
    const carom_node jump = carom_binary(graph, CAROM_OP_ADD, smooth, carom_unary(graph, CAROM_OP_SIGN, u));
    const carom_node timed = carom_binary(graph, CAROM_OP_ADD, smooth, carom_unary(graph, CAROM_OP_ABS, t));
    const carom_node both[] = {smooth, jump};
    assert_false(carom_has_kinks(graph, 1, &smooth, CAROM_ON_COORDINATE | CAROM_ON_VELOCITY));
    assert_true(carom_has_kinks(graph, 1, &jump, CAROM_ON_COORDINATE | CAROM_ON_VELOCITY));
    assert_true(carom_has_kinks(graph, 2, both, CAROM_ON_VELOCITY));
    assert_false(carom_has_kinks(graph, 1, &jump, CAROM_ON_COORDINATE));
    assert_false(carom_has_kinks(graph, 1, &timed, CAROM_ON_COORDINATE | CAROM_ON_VELOCITY));
    assert_true(carom_has_kinks(graph, 1, &timed, CAROM_ON_TIME));
    const carom_node clipped = carom_binary(graph, CAROM_OP_MAX, x, t);
    assert_true(carom_has_kinks(graph, 1, &clipped, CAROM_ON_COORDINATE));
    carom_graph_free(graph);
}

static void test_no_node_gives_no_node(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node x = coordinate(graph, 0), none = CAROM_NO_NODE;
    carom_node result = 7;
    carom_gradient(graph, none, 1, &x, &result);
    assert_int_equal(result, CAROM_NO_NODE);
    result = 7;
    carom_gradient(graph, x, 1, &none, &result);
    assert_int_equal(result, CAROM_NO_NODE);
    carom_directional(graph, 1, &none, 1, &x, &x, &result);
    assert_int_equal(result, CAROM_NO_NODE);
    carom_directional(graph, 1, &x, 1, &x, &none, &result);
    assert_int_equal(result, CAROM_NO_NODE);
    carom_hessian_vector(graph, none, 1, &x, &x, &result);
    assert_int_equal(result, CAROM_NO_NODE);
    carom_graph_free(graph);
}

static void test_a_gradient_that_does_not_fit_says_so(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(12);
    const carom_node x = coordinate(graph, 0);
    carom_node chain = x, gradient = 7;
    for (int i = 0; i < 9; i++)
        chain = carom_unary(graph, i % 2 ? CAROM_OP_EXP : CAROM_OP_ATAN, chain);
    assert_true(chain >= 0);
    carom_gradient(graph, chain, 1, &x, &gradient);
    assert_int_equal(gradient, CAROM_NO_NODE);
    carom_error error;
    assert_int_equal(carom_graph_status(graph, &error), CAROM_BAD_INPUT);
    carom_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_operation_against_differences),
        cmocka_unit_test(test_random_expressions_against_differences),
        cmocka_unit_test(test_hessian_is_the_derivative_of_the_gradient_and_symmetric),
        cmocka_unit_test(test_jacobian_has_the_gradients_as_rows),
        cmocka_unit_test(test_time_derivative_is_the_rate_along_a_motion),
        cmocka_unit_test(test_rows_are_gradients_without_zeros),
        cmocka_unit_test(test_rows_of_a_chain_have_three_entries),
        cmocka_unit_test(test_time_derivative_of_leaves),
        cmocka_unit_test(test_the_branch_not_taken_gives_no_nan),
        cmocka_unit_test(test_functions_of_a_clipped_argument_are_flat_outside),
        cmocka_unit_test(test_min_max_abs_and_sign_take_the_active_side),
        cmocka_unit_test(test_gradient_costs_a_small_multiple_of_the_expression),
        cmocka_unit_test(test_nested_selections_do_not_explode),
        cmocka_unit_test(test_leaves_that_do_not_occur_have_zero_gradient),
        cmocka_unit_test(test_kinks_are_found_where_the_mask_says),
        cmocka_unit_test(test_no_node_gives_no_node),
        cmocka_unit_test(test_a_gradient_that_does_not_fit_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
