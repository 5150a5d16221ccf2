/* The data of the event-driven scheme, shared by its course of events and its contact problems. */
#ifndef CAROM_SCHEME_EVENT_DRIVEN_EVENT_DRIVEN_H
#define CAROM_SCHEME_EVENT_DRIVEN_EVENT_DRIVEN_H

#include <math.h>

#include "event_problem.h"
#include "scheme/parts/chosen_impact.h"
#include "scheme/parts/joint_system.h"
#include "scheme/parts/normal_lcp.h"
#include "scheme/parts/replay.h"
#include "scheme/parts/smooth_motion.h"
#include "scheme/parts/sparse_joints.h"
#include "scheme/parts/sparse_normals.h"
#include "scheme/parts/start_mass.h"
#include "scheme/parts/step_report.h"
#include "zeno.h"

enum {
    GAP_CHECK_MAX = 64
};

/* A gap that was never seen positive is an impact when it is this negative, relative to event_driven_size. */
static const double event_driven_overlooked = 1e-9;

/* Rate b at which violations by rounding die out in contact and at joints, times the model's time. */
static const double event_drift_rate = 2.0;

enum {
    EVENT_WORKS = 3 /* of forces, contacts and joints, which the flow carries */
};

/* What contacts do between two events. In a mode accelerations and forces are smooth functions of (t, q, u), which
 * event_mode_accelerate evaluates: one linear system for the joints, the normals of closed contacts and the tangents of those
 * that stick. Models without friction and joints have `closed` alone, and event_driven_forces of their own. */
typedef struct event_mode {
    bool *closed;          /* per contact: it carries a force; friction forces always do */
    unsigned char *status; /* event_status of closed contacts */
    double *
        direction; /* 2 per contact, of those that slip: in the plane the sign of the slip, for EVENT_START the
                            * direction in which it begins; zero: that of the force which would hold it */
    bool redundant;             /* forces are not unique: those nearest to ... */
    double *reference, *weight; /* ... these are taken, in these units; 3 per contact */
    double *force;              /* 3 per contact, of the last evaluation: normal, tangents */
} event_mode;

/* Joints, and what they carry. */
typedef struct event_joints {
    int count;
    bool is_sparse;      /* the model is: `sparse` in place of the next two */
    joint_system system; /* in the metric of the mass */
    start_mass mass;
    sparse_joints sparse;
    /* Per constraint, joints first: g, g_t, h of the last evaluation. NULL: the model does not say. */
    double *value, *rate, *curvature;
    double *offset;   /* per joint: what G a is to be, with the other sign */
    double *reaction; /* per joint, of the last evaluation */
    double *share;    /* per joint: of the response of a contact */
    double *impulse;  /* per joint, in this output interval ... */
    double *carried;  /* ... what of the flow's is in there already ... */
    double *recorded; /* ... and of the last one */
} event_joints;

/* Work of a hop: values of the flow and their rates. */
typedef struct event_driven_hop {
    double *start, *rate_start, *middle, *end, *whole, *stage, *rate;
    int contact; /* that hops, its gap and gap rate at the start */
    double gap, gap_rate;
    bool resumes; /* an output interrupted the hop of this contact, at this gap */
    double resumed_gap;
} event_driven_hop;

/* A motion along parabolas: flight.c. */
typedef struct event_flight {
    bool possible; /* of this model */
    bool on;       /* since the time `begin` */
    double begin;
    double *start; /* positions and velocities there */
    double *acceleration;
    double *gap;  /* 3 per contact: gap, rate and curvature there */
    double *next; /* a position */
    double hit;   /* so long after `begin` the first gap falls to zero */
    int contact;  /* its contact; -1: none */
} event_flight;

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
    bool hopped;       /* it came to t by a hop */
    bool angle_warned; /* of a corner that violates the angle condition */
    bool *closed;      /* contacts that carry a force lambda */
    bool general; /* the model has friction or joints: modes, and in place of one component of impulses ... */
    int components;    /* ... per contact there are three ... */
    int roots;         /* ... and in place of two root functions per contact also three */
    int size;          /* of the flow */
    double *tolerance; /* absolute ones of the flow */
    event_mode mode;
    event_joints joints;
    event_problem problem;  /* of contacts that act together */
    double *carrying;       /* dof: forces with those of contacts */
    double *friction_guard; /* per contact, added to the root function of its friction */
    double slip_min;        /* in space a slip that is slower has no direction */
    double t_end;           /* of the output interval */
    bool several_told;      /* of forces that are not unique */
    double *lambda;         /* per contact, of the last evaluation */
    double *guard;          /* per contact, added to its root function */
    bool at_ending;         /* the flow stopped at a root of the ending */
    int idle;               /* ends of the flow at one time without an event */
    bool *muted;            /* its gap rate is rounding, whose roots lead nowhere */
    double *depth;          /* per contact: as deep inside it started or was found, until it has come out */
    double *impulse;        /* components per contact, in this output interval */
    bool *touched;          /* it carries an impulse in this output interval, more than rounding */
    double *carried;        /* likewise, what of the flow's impulse is in there already */
    double collected;       /* time up to which it is */
    double *least;          /* per closed contact: a force up to this is rounding */

    bool has_works;       /* forces or walls may do some, and they are wanted */
    bool works_lost;      /* a power was not finite */
    carom_works recorded; /* until the last output */
    double *power_scratch, *carrier;

    /* of the event that is being treated */
    bool starting;      /* it is the start of the motion */
    int dipped;         /* contact that gap_check found, -1: none */
    double rate_size;   /* of the gap rates, at least 1 */
    int touching_count; /* contacts that take part */
    int *touching;
    double *u_before;             /* velocity before it */
    double *rate_before;          /* per contact: gap rate before it */
    bool *was_closed;             /* per contact, before it */
    double *event_impulse;        /* per contact */
    double *event_friction;       /* 2 per contact: impulses along its tangents */
    double *slip_before;          /* 2 per contact */
    unsigned char *status_before; /* per contact */
    unsigned char *impact_regime; /* per contact: of its last impact */
    bool *yielding;               /* its friction reached what it may be */
    bool *stopping;               /* its slip reached zero */
    double energy_before;         /* for the listener */
    energy_gains gains;
    bool depth_warned;
    bool *hit;          /* the gap reached zero */
    bool *leaving;      /* lambda reached zero */
    bool *struck;       /* an impact gave it an impulse */
    bool *accumulating; /* its impacts accumulate here */
    bool no_memory;     /* for the derivatives of times of events */
    int count;          /* touching contacts, or closed ones */
    int *list;
    normal_lcp lcp;
    double *rate;  /* per list entry: normal velocity or acceleration */
    double *block; /* count x count, factored */
    event_islands islands;
    double *column;   /* count */
    int *independent; /* contacts whose rows do not depend on each other */

    bool unsolved;        /* a contact problem since the last output missed its tolerance */
    double slack;         /* approach that the last one may have left, relative to rate_size */
    chosen_impact chosen; /* in place of (IL) */
    event_driven_hop hop;
    event_flight flight;
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

/* Size of positions: the largest of them, at least the model's length. */
static inline double event_driven_size(const event_driven *self, const double *q)
{
    return fmax(self->stepper.scales.length, carom_largest(self->motion.dof, q));
}
/* Units of speed and acceleration, and the rate b. */
static inline double event_driven_speed(const event_driven *self)
{
    return carom_scales_speed(&self->stepper.scales);
}
static inline double event_driven_acceleration(const event_driven *self)
{
    return event_driven_speed(self) / self->stepper.scales.time;
}
static inline double event_driven_drift(const event_driven *self)
{
    return event_drift_rate / self->stepper.scales.time;
}

/* Gaps of all contacts in motion.gap, above the depth at which a contact started. */
bool event_driven_gaps(event_driven *self, double t, const double *q);

/* Accelerations with the forces of closed contacts, which keep gap'' + 2 b gap' + b^2 gap = 0. The result
 * stands in motion.acceleration and lambda. */
bool event_driven_forces(event_driven *self, double t, const double *q, const double *u);

/* ---- event_modes.c: friction and joints ------------------------------------------------------------------------ */

/* True when the model has friction or joints. BAD_INPUT: friction that is not treated. */
carom_status event_mode_look_at(event_driven *self, carom_error *error);
bool event_mode_take(event_driven *self);
/* True, with the motion's fault set, when a contact has friction now and the model had none at the start. */
bool event_mode_has_begun(event_driven *self, double t, int contact);
/* Accelerations and forces in the mode: motion.acceleration, mode.force, lambda, joints.reaction. False with the motion's
 * fault set. */
bool event_mode_accelerate(event_driven *self, double t, const double *q, const double *u);
/* Accelerations without forces of contacts, but with those of joints. */
bool event_mode_accelerate_free(event_driven *self, double t, const double *q, const double *u);
/* Rows and responses of a contact, all that it needs, after one of the two. */
bool event_mode_row(event_driven *self, int contact, double t, const double *q);
/* Tangents along which a contact, whose frame is known, has friction: 0, 1 or 2. */
int event_mode_tangents(const event_driven *self, int contact);
/* Its slip velocity, and the friction per unit of normal force in that direction; direction NULL: that of the slip. */
void event_mode_slip(const event_driven *self, int contact, const double *u, double slip[2]);
void event_mode_friction(const event_driven *self, int contact, const double slip[2], const double *direction,
                         double x[2]);
carom_planar_set event_mode_set(const event_driven *self, int contact, bool sticking);
/* The rows of the listed contacts in `problem`, with W. */
bool event_mode_fill(event_driven *self, int count, const int *list);
/* Its c: accelerations along the rows while contacts carry nothing; of tangents exactly where contacts stick, or of all. */
void event_mode_fill_accelerations(event_driven *self, bool all, double t, const double *q, const double *u);
/* Root function of the friction of a closed contact, after event_mode_accelerate. */
double event_mode_root(const event_driven *self, int contact, const double *u);
/* False: what `problem` is about cannot be solved, with the motion's fault set. */
bool event_mode_fault(event_driven *self, event_problem_end end);
/* Power of friction and normal forces at velocity u (that of a resting frame), after event_mode_accelerate. */
double event_mode_power(const event_driven *self, const double *velocity);

/* ---- event_friction.c: events with friction or joints ------------------------------------------------------------ */

/* Impact of the listed contacts, whose rows are known, by Newton's law with Coulomb's friction. */
carom_status event_friction_strike(event_driven *self, bool rebounds, double *u, carom_error *error);
/* True when a listed contact has friction. */
bool event_friction_is_listed(const event_driven *self);
/* As event_driven_classify: and which of them stick or begin to slip. */
carom_status event_friction_classify(event_driven *self, const double *q, double *u, carom_error *error);
/* Of a contact in space whose slip has become so slow that it has no direction: goes on to where it stops. */
void event_friction_stop(event_driven *self);
/* Slips that are clearly under way need their guards no more. */
void event_friction_drop_guards(event_driven *self);

/* ---- event_joints.c ------------------------------------------------------------------------------------------- */

carom_status event_joints_take(event_driven *self, carom_error *error);
void event_joints_free(event_driven *self);
carom_status event_joints_start(event_driven *self, bool project, carom_error *error);
/* Rows and factors at (t, q); false with the motion's fault set. */
bool event_joints_prepare(event_driven *self, double t, const double *q);
/* M x - G^T p = f, G x = g: x is f and becomes x, p is g and becomes p. */
void event_joints_solve(event_driven *self, double *x, double *p);
/* Position and velocity are put back on the joints when a value is off by more than `allowed`, relative to the model's length, or
 * a rate by ten times that, relative to its speed. Returns true if they were. */
bool event_joints_put_back(event_driven *self, double allowed, double *q, double *u);
/* Fills offset, rate and curvature. */
void event_joints_offset(event_driven *self, double t, const double *q, const double *u);
/* Of the last evaluation: joints that depend on time do work. */
double event_joints_power(event_driven *self);

/* ---- event_record.c: outputs ----------------------------------------------------------------------------------- */

/* Takes over what closed contacts and joints have carried since the last time, forces of rounding left out. */
void event_driven_collect(event_driven *self);
/* The state at an output. */
void event_driven_record(event_driven *self, double t_end);

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

/* Adds the normal impulse of a list entry to what is told of the event. An impulse that changes its own gap rate by rounding only
 * is no impact: false. */
bool event_driven_add_impulse(event_driven *self, int entry, double impulse);
/* Drops contacts from the list that leave or rebound: they are open. */
void event_driven_keep_candidates(event_driven *self, const double *q);

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
/* Powers at y, after the forces there were evaluated. */
void event_driven_powers(event_driven *self, double t, const double *y, double power[EVENT_WORKS]);
/* What the flow has carried of them is added to stepper.works, and is zero from now on. */
void event_driven_works_take_over(event_driven *self);
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

bool event_flight_take(event_driven *self);
/* At a restart of the flow: whether what follows is a flight. */
bool event_flight_begin(event_driven *self);
/* Goes on to the next hit, which *event tells of, or to t_end. False: it is none any more, and nothing was changed; the flow is to be
 * restarted where it is. */
bool event_flight_advance(event_driven *self, double t_end, bool *event);

bool event_driven_hop_take(event_driven_hop *hop, carom_arena *arena, int size);

/* Goes on by a hop to its end, where hit is set, or to t_end. False, with nothing changed, when what follows
 * is not a hop of one contact but work for the integrator. */
bool event_driven_hop_try(event_driven *self, double t_end);

#endif
