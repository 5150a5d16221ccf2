/* Controllers between two steps. */
#ifndef CAROM_SUBJECT_DRILLING_HELD_CONTROLLER_H
#define CAROM_SUBJECT_DRILLING_HELD_CONTROLLER_H

#include "carom/subject/drilling.h"

/* Exact for an input that is held over a step h: A_d (states x states), B_d (states x 2). */
carom_status drill_discretise(const carom_drill_controller *controller, double h, double *A_d, double *B_d,
                              carom_error *error);

#endif
