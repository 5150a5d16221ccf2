/* Impacts for the Python package. */
#ifndef CAROM_PYTHON_IMPACT_BRIDGE_H
#define CAROM_PYTHON_IMPACT_BRIDGE_H

#include "carom/carom.h"
#include "contact_bridge.h"

/* W of an impact by columns, each entry looked at; the memory is the arena's. */
carom_status carom_python_impact_columns(carom_arena *arena, const carom_python_matrix *W,
                                         carom_impact *impact, carom_error *error);

/* The course of an impact: rows of time, energies and forces of the contacts, velocities. Every other one is dropped whenever
 * there are too many. */
typedef struct carom_python_course {
    int contacts, coordinates;
    size_t width, count, capacity, limit, stride, seen;
    double *rows;
    bool has_latest; /* behind the rows that are kept; the last of all is kept in the end */
    bool is_short;   /* memory ran out: later rows are missing */
} carom_python_course;
void carom_python_course_free(carom_python_course *course);

/* One impact by one law, stopped by Ctrl-C. The arrays of the result are the caller's. */
typedef struct carom_python_impact_call {
    const carom_option *option; /* the law's own; NULL: defaults */
    bool allow_gain;
    carom_python_course *course; /* NULL: not wanted */
    carom_impact_result result;
    double seconds;
    bool interrupted;
    carom_error error;
} carom_python_impact_call;
carom_status carom_python_impact(const carom_impact_law_ops *law, const carom_impact *impact,
                                 carom_python_impact_call *call);

/* The impact of a model, with an arena of its own. The caller frees it; *made is NULL when it fails. */
typedef struct carom_python_model_impact {
    carom_arena *arena;
    carom_model_impact model;
} carom_python_model_impact;
carom_status carom_python_model_impact_take(const carom_model_impact_request *request,
                                            carom_python_model_impact **made, carom_error *error);
void carom_python_model_impact_free(carom_python_model_impact *made);

#endif
