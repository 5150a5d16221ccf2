/* periodic: motions of any model by the map of a period: x(t0 + T; x) = x, where the event-driven scheme gives x(t0 + T).
 *
 * Nothing has to be known of what happens in the period: impacts, also so many that they accumulate, phases of contact, of
 * sticking and of slipping. The map has kinks where its events change; between them Newton's method converges. */
#ifndef CAROM_PERIODIC_MAP_H
#define CAROM_PERIODIC_MAP_H

#include "carom/periodic/branch.h"
#include "carom/scheme.h"

enum {
    CAROM_MAP_EVENTS = 256 /* of a period that are kept */
};

typedef struct carom_map_problem {
    const carom_model *model;
    const double *parameter; /* values; copied */
    bool driven;             /* T is given and t0 a part of it; else T is found, and t0 = 0 */
    double period;           /* T, or a guess of it */
    int multiple;            /* driven: T is so many periods of what drives the model; 0: T is `period` */
} carom_map_problem;

typedef struct carom_map_event {
    double t;
    carom_event_kind kind;
    int contact;
    double rate_before, impulse;
} carom_map_event;

/* A motion. The arrays are the caller's, dof numbers each. */
typedef struct carom_mapped {
    double *q, *v; /* guess, then found: state at t0 */
    double phase;  /* driven: t0 = phase T. Chosen where no contact is about to change */
    double t0, period, energy, reach;
    int iterations;
    double residual;
    double multiplier; /* largest modulus */
    int impacts;       /* in the period */
    int events;        /* those that are kept */
} carom_mapped;

typedef struct carom_period_map carom_period_map;
/* BAD_INPUT: what the event-driven scheme does not treat, joints. The caller frees the map; *map is NULL when it fails. */
carom_status carom_period_map_create(const carom_map_problem *problem, carom_period_map **map,
                                     carom_error *error);
void carom_period_map_free(carom_period_map *map);

/* A guess: the state after a run from q0, v0 at `start` over `settle` periods, at the part of the next one where all contacts
 * are farthest from an event. */
carom_status carom_period_map_settle(carom_period_map *map, double start, const double *q0, const double *v0,
                                     double settle, carom_mapped *motion, carom_error *error);
/* Newton's method from the guess. FAILED: it does not converge, or the scheme stops. */
carom_status carom_period_map_solve(carom_period_map *map, carom_mapped *motion, carom_error *error);
/* Of the motion that was solved last: multipliers (2 dof of them) and events; the map's memory. */
const double *carom_period_map_real(const carom_period_map *map);
const double *carom_period_map_imaginary(const carom_period_map *map);
const carom_map_event *carom_period_map_events(const carom_period_map *map);
/* The motion over its period at `rows` times, from first to last: t - t0, q, v each. */
carom_status carom_period_map_sample(carom_period_map *map, const carom_mapped *motion, int rows, double *row,
                                     carom_error *error);
/* Continues a solution in a parameter of the model. Unknowns of the branch: q, v, T, t0. The branch is the caller's to free
 * in every case. */
carom_status carom_period_map_follow(carom_period_map *map, int parameter, carom_mapped *motion,
                                     const carom_branch_options *options, carom_branch *branch,
                                     carom_error *error);
/* The same from a motion, of this value of the parameter, where another branch begins: the state of a flip in a map of twice the
 * period. What branches off is followed. */
carom_status carom_period_map_branch_off(carom_period_map *map, int parameter, double value,
                                         carom_mapped *motion, const carom_branch_options *options,
                                         carom_branch *branch, carom_error *error);
/* Folds and flips over two parameters, from one at this value of the first: `size` is how far that may change. Points of the branch have
 * the second as their parameter, the first as `other`. */
carom_status carom_period_map_locus(carom_period_map *map, carom_special kind, int first, double value,
                                    int second, double size, carom_mapped *motion,
                                    const carom_branch_options *options, carom_branch *branch,
                                    carom_error *error);

#endif
