/* Derivatives of a run's outputs, in memory for Python: what carom_recorder.slopes tells before each row. */
#ifndef CAROM_PYTHON_SLOPES_BRIDGE_H
#define CAROM_PYTHON_SLOPES_BRIDGE_H

#include "carom/run.h"

typedef struct carom_python_slopes {
    int names, width; /* set before the run */
    size_t count, capacity;
    double *rows; /* count x names x width; NAN: not known */
    const double *next;
} carom_python_slopes;

/* A recorder that appends to it. */
carom_recorder carom_python_slopes_recorder(carom_python_slopes *slopes);
void carom_python_slopes_free(carom_python_slopes *slopes);

#endif
