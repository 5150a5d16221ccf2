/* For tests of the schemes for inclusions: a model file's text, moved. */
#ifndef CAROM_TEST_SCHEME_DAI_RUNS_H
#define CAROM_TEST_SCHEME_DAI_RUNS_H

#include <stdlib.h>

#include "models.h"

#include "carom/io.h"

typedef struct moved {
    carom_status status;
    carom_error error;
    carom_experiment *experiment;
    carom_run_result result;
    carom_series series; /* all outputs, of move_and_keep */
} moved;

static const char *const both[] = {"dai-theta", "dai-euler"};

static inline moved move_into(const char *text, const char *scheme, double h, double until, bool keep)
{
    moved m = {0};
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
                                       .recorder_count = keep ? 1 : 0,
                                       .recorder = &recorder};
    m.status = carom_run(&request, &m.result, &m.error);
    return m;
}

/* NAN for h and until: as the text says. */
static inline moved move(const char *text, const char *scheme, double h, double until)
{
    return move_into(text, scheme, h, until, false);
}

static inline moved move_and_keep(const char *text, const char *scheme, double h, double until)
{
    return move_into(text, scheme, h, until, true);
}

static inline void forget(moved *m)
{
    carom_run_result_free(&m->result);
    carom_series_free(&m->series);
    if (m->experiment)
        carom_experiment_free(m->experiment);
}

static inline double position(const moved *m, int i)
{
    return m->result.final[m->result.layout.q + i];
}

static inline double velocity(const moved *m, int i)
{
    return m->result.final[m->result.layout.v + i];
}

static inline void expect_refusal_at(const char *text, const char *scheme, double h, const char *word)
{
    moved m = move(text, scheme, h, NAN);
    assert_int_equal(m.status, CAROM_BAD_INPUT);
    assert_mentions(&m.error, word);
    forget(&m);
}

static inline void expect_refusal(const char *text, const char *scheme, const char *word)
{
    expect_refusal_at(text, scheme, 1e-2, word);
}

#endif
