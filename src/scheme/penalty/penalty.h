/* The data of the scheme penalty, shared by its motion and its derivatives. */
#ifndef CAROM_SCHEME_PENALTY_PENALTY_H
#define CAROM_SCHEME_PENALTY_PENALTY_H

#include "scheme/parts/replay.h"
#include "scheme/parts/smooth_motion.h"

enum {
    PENALTY_OPTION_N,
    PENALTY_OPTION_RTOL,
    PENALTY_OPTION_ATOL,
    PENALTY_OPTION_COUNT
};

enum {
    PENALTY_WORKS = 2 /* of forces and contacts */
};

typedef struct penalty {
    carom_stepper stepper; /* first: the handle of the caller */
    smooth_motion motion;
    ode_flow *flow; /* of q, u, the impulses and the works */
    double stiffness;
    double t;
    bool started;
    bool *inside;    /* the gap is negative: spring and damper act */
    bool *touched;   /* ... at some time in this output interval */
    double *carried; /* the flow's impulses at the last output */
    double *begun;   /* ... at the begin of the contact */
    double *rate;    /* of the flow, at an output */
    replay replay;
    double *tolerance; /* absolute ones of the flow */
    bool works_lost;   /* a power was not finite */
    bool no_memory;    /* allocation failed in penalty_variation_report */
    double *power_scratch, *carrier;
} penalty;

/* zeta of a restitution. */
double penalty_damping_ratio(double restitution);
/* Of q, u and the impulses; the motion's mass, rows of contacts inside and gaps are those of (t, y) afterwards. False: none. */
bool penalty_rate(penalty *self, double t, const double *y, double *rate);

/* ---- penalty_variation.c: derivatives of the motion ---------------------------------------------------------- */

extern const carom_tangent_ops penalty_variation_ops;

/* Told by the scheme while stepper.tangent is set. A contact begins or ends where the flow has come to; changes inside: */
void penalty_variation_change(penalty *self, int contact);
/* ... that change, or a contact that acts from the start on, is reported to the listener; */
void penalty_variation_report(penalty *self, int contact);
/* ... a gap has an extremum there, and no contact begins or ends. */
void penalty_variation_missed(penalty *self);

#endif
