/* carom continue: follows a periodic motion over a parameter or its period, to where the branch ends. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/orbit_output.h"

enum {
    OPTION_PARAM = ORBIT_START_OPTIONS,
    OPTION_FROM,
    OPTION_TO,
    OPTION_FREQUENCY,
    OPTION_POINTS,
    OPTION_STEP,
    OPTION_THROUGH,
    OPTION_SET,
    OPTION_VARIANT,
    OPTION_CSV,
    OPTION_PLOT,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_COUNT,
};

static const argument_option option_table[OPTION_COUNT] = {
    ORBIT_START_TABLE,
    [OPTION_PARAM] = {"--param", true, false, 0, NULL},
    [OPTION_FROM] = {"--from", true, false, 0, NULL},
    [OPTION_TO] = {"--to", true, false, 0, NULL},
    [OPTION_FREQUENCY] = {"--frequency", true, false, 0, NULL},
    [OPTION_POINTS] = {"--points", true, false, 0, NULL},
    [OPTION_STEP] = {"--step", true, false, 0, NULL},
    [OPTION_THROUGH] = {"--through", false, false, 0, NULL},
    [OPTION_SET] = {"--set", true, true, 0, NULL},
    [OPTION_VARIANT] = {"--variant", true, false, 0, NULL},
    [OPTION_CSV] = {"--csv", true, false, 0, NULL},
    [OPTION_PLOT] = {"--plot", true, false, 0, NULL},
    [OPTION_JSON] = {"--json", false, false, 0, NULL},
    [OPTION_QUIET] = {"--quiet", false, false, 0, NULL},
};

/* Everything of one `carom continue`, so that it is freed in one place. */
typedef struct continue_job {
    arguments arguments;
    argument_option option[OPTION_COUNT];
    int set_count;
    carom_override *set; /* with the start value of the parameter */
    const char *parameter;
    bool over_period;
    double from, to, step;
    int points;
    orbit_request request;
    picture_place picture;
    orbit_subject subject;
    found_orbit start;
    carom_shooting *shooting;
    carom_branch branch;
} continue_job;

static const char *value_of(const continue_job *job, int option)
{
    return orbit_text(&job->option[option]);
}

/* ---- reading the command line ----------------------------------------------------------------------- */

static bool check_given(const continue_job *job)
{
    static const struct {
        int option;
        const char *why;
    } needed[] = {
        {OPTION_PARAM, "--param says what changes: a parameter of the model, or period"},
        {OPTION_FROM, "--from says where --param starts"},
        {OPTION_TO, "--to says where --param ends"},
        {ORBIT_IMPACTS, "--impacts says what is struck in one period, such as --impacts wall"},
    };
    if (!orbit_one_model(&command_continue, &job->arguments))
        return false;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!value_of(job, needed[i].option)) {
            report_usage(&command_continue, "%s", needed[i].why);
            return false;
        }
    const char *csv = value_of(job, OPTION_CSV);
    if (csv && strcmp(csv, "-") == 0 && job->option[OPTION_JSON].count > 0) {
        report_usage(&command_continue, "--json and --csv - both want stdout; give --csv a file");
        return false;
    }
    return true;
}

static bool check_period(continue_job *job)
{
    job->parameter = value_of(job, OPTION_PARAM);
    job->over_period = strcmp(job->parameter, "period") == 0;
    if (job->over_period && value_of(job, ORBIT_PERIOD)) {
        report_usage(&command_continue, "--param period goes from --from to --to: leave out --period");
        return false;
    }
    if (job->over_period && !(job->from > 0.0 && job->to > 0.0)) {
        report_usage(&command_continue, "a period is above 0; got --from %g --to %g", job->from, job->to);
        return false;
    }
    if (!job->over_period && !value_of(job, ORBIT_PERIOD)) {
        report_usage(&command_continue,
                     "--period says after which time the motion returns, such as --period 4.4");
        return false;
    }
    if (job->from == job->to) {
        report_usage(&command_continue, "--from and --to are both %g: nothing to follow", job->from);
        return false;
    }
    if (job->over_period)
        job->request.period = job->from;
    return true;
}

/* The start value of the parameter is set like those of --set, so that the model is checked with it. */
static bool set_start(continue_job *job)
{
    for (int i = 0; i < job->set_count; i++)
        if (strcmp(job->set[i].name, job->parameter) == 0) {
            report_usage(&command_continue, "'%s' is in --set and in --param: leave one out", job->parameter);
            return false;
        }
    carom_override *all = carom_arena_take(job->arguments.arena, (size_t)job->set_count + 1, sizeof *all);
    char value[40];
    snprintf(value, sizeof value, "%.17g", job->from);
    if (!all)
        return false;
    for (int i = 0; i < job->set_count; i++)
        all[i] = job->set[i];
    job->set = all;
    if (job->over_period)
        return true;
    all[job->set_count].name = carom_arena_copy_text(job->arguments.arena, job->parameter);
    all[job->set_count].value = carom_arena_copy_text(job->arguments.arena, value);
    job->set_count++;
    return all[job->set_count - 1].name && all[job->set_count - 1].value;
}

static bool read_command_line(continue_job *job, int argc, char **argv)
{
    const command *self = &command_continue;
    argument_option *option = job->option;
    memcpy(option, option_table, sizeof option_table);
    job->points = 400;
    return parse_arguments(self, argc, argv, OPTION_COUNT, option, &job->arguments) && check_given(job) &&
           read_assignments(self, &job->arguments, &option[OPTION_SET], &job->set_count, &job->set) &&
           orbit_read_finite(self, &option[OPTION_FROM], &job->from) &&
           orbit_read_finite(self, &option[OPTION_TO], &job->to) &&
           orbit_read_start(self, &job->arguments, option, &job->request) &&
           orbit_read_whole(self, &option[OPTION_POINTS], 2, 1000000, &job->points) &&
           orbit_read_positive(self, &option[OPTION_STEP], &job->step) &&
           read_picture_place(self, &job->arguments, &option[OPTION_PLOT], self->name, &job->picture) &&
           check_period(job) && set_start(job);
}

/* ---- the branch ------------------------------------------------------------------------------------- */

static carom_status find_parameter(const continue_job *job, const char *name, int *parameter,
                                   carom_error *error)
{
    const carom_model *model = job->subject.model;
    *parameter = carom_model_find_parameter(model, name);
    if (*parameter >= 0 && !model->parameter[*parameter].integer)
        return CAROM_OK;
    if (*parameter >= 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "parameter '%s' is a whole number: nothing can be followed over it", name);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "'%s' is no parameter of %s that changes continuously; carom show %s lists them", name,
                      job->subject.experiment->name, job->subject.experiment->name);
}

/* How the motion is followed, whatever way its start was found. */
static void choose_form(continue_job *job)
{
    const orbit_subject *subject = &job->subject;
    if (strcmp(job->start.method, "shooting") == 0)
        return;
    /* A linear model conserves energy; motions with one impact of it are symmetric in time. */
    job->start.kind = subject->model->conservative && job->start.impacts == 1 ? CAROM_SHOOT_SYMMETRIC
                                                                              : CAROM_SHOOT_CONSERVATIVE;
}

static carom_status find_start(continue_job *job, carom_error *error)
{
    carom_status status = orbit_subject_load(job->arguments.positional[0], value_of(job, OPTION_VARIANT),
                                             job->set_count, job->set, &job->subject, error);
    if (status == CAROM_OK)
        status =
            orbit_impacts_read(&job->subject, value_of(job, ORBIT_IMPACTS), &job->request.impacts, error);
    for (int i = 1; status == CAROM_OK && i < job->request.impacts.count; i++)
        if (job->request.impacts.phase[i] == job->request.impacts.phase[i - 1])
            status =
                carom_fail(error, CAROM_BAD_INPUT,
                           "--impacts: two contacts are struck at one instant, phase %g: carom orbit finds "
                           "such motions, but only those with impacts apart are followed",
                           job->request.impacts.phase[i]);
    if (status == CAROM_OK)
        status = orbit_find(&job->subject, &job->request, &job->start, error);
    if (status == CAROM_OK && !job->start.is_motion && job->option[OPTION_THROUGH].count == 0)
        status = carom_fail(error, CAROM_FAILED, "at the start, %s = %.10g: %s", job->parameter, job->from,
                            job->start.verdict);
    else if (status == CAROM_OK && !job->start.found)
        status = carom_fail(error, CAROM_FAILED, "at the start: %s", job->start.verdict);
    return status;
}

/* A restitution that the parameter changes ends the conservation of energy, which the equations rely on. */
static carom_status check_restitution(const continue_job *job, int parameter, carom_error *error)
{
    const orbit_subject *subject = &job->subject;
    carom_contact_frame frame = subject->frame;
    double *value = subject->experiment->parameter, worst = 1.0;
    const int places = 4;
    int contact = 0;
    for (int k = 1; k <= places; k++) {
        value[parameter] = job->from + (job->to - job->from) * k / places;
        subject->model->ops->bind(subject->work, value);
        for (int i = 0; i < job->request.impacts.count; i++) {
            subject->model->ops->frame(subject->work, job->request.impacts.contact[i], subject->t0,
                                       subject->q0, &frame);
            if (frame.restitution != 1.0) {
                worst = frame.restitution;
                contact = job->request.impacts.contact[i];
            }
        }
    }
    value[parameter] = job->from;
    subject->model->ops->bind(subject->work, value);
    if (!subject->model->conservative || worst == 1.0)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "on the way of '%s' the restitution of '%s' becomes %g and nothing in the model feeds energy "
        "in: no motion returns there",
        job->parameter, subject->model->contact[contact].name, worst);
}

static carom_branch_options make_options(const continue_job *job)
{
    carom_branch_options options = carom_branch_defaults();
    const double range = fabs(job->to - job->from);
    options.parameter_min = fmin(job->from, job->to);
    options.parameter_max = fmax(job->from, job->to);
    options.points_max = job->points;
    options.through = job->option[OPTION_THROUGH].count > 0;
    options.arclength.direction = job->to > job->from ? 1.0 : -1.0;
    options.arclength.step = 0.02;
    options.arclength.step_max = 0.05;
    if (job->step > 0.0)
        options.arclength.step = options.arclength.step_max = fmin(1.0, job->step / range);
    return options;
}

static carom_status follow(continue_job *job, carom_error *error)
{
    int parameter = CAROM_SHOOT_PERIOD, frequency = -1;
    carom_status status = find_start(job, error);
    if (status == CAROM_OK && !job->over_period)
        status = find_parameter(job, job->parameter, &parameter, error);
    if (status == CAROM_OK && !job->over_period)
        status = check_restitution(job, parameter, error);
    if (status == CAROM_OK && value_of(job, OPTION_FREQUENCY))
        status = find_parameter(job, value_of(job, OPTION_FREQUENCY), &frequency, error);
    if (status != CAROM_OK)
        return status;
    choose_form(job);
    status = orbit_shooting_problem(&job->subject, &job->start, frequency, &job->shooting, error);
    if (status != CAROM_OK)
        return status;
    carom_branch_options options = make_options(job);
    options.progress = progress_begin(job->option[OPTION_QUIET].count > 0, "units");
    carom_shot shot = {.q = job->start.q,
                       .v = job->start.v,
                       .flight = job->start.flight,
                       .t0 = job->start.t0,
                       .period = job->start.period};
    status = orbit_follow(job->shooting, parameter, &shot, &options, &job->branch, error);
    progress_end();
    return status;
}

/* ---- what comes out --------------------------------------------------------------------------------- */

static carom_status show(const continue_job *job, carom_error *error)
{
    const branch_output output = {&job->subject, &job->start, &job->branch, job->parameter};
    const char *csv = value_of(job, OPTION_CSV);
    const bool quiet = job->option[OPTION_QUIET].count > 0;
    if (job->option[OPTION_JSON].count > 0)
        print_branch_json(&output);
    else if (!quiet && !(csv && strcmp(csv, "-") == 0))
        print_branch_text(&output);
    carom_status status = csv ? write_branch_csv(&output, csv, error) : CAROM_OK;
    if (status == CAROM_OK && job->picture.name) {
        status = draw_branch(&output, &job->picture, error);
        if (status == CAROM_OK && !quiet)
            fprintf(stderr, "picture: %s/%s.png (and .svg, .gp, .dat)\n", job->picture.directory,
                    job->picture.name);
    }
    return status;
}

static int execute(continue_job *job)
{
    carom_error error = {0}, showing = {0};
    const carom_status status = follow(job, &error);
    if (job->branch.count == 0)
        return report_error(&error);
    const carom_status shown = show(job, &showing);
    if (status != CAROM_OK)
        return report_error(&error);
    if (shown != CAROM_OK)
        return report_error(&showing);
    if (job->branch.end == CAROM_END_LOST) {
        fprintf(stderr, "carom: %s\n", job->branch.text);
        return EXIT_COMPUTATION_FAILED;
    }
    return EXIT_DONE;
}

static int run_continue(int argc, char **argv)
{
    continue_job job = {0};
    int exit_status = EXIT_BAD_INPUT;
    if (read_command_line(&job, argc, argv))
        exit_status = execute(&job);
    carom_branch_free(&job.branch);
    carom_shooting_free(job.shooting);
    orbit_subject_free(&job.subject);
    free_arguments(&job.arguments);
    return exit_status;
}

const command command_continue = {
    .name = "continue",
    .usage =
        "carom continue EXPERIMENT|MODEL.lua --param NAME|period --from A --to B --impacts SPEC [--period T] "
        "[--csv FILE] [--json] [--plot FILE] ...",
    .summary = "a periodic motion over a parameter, to where its branch ends",
    .help =
        "  --param NAME         what changes: a parameter of the model, or period\n"
        "  --from A, --to B     where it starts and ends; the branch may turn back on the way\n"
        "  --impacts SPEC       what is struck in one period (carom help orbit)\n"
        "  --period T           after which time the motion returns (not with --param period)\n"
        "  --flights, --guess, --settle, --pick   for the motion at the start, as for carom orbit\n"
        "  --frequency NAME     of a driven model: parameter with the circular frequency, which the period\n"
        "                       follows (T is the nearest multiple of 2 pi / frequency)\n"
        "  --points N           at most so many points; default 400\n"
        "  --step S             largest step of the parameter; default: a twentieth of the range\n"
        "  --through            go on where the solutions pass through an obstacle\n"
        "  --set name=value     another value for a parameter (repeat for more)\n"
        "  --variant NAME       variant of the model file\n"
        "  --csv FILE           a line per point with its state (- is stdout)\n"
        "  --plot FILE          picture FILE.svg and .png: energy and largest multiplier, stable parts "
        "solid,\n"
        "                       unstable ones dashed\n"
        "  --json               one JSON object on stdout instead of the table\n"
        "  --quiet              no table\n"
        "\n"
        "Pseudo-arclength: folds are passed. Ends and changes of stability are located. Ends are range (of\n"
        "the parameter), points, junction (a gap touches zero between impacts), graze (an impact loses its\n"
        "speed), sticking (a flight vanishes), energy (it grows without bound), lost (exit status 1).\n"
        "\n"
        "examples\n"
        "  carom continue chain.lua --param period --from 4.4 --to 3.5 --impacts wall --plot branch.svg\n"
        "  carom continue chain.lua --param eps --from 0 --to 1 --period 4.4 --impacts wall --csv "
        "branch.csv\n",
    .run = run_continue,
};
