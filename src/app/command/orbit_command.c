/* carom orbit: a periodic motion of a model with given impacts and period, and whether it is stable. */
#include <stdio.h>
#include <string.h>

#include "app/command_pages.h"
#include "app/orbit_output.h"

enum {
    OPTION_SET = ORBIT_START_OPTIONS,
    OPTION_VARIANT,
    OPTION_VERIFY,
    OPTION_PERTURB,
    OPTION_PLOT,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_REPORT,
    OPTION_COUNT,
};

static const argument_option option_table[OPTION_COUNT] = {
    ORBIT_START_TABLE,
    [OPTION_SET] = {"--set", true, true, 0, NULL},
    [OPTION_VARIANT] = {"--variant", true, false, 0, NULL},
    [OPTION_VERIFY] = {"--verify", true, false, 0, NULL},
    [OPTION_PERTURB] = {"--perturb", true, false, 0, NULL},
    [OPTION_PLOT] = {"--plot", true, false, 0, NULL, WRITES_PICTURE},
    [OPTION_JSON] = {"--json", false, false, 0, NULL},
    [OPTION_QUIET] = {"--quiet", false, false, 0, NULL},
    [OPTION_REPORT] = {"--report", true, false, 0, NULL, WRITES_FILE},
};

/* Everything of one `carom orbit`, so that it is freed in one place. */
typedef struct orbit_job {
    arguments arguments;
    int set_count;
    carom_override *set;
    carom_find_request request;
    int periods;
    double offset;
    picture_place picture;
    orbit_subject subject;
    carom_found_orbit found;
    carom_orbit_return verified;
    int argc; /* as they were given */
    char **argv;
} orbit_job;

/* ---- reading the command line ----------------------------------------------------------------------- */

static bool check_given(const orbit_job *job)
{
    if (!orbit_one_model(&command_orbit, &job->arguments))
        return false;
    if (value_of(&job->arguments, OPTION_PERTURB) && !value_of(&job->arguments, OPTION_VERIFY)) {
        report_usage(&command_orbit, "--perturb is for --verify");
        return false;
    }
    return true;
}

static bool read_command_line(orbit_job *job, int argc, char **argv)
{
    const command *self = &command_orbit;
    return parse_arguments(self, argc, argv, &job->arguments) && check_given(job) &&
           read_assignments(self, &job->arguments, &job->arguments.option[OPTION_SET], &job->set_count,
                            &job->set) &&
           orbit_read_start(self, &job->arguments, &job->request) &&
           read_whole(self, &job->arguments.option[OPTION_VERIFY], 1, 1000000, &job->periods) &&
           read_finite(self, &job->arguments.option[OPTION_PERTURB], &job->offset) &&
           read_picture_place(self, &job->arguments, &job->arguments.option[OPTION_PLOT], self->name,
                              &job->picture);
}

/* ---- the work --------------------------------------------------------------------------------------- */

static carom_status find(orbit_job *job, carom_error *error)
{
    carom_status status =
        orbit_subject_load(job->arguments.positional[0], value_of(&job->arguments, OPTION_VARIANT),
                           job->set_count, job->set, &job->subject, error);
    if (status == CAROM_OK)
        status = orbit_read_impacts(job->subject.model, job->arguments.arena,
                                    value_of(&job->arguments, ORBIT_IMPACTS), &job->request.impacts, error);
    if (status == CAROM_OK)
        status = orbit_find(job->subject.model, &job->request, &job->found, error);
    if (status == CAROM_OK && job->periods > 0 && job->found.found)
        status = carom_find_verify(job->subject.model, &job->found, job->periods, job->offset, &job->verified,
                                   error);
    return status;
}

static int execute(orbit_job *job)
{
    carom_error error = {0};
    const char *report = value_of(&job->arguments, OPTION_REPORT);
    if ((report && carom_page_check(report, &error) != CAROM_OK) || find(job, &error) != CAROM_OK)
        return report_error(&error);
    const bool quiet = job->arguments.option[OPTION_QUIET].count > 0;
    const orbit_output output = {job->subject.model, &job->found,
                                 job->periods > 0 && job->found.found ? &job->verified : NULL};
    if (job->arguments.option[OPTION_JSON].count > 0)
        print_orbit_json(&output);
    else if (!quiet)
        print_orbit_text(&output);
    const bool failed = !job->found.is_motion || orbit_leaves(&output);
    print_orbit_failure(&output);
    if (job->picture.name && job->found.found) {
        if (draw_orbit(&output, &job->picture, &error) != CAROM_OK)
            return report_error(&error);
        report_picture(&job->picture, quiet);
    }
    if (report) {
        if (page_of_orbit(job->subject.experiment, &output, job->argc, job->argv, report, &error) != CAROM_OK)
            return report_error(&error);
        if (!quiet)
            fprintf(stderr, "report: %s\n", report);
    }
    return failed ? EXIT_COMPUTATION_FAILED : EXIT_DONE;
}

static int run_orbit(int argc, char **argv)
{
    orbit_job job = {.argc = argc, .argv = argv};
    int exit_status = EXIT_BAD_INPUT;
    if (read_command_line(&job, argc, argv))
        exit_status = execute(&job);
    carom_orbit_return_free(&job.verified);
    carom_found_orbit_free(&job.found);
    orbit_subject_free(&job.subject);
    free_arguments(&job.arguments);
    return exit_status;
}

const command command_orbit = {
    .name = "orbit",
    .usage = "carom orbit EXPERIMENT|MODEL.lua --impacts SPEC [--period T] [--verify N] [--json] [--plot "
             "FILE] ...",
    .summary = "a periodic motion with impacts, and whether it is stable",
    .help =
        "  --period T           after which time the motion returns. Of a driven model it is that of what "
        "drives it,\n"
        "                       or a multiple of it; anything else is refused\n"
        "  --periods N          the motion of a driven model returns after N of its periods; default 1\n"
        "  --impacts SPEC       what is struck in one period:\n"
        "                         wall                 contact wall, once\n"
        "                         wall,wall            twice, at times to be found\n"
        "                         left@0,right@0.5     left at 0, right at half the period\n"
        "                         none                 nothing (driven models; the default without "
        "contacts)\n"
        "  --flights A,B,...    guess of the times from each impact to the next, one per impact\n"
        "  --guess linear|run   where shooting starts: the motion of the model linearised at its rest, or a\n"
        "                       run from its initial state to the first impact; default: what works.\n"
        "                       Given for a linear model, it is solved by shooting, too\n"
        "  --settle N           let that run go on for N periods before (for driven models)\n"
        "  --pick N             of several motions the N-th\n"
        "  --set name=value     another value for a parameter (repeat for more)\n"
        "  --variant NAME       variant of the model file\n"
        "  --verify N           follow the motion for N periods by the event-driven scheme; tells how far "
        "it\n"
        "                       is from itself after each (all in --json); exit status 1 when it leaves\n"
        "  --perturb D          ... with D added to each coordinate at the start\n"
        "  --plot FILE          picture FILE.svg and .png (FILE ends in one of these): motion over a\n"
        "                       period, phase portrait, multipliers beside the unit circle\n"
        "  --report FILE.html   a page with these, and the motion moving\n"
        "  --json               one JSON object on stdout instead of the text\n"
        "  --quiet              no text\n"
        "\n"
        "Linear models (constant mass, forces linear in the position alone, flat obstacles) are solved in\n"
        "closed form or as a boundary value problem, any other by shooting. What conserves energy needs\n"
        "restitution 1. A solution that passes through an obstacle is shown and marked NOT a motion; the\n"
        "exit status is 1 then.\n"
        "\n"
        "examples\n"
        "  carom orbit chain.lua --period 4.4 --impacts wall --verify 100\n"
        "  carom orbit chain.lua --period 3.83 --impacts wall,wall --plot two.svg\n"
        "  carom orbit ring.lua --period 4.712 --impacts wall0@0,wall3@0.5 --json\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_orbit,
};
