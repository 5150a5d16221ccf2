/* carom lyapunov: how fast motions nearby leave each other, through impacts and all other events. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/crew.h"
#include "app/lyapunov_output.h"
#include "app/resumed.h"
#include "app/unit_journal.h"
#include "carom/io/lyapunov.h"
#include "carom/io/output.h"

enum {
    OPTION_TIME,
    OPTION_TRANSIENT,
    OPTION_EXPONENTS,
    OPTION_START,
    OPTION_STARTS,
    OPTION_SCATTER,
    OPTION_OVER,
    OPTION_THREADS,
    OPTION_SCHEME,
    OPTION_H,
    OPTION_OPTION,
    OPTION_SET,
    OPTION_VARIANT,
    OPTION_POINTS,
    OPTION_OUT,
    OPTION_PLOT,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_COUNT,
};

static const argument_option option_table[OPTION_COUNT] = {
    [OPTION_TIME] = {"--time", true, false, 0, NULL},
    [OPTION_TRANSIENT] = {"--transient", true, false, 0, NULL},
    [OPTION_EXPONENTS] = {"--exponents", true, false, 0, NULL},
    [OPTION_START] = {"--start", true, false, 0, NULL},
    [OPTION_STARTS] = {"--starts", true, false, 0, NULL},
    [OPTION_SCATTER] = {"--scatter", true, false, 0, NULL},
    [OPTION_OVER] = {"--over", true, false, 0, NULL},
    [OPTION_THREADS] = {"--threads", true, false, 0, NULL},
    [OPTION_SCHEME] = {"--scheme", true, false, 0, NULL},
    [OPTION_H] = {"--h", true, false, 0, NULL},
    [OPTION_OPTION] = {"--option", true, true, 0, NULL},
    [OPTION_SET] = {"--set", true, true, 0, NULL},
    [OPTION_VARIANT] = {"--variant", true, false, 0, NULL},
    [OPTION_POINTS] = {"--points", true, false, 0, NULL},
    [OPTION_OUT] = {"--out", true, false, 0, NULL, WRITES_FILE},
    [OPTION_PLOT] = {"--plot", true, false, 0, NULL, WRITES_PICTURE},
    [OPTION_JSON] = {"--json", false, false, 0, NULL},
    [OPTION_QUIET] = {"--quiet", false, false, 0, NULL},
};

/* Everything of one `carom lyapunov`, so that it is freed in one place. */
typedef struct lyapunov_job {
    arguments arguments;
    int argc; /* as they were given */
    char **argv;
    int set_count, over_count;
    carom_override *set, *over;
    carom_exponents_request request;
    carom_experiment *experiment;
    picture_place picture;
    unit_journal kept;
    resumed_command *from;           /* NULL: from the start */
    const resumed_command *followed; /* this process computes for another, which was asked this */
    carom_exponents found;
} lyapunov_job;

/* ---- reading the command line ----------------------------------------------------------------------------- */

static bool read_transient(lyapunov_job *job)
{
    const char *text = value_of(&job->arguments, OPTION_TRANSIENT);
    if (!text || (carom_parse_number(text, &job->request.motion.transient) &&
                  job->request.motion.transient >= 0.0 && isfinite(job->request.motion.transient)))
        return true;
    report_usage(&command_lyapunov, "--transient needs a time of 0 or more, such as 500; got '%s'", text);
    return false;
}

/* Where the motion begins: q:x=0.5,v:x=0. */
static bool read_start(lyapunov_job *job)
{
    const char *text = value_of(&job->arguments, OPTION_START);
    int count = 0;
    if (!text)
        return true;
    const char **word = split_list(job->arguments.arena, text, &count);
    carom_lyapunov_start *start = carom_arena_take(job->arguments.arena, (size_t)count, sizeof *start);
    if (!word || !start)
        return false;
    for (int i = 0; i < count; i++) {
        carom_override set = {0};
        if (!split_assignment(&command_lyapunov, &job->arguments, "--start", word[i], &set))
            return false;
        start[i].name = set.name;
        if (!carom_parse_number(set.value, &start[i].value) || !isfinite(start[i].value)) {
            report_usage(&command_lyapunov, "--start %s=%s: the value must be a finite number", set.name,
                         set.value);
            return false;
        }
    }
    job->request.motion.start_count = count;
    job->request.motion.start = start;
    return true;
}

static bool is_several(const lyapunov_job *job)
{
    return job->request.parameter || job->request.starts > 1;
}

/* --over w=2.3:3:141 */
static bool read_over(lyapunov_job *job)
{
    const command *self = &command_lyapunov;
    if (!read_assignments(self, &job->arguments, &job->arguments.option[OPTION_OVER], &job->over_count,
                          &job->over))
        return false;
    if (job->over_count == 0)
        return true;
    for (int i = 0; i < job->set_count; i++)
        if (strcmp(job->set[i].name, job->over->name) == 0) {
            report_usage(self, "'%s' is in --set and in --over: leave one out", job->over->name);
            return false;
        }
    job->request.parameter = job->over->name;
    return read_range(self, job->over, "w=2.3:3:141", &job->request.from, &job->request.to,
                      &job->request.points);
}

static bool check_several(const lyapunov_job *job)
{
    if (is_several(job) && value_of(&job->arguments, OPTION_POINTS)) {
        report_usage(&command_lyapunov,
                     "--points is how finely the convergence of one motion is kept, and here are several");
        return false;
    }
    if (job->request.starts < 2 && value_of(&job->arguments, OPTION_SCATTER)) {
        report_usage(&command_lyapunov, "--scatter is for several starts: --starts 2 or more");
        return false;
    }
    return true;
}

static bool read_command_line(lyapunov_job *job, int argc, char **argv)
{
    const command *self = &command_lyapunov;
    arguments *given = &job->arguments;
    carom_lyapunov_request *motion = &job->request.motion;
    carom_option *option = NULL;
    job->argc = argc;
    job->argv = argv;
    motion->h = NAN;
    if (!parse_arguments(self, argc, argv, given))
        return false;
    if (given->positional_count != 1) {
        report_usage(self, given->positional_count == 0 ? "which experiment or model file?"
                                                        : "one experiment or model file at a time");
        return false;
    }
    if (!read_positive(self, &given->option[OPTION_TIME], &motion->time) || !read_transient(job) ||
        !read_whole(self, &given->option[OPTION_EXPONENTS], 1, 10000, &motion->exponents) ||
        !read_whole(self, &given->option[OPTION_POINTS], 1, 1000000, &motion->points) ||
        !read_positive(self, &given->option[OPTION_H], &motion->h) ||
        !read_whole(self, &given->option[OPTION_STARTS], 1, 100000, &job->request.starts) ||
        !read_positive(self, &given->option[OPTION_SCATTER], &motion->scatter) ||
        !read_whole(self, &given->option[OPTION_THREADS], 1, 256, &job->request.threads) ||
        !read_assignments(self, given, &given->option[OPTION_SET], &job->set_count, &job->set) ||
        !read_scheme_options(self, given, &given->option[OPTION_OPTION], &option) || !read_start(job) ||
        !read_over(job) || !check_several(job) ||
        !read_picture_or_folder(self, given, &given->option[OPTION_PLOT], self->name, &job->picture))
        return false;
    motion->option = option;
    motion->scheme = value_of(given, OPTION_SCHEME);
    return true;
}

/* ---- the motions ------------------------------------------------------------------------------------------------ */

static carom_status load(lyapunov_job *job, carom_error *error)
{
    const char *out = value_of(&job->arguments, OPTION_OUT);
    const resumed_command *model = job->followed ? job->followed : job->from;
    carom_status status =
        model ? resumed_load(model, job->set_count, job->set, &job->experiment, error)
              : load_motion(job->arguments.positional[0], value_of(&job->arguments, OPTION_VARIANT),
                            job->set_count, job->set, &job->experiment, error);
    if (status == CAROM_OK && model)
        status = carom_experiment_compute(job->experiment, (carom_progress){0}, error);
    if (status == CAROM_OK && out && !job->followed)
        status = carom_output_try(out, error);
    job->request.motion.experiment = job->experiment;
    return status;
}

static bool is_quiet(const lyapunov_job *job)
{
    return has_option(&job->arguments, OPTION_QUIET);
}

/* Beside --out, where that is a plain file. */
static carom_status open_journal(lyapunov_job *job, carom_error *error)
{
    const char *out = value_of(&job->arguments, OPTION_OUT);
    carom_status status = CAROM_OK;
    if (out && is_plain_target(out)) {
        status = journal_for("--out", out, job->from, job->argc, job->argv, job->experiment, NULL,
                             &job->kept.journal, error);
        if (status == CAROM_OK && crew_size() > 1 && !is_quiet(job))
            tell_journal(out);
    }
    if (job->kept.journal) {
        job->request.keep = unit_journal_keep;
        job->request.recall = unit_journal_recall;
        job->request.keep_context = &job->kept;
    }
    return status == CAROM_OK ? crew_for(job->argc, job->argv, job->experiment, &job->request.workers, error)
                              : status;
}

static carom_status write_table(const lyapunov_job *job, carom_error *error)
{
    carom_output *output = NULL;
    carom_status status = carom_output_open(value_of(&job->arguments, OPTION_OUT), false, &output, error);
    if (status != CAROM_OK)
        return status;
    FILE *stream = carom_output_stream(output);
    status = is_several(job) ? carom_exponents_write_csv(stream, job->request.parameter, &job->found, error)
                             : carom_lyapunov_write_csv(stream, &job->found.point->found, error);
    if (status == CAROM_OK)
        return carom_output_commit(output, error);
    carom_output_discard(output);
    return status;
}

/* A table that is not complete takes the place of nothing. */
static bool writes_table(const lyapunov_job *job, bool complete)
{
    const char *out = value_of(&job->arguments, OPTION_OUT);
    if (!out || complete || !is_plain_target(out))
        return out;
    FILE *there = fopen(out, "r");
    if (!there)
        return true;
    fclose(there);
    fprintf(stderr, "carom: %s is as it was\n", out);
    return false;
}

static void print_found(const lyapunov_job *job, const lyapunov_output *one, const exponents_output *several)
{
    const bool as_json = has_option(&job->arguments, OPTION_JSON);
    if (as_json && is_several(job))
        print_exponents_json(several);
    else if (as_json)
        print_lyapunov_json(one);
    else if (!is_quiet(job) && is_several(job))
        print_exponents_text(several);
    else if (!is_quiet(job) && one->found->time > 0.0)
        print_lyapunov_text(one);
}

static carom_status show(const lyapunov_job *job, carom_status ended, const char *message, carom_error *error)
{
    const lyapunov_output one = {job->experiment, &job->found.point->found, ended,
                                 ended == CAROM_OK ? NULL : message};
    const exponents_output several = {job->experiment, job->request.parameter, &job->found, ended};
    print_found(job, &one, &several);
    carom_status status = writes_table(job, ended == CAROM_OK) ? write_table(job, error) : CAROM_OK;
    if (status == CAROM_OK && job->picture.name && (is_several(job) || one.found->point_count > 0)) {
        status = is_several(job) ? draw_exponents(&several, &job->picture, error)
                                 : draw_lyapunov(&one, &job->picture, error);
        if (status == CAROM_OK)
            report_picture(&job->picture, is_quiet(job));
    }
    return status;
}

/* The journal stays where there is something to go on with. */
static void close_journal(lyapunov_job *job, bool done, bool begun)
{
    if (job->kept.journal && !done && begun)
        fprintf(stderr, "carom: carom resume %s goes on with what is missing\n",
                value_of(&job->arguments, OPTION_OUT));
    unit_journal_close(&job->kept, done);
}

/* Of one motion its status is that of the command; of several they are rows. */
static carom_status ended_with(const lyapunov_job *job, carom_status status, carom_error *error)
{
    if (status != CAROM_OK || is_several(job))
        return status;
    const carom_exponents_point *point = job->found.point;
    return point->status == CAROM_OK ? CAROM_OK : carom_fail(error, point->status, "%s", point->message);
}

static int exit_status_of(const lyapunov_job *job)
{
    const carom_exponents *found = &job->found;
    const int all = found->points * found->starts;
    const carom_exponents_point *first = NULL;
    int failed = 0;
    for (int i = 0; i < all; i++)
        if (found->point[i].status != CAROM_OK && failed++ == 0)
            first = &found->point[i];
    if (is_several(job) && !is_quiet(job))
        fprintf(stderr, "%d motions in %.3g s with %d thread%s\n", all, found->wall_seconds, found->threads,
                plural(found->threads));
    if (failed == 0)
        return EXIT_DONE;
    fprintf(stderr, "carom: %d of %d motions failed; the first: %s\n", failed, all, first->message);
    return EXIT_COMPUTATION_FAILED;
}

static carom_status run_motions(lyapunov_job *job, carom_error *error)
{
    carom_status status = load(job, error);
    if (status == CAROM_OK)
        status = open_journal(job, error);
    if (status != CAROM_OK)
        return status;
    job->request.progress = progress_begin(is_quiet(job), "time");
    status = carom_exponents_run(&job->request, &job->found, error);
    progress_end();
    return status;
}

static int execute(lyapunov_job *job)
{
    carom_error error = {0}, showing = {0};
    carom_status status = run_motions(job, &error);
    if (status != CAROM_OK && status != CAROM_INTERRUPTED) {
        close_journal(job, status == CAROM_BAD_INPUT && !job->from, false);
        return report_error(&error);
    }
    status = ended_with(job, status, &error);
    const carom_status shown = show(job, status, error.text, &showing);
    const int exit_status = status == CAROM_OK ? exit_status_of(job) : EXIT_COMPUTATION_FAILED;
    close_journal(job, status != CAROM_INTERRUPTED && shown == CAROM_OK, true);
    if (status != CAROM_OK)
        return report_error(&error);
    return shown == CAROM_OK ? exit_status : report_error(&showing);
}

static void free_job(lyapunov_job *job)
{
    carom_exponents_free(&job->found);
    carom_experiment_free(job->experiment);
    free_arguments(&job->arguments);
}

static int resume_lyapunov(int argc, char **argv, resumed_command *from)
{
    lyapunov_job job = {.from = from};
    int exit_status = EXIT_BAD_INPUT;
    if (read_command_line(&job, argc, argv))
        exit_status = execute(&job);
    free_job(&job);
    return exit_status;
}

static carom_status follow_lyapunov(int argc, char **argv, const resumed_command *from,
                                    const carom_workers *workers, carom_error *error)
{
    lyapunov_job job = {.followed = from};
    carom_status status = read_command_line(&job, argc, argv)
                              ? load(&job, error)
                              : carom_fail(error, CAROM_BAD_INPUT, "its command line does not read here");
    job.request.workers = workers;
    if (status == CAROM_OK)
        status = carom_exponents_run(&job.request, &job.found, error);
    free_job(&job);
    return status;
}

static int run_lyapunov(int argc, char **argv)
{
    return resume_lyapunov(argc, argv, NULL);
}

const command command_lyapunov = {
    .name = "lyapunov",
    .usage =
        "carom lyapunov EXPERIMENT|MODEL.lua [--time T] [--transient T] [--over NAME=A:B:N] [--starts N] "
        "[--json] [--plot DIR|FILE.svg] ...",
    .summary = "Lyapunov exponents of a motion, through impacts and all other events",
    .help =
        "  --time T             time over which exponents are means; default: 500 periods of what drives "
        "the\n"
        "                       model, or 50 decay times of its damping if these are longer\n"
        "  --transient T        time before it that does not count; default: a fifth of the default time,\n"
        "                       with --time none\n"
        "  --exponents K        the K largest; default: all, two per coordinate\n"
        "  --start q:x=A,v:x=B  where the motion begins; what is not named: as the model says\n"
        "  --over NAME=A:B:N    exponents against a parameter: N values from A to B, a motion each\n"
        "  --starts N           N motions: the first from the start, the others scattered around it\n"
        "  --scatter R          by up to R in every position and velocity, outside obstacles; default: a "
        "tenth of\n"
        "                       the model's length, and of its length per time\n"
        "  --threads N          motions computed at a time; default: one per core\n"
        "  --scheme NAME        time discretisation (carom list schemes); default: the model's, and with "
        "obstacles\n"
        "                       event-driven, which locates impacts, where it takes the model\n"
        "  --h H                time step; of event-driven, whose steps are its own, how often columns are\n"
        "                       made orthonormal, by default as the model says, at most 20000 times, but "
        "once\n"
        "                       per period of what drives it\n"
        "  --option name=value  option of the scheme; zeno=continue unless it is given\n"
        "  --set name=value     another value for a parameter (repeat for more)\n"
        "  --variant NAME       variant of the model file\n"
        "  --points N           points of the convergence in time; default 400\n"
        "  --out FILE.csv       the convergence: time and the means until then; of several motions a line "
        "each\n"
        "  --plot DIR           draw lyapunov.png, .svg, .pdf into DIR, or --plot FILE.svg: exponents "
        "against "
        "time,\n"
        "                       or against the parameter or the start\n"
        "  --json               one JSON object on stdout instead of the text\n"
        "  --quiet              no text, no progress line\n"
        "\n"
        "Exponents are mean rates at which motions nearby leave a motion (above 0: chaos) or come to it. "
        "They\n"
        "are those of the exact derivative of the scheme's motion: with event-driven of the motion itself.\n"
        "Their sum must be the mean divergence of the flow plus 2 log(e) per impact, which is printed.\n"
        "\n"
        "With --out nothing is lost when it is stopped or killed: carom resume FILE.csv goes on, with "
        "motions "
        "under way\n"
        "from a checkpoint some seconds before.\n"
        "\n"
        "examples\n"
        "  carom lyapunov oscillator.lua --set w=2.8 --transient 500 --time 20000\n"
        "  carom lyapunov oscillator.lua --time 5000 --start q:x=0.5 --plot exponents.svg --json\n"
        "  carom lyapunov oscillator.lua --over w=2.3:3:141 --transient 300 --time 3000 --plot exponents.svg "
        "--out exponents.csv\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_lyapunov,
    .resume = resume_lyapunov,
    .follow = follow_lyapunov,
};
