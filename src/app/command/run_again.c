/* A run file as something to run: the model it carries, with what the run was told. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/command.h"

bool is_run_file(const char *path)
{
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    char start[8];
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) /* what comes through a pipe comes once */
        return false;
    const int file = open(path, O_RDONLY | O_CLOEXEC); /* without a buffer, which needs memory */
    if (file < 0)
        return false;
    const bool found =
        read(file, start, sizeof start) == (ssize_t)sizeof start && memcmp(start, signature, 8) == 0;
    close(file);
    return found;
}

/* Copies assignments to the arena, so that the run file can be closed. */
static carom_override *copy_overrides(carom_arena *arena, int count, const carom_override *given, int room)
{
    carom_override *copy = carom_arena_take(arena, (size_t)(count + room), sizeof *copy);
    for (int i = 0; copy && i < count; i++) {
        copy[i].name = carom_arena_copy_text(arena, given[i].name);
        copy[i].value = carom_arena_copy_text(arena, given[i].value);
        if (!copy[i].name || !copy[i].value)
            return NULL;
    }
    return copy;
}

static carom_status load_from(const carom_run_file *run, const char *path, int override_count,
                              const carom_override *override, carom_arena *arena, run_again *again,
                              carom_experiment **experiment, carom_error *error)
{
    const carom_run_member *main = &run->main;
    const int stored = main->override_count;
    carom_override *all = copy_overrides(arena, stored, main->override, override_count);
    *again = (run_again){.scheme = main->scheme[0] ? carom_arena_copy_text(arena, main->scheme) : NULL,
                         .h = main->h,
                         .until = main->until,
                         .every = main->every >= 1.0 && main->every <= 1e9 ? main->every : 1.0,
                         .option_count = main->option_count,
                         .option = copy_overrides(arena, main->option_count, main->option, 0),
                         .has_family = run->member_count > 0};
    if (!all || !again->option)
        return carom_fail_memory(error);
    for (int i = 0; i < override_count; i++) /* later ones are stronger */
        all[stored + i] = override[i];
    again->override_count = stored + override_count;
    again->override = all;
    const carom_load_request request = {.name = run->name,
                                        .file = run->file,
                                        .text = run->text,
                                        .variant = run->variant && *run->variant ? run->variant : NULL,
                                        .override_count = stored + override_count,
                                        .override = all,
                                        .units = given_units()};
    carom_error inner = {0};
    carom_status status = carom_experiment_load(&request, experiment, &inner);
    if (status != CAROM_OK)
        return carom_fail(error, status, "%s (model of the run file %s, written by carom %s)", inner.text,
                          path, run->version);
    return CAROM_OK;
}

carom_status read_run_file(const char *path, carom_run_file **run, carom_error *error)
{
    *run = NULL;
    if (!carom_fclib_is_file(path))
        return carom_run_file_read(path, run, error);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "%s is no run file but a frictional contact problem (FCLIB): carom solve solves it, "
                      "carom show tells what it is",
                      path);
}

carom_status load_run_again(const char *path, int override_count, const carom_override *override,
                            carom_arena *arena, run_again *again, carom_experiment **experiment,
                            carom_error *error)
{
    carom_run_file *run = NULL;
    carom_status status = read_run_file(path, &run, error);
    if (status != CAROM_OK)
        return status;
    status = load_from(run, path, override_count, override, arena, again, experiment, error);
    carom_run_file_free(run);
    return status;
}
