/* Long-term behaviour: what a motion does again and again, seen once per forcing period or at every impact of a contact. Part of
 * room survey: bifurcation diagrams (carom/survey/diagram.h) and basins (carom/survey/basin.h) are made of it. */
#ifndef CAROM_SURVEY_RETURNS_H
#define CAROM_SURVEY_RETURNS_H

#include "carom/linalg/wide.h"
#include "carom/run.h"

/* How motions are computed and when they are looked at. Zero is a default everywhere but for the experiment and, where the model
 * has contacts, `section`. */
typedef struct carom_returns_request {
    const carom_experiment *experiment;
    /* By name; NULL: the experiment's, and in place of event-driven event-driven-linear where that takes model and options. */
    const char *scheme;
    /* Time step; 0 or NAN: the experiment's. Made a little smaller where it does not divide the period; schemes with steps of their
     * own have 16 outputs per period when it is not given, event-driven-linear one. */
    double h;
    const carom_option *option; /* of the scheme; zeno=continue unless it is given */
    bool at_impact;             /* look at impacts of a contact, after each; else once per period */
    int contact;                /* whose */
    double period;              /* 0: the forcing period of the model */
    double
        wait; /* at_impact: longest time without one; 0: 1000 periods, or the length of the experiment's run */
    /* Positions or velocities beyond this have escaped; 0: positions beyond 1e6 of the model's length, and velocities beyond 1e6 of
     * its length per time (carom/model/scales.h). */
    double escape;
} carom_returns_request;

/* How an attempt to return ended. */
typedef enum carom_return {
    CAROM_RETURNED,
    CAROM_RETURN_ESCAPED, /* beyond `escape`, or not finite */
    CAROM_RETURN_NONE,    /* no impact for `wait` */
    CAROM_RETURN_FAILED,  /* the scheme failed; the error says why */
} carom_return;
/* "returned", "escaped", "no-impact", "failed" */
const char *carom_return_word(carom_return end);

typedef struct carom_returns {
    double *parameter;              /* of the motion */
    const carom_scheme_ops *scheme; /* with which it is computed */
    double h;
    double period;        /* 0: none, only at impacts of a model that does not depend on time */
    double t, *q, *v;     /* the last return, or the start */
    long impacts;         /* of all contacts since the return before */
    double length, speed; /* of the model: what distances of states are relative to */
} carom_returns;

/* With the experiment's parameters and start; `stop` (may be zero) is asked during long steps. BAD_INPUT says what is wrong;
 * *returns is NULL then. One for each thread. */
carom_status carom_returns_create(const carom_returns_request *request, carom_stop stop,
                                  carom_returns **returns, carom_error *error);
void carom_returns_free(carom_returns *returns); /* NULL is fine */
/* Other parameters (one per parameter of the model; NULL: as they are) and the start that the experiment has with them. BAD_INPUT: they
 * make no motion. */
carom_status carom_returns_bind(carom_returns *returns, const double *parameter, carom_error *error);
/* Begins anew: at q and v (NULL: as they are) and a time (NAN: the experiment's start). A position inside an obstacle by less than
 * `pushed` is put on it; *inside says whether one is deeper, and then nothing has begun. */
carom_status carom_returns_start(carom_returns *returns, double t, const double *q, const double *v,
                                 double pushed, bool *inside, carom_error *error);
/* The start that the experiment has with these parameters: positions and dof numbers. */
void carom_returns_origin(const carom_returns *returns, double *q, double *v);
/* Goes on to the next return. INTERRUPTED and NO_MEMORY are statuses; all else stands in *end. */
carom_status carom_returns_next(carom_returns *returns, carom_return *end, carom_error *error);

/* Several motions side by side (carom/scheme/lanes.h), each with the bits that it has alone. */
typedef struct carom_returns_beside {
    carom_returns *returns[CAROM_LANES];
    struct carom_lanes *lanes;
} carom_returns_beside;
/* Where the scheme can do that for a motion like the one given, which becomes the first; the others are made like it, with `stop`.
 * Else all is NULL, and the one given is the caller's as before. */
carom_status carom_returns_beside_create(const carom_returns_request *request, carom_stop stop,
                                         carom_returns *first, carom_returns_beside *beside,
                                         carom_error *error);
/* The first one stays. */
void carom_returns_beside_free(carom_returns_beside *beside);
/* carom_returns_next of those in `which` (bits), which are looked at once per period: an end, and why it failed, for each. */
carom_status carom_returns_beside_next(carom_returns_beside *beside, unsigned which, carom_return *end,
                                       carom_error *why, carom_error *error);

/* Distance of two states (positions, then velocities): the largest difference of positions relative to the larger of the model's
 * length and the positions, and of velocities likewise. */
double carom_returns_distance(const carom_returns *returns, int positions, int dof, const double *a,
                              const double *b);

/* The least period p up to `longest`, in returns, of a list of `count` states, oldest first: the distance of the last p of them from
 * the p before is at most `tolerance`. 0: none, or the list is too short to tell. */
int carom_returns_period(const carom_returns *returns, int positions, int dof, int count, const double *state,
                         int longest, double tolerance);

#endif
