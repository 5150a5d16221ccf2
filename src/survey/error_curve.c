#include "error_curve.h"

#include <math.h>

bool error_curve_create(int count, carom_arena *arena, carom_error_curve *curve)
{
    *curve = (carom_error_curve){.error = carom_arena_take(arena, (size_t)count, sizeof(double)),
                                 .at_rounding = carom_arena_take(arena, (size_t)count, sizeof(bool)),
                                 .local = carom_arena_take(arena, (size_t)count, sizeof(double)),
                                 .order = NAN};
    if (!curve->error || !curve->at_rounding || !curve->local)
        return false;
    for (int i = 0; i < count; i++)
        curve->error[i] = curve->local[i] = NAN;
    return true;
}

static bool counts(const carom_error_curve *curve, int i)
{
    return isfinite(curve->error[i]) && curve->error[i] > 0.0 && !curve->at_rounding[i];
}

static void fit_local(int count, const double *h, carom_error_curve *curve)
{
    for (int i = 1; i < count; i++)
        if (counts(curve, i - 1) && counts(curve, i))
            curve->local[i] = log(curve->error[i - 1] / curve->error[i]) / log(h[i - 1] / h[i]);
}

/* Least squares about the means: slope = sum (x - mean x)(y - mean y) / sum (x - mean x)^2. */
void error_curve_fit(int count, const double *h, carom_error_curve *curve)
{
    fit_local(count, h, curve);
    double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
    curve->fitted = 0;
    for (int i = 0; i < count; i++) {
        if (!counts(curve, i))
            continue;
        curve->fitted++;
        mean_x += (log(h[i]) - mean_x) / curve->fitted;
        mean_y += (log(curve->error[i]) - mean_y) / curve->fitted;
    }
    for (int i = 0; i < count; i++) {
        if (!counts(curve, i))
            continue;
        const double x = log(h[i]) - mean_x;
        xx += x * x;
        xy += x * (log(curve->error[i]) - mean_y);
    }
    curve->order = curve->fitted > 1 ? xy / xx : NAN;
}
