/* carom fit: the parameters with which the motion of a model comes closest to measured data. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command_pages.h"
#include "app/crew.h"
#include "app/fit_journal.h"
#include "app/jit.h"
#include "app/resumed.h"

enum {
    OPTION_DATA,
    OPTION_MAP,
    OPTION_PARAMS,
    OPTION_EACH,
    OPTION_TIME,
    OPTION_EVENTS,
    OPTION_SIGMA,
    OPTION_START,
    OPTION_BOUND,
    OPTION_SIZE,
    OPTION_LOSS,
    OPTION_SCALE,
    OPTION_STARTS,
    OPTION_STAGES,
    OPTION_SEED,
    OPTION_JACOBIAN,
    OPTION_ITERATIONS,
    OPTION_TOLERANCE,
    OPTION_SET,
    OPTION_SCHEME,
    OPTION_H,
    OPTION_OPTION,
    OPTION_VARIANT,
    OPTION_THREADS,
    OPTION_JIT,
    OPTION_OUT,
    OPTION_PLOT,
    OPTION_REPORT,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_NO_TIMES,
    OPTION_ALONE,
    OPTION_COUNT,
};

static const argument_option option_table[OPTION_COUNT] = {
    [OPTION_DATA] = {"--data", true, true, 0, NULL},
    [OPTION_MAP] = {"--map", true, true, 0, NULL},
    [OPTION_PARAMS] = {"--params", true, false, 0, NULL},
    [OPTION_EACH] = {"--each", true, false, 0, NULL},
    [OPTION_TIME] = {"--time", true, false, 0, NULL},
    [OPTION_EVENTS] = {"--events", true, false, 0, NULL},
    [OPTION_SIGMA] = {"--sigma", true, true, 0, NULL},
    [OPTION_START] = {"--start", true, true, 0, NULL},
    [OPTION_BOUND] = {"--bound", true, true, 0, NULL},
    [OPTION_SIZE] = {"--size", true, true, 0, NULL},
    [OPTION_LOSS] = {"--loss", true, false, 0, NULL},
    [OPTION_SCALE] = {"--scale", true, false, 0, NULL},
    [OPTION_STARTS] = {"--starts", true, false, 0, NULL},
    [OPTION_STAGES] = {"--stages", true, false, 0, NULL},
    [OPTION_SEED] = {"--seed", true, false, 0, NULL},
    [OPTION_JACOBIAN] = {"--jacobian", true, false, 0, NULL},
    [OPTION_ITERATIONS] = {"--iterations", true, false, 0, NULL},
    [OPTION_TOLERANCE] = {"--tolerance", true, false, 0, NULL},
    [OPTION_SET] = {"--set", true, true, 0, NULL},
    [OPTION_SCHEME] = {"--scheme", true, false, 0, NULL},
    [OPTION_H] = {"--h", true, false, 0, NULL},
    [OPTION_OPTION] = {"--option", true, true, 0, NULL},
    [OPTION_VARIANT] = {"--variant", true, false, 0, NULL},
    [OPTION_JIT] = {"--jit", false, false, 0, NULL},
    [OPTION_THREADS] = {"--threads", true, false, 0, NULL},
    [OPTION_OUT] = {"--out", true, false, 0, NULL, WRITES_FILE},
    [OPTION_PLOT] = {"--plot", true, false, 0, NULL, WRITES_FOLDER},
    [OPTION_REPORT] = {"--report", true, false, 0, NULL, WRITES_FILE},
    [OPTION_JSON] = {"--json", false, false, 0, NULL},
    [OPTION_QUIET] = {"--quiet", false, false, 0, NULL},
    [OPTION_NO_TIMES] = {"--no-times", false, false, 0, NULL},
    [OPTION_ALONE] = {"--alone", false, false, 0, NULL},
};

enum {
    CURVE_POINTS = 2000
};

/* Everything of one `carom fit`, so that it is freed in one place. */
typedef struct fit_job {
    arguments arguments;
    int set_count;
    carom_override *set;
    fit_columns columns;
    const char **column, **formula; /* per output */
    carom_fit_data *data;
    carom_fit_parameter *parameter;
    carom_fit_request request;
    carom_experiment *experiment;
    carom_fit fit;
    fit_journal kept;
    resumed_command *from; /* NULL: from the start */
    int argc;              /* as they were given */
    char **argv;
} fit_job;

static bool is_quiet(const fit_job *job)
{
    return has_option(&job->arguments, OPTION_QUIET);
}

/* ---- what was measured ------------------------------------------------------------------------------------ */

static bool take_columns(fit_job *job, int count)
{
    carom_arena *arena = job->arguments.arena;
    job->column = carom_arena_take(arena, (size_t)count + 1, sizeof *job->column);
    job->formula = carom_arena_take(arena, (size_t)count + 1, sizeof *job->formula);
    carom_override *sigma = carom_arena_take(arena, (size_t)count + 1, sizeof *sigma);
    job->columns.sigma = sigma;
    return job->column && job->formula && sigma;
}

static bool read_sigma(fit_job *job)
{
    carom_override *list = NULL, *sigma = (carom_override *)job->columns.sigma;
    int count = 0;
    if (!read_assignments(&command_fit, &job->arguments, &job->arguments.option[OPTION_SIGMA], &count, &list))
        return false;
    for (int i = 0; i < count; i++) {
        int at = 0;
        while (at < job->columns.count && strcmp(job->column[at], list[i].name) != 0)
            at++;
        if (at == job->columns.count) {
            report_usage(&command_fit, "--sigma %s=%s: '%s' is no column that is fitted%s", list[i].name,
                         list[i].value, list[i].name,
                         job->columns.events ? "; with --events it is the name of the contact"
                                             : "; --map names those");
            return false;
        }
        sigma[at] = list[i];
    }
    return true;
}

static bool read_map(fit_job *job)
{
    carom_override *map = NULL;
    int count = 0;
    const char *events = value_of(&job->arguments, OPTION_EVENTS);
    if (!read_assignments(&command_fit, &job->arguments, &job->arguments.option[OPTION_MAP], &count, &map))
        return false;
    if ((count > 0) == (events != NULL)) {
        report_usage(
            &command_fit,
            events ? "--map and --events: data are either by time or times of impacts"
                   : "--map says what a column of the data is, such as --map height=y; times of impacts: "
                     "--events CONTACT");
        return false;
    }
    if (!take_columns(job, events ? 1 : count))
        return false;
    job->columns.time = value_of(&job->arguments, OPTION_TIME);
    job->columns.events = events != NULL;
    job->columns.map = map;
    job->columns.count = events ? 1 : count;
    job->column[0] = events;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i; k++)
            if (strcmp(map[k].name, map[i].name) == 0) {
                report_usage(&command_fit, "--map %s=%s and %s=%s: a column is one thing; leave one out",
                             map[k].name, map[k].value, map[i].name, map[i].value);
                return false;
            }
        job->column[i] = map[i].name;
        job->formula[i] = map[i].value;
    }
    job->request.events = events;
    job->request.output_count = count;
    job->request.output = job->formula;
    return read_sigma(job);
}

/* Where it was resumed from another directory, the files are still where they were. */
static const char *data_place(fit_job *job, const char *given)
{
    char *here = job->from && job->from->directory && given[0] != '/' ? getcwd(NULL, 0) : NULL;
    const bool moved = here && strcmp(here, job->from->directory) != 0;
    free(here);
    if (!moved)
        return given;
    const size_t length = strlen(job->from->directory) + strlen(given) + 2;
    char *place = carom_arena_take(job->arguments.arena, length, 1);
    if (place)
        carom_format(place, length, "%s/%s", job->from->directory, given);
    return place;
}

static carom_status read_files(fit_job *job, carom_error *error)
{
    const argument_option *given = &job->arguments.option[OPTION_DATA];
    job->data = carom_arena_take(job->arguments.arena, (size_t)given->count + 1, sizeof *job->data);
    if (!job->data)
        return carom_fail_memory(error);
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < given->count; i++) {
        const char *place = data_place(job, given->value[i]);
        status = place ? read_fit_data(job->arguments.arena, place, &job->columns, &job->data[i], error)
                       : carom_fail_memory(error);
        if (status == CAROM_OK && place != given->value[i])
            job->data[i].name += strlen(job->from->directory) + 1; /* as it was given */
    }
    job->request.data_count = given->count;
    job->request.data = job->data;
    return status;
}

/* Behind the name of a data file may stand values, so that parse_arguments does not know it. */
static carom_status check_table(fit_job *job, const char *table, carom_error *error)
{
    for (int i = 0; i < job->request.data_count; i++)
        if (is_same_file(table, data_place(job, job->data[i].name)))
            return carom_fail(error, CAROM_BAD_INPUT, "--out %s would destroy the data; give another name",
                              table);
    return carom_output_try(table, error);
}

/* ---- what is sought --------------------------------------------------------------------------------------- */

static bool read_names(fit_job *job)
{
    const char *all = value_of(&job->arguments, OPTION_PARAMS),
               *each = value_of(&job->arguments, OPTION_EACH);
    int common = 0, own = 0;
    carom_arena *arena = job->arguments.arena;
    if (!all && !each) {
        report_usage(&command_fit,
                     "--params names what is to be found, such as --params e,mu (carom show MODEL lists the "
                     "parameters), or q:y for an initial value");
        return false;
    }
    const char **first = all ? split_list(arena, all, &common) : NULL;
    const char **second = each ? split_list(arena, each, &own) : NULL;
    job->parameter = carom_arena_take(arena, (size_t)(common + own) + 1, sizeof *job->parameter);
    if ((all && !first) || (each && !second) || !job->parameter)
        return false;
    for (int i = 0; i < common + own; i++)
        job->parameter[i] =
            (carom_fit_parameter){.name = i < common ? first[i] : second[i - common], .each = i >= common};
    job->request.parameter = job->parameter;
    job->request.parameter_count = common + own;
    return true;
}

static carom_fit_parameter *find_parameter(fit_job *job, const char *option, const carom_override *given)
{
    for (int i = 0; i < job->request.parameter_count; i++)
        if (strcmp(job->parameter[i].name, given->name) == 0)
            return &job->parameter[i];
    report_usage(&command_fit, "%s %s=%s: '%s' is not among --params", option, given->name, given->value,
                 given->name);
    return NULL;
}

static bool read_bound(const carom_override *given, carom_fit_parameter *parameter)
{
    char *colon = strchr(given->value, ':');
    double low = -INFINITY, high = INFINITY;
    if (colon)
        *colon = '\0';
    const bool good = colon && (!given->value[0] || carom_parse_number(given->value, &low)) &&
                      (!colon[1] || carom_parse_number(colon + 1, &high)) && !isnan(low) && !isnan(high);
    if (colon)
        *colon = ':';
    if (!good || (!isfinite(low) && !isfinite(high))) {
        report_usage(&command_fit,
                     "--bound is name=low:high, such as e=0.1:0.9, or one side of it, e=0.1:; got '%s=%s'",
                     given->name, given->value);
        return false;
    }
    parameter->low = isfinite(low) ? carom_exactly(low) : NAN;
    parameter->high = isfinite(high) ? carom_exactly(high) : NAN;
    return true;
}

/* name=value of --start, --bound and --size. */
static bool read_values(fit_job *job, int option)
{
    carom_override *list = NULL;
    int count = 0;
    const char *name = option_table[option].name;
    if (!read_assignments(&command_fit, &job->arguments, &job->arguments.option[option], &count, &list))
        return false;
    for (int i = 0; i < count; i++) {
        carom_fit_parameter *parameter = find_parameter(job, name, &list[i]);
        double number = NAN;
        if (!parameter)
            return false;
        if (option == OPTION_BOUND) {
            if (!read_bound(&list[i], parameter))
                return false;
            continue;
        }
        if (!carom_parse_number(list[i].value, &number) || !isfinite(number) ||
            (option == OPTION_SIZE && !(number > 0.0))) {
            report_usage(&command_fit, "%s %s=%s: a %snumber is needed", name, list[i].name, list[i].value,
                         option == OPTION_SIZE ? "positive " : "");
            return false;
        }
        *(option == OPTION_SIZE ? &parameter->scale : &parameter->start) = carom_exactly(number);
    }
    return true;
}

/* ---- how -------------------------------------------------------------------------------------------------- */

static bool read_loss(fit_job *job)
{
    const char *given = value_of(&job->arguments, OPTION_LOSS);
    int loss = 0;
    while (given && carom_fit_loss_word(loss) && strcmp(given, carom_fit_loss_word(loss)) != 0)
        loss++;
    if (!carom_fit_loss_word(loss)) {
        report_usage(&command_fit, "--loss is squares, huber, cauchy or soft-l1; got '%s'", given);
        return false;
    }
    job->request.loss = (carom_fit_loss)loss;
    if (has_option(&job->arguments, OPTION_SCALE) && job->request.loss == CAROM_LOSS_SQUARES) {
        report_usage(&command_fit,
                     "--scale says where a --loss other than squares begins to bend; the size of a "
                     "parameter is --size name=value");
        return false;
    }
    return read_positive(&command_fit, &job->arguments.option[OPTION_SCALE], &job->request.loss_scale);
}

static bool read_jacobian(fit_job *job)
{
    static const char *const word[] = {"best", "exact", "differences"};
    const char *given = value_of(&job->arguments, OPTION_JACOBIAN);
    for (int i = 0; i < 3; i++)
        if (!given || strcmp(given, word[i]) == 0) {
            job->request.derivatives = (carom_fit_derivatives)i;
            return true;
        }
    report_usage(&command_fit, "--jacobian is best, exact or differences; got '%s'", given);
    return false;
}

static bool read_numbers_of_search(fit_job *job)
{
    carom_fit_request *request = &job->request;
    int seed = 1;
    const argument_option *option = job->arguments.option;
    if (!read_whole(&command_fit, &option[OPTION_STARTS], 1, 100000, &request->starts) ||
        !read_whole(&command_fit, &option[OPTION_STAGES], 1, 1000, &request->stages) ||
        !read_whole(&command_fit, &option[OPTION_SEED], 1, WHOLE_MOST, &seed) ||
        !read_whole(&command_fit, &option[OPTION_ITERATIONS], 1, 100000, &request->max_iterations) ||
        !read_whole(&command_fit, &option[OPTION_THREADS], 1, 256, &request->threads) ||
        !read_positive(&command_fit, &option[OPTION_TOLERANCE], &request->tolerance) ||
        !parse_time_option(&command_fit, &option[OPTION_H], &request->h))
        return false;
    request->seed = (unsigned)seed;
    return true;
}

static bool read_command_line(fit_job *job, int argc, char **argv)
{
    job->argc = argc;
    job->argv = argv;
    if (!parse_arguments(&command_fit, argc, argv, &job->arguments))
        return false;
    if (job->arguments.positional_count != 1) {
        report_usage(&command_fit, job->arguments.positional_count == 0
                                       ? "which experiment or model file?"
                                       : "one experiment or model file at a time");
        return false;
    }
    if (!has_option(&job->arguments, OPTION_DATA)) {
        report_usage(&command_fit, "--data names the file with what was measured, such as --data drop.csv");
        return false;
    }
    carom_option *scheme_option = NULL;
    if (!read_map(job) || !read_names(job) || !read_values(job, OPTION_START) ||
        !read_values(job, OPTION_BOUND) || !read_values(job, OPTION_SIZE) || !read_loss(job) ||
        !read_jacobian(job) || !read_numbers_of_search(job) ||
        !read_assignments(&command_fit, &job->arguments, &job->arguments.option[OPTION_SET], &job->set_count,
                          &job->set) ||
        !read_scheme_options(&command_fit, &job->arguments, &job->arguments.option[OPTION_OPTION],
                             &scheme_option))
        return false;
    job->request.no_times = has_option(&job->arguments, OPTION_NO_TIMES);
    job->request.alone = has_option(&job->arguments, OPTION_ALONE);
    job->request.option = scheme_option;
    job->request.scheme = value_of(&job->arguments, OPTION_SCHEME);
    if (has_option(&job->arguments, OPTION_PLOT) || has_option(&job->arguments, OPTION_REPORT))
        job->request.curve_points = CURVE_POINTS;
    return true;
}

/* ---- what comes out --------------------------------------------------------------------------------------- */

static carom_status show(const fit_job *job, carom_error *error)
{
    const fit_output output = {job->experiment, &job->request, &job->fit, job->column};
    const char *table = value_of(&job->arguments, OPTION_OUT),
               *directory = value_of(&job->arguments, OPTION_PLOT),
               *report = value_of(&job->arguments, OPTION_REPORT);
    if (has_option(&job->arguments, OPTION_JSON))
        print_fit_json(&output);
    else if (!is_quiet(job))
        print_fit_text(&output);
    carom_status status = table ? write_fit_table(&output, table, error) : CAROM_OK;
    if (status == CAROM_OK && directory)
        status = draw_fit(&output, directory, error);
    if (status == CAROM_OK && directory && !is_quiet(job))
        fprintf(stderr, "picture: %s/fit.png (and .svg, .pdf, .gp, .dat)\n", directory);
    if (status == CAROM_OK && report)
        status = page_of_fit(&output, job->argc, job->argv, report, error);
    if (status == CAROM_OK && report && !is_quiet(job))
        fprintf(stderr, "report: %s\n", report);
    return status;
}

static int exit_status_of(const carom_fit *fit)
{
    if (strcmp(fit->word, "ok") == 0)
        return EXIT_DONE;
    if (strcmp(fit->word, "undetermined") == 0)
        fprintf(stderr,
                "carom: the data do not determine all parameters: %s; leave one out, or give it with --set\n",
                fit->direction[0].text);
    else
        fprintf(
            stderr,
            "carom: the search did not settle in %d iterations; more are possible with --iterations, other "
            "starts with --start\n",
            fit->iterations);
    return EXIT_COMPUTATION_FAILED;
}

/* ---- the fit ------------------------------------------------------------------------------------------------ */

/* Beside --out, where that is a plain file. */
static carom_status open_journal(fit_job *job, carom_error *error)
{
    const char *table = value_of(&job->arguments, OPTION_OUT);
    if (!table || !is_plain_target(table))
        return CAROM_OK;
    carom_status status = journal_for("--out", table, job->from, job->argc, job->argv, job->experiment, NULL,
                                      &job->kept.journal, error);
    if (status == CAROM_OK)
        status = fit_journal_begin(&job->kept, job->columns.count, job->request.data_count, job->data, error);
    if (status != CAROM_OK)
        return status;
    job->request.recall = fit_journal_recall;
    job->request.keep = fit_journal_keep;
    job->request.keep_context = &job->kept;
    if (crew_size() > 1 && !is_quiet(job))
        tell_journal(table);
    return CAROM_OK;
}

/* The journal stays where there is something to go on with. */
static void close_journal(fit_job *job, bool done, bool begun)
{
    if (job->kept.journal && !done && begun)
        fprintf(stderr, "carom: carom resume %s goes on with what is missing\n",
                value_of(&job->arguments, OPTION_OUT));
    fit_journal_close(&job->kept, done);
}

static carom_status load(fit_job *job, carom_error *error)
{
    const char *table = value_of(&job->arguments, OPTION_OUT),
               *report = value_of(&job->arguments, OPTION_REPORT);
    carom_status status = report ? carom_page_check(report, error) : CAROM_OK;
    if (status == CAROM_OK)
        status = job->from
                     ? resumed_load(job->from, job->set_count, job->set, &job->experiment, error)
                     : load_motion(job->arguments.positional[0], value_of(&job->arguments, OPTION_VARIANT),
                                   job->set_count, job->set, &job->experiment, error);
    if (status == CAROM_OK && job->from)
        status = carom_experiment_compute(job->experiment, (carom_progress){0}, error);
    if (status == CAROM_OK && has_option(&job->arguments, OPTION_JIT))
        jit_use(job->experiment);
    if (status == CAROM_OK)
        status = read_files(job, error);
    if (status == CAROM_OK && table)
        status = check_table(job, table, error);
    job->request.experiment = job->experiment;
    return status;
}

static int execute(fit_job *job)
{
    carom_error error = {0}, showing = {0};
    carom_status status = load(job, &error);
    if (status == CAROM_OK)
        status = open_journal(job, &error);
    if (status == CAROM_OK)
        status = crew_for(job->argc, job->argv, job->experiment, &job->request.workers, &error);
    if (status == CAROM_OK) {
        job->request.progress = progress_begin(is_quiet(job), "runs");
        status = carom_fit_run(&job->request, &job->fit, &error);
        progress_end();
    }
    if (status != CAROM_OK && (status != CAROM_INTERRUPTED || job->fit.count == 0)) {
        close_journal(job, status == CAROM_BAD_INPUT && !job->from, status == CAROM_INTERRUPTED);
        return report_error(&error);
    }
    const carom_status shown = show(job, &showing);
    close_journal(job, status == CAROM_OK && shown == CAROM_OK, true);
    if (status != CAROM_OK)
        return report_error(&error);
    return shown == CAROM_OK ? exit_status_of(&job->fit) : report_error(&showing);
}

static void free_job(fit_job *job)
{
    carom_fit_free(&job->fit);
    carom_experiment_free(job->experiment);
    free_arguments(&job->arguments);
}

static int resume_fit(int argc, char **argv, resumed_command *from)
{
    fit_job job = {.from = from};
    int exit_status = EXIT_BAD_INPUT;
    if (read_command_line(&job, argc, argv))
        exit_status = execute(&job);
    free_job(&job);
    return exit_status;
}

static int run_fit(int argc, char **argv)
{
    return resume_fit(argc, argv, NULL);
}

static carom_status follow_fit(int argc, char **argv, const resumed_command *from,
                               const carom_workers *workers, carom_error *error)
{
    fit_job job = {0};
    carom_status status = read_command_line(&job, argc, argv)
                              ? resumed_load(from, job.set_count, job.set, &job.experiment, error)
                              : carom_fail(error, CAROM_BAD_INPUT, "its command line does not read here");
    if (status == CAROM_OK)
        status = carom_experiment_compute(job.experiment, (carom_progress){0}, error);
    if (status == CAROM_OK)
        status = read_files(&job, error);
    job.request.experiment = job.experiment;
    job.request.workers = workers;
    if (status == CAROM_OK)
        status = carom_fit_run(&job.request, &job.fit, error);
    free_job(&job);
    return status;
}

const command command_fit = {
    .name = "fit",
    .usage = "carom fit EXPERIMENT|MODEL.lua --data FILE.csv --map column=expression --params a,b,... "
             "[--time COLUMN] "
             "[--json] [--plot DIR] ...",
    .summary = "parameters of a model from measured data, with their errors",
    .help =
        "  --data FILE.csv          what was measured, a line per time (repeat for several motions)\n"
        "  --data FILE.csv:q:y=1.2,v:y=0   the same with values of that motion alone: parameters, initial "
        "positions\n"
        "                           q:NAME and velocities v:NAME; a number, or a column whose first number "
        "is meant\n"
        "  --map column=expression  what a column is, such as height=y or speed=dot(y) (repeat for more)\n"
        "  --time COLUMN            column of the times; default: t, time, or the first\n"
        "  --events CONTACT         the column of times holds the times of impacts of this contact, in place "
        "of --map\n"
        "  --sigma column=S         standard deviation of a column: a number, or a column of its own\n"
        "  --params a,b,...         what is to be found: parameters, q:NAME, v:NAME\n"
        "  --each q:y,...           what is to be found for every motion by itself\n"
        "  --start name=value       where the search starts; default: the model's value\n"
        "  --bound name=low:high    between what; default: the range of the parameter\n"
        "  --size name=value        a change of a parameter that matters; default: the size of its start\n"
        "  --loss huber             huber, cauchy or soft-l1: outliers count less; default: squares\n"
        "  --scale S                residual from which the loss bends; default: from the residuals\n"
        "  --starts N               search from N places between the bounds and keep the best\n"
        "  --stages N               fit the first Nth of the data first, then more, then all; default: 1, "
        "then 10 if the\n"
        "                           residuals are no noise\n"
        "  --seed N                 of the places of --starts; default 1\n"
        "  --jacobian exact         derivatives: best (default), exact, or differences of runs\n"
        "  --iterations N           steps of the search; default 60\n"
        "  --tolerance T            end so many standard errors from the minimum; default 0.001\n"
        "  --set name=value         give a parameter another value (repeat for more)\n"
        "  --scheme NAME            time discretisation; event-driven is best where there are impacts\n"
        "  --h H                    time step\n"
        "  --option name=value      option of the scheme (repeat for more)\n"
        "  --variant NAME           variant of the model file\n"
        "  --jit                    compile the model with the system's C compiler: the same numbers, "
        "sooner\n"
        "                           where carom has no machine code of its own (not x86-64)\n"
        "  --threads N              runs at the same time; default: one per core; the result is the same\n"
        "  --out FILE.csv           data, fit and residuals\n"
        "  --plot DIR               draw data beside the fit, and residuals, into DIR (fit.png, .svg, .gp)\n"
        "  --report FILE.html       a page: estimates, intervals, correlations, data beside the fit, "
        "residuals\n"
        "  --json                   one JSON object on stdout instead of the tables\n"
        "  --quiet                  no tables, no progress line\n"
        "  --no-times               seconds are 0 in all that is written: it depends on the motions alone\n"
        "  --alone                  motions one after the other, not several side by side; the same numbers, "
        "slower\n"
        "\n"
        "With --out no motion is lost when a fit is stopped or killed: carom resume FILE.csv goes on where "
        "it "
        "was.\n"
        "\n"
        "examples\n"
        "  carom fit ball.lua --data drop.csv --map height=y --params e --start e=0.6\n"
        "  carom fit ball.lua --data drop.csv --map height=y --params e,q:y --scheme event-driven --plot "
        "pictures\n"
        "  carom fit ball.lua --data bounces.csv --events floor --time t --params e,q:y\n"
        "  carom fit ball.lua --data a.csv:q:y=1 --data b.csv:q:y=0.5 --map height=y --params e --loss "
        "huber\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_fit,
    .resume = resume_fit,
    .follow = follow_fit,
};
