/* The journal of `carom sweep`: every point that was computed. */
#ifndef CAROM_APP_SWEEP_JOURNAL_H
#define CAROM_APP_SWEEP_JOURNAL_H

#include "command.h"

typedef struct sweep_record {
    uint32_t kind;
    size_t place; /* among the records */
} sweep_record;

typedef struct sweep_journal {
    carom_journal *journal;
    double synced;   /* when it was last on the disk, in seconds */
    bool has_points; /* there is something to go on with */
    bool is_sorted;
    size_t count;
    sweep_record *record; /* by their kinds, made at the first recall */
} sweep_journal;

/* Also closes the journal; `done`: the output is complete, so it goes. */
void sweep_journal_close(sweep_journal *self, bool done);

/* For carom_sweep_request; the context is a sweep_journal. */
bool sweep_journal_recall(void *context, int index, carom_arena *arena, int measure_count,
                          carom_sweep_point *point);
carom_status sweep_journal_keep(void *context, int index, int measure_count, const carom_sweep_point *point,
                                carom_error *error);

#endif
