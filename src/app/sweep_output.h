/* What `carom sweep` reads and shows: values of axes, tables, JSON, a picture. */
#ifndef CAROM_APP_SWEEP_OUTPUT_H
#define CAROM_APP_SWEEP_OUTPUT_H

#include "command.h"

/* The values of one axis as texts: "0.1,0.2,0.5", "0:1:11" or "1e-4:1e-2:5:log". False after a message. */
bool read_sweep_values(const command *self, carom_arena *arena, const char *given, carom_sweep_axis *axis,
                       bool *is_log);

/* A sweep with what goes with it. */
typedef struct sweep_output {
    const carom_experiment *experiment;
    const carom_sweep *sweep;
    bool is_log[CAROM_SWEEP_AXES_MAX]; /* the axis was given as a logarithmic range */
} sweep_output;

/* The value of an axis at a point. */
const char *sweep_value(const carom_sweep *sweep, int axis, int point);
/* A measure that gives lists, at some point at least. */
bool sweep_measure_is_array(const carom_sweep *sweep, int measure);
/* The number of a measure that is not an array; NAN: none. */
double sweep_number(const carom_sweep *sweep, int point, int measure);
/* "e = 0.5, h = 0.001" */
void describe_sweep_point(const carom_sweep *sweep, int point, char *text, size_t size);
/* Points that were run and failed; *first is the first of them. */
int count_failed_points(const carom_sweep *sweep, int *first);

void print_sweep_text(const sweep_output *output);
void print_sweep_json(const sweep_output *output);

/* Draws sweep.png and .svg, with script (.gp) and data (.dat), into the directory, which is made. */
carom_status draw_sweep(const sweep_output *output, const char *directory, carom_error *error);

#endif
