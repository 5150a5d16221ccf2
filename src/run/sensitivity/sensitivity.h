/* Derivatives of a run under way, by the names that its request has. */
#ifndef CAROM_RUN_SENSITIVITY_SENSITIVITY_H
#define CAROM_RUN_SENSITIVITY_SENSITIVITY_H

#include "run/active_run.h"

/* What a name stands for: one of the three is not negative. */
typedef struct sensitivity_name {
    int parameter, position, velocity;
} sensitivity_name;

typedef struct run_sensitivity {
    int count;
    sensitivity_name *name;
    carom_tangent *tangent; /* NULL: there are no exact derivatives */
    char why[256];          /* ... for this reason */
    double **parameter;     /* per name: direction of the parameters */
    double *values;         /* per name: derivatives of the experiment's values */
    double *row, *last;     /* per name: derivatives of the candidate and of the last good row */
    double *observe;        /* per name: tangents of the tape of columns */
    double *observed;       /* of energy and observables */
    double *before;         /* per name: of the velocity before the last step, for accelerations */
    double *velocity;       /* that velocity */
    carom_numbers event_time;
} run_sensitivity;

/* ---- names.c ------------------------------------------------------------------------------------------- */

/* BAD_INPUT: a name that there is not, with those that there are. */
carom_status sensitivity_read_names(active_run *run, carom_error *error);

/* ---- moved.c: runs beside the one under way, with a name that has another value --------------------------- */

typedef struct moved_room {
    double *parameter, *q0, *v0;
} moved_room;

bool sensitivity_take_room(const active_run *run, moved_room *room);
/* What nobody asks of such a run is left out. */
void sensitivity_plain_request(carom_run_request *request);
/* Name number c moved by s. */
void sensitivity_move(const active_run *run, int c, double s, moved_room *room, carom_run_request *request);
/* The size of a name's number. Of a start that is zero to rounding: that of its neighbours, or the length or speed of the model.
 * Of a parameter that is zero: 1. */
double sensitivity_scale(const active_run *run, int c);

/* ---- along.c: exact derivatives, beside the steps; more of it is in active_run.h ---------------------------- */

/* One step of the scheme and of its tangent, which must be there. */
carom_status sensitivity_step(active_run *run, carom_error *error);

#endif
