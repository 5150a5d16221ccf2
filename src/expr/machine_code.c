#define _DEFAULT_SOURCE /* NOLINT(bugprone-reserved-identifier): for MAP_ANONYMOUS */
#include "machine_code.h"

#ifdef CAROM_HAS_MACHINE_CODE

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void machine_bytes(emitter *self, size_t count, const uint8_t *bytes)
{
    carom_text_append_bytes(&self->code, (const char *)bytes, count);
}

void machine_number(emitter *self, int64_t number, size_t bytes)
{
    uint8_t byte[8];
    for (size_t i = 0; i < bytes; i++)
        byte[i] = (uint8_t)((uint64_t)number >> 8 * i);
    machine_bytes(self, bytes, byte);
}

void machine_pointer(emitter *self, int to, size_t offset)
{
    PUT(self, 0x48, 0x8b, mode_byte(2, to, self->inputs));
    machine_number(self, (int64_t)offset, 4);
}

void machine_constant(emitter *self, int to, const void *pointer)
{
    PUT(self, 0x48, (uint8_t)(0xb8 + to));
    machine_number(self, (int64_t)(intptr_t)pointer, 8);
}

void machine_call(emitter *self, void (*function)(void))
{
    void *address;
    memcpy(&address, &function, sizeof address); /* POSIX: pointers to functions fit */
    machine_constant(self, RAX, address);
    PUT(self, 0xff, 0xd0);
    machine_forget(self);
}

uint8_t machine_arithmetic(carom_op op)
{
    return op == CAROM_OP_ADD   ? 0x58
           : op == CAROM_OP_MUL ? 0x59
           : op == CAROM_OP_SUB ? 0x5c
           : op == CAROM_OP_DIV ? 0x5e
                                : 0;
}

static bool is_call(carom_op op)
{
    return machine_arithmetic(op) == 0 && op != CAROM_OP_NEG && op != CAROM_OP_ABS && op != CAROM_OP_SQRT;
}

bool machine_begin(emitter *self, const carom_tape *tape)
{
    bool calls = false;
    for (int i = 0; i < tape->body_length; i++)
        calls = calls || is_call(tape->body[i].op);
    self->tape = tape;
    self->work = calls ? RBX : RDX;
    self->inputs = calls ? RBP : RCX;
    self->outputs = calls ? R13 : R8;
    machine_forget(self);
    PUT(self, 0xf3, 0x0f, 0x1e, 0xfa); /* endbr64: it is called through a pointer */
    if (calls) {
        PUT(self, 0x53, 0x55, 0x41, 0x55);                               /* push rbx, rbp, r13 */
        PUT(self, 0x48, 0x89, 0xd3, 0x48, 0x89, 0xcd, 0x4d, 0x89, 0xc5); /* from rdx, rcx, r8 */
    }
    return calls;
}

void machine_end(emitter *self, bool calls)
{
    if (calls)
        PUT(self, 0x41, 0x5d, 0x5d, 0x5b); /* pop r13, rbp, rbx */
    PUT(self, 0xc3);
}

void machine_outputs(emitter *self, void (*put_memory)(emitter *, uint8_t, int, int, int))
{
    const carom_tape *tape = self->tape;
    for (int i = 0; i < tape->outputs; i++) {
        int from = machine_register(self, tape->output[i]);
        if (from < 0) {
            from = machine_take(self, -1);
            put_memory(self, LOAD, from, self->work, tape->output[i]);
        }
        put_memory(self, STORE, from, self->outputs, i);
    }
}

void machine_forget(emitter *self)
{
    for (int i = 0; i < REGISTERS; i++)
        self->held[i] = -1;
}

int machine_register(const emitter *self, int place)
{
    for (int i = 0; i < REGISTERS; i++)
        if (self->held[i] == place)
            return i;
    return -1;
}

int machine_take(emitter *self, int kept)
{
    do
        self->newest = (self->newest + 1) % REGISTERS;
    while (self->newest == kept);
    self->held[self->newest] = -1;
    return self->newest;
}

tape_block *tape_block_make(const carom_text *code)
{
    tape_block *block = carom_new_array(1, sizeof *block);
    if (!block)
        return NULL;
    block->size = code->length;
    block->memory = mmap(NULL, block->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block->memory != MAP_FAILED) {
        memcpy(block->memory, code->bytes, block->size);
        if (mprotect(block->memory, block->size, PROT_READ | PROT_EXEC) == 0)
            return block;
        munmap(block->memory, block->size);
    }
    free(block);
    return NULL;
}

void tape_block_leave(tape_block *block)
{
    if (!block || --block->tapes > 0)
        return;
    munmap(block->memory, block->size);
    free(block);
}

#else

#include "tape.h"

void tape_block_leave(tape_block *block)
{
    (void)block;
}

#endif
