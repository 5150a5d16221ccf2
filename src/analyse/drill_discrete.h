/* Controllers between two steps. */
#ifndef CAROM_ANALYSE_DRILL_DISCRETE_H
#define CAROM_ANALYSE_DRILL_DISCRETE_H

#include "carom/drill.h"

/* Exact for an input that is held over a step h: A_d (states x states), B_d (states x 2). */
carom_status drill_discretise(const carom_drill_controller *controller, double h, double *A_d, double *B_d,
                              carom_error *error);

#endif
