#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "reference.h"

static double *new_work(const carom_tape *tape)
{
    double *work = malloc(carom_tape_work_size(tape) * sizeof *work);
    assert_non_null(work);
    return work;
}

static void test_values_are_those_of_the_graph(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 60; seed++) {
        carom_random random = {.state = 70 + seed};
        const sample at = random_sample(&random);
        carom_graph *graph = carom_graph_create(0);
        const carom_node node = random_expression(graph, &random, &at, 1 + (int)(seed % 8));
        assert_true(relative_error(tape_value(graph, node, &at), reference_value(graph, node, &at)) <= 1e-12);
        carom_graph_free(graph);
    }
}

static void test_one_tape_gives_many_outputs(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node t = carom_leaf(graph, CAROM_OP_TIME, 0), q = carom_leaf(graph, CAROM_OP_COORDINATE, 1);
    const carom_node u = carom_leaf(graph, CAROM_OP_VELOCITY, 0),
                     p = carom_leaf(graph, CAROM_OP_PARAMETER, 2);
    const carom_node r = carom_leaf(graph, CAROM_OP_IMPULSE, 4), x = carom_leaf(graph, CAROM_OP_PLACE, 0),
                     o = carom_leaf(graph, CAROM_OP_OBSERVED, 1);
    const carom_node a = carom_leaf(graph, CAROM_OP_ACCELERATION, 0),
                     l = carom_leaf(graph, CAROM_OP_MULTIPLIER, 2);
    const carom_node output[] = {carom_binary(graph, CAROM_OP_MUL, q, u),
                                 p,
                                 carom_constant(graph, 7.0),
                                 t,
                                 carom_binary(graph, CAROM_OP_MUL, q, u), /* twice the same */
                                 r,
                                 x,
                                 o,
                                 a,
                                 l};
    enum {
        OUTPUTS = sizeof output / sizeof *output
    };
    carom_tape *tape = carom_tape_compile(graph, OUTPUTS, output);
    carom_graph_free(graph); /* the tape does not need it any more */
    assert_int_equal(carom_tape_outputs(tape), OUTPUTS);
    assert_int_equal(carom_tape_length(tape), 1);
    assert_int_equal(carom_tape_depends(tape, 0), CAROM_ON_COORDINATE | CAROM_ON_VELOCITY);
    assert_int_equal(carom_tape_depends(tape, 1), CAROM_ON_PARAMETER);
    assert_int_equal(carom_tape_depends(tape, 2), 0);
    assert_int_equal(carom_tape_depends(tape, 3), CAROM_ON_TIME);
    assert_int_equal(carom_tape_depends(tape, 5), CAROM_ON_IMPULSE);
    assert_int_equal(carom_tape_depends(tape, 6), CAROM_ON_PLACE);
    assert_int_equal(carom_tape_depends(tape, 7), CAROM_ON_OBSERVED);
    double *work = new_work(tape), value[OUTPUTS];
    carom_tape_bind(tape, (const double[]){0, 0, 11.0}, work);
    carom_tape_evaluate(tape, work,
                        &(carom_inputs){.t = 2.5,
                                        .q = (const double[]){0, 3.0},
                                        .u = (const double[]){-4.0},
                                        .impulse = (const double[]){0, 0, 0, 0, 6.0},
                                        .place = 8.5,
                                        .observed = (const double[]){0, 9.5},
                                        .acceleration = (const double[]){1.5},
                                        .multiplier = (const double[]){0, 0, 2.5}},
                        value);
    const double expected[OUTPUTS] = {-12.0, 11.0, 7.0, 2.5, -12.0, 6.0, 8.5, 9.5, 1.5, 2.5};
    assert_memory_equal(value, expected, sizeof expected);
    free(work);
    carom_tape_free(tape);
}

static void test_what_depends_on_parameters_only_is_not_evaluated_again(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node p = carom_leaf(graph, CAROM_OP_PARAMETER, 0),
                     q = carom_leaf(graph, CAROM_OP_COORDINATE, 0);
    carom_node stiff = p;
    for (int i = 0; i < 50; i++)
        stiff = carom_unary(graph, i % 2 ? CAROM_OP_EXP : CAROM_OP_ATAN, stiff);
    const carom_node force = carom_binary(graph, CAROM_OP_MUL, stiff, q);
    carom_tape *tape = carom_tape_compile(graph, 1, &force);
    assert_int_equal(carom_tape_length(tape), 1);
    carom_tape *constant = carom_tape_compile(graph, 1, &stiff);
    assert_int_equal(carom_tape_length(constant), 0);
    assert_int_equal(carom_tape_depends(constant, 0), CAROM_ON_PARAMETER);
    double *work = new_work(tape), *constant_work = new_work(constant), value, factor;
    const double parameter = 0.3, position = 2.0;
    carom_tape_bind(tape, &parameter, work);
    carom_tape_bind(constant, &parameter, constant_work);
    carom_tape_evaluate(tape, work, &(carom_inputs){.q = &position}, &value);
    carom_tape_evaluate(constant, constant_work, &(carom_inputs){0}, &factor);
    const sample at = {.parameter = {0.3L}};
    assert_true(relative_error(factor, reference_value(graph, stiff, &at)) <= 1e-13);
    assert_true(value == 2.0 * factor);
    free(work);
    free(constant_work);
    carom_tape_free(tape);
    carom_tape_free(constant);
    carom_graph_free(graph);
}

static void test_two_works_of_one_tape_do_not_disturb_each_other(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node p = carom_leaf(graph, CAROM_OP_PARAMETER, 0),
                     q = carom_leaf(graph, CAROM_OP_COORDINATE, 0);
    const carom_node node = carom_binary(graph, CAROM_OP_MUL, carom_unary(graph, CAROM_OP_EXP, p), q);
    carom_tape *tape = carom_tape_compile(graph, 1, &node);
    double *work[2] = {new_work(tape), new_work(tape)}, value;
    const double parameter[2] = {0.0, 1.0}, position[3] = {1.0, -2.0, 5.0};
    for (int k = 0; k < 2; k++)
        carom_tape_bind(tape, &parameter[k], work[k]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            carom_tape_evaluate(tape, work[k], &(carom_inputs){.q = &position[i]}, &value);
            assert_true(value == exp(parameter[k]) * position[i]);
        }
    /* a work can be bound again */
    carom_tape_bind(tape, &parameter[1], work[0]);
    carom_tape_evaluate(tape, work[0], &(carom_inputs){.q = &position[0]}, &value);
    assert_true(value == exp(1.0));
    free(work[0]);
    free(work[1]);
    carom_tape_free(tape);
    carom_graph_free(graph);
}

static void test_only_what_is_needed_is_compiled(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node q = carom_leaf(graph, CAROM_OP_COORDINATE, 0);
    carom_node chain = q;
    for (int i = 0; i < 100; i++)
        chain = carom_unary(graph, CAROM_OP_SIN, chain);
    const carom_node node = carom_unary(graph, CAROM_OP_COS, q);
    carom_tape *tape = carom_tape_compile(graph, 1, &node);
    assert_int_equal(carom_tape_length(tape), 1);
    /* compiling leaves no marks behind: the next tape is complete */
    carom_tape *all = carom_tape_compile(graph, 1, &chain);
    assert_int_equal(carom_tape_length(all), 100);
    carom_tape_free(tape);
    carom_tape_free(all);
    carom_graph_free(graph);
}

static void test_no_outputs_and_no_node(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    carom_tape *tape = carom_tape_compile(graph, 0, NULL);
    assert_non_null(tape);
    assert_int_equal(carom_tape_outputs(tape), 0);
    double *work = new_work(tape);
    carom_tape_bind(tape, NULL, work);
    carom_tape_evaluate(tape, work, &(carom_inputs){0}, NULL);
    free(work);
    carom_tape_free(tape);
    const carom_node nodes[2] = {carom_leaf(graph, CAROM_OP_TIME, 0), CAROM_NO_NODE};
    assert_null(carom_tape_compile(graph, 2, nodes));
    carom_tape_free(NULL);
    carom_graph_free(graph);
}

static void test_evaluation_is_reproducible_to_the_bit(void **state)
{
    (void)state;
    carom_random random = {.state = 8};
    const sample at = random_sample(&random);
    double value[2];
    for (int k = 0; k < 2; k++) {
        carom_random again = {.state = 9};
        carom_graph *graph = carom_graph_create(0);
        const carom_node node = random_expression(graph, &again, &at, 8),
                         q = carom_leaf(graph, CAROM_OP_COORDINATE, 0);
        carom_node gradient;
        carom_gradient(graph, node, 1, &q, &gradient);
        value[k] = tape_value(graph, gradient, &at);
        carom_graph_free(graph);
    }
    assert_memory_equal(&value[0], &value[1], sizeof value[0]);
}

/* f = a u_1 q + sin(t): an input counts as time, has no derivatives, and is what the last bind said where nobody gives it. */
static void test_inputs_come_from_outside_or_from_bind(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node a = carom_leaf(graph, CAROM_OP_PARAMETER, 0), u = carom_leaf(graph, CAROM_OP_INPUT, 1),
                     q = carom_leaf(graph, CAROM_OP_COORDINATE, 0), t = carom_leaf(graph, CAROM_OP_TIME, 0);
    const carom_node product = carom_binary(graph, CAROM_OP_MUL, carom_binary(graph, CAROM_OP_MUL, a, u), q);
    const carom_node f = carom_binary(graph, CAROM_OP_ADD, product, carom_unary(graph, CAROM_OP_SIN, t));
    carom_node by[2] = {0}, rate;
    carom_gradient(graph, f, 1, &q, &by[0]);
    carom_gradient(graph, product, 1, &t, &by[1]);
    carom_along_motion(graph, 1, &product, &rate); /* a u q' */
    double zero = 1.0;
    assert_true(carom_node_is_constant(graph, by[1], &zero) && zero == 0.0);
    assert_int_equal(carom_node_depends(graph, u), CAROM_ON_TIME);
    assert_int_equal(carom_node_index(graph, u), 1);
    assert_int_equal(u, carom_leaf(graph, CAROM_OP_INPUT, 1));
    assert_true(u != carom_leaf(graph, CAROM_OP_INPUT, 2) && u != carom_leaf(graph, CAROM_OP_PARAMETER, 1));
    const carom_node output[] = {f, by[0], rate, u};
    carom_tape *tape = carom_tape_compile(graph, 4, output);
    assert_int_equal(carom_tape_depends(tape, 1), CAROM_ON_PARAMETER | CAROM_ON_TIME);
    double *work = new_work(tape), value[4];
    const double position = 3.0, speed = 5.0, parameter[] = {2.0, 7.0}, outside[] = {NAN, -0.5};
    carom_tape_bind(tape, parameter, work);
    const carom_inputs held = {.t = 0.5, .q = &position, .u = &speed};
    carom_inputs given = held;
    given.outside = outside;
    for (int round = 0; round < 2; round++) { /* who gives inputs gives them always */
        carom_tape_bind(tape, parameter, work);
        carom_tape_evaluate(tape, work, &held, value);
        assert_true(value[0] == 42.0 + sin(0.5) && value[1] == 14.0 && value[2] == 70.0 && value[3] == 7.0);
        carom_tape_evaluate(tape, work, &given, value);
        assert_true(value[0] == -3.0 + sin(0.5) && value[1] == -1.0 && value[2] == -5.0 && value[3] == -0.5);
    }
    free(work);
    carom_tape_free(tape);
    carom_graph_free(graph);
}

/* Sines and cosines that tapes share: the bits of those that a tape finds alone, whatever was asked before. */
static void test_shared_angles_change_nothing(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(0);
    const carom_node a = carom_leaf(graph, CAROM_OP_COORDINATE, 0),
                     b = carom_leaf(graph, CAROM_OP_COORDINATE, 1);
    const carom_node t = carom_leaf(graph, CAROM_OP_TIME, 0);
    const carom_node node[] = {carom_unary(graph, CAROM_OP_SIN, a), carom_unary(graph, CAROM_OP_COS, a),
                               carom_unary(graph, CAROM_OP_COS, carom_binary(graph, CAROM_OP_SUB, a, b)),
                               carom_unary(graph, CAROM_OP_SIN, t), carom_unary(graph, CAROM_OP_SIN, b)};
    enum {
        NODES = sizeof node / sizeof *node
    };
    carom_tape *first = carom_tape_compile(graph, 2, node), *second = carom_tape_compile(graph, NODES, node);
    double *work[] = {new_work(first), new_work(second)};
    static carom_angle angles[CAROM_ANGLES];
    carom_tape_bind(first, NULL, work[0]);
    carom_tape_bind(second, NULL, work[1]);
    carom_angles_forget(angles);
    carom_random random = {.state = 11};
    for (int i = 0; i < 2000; i++) {
        const double size = pow(10.0, carom_random_uniform(&random, -3.0, 3.0));
        const double q[2] = {i % 100 == 0   ? 0.0
                             : i % 100 == 1 ? -0.0
                                            : size * carom_random_uniform(&random, -1.0, 1.0),
                             i % 50 == 0 ? 0.25 : carom_random_uniform(&random, -4.0, 4.0)};
        const carom_inputs inputs = {.t = 0.1 * i, .q = q, .angles = angles};
        double shared[NODES], again[NODES];
        carom_tape_evaluate(first, work[0], &inputs, shared);
        assert_true(shared[0] == sin(q[0]) && shared[1] == cos(q[0]));
        assert_int_equal(signbit(shared[0]) != 0, signbit(sin(q[0])) != 0);
        carom_tape_evaluate(second, work[1], &inputs, shared);
        carom_tape_evaluate(second, work[1], &(carom_inputs){.t = 0.1 * i, .q = q}, again);
        assert_memory_equal(shared, again, sizeof shared);
    }
    for (int i = 0; i < 2; i++)
        free(work[i]);
    carom_tape_free(first);
    carom_tape_free(second);
    carom_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inputs_come_from_outside_or_from_bind),
        cmocka_unit_test(test_values_are_those_of_the_graph),
        cmocka_unit_test(test_shared_angles_change_nothing),
        cmocka_unit_test(test_one_tape_gives_many_outputs),
        cmocka_unit_test(test_what_depends_on_parameters_only_is_not_evaluated_again),
        cmocka_unit_test(test_two_works_of_one_tape_do_not_disturb_each_other),
        cmocka_unit_test(test_only_what_is_needed_is_compiled),
        cmocka_unit_test(test_no_outputs_and_no_node),
        cmocka_unit_test(test_evaluation_is_reproducible_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
