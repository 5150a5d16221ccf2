#include "impact_metric.h"

bool impact_metric_take(impact_metric *metric, carom_arena *arena, const carom_model *model)
{
    const size_t dof = (size_t)model->dof;
    *metric = (impact_metric){.dof = model->dof, .constant = model->constant_mass};
    metric->factor = carom_arena_take(arena, dof * dof, sizeof(double));
    metric->inverse = carom_arena_take(arena, dof, sizeof(double));
    return metric->factor && metric->inverse;
}

/* The matrix is symmetric: its lower triangle says whether it is diagonal. */
static bool is_diagonal(int n, const double *matrix)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            if (matrix[(ptrdiff_t)i * n + j] != 0.0)
                return false;
    return true;
}

static int invert_diagonal(impact_metric *metric)
{
    const int n = metric->dof;
    for (int i = 0; i < n; i++) {
        double entry = metric->factor[(ptrdiff_t)i * n + i];
        if (!(entry > 0.0))
            return i + 1;
        metric->inverse[i] = 1.0 / entry;
    }
    return 0;
}

int impact_metric_evaluate(impact_metric *metric, carom_model_work *work, double t, const double *q)
{
    if (metric->constant && metric->known)
        return 0;
    work->model->ops->mass(work, t, q, metric->factor);
    metric->diagonal = is_diagonal(metric->dof, metric->factor);
    int bad_row =
        metric->diagonal ? invert_diagonal(metric) : carom_cholesky_factor(metric->dof, metric->factor);
    metric->known = bad_row == 0;
    return bad_row;
}
