/* A smooth motion y' = rate(t, y) that is followed to a time or to the first root of given functions, and
 * restarted after an event. The only file that knows the integrator (CVODE, Adams methods of order 1 to 12).
 */
#ifndef CAROM_SCHEME_PARTS_ODE_FLOW_H
#define CAROM_SCHEME_PARTS_ODE_FLOW_H

#include "carom/base.h"

typedef struct ode_flow ode_flow;

typedef struct ode_flow_problem {
    int size, roots;
    void *context;
    /* False when there is no rate there (a number is not finite, ...): a smaller step is tried. */
    bool (*rate)(void *context, double t, const double *y, double *rate);
    /* Functions whose sign changes are looked for; a function that is 0 at a restart counts only after it
     * has left 0. */
    bool (*root)(void *context, double t, const double *y, double *value);
    const int *direction; /* per root: -1 falling only, 1 rising only, 0 both */
    double relative_tolerance;
    const double
        *absolute_tolerance; /* per component; INFINITY: its error does not count. It must outlive the flow */
    double max_step;         /* also what the first step after a restart is chosen from */
    /* Is asked between the integrator's steps; NULL: never. True ends the advance with ODE_FLOW_STOPPED. */
    bool (*stop)(void *context);
    /* Is called for every stretch from where the flow is, which lies inside one step of the integrator, so that ode_flow_at
     * gives the values on it. False: the flow ends at *to on it with ODE_FLOW_BACK; a restart has to follow. NULL: none. */
    bool (*passed)(void *context, double from, double *to);
} ode_flow_problem;

typedef enum ode_flow_end {
    ODE_FLOW_TIME,     /* the time asked for */
    ODE_FLOW_ROOT,     /* a root before it */
    ODE_FLOW_NO_RATE,  /* the rate could not be computed, whatever the step */
    ODE_FLOW_TOO_LONG, /* ODE_FLOW_STEPS_MAX steps were not enough */
    ODE_FLOW_STALLED,  /* its steps became so small that time stands still */
    ODE_FLOW_FAILED,   /* the tolerances cannot be met */
    ODE_FLOW_STOPPED,  /* problem.stop said so */
    ODE_FLOW_BACK,     /* problem.passed said so */
} ode_flow_end;

/* Longest step of the integrator, as a share of the model's time: functions of time in gaps and forces are seen in between,
 * however smooth the motion is. */
static const double ode_flow_longest = 0.25;

enum {
    ODE_FLOW_STEPS_MAX = 1000000 /* from a restart, or from a time that was reached, to the next such time */
};

/* Takes all memory; the problem is copied, its directions too. */
carom_status ode_flow_create(const ode_flow_problem *problem, ode_flow **flow, carom_error *error);
void ode_flow_free(ode_flow *flow);

/* Where the flow is: y, to be read after each advance and written before a restart. */
double *ode_flow_values(ode_flow *flow);

/* Forgets the past: the values at t are those written to ode_flow_values. */
void ode_flow_restart(ode_flow *flow, double t);

/* The same, of an integrator that is made anew, so that nothing at all is left of its past. False: memory is short. */
bool ode_flow_renew(ode_flow *flow, double t);

/* Follows the flow from where it is to t_end or to the first root before; *t says how far it came. Steps and roots do not depend
 * on t_end. */
ode_flow_end ode_flow_advance(ode_flow *flow, double t_end, double *t);

/* In problem.passed: values at a time of the stretch; NULL when it lies outside. They stand until the next call. */
const double *ode_flow_at(ode_flow *flow, double t);

/* After ODE_FLOW_ROOT: did this root function vanish? */
bool ode_flow_is_root(const ode_flow *flow, int root);

/* Goes back, inside the integrator's last step, to the first moment at which this root function was negative
 * within rounding; *t, at which it is negative, becomes that moment. For functions that dip below zero and
 * come back within one step, which shows no change of sign. False, with nothing changed, when it was negative
 * from the start. */
bool ode_flow_back_to_root(ode_flow *flow, int root, double *t);

#endif
