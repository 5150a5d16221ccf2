/* carom bifurcation: what a motion settles to over a parameter, as points seen once per period or at impacts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "returns_job.h"

enum {
    OPTION_PARAM = RETURNS_OPTIONS,
    OPTION_FROM,
    OPTION_TO,
    OPTION_POINTS,
    OPTION_ITERATES,
    OPTION_SKIP,
    OPTION_DOWN,
    OPTION_BOTH,
    OPTION_RESTART,
    OPTION_START,
    OPTION_SECTION,
    OPTION_WAIT,
    OPTION_SHOW,
    OPTION_COUNT,
};

static const argument_option option_table[OPTION_COUNT] = {
    RETURNS_TABLE,
    [OPTION_PARAM] = {"--param", true, false, 0, NULL},
    [OPTION_FROM] = {"--from", true, false, 0, NULL},
    [OPTION_TO] = {"--to", true, false, 0, NULL},
    [OPTION_POINTS] = {"--points", true, false, 0, NULL},
    [OPTION_ITERATES] = {"--iterates", true, false, 0, NULL},
    [OPTION_SKIP] = {"--skip", true, false, 0, NULL},
    [OPTION_DOWN] = {"--down", false, false, 0, NULL},
    [OPTION_BOTH] = {"--both", false, false, 0, NULL},
    [OPTION_RESTART] = {"--restart", false, false, 0, NULL},
    [OPTION_START] = {"--start", true, true, 0, NULL},
    [OPTION_SECTION] = {"--section", true, false, 0, NULL},
    [OPTION_WAIT] = {"--wait", true, false, 0, NULL},
    [OPTION_SHOW] = {"--show", true, false, 0, NULL},
};

enum {
    SHOWN_MAX = 3
};

typedef struct bifurcation_job {
    returns_job base;
    carom_diagram_request request;
    carom_diagram diagram;
    int shown_count, *shown;
    const char *section; /* contact; NULL: once per period */
} bifurcation_job;

/* ---- reading the command line --------------------------------------------------------------------------- */

static bool check_given(const bifurcation_job *job)
{
    static const struct {
        int option;
        const char *why;
    } needed[] = {{OPTION_PARAM, "--param says which parameter varies, such as --param w"},
                  {OPTION_FROM, "--from says where --param starts"},
                  {OPTION_TO, "--to says where --param ends"},
                  {OPTION_POINTS, "--points says how many values it has, such as --points 400"}};
    const arguments *given = &job->base.arguments;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!value_of(given, needed[i].option)) {
            report_usage(&command_bifurcation, "%s", needed[i].why);
            return false;
        }
    if (has_option(given, OPTION_DOWN) && has_option(given, OPTION_BOTH)) {
        report_usage(&command_bifurcation, "--down goes one way and --both goes two: leave one out");
        return false;
    }
    if (has_option(given, OPTION_RESTART) &&
        (has_option(given, OPTION_DOWN) || has_option(given, OPTION_BOTH))) {
        report_usage(&command_bifurcation,
                     "--restart begins anew at every value: it has no direction, so leave out %s",
                     has_option(given, OPTION_DOWN) ? "--down" : "--both");
        return false;
    }
    const char *parameter = value_of(given, OPTION_PARAM);
    for (int i = 0; i < job->base.set_count; i++)
        if (strcmp(job->base.set[i].name, parameter) == 0) {
            report_usage(&command_bifurcation, "'%s' is in --set and in --param: leave one out", parameter);
            return false;
        }
    return true;
}

static bool read_command_line(returns_job *base, int argc, char **argv)
{
    bifurcation_job *job = (bifurcation_job *)base;
    const command *self = &command_bifurcation;
    const argument_option *option = NULL;
    carom_diagram_request *request = &job->request;
    int skip = 200;
    if (!returns_read(self, &job->base, argc, argv))
        return false;
    option = job->base.arguments.option;
    if (!check_given(job) || !read_finite(self, &option[OPTION_FROM], &request->from) ||
        !read_finite(self, &option[OPTION_TO], &request->to) ||
        !read_whole(self, &option[OPTION_POINTS], 1, 10000000, &request->points) ||
        !read_whole(self, &option[OPTION_ITERATES], 1, 1000000, &request->iterates) ||
        !read_whole(self, &option[OPTION_SKIP], 0, WHOLE_MOST, &skip) ||
        !read_positive(self, &option[OPTION_WAIT], &job->base.returns.wait))
        return false;
    request->skip = skip == 0 ? CAROM_DIAGRAM_NO_SKIP : skip;
    request->parameter = value_of(&job->base.arguments, OPTION_PARAM);
    request->down =
        has_option(&job->base.arguments, OPTION_DOWN) || has_option(&job->base.arguments, OPTION_BOTH);
    request->up = !has_option(&job->base.arguments, OPTION_DOWN);
    request->restart = has_option(&job->base.arguments, OPTION_RESTART);
    if (request->points > 1 && request->from == request->to) {
        report_usage(self, "--from and --to are both %g: nothing varies", request->from);
        return false;
    }
    const char *section = value_of(&job->base.arguments, OPTION_SECTION);
    job->section = section && strcmp(section, "period") != 0 ? section : NULL;
    if (value_of(&job->base.arguments, OPTION_WAIT) && !job->section) {
        report_usage(self, "--wait is for --section CONTACT: how long an impact may keep a motion waiting");
        return false;
    }
    return true;
}

/* ---- what needs the model ---------------------------------------------------------------------------------- */

/* A course begins where its --start says; what it does not name is the experiment's own start. */
static carom_status read_starts(bifurcation_job *job, carom_error *error)
{
    arguments *given = &job->base.arguments;
    const argument_option *option = &given->option[OPTION_START];
    const carom_model *model = job->base.experiment->model;
    const size_t positions = (size_t)carom_model_positions(model), width = positions + (size_t)model->dof;
    if (option->count == 0)
        return CAROM_OK;
    carom_returns *returns = NULL;
    carom_status status = carom_returns_create(&job->base.returns, (carom_stop){0}, &returns, error);
    if (status != CAROM_OK)
        return status;
    carom_diagram_start *start = carom_arena_take(given->arena, (size_t)option->count, sizeof *start);
    for (int i = 0; status == CAROM_OK && i < option->count; i++) {
        double *state = start ? carom_arena_take(given->arena, width, sizeof *state) : NULL;
        int count = 0;
        const char **word = state ? split_list(given->arena, option->value[i], &count) : NULL;
        if (!word) {
            status = carom_fail_memory(error);
            break;
        }
        carom_returns_origin(returns, state, state + positions);
        for (int k = 0; status == CAROM_OK && k < count; k++) {
            carom_override set = {0};
            if (!split_assignment(&command_bifurcation, given, option->name, word[k], &set)) {
                status = carom_fail(error, CAROM_BAD_INPUT, "a start is q:NAME=VALUE,v:NAME=VALUE,...");
                break;
            }
            const int place = carom_model_state_place(model, set.name, error);
            if (place < 0)
                status = CAROM_BAD_INPUT;
            else if (!carom_parse_number(set.value, &state[place]) || !isfinite(state[place]))
                status = carom_fail(error, CAROM_BAD_INPUT,
                                    "--start %s=%s: the value must be a finite number", set.name, set.value);
        }
        if (start)
            start[i] = (carom_diagram_start){state, state + positions};
    }
    job->request.start = start;
    job->request.start_count = option->count;
    carom_returns_free(returns);
    return status;
}

static carom_status read_section(bifurcation_job *job, carom_error *error)
{
    const carom_model *model = job->base.experiment->model;
    if (!job->section)
        return CAROM_OK;
    job->base.returns.at_impact = true;
    job->base.returns.contact = carom_model_find_contact(model, job->section);
    if (job->base.returns.contact >= 0)
        return CAROM_OK;
    const char **name = carom_new_array((size_t)model->contacts + 1, sizeof *name);
    if (!name)
        return carom_fail_memory(error);
    for (int i = 0; i < model->contacts; i++)
        name[i] = model->contact[i].name;
    name[model->contacts] = "period";
    const carom_status status =
        carom_fail_unknown("section", job->section, name, (size_t)model->contacts + 1, error);
    free(name);
    return status;
}

/* What the picture shows: --show, or positions; at impacts, where a gap is 0 anyway, velocities. */
static carom_status read_shown(bifurcation_job *job, carom_error *error)
{
    arguments *given = &job->base.arguments;
    const carom_model *model = job->base.experiment->model;
    const char *shown = value_of(given, OPTION_SHOW);
    int count = job->section ? model->dof : carom_model_positions(model);
    const int first = job->section ? carom_model_positions(model) : 0;
    const char **word = shown ? split_list(given->arena, shown, &count) : NULL;
    if (!shown && count > SHOWN_MAX)
        count = SHOWN_MAX;
    job->shown = carom_arena_take(given->arena, (size_t)count, sizeof *job->shown);
    if (!job->shown || (shown && !word))
        return carom_fail_memory(error);
    job->shown_count = count;
    for (int i = 0; i < count; i++) {
        job->shown[i] = shown ? carom_model_state_place(model, word[i], error) : first + i;
        if (job->shown[i] < 0)
            return CAROM_BAD_INPUT;
    }
    return CAROM_OK;
}

static carom_status run_job(returns_job *base, carom_error *error)
{
    bifurcation_job *job = (bifurcation_job *)base;
    carom_diagram_request *request = &job->request;
    carom_status status = returns_load(base, error);
    if (status == CAROM_OK)
        status = read_section(job, error);
    if (status == CAROM_OK)
        status = read_shown(job, error);
    if (status == CAROM_OK)
        status = read_starts(job, error);
    if (status == CAROM_OK)
        status = returns_open_journal(base, error);
    if (status != CAROM_OK)
        return status;
    request->returns = base->returns;
    request->longest = base->longest;
    request->tolerance = base->tolerance;
    request->threads = base->threads;
    request->workers = base->workers;
    if (base->kept.journal) {
        request->recall = diagram_journal_recall;
        request->keep = diagram_journal_keep;
        request->keep_context = &base->kept;
    }
    request->progress = returns_begin(base, "values");
    status = returns_is_dry(base) ? carom_diagram_try(request, &base->trial, error)
                                  : carom_diagram_run(request, &job->diagram, error);
    returns_end(base);
    return status;
}

/* ---- what comes out ------------------------------------------------------------------------------------------ */

static const char *status_of(const bifurcation_job *job, bool complete)
{
    const carom_diagram_point *first;
    return complete ? carom_status_word(count_failed_values(&job->diagram, &first) ? CAROM_FAILED : CAROM_OK)
                    : carom_status_word(CAROM_INTERRUPTED);
}

static diagram_output output_of(const bifurcation_job *job)
{
    return (diagram_output){job->base.experiment, &job->diagram,    job->request.parameter,
                            job->section,         job->shown_count, job->shown};
}

static void print(const returns_job *base, bool complete, bool json)
{
    const bifurcation_job *job = (const bifurcation_job *)base;
    const diagram_output output = output_of(job);
    if (json)
        print_diagram_json(&output, status_of(job, complete));
    else
        print_diagram_text(&output);
}

static carom_status write_table(FILE *stream, const returns_job *base, carom_error *error)
{
    const bifurcation_job *job = (const bifurcation_job *)base;
    return carom_diagram_write_csv(stream, job->request.parameter, &job->diagram, error);
}

static carom_status write_file(const char *path, const returns_job *base, carom_error *error)
{
    const bifurcation_job *job = (const bifurcation_job *)base;
    return carom_diagram_write_file(path, base->experiment, job->request.parameter, &job->diagram, error);
}

static carom_status draw(const char *directory, const returns_job *base, carom_error *error)
{
    const diagram_output output = output_of((const bifurcation_job *)base);
    return draw_diagram(&output, directory, error);
}

static int report_values(const returns_job *base)
{
    const bifurcation_job *job = (const bifurcation_job *)base;
    const carom_diagram *diagram = &job->diagram;
    const carom_diagram_point *first;
    const int failed = count_failed_values(diagram, &first), all = diagram->courses * diagram->points;
    int done = 0;
    for (int i = 0; i < all; i++)
        done += diagram->point[i].done;
    if (!has_option(&job->base.arguments, RETURNS_QUIET))
        fprintf(stderr, "%d value%s in %.3g s with %d thread%s\n", done, plural(done), diagram->wall_seconds,
                diagram->threads, plural(diagram->threads));
    if (failed == 0)
        return EXIT_DONE;
    fprintf(stderr, "carom: %d of %d values did not return; the first, %s = %.10g: %s%s%s\n", failed, all,
            job->request.parameter, first->value, carom_return_word(first->end),
            first->message[0] ? ": " : "", first->message);
    return EXIT_COMPUTATION_FAILED;
}

static void free_result(returns_job *base)
{
    carom_diagram_free(&((bifurcation_job *)base)->diagram);
}

static const returns_course course = {.read = read_command_line,
                                      .run = run_job,
                                      .print = print,
                                      .write_table = write_table,
                                      .write_file = write_file,
                                      .draw = draw,
                                      .picture = "bifurcation",
                                      .report = report_values,
                                      .free = free_result};

static int resume_bifurcation(int argc, char **argv, resumed_command *from)
{
    bifurcation_job job = {.base.from = from};
    return returns_execute(&course, &job.base, argc, argv);
}

static carom_status follow_bifurcation(int argc, char **argv, const resumed_command *from,
                                       const carom_workers *workers, carom_error *error)
{
    bifurcation_job job = {.base = {.followed = from, .workers = workers}};
    return returns_follow(&course, &job.base, argc, argv, error);
}

static int run_bifurcation(int argc, char **argv)
{
    return resume_bifurcation(argc, argv, NULL);
}

const command command_bifurcation = {
    .name = "bifurcation",
    .usage = "carom bifurcation EXPERIMENT|MODEL.lua --param NAME --from A --to B --points N [--both] "
             "[--iterates K] "
             "[--json] [--plot DIR] ...",
    .summary = "what a motion settles to over a parameter: points seen once per period, or at impacts",
    .help =
        "  --param NAME         parameter that varies\n"
        "  --from A, --to B     its first and last value\n"
        "  --points N           values in all, ends included\n"
        "  --iterates K         looks that are kept at each value; default 100\n"
        "  --skip K             looks before them, for the motion to settle; default 200\n"
        "  --down, --both       from B to A; up and down, each a course of its own\n"
        "  --restart            begin anew at every value; default: where the value before ended\n"
        "  --start q:x=1,v:x=0  where a course begins; what is left out is the model's (repeat for more)\n"
        "  --section CONTACT    look at every impact of a contact, after it; period (default): once per "
        "period\n"
        "  --wait T             with --section CONTACT: longest time without an impact; default 1000 "
        "periods\n"
        "  --show q:x,v:x       what the picture shows; default: positions, with --section CONTACT "
        "velocities\n" RETURNS_HELP_MOTION "  --csv FILE           a line per look (- is stdout)\n"
        "  --out FILE.h5        the same as HDF5\n"
        "  --plot DIR           draw bifurcation.png, .svg, .pdf into DIR\n" RETURNS_HELP_OUTPUT "\n"
        "A diagram to a file that is stopped or killed loses no finished value: carom resume FILE goes on. "
        "(FILE: that\n"
        "of --csv, or of --out when there is no --csv.)\n"
        "\n"
        "examples\n"
        "  carom bifurcation oscillators/impact --param w --from 2.3 --to 3 --points 800 --plot pictures\n"
        "  carom bifurcation oscillators/impact --param w --from 2.5 --to 3.6 --points 400 --both --out "
        "diagram.h5\n"
        "  carom bifurcation oscillators/impact --param e --from 0.3 --to 0.9 --points 200 --section wall "
        "--show v:x\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_bifurcation,
    .resume = resume_bifurcation,
    .follow = follow_bifurcation,
};
