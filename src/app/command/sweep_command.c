/* carom sweep: runs an experiment over one or two parameters and shows what its measures become. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command_pages.h"
#include "app/crew.h"
#include "app/jit.h"
#include "app/resumed.h"
#include "app/sweep_journal.h"
#include "app/sweep_output.h"
#include "app/trial_output.h"

enum {
    OPTION_OVER,
    OPTION_MEASURE,
    OPTION_SET,
    OPTION_SCHEME,
    OPTION_H,
    OPTION_UNTIL,
    OPTION_OPTION,
    OPTION_VARIANT,
    OPTION_ACCURACY,
    OPTION_ACCURACY_LIMIT,
    OPTION_ACCURACY_ALONE,
    OPTION_THREADS,
    OPTION_JIT,
    OPTION_CSV,
    OPTION_OUT,
    OPTION_PLOT,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_REPORT,
    OPTION_NO_TIMES,
    OPTION_ALONE,
    OPTION_DRY_RUN,
    OPTION_COUNT,
};

static const argument_option option_table[OPTION_COUNT] = {
    [OPTION_OVER] = {"--over", true, true, 0, NULL},
    [OPTION_MEASURE] = {"--measure", true, false, 0, NULL},
    [OPTION_SET] = {"--set", true, true, 0, NULL},
    [OPTION_SCHEME] = {"--scheme", true, false, 0, NULL},
    [OPTION_H] = {"--h", true, false, 0, NULL},
    [OPTION_UNTIL] = {"--until", true, false, 0, NULL},
    [OPTION_OPTION] = {"--option", true, true, 0, NULL},
    [OPTION_ACCURACY] = {"--accuracy", true, false, 0, NULL},
    [OPTION_ACCURACY_LIMIT] = {"--accuracy-limit", true, false, 0, NULL},
    [OPTION_ACCURACY_ALONE] = {"--accuracy-alone", false, false, 0, NULL},
    [OPTION_VARIANT] = {"--variant", true, false, 0, NULL},
    [OPTION_JIT] = {"--jit", false, false, 0, NULL},
    [OPTION_THREADS] = {"--threads", true, false, 0, NULL},
    [OPTION_CSV] = {"--csv", true, false, 0, NULL, WRITES_FILE},
    [OPTION_OUT] = {"--out", true, false, 0, NULL, WRITES_FILE},
    [OPTION_PLOT] = {"--plot", true, false, 0, NULL, WRITES_FOLDER},
    [OPTION_JSON] = {"--json", false, false, 0, NULL},
    [OPTION_QUIET] = {"--quiet", false, false, 0, NULL},
    [OPTION_REPORT] = {"--report", true, false, 0, NULL, WRITES_FILE},
    [OPTION_NO_TIMES] = {"--no-times", false, false, 0, NULL},
    [OPTION_ALONE] = {"--alone", false, false, 0, NULL},
    [OPTION_DRY_RUN] = {"--dry-run", false, false, 0, NULL},
};

/* Everything of one `carom sweep`, so that it is freed in one place. */
typedef struct sweep_job {
    arguments arguments;
    int set_count;
    carom_override *set;
    bool is_log[CAROM_SWEEP_AXES_MAX];
    carom_sweep_request request;
    carom_accuracy_request accuracy; /* --accuracy */
    carom_experiment *experiment;
    carom_sweep sweep;
    sweep_journal kept;           /* beside the table */
    const resumed_command *model; /* where the model is; NULL: in its file */
    resumed_command *from;        /* NULL: from the start */
    int argc;                     /* as they were given */
    char **argv;
} sweep_job;

static bool is_quiet(const sweep_job *job)
{
    return job->arguments.option[OPTION_QUIET].count > 0;
}

/* ---- reading the command line ------------------------------------------------------------------ */

static bool read_axes(sweep_job *job)
{
    const int count = job->arguments.option[OPTION_OVER].count;
    if (count == 0) {
        report_usage(&command_sweep, "--over says what varies, such as --over e=0:1:11 or --over e=0.2,0.5");
        return false;
    }
    if (count > CAROM_SWEEP_AXES_MAX) {
        report_usage(&command_sweep, "%d times --over: a sweep goes over one or two names", count);
        return false;
    }
    carom_override *over = NULL;
    if (!read_assignments(&command_sweep, &job->arguments, &job->arguments.option[OPTION_OVER],
                          &job->request.axis_count, &over))
        return false;
    for (int i = 0; i < count; i++) {
        job->request.axis[i].name = over[i].name;
        if (!read_sweep_values(&command_sweep, job->arguments.arena, over[i].value, &job->request.axis[i],
                               &job->is_log[i]))
            return false;
    }
    return true;
}

/* A name that is swept cannot have one value for all points. */
static bool check_set(const sweep_job *job)
{
    for (int i = 0; i < job->set_count; i++)
        for (int k = 0; k < job->request.axis_count; k++)
            if (strcmp(job->set[i].name, job->request.axis[k].name) == 0) {
                report_usage(&command_sweep, "'%s' is in --set and in --over: leave one out",
                             job->set[i].name);
                return false;
            }
    return true;
}

static bool read_accuracies(sweep_job *job)
{
    accuracy_wishes wishes = {0};
    if (!read_accuracy(&command_sweep, &job->arguments, &job->arguments.option[OPTION_ACCURACY],
                       &job->arguments.option[OPTION_ACCURACY_LIMIT],
                       &job->arguments.option[OPTION_ACCURACY_ALONE], &wishes))
        return false;
    job->accuracy = (carom_accuracy_request){.relative = wishes.relative,
                                             .wish_count = wishes.count,
                                             .wish = wishes.wish,
                                             .alone = wishes.alone,
                                             .limit = wishes.limit};
    job->request.accuracy = has_option(&job->arguments, OPTION_ACCURACY) ? &job->accuracy : NULL;
    return true;
}

static bool read_outputs(sweep_job *job)
{
    const char *measures = value_of(&job->arguments, OPTION_MEASURE),
               *csv = value_of(&job->arguments, OPTION_CSV);
    if (measures)
        job->request.measure = split_list(job->arguments.arena, measures, &job->request.measure_count);
    if (measures && !job->request.measure)
        return false;
    if (csv && strcmp(csv, "-") == 0 && job->arguments.option[OPTION_JSON].count > 0) {
        report_usage(&command_sweep, "--json and --csv - both want stdout; give --csv a file");
        return false;
    }
    return true;
}

static bool read_command_line(sweep_job *job, int argc, char **argv)
{
    carom_sweep_request *request = &job->request;
    request->h = request->until = NAN;
    job->argc = argc;
    job->argv = argv;
    if (!parse_arguments(&command_sweep, argc, argv, &job->arguments))
        return false;
    if (job->arguments.positional_count != 1) {
        report_usage(&command_sweep, job->arguments.positional_count == 0
                                         ? "which experiment or model file?"
                                         : "one experiment or model file at a time");
        return false;
    }
    carom_option *scheme_option = NULL;
    if (!read_axes(job) ||
        !read_assignments(&command_sweep, &job->arguments, &job->arguments.option[OPTION_SET],
                          &job->set_count, &job->set) ||
        !check_set(job) ||
        !read_scheme_options(&command_sweep, &job->arguments, &job->arguments.option[OPTION_OPTION],
                             &scheme_option) ||
        !parse_time_option(&command_sweep, &job->arguments.option[OPTION_H], &request->h) ||
        !parse_time_option(&command_sweep, &job->arguments.option[OPTION_UNTIL], &request->until) ||
        !read_whole(&command_sweep, &job->arguments.option[OPTION_THREADS], 1, 256, &request->threads) ||
        !read_accuracies(job) || !read_outputs(job))
        return false;
    request->no_times = has_option(&job->arguments, OPTION_NO_TIMES);
    request->alone = has_option(&job->arguments, OPTION_ALONE);
    request->option = scheme_option;
    request->scheme = value_of(&job->arguments, OPTION_SCHEME);
    return true;
}

/* ---- the sweep ---------------------------------------------------------------------------------- */

/* The model once more, with these values beside those of --set. */
static carom_status load_anew(void *context, int count, const carom_override *value,
                              carom_experiment **experiment, carom_error *error)
{
    const sweep_job *job = context;
    carom_override *all = carom_new_array((size_t)(job->set_count + count), sizeof *all);
    if (!all)
        return carom_fail_memory(error);
    for (int i = 0; i < job->set_count; i++)
        all[i] = job->set[i];
    for (int i = 0; i < count; i++)
        all[job->set_count + i] = value[i];
    const carom_load_request request = {.name = job->experiment->name,
                                        .file = job->experiment->file,
                                        .text = job->experiment->text,
                                        .variant = job->experiment->variant,
                                        .override_count = job->set_count + count,
                                        .override = all,
                                        .units = given_units()};
    carom_status status = carom_experiment_load(&request, experiment, error);
    free(all);
    return status;
}

static bool csv_is_stdout(const sweep_job *job)
{
    const char *csv = value_of(&job->arguments, OPTION_CSV);
    return csv && strcmp(csv, "-") == 0;
}

/* Files that cannot be written are found before the first run; nothing in them is changed yet. */
static carom_status try_outputs(const sweep_job *job, carom_error *error)
{
    const char *path[2] = {csv_is_stdout(job) ? NULL : value_of(&job->arguments, OPTION_CSV),
                           value_of(&job->arguments, OPTION_OUT)};
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < 2; i++)
        status = path[i] ? carom_output_try(path[i], error) : CAROM_OK;
    const char *report = value_of(&job->arguments, OPTION_REPORT);
    return status == CAROM_OK && report ? carom_page_check(report, error) : status;
}

/* Beside --csv, or else beside --out. */
static int journal_option(const sweep_job *job)
{
    const char *csv = csv_is_stdout(job) ? NULL : value_of(&job->arguments, OPTION_CSV);
    if (csv && is_plain_target(csv))
        return OPTION_CSV;
    return value_of(&job->arguments, OPTION_OUT) ? OPTION_OUT : -1;
}

static carom_status open_journal(sweep_job *job, carom_error *error)
{
    const int option = journal_option(job);
    if (option < 0)
        return CAROM_OK;
    job->request.recall = sweep_journal_recall;
    job->request.keep = sweep_journal_keep;
    job->request.keep_context = &job->kept;
    return journal_for(option_table[option].name, value_of(&job->arguments, option), job->from, job->argc,
                       job->argv, job->experiment, NULL, &job->kept.journal, error);
}

static carom_status load(sweep_job *job, carom_error *error)
{
    carom_status status;
    if (job->model)
        status = resumed_load(job->model, job->set_count, job->set, &job->experiment, error);
    else
        status = load_experiment(job->arguments.positional[0], value_of(&job->arguments, OPTION_VARIANT),
                                 job->set_count, job->set, &job->experiment, error);
    if (status == CAROM_OK && has_option(&job->arguments, OPTION_JIT))
        jit_use(job->experiment);
    job->request.experiment = job->experiment;
    job->request.load = load_anew;
    job->request.load_context = job;
    return status;
}

static carom_status run_sweep_job(sweep_job *job, carom_error *error)
{
    carom_status status = load(job, error);
    if (status == CAROM_OK)
        status = try_outputs(job, error);
    if (status == CAROM_OK)
        status = open_journal(job, error);
    if (status == CAROM_OK)
        status = crew_for(job->argc, job->argv, job->experiment, &job->request.workers, error);
    if (status != CAROM_OK)
        return status;
    if (job->kept.journal && crew_size() > 1 && !is_quiet(job))
        tell_journal(value_of(&job->arguments, journal_option(job)));
    job->request.progress = progress_begin(is_quiet(job), "points");
    status = carom_sweep_run(&job->request, &job->sweep, error);
    progress_end();
    return status;
}

/* ---- what comes out ------------------------------------------------------------------------------- */

static carom_status write_csv(const sweep_job *job, carom_error *error)
{
    const char *path = value_of(&job->arguments, OPTION_CSV);
    if (csv_is_stdout(job))
        return carom_sweep_write_csv(stdout, &job->sweep, error);
    carom_output *output = NULL;
    carom_status status = carom_output_open(path, false, &output, error);
    if (status != CAROM_OK)
        return status;
    status = carom_sweep_write_csv(carom_output_stream(output), &job->sweep, error);
    if (status == CAROM_OK)
        return carom_output_commit(output, error);
    carom_output_discard(output);
    return status;
}

static carom_status draw(const sweep_job *job, const sweep_output *output, carom_error *error)
{
    const char *directory = value_of(&job->arguments, OPTION_PLOT);
    carom_status status = draw_sweep(output, directory, error);
    if (status == CAROM_OK && !is_quiet(job))
        fprintf(stderr, "picture: %s/sweep.png (and .svg, .pdf, .gp, .dat)\n", directory);
    return status;
}

static carom_status write_report(const sweep_job *job, const sweep_output *output, carom_error *error)
{
    const char *path = value_of(&job->arguments, OPTION_REPORT);
    const carom_status status = page_of_sweep(output, job->argc, job->argv, path, error);
    if (status == CAROM_OK && !is_quiet(job))
        fprintf(stderr, "report: %s\n", path);
    return status;
}

/* Is this file to be written? A table that is not complete takes the place of nothing. */
static bool writes(const sweep_job *job, int option, bool complete)
{
    const char *path = value_of(&job->arguments, option);
    if (!path || complete || (option == OPTION_CSV && csv_is_stdout(job)) || !is_plain_target(path))
        return path;
    if (access(path, F_OK) != 0)
        return true;
    fprintf(stderr, "carom: %s is as it was\n", path);
    return false;
}

/* The first thing that goes wrong is told; the others are done all the same. */
static carom_status show(sweep_job *job, bool complete, carom_error *error)
{
    const sweep_output output = {job->experiment, &job->sweep, {job->is_log[0], job->is_log[1]}};
    if (job->arguments.option[OPTION_JSON].count > 0)
        print_sweep_json(&output);
    else if (!is_quiet(job) && !csv_is_stdout(job))
        print_sweep_text(&output);
    carom_status worst = writes(job, OPTION_CSV, complete) ? write_csv(job, error) : CAROM_OK;
    carom_error later = {0};
    if (writes(job, OPTION_OUT, complete)) {
        carom_status status = carom_sweep_write_file(value_of(&job->arguments, OPTION_OUT), job->experiment,
                                                     &job->sweep, &later);
        if (status != CAROM_OK && worst == CAROM_OK) {
            worst = status;
            *error = later;
        }
    }
    if (value_of(&job->arguments, OPTION_PLOT)) {
        carom_status status = draw(job, &output, &later);
        if (status != CAROM_OK && worst == CAROM_OK) {
            worst = status;
            *error = later;
        }
    }
    if (value_of(&job->arguments, OPTION_REPORT)) {
        carom_status status = write_report(job, &output, &later);
        if (status != CAROM_OK && worst == CAROM_OK) {
            worst = status;
            *error = later;
        }
    }
    return worst;
}

static int report_points(const sweep_job *job)
{
    const carom_sweep *sweep = &job->sweep;
    int done = 0, first = 0;
    for (int i = 0; i < sweep->point_count; i++)
        done += sweep->point[i].done;
    if (!is_quiet(job) && job->request.no_times)
        fprintf(stderr, "%d point%s\n", done, plural(done));
    else if (!is_quiet(job) && crew_size() > 1)
        fprintf(stderr, "%d point%s in %.3g s with %d ranks of %d thread%s\n", done, plural(done),
                sweep->wall_seconds, crew_size(), sweep->threads, plural(sweep->threads));
    else if (!is_quiet(job))
        fprintf(stderr, "%d point%s in %.3g s with %d thread%s\n", done, plural(done), sweep->wall_seconds,
                sweep->threads, plural(sweep->threads));
    const int failed = count_failed_points(sweep, &first);
    if (failed == 0)
        return EXIT_DONE;
    char place[256];
    describe_sweep_point(sweep, first, place, sizeof place);
    fprintf(stderr, "carom: %d of %d points failed; the first, %s: %s\n", failed, sweep->point_count, place,
            sweep->point[first].message);
    return EXIT_COMPUTATION_FAILED;
}

/* The journal stays where there is something to go on with. */
static void close_journal(sweep_job *job, bool done)
{
    const int option = journal_option(job);
    if (job->kept.journal && !done && (job->kept.has_points || job->sweep.point_count > 0))
        fprintf(stderr, "carom: carom resume %s goes on with the points that are missing\n",
                value_of(&job->arguments, option));
    sweep_journal_close(&job->kept, done);
}

static int execute(sweep_job *job)
{
    carom_error error = {0}, showing = {0};
    const carom_status status = run_sweep_job(job, &error);
    if (status != CAROM_OK && status != CAROM_INTERRUPTED) {
        close_journal(job, status == CAROM_BAD_INPUT && !job->from);
        return report_error(&error);
    }
    const carom_status shown = show(job, status == CAROM_OK, &showing);
    const int exit_status = report_points(job);
    close_journal(job, status == CAROM_OK && shown == CAROM_OK);
    if (status != CAROM_OK)
        return report_error(&error);
    return shown == CAROM_OK ? exit_status : report_error(&showing);
}

static int dry_run(sweep_job *job)
{
    carom_error error = {0};
    carom_survey_trial trial = {0};
    memory_before before = memory_now();
    carom_status status = load(job, &error);
    job->request.progress = progress_begin(is_quiet(job), "runs");
    if (status == CAROM_OK)
        status = carom_sweep_try(&job->request, &trial, &error);
    progress_end();
    if (status != CAROM_OK)
        return report_error(&error);
    print_trial(&trial, &before, job->request.threads, has_option(&job->arguments, OPTION_JSON));
    return EXIT_DONE;
}

static void free_job(sweep_job *job)
{
    carom_sweep_free(&job->sweep);
    carom_experiment_free(job->experiment);
    free_arguments(&job->arguments);
}

static int resume_sweep(int argc, char **argv, resumed_command *from)
{
    sweep_job job = {.from = from, .model = from};
    int exit_status = EXIT_BAD_INPUT;
    if (read_command_line(&job, argc, argv))
        exit_status = has_option(&job.arguments, OPTION_DRY_RUN) ? dry_run(&job) : execute(&job);
    free_job(&job);
    return exit_status;
}

static carom_status follow_sweep(int argc, char **argv, const resumed_command *from,
                                 const carom_workers *workers, carom_error *error)
{
    sweep_job job = {.model = from};
    carom_status status = read_command_line(&job, argc, argv)
                              ? load(&job, error)
                              : carom_fail(error, CAROM_BAD_INPUT, "its command line does not read here");
    job.request.workers = workers;
    if (status == CAROM_OK)
        status = carom_sweep_run(&job.request, &job.sweep, error);
    free_job(&job);
    return status;
}

static int run_sweep(int argc, char **argv)
{
    return resume_sweep(argc, argv, NULL);
}

const command command_sweep = {
    .name = "sweep",
    .usage = "carom sweep EXPERIMENT|MODEL.lua --over name=VALUES [--over name2=VALUES] [--measure A,B,...] "
             "[--json] [--plot DIR] ...",
    .summary = "measures over one or two parameters, on all cores",
    .help =
        "  --over name=VALUES   what varies: a parameter, a setting or scheme; once or twice\n"
        "                         e=0.1,0.5,0.9         these values\n"
        "                         e=0:1:11              11 values from 0 to 1\n"
        "                         h=1e-4:1e-2:5:log     5 values, each the same multiple of the last\n"
        "                         scheme=inel,elast     words\n"
        "  --measure A,B,...    only these measures of the model; default: all\n"
        "  --set name=value     give another parameter one value for all points (repeat for more)\n"
        "  --scheme NAME        time discretisation (carom list schemes)\n"
        "  --h H, --until T     time step and end time\n"
        "  --option name=value  option of the scheme, or of the swept ones that know it\n"
        "  --variant NAME       variant of the model file\n"
        "  --accuracy A[,m=B]   refine the step of every point until the relative error of each measure is "
        "below "
        "A,\n"
        "                       of m below B: columns NAME_error and accuracy_met; --accuracy-limit N,\n"
        "                       --accuracy-alone: as in carom run\n" JIT_HELP
        "  --threads N          points computed at a time; default: one per core (carom-mpi: one per rank)\n"
        "  --csv FILE           a line per point (- is stdout)\n"
        "  --out TABLE.h5       the same as HDF5, a dataset per axis and measure\n"
        "  --plot DIR           draw the measures into DIR (sweep.png, .svg, .gp): lines and points over\n"
        "                       one axis, heat maps over two\n"
        "  --report FILE.html   a page with these pictures, where a click on a point shows its run\n"
        "  --json               one JSON object on stdout instead of the table\n"
        "  --quiet              no table, no progress line\n"
        "  --no-times           seconds and threads are 0 in all that is written: it depends on the motions "
        "alone\n"
        "  --alone              points one after the other, not several side by side; the same numbers, "
        "slower\n"
        "  --dry-run            how many runs, memory and time it will take, from one run that is timed\n"
        "\n"
        "A sweep to a file that is stopped or killed loses no finished point: carom resume FILE goes on. "
        "(FILE: that of\n"
        "--csv, or of --out when there is no --csv.)\n"
        "\n"
        "examples\n"
        "  carom sweep moreau-1986/trial-04 --over av=-0.02:0.02:9 --plot pictures\n"
        "  carom sweep paoli-2001/bouncing-ball --over e=0:0.9:10 --measure impacts,error\n"
        "  carom sweep paoli-2001/bouncing-ball --over h=1e-4:1e-2:9:log --over "
        "scheme=moreau-jean,sweeping\n"
        "  carom sweep dzonou-2007/double-pendulum --over e=0:1:21 --over xw=-0.5:-0.1:17 --plot "
        "pictures\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_sweep,
    .resume = resume_sweep,
    .follow = follow_sweep,
};
