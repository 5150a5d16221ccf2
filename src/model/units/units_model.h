/* A model in other units and its works, shared by the files of this folder. */
#ifndef CAROM_MODEL_UNITS_UNITS_MODEL_H
#define CAROM_MODEL_UNITS_UNITS_MODEL_H

#include "carom/model/forcing.h"
#include "carom/model/units.h"

/* The inner model is in its own units; x means x of it times a factor. */
typedef struct units_model {
    carom_model base;
    carom_model_ops ops;
    carom_model_tangent_ops tangent;
    carom_model *inner; /* owned */
    carom_unit_factors by;
    double by_length, by_time, by_velocity, by_acceleration, by_force, by_impulse; /* 1 / factor */
} units_model;

/* Derivatives of a structure along one direction. */
typedef struct units_direction {
    carom_structure_along structure;
    const carom_structure_along *inner; /* of the same direction */
    double *lower, *upper;
    struct units_direction *next;
} units_direction;

typedef struct units_work {
    carom_model_work base;
    carom_model_work *inner; /* owned */
    carom_arena *arena;
    /* numbers of the inner model */
    double *q, *to, *u, *acceleration, *lambda, *impulse;
    double *q_along, *u_along, *impulse_along;
    carom_contact_frame frame;
    double *times, *times_along; /* of loads, as many as fit */
    carom_structure structure;
    double *lower, *upper;
    units_direction *direction; /* those that were asked for */
    carom_harmonics harmonics;
    double *frequency, *driving, *driven_gap;
} units_work;

enum {
    UNITS_TIMES = 64 /* of a load, in one call of the inner model */
};

static inline const units_model *units_of(const carom_model_work *work)
{
    return (const units_model *)work->model;
}
/* The inner work, with the inputs of the outer one. */
static inline carom_model_work *units_inner(const carom_model_work *base)
{
    const units_work *work = (const units_work *)base;
    work->inner->input = base->input;
    return work->inner;
}
static inline void units_multiply(int count, double factor, double *x)
{
    for (int i = 0; i < count; i++)
        x[i] *= factor;
}
/* to = factor from; NULL stays NULL. */
static inline const double *units_times(int count, double factor, const double *from, double *to)
{
    for (int i = 0; from && i < count; i++)
        to[i] = factor * from[i];
    return from ? to : NULL;
}
/* Positions and velocities in the units of the inner model. */
const double *units_own_q(const carom_model_work *work, const double *q);
const double *units_own_u(const carom_model_work *work, const double *u);
carom_motion units_own_motion(const carom_model_work *work, const carom_motion *motion);
/* All numbers of a frame, or of its derivative; `exponent` is that of its compression, 0: 3/2. */
void units_scale_frame(const units_model *model, int contact, double exponent, carom_contact_frame *frame);
double units_block_factor(const units_model *model, carom_mechanism_block block);
/* Functions of the inner model that it does not have are not in the table. */
void units_take_tangent(units_model *model);
/* Memory; false when it is short. */
bool units_take_structure(units_work *work);
/* That of the inner model's direction; NULL if allocation fails. */
units_direction *units_direction_of(units_work *work, const carom_structure_along *inner);
bool units_take_harmonics(units_work *work);
void units_bind_structure(units_work *work);
void units_scale_band(double factor, const carom_band *from, const carom_band *to);
const carom_structure *units_structure(const carom_model_work *work);
void units_load(carom_model_work *work, int count, const double *t, const double *weight, double *load);
void units_stiffness_times(carom_model_work *work, const double *q, double *force);
const carom_harmonics *units_harmonics(carom_model_work *work);

#endif
