/* The life of the derivatives of a run, exact or not. */
#include "sensitivity.h"

#include <stdlib.h>
#include <string.h>

const char *carom_sensitivity_method(const carom_sensitivity *sensitivity)
{
    return sensitivity->exact ? "exact" : "differences";
}

void carom_sensitivity_free(carom_sensitivity *sensitivity)
{
    if (!sensitivity)
        return;
    for (int i = 0; sensitivity->name && i < sensitivity->count; i++)
        free(sensitivity->name[i]);
    for (int i = 0; sensitivity->measure && i < sensitivity->measure_count * sensitivity->count; i++)
        free(sensitivity->measure[i].value);
    free(sensitivity->name);
    free(sensitivity->final);
    free(sensitivity->sample);
    free(sensitivity->measure);
    free(sensitivity->measure_error);
    free(sensitivity->event_time);
    free(sensitivity->breaks);
    free(sensitivity->jumps);
    for (int k = 0; k < 2; k++)
        carom_sensitivity_free(sensitivity->side[k]);
    free(sensitivity);
}

carom_status run_prepare_sensitivity(active_run *run, carom_error *error)
{
    const carom_run_request *request = run->request;
    carom_status status = sensitivity_read_names(run, error);
    if (status != CAROM_OK)
        return status;
    const size_t count = (size_t)request->sensitivity_count;
    carom_sensitivity *result = carom_new_array(1, sizeof *result);
    if (!result)
        return carom_fail_memory(error);
    *result = (carom_sensitivity){0};
    run->result->sensitivity = result;
    result->name = carom_new_array(count, sizeof *result->name);
    const size_t numbers =
        carom_product(carom_product((size_t)request->sample_count, count), (size_t)run->layout.width);
    result->sample = carom_new_array(numbers, sizeof *result->sample);
    if (!result->name || !result->sample)
        return carom_fail_memory(error);
    for (; (size_t)result->count < count; result->count++)
        if (!(result->name[result->count] = strdup(request->sensitivity[result->count])))
            return carom_fail_memory(error);
    return CAROM_OK;
}

carom_status run_step(active_run *run, carom_error *error)
{
    return run->sensitivity && run->sensitivity->tangent ? sensitivity_step(run, error)
                                                         : carom_stepper_step(run->stepper, error);
}

void run_release_sensitivity(active_run *run)
{
    if (!run->sensitivity)
        return;
    carom_tangent_free(run->sensitivity->tangent);
    free(run->sensitivity->event_time.value);
}
