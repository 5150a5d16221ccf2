/* carom bench: solvers compared on frictional contact problems of FCLIB files. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "app/bench_output.h"
#include "app/command_pages.h"

enum {
    OPTION_SOLVERS,
    OPTION_TOL,
    OPTION_MAX_SECONDS,
    OPTION_PROFILE,
    OPTION_CSV,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_REPORT,
    OPTION_COUNT,
};

static const argument_option option_table[OPTION_COUNT] = {
    [OPTION_SOLVERS] = {"--solvers", true, false, 0, NULL},
    [OPTION_TOL] = {"--tol", true, false, 0, NULL},
    [OPTION_MAX_SECONDS] = {"--max-seconds", true, false, 0, NULL},
    [OPTION_PROFILE] = {"--profile", true, false, 0, NULL, WRITES_PICTURE},
    [OPTION_CSV] = {"--csv", true, false, 0, NULL, WRITES_FILE},
    [OPTION_JSON] = {"--json", false, false, 0, NULL},
    [OPTION_QUIET] = {"--quiet", false, false, 0, NULL},
    [OPTION_REPORT] = {"--report", true, false, 0, NULL, WRITES_FILE},
};

/* A solve shorter than this is repeated, and the shortest time counts. */
static const double short_seconds = 0.1;
enum {
    REPEATS = 4
};

typedef struct file_list {
    int count, capacity;
    const char **path;
    bool *is_named; /* given by name, not found in a directory */
} file_list;

/* Everything of one `carom bench`, so that it is freed in one place. */
typedef struct bench_job {
    arguments arguments;
    int solver_count;
    chosen_solver *solver;
    carom_solver_options limits;
    picture_place picture;
    file_list files;
    int problem_count;
    bench_problem *problem;
    carom_profile profile;
    bool named_file_failed, interrupted;
    int argc; /* as they were given */
    char **argv;
} bench_job;

/* ---- reading the command line ------------------------------------------------------------------ */

/* "name" or "name:option=value:option=value" */
static bool read_one_solver(bench_job *job, const char *given, chosen_solver *solver)
{
    carom_arena *arena = job->arguments.arena;
    char *text = carom_arena_copy_text(arena, given);
    carom_override *option = carom_arena_take(arena, strlen(given) + 1, sizeof *option);
    if (!text || !option)
        return false;
    int count = 0;
    char *next = strchr(text, ':');
    while (next) {
        *next++ = '\0';
        char *rest = strchr(next, ':');
        if (rest)
            *rest = '\0';
        if (!split_assignment(&command_bench, &job->arguments, "after ':' a solver", next, &option[count]))
            return false;
        count++;
        next = rest;
    }
    carom_error error = {0};
    if (choose_solver(arena, text, count, option, solver, &error) != CAROM_OK) {
        report_error(&error);
        return false;
    }
    if (count > 0)
        solver->label = given;
    return true;
}

static bool read_solvers(bench_job *job)
{
    const char *given = value_of(&job->arguments, OPTION_SOLVERS);
    if (!given) {
        report_usage(&command_bench, "--solvers A,B,... is missing (carom list solvers names them)");
        return false;
    }
    const char **name = split_list(job->arguments.arena, given, &job->solver_count);
    job->solver = carom_arena_take(job->arguments.arena, (size_t)job->solver_count, sizeof *job->solver);
    if (!name || !job->solver)
        return false;
    for (int s = 0; s < job->solver_count; s++) {
        if (!read_one_solver(job, name[s], &job->solver[s]))
            return false;
        for (int other = 0; other < s; other++)
            if (strcasecmp(job->solver[other].label, job->solver[s].label) == 0) {
                report_usage(&command_bench, "solver '%s' is given twice", job->solver[s].label);
                return false;
            }
    }
    return true;
}

static bool read_command_line(bench_job *job, int argc, char **argv)
{
    job->limits = (carom_solver_options){.tolerance = 1e-8, .max_seconds = 10.0};
    if (!parse_arguments(&command_bench, argc, argv, &job->arguments))
        return false;
    if (job->arguments.positional_count == 0) {
        report_usage(&command_bench, "which FCLIB files, or which directory of them?");
        return false;
    }
    return read_limits(&command_bench, &job->arguments.option[OPTION_TOL],
                       &job->arguments.option[OPTION_MAX_SECONDS], &job->limits) &&
           read_picture_place(&command_bench, &job->arguments, &job->arguments.option[OPTION_PROFILE],
                              "profile", &job->picture) &&
           read_solvers(job);
}

/* ---- files -------------------------------------------------------------------------------------- */

static bool add_file(bench_job *job, const char *path, bool is_named)
{
    file_list *list = &job->files;
    if (list->count == list->capacity) {
        const int capacity = list->capacity ? 2 * list->capacity : 64;
        const char **longer = carom_arena_take(job->arguments.arena, (size_t)capacity, sizeof *longer);
        bool *named = carom_arena_take(job->arguments.arena, (size_t)capacity, sizeof *named);
        if (!longer || !named)
            return false;
        if (list->count > 0) {
            memcpy(longer, list->path, (size_t)list->count * sizeof *longer);
            memcpy(named, list->is_named, (size_t)list->count * sizeof *named);
        }
        *list = (file_list){list->count, capacity, longer, named};
    }
    list->path[list->count] = path;
    list->is_named[list->count++] = is_named;
    return true;
}

static bool looks_like_hdf5(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcasecmp(dot, ".hdf5") == 0 || strcasecmp(dot, ".h5") == 0);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static carom_status add_directory(bench_job *job, const char *directory, carom_error *error)
{
    DIR *stream = opendir(directory);
    if (!stream)
        return carom_fail(error, errno == ENOMEM ? CAROM_NO_MEMORY : CAROM_BAD_INPUT,
                          "cannot read the directory %s: %s", directory, strerror(errno));
    const int first = job->files.count;
    bool fits = true;
    for (const struct dirent *entry = readdir(stream); fits && entry; entry = readdir(stream)) {
        if (!looks_like_hdf5(entry->d_name))
            continue;
        carom_text path = {0};
        carom_text_append(&path, "%s/%s", directory, entry->d_name);
        char *copy = path.failed ? NULL : carom_arena_copy_text(job->arguments.arena, path.bytes);
        carom_text_free(&path);
        fits = copy && add_file(job, copy, false);
    }
    closedir(stream);
    if (!fits)
        return carom_fail_memory(error);
    if (job->files.count == first)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: no files *.hdf5 or *.h5 in this directory", directory);
    qsort(job->files.path + first, (size_t)(job->files.count - first), sizeof *job->files.path, by_name);
    return CAROM_OK;
}

static carom_status find_files(bench_job *job, carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < job->arguments.positional_count; i++) {
        const char *path = job->arguments.positional[i];
        struct stat info;
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
            status = add_directory(job, path, error);
        else if (!add_file(job, path, true))
            status = carom_fail_memory(error);
    }
    return status;
}

/* ---- the measurement ---------------------------------------------------------------------------- */

static double solve_once(const bench_job *job, const contact_file *file, const chosen_solver *solver,
                         double *r, carom_solve_report *report)
{
    memset(r, 0, 3 * (size_t)file->problem.contacts * sizeof *r);
    carom_solver_options limits = job->limits;
    limits.option = solver->option;
    const double started = carom_seconds();
    if (file->is_rolling)
        (void)carom_rolling_solve(solver->ops, &file->rolling, &limits, r, report, NULL);
    else
        (void)carom_coulomb_solve(solver->ops, &file->problem, &limits, r, report, NULL);
    return carom_seconds() - started;
}

static void measure(const bench_job *job, const contact_file *file, const chosen_solver *solver, double *r,
                    bench_cell *cell)
{
    cell->seconds = solve_once(job, file, solver, r, &cell->report);
    for (int i = 0; i < REPEATS && cell->report.word == CAROM_SOLVE_OK && cell->seconds < short_seconds;
         i++) {
        carom_solve_report again;
        const double seconds = solve_once(job, file, solver, r, &again);
        if (again.word == CAROM_SOLVE_OK)
            cell->seconds = fmin(cell->seconds, seconds);
    }
}

/* All solvers on one problem; false when the user wants to stop. */
static bool measure_all(bench_job *job, const contact_file *file, int number, double *r,
                        const carom_progress *progress, bench_problem *problem)
{
    for (int s = 0; s < job->solver_count; s++) {
        const double done = (double)number * job->solver_count + s;
        if (!progress->report(progress->context, done, (double)job->files.count * job->solver_count))
            return false;
        measure(job, file, &job->solver[s], r, &problem->cell[s]);
    }
    return true;
}

/* One file; false when the user wants to stop. */
static bool bench_file(bench_job *job, int number, const carom_progress *progress)
{
    carom_arena *arena = job->arguments.arena;
    contact_file file;
    carom_error error = {0};
    if (contact_file_read(job->files.path[number], &file, &error) != CAROM_OK) {
        progress_end();
        report_reason("skipped: %s", error.text);
        job->named_file_failed = job->named_file_failed || job->files.is_named[number];
        contact_file_free(&file);
        return true;
    }
    bench_problem *problem = &job->problem[job->problem_count];
    *problem = (bench_problem){
        .path = job->files.path[number],
        .stem = contact_file_stem(arena, job->files.path[number]),
        .contacts = file.contacts,
        .dimension = file.dimension,
        .cell = carom_arena_take(arena, (size_t)job->solver_count, sizeof *problem->cell),
    };
    double *r = carom_arena_take(file.arena, 3 * (size_t)file.problem.contacts, sizeof *r);
    const bool goes_on =
        r && problem->stem && problem->cell && measure_all(job, &file, number, r, progress, problem);
    job->problem_count += goes_on;
    contact_file_free(&file);
    return goes_on;
}

static carom_status make_profile(bench_job *job, carom_error *error)
{
    double *seconds = carom_arena_take(
        job->arguments.arena, (size_t)job->problem_count * (size_t)job->solver_count, sizeof *seconds);
    if (!seconds)
        return carom_fail_memory(error);
    for (int p = 0; p < job->problem_count; p++)
        for (int s = 0; s < job->solver_count; s++) {
            const bench_cell *cell = &job->problem[p].cell[s];
            seconds[(ptrdiff_t)p * job->solver_count + s] =
                cell->report.word == CAROM_SOLVE_OK ? cell->seconds : INFINITY;
        }
    return carom_profile_make(job->problem_count, job->solver_count, seconds, &job->profile, error);
}

static carom_status bench_files(bench_job *job, carom_error *error)
{
    job->problem = carom_arena_take(job->arguments.arena, (size_t)job->files.count, sizeof *job->problem);
    if (!job->problem)
        return carom_fail_memory(error);
    const carom_progress progress = progress_begin(job->arguments.option[OPTION_QUIET].count > 0, "solves");
    for (int i = 0; !job->interrupted && i < job->files.count; i++)
        job->interrupted = !bench_file(job, i, &progress);
    progress_end();
    if (job->problem_count == 0)
        return job->interrupted ? carom_fail(error, CAROM_INTERRUPTED, "stopped before the first result")
                                : carom_fail(error, CAROM_BAD_INPUT, "no problem to solve");
    return make_profile(job, error);
}

/* ---- what comes out ----------------------------------------------------------------------------- */

static carom_status write_csv(const bench_job *job, const bench_output *output, carom_error *error)
{
    const char *path = value_of(&job->arguments, OPTION_CSV);
    if (!path)
        return CAROM_OK;
    carom_output *file = NULL;
    const carom_status status = carom_output_open(path, false, &file, error);
    if (status != CAROM_OK)
        return status;
    write_bench_csv(carom_output_stream(file), output);
    return carom_output_commit(file, error);
}

static carom_status draw(const bench_job *job, const bench_output *output, carom_error *error)
{
    if (!job->picture.name)
        return CAROM_OK;
    const carom_status status = draw_profile(output, job->picture.directory, job->picture.name, error);
    if (status == CAROM_OK && job->arguments.option[OPTION_QUIET].count == 0)
        fprintf(stderr, "picture: %s/%s.svg (and .png, .pdf, .gp, .dat, .tau.csv)\n", job->picture.directory,
                job->picture.name);
    return status;
}

static carom_status write_report(const bench_job *job, const bench_output *output, carom_error *error)
{
    const char *path = value_of(&job->arguments, OPTION_REPORT);
    if (!path)
        return CAROM_OK;
    const carom_status status = page_of_bench(output, job->argc, job->argv, path, error);
    if (status == CAROM_OK && !has_option(&job->arguments, OPTION_QUIET))
        fprintf(stderr, "report: %s\n", path);
    return status;
}

static int show(const bench_job *job)
{
    const bench_output output = {job->solver_count, job->solver,  job->problem_count,
                                 job->problem,      &job->limits, &job->profile};
    if (job->arguments.option[OPTION_JSON].count > 0)
        print_bench_json(&output);
    else if (job->arguments.option[OPTION_QUIET].count == 0)
        print_bench_text(&output);
    carom_error error[3] = {0};
    int exit_status = job->named_file_failed ? EXIT_BAD_INPUT : EXIT_DONE;
    if (write_csv(job, &output, &error[0]) != CAROM_OK)
        exit_status = report_error(&error[0]);
    if (draw(job, &output, &error[1]) != CAROM_OK)
        exit_status = report_error(&error[1]);
    if (write_report(job, &output, &error[2]) != CAROM_OK)
        exit_status = report_error(&error[2]);
    if (job->interrupted) {
        fprintf(stderr, "carom: stopped after %d of %d files\n", job->problem_count, job->files.count);
        return EXIT_COMPUTATION_FAILED;
    }
    return exit_status;
}

static int execute(bench_job *job)
{
    carom_error error = {0};
    const char *report = value_of(&job->arguments, OPTION_REPORT);
    carom_status status = report ? carom_page_check(report, &error) : CAROM_OK;
    if (status == CAROM_OK)
        status = find_files(job, &error);
    if (status == CAROM_OK)
        status = bench_files(job, &error);
    return status == CAROM_OK ? show(job) : report_error(&error);
}

static int run_bench(int argc, char **argv)
{
    bench_job job = {.argc = argc, .argv = argv};
    int exit_status = EXIT_BAD_INPUT;
    if (read_command_line(&job, argc, argv))
        exit_status = execute(&job);
    carom_profile_free(&job.profile);
    free_arguments(&job.arguments);
    return exit_status;
}

const command command_bench = {
    .name = "bench",
    .usage = "carom bench DIR|FILE... --solvers A,B,... [--tol T] [--max-seconds S] [--profile OUT.svg] "
             "[--csv FILE] [--json]",
    .summary = "compare solvers on frictional contact problems",
    .help =
        "  DIR                      all files *.hdf5 and *.h5 in it; those that are not FCLIB are skipped\n"
        "  --solvers A,B,...        carom list solvers names them; options stand after colons: A:name=value\n"
        "  --tol T                  largest error: natural map relative to |q|; default: 1e-8\n"
        "  --max-seconds S          time for each problem and solver; default: 10\n"
        "  --profile OUT.svg        draw performance profiles (Dolan and More 2002): OUT.svg, .png, .gp, "
        ".dat,\n"
        "                           and tau, solver, rho in OUT.tau.csv\n"
        "  --csv FILE               a line per problem and solver\n"
        "  --report FILE.html       a page with the profile and all solves\n"
        "  --json                   one JSON object on stdout instead of the tables\n"
        "  --quiet                  no tables, no progress line\n"
        "\n"
        "Solves below 0.1 s are made five times, the shortest time counts. One thread.\n"
        "\n"
        "examples\n"
        "  carom bench problems --solvers nsgs,ppa-nsn-ac-gp --tol 1e-4 --profile profile.svg\n"
        "  carom bench problems --solvers psor-ac:omega=1.2,psor-ac:omega=1.5 --csv omega.csv\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_bench,
};
