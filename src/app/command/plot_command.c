/* carom plot: draws the pictures of a run file, from the model text that the file carries. */
#include <stdio.h>

#include "app/command.h"
#include "app/gnuplot.h"
#include "app/run_source.h"

enum {
    OPTION_OUTPUT,
    OPTION_COUNT
};

static carom_status plot_file(const char *path, const char *directory, carom_error *error)
{
    run_source run = {0};
    int pictures = 0;
    carom_status status = run_source_open(path, &run, error);
    if (status == CAROM_OK)
        status = plot_render(&run.source, directory, &pictures, error);
    for (int i = 0; status == CAROM_OK && i < run.experiment->plot_count; i++)
        printf("%s/%s.png\n", directory, run.experiment->plot[i].name);
    run_source_close(&run);
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
