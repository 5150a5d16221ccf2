/* Times at which someone wants to see a run, met in order as the outputs come. */
#ifndef CAROM_RUN_ASKED_TIMES_H
#define CAROM_RUN_ASKED_TIMES_H

#include "carom/base.h"

typedef struct asked_time {
    double t;
    int place; /* in the order they were asked */
} asked_time;

typedef struct asked_times {
    int count, next;
    asked_time *time; /* ascending */
} asked_times;

/* The times may come in any order; false when memory is short. */
bool asked_times_create(asked_times *asked, int count, const double *t);
void asked_times_free(asked_times *asked);

void asked_times_keep(asked_times *asked, carom_snapshot *snapshot);

/* The place of the next asked time that is not after the output at `t`, or -1 when there is none yet.
 * *earlier says that the output before (at previous_t; -INFINITY: there was none) is nearer or, up to the
 * tolerance, as near. After the last output: previous_t is its time and t is INFINITY. */
int asked_times_decide(asked_times *asked, double previous_t, double t, double tolerance, bool *earlier);

#endif
