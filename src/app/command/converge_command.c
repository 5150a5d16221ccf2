/* carom converge: runs a model with several schemes and steps and tells how fast the errors fall. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "app/command_pages.h"
#include "app/converge_output.h"
#include "app/crew.h"
#include "app/resumed.h"
#include "app/trial_output.h"
#include "app/unit_journal.h"
#include "carom/io/convergence.h"

enum {
    OPTION_SCHEMES,
    OPTION_H,
    OPTION_REFERENCE,
    OPTION_REFERENCE_SCHEME,
    OPTION_REFERENCE_H,
    OPTION_QUANTITY,
    OPTION_UNTIL,
    OPTION_SET,
    OPTION_OPTION,
    OPTION_VARIANT,
    OPTION_JSON,
    OPTION_OUT,
    OPTION_PLOT,
    OPTION_QUIET,
    OPTION_REPORT,
    OPTION_THREADS,
    OPTION_NO_TIMES,
    OPTION_DRY_RUN,
    OPTION_COUNT,
};

static const argument_option option_table[OPTION_COUNT] = {
    [OPTION_SCHEMES] = {"--schemes", true, false, 0, NULL},
    [OPTION_H] = {"--h", true, false, 0, NULL},
    [OPTION_REFERENCE] = {"--reference", true, false, 0, NULL},
    [OPTION_REFERENCE_SCHEME] = {"--reference-scheme", true, false, 0, NULL},
    [OPTION_REFERENCE_H] = {"--reference-h", true, false, 0, NULL},
    [OPTION_QUANTITY] = {"--quantity", true, true, 0, NULL},
    [OPTION_UNTIL] = {"--until", true, false, 0, NULL},
    [OPTION_SET] = {"--set", true, true, 0, NULL},
    [OPTION_OPTION] = {"--option", true, true, 0, NULL},
    [OPTION_VARIANT] = {"--variant", true, false, 0, NULL},
    [OPTION_JSON] = {"--json", false, false, 0, NULL},
    [OPTION_OUT] = {"--out", true, false, 0, NULL, WRITES_FILE},
    [OPTION_PLOT] = {"--plot", true, false, 0, NULL, WRITES_FOLDER},
    [OPTION_QUIET] = {"--quiet", false, false, 0, NULL},
    [OPTION_REPORT] = {"--report", true, false, 0, NULL, WRITES_FILE},
    [OPTION_THREADS] = {"--threads", true, false, 0, NULL},
    [OPTION_NO_TIMES] = {"--no-times", false, false, 0, NULL},
    [OPTION_DRY_RUN] = {"--dry-run", false, false, 0, NULL},
};

/* Everything of one `carom converge`, so that it is freed in one place. */
typedef struct converge_job {
    arguments arguments;
    int set_count;
    carom_override *set;
    carom_convergence_request request;
    carom_experiment *experiment;
    carom_convergence study;
    const resumed_command *model; /* where the model is; NULL: in its file */
    resumed_command *from;        /* what was stopped, of carom resume */
    unit_journal kept;
    int argc; /* as they were given */
    char **argv;
} converge_job;

/* ---- reading the command line ------------------------------------------------------------------ */

static bool read_steps(converge_job *job)
{
    const char *given = value_of(&job->arguments, OPTION_H);
    if (!given) {
        report_usage(&command_converge, "--h needs at least two step sizes, such as 0.01,0.005");
        return false;
    }
    int count = 0;
    const char **word = split_list(job->arguments.arena, given, &count);
    double *h = carom_arena_take(job->arguments.arena, (size_t)count, sizeof *h);
    if (!word || !h)
        return false;
    for (int i = 0; i < count; i++)
        if (!carom_parse_number(word[i], &h[i])) {
            report_usage(&command_converge, "--h needs step sizes such as 0.01,0.005; got '%s'", word[i]);
            return false;
        }
    job->request.h = h;
    job->request.h_count = count;
    return true;
}

static bool read_schemes(converge_job *job)
{
    const char *given = value_of(&job->arguments, OPTION_SCHEMES);
    if (!given)
        return true; /* the model's own, once it is read */
    job->request.scheme = split_list(job->arguments.arena, given, &job->request.scheme_count);
    return job->request.scheme != NULL;
}

static bool read_reference(converge_job *job)
{
    const char *given = value_of(&job->arguments, OPTION_REFERENCE);
    int kind = CAROM_REFERENCE_FINE;
    while (given && reference_word[kind] && strcmp(given, reference_word[kind]) != 0)
        kind++;
    if (!reference_word[kind]) {
        report_usage(&command_converge, "--reference is exact, event-driven or fine; got '%s'", given);
        return false;
    }
    job->request.reference = (carom_reference_kind)kind;
    job->request.reference_scheme = value_of(&job->arguments, OPTION_REFERENCE_SCHEME);
    const bool of_fine = job->request.reference_scheme || value_of(&job->arguments, OPTION_REFERENCE_H);
    if (kind != CAROM_REFERENCE_FINE && of_fine) {
        report_usage(&command_converge, "--reference-scheme and --reference-h belong to --reference fine");
        return false;
    }
    return parse_time_option(&command_converge, &job->arguments.option[OPTION_REFERENCE_H],
                             &job->request.reference_h);
}

static bool read_command_line(converge_job *job, int argc, char **argv)
{
    job->request.until = job->request.reference_h = NAN;
    job->argc = argc;
    job->argv = argv;
    if (!parse_arguments(&command_converge, argc, argv, &job->arguments))
        return false;
    if (job->arguments.positional_count != 1) {
        report_usage(&command_converge, job->arguments.positional_count == 0
                                            ? "which experiment or model file?"
                                            : "one experiment or model file at a time");
        return false;
    }
    carom_option *scheme_option = NULL;
    if (!read_steps(job) || !read_schemes(job) || !read_reference(job) ||
        !parse_time_option(&command_converge, &job->arguments.option[OPTION_UNTIL], &job->request.until) ||
        !read_assignments(&command_converge, &job->arguments, &job->arguments.option[OPTION_SET],
                          &job->set_count, &job->set) ||
        !read_scheme_options(&command_converge, &job->arguments, &job->arguments.option[OPTION_OPTION],
                             &scheme_option) ||
        !read_whole(&command_converge, &job->arguments.option[OPTION_THREADS], 1, 256, &job->request.threads))
        return false;
    job->request.no_times = has_option(&job->arguments, OPTION_NO_TIMES);
    job->request.option = scheme_option;
    job->request.quantity = job->arguments.option[OPTION_QUANTITY].value;
    job->request.quantity_count = job->arguments.option[OPTION_QUANTITY].count;
    return true;
}

/* ---- the study ---------------------------------------------------------------------------------- */

static carom_status load_model(converge_job *job, carom_error *error)
{
    const resumed_command *model = job->from ? job->from : job->model;
    carom_status status;
    if (model) {
        status = resumed_load(model, job->set_count, job->set, &job->experiment, error);
        if (status == CAROM_OK)
            status = carom_experiment_compute(job->experiment, (carom_progress){0}, error);
    } else {
        status = load_motion(job->arguments.positional[0], value_of(&job->arguments, OPTION_VARIANT),
                             job->set_count, job->set, &job->experiment, error);
    }
    if (status != CAROM_OK)
        return status;
    job->request.experiment = job->experiment;
    if (job->request.scheme_count == 0 && job->experiment->scheme) {
        job->request.scheme = (const char *const *)&job->experiment->scheme;
        job->request.scheme_count = 1;
    }
    return CAROM_OK;
}

/* Beside --out, where that is a plain file. */
static carom_status open_journal(converge_job *job, carom_error *error)
{
    const char *out = value_of(&job->arguments, OPTION_OUT);
    carom_status status = out ? carom_output_try(out, error) : CAROM_OK;
    if (status == CAROM_OK && out && is_plain_target(out))
        status = journal_for("--out", out, job->from, job->argc, job->argv, job->experiment, NULL,
                             &job->kept.journal, error);
    if (job->kept.journal) {
        job->request.keep = unit_journal_keep;
        job->request.recall = unit_journal_recall;
        job->request.keep_context = &job->kept;
    }
    return status;
}

/* The journal stays where there is something to go on with. */
static void close_journal(converge_job *job, bool done)
{
    if (job->kept.journal && !done)
        fprintf(stderr, "carom: carom resume %s goes on with what is missing\n",
                value_of(&job->arguments, OPTION_OUT));
    unit_journal_close(&job->kept, done);
}

static carom_status write_table(const converge_job *job, carom_error *error)
{
    carom_output *output = NULL;
    carom_status status = carom_output_open(value_of(&job->arguments, OPTION_OUT), false, &output, error);
    if (status != CAROM_OK)
        return status;
    status =
        carom_convergence_write_csv(carom_output_stream(output), &job->study, job->request.quantity, error);
    if (status == CAROM_OK)
        return carom_output_commit(output, error);
    carom_output_discard(output);
    return status;
}

/* Why runs failed, each reason beside its scheme and step. */
static void report_failures(const carom_convergence *study)
{
    for (int i = 0; i < study->scheme_count; i++)
        for (int k = 0; k < study->h_count; k++) {
            const carom_converged_run *run = &study->scheme[i].run[k];
            if (run->status == CAROM_FAILED)
                fprintf(stderr, "carom: %s with h = %.6g: %s\n", study->scheme[i].scheme->name, study->h[k],
                        run->message);
        }
}

static carom_status show(const converge_job *job, bool complete, carom_error *error)
{
    const converge_output output = {job->experiment, &job->study, job->request.quantity};
    const bool quiet = job->arguments.option[OPTION_QUIET].count > 0;
    const char *directory = value_of(&job->arguments, OPTION_PLOT);
    if (job->arguments.option[OPTION_JSON].count > 0)
        print_convergence_json(&output);
    else if (!quiet)
        print_convergence_text(&output);
    report_failures(&job->study);
    /* a table that is not complete takes the place of nothing */
    carom_status status =
        complete && value_of(&job->arguments, OPTION_OUT) ? write_table(job, error) : CAROM_OK;
    if (status == CAROM_OK && directory)
        status = draw_convergence(&output, directory, error);
    if (status == CAROM_OK && directory && !quiet)
        fprintf(stderr, "picture: %s/convergence.png (and .svg, .pdf, .gp, .dat)\n", directory);
    const char *report = value_of(&job->arguments, OPTION_REPORT);
    if (status == CAROM_OK && report)
        status = page_of_convergence(&output, job->argc, job->argv, report, error);
    if (status == CAROM_OK && report && !quiet)
        fprintf(stderr, "report: %s\n", report);
    return status;
}

static int execute(converge_job *job)
{
    carom_error error = {0};
    const char *report = value_of(&job->arguments, OPTION_REPORT);
    carom_status status = report ? carom_page_check(report, &error) : CAROM_OK;
    if (status == CAROM_OK)
        status = load_model(job, &error);
    if (status == CAROM_OK)
        status = open_journal(job, &error);
    if (status == CAROM_OK)
        status = crew_for(job->argc, job->argv, job->experiment, &job->request.workers, &error);
    if (status != CAROM_OK) {
        unit_journal_close(&job->kept, !job->from);
        return report_error(&error);
    }
    job->request.progress = progress_begin(job->arguments.option[OPTION_QUIET].count > 0, "steps");
    status = carom_converge(&job->request, &job->study, &error);
    progress_end();
    if (status != CAROM_OK && status != CAROM_INTERRUPTED) {
        unit_journal_close(&job->kept, status == CAROM_BAD_INPUT && !job->from);
        return report_error(&error);
    }
    carom_error drawing = {0};
    const carom_status shown = show(job, status == CAROM_OK, &drawing);
    close_journal(job, status == CAROM_OK && shown == CAROM_OK);
    if (status != CAROM_OK)
        return report_error(&error);
    if (shown != CAROM_OK)
        return report_error(&drawing);
    if (carom_convergence_has_order(&job->study))
        return EXIT_DONE;
    fprintf(stderr, "carom: no order could be fitted: fewer than two runs of each scheme have an error above "
                    "rounding\n");
    return EXIT_COMPUTATION_FAILED;
}

static int dry_run(converge_job *job)
{
    carom_error error = {0};
    carom_survey_trial trial = {0};
    memory_before before = memory_now();
    carom_status status = load_model(job, &error);
    job->request.progress = progress_begin(has_option(&job->arguments, OPTION_QUIET), "steps");
    if (status == CAROM_OK)
        status = carom_converge_try(&job->request, &trial, &error);
    progress_end();
    if (status != CAROM_OK)
        return report_error(&error);
    const int threads = job->request.threads > 0 ? job->request.threads : 1;
    print_trial(&trial, &before, threads, has_option(&job->arguments, OPTION_JSON));
    return EXIT_DONE;
}

static void free_job(converge_job *job)
{
    carom_convergence_free(&job->study);
    carom_experiment_free(job->experiment);
    free_arguments(&job->arguments);
}

static int resume_converge(int argc, char **argv, resumed_command *from)
{
    converge_job job = {.from = from};
    int exit_status = EXIT_BAD_INPUT;
    if (read_command_line(&job, argc, argv))
        exit_status = has_option(&job.arguments, OPTION_DRY_RUN) ? dry_run(&job) : execute(&job);
    free_job(&job);
    return exit_status;
}

static int run_converge(int argc, char **argv)
{
    return resume_converge(argc, argv, NULL);
}

static carom_status follow_converge(int argc, char **argv, const resumed_command *from,
                                    const carom_workers *workers, carom_error *error)
{
    converge_job job = {.model = from};
    carom_status status = read_command_line(&job, argc, argv)
                              ? load_model(&job, error)
                              : carom_fail(error, CAROM_BAD_INPUT, "its command line does not read here");
    job.request.workers = workers;
    if (status == CAROM_OK)
        status = carom_converge(&job.request, &job.study, error);
    free_job(&job);
    return status;
}

const command command_converge = {
    .name = "converge",
    .usage = "carom converge EXPERIMENT|MODEL.lua --h H1,H2,... [--schemes A,B,...] "
             "[--reference exact|event-driven|fine] [--json] [--plot DIR] ...",
    .summary = "errors of schemes against the step, and their orders",
    .help =
        "  --h H1,H2,...            step sizes, at least two\n"
        "  --schemes A,B,...        time discretisations (carom list schemes); default: the model's\n"
        "  --reference fine         compare with a run of 1/16 of the smallest step (default)\n"
        "  --reference event-driven compare with the scheme of that name\n"
        "  --reference exact        compare with record { exact_x = ... } of the model, x a coordinate\n"
        "  --reference-scheme NAME  scheme of the fine reference; default: the first of --schemes\n"
        "  --reference-h H          step of the fine reference\n"
        "  --quantity NAME          also the error of this record of the model (repeat for more)\n"
        "  --until T                end time\n"
        "  --set name=value         give a parameter another value (repeat for more)\n"
        "  --option name=value      option of the schemes that know it, such as theta=1\n"
        "  --variant NAME           variant of the model file\n"
        "  --out FILE.csv           the errors as a table, a line per run; what is stopped or killed on the "
        "way goes\n"
        "                           on with carom resume FILE.csv, and runs that have ended are not made "
        "again\n"
        "  --plot DIR               draw the errors against h into DIR (convergence.png, .svg, .gp)\n"
        "  --report FILE.html       a page with the errors, their slopes and all runs\n"
        "  --json                   one JSON object on stdout instead of the tables\n"
        "  --quiet                  no tables, no progress line\n"
        "  --threads N              runs computed at a time; default: 1, so that their times can be "
        "compared\n"
        "  --no-times               seconds are 0 in all that is written: it depends on the motions alone\n"
        "  --dry-run                how many runs, memory and time it will take, from one run that is timed\n"
        "\n"
        "examples\n"
        "  carom converge ball.lua --h 0.01,0.005,0.0025 --until 1\n"
        "  carom converge spring.lua --schemes moreau-jean,inel --h 0.02,0.01,0.005 --reference exact\n"
        "  carom converge moreau-1986/trial-04 --h 4e-3,2e-3,1e-3,5e-4 --plot pictures\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_converge,
    .resume = resume_converge,
    .follow = follow_converge,
};
