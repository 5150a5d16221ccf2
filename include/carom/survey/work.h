/* Work in pieces that do not depend on each other, done by threads of this process or by several processes. Part of room survey:
 * sweeps and order studies are made of it.
 *
 *   leader                                       whoever is free, the leader's own threads too
 *     piece 17, with its brief     ---------->     compute -> answer, any number of times
 *     take, one at a time          <----------     answers as bytes, in any order
 *
 * All that a piece needs beside its brief is the same in all processes: they make it of one request. So a result does not depend
 * on who computed it. */
#ifndef CAROM_SURVEY_WORK_H
#define CAROM_SURVEY_WORK_H

#include "carom/base.h"

/* Who computes a piece: what `compute` may ask. */
typedef struct carom_worker {
    void *context;
    int piece;
    /* Hands an answer over; the snapshot is empty after it. */
    carom_status (*answer)(const struct carom_worker *self, carom_snapshot *answer, carom_error *error);
    /* False: nobody waits for the piece any more. To be asked now and then; `compute` returns INTERRUPTED then. */
    bool (*goes_on)(const struct carom_worker *self);
} carom_worker;

typedef struct carom_work {
    void *context;
    int count;   /* pieces, 0, 1, ... */
    int threads; /* of this process, 1 or more */
    /* What each thread has for itself; both NULL: nothing. */
    carom_status (*enter)(void *context, void **room, carom_error *error);
    void (*leave)(void *context, void *room);
    /* By any thread of any process. A failure ends all work: what may fail alone is an answer that says so. */
    carom_status (*compute)(void *context, void *room, carom_snapshot *brief, const carom_worker *worker,
                            carom_error *error);
    /* What follows is called where the results are, by one thread at a time. */
    bool (*wants)(void *context, int piece);                           /* NULL: every piece */
    void (*brief)(void *context, int piece, carom_snapshot *snapshot); /* NULL: its number is enough */
    carom_status (*take)(void *context, int piece, carom_snapshot *answer, carom_error *error);
    bool (*goes_on)(void *context); /* asked now and then, also while pieces are computed; NULL: always */
} carom_work;

/* Several processes that do work together. */
typedef struct carom_workers {
    void *context;
    int processes;
    bool
        follows; /* this one computes for another, which has the results: `run` returns when that one has no more work */
    carom_status (*run)(void *context, const carom_work *work, carom_error *error);
} carom_workers;

/* Does the work; `workers` NULL: with threads of this process alone. INTERRUPTED: goes_on said so, and what was taken until then
 * stands. Another status is that of the first piece, or of the first answer, that failed. */
carom_status carom_work_run(const carom_work *work, const carom_workers *workers, carom_error *error);

/* Checks a number of threads; 0: one per core, or one for each of several processes; never more than pieces. */
carom_status carom_work_threads(int given, int pieces, const carom_workers *workers, int *threads,
                                carom_error *error);

#endif
