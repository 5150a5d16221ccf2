#include "carom/linalg/wide.h"

carom_wide *carom_wide_take(carom_arena *arena, size_t count)
{
    const size_t size = sizeof(carom_wide);
    if (count >= SIZE_MAX / size)
        return NULL;
    char *bytes = carom_arena_take(arena, count + 1, size);
    return bytes ? (carom_wide *)(void *)(bytes + (size - (uintptr_t)bytes % size) % size) : NULL;
}
