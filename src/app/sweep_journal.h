/* The journal of `carom sweep`: every point that was computed. */
#ifndef CAROM_APP_SWEEP_JOURNAL_H
#define CAROM_APP_SWEEP_JOURNAL_H

#include "command.h"

typedef struct sweep_journal {
    carom_journal *journal;
    double synced; /* when it was last on the disk, in seconds */
} sweep_journal;

/* For carom_sweep_request; the context is a sweep_journal. */
bool sweep_journal_recall(void *context, int index, carom_arena *arena, int measure_count,
                          carom_sweep_point *point);
carom_status sweep_journal_keep(void *context, int index, int measure_count, const carom_sweep_point *point,
                                carom_error *error);

#endif
