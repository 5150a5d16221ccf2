/* Tapes as C: an evaluation without the decisions of an interpreter, a local constant per value.
 *
 *   void carom_tape_0(const void *tape, look_up *find, double *restrict w, const char *in, double *out)
 *   {
 *       const double *q = *(const double *const *)(in + 8);
 *       const double x5 = q[0]; w[5] = x5;
 *       const double x7 = x5 * w[1]; w[7] = x7;
 *       out[0] = x7;
 *   }
 *
 * All values go to the work array, too, where carom_tape_along looks for them. Operations are those of operation.h, in the order
 * of the tape; what is computed is what is written, so the bits are those of the interpreter. Long bodies are cut into
 * functions, since compilers take more than linear time for long ones: values of another function come from the work array. */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tape.h"

enum {
    PART_LENGTH = 250, /* instructions of one function */
    NAME_SIZE = 32,
    POINTS = 4 /* at which code is compared with its tape */
};

/* ---- source --------------------------------------------------------------------------------------------- */

static const char prelude[] =
    "typedef double look_up(const void *, int, double);\n"
    "double pow(double, double); double atan2(double, double); double hypot(double, double);\n"
    "double exp(double); double log(double); double sin(double); double cos(double); double tan(double);\n"
    "double asin(double); double acos(double); double atan(double);\n"
    "double sinh(double); double cosh(double); double tanh(double);\n";

/* How operations are written: A, B and C are operands. */
static const char *operation_text(carom_op op)
{
    static const char *const text[CAROM_OP_COUNT] = {
        [CAROM_OP_ADD] = "A + B",
        [CAROM_OP_SUB] = "A - B",
        [CAROM_OP_MUL] = "A * B",
        [CAROM_OP_DIV] = "A / B",
        [CAROM_OP_POW] = "pow(A, B)",
        [CAROM_OP_ATAN2] = "atan2(A, B)",
        [CAROM_OP_MIN] = "A < B || A != A ? A : B",
        [CAROM_OP_MAX] = "A > B || A != A ? A : B",
        [CAROM_OP_HYPOT] = "hypot(A, B)",
        [CAROM_OP_NEG] = "-A",
        [CAROM_OP_SQRT] = "__builtin_sqrt(A)",
        [CAROM_OP_EXP] = "exp(A)",
        [CAROM_OP_LOG] = "log(A)",
        [CAROM_OP_SIN] = "sin(A)",
        [CAROM_OP_COS] = "cos(A)",
        [CAROM_OP_TAN] = "tan(A)",
        [CAROM_OP_ASIN] = "asin(A)",
        [CAROM_OP_ACOS] = "acos(A)",
        [CAROM_OP_ATAN] = "atan(A)",
        [CAROM_OP_SINH] = "sinh(A)",
        [CAROM_OP_COSH] = "cosh(A)",
        [CAROM_OP_TANH] = "tanh(A)",
        [CAROM_OP_ABS] = "__builtin_fabs(A)",
        [CAROM_OP_SIGN] = "(double)((A > 0.0) - (A < 0.0))",
        [CAROM_OP_SELECT] = "A > 0.0 ? B : C",
    };
    return text[op];
}

/* A place in work: a local constant when it was computed in this function, from `first` on. */
static void put_operand(carom_text *source, int place, int first)
{
    carom_text_append(source, place >= first ? "x%d" : "w[%d]", place);
}

static void put_instruction(carom_text *source, const instruction *step, int place, int first)
{
    carom_text_append(source, "const double x%d = ", place);
    if (step->op == CAROM_OP_TABLE) {
        carom_text_append(source, "find(tape, %d, ", step->c);
        put_operand(source, step->a, first);
        carom_text_append(source, ")");
    } else {
        const int operand[3] = {step->a, step->b, step->c};
        for (const char *c = operation_text(step->op); *c; c++)
            if (*c >= 'A' && *c <= 'C')
                put_operand(source, operand[*c - 'A'], first);
            else
                carom_text_append_bytes(source, c, 1);
    }
    carom_text_append(source, "; w[%d] = x%d;\n", place, place);
}

static void put_instructions(carom_text *source, const carom_tape *tape, int begin, int end, int place,
                             int first)
{
    for (int i = begin; i < end; i++)
        put_instruction(source, &tape->body[i], place + i, first);
}

/* Loads of the entries of one kind of inputs. */
static void put_loads(carom_text *source, const carom_tape *tape, int kind, const int *index, int place)
{
    const tape_input member = tape_inputs[kind];
    if (tape->inputs[kind] == 0)
        return;
    carom_text_append(source,
                      member.is_array ? "const double *i%d = *(const double *const *)(in + %zu);\n"
                                      : "const double *i%d = (const double *)(in + %zu);\n",
                      kind, member.offset);
    for (int i = 0; i < tape->inputs[kind]; i++)
        carom_text_append(source, "const double x%d = i%d[%d]; w[%d] = x%d;\n", place + i, kind, index[i],
                          place + i, place + i);
}

static void put_tape(carom_text *source, const carom_tape *tape, int number)
{
    const char *const heads = "(const void *tape, look_up *find, double *restrict w";
    const int bound = tape->constants + tape->parameters + tape->prologue_length;
    int body = bound + tape->outside;
    for (int k = 0; k < INPUTS; k++)
        body += tape->inputs[k];
    const bool cut = tape->body_length > PART_LENGTH;
    for (int begin = 0; cut && begin < tape->body_length; begin += PART_LENGTH) {
        const int left = tape->body_length - begin, end = begin + (left < PART_LENGTH ? left : PART_LENGTH);
        carom_text_append(source, "static void part_%d_%d%s)\n{\n", number, begin / PART_LENGTH, heads);
        put_instructions(source, tape, begin, end, body, body + begin);
        carom_text_append(source, "(void)tape; (void)find;\n}\n");
    }
    carom_text_append(source, "void carom_tape_%d%s, const char *in, double *out)\n{\n", number, heads);
    if (tape->outside > 0) {
        carom_text_append(source, "const double *o = *(const double *const *)(in + %zu);\nif (o) {\n",
                          offsetof(carom_inputs, outside));
        for (int i = 0; i < tape->outside; i++)
            carom_text_append(source, "w[%d] = o[%d];\n", bound + i, tape->from_outside[i]);
        carom_text_append(source, "}\n");
    }
    const int *index = tape->input;
    for (int k = 0, place = bound + tape->outside; k < INPUTS; k++) {
        put_loads(source, tape, k, index, place);
        index += tape->inputs[k];
        place += tape->inputs[k];
    }
    const int first = bound + tape->outside;
    for (int part = 0; cut && part * PART_LENGTH < tape->body_length; part++)
        carom_text_append(source, "part_%d_%d(tape, find, w);\n", number, part);
    if (!cut)
        put_instructions(source, tape, 0, tape->body_length, body, first);
    for (int i = 0; i < tape->outputs; i++) {
        carom_text_append(source, "out[%d] = ", i);
        put_operand(source, tape->output[i], cut && tape->output[i] >= body ? INT_MAX : first);
        carom_text_append(source, ";\n");
    }
    carom_text_append(source, "(void)tape; (void)find; (void)in;\n}\n");
}

/* Tapes without instructions hand on what they are given. */
static bool is_worth_it(const carom_tape *tape)
{
    return tape->body_length > 0 && !tape->factor;
}

size_t carom_graph_source(const carom_graph *graph, carom_text *source)
{
    size_t instructions = 0;
    int number = 0;
    carom_text_append(source, "%s", prelude);
    for (const carom_tape *tape = graph->tapes; tape; tape = tape->next, number++) {
        if (is_worth_it(tape))
            put_tape(source, tape, number);
        instructions += (size_t)tape->body_length;
    }
    return instructions;
}

/* ---- code ----------------------------------------------------------------------------------------------- */

static int largest(int count, const int *index, int before)
{
    for (int i = 0; i < count; i++)
        before = index[i] > before ? index[i] : before;
    return before;
}

/* Room for all that the tape reads: as many numbers as its largest index asks for. */
static size_t leaves(const carom_tape *tape)
{
    int inputs = 0;
    for (int k = 0; k < INPUTS; k++)
        inputs += tape->inputs[k];
    return (size_t)largest(
               inputs, tape->input,
               largest(tape->outside, tape->from_outside, largest(tape->parameters, tape->parameter, 0))) +
           1;
}

static bool same_bits(size_t count, const double *a, const double *b)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

/* Some points between -2 and 2, with and without values from outside. */
bool tape_code_agrees(const carom_tape *tape, carom_tape_code *code)
{
    const size_t size = carom_tape_work_size(tape), count = leaves(tape), outputs = (size_t)tape->outputs;
    double *memory = carom_new_array(2 * size + 2 * outputs + count, sizeof *memory);
    if (!memory)
        return false;
    double *work = memory, *other = work + size, *result = other + size, *coded = result + outputs,
           *value = coded + outputs;
    carom_random random = {.state = 1};
    bool same = true;
    for (int point = 0; same && point < POINTS; point++) {
        for (size_t i = 0; i < count; i++)
            value[i] = carom_random_uniform(&random, point % 2 ? 0.1 : -2.0, 2.0);
        carom_tape_bind(tape, value, work);
        memcpy(other, work, size * sizeof *other);
        const carom_inputs inputs = {.t = value[0],
                                     .q = value,
                                     .u = value,
                                     .impulse = value,
                                     .place = value[count - 1],
                                     .observed = value,
                                     .acceleration = value,
                                     .multiplier = value,
                                     .outside = point < 2 ? value : NULL};
        tape_interpret(tape, work, &inputs, result);
        code(tape, tape_look_up, other, &inputs, coded);
        same = same_bits(outputs, result, coded) && same_bits(size, work, other);
    }
    free(memory);
    return same;
}

int carom_graph_attach(carom_graph *graph, carom_tape_find *find, void *context, int *tapes)
{
    int number = 0, attached = 0;
    *tapes = 0;
    for (carom_tape *tape = graph->tapes; tape; tape = tape->next, number++) {
        char name[NAME_SIZE];
        if (!is_worth_it(tape))
            continue;
        ++*tapes;
        snprintf(name, sizeof name, "carom_tape_%d", number);
        carom_tape_code *code = find(context, name);
        if (!code || !tape_code_agrees(tape, code))
            continue;
        tape->code = code;
        attached++;
    }
    return attached;
}
