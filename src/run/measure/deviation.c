/* Root mean square distance from the mean, over the steps, by Welford's recurrence. */
#include <math.h>

#include "carom/run.h"

typedef struct spread {
    double count, mean, squares; /* squares about the mean so far */
} spread;

static carom_status take(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    spread *s = memory;
    if (!output->inside || !output->started)
        return CAROM_OK;
    s->count += 1.0;
    const double before = output->x - s->mean;
    s->mean += before / s->count;
    s->squares += before * (output->x - s->mean);
    return CAROM_OK;
}

static carom_status finish(void *memory, const carom_measure_output *output, carom_measured *measured,
                           carom_error *error)
{
    (void)output;
    const spread *s = memory;
    return s->count > 0.0 ? carom_measured_number(sqrt(s->squares / s->count), measured, error) : CAROM_OK;
}

/* d deviation = covariance(x, dx) / deviation. */
typedef struct spread_slope {
    spread spread;
    double mean, products; /* of dx, and with x about the means */
} spread_slope;

static carom_status take_slope(void *memory, const carom_measure_output *output, carom_error *error)
{
    spread_slope *s = memory;
    const carom_status status = take(&s->spread, output, error);
    if (!output->inside || !output->started)
        return status;
    const double before = output->x_along - s->mean;
    s->mean += before / s->spread.count;
    s->products += before * (output->x - s->spread.mean);
    return status;
}

static carom_status finish_slope(void *memory, const carom_measure_output *output, carom_measured *measured,
                                 carom_error *error)
{
    (void)output;
    const spread_slope *s = memory;
    return s->spread.count > 0.0 ? carom_measured_number(s->products / s->spread.count /
                                                             sqrt(s->spread.squares / s->spread.count),
                                                         measured, error)
                                 : CAROM_OK;
}

static const carom_measure_ops slope_of_deviation = {
    .name = "slope of deviation",
    .memory = sizeof(spread_slope),
    .take = take_slope,
    .finish = finish_slope,
};

const carom_measure_ops carom_reduce_deviation = {
    .name = "deviation",
    .summary = "root mean square distance from the mean, over the steps",
    .example = "deviation(x)",
    .memory = sizeof(spread),
    .take = take,
    .finish = finish,
    .derivative = &slope_of_deviation,
};
