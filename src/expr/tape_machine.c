/* Tapes as machine code of x86-64: what an interpreter decides for every instruction of every evaluation is decided once.
 *
 *   movsd  (rdx + 8 a), xmm3         a value that is in a register is taken from there
 *   addsd  (rdx + 8 b), xmm3         result = a + b
 *   movsd  xmm3, (rdx + 8 place)     all results go to work, too, where carom_tape_along looks for them
 *
 * Operations are the interpreter's, in its order: sums, products, quotients, roots and signs are one instruction of the machine,
 * everything else is a call of the interpreter's own function, so the bits are its bits. All tapes of a graph share one piece
 * of memory, which is written first and executable afterwards, never both; where the system refuses that, and on other
 * machines, tapes are interpreted.
 *
 * Manual: Intel 64 and IA-32 Architectures, volume 2 (encodings); System V ABI for AMD64 (calls). */
#include "machine_code.h"

#ifdef CAROM_HAS_MACHINE_CODE

#include <stdlib.h>
#include <string.h>

enum {
    SIGN_BIT = 0,                 /* where the block has the masks of -x */
    OTHER_BITS = 16,              /* and of |x| */
    PLACES_MOST = INT_MAX / 8 - 1 /* offsets have 32 bits */
};

/* ---- instructions of the machine ------------------------------------------------------------------------ */

/* An operation on one double, xmm with memory at base + 8 index. */
static void put_memory(emitter *self, uint8_t operation, int xmm, int base, int index)
{
    PUT(self, 0xf2);
    if (base >= 8)
        PUT(self, 0x41);
    PUT(self, 0x0f, operation, mode_byte(2, xmm, base));
    machine_number(self, 8 * (int64_t)index, 4);
}

static void put_registers(emitter *self, uint8_t operation, int to, int from)
{
    PUT(self, 0xf2, 0x0f, operation, mode_byte(3, to, from));
}

/* ---- values in registers -------------------------------------------------------------------------------- */

static void keep_result(emitter *self, int xmm, int place)
{
    put_memory(self, STORE, xmm, self->work, place);
    self->held[xmm] = place;
    self->newest = xmm;
}

/* The value of a place in a register that may be changed, any but `kept`. */
static int put_copy(emitter *self, int place, int kept)
{
    const int from = machine_register(self, place), to = machine_take(self, kept);
    if (from < 0)
        put_memory(self, LOAD, to, self->work, place);
    else if (from != to)
        PUT(self, 0x0f, 0x28, mode_byte(3, to, from)); /* movaps */
    return to;
}

/* ---- instructions of a tape ----------------------------------------------------------------------------- */

static void put_arithmetic(emitter *self, uint8_t operation, const instruction *step, int place)
{
    const int right = machine_register(self, step->b), to = put_copy(self, step->a, right);
    if (right >= 0)
        put_registers(self, operation, to, right);
    else
        put_memory(self, operation, to, self->work, step->b);
    keep_result(self, to, place);
}

/* With one of the masks at the start of the block, found by its distance from the next instruction. */
static void put_masked(emitter *self, uint8_t operation, int mask, const instruction *step, int place)
{
    const int to = put_copy(self, step->a, -1);
    PUT(self, 0x0f, operation, mode_byte(0, to, 5));
    machine_number(self, (int64_t)mask - (int64_t)self->code.length - 4, 4);
    keep_result(self, to, place);
}

static void put_root(emitter *self, const instruction *step, int place)
{
    const int to = put_copy(self, step->a, -1);
    put_registers(self, 0x51, to, to);
    keep_result(self, to, place);
}

/* Of a function with the value of `step->a` in xmm0; it leaves no other register as it was. */
static void put_call(emitter *self, void (*function)(void), const instruction *step, int place)
{
    put_memory(self, LOAD, 0, self->work, step->a);
    machine_call(self, function);
    keep_result(self, 0, place);
}

static void put_angle(emitter *self, double (*function)(carom_angle *, const instruction *, double),
                      const instruction *step, int place)
{
    machine_pointer(self, RDI, offsetof(carom_inputs, angles));
    machine_constant(self, RSI, step);
    put_call(self, (void (*)(void))function, step, place);
}

static void put_look_up(emitter *self, const instruction *step, int place)
{
    machine_constant(self, RDI, self->tape);
    PUT(self, 0xb8 + RSI);
    machine_number(self, step->c, 4);
    put_call(self, (void (*)(void))tape_look_up, step, place);
}

static void put_other(emitter *self, const instruction *step, int place)
{
    machine_constant(self, RDI, step);
    put_memory(self, LOAD, 1, self->work, step->b);
    put_memory(self, LOAD, 2, self->work, step->c);
    put_call(self, (void (*)(void))tape_apply, step, place);
}

static void put_instruction(emitter *self, const instruction *step, int place)
{
    const uint8_t arithmetic = machine_arithmetic(step->op);
    if (arithmetic) {
        put_arithmetic(self, arithmetic, step, place);
        return;
    }
    switch (step->op) {
    case CAROM_OP_NEG:
        put_masked(self, 0x57, SIGN_BIT, step, place);
        break;
    case CAROM_OP_ABS:
        put_masked(self, 0x54, OTHER_BITS, step, place);
        break;
    case CAROM_OP_SQRT:
        put_root(self, step, place);
        break;
    case CAROM_OP_SIN:
        put_angle(self, tape_sine, step, place);
        break;
    case CAROM_OP_COS:
        put_angle(self, tape_cosine, step, place);
        break;
    case CAROM_OP_TABLE:
        put_look_up(self, step, place);
        break;
    default:
        put_other(self, step, place);
    }
}

/* ---- a tape --------------------------------------------------------------------------------------------- */

/* Values from outside, where the inputs have an array of them: else they are there from bind. */
static void put_outside(emitter *self, int place)
{
    enum {
        LOAD_AND_STORE = 16 /* bytes */
    };
    const carom_tape *tape = self->tape;
    if (tape->outside == 0)
        return;
    machine_pointer(self, RAX, offsetof(carom_inputs, outside));
    PUT(self, 0x48, 0x85, 0xc0, 0x0f, 0x84); /* test rax, rax; jz over all of them */
    machine_number(self, LOAD_AND_STORE * (int64_t)tape->outside, 4);
    for (int i = 0; i < tape->outside; i++) {
        put_memory(self, LOAD, 0, RAX, tape->from_outside[i]);
        put_memory(self, STORE, 0, self->work, place + i);
    }
}

/* Returns the place behind them. */
static int put_inputs(emitter *self, int place)
{
    const carom_tape *tape = self->tape;
    const int *index = tape->input;
    for (int kind = 0; kind < INPUTS; kind++) {
        const tape_input member = tape_inputs[kind];
        if (tape->inputs[kind] > 0 && member.is_array)
            machine_pointer(self, RAX, member.offset);
        for (int i = 0; i < tape->inputs[kind]; i++, index++, place++) {
            const int to = machine_take(self, -1);
            if (member.is_array)
                put_memory(self, LOAD, to, RAX, *index);
            else
                put_memory(self, LOAD, to, self->inputs, (int)(member.offset / sizeof(double)));
            keep_result(self, to, place);
        }
    }
    return place;
}

/* carom_tape_code: tape, look_up, work, inputs, outputs come in rdi, rsi, rdx, rcx, r8, of which calls leave nothing. */
static void put_tape(emitter *self, const carom_tape *tape)
{
    const bool calls = machine_begin(self, tape);
    const int bound = tape->constants + tape->parameters + tape->prologue_length;
    put_outside(self, bound);
    const int body = put_inputs(self, bound + tape->outside);
    for (int i = 0; i < tape->body_length; i++)
        put_instruction(self, &tape->body[i], body + i);
    machine_outputs(self, put_memory);
    machine_end(self, calls);
}

/* ---- all tapes of a graph ------------------------------------------------------------------------------- */

static bool is_wanted(const carom_tape *tape)
{
    return !tape->code && !tape->factor && carom_tape_work_size(tape) < PLACES_MOST &&
           tape->outputs < PLACES_MOST;
}

/* Of tapes; *instructions: of all of them together. */
static size_t count_wanted(const carom_graph *graph, size_t *instructions)
{
    size_t count = 0;
    *instructions = 0;
    for (const carom_tape *tape = graph->tapes; tape; tape = tape->next) {
        if (!is_wanted(tape))
            continue;
        count++;
        *instructions += (size_t)tape->body_length;
    }
    return count;
}

/* start[]: of each wanted tape in the code, in the order of the list. */
static int attach(carom_graph *graph, tape_block *block, const size_t *start)
{
    int attached = 0;
    block->tapes = 1; /* ourselves, so that it stays */
    for (carom_tape *tape = graph->tapes; tape; tape = tape->next) {
        if (!is_wanted(tape))
            continue;
        carom_tape_code *code;
        const char *const entry = (const char *)block->memory + *start++;
        memcpy(&code, &entry, sizeof code);
        if (!tape_code_agrees(tape, code))
            continue;
        tape->code = code;
        tape->block = block;
        block->tapes++;
        attached++;
    }
    tape_block_leave(block);
    return attached;
}

int carom_graph_to_machine(carom_graph *graph)
{
    static const uint64_t masks[4] = {UINT64_C(1) << 63, UINT64_C(1) << 63, ~(UINT64_C(1) << 63),
                                      ~(UINT64_C(1) << 63)};
    size_t instructions = 0, tapes = count_wanted(graph, &instructions);
    if (tapes == 0 || instructions > INSTRUCTIONS_MOST)
        return 0;
    size_t *start = carom_new_array(tapes, sizeof *start);
    emitter self = {0};
    machine_bytes(&self, sizeof masks, (const uint8_t *)masks);
    tapes = 0;
    for (const carom_tape *tape = graph->tapes; start && tape; tape = tape->next) {
        if (!is_wanted(tape))
            continue;
        start[tapes++] = self.code.length;
        put_tape(&self, tape);
    }
    tape_block *block = start && !self.code.failed ? tape_block_make(&self.code) : NULL;
    const int attached = block ? attach(graph, block, start) : 0;
    carom_text_free(&self.code);
    free(start);
    return attached;
}

#else

#include "tape.h"

int carom_graph_to_machine(carom_graph *graph)
{
    (void)graph;
    return 0;
}

#endif
