/* Tapes at several points at once as machine code: as tape_machine.c, with vectors of four numbers (AVX).
 *
 *   vmovupd  (rdx + 32 a), ymm3
 *   vaddpd   (rdx + 32 b), ymm3, ymm3     result = a + b in all lanes
 *   vmovupd  ymm3, (rdx + 32 place)
 *
 * Everything else is a call of the interpreter's own function for several points. Where a processor has no such vectors, or the
 * system refuses executable memory, tapes are interpreted. */
#include "machine_code.h"
#include "tape_wide.h"

#ifdef CAROM_HAS_MACHINE_CODE

#include <stdlib.h>
#include <string.h>

_Static_assert(CAROM_LANES == 4, "vectors of four numbers");

enum {
    BYTES = sizeof(carom_wide),
    SIGN_BIT = 0,                      /* where the block has the masks of -x */
    OTHER_BITS = BYTES,                /* and of |x| */
    PLACES_MOST = INT_MAX / BYTES - 1, /* offsets have 32 bits */
    NOTHING = 0 /* in place of the first operand of an instruction that has one operand */
};

struct carom_wide_code {
    tape_block *block;
    int count;
    carom_wide_function *function[];
};

/* ---- instructions of the machine ------------------------------------------------------------------------ */

/* The prefix of an operation on vectors of 256 bits. */
static void put_prefix(emitter *self, uint8_t operation, int first, int base)
{
    PUT(self, 0xc4, (uint8_t)(base >= 8 ? 0xc1 : 0xe1), (uint8_t)((~first & 15) << 3 | 0x05), operation);
}

/* ymm := ymm operation memory at base + BYTES index; LOAD and STORE have no other operand. */
static void put_memory(emitter *self, uint8_t operation, int ymm, int base, int index)
{
    const bool moves = operation == LOAD || operation == STORE;
    put_prefix(self, operation, moves ? NOTHING : ymm, base);
    PUT(self, mode_byte(2, ymm, base));
    machine_number(self, BYTES * (int64_t)index, 4);
}

static void put_registers(emitter *self, uint8_t operation, int to, int first, int from)
{
    put_prefix(self, operation, first, 0);
    PUT(self, mode_byte(3, to, from));
}

static void put_address(emitter *self, int to, int place)
{
    PUT(self, 0x48, 0x8d, mode_byte(2, to, self->work)); /* lea */
    machine_number(self, BYTES * (int64_t)place, 4);
}

static void put_leave_vectors(emitter *self)
{
    PUT(self, 0xc5, 0xf8, 0x77); /* vzeroupper */
}

/* ---- values in registers -------------------------------------------------------------------------------- */

static void keep_result(emitter *self, int ymm, int place)
{
    put_memory(self, STORE, ymm, self->work, place);
    self->held[ymm] = place;
    self->newest = ymm;
}

/* The value of a place in a register that may be changed, any but `kept`. */
static int put_copy(emitter *self, int place, int kept)
{
    enum {
        MOVE = 0x28 /* vmovapd */
    };
    const int from = machine_register(self, place), to = machine_take(self, kept);
    if (from < 0)
        put_memory(self, LOAD, to, self->work, place);
    else if (from != to)
        put_registers(self, MOVE, to, NOTHING, from);
    return to;
}

/* ---- instructions of a tape ----------------------------------------------------------------------------- */

static void put_arithmetic(emitter *self, uint8_t operation, const instruction *step, int place)
{
    const int right = machine_register(self, step->b), to = put_copy(self, step->a, right);
    if (right >= 0)
        put_registers(self, operation, to, to, right);
    else
        put_memory(self, operation, to, self->work, step->b);
    keep_result(self, to, place);
}

/* With one of the masks at the start of the block, found by its distance from the next instruction. */
static void put_masked(emitter *self, uint8_t operation, int mask, const instruction *step, int place)
{
    const int to = put_copy(self, step->a, -1);
    put_prefix(self, operation, to, 0);
    PUT(self, mode_byte(0, to, 5));
    machine_number(self, (int64_t)mask - (int64_t)self->code.length - 4, 4);
    keep_result(self, to, place);
}

static void put_root(emitter *self, const instruction *step, int place)
{
    const int to = put_copy(self, step->a, -1);
    put_registers(self, 0x51, to, NOTHING, to);
    keep_result(self, to, place);
}

/* function(rdi, step, &work[a], &work[place]) with rdi as it is. */
static void put_call(emitter *self, void (*function)(void), const instruction *step, int place)
{
    machine_constant(self, RSI, step);
    put_address(self, RDX, step->a);
    put_address(self, RCX, place);
    put_leave_vectors(self);
    machine_call(self, function);
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
        machine_pointer(self, RDI, offsetof(carom_wide_inputs, angles));
        put_call(self, (void (*)(void))tape_wide_sine, step, place);
        break;
    case CAROM_OP_COS:
        machine_pointer(self, RDI, offsetof(carom_wide_inputs, angles));
        put_call(self, (void (*)(void))tape_wide_cosine, step, place);
        break;
    default: /* the function finds its operands by their distance from the first */
        machine_constant(self, RDI, self->tape);
        put_call(self, (void (*)(void))tape_wide_apply, step, place);
    }
}

/* ---- a tape --------------------------------------------------------------------------------------------- */

/* Returns the place behind them. */
static int put_inputs(emitter *self, int place)
{
    const carom_tape *tape = self->tape;
    const int *index = tape->input;
    for (int kind = tape->first_kind; kind < tape->end_kind; kind++) {
        if (tape->inputs[kind] > 0)
            machine_pointer(self, RAX, tape_wide_input(kind));
        for (int i = 0; i < tape->inputs[kind]; i++, index++, place++) {
            const int to = machine_take(self, -1);
            put_memory(self, LOAD, to, RAX, *index);
            keep_result(self, to, place);
        }
    }
    return place;
}

static void put_tape(emitter *self, const carom_tape *tape)
{
    const bool calls = machine_begin(self, tape);
    const int body = put_inputs(self, tape->constants + tape->parameters + tape->prologue_length);
    for (int i = 0; i < tape->body_length; i++)
        put_instruction(self, &tape->body[i], body + i);
    machine_outputs(self, put_memory);
    put_leave_vectors(self);
    machine_end(self, calls);
}

/* ---- several tapes ---------------------------------------------------------------------------------------- */

static bool is_wanted(const carom_tape *tape)
{
    return tape && carom_tape_is_wide(tape) && carom_tape_work_size(tape) < PLACES_MOST &&
           tape->outputs < PLACES_MOST && tape->body_length <= INSTRUCTIONS_MOST;
}

carom_wide_code *carom_wide_code_create(int count, const carom_tape *const *tape)
{
    uint64_t masks[2 * CAROM_LANES];
    for (int i = 0; i < CAROM_LANES; i++) {
        masks[i] = UINT64_C(1) << 63;
        masks[CAROM_LANES + i] = ~masks[i];
    }
    if (!__builtin_cpu_supports("avx"))
        return NULL;
    carom_wide_code *self = carom_new_array(1, sizeof *self + (size_t)count * sizeof *self->function);
    size_t *start = carom_new_array((size_t)count, sizeof *start);
    emitter code = {0};
    machine_bytes(&code, sizeof masks, (const uint8_t *)masks);
    for (int i = 0; self && start && i < count; i++) {
        start[i] = code.code.length;
        if (is_wanted(tape[i]))
            put_tape(&code, tape[i]);
    }
    tape_block *block = self && start && !code.code.failed ? tape_block_make(&code.code) : NULL;
    for (int i = 0; block && i < count; i++) {
        const char *const entry = (const char *)block->memory + start[i];
        carom_wide_function *function;
        memcpy(&function, &entry, sizeof function);
        if (is_wanted(tape[i]) && tape_wide_agrees(tape[i], function))
            self->function[i] = function;
    }
    carom_text_free(&code.code);
    free(start);
    if (block) {
        self->block = block;
        self->count = count;
        block->tapes = 1;
        return self;
    }
    free(self);
    return NULL;
}

void carom_wide_code_free(carom_wide_code *self)
{
    if (!self)
        return;
    tape_block_leave(self->block);
    free(self);
}

carom_wide_function *carom_wide_code_of(const carom_wide_code *self, int index)
{
    return self ? self->function[index] : NULL;
}

#else

carom_wide_code *carom_wide_code_create(int count, const carom_tape *const *tape)
{
    (void)count, (void)tape;
    return NULL;
}

void carom_wide_code_free(carom_wide_code *self)
{
    (void)self;
}

carom_wide_function *carom_wide_code_of(const carom_wide_code *self, int index)
{
    (void)self, (void)index;
    return NULL;
}

#endif
