#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "reference.h"

/* A graph with three symbols, fresh for each test. */
typedef struct fixture {
    carom_graph *graph;
    carom_node x, y, p;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    f.graph = carom_graph_create(0);
    f.x = carom_leaf(f.graph, CAROM_OP_COORDINATE, 0);
    f.y = carom_leaf(f.graph, CAROM_OP_COORDINATE, 1);
    f.p = carom_leaf(f.graph, CAROM_OP_PARAMETER, 0);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    carom_graph_free(((fixture *)*state)->graph);
    return 0;
}

static carom_node number(const fixture *f, double value)
{
    return carom_constant(f->graph, value);
}

static carom_node add(const fixture *f, carom_node a, carom_node b)
{
    return carom_binary(f->graph, CAROM_OP_ADD, a, b);
}

static carom_node subtract(const fixture *f, carom_node a, carom_node b)
{
    return carom_binary(f->graph, CAROM_OP_SUB, a, b);
}

static carom_node multiply(const fixture *f, carom_node a, carom_node b)
{
    return carom_binary(f->graph, CAROM_OP_MUL, a, b);
}

static carom_node divide(const fixture *f, carom_node a, carom_node b)
{
    return carom_binary(f->graph, CAROM_OP_DIV, a, b);
}

static carom_node power(const fixture *f, carom_node a, double exponent)
{
    return carom_binary(f->graph, CAROM_OP_POW, a, number(f, exponent));
}

static carom_node negate(const fixture *f, carom_node a)
{
    return carom_unary(f->graph, CAROM_OP_NEG, a);
}

/* ---- leaves and descriptions ------------------------------------------------------------------- */

static void test_leaves_tell_what_they_are(void **state)
{
    const fixture *f = *state;
    static const struct {
        carom_op op;
        unsigned depends;
    } kinds[] = {{CAROM_OP_PARAMETER, CAROM_ON_PARAMETER},   {CAROM_OP_TIME, CAROM_ON_TIME},
                 {CAROM_OP_COORDINATE, CAROM_ON_COORDINATE}, {CAROM_OP_VELOCITY, CAROM_ON_VELOCITY},
                 {CAROM_OP_IMPULSE, CAROM_ON_IMPULSE},       {CAROM_OP_PLACE, CAROM_ON_PLACE},
                 {CAROM_OP_OBSERVED, CAROM_ON_OBSERVED},     {CAROM_OP_ACCELERATION, CAROM_ON_ACCELERATION},
                 {CAROM_OP_MULTIPLIER, CAROM_ON_MULTIPLIER}};
    unsigned all = 0;
    carom_node sum = number(f, 0.0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const int index = kinds[i].op == CAROM_OP_TIME ? 0 : 5;
        const carom_node leaf = carom_leaf(f->graph, kinds[i].op, index);
        assert_int_equal(carom_node_op(f->graph, leaf), kinds[i].op);
        assert_int_equal(carom_node_index(f->graph, leaf), index);
        assert_int_equal(carom_node_depends(f->graph, leaf), kinds[i].depends);
        assert_false(carom_node_is_constant(f->graph, leaf, NULL));
        all |= kinds[i].depends;
        sum = add(f, sum, leaf);
        assert_int_equal(carom_node_depends(f->graph, sum), all);
        assert_int_equal(carom_node_index(f->graph, number(f, 2.0)), -1);
    }
    assert_int_equal(carom_node_index(f->graph, sum), -1);
    assert_int_equal(carom_leaf(f->graph, CAROM_OP_ADD, 0), CAROM_NO_NODE);
    assert_int_equal(carom_leaf(f->graph, CAROM_OP_CONSTANT, 0), CAROM_NO_NODE);
    const carom_node chosen = carom_select(f->graph, carom_leaf(f->graph, CAROM_OP_TIME, 0), f->x, f->p);
    assert_int_equal(carom_node_depends(f->graph, chosen),
                     CAROM_ON_TIME | CAROM_ON_COORDINATE | CAROM_ON_PARAMETER);
    assert_int_equal(carom_node_operand(f->graph, chosen, 1), f->x);
    assert_int_equal(carom_node_operand(f->graph, chosen, 2), f->p);
    assert_int_equal(carom_node_operand(f->graph, chosen, 3), CAROM_NO_NODE);
    assert_int_equal(carom_node_operand(f->graph, chosen, -1), CAROM_NO_NODE);
    assert_int_equal(carom_node_operand(f->graph, f->x, 0), CAROM_NO_NODE); /* a leaf has an index instead */
}

static void test_every_operation_has_a_name_and_an_arity(void **state)
{
    (void)state;
    for (int op = 0; op < CAROM_OP_COUNT; op++) {
        assert_non_null(carom_op_name((carom_op)op));
        assert_in_range(carom_op_arity((carom_op)op), 0, 3);
        assert_int_equal(carom_op_arity((carom_op)op) == 0, op < CAROM_OP_ADD);
        for (int other = 0; other < op; other++)
            assert_string_not_equal(carom_op_name((carom_op)op), carom_op_name((carom_op)other));
    }
}

/* ---- sharing --------------------------------------------------------------------------------- */

static void test_equal_expressions_are_one_node(void **state)
{
    const fixture *f = *state;
    assert_int_equal(carom_leaf(f->graph, CAROM_OP_COORDINATE, 0), f->x);
    assert_int_not_equal(f->x, f->y);
    assert_int_equal(number(f, 0.1), number(f, 0.1));
    assert_int_not_equal(number(f, 0.1), number(f, nextafter(0.1, 1.0)));
    assert_int_equal(number(f, 0.0), number(f, -0.0));
    double value;
    assert_true(carom_node_is_constant(f->graph, number(f, -0.0), &value));
    assert_false(signbit(value));
    for (int op = CAROM_OP_ADD; op < CAROM_OP_TABLE; op++) { /* those of tables: test_table.c */
        const int arity = carom_op_arity((carom_op)op);
        carom_node made[2];
        for (int k = 0; k < 2; k++)
            made[k] = arity == 1   ? carom_unary(f->graph, (carom_op)op, f->x)
                      : arity == 2 ? carom_binary(f->graph, (carom_op)op, f->x, f->y)
                                   : carom_select(f->graph, f->x, f->y, f->p);
        assert_int_equal(made[0], made[1]);
        assert_int_equal(carom_node_op(f->graph, made[0]), op);
    }
    const int size = carom_graph_size(f->graph);
    const carom_node a = add(f, multiply(f, f->x, f->y), f->p), b = add(f, multiply(f, f->x, f->y), f->p);
    assert_int_equal(a, b);
    assert_in_range(carom_graph_size(f->graph), size, size + 2);
}

static void test_sums_and_products_do_not_care_about_order(void **state)
{
    const fixture *f = *state;
    assert_int_equal(add(f, f->x, f->y), add(f, f->y, f->x));
    assert_int_equal(multiply(f, f->x, f->y), multiply(f, f->y, f->x));
    assert_int_equal(carom_binary(f->graph, CAROM_OP_HYPOT, f->x, f->y),
                     carom_binary(f->graph, CAROM_OP_HYPOT, f->y, f->x));
    assert_int_not_equal(subtract(f, f->x, f->y), subtract(f, f->y, f->x));
    assert_int_not_equal(divide(f, f->x, f->y), divide(f, f->y, f->x));
    assert_int_not_equal(carom_binary(f->graph, CAROM_OP_ATAN2, f->x, f->y),
                         carom_binary(f->graph, CAROM_OP_ATAN2, f->y, f->x));
}

static void test_sharing_survives_growth(void **state)
{
    const fixture *f = *state;
    enum {
        MANY = 5000
    };
    carom_node first[MANY];
    for (int i = 0; i < MANY; i++)
        first[i] = carom_unary(f->graph, CAROM_OP_SIN, multiply(f, f->x, number(f, 2.0 + i)));
    const int size = carom_graph_size(f->graph);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(first[i],
                         carom_unary(f->graph, CAROM_OP_SIN, multiply(f, number(f, 2.0 + i), f->x)));
    assert_int_equal(carom_graph_size(f->graph), size);
}

/* ---- folding --------------------------------------------------------------------------------- */

static void test_constants_are_folded(void **state)
{
    const fixture *f = *state;
    /* volatile: the compiler computes functions of constants by other means than the library */
    volatile const double a = 0.625, b = 0.375;
    const struct {
        carom_op op;
        double value;
    } expected[] = {
        {CAROM_OP_ADD, a + b},    {CAROM_OP_SUB, a - b},     {CAROM_OP_MUL, a * b},
        {CAROM_OP_DIV, a / b},    {CAROM_OP_POW, pow(a, b)}, {CAROM_OP_ATAN2, atan2(a, b)},
        {CAROM_OP_MIN, b},        {CAROM_OP_MAX, a},         {CAROM_OP_HYPOT, hypot(a, b)},
        {CAROM_OP_NEG, -a},       {CAROM_OP_SQRT, sqrt(a)},  {CAROM_OP_EXP, exp(a)},
        {CAROM_OP_LOG, log(a)},   {CAROM_OP_SIN, sin(a)},    {CAROM_OP_COS, cos(a)},
        {CAROM_OP_TAN, tan(a)},   {CAROM_OP_ASIN, asin(a)},  {CAROM_OP_ACOS, acos(a)},
        {CAROM_OP_ATAN, atan(a)}, {CAROM_OP_SINH, sinh(a)},  {CAROM_OP_COSH, cosh(a)},
        {CAROM_OP_TANH, tanh(a)}, {CAROM_OP_ABS, a},         {CAROM_OP_SIGN, 1.0},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const carom_node folded = carom_op_arity(expected[i].op) == 1
                                      ? carom_unary(f->graph, expected[i].op, number(f, a))
                                      : carom_binary(f->graph, expected[i].op, number(f, a), number(f, b));
        double value = NAN;
        assert_true(carom_node_is_constant(f->graph, folded, &value));
        assert_true(value == expected[i].value);
    }
    assert_int_equal(carom_unary(f->graph, CAROM_OP_SIGN, number(f, -3.0)), number(f, -1.0));
    assert_int_equal(carom_unary(f->graph, CAROM_OP_SIGN, number(f, 0.0)), number(f, 0.0));
    assert_int_equal(carom_select(f->graph, number(f, 1.0), f->x, f->y), f->x);
    assert_int_equal(carom_select(f->graph, number(f, 0.0), f->x, f->y), f->y);
    assert_int_equal(carom_select(f->graph, number(f, -1.0), f->x, f->y), f->y);
}

static void test_a_nan_stays_a_nan(void **state)
{
    const fixture *f = *state;
    const carom_node none = divide(f, number(f, 0.0), number(f, 0.0));
    static const carom_op ops[] = {CAROM_OP_MIN, CAROM_OP_MAX, CAROM_OP_ADD};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        double left = 0.0, right = 0.0;
        assert_true(
            carom_node_is_constant(f->graph, carom_binary(f->graph, ops[i], none, number(f, 1.0)), &left));
        assert_true(
            carom_node_is_constant(f->graph, carom_binary(f->graph, ops[i], number(f, 1.0), none), &right));
        assert_true(isnan(left) && isnan(right));
    }
}

/* ---- simplification -------------------------------------------------------------------------- */

static void test_neutral_elements_vanish(void **state)
{
    const fixture *f = *state;
    const carom_node zero = number(f, 0.0), one = number(f, 1.0), minus = number(f, -1.0);
    assert_int_equal(add(f, f->x, zero), f->x);
    assert_int_equal(add(f, zero, f->x), f->x);
    assert_int_equal(subtract(f, f->x, zero), f->x);
    assert_int_equal(subtract(f, zero, f->x), negate(f, f->x));
    assert_int_equal(subtract(f, f->x, f->x), zero);
    assert_int_equal(multiply(f, f->x, zero), zero);
    assert_int_equal(multiply(f, zero, f->x), zero);
    assert_int_equal(multiply(f, f->x, one), f->x);
    assert_int_equal(multiply(f, one, f->x), f->x);
    assert_int_equal(multiply(f, f->x, minus), negate(f, f->x));
    assert_int_equal(multiply(f, minus, f->x), negate(f, f->x));
    assert_int_equal(divide(f, f->x, one), f->x);
    assert_int_equal(divide(f, zero, f->x), zero);
    assert_int_equal(carom_binary(f->graph, CAROM_OP_MIN, f->x, f->x), f->x);
    assert_int_equal(carom_binary(f->graph, CAROM_OP_MAX, f->x, f->x), f->x);
    assert_int_equal(carom_select(f->graph, f->x, f->y, f->y), f->y);
}

static void test_negations_cancel(void **state)
{
    const fixture *f = *state;
    const carom_node minus_x = negate(f, f->x), minus_y = negate(f, f->y);
    assert_int_equal(negate(f, minus_x), f->x);
    assert_int_equal(add(f, f->x, minus_y), subtract(f, f->x, f->y));
    assert_int_equal(add(f, minus_x, f->y), subtract(f, f->y, f->x));
    assert_int_equal(add(f, f->x, minus_x), number(f, 0.0));
    assert_int_equal(subtract(f, f->x, minus_y), add(f, f->x, f->y));
    assert_int_equal(multiply(f, minus_x, minus_y), multiply(f, f->x, f->y));
}

static void test_small_whole_powers_are_products(void **state)
{
    const fixture *f = *state;
    const carom_node square = multiply(f, f->x, f->x), fourth = multiply(f, square, square);
    assert_int_equal(power(f, f->x, 0.0), number(f, 1.0));
    assert_int_equal(power(f, f->x, 1.0), f->x);
    assert_int_equal(power(f, f->x, 2.0), square);
    assert_int_equal(power(f, f->x, 3.0), multiply(f, f->x, square));
    assert_int_equal(power(f, f->x, 4.0), fourth);
    assert_int_equal(power(f, f->x, 8.0), multiply(f, fourth, fourth));
    assert_int_equal(power(f, f->x, -1.0), divide(f, number(f, 1.0), f->x));
    assert_int_equal(power(f, f->x, -2.0), divide(f, number(f, 1.0), square));
    assert_int_equal(power(f, f->x, 0.5), carom_unary(f->graph, CAROM_OP_SQRT, f->x));
    assert_int_equal(carom_node_op(f->graph, power(f, f->x, 9.0)), CAROM_OP_POW);
    assert_int_equal(carom_node_op(f->graph, power(f, f->x, 1.5)), CAROM_OP_POW);
    const sample at = {.q = {-1.3L}};
    for (int exponent = -8; exponent <= 12; exponent++) {
        const double value = tape_value(f->graph, power(f, f->x, exponent), &at);
        assert_true(fabs(value / pow(-1.3, exponent) - 1.0) <= 1e-14);
    }
}

/* Folding, sharing and simplification must not change values. */
static void test_simplified_expressions_keep_their_value(void **state)
{
    const fixture *f = *state;
    carom_random random = {.state = 3};
    for (int trial = 0; trial < 2000; trial++) {
        const sample at = random_sample(&random);
        const double special[] = {0.0, 1.0, -1.0, 2.0, -2.0, 0.5};
        const carom_node operand[] = {f->x, f->y, negate(f, f->x), negate(f, f->y),
                                      number(f, special[random_below(&random, 6)])};
        const carom_node a = operand[random_below(&random, 5)], b = operand[random_below(&random, 5)];
        const carom_op op =
            (carom_op)(CAROM_OP_ADD + random_below(&random, CAROM_OP_HYPOT - CAROM_OP_ADD + 1));
        const long double expected =
            reference_binary(op, reference_value(f->graph, a, &at), reference_value(f->graph, b, &at));
        if (!isfinite((double)expected)) /* 0/0, and powers of negative numbers */
            continue;
        const double value = tape_value(f->graph, carom_binary(f->graph, op, a, b), &at);
        assert_true(relative_error(value, expected) <= 1e-14);
    }
}

/* ---- limits ---------------------------------------------------------------------------------- */

static void test_the_size_limit_ends_with_an_error(void **state)
{
    (void)state;
    enum {
        LIMIT = 10
    };
    carom_graph *graph = carom_graph_create(LIMIT);
    carom_error error;
    assert_int_equal(carom_graph_status(graph, &error), CAROM_OK);
    carom_node node = carom_leaf(graph, CAROM_OP_COORDINATE, 0);
    int made = 0;
    while (node >= 0 && made < 1000) {
        made++;
        node = carom_unary(graph, CAROM_OP_SIN, node);
    }
    assert_int_equal(made, LIMIT);
    assert_int_equal(node, CAROM_NO_NODE);
    assert_int_equal(carom_graph_size(graph), LIMIT);
    assert_int_equal(carom_graph_status(graph, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "10"));
    assert_int_equal(carom_graph_status(graph, NULL), CAROM_BAD_INPUT);
    /* once failed, always failed */
    assert_int_equal(carom_leaf(graph, CAROM_OP_COORDINATE, 0), CAROM_NO_NODE);
    assert_int_equal(carom_constant(graph, 1.0), CAROM_NO_NODE);
    assert_int_equal(carom_binary(graph, CAROM_OP_ADD, 0, 1), CAROM_NO_NODE);
    assert_int_equal(carom_select(graph, 0, 1, 2), CAROM_NO_NODE);
    assert_int_equal(carom_substitute(graph, 3, 0, NULL, NULL), CAROM_NO_NODE);
    carom_graph_free(graph);
}

static void test_a_full_graph_still_finds_what_it_has(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(2);
    const carom_node x = carom_leaf(graph, CAROM_OP_COORDINATE, 0),
                     sine = carom_unary(graph, CAROM_OP_SIN, x);
    assert_int_equal(carom_unary(graph, CAROM_OP_SIN, x), sine);
    assert_int_equal(carom_graph_status(graph, NULL), CAROM_OK);
    assert_int_equal(carom_unary(graph, CAROM_OP_COS, x), CAROM_NO_NODE);
    assert_int_equal(carom_graph_status(graph, NULL), CAROM_BAD_INPUT);
    carom_graph_free(graph);
}

static void test_no_node_passes_through(void **state)
{
    const fixture *f = *state;
    assert_int_equal(negate(f, CAROM_NO_NODE), CAROM_NO_NODE);
    assert_int_equal(add(f, CAROM_NO_NODE, f->x), CAROM_NO_NODE);
    assert_int_equal(multiply(f, number(f, 0.0), CAROM_NO_NODE), CAROM_NO_NODE);
    assert_int_equal(carom_select(f->graph, f->x, CAROM_NO_NODE, f->y), CAROM_NO_NODE);
    assert_false(carom_node_is_constant(f->graph, CAROM_NO_NODE, NULL));
    assert_int_equal(carom_graph_status(f->graph, NULL), CAROM_OK);
    carom_graph_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_leaves_tell_what_they_are, set_up, tear_down),
        cmocka_unit_test(test_every_operation_has_a_name_and_an_arity),
        cmocka_unit_test_setup_teardown(test_equal_expressions_are_one_node, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sums_and_products_do_not_care_about_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sharing_survives_growth, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_constants_are_folded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_nan_stays_a_nan, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_neutral_elements_vanish, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_negations_cancel, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_small_whole_powers_are_products, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_simplified_expressions_keep_their_value, set_up, tear_down),
        cmocka_unit_test(test_the_size_limit_ends_with_an_error),
        cmocka_unit_test(test_a_full_graph_still_finds_what_it_has),
        cmocka_unit_test_setup_teardown(test_no_node_passes_through, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
