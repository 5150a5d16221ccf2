/* Measures of a run, reduced output by output: memory does not grow with the steps, except for arrays. */
#ifndef CAROM_RUN_MEASURE_H
#define CAROM_RUN_MEASURE_H

#include "carom/run.h"
#include "event_list.h"

typedef struct measure_set measure_set;

/* `values` are the experiment's, resolved. BAD_INPUT when a window or an asked time makes no sense. */
carom_status measure_set_create(const carom_experiment *experiment, const double *values, double t0, double h,
                                double until, measure_set **set, carom_error *error);
void measure_set_free(measure_set *set);

/* Impacts and releases are those of this list, which the scheme located and which grows between outputs, and not
 * changes from output to output. */
void measure_set_locate(measure_set *set, const event_list *events);
/* True when a measure asks for columns at an event like this, which has just been located; measure_set_note gives
 * them. */
bool measure_set_wants(const measure_set *set, const carom_event *event);
void measure_set_note(measure_set *set, const carom_event *event, const double *column);

/* Takes the next output; the first one is the initial row. */
carom_status measure_set_take(measure_set *set, const double *row, carom_error *error);

/* Derivatives of all measures along `count` directions: measure_set_take then looks at `row`, count rows of `width` numbers
 * with the derivatives of the output, and at event_time, count numbers per located event of the list. The caller writes
 * them before, and keeps them where they are. */
typedef struct measure_slopes {
    int count, width;
    const double *row;
    const double *const *event_time;
} measure_slopes;
carom_status measure_set_watch(measure_set *set, const measure_slopes *slopes, carom_error *error);
/* Writes one result per measure and direction, before measure_set_finish. */
carom_status measure_set_finish_slopes(measure_set *set, carom_measured *measured, carom_error *error);

/* Visits all that the measures keep, for a run that goes on later. */
void measure_set_keep(measure_set *set, carom_snapshot *snapshot);

/* Writes one result per measure of the experiment (`results`: of its studies; NULL: none); their arrays are the caller's to free. After a failure
 * `measured` holds what was written so far and nothing else. */
carom_status measure_set_finish(measure_set *set, const carom_study_results *results,
                                carom_measured *measured, carom_error *error);

#endif
