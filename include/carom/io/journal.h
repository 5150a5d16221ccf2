/* Journals: what a long computation has done so far, in a file PATH.part beside its output PATH, so that it can go on after
 * the process ended in any way. Records are only ever appended, each with its length and a checksum; what was being written
 * when the process was killed is not a record, and is cut off when the journal is opened again. A journal is locked while a
 * process has it. Records are in the machine's own number formats: a journal is to be opened where it was written. Records that
 * later ones replace can be dropped: the file system gets their room back where it can. */
#ifndef CAROM_IO_JOURNAL_H
#define CAROM_IO_JOURNAL_H

#include "carom/base.h"

typedef struct carom_journal carom_journal;

/* Begins a journal for the output `path`. The first record is its head. An old journal that has records of work, not only a
 * head, is kept as PATH.old.part, and *kept_old (may be NULL) says so. IO_ERROR: another process has it. */
carom_status carom_journal_create(const char *path, const void *head, size_t count, carom_journal **journal,
                                  bool *kept_old, carom_error *error);
/* Opens the journal of the output `path` to go on. BAD_INPUT: there is none, or it is damaged; IO_ERROR: another process has
 * it. */
carom_status carom_journal_open(const char *path, carom_journal **journal, carom_error *error);
/* Is there a journal for this output? */
bool carom_journal_exists(const char *path);

/* Appends a record; small ones are collected. */
carom_status carom_journal_append(carom_journal *journal, uint32_t kind, const void *bytes, size_t count,
                                  carom_error *error);
/* Where the next record will begin. */
uint64_t carom_journal_place(const carom_journal *journal);
/* Drops the record that begins there, which was appended, flushed and is no longer needed: it is not found any more when the
 * journal is opened, and its room on the disk is given back. For what a newer record replaces, once that is on the disk. */
carom_status carom_journal_drop(carom_journal *journal, uint64_t place, carom_error *error);
/* Everything appended until now is in the file: it stays when the process is killed. */
carom_status carom_journal_flush(carom_journal *journal, carom_error *error);
/* ... and on the disk: it stays when the machine stops. */
carom_status carom_journal_sync(carom_journal *journal, carom_error *error);

/* Records that were there when the journal was opened, the head first. */
typedef struct carom_journal_record {
    uint32_t kind;
    size_t count;   /* bytes */
    uint64_t place; /* of its bytes */
    uint64_t begin; /* of the record, for carom_journal_drop */
} carom_journal_record;
size_t carom_journal_count(const carom_journal *journal);
const carom_journal_record *carom_journal_at(const carom_journal *journal, size_t index);
/* Reads bytes of a record: `count` from `first` on. */
carom_status carom_journal_read(carom_journal *journal, const carom_journal_record *record, size_t first,
                                size_t count, void *bytes, carom_error *error);

/* Closes; `done`: the output is complete, so the journal goes. NULL is fine. */
void carom_journal_close(carom_journal *journal, bool done);

#endif
