/* What `carom run` writes: run file, tables, pictures, and the summary; each is whole or not there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/crew.h"
#include "app/gnuplot.h"
#include "app/page.h"
#include "carom/io/report.h"
#include "run_job.h"

carom_status run_job_select(run_job *job, carom_error *error)
{
    const char *given = value_of(&job->arguments, RUN_RECORD);
    if (!given)
        return CAROM_OK;
    int count = 0;
    const char **name = split_list(job->arguments.arena, given, &count);
    job->column = carom_arena_take(job->arguments.arena, (size_t)count + 1, sizeof *job->column);
    if (!name || !job->column)
        return carom_fail_memory(error);
    carom_error why = {0};
    const carom_status status =
        carom_table_columns_find(job->experiment, count, name, job->column, &job->column_count, &why);
    if (status != CAROM_OK)
        return carom_fail(error, status, "--record: %s", why.text);
    return job->column_count > 1
               ? CAROM_OK
               : carom_fail(error, CAROM_BAD_INPUT,
                            "--record %s: the time is always kept; name a column besides it, such as energy",
                            given);
}

/* Where space is cut, no process has all that a step remembers: there is no going on from a checkpoint. */
static bool keeps_journal(void)
{
    const carom_sharing *sharing = crew_sharing();
    return !sharing || !sharing->cuts_space;
}

carom_status run_job_open(run_job *job, carom_error *error)
{
    const char *out = value_of(&job->arguments, RUN_OUT), *csv = value_of(&job->arguments, RUN_CSV);
    carom_status status = run_job_select(job, error);
    if (status == CAROM_OK)
        status = run_job_check_scenes(job, error);
    if (status == CAROM_OK && out && keeps_journal())
        status = journal_for("--out", out, job->from, job->argc, job->argv, job->experiment,
                             job->is_again ? &job->again : NULL, &job->journal, error);
    if (status == CAROM_OK && out)
        status = carom_run_writer_create(out, &job->writer, error);
    if (status == CAROM_OK && out && has_option(&job->arguments, RUN_COMPRESS))
        carom_run_writer_compress(job->writer);
    if (status == CAROM_OK && out && job->column_count > 0)
        carom_run_writer_select(job->writer, job->column_count, job->column);
    if (status == CAROM_OK && csv && strcmp(csv, "-") == 0)
        job->csv = stdout;
    else if (status == CAROM_OK && csv) {
        status = carom_output_open(csv, false, &job->csv_output, error);
        job->csv = status == CAROM_OK ? carom_output_stream(job->csv_output) : NULL;
    }
    const char *report = value_of(&job->arguments, RUN_REPORT);
    if (status == CAROM_OK && report)
        status = carom_page_check(report, error);
    const bool films = film_is_wanted(&job->film);
    if (status == CAROM_OK && films)
        status = carom_page_can_be_made(error);
    if (status == CAROM_OK && films)
        status = run_job_check_film(job, error);
    const char *events = value_of(&job->arguments, RUN_EVENTS);
    job->main.events_in_json = events && strcmp(events, "-") == 0;
    if (status == CAROM_OK && events && !job->main.events_in_json)
        status = carom_output_open(events, false, &job->events_output, error);
    return status;
}

/* An unfinished result takes the place of nothing. */
static bool stands_in_the_way(const run_job *job, int option, carom_status status)
{
    const char *path = value_of(&job->arguments, option);
    const bool finished = status == CAROM_OK || status == CAROM_FAILED;
    return !finished && path && access(path, F_OK) == 0;
}

static void tell_unfinished(const run_job *job, carom_status status)
{
    const char *out = value_of(&job->arguments, RUN_OUT);
    if (job->journal && (status == CAROM_INTERRUPTED || status == CAROM_IO_ERROR) && job->main.result.final)
        fprintf(stderr, "carom: %s%scarom resume %s goes on with it\n",
                stands_in_the_way(job, RUN_OUT, status) ? out : "",
                stands_in_the_way(job, RUN_OUT, status) ? " is as it was; " : "", out);
}

static carom_status write_events(run_job *job, carom_error *error)
{
    const carom_run_result *result = &job->main.result;
    const carom_status status =
        carom_events_write_csv(carom_output_stream(job->events_output), job->experiment->model,
                               result->event_count, result->event, error);
    if (status == CAROM_OK)
        return carom_output_commit(job->events_output, error);
    carom_output_discard(job->events_output);
    return status;
}

/* Complete files get their names. Of a run that was stopped, what there is, where nothing would be lost by it. What failed to be
 * written, or never began, leaves nothing. */
carom_status run_job_close(run_job *job, carom_status status, carom_error *error)
{
    const bool has_result = job->main.result.final != NULL,
               wrong = status == CAROM_IO_ERROR || status == CAROM_NO_MEMORY;
    const bool writes = has_result && !wrong;
    carom_status closed = CAROM_OK;
    tell_unfinished(job, status);
    if (job->writer && writes && !stands_in_the_way(job, RUN_OUT, status))
        closed = carom_run_writer_close(job->writer, error);
    else
        carom_run_writer_discard(job->writer);
    job->writer = NULL;
    if (job->csv_output && writes && closed == CAROM_OK && !stands_in_the_way(job, RUN_CSV, status))
        closed = carom_output_commit(job->csv_output, error);
    else
        carom_output_discard(job->csv_output);
    job->csv_output = NULL;
    job->csv = NULL;
    if (job->events_output && writes && closed == CAROM_OK && !stands_in_the_way(job, RUN_EVENTS, status))
        closed = write_events(job, error);
    else
        carom_output_discard(job->events_output);
    job->events_output = NULL;
    return closed;
}

void run_job_close_journal(run_job *job, carom_status status, bool written)
{
    const bool has_result = job->main.result.final != NULL,
               finished = status == CAROM_OK || status == CAROM_FAILED;
    if (job->journal && finished && has_result && !written)
        fprintf(stderr, "carom: carom resume %s makes the outputs that are missing\n",
                value_of(&job->arguments, RUN_OUT));
    carom_journal_close(job->journal, (finished && written) || (!has_result && !job->from));
    job->journal = NULL;
}

/* What pictures and pages are made of. */
static carom_status find_source(run_job *job, carom_curve_source *source, carom_error *error)
{
    carom_series *series = carom_arena_take(job->arguments.arena, (size_t)job->member_count, sizeof *series);
    carom_event_points *points =
        carom_arena_take(job->arguments.arena, (size_t)job->member_count, sizeof *points);
    const char **label = carom_arena_take(job->arguments.arena, (size_t)job->member_count, sizeof *label);
    if (!series || !points || !label)
        return carom_fail_memory(error);
    for (int i = 0; i < job->member_count; i++) {
        series[i] = job->member[i].series;
        points[i] = job->member[i].result.points;
        label[i] = job->member[i].label;
    }
    *source = (carom_curve_source){
        .experiment = job->experiment,
        .parameter = job->main.parameter,
        .values = job->main.result.values,
        .results = job->main.result.results,
        .series = &job->main.series,
        .points = &job->main.result.points,
        .family = {.count = job->member_count, .series = series, .points = points, .label = label}};
    return CAROM_OK;
}

carom_status run_job_draw(run_job *job, carom_error *error)
{
    const char *directory = value_of(&job->arguments, RUN_PLOT);
    carom_curve_source source;
    if (!directory)
        return CAROM_OK;
    carom_status status = find_source(job, &source, error);
    if (status == CAROM_OK)
        status = plot_render(&source, directory, NULL, error);
    for (int i = 0; status == CAROM_OK && i < job->experiment->plot_count; i++)
        report_picture(&(picture_place){directory, job->experiment->plot[i].name},
                       job->arguments.option[RUN_QUIET].count > 0);
    return status;
}

carom_status run_job_page(run_job *job, const char *path, carom_error *error)
{
    carom_curve_source curves = {0};
    carom_status status = find_source(job, &curves, error);
    const char **words = page_command_words(&command_run, job->argc, job->argv);
    if (status == CAROM_OK && !words)
        status = carom_fail_memory(error);
    const carom_report_source source = {.experiment = job->experiment,
                                        .parameter = job->main.parameter,
                                        .result = &job->main.result,
                                        .series = &job->main.series,
                                        .pushes = &job->main.pushes,
                                        .family = curves.family,
                                        .command = words};
    if (status == CAROM_OK)
        status = carom_report_run(&source, path, error);
    free((void *)words);
    return status;
}

carom_status run_job_report(run_job *job, carom_error *error)
{
    const char *path = value_of(&job->arguments, RUN_REPORT);
    if (!path)
        return CAROM_OK;
    const carom_status status = run_job_page(job, path, error);
    if (status == CAROM_OK && !has_option(&job->arguments, RUN_QUIET))
        fprintf(stderr, "report: %s\n", path);
    return status;
}

void run_job_print(const run_job *job)
{
    if (job->arguments.option[RUN_JSON].count > 0)
        print_run_json(job->experiment, &job->main, job->member_count, job->member);
    else if (job->arguments.option[RUN_QUIET].count == 0 && job->csv != stdout)
        print_run_text(job->experiment, &job->main, job->member_count, job->member);
}
