/* The equation of motion between impacts: M(q) u' = f(t, q, u) + sum of lambda n, with what a contact force
 * needs, and the second derivative of a gap along the motion. */
#ifndef CAROM_SCHEME_PARTS_SMOOTH_MOTION_H
#define CAROM_SCHEME_PARTS_SMOOTH_MOTION_H

#include "carom/scheme.h"
#include "contact_rows.h"
#include "mass_factor.h"
#include "ode_flow.h"

/* Why the last evaluation that failed did so. */
typedef enum motion_fault {
    MOTION_FINE,
    MOTION_NOT_FINITE, /* a position, velocity or force */
    MOTION_TOO_FAST,   /* beyond speed_max */
    MOTION_BAD_MASS,   /* not positive definite */
    MOTION_BAD_GAP,    /* a gap or its derivative is not finite, or the gradient vanishes in contact */
    MOTION_BAD_LAW,    /* restitution or friction of a contact: contact_check_step says what */
    MOTION_DEPENDENT,  /* the rows of closed contacts depend on each other */
    MOTION_BAD_JOINTS, /* `law` says what */
    MOTION_PAINLEVE,   /* friction of a contact leaves its normal force no or more than one value */
    MOTION_NO_MEMORY,  /* for the matrices of contacts that act together */
} motion_fault;

typedef struct smooth_motion {
    carom_model_work *work;
    const carom_model *model;
    carom_model_ops ops;
    int dof, contacts;
    double time; /* scale of the motion's time: differences begin with a share of it */
    double speed_max;
    mass_factor mass; /* of the last evaluation */
    double *force, *acceleration, *gap;
    contact_rows rows;
    carom_contact_frame probe; /* of a contact at a point beside */
    double *q_probe, *gap_probe;
    bool *noisy; /* per contact: differences of its gap rate are noise */
    motion_fault fault;
    int fault_index; /* coordinate or contact */
    carom_error law; /* of MOTION_BAD_LAW and MOTION_BAD_JOINTS */
} smooth_motion;

bool motion_take(smooth_motion *self, const carom_stepper *stepper);
/* May be called for zeros. */
void motion_free(smooth_motion *self);

/* Free acceleration M^-1 f; false with the fault set when there is none. */
bool motion_accelerate(smooth_motion *self, double t, const double *q, const double *u);

/* Gaps of all contacts. */
bool motion_gaps(smooth_motion *self, double t, const double *q);

/* Frame of a contact (gap rates need no more), and the response of its normal at the factored mass. */
void motion_frame(smooth_motion *self, int contact, double t, const double *q);
bool motion_row(smooth_motion *self, int contact, double t, const double *q);

/* The part of the second derivative of the gap that does not hold the acceleration:
 * d/ds of (n.u + rate) at (t + s, q + s u). It is exact where the model has derivatives of its frames, and a difference
 * (difference.h) where it has none. */
double motion_curvature(smooth_motion *self, int contact, double t, const double *q, const double *u);

/* The same of all its components, normal and tangents. */
void motion_curvatures(smooth_motion *self, int contact, double t, const double *q, const double *u,
                       double curvature[CAROM_CONTACT_COMPONENTS]);

/* CAROM_OK when no contact has friction that the scheme does not treat, a restitution outside [0, 1] or no obstacle at the state; fills the
 * frames and the gaps. */
carom_status motion_check_contacts(smooth_motion *self, const carom_stepper *stepper, carom_error *error);

/* The frame of a contact, evaluated last, as contact_check_step asks; false with the fault set. */
bool motion_check_law(smooth_motion *self, const carom_stepper *stepper, double t, int contact);

double motion_restitution(const smooth_motion *self, int contact);

/* The text for an advance that ended neither at a time nor at a root; sets the stepper's word. */
carom_status motion_fail(const smooth_motion *self, carom_stepper *stepper, ode_flow_end end, double t,
                         carom_error *error);

#endif
