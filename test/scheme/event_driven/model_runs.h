/* Motions of model files' texts by event-driven, with their events. */
#ifndef CAROM_TEST_SCHEME_EVENT_DRIVEN_MODEL_RUNS_H
#define CAROM_TEST_SCHEME_EVENT_DRIVEN_MODEL_RUNS_H

#include <math.h>

#include "test/near.h"
#include "test/scheme/text_runs.h"

static inline motion move_events(const char *text)
{
    motion m = move_and_keep(text, "event-driven", NAN, NAN);
    if (m.status != CAROM_OK)
        print_error("%s\n", m.error.text);
    assert_int_equal(m.status, CAROM_OK);
    return m;
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
