#include "weights.h"

#include <math.h>
#include <stdlib.h>

/* Weights that change by less than this part have settled. */
static const double settled = 0.02;
/* Residuals below this part of the spread of the data are rounding. */
static const double rounding = 1e-9;

static bool is_given(const fit_problem *problem, int residual)
{
    return problem->given[residual];
}

double fit_spread_of(const fit_problem *problem, int column)
{
    double sum = 0.0, squares = 0.0;
    int count = 0;
    for (int i = 0; i < problem->residuals; i++)
        if (problem->output_of[i] == column) {
            sum += problem->datum[i];
            count++;
        }
    for (int i = 0; i < problem->residuals; i++)
        if (problem->output_of[i] == column) {
            const double d = problem->datum[i] - sum / count;
            squares += d * d;
        }
    const double mean = count > 0 ? fabs(sum) / count : 0.0;
    return squares > 0.0 ? sqrt(squares / count) : mean > 0.0 ? mean : 1.0;
}

void fit_first_weights(fit_problem *problem)
{
    for (int c = 0; c < problem->outputs.count; c++) {
        const double sigma = problem->outputs.count == 1 ? 1.0 : fit_spread_of(problem, c);
        for (int i = 0; i < problem->residuals; i++)
            if (problem->output_of[i] == c && !is_given(problem, i))
                problem->sigma[i] = sigma;
    }
}

/* Of the residuals of a column that have no weight of their own; *sigma is what it weighs now. 0: there are none. */
static double deviation_of(const fit_problem *problem, const double *r, int column, double *sigma)
{
    double squares = 0.0;
    int count = 0;
    for (int i = 0; i < problem->residuals; i++)
        if (problem->output_of[i] == column && !is_given(problem, i)) {
            squares += r[i] * r[i];
            *sigma = problem->sigma[i];
            count++;
        }
    return count > 0 ? fmax(*sigma * sqrt(squares / count), rounding * fit_spread_of(problem, column)) : 0.0;
}

bool fit_weigh_columns(fit_problem *problem, const double *r)
{
    bool changed = false;
    double sigma = 1.0;
    if (problem->known_sigma || problem->outputs.count == 1)
        return false;
    for (int c = 0; c < problem->outputs.count; c++) {
        const double deviation = deviation_of(problem, r, c, &sigma);
        changed = changed || (deviation > 0.0 && fabs(deviation / sigma - 1.0) > settled);
    }
    for (int c = 0; changed && c < problem->outputs.count; c++) {
        const double deviation = deviation_of(problem, r, c, &sigma);
        for (int i = 0; i < problem->residuals; i++)
            if (problem->output_of[i] == c && !is_given(problem, i))
                problem->sigma[i] = deviation;
    }
    return changed;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

carom_status fit_loss_scale_of(const fit_problem *problem, const double *r, carom_fit_loss loss,
                               double *scale, carom_error *error)
{
    const size_t count = (size_t)problem->residuals;
    double *size = carom_new_array(count, sizeof *size);
    if (!size)
        return carom_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        size[i] = fabs(r[i]);
    qsort(size, count, sizeof *size, compare);
    const double middle = count % 2 ? size[count / 2] : 0.5 * (size[count / 2 - 1] + size[count / 2]);
    free(size);
    const double deviation = 1.4826 * middle; /* of normal noise whose sizes have this median */
    *scale = fit_loss_usual_scale(loss) * (deviation > 0.0 ? deviation : 1.0);
    return CAROM_OK;
}
