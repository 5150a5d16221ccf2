/* The generalised plant of an H-infinity problem, scaled so that D12 = [0; 0; 0; 1] and D21 = [0 I], and its
 * central controller. */
#ifndef CAROM_SUBJECT_DRILLING_HINF_H
#define CAROM_SUBJECT_DRILLING_HINF_H

#include "carom/subject/drilling.h"

enum {
    DISTURBANCES = 4, /* vbar, d, n1, n2 */
    INPUTS = 5,       /* and u' */
    ERRORS = 4,
    READINGS = 2,
    OUTPUTS = 6
};

typedef struct generalised {
    int states;
    double *A, *B, *C; /* B: states x INPUTS, C: OUTPUTS x states */
    double D11[ERRORS * DISTURBANCES];
    double rho, scale[READINGS], gco;
} generalised;

typedef struct central {
    double *A, *B, *C; /* states x states, states x 2, states; of the scaled u' and readings */
} central;

/* Whether a controller exists at level g, and that controller where it is wanted. */
carom_status drill_central_solve(const generalised *plant, double g, carom_arena *arena, bool wanted,
                                 central *controller, carom_drill_hinf *result, carom_error *error);
/* The loop of both: refuses an unstable one; fills norm and fastest. */
carom_status drill_central_check(const generalised *plant, const central *controller, carom_arena *arena,
                                 carom_drill_hinf *result, carom_error *error);

#endif
