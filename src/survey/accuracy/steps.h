/* The steps that are tried. */
#ifndef CAROM_SURVEY_ACCURACY_STEPS_H
#define CAROM_SURVEY_ACCURACY_STEPS_H

#include "carom/survey/accuracy.h"

/* Every step is base / parts. Times that measures name are outputs in every run, so their values are not those of
 * neighbouring outputs. Otherwise the grids of two runs have few points in common: an impact just before a common point would
 * be found at the same time with both steps, and its error would not be seen. */
typedef struct accuracy_steps {
    double
        base; /* duration of the run, or the greatest common divisor of it and of the times that measures name */
    double limit; /* parts of the smallest step */
    int count;
    double parts[CAROM_ACCURACY_TRIED_MOST];
} accuracy_steps;

/* From the request and from the values of a run that was set up. */
accuracy_steps accuracy_steps_of(const carom_accuracy_request *request, const carom_run_result *start,
                                 double until);
/* The next step, smaller than the last one by the factor or a little more; the first one for no step before. NAN: it
 * would be below the limit. */
double accuracy_steps_next(accuracy_steps *steps, double factor);

#endif
