/* The map of a period, and its equations. */
#ifndef CAROM_PERIODIC_MAP_MAP_H
#define CAROM_PERIODIC_MAP_MAP_H

#include "carom/linalg.h"
#include "carom/periodic/map.h"

enum {
    MAP_COORDINATES = 64, /* more are no case for differences of runs; checked when a map is created */
    MAP_UNKNOWNS = 2 * MAP_COORDINATES + 2
};

struct carom_period_map {
    carom_arena *arena; /* owns everything but the work */
    const carom_model *model;
    carom_model_work *work;
    double *parameter;
    bool driven;
    int dof, size, unknowns; /* size: 2 dof; one unknown more, T, when it is not driven */
    double period, phase;
    int multiple;
    int free;               /* parameter that p is; -1: none */
    double parameter_scale; /* typical size of its changes */
    double *scale;          /* of the unknowns */
    double *reference;      /* not driven: a state of the motion, and the direction in which it leaves it */
    double *along;
    double *x, *end, *beside;     /* unknowns; states */
    double *matrix;               /* size x size: derivative of the map */
    carom_tangent_column *column; /* unit ones, once they were needed */
    bool exact;                   /* the last derivative is that of the motion, not of differences */
    double *real, *imaginary;
    carom_contact_frame frame;
    /* of the last period that was listened to */
    int events, impacts;
    double approach, strongest, reach;
    carom_map_event event[CAROM_MAP_EVENTS];
    carom_error stopped; /* why the scheme stopped in a map that could not be computed */
};

/* The period with the parameters at hand. */
double map_period(const carom_period_map *map);
bool map_bind(carom_period_map *map, double p);
/* A run that closes contacts where impacts accumulate. */
carom_status map_begin_run(carom_period_map *map, double t, double h, const double *state,
                           carom_stepper **run, carom_error *error);
/* to := the state after `period` from `state` at t; listens: the events are kept. */
bool map_apply(carom_period_map *map, double t, double period, const double *state, bool listens, double *to);
/* map_derivative.c: derivative of the map by the state; `end` is the state after the period. */
bool map_differentiate(carom_period_map *map, double t, double period, const double *state, double *matrix);
bool map_residual(void *context, const double *x, double p, double *f);
bool map_jacobian(void *context, const double *x, double p, double *by_x, double *by_p);
/* Scales, and the reference where T is found. */
carom_status map_prepare(carom_period_map *map, const carom_mapped *motion, carom_error *error);
/* Energy, multipliers and events of the solution x. */
carom_status map_describe(carom_period_map *map, const double *x, carom_mapped *motion, carom_error *error);

/* Of its multipliers the one of a shift in time, the nearest to 1 where nothing drives the motion; -1: there is none. */
int map_shift_in_time(const carom_period_map *map);

/* map_branch.c. Product of (multiplier - place) over those of the last motion, without that of a shift in time. */
double map_shifted_product(const carom_period_map *map, double place);
/* What a branch says of the last motion, and its unknowns there: q, v, T, t0. */
void map_fill_point(const carom_period_map *map, const carom_mapped *motion, double p,
                    carom_branch_point *point, double *unknown);
/* Unknowns of the equations; T counts where it is found. */
void map_pack(const carom_period_map *map, const carom_mapped *motion, double *x);
/* As branch_course asks for it: flights are not named here. */
double map_smallest_flight(void *context, const double *x, double p);
carom_branch_options map_options(const carom_branch_options *given);

#endif
