/* carom modes: all periodic motions of a linear model against one contact, over a range of periods. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/command_pages.h"
#include "app/orbit_output.h"

enum {
    OPTION_IMPACTS,
    OPTION_STICKING,
    OPTION_PERIODS,
    OPTION_POINTS,
    OPTION_SET,
    OPTION_VARIANT,
    OPTION_PLOT,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_REPORT,
    OPTION_COUNT,
};

static const argument_option option_table[OPTION_COUNT] = {
    [OPTION_IMPACTS] = {"--impacts", true, false, 0, NULL},
    [OPTION_STICKING] = {"--sticking", false, false, 0, NULL},
    [OPTION_PERIODS] = {"--periods", true, false, 0, NULL},
    [OPTION_POINTS] = {"--points", true, false, 0, NULL},
    [OPTION_SET] = {"--set", true, true, 0, NULL},
    [OPTION_VARIANT] = {"--variant", true, false, 0, NULL},
    [OPTION_PLOT] = {"--plot", true, false, 0, NULL, WRITES_PICTURE},
    [OPTION_JSON] = {"--json", false, false, 0, NULL},
    [OPTION_QUIET] = {"--quiet", false, false, 0, NULL},
    [OPTION_REPORT] = {"--report", true, false, 0, NULL, WRITES_FILE},
};

/* Everything of one `carom modes`, so that it is freed in one place. */
typedef struct modes_job {
    arguments arguments;
    int set_count;
    carom_override *set;
    carom_mode_survey_request request;
    picture_place picture;
    orbit_subject subject;
    carom_mode_basis *basis;
    carom_mode_survey survey;
    int argc; /* as they were given */
    char **argv;
} modes_job;

/* ---- reading the command line ----------------------------------------------------------------------- */

static bool read_impacts(modes_job *job)
{
    const char *text = value_of(&job->arguments, OPTION_IMPACTS);
    int count = 0;
    const char **word = split_list(job->arguments.arena, text ? text : "1", &count);
    if (!word)
        return false;
    for (int i = 0; i < count; i++) {
        double number = 0.0;
        if (!carom_parse_number(word[i], &number) || (number != 1.0 && number != 2.0 && number != 3.0)) {
            report_usage(
                &command_modes,
                "--impacts needs numbers of impacts per period, of 1, 2 and 3, such as 1,2; got '%s'",
                word[i]);
            return false;
        }
        job->request.impacts[(int)number] = true;
    }
    return true;
}

static bool read_periods(modes_job *job)
{
    const char *text = value_of(&job->arguments, OPTION_PERIODS);
    if (!text)
        return true;
    char *copy = carom_arena_copy_text(job->arguments.arena, text);
    char *colon = copy ? strchr(copy, ':') : NULL;
    if (colon)
        *colon = '\0';
    if (colon && carom_parse_number(copy, &job->request.from) &&
        carom_parse_number(colon + 1, &job->request.to) && job->request.from > 0.0 &&
        job->request.to > job->request.from && isfinite(job->request.to))
        return true;
    report_usage(&command_modes,
                 "--periods needs two periods above 0, the smaller first, such as 1.5:10; got '%s'", text);
    return false;
}

static bool read_command_line(modes_job *job, int argc, char **argv)
{
    const command *self = &command_modes;
    job->request.points = 300;
    return parse_arguments(self, argc, argv, &job->arguments) && orbit_one_model(self, &job->arguments) &&
           read_assignments(self, &job->arguments, &job->arguments.option[OPTION_SET], &job->set_count,
                            &job->set) &&
           read_impacts(job) && read_periods(job) &&
           read_whole(self, &job->arguments.option[OPTION_POINTS], 2, 100000, &job->request.points) &&
           read_picture_place(self, &job->arguments, &job->arguments.option[OPTION_PLOT], self->name,
                              &job->picture);
}

/* ---- the survey ------------------------------------------------------------------------------------- */

static carom_status take_basis(modes_job *job, carom_error *error)
{
    const carom_status status =
        orbit_subject_load(job->arguments.positional[0], value_of(&job->arguments, OPTION_VARIANT),
                           job->set_count, job->set, &job->subject, error);
    return status == CAROM_OK ? carom_mode_basis_of(job->subject.model, &job->basis, error) : status;
}

static carom_status survey(modes_job *job, carom_error *error)
{
    carom_status status = take_basis(job, error);
    if (status != CAROM_OK)
        return status;
    job->request.sticking = job->arguments.option[OPTION_STICKING].count > 0;
    job->request.progress = progress_begin(job->arguments.option[OPTION_QUIET].count > 0, "periods");
    status = carom_survey_modes(job->basis, &job->request, &job->survey, error);
    progress_end();
    return status;
}

static int execute(modes_job *job)
{
    carom_error error = {0};
    const char *report = value_of(&job->arguments, OPTION_REPORT);
    if ((report && carom_page_check(report, &error) != CAROM_OK) || survey(job, &error) != CAROM_OK)
        return report_error(&error);
    const bool quiet = job->arguments.option[OPTION_QUIET].count > 0;
    if (job->arguments.option[OPTION_JSON].count > 0)
        print_modes_json(job->subject.model, &job->survey);
    else if (!quiet)
        print_modes_text(job->subject.model, &job->survey);
    if (report) {
        if (page_of_modes(job->subject.experiment, &job->survey, job->argc, job->argv, report, &error) !=
            CAROM_OK)
            return report_error(&error);
        if (!quiet)
            fprintf(stderr, "report: %s\n", report);
    }
    if (!job->picture.name)
        return EXIT_DONE;
    if (draw_modes(job->subject.model, &job->survey, &job->picture, &error) != CAROM_OK)
        return report_error(&error);
    report_picture(&job->picture, quiet);
    return EXIT_DONE;
}

static int run_modes(int argc, char **argv)
{
    modes_job job = {.argc = argc, .argv = argv};
    int exit_status = EXIT_BAD_INPUT;
    if (read_command_line(&job, argc, argv))
        exit_status = execute(&job);
    carom_mode_survey_free(&job.survey);
    carom_mode_basis_free(job.basis);
    orbit_subject_free(&job.subject);
    free_arguments(&job.arguments);
    return exit_status;
}

const command command_modes = {
    .name = "modes",
    .usage = "carom modes EXPERIMENT|MODEL.lua [--impacts 1,2,3] [--sticking] [--periods A:B] [--json] "
             "[--plot FILE] ...",
    .summary = "periodic motions of a linear model against one contact, by period and energy",
    .help =
        "  --impacts K,...      impacts per period, of 1, 2 and 3 (these symmetric in time); default 1\n"
        "  --sticking           also motions that are symmetric in time with one phase of lasting contact "
        "per\n"
        "                       period: how long they fly and stay, and their energy\n"
        "  --periods A:B        range of periods; default: from 0.4 of the shortest linear period to twice\n"
        "                       the longest\n"
        "  --points N           at most so many points each way from a motion with 2 or 3 impacts; default "
        "300\n"
        "  --set name=value     another value for a parameter (repeat for more)\n"
        "  --variant NAME       variant of the model file\n"
        "  --plot FILE          picture FILE.svg and .png: frequency over energy, stable parts solid, "
        "unstable\n"
        "                       ones dashed, the ends of the branches marked\n"
        "  --report FILE.html   a page with the same\n"
        "  --json               one JSON object on stdout instead of the text, with all points\n"
        "  --quiet              no text\n"
        "\n"
        "Tells the linear modes with the energy at which each grazes, the windows of periods with one "
        "impact\n"
        "and how they end, and the branches with more impacts that a search at 48 periods finds. Windows\n"
        "shorter than a sixtieth of the shortest linear period may be missed: narrow --periods there.\n"
        "\n"
        "examples\n"
        "  carom modes chain.lua\n"
        "  carom modes chain.lua --impacts 1,2,3 --periods 1.5:10 --plot modes.svg\n"
        "  carom modes chain.lua --sticking --json\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_modes,
};
