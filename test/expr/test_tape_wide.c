/* Tapes at several points at once: every operation at ordinary and at special values, random expressions and long tapes have in each
 * lane the bits that carom_tape_evaluate gives at its point, interpreted and as machine code, in the outputs and in all that a tape
 * leaves in its work array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "carom/expr/wide.h"
#include "reference.h"
#include "small_table.h"

enum {
    OUTPUTS_MAX = 3 * CAROM_OP_COUNT,
    LONG_TAPE = 2000
};

static bool has_machine(void)
{
#if defined(__x86_64__) && defined(__linux__) && !defined(__ILP32__)
    return __builtin_cpu_supports("avx");
#else
    return false;
#endif
}

/* What a tape reads. */
typedef struct point {
    double t, q[SAMPLE_SIZE], u[SAMPLE_SIZE], parameter[SAMPLE_SIZE];
} point;

static point random_point(carom_random *random)
{
    const sample at = random_sample(random);
    point made = {.t = (double)at.t};
    for (int i = 0; i < SAMPLE_SIZE; i++) {
        made.q[i] = (double)at.q[i];
        made.u[i] = (double)at.u[i];
        made.parameter[i] = (double)at.parameter[i];
    }
    return made;
}

/* ---- one tape at the points of all lanes ----------------------------------------------------------- */

typedef struct lanes {
    const carom_tape *tape;
    carom_arena *arena;
    carom_wide_code *code;
    carom_wide *work, *output, *leaf; /* leaf: t, q, u */
    double *alone, *expected;         /* work and outputs at one point */
} lanes;

static lanes lanes_open(const carom_tape *tape)
{
    const size_t size = carom_tape_work_size(tape), outputs = (size_t)carom_tape_outputs(tape);
    lanes made = {.tape = tape, .arena = carom_arena_create(), .code = carom_wide_code_create(1, &tape)};
    assert_non_null(made.arena);
    assert_true(carom_tape_is_wide(tape));
    made.work = carom_wide_take(made.arena, size);
    made.output = carom_wide_take(made.arena, outputs);
    made.leaf = carom_wide_take(made.arena, 1 + 2 * (size_t)SAMPLE_SIZE);
    made.alone = carom_arena_take(made.arena, size, sizeof *made.alone);
    made.expected = carom_arena_take(made.arena, outputs, sizeof *made.expected);
    assert_true(made.work && made.output && made.leaf && made.alone && made.expected);
    assert_true((uintptr_t)made.work % sizeof(carom_wide) == 0);
    return made;
}

static void lanes_close(lanes *self)
{
    carom_wide_code_free(self->code);
    carom_arena_free(self->arena);
}

static void bind_lane(lanes *self, int lane, const point *at)
{
    carom_tape_bind(self->tape, at->parameter, self->alone);
    carom_tape_wide_bind(self->tape, lane, self->alone, self->work);
}

/* Parameters and leaves of each lane; all other places have a number that no result is. */
static void fill(lanes *self, const point *at)
{
    for (size_t i = 0; i < carom_tape_work_size(self->tape); i++)
        self->work[i] = (carom_wide){0} + 1e77;
    for (int lane = 0; lane < CAROM_LANES; lane++) {
        bind_lane(self, lane, &at[lane]);
        carom_wide_put(&self->leaf[0], lane, at[lane].t);
        for (int i = 0; i < SAMPLE_SIZE; i++) {
            carom_wide_put(&self->leaf[1 + i], lane, at[lane].q[i]);
            carom_wide_put(&self->leaf[1 + SAMPLE_SIZE + i], lane, at[lane].u[i]);
        }
    }
}

/* A NaN is a NaN, whatever its sign. */
static void assert_lane(size_t count, const double *expected, const carom_wide *given, int lane,
                        const char *what)
{
    for (size_t i = 0; i < count; i++) {
        const double number = carom_wide_get(&given[i], lane);
        if (!(isnan(expected[i]) && isnan(number)) && memcmp(&expected[i], &number, sizeof number) != 0)
            fail_msg("%s %zu of %zu in lane %d is %.17g, not %.17g", what, i, count, lane, number,
                     expected[i]);
    }
}

static void compare_one_way(lanes *self, carom_wide_function *code, const point *at, carom_wide_angle *angles)
{
    const carom_wide_inputs inputs = {
        .t = self->leaf, .q = self->leaf + 1, .u = self->leaf + 1 + SAMPLE_SIZE, .angles = angles};
    fill(self, at);
    carom_tape_wide_evaluate(self->tape, code, self->work, &inputs, self->output);
    for (int lane = 0; lane < CAROM_LANES; lane++) {
        carom_tape_bind(self->tape, at[lane].parameter, self->alone);
        carom_tape_evaluate(self->tape, self->alone,
                            &(carom_inputs){.t = at[lane].t, .q = at[lane].q, .u = at[lane].u},
                            self->expected);
        assert_lane((size_t)carom_tape_outputs(self->tape), self->expected, self->output, lane, "output");
        assert_lane(carom_tape_work_size(self->tape) - 1, self->alone, self->work, lane,
                    "place"); /* the last one is nobody's */
    }
}

/* Interpreted and, where there is code, by it. Angles are those of either way: each keeps its own. */
static void compare(lanes *self, const point *at, carom_wide_angle *interpreted, carom_wide_angle *coded)
{
    compare_one_way(self, NULL, at, interpreted);
    carom_wide_function *code = carom_wide_code_of(self->code, 0);
    if (code)
        compare_one_way(self, code, at, coded);
}

/* ---- operations -------------------------------------------------------------------------------------- */

/* Of any operation; leaves out nothing. */
static carom_node operation(carom_graph *g, carom_op op, carom_node a, carom_node b, carom_node c)
{
    if (op == CAROM_OP_TABLE)
        return table_at(g, a);
    const int arity = carom_op_arity(op);
    return arity == 1   ? carom_unary(g, op, a)
           : arity == 2 ? carom_binary(g, op, a, b)
                        : carom_select(g, a, b, c);
}

static void test_every_operation_at_special_values(void **state)
{
    (void)state;
    static const double special[] = {0.0,     -0.0,  1.0,    -1.0,  0.3,   -1.7,     1e-310,    2.5,
                                     -5e-324, 1e300, -1e300, 1e155, 1e-20, INFINITY, -INFINITY, NAN};
    enum {
        SPECIALS = sizeof special / sizeof *special
    };
    carom_graph *g = carom_graph_create(0);
    const carom_node x = carom_leaf(g, CAROM_OP_COORDINATE, 0), y = carom_leaf(g, CAROM_OP_COORDINATE, 1),
                     p = carom_leaf(g, CAROM_OP_PARAMETER, 0), c = carom_constant(g, 0.7);
    const carom_node leaf[] = {carom_leaf(g, CAROM_OP_TIME, 0), carom_leaf(g, CAROM_OP_VELOCITY, 2), p, c};
    carom_node output[OUTPUTS_MAX];
    int count = 0;
    for (carom_op op = CAROM_OP_ADD; op < CAROM_OP_COUNT; op++) {
        output[count++] = operation(g, op, x, y, p);
        output[count++] = operation(g, op, p, c, x); /* of parameters alone, where it has two operands */
    }
    for (size_t i = 0; i < sizeof leaf / sizeof *leaf; i++) {
        output[count++] = carom_binary(g, CAROM_OP_MUL, x, leaf[i]);
        output[count++] = leaf[i];
    }
    assert_true(count <= OUTPUTS_MAX);
    carom_tape *tape = carom_tape_compile(g, count, output);
    assert_non_null(tape);
    lanes all = lanes_open(tape);
    assert_int_equal(carom_wide_code_of(all.code, 0) != NULL, has_machine());
    for (int first = 0; first < SPECIALS * SPECIALS; first += CAROM_LANES) {
        point at[CAROM_LANES];
        for (int lane = 0; lane < CAROM_LANES; lane++) {
            /* every other time neighbours on the first axis, so that no operand is the same in all lanes */
            const int pair = first + lane;
            const double a = special[pair / SPECIALS], b = special[(pair + 5 * lane) % SPECIALS];
            at[lane] = (point){a, {b, a, 0.5}, {1.0, 2.0, b}, {a, b, 0.25}};
        }
        compare(&all, at, NULL, NULL);
    }
    lanes_close(&all);
    carom_graph_free(g);
    carom_tape_free(tape);
}

static void test_random_expressions(void **state)
{
    (void)state;
    static carom_wide_angle angles[2][CAROM_ANGLES];
    for (unsigned seed = 0; seed < 60; seed++) {
        carom_random random = {.state = 900 + seed};
        const sample at = random_sample(&random);
        carom_graph *g = carom_graph_create(0);
        carom_node output[5];
        for (int i = 0; i < 5; i++)
            output[i] = random_expression(g, &random, &at, 1 + (int)(seed % 6));
        carom_tape *tape = carom_tape_compile(g, 5, output);
        assert_non_null(tape);
        lanes all = lanes_open(tape);
        carom_wide_angles_forget(angles[0]);
        carom_wide_angles_forget(angles[1]);
        for (int turn = 0; turn < 6; turn++) {
            point here[CAROM_LANES];
            for (int lane = 0; lane < CAROM_LANES; lane++)
                here[lane] = random_point(&random);
            compare(&all, here, turn % 2 ? angles[0] : NULL, turn % 2 ? angles[1] : NULL);
        }
        lanes_close(&all);
        carom_tape_free(tape);
        carom_graph_free(g);
    }
}

/* Operands are any nodes before, near ones more often: values that are in registers, and values that are there no more. */
static carom_node random_before(carom_random *random, int count, const carom_node *node)
{
    const double back = carom_random_uniform(random, 0.0, 1.0);
    return node[count - 1 - (int)(back * back * back * count)];
}

static void test_long_tapes(void **state)
{
    (void)state;
    static const carom_op op[] = {CAROM_OP_ADD,    CAROM_OP_SUB,   CAROM_OP_MUL,  CAROM_OP_DIV,
                                  CAROM_OP_NEG,    CAROM_OP_ABS,   CAROM_OP_SIN,  CAROM_OP_COS,
                                  CAROM_OP_MIN,    CAROM_OP_MAX,   CAROM_OP_TANH, CAROM_OP_ADD,
                                  CAROM_OP_SELECT, CAROM_OP_MUL,   CAROM_OP_SUB,  CAROM_OP_SQRT,
                                  CAROM_OP_TABLE,  CAROM_OP_HYPOT, CAROM_OP_ADD,  CAROM_OP_SIGN};
    static carom_node node[LONG_TAPE];
    static carom_wide_angle angles[2][CAROM_ANGLES];
    carom_random random = {.state = 11};
    int coded = 0;
    for (int turn = 0; turn < 24; turn++) {
        const int length = turn % 4 ? 60 : LONG_TAPE;
        carom_graph *g = carom_graph_create(0);
        for (int i = 0; i < length; i++) {
            const carom_op chosen = op[random_below(&random, sizeof op / sizeof *op)];
            node[i] = i < SAMPLE_SIZE       ? carom_leaf(g, CAROM_OP_COORDINATE, i)
                      : i < 2 * SAMPLE_SIZE ? carom_leaf(g, CAROM_OP_VELOCITY, i - SAMPLE_SIZE)
                      : i < 3 * SAMPLE_SIZE ? carom_leaf(g, CAROM_OP_PARAMETER, i - 2 * SAMPLE_SIZE)
                      : i == 3 * SAMPLE_SIZE
                          ? carom_leaf(g, CAROM_OP_TIME, 0)
                          : operation(g, chosen, random_before(&random, i, node),
                                      random_before(&random, i, node), random_before(&random, i, node));
        }
        carom_tape *tape = carom_tape_compile(g, 30, node + length - 30);
        assert_non_null(tape);
        lanes all = lanes_open(tape);
        coded += carom_wide_code_of(all.code, 0) != NULL;
        carom_wide_angles_forget(angles[0]);
        carom_wide_angles_forget(angles[1]);
        for (int i = 0; i < 8; i++) {
            point at[CAROM_LANES];
            for (int lane = 0; lane < CAROM_LANES; lane++)
                at[lane] = random_point(&random);
            compare(&all, at, i % 3 ? angles[0] : NULL, i % 3 ? angles[1] : NULL);
        }
        lanes_close(&all);
        carom_tape_free(tape);
        carom_graph_free(g);
    }
    /* code that has other bits than the interpreter is not taken: it would be missing here */
    assert_int_equal(coded, has_machine() ? 24 : 0);
}

/* ---- sines and cosines --------------------------------------------------------------------------------- */

/* Lanes whose angles are equal share what they find, and those that differ do not; what was found before serves the same angle only,
 * and -0 is not 0. Two tapes have the same cache. */
static void test_equal_and_different_angles(void **state)
{
    (void)state;
    static const double angle[][CAROM_LANES] = {
        {0.3, 0.3, 0.3, 0.3},    {0.3, 0.3, 0.3, 0.4},  {0.4, 0.4, 0.4, 0.4},  {0.4, 0.3, 0.3, 0.3},
        {0.0, 0.0, 0.0, 0.0},    {0.0, -0.0, 0.0, 0.0}, {-0.0, 0.0, 0.0, 0.0}, {-0.0, -0.0, -0.0, -0.0},
        {NAN, 1.0, 1.0, 1.0},    {1.0, 1.0, NAN, 1.0},  {NAN, NAN, NAN, NAN},  {2.0, 1.0, 3.0, 1.0},
        {1e22, INFINITY, 2, -2}, {2.0, 1.0, 3.0, 1.0},  {2.0, 2.0, 2.0, 2.0},  {-5e-324, 0.0, 1e-320, -0.0}};
    enum {
        TURNS = sizeof angle / sizeof *angle
    };
    static carom_wide_angle kept[2][CAROM_ANGLES];
    carom_graph *g = carom_graph_create(0);
    const carom_node x = carom_leaf(g, CAROM_OP_COORDINATE, 0), y = carom_leaf(g, CAROM_OP_COORDINATE, 1),
                     t = carom_leaf(g, CAROM_OP_TIME, 0);
    const carom_node both[] = {carom_unary(g, CAROM_OP_SIN, x), carom_unary(g, CAROM_OP_COS, x),
                               carom_unary(g, CAROM_OP_SIN, t)};
    const carom_node other[] = {carom_unary(g, CAROM_OP_COS, x), carom_unary(g, CAROM_OP_COS, y),
                                carom_unary(g, CAROM_OP_COS, t)};
    carom_tape *tape[] = {carom_tape_compile(g, 3, both), carom_tape_compile(g, 3, other)};
    lanes all[] = {lanes_open(tape[0]), lanes_open(tape[1])};
    for (int cached = 0; cached < 2; cached++) {
        carom_wide_angles_forget(kept[0]);
        carom_wide_angles_forget(kept[1]);
        for (int turn = 0; turn < TURNS * TURNS; turn++) {
            point at[CAROM_LANES];
            for (int lane = 0; lane < CAROM_LANES; lane++)
                at[lane] = (point){.t = angle[turn / TURNS][lane],
                                   .q = {angle[turn % TURNS][lane], angle[turn * 7 % TURNS][lane]}};
            for (int i = 0; i < 2; i++)
                compare(&all[i], at, cached ? kept[0] : NULL, cached ? kept[1] : NULL);
        }
    }
    for (int i = 0; i < 2; i++) {
        lanes_close(&all[i]);
        carom_tape_free(tape[i]);
    }
    carom_graph_free(g);
}

/* ---- tapes and their lists ------------------------------------------------------------------------------ */

/* A lane that is bound anew leaves the others as they were. */
static void test_one_lane_is_bound_anew(void **state)
{
    (void)state;
    carom_graph *g = carom_graph_create(0);
    const carom_node x = carom_leaf(g, CAROM_OP_COORDINATE, 0), p = carom_leaf(g, CAROM_OP_PARAMETER, 1);
    const carom_node root = carom_unary(g, CAROM_OP_EXP, p); /* found when parameters are bound */
    const carom_node output[] = {carom_binary(g, CAROM_OP_MUL, root, x), p, root};
    carom_tape *tape = carom_tape_compile(g, 3, output);
    assert_non_null(tape);
    lanes all = lanes_open(tape);
    carom_wide_function *const way[] = {NULL, carom_wide_code_of(all.code, 0)};
    for (int i = 0; i < 2; i++) {
        point at[CAROM_LANES];
        for (int lane = 0; lane < CAROM_LANES; lane++)
            at[lane] = (point){.q = {0.3 + lane}, .parameter = {0.0, 0.1 * lane - 0.2}};
        fill(&all, at);
        at[2].parameter[1] = 1.7;
        bind_lane(&all, 2, &at[2]);
        carom_tape_wide_evaluate(tape, way[i], all.work, &(carom_wide_inputs){.q = all.leaf + 1}, all.output);
        for (int lane = 0; lane < CAROM_LANES; lane++) {
            const double expected = at[lane].parameter[1], power = exp(expected);
            assert_true(carom_wide_get(&all.output[1], lane) == expected);
            assert_true(carom_wide_get(&all.output[2], lane) == power);
            assert_true(carom_wide_get(&all.output[0], lane) == power * at[lane].q[0]);
        }
    }
    lanes_close(&all);
    carom_tape_free(tape);
    carom_graph_free(g);
}

static void test_what_is_evaluated_point_by_point(void **state)
{
    (void)state;
    static const carom_op refused[] = {CAROM_OP_IMPULSE,      CAROM_OP_PLACE,      CAROM_OP_OBSERVED,
                                       CAROM_OP_ACCELERATION, CAROM_OP_MULTIPLIER, CAROM_OP_INPUT};
    enum {
        REFUSED = sizeof refused / sizeof *refused
    };
    carom_graph *g = carom_graph_create(0);
    const carom_node x = carom_leaf(g, CAROM_OP_COORDINATE, 0), u = carom_leaf(g, CAROM_OP_VELOCITY, 0);
    const carom_node sum = carom_binary(g, CAROM_OP_ADD, x, u), constant = carom_constant(g, 2.0);
    carom_tape *tape[REFUSED + 3] = {0};
    for (int i = 0; i < REFUSED; i++) {
        const carom_node product = carom_binary(g, CAROM_OP_MUL, sum, carom_leaf(g, refused[i], 0));
        tape[i] = carom_tape_compile(g, 1, &product);
        assert_false(carom_tape_is_wide(tape[i]));
    }
    tape[REFUSED + 1] = carom_tape_compile(g, 1, &sum); /* behind one that is NULL */
    tape[REFUSED + 2] = carom_tape_compile(g, 1, &constant);
    assert_true(carom_tape_is_wide(tape[REFUSED + 1]) && carom_tape_is_wide(tape[REFUSED + 2]));
    carom_wide_code *code = carom_wide_code_create(REFUSED + 3, (const carom_tape *const *)tape);
    assert_int_equal(code != NULL, has_machine());
    for (int i = 0; i < REFUSED + 3; i++)
        assert_int_equal(carom_wide_code_of(code, i) != NULL, has_machine() && i > REFUSED);
    carom_wide_code_free(code);
    assert_null(carom_wide_code_of(NULL, 3));
    carom_wide_code_free(NULL);
    for (int i = 0; i < REFUSED + 3; i++)
        carom_tape_free(tape[i]);
    carom_graph_free(g);
}

/* All leaves and sums are wanted again at the end, when their registers have others. */
static void test_more_results_than_registers(void **state)
{
    (void)state;
    enum {
        RESULTS = 150
    };
    carom_graph *g = carom_graph_create(0);
    carom_random random = {.state = 5};
    carom_node output[2 * RESULTS];
    for (int i = 0; i < RESULTS; i++)
        output[i] = i < SAMPLE_SIZE ? carom_leaf(g, CAROM_OP_COORDINATE, i)
                    : i == SAMPLE_SIZE
                        ? carom_leaf(g, CAROM_OP_VELOCITY, 1)
                        : carom_binary(g, i % 2 ? CAROM_OP_ADD : CAROM_OP_MUL, output[i - 1],
                                       carom_binary(g, CAROM_OP_SUB, output[i / 2], output[i % SAMPLE_SIZE]));
    for (int i = 0; i < RESULTS; i++) /* each with one from the other end, without calls between them */
        output[RESULTS + i] =
            carom_binary(g, i % 3 ? CAROM_OP_SUB : CAROM_OP_DIV, output[i], output[RESULTS - 1 - i]);
    carom_tape *tape = carom_tape_compile(g, 2 * RESULTS, output);
    assert_non_null(tape);
    lanes all = lanes_open(tape);
    assert_int_equal(carom_wide_code_of(all.code, 0) != NULL, has_machine());
    for (int turn = 0; turn < 20; turn++) {
        point at[CAROM_LANES];
        for (int lane = 0; lane < CAROM_LANES; lane++)
            at[lane] = random_point(&random);
        compare(&all, at, NULL, NULL);
    }
    lanes_close(&all);
    carom_tape_free(tape);
    carom_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_operation_at_special_values),
        cmocka_unit_test(test_random_expressions),
        cmocka_unit_test(test_long_tapes),
        cmocka_unit_test(test_equal_and_different_angles),
        cmocka_unit_test(test_one_lane_is_bound_anew),
        cmocka_unit_test(test_what_is_evaluated_point_by_point),
        cmocka_unit_test(test_more_results_than_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
