/* Inside of tapes, for the files of this room: flat instructions on one array of doubles.
 *
 *   work: | constants | parameters | prologue results | inputs | t | place | q | u | impulses ... | body results |
 *           '----------------- written by bind ----------------'
 *                                                       '------------- written by evaluate -----------------'
 *
 * Results stand in the order of their instructions, so an instruction needs no destination. */
#ifndef CAROM_EXPR_TAPE_H
#define CAROM_EXPR_TAPE_H

#include "graph.h"

typedef struct instruction {
    carom_op op;
    /* places in work; of a table: its argument, nothing, the number of the lookup; of sines and cosines: their argument,
     * whether the other one of the two is likely to be asked for, too, and which of the angles is theirs */
    int a, b, c;
} instruction;

enum {
    SECTION_CONSTANT,
    SECTION_PARAMETER,
    SECTION_PROLOGUE,
    SECTION_OUTSIDE,
    SECTION_TIME,
    SECTION_PLACE,
    SECTION_COORDINATE,
    SECTION_VELOCITY,
    SECTION_IMPULSE,
    SECTION_OBSERVED,
    SECTION_ACCELERATION,
    SECTION_MULTIPLIER,
    SECTION_BODY,
    SECTIONS
};

enum {
    FIRST_INPUT =
        SECTION_TIME, /* sections that are copied from the inputs, with the parameters before them */
    INPUTS = SECTION_BODY - SECTION_TIME
};

/* Where carom_inputs has a kind: a number, or an array of them. */
typedef struct tape_input {
    size_t offset;
    bool is_array;
} tape_input;
extern const tape_input tape_inputs[INPUTS];

typedef struct tape_block tape_block;

/* One piece of memory: models have a tape for each of their contacts. */
struct carom_tape {
    carom_graph *graph;        /* NULL when it has gone */
    carom_tape *before, *next; /* in the graph's list */
    carom_tape_code *code;     /* compiled instructions; NULL: they are interpreted */
    tape_block *block;         /* where machine code of ours stands; NULL: there is none */
    int constants, parameters, prologue_length, outside, body_length, outputs;
    int inputs[INPUTS];       /* leaves of each kind */
    int first_kind, end_kind; /* those that there are: most tapes read one or two */
    int lookups;
    double *constant;
    int *parameter; /* which entries of the input arrays the tape reads */
    int *from_outside;
    int *input; /* kind after kind */
    instruction *prologue;
    instruction *body;
    int runs;    /* of equal operations one after the other in the body */
    int *run;    /* their lengths */
    int *output; /* places in work */
    unsigned *depends;
    table_lookup *lookup;
    double *factor; /* carom_tape_rescale: of the inputs, kind after kind, then of the outputs; NULL: ones */
};

/* Puts the nodes of a list, operands before their users, into an order in which equal operations stand together. */
void tape_order(const carom_graph *graph, int count, carom_node *list);

/* What compiled code calls for tables: lookup number c of the tape at a. */
double tape_look_up(const carom_tape *tape, int c, double a);
/* What machine code calls for the instruction `step` of a body: sine and cosine of x, or what operation.h says. */
double tape_sine(carom_angle *angles, const instruction *step, double x);
double tape_cosine(carom_angle *angles, const instruction *step, double x);
double tape_apply(const instruction *step, double a, double b, double c);
/* Evaluates instruction by instruction, whether there is code or not. */
void tape_interpret(const carom_tape *tape, double *work, const carom_inputs *inputs, double *outputs);
/* Whether the code has the bits of the interpreter at some points. */
bool tape_code_agrees(const carom_tape *tape, carom_tape_code *code);

/* Number of inputs of all kinds. */
static inline int tape_input_count(const carom_tape *tape)
{
    int count = 0;
    for (int k = 0; k < INPUTS; k++)
        count += tape->inputs[k];
    return count;
}
/* x *= factor, entry by entry. */
static inline void tape_apply_factors(int count, const double *factor, double *x)
{
    for (int i = 0; i < count; i++)
        x[i] *= factor[i];
}

/* A tape that has code in the block has gone; NULL is allowed. */
void tape_block_leave(tape_block *block);

#endif
