/* carom run: what is run: an experiment, a model file, or a run file again. */
#include <string.h>

#include "run_job.h"

size_t run_job_option_count(const carom_option *list)
{
    size_t count = 0;
    while (list[count].name)
        count++;
    return count;
}

/* The run file's options, then those of the command line. */
static carom_status join_scheme_options(run_job *job, carom_error *error)
{
    const size_t stored = (size_t)job->again.option_count, given = run_job_option_count(job->scheme_option);
    carom_option *all = carom_arena_take(job->arguments.arena, stored + given + 1, sizeof *all);
    if (!all)
        return carom_fail_memory(error);
    for (size_t i = 0; i < stored; i++)
        all[i] = (carom_option){.name = job->again.option[i].name, .word = job->again.option[i].value};
    memcpy(all + stored, job->scheme_option, given * sizeof *all);
    job->scheme_option = all;
    return CAROM_OK;
}

static carom_status load_again(run_job *job, carom_error *error)
{
    if (value_of(&job->arguments, RUN_VARIANT))
        return carom_fail(error, CAROM_BAD_INPUT, "a run file has its variant already; leave --variant out");
    carom_status status;
    if (job->from) {
        job->again = job->from->again;
        status = resumed_load(job->from, 0, NULL, &job->experiment, error);
    } else {
        status = load_run_again(job->arguments.positional[0], job->set_count, job->set, job->arguments.arena,
                                &job->again, &job->experiment, error);
    }
    if (status != CAROM_OK)
        return status;
    carom_experiment *experiment = job->experiment;
    job->is_again = true;
    if (experiment->study)
        return CAROM_OK;
    /* Where the model takes h or the end from a parameter, the parameter has the run's value already. */
    if (!value_of(&job->arguments, RUN_H) && experiment->h_parameter < 0)
        job->h = job->again.h;
    if (!value_of(&job->arguments, RUN_UNTIL) && experiment->until_parameter < 0)
        job->until = job->again.until == 0.0 ? CAROM_ZERO : job->again.until;
    if (value_of(&job->arguments, RUN_SCHEME) || !job->again.scheme)
        return CAROM_OK; /* another scheme has options of its own */
    experiment->scheme = job->again.scheme;
    experiment->scheme_given = true;
    return join_scheme_options(job, error);
}

carom_status run_job_load(run_job *job, carom_error *error)
{
    const char *name = job->arguments.positional[0];
    if (job->from ? job->from->is_again : is_run_file(name))
        return load_again(job, error);
    if (job->from)
        return resumed_load(job->from, job->set_count, job->set, &job->experiment, error);
    return load_experiment(name, value_of(&job->arguments, RUN_VARIANT), job->set_count, job->set,
                           &job->experiment, error);
}
