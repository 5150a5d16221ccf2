/* expr/wide: tapes at CAROM_LANES points at once, with the bits that carom_tape_evaluate gives at each. Part of room expr. */
#ifndef CAROM_EXPR_WIDE_H
#define CAROM_EXPR_WIDE_H

#include "carom/expr.h"
#include "carom/linalg/wide.h"

/* As carom_angle. */
typedef struct carom_wide_angle {
    carom_wide sine_at, sine, cosine_at, cosine;
} carom_wide_angle;
void carom_wide_angles_forget(carom_wide_angle *angles); /* CAROM_ANGLES of them */

/* Values of the leaves; arrays may be NULL when no expression of the tape uses them. */
typedef struct carom_wide_inputs {
    const carom_wide *t, *q, *u;
    carom_wide_angle *angles; /* CAROM_ANGLES of them; NULL: nothing is kept */
} carom_wide_inputs;

/* Whether the tape reads nothing but t, q, u and parameters. Other ones are evaluated point by point. */
bool carom_tape_is_wide(const carom_tape *tape);
/* A lane of `wide`, carom_tape_work_size numbers, gets what carom_tape_bind has written to `work`. */
void carom_tape_wide_bind(const carom_tape *tape, int lane, const double *work, carom_wide *wide);
/* With its code, or NULL. */
typedef void carom_wide_function(const carom_tape *tape, const void *unused, carom_wide *work,
                                 const carom_wide_inputs *inputs, carom_wide *outputs);
void carom_tape_wide_evaluate(const carom_tape *tape, carom_wide_function *code, carom_wide *work,
                              const carom_wide_inputs *inputs, carom_wide *outputs);

/* Machine code of tapes, of which any may be NULL; they outlive it. NULL: not on this machine, or memory is short. */
typedef struct carom_wide_code carom_wide_code;
carom_wide_code *carom_wide_code_create(int count, const carom_tape *const *tape);
void carom_wide_code_free(carom_wide_code *code); /* NULL is fine */
/* Of the tape with this place in the list; NULL: it is interpreted. `code` may be NULL. */
carom_wide_function *carom_wide_code_of(const carom_wide_code *code, int index);

#endif
