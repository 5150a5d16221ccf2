/* carom resume: goes on with a run, a sweep or a branch that was stopped, from what its journal kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/resumed.h"

enum {
    OPTION_UNTIL,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_COUNT,
};

static const argument_option option_table[OPTION_COUNT] = {
    [OPTION_UNTIL] = {"--until", true, false, 0, NULL},
    [OPTION_JSON] = {"--json", false, false, 0, NULL},
    [OPTION_QUIET] = {"--quiet", false, false, 0, NULL},
};

typedef struct resume_job {
    arguments given;
    resumed_command from;
    const command *what; /* that was begun */
    int argc;
    char **argv; /* to go on with */
} resume_job;

/* ---- the arguments to go on with ---------------------------------------------------------------------------- */

static const argument_option *find_option(const command *what, const char *word)
{
    for (int i = 0; i < what->option_count; i++) {
        const size_t length = strlen(what->options[i].name);
        if (strncmp(word, what->options[i].name, length) == 0 &&
            (word[length] == '\0' || word[length] == '='))
            return &what->options[i];
    }
    return NULL;
}

static bool add(resume_job *job, const char *word)
{
    char *copy = carom_arena_copy_text(job->given.arena, word);
    job->argv[job->argc] = copy;
    job->argc += copy != NULL;
    return copy;
}

/* Files are written where they were asked for, also from another directory. */
static const char *seen_from_here(resume_job *job, const char *path)
{
    char *here = getcwd(NULL, 0);
    const bool moved = here && job->from.directory && strcmp(here, job->from.directory) != 0;
    free(here);
    if (!moved || path[0] == '/' || strcmp(path, "-") == 0)
        return path;
    const size_t length = strlen(job->from.directory) + strlen(path) + 2;
    char *full = carom_arena_take(job->given.arena, length, 1);
    if (full)
        snprintf(full, length, "%s/%s", job->from.directory, path);
    return full;
}

/* An option of the command that was begun, with its value; the output that is resumed has the name given now. */
static bool add_option(resume_job *job, const argument_option *option, const char *value)
{
    if (strcmp(option->name, "--until") == 0 && value_of(&job->given, OPTION_UNTIL))
        return true;
    if (strcmp(option->name, job->from.output) == 0)
        value = job->given.positional[0];
    else if (option->writes != WRITES_NOTHING)
        value = seen_from_here(job, value);
    return value && add(job, option->name) && add(job, value);
}

static bool copy_words(resume_job *job)
{
    const resumed_command *from = &job->from;
    for (int i = 0; i < from->argc; i++) {
        const char *word = from->argv[i];
        const argument_option *option = i > 0 && word[0] == '-' ? find_option(job->what, word) : NULL;
        const char *equals = option ? strchr(word, '=') : NULL;
        bool added = true;
        if (!option || !option->takes_value)
            added = add(job, word);
        else if (equals)
            added = add_option(job, option, equals + 1);
        else if (i + 1 < from->argc)
            added = add_option(job, option, from->argv[++i]);
        if (!added)
            return false;
    }
    return true;
}

static bool has_word(const resume_job *job, const char *word)
{
    for (int i = 0; i < job->argc; i++)
        if (strcmp(job->argv[i], word) == 0)
            return true;
    return false;
}

static bool make_arguments(resume_job *job)
{
    job->argv = carom_arena_take(job->given.arena, (size_t)job->from.argc + 8, sizeof *job->argv);
    if (!job->argv || !copy_words(job))
        return false;
    const char *until = value_of(&job->given, OPTION_UNTIL);
    if (until && !(add(job, "--until") && add(job, until)))
        return false;
    for (int i = OPTION_JSON; i <= OPTION_QUIET; i++)
        if (has_option(&job->given, i) && !has_word(job, option_table[i].name) &&
            !add(job, option_table[i].name))
            return false;
    return true;
}

/* ---- what is resumed ---------------------------------------------------------------------------------------- */

static int refuse_until(const resume_job *job)
{
    return report_usage(&command_resume, "--until is for runs, and %s is of carom %s",
                        job->given.positional[0], job->what->name);
}

static int resume_journal(resume_job *job, const char *path)
{
    carom_error error = {0};
    if (resumed_open(path, &job->from, &error) != CAROM_OK)
        return report_error(&error);
    job->what = command_find(job->from.argv[0], NULL);
    if (!job->what || !job->what->resume) {
        carom_fail(&error, CAROM_BAD_INPUT, "'%s.part' is of carom %s, which cannot be resumed", path,
                   job->from.argv[0]);
        return report_error(&error);
    }
    if (value_of(&job->given, OPTION_UNTIL) && !find_option(job->what, "--until"))
        return refuse_until(job);
    if (!make_arguments(job)) {
        carom_fail_memory(&error);
        return report_error(&error);
    }
    return job->what->resume(job->argc, job->argv, &job->from);
}

/* A complete run to another end: its model and options once more, from the start. */
static carom_status begin_again(resume_job *job, const char *path, carom_error *error)
{
    resumed_command *from = &job->from;
    carom_experiment *experiment = NULL;
    *from = (resumed_command){.arena = carom_arena_create()};
    if (!from->arena)
        return carom_fail_memory(error);
    carom_status status = load_run_again(path, 0, NULL, from->arena, &from->again, &experiment, error);
    if (status != CAROM_OK)
        return status;
    from->is_again = true;
    char **const copy[] = {&from->name, &from->file, &from->text, &from->variant};
    const char *const text[] = {experiment->name, experiment->file, experiment->text, experiment->variant};
    bool added = true;
    for (size_t i = 0; added && i < sizeof copy / sizeof *copy; i++) {
        *copy[i] = text[i] ? carom_arena_copy_text(from->arena, text[i]) : NULL;
        added = *copy[i] || !text[i];
    }
    char every[32];
    snprintf(every, sizeof every, "%.0f", from->again.every);
    const char *words[] = {"run",     experiment->name,
                           "--until", value_of(&job->given, OPTION_UNTIL),
                           "--out",   path,
                           "--every", every,
                           NULL};
    job->argv =
        carom_arena_take(job->given.arena, sizeof words / sizeof *words + OPTION_COUNT, sizeof *job->argv);
    added = added && job->argv;
    for (int i = 0; added && words[i]; i++)
        added = add(job, words[i]);
    for (int i = OPTION_JSON; added && i <= OPTION_QUIET; i++)
        added = !has_option(&job->given, i) || add(job, option_table[i].name);
    status = added ? journal_for("--out", path, NULL, job->argc, job->argv, experiment, &from->again,
                                 &from->journal, error)
                   : carom_fail_memory(error);
    carom_experiment_free(experiment);
    return status;
}

static int resume_complete(resume_job *job, const char *path)
{
    carom_error error = {0};
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) {
        carom_fail(&error, CAROM_BAD_INPUT, "%s is no output of carom: it is not a regular file", path);
        return report_error(&error);
    }
    if (!value_of(&job->given, OPTION_UNTIL) || !is_run_file(path)) {
        if (is_run_file(path))
            fprintf(stderr, "%s is complete: nothing is left to be done; --until T goes on to another end\n",
                    path);
        else
            fprintf(
                stderr,
                "%s is complete, or no output of carom: there is no journal %s.part, and nothing is left to "
                "be done\n",
                path, path);
        return EXIT_DONE;
    }
    if (begin_again(job, path, &error) != CAROM_OK)
        return report_error(&error);
    return command_run.resume(job->argc, job->argv, &job->from);
}

static int resume(resume_job *job)
{
    const char *path = job->given.positional[0];
    if (carom_journal_exists(path))
        return resume_journal(job, path);
    if (access(path, F_OK) == 0)
        return resume_complete(job, path);
    carom_error error = {0};
    carom_fail(&error, CAROM_BAD_INPUT, "there is nothing to resume: neither %s nor %s.part is there", path,
               path);
    return report_error(&error);
}

static int run_resume(int argc, char **argv)
{
    resume_job job = {0};
    int exit_status = EXIT_BAD_INPUT;
    if (parse_arguments(&command_resume, argc, argv, &job.given)) {
        if (job.given.positional_count != 1)
            report_usage(&command_resume, "which output? The name after --out or --csv of what was stopped");
        else
            exit_status = resume(&job);
    }
    resumed_free(&job.from);
    free_arguments(&job.given);
    return exit_status;
}

const command command_resume = {
    .name = "resume",
    .usage = "carom resume RUN.h5|TABLE [--until T] [--json] [--quiet]",
    .summary = "go on with a run, a sweep or a branch that was stopped or killed",
    .help =
        "  RUN.h5, TABLE        the name of the output: after --out of carom run, after --csv or --out "
        "of carom sweep,\n"
        "                       bifurcation and basin, after --csv of carom continue, after --out of carom "
        "lyapunov, fit\n"
        "                       and converge\n"
        "  --until T            a run: go on to another end; one that is complete is computed anew\n"
        "  --json, --quiet      as for the command that was stopped\n"
        "\n"
        "Beside an output that is not complete stands its journal, OUTPUT.part, with everything that is "
        "needed: the\n"
        "model, the options, what was computed. The result has the same bits as if nothing had happened, "
        "and all that\n"
        "the command was asked for (--csv, --plot, --json) is done. At most the time between two "
        "checkpoints is\n"
        "computed again (carom run --checkpoint SECONDS; a sweep keeps every point).\n"
        "\n"
        "examples\n"
        "  carom run long.lua --out long.h5 --checkpoint 60          ... killed\n"
        "  carom resume long.h5\n"
        "  carom sweep ball.lua --over e=0:1:101 --csv ball.csv      ... killed\n"
        "  carom resume ball.csv\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_resume,
};
