/* How a model depends on time: its period, and for linear models the sum of sines and cosines that drives it. */
#ifndef CAROM_MODEL_FORCING_H
#define CAROM_MODEL_FORCING_H

#include "carom/model.h"

/* What drives a linear model,
 *
 *   M u' = force_by_q q + force_by_u u + f(t),   gap_i = row_i . q + g_i(t),
 *
 * as sums over circular frequencies w_k, the first of which is 0 (its sine counts for nothing):
 *
 *   f(t) = sum cos(w_k t) force[2 k] + sin(w_k t) force[2 k + 1],   each a row of dof numbers; the gaps likewise.
 *
 * Frequencies may be negative, zero, or there twice. */
typedef struct carom_harmonics {
    int count;
    const double *frequency; /* count */
    const double *force;     /* 2 count x dof */
    const double *gap;       /* 2 count x contacts */
} carom_harmonics;

/* What is known of the dependence on time. */
typedef enum carom_time_kind {
    CAROM_TIME_NONE, /* the model does not depend on it */
    CAROM_TIME_PERIODIC, /* through sines and cosines of a w t + b with w of parameters, whatever is made of them */
    CAROM_TIME_OTHER,   /* in another way */
    CAROM_TIME_UNKNOWN, /* the model does not say */
} carom_time_kind;

typedef struct carom_forcing {
    carom_time_kind kind;
    int frequencies; /* that differ, for the parameters of the work; none is 0 */
    double fastest;  /* the largest of them */
    double
        period; /* common to all; 0: the model does not depend on time; NAN: there is none, or it is not known */
    double first, other; /* two frequencies without a common period, where that is why */
} carom_forcing;

/* For the parameters that the work is bound to. Frequencies are commensurable when their ratios are fractions of whole
 * numbers up to 1000, to 1e-10. Takes memory while it works. */
carom_status carom_model_forcing(carom_model_work *work, carom_forcing *forcing, carom_error *error);
/* Its period alone, above 0; NAN: there is none, or it is not known. */
double carom_model_driven_period(carom_model_work *work);
/* The period alone; BAD_INPUT says why there is none, with `advice` (may be NULL) behind it. */
carom_status carom_model_period(carom_model_work *work, const char *advice, double *period,
                                carom_error *error);

#endif
