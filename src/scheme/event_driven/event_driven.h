/* The data of the event-driven scheme, shared by its course of events and its contact problems. */
#ifndef CAROM_SCHEME_EVENT_DRIVEN_EVENT_DRIVEN_H
#define CAROM_SCHEME_EVENT_DRIVEN_EVENT_DRIVEN_H

#include "scheme/parts/chosen_impact.h"
#include "scheme/parts/normal_lcp.h"
#include "scheme/parts/smooth_motion.h"
#include "scheme/parts/step_report.h"
#include "zeno.h"

/* Work of a hop: values of the flow and their rates. */
typedef struct event_driven_hop {
    double *start, *rate_start, *middle, *end, *whole, *stage, *rate;
    int contact; /* that hops, its gap and gap rate at the start */
    double gap, gap_rate;
    bool resumes; /* an output interrupted the hop of this contact, at this gap */
    double resumed_gap;
} event_driven_hop;

typedef struct event_driven {
    carom_stepper stepper; /* first: the handle of the caller */
    smooth_motion motion;
    ode_flow *flow; /* of q, u and the impulses of closed contacts */
    double rtol, atol;
    double rebound_min; /* option vtol */
    long max_events;
    bool closes_accumulations; /* option zeno=continue */
    double t;                  /* where the flow is */
    bool started;
    bool fresh;        /* the flow was restarted at t */
    bool angle_warned; /* of a corner that violates the angle condition */
    bool *closed;      /* contacts that carry a force lambda */
    double *lambda;    /* per contact, of the last evaluation */
    double *guard;     /* per contact, added to its root function */
    double *impulse;   /* per contact, in this output interval */
    double *carried;   /* per contact, what of the flow's impulse is in there already */

    /* of the event that is being treated */
    bool *hit;          /* the gap reached zero */
    bool *leaving;      /* lambda reached zero */
    bool *struck;       /* an impact gave it an impulse */
    bool *accumulating; /* its impacts accumulate here */
    int count;          /* touching contacts, or closed ones */
    int *list;
    normal_lcp lcp;
    double *rate;     /* per list entry: normal velocity or acceleration */
    double *block;    /* count x count, factored */
    double *column;   /* count */
    int *independent; /* contacts whose rows do not depend on each other */

    chosen_impact chosen; /* in place of (IL) */
    event_driven_hop hop;
    impact_history *history; /* per contact */
    long impacts;            /* contacts struck so far, since t0 */
    double last_impact;      /* time of the last one */
    double last_rate;        /* gap rate before it */
    double last_detachment;  /* time at which a force last became zero */
} event_driven;

/* Accelerations with the forces of closed contacts, which keep gap'' + 2 b gap' + b^2 gap = 0. The result
 * stands in motion.acceleration and lambda. */
bool event_driven_forces(event_driven *self, double t, const double *q, const double *u);

/* Rates of the flow's values: u, accelerations, lambda. */
bool event_driven_rate(event_driven *self, double t, const double *y, double *rate);

/* Gaps up to this hit at the present time, together with one of this rate. */
double event_driven_near(const event_driven *self, double rate);

/* Rows of the listed contacts, with W in lcp.matrix and normal velocities in rate. */
bool event_driven_rows(event_driven *self, const double *q, const double *u);

/* Impact of the listed contacts, repeated until none closes any more. Fills struck and impulse. */
carom_status event_driven_impact(event_driven *self, const double *q, double *u, carom_error *error);

/* Which of the listed contacts stay closed: those that neither leave nor rebound and that press, by the
 * complementarity of forces and gap accelerations. Removes their normal velocities. */
carom_status event_driven_classify(event_driven *self, const double *q, double *u, carom_error *error);

bool event_driven_hop_take(event_driven_hop *hop, carom_arena *arena, int size);

/* Goes on by a hop to its end, where hit is set, or to t_end. False, with nothing changed, when what follows
 * is not a hop of one contact but work for the integrator. */
bool event_driven_hop_try(event_driven *self, double t_end);

#endif
