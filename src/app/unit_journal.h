/* Journals of work in units that do not depend on each other: a record per unit, the last one counts. */
#ifndef CAROM_APP_UNIT_JOURNAL_H
#define CAROM_APP_UNIT_JOURNAL_H

#include "command.h"

typedef struct unit_journal {
    carom_journal *journal; /* NULL: nothing is kept */
    double synced;          /* when it was last on the disk, in seconds */
    size_t *record;         /* per unit: its record of an earlier process, 0: none */
    size_t units;
    uint64_t *place; /* per unit: where its last record begins, 0: none */
    size_t places;
} unit_journal;

/* The bytes of a unit that an earlier process kept, for free(); NULL: there are none. The context is a unit_journal. */
void *unit_journal_recall(void *context, int index, size_t *count);
/* Bytes of a unit, in the place of those before. They are in the file at once, and on the disk within a second. */
carom_status unit_journal_keep(void *context, int index, const void *bytes, size_t count, carom_error *error);
/* `done`: the output is complete, so the journal goes. */
void unit_journal_close(unit_journal *self, bool done);

#endif
