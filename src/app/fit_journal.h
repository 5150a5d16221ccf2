/* The journal of a fit: its motions by what they are, and which data they were compared with. */
#ifndef CAROM_APP_FIT_JOURNAL_H
#define CAROM_APP_FIT_JOURNAL_H

#include "carom/survey/fit.h"
#include "command.h"

typedef struct kept_motion {
    uint64_t hash; /* of its key */
    size_t record;
} kept_motion;

typedef struct fit_journal {
    carom_journal *journal; /* NULL: nothing is kept */
    double synced;          /* when it was last on the disk, in seconds */
    size_t count;           /* of an earlier process, by their hashes */
    kept_motion *motion;
} fit_journal;

/* With the journal open: finds what is there, or notes the data. BAD_INPUT: the data are not those that the fit was begun with. */
carom_status fit_journal_begin(fit_journal *self, int columns, int data_count, const carom_fit_data *data,
                               carom_error *error);
/* For carom_fit_request. */
void *fit_journal_recall(void *context, const void *key, size_t key_count, size_t *count);
carom_status fit_journal_keep(void *context, const void *key, size_t key_count, const void *bytes,
                              size_t count, carom_error *error);
void fit_journal_close(fit_journal *self, bool done);

#endif
