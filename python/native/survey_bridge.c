#include "survey_bridge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings ---------------------------------------------------------------------------------------- */

typedef struct model_source {
    const carom_experiment *experiment;
    const carom_python_values *fixed;
} model_source;

/* The model once more, with these values beside those of all points. By several threads at once. */
static carom_status load_anew(void *context, int count, const carom_override *value,
                              carom_experiment **experiment, carom_error *error)
{
    const model_source *source = context;
    const int fixed = source->fixed->count;
    carom_override *all = carom_new_array((size_t)fixed + (size_t)count, sizeof *all);
    if (!all)
        return carom_fail_memory(error);
    for (int i = 0; i < fixed + count; i++)
        all[i] = i < fixed ? source->fixed->value[i] : value[i - fixed];
    const carom_load_request request = {.name = source->experiment->name,
                                        .file = source->experiment->file,
                                        .text = source->experiment->text,
                                        .variant = source->experiment->variant,
                                        .override_count = fixed + count,
                                        .override = all};
    const carom_status status = carom_experiment_load(&request, experiment, error);
    free(all);
    return status;
}

carom_status carom_python_sweep(const carom_sweep_request *request, const carom_python_values *fixed,
                                carom_sweep *sweep, carom_error *error)
{
    model_source source = {request->experiment, fixed};
    carom_sweep_request full = *request;
    full.progress = carom_python_progress(NULL);
    full.load = load_anew;
    full.load_context = &source;
    return carom_sweep_run(&full, sweep, error);
}

/* ---- results ----------------------------------------------------------------------------------------- */

void carom_python_sweep_points(const carom_sweep *sweep, char *word, bool *told, bool *done, bool *trusted,
                               long *steps, double *seconds)
{
    for (int i = 0; i < sweep->point_count; i++) {
        const carom_sweep_point *point = &sweep->point[i];
        memcpy(word + (size_t)i * CAROM_PYTHON_WORD, point->word, CAROM_PYTHON_WORD);
        told[i] = point->message != NULL;
        done[i] = point->done;
        trusted[i] = point->done && point->trusted;
        steps[i] = point->steps;
        seconds[i] = point->wall_seconds;
    }
}

bool carom_python_sweep_numbers(const carom_sweep *sweep, int measure, double *number)
{
    for (int i = 0; i < sweep->point_count; i++) {
        const carom_measured *measured = &sweep->point[i].measure[measure];
        if (measured->is_array)
            return false;
        number[i] = measured->count > 0 ? measured->value[0] : NAN;
    }
    return true;
}

carom_status carom_python_sweep_csv(const char *path, const carom_sweep *sweep, carom_error *error)
{
    carom_output *output = NULL;
    carom_status status = carom_output_open(path, false, &output, error);
    if (status != CAROM_OK)
        return status;
    status = carom_sweep_write_csv(carom_output_stream(output), sweep, error);
    if (status == CAROM_OK)
        return carom_output_commit(output, error);
    carom_output_discard(output);
    return status;
}
