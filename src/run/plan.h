/* What a run will do, settled before anything moves: parameters, resolved values, times, scheme, options. */
#ifndef CAROM_RUN_PLAN_H
#define CAROM_RUN_PLAN_H

#include "carom/run.h"

typedef struct run_plan {
    const carom_experiment *experiment;
    carom_experiment alone; /* of a model alone: an experiment that says nothing else; then the one above */
    const double *q0, *v0;  /* the request's; NULL: not given */
    const carom_scheme_ops *scheme;
    double *parameter; /* owned, as are the arrays below */
    double *values;
    double *option;
    carom_study_results *results; /* of the studies; NULL: there are none */
    int solver_option_count;
    carom_option *solver_option; /* of solver and impact law, with their texts; ends with {0} */
    double t0, h, until;
    long steps;
    double
        end; /* of the last output, between those of the steps; INFINITY: it is at the end of the last step */
} run_plan;

/* The plan must stay where it is: it may point into itself. To be freed in every case. */
carom_status run_plan_create(const carom_run_request *request, run_plan *plan, carom_error *error);
void run_plan_free(run_plan *plan);

/* A list whose texts belong to it. */
void run_options_free(int count, carom_option *list);

/* An experiment's value, or `absent` when it is not given. */
double run_plan_value(const run_plan *plan, carom_value value, double absent);

#endif
