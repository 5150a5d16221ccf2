/* Blocks of bytes, each behind its length, kept and given back in one order. */
#include <stdlib.h>
#include <string.h>

#include "carom/base.h"

static bool reserve(carom_snapshot *snapshot, size_t more)
{
    if (more > SIZE_MAX / 4 - snapshot->length)
        return false;
    const size_t needed = snapshot->length + more;
    if (needed <= snapshot->capacity)
        return true;
    size_t capacity = snapshot->capacity ? snapshot->capacity : 4096;
    while (capacity < needed)
        capacity *= 2;
    unsigned char *bytes = realloc(snapshot->bytes, capacity);
    if (!bytes)
        return false;
    snapshot->bytes = bytes;
    snapshot->capacity = capacity;
    return true;
}

static void append(carom_snapshot *snapshot, const void *block, size_t bytes)
{
    const uint64_t length = bytes;
    if (snapshot->failed || !reserve(snapshot, sizeof length + bytes)) {
        snapshot->failed = true;
        return;
    }
    memcpy(snapshot->bytes + snapshot->length, &length, sizeof length);
    if (bytes > 0)
        memcpy(snapshot->bytes + snapshot->length + sizeof length, block, bytes);
    snapshot->length += sizeof length + bytes;
}

/* The next block and its length; NULL when there is none. */
static const unsigned char *next_block(carom_snapshot *snapshot, size_t *bytes)
{
    uint64_t length = 0;
    const size_t left = snapshot->length - snapshot->place;
    if (snapshot->failed || left < sizeof length)
        return NULL;
    memcpy(&length, snapshot->bytes + snapshot->place, sizeof length);
    if (length > left - sizeof length)
        return NULL;
    const unsigned char *block = snapshot->bytes + snapshot->place + sizeof length;
    snapshot->place += sizeof length + (size_t)length;
    *bytes = (size_t)length;
    return block;
}

void carom_snapshot_block(carom_snapshot *snapshot, void *block, size_t bytes)
{
    if (!snapshot->restores) {
        append(snapshot, block, bytes);
        return;
    }
    size_t length = 0;
    const unsigned char *kept = next_block(snapshot, &length);
    if (!kept || length != bytes)
        snapshot->failed = true;
    else if (bytes > 0)
        memcpy(block, kept, bytes);
}

void carom_snapshot_same(carom_snapshot *snapshot, const void *block, size_t bytes)
{
    if (!snapshot->restores) {
        append(snapshot, block, bytes);
        return;
    }
    size_t length = 0;
    const unsigned char *kept = next_block(snapshot, &length);
    if (!kept || length != bytes || (bytes > 0 && memcmp(block, kept, bytes) != 0))
        snapshot->failed = true;
}

const void *carom_snapshot_bytes(carom_snapshot *snapshot, const void *bytes, size_t *count)
{
    if (!snapshot->restores) {
        append(snapshot, bytes, *count);
        return bytes;
    }
    *count = 0;
    const void *kept = next_block(snapshot, count);
    snapshot->failed = snapshot->failed || !kept;
    return kept;
}

void carom_snapshot_numbers(carom_snapshot *snapshot, double **value, size_t *length, size_t *capacity)
{
    if (!snapshot->restores) {
        append(snapshot, *value, *length * sizeof **value);
        return;
    }
    size_t bytes = 0;
    const unsigned char *kept = next_block(snapshot, &bytes);
    double *grown =
        kept && bytes % sizeof **value == 0 ? carom_new_array(bytes / sizeof **value, sizeof **value) : NULL;
    if (!grown) {
        snapshot->failed = true;
        return;
    }
    if (bytes > 0)
        memcpy(grown, kept, bytes);
    free(*value);
    *value = grown;
    *length = bytes / sizeof **value;
    *capacity = *length > 0 ? *length : 1;
}

carom_snapshot carom_snapshot_of(const void *bytes, size_t length)
{
    carom_snapshot snapshot = {.length = length, .restores = true};
    memcpy(&snapshot.bytes, &bytes, sizeof bytes); /* without its const: restoring only reads them */
    return snapshot;
}

void carom_snapshot_free(carom_snapshot *snapshot)
{
    if (!snapshot->restores)
        free(snapshot->bytes);
    *snapshot = (carom_snapshot){0};
}
