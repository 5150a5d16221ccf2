/* carom solve: which files, and from what each starts. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "solve_job.h"

static bool is_directory(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static int is_problem_name(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');
    return ending && (strcmp(ending, ".hdf5") == 0 || strcmp(ending, ".h5") == 0);
}

static bool add_file(solve_job *job, const char *directory, const char *name)
{
    carom_text path = {0};
    if (directory)
        carom_text_append(&path, "%s/%s", directory, name);
    else
        carom_text_append(&path, "%s", name);
    const char **more = realloc(job->file, ((size_t)job->file_count + 1) * sizeof *more);
    if (more)
        job->file = more;
    char *copy = path.failed || !more ? NULL : carom_arena_copy_text(job->arguments.arena, path.bytes);
    carom_text_free(&path);
    if (copy)
        job->file[job->file_count++] = copy;
    return copy;
}

/* Those of one directory, by name. */
static carom_status add_directory(solve_job *job, const char *directory, carom_error *error)
{
    struct dirent **entry = NULL;
    const int count = scandir(directory, &entry, is_problem_name, alphasort);
    if (count < 0)
        return carom_fail(error, errno == ENOMEM ? CAROM_NO_MEMORY : CAROM_BAD_INPUT,
                          "cannot read the directory %s: %s", directory, strerror(errno));
    bool added = true;
    for (int i = 0; i < count; i++) {
        added = added && add_file(job, directory, entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
    if (!added)
        return carom_fail_memory(error);
    return count > 0 ? CAROM_OK
                     : carom_fail(error, CAROM_BAD_INPUT,
                                  "--all: %s holds no file whose name ends with .hdf5 or .h5", directory);
}

carom_status solve_job_list_files(solve_job *job, carom_error *error)
{
    const bool all = has_option(&job->arguments, SOLVE_ALL);
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < job->arguments.positional_count; i++) {
        const char *path = job->arguments.positional[i];
        if (all && is_directory(path))
            status = add_directory(job, path, error);
        else if (!add_file(job, NULL, path))
            status = carom_fail_memory(error);
    }
    return status;
}

/* ---- starts --------------------------------------------------------------------------------------------- */

static carom_status take_guess(const solve_task *task, int guess, carom_error *error)
{
    const carom_fclib *content = task->file.content;
    if (guess > content->guess_count)
        return carom_fail(error, CAROM_BAD_INPUT, "%s holds %d guess%s; there is no --guess %d",
                          task->file.path, content->guess_count, content->guess_count == 1 ? "" : "es",
                          guess);
    const double *r = content->guess[guess - 1].r;
    if (!r)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: guess %d holds no r", task->file.path, guess);
    contact_file_embed(&task->file, r, task->r);
    return CAROM_OK;
}

carom_status solve_job_start(const solve_job *job, solve_task *task, carom_error *error)
{
    const carom_fclib *content = task->file.content;
    if (job->guess > 0)
        return take_guess(task, job->guess, error);
    if (!has_option(&job->arguments, SOLVE_SEQUENCE))
        return CAROM_OK;
    if (content->guess_count > 0 && content->guess[0].r)
        return take_guess(task, 1, error);
    if (job->last && job->last_contacts == task->file.contacts &&
        job->last_dimension == task->file.dimension && job->last_rolls == task->file.is_rolling)
        contact_file_embed(&task->file, job->last, task->r);
    return CAROM_OK;
}

carom_status solve_job_keep_last(solve_job *job, const solve_task *task, carom_error *error)
{
    if (!has_option(&job->arguments, SOLVE_SEQUENCE))
        return CAROM_OK;
    const size_t numbers = (size_t)task->file.dimension * (size_t)task->file.contacts;
    double *last = realloc(job->last, (numbers > 0 ? numbers : 1) * sizeof *last);
    if (!last)
        return carom_fail_memory(error);
    contact_file_extract(&task->file, task->r, last);
    job->last = last;
    job->last_contacts = task->file.contacts;
    job->last_dimension = task->file.dimension;
    job->last_rolls = task->file.is_rolling;
    return CAROM_OK;
}
