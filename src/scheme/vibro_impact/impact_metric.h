/* The kinetic metric at one position: the mass matrix, factored. A constant one is evaluated once. */
#ifndef CAROM_SCHEME_VIBRO_IMPACT_IMPACT_METRIC_H
#define CAROM_SCHEME_VIBRO_IMPACT_IMPACT_METRIC_H

#include "carom/linalg.h"
#include "carom/model.h"

typedef struct impact_metric {
    int dof;
    bool constant; /* the same everywhere */
    bool known;    /* evaluated */
    bool diagonal;
    double *factor;  /* Cholesky factor, dof x dof */
    double *inverse; /* of a diagonal matrix */
} impact_metric;

/* False when memory is short. */
bool impact_metric_take(impact_metric *metric, carom_arena *arena, const carom_model *model);

/* Evaluates and factors the mass matrix at a position. 0, or the 1-based row whose pivot is not positive. */
int impact_metric_evaluate(impact_metric *metric, carom_model_work *work, double t, const double *q);

/* x := M^-1 x */
static inline void impact_metric_solve(const impact_metric *metric, double *x)
{
    if (!metric->diagonal) {
        carom_cholesky_solve(metric->dof, metric->factor, x);
        return;
    }
    for (int i = 0; i < metric->dof; i++)
        x[i] *= metric->inverse[i];
}

#endif
