/* The inside of Lyapunov exponents: a motion under way with its columns.
 *
 *   start.c: which scheme, where it begins --> lyapunov.c: steps, columns, means --> keep.c: checkpoints of it
 *                                                    ^
 *                               exponents.c: many of them, over a parameter and several starts */
#ifndef CAROM_SURVEY_LYAPUNOV_LYAPUNOV_H
#define CAROM_SURVEY_LYAPUNOV_LYAPUNOV_H

#include "carom/run/stepping.h"
#include "carom/survey/lyapunov.h"

enum {
    LYAPUNOV_OPTIONS = 64,
    LYAPUNOV_WINDOWS = 2 /* means with weights: over the whole time, and over its second half */
};

typedef struct lyapunov {
    const carom_lyapunov_request *request;
    double unit; /* of time: carom_lyapunov_times */
    carom_lyapunov *result;
    carom_stepping *stepping;
    carom_tangent *tangent;
    const char *scheme;
    carom_option option[LYAPUNOV_OPTIONS + 2];
    int points;                         /* of the convergence, that there is room for */
    double *log_sum;                    /* per exponent */
    double *weighted[LYAPUNOV_WINDOWS]; /* per exponent */
    double weight_sum[LYAPUNOV_WINDOWS];
    double *weight;               /* of the numbers of a column: 1 / their size */
    double *mean_low, *mean_high; /* of the second half */
    double t0;                    /* when the motion begins */
    double begin;                 /* when the time begins */
    bool counts;                  /* the transient is over */
    double divergence, jumps;     /* sums */
    double divergence_before;
    double *by_u, *mass; /* n x n */
    int *pivot;
    double *scratch;
    unsigned char *regime;
    carom_contact_frame frame;
    bool uncheckable;
    double saved, saving; /* when the last checkpoint was made, and how long that took */
    double asked;         /* when it was last asked whether to go on */
} lyapunov;

/* start.c: the motion stands at its start, with a scheme that has derivatives. */
carom_status lyapunov_begin(lyapunov *self, carom_error *error);

/* Trace of M^-1 df/du at the state: the divergence of the flow. by_u and mass: n x n, scratch and pivot: n. NAN: the mass is singular. */
double lyapunov_divergence(const carom_stepper *stepper, double *by_u, double *mass, double *scratch,
                           int *pivot);

/* keep.c: a motion under way as bytes, both ways. The columns are created in between: after the stepper was given back. */
carom_status lyapunov_save(lyapunov *self, carom_error *error);
/* Gives back the stepper; then, with the columns there, all else. False: the bytes are of another motion. */
bool lyapunov_restore_motion(lyapunov *self, carom_snapshot *snapshot);
bool lyapunov_restore_means(lyapunov *self, carom_snapshot *snapshot);

#endif
