#include "fclib_guard.h"

#include <string.h>
#include <sys/types.h>

enum {
    HEADER_BYTES = 64,
    HEAP_BYTES = 32,
    MESSAGE_BYTES = 24,
    SUPERBLOCK_BYTES = 128,
    SYMBOL_TABLE = 0x11
};

/* As many bytes as there are; the rest is zero. */
static bool read_at(FILE *file, uint64_t place, unsigned char *bytes, size_t size)
{
    memset(bytes, 0, size);
    return place <= INT64_MAX && fseeko(file, (off_t)place, SEEK_SET) == 0 && fread(bytes, 1, size, file) > 0;
}

static uint64_t little_endian(const unsigned char *bytes, int width)
{
    uint64_t value = 0;
    for (int i = width - 1; i >= 0; i--)
        value = value << 8 | bytes[i];
    return value;
}

/* The names of a group: signature, size, free list, address of the names. */
static bool heap_fits(FILE *file, uint64_t base, uint64_t address, uint64_t end)
{
    unsigned char heap[HEAP_BYTES];
    if (address > end || !read_at(file, base + address, heap, sizeof heap) || memcmp(heap, "HEAP", 4) != 0)
        return false;
    const uint64_t size = little_endian(heap + 8, 8), names = little_endian(heap + 24, 8);
    return names <= end && size <= end - names;
}

/* Messages of version 1: type, size, flags, then their data. That of a group gives the addresses of its tree
 * and of its names. */
static bool messages_fit(FILE *file, uint64_t base, uint64_t first, uint64_t last, uint64_t end)
{
    unsigned char message[MESSAGE_BYTES];
    for (uint64_t place = first; place + 8 <= last; place += 8 + little_endian(message + 2, 2)) {
        if (!read_at(file, base + place, message, sizeof message))
            return false;
        if (little_endian(message, 2) == SYMBOL_TABLE &&
            !heap_fits(file, base, little_endian(message + 16, 8), end))
            return false;
    }
    return true;
}

/* Version 1: 16 bytes with the size of the messages in the third word. Version 2: signature, flags, and after
 * the optional fields the size of the messages, which a checksum follows. */
bool fclib_header_fits(FILE *file, uint64_t base, uint64_t address, uint64_t end)
{
    unsigned char head[HEADER_BYTES];
    if (address > end || base > INT64_MAX || end > INT64_MAX ||
        !read_at(file, base + address, head, sizeof head))
        return false;
    if (head[0] == 1) {
        const uint64_t size = 16 + little_endian(head + 8, 4);
        return size <= end - address && messages_fit(file, base, address + 16, address + size, end);
    }
    if (memcmp(head, "OHDR", 4) != 0)
        return false;
    const int flags = head[5], width = 1 << (flags & 3);
    const int place = 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
    const uint64_t messages = little_endian(head + place, width);
    return messages <= end && messages + (uint64_t)(place + width + 4) <= end - address;
}

/* Versions 0 and 1 give base, free space, end and driver, then the entry of the root group: its name, its
 * header, and (kind 1) once more where its tree and its names are. Versions 2 and 3 give base, extension,
 * end, header of the root group. */
static bool root_fits(FILE *file, const unsigned char *superblock, uint64_t base)
{
    const int version = superblock[8];
    const bool is_old = version <= 1;
    const unsigned char *width = superblock + (is_old ? 13 : 9);
    const unsigned char *field = superblock + (is_old ? 24 + (version == 1 ? 4 : 0) : 12);
    if (version > 3 || width[0] != 8 || width[1] != 8)
        return false;
    const uint64_t end = little_endian(field + 16, 8);
    if (!fclib_header_fits(file, base, little_endian(field + (is_old ? 40 : 24), 8), end))
        return false;
    return !is_old || little_endian(field + 48, 4) != 1 ||
           heap_fits(file, base, little_endian(field + 64, 8), end);
}

/* The superblock stands at the beginning, or behind a block of the user's of 512, 1024, ... bytes. */
bool fclib_root_fits(FILE *file)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char superblock[SUPERBLOCK_BYTES];
    for (uint64_t base = 0; read_at(file, base, superblock, sizeof superblock);
         base = base == 0 ? 512 : 2 * base)
        if (memcmp(superblock, signature, sizeof signature) == 0)
            return root_fits(file, superblock, base);
    return false;
}
