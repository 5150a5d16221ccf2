/* carom plot: draws the pictures of a run file, from the model text that the file carries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/gnuplot.h"

enum {
    OPTION_OUTPUT,
    OPTION_COUNT
};

/* The values that outlines and windows of the plots need, for the run's own parameters. */
static double *resolve_values(const carom_experiment *experiment)
{
    double *work = carom_new_array(carom_tape_work_size(experiment->values), sizeof *work);
    double *values = carom_new_array((size_t)carom_tape_outputs(experiment->values), sizeof *values);
    if (work && values) {
        carom_tape_bind(experiment->values, experiment->parameter, work);
        carom_tape_evaluate(experiment->values, work, &(carom_inputs){0}, values);
    }
    free(work);
    return values;
}

static carom_status draw(const carom_run_file *run, const carom_experiment *experiment, const char *directory,
                         carom_error *error)
{
    carom_series *series = carom_arena_take(run->arena, (size_t)run->member_count, sizeof *series);
    carom_event_points *points = carom_arena_take(run->arena, (size_t)run->member_count, sizeof *points);
    const char **label = carom_arena_take(run->arena, (size_t)run->member_count, sizeof *label);
    double *values = resolve_values(experiment);
    if (!series || !points || !label || !values) {
        free(values);
        return carom_fail_memory(error);
    }
    for (int i = 0; i < run->member_count; i++) {
        series[i] = run->member[i].series;
        points[i] = run->member[i].points;
        label[i] = family_label(run->arena, experiment, i);
    }
    int pictures = 0;
    const plot_source source = {.experiment = experiment,
                                .parameter = experiment->parameter,
                                .values = values,
                                .results = experiment->results,
                                .main_series = &run->main.series,
                                .main_points = &run->main.points,
                                .member_count = run->member_count,
                                .member_series = series,
                                .member_points = points,
                                .member_labels = label};
    carom_status status = plot_render(&source, directory, &pictures, error);
    for (int i = 0; status == CAROM_OK && i < experiment->plot_count; i++)
        printf("%s/%s.png\n", directory, experiment->plot[i].name);
    free(values);
    return status;
}

static carom_status plot_file(const char *path, const char *directory, carom_error *error)
{
    carom_run_file *run = NULL;
    carom_status status = read_run_file(path, &run, error);
    if (status != CAROM_OK)
        return status;
    const carom_load_request request = {.name = run->name,
                                        .file = run->file,
                                        .text = run->text,
                                        .variant = run->variant && *run->variant ? run->variant : NULL,
                                        .override_count = run->main.override_count,
                                        .override = run->main.override};
    carom_experiment *experiment = NULL;
    carom_error inner = {0};
    status = carom_experiment_load(&request, &experiment, &inner);
    if (status != CAROM_OK) {
        carom_fail(error, status, "%s: the model in this run file does not read (written by carom %s): %s",
                   path, run->version, inner.text);
    } else if (experiment->model->dof != run->main.series.layout.dof ||
               experiment->model->contacts != run->main.series.layout.contacts ||
               experiment->column_count != run->main.series.layout.columns ||
               run->member_count > experiment->family_size) {
        status =
            carom_fail(error, CAROM_BAD_INPUT, "%s: the rows do not fit the model in the same file", path);
    } else {
        status = carom_experiment_compute(experiment, (carom_progress){0}, error);
        if (status == CAROM_OK)
            status = draw(run, experiment, directory, error);
    }
    carom_experiment_free(experiment);
    carom_run_file_free(run);
    return status;
}

static const argument_option option_table[OPTION_COUNT] = {[OPTION_OUTPUT] = {"-o", true, false, 0, NULL}};

static int run_plot(int argc, char **argv)
{
    arguments given;
    int exit_status = EXIT_BAD_INPUT;
    if (parse_arguments(&command_plot, argc, argv, &given)) {
        carom_error error = {0};
        if (given.positional_count != 1)
            exit_status = report_usage(&command_plot, "which run file?");
        else if (plot_file(given.positional[0],
                           has_option(&given, OPTION_OUTPUT) ? value_of(&given, OPTION_OUTPUT) : ".",
                           &error) != CAROM_OK)
            exit_status = report_error(&error);
        else
            exit_status = EXIT_DONE;
    }
    free_arguments(&given);
    return exit_status;
}

const command command_plot = {
    .name = "plot",
    .usage = "carom plot RUN.h5 [-o DIR]",
    .summary = "draw the pictures of a run file",
    .help = "  -o DIR    where the pictures go (default: here)\n"
            "\n"
            "Each picture comes as .png, .svg and .pdf, with the gnuplot script (.gp) and data (.dat) that "
            "made it.\n"
            "\n"
            "example\n"
            "  carom run moreau-1986/trial-07 --out sphere.h5 && carom plot sphere.h5 -o pictures\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_plot,
};
