/* What a residual costs: squares, or losses that outliers pull less. */
#ifndef CAROM_SURVEY_FIT_LOSS_H
#define CAROM_SURVEY_FIT_LOSS_H

#include "carom/survey/fit.h"

typedef struct fit_loss {
    carom_fit_loss kind;
    double scale; /* c */
} fit_loss;

/* rho(r); its share rho'(z) of the weight of r^2, z = r^2; psi = half of d rho / d r; d psi / d r. */
double fit_loss_value(fit_loss loss, double r);
double fit_loss_weight(fit_loss loss, double r);
double fit_loss_psi(fit_loss loss, double r);
double fit_loss_psi_rate(fit_loss loss, double r);

/* c in standard deviations of normal noise with which the estimate has 95 % of the efficiency of squares. */
double fit_loss_usual_scale(carom_fit_loss kind);

#endif
