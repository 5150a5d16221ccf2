/* Nonlinear least squares between bounds, by the steps of Levenberg (1944) and Marquardt (1963) in the scaling of More (1978):
 *
 *   residuals r, derivatives J  ->  SVD of J D^-1 (columns that bounds hold left out)
 *        ^                              |
 *        |                     step(mu) = -D^-1 V s/(s^2 + mu) U^T r, cut at the bounds   <- mu grows until it helps
 *        +------------------------------+
 *
 * A step to a point without residuals (its motion fails) is a step that does not help. */
#ifndef CAROM_SURVEY_FIT_LEAST_SQUARES_H
#define CAROM_SURVEY_FIT_LEAST_SQUARES_H

#include "loss.h"

typedef struct fit_squares {
    int residuals, unknowns;
    const double *low, *high; /* of each unknown */
    const double *scale;      /* a change of it that matters, > 0 */
    /* Writes residuals (where r is not NULL) and their derivatives (where J is not NULL), those by unknown k from
     * J + k * residuals on. FAILED: there are none here. Any other failure ends the search. */
    carom_status (*evaluate)(void *context, const double *x, double *r, double *J, carom_error *error);
    void *context;
    bool together; /* derivatives cost little beside the residuals: both are asked for at once */
    fit_loss loss;
    int max_iterations;
    double
        tolerance; /* the end: no step would lower the misfit by more than the square of this in variances */
} fit_squares;

typedef struct fit_minimum {
    double *x, *r,
        *J; /* the caller's memory: unknowns, residuals, residuals x unknowns; x is the start at first */
    double misfit;  /* sum of the loss */
    int iterations; /* steps that helped */
    bool converged;
    double distance; /* of the minimum as the derivatives see it, in standard errors */
    bool *held;      /* per unknown: a bound holds it */
} fit_minimum;

/* FAILED: there are no residuals at the start. INTERRUPTED and NO_MEMORY come from evaluate. What was found so far stands in
 * the minimum; after a failure r and J may be of no use. */
carom_status fit_squares_minimize(const fit_squares *problem, fit_minimum *at, carom_error *error);

/* Sum of the loss. */
double fit_misfit(const fit_squares *problem, const double *r);

#endif
