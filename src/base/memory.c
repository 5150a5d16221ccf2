#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "carom/base.h"

size_t carom_product(size_t a, size_t b)
{
    return b != 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

/* The code counts elements and forms their places, i * n + j, in ints: an array that they cannot reach to its end is
 * refused here, once for all. Bytes are counted in size_t. */
static bool is_countable(size_t count, size_t size)
{
    return size <= 1 || (count <= INT_MAX && count <= (SIZE_MAX / 2) / size);
}

void *carom_new_array(size_t count, size_t size)
{
    return is_countable(count, size) ? calloc(count ? count : 1, size ? size : 1) : NULL;
}

/* An arena is a list of blocks; pieces are cut from the newest one. */
typedef struct arena_block {
    struct arena_block *older;
    size_t used, capacity;
    max_align_t bytes[];
} arena_block;

struct carom_arena {
    arena_block *newest;
};

/* The first block of an arena is small, since many arenas hold little and all of it is set to zero; each one more is larger. */
enum {
    FIRST_BLOCK_BYTES = 2 * 1024,
    BLOCK_BYTES = 16 * 1024
};

carom_arena *carom_arena_create(void)
{
    return calloc(1, sizeof(carom_arena));
}

void carom_arena_free(carom_arena *arena)
{
    if (!arena)
        return;
    arena_block *block = arena->newest;
    while (block) {
        arena_block *older = block->older;
        free(block);
        block = older;
    }
    free(arena);
}

void *carom_arena_take(carom_arena *arena, size_t count, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    if (!is_countable(count, size) || carom_product(count, size) > SIZE_MAX / 2)
        return NULL;
    size_t bytes = count * size;
    bytes = bytes ? (bytes + align - 1) / align * align : align;
    arena_block *block = arena->newest;
    if (!block || block->capacity - block->used < bytes) {
        size_t capacity = !block                              ? FIRST_BLOCK_BYTES
                          : block->capacity < BLOCK_BYTES / 2 ? 2 * block->capacity
                                                              : BLOCK_BYTES;
        capacity = bytes > capacity ? bytes : capacity;
        block = calloc(1, sizeof *block + capacity);
        if (!block)
            return NULL;
        block->capacity = capacity;
        block->older = arena->newest;
        arena->newest = block;
    }
    void *piece = (char *)block->bytes + block->used;
    block->used += bytes;
    return piece;
}

char *carom_arena_copy_text(carom_arena *arena, const char *text)
{
    size_t length = strlen(text);
    char *copy = carom_arena_take(arena, length + 1, 1);
    if (copy)
        memcpy(copy, text, length + 1);
    return copy;
}
