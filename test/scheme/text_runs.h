/* Motions of model files' texts. */
#ifndef CAROM_TEST_SCHEME_TEXT_RUNS_H
#define CAROM_TEST_SCHEME_TEXT_RUNS_H

#include <stdlib.h>

#include "test/scheme/models.h"

#include "carom/io.h"

typedef struct motion {
    carom_status status;
    carom_error error;
    carom_experiment *experiment;
    carom_run_result result; /* its events are those of move_and_keep */
    carom_series series;     /* all outputs, of move_and_keep */
} motion;

static inline motion move_into(const char *text, const char *scheme, double h, double until, bool keep)
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
                                       .events = keep,
                                       .recorder_count = keep ? 1 : 0,
                                       .recorder = &recorder};
    m.status = carom_run(&request, &m.result, &m.error);
    return m;
}

/* NAN for h and until: as the text says. */
static inline motion move(const char *text, const char *scheme, double h, double until)
{
    return move_into(text, scheme, h, until, false);
}

static inline motion move_and_keep(const char *text, const char *scheme, double h, double until)
{
    return move_into(text, scheme, h, until, true);
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

#endif
