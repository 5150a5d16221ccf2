/* What code of x86-64 is made of, for the files that write it: bytes, which values registers have, and memory that is executable. */
#ifndef CAROM_EXPR_MACHINE_CODE_H
#define CAROM_EXPR_MACHINE_CODE_H

#if defined(__x86_64__) && defined(__linux__) && !defined(__ILP32__)
#define CAROM_HAS_MACHINE_CODE 1

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "tape.h"

enum {
    RAX = 0,
    RCX = 1,
    RDX = 2,
    RBX = 3,
    RBP = 5,
    RSI = 6,
    RDI = 7,
    R8 = 8,
    R13 = 13,
    REGISTERS = 8,               /* of vectors: 0 to 7 */
    LOAD = 0x10,                 /* of movsd, vmovupd */
    STORE = 0x11,                /* likewise */
    INSTRUCTIONS_MOST = 1000000, /* of a graph: some 20 MB */
};

/* Memory of the code of several tapes. */
struct tape_block {
    void *memory;
    size_t size;
    int tapes; /* that are still there */
};

typedef struct emitter {
    carom_text code;
    const carom_tape *tape;
    int work, inputs, outputs; /* registers that point there */
    int held[REGISTERS];       /* place in work whose value the register has, or -1 */
    int newest;                /* register that was filled last */
} emitter;

void machine_bytes(emitter *self, size_t count, const uint8_t *bytes);
#define PUT(self, ...)                                                                                       \
    machine_bytes(self, sizeof((const uint8_t[]){__VA_ARGS__}), (const uint8_t[]){__VA_ARGS__})
void machine_number(emitter *self, int64_t number, size_t bytes);
static inline uint8_t mode_byte(int mode, int reg, int base)
{
    return (uint8_t)(mode << 6 | (reg & 7) << 3 | (base & 7));
}
/* A pointer out of the inputs; one that is known. */
void machine_pointer(emitter *self, int to, size_t offset);
void machine_constant(emitter *self, int to, const void *pointer);
/* A call of a function through rax. */
void machine_call(emitter *self, void (*function)(void));
/* Work, inputs and outputs come in rdx, rcx and r8; where the tape calls functions, which leave nothing of these, they are kept in
 * registers that they do leave. machine_begin says whether it does, machine_end returns. */
bool machine_begin(emitter *self, const carom_tape *tape);
void machine_end(emitter *self, bool calls);
/* The outputs of the tape, by instructions that load and store a register: operation, register, pointer, index there. */
void machine_outputs(emitter *self, void (*put_memory)(emitter *, uint8_t, int, int, int));

/* What an operation on two numbers is as an instruction; 0: something else. */
uint8_t machine_arithmetic(carom_op op);

void machine_forget(emitter *self);
int machine_register(const emitter *self, int place);
/* One whose value is the oldest, any but `kept`; its value is in work. */
int machine_take(emitter *self, int kept);

/* Readable and executable; NULL where the system does not allow it. */
tape_block *tape_block_make(const carom_text *code);

#endif
#endif
