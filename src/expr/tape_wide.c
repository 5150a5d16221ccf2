/* Tapes at several points at once: each instruction is decided on once and done for all lanes. Sums, products, quotients, roots
 * and signs are operations on vectors; all else is done lane by lane, by the functions that serve one point. */
#include "tape_wide.h"

#include <stdlib.h>
#include <string.h>

#include "operation.h"

void carom_wide_angles_forget(carom_wide_angle *angles)
{
    const carom_wide none = (carom_wide){0} + (double)NAN;
    for (int i = 0; i < CAROM_ANGLES; i++)
        angles[i] = (carom_wide_angle){none, none, none, none};
}

bool carom_tape_is_wide(const carom_tape *tape)
{
    if (tape->outside > 0 || tape->factor)
        return false;
    for (int kind = 0; kind < INPUTS; kind++)
        if (tape->inputs[kind] > 0 && kind != SECTION_TIME - FIRST_INPUT &&
            kind != SECTION_COORDINATE - FIRST_INPUT && kind != SECTION_VELOCITY - FIRST_INPUT)
            return false;
    return true;
}

void carom_tape_wide_bind(const carom_tape *tape, int lane, const double *work, carom_wide *wide)
{
    const int bound = tape->constants + tape->parameters + tape->prologue_length;
    for (int i = 0; i < bound; i++)
        carom_wide_put(&wide[i], lane, work[i]);
}

/* ---- sines and cosines ---------------------------------------------------------------------------------- */

/* By their bits: -0 has another sine than 0. */
CAROM_WIDE_PART bool are_same(const carom_wide *a, const carom_wide *b)
{
    const carom_wide_mask other = (carom_wide_mask)*a ^ (carom_wide_mask)*b;
    return (other[0] | other[1] | other[2] | other[3]) == 0;
}

/* Numbers that were found one by one go to memory as a vector: the next instruction reads them as one, and would wait for four. */
CAROM_WIDE_PART void find_angles(double (*of)(carom_angle *, const instruction *, double),
                                 const instruction *step, carom_wide_angle *known, const carom_wide *x)
{
    const carom_wide first = (carom_wide){0} + (*x)[0];
    const instruction alone = {.op = step->op, .a = step->a, .b = step->b};
    carom_angle angle[CAROM_LANES];
    const int different =
        are_same(x, &first) ? 1 : CAROM_LANES; /* motions that are at the same time share it */
    for (int k = 0; k < different; k++) {
        angle[k] = (carom_angle){known->sine_at[k], known->sine[k], known->cosine_at[k], known->cosine[k]};
        of(&angle[k], &alone, (*x)[k]);
    }
    for (int k = different; k < CAROM_LANES; k++)
        angle[k] = angle[0];
    known->sine_at = (carom_wide){angle[0].sine_at, angle[1].sine_at, angle[2].sine_at, angle[3].sine_at};
    known->sine = (carom_wide){angle[0].sine, angle[1].sine, angle[2].sine, angle[3].sine};
    known->cosine_at =
        (carom_wide){angle[0].cosine_at, angle[1].cosine_at, angle[2].cosine_at, angle[3].cosine_at};
    known->cosine = (carom_wide){angle[0].cosine, angle[1].cosine, angle[2].cosine, angle[3].cosine};
}

CAROM_WIDE_CODE void tape_wide_sine(carom_wide_angle *angles, const instruction *step, const carom_wide *x,
                                    carom_wide *value)
{
    const carom_wide none = (carom_wide){0} + (double)NAN;
    carom_wide_angle unknown = {none, none, none, none}; /* which is what a NaN finds, too */
    carom_wide_angle *known = angles ? &angles[step->c] : &unknown;
    if (!are_same(&known->sine_at, x))
        find_angles(tape_sine, step, known, x);
    *value = known->sine;
}

CAROM_WIDE_CODE void tape_wide_cosine(carom_wide_angle *angles, const instruction *step, const carom_wide *x,
                                      carom_wide *value)
{
    const carom_wide none = (carom_wide){0} + (double)NAN;
    carom_wide_angle unknown = {none, none, none, none}; /* which is what a NaN finds, too */
    carom_wide_angle *known = angles ? &angles[step->c] : &unknown;
    if (!are_same(&known->cosine_at, x))
        find_angles(tape_cosine, step, known, x);
    *value = known->cosine;
}

/* ---- one evaluation -------------------------------------------------------------------------------------- */

void tape_wide_apply(const carom_tape *tape, const instruction *step, const carom_wide *x, carom_wide *result)
{
    const double *a = (const double *)x;
    double *value = (double *)result;
    if (step->op == CAROM_OP_TABLE) {
        for (int k = 0; k < CAROM_LANES; k++)
            value[k] = tape_look_up(tape, step->c, a[k]);
        return;
    }
    const double *b = (const double *)(x + (step->b - step->a)),
                 *c = (const double *)(x + (step->c - step->a));
    for (int k = 0; k < CAROM_LANES; k++)
        value[k] = apply_operation(step->op, a[k], b[k], c[k]);
}

/* One decision for each run of equal operations. */
CAROM_WIDE_PART void run_wide(const carom_tape *tape, const carom_wide *work, carom_wide_angle *angles,
                              carom_wide *result)
{
    const instruction *step = tape->body;
    for (int k = 0; k < tape->runs; k++) {
        const instruction *const end = step + tape->run[k];
        switch (step->op) {
        case CAROM_OP_ADD:
            for (; step < end; step++)
                *result++ = work[step->a] + work[step->b];
            break;
        case CAROM_OP_SUB:
            for (; step < end; step++)
                *result++ = work[step->a] - work[step->b];
            break;
        case CAROM_OP_MUL:
            for (; step < end; step++)
                *result++ = work[step->a] * work[step->b];
            break;
        case CAROM_OP_DIV:
            for (; step < end; step++)
                *result++ = work[step->a] / work[step->b];
            break;
        case CAROM_OP_NEG:
            for (; step < end; step++)
                *result++ = -work[step->a];
            break;
        case CAROM_OP_ABS:
            for (; step < end; step++)
                *result++ = CAROM_WIDE_ABS(work[step->a]);
            break;
        case CAROM_OP_SELECT:
            for (; step < end; step++)
                *result++ = CAROM_WIDE_CHOOSE(work[step->a] > 0.0, work[step->b], work[step->c]);
            break;
        case CAROM_OP_SIN:
            for (; step < end; step++)
                tape_wide_sine(angles, step, &work[step->a], result++);
            break;
        case CAROM_OP_COS:
            for (; step < end; step++)
                tape_wide_cosine(angles, step, &work[step->a], result++);
            break;
        default:
            for (; step < end; step++)
                tape_wide_apply(tape, step, &work[step->a], result++);
        }
    }
}

CAROM_WIDE_CODE void tape_wide_interpret(const carom_tape *tape, carom_wide *work,
                                         const carom_wide_inputs *inputs, carom_wide *outputs)
{
    carom_wide *place = work + tape->constants + tape->parameters + tape->prologue_length;
    const int *index = tape->input;
    for (int kind = tape->first_kind; kind < tape->end_kind; kind++) {
        const carom_wide *from = *(const carom_wide *const *)((const char *)inputs + tape_wide_input(kind));
        for (int i = 0; i < tape->inputs[kind]; i++)
            *place++ = from[*index++];
    }
    run_wide(tape, work, inputs->angles, place);
    for (int i = 0; i < tape->outputs; i++)
        outputs[i] = work[tape->output[i]];
}

void carom_tape_wide_evaluate(const carom_tape *tape, carom_wide_function *code, carom_wide *work,
                              const carom_wide_inputs *inputs, carom_wide *outputs)
{
    if (code)
        code(tape, NULL, work, inputs, outputs);
    else
        tape_wide_interpret(tape, work, inputs, outputs);
}

/* ---- code beside the interpreter ---------------------------------------------------------------------------- */

/* The longest list of leaves of a kind that it reads, by their indices. */
static size_t leaves_of(const carom_tape *tape)
{
    const int *index = tape->input;
    int most = 0;
    for (int kind = 0; kind < INPUTS; kind++)
        for (int i = 0; i < tape->inputs[kind]; i++, index++)
            if (*index > most)
                most = *index;
    return (size_t)most + 1;
}

bool tape_wide_agrees(const carom_tape *tape, carom_wide_function *code)
{
    enum {
        POINTS = 2 /* in each lane */
    };
    const size_t size = carom_tape_work_size(tape), count = leaves_of(tape), outputs = (size_t)tape->outputs;
    carom_arena *arena = carom_arena_create();
    carom_wide *work = arena ? carom_wide_take(arena, 2 * size + 2 * outputs + count) : NULL;
    bool same = work != NULL;
    if (same) {
        carom_wide *other = work + size, *result = other + size, *coded = result + outputs,
                   *value = coded + outputs;
        const carom_wide_inputs inputs = {.t = value, .q = value, .u = value};
        carom_random random = {.state = 1};
        for (int point = 0; same && point < POINTS; point++) {
            for (size_t i = 0; i < count * CAROM_LANES; i++)
                carom_wide_put(value, (int)i, carom_random_uniform(&random, point ? 0.1 : -2.0, 2.0));
            for (size_t i = 0; i < size * CAROM_LANES; i++)
                carom_wide_put(work, (int)i, carom_random_uniform(&random, point ? 0.1 : -2.0, 2.0));
            memcpy(other, work, size * sizeof *other);
            tape_wide_interpret(tape, work, &inputs, result);
            code(tape, NULL, other, &inputs, coded);
            same = memcmp(result, coded, outputs * sizeof *coded) == 0 &&
                   memcmp(work, other, size * sizeof *work) == 0;
        }
    }
    carom_arena_free(arena);
    return same;
}
