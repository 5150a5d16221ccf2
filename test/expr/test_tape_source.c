/* Tapes as C: the source of every operation, compiled where there is a compiler, has the bits of the tape; code that has not is
 * refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/expr.h"

enum {
    COORDINATES = 3,
    LONG = 1200 /* terms: more than one function */
};

/* One output per operation of two coordinates, a parameter and a constant. */
static int all_operations(carom_graph *g, carom_node *output)
{
    const carom_node x = carom_leaf(g, CAROM_OP_COORDINATE, 0), y = carom_leaf(g, CAROM_OP_COORDINATE, 1),
                     p = carom_leaf(g, CAROM_OP_PARAMETER, 0), c = carom_constant(g, 0.7);
    int count = 0;
    for (carom_op op = CAROM_OP_ADD; op < CAROM_OP_COUNT; op++) {
        if (op == CAROM_OP_TABLE)
            continue;
        const int arity = carom_op_arity(op);
        if (arity == 1)
            output[count++] = carom_unary(g, op, x);
        else if (arity == 2)
            output[count++] = carom_binary(g, op, x, y);
        else
            output[count++] = carom_select(g, carom_binary(g, CAROM_OP_SUB, x, y), p, c);
    }
    output[count++] = carom_binary(g, CAROM_OP_MUL, p, carom_leaf(g, CAROM_OP_TIME, 0));
    output[count++] = carom_binary(g, CAROM_OP_ADD, c, carom_leaf(g, CAROM_OP_VELOCITY, 2));
    output[count++] = x;
    output[count++] = c;
    return count;
}

static carom_node long_sum(carom_graph *g)
{
    carom_node sum = carom_leaf(g, CAROM_OP_COORDINATE, 0);
    for (int i = 0; i < LONG; i++)
        sum = carom_binary(g, CAROM_OP_ADD,
                           carom_binary(g, CAROM_OP_MUL, sum, carom_constant(g, 0.5 + 1e-4 * i)),
                           carom_leaf(g, CAROM_OP_COORDINATE, i % COORDINATES));
    return sum;
}

static carom_tape_code *find_symbol(void *context, const char *name)
{
    carom_tape_code *code = NULL;
    void *const symbol = dlsym(context, name);
    memcpy(&code, &symbol, sizeof code);
    return code;
}

static void evaluate(const carom_tape *tape, double *work, double *result)
{
    static const double q[COORDINATES] = {0.3, 1.7, -0.2}, u[COORDINATES] = {1.0, 2.0, -3.5}, p[1] = {1.25};
    carom_tape_bind(tape, p, work);
    carom_tape_evaluate(tape, work, &(carom_inputs){.t = 0.9, .q = q, .u = u}, result);
}

static void test_compiled_tapes_have_the_same_bits(void **state)
{
    (void)state;
    enum {
        OUTPUTS = 2 * CAROM_OP_COUNT
    };
    carom_graph *g = carom_graph_create(0);
    carom_node output[OUTPUTS], sum;
    const int count = all_operations(g, output);
    sum = long_sum(g);
    carom_tape *small = carom_tape_compile(g, count, output), *large = carom_tape_compile(g, 1, &sum);
    assert_non_null(small);
    assert_non_null(large);
    double *work = calloc(carom_tape_work_size(small) + carom_tape_work_size(large), sizeof *work);
    double expected[OUTPUTS] = {0}, result[OUTPUTS] = {0};
    evaluate(small, work, expected);
    evaluate(large, work, expected + count);

    carom_text source = {0};
    assert_true(carom_graph_source(g, &source) > 2 * LONG);
    FILE *stream = fopen("tapes.c", "w");
    assert_non_null(stream);
    fputs(source.bytes, stream);
    fclose(stream);
    carom_text_free(&source);
    if (system(
            "cc -O1 -fPIC -shared -ffp-contract=off -fno-builtin -o tapes.so tapes.c -lm > messages 2>&1") ==
        0) {
        void *library = dlopen("./tapes.so", RTLD_NOW | RTLD_LOCAL);
        assert_non_null(library);
        int tapes = 0;
        assert_int_equal(carom_graph_attach(g, find_symbol, library, &tapes), 2);
        assert_int_equal(tapes, 2);
        evaluate(small, work, result);
        evaluate(large, work, result + count);
        assert_memory_equal(expected, result, sizeof expected);
        carom_graph_free(g); /* tapes outlive it */
        carom_tape_free(small);
        carom_tape_free(large);
        dlclose(library);
    } else {
        print_message("no C compiler: the source is not compiled\n");
        carom_graph_free(g);
        carom_tape_free(small);
        carom_tape_free(large);
    }
    free(work);
}

/* Almost right: the last bit of one output. */
static void wrong_code(const carom_tape *tape, double (*look_up)(const carom_tape *, int, double),
                       double *work, const carom_inputs *inputs, double *outputs)
{
    (void)tape;
    (void)look_up;
    (void)work;
    outputs[0] = (inputs->q[0] + inputs->q[1]) * (1.0 + 0x1p-52);
}

static carom_tape_code *find_wrong(void *context, const char *name)
{
    *(int *)context += strncmp(name, "carom_tape_", 11) == 0;
    return wrong_code;
}

static carom_tape_code *find_nothing(void *context, const char *name)
{
    (void)context;
    (void)name;
    return NULL;
}

static void test_other_code_is_refused(void **state)
{
    (void)state;
    carom_graph *g = carom_graph_create(0);
    const carom_node x = carom_leaf(g, CAROM_OP_COORDINATE, 0),
                     sum = carom_binary(g, CAROM_OP_ADD, x, carom_leaf(g, CAROM_OP_COORDINATE, 1));
    carom_tape *tape = carom_tape_compile(g, 1, &sum), *gone = carom_tape_compile(g, 1, &sum),
               *without = carom_tape_compile(g, 1, &x);
    carom_tape_free(gone); /* only those that are there are asked for */
    int asked = 0, tapes = 0;
    assert_int_equal(carom_graph_attach(g, find_wrong, &asked, &tapes), 0);
    assert_int_equal(asked, 1);
    assert_int_equal(tapes, 1);
    assert_int_equal(carom_graph_attach(g, find_nothing, NULL, &tapes), 0);
    double *work = calloc(carom_tape_work_size(tape), sizeof *work), result = 0.0;
    evaluate(tape, work, &result);
    assert_true(result == 0.3 + 1.7);
    free(work);
    carom_tape_free(without);
    carom_tape_free(tape);
    carom_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compiled_tapes_have_the_same_bits),
        cmocka_unit_test(test_other_code_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
