/* Errors of a step and checks of its settings, shared by all schemes. */
#ifndef CAROM_SCHEME_PARTS_STEP_FAILURE_H
#define CAROM_SCHEME_PARTS_STEP_FAILURE_H

#include "carom/scheme.h"

/* CAROM_FAILED with a text that starts with "t = ..., step ...: ". Steps are counted from 1. */
carom_status fail_step(carom_error *error, double t, long step, const char *format, ...) CAROM_PRINTF(4, 5);

/* Says which entry of the force, or else of the velocity made from it, is not a finite number. */
carom_status fail_not_finite(carom_error *error, double t, long step, const carom_model *model,
                             const double *force, const double *velocity);

/* Index of the first entry that is not finite; n when all are. */
int first_not_finite(int n, const double *x);

/* Checks t0, h, the options' ranges and the initial data. */
carom_status check_step_settings(const carom_scheme_ops *scheme, const carom_model *model,
                                 const carom_step_settings *settings, const double *q0, const double *v0,
                                 carom_error *error);

#endif
