/* Journals as files: a signature, then records one after the other,
 *
 *   kind, checksum of all that follows, number of bytes, bytes.
 *
 * A record that was dropped has the kind DROPPED, and bytes that mean nothing: a hole in the file, where there can be one.
 */
#ifdef __linux__
#define _GNU_SOURCE /* fallocate */
#endif
#include "carom/io/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/parts/locked_file.h"

static const char signature[8] = "carom-j1";

enum {
    BUFFER_BYTES = 1 << 16
};
static const uint32_t DROPPED = UINT32_MAX;

typedef struct record_head {
    uint32_t kind, checksum;
    uint64_t count;
} record_head;

struct carom_journal {
    locked_file file;
    unsigned char *buffer; /* records that are not written yet */
    size_t filled;
    uint64_t end; /* of the file, without the buffer */
    bool broken;  /* a write failed: no more is written */
    size_t count, capacity;
    carom_journal_record *record; /* found when it was opened */
};

/* ---- checksum ------------------------------------------------------------------------------------------ */

/* Eight bytes at a time, so that it costs little beside the writing; pieces but the last have multiples of eight. It finds
 * records that were not written to their end, which is all that it is for. */
static uint64_t add_to_checksum(uint64_t checksum, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, byte + i, count - i < sizeof word ? count - i : sizeof word);
        checksum = (checksum ^ word) * 0x9e3779b97f4a7c15u;
        checksum ^= checksum >> 32;
    }
    return checksum;
}

static uint64_t start_checksum(uint32_t kind, uint64_t count)
{
    const uint64_t start[2] = {kind, count};
    return add_to_checksum(0x243f6a8885a308d3u, start, sizeof start);
}

static uint32_t end_checksum(uint64_t checksum)
{
    return (uint32_t)(checksum ^ checksum >> 32);
}

/* ---- writing -------------------------------------------------------------------------------------------- */

static carom_status fail_write(carom_journal *journal, carom_error *error)
{
    const int failure = errno;
    journal->broken = true;
    return carom_fail(error, CAROM_IO_ERROR, "cannot write '%s': %s; it keeps what was complete before",
                      journal->file.path, strerror(failure));
}

static carom_status write_bytes(carom_journal *journal, const void *bytes, size_t count, carom_error *error)
{
    const unsigned char *byte = bytes;
    if (journal->broken)
        return carom_fail(error, CAROM_IO_ERROR, "'%s' takes no more after a failure", journal->file.path);
    while (count > 0) {
        const ssize_t written = pwrite(journal->file.descriptor, byte, count, (off_t)journal->end);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return fail_write(journal, error);
        byte += written;
        count -= (size_t)written;
        journal->end += (uint64_t)written;
    }
    return CAROM_OK;
}

static carom_status empty_buffer(carom_journal *journal, carom_error *error)
{
    const size_t filled = journal->filled;
    journal->filled = 0;
    return write_bytes(journal, journal->buffer, filled, error);
}

static carom_status put(carom_journal *journal, const void *bytes, size_t count, carom_error *error)
{
    carom_status status = CAROM_OK;
    if (count > BUFFER_BYTES - journal->filled)
        status = empty_buffer(journal, error);
    if (status != CAROM_OK)
        return status;
    if (count > BUFFER_BYTES)
        return write_bytes(journal, bytes, count, error);
    if (count > 0)
        memcpy(journal->buffer + journal->filled, bytes, count);
    journal->filled += count;
    return CAROM_OK;
}

carom_status carom_journal_append(carom_journal *journal, uint32_t kind, const void *bytes, size_t count,
                                  carom_error *error)
{
    const record_head head = {kind, end_checksum(add_to_checksum(start_checksum(kind, count), bytes, count)),
                              count};
    const carom_status status = put(journal, &head, sizeof head, error);
    return status == CAROM_OK ? put(journal, bytes, count, error) : status;
}

carom_status carom_journal_flush(carom_journal *journal, carom_error *error)
{
    return empty_buffer(journal, error);
}

carom_status carom_journal_sync(carom_journal *journal, carom_error *error)
{
    const carom_status status = empty_buffer(journal, error);
    if (status != CAROM_OK)
        return status;
    return fdatasync(journal->file.descriptor) == 0 || errno == EINVAL ? CAROM_OK
                                                                       : fail_write(journal, error);
}

uint64_t carom_journal_place(const carom_journal *journal)
{
    return journal->end + journal->filled;
}

/* The kind is one word inside a block of the disk: it is the old one or the new one, whatever happens on the way. */
carom_status carom_journal_drop(carom_journal *journal, uint64_t place, carom_error *error)
{
    record_head head;
    if (place + sizeof head > journal->end ||
        pread(journal->file.descriptor, &head, sizeof head, (off_t)place) != (ssize_t)sizeof head ||
        head.count > journal->end - place - sizeof head)
        return carom_fail(error, CAROM_IO_ERROR, "'%s' has no record to drop at %llu", journal->file.path,
                          (unsigned long long)place);
    if (pwrite(journal->file.descriptor, &DROPPED, sizeof DROPPED, (off_t)place) != (ssize_t)sizeof DROPPED)
        return fail_write(journal, error);
#ifdef FALLOC_FL_PUNCH_HOLE
    /* Not every file system can; the bytes stay then, and nothing depends on it. */
    (void)!fallocate(journal->file.descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                     (off_t)(place + sizeof head), (off_t)head.count);
#endif
    return CAROM_OK;
}

/* ---- reading -------------------------------------------------------------------------------------------- */

static bool read_bytes(const carom_journal *journal, uint64_t place, void *bytes, size_t count)
{
    unsigned char *byte = bytes;
    while (count > 0) {
        const ssize_t got = pread(journal->file.descriptor, byte, count, (off_t)place);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        byte += got;
        count -= (size_t)got;
        place += (uint64_t)got;
    }
    return true;
}

static bool note_record(carom_journal *journal, const carom_journal_record *record)
{
    if (journal->count == journal->capacity) {
        const size_t capacity = journal->capacity ? 2 * journal->capacity : 64;
        carom_journal_record *grown = realloc(journal->record, capacity * sizeof *grown);
        if (!grown)
            return false;
        journal->record = grown;
        journal->capacity = capacity;
    }
    journal->record[journal->count++] = *record;
    return true;
}

/* The checksum of what stands there, piece by piece. */
static bool is_whole(const carom_journal *journal, const record_head *head, uint64_t place)
{
    uint64_t checksum = start_checksum(head->kind, head->count);
    for (uint64_t left = head->count; left > 0;) {
        const size_t piece = left < BUFFER_BYTES ? (size_t)left : BUFFER_BYTES;
        if (!read_bytes(journal, place, journal->buffer, piece))
            return false;
        checksum = add_to_checksum(checksum, journal->buffer, piece);
        place += piece;
        left -= piece;
    }
    return end_checksum(checksum) == head->checksum;
}

/* Finds the records; what comes after the last whole one is cut off. */
static carom_status find_records(carom_journal *journal, carom_error *error)
{
    char start[sizeof signature];
    struct stat info;
    if (fstat(journal->file.descriptor, &info) != 0)
        return fail_write(journal, error);
    const uint64_t size = (uint64_t)info.st_size;
    if (!read_bytes(journal, 0, start, sizeof start) || memcmp(start, signature, sizeof start) != 0)
        return carom_fail(error, CAROM_BAD_INPUT, "'%s' is no journal of carom", journal->file.path);
    uint64_t place = sizeof start;
    record_head head;
    while (size - place >= sizeof head && read_bytes(journal, place, &head, sizeof head) &&
           head.count <= size - place - sizeof head &&
           (head.kind == DROPPED || is_whole(journal, &head, place + sizeof head))) {
        const carom_journal_record record = {head.kind, (size_t)head.count, place + sizeof head, place};
        if (head.kind != DROPPED && !note_record(journal, &record))
            return carom_fail_memory(error);
        place += sizeof head + head.count;
    }
    journal->end = place;
    if (journal->count == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "'%s' is damaged at its beginning: nothing can be resumed",
                          journal->file.path);
    return ftruncate(journal->file.descriptor, (off_t)place) == 0 ? CAROM_OK : fail_write(journal, error);
}

size_t carom_journal_count(const carom_journal *journal)
{
    return journal->count;
}

const carom_journal_record *carom_journal_at(const carom_journal *journal, size_t index)
{
    return index < journal->count ? &journal->record[index] : NULL;
}

carom_status carom_journal_read(carom_journal *journal, const carom_journal_record *record, size_t first,
                                size_t count, void *bytes, carom_error *error)
{
    if (first <= record->count && count <= record->count - first &&
        read_bytes(journal, record->place + first, bytes, count))
        return CAROM_OK;
    return carom_fail(error, CAROM_IO_ERROR, "reading '%s' failed", journal->file.path);
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static carom_status new_journal(const char *path, carom_journal **journal, carom_error *error)
{
    *journal = carom_new_array(1, sizeof **journal);
    if (!*journal)
        return carom_fail_memory(error);
    (*journal)->file.descriptor = -1;
    (*journal)->buffer = carom_new_array(BUFFER_BYTES, 1);
    if (!(*journal)->buffer)
        return carom_fail_memory(error);
    return locked_file_open(path, ".part", &(*journal)->file, error);
}

/* More than a head: work that someone may want to go on with. */
static bool has_work(carom_journal *journal)
{
    struct stat info;
    if (fstat(journal->file.descriptor, &info) != 0 || info.st_size == 0)
        return false;
    return find_records(journal, NULL) == CAROM_OK && journal->count > 1;
}

static carom_status put_aside(carom_journal *journal, const char *path, carom_error *error)
{
    char *aside = carom_new_array(strlen(journal->file.target) + sizeof ".old.part", 1);
    if (!aside)
        return carom_fail_memory(error);
    sprintf(aside, "%s.old.part", journal->file.target);
    const bool moved = rename(journal->file.path, aside) == 0;
    free(aside);
    if (!moved)
        return fail_write(journal, error);
    locked_file_close(&journal->file, false);
    return locked_file_open(path, ".part", &journal->file, error);
}

static carom_status begin(carom_journal *journal, const char *path, const void *head, size_t count,
                          bool *kept_old, carom_error *error)
{
    carom_status status = CAROM_OK;
    const bool aside = has_work(journal);
    if (kept_old)
        *kept_old = aside;
    if (aside)
        status = put_aside(journal, path, error);
    journal->count = 0;
    journal->end = 0;
    if (status == CAROM_OK && ftruncate(journal->file.descriptor, 0) != 0)
        status = fail_write(journal, error);
    if (status == CAROM_OK)
        status = put(journal, signature, sizeof signature, error);
    if (status == CAROM_OK)
        status = carom_journal_append(journal, 0, head, count, error);
    return status == CAROM_OK ? empty_buffer(journal, error) : status;
}

carom_status carom_journal_create(const char *path, const void *head, size_t count, carom_journal **journal,
                                  bool *kept_old, carom_error *error)
{
    carom_status status = new_journal(path, journal, error);
    if (status == CAROM_OK)
        status = begin(*journal, path, head, count, kept_old, error);
    if (status != CAROM_OK) {
        carom_journal_close(*journal, false);
        *journal = NULL;
    }
    return status;
}

bool carom_journal_exists(const char *path)
{
    char *name = carom_new_array(strlen(path) + sizeof ".part", 1);
    struct stat info;
    if (!name)
        return false;
    sprintf(name, "%s.part", path);
    const bool exists = stat(name, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
    free(name);
    return exists;
}

carom_status carom_journal_open(const char *path, carom_journal **journal, carom_error *error)
{
    *journal = NULL;
    if (!carom_journal_exists(path))
        return carom_fail(error, CAROM_BAD_INPUT, "there is nothing to resume: '%s.part' is not there", path);
    carom_status status = new_journal(path, journal, error);
    if (status == CAROM_OK)
        status = find_records(*journal, error);
    if (status != CAROM_OK) {
        carom_journal_close(*journal, false);
        *journal = NULL;
    }
    return status;
}

void carom_journal_close(carom_journal *journal, bool done)
{
    if (!journal)
        return;
    if (!done && journal->filled > 0 && !journal->broken)
        empty_buffer(journal, NULL);
    locked_file_close(&journal->file, done);
    free(journal->record);
    free(journal->buffer);
    free(journal);
}
