/* Values of a parameter over a range, evenly spaced. */
#ifndef CAROM_SURVEY_VALUES_H
#define CAROM_SURVEY_VALUES_H

#include "carom/run.h"

/* Of `points` values the one at `place`, from 0. Ends are exact; one value alone is `from`. */
double survey_value(double from, double to, int points, int place);

/* Name, range and kind of every value, on a copy of the parameters: what carom_experiment_set says of the first one that is wrong. */
carom_status survey_check_values(const carom_experiment *experiment, const char *name, double from, double to,
                                 int points, carom_error *error);

#endif
