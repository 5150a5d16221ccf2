/* periodic: motions of any model that strike given contacts in a given order, by shooting over the flights
 * between the impacts.
 *
 * Unknown: the state right after an impact, the k flights, and with them one number more that makes the
 * equations regular. Flights are of given duration and end at the contact of their impact, so that everything
 * is smooth in the unknowns:
 *
 *   x_k(x_0) = x_0,   gap_i(q at the end of flight i) = 0,   sum of flights = T. */
#ifndef CAROM_PERIODIC_SHOOTING_H
#define CAROM_PERIODIC_SHOOTING_H

#include "carom/periodic/branch.h"
#include "carom/scheme.h"

typedef enum carom_shooting_kind {
    CAROM_SHOOT_CONSERVATIVE, /* T is given; one number more: a damping that comes out as 0 */
    CAROM_SHOOT_SYMMETRIC,    /* the same with one impact, symmetric in time: half a period suffices */
    CAROM_SHOOT_AUTONOMOUS,   /* not conservative: T is found */
    CAROM_SHOOT_FORCED,       /* T is given; one number more: the time of the first impact */
} carom_shooting_kind;

enum {
    CAROM_SHOOT_PERIOD = -1 /* in place of a parameter's index: the period */
};

typedef struct carom_shooting_problem {
    const carom_model *model;
    const double *parameter; /* values; copied */
    carom_shooting_kind kind;
    int impacts;        /* FORCED: 0 for a motion without impacts */
    const int *contact; /* per impact; copied. Flight i leads from impact i to impact i + 1 (mod k) */
    double period;      /* T; AUTONOMOUS: not used */
    int multiple;       /* FORCED: T is so many periods of what drives the model; 0: T is `period` */
    int frequency; /* ... 2 pi / the parameter of this index; negative: what carom_model_driven_period says, or
                         * `period` where that does not know */
    double tolerance; /* of the flow and of Newton's method; 0: 1e-11 */
} carom_shooting_problem;

typedef struct carom_shooting carom_shooting;
/* BAD_INPUT: friction, joints, restitution not given or not 1 where the kind asks for it, ... */
carom_status carom_shooting_create(const carom_shooting_problem *problem, carom_shooting **shooting,
                                   carom_error *error);
void carom_shooting_free(carom_shooting *shooting);

/* A periodic motion of a model. The arrays are the caller's: q and v dof numbers, flight one per impact, at least one. */
typedef struct carom_shot {
    double *q, *v;  /* right after the first impact */
    double *flight; /* guess, then found; without impacts the period */
    double t0; /* time of the first impact; without impacts when the period begins, which is not changed */
    double period, energy;
    int iterations;
    double residual;
    double gap, gap_time; /* smallest gap of any contact between impacts: minima inside flights */
    int gap_contact;
    double approach, strongest; /* smallest and largest approach speed of an impact */
    int approach_impact;        /* which impact has the smallest */
    double reach; /* largest position of a coordinate over the period, at samples of the flights */
    bool admissible;
    double multiplier; /* largest modulus */
} carom_shot;

/* Newton's method from the guess in shot. FAILED: "the Newton path is lost ...", with what to try. */
carom_status carom_shooting_solve(carom_shooting *shooting, carom_shot *shot, carom_error *error);
/* Changes one parameter (or CAROM_SHOOT_PERIOD) for what follows. */
carom_status carom_shooting_set(carom_shooting *shooting, int parameter, double value, carom_error *error);
/* 2n x 2n: derivative of the state after one period by the state right after the first impact, by saltation
 * matrices. */
carom_status carom_shooting_monodromy(carom_shooting *shooting, const carom_shot *shot, double *matrix,
                                      carom_error *error);
/* The same from the middle of the first flight by differences of the event-driven scheme, which finds the
 * impacts itself: similar to the other one. *difference: how far the state is from itself after one period.
 */
carom_status carom_shooting_verify(carom_shooting *shooting, const carom_shot *shot, double *matrix,
                                   double *difference, carom_error *error);
/* Continues in a parameter of the model or CAROM_SHOOT_PERIOD. unknown of the branch: q, v, flights, t0.
 * The shot is a solution or a good guess, and afterwards the last point. options NULL: defaults. The
 * branch is the caller's to free in every case. */
carom_status carom_shooting_follow(carom_shooting *shooting, int parameter, carom_shot *shot,
                                   const carom_branch_options *options, carom_branch *branch,
                                   carom_error *error);
/* Follows the branch that begins at the shot, a solution at which the equations are singular and the parameter does not turn:
 * the first step is along their kernel. For a flip the shot is the motion twice over. */
carom_status carom_shooting_branch_off(carom_shooting *shooting, int parameter, carom_shot *shot,
                                       const carom_branch_options *options, carom_branch *branch,
                                       carom_error *error);
/* Follows a FOLD, FLIP or GRAZING motion over two parameters: the branch is continued in `second`, with the bounds of the
 * options, and `first` is an unknown more, whose changes are some `size`. Points have it as `other`. */
carom_status carom_shooting_locus(carom_shooting *shooting, carom_special kind, int first, int second,
                                  double size, carom_shot *shot, const carom_branch_options *options,
                                  carom_branch *branch, carom_error *error);

#endif
