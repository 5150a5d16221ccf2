/* A motion step by step, in the hands of the caller: for control, learning and planning. Part of room run.
 *
 *   carom_stepping *s = NULL;
 *   carom_status status = carom_stepping_create(&(carom_run_request){.experiment = experiment}, &s, &error);
 *   while (status == CAROM_OK && s->stepper->state.t < 2.0) {
 *       s->input[motor] = -k * s->q[0];
 *       status = carom_stepper_step(s->stepper, &error);
 *   }
 *   carom_stepping_free(s);
 *
 * It begins as carom_run does, with the same checks, and its steps have the same bits. Ends (until, stop { }), outputs and
 * measures of the request mean nothing here. */
#ifndef CAROM_RUN_STEPPING_H
#define CAROM_RUN_STEPPING_H

#include "carom/run.h"

typedef struct carom_stepping {
    carom_stepper
        *stepper; /* the one under way: another one after carom_stepping_set and carom_stepping_restore */
    /* Positions and velocities of the state, to be read: they are changed by steps and by carom_stepping_set. */
    double *q, *v;
    /* Values of the inputs from the next step on, at the places of their parameters, to be written between steps; NULL: the
     * model has none. */
    double *input;
} carom_stepping;

/* The experiment or model must outlive it; nothing else of the request is kept. Errors are those of carom_run before its first
 * step; *stepping is NULL then. */
carom_status carom_stepping_create(const carom_run_request *request, carom_stepping **stepping,
                                   carom_error *error);
/* NULL is allowed. */
void carom_stepping_free(carom_stepping *stepping);

/* Up to `count` steps; *done says how many were made. INTERRUPTED: the progress, which is asked
 * every few milliseconds, after every step where one takes longer, said so. */
carom_status carom_stepping_run(carom_stepping *stepping, long count, carom_progress progress, long *done,
                                carom_error *error);

/* Goes to another state: the motion begins there, so that nothing that the scheme remembers is of another one. q and v may be
 * NULL: as they are; t NAN: as it is. BAD_INPUT: the motion cannot begin there; then nothing has changed. */
carom_status carom_stepping_set(carom_stepping *stepping, double t, const double *q, const double *v,
                                carom_error *error);

/* Keeps everything that later steps depend on, the inputs included; the caller frees the snapshot. */
carom_status carom_stepping_save(carom_stepping *stepping, carom_snapshot *snapshot, carom_error *error);
/* Goes back to what was kept, here or in another one of the same request: steps have the same bits again. BAD_INPUT: it is of
 * another model, scheme or step; then nothing has changed. */
carom_status carom_stepping_restore(carom_stepping *stepping, const void *bytes, size_t count,
                                    carom_error *error);

#endif
