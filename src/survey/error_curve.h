/* Orders of convergence from errors and steps. */
#ifndef CAROM_SURVEY_ERROR_CURVE_H
#define CAROM_SURVEY_ERROR_CURVE_H

#include "carom/survey.h"

bool error_curve_create(int count, carom_arena *arena, carom_error_curve *curve);
/* Fills local, order and fitted from the errors; h descending. */
void error_curve_fit(int count, const double *h, carom_error_curve *curve);

#endif
