#include "steps.h"

#include <math.h>

/* Times are multiples of a base up to this share of the run. */
static const double same = 1e-9;
static const double parts_most = 1e9;

static double common_divisor(double a, double b, double tolerance)
{
    while (b > tolerance) {
        const double rest = a - b * round(a / b);
        a = b;
        b = fabs(rest);
    }
    return a;
}

/* A time that is to be an output. */
static double tie(double base, double t, double t0, double tolerance)
{
    return isfinite(t) && t - t0 > tolerance ? common_divisor(base, t - t0, tolerance) : base;
}

static double value_of(const carom_run_result *start, carom_value value)
{
    return value == CAROM_NO_VALUE ? NAN : start->values[value];
}

static double tie_measure(const carom_measure *measure, const carom_run_result *start, double base,
                          double tolerance)
{
    base = tie(base, value_of(start, measure->from), start->t0, tolerance);
    base = tie(base, value_of(start, measure->to), start->t0, tolerance);
    base = tie(base, start->t0 + value_of(start, measure->every), start->t0, tolerance);
    for (int i = 0; i < measure->time_count; i++)
        base = tie(base, value_of(start, measure->time[i]), start->t0, tolerance);
    return base;
}

accuracy_steps accuracy_steps_of(const carom_accuracy_request *request, const carom_run_result *start,
                                 double until)
{
    const carom_experiment *experiment = request->run.experiment;
    const double duration = until - start->t0, tolerance = same * duration;
    double base = duration;
    for (int i = 0; experiment && i < experiment->measure_count; i++)
        base = tie_measure(&experiment->measure[i], start, base, tolerance);
    for (int i = 0; i < request->run.sample_count; i++)
        base = tie(base, request->run.sample_time[i], start->t0, tolerance);
    if (base < start->h * (1.0 - same)) /* the first step does not meet them either */
        base = duration;
    accuracy_steps steps = {.base = base};
    steps.parts[0] = fmax(ceil(base / start->h - 1e-6), 1.0);
    steps.limit =
        fmin(steps.parts[0] * (request->limit > 0.0 ? request->limit : CAROM_ACCURACY_LIMIT), parts_most);
    return steps;
}

/* Has no divisor in common with one of the last steps. */
static bool is_apart(const accuracy_steps *steps, double parts)
{
    for (int i = steps->count - 1; i >= 0 && i >= steps->count - 3; i--)
        if (carom_greatest_common_divisor((int)parts, (int)steps->parts[i]) > 1)
            return false;
    return true;
}

double accuracy_steps_next(accuracy_steps *steps, double factor)
{
    if (steps->count == CAROM_ACCURACY_TRIED_MOST)
        return NAN;
    if (steps->count > 0) {
        const double least = ceil(steps->parts[steps->count - 1] * factor);
        double parts = least;
        if (parts > steps->limit)
            return NAN;
        while (!is_apart(steps, parts) && parts < least + 30.0)
            parts++;
        steps->parts[steps->count] = parts;
    }
    return steps->base / steps->parts[steps->count++];
}
