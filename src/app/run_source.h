/* A run file as something to draw: its model, loaded again, and its rows. */
#ifndef CAROM_APP_RUN_SOURCE_H
#define CAROM_APP_RUN_SOURCE_H

#include "command.h"
#include "gnuplot.h"

typedef struct run_source {
    carom_run_file *file;
    carom_experiment *experiment;
    double *values;
    plot_source source;
} run_source;

/* The experiment's values with its current parameters, which the caller frees; NULL: memory is short. */
double *resolve_values(const carom_experiment *experiment);

/* BAD_INPUT: no run file, damaged, or its model does not read. Close in every case. */
carom_status run_source_open(const char *path, run_source *run, carom_error *error);
void run_source_close(run_source *run);

#endif
