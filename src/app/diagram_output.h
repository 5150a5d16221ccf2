/* What `carom bifurcation` and `carom basin` show: texts, JSON, pictures; and their journals. */
#ifndef CAROM_APP_DIAGRAM_OUTPUT_H
#define CAROM_APP_DIAGRAM_OUTPUT_H

#include "carom/survey/basin.h"
#include "carom/survey/diagram.h"
#include "unit_journal.h"

/* ---- options that both commands have -------------------------------------------------------------------- */

/* "x", or "v:x" of a velocity. Returns text. */
const char *state_name(const carom_model *model, int place, char *text, size_t size);

/* ---- bifurcation ------------------------------------------------------------------------------------------ */

typedef struct diagram_output {
    const carom_experiment *experiment;
    const carom_diagram *diagram;
    const char *parameter;
    const char *section; /* contact; NULL: once per period */
    int shown_count;     /* entries of a state that pictures show */
    const int *shown;
} diagram_output;

void print_diagram_text(const diagram_output *output);
void print_diagram_json(const diagram_output *output, const char *status);
carom_status draw_diagram(const diagram_output *output, const char *directory, carom_error *error);
/* Values that were run and did not return; *first is the first. */
int count_failed_values(const carom_diagram *diagram, const carom_diagram_point **first);

/* ---- basin --------------------------------------------------------------------------------------------------- */

typedef struct basin_output {
    const carom_experiment *experiment;
    const carom_basin *basin;
    const char *axis[CAROM_BASIN_AXES_MAX]; /* as they were given: "q:x" */
} basin_output;

/* "period 3, 2 impacts" */
const char *attractor_name(const carom_basin *basin, const carom_attractor *attractor, char *text,
                           size_t size);
void print_basin_text(const basin_output *output);
void print_basin_json(const basin_output *output, const char *status);
carom_status draw_basin(const basin_output *output, const char *directory, carom_error *error);

/* ---- journals --------------------------------------------------------------------------------------------------- */

/* For carom_diagram_request and carom_basin_request; the context is a unit_journal. */
bool diagram_journal_recall(void *context, int index, int state, carom_diagram_point *point);
carom_status diagram_journal_keep(void *context, int index, int state, const carom_diagram_point *point,
                                  carom_error *error);
bool basin_journal_recall(void *context, int block, int count, int state, carom_basin_cell *cell,
                          double *last);
carom_status basin_journal_keep(void *context, int block, int count, int state, const carom_basin_cell *cell,
                                const double *last, carom_error *error);

#endif
