/* The measures of a run: windows, angles and events, which all of them share. */
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"

static const double two_pi = 2.0 * CAROM_PI;

/* One measure at work. */
typedef struct reducer {
    const carom_measure_ops *ops; /* NULL: no value */
    carom_measure_start start;
    void *memory;
    double previous;        /* the column at the output before, unwrapped */
    double raw, correction; /* last finite column before unwrapping; what unwrapping adds */
    bool has_raw;
    bool noted;     /* the measure's first event was located ... */
    double event_x; /* ... and its column was this there */
    /* derivatives, one memory per direction; NULL: not asked for */
    const carom_measure_ops *slope_ops;
    void **slope;
    double *previous_slope;
} reducer;

struct measure_set {
    carom_row_layout layout;
    bool started;
    long outputs; /* taken so far */
    double previous_t;
    double *previous_regime;
    double *event_time; /* contacts, or as many as there were between two outputs */
    size_t event_capacity;
    const event_list *events; /* located; NULL: events are changes from output to output */
    size_t events_taken;
    int count;
    reducer *reducers;
    measure_slopes slopes; /* count 0: not asked for */
    double *previous_t_slope;
    double *slope_time; /* of events, as event_time */
    size_t slope_capacity;
};

/* ---- creation ---------------------------------------------------------------------------------- */

static carom_status resolve_window(carom_measure_start *start, carom_error *error)
{
    const carom_measure *measure = start->measure;
    start->from = measure->from == CAROM_NO_VALUE ? -INFINITY : start->value[measure->from];
    start->to = measure->to == CAROM_NO_VALUE ? INFINITY : start->value[measure->to];
    if (!(start->from <= start->to))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "measure '%s': the time window from %.10g to %.10g is empty; 'from' must not be "
                          "after 'to'",
                          measure->name, start->from, start->to);
    return CAROM_OK;
}

static void resolve_arguments(const carom_measure_ops *ops, carom_measure_start *start)
{
    const carom_measure_key *key = ops->keys;
    for (int i = 0; i < CAROM_MEASURE_ARGUMENTS; i++)
        start->argument[i] = NAN;
    for (int i = 0; key && key[i].name && i < CAROM_MEASURE_ARGUMENTS; i++)
        if (start->measure->argument[i] != CAROM_NO_VALUE)
            start->argument[i] = start->value[start->measure->argument[i]];
}

static carom_status start_one(reducer *r, const carom_measure_start *start, carom_error *error)
{
    r->start = *start;
    const carom_status status = resolve_window(&r->start, error);
    if (status != CAROM_OK || !start->measure->ops)
        return status;
    r->ops = start->measure->ops;
    resolve_arguments(r->ops, &r->start);
    r->memory = carom_new_array(1, r->ops->memory ? r->ops->memory : 1);
    if (!r->memory)
        return carom_fail_memory(error);
    return r->ops->start ? r->ops->start(r->memory, &r->start, error) : CAROM_OK;
}

carom_status measure_set_create(const carom_experiment *experiment, const double *values, double t0, double h,
                                double until, measure_set **created, carom_error *error)
{
    *created = NULL;
    measure_set *set = carom_new_array(1, sizeof *set);
    if (!set)
        return carom_fail_memory(error);
    *set = (measure_set){.layout = carom_row_layout_of(experiment), .previous_t = -INFINITY};
    set->previous_regime = carom_new_array((size_t)set->layout.contacts, sizeof(double));
    set->event_capacity = (size_t)set->layout.contacts;
    set->event_time = carom_new_array(set->event_capacity, sizeof(double));
    set->reducers = carom_new_array((size_t)experiment->measure_count, sizeof *set->reducers);
    if (!set->previous_regime || !set->event_time || !set->reducers) {
        measure_set_free(set);
        return carom_fail_memory(error);
    }
    set->count = experiment->measure_count;
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < set->count; i++) {
        const carom_measure_start start = {.measure = &experiment->measure[i],
                                           .t0 = t0,
                                           .until = until,
                                           .h = h,
                                           .tolerance = 1e-9 * h,
                                           .value = values};
        status = start_one(&set->reducers[i], &start, error);
    }
    if (status != CAROM_OK) {
        measure_set_free(set);
        return status;
    }
    *created = set;
    return CAROM_OK;
}

static void free_slopes(const measure_set *set, reducer *r)
{
    for (int c = 0; r->slope && c < set->slopes.count; c++) {
        if (r->slope[c] && r->slope_ops->free)
            r->slope_ops->free(r->slope[c]);
        free(r->slope[c]);
    }
    free(r->slope);
    free(r->previous_slope);
}

void measure_set_free(measure_set *set)
{
    if (!set)
        return;
    for (int i = 0; i < set->count; i++) {
        reducer *r = &set->reducers[i];
        if (r->memory && r->ops->free)
            r->ops->free(r->memory);
        free(r->memory);
        free_slopes(set, r);
    }
    free(set->previous_t_slope);
    free(set->slope_time);
    free(set->reducers);
    free(set->event_time);
    free(set->previous_regime);
    free(set);
}

/* ---- columns ------------------------------------------------------------------------------------ */

/* Removes jumps of more than pi between successive outputs. */
static double unwrap(reducer *r, double raw)
{
    if (!isfinite(raw))
        return raw;
    if (r->has_raw && fabs(raw - r->raw) > 0.5 * two_pi)
        r->correction -= two_pi * round((raw - r->raw) / two_pi);
    r->raw = raw;
    r->has_raw = true;
    return raw + r->correction;
}

/* ---- events ------------------------------------------------------------------------------------- */

static bool happens(carom_event_kind event, double before, double now)
{
    bool was_open = before == (double)CAROM_CONTACT_OPEN, is_open = now == (double)CAROM_CONTACT_OPEN;
    switch (event) {
    case CAROM_EVENT_IMPACT:
        return was_open && !is_open;
    case CAROM_EVENT_CONTACT:
        return !is_open;
    case CAROM_EVENT_STICK:
        return now == (double)CAROM_CONTACT_STICK;
    case CAROM_EVENT_RELEASE:
        return !was_open && is_open;
    case CAROM_EVENT_SLIP:
    case CAROM_EVENT_STOP: /* not words of measures */
        return false;
    }
    return false;
}

/* The measure's events in the step that led to this row, contact by contact: how many, and when. */
static int find_events(const measure_set *set, const carom_measure *measure, const double *row)
{
    const int first = measure->contact < 0 ? 0 : measure->contact;
    const int end = measure->contact < 0 ? set->layout.contacts : first + 1;
    int count = 0;
    for (int i = first; i < end; i++) {
        if (!happens(measure->event, set->previous_regime[i], row[set->layout.regime + i]))
            continue;
        for (int c = 0; c < set->slopes.count; c++)
            set->slope_time[(size_t)c * set->event_capacity + (size_t)count] =
                set->slopes.row[(size_t)c * (size_t)set->slopes.width];
        set->event_time[count++] = row[0];
    }
    return count;
}

/* ---- located events -------------------------------------------------------------------------------- */

void measure_set_locate(measure_set *set, const event_list *events)
{
    set->events = events;
}

/* Contact at outputs, and what a scheme that reports events does not know, are looked for output by output. */
static bool is_located(const measure_set *set, const carom_measure *measure)
{
    return set->events && (measure->event == CAROM_EVENT_IMPACT || measure->event == CAROM_EVENT_RELEASE);
}

static bool is_meant(const carom_measure_start *start, const carom_event *event)
{
    const carom_measure *measure = start->measure;
    return event->kind == measure->event && (measure->contact < 0 || event->contact == measure->contact) &&
           carom_measure_in_window(start, event->t);
}

static bool wants_note(const measure_set *set, const reducer *r, const carom_event *event)
{
    return r->ops && r->ops->subject == CAROM_MEASURE_OF_EVENTS && r->start.measure->column >= 0 &&
           !r->noted && is_located(set, r->start.measure) && is_meant(&r->start, event);
}

bool measure_set_wants(const measure_set *set, const carom_event *event)
{
    for (int i = 0; i < set->count; i++)
        if (wants_note(set, &set->reducers[i], event))
            return true;
    return false;
}

void measure_set_note(measure_set *set, const carom_event *event, const double *column)
{
    for (int i = 0; i < set->count; i++) {
        reducer *r = &set->reducers[i];
        if (!wants_note(set, r, event))
            continue;
        r->noted = true;
        r->event_x = column[r->start.measure->column];
    }
}

/* ... and for their derivatives. */
static carom_status make_slope_room(measure_set *set, carom_error *error)
{
    if (set->slopes.count == 0)
        return CAROM_OK;
    free(set->slope_time);
    set->slope_time =
        carom_new_array(carom_product((size_t)set->slopes.count, set->event_capacity), sizeof(double));
    return set->slope_time ? CAROM_OK : carom_fail_memory(error);
}

/* Room for the times of all events since the last output. */
static carom_status make_room(measure_set *set, carom_error *error)
{
    const size_t count = set->events ? set->events->count - set->events_taken : 0;
    if (count <= set->event_capacity)
        return CAROM_OK;
    double *time = carom_new_array(2 * count, sizeof *time);
    if (!time)
        return carom_fail_memory(error);
    free(set->event_time);
    set->event_time = time;
    set->event_capacity = 2 * count;
    return make_slope_room(set, error);
}

/* The measure's events since the last output. */
static int find_located(const measure_set *set, const carom_measure_start *start)
{
    int count = 0;
    for (size_t i = set->events_taken; i < set->events->count; i++) {
        if (!is_meant(start, &set->events->event[i]))
            continue;
        for (int c = 0; c < set->slopes.count; c++)
            set->slope_time[(size_t)c * set->event_capacity + (size_t)count] =
                (*set->slopes.event_time)[i * (size_t)set->slopes.count + (size_t)c];
        set->event_time[count++] = set->events->event[i].t;
    }
    return count;
}

/* ---- outputs ------------------------------------------------------------------------------------ */

/* What the derivative of a measure along one direction sees of an output. */
static carom_status take_slope(measure_set *set, reducer *r, const carom_measure_output *output,
                               int direction, carom_error *error)
{
    const carom_measure *measure = r->start.measure;
    const double *row = set->slopes.row + (size_t)direction * (size_t)set->slopes.width;
    const double *column = row + set->layout.column;
    const bool linear = r->ops->slope == CAROM_SLOPE_LINEAR && !r->ops->derivative;
    double slope = measure->column >= 0 ? column[measure->column] : NAN;
    if (r->noted) /* at an event between outputs */
        slope = NAN;
    carom_measure_output seen = *output;
    seen.x_along = slope;
    seen.previous_along = r->previous_slope[direction];
    seen.t_along = row[0];
    seen.previous_t_along = set->previous_t_slope[direction];
    seen.event_time_along = set->slope_time + (size_t)direction * set->event_capacity;
    if (linear) { /* the same measure of derivatives */
        seen.x = slope;
        seen.previous = seen.previous_along;
        seen.column = column;
        seen.event_time = seen.event_time_along;
    }
    r->previous_slope[direction] = slope;
    return r->slope_ops->take(r->slope[direction], &seen, error);
}

static carom_status take_slopes(measure_set *set, reducer *r, const carom_measure_output *output,
                                carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int c = 0; r->slope && status == CAROM_OK && c < set->slopes.count; c++)
        status = take_slope(set, r, output, c, error);
    return status;
}

static carom_status take_one(measure_set *set, reducer *r, const double *row, carom_error *error)
{
    const carom_measure_start *start = &r->start;
    const carom_measure *measure = start->measure;
    const double *column = row + set->layout.column;
    carom_measure_output output = {
        .start = start,
        .t = row[0],
        .previous_t = set->previous_t,
        .previous = r->previous,
        .started = set->started,
        .inside = carom_measure_in_window(start, row[0]),
        .number = set->outputs,
        .column = column,
    };
    switch (r->ops->subject) {
    case CAROM_MEASURE_OF_COLUMN:
        output.x = measure->unwrap ? unwrap(r, column[measure->column]) : column[measure->column];
        r->previous = output.x;
        break;
    case CAROM_MEASURE_OF_EVENTS:
        /* Events belong to steps: none led to the initial output. */
        if (!output.started || (!output.inside && !is_located(set, measure)))
            return CAROM_OK;
        output.events = is_located(set, measure) ? find_located(set, start) : find_events(set, measure, row);
        output.event_time = set->event_time;
        output.x = measure->column >= 0 ? column[measure->column] : NAN;
        if (r->noted)
            output.x = r->event_x;
        break;
    case CAROM_MEASURE_OF_LIST:
        if (!output.inside)
            return CAROM_OK;
        break;
    }
    const carom_status status = take_slopes(set, r, &output, error);
    return status == CAROM_OK ? r->ops->take(r->memory, &output, error) : status;
}

carom_status measure_set_take(measure_set *set, const double *row, carom_error *error)
{
    if (make_room(set, error) != CAROM_OK)
        return CAROM_NO_MEMORY;
    for (int i = 0; i < set->count; i++) {
        reducer *r = &set->reducers[i];
        const carom_status status = r->ops ? take_one(set, r, row, error) : CAROM_OK;
        if (status != CAROM_OK)
            return status;
    }
    set->previous_t = row[0];
    for (int c = 0; c < set->slopes.count; c++)
        set->previous_t_slope[c] = set->slopes.row[(size_t)c * (size_t)set->slopes.width];
    carom_copy(set->layout.contacts, row + set->layout.regime, set->previous_regime);
    set->started = true;
    set->outputs++;
    if (set->events)
        set->events_taken = set->events->count;
    return CAROM_OK;
}

/* Events after the last output: those of a step that failed later on. */
static carom_status take_rest(measure_set *set, carom_error *error)
{
    if (!set->events || make_room(set, error) != CAROM_OK)
        return set->events ? CAROM_NO_MEMORY : CAROM_OK;
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < set->count; i++) {
        reducer *r = &set->reducers[i];
        if (!r->ops || r->ops->subject != CAROM_MEASURE_OF_EVENTS || !is_located(set, r->start.measure))
            continue;
        const carom_measure_output output = {.start = &r->start,
                                             .t = set->previous_t,
                                             .previous_t = set->previous_t,
                                             .started = set->started,
                                             .number = set->outputs,
                                             .events = find_located(set, &r->start),
                                             .event_time = set->event_time,
                                             .x = r->noted ? r->event_x : NAN};
        status = take_slopes(set, r, &output, error);
        if (status == CAROM_OK)
            status = r->ops->take(r->memory, &output, error);
    }
    set->events_taken = set->events->count;
    return status;
}

/* ---- derivatives ----------------------------------------------------------------------------------- */

static carom_status watch_one(reducer *r, int count, carom_error *error)
{
    if (!r->ops || (r->ops->slope != CAROM_SLOPE_LINEAR && !r->ops->derivative))
        return CAROM_OK;
    r->slope_ops = r->ops->derivative ? r->ops->derivative : r->ops;
    r->slope = carom_new_array((size_t)count, sizeof *r->slope);
    r->previous_slope = carom_new_array((size_t)count, sizeof *r->previous_slope);
    carom_status status = r->slope && r->previous_slope ? CAROM_OK : carom_fail_memory(error);
    for (int c = 0; status == CAROM_OK && c < count; c++) {
        r->slope[c] = carom_new_array(1, r->slope_ops->memory ? r->slope_ops->memory : 1);
        if (!r->slope[c])
            return carom_fail_memory(error);
        if (r->slope_ops->start)
            status = r->slope_ops->start(r->slope[c], &r->start, error);
    }
    return status;
}

carom_status measure_set_watch(measure_set *set, const measure_slopes *slopes, carom_error *error)
{
    set->slopes = *slopes;
    set->previous_t_slope = carom_new_array((size_t)slopes->count, sizeof *set->previous_t_slope);
    carom_status status = set->previous_t_slope ? make_slope_room(set, error) : carom_fail_memory(error);
    for (int i = 0; status == CAROM_OK && i < set->count; i++)
        status = watch_one(&set->reducers[i], slopes->count, error);
    return status;
}

/* 0 of a count, and none where nothing is known. */
static carom_status finish_slope(const measure_set *set, reducer *r, int direction, carom_measured *measured,
                                 carom_error *error)
{
    if (r->slope) {
        const carom_measure_output end = {.start = &r->start,
                                          .t = INFINITY,
                                          .x = NAN,
                                          .previous_t = set->previous_t,
                                          .previous = r->previous_slope[direction],
                                          .started = set->started,
                                          .number = set->outputs};
        return r->slope_ops->finish(r->slope[direction], &end, measured, error);
    }
    return r->ops && r->ops->slope == CAROM_SLOPE_CONSTANT ? carom_measured_number(0.0, measured, error)
                                                           : CAROM_OK;
}

carom_status measure_set_finish_slopes(measure_set *set, carom_measured *measured, carom_error *error)
{
    const size_t count = (size_t)set->slopes.count;
    memset(measured, 0, (size_t)set->count * count * sizeof *measured);
    carom_status status = take_rest(set, error);
    for (int i = 0; i < set->count; i++)
        for (int c = 0; status == CAROM_OK && c < set->slopes.count; c++)
            status = finish_slope(set, &set->reducers[i], c, &measured[(size_t)i * count + (size_t)c], error);
    return status;
}

static void keep_reducer(reducer *r, carom_snapshot *snapshot)
{
    carom_snapshot_block(snapshot, &r->previous, sizeof r->previous);
    carom_snapshot_block(snapshot, &r->raw, sizeof r->raw);
    carom_snapshot_block(snapshot, &r->correction, sizeof r->correction);
    carom_snapshot_block(snapshot, &r->has_raw, sizeof r->has_raw);
    carom_snapshot_block(snapshot, &r->noted, sizeof r->noted);
    carom_snapshot_block(snapshot, &r->event_x, sizeof r->event_x);
    if (!r->ops)
        return;
    carom_snapshot_same(snapshot, r->ops->name, strlen(r->ops->name));
    if (r->ops->keep)
        r->ops->keep(r->memory, snapshot);
    else if (!r->ops->free)
        carom_snapshot_block(snapshot, r->memory, r->ops->memory);
    else
        snapshot->failed = true; /* it may hold pointers */
}

void measure_set_keep(measure_set *set, carom_snapshot *snapshot)
{
    carom_snapshot_block(snapshot, &set->started, sizeof set->started);
    carom_snapshot_block(snapshot, &set->outputs, sizeof set->outputs);
    carom_snapshot_block(snapshot, &set->previous_t, sizeof set->previous_t);
    carom_snapshot_block(snapshot, &set->events_taken, sizeof set->events_taken);
    carom_snapshot_block(snapshot, set->previous_regime, (size_t)set->layout.contacts * sizeof(double));
    for (int i = 0; i < set->count; i++)
        keep_reducer(&set->reducers[i], snapshot);
}

/* An output of a study, as it is. */
static carom_status give_result(const carom_study_results *results, const carom_study_place *place,
                                carom_measured *measured, carom_error *error)
{
    carom_data element;
    const carom_data *data = carom_study_results_at(results, place, &element);
    if (!data || data->kind == CAROM_DATA_TEXT || data->kind == CAROM_DATA_TABLE)
        return CAROM_OK;
    if (!data->list)
        return carom_measured_number(data->number, measured, error);
    const size_t count = (size_t)data->rows * (size_t)data->columns;
    measured->value = carom_new_array(count, sizeof *measured->value);
    if (!measured->value)
        return carom_fail_memory(error);
    memcpy(measured->value, data->list, count * sizeof *measured->value);
    measured->count = (int)count;
    measured->is_array = true;
    return CAROM_OK;
}

carom_status measure_set_finish(measure_set *set, const carom_study_results *results,
                                carom_measured *measured, carom_error *error)
{
    memset(measured, 0, (size_t)set->count * sizeof *measured);
    if (take_rest(set, error) != CAROM_OK)
        return CAROM_NO_MEMORY;
    for (int i = 0; i < set->count; i++) {
        reducer *r = &set->reducers[i];
        const carom_measure_output end = {.start = &r->start,
                                          .t = INFINITY,
                                          .x = NAN,
                                          .previous_t = set->previous_t,
                                          .previous = r->previous,
                                          .started = set->started,
                                          .number = set->outputs};
        const carom_status status =
            r->ops ? r->ops->finish(r->memory, &end, &measured[i], error)
                   : give_result(results, &r->start.measure->result, &measured[i], error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}
