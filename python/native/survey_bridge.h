/* What parameter studies in Python need of C beside the library. */
#ifndef CAROM_PYTHON_SURVEY_BRIDGE_H
#define CAROM_PYTHON_SURVEY_BRIDGE_H

#include "bridge.h"
#include "carom/survey/fit.h"

/* Values that all points of a sweep have: what its model is read with, anew, where a setting is swept. */
typedef struct carom_python_values {
    int count;
    const carom_override *value;
} carom_python_values;

/* carom_sweep_run, whose settings may be swept, until Ctrl-C. */
carom_status carom_python_sweep(const carom_sweep_request *request, const carom_python_values *fixed,
                                carom_sweep *sweep, carom_error *error);

enum {
    CAROM_PYTHON_WORD = sizeof((carom_sweep_point){0}.word)
};

/* The points as arrays of sweep->point_count: words of CAROM_PYTHON_WORD bytes each, and whether there is a message. */
void carom_python_sweep_points(const carom_sweep *sweep, char *word, bool *told, bool *done, bool *trusted,
                               long *steps, double *seconds);
/* A measure as numbers, NAN where there is none; false: it is an array somewhere. */
bool carom_python_sweep_numbers(const carom_sweep *sweep, int measure, double *number);

/* The table as text, a line per point. */
carom_status carom_python_sweep_csv(const char *path, const carom_sweep *sweep, carom_error *error);

#endif
