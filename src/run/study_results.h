/* Outputs of an experiment's studies for one set of parameters. */
#ifndef CAROM_RUN_STUDY_RESULTS_H
#define CAROM_RUN_STUDY_RESULTS_H

#include "carom/run.h"

/* Computes the studies in their order and writes the numbers that expressions use into `parameter`. Takes what
 * carom_experiment_compute left where the parameters are the same. */
carom_status study_results_compute(const carom_experiment *experiment, double *parameter,
                                   carom_progress progress, carom_study_results **results,
                                   carom_error *error);

/* The experiment's values for these parameters; `values` has room for all. */
carom_status experiment_values(const carom_experiment *experiment, const double *parameter, double *values,
                               carom_error *error);

#endif
