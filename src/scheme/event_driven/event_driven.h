/* The data of the event-driven scheme, shared by its course of events and its contact problems. */
#ifndef CAROM_SCHEME_EVENT_DRIVEN_EVENT_DRIVEN_H
#define CAROM_SCHEME_EVENT_DRIVEN_EVENT_DRIVEN_H

#include "scheme/parts/chosen_impact.h"
#include "scheme/parts/normal_lcp.h"
#include "scheme/parts/replay.h"
#include "scheme/parts/smooth_motion.h"
#include "scheme/parts/sparse_normals.h"
#include "scheme/parts/step_report.h"
#include "scheme/parts/work_panel.h"
#include "zeno.h"

enum {
    GAP_CHECK_MAX = 64
};

/* A gap that was never seen positive is an impact when it is this negative, relative to 1 and positions. */
static const double event_driven_overlooked = 1e-9;

/* Work of a hop: values of the flow and their rates. */
typedef struct event_driven_hop {
    double *start, *rate_start, *middle, *end, *whole, *stage, *rate;
    int contact; /* that hops, its gap and gap rate at the start */
    double gap, gap_rate;
    bool resumes; /* an output interrupted the hop of this contact, at this gap */
    double resumed_gap;
} event_driven_hop;

/* Impacts that made energy, and the doubt that tells of them. */
typedef struct energy_gains {
    long count;
    int doubt; /* its place among the warnings */
    double first, first_time, most, most_time;
    char first_contacts[40], most_contacts[40];
} energy_gains;

/* Islands of the contacts in the list: those that act on each other. */
typedef struct event_islands {
    bool apart; /* the model is sparse; else all contacts are one island */
    sparse_normals normals;
    int count, all;
    int *start;                 /* of an island in the list */
    int *root, *place, *sorted; /* work space */
    int capacity;               /* contacts of an island that matrices have room for */
} event_islands;

/* The list as it was before an island was entered. */
typedef struct event_view {
    int *list;
    double *rate, *column;
    int count;
} event_view;

typedef struct event_driven {
    carom_stepper stepper; /* first: the handle of the caller */
    smooth_motion motion;
    ode_flow *flow; /* of q, u and the impulses of closed contacts */
    double rtol, atol;
    double rebound_min; /* option vtol */
    long max_events;
    bool closes_accumulations; /* option zeno=continue */
    int gap_check;             /* option */
    double t;                  /* where the flow is */
    bool started;
    bool fresh;        /* the flow was restarted at t */
    bool angle_warned; /* of a corner that violates the angle condition */
    bool *closed;      /* contacts that carry a force lambda */
    double *lambda;    /* per contact, of the last evaluation */
    double *guard;     /* per contact, added to its root function */
    bool at_ending;    /* the flow stopped at a root of the ending */
    int idle;          /* ends of the flow at one time without an event */
    bool *muted;       /* its gap rate is rounding, whose roots lead nowhere */
    double *depth;     /* per contact: as deep inside it started or was found, until it has come out */
    double *impulse;   /* per contact, in this output interval */
    bool *touched;     /* it carries an impulse in this output interval, more than rounding */
    double *carried;   /* per contact, what of the flow's impulse is in there already */
    double collected;  /* time up to which it is */
    double *least;     /* per closed contact: a force up to this is rounding */

    bool has_works;                   /* forces or walls may do some, and they are wanted */
    work_panel panel, recorded_panel; /* powers on the way, now and at the last output ... */
    carom_works recorded;             /* ... and the works then */
    double *power_scratch, *carrier;

    /* of the event that is being treated */
    bool starting;      /* it is the start of the motion */
    int dipped;         /* contact that gap_check found, -1: none */
    double rate_size;   /* of the gap rates, at least 1 */
    int touching_count; /* contacts that take part */
    int *touching;
    double *u_before;      /* velocity before it */
    double *rate_before;   /* per contact: gap rate before it */
    bool *was_closed;      /* per contact, before it */
    double *event_impulse; /* per contact */
    double energy_before;  /* for the listener */
    energy_gains gains;
    bool depth_warned;
    bool *hit;          /* the gap reached zero */
    bool *leaving;      /* lambda reached zero */
    bool *struck;       /* an impact gave it an impulse */
    bool *accumulating; /* its impacts accumulate here */
    int count;          /* touching contacts, or closed ones */
    int *list;
    normal_lcp lcp;
    double *rate;  /* per list entry: normal velocity or acceleration */
    double *block; /* count x count, factored */
    event_islands islands;
    double *column;   /* count */
    int *independent; /* contacts whose rows do not depend on each other */

    chosen_impact chosen; /* in place of (IL) */
    event_driven_hop hop;
    impact_history *history; /* per contact */
    long impacts;            /* contacts struck so far, since t0 */
    double last_impact;      /* time of the last one */
    double last_rate;        /* gap rate before it */
    double last_detachment;  /* time at which a force last became zero */
    replay replay;
} event_driven;

bool event_islands_take(event_driven *self);
void event_islands_free(event_driven *self);
/* Of the contacts in the list, which it may bring into another order; false when memory is short for their matrices. */
bool event_islands_find(event_driven *self);
/* Until it is left, the list and what goes with it are those of the island. */
event_view event_islands_enter(event_driven *self, int island);
void event_islands_leave(event_driven *self, event_view whole);

/* Gaps of all contacts in motion.gap, above the depth at which a contact started. */
bool event_driven_gaps(event_driven *self, double t, const double *q);

/* Accelerations with the forces of closed contacts, which keep gap'' + 2 b gap' + b^2 gap = 0. The result
 * stands in motion.acceleration and lambda. */
bool event_driven_forces(event_driven *self, double t, const double *q, const double *u);

/* ---- event_flow.c ------------------------------------------------------------------------------------- */

carom_status event_driven_create_flow(event_driven *self, carom_error *error);
/* Rates of the flow's values: u, accelerations, lambda. */
bool event_driven_rate(event_driven *self, double t, const double *y, double *rate);
/* The root function of where the motion ends by itself, unchanged where it does not. False: it is not a number. */
bool event_driven_ending_value(const event_driven *self, double t, const double *q, const double *u,
                               double *value);
/* What happened where the flow has come to: fills hit and leaving; false when nothing did. The flow may go back to where a gap
 * that was overlooked fell to zero. */
bool event_driven_find_events(event_driven *self, ode_flow_end end);
/* Gaps that are clearly open need their guards no more; contacts that have come out need no depth. */
void event_driven_drop_guards(event_driven *self);
void event_driven_forget_depths(event_driven *self);

/* ---- events ------------------------------------------------------------------------------------------- */

/* Gaps up to this hit at the present time, together with one of this rate. */
double event_driven_near(const event_driven *self, double rate);

/* Rows of the listed contacts, with W in lcp.matrix and normal velocities in rate. */
bool event_driven_rows(event_driven *self, const double *q, const double *u);

/* Impact of the listed contacts, repeated until none closes any more. Fills struck and impulse. */
carom_status event_driven_impact(event_driven *self, const double *q, double *u, carom_error *error);

/* Which of the listed contacts stay closed: those that neither leave nor rebound and that press, by the
 * complementarity of forces and gap accelerations. Removes their normal velocities. */
carom_status event_driven_classify(event_driven *self, const double *q, double *u, carom_error *error);

bool event_driven_works_take(event_driven *self, carom_arena *arena);
/* True when forces or the walls of closed contacts can do any. */
bool event_driven_has_works(const event_driven *self);
/* Velocity u, but of a model in a moving frame the one whose product with a force is its power. */
const double *event_driven_velocity(event_driven *self, double t, const double *q, const double *u);
/* After the integrator asked for rates at y: a moment at which the powers may be wanted. */
void event_driven_works_rated(event_driven *self, double t, const double *y);
/* At an event: the works until now are added to stepper.works. */
void event_driven_works_end(event_driven *self);
/* Adds those of a hop of this length: values at its begin, middle and end. */
void event_driven_works_hop(event_driven *self, double length);
/* At an output; and the works until the last one. */
void event_driven_works_record(event_driven *self);
carom_works event_driven_works(carom_stepper *stepper);

/* Remembers what is before an event, once its contacts are listed. */
void event_driven_before(event_driven *self, const double *q, const double *u);
/* After the event: work of its impulses, a gain of energy that the law made, and what the listener is told. */
void event_driven_after(event_driven *self, const double *q, const double *u);

/* Looks for a gap that falls below zero on the stretch from `from` to *to though it is open at both ends. Returns
 * the contact that does so first and makes *to that moment; -1: none. */
int event_driven_gap_check(event_driven *self, double from, double *to);

/* See replay.visit. */
void event_driven_visit(carom_stepper *stepper, carom_snapshot *snapshot);

bool event_driven_hop_take(event_driven_hop *hop, carom_arena *arena, int size);

/* Goes on by a hop to its end, where hit is set, or to t_end. False, with nothing changed, when what follows
 * is not a hop of one contact but work for the integrator. */
bool event_driven_hop_try(event_driven *self, double t_end);

#endif
