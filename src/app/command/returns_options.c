/* What `carom bifurcation` and `carom basin` read in the same way. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/jit.h"
#include "app/trial_output.h"
#include "returns_job.h"

bool returns_read(const command *self, returns_job *job, int argc, char **argv)
{
    arguments *given = &job->arguments;
    job->argc = argc;
    job->argv = argv;
    job->returns.h = NAN;
    if (!parse_arguments(self, argc, argv, given))
        return false;
    if (given->positional_count != 1) {
        report_usage(self, given->positional_count == 0 ? "which experiment or model file?"
                                                        : "one experiment or model file at a time");
        return false;
    }
    carom_option *option = NULL;
    if (!read_assignments(self, given, &given->option[RETURNS_SET], &job->set_count, &job->set) ||
        !read_scheme_options(self, given, &given->option[RETURNS_OPTION], &option) ||
        !read_positive(self, &given->option[RETURNS_H], &job->returns.h) ||
        !read_positive(self, &given->option[RETURNS_PERIOD], &job->returns.period) ||
        !read_positive(self, &given->option[RETURNS_ESCAPE], &job->returns.escape) ||
        !read_positive(self, &given->option[RETURNS_TOLERANCE], &job->tolerance) ||
        !read_whole(self, &given->option[RETURNS_LONGEST], 1, 10000, &job->longest) ||
        !read_whole(self, &given->option[RETURNS_THREADS], 1, 256, &job->threads))
        return false;
    job->returns.option = option;
    job->returns.scheme = value_of(given, RETURNS_SCHEME);
    const char *csv = value_of(given, RETURNS_CSV);
    if (csv && strcmp(csv, "-") == 0 && has_option(given, RETURNS_JSON)) {
        report_usage(self, "--json and --csv - both want stdout; give --csv a file");
        return false;
    }
    return true;
}

static bool csv_is_stdout(const returns_job *job)
{
    const char *csv = value_of(&job->arguments, RETURNS_CSV);
    return csv && strcmp(csv, "-") == 0;
}

/* Files that cannot be written are found before the first motion; nothing in them is changed yet. */
static carom_status try_outputs(const returns_job *job, carom_error *error)
{
    const char *path[2] = {csv_is_stdout(job) ? NULL : value_of(&job->arguments, RETURNS_CSV),
                           value_of(&job->arguments, RETURNS_OUT)};
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < 2; i++)
        status = path[i] ? carom_output_try(path[i], error) : CAROM_OK;
    return status;
}

/* Beside --csv, or else beside --out; -1: there is none. */
static int journal_option(const returns_job *job)
{
    const char *csv = csv_is_stdout(job) ? NULL : value_of(&job->arguments, RETURNS_CSV);
    if (csv && is_plain_target(csv))
        return RETURNS_CSV;
    return value_of(&job->arguments, RETURNS_OUT) ? RETURNS_OUT : -1;
}

carom_status returns_load(returns_job *job, carom_error *error)
{
    const resumed_command *model = job->followed ? job->followed : job->from;
    carom_status status =
        model ? resumed_load(model, job->set_count, job->set, &job->experiment, error)
              : load_motion(job->arguments.positional[0], value_of(&job->arguments, RETURNS_VARIANT),
                            job->set_count, job->set, &job->experiment, error);
    if (status == CAROM_OK && model)
        status = carom_experiment_compute(job->experiment, (carom_progress){0}, error);
    if (status == CAROM_OK && has_option(&job->arguments, RETURNS_JIT))
        jit_use(job->experiment);
    if (status == CAROM_OK && !job->followed)
        status = try_outputs(job, error);
    job->returns.experiment = job->experiment;
    return status;
}

carom_status returns_open_journal(returns_job *job, carom_error *error)
{
    const int option = journal_option(job);
    if (job->followed || returns_is_dry(job))
        return CAROM_OK;
    const carom_status status =
        option < 0
            ? CAROM_OK
            : journal_for(job->arguments.option[option].name, value_of(&job->arguments, option), job->from,
                          job->argc, job->argv, job->experiment, NULL, &job->kept.journal, error);
    if (status == CAROM_OK && option >= 0 && crew_size() > 1 && !has_option(&job->arguments, RETURNS_QUIET))
        tell_journal(value_of(&job->arguments, option));
    return status == CAROM_OK ? crew_for(job->argc, job->argv, job->experiment, &job->workers, error)
                              : status;
}

/* The journal stays where there is something to go on with. */
void returns_close_journal(returns_job *job, bool done, bool begun)
{
    const int option = journal_option(job);
    if (job->kept.journal && !done && begun)
        fprintf(stderr, "carom: carom resume %s goes on with what is missing\n",
                value_of(&job->arguments, option));
    unit_journal_close(&job->kept, done);
}

carom_progress returns_begin(const returns_job *job, const char *units)
{
    return job->followed ? (carom_progress){0}
                         : progress_begin(has_option(&job->arguments, RETURNS_QUIET), units);
}

void returns_end(const returns_job *job)
{
    if (!job->followed)
        progress_end();
}

/* ---- what comes out ------------------------------------------------------------------------------------- */

/* Is this file to be written? A table that is not complete takes the place of nothing. */
static bool writes(const returns_job *job, int option, bool complete)
{
    const char *path = value_of(&job->arguments, option);
    if (!path || complete || (option == RETURNS_CSV && csv_is_stdout(job)) || !is_plain_target(path))
        return path;
    FILE *there = fopen(path, "r");
    if (!there)
        return true;
    fclose(there);
    fprintf(stderr, "carom: %s is as it was\n", path);
    return false;
}

static carom_status write_csv(const returns_course *course, const returns_job *job, carom_error *error)
{
    if (csv_is_stdout(job))
        return course->write_table(stdout, job, error);
    carom_output *output = NULL;
    carom_status status = carom_output_open(value_of(&job->arguments, RETURNS_CSV), false, &output, error);
    if (status != CAROM_OK)
        return status;
    status = course->write_table(carom_output_stream(output), job, error);
    if (status == CAROM_OK)
        return carom_output_commit(output, error);
    carom_output_discard(output);
    return status;
}

static void keep_first(carom_status status, const carom_error *later, carom_status *worst, carom_error *error)
{
    if (status == CAROM_OK || *worst != CAROM_OK)
        return;
    *worst = status;
    *error = *later;
}

/* The first thing that goes wrong is told; the others are done all the same. */
static carom_status show(const returns_course *course, const returns_job *job, bool complete,
                         carom_error *error)
{
    const bool quiet = has_option(&job->arguments, RETURNS_QUIET),
               json = has_option(&job->arguments, RETURNS_JSON);
    const char *directory = value_of(&job->arguments, RETURNS_PLOT);
    carom_error later = {0};
    if (json || (!quiet && !csv_is_stdout(job)))
        course->print(job, complete, json);
    carom_status worst = writes(job, RETURNS_CSV, complete) ? write_csv(course, job, error) : CAROM_OK;
    if (writes(job, RETURNS_OUT, complete))
        keep_first(course->write_file(value_of(&job->arguments, RETURNS_OUT), job, &later), &later, &worst,
                   error);
    if (directory) {
        const carom_status drawn = course->draw(directory, job, &later);
        keep_first(drawn, &later, &worst, error);
        if (drawn == CAROM_OK && !quiet)
            fprintf(stderr, "picture: %s/%s.png (and .svg, .pdf, .gp, .dat)\n", directory, course->picture);
    }
    return worst;
}

static void free_job(returns_job *job)
{
    carom_experiment_free(job->experiment);
    free_arguments(&job->arguments);
}

static int show_results(const returns_course *course, returns_job *job)
{
    carom_error error = {0}, showing = {0};
    const memory_before before = memory_now();
    const carom_status status = course->run(job, &error);
    if (returns_is_dry(job) && status == CAROM_OK) {
        print_trial(&job->trial, &before, job->threads, has_option(&job->arguments, RETURNS_JSON));
        return EXIT_DONE;
    }
    if (status != CAROM_OK && status != CAROM_INTERRUPTED) {
        returns_close_journal(job, status == CAROM_BAD_INPUT && !job->from, false);
        return report_error(&error);
    }
    const carom_status shown = show(course, job, status == CAROM_OK, &showing);
    const int exit_status = course->report(job);
    returns_close_journal(job, status == CAROM_OK && shown == CAROM_OK, true);
    if (status != CAROM_OK)
        return report_error(&error);
    return shown == CAROM_OK ? exit_status : report_error(&showing);
}

int returns_execute(const returns_course *course, returns_job *job, int argc, char **argv)
{
    const int exit_status = course->read(job, argc, argv) ? show_results(course, job) : EXIT_BAD_INPUT;
    course->free(job);
    free_job(job);
    return exit_status;
}

carom_status returns_follow(const returns_course *course, returns_job *job, int argc, char **argv,
                            carom_error *error)
{
    const carom_status status =
        course->read(job, argc, argv)
            ? course->run(job, error)
            : carom_fail(error, CAROM_BAD_INPUT, "its command line does not read here");
    course->free(job);
    free_job(job);
    return status;
}
