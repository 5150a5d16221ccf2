/* Fit of a model to measured data: the parameters and initial values with which its motion comes closest to what was
 * measured, and how well the data know them. Part of room survey.
 *
 *   carom_fit_request request = {.experiment = experiment, .output_count = 1, .output = (const char *[]){"y"},
 *                                .data_count = 1, .data = &data, .parameter_count = 1,
 *                                .parameter = &(carom_fit_parameter){.name = "e"}};
 *   carom_status status = carom_fit_run(&request, &fit, &error);
 *   fit.parameter[0].value +- fit.parameter[0].error
 *   carom_fit_free(&fit);
 *
 * Nonlinear least squares: the minimum over x, low <= x <= high, of
 *
 *   sum over data of rho(r),   r = (output of the motion at the time of the datum - datum) / sigma,
 *
 * rho(r) = r^2 or a loss that grows more slowly, by Levenberg and Marquardt's steps. */
#ifndef CAROM_SURVEY_FIT_H
#define CAROM_SURVEY_FIT_H

#include "carom/run.h"
#include "carom/survey/work.h"

/* A value of what a motion depends on: a parameter by its name, an initial position as q:NAME, an initial velocity as
 * v:NAME. */
typedef struct carom_fit_value {
    const char *name;
    double value;
} carom_fit_value;

/* What was measured in one motion. */
typedef struct carom_fit_data {
    const char *name; /* for people: the file */
    int count;        /* rows */
    const double *t;  /* of each row, growing; of data by events not used */
    /* count x output_count: row by row. NAN: missing. By events: the time of the first impact, the second ... */
    const double *value;
    const double *sigma; /* likewise: standard deviations; NULL or NAN: not known */
    int set_count;
    const carom_fit_value *set; /* of this motion alone: how it began, what was changed */
} carom_fit_data;

/* What is to be found; 0 or NAN: as the model says (see CAROM_ZERO). */
typedef struct carom_fit_parameter {
    const char *name; /* as in carom_fit_value */
    bool each;        /* every motion has one of its own */
    double start;     /* default: the model's value, or the motion's */
    double low, high; /* default: the model's range, which they may not leave */
    double scale;     /* a change that matters; default: the size of the start value, or 1 */
} carom_fit_parameter;

typedef enum carom_fit_loss {
    CAROM_LOSS_SQUARES, /* r^2 */
    CAROM_LOSS_SOFT_L1, /* 2 c^2 (sqrt(1 + (r/c)^2) - 1) */
    CAROM_LOSS_HUBER,   /* r^2 up to |r| = c, a line behind it */
    CAROM_LOSS_CAUCHY,  /* c^2 log(1 + (r/c)^2) */
    CAROM_LOSSES,
} carom_fit_loss;
/* "squares", ...; NULL behind the last. */
const char *carom_fit_loss_word(int loss);

/* Where the derivatives of the motion come from. */
typedef enum carom_fit_derivatives {
    CAROM_FIT_BEST,        /* exact ones where they lead to the minimum, else differences */
    CAROM_FIT_EXACT,       /* of the steps that were made; BAD_INPUT where there are none */
    CAROM_FIT_DIFFERENCES, /* central ones of whole runs */
} carom_fit_derivatives;

/* Experiment, outputs, data and parameters must be given; everything else may be left zero. */
typedef struct carom_fit_request {
    const carom_experiment *experiment; /* with the values that are not fitted */
    /* What was measured, as formulas of t, coordinates, dot(coordinate), parameters, energy and the named records of the
     * model. */
    int output_count;
    const char *const *output;
    /* Instead of outputs: the data are the times of the impacts of this contact, one after the other, in one column. */
    const char *events;
    int data_count;
    const carom_fit_data *data;
    int parameter_count;
    const carom_fit_parameter *parameter;
    carom_fit_loss loss;
    double
        loss_scale; /* c; 0: from the residuals of a fit by squares (1.345, 2.385 ... of their deviation) */
    const char *scheme; /* this and what follows: as in carom_run_request */
    double h;
    const carom_option *option;
    carom_fit_derivatives derivatives;
    int max_iterations; /* of each start; 0: 60 */
    double tolerance;   /* how far from the minimum it may end, in standard errors; 0: 1e-3 */
    int starts; /* the first where the parameters start, the others anywhere between the bounds; 0: 1 */
    /* Of each start: the first fits the first part of the data, the last all of it. 0: one, but where a single start leads to
     * residuals that are no noise once more in ten. */
    int stages;
    unsigned seed;           /* of the places of starts; 0: 1 */
    int curve_points;        /* of the fitted motion between its data, for pictures; 0: none */
    int threads;             /* 0: one per core; the result is the same */
    carom_progress progress; /* runs done; called by one thread at a time */
    bool no_times;           /* seconds and threads are 0 in the results */
    bool alone; /* motions go one after the other, not side by side (carom/scheme/lanes.h): the same result */
    /* As in carom_sweep_request: starts, or the motions of a trial, are computed by all. */
    const carom_workers *workers;
    /* To go on with a fit that was stopped: motions (of several processes with several starts: starts) are kept by what they are, so that
     * the same search is made again without computing anything twice. `recall` gives the bytes that an earlier process kept for a key, for
     * free(); NULL: there are none. Called by one thread at a time; NULL: nothing is kept. */
    void *(*recall)(void *context, const void *key, size_t key_count, size_t *count);
    carom_status (*keep)(void *context, const void *key, size_t key_count, const void *bytes, size_t count,
                         carom_error *error);
    void *keep_context;
} carom_fit_request;

/* Which bound holds a parameter back. */
typedef enum carom_fit_bound {
    CAROM_FIT_FREE,
    CAROM_FIT_AT_LOW,
    CAROM_FIT_AT_HIGH,
} carom_fit_bound;

typedef struct carom_fit_estimate {
    char *name;                       /* "e", "q:y", or with `each` "q:y (drop.csv)" */
    int data;                         /* of which motion alone; -1: of all */
    double value;                     /* estimate */
    double error;                     /* standard error; NAN: at a bound, or the data do not determine it */
    double low, high;                 /* 95 % interval (Student's t), cut at the bounds; NAN likewise */
    double start, least, most, scale; /* where it began, between what */
    carom_fit_bound bound;
    bool determined; /* by the data */
} carom_fit_estimate;

/* A direction that the data do not know: moving along it changes no output. */
typedef struct carom_fit_direction {
    double strength; /* change of the outputs along it, relative to the direction that changes them most */
    double *part;    /* per parameter: relative to its scale; length 1 */
    char *text;      /* "only k/m is determined, not k and m" */
} carom_fit_direction;

enum {
    CAROM_FIT_WARNINGS = 12
};

/* How the fit of one column is. */
typedef struct carom_fit_column {
    int count;          /* data that are there */
    double rms;         /* of data minus fit, in their unit */
    double sigma;       /* that weighs it; NAN: those of the data, each its own */
    double correlation; /* of neighbouring residuals: near 0 for noise */
} carom_fit_column;

/* The fitted motion, from its begin to the last datum. */
typedef struct carom_fit_curve {
    int count;
    double *t;
    double *value; /* count x columns */
} carom_fit_curve;

typedef struct carom_fit {
    carom_arena *arena; /* owns everything below */
    /* "ok"; "undetermined": the data do not determine all parameters; "not-converged"; "interrupted" */
    char word[32];
    int count;
    carom_fit_estimate *parameter;
    double *correlation; /* count x count; NAN where there is none */
    double rms;          /* of data minus fit; of several columns: of the weighted residuals */
    double misfit;       /* sum of the loss of the weighted residuals */
    double variance;     /* of the weighted residuals, their sum of squares over degrees of freedom */
    long residuals;      /* data that are there */
    double quantile;     /* the intervals are +- so many standard errors */
    double loss_scale;
    int column_count;
    carom_fit_column *column;
    int direction_count; /* that the data do not know */
    carom_fit_direction *direction;
    int iterations; /* of the start that led here, all stages */
    long runs;      /* motions that were computed, of all starts */
    long failed_runs;
    bool exact; /* derivatives of the last step */
    const carom_scheme_ops *scheme;
    int starts, best_start, same_end; /* starts that ended at the same minimum, the best one included */
    int data_count;
    double **fitted;        /* per motion, as its data: outputs of the motion; NAN: no datum there */
    carom_fit_curve *curve; /* per motion; count 0: not asked for, or data by events */
    int warnings;
    char warning[CAROM_FIT_WARNINGS][400];
    double wall_seconds;
    int threads;
} carom_fit;

/* OK: the fit has ended, its word says how. BAD_INPUT: something of the request is wrong. FAILED: the motion could not be
 * computed where the fit starts. INTERRUPTED: the best so far is there. The caller frees the fit in every case. */
carom_status carom_fit_run(const carom_fit_request *request, carom_fit *fit, carom_error *error);
void carom_fit_free(carom_fit *fit);

/* Quantile of Student's t with so many degrees of freedom: P(T <= t) = p. */
double carom_student_quantile(double p, double freedom);

#endif
