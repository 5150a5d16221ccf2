#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "beams.h"
#include "model/beam/beam_split.h"

/* The terms and the rest add up to the node, whatever they are. */
static void check_sum(beam_case *c, carom_node node, int terms, bool rest)
{
    beam_split split;
    beam_split_load(c->graph, node, &split);
    assert_int_equal(split.terms, terms);
    assert_int_equal(split.rest >= 0, rest);
    carom_node sum = split.rest >= 0 ? split.rest : number(c, 0.0);
    for (int k = 0; k < split.terms; k++) {
        assert_false(carom_node_depends(c->graph, split.term[k].place) & CAROM_ON_TIME);
        assert_false(carom_node_depends(c->graph, split.term[k].time) & CAROM_ON_PLACE);
        sum = plus(c, sum, times(c, split.term[k].place, split.term[k].time));
    }
    const carom_node both[2] = {node, sum};
    carom_tape *tape = carom_tape_compile(c->graph, 2, both);
    assert_non_null(tape);
    double *work = new_vector((int)carom_tape_work_size(tape));
    carom_tape_bind(tape, beam_values, work);
    for (double x = 0.1; x < 3.0; x += 0.7)
        for (double t = 0.2; t < 3.0; t += 0.9) {
            double value[2];
            carom_tape_evaluate(tape, work, &(carom_inputs){.t = t, .place = x}, value);
            assert_near_or_relative(value[1], value[0], 1e-13);
        }
    free(work);
    carom_tape_free(tape);
}

static void test_splitting(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 2);
    const carom_node x = c.x, t = c.t, p = c.p[2], one = number(&c, 1.0);
    const carom_node sin_t = of(&c, CAROM_OP_SIN, t), exp_x = of(&c, CAROM_OP_EXP, x);
    const carom_node wave = of(&c, CAROM_OP_SIN, minus(&c, x, times(&c, p, t)));
    check_sum(&c, number(&c, 0.0), 0, false);
    check_sum(&c, p, 1, false);
    check_sum(&c, sin_t, 1, false);
    check_sum(&c, exp_x, 1, false);
    check_sum(&c, times(&c, exp_x, sin_t), 1, false);
    check_sum(&c, plus(&c, sin_t, exp_x), 2, false);
    check_sum(&c, plus(&c, times(&c, p, sin_t), times(&c, t, p)), 1, false);
    check_sum(&c, of(&c, CAROM_OP_NEG, times(&c, x, t)), 1, false);
    check_sum(&c, power(&c, plus(&c, x, t), 2), 3, false);
    check_sum(&c, power(&c, plus(&c, x, t), 4), 5, false);
    check_sum(&c, over(&c, plus(&c, x, t), times(&c, exp_x, plus(&c, t, one))), 2, false);
    check_sum(&c, wave, 0, true);
    check_sum(&c, plus(&c, wave, times(&c, x, sin_t)), 1, true);
    check_sum(&c, times(&c, minus(&c, wave, times(&c, x, t)), plus(&c, x, t)), 2, true);
    check_sum(&c, over(&c, x, plus(&c, x, t)), 0, true);
    check_sum(&c, over(&c, wave, t), 0, true);
    carom_graph_free(c.graph);
}

/* What has too many terms, or is walked too often, stays whole. */
static void test_large_expressions(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 2);
    carom_node many = number(&c, 0.0);
    for (int k = 1; k <= 40; k++)
        many = plus(&c, many,
                    times(&c, of(&c, CAROM_OP_SIN, times(&c, number(&c, k), c.x)),
                          of(&c, CAROM_OP_COS, times(&c, number(&c, k), c.t))));
    beam_split split;
    beam_split_load(c.graph, many, &split);
    assert_true(split.rest >= 0);
    check_sum(&c, many, split.terms, true);
    carom_node deep = plus(&c, c.x, c.t);
    for (int k = 0; k < 60; k++)
        deep = times(&c, number(&c, 0.1), times(&c, deep, deep));
    beam_split_load(c.graph, deep, &split);
    assert_true(split.rest >= 0);
    carom_graph_free(c.graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_splitting),
        cmocka_unit_test(test_large_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
