/* Motions of model files' texts by event-driven, with their events. */
#ifndef CAROM_TEST_SCHEME_EVENT_DRIVEN_MODEL_RUNS_H
#define CAROM_TEST_SCHEME_EVENT_DRIVEN_MODEL_RUNS_H

#include <math.h>
#include <stdlib.h>

#include "test/near.h"
#include "test/scheme/models.h"

#include "carom/io.h"

typedef struct motion {
    carom_status status;
    carom_error error;
    carom_experiment *experiment;
    carom_run_result result;
    carom_series series; /* all outputs */
} motion;

/* h, until NAN: as the text says. */
static inline motion move_by(const char *text, const char *scheme, double h, double until)
{
    motion m = {0};
    const carom_load_request load = {.name = "text", .file = "text.lua", .text = text};
    m.status = carom_experiment_load(&load, &m.experiment, &m.error);
    if (m.status != CAROM_OK)
        return m;
    m.series.layout = carom_row_layout_of(m.experiment);
    const carom_recorder recorder = carom_series_recorder(&m.series);
    const carom_run_request request = {.experiment = m.experiment,
                                       .scheme = scheme,
                                       .h = h,
                                       .until = until,
                                       .events = true,
                                       .recorder_count = 1,
                                       .recorder = &recorder};
    m.status = carom_run(&request, &m.result, &m.error);
    return m;
}

static inline motion move_events(const char *text)
{
    motion m = move_by(text, "event-driven", NAN, NAN);
    if (m.status != CAROM_OK)
        print_error("%s\n", m.error.text);
    assert_int_equal(m.status, CAROM_OK);
    return m;
}

static inline void forget(motion *m)
{
    carom_run_result_free(&m->result);
    carom_series_free(&m->series);
    if (m->experiment)
        carom_experiment_free(m->experiment);
}

static inline double position(const motion *m, int i)
{
    return m->result.final[m->result.layout.q + i];
}

static inline double velocity(const motion *m, int i)
{
    return m->result.final[m->result.layout.v + i];
}

/* Number `index`, from 0, of the events of a kind; NULL: there are not so many. */
static inline const carom_event *event_of(const motion *m, carom_event_kind kind, int index)
{
    for (size_t i = 0; i < m->result.event_count; i++)
        if (m->result.event[i].kind == kind && index-- == 0)
            return &m->result.event[i];
    return NULL;
}

static inline double time_of(const motion *m, carom_event_kind kind, int index)
{
    const carom_event *event = event_of(m, kind, index);
    return event ? event->t : NAN;
}

#endif
