/* Inside of tapes at several points at once. */
#ifndef CAROM_EXPR_TAPE_WIDE_H
#define CAROM_EXPR_TAPE_WIDE_H

#include "carom/expr/wide.h"
#include "tape.h"

/* Where carom_wide_inputs has a kind of leaves. */
static inline size_t tape_wide_input(int kind)
{
    return kind == SECTION_TIME - FIRST_INPUT         ? offsetof(carom_wide_inputs, t)
           : kind == SECTION_COORDINATE - FIRST_INPUT ? offsetof(carom_wide_inputs, q)
                                                      : offsetof(carom_wide_inputs, u);
}

/* What machine code calls for the instruction `step` of a body: x is its first operand. */
void tape_wide_sine(carom_wide_angle *angles, const instruction *step, const carom_wide *x,
                    carom_wide *value);
void tape_wide_cosine(carom_wide_angle *angles, const instruction *step, const carom_wide *x,
                      carom_wide *value);
void tape_wide_apply(const carom_tape *tape, const instruction *step, const carom_wide *x, carom_wide *value);

void tape_wide_interpret(const carom_tape *tape, carom_wide *work, const carom_wide_inputs *inputs,
                         carom_wide *outputs);
/* Whether the code has the bits of the interpreter at some points. */
bool tape_wide_agrees(const carom_tape *tape, carom_wide_function *code);

#endif
