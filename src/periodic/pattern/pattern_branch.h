/* Branches and maps of orbits: what their files share. */
#ifndef CAROM_PERIODIC_PATTERN_PATTERN_BRANCH_H
#define CAROM_PERIODIC_PATTERN_PATTERN_BRANCH_H

#include "ring.h"

/* Where one point of a branch is solved: an orbit, and for couplings and systems an oscillator of its own. */
typedef struct branch_place {
    const carom_orbit_branch_request *request;
    const carom_linear_oscillator *oscillator; /* `own` or the request's */
    carom_linear_oscillator *own;
    bool behind; /* `own` is not of the value of the orbit, which was recalled */
    double value;
    carom_orbit *orbit;
    carom_arena *arena;       /* of the arrays below */
    double *argument, *known; /* what the memo is asked for, and what it gives */
} branch_place;

carom_status branch_place_make(const carom_orbit_branch_request *request, branch_place *place,
                               carom_error *error);
void branch_place_free(branch_place *place);
/* Solves at a value of the parameter; an amplitude of any size is no verdict. */
carom_status branch_solve(branch_place *place, const carom_phase *pattern, double value, carom_error *error);

/* What a memo keeps of a branch, and in which order: orbits and negative eigenvalues on the way, then the multipliers of
 * its points, then what becomes of them elsewhere. */
typedef enum branch_kept {
    BRANCH_ORBIT,
    BRANCH_POLES,
    BRANCH_MULTIPLIERS,
} branch_kept;
/* `count` numbers for the pattern and the value. */
bool branch_recall(branch_place *place, branch_kept what, const carom_phase *pattern, double value, int count,
                   double *numbers);
void branch_keep(branch_place *place, branch_kept what, const carom_phase *pattern, double value, int count,
                 const double *numbers);
/* branch_solve, or the orbit that the memo knows, which lacks what carom_floquet_compute needs. place->oscillator is that
 * of the value after branch_oscillator only, unless it is a ring. */
carom_status branch_solve_once(branch_place *place, const carom_phase *pattern, double value,
                               carom_error *error);
carom_status branch_oscillator(branch_place *place, carom_error *error);
size_t branch_orbit_numbers(const carom_orbit *orbit); /* that a memo keeps of it */

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
/* Sets of side `at` the rotations alone. */
void branch_poles_rotate(branch_poles *poles, const carom_linear_oscillator *oscillator, double period,
                         int at);
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
