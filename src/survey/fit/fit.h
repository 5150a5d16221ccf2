/* The inside of a fit: what is sought, what is measured, and the motion that is compared with it.
 *
 *   request --problem.c--> unknowns, data --least_squares.c--> minimum --statistics.c--> errors, intervals, directions
 *                                              |      ^
 *                              unknowns of a trial   residuals, derivatives
 *                                              v      |
 *                            jacobian.c: one motion per file, or several for differences, on all threads
 *                                              |
 *                            motion.c: steps; outputs.c: what is seen of them; at_times.c, at_events.c: when */
#ifndef CAROM_SURVEY_FIT_FIT_H
#define CAROM_SURVEY_FIT_FIT_H

#include "carom/linalg/wide.h"
#include "carom/run/stepping.h"
#include "carom/survey/fit.h"
#include "least_squares.h"

/* ---- outputs.c: what is measured -------------------------------------------------------------------------- */

typedef struct fit_outputs {
    int count;
    carom_tape *tape; /* NULL: data by events */
    const carom_experiment *experiment;
    int observables;                               /* of the model */
    bool asks_energy, asks_observed, asks_columns; /* of the model, of the record */
    bool exact;                                    /* derivatives of all that they depend on are known */
} fit_outputs;

/* Reads the formulas. BAD_INPUT says where and what is wrong. */
carom_status fit_outputs_create(const carom_experiment *experiment, int count, const char *const *formula,
                                fit_outputs *outputs, carom_error *error);
void fit_outputs_free(fit_outputs *outputs);

/* Where a motion is, and how that changes along columns: positions and velocities, what contacts gave in the step. */
typedef struct fit_state {
    double t;
    double *q, *v;
    const double *impulse, *impulse_along; /* 3 per contact; likewise per column */
    double *along;                         /* per column `size` numbers: of q, of v, and more; NULL: none */
    size_t size;
} fit_state;

/* What one motion needs to look at its outputs. */
typedef struct fit_eye fit_eye;
/* In the arena; `columns` directions of the parameters, each one number per parameter. NULL: memory is short. */
fit_eye *fit_eye_create(const fit_outputs *outputs, carom_arena *arena, const double *parameter, int columns,
                        const double *const *direction);
/* The outputs at a state, and their derivatives, columns x outputs; derivative NULL: not asked. */
void fit_eye_look(fit_eye *eye, carom_model_work *work, const fit_state *state, double *value,
                  double *derivative);

/* ---- problem.c: what is sought ---------------------------------------------------------------------------- */

typedef enum fit_place {
    FIT_PARAMETER,
    FIT_POSITION,
    FIT_VELOCITY,
} fit_place;

typedef struct fit_unknown {
    char *name;
    fit_place place;
    int index; /* of the parameter, coordinate or velocity */
    int data;  /* of which motion; -1: of all */
    double start, low, high, scale;
} fit_unknown;

/* A value that belongs to one motion. */
typedef struct fit_setting {
    fit_place place;
    int index;
    double value;
} fit_setting;

typedef struct fit_run {
    const carom_fit_data *data;
    int setting_count;
    fit_setting *setting;
    int rows;                  /* up to the last one with a datum */
    int first;                 /* place of its first residual */
    int residuals;             /* data that are there */
    int *place;                /* rows x outputs: of the residual, from `first`; -1: missing */
    int column_count, *column; /* unknowns that it depends on */
} fit_run;

typedef struct fit_problem {
    const carom_fit_request *request;
    const carom_experiment *experiment;
    carom_arena *arena;
    fit_outputs outputs;
    int contact; /* of data by events; -1: data by time */
    int unknown_count;
    fit_unknown *unknown;
    int run_count;
    fit_run *run;
    int residuals;
    double *datum, *sigma; /* per residual */
    bool *given;           /* its sigma is of the data */
    int *output_of;        /* per residual: which column */
    bool known_sigma;      /* of all data */
    const carom_scheme_ops *scheme;
    const carom_option *option;
    double h;             /* as in the request */
    carom_scales scales;  /* of the model at the experiment's start */
    double t0;            /* where motions begin */
    bool own_steps;       /* outputs at any time */
    bool locates;         /* impacts, in time */
    bool together;        /* exact derivatives come with the motion */
    double difference;    /* step of differences, relative to the scales */
    bool stepped_impacts; /* they move from step to step: the misfit has jumps */
    int threads;
    /* changed by several threads, inside carom_fit */
    long runs, failed_runs;
    bool met_breaks; /* some motion was not differentiable somewhere */
    double expected; /* runs, for the progress */
    bool stop;
    bool is_own; /* of one thread alone, which asks its worker: other threads are not to wait for that */
} fit_problem;

carom_status fit_problem_create(const carom_fit_request *request, fit_problem *problem, carom_error *error);
void fit_problem_free(fit_problem *problem);
/* Is the progress asked to stop? */
bool fit_is_stopped(const fit_problem *problem);
/* Tells the progress, and asks it whether to stop. */
void fit_ask(fit_problem *problem);

/* ---- motion.c: one motion --------------------------------------------------------------------------------- */

/* What is asked of one motion. Of the rows of its data only the first ones, as many as `rows`. */
typedef struct fit_prediction {
    int run, rows;
    double *value;      /* per residual of the run */
    double *derivative; /* column by column (fit_run.column) the derivatives; NULL: not asked */
    bool impacts;       /* out: there were some */
    int breaks;         /* out */
    carom_tangent_break first_break;
    bool lost;    /* out: derivatives are of no use from some time on */
    bool inexact; /* out: there are no exact derivatives ... */
    carom_error why;
} fit_prediction;

/* FAILED: there is no such motion, the text says why. */
carom_status fit_predict(fit_problem *problem, const double *x, fit_prediction *prediction,
                         carom_error *error);

/* fit_predict of several at once, whose steps are side by side where the scheme has that (carom/scheme/lanes.h). */
enum {
    FIT_BESIDE = CAROM_LANES /* at most so many */
};
void fit_predict_beside(fit_problem *problem, int count, const double *const *x,
                        fit_prediction *const *prediction, carom_status *status, carom_error *error);

/* One motion under way, for at_times.c, at_events.c and beside.c. */
typedef struct fit_motion {
    fit_problem *problem;
    const fit_run *run;
    fit_prediction *prediction;
    carom_arena *arena;
    carom_stepping *stepping;
    carom_stepper *stepper;
    carom_tangent *tangent; /* NULL: no derivatives */
    fit_eye *eye;
    int columns;
    fit_state now, before, between;
    int row;     /* of the data that comes next */
    double next; /* output of a scheme with steps of its own */
    double last; /* where it is given up, and what was told of its events: of impacts */
    struct fit_witness *seen_events;
    double *seen, *seen_derivative; /* outputs of one row */
    double *parameter, *q0, *v0;    /* q0, v0 NULL: as the experiment says */
    double **direction;             /* per column: of the parameters */
    unsigned char *regime_before;
    int asked; /* how often it was asked whether to stop */
} fit_motion;

/* Begun; then, as long as it goes on, steps of the stepper, each told behind it; then ended, whatever became of it. goes_on has taken
 * what the data ask of the states until now; *status says whether it ends in a failure. */
carom_status fit_motion_open(fit_motion *motion, fit_problem *problem, const double *x,
                             fit_prediction *prediction, carom_error *error);
bool fit_motion_goes_on(fit_motion *motion, carom_status *status, carom_error *error);
carom_status fit_motion_after_step(fit_motion *motion, carom_status status, carom_error *error);
carom_status fit_motion_close(fit_motion *motion, carom_status status, carom_error *error);
/* All of its steps, with derivatives. */
carom_status fit_motion_move(fit_motion *motion, carom_error *error);

/* The contact (-1: any) carries an impulse and carried none before the step. */
bool fit_motion_struck(const fit_motion *motion, int contact);
/* The value of a datum; derivatives lie `stride` apart, NULL: none. */
void fit_motion_put(fit_motion *motion, int place, double value, const double *derivative, size_t stride);
/* The outputs of a row, from a state. */
void fit_motion_keep(fit_motion *motion, int row, const fit_state *state);
/* at_times.c */
bool fit_times_go_on(fit_motion *motion);
/* at_events.c; end may be called without a begin. */
carom_status fit_events_begin(fit_motion *motion, carom_error *error);
bool fit_events_go_on(fit_motion *motion, carom_status *status, carom_error *error);
carom_status fit_events_take(fit_motion *motion, carom_error *error);
void fit_events_end(fit_motion *motion);

/* The motion of each run at x, at many times: fit->curve. */
carom_status fit_draw_curves(fit_problem *problem, const double *x, carom_fit *fit, carom_error *error);

/* ---- initial.c: what a motion starts from ------------------------------------------------------------------ */

/* Parameters and initial values of a motion, in its arena, and how they change along its columns. *exact becomes false where
 * a column also moves the begin, the step or an option of the scheme. */
carom_status fit_motion_begin(fit_motion *motion, const double *x, carom_tangent_column *column, bool *exact,
                              carom_error *error);

/* ---- jacobian.c: all motions of a trial -------------------------------------------------------------------- */

/* Which data count, and how the rows are weighed: a search sees the problem through this. */
typedef struct fit_view {
    fit_problem *problem;
    int *rows; /* per run: the first ones */
    int residuals;
    int *first; /* per run: place of its first residual */
    int threads;
} fit_view;

/* Residuals (r not NULL) and derivatives (J not NULL), as fit_squares asks for them. */
carom_status fit_view_evaluate(void *view, const double *x, double *r, double *J, carom_error *error);
/* Which derivatives there are: looks at one motion of each run, at x. Fills problem->together, difference. */
carom_status fit_choose_derivatives(fit_problem *problem, const double *x, carom_error *error);
/* Where a motion at x is not differentiable: the first place of the first run (-1: none). */
carom_status fit_find_break(fit_problem *problem, const double *x, int *run, carom_tangent_break *found,
                            carom_error *error);
/* Residuals of the first rows of a run. */
int fit_run_residuals(const fit_run *run, int rows, int outputs);

/* ---- pieces.c: motions and starts that other processes compute, too ------------------------------------------ */

/* What a piece of work is; the first word of its brief. */
typedef enum fit_piece {
    FIT_MOTION,
    FIT_START,
} fit_piece;

/* A problem of one piece: counts its own runs, and asks its worker instead of the progress. The copy owns nothing. */
typedef struct fit_own_problem {
    fit_problem problem;
    carom_fit_request request;
} fit_own_problem;
void fit_own_problem_make(const fit_problem *problem, const carom_worker *worker, fit_own_problem *own);
/* What it counted, both ways; taken, it is added to the problem. */
void fit_pack_counts(fit_problem *problem, carom_snapshot *snapshot);
void fit_pack_error(carom_status *status, carom_error *error, carom_snapshot *snapshot);
/* What an earlier process kept for a key; the bytes are to be freed, NULL: nothing. */
void *fit_recall(const fit_problem *problem, const carom_snapshot *key, size_t *count);
carom_status fit_keep(fit_problem *problem, const carom_snapshot *key, const carom_snapshot *bytes,
                      carom_error *error);
/* Progress and whether to go on, for carom_work; the context is a fit_problem. */
bool fit_goes_on(void *context);

/* Of jacobian.c: computes the motion that a brief describes. */
carom_status fit_motion_compute(const fit_problem *problem, carom_snapshot *brief, const carom_worker *worker,
                                carom_error *error);

/* ---- statistics.c: what the minimum says ------------------------------------------------------------------- */

/* Everything of the fit but how it was found. */
carom_status fit_describe(const fit_problem *problem, const fit_minimum *at, fit_loss loss, carom_fit *fit,
                          carom_error *error);
/* Share of a residual that the one before it has already. */
double fit_neighbour_correlation(const fit_problem *problem, const double *residual, int column);
void fit_warn(carom_fit *fit, const char *format, ...) CAROM_PRINTF(2, 3);

#endif
