/* carom basin: where motions end up, over starts or parameters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "returns_job.h"

enum {
    OPTION_OVER = RETURNS_OPTIONS,
    OPTION_PERIODS,
    OPTION_ALONE,
    OPTION_COUNT,
};

static const argument_option option_table[OPTION_COUNT] = {
    RETURNS_TABLE,
    [OPTION_OVER] = {"--over", true, true, 0, NULL},
    [OPTION_PERIODS] = {"--periods", true, false, 0, NULL},
    [OPTION_ALONE] = {"--alone", false, false, 0, NULL},
};

typedef struct basin_job {
    returns_job base;
    carom_basin_request request;
    carom_basin basin;
    const char *axis[CAROM_BASIN_AXES_MAX]; /* names */
    carom_override *over;
    int over_count;
} basin_job;

/* ---- reading the command line --------------------------------------------------------------------------- */

static bool read_axes(basin_job *job)
{
    arguments *given = &job->base.arguments;
    const int count = given->option[OPTION_OVER].count;
    if (count == 0) {
        report_usage(&command_basin,
                     "--over says which starts, such as --over q:x=0:2:256 --over v:x=-1:1:256");
        return false;
    }
    if (count > CAROM_BASIN_AXES_MAX) {
        report_usage(&command_basin, "%d times --over: a basin has one or two axes", count);
        return false;
    }
    if (!read_assignments(&command_basin, given, &given->option[OPTION_OVER], &job->over_count, &job->over))
        return false;
    for (int i = 0; i < count; i++) {
        job->axis[i] = job->over[i].name;
        if (!read_range(&command_basin, &job->over[i], "q:x=0:2:256", &job->request.axis[i].from,
                        &job->request.axis[i].to, &job->request.axis[i].count))
            return false;
        for (int k = 0; k < job->base.set_count; k++)
            if (strcmp(job->base.set[k].name, job->axis[i]) == 0) {
                report_usage(&command_basin, "'%s' is in --set and in --over: leave one out", job->axis[i]);
                return false;
            }
    }
    if (count == 2 && strcmp(job->axis[0], job->axis[1]) == 0) {
        report_usage(&command_basin, "both axes are '%s': vary two different things", job->axis[0]);
        return false;
    }
    job->request.axis_count = count;
    return true;
}

static bool read_command_line(returns_job *base, int argc, char **argv)
{
    basin_job *job = (basin_job *)base;
    return returns_read(&command_basin, &job->base, argc, argv) && read_axes(job) &&
           read_whole(&command_basin, &job->base.arguments.option[OPTION_PERIODS], 1, 100000000,
                      &job->request.periods);
}

/* ---- the basin ---------------------------------------------------------------------------------------------- */

static carom_status find_axis(const carom_model *model, const char *name, carom_basin_axis *axis,
                              carom_error *error)
{
    if (strncmp(name, "q:", 2) == 0 || strncmp(name, "v:", 2) == 0) {
        const int place = carom_model_state_place(model, name, error);
        if (place < 0)
            return CAROM_BAD_INPUT;
        axis->kind = name[0] == 'q' ? CAROM_BASIN_POSITION : CAROM_BASIN_VELOCITY;
        axis->index = name[0] == 'q' ? place : place - carom_model_positions(model);
        return CAROM_OK;
    }
    axis->kind = CAROM_BASIN_PARAMETER;
    axis->index = carom_model_find_parameter(model, name);
    if (axis->index >= 0)
        return CAROM_OK;
    carom_text list = {0};
    for (int i = 0; i < model->parameters; i++)
        if (!model->parameter[i].computed)
            carom_text_append(&list, ", %s", model->parameter[i].name);
    carom_fail(error, CAROM_BAD_INPUT,
               "'%s' is no axis: starts are q:NAME and v:NAME, such as q:%s; parameters of the model: %s",
               name, model->coordinate[0], list.bytes ? list.bytes + 2 : "none");
    carom_text_free(&list);
    return CAROM_BAD_INPUT;
}

static carom_status run_job(returns_job *base, carom_error *error)
{
    basin_job *job = (basin_job *)base;
    carom_basin_request *request = &job->request;
    carom_status status = returns_load(base, error);
    for (int i = 0; status == CAROM_OK && i < request->axis_count; i++)
        status = find_axis(base->experiment->model, job->axis[i], &request->axis[i], error);
    if (status == CAROM_OK)
        status = returns_open_journal(base, error);
    if (status != CAROM_OK)
        return status;
    request->returns = base->returns;
    request->longest = base->longest;
    request->tolerance = base->tolerance;
    request->threads = base->threads;
    request->alone = has_option(&base->arguments, OPTION_ALONE);
    request->workers = base->workers;
    if (base->kept.journal) {
        request->recall = basin_journal_recall;
        request->keep = basin_journal_keep;
        request->keep_context = &base->kept;
    }
    request->progress = returns_begin(base, "blocks");
    status = returns_is_dry(base) ? carom_basin_try(request, &base->trial, error)
                                  : carom_basin_run(request, &job->basin, error);
    returns_end(base);
    return status;
}

/* ---- what comes out ------------------------------------------------------------------------------------------ */

static basin_output output_of(const basin_job *job)
{
    return (basin_output){job->base.experiment, &job->basin, {job->axis[0], job->axis[1]}};
}

/* Motions that fail are a class of their own: a basin is done when all cells are. */
static void print(const returns_job *base, bool complete, bool json)
{
    const basin_output output = output_of((const basin_job *)base);
    if (json)
        print_basin_json(&output, carom_status_word(complete ? CAROM_OK : CAROM_INTERRUPTED));
    else
        print_basin_text(&output);
}

static carom_status write_table(FILE *stream, const returns_job *base, carom_error *error)
{
    const basin_job *job = (const basin_job *)base;
    return carom_basin_write_csv(stream, job->axis, &job->basin, error);
}

static carom_status write_file(const char *path, const returns_job *base, carom_error *error)
{
    const basin_job *job = (const basin_job *)base;
    return carom_basin_write_file(path, base->experiment, job->axis, &job->basin, error);
}

static carom_status draw(const char *directory, const returns_job *base, carom_error *error)
{
    const basin_output output = output_of((const basin_job *)base);
    return draw_basin(&output, directory, error);
}

static int report_cells(const returns_job *base)
{
    const basin_job *job = (const basin_job *)base;
    const carom_basin *basin = &job->basin;
    int done = 0;
    for (int i = 0; i < CAROM_BASIN_ENDS; i++)
        done += basin->ends[i];
    if (!has_option(&job->base.arguments, RETURNS_QUIET))
        fprintf(stderr, "%d cells in %.3g s with %d thread%s\n", done, basin->wall_seconds, basin->threads,
                plural(basin->threads));
    if (basin->ends[CAROM_BASIN_FAILED] > 0 && basin->message[0])
        fprintf(stderr, "carom: %d of %d motions failed; the first: %s\n", basin->ends[CAROM_BASIN_FAILED],
                basin->cells, basin->message);
    return basin->ends[CAROM_BASIN_FAILED] == basin->cells ? EXIT_COMPUTATION_FAILED : EXIT_DONE;
}

static void free_result(returns_job *base)
{
    carom_basin_free(&((basin_job *)base)->basin);
}

static const returns_course course = {.read = read_command_line,
                                      .run = run_job,
                                      .print = print,
                                      .write_table = write_table,
                                      .write_file = write_file,
                                      .draw = draw,
                                      .picture = "basin",
                                      .report = report_cells,
                                      .free = free_result};

static int resume_basin(int argc, char **argv, resumed_command *from)
{
    basin_job job = {.base.from = from};
    return returns_execute(&course, &job.base, argc, argv);
}

static carom_status follow_basin(int argc, char **argv, const resumed_command *from,
                                 const carom_workers *workers, carom_error *error)
{
    basin_job job = {.base = {.followed = from, .workers = workers}};
    return returns_follow(&course, &job.base, argc, argv, error);
}

static int run_basin(int argc, char **argv)
{
    return resume_basin(argc, argv, NULL);
}

const command command_basin = {
    .name = "basin",
    .usage = "carom basin EXPERIMENT|MODEL.lua --over q:x=A:B:N [--over v:x=A:B:N] [--periods K] [--json] "
             "[--plot DIR] ...",
    .summary = "where motions end up, over starts or parameters: attractors, their shares, a map",
    .help = "  --over NAME=A:B:N    N values from A to B of a start, q:NAME or v:NAME, or of a parameter; "
            "once or twice\n"
            "  --periods K          periods that a motion has to settle; default 200\n" RETURNS_HELP_MOTION
            "  --alone              motions one after the other, not several side by side; the same numbers, "
            "slower\n"
            "  --csv FILE           a line per cell (- is stdout)\n"
            "  --out FILE.h5        the same as HDF5\n"
            "  --plot DIR           draw basin.png, .svg, .pdf into DIR: a map with a colour per "
            "attractor\n" RETURNS_HELP_OUTPUT "\n"
            "A basin to a file that is stopped or killed loses no finished cells: carom resume FILE goes on. "
            "(FILE: that of\n"
            "--csv, or of --out when there is no --csv.)\n"
            "\n"
            "examples\n"
            "  carom basin oscillators/impact --set w=2.6 --over q:x=0:2:256 --over v:x=-2:2:256 --plot "
            "pictures\n"
            "  carom basin oscillators/impact --over w=2:4:400 --over v:x=-2:2:200 --periods 100 --json\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_basin,
    .resume = resume_basin,
    .follow = follow_basin,
};
