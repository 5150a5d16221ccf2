/* Orbits by pattern: the memory of a solve, and its two halves. */
#ifndef CAROM_PERIODIC_PATTERN_PATTERN_H
#define CAROM_PERIODIC_PATTERN_PATTERN_H

#include "carom/linalg.h"
#include "ring.h"

enum {
    ORBIT_BLOCK = 8 /* times at which gaps are sampled together */
};

struct carom_orbit_work {
    double *C, *S, *D;   /* flow over half a period */
    double *matrix, *xi; /* linear system */
    int *pivot;
    double *condition_work; /* 4 x unknowns */
    int *condition_place;
    double *position, *velocity; /* modes at t = 0; velocity over omega */
    double *cosine, *sine;       /* rotation of each mode in one sampling step */
    double *rotated[2];          /* modes while they are sampled */
    double *block;               /* size x ORBIT_BLOCK: modal positions */
    double *before[2];           /* per contact: the last two samples */
    double *flow;                /* 2 x size */
};

/* Size of positions: the largest gap. Size of times: 1 / the first frequency. */
static inline double pattern_length(const carom_linear_oscillator *o)
{
    return carom_largest(o->contacts, o->gap);
}
static inline double pattern_time(const carom_linear_oscillator *o)
{
    return 1.0 / o->frequency[0];
}

/* The options with their defaults in the places of zeros; NULL: all of them. */
carom_orbit_options orbit_fill_options(const carom_orbit_options *given);
/* BAD_INPUT for what no orbit can have. */
carom_status orbit_check_input(const carom_linear_oscillator *oscillator, double period,
                               const carom_phase *pattern, carom_error *error);
/* Judges the inequalities of a candidate: word, margin, time, contact. */
void orbit_check_admissible(carom_orbit *orbit, const carom_linear_oscillator *oscillator,
                            const carom_orbit_options *options);

#endif
