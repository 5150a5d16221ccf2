/* A controller between steps: u from its state and e at the start of the step, then the state at its end. */
#ifndef CAROM_SUBJECT_DRILLING_REGULATOR_H
#define CAROM_SUBJECT_DRILLING_REGULATOR_H

#include "carom/subject/drilling.h"

typedef struct drill_regulator {
    const carom_drill_controller *law;
    int blocks; /* of four states */
    double
        *step; /* blocks x (2 + states) x 4: columns of B and A over one step, zero where there is no state */
    double *output;    /* C */
    double *x, *moved; /* state, and room for the next one: 4 blocks each */
} drill_regulator;

carom_status drill_regulator_take(carom_arena *arena, const carom_drill_controller *law, double h,
                                  drill_regulator *made, carom_error *error);
double drill_regulator_output(const drill_regulator *regulator, const double e[2]);
void drill_regulator_advance(drill_regulator *regulator, const double e[2]);

#endif
