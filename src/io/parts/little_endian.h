/* Numbers as bytes of a file, the lowest first, on every machine. */
#ifndef CAROM_IO_PARTS_LITTLE_ENDIAN_H
#define CAROM_IO_PARTS_LITTLE_ENDIAN_H

#include <string.h>

#include "carom/base.h"

/* The lowest `size` bytes, 8 at most. */
static inline void put_whole(carom_text *bytes, uint64_t value, int size)
{
    char byte[8];
    for (int i = 0; i < size; i++)
        byte[i] = (char)(value >> (8 * i) & 0xff);
    carom_text_append_bytes(bytes, byte, (size_t)size);
}

static inline uint32_t single_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline void put_double(carom_text *bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_whole(bytes, bits, 8);
}

#endif
