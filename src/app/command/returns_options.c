/* What `carom bifurcation` and `carom basin` read in the same way. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/jit.h"
#include "app/trial_output.h"
#include "returns_job.h"

int state_place(const carom_model *model, const char *name, carom_error *error)
{
    const int positions = carom_model_positions(model);
    const bool velocity = strncmp(name, "v:", 2) == 0;
    const char *bare = velocity || strncmp(name, "q:", 2) == 0 ? name + 2 : name;
    for (int i = 0; i < (velocity ? model->dof : positions); i++)
        if (strcmp(velocity ? carom_model_velocity_name(model, i) : model->coordinate[i], bare) == 0)
            return velocity ? positions + i : i;
    carom_text list = {0};
    for (int i = 0; i < positions && i < 20; i++)
        carom_text_append(&list, "%sq:%s", i ? ", " : "", model->coordinate[i]);
    for (int i = 0; i < model->dof && i < 20; i++)
        carom_text_append(&list, ", v:%s", carom_model_velocity_name(model, i));
    carom_fail(error, CAROM_BAD_INPUT, "there is no '%s' in a state of this model; it has %s%s", name,
               list.bytes ? list.bytes : "none", model->dof > 20 ? ", ..." : "");
    carom_text_free(&list);
    return -1;
}

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

bool returns_csv_is_stdout(const returns_job *job)
{
    const char *csv = value_of(&job->arguments, RETURNS_CSV);
    return csv && strcmp(csv, "-") == 0;
}

/* Files that cannot be written are found before the first motion; nothing in them is changed yet. */
static carom_status try_outputs(const returns_job *job, carom_error *error)
{
    const char *path[2] = {returns_csv_is_stdout(job) ? NULL : value_of(&job->arguments, RETURNS_CSV),
                           value_of(&job->arguments, RETURNS_OUT)};
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < 2; i++)
        status = path[i] ? carom_output_try(path[i], error) : CAROM_OK;
    return status;
}

/* Beside --csv, or else beside --out; -1: there is none. */
static int journal_option(const returns_job *job)
{
    const char *csv = returns_csv_is_stdout(job) ? NULL : value_of(&job->arguments, RETURNS_CSV);
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

bool returns_writes(const returns_job *job, int option, bool complete)
{
    const char *path = value_of(&job->arguments, option);
    if (!path || complete || (option == RETURNS_CSV && returns_csv_is_stdout(job)) || !is_plain_target(path))
        return path;
    FILE *there = fopen(path, "r");
    if (!there)
        return true;
    fclose(there);
    fprintf(stderr, "carom: %s is as it was\n", path);
    return false;
}

carom_status returns_write_csv(const returns_job *job, const void *result,
                               carom_status (*write)(FILE *stream, const returns_job *job, const void *result,
                                                     carom_error *error),
                               carom_error *error)
{
    if (returns_csv_is_stdout(job))
        return write(stdout, job, result, error);
    carom_output *output = NULL;
    carom_status status = carom_output_open(value_of(&job->arguments, RETURNS_CSV), false, &output, error);
    if (status != CAROM_OK)
        return status;
    status = write(carom_output_stream(output), job, result, error);
    if (status == CAROM_OK)
        return carom_output_commit(output, error);
    carom_output_discard(output);
    return status;
}

void returns_free(returns_job *job)
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
    const carom_status shown = course->show(job, status == CAROM_OK, &showing);
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
    returns_free(job);
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
    returns_free(job);
    return status;
}
