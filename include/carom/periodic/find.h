/* periodic: finds the periodic motions of a model that strike given contacts, says whether they are stable,
 * and follows them over a parameter or their period.
 *
 *   linear, impacts at 0 and half the period   one linear system          pattern.h
 *   linear, one contact                        closed form or flights     modes.h
 *   any other model                            guesses, then shooting     shooting.h */
#ifndef CAROM_PERIODIC_FIND_H
#define CAROM_PERIODIC_FIND_H

#include "carom/periodic/map.h"
#include "carom/periodic/modes.h"
#include "carom/periodic/pattern.h"
#include "carom/periodic/shooting.h"
#include "carom/run.h"

/* ---- the model ----------------------------------------------------------------------------------------- */

/* A model with values of its parameters, and the state that a run of it starts from. */
typedef struct carom_periodic_model {
    carom_arena *arena; /* owns every array below and this struct */
    char *name;         /* for messages */
    const carom_model *model;
    double *parameter;
    carom_model_work *work; /* owned; bound to the parameters */
    double t0, *q0, *v0;
    bool timed; /* forces or gaps change with time: the model is driven */
    carom_contact_frame frame;
    carom_progress
        progress; /* the caller's to set: asked by searches while they run; INTERRUPTED when it says so */
} carom_periodic_model;

/* The model, which is the caller's, must outlive what is made of it; the numbers are copied. q0 and v0 may be
 * NULL where the model has an initial state of its own. BAD_INPUT: no contact, joints, a state that is not
 * finite. *made is NULL when it fails. */
carom_status carom_periodic_model_create(const char *name, const carom_model *model, const double *parameter,
                                         double t0, const double *q0, const double *v0,
                                         carom_periodic_model **made, carom_error *error);
/* The same from an experiment, which must outlive it: its model, parameters and initial state. */
carom_status carom_periodic_model_of(const carom_experiment *experiment, carom_periodic_model **made,
                                     carom_error *error);
void carom_periodic_model_free(carom_periodic_model *model);

/* A model near its rest as linear oscillators, y = q - rest:
 *
 *   M y'' + K y = sum_c w_c lambda_c,   gap_c = w_c . y + g_c */
typedef struct carom_linearised {
    bool exact;   /* the model is this; else it is so near its rest */
    bool regular; /* K is positive definite and all gaps are open at rest */
    double *mass, *stiffness, *rest, *normal, *gap;
} carom_linearised;

/* Memory from the arena. FAILED: there is no rest near the initial state. */
carom_status carom_linearise(const carom_periodic_model *model, carom_arena *arena,
                             carom_linearised *linearised, carom_error *error);
/* Why a model is not linear, in words; NULL when it is. */
const char *carom_why_not_linear(const carom_periodic_model *model);

/* ---- the impacts --------------------------------------------------------------------------------------- */

/* Impacts of one period. */
typedef struct carom_impact_sequence {
    int count; /* 0: none, for driven models */
    int *contact;
    double *phase; /* of the period, 0 <= phase < 1 */
    bool given;    /* phases: else they are equal parts of the period, to guess from */
    bool any;      /* count is 0, and whatever happens in the period may happen: see map.h */
} carom_impact_sequence;

/* Can motions strike this contact? BAD_INPUT: it has friction or no restitution, or loses energy in a model
 * that nothing drives. */
carom_status carom_impact_check(const carom_periodic_model *model, int contact, carom_error *error);
/* Sorts the impacts by time and shifts the first to phase 0; without `given` fills the phases. BAD_INPUT: a
 * contact is struck twice at one phase. */
carom_status carom_impact_sequence_arrange(const carom_periodic_model *model, carom_impact_sequence *impacts,
                                           carom_error *error);

/* From words, "wall" or "wall@0.5", or alone "none": a motion without impacts, of a driven model, or "any": with whatever happens in it (contact @ phase; all have one, or none), which are arranged; memory from the arena.
 * BAD_INPUT: no such contact, one that cannot be struck, a phase outside of [0, 1). */
carom_status carom_impact_sequence_read(const carom_periodic_model *model, carom_arena *arena, int count,
                                        const char *const *word, carom_impact_sequence *impacts,
                                        carom_error *error);

/* Impacts at 0 and half the period only, each contact at most once? */
bool carom_impact_is_pattern(const carom_impact_sequence *impacts);

/* ---- one motion ---------------------------------------------------------------------------------------- */

typedef enum carom_guess {
    CAROM_GUESS_ANY,    /* what works */
    CAROM_GUESS_LINEAR, /* the motion of the linearised model; a linear model is solved by shooting, too */
    CAROM_GUESS_RUN,    /* a run from the initial state to the first impact */
} carom_guess;

/* Impacts and a period are needed, the rest may be left zero. */
typedef struct carom_find_request {
    carom_impact_sequence impacts; /* arranged */
    double
        period; /* > 0; a guess where energy is lost and fed in and nothing gives the time. Of a driven model 0: that
                    * of what drives it, times `periods` */
    int periods; /* of what drives the model; 0: 1, or as many as `period` has */
    int flights; /* guessed: none (0), or one per impact */
    const double *flight;
    carom_guess guess;
    double settle; /* periods of the run before the guess is taken; 0: none */
    int pick;      /* of several motions, from 1; 0: the first that is a motion */
} carom_find_request;

enum {
    CAROM_FOUND_ROWS = 241 /* samples per flight */
};

/* A periodic motion, or a candidate that is none. */
typedef struct carom_found_orbit {
    carom_arena *arena; /* owns the arrays */
    const char *method; /* "closed form", "flights", "pattern", "shooting", "map" */
    char guess[200];    /* of shooting, in words */
    bool found;         /* else there is no candidate, only a verdict */
    bool is_motion;
    char verdict[400];
    int impacts;
    int *contact;
    double *time, *flight, *impulse, *approach; /* per impact; the flight follows it */
    double *q, *v;                              /* right after the first impact; without impacts at t0 */
    double t0, period, energy;
    int multiple;               /* periods of what drives the model; 0: it is not driven */
    double margin, margin_time; /* smallest gap between impacts, INFINITY: none is smallest inside a flight */
    int margin_contact;         /* -1: unknown */
    int multipliers;            /* 0: not known */
    double *real, *imaginary;
    double largest;
    bool stable;
    int solutions;            /* found with these impacts; this is one of them */
    carom_shooting_kind kind; /* of the equations, where it was found by shooting */
    double residual;
    int iterations;
    int rows;           /* samples over the period, at each impact before and after */
    double *row;        /* t, q, v */
    double *middle;     /* state q, v at half the first flight; by the map at t0 */
    double middle_time; /* ... since t0 */
    int events;         /* by the map: what happens in the period, at most CAROM_MAP_EVENTS */
    carom_map_event *event;
    double phase; /* by the map: t0 is this part of the period of a driven model */
} carom_found_orbit;

/* The period of a request, and how many periods of what drives the model it is (0: it is not driven, or they cannot be
 * counted). BAD_INPUT: none is given and nothing tells it, or it is no multiple of what drives the model. */
carom_status carom_find_period(const carom_periodic_model *model, const carom_find_request *request,
                               double *period, int *multiple, carom_error *error);

/* OK also for what is not a motion. FAILED: nothing was found. BAD_INPUT: the request does not fit the model;
 * pick > found->solutions > 0: there are only so many. The caller frees `found` in every case. */
carom_status carom_find_orbit(const carom_periodic_model *model, const carom_find_request *request,
                              carom_found_orbit *found, carom_error *error);
void carom_found_orbit_free(carom_found_orbit *found);

/* A motion found and what the event-driven scheme makes of it. */
typedef struct carom_orbit_return {
    int periods, done;
    double *deviation; /* after each period: largest difference in q and v, against their sizes; malloced */
    bool leaves;
    double growth;     /* factor per period over the later half of the way until it leaves; NAN: too short */
    char stopped[300]; /* why the scheme stopped, "" when it did not */
} carom_orbit_return;

/* Follows the motion for so many periods, `offset` added to each coordinate at the start. INTERRUPTED keeps those done. */
carom_status carom_find_verify(const carom_periodic_model *model, const carom_found_orbit *found, int periods,
                               double offset, carom_orbit_return *verified, carom_error *error);
void carom_orbit_return_free(carom_orbit_return *verified);

/* ---- branches ------------------------------------------------------------------------------------------ */

typedef struct carom_continue_request {
    int parameter;   /* index, or CAROM_SHOOT_PERIOD */
    double from, to; /* from: the value at which the start was found */
    const int
        *frequency; /* of a driven model: index of the parameter with the circular frequency, which the period
                           * follows; NULL: none */
    int points;     /* at most; 0: 400 */
    double step;    /* largest, of the parameter; 0: a twentieth of the range */
    bool through;   /* go on where solutions pass through an obstacle */
    bool pattern;   /* set by carom_continue_start: carom_continue_pattern is to follow it */
    carom_progress progress;
    const carom_branch_memo *memo; /* to go on with a branch that was stopped; NULL: none */
} carom_continue_request;

/* What is followed, by names. */
typedef struct carom_continue_names {
    const char *parameter; /* of the model, or "period" */
    const char *frequency; /* parameter with the circular frequency; NULL: none */
    bool pattern; /* carom_continue_pattern must follow it; else it does where it can and nothing speaks for
                            * shooting: no guess, no flights, no `through` */
} carom_continue_names;

/* The motion at which a branch starts, for the impacts and the period of `start`: checks that it can be followed, and fills
 * in parameter, frequency and pattern of the request (*frequency is the place for its index). BAD_INPUT: impacts or names that do not
 * fit; FAILED: no motion at the start, or one that passes through an obstacle without request->through. The caller frees
 * `found` in every case. */
carom_status carom_continue_start(const carom_periodic_model *model, carom_find_request *start,
                                  const carom_continue_names *names, carom_continue_request *request,
                                  int *frequency, carom_found_orbit *found, carom_error *error);
/* BAD_INPUT: on the way a struck contact gets a restitution that loses energy in a model that nothing drives.
 */
carom_status carom_continue_check(const carom_periodic_model *model, const carom_continue_request *request,
                                  const carom_impact_sequence *impacts, carom_error *error);
/* Follows a motion found by shooting, in stages; unknowns of the branch: q, v, flights (without impacts one), t0. The branch is the
 * caller's to free in every case. */
carom_status carom_continue_orbit(const carom_periodic_model *model, const carom_found_orbit *start,
                                  const carom_continue_request *request, carom_branch *branch,
                                  carom_error *error);

/* The branch that begins at a flip of one that carom_continue_orbit has followed, with twice the period and the impacts,
 * or the other one at a branch point. `point`: which of its points; the first point of the new branch is that one. The range
 * of the request is that of the parameter. A branch that was switched to has branches of its own: its motions have the
 * impacts of the start `times` over, 1 for the first branch, 2 behind a flip. BAD_INPUT: nothing branches off there. */
carom_status carom_continue_switch(const carom_periodic_model *model, const carom_found_orbit *start,
                                   const carom_branch *from, int times, int point,
                                   const carom_continue_request *request, carom_branch *branch,
                                   carom_error *error);
/* A fold, a flip or a grazing motion of such a branch over two parameters: `second` goes from its value to `to`, the parameter
 * of the request changes with it. Points have parameter (the second one) and other (the first). BAD_INPUT: the point is
 * none of these, or there is no second parameter. */
carom_status carom_continue_locus(const carom_periodic_model *model, const carom_found_orbit *start,
                                  const carom_branch *from, int point, const carom_continue_request *request,
                                  int second, double to, carom_branch *branch, carom_error *error);

/* The same for a linear model and impacts at 0 and half the period, also of several contacts at one instant:
 * one linear system per point. Where a contact begins or ceases to be struck at these times it goes on with
 * the other pattern, at most `switches` times; `patterns`, the caller's to free in every case, has them. */
carom_status carom_continue_pattern(const carom_periodic_model *model, const carom_find_request *start,
                                    const carom_continue_request *request, int switches, carom_branch *branch,
                                    carom_orbit_branch *patterns, carom_error *error);

/* ---- all motions of a linear model against one contact ------------------------------------------------- */

enum {
    CAROM_SURVEY_IMPACTS = 3 /* most impacts per period that are looked for */
};

/* All may be left zero. */
typedef struct carom_mode_survey_request {
    bool impacts[CAROM_SURVEY_IMPACTS +
                 1]; /* those of index 1, 2, 3 (symmetric in time) that are wanted; none of
                                             * them and no sticking: all three */
    bool sticking;   /* also motions with one phase of lasting contact per period */
    double from, to; /* periods; 0: 0.4 of the shortest linear one, 2.02 of the longest */
    int points;      /* at most, each way from a motion with 2 or 3; 0: 300 */
    carom_progress progress;
} carom_mode_survey_request;

/* Points of motions with so many impacts, from one end to the other. */
typedef struct carom_mode_branch {
    int impacts;
    int count;
    carom_branch_point *point;
    carom_branch_end end[2];
    char text[2][300];
} carom_mode_branch;

typedef struct carom_mode_survey {
    carom_arena *arena; /* owns the arrays */
    const carom_mode_basis *basis;
    double from, to; /* periods */
    int windows;     /* with one impact */
    carom_mode_window *window;
    int branches;
    carom_mode_branch *branch;
    int stickings;
    carom_mode_sticking *sticking; /* by period; NULL: not asked for */
    bool full;                     /* there may be more than were kept */
    carom_progress progress;
} carom_mode_survey;

/* The modes of a model. BAD_INPUT: it is not linear, has no rest or not one contact, which is open there and can be struck.
 * The caller frees the basis; *basis is NULL when it fails. */
carom_status carom_mode_basis_of(const carom_periodic_model *model, carom_mode_basis **basis,
                                 carom_error *error);
/* The basis must outlive the survey, which the caller frees in every case. */
carom_status carom_survey_modes(const carom_mode_basis *basis, const carom_mode_survey_request *request,
                                carom_mode_survey *survey, carom_error *error);
void carom_mode_survey_free(carom_mode_survey *survey);

#endif
