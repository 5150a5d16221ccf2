/* What `carom converge` shows: text, JSON, a picture. */
#ifndef CAROM_APP_CONVERGE_OUTPUT_H
#define CAROM_APP_CONVERGE_OUTPUT_H

#include "carom/survey.h"

/* A study with the names that go with it. */
typedef struct converge_output {
    const carom_experiment *experiment;
    const carom_convergence *study;
    const char *const *quantity; /* study->curve_count - CAROM_CURVE_QUANTITY names */
} converge_output;

/* A word per carom_reference_kind, then NULL. */
extern const char *const reference_word[];

/* What the runs are compared with, for people: "moreau-jean with h = 6.25e-05". */
void describe_reference(const carom_convergence *study, char *text, size_t size);

void print_convergence_text(const converge_output *output);
void print_convergence_json(const converge_output *output);

/* Draws convergence.png and .svg, with script (.gp) and data (.dat), into the directory, which is made. */
carom_status draw_convergence(const converge_output *output, const char *directory, carom_error *error);

#endif
