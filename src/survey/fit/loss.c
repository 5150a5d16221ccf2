#include "loss.h"

#include <math.h>
#include <stddef.h>

static const char *const words[CAROM_LOSSES + 1] = {[CAROM_LOSS_SQUARES] = "squares",
                                                    [CAROM_LOSS_SOFT_L1] = "soft-l1",
                                                    [CAROM_LOSS_HUBER] = "huber",
                                                    [CAROM_LOSS_CAUCHY] = "cauchy",
                                                    [CAROM_LOSSES] = NULL};

const char *carom_fit_loss_word(int loss)
{
    return loss >= 0 && loss < CAROM_LOSSES ? words[loss] : NULL;
}

double fit_loss_value(fit_loss loss, double r)
{
    const double c = loss.scale, z = r / c;
    switch (loss.kind) {
    case CAROM_LOSS_SOFT_L1:
        return 2.0 * c * c * (z * z / (sqrt(1.0 + z * z) + 1.0)); /* sqrt(1 + z^2) - 1 without cancellation */
    case CAROM_LOSS_HUBER:
        return fabs(z) <= 1.0 ? r * r : c * c * (2.0 * fabs(z) - 1.0);
    case CAROM_LOSS_CAUCHY:
        return c * c * log1p(z * z);
    default:
        return r * r;
    }
}

double fit_loss_weight(fit_loss loss, double r)
{
    const double z = r / loss.scale;
    switch (loss.kind) {
    case CAROM_LOSS_SOFT_L1:
        return 1.0 / sqrt(1.0 + z * z);
    case CAROM_LOSS_HUBER:
        return fabs(z) <= 1.0 ? 1.0 : 1.0 / fabs(z);
    case CAROM_LOSS_CAUCHY:
        return 1.0 / (1.0 + z * z);
    default:
        return 1.0;
    }
}

double fit_loss_psi(fit_loss loss, double r)
{
    return r * fit_loss_weight(loss, r);
}

double fit_loss_psi_rate(fit_loss loss, double r)
{
    const double z = r / loss.scale, w = fit_loss_weight(loss, r);
    switch (loss.kind) {
    case CAROM_LOSS_SOFT_L1:
        return w * w * w;
    case CAROM_LOSS_HUBER:
        return fabs(z) <= 1.0 ? 1.0 : 0.0;
    case CAROM_LOSS_CAUCHY:
        return (1.0 - z * z) * w * w;
    default:
        return 1.0;
    }
}

/* Holland and Welsch 1977 for Huber and Cauchy; soft-l1 by the same condition, found numerically (test_loss.c). */
double fit_loss_usual_scale(carom_fit_loss kind)
{
    switch (kind) {
    case CAROM_LOSS_SOFT_L1:
        return 1.287;
    case CAROM_LOSS_HUBER:
        return 1.345;
    case CAROM_LOSS_CAUCHY:
        return 2.385;
    default:
        return 1.0;
    }
}
