/* Tables: values, exact derivatives and integrals, on their own, in graphs and in tapes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/expr.h"
#include "test/near.h"

enum {
    MANY = 10000
};

static carom_table *table_of(int count, const double *x, const double *y, bool smooth,
                             carom_table_outside outside)
{
    const carom_table_spec spec = {count, x, y, smooth, outside};
    carom_table *table = NULL;
    carom_error error = {0};
    if (carom_table_create(&spec, &table, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return table;
}

/* Integral by Gauss's rule with three points on many parts of each interval: exact for polynomials of degree 5. */
static double integral_by_rule(const carom_table *table, int order, int count, const double *x, double to)
{
    static const double node[] = {-0.7745966692414834, 0.0, 0.7745966692414834};
    static const double weight[] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
    double sum = 0.0;
    for (int i = 0; i < count && x[i] < to; i++) {
        const double end = i + 1 < count && x[i + 1] < to ? x[i + 1] : to, half = 0.5 * (end - x[i]);
        for (int k = 0; k < 3; k++)
            sum += half * weight[k] * carom_table_value(table, order, x[i] + half * (1.0 + node[k]));
    }
    return sum;
}

static const double X[] = {-1.0, 0.0, 0.5, 2.0, 2.25, 5.0}, Y[] = {3.0, 1.0, 1.0, 4.0, 3.0, 3.5};

enum {
    POINTS = sizeof X / sizeof *X
};

static void test_lines(void **unused)
{
    (void)unused;
    carom_table *table = table_of(POINTS, X, Y, false, CAROM_OUTSIDE_HOLD);
    for (int i = 0; i < POINTS; i++)
        assert_near(carom_table_value(table, 0, X[i]), Y[i], 1e-15);
    for (double x = -1.0; x <= 5.0; x += 0.01) {
        int i = 0;
        while (i < POINTS - 2 && X[i + 1] <= x)
            i++;
        const double slope = (Y[i + 1] - Y[i]) / (X[i + 1] - X[i]);
        assert_near(carom_table_value(table, 0, x), Y[i] + slope * (x - X[i]), 1e-14);
        assert_near(carom_table_value(table, 1, x), slope, 1e-14);
        assert_near(carom_table_value(table, 2, x), 0.0, 0.0);
    }
    assert_near(carom_table_value(table, -1, 0.0), 2.0, 1e-15); /* a trapezium */
    carom_table_free(table);
}

/* Orders -2 to 3 belong together, inside and outside. */
static void test_orders(void **unused)
{
    (void)unused;
    for (int smooth = 0; smooth < 2; smooth++) {
        carom_table *table = table_of(POINTS, X, Y, smooth, CAROM_OUTSIDE_HOLD);
        for (double x = -1.98; x < 7.0; x += 0.05) {
            for (int order = -2; order < 0 && x > -1.0; order++)
                assert_near(carom_table_value(table, order, x),
                            integral_by_rule(table, order + 1, POINTS, X, x), 1e-13);
            const double step = 1e-4;
            for (int order = -2; order < 3; order++)
                assert_near(
                    (carom_table_value(table, order, x + step) - carom_table_value(table, order, x - step)) /
                        (2 * step),
                    carom_table_value(table, order + 1, x), 1e-5 * (1 + 1e3 * (order == 2)));
        }
        assert_near(carom_table_value(table, 0, -3.0), 3.0, 0.0);
        assert_near(carom_table_value(table, -1, -3.0), -6.0, 1e-15);
        assert_near(carom_table_value(table, 0, 9.0), 3.5, 0.0);
        assert_near(carom_table_value(table, 1, 9.0), 0.0, 0.0);
        carom_table_free(table);
    }
}

/* C^1, through the points, without extremes between them. */
static void test_smooth(void **unused)
{
    (void)unused;
    carom_table *table = table_of(POINTS, X, Y, true, CAROM_OUTSIDE_HOLD);
    for (int i = 0; i < POINTS; i++)
        assert_near(carom_table_value(table, 0, X[i]), Y[i], 1e-14);
    for (int i = 1; i < POINTS - 1; i++)
        assert_near(carom_table_value(table, 1, X[i] - 1e-12), carom_table_value(table, 1, X[i]), 1e-9);
    for (int i = 0; i < POINTS - 1; i++)
        for (double s = 0.0; s <= 1.0; s += 0.01) {
            const double value = carom_table_value(table, 0, X[i] + s * (X[i + 1] - X[i]));
            assert_true(value >= fmin(Y[i], Y[i + 1]) - 1e-14 && value <= fmax(Y[i], Y[i + 1]) + 1e-14);
        }
    carom_table_free(table);
    /* lines are met exactly */
    const double x[] = {0.0, 1.0, 3.0}, y[] = {2.0, 4.0, 8.0};
    table = table_of(3, x, y, true, CAROM_OUTSIDE_HOLD);
    assert_near(carom_table_value(table, 0, 2.2), 6.4, 1e-14);
    assert_near(carom_table_value(table, 1, 0.3), 2.0, 1e-14);
    carom_table_free(table);
}

static void test_outside(void **unused)
{
    (void)unused;
    carom_table *table = table_of(POINTS, X, Y, false, CAROM_OUTSIDE_ZERO);
    assert_near(carom_table_value(table, 0, -1.5), 0.0, 0.0);
    assert_near(carom_table_value(table, 0, 5.5), 0.0, 0.0);
    assert_near(carom_table_value(table, 0, 5.0), 3.5, 1e-15);
    assert_near(carom_table_value(table, -1, 7.5), carom_table_value(table, -1, 5.0), 1e-14);
    assert_near(carom_table_value(table, -2, 7.0),
                carom_table_value(table, -2, 5.0) + 2.0 * carom_table_value(table, -1, 5.0), 1e-13);
    carom_table_free(table);
    table = table_of(POINTS, X, Y, false, CAROM_OUTSIDE_NONE);
    for (int order = -2; order < 2; order++) {
        assert_true(isnan(carom_table_value(table, order, -1.1)));
        assert_true(isnan(carom_table_value(table, order, 5.1)));
        assert_true(isfinite(carom_table_value(table, order, 5.0)));
        assert_true(isnan(carom_table_value(table, order, NAN)));
    }
    carom_table_free(table);
}

/* Large tables with equal and with very unequal intervals: the right interval everywhere. */
static void test_large(void **unused)
{
    (void)unused;
    static double x[MANY], y[MANY];
    for (int kind = 0; kind < 2; kind++) {
        for (int i = 0; i < MANY; i++) {
            x[i] = kind == 0 ? 0.01 * i : exp(0.01 * i) - 1.0;
            y[i] = sin(0.05 * i);
        }
        carom_table *table = table_of(MANY, x, y, false, CAROM_OUTSIDE_HOLD);
        for (int i = 0; i < MANY - 1; i++) {
            assert_near(carom_table_value(table, 0, x[i]), y[i], 0.0);
            const double middle = x[i] + 0.5 * (x[i + 1] - x[i]), below = nextafter(x[i + 1], x[i]);
            assert_near(carom_table_value(table, 0, middle), 0.5 * (y[i] + y[i + 1]), 1e-12);
            assert_near(carom_table_value(table, 0, below), y[i + 1], 1e-9);
        }
        carom_table_free(table);
    }
}

/* In a graph: folded, shared, differentiated; in a tape that outlives the graph. */
static void test_nodes(void **unused)
{
    (void)unused;
    carom_graph *graph = carom_graph_create(0);
    carom_table *smooth = table_of(POINTS, X, Y, true, CAROM_OUTSIDE_HOLD),
                *lines = table_of(POINTS, X, Y, false, CAROM_OUTSIDE_HOLD);
    const carom_node q = carom_leaf(graph, CAROM_OP_COORDINATE, 0),
                     p = carom_leaf(graph, CAROM_OP_PARAMETER, 0);
    const carom_node square = carom_binary(graph, CAROM_OP_MUL, q, q);
    const carom_node f = carom_lookup(graph, smooth, 0, square);
    assert_int_equal(carom_node_op(graph, f), CAROM_OP_TABLE);
    assert_int_equal(carom_node_depends(graph, f), CAROM_ON_COORDINATE);
    assert_int_equal(carom_lookup(graph, smooth, 0, square), f);
    assert_int_not_equal(carom_lookup(graph, smooth, 1, square), f);
    assert_int_not_equal(carom_lookup(graph, lines, 0, square), f);
    assert_int_equal(carom_unary(graph, CAROM_OP_TABLE, q), CAROM_NO_NODE);
    assert_int_equal(carom_lookup(graph, smooth, -3, q), CAROM_NO_NODE);
    double value = 0.0;
    assert_true(
        carom_node_is_constant(graph, carom_lookup(graph, lines, 0, carom_constant(graph, 1.25)), &value));
    assert_near(value, 2.5, 1e-15);
    assert_true(carom_node_is_constant(graph, carom_lookup(graph, lines, 2, q), &value));
    assert_near(value, 0.0, 0.0);
    const carom_node integral = carom_lookup(graph, lines, -1, q);
    assert_true(carom_has_kinks(graph, 1, &f, CAROM_ON_COORDINATE));
    assert_false(carom_has_kinks(graph, 1, &integral, CAROM_ON_COORDINATE));
    carom_node first, second, slope;
    carom_gradient(graph, f, 1, &q, &first);
    carom_gradient(graph, first, 1, &q, &second);
    carom_gradient(graph, integral, 1, &q, &slope);
    assert_int_equal(slope, carom_lookup(graph, lines, 0, q));
    const carom_node replaced = carom_substitute(graph, f, 1, &q, &p);
    assert_int_equal(carom_node_depends(graph, replaced), CAROM_ON_PARAMETER);
    const carom_node output[] = {f, first, second, integral, replaced};
    carom_tape *tape = carom_tape_compile(graph, 5, output);
    assert_non_null(tape);
    carom_graph_free(graph);
    carom_table_free(lines);
    double *work = calloc(carom_tape_work_size(tape), sizeof *work), found[5];
    const double parameter = 1.1;
    carom_tape_bind(tape, &parameter, work);
    for (double at = -2.3; at < 2.4; at += 0.1) {
        carom_tape_evaluate(tape, work, &(carom_inputs){.q = &at}, found);
        const double x = at * at, d1 = carom_table_value(smooth, 1, x), d2 = carom_table_value(smooth, 2, x);
        assert_near(found[0], carom_table_value(smooth, 0, x), 0.0);
        assert_near(found[1], 2 * at * d1, 1e-13);
        assert_near(found[2], 2 * d1 + 4 * x * d2, 1e-12);
        assert_near(found[4], carom_table_value(smooth, 0, 1.21), 1e-14);
    }
    free(work);
    carom_tape_free(tape);
    carom_table_free(smooth);
}

static void refused(int count, const double *x, const double *y, const char *word)
{
    carom_table *table = (carom_table *)&count;
    carom_error error = {0};
    assert_int_equal(
        carom_table_create(&(carom_table_spec){count, x, y, true, CAROM_OUTSIDE_HOLD}, &table, &error),
        CAROM_BAD_INPUT);
    assert_null(table);
    if (!strstr(error.text, word))
        fail_msg("'%s' lacks '%s'", error.text, word);
}

static void test_refused(void **unused)
{
    (void)unused;
    const double good[] = {0.0, 1.0, 2.0}, turns[] = {0.0, 1.0, 1.0}, none[] = {0.0, NAN, 1.0};
    const double close[] = {0.0, 1e-320, 1.0}, huge[] = {-1e308, 1e308, 0.0};
    refused(1, good, good, "two points at least; it has 1");
    refused(3, turns, good, "entry 3");
    refused(3, good, none, "entry 2");
    refused(3, close, good, "too close");
    refused(3, good, huge, "too large");
    carom_table_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),   cmocka_unit_test(test_orders), cmocka_unit_test(test_smooth),
        cmocka_unit_test(test_outside), cmocka_unit_test(test_large),  cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
