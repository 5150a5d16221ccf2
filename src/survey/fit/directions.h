/* Directions of the unknowns that change nothing that was measured, in words. */
#ifndef CAROM_SURVEY_FIT_DIRECTIONS_H
#define CAROM_SURVEY_FIT_DIRECTIONS_H

#include "fit.h"

/* What a relative change of an unknown is relative to: its value, or its scale where that is near 0. */
double direction_scale(const fit_problem *problem, const double *x, int unknown);

/* Of the SVD of the derivatives, relative to direction_scale, of `count` unknowns: the directions from `rank` on. */
carom_status fit_name_directions(const fit_problem *problem, int count, const int *unknown, const double *s,
                                 const double *v, int rank, carom_fit *fit, carom_error *error);

#endif
