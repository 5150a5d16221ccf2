/* A run with measures that are known to an accuracy asked for. Part of room survey.
 *
 *   carom_accuracy found = {0};
 *   carom_status status = carom_accuracy_run(
 *       &(carom_accuracy_request){.run = {.experiment = experiment}, .relative = 1e-3}, &found, &error);
 *   ... found.met, found.measure[0].value[0], found.measure[0].error[0]
 *   carom_accuracy_free(&found);
 *
 * The step is refined, and where nobody names a scheme the scheme is chosen, until the bound of every error is small enough.
 * docs/trust.md says where the bounds come from. */
#ifndef CAROM_SURVEY_ACCURACY_H
#define CAROM_SURVEY_ACCURACY_H

#include "carom/run.h"

/* The limit of a sequence of values m(h) for h -> 0, seen from its last value. */
typedef struct carom_sequence_limit {
    double error; /* bound of the distance of the last value from the limit; NAN: the sequence gives none */
    double
        order; /* in h that the bound assumes; NAN: the values differ by rounding only, or there is no bound */
    bool
        seen; /* the differences follow that order; otherwise they scatter, and the bound covers the scatter */
    bool
        diverges; /* differences do not decrease with h; the error is a multiple of the spread of the last values */
} carom_sequence_limit;

enum {
    CAROM_SEQUENCE_LEAST = 4 /* values that a bound needs */
};

/* h decreases. `rounding`: differences up to this are rounding. */
carom_sequence_limit carom_sequence_limit_of(int count, const double *h, const double *value,
                                             double rounding);

typedef struct carom_accuracy_wish {
    const char *measure;
    double relative;
} carom_accuracy_wish;

typedef struct carom_accuracy_request {
    /* The run. h is the first step that is tried. Samples and events are those of the best run; recorders, checkpoints and
     * derivatives are not used. A scheme that neither the request nor the experiment names is chosen. */
    carom_run_request run;
    /* Largest error of every measure, relative to its value, or to the largest value of its expression in the run where the
     * value cannot be told from zero. 0 or NAN: only measures with a wish. */
    double relative;
    int wish_count; /* measures with an accuracy of their own */
    const carom_accuracy_wish *wish;
    bool alone;   /* no other scheme judges: bounds come from runs of the scheme itself */
    double limit; /* the smallest step is the first one divided by this; 0: CAROM_ACCURACY_LIMIT */
} carom_accuracy_request;

enum {
    CAROM_ACCURACY_LIMIT = 1000,
    CAROM_ACCURACY_TRIED_MOST = 64,
    CAROM_ACCURACY_WHY = 240
};

typedef struct carom_accuracy_measure {
    char *name;    /* a measure; of a model without measures q:NAME and v:NAME, the state at the end */
    bool is_array; /* otherwise one value, or none */
    bool is_count; /* a number of events: exact, or not known */
    double asked;  /* relative; NAN: nothing */
    bool met;      /* true also where nothing is asked */
    int count;     /* entries */
    double *value; /* of the best run; NAN: none */
    double *error; /* bound; NAN: not known */
    char why[CAROM_ACCURACY_WHY]; /* "": met */
} carom_accuracy_measure;

typedef struct carom_accuracy_try {
    const carom_scheme_ops *scheme;
    double h;
    double rtol; /* NAN: the scheme has none */
    carom_status status;
    long steps;
    double wall_seconds;
} carom_accuracy_try;

typedef struct carom_accuracy {
    carom_arena *arena;               /* owns texts and arrays */
    double asked;                     /* NAN: only some measures */
    bool met;                         /* every accuracy that was asked */
    bool of_state;                    /* the model has no measures: the state at the end counts */
    char why[2 * CAROM_ACCURACY_WHY]; /* "": met */
    int measure_count;
    carom_accuracy_measure *measure;
    int tried_count; /* in the order of time, those of the scheme that judges included */
    carom_accuracy_try tried[CAROM_ACCURACY_TRIED_MOST];
    /* The best run, and how to make it again. */
    const carom_scheme_ops *scheme;
    double h;
    carom_option *option; /* ends with {0} */
    carom_run_result best;
} carom_accuracy;

/* An accuracy that is not met is no failure: `why` says what is known. FAILED: no run came to its end; `best` and `error`
 * are those of the last one. INTERRUPTED: what was found until then. BAD_INPUT and NO_MEMORY leave nothing. The caller
 * frees the result in every case. */
carom_status carom_accuracy_run(const carom_accuracy_request *request, carom_accuracy *found,
                                carom_error *error);
void carom_accuracy_free(carom_accuracy *found);

#endif
