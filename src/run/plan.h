/* What a run will do, settled before anything moves: parameters, resolved values, times, scheme, options. */
#ifndef CAROM_RUN_PLAN_H
#define CAROM_RUN_PLAN_H

#include "carom/run.h"

typedef struct run_plan {
    const carom_experiment *experiment;
    const carom_scheme_ops *scheme;
    double *parameter; /* owned, as are the arrays below */
    double *values;
    double *option;
    double t0, h, until;
    long steps;
} run_plan;

/* `scheme` NULL: the request's or the experiment's, by name. */
carom_status run_plan_create(const carom_run_request *request, const carom_scheme_ops *scheme, run_plan *plan,
                             carom_error *error);
void run_plan_free(run_plan *plan);

/* An experiment's value, or `absent` when it is not given. */
double run_plan_value(const run_plan *plan, carom_value value, double absent);

#endif
