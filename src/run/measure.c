#include "measure.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asked_times.h"
#include "carom/linalg.h"

/* Most values that AT can be asked for: a guard against an `every` that is far too small. */
static const double asked_limit = 1e7;

static const double two_pi = 2.0 * CAROM_PI;

typedef struct number_list {
    size_t length, capacity;
    double *value;
} number_list;

/* The running state of one measure. Which fields are in use depends on the kind. */
typedef struct reducer {
    const carom_measure *measure;
    double from, to;
    double previous;        /* the column at the output before, unwrapped */
    double raw, correction; /* last finite column before unwrapping; what unwrapping adds */
    bool has_raw;
    bool rising;       /* the output before was larger than the one before it */
    double value, sum; /* extreme, last value, or time; sums */
    double count;
    asked_times asked;
    number_list list;
    carom_jump_detector *jumps;
} reducer;

struct measure_set {
    carom_row_layout layout;
    double h, tolerance; /* of times */
    bool started;
    long outputs; /* taken so far */
    double previous_t;
    double *previous_branch;
    int count;
    reducer *reducers;
};

static carom_status append(number_list *list, double value, carom_error *error)
{
    if (list->length == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 16;
        double *larger = capacity <= INT_MAX ? realloc(list->value, capacity * sizeof *larger) : NULL;
        if (!larger)
            return carom_fail_memory(error);
        list->value = larger;
        list->capacity = capacity;
    }
    list->value[list->length++] = value;
    return CAROM_OK;
}

static bool in_window(const measure_set *set, const reducer *r, double t)
{
    return t >= r->from - set->tolerance && t <= r->to + set->tolerance;
}

/* ---- creation ---------------------------------------------------------------------------------- */

static carom_status resolve_window(reducer *r, const double *values, carom_error *error)
{
    const carom_measure *measure = r->measure;
    r->from = measure->from == CAROM_NO_VALUE ? -INFINITY : values[measure->from];
    r->to = measure->to == CAROM_NO_VALUE ? INFINITY : values[measure->to];
    if (!(r->from <= r->to))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "measure '%s': the time window from %.10g to %.10g is empty; 'from' must not be "
                          "after 'to'",
                          measure->name, r->from, r->to);
    return CAROM_OK;
}

/* Multiples of `every` after the start, up to the end. */
static carom_status ask_every(const measure_set *set, reducer *r, double every, double t0, double until,
                              number_list *times, carom_error *error)
{
    if (!(isfinite(every) && every > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "measure '%s': every = %.10g is not an interval of time: give a number > 0",
                          r->measure->name, every);
    double count = floor((until - t0) / every + 1e-9);
    if (count > asked_limit)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "measure '%s': every = %.10g asks for %.10g values; at most %.10g are possible",
                          r->measure->name, every, count, asked_limit);
    for (double k = 1.0; k <= count; k++) {
        double t = t0 + k * every;
        if (in_window(set, r, t) && append(times, t, error) != CAROM_OK)
            return CAROM_NO_MEMORY;
    }
    return CAROM_OK;
}

static carom_status ask_listed(const measure_set *set, reducer *r, const double *values, number_list *times,
                               carom_error *error)
{
    for (int i = 0; i < r->measure->time_count; i++) {
        double t = values[r->measure->time[i]];
        if (!isfinite(t))
            return carom_fail(error, CAROM_BAD_INPUT, "measure '%s': asked time %d = %.10g must be finite",
                              r->measure->name, i + 1, t);
        if (in_window(set, r, t) && append(times, t, error) != CAROM_OK)
            return CAROM_NO_MEMORY;
    }
    return CAROM_OK;
}

static carom_status prepare_jumps(const measure_set *set, reducer *r, const double *values,
                                  carom_error *error)
{
    const carom_measure *measure = r->measure;
    carom_error why = {0};
    const carom_status status = carom_jump_detector_create(
        values[measure->over] / set->h, values[measure->low], values[measure->high], &r->jumps, &why);
    return status == CAROM_OK ? status
                              : carom_fail(error, status, "measure '%s': %s", measure->name, why.text);
}

static carom_status take_list(reducer *r, carom_error *error)
{
    for (int i = 0; i < r->measure->list_count; i++)
        if (append(&r->list, NAN, error) != CAROM_OK)
            return CAROM_NO_MEMORY;
    return CAROM_OK;
}

static carom_status resolve_asked(const measure_set *set, reducer *r, const double *values, double t0,
                                  double until, carom_error *error)
{
    number_list times = {0};
    carom_value every = r->measure->every;
    carom_status status = every == CAROM_NO_VALUE
                              ? ask_listed(set, r, values, &times, error)
                              : ask_every(set, r, values[every], t0, until, &times, error);
    if (status == CAROM_OK && !asked_times_create(&r->asked, (int)times.length, times.value))
        status = carom_fail_memory(error);
    if (status != CAROM_OK) {
        free(times.value);
        return status;
    }
    r->list = times; /* the values will replace the times */
    return CAROM_OK;
}

carom_status measure_set_create(const carom_experiment *experiment, const double *values, double t0, double h,
                                double until, measure_set **created, carom_error *error)
{
    *created = NULL;
    measure_set *set = carom_new_array(1, sizeof *set);
    if (!set)
        return carom_fail_memory(error);
    *set = (measure_set){
        .layout = carom_row_layout_of(experiment), .h = h, .tolerance = 1e-9 * h, .previous_t = -INFINITY};
    set->previous_branch = carom_new_array((size_t)set->layout.contacts, sizeof(double));
    set->reducers = carom_new_array((size_t)experiment->measure_count, sizeof *set->reducers);
    if (!set->previous_branch || !set->reducers) {
        measure_set_free(set);
        return carom_fail_memory(error);
    }
    set->count = experiment->measure_count;
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < set->count; i++) {
        reducer *r = &set->reducers[i];
        r->measure = &experiment->measure[i];
        status = resolve_window(r, values, error);
        if (status == CAROM_OK && r->measure->kind == CAROM_MEASURE_AT)
            status = resolve_asked(set, r, values, t0, until, error);
        if (status == CAROM_OK && r->measure->kind == CAROM_MEASURE_LIST)
            status = take_list(r, error);
        if (status == CAROM_OK && r->measure->kind == CAROM_MEASURE_JUMPS)
            status = prepare_jumps(set, r, values, error);
    }
    if (status != CAROM_OK) {
        measure_set_free(set);
        return status;
    }
    *created = set;
    return CAROM_OK;
}

void measure_set_free(measure_set *set)
{
    if (!set)
        return;
    for (int i = 0; i < set->count; i++) {
        asked_times_free(&set->reducers[i].asked);
        free(set->reducers[i].list.value);
        carom_jump_detector_free(set->reducers[i].jumps);
    }
    free(set->reducers);
    free(set->previous_branch);
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

static void keep_extreme(reducer *r, double x)
{
    bool larger = r->measure->kind == CAROM_MEASURE_MAXIMUM ? x > r->value : x < r->value;
    if (isnan(x) || (r->count > 0.0 && !larger))
        return;
    r->value = x;
    r->count = 1.0;
}

static void take_asked(const measure_set *set, reducer *r, double t, double x)
{
    bool earlier;
    int place;
    while ((place = asked_times_decide(&r->asked, set->previous_t, t, set->tolerance, &earlier)) >= 0)
        r->list.value[place] = earlier ? r->previous : x;
}

static carom_status take_crossing(const measure_set *set, reducer *r, double t, double x, carom_error *error)
{
    bool zero = x == 0.0 && r->previous != 0.0;
    bool change = (x < 0.0 && r->previous > 0.0) || (x > 0.0 && r->previous < 0.0);
    if (!set->started || (!zero && !change))
        return CAROM_OK;
    double crossing = t;
    if (change)
        crossing = set->previous_t + (t - set->previous_t) * (r->previous / (r->previous - x));
    return in_window(set, r, crossing) ? append(&r->list, crossing, error) : CAROM_OK;
}

static carom_status take_peak(const measure_set *set, reducer *r, double x, carom_error *error)
{
    bool peak = r->rising && r->previous >= x;
    r->rising = set->started && r->previous < x;
    return peak && in_window(set, r, set->previous_t) ? append(&r->list, r->previous, error) : CAROM_OK;
}

static carom_status reduce_column(const measure_set *set, reducer *r, const double *row, carom_error *error)
{
    double t = row[0], x = row[set->layout.column + r->measure->column];
    if (r->measure->unwrap)
        x = unwrap(r, x);
    bool inside = in_window(set, r, t);
    carom_status status = CAROM_OK;
    switch (r->measure->kind) {
    case CAROM_MEASURE_FINAL:
        if (inside) {
            r->value = x;
            r->count = 1.0;
        }
        break;
    case CAROM_MEASURE_MAXIMUM:
    case CAROM_MEASURE_MINIMUM:
        if (inside)
            keep_extreme(r, x);
        break;
    case CAROM_MEASURE_MEAN:
    case CAROM_MEASURE_RMS:
        /* Means are over the steps: the initial output belongs to none. */
        if (inside && set->started) {
            r->sum += r->measure->kind == CAROM_MEASURE_RMS ? x * x : x;
            r->count += 1.0;
        }
        break;
    case CAROM_MEASURE_TOTAL:
        if (inside && set->started)
            r->sum += x;
        break;
    case CAROM_MEASURE_DEVIATION:
        if (inside && set->started) { /* Welford: value is the mean so far, sum the squares about it */
            r->count += 1.0;
            const double before = x - r->value;
            r->value += before / r->count;
            r->sum += before * (x - r->value);
        }
        break;
    case CAROM_MEASURE_AT:
        take_asked(set, r, t, x);
        break;
    case CAROM_MEASURE_CROSSINGS:
        status = take_crossing(set, r, t, x, error);
        break;
    case CAROM_MEASURE_PEAKS:
        status = take_peak(set, r, x, error);
        break;
    case CAROM_MEASURE_JUMPS:
        if (carom_jump_detector_take(r->jumps, x) != CAROM_JUMP_NONE && inside)
            status = append(&r->list, t - set->h * carom_jump_detector_delay(r->jumps), error);
        break;
    default:
        break;
    }
    r->previous = x;
    return status;
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
    }
    return false;
}

/* When the measure's event happened to the contact in the step that led to this row; NAN when it did not. */
static double event_time(const measure_set *set, const carom_measure *measure, int contact, const double *row)
{
    if (!happens(measure->event, set->previous_branch[contact], row[set->layout.branch + contact]))
        return NAN;
    return measure->event == CAROM_EVENT_IMPACT ? row[set->layout.located + contact] : row[0];
}

/* The measure's event happened, to one contact or to several, in the step that led to this row. */
static void take_eventful_output(const measure_set *set, reducer *r, const double *row)
{
    if (r->measure->kind == CAROM_MEASURE_STEPS || r->count == 0.0)
        r->count += 1.0;
    else
        return;
    r->value = r->measure->kind == CAROM_MEASURE_AT_FIRST ? row[set->layout.column + r->measure->column]
                                                          : (double)(set->outputs - 1);
}

static bool counts_outputs(carom_measure_kind kind)
{
    return kind == CAROM_MEASURE_STEPS || kind == CAROM_MEASURE_FIRST_STEP || kind == CAROM_MEASURE_AT_FIRST;
}

static carom_status take_event(reducer *r, double t, carom_error *error)
{
    if (r->measure->kind == CAROM_MEASURE_TIMES)
        return append(&r->list, t, error);
    if (r->measure->kind == CAROM_MEASURE_LAST ||
        (r->measure->kind == CAROM_MEASURE_FIRST && r->count == 0.0))
        r->value = t;
    r->count += 1.0;
    return CAROM_OK;
}

static carom_status reduce_events(const measure_set *set, reducer *r, const double *row, carom_error *error)
{
    const carom_measure *measure = r->measure;
    /* Events belong to steps: none led to the initial output. */
    if (!set->started || !in_window(set, r, row[0]))
        return CAROM_OK;
    const int first = measure->contact < 0 ? 0 : measure->contact;
    const int end = measure->contact < 0 ? set->layout.contacts : first + 1;
    bool any = false;
    for (int i = first; i < end; i++) {
        const double t = event_time(set, measure, i, row);
        if (isnan(t))
            continue;
        any = true;
        if (counts_outputs(measure->kind))
            break;
        if (measure->kind != CAROM_MEASURE_FRACTION && take_event(r, t, error) != CAROM_OK)
            return CAROM_NO_MEMORY;
    }
    if (any && counts_outputs(measure->kind))
        take_eventful_output(set, r, row);
    if (measure->kind == CAROM_MEASURE_FRACTION) {
        r->sum += any;
        r->count += 1.0;
    }
    return CAROM_OK;
}

static bool is_event_kind(carom_measure_kind kind)
{
    return kind == CAROM_MEASURE_TIMES || kind == CAROM_MEASURE_COUNT || kind == CAROM_MEASURE_FIRST ||
           kind == CAROM_MEASURE_LAST || kind == CAROM_MEASURE_FRACTION || counts_outputs(kind);
}

static void reduce_list(const measure_set *set, reducer *r, const double *row)
{
    if (!in_window(set, r, row[0]))
        return;
    for (int i = 0; i < r->measure->list_count; i++)
        r->list.value[i] = row[set->layout.column + r->measure->list[i]];
}

carom_status measure_set_take(measure_set *set, const double *row, carom_error *error)
{
    for (int i = 0; i < set->count; i++) {
        reducer *r = &set->reducers[i];
        if (r->measure->kind == CAROM_MEASURE_NONE)
            continue;
        if (r->measure->kind == CAROM_MEASURE_LIST) {
            reduce_list(set, r, row);
            continue;
        }
        carom_status status = is_event_kind(r->measure->kind) ? reduce_events(set, r, row, error)
                                                              : reduce_column(set, r, row, error);
        if (status != CAROM_OK)
            return status;
    }
    set->previous_t = row[0];
    carom_copy(set->layout.contacts, row + set->layout.branch, set->previous_branch);
    set->started = true;
    set->outputs++;
    return CAROM_OK;
}

/* ---- results ------------------------------------------------------------------------------------ */

static carom_status give_number(carom_measured *measured, double value, carom_error *error)
{
    measured->value = carom_new_array(1, sizeof value);
    if (!measured->value)
        return carom_fail_memory(error);
    measured->value[0] = value;
    measured->count = 1;
    return CAROM_OK;
}

static void give_array(carom_measured *measured, number_list *list)
{
    *measured = (carom_measured){.count = (int)list->length, .is_array = true, .value = list->value};
    *list = (number_list){0};
}

/* Asked times that no output decided lie after the last one. Multiples of an interval end there with a run
 * that stopped early; listed times keep their places and take the last output. */
static void finish_asked(const measure_set *set, reducer *r)
{
    if (!set->started) {
        r->list.length = 0;
        return;
    }
    if (r->measure->every != CAROM_NO_VALUE) {
        int reached = r->asked.next;
        while (reached < r->asked.count &&
               r->asked.time[reached].t <= set->previous_t + 0.5 * set->h + set->tolerance)
            reached++;
        r->asked.count = reached;
        r->list.length = (size_t)reached;
    }
    take_asked(set, r, INFINITY, NAN);
}

static carom_status finish_one(const measure_set *set, reducer *r, carom_measured *measured,
                               carom_error *error)
{
    switch (r->measure->kind) {
    case CAROM_MEASURE_AT:
        finish_asked(set, r);
        give_array(measured, &r->list);
        return CAROM_OK;
    case CAROM_MEASURE_CROSSINGS:
    case CAROM_MEASURE_PEAKS:
    case CAROM_MEASURE_TIMES:
    case CAROM_MEASURE_LIST:
    case CAROM_MEASURE_JUMPS:
        give_array(measured, &r->list);
        return CAROM_OK;
    case CAROM_MEASURE_NONE:
        return CAROM_OK;
    case CAROM_MEASURE_TOTAL:
        return give_number(measured, r->sum, error);
    case CAROM_MEASURE_STEPS:
    case CAROM_MEASURE_COUNT:
        return give_number(measured, r->count, error);
    case CAROM_MEASURE_MEAN:
    case CAROM_MEASURE_FRACTION:
        return r->count > 0.0 ? give_number(measured, r->sum / r->count, error) : CAROM_OK;
    case CAROM_MEASURE_RMS:
    case CAROM_MEASURE_DEVIATION:
        return r->count > 0.0 ? give_number(measured, sqrt(r->sum / r->count), error) : CAROM_OK;
    case CAROM_MEASURE_FINAL:
    case CAROM_MEASURE_MAXIMUM:
    case CAROM_MEASURE_MINIMUM:
    case CAROM_MEASURE_FIRST:
    case CAROM_MEASURE_LAST:
    case CAROM_MEASURE_FIRST_STEP:
    case CAROM_MEASURE_AT_FIRST:
        return r->count > 0.0 ? give_number(measured, r->value, error) : CAROM_OK;
    }
    return CAROM_OK;
}

carom_status measure_set_finish(measure_set *set, carom_measured *measured, carom_error *error)
{
    memset(measured, 0, (size_t)set->count * sizeof *measured);
    for (int i = 0; i < set->count; i++) {
        carom_status status = finish_one(set, &set->reducers[i], &measured[i], error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}
