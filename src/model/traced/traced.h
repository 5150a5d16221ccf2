/* Inside of the model made from expressions. */
#ifndef CAROM_MODEL_TRACED_TRACED_H
#define CAROM_MODEL_TRACED_TRACED_H

#include "carom/model/forcing.h"
#include "constraints.h"
#include "derive.h"

/* The frame of one contact: entries of its rows, then rates, restitution, compliance and friction
 * coefficients, and last the gap. */
typedef struct frame_tape {
    carom_tape *tape;
    int entries; /* of all rows; where they stand is said by carom_contact_info */
} frame_tape;

typedef struct traced_model {
    carom_model base;
    carom_arena *arena;
    sparse_tape matrix[CAROM_MATRICES];
    carom_tape *force, *gaps, *energy, *power;
    carom_tape *carried;    /* NULL: 0 */
    carom_tape *linearised; /* force and its derivatives; NULL: those are constant, or the model is large */
    frame_tape *frame;
    traced_mechanism mechanism;
    carom_tape *frequencies; /* NULL: it depends on time otherwise */
    carom_tape *harmonics;   /* frequencies, then forces and gaps as in carom_harmonics; NULL: not linear */
    int harmonic_count;
    carom_tape *switches; /* NULL: there are none */
} traced_model;

typedef struct traced_work {
    carom_model_work base;
    carom_arena *arena;
    double *matrix[CAROM_MATRICES];
    double *force, *gaps, *energy, *power, *carried, *linearised;
    double **frame;
    traced_mechanism_work mechanism;
    double *frequencies, *switches, *harmonics, *harmonic; /* the last one: outputs */
    struct carom_harmonics driven;
    double *place;       /* a position, as far as a tape reads it */
    double *output;      /* room for the longest list of outputs */
    double *tangent;     /* ... and for the tangents of the longest tape */
    carom_angle *angles; /* that tapes share; NULL: there are too many */
} traced_work;

static inline const traced_model *traced_model_of(const traced_work *work)
{
    return (const traced_model *)work->base.model;
}

/* A frame from the outputs of its tape, in their order. */
void traced_fill_frame(const carom_contact_info *info, const double *output, carom_contact_frame *frame);

/* ---- traced_along.c: derivatives along directions ---- */

extern const carom_model_tangent_ops traced_tangent_ops;
/* Memory, after that of all tapes; false when it is short. */
bool traced_take_tangent(traced_work *work);

/* ---- traced_wide.c: several states at once ---- */

extern const struct carom_model_wide_ops traced_wide_ops;

#endif
