/* Measured balls for the tests of fits, and requests for them. */
#ifndef CAROM_TEST_SURVEY_FIT_SAMPLES_H
#define CAROM_TEST_SURVEY_FIT_SAMPLES_H

#include "synthetic.h"

enum {
    DATA = 100,
    OUTPUTS_MAX = 2
};

/* One set of data of a ball, or of another model. */
typedef struct sample {
    double t[DATA], value[DATA * OUTPUTS_MAX], sigma[DATA * OUTPUTS_MAX];
    carom_fit_data data;
} sample;

static inline void measure_ball(sample *of, double e, double g, double y0, double sigma, uint64_t seed)
{
    carom_random random = {seed};
    *of = (sample){0};
    for (int i = 0; i < DATA; i++) {
        of->t[i] = 0.0137 * i;
        of->value[i] = ball_height(e, g, y0, of->t[i]) + sigma * noise(&random);
    }
    of->data = (carom_fit_data){.name = "ball.csv", .count = DATA, .t = of->t, .value = of->value};
}

static inline carom_fit_request request_of(const carom_experiment *experiment, const carom_fit_data *data,
                                           const carom_fit_parameter *parameter, int parameters)
{
    static const char *const y[] = {"y"};
    return (carom_fit_request){.experiment = experiment,
                               .output_count = 1,
                               .output = y,
                               .data_count = 1,
                               .data = data,
                               .parameter_count = parameters,
                               .parameter = parameter,
                               .threads = 1};
}

static inline carom_fit fit_of(const carom_fit_request *request)
{
    carom_fit fit;
    carom_error error = {0};
    if (carom_fit_run(request, &fit, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return fit;
}

static inline bool warns_of(const carom_fit *fit, const char *part)
{
    for (int i = 0; i < fit->warnings; i++)
        if (strstr(fit->warning[i], part))
            return true;
    return false;
}

#endif
