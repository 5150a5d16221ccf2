/* One run under way, for the files that move it: run_set_up.c, run.c, run_beside.c, rows.c, stops.c, event_points.c, checkpoint.c. */
#ifndef CAROM_RUN_ACTIVE_RUN_H
#define CAROM_RUN_ACTIVE_RUN_H

#include "asked_times.h"
#include "carom/run.h"
#include "certificate.h"
#include "event_list.h"
#include "measure.h"
#include "plan.h"
#include "start.h"
#include "step_events.h"

/* The way of an output:
 *
 *   stepper state -> candidate row -> checked -> measures, counters, samples, recorders -> last good row */
typedef struct active_run {
    const carom_run_request *request;
    carom_run_result *result;
    double started; /* on the clock */
    run_plan plan;
    carom_row_layout layout;
    carom_arena *arena; /* what only the run needs */
    carom_model_work *work;
    carom_state start;
    carom_stepper *stepper;
    measure_set *measures; /* NULL: none */
    certifier *certifier;  /* NULL: not asked for, or nothing moves */
    asked_times samples;
    double *observe_work;
    double *observed;         /* energy of the output, then the model's observables */
    double *candidate, *last; /* rows; exchanged when the candidate is good */
    bool columns_in_use;      /* at every output, not only at the ends and where recorders take one */
    bool has_obstacles;       /* contacts that are not friction forces */
    long outputs;             /* good ones, the initial one included */
    carom_body_point *point;  /* where bodies touched, for recorders that want it */
    int point_room;
    long handed;                 /* outputs up to this one (1-based) are with the recorders, or passed over */
    event_list events;           /* of a scheme that locates them, or asked for */
    step_events found_events;    /* of a scheme that does not */
    bool finds_events;           /* ... when they are asked for */
    carom_numbers event_columns; /* per located event: the columns before and after it */
    double *event_row;           /* the state at an event, for measures of columns there */
    double *stops_work;          /* of the tape of stop { }; NULL: nothing stops the run */
    double *stop_value;          /* of each stop { } */
    double *stops_tangent;       /* of runs with sensitivities: of that tape, ... */
    double *stop_along;          /* ... and of each value */
    int stopped;                 /* which one did, from 1; 0: none */
    long step;                   /* the one under way, from 1 */
    unsigned questions;          /* whether it shall go on */
    const char *word;            /* for a failure that has a word of its own */
    bool begins_anew;            /* the request's checkpoint does not fit: the run starts at its start */
    bool misfit;                 /* ... which was just found out */
    double checkpoint_lasts;     /* how long the last one took to make, in seconds */
    double last_checkpoint;      /* when it was made, in seconds */
    long next_look, last_look;   /* steps at which the clock is, and was, looked at */
    long next_report, report_stride;     /* steps: when progress is told next, and how many after that */
    double last_report;                  /* on the clock */
    struct run_sensitivity *sensitivity; /* NULL: not asked for */
} active_run;

/* ---- run_set_up.c ------------------------------------------------------------------------------------- */

/* All that is done before the first step; run->misfit: it has to be begun anew. */
carom_status run_set_up(active_run *run, carom_error *error);
/* What else the first step would refuse: a force that is not a number. */
carom_status run_check_force(active_run *run, carom_error *error);

/* ---- slip_warnings.c ------------------------------------------------------------------------------------ */

/* Warns of slips that are not tangential where a contact touches, in a model of one point mass. */
carom_status run_warn_of_slips(active_run *run, carom_error *error);

/* ---- run.c: the parts of carom_run, for who runs several ---------------------------------------------- */

/* Everything before the first step; the run stays where it is from then on. */
carom_status run_open(active_run *run, const carom_run_request *request, carom_run_result *result,
                      carom_error *error);
/* All of its steps. */
carom_status run_alone(active_run *run, carom_error *error);
/* ... or one by one: whether there is another one to be made, and what is to be done with it. */
void run_begin_moving(active_run *run);
bool run_goes_on(active_run *run, carom_status *status, carom_error *error);
carom_status run_after_step(active_run *run, carom_status stepped, carom_error *error);
/* The result; `status`: how it ended. */
carom_status run_close(active_run *run, carom_status status, carom_error *error);

/* The candidate becomes the last good row. */
void run_keep_candidate(active_run *run);
/* The same, after measures, counters, samples and recorders have had it. `quiet`: no contact closes. */
carom_status run_accept_candidate(active_run *run, bool quiet, carom_error *error);

/* ---- rows.c ------------------------------------------------------------------------------------------- */

/* The columns of a row, from the rest of it. */
void run_evaluate_columns(const active_run *run, double *row);
/* The row of a state; its columns only where they are in use at every output. Fails where accelerations are asked for
 * and cannot be evaluated. */
carom_status run_build_row(const active_run *run, const carom_state *state, double *row, carom_error *error);
/* The row at a located event, of the velocity before or after it. */
void run_build_event_row(const active_run *run, const carom_event *event, bool after, double *row);
/* CAROM_OK when everything that the step decides is finite; columns may be what they like. */
carom_status run_check_row(active_run *run, const double *row, long step, carom_error *error);

/* The values of stop { } at a row. */
void run_evaluate_stops(const active_run *run, const double *row, double *value);

/* ---- stops.c ------------------------------------------------------------------------------------------ */

/* Memory, where the request does not leave them out. */
carom_status run_prepare_stops(active_run *run, carom_error *error);
/* For schemes that locate where the largest of them becomes positive; none where they depend on more than the motion. */
carom_ending run_stop_ending(active_run *run);
/* Looks at the last row: run->stopped says which one ends the run. Fails where one is not a number. */
carom_status run_look_at_stops(active_run *run, carom_error *error);
/* "stop 'fell' (line 7) at t = 0.45" */
void run_describe_stop(const active_run *run, char *text, size_t size);

/* ---- event_points.c ----------------------------------------------------------------------------------- */

/* Keeps the columns before and after a located event. */
void run_take_event_columns(active_run *run, const carom_event *event);
/* What pictures need of all events, into the result. */
carom_status run_finish_event_points(active_run *run, carom_error *error);

/* ---- sensitivity/: derivatives of the run, where the request has names for them; else nothing is done --- */

/* Names and memory, before the scheme starts; run->sensitivity. */
carom_status run_prepare_sensitivity(active_run *run, carom_error *error);
/* After the start: exact derivatives, where there are some. */
carom_status run_begin_sensitivity(active_run *run, carom_error *error);
/* A step of the scheme, and of its derivatives. */
carom_status run_step(active_run *run, carom_error *error);
/* What belongs to the candidate row; it becomes what belongs to the last; a sample takes one of the two. */
void run_build_sensitivity_row(active_run *run);
void run_keep_sensitivity_row(active_run *run);
void run_sample_sensitivity(active_run *run, int place, bool earlier);
/* Those of the last row. NULL: they are not exact. */
const double *run_sensitivity_rows(const active_run *run);
/* Results, before those of the measures. */
carom_status run_finish_sensitivity(active_run *run, carom_error *error);
/* Differences of whole runs, after a run without exact derivatives. */
carom_status run_differ(active_run *run, carom_error *error);
/* ... and one-sided ones of exact ones with breaks. */
carom_status run_find_sides(active_run *run, carom_error *error);
void run_release_sensitivity(active_run *run);

/* ---- checkpoint.c ------------------------------------------------------------------------------------- */

/* Does the request say where to go on? */
bool run_is_resumed(const active_run *run);
/* Goes on there, in the place of the first output. */
carom_status run_go_on(active_run *run, carom_error *error);
bool run_makes_checkpoints(const active_run *run);
carom_status run_save_checkpoint(active_run *run, carom_error *error);
/* After a step. */
carom_status run_save_when_due(active_run *run, long step, carom_error *error);

#endif
