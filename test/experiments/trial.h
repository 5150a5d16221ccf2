/* For tests: loads one of the experiments, runs it and looks up what it gave. */
#ifndef CAROM_TEST_EXPERIMENTS_TRIAL_H
#define CAROM_TEST_EXPERIMENTS_TRIAL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io.h"
#include "test/base/sanitized.h"
#include "test/near.h"

enum {
    TRIAL_SETTINGS_MAX = 16,
    TRIAL_SLOW = SANITIZED /* sanitizers make minutes of the runs of millions of steps */
};

/* For tests of values that only a long run has; other tests go the same ways through the code. */
static inline void skip_when_slow(void)
{
    if (!TRIAL_SLOW)
        return;
    print_message("hundreds of thousands of steps take minutes with sanitizers: skipped; the build without "
                  "them has it\n");
    skip();
}

typedef struct trial_setting {
    const char *name;
    double value;
} trial_setting;

/* What to run. Zero or NULL: as the model file says. */
typedef struct trial_request {
    const char *trial;      /* of moreau-1986: "04" */
    const char *experiment; /* or any: "paoli-2001/corner" */
    const char *text;       /* when not NULL: the model file's text */
    const char *ends;       /* word of the run's end; NULL: "ok" */
    const char *variant, *scheme;
    trial_setting set[TRIAL_SETTINGS_MAX];     /* ends at the first NULL name */
    carom_override word[4];                    /* settings that are texts; likewise */
    carom_override option[TRIAL_SETTINGS_MAX]; /* of the scheme */
    double h, until;
} trial_request;

typedef struct trial {
    carom_experiment *experiment;
    carom_run_result result;
    carom_series series; /* all outputs */
} trial;

static inline void trial_path(const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/experiments/moreau-1986/trial-%s.lua", CAROM_SOURCE_DIR, name);
}

static inline carom_experiment *trial_load(const trial_request *request)
{
    char path[1024], text[TRIAL_SETTINGS_MAX][32];
    enum {
        WORDS = sizeof request->word / sizeof request->word[0]
    };
    carom_override override[TRIAL_SETTINGS_MAX + WORDS];
    int overrides = 0;
    for (; overrides < TRIAL_SETTINGS_MAX && request->set[overrides].name; overrides++) {
        snprintf(text[overrides], sizeof text[overrides], "%.17g", request->set[overrides].value);
        override[overrides] =
            (carom_override){.name = (char *)request->set[overrides].name, .value = text[overrides]};
    }
    for (int i = 0; i < WORDS && request->word[i].name; i++)
        override[overrides++] = request->word[i];
    const char *name = request->trial ? request->trial : "text";
    trial_path(name, path, sizeof path);
    if (request->experiment) {
        name = request->experiment;
        snprintf(path, sizeof path, "%s/experiments/%s.lua", CAROM_SOURCE_DIR, name);
    }
    carom_load_request load = {.name = name,
                               .file = path,
                               .text = request->text,
                               .variant = request->variant,
                               .override_count = overrides,
                               .override = override};
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&load, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

static inline trial trial_run(const trial_request *request)
{
    trial run = {.experiment = trial_load(request)};
    run.series.layout = carom_row_layout_of(run.experiment);
    carom_recorder recorder = carom_series_recorder(&run.series);
    carom_option option[TRIAL_SETTINGS_MAX + 1] = {0};
    for (int i = 0; i < TRIAL_SETTINGS_MAX && request->option[i].name; i++)
        option[i] = (carom_option){request->option[i].name, .word = request->option[i].value};
    carom_run_request asked = {.experiment = run.experiment,
                               .scheme = request->scheme,
                               .h = request->h > 0.0 ? request->h : NAN,
                               .until = request->until > 0.0 ? request->until : NAN,
                               .option = option,
                               .recorder_count = 1,
                               .recorder = &recorder};
    carom_error error = {0};
    carom_status status = carom_run(&asked, &run.result, &error);
    if (status != CAROM_OK && !(request->ends && status == CAROM_FAILED))
        fail_msg("%s", error.text);
    assert_string_equal(run.result.word, request->ends ? request->ends : "ok");
    return run;
}

static inline void trial_free(trial *run)
{
    carom_run_result_free(&run->result);
    carom_series_free(&run->series);
    carom_experiment_free(run->experiment);
}

/* ---- outputs ------------------------------------------------------------------------------------- */

static inline size_t output_count(const trial *run)
{
    return run->series.count;
}

static inline const double *output(const trial *run, size_t index)
{
    assert_true(index < run->series.count);
    return carom_series_row(&run->series, index);
}

/* The output at a time that is a whole number of steps after the start. */
static inline const double *output_at(const trial *run, double t)
{
    const double *row = output(run, (size_t)lround((t - run->result.t0) / run->result.h));
    assert_true(fabs(row[0] - t) < 1e-9);
    return row;
}

static inline double position(const trial *run, const double *row, int coordinate)
{
    return row[run->result.layout.q + coordinate];
}

static inline double velocity(const trial *run, const double *row, int coordinate)
{
    return row[run->result.layout.v + coordinate];
}

static inline double energy_of(const trial *run, const double *row)
{
    return row[run->result.layout.energy];
}

static inline carom_contact_regime regime_of(const trial *run, const double *row, int contact)
{
    return (carom_contact_regime)row[run->result.layout.regime + contact];
}

/* The first output after a time whose contact carries an impulse (or carries none). */
static inline const double *first_output_after(const trial *run, double t, int contact, bool touching)
{
    for (size_t i = 0; i < output_count(run); i++) {
        const double *row = output(run, i);
        if (row[0] > t && (regime_of(run, row, contact) != CAROM_CONTACT_OPEN) == touching)
            return row;
    }
    fail_msg("contact %d never %s after t = %g", contact, touching ? "touches" : "opens", t);
    return NULL;
}

/* ---- measures ------------------------------------------------------------------------------------ */

static inline const carom_measured *measured(const trial *run, const char *name)
{
    for (int i = 0; i < run->experiment->measure_count; i++)
        if (strcmp(run->experiment->measure[i].name, name) == 0)
            return &run->result.measure[i];
    fail_msg("there is no measure '%s'", name);
    return NULL;
}

/* One entry of a measure; index 0 for a measure that is a number. */
static inline double measured_value(const trial *run, const char *name, int index)
{
    const carom_measured *found = measured(run, name);
    if (index >= found->count)
        fail_msg("measure '%s' has %d values, %d asked", name, found->count, index + 1);
    return found->value[index];
}

/* The limit of a quantity of first order in the step, from two steps. */
static inline double limit_of(double coarse, double coarse_h, double fine, double fine_h)
{
    return fine + (fine - coarse) * fine_h / (coarse_h - fine_h);
}

#endif
