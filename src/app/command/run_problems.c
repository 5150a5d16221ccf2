/* Contact problems of the steps of a run, kept as FCLIB files: DIR/STEM-NUMBER-CONTACTS.hdf5, with the start of the solver as
 * their guess, so that `carom solve --sequence` does what the run did. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "app/plot_parts.h"
#include "carom/io.h"
#include "run_job.h"

/* The experiment's name without its folders, a model file's without its ending. */
static void write_stem(const carom_experiment *experiment, size_t size, char *stem)
{
    const char *last = strrchr(experiment->name, '/');
    snprintf(stem, size, "%s", last ? last + 1 : experiment->name);
    char *ending = strrchr(stem, '.');
    if (ending && ending > stem && strcmp(ending, ".lua") == 0)
        *ending = '\0';
}

static carom_status take_problem(void *context, double t, const carom_coulomb_global *problem,
                                 const double *r, carom_error *error)
{
    run_job *job = context;
    char stem[80], path[1200], description[200];
    if (job->problems_told++ % (job->every > 0 ? job->every : 1) != 0)
        return CAROM_OK;
    write_stem(job->experiment, sizeof stem, stem);
    const int length =
        snprintf(path, sizeof path, "%s/%s-%06ld-%d.hdf5", value_of(&job->arguments, RUN_FCLIB), stem,
                 job->problems_told, problem->contacts);
    if (length >= (int)sizeof path)
        return carom_fail(error, CAROM_BAD_INPUT, "--fclib: the name of the directory is too long");
    snprintf(description, sizeof description, "step to t = %.17g", t);
    carom_fclib_solution guess = {.r = (double *)r};
    const carom_fclib file = {.is_global = true,
                              .global = *problem,
                              .title = job->experiment->name,
                              .description = description,
                              .guess_count = 1,
                              .guess = &guess};
    const carom_status status = carom_fclib_write(path, &file, job->from, error); /* again: over its own */
    job->problems_kept += status == CAROM_OK;
    return status;
}

/* Problems of another run would be mixed with these. */
static carom_status check_free(const char *directory, const char *stem, carom_error *error)
{
    DIR *open = opendir(directory);
    const size_t length = strlen(stem);
    carom_status status = CAROM_OK;
    for (const struct dirent *entry; open && status == CAROM_OK && (entry = readdir(open));)
        if (strncmp(entry->d_name, stem, length) == 0 && entry->d_name[length] == '-')
            status =
                carom_fail(error, CAROM_BAD_INPUT, "--fclib: %s/%s is there already; take another directory",
                           directory, entry->d_name);
    if (open)
        closedir(open);
    return status;
}

carom_status run_job_keep_problems(run_job *job, carom_run_request *request, carom_error *error)
{
    const char *directory = value_of(&job->arguments, RUN_FCLIB);
    if (!directory)
        return CAROM_OK;
    if (job->experiment->study)
        return carom_fail(error, CAROM_BAD_INPUT, "--fclib: nothing moves in a study, there are no steps");
    char stem[80];
    write_stem(job->experiment, sizeof stem, stem);
    request->problems = (carom_problem_listener){job, take_problem};
    const carom_status status = plot_make_directory(directory, error);
    return status == CAROM_OK && !job->from ? check_free(directory, stem, error) : status;
}

void run_job_tell_problems(const run_job *job)
{
    if (has_option(&job->arguments, RUN_FCLIB) && !has_option(&job->arguments, RUN_QUIET))
        fprintf(stderr, "contact problems: %ld in %s\n", job->problems_kept,
                value_of(&job->arguments, RUN_FCLIB));
}
