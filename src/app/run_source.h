/* A run file as something to draw: its model, loaded again, and its rows. */
#ifndef CAROM_APP_RUN_SOURCE_H
#define CAROM_APP_RUN_SOURCE_H

#include "carom/run/curves.h"
#include "command.h"

typedef struct run_source {
    carom_run_file *file;
    carom_experiment *experiment;
    double *values;
    carom_curve_source source;
} run_source;

/* BAD_INPUT: no run file, damaged, or its model does not read. Close in every case. */
carom_status run_source_open(const char *path, run_source *run, carom_error *error);
void run_source_close(run_source *run);

#endif
