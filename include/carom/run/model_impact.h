/* The impact of a model at an instant: mass matrix, directions, velocity, restitution, stiffness and exponent of its closed
 * contacts, and its joints, as the laws of impact (carom/law.h) take them. */
#ifndef CAROM_RUN_MODEL_IMPACT_H
#define CAROM_RUN_MODEL_IMPACT_H

#include "carom/law.h"

struct carom_experiment;

/* All but the experiment may be left zero. */
typedef struct carom_model_impact_request {
    const struct carom_experiment *experiment;
    const double *parameter; /* NULL: the experiment's */
    const double *position;  /* NULL: where the experiment starts */
    const double *velocity;  /* NULL: that of its start */
    double t;                /* with a position; carom_exactly(0): 0. 0: the experiment's start */
    double gap_tolerance;    /* contacts with larger gaps are open; 0: 1e-9 */
} carom_model_impact_request;

typedef struct carom_model_impact {
    carom_impact impact;
    double *restitution;          /* that of the impact; not a number where the model says none */
    char **coordinate, **contact; /* names, contacts that are closed */
    char **joint;
    double *joint_rate; /* J v + rate = 0 before and after; NULL: no joints */
    const char *name;   /* of the experiment */
} carom_model_impact;

/* All memory of it is the arena's. BAD_INPUT: bodies with shapes, no closed contact, friction (which the laws of impact do
 * not have), a position that the joints do not allow. */
carom_status carom_model_impact_take(carom_arena *arena, const carom_model_impact_request *request,
                                     carom_model_impact *made, carom_error *error);

/* BAD_INPUT: the velocity of the impact, which the caller may have replaced, does not satisfy the joints. */
carom_status carom_model_impact_check(const carom_model_impact *made, const carom_impact *impact,
                                      carom_error *error);

#endif
