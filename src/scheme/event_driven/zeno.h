/* Accumulation of impacts: intervals that shrink like a geometric series add up to a finite time. */
#ifndef CAROM_SCHEME_EVENT_DRIVEN_ZENO_H
#define CAROM_SCHEME_EVENT_DRIVEN_ZENO_H

#include <stdbool.h>

enum {
    IMPACTS_REMEMBERED = 7 /* six intervals, five ratios */
};

/* The last impacts of one contact. */
typedef struct impact_history {
    int count;
    double time[IMPACTS_REMEMBERED]; /* oldest first */
} impact_history;

void impact_history_add(impact_history *history, double t);

/* True when the last ratios of intervals agree and are below 1: then *ratio is their mean and
 * t_k + D_k r / (1 - r) the time to which the impacts accumulate, with *remaining = D_k r / (1 - r). */
bool impact_history_accumulates(const impact_history *history, double *ratio, double *remaining);

#endif
