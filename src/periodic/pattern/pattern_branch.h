/* Branches and maps of orbits: what their files share. */
#ifndef CAROM_PERIODIC_PATTERN_PATTERN_BRANCH_H
#define CAROM_PERIODIC_PATTERN_PATTERN_BRANCH_H

#include "ring.h"

/* Where one point of a branch is solved: an orbit, and for couplings a ring of its own. */
typedef struct branch_place {
    const carom_orbit_branch_request *request;
    const carom_linear_oscillator *oscillator; /* `own` or the request's */
    carom_linear_oscillator *own;
    carom_orbit *orbit;
} branch_place;

carom_status branch_place_make(const carom_orbit_branch_request *request, branch_place *place,
                               carom_error *error);
void branch_place_free(branch_place *place);
/* Solves at a value of the parameter; an amplitude of any size is no verdict. */
carom_status branch_solve(branch_place *place, const carom_phase *pattern, double value, carom_error *error);

/* Counts poles between two values of the parameter: [0] of the last motion, [1] of the next one. */
typedef struct branch_poles {
    const carom_phase *pattern;
    int size;     /* contacts that strike */
    int *contact; /* which */
    double *matrix, *value, *near, *far;
    bool *counted;        /* modes */
    double *rotations[2]; /* per mode: omega T / (2 pi) */
    int negative[2];      /* eigenvalues */
} branch_poles;

bool branch_poles_take(carom_arena *arena, const carom_linear_oscillator *oscillator, branch_poles *poles);
void branch_poles_pattern(branch_poles *poles, int contacts, const carom_phase *pattern);
/* Sets side `at`; false when memory is short. */
bool branch_poles_look(branch_poles *poles, const carom_linear_oscillator *oscillator, double period, int at);
/* `upwards`: the parameter grows from side 0 to side 1. */
int branch_poles_between(branch_poles *poles, const carom_linear_oscillator *oscillator, bool upwards);

/* Multipliers of all points, several at a time. */
carom_status branch_multipliers(const carom_orbit_branch_request *request, carom_orbit_branch *branch,
                                carom_error *error);

/* Threads for `work` pieces; BAD_INPUT for a number that makes no sense. 0: one per core. */
carom_status orbit_threads(int asked, int work, int *threads, carom_error *error);

#endif
