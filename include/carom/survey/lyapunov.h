/* Lyapunov exponents: mean rates at which motions nearby leave or approach a motion. Part of room survey.
 *
 *   carom_lyapunov result = {0};
 *   carom_status status = carom_lyapunov_run(&(carom_lyapunov_request){.experiment = experiment, .time = 2e4}, &result, &error);
 *   ... result.exponent[0]
 *   carom_lyapunov_free(&result);
 *
 * Columns of derivatives of the motion (carom_tangent in carom/scheme.h) are carried along, through impacts and all other events,
 * and made orthonormal after every step (Benettin and others 1980): exponent k is the mean logarithm of the k-th diagonal entry. */
#ifndef CAROM_SURVEY_LYAPUNOV_H
#define CAROM_SURVEY_LYAPUNOV_H

#include "carom/run.h"

typedef struct carom_lyapunov_start {
    const char *name;
    double value;
} carom_lyapunov_start;

typedef struct carom_lyapunov_request {
    const carom_experiment *experiment;
    /* Where the motion begins, by names (q:x, v:x); what is not named: as the experiment says. */
    int start_count;
    const carom_lyapunov_start *start;
    /* Every number of the start is moved by up to so much, at random, to a start outside all obstacles; 0: none is. */
    double scatter;
    bool scatter_in_sizes; /* `scatter` is a share of the model's length, and of its length per time */
    unsigned scatter_seed;
    const double *parameter; /* one per parameter of the model; NULL: the experiment's */
    /* NULL: the experiment's, but with obstacles one that locates impacts, where there is one for the model and no option is given:
     * others have exponents of their own. */
    const char *scheme;
    /* Time step; 0 or NAN: the experiment's. Schemes with steps of their own then have an output, where columns are made
     * orthonormal, every 1/20000 of the time, but at least once per period of what drives the model. */
    double h;
    const carom_option *option; /* of the scheme; zeno=continue unless it is given */
    /* Time before which nothing counts, and time over which exponents are means. Time 0: a default, and one
     * of the transient if that is 0, too (carom_lyapunov_times). */
    double transient, time;
    int exponents;           /* the largest ones; 0: all, two per coordinate */
    int points;              /* of the convergence; 0: 400 */
    carom_progress progress; /* of the time, transient included */
    /* Goes on later with the same bits: as in carom_run_request. One more is made where it is interrupted. Where the scheme cannot be
     * kept none are made. */
    const carom_checkpoint *checkpoint;
} carom_lyapunov_request;

typedef struct carom_lyapunov {
    carom_arena *arena; /* owns all below */
    const carom_scheme_ops *scheme;
    double h, transient;
    double time; /* after the transient, as far as the motion came */
    int count;
    double *
        exponent; /* from the largest on; -INFINITY: motions nearby come together entirely, as in a contact that closes */
    double *
        spread; /* per exponent: how far its mean moved in the second half of the time; of regular motions its error */
    bool
        regular; /* periodic or quasi-periodic: then exponents are means with smooth weights, which converge much faster */
    long impacts; /* after the transient */
    /* The scheme locates impacts in time, or follows the motion through them. Others have impacts where their steps are:
     * derivatives of their steps do not see that an impact comes earlier or later, and their exponents are not those of the
     * motion as soon as there are impacts. */
    bool locates;
    /* The check: all exponents together are the mean divergence of the flow plus that of the impacts: log(e^2) each, and log(e)
     * where the scheme does not locate them. */
    bool checked;      /* false: not all exponents, or contacts close or have friction */
    double sum;        /* of the means over the time */
    double divergence; /* of the flow */
    double jumps;      /* of the impacts */
    int point_count;
    double *point_time; /* after the transient */
    double *point;      /* point_count x count: means until then */
    int breaks;         /* places at which the motion has no derivative, after the transient */
    carom_tangent_break first_break;
    double
        least_ratio; /* smallest diagonal entry over the largest within one step: below 1e-9 digits are lost, take a smaller h */
} carom_lyapunov;

/* Times of a request: its own, or 100 and 500 periods of what drives the model, at least 10 and 50 times the time in which damping
 * makes deviations smaller by a factor e, which counts up to 100 periods. Without forcing, a period is 1/50 of the experiment's
 * run. *unit: the period divided by 2 pi, with which exponents and velocities are made numbers without a unit. */
carom_status carom_lyapunov_times(const carom_lyapunov_request *request, double *transient, double *time,
                                  double *unit, carom_error *error);

/* BAD_INPUT: a value is wrong, or scheme and model have no exact derivatives. FAILED: the motion failed, or its derivatives did.
 * INTERRUPTED, FAILED: the result has what was found until then. The caller frees it in every case. */
carom_status carom_lyapunov_run(const carom_lyapunov_request *request, carom_lyapunov *result,
                                carom_error *error);
void carom_lyapunov_free(carom_lyapunov *result);
/* A result as bytes, both ways; given back, it has an arena of its own, to be freed in every case. */
void carom_lyapunov_pack(carom_snapshot *snapshot, carom_lyapunov *result);

#endif
