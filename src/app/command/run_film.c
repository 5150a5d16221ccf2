/* The film of `carom run`: its options, and the page that it is drawn from. */
#include <stdlib.h>

#include "run_job.h"

bool run_job_read_film(run_job *job)
{
    return film_read_options(&job->film, &command_run, &job->arguments, RUN_VIDEO,
                             has_option(&job->arguments, RUN_QUIET));
}

carom_status run_job_check_film(run_job *job, carom_error *error)
{
    if (job->experiment->study)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: nothing moves in a study, there is nothing to film",
                          job->film.video ? "--video" : "--frames");
    if (!carom_experiment_has_scene(job->experiment))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s does not say how it looks, so that there is nothing to film; add draw { "
                          "disc(x, y, r) } or the like "
                          "to the model (docs/see.md)",
                          job->experiment->name);
    return film_check(&job->film, error);
}

carom_status run_job_film(run_job *job, carom_error *error)
{
    if (!film_is_wanted(&job->film) || progress_is_stopped())
        return CAROM_OK;
    carom_status status = film_open(&job->film, error);
    if (status != CAROM_OK)
        return status;
    char *path = film_page_path(&job->film);
    status = path ? run_job_page(job, path, error) : carom_fail_memory(error);
    free(path);
    return status == CAROM_OK ? film_make(&job->film, error) : status;
}
