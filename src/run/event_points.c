/* Events as pictures need them: the columns of the record before and after each. */
#include <math.h>
#include <stdlib.h>

#include "active_run.h"

/* Columns that only outputs have: what a step gave, and not an instant. */
static bool is_of_outputs(const carom_experiment *experiment, int column)
{
    return carom_tape_depends(experiment->observe, column) &
           (CAROM_ON_IMPULSE | CAROM_ON_ACCELERATION | CAROM_ON_MULTIPLIER);
}

static bool reports(const active_run *run)
{
    return run->plan.scheme->abilities & CAROM_SCHEME_EVENTS;
}

void run_take_event_columns(active_run *run, const carom_event *event)
{
    const carom_experiment *experiment = run->plan.experiment;
    for (int side = 0; side < 2; side++) {
        run_build_event_row(run, event, side == 1, run->event_row);
        for (int i = 0; i < run->layout.columns; i++) {
            const double x = run->event_row[run->layout.column + i];
            if (carom_numbers_append(&run->event_columns, is_of_outputs(experiment, i) ? NAN : x, NULL) !=
                CAROM_OK)
                run->events.out_of_memory = true;
        }
    }
}

carom_status run_finish_event_points(active_run *run, carom_error *error)
{
    carom_event_points *points = &run->result->points;
    const size_t columns = reports(run) ? (size_t)run->layout.columns : 0;
    *points = (carom_event_points){.columns = (int)columns, .count = run->events.count};
    const size_t width = carom_event_points_width(points);
    points->row = carom_new_array(carom_product(points->count, width), sizeof *points->row);
    if (!points->row)
        return carom_fail_memory(error);
    for (size_t i = 0; i < points->count; i++) {
        const carom_event *event = &run->events.event[i];
        double *row = points->row + i * width;
        row[0] = event->t;
        row[1] = (double)event->kind;
        row[2] = event->contact;
        for (size_t k = 0; k < 2 * columns; k++)
            row[3 + k] = run->event_columns.value[2 * columns * i + k];
    }
    return CAROM_OK;
}
