/* Sensitivities: derivatives of what a run computes, by parameters and initial values.
 *
 *   const char *names[] = {"e", "q:y"};
 *   carom_run_request request = {.experiment = experiment, .sensitivity_count = 2, .sensitivity = names};
 *   carom_run(&request, &result, &error);
 *   double dy_de = carom_sensitivity_final(result.sensitivity, 0)[result.layout.q];
 *
 * Where scheme and model have derivatives (carom_tangent in carom/scheme.h) they are exact for the steps that were made, and
 * cost one run. Otherwise they come from differences of whole runs, extrapolated, and say so. */
#ifndef CAROM_RUN_SENSITIVITY_H
#define CAROM_RUN_SENSITIVITY_H

#include "carom/scheme.h"

struct carom_measured;

typedef struct carom_sensitivity {
    int count;   /* names */
    char **name; /* as they were asked for */
    bool exact;
    char why[256]; /* not exact: what has no derivatives */
    double
        error; /* of differences: estimated, relative to the largest derivative of the final state; 0 of exact ones */
    int width; /* of a row: carom_row_layout.width */
    /* Rows like those of outputs, of derivatives: of the time of the output, of positions, velocities, energy, gaps,
     * impulses, columns, accelerations, forces of joints. NAN: not known, or it does not exist. */
    double *final;  /* count rows */
    double *sample; /* per sample of the run: count rows */
    int measure_count;
    struct carom_measured *measure; /* per measure of the run: count results; none: not known */
    double *measure_error; /* likewise, of differences: estimated, relative to the largest of its numbers */
    size_t event_count;    /* those of the result, when they are asked for */
    double *event_time;    /* per event: count derivatives of its time */
    int break_count;       /* places without a derivative; the first ones are kept */
    int breaks_kept;
    carom_tangent_break *breaks;
    /* One-sided derivatives of a run with breaks, where carom_run_request.sides asks for them, by each name alone: as it comes from
     * smaller values (0) and from larger ones (1). Rows of the end, and measures. NULL: not asked for, or there are no breaks. */
    struct carom_sensitivity *side[2];
    bool *
        jumps; /* of a side, per name: the motion does not come to the one of the run as the name does; else NULL */
} carom_sensitivity;

/* "exact" or "differences". */
const char *carom_sensitivity_method(const carom_sensitivity *sensitivity);
/* The row of derivatives by name number `index` of the last output, or of a sample. */
static inline const double *carom_sensitivity_final(const carom_sensitivity *sensitivity, int index)
{
    return sensitivity->final + (size_t)index * (size_t)sensitivity->width;
}
static inline const double *carom_sensitivity_sample(const carom_sensitivity *sensitivity, int sample,
                                                     int index)
{
    return sensitivity->sample +
           ((size_t)sample * (size_t)sensitivity->count + (size_t)index) * (size_t)sensitivity->width;
}
/* NULL is fine. */
void carom_sensitivity_free(carom_sensitivity *sensitivity);

#endif
