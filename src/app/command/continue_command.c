/* carom continue: follows a periodic motion over a parameter or its period, to where the branch ends. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/branch_journal.h"
#include "app/command_pages.h"
#include "app/orbit_output.h"
#include "app/resumed.h"
#include "further.h"

enum {
    OPTION_PARAM = ORBIT_START_OPTIONS,
    OPTION_FROM,
    OPTION_TO,
    OPTION_FREQUENCY,
    OPTION_PATTERN,
    OPTION_SWITCHES,
    OPTION_POINTS,
    OPTION_STEP,
    OPTION_THROUGH,
    OPTION_SWITCH,
    OPTION_DEPTH,
    OPTION_LOCUS,
    OPTION_SECOND,
    OPTION_SECOND_TO,
    OPTION_SET,
    OPTION_VARIANT,
    OPTION_CSV,
    OPTION_PLOT,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_REPORT,
    OPTION_COUNT,
};

static const argument_option option_table[OPTION_COUNT] = {
    ORBIT_START_TABLE,
    [OPTION_PARAM] = {"--param", true, false, 0, NULL},
    [OPTION_FROM] = {"--from", true, false, 0, NULL},
    [OPTION_TO] = {"--to", true, false, 0, NULL},
    [OPTION_FREQUENCY] = {"--frequency", true, false, 0, NULL},
    [OPTION_PATTERN] = {"--pattern", false, false, 0, NULL},
    [OPTION_SWITCHES] = {"--switches", true, false, 0, NULL},
    [OPTION_POINTS] = {"--points", true, false, 0, NULL},
    [OPTION_STEP] = {"--step", true, false, 0, NULL},
    [OPTION_THROUGH] = {"--through", false, false, 0, NULL},
    [OPTION_SWITCH] = {"--switch", true, false, 0, NULL},
    [OPTION_DEPTH] = {"--depth", true, false, 0, NULL},
    [OPTION_LOCUS] = {"--locus", true, false, 0, NULL},
    [OPTION_SECOND] = {"--second", true, false, 0, NULL},
    [OPTION_SECOND_TO] = {"--second-to", true, false, 0, NULL},
    [OPTION_SET] = {"--set", true, true, 0, NULL},
    [OPTION_VARIANT] = {"--variant", true, false, 0, NULL},
    [OPTION_CSV] = {"--csv", true, false, 0, NULL, WRITES_FILE},
    [OPTION_PLOT] = {"--plot", true, false, 0, NULL, WRITES_PICTURE},
    [OPTION_JSON] = {"--json", false, false, 0, NULL},
    [OPTION_QUIET] = {"--quiet", false, false, 0, NULL},
    [OPTION_REPORT] = {"--report", true, false, 0, NULL, WRITES_FILE},
};

/* Everything of one `carom continue`, so that it is freed in one place. */
typedef struct continue_job {
    arguments arguments;
    int set_count;
    carom_override *set; /* with the start value of the parameter */
    const char *parameter;
    bool over_period, by_pattern;
    int switches; /* of the pattern */
    double from, to, step;
    int points;
    carom_find_request request;
    picture_place picture;
    orbit_subject subject;
    carom_found_orbit start;
    carom_branch branch;
    carom_orbit_branch patterns;
    further_request further;
    further_branches more;
    branch_journal kept;      /* beside the table */
    resumed_command *resumed; /* NULL: from the start */
    int argc;                 /* as they were given */
    char **argv;
} continue_job;

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
    };
    if (!orbit_one_model(&command_continue, &job->arguments))
        return false;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!value_of(&job->arguments, needed[i].option)) {
            report_usage(&command_continue, "%s", needed[i].why);
            return false;
        }
    const char *csv = value_of(&job->arguments, OPTION_CSV);
    if (csv && strcmp(csv, "-") == 0 && job->arguments.option[OPTION_JSON].count > 0) {
        report_usage(&command_continue, "--json and --csv - both want stdout; give --csv a file");
        return false;
    }
    return true;
}

static bool check_pattern(continue_job *job)
{
    static const int refused[] = {OPTION_THROUGH, OPTION_FREQUENCY, ORBIT_FLIGHTS, ORBIT_GUESS, ORBIT_SETTLE};
    job->by_pattern = job->arguments.option[OPTION_PATTERN].count > 0;
    if (!job->by_pattern && value_of(&job->arguments, OPTION_SWITCHES)) {
        report_usage(&command_continue, "--switches is for --pattern");
        return false;
    }
    for (size_t i = 0; job->by_pattern && i < sizeof refused / sizeof *refused; i++)
        if (job->arguments.option[refused[i]].count > 0) {
            report_usage(&command_continue, "--pattern goes without %s: nothing is guessed or passed over",
                         job->arguments.option[refused[i]].name);
            return false;
        }
    return true;
}

/* --switch, --locus and what belongs to them. */
static bool read_further(continue_job *job)
{
    const arguments *given = &job->arguments;
    further_request *to = &job->further;
    const char *locus = value_of(given, OPTION_LOCUS), *wanted = value_of(given, OPTION_SWITCH);
    to->depth = 1;
    to->second = value_of(given, OPTION_SECOND);
    if (!read_whole(&command_continue, &given->option[OPTION_DEPTH], 1, 20, &to->depth) ||
        !read_finite(&command_continue, &given->option[OPTION_SECOND_TO], &to->to))
        return false;
    if (wanted && !further_read_switch(wanted, to)) {
        report_usage(&command_continue, "--switch is flip, branch-point or all; got '%s'", wanted);
        return false;
    }
    if (locus && !further_read_locus(locus, to)) {
        report_usage(&command_continue, "--locus is fold, flip or grazing; got '%s'", locus);
        return false;
    }
    const bool both = to->second && value_of(given, OPTION_SECOND_TO);
    if ((locus && !both) || (!locus && (to->second || value_of(given, OPTION_SECOND_TO)))) {
        report_usage(
            &command_continue,
            "--locus goes with --second NAME and --second-to B: the other parameter, and how far it goes");
        return false;
    }
    if (!wanted && given->option[OPTION_DEPTH].count > 0) {
        report_usage(&command_continue, "--depth is for --switch");
        return false;
    }
    if ((wanted || locus) && given->option[OPTION_PATTERN].count > 0) {
        report_usage(&command_continue,
                     "--pattern goes without --switch and --locus: patterns are followed as they are");
        return false;
    }
    return true;
}

static bool check_period(continue_job *job)
{
    job->parameter = value_of(&job->arguments, OPTION_PARAM);
    job->over_period = strcmp(job->parameter, "period") == 0;
    if (job->over_period && value_of(&job->arguments, ORBIT_PERIOD)) {
        report_usage(&command_continue, "--param period goes from --from to --to: leave out --period");
        return false;
    }
    if (job->over_period && !(job->from > 0.0 && job->to > 0.0)) {
        report_usage(&command_continue, "a period is above 0; got --from %g --to %g", job->from, job->to);
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
    job->points = 400;
    job->argc = argc;
    job->argv = argv;
    return parse_arguments(self, argc, argv, &job->arguments) && check_given(job) &&
           read_assignments(self, &job->arguments, &job->arguments.option[OPTION_SET], &job->set_count,
                            &job->set) &&
           read_finite(self, &job->arguments.option[OPTION_FROM], &job->from) &&
           read_finite(self, &job->arguments.option[OPTION_TO], &job->to) &&
           orbit_read_start(self, &job->arguments, &job->request) &&
           read_whole(self, &job->arguments.option[OPTION_POINTS], 2, 1000000, &job->points) &&
           read_whole(self, &job->arguments.option[OPTION_SWITCHES], 0, 1000, &job->switches) &&
           read_positive(self, &job->arguments.option[OPTION_STEP], &job->step) &&
           read_picture_place(self, &job->arguments, &job->arguments.option[OPTION_PLOT], self->name,
                              &job->picture) &&
           check_pattern(job) && read_further(job) && check_period(job) && set_start(job);
}

/* ---- the branch ------------------------------------------------------------------------------------- */

/* The table, where it is a file. */
static const char *table_file(const continue_job *job)
{
    const char *csv = value_of(&job->arguments, OPTION_CSV);
    return csv && strcmp(csv, "-") != 0 && is_plain_target(csv) ? csv : NULL;
}

static carom_status open_journal(continue_job *job, carom_error *error)
{
    const char *path = table_file(job);
    if (!path)
        return CAROM_OK;
    const carom_status status = carom_output_try(path, error);
    return status == CAROM_OK ? journal_for("--csv", path, job->resumed, job->argc, job->argv,
                                            job->subject.experiment, NULL, &job->kept.journal, error)
                              : status;
}

static carom_status load_subject(continue_job *job, carom_error *error)
{
    carom_status status =
        job->resumed
            ? orbit_subject_resume(job->resumed, job->set_count, job->set, &job->subject, error)
            : orbit_subject_load(job->arguments.positional[0], value_of(&job->arguments, OPTION_VARIANT),
                                 job->set_count, job->set, &job->subject, error);
    if (status == CAROM_OK)
        status = open_journal(job, error);
    if (status == CAROM_OK)
        status = orbit_read_impacts(job->subject.model, job->arguments.arena,
                                    value_of(&job->arguments, ORBIT_IMPACTS), &job->request.impacts, error);
    return status;
}

static carom_status follow(continue_job *job, carom_error *error)
{
    carom_continue_request request = {.from = job->from,
                                      .to = job->to,
                                      .points = job->points,
                                      .step = job->step,
                                      .through = job->arguments.option[OPTION_THROUGH].count > 0};
    const carom_continue_names names = {.parameter = job->parameter,
                                        .frequency = value_of(&job->arguments, OPTION_FREQUENCY),
                                        .pattern = job->by_pattern};
    int frequency = -1;
    carom_status status = load_subject(job, error);
    if (status == CAROM_OK)
        status = orbit_continue_start(job->subject.model, &job->request, &names, &request, &frequency,
                                      &job->start, error);
    if (status == CAROM_OK)
        status = further_check(job->subject.model, &request, &job->further, error);
    if (status != CAROM_OK)
        return status;
    if (further_wanted(&job->further) && request.pattern) /* shooting sees special points */
        request.pattern = false;
    job->by_pattern = request.pattern;
    const carom_branch_memo memo = branch_journal_memo(&job->kept);
    request.memo = job->kept.journal ? &memo : NULL;
    request.progress = progress_begin(job->arguments.option[OPTION_QUIET].count > 0, "units");
    status = job->by_pattern
                 ? carom_continue_pattern(job->subject.model, &job->request, &request, job->switches,
                                          &job->branch, &job->patterns, error)
                 : carom_continue_orbit(job->subject.model, &job->start, &request, &job->branch, error);
    request.memo = NULL;
    if (status == CAROM_OK && further_wanted(&job->further) && !progress_is_stopped())
        status = further_follow(job->subject.model, &job->start, &job->branch, &request, &job->further,
                                &job->more, error);
    progress_end();
    return status;
}

/* ---- what comes out --------------------------------------------------------------------------------- */

static carom_status show(const continue_job *job, bool stopped, carom_error *error)
{
    const branch_output output = {
        job->subject.model, &job->start,     &job->branch,     job->by_pattern ? &job->patterns : NULL,
        job->parameter,     job->more.count, job->more.branch, job->further.second};
    const char *csv = value_of(&job->arguments, OPTION_CSV);
    const bool quiet = job->arguments.option[OPTION_QUIET].count > 0;
    if (job->arguments.option[OPTION_JSON].count > 0)
        print_branch_json(&output);
    else if (!quiet && !(csv && strcmp(csv, "-") == 0))
        print_branch_text(&output);
    const char *table = table_file(job);
    const bool in_the_way = stopped && table && access(table, F_OK) == 0;
    if (in_the_way)
        fprintf(stderr, "carom: %s is as it was\n", csv);
    carom_status status = csv && !in_the_way ? write_branch_csv(&output, csv, error) : CAROM_OK;
    if (status == CAROM_OK && job->picture.name) {
        status = draw_branch(&output, &job->picture, error);
        if (status == CAROM_OK)
            report_picture(&job->picture, quiet);
    }
    const char *report = value_of(&job->arguments, OPTION_REPORT);
    if (status == CAROM_OK && report) {
        status = page_of_branch(job->subject.experiment, &output, job->argc, job->argv, report, error);
        if (status == CAROM_OK && !quiet)
            fprintf(stderr, "report: %s\n", report);
    }
    return status;
}

/* A branch that was interrupted is not complete: its table takes the place of nothing, and its journal stays. */
static int finish_unfinished(continue_job *job)
{
    const char *path = table_file(job);
    if (path)
        fprintf(stderr, "carom: carom resume %s goes on with it\n", path);
    carom_journal_close(job->kept.journal, false);
    job->kept.journal = NULL;
    return EXIT_COMPUTATION_FAILED;
}

static int execute(continue_job *job)
{
    carom_error error = {0}, showing = {0};
    const char *report = value_of(&job->arguments, OPTION_REPORT);
    if (report && carom_page_check(report, &error) != CAROM_OK)
        return report_error(&error);
    const carom_status status = follow(job, &error);
    const bool stopped = progress_is_stopped();
    if (job->branch.count == 0) {
        const int exit_status = report_error(&error);
        return stopped ? finish_unfinished(job) : exit_status;
    }
    const carom_status shown = show(job, stopped, &showing);
    if (stopped) {
        fprintf(stderr, "carom: %s\n", status == CAROM_OK ? job->branch.text : error.text);
        return finish_unfinished(job);
    }
    carom_journal_close(job->kept.journal, shown == CAROM_OK);
    job->kept.journal = NULL;
    if (status != CAROM_OK)
        return report_error(&error);
    if (shown != CAROM_OK)
        return report_error(&showing);
    if (job->branch.end == CAROM_END_LOST)
        fprintf(stderr, "carom: %s\n", job->branch.text);
    if (job->branch.end == CAROM_END_OF_POINTS)
        fprintf(stderr, "carom: %s: the branch goes on; --points N follows it further\n", job->branch.text);
    return job->branch.end == CAROM_END_LOST ? EXIT_COMPUTATION_FAILED : EXIT_DONE;
}

static int resume_continue(int argc, char **argv, resumed_command *from)
{
    continue_job job = {.resumed = from};
    int exit_status = EXIT_BAD_INPUT;
    if (read_command_line(&job, argc, argv))
        exit_status = execute(&job);
    carom_journal_close(job.kept.journal, exit_status == EXIT_BAD_INPUT && !from);
    carom_branch_free(&job.branch);
    further_free(&job.more);
    carom_orbit_branch_free(&job.patterns);
    carom_found_orbit_free(&job.start);
    orbit_subject_free(&job.subject);
    free_arguments(&job.arguments);
    return exit_status;
}

static int run_continue(int argc, char **argv)
{
    return resume_continue(argc, argv, NULL);
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
        "  --period T           after which time the motion returns (not with --param period); of a driven "
        "model it\n"
        "                       is that of what drives it times --periods N, and follows the parameter\n"
        "  --flights, --guess, --settle, --pick   for the motion at the start, as for carom orbit\n"
        "  --frequency NAME     of a driven model whose period cannot be read from its expressions: "
        "parameter with\n"
        "                       the circular frequency, which the period follows (T is the nearest multiple "
        "of\n"
        "                       2 pi / frequency)\n"
        "  --pattern            linear models, impacts at 0 and half the period, also of several contacts at "
        "one\n"
        "                       instant: solved as one linear system per point, by steps of the parameter.\n"
        "                       The default where orbit finds a pattern and no --guess, --flights or "
        "--through\n"
        "                       asks for shooting\n"
        "  --switches N         with --pattern: go on at most N times where a contact begins or ceases to "
        "be\n"
        "                       struck at 0 or half the period; default 0\n"
        "  --points N           at most so many points; default 400\n"
        "  --step S             largest step of the parameter; default: a twentieth of the range (with\n"
        "                       --pattern a hundredth)\n"
        "  --through            go on where the solutions pass through an obstacle\n"
        "  --switch KIND        follow what branches off at flip (with twice the period), branch-point "
        "(where a\n"
        "                       symmetry breaks), or all of them; --depth N: also from there, N times "
        "(default 1)\n"
        "  --locus KIND         follow the first fold, flip or grazing over two parameters: --second NAME "
        "goes from\n"
        "                       its value to --second-to B\n"
        "  --set name=value     another value for a parameter (repeat for more)\n"
        "  --variant NAME       variant of the model file\n"
        "  --csv FILE           a line per point with its state (- is stdout)\n"
        "  --plot FILE          picture FILE.svg and .png: energy and largest multiplier, stable parts "
        "solid,\n"
        "                       unstable ones dashed\n"
        "  --report FILE.html   a page with the branch, its special points and all of its motions\n"
        "  --json               one JSON object on stdout instead of the table\n"
        "  --quiet              no table\n"
        "\n"
        "Pseudo-arclength: folds are passed. Special points are located and named: fold, flip, "
        "branch-point,\n"
        "neimark-sacker, grazing, corner (two contacts at once), sticking, energy-fold, stability. Ends are\n"
        "range (of the parameter), points, junction (a gap touches zero between impacts), graze (an impact "
        "loses its\n"
        "speed), sticking (a flight vanishes), energy (it grows without bound), lost (exit status 1).\n"
        "\n"
        "examples\n"
        "  carom continue chain.lua --param period --from 4.4 --to 3.5 --impacts wall --plot branch.svg\n"
        "  carom continue chain.lua --param eps --from 0 --to 1 --period 4.4 --impacts wall --csv "
        "branch.csv\n"
        "  carom continue ring.lua --param period --from 4.7 --to 2.5 --impacts wall2@0,wall3@0\n"
        "  carom continue driven.lua --param w --from 2.2 --to 3 --impacts wall --switch flip --depth 3\n"
        "  carom continue driven.lua --param w --from 2.2 --to 3 --impacts wall --locus flip --second e "
        "--second-to 0.6\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_continue,
    .resume = resume_continue,
};
