/* What the Python package needs of C beside the library. */
#ifndef CAROM_PYTHON_BRIDGE_H
#define CAROM_PYTHON_BRIDGE_H

#include "carom/carom.h"
#include "carom/io/report.h"
#include "carom/model/bodies.h"
#include "carom/run/curves.h"
#include "carom/run/stepping.h"
#include "carom/version.h"
#include "slopes_bridge.h"

/* Between begin and end of a call Ctrl-C does not raise KeyboardInterrupt at some line of Python: it asks the computations under way
 * to stop, which then return what they have. End says whether it was asked; pairs may be nested, in several threads. Between
 * them linear algebra starts no threads: the same bits as in the program. */
void carom_python_begin(void);
bool carom_python_end(void);
/* Begin without a call of the system, for what may take less: whether Ctrl-C still comes here, carom_python_hear looks later. Only
 * when a program has set a handler of its own meanwhile it did not. */
void carom_python_begin_short(void);
void carom_python_hear(void);
bool carom_python_stopped(void);

/* Says yes until Ctrl-C; *done (may be NULL) is the part that is done, from 0 to 1. */
carom_progress carom_python_progress(double *done);

/* A run that is in memory, as a run file. */
carom_status carom_python_save(const char *path, const carom_experiment *experiment, const double *parameter,
                               const carom_series *series, const carom_python_slopes *slopes,
                               const carom_run_result *result, carom_error *error);

/* ---- steppers: a carom_stepping for Python, where two threads may call at once by mistake. The second one is refused: every
 * call below returns BAD_INPUT then. */
typedef struct carom_python_stepper carom_python_stepper;

carom_status carom_python_stepper_create(const carom_run_request *request, carom_python_stepper **stepper,
                                         carom_error *error);
void carom_python_stepper_free(carom_python_stepper *stepper);
const carom_stepping *carom_python_stepper_data(const carom_python_stepper *stepper);
double carom_python_stepper_step_size(const carom_python_stepper *stepper);
const char *carom_python_stepper_scheme(const carom_python_stepper *stepper);
const char *carom_python_stepper_body_name(const carom_python_stepper *stepper, int body);
const double *carom_python_stepper_time(const carom_python_stepper *stepper);
/* One step, from Python's loops: as short as it can be. */
carom_status carom_python_step(carom_python_stepper *stepper, carom_error *error);
/* Ctrl-C ends it between carom_python_begin and carom_python_end. */
carom_status carom_python_stepper_run(carom_python_stepper *stepper, long count, long *done,
                                      carom_error *error);
carom_status carom_python_stepper_set(carom_python_stepper *stepper, double t, const double *q,
                                      const double *v, carom_error *error);
carom_status carom_python_stepper_save(carom_python_stepper *stepper, carom_snapshot *snapshot,
                                       carom_error *error);
carom_status carom_python_stepper_restore(carom_python_stepper *stepper, const void *bytes, size_t count,
                                          carom_error *error);
carom_status carom_python_stepper_energy(carom_python_stepper *stepper, double *energy, carom_error *error);
/* Per contact its gap, its impulse (3 numbers) and its regime. */
carom_status carom_python_stepper_contacts(carom_python_stepper *stepper, double *gap, double *impulse,
                                           int *regime, carom_error *error);
/* The points of bodies: up to `room` of them, *count is how many there are; where they are, 3 numbers each. */
carom_status carom_python_stepper_points(carom_python_stepper *stepper, int room, carom_body_point *point,
                                         double *place, int *count, carom_error *error);

#endif
