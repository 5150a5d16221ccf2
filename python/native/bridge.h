/* What the Python package needs of C beside the library. */
#ifndef CAROM_PYTHON_BRIDGE_H
#define CAROM_PYTHON_BRIDGE_H

#include "carom/carom.h"
#include "carom/io.h"
#include "carom/version.h"

/* Between begin and end of a call Ctrl-C does not raise KeyboardInterrupt at some line of Python: it asks the computations under way
 * to stop, which then return what they have. End says whether it was asked; pairs may be nested, in several threads. Between
 * them linear algebra starts no threads: the same bits as in the program. */
void carom_python_begin(void);
bool carom_python_end(void);
bool carom_python_stopped(void);

/* Says yes until Ctrl-C; *done (may be NULL) is the part that is done, from 0 to 1. */
carom_progress carom_python_progress(double *done);

/* A run that is in memory, as a run file. */
carom_status carom_python_save(const char *path, const carom_experiment *experiment, const double *parameter,
                               const carom_series *series, const carom_run_result *result,
                               carom_error *error);

#endif
