#include "values.h"

#include <stdlib.h>

double survey_value(double from, double to, int points, int place)
{
    const double last = points - 1;
    if (place == 0 || place == points - 1)
        return place == 0 ? from : to;
    return (from * (last - place) + to * place) / last;
}

carom_status survey_check_values(const carom_experiment *experiment, const char *name, double from, double to,
                                 int points, carom_error *error)
{
    carom_experiment scratch = *experiment;
    scratch.parameter = carom_new_array((size_t)scratch.model->parameters, sizeof *scratch.parameter);
    carom_status status = scratch.parameter ? CAROM_OK : carom_fail_memory(error);
    for (int i = 0; status == CAROM_OK && i < points; i++) {
        char text[40];
        carom_format(text, sizeof text, "%.17g", survey_value(from, to, points, i));
        status = carom_experiment_set(&scratch, name, text, error);
    }
    free(scratch.parameter);
    return status;
}
