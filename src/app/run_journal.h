/* The journal of `carom run`: what was asked, the rows of its runs, and their checkpoints. */
#ifndef CAROM_APP_RUN_JOURNAL_H
#define CAROM_APP_RUN_JOURNAL_H

#include "carom/run/record_queue.h"
#include "command.h"

/* One run of the journal under way: the main one (member < 0) or one of the family. */
typedef struct run_journal {
    carom_journal *journal;
    int member;
    carom_run_writer *writer;  /* of the run file, which has the rows */
    size_t width;              /* of its rows */
    size_t rows;               /* that are in the journal */
    size_t behind;             /* that came later */
    double *record;            /* rows of one */
    size_t record_rows;        /* at most */
    bool begun;                /* its first record is written */
    unsigned char *checkpoint; /* where the run goes on; NULL: at its start */
    size_t checkpoint_bytes, checkpoint_rows;
    uint64_t checkpoint_place; /* of the newest one in the journal; 0: there is none */
    int recorder_count;        /* what the rows before are given to */
    const carom_recorder *recorder;
    carom_record_queue *queue; /* on whose way its rows come; NULL: none */
} run_journal;

/* Starts or goes on with one run. Fills the checkpoint's part of a request, and a recorder that must come last in the
 * request's list; `recorder` are those before it, the writer's among them. To be ended with run_journal_end in every case. */
carom_status run_journal_begin(run_journal *self, carom_journal *journal, carom_run_writer *writer,
                               int member, int width, double seconds, int recorder_count,
                               const carom_recorder *recorder, carom_checkpoint *checkpoint,
                               carom_recorder *own, carom_error *error);
void run_journal_end(run_journal *self);

#endif
