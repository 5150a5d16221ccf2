/* The film of `carom run`: its options, and the page that it is drawn from. */
#include <stdlib.h>

#include "run_job.h"

static bool is_wanted(const run_job *job)
{
    return has_option(&job->arguments, RUN_VIDEO) || has_option(&job->arguments, RUN_FRAMES);
}

bool run_job_read_film(run_job *job)
{
    const arguments *given = &job->arguments;
    const char *size = value_of(given, RUN_SIZE);
    job->film =
        (film){.video = value_of(given, RUN_VIDEO),
               .frames = value_of(given, RUN_FRAMES),
               .fps = FILM_FPS,
               .width = FILM_WIDTH,
               .height = FILM_HEIGHT,
               .quiet = has_option(given, RUN_QUIET),
               .why_empty = "the model does not say how it looks, so that there is nothing to film; add "
                            "draw { disc(x, y, r) } or the like to it (docs/see.md)"};
    for (int option = RUN_FPS; option <= RUN_SPEED; option++)
        if (has_option(given, option) && !is_wanted(job)) {
            report_usage(&command_run, "%s is for a film: give --video FILE.mp4 or --frames DIR, too",
                         given->option[option].name);
            return false;
        }
    if (size && !film_read_size(size, &job->film.width, &job->film.height)) {
        report_usage(
            &command_run,
            "--size needs width and height in pixels, even numbers from %d to %d such as 640x480; got '%s'",
            FILM_SIDE_LEAST, FILM_SIDE_MOST, size);
        return false;
    }
    return read_whole(&command_run, &given->option[RUN_FPS], 1, FILM_FPS_MOST, &job->film.fps) &&
           read_positive(&command_run, &given->option[RUN_SPEED], &job->film.speed);
}

carom_status run_job_check_film(run_job *job, carom_error *error)
{
    if (job->experiment->study)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: nothing moves in a study, there is nothing to film",
                          job->film.video ? "--video" : "--frames");
    return film_check(&job->film, error);
}

carom_status run_job_film(run_job *job, carom_error *error)
{
    if (!is_wanted(job))
        return CAROM_OK;
    carom_status status = film_open(&job->film, error);
    if (status != CAROM_OK)
        return status;
    char *path = film_page_path(&job->film);
    status = path ? run_job_page(job, path, error) : carom_fail_memory(error);
    free(path);
    return status == CAROM_OK ? film_make(&job->film, error) : status;
}
