/* What data weigh that nobody has weighed, and where a loss begins to bend. */
#ifndef CAROM_SURVEY_FIT_WEIGHTS_H
#define CAROM_SURVEY_FIT_WEIGHTS_H

#include "fit.h"

/* Standard deviation of the data of a column; 1 where they do not vary. */
double fit_spread_of(const fit_problem *problem, int column);
/* Before the first search: one column as it is; several by the spread of each. */
void fit_first_weights(fit_problem *problem);
/* From the residuals of a search: each column by its own deviation (the weights of the largest likelihood). False: nothing
 * changes any more, or the weights are given. */
bool fit_weigh_columns(fit_problem *problem, const double *r);
/* The usual scale of the loss for the deviation of the residuals, by the median of their sizes. */
carom_status fit_loss_scale_of(const fit_problem *problem, const double *r, carom_fit_loss loss,
                               double *scale, carom_error *error);

#endif
