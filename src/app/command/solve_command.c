/* carom solve: frictional contact problems of FCLIB files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "solve_job.h"

/* What `carom solve` takes without --solver. */
#define DEFAULT_SOLVER "auto"

static const argument_option option_table[SOLVE_COUNT] = {
    [SOLVE_SOLVER] = {"--solver", true, false, 0, NULL},
    [SOLVE_DIRECT] = {"--direct", false, false, 0, NULL},
    [SOLVE_TOL] = {"--tol", true, false, 0, NULL},
    [SOLVE_MAX_SECONDS] = {"--max-seconds", true, false, 0, NULL},
    [SOLVE_MAX_ITERATIONS] = {"--max-iterations", true, false, 0, NULL},
    [SOLVE_OPTION] = {"--option", true, true, 0, NULL},
    [SOLVE_GUESS] = {"--guess", true, false, 0, NULL},
    [SOLVE_SEQUENCE] = {"--sequence", false, false, 0, NULL},
    [SOLVE_ALL] = {"--all", false, false, 0, NULL},
    [SOLVE_REPEAT] = {"--repeat", true, false, 0, NULL},
    [SOLVE_WRITE] = {"--write", true, false, 0, NULL},
    [SOLVE_FORCE] = {"--force", false, false, 0, NULL},
    [SOLVE_HISTORY] = {"--history", true, false, 0, NULL, WRITES_FILE},
    [SOLVE_PLOT] = {"--plot", true, false, 0, NULL, WRITES_FOLDER},
    [SOLVE_JSON] = {"--json", false, false, 0, NULL},
    [SOLVE_QUIET] = {"--quiet", false, false, 0, NULL},
    [SOLVE_REPORT] = {"--report", true, false, 0, NULL, WRITES_FILE},
};

/* What --direct takes: it is no solver of FC(W, q, mu), so the name is all there is. */
static const carom_solver_ops direct_solver = {
    .name = "direct", .summary = "Newton's method on velocities and reactions of a global problem"};

/* ---- reading the command line ------------------------------------------------------------------ */

/* Solvers of round cones do not have the options of elliptic ones. */
static void explain_orthotropy(const solve_job *job, int count, const carom_override *given)
{
    const carom_solver_ops *ops = job->solver.ops;
    for (int i = 0; ops && i < count; i++) {
        const char *name = given[i].name;
        const bool asks =
            strcmp(name, "ratio") == 0 || strcmp(name, "slip_ratio") == 0 || strcmp(name, "angle") == 0;
        if (!asks || carom_option_find(ops->option_count, ops->options, name) >= 0)
            continue;
        fprintf(stderr, "carom: orthotropic friction (ratio, slip_ratio, angle) is solved by --solver "
                        "uzawa-bipotential\n");
        return;
    }
}

static bool read_solver(solve_job *job)
{
    if (has_option(&job->arguments, SOLVE_DIRECT)) {
        job->solver = (chosen_solver){.ops = &direct_solver, .label = direct_solver.name};
        if (!has_option(&job->arguments, SOLVE_SOLVER) && !has_option(&job->arguments, SOLVE_OPTION))
            return true;
        report_usage(&command_solve, "--direct is a method of its own: it takes no --solver and no --option");
        return false;
    }
    int count = 0;
    carom_override *given = NULL;
    if (!read_assignments(&command_solve, &job->arguments, &job->arguments.option[SOLVE_OPTION], &count,
                          &given))
        return false;
    carom_error error = {0};
    job->leaves_large = !value_of(&job->arguments, SOLVE_SOLVER) && count == 0;
    const char *name =
        value_of(&job->arguments, SOLVE_SOLVER) ? value_of(&job->arguments, SOLVE_SOLVER) : DEFAULT_SOLVER;
    if (choose_solver(job->arguments.arena, name, count, given, &job->solver, &error) == CAROM_OK) {
        job->is_orthotropic = carom_solver_orthotropy(job->solver.ops, job->solver.option, &job->orthotropy);
        return true;
    }
    report_error(&error);
    explain_orthotropy(job, count, given);
    return false;
}

static bool check_orthotropy(const solve_job *job)
{
    if (!job->is_orthotropic || !has_option(&job->arguments, SOLVE_WRITE))
        return true;
    report_usage(&command_solve, "--write: a file has one mu per contact and no place for orthotropic "
                                 "friction (ratio, slip_ratio, angle)");
    return false;
}

static bool read_command_line(solve_job *job, int argc, char **argv)
{
    job->limits = (carom_solver_options){.tolerance = 1e-8};
    job->repeat = 1;
    if (!parse_arguments(&command_solve, argc, argv, &job->arguments))
        return false;
    if (job->arguments.positional_count == 0) {
        report_usage(&command_solve, "which FCLIB file?");
        return false;
    }
    carom_error error = {0};
    if (solve_job_list_files(job, &error) != CAROM_OK) {
        report_error(&error);
        return false;
    }
    if (has_option(&job->arguments, SOLVE_HISTORY) && job->file_count > 1) {
        report_usage(&command_solve, "--history needs one file; got %d", job->file_count);
        return false;
    }
    if (has_option(&job->arguments, SOLVE_SEQUENCE) && has_option(&job->arguments, SOLVE_GUESS)) {
        report_usage(&command_solve, "--sequence has starts of its own: it takes no --guess");
        return false;
    }
    return read_limits(&command_solve, &job->arguments.option[SOLVE_TOL],
                       &job->arguments.option[SOLVE_MAX_SECONDS], &job->limits) &&
           read_whole(&command_solve, &job->arguments.option[SOLVE_MAX_ITERATIONS], 1, WHOLE_MOST,
                      &job->limits.max_iterations) &&
           read_whole(&command_solve, &job->arguments.option[SOLVE_REPEAT], 1, WHOLE_MOST, &job->repeat) &&
           read_whole(&command_solve, &job->arguments.option[SOLVE_GUESS], 1, WHOLE_MOST, &job->guess) &&
           read_solver(job) && check_orthotropy(job);
}

/* ---- the files ---------------------------------------------------------------------------------- */

static void show(solve_job *job, const solve_output *output, const solved_file *result)
{
    if (!has_option(&job->arguments, SOLVE_JSON) && !has_option(&job->arguments, SOLVE_QUIET)) {
        if (!job->head_is_shown)
            print_solve_head(output);
        job->head_is_shown = true;
        print_solve_row(output, result);
        if (output->count == 1)
            print_solve_details(result);
    }
    if (result->report.word != CAROM_SOLVE_OK)
        fprintf(stderr, "carom: %s: not solved (%s after %d iteration%s): best error %.3e, wanted %.3g\n",
                result->shown, carom_solve_word_text(result->report.word), result->report.iterations,
                plural(result->report.iterations), result->report.error, job->limits.tolerance);
    print_solve_reason(result);
}

static void solve_file(solve_job *job, const solve_output *output, solved_file *result)
{
    solve_task task = {.keeps_history = has_option(&job->arguments, SOLVE_HISTORY) ||
                                        has_option(&job->arguments, SOLVE_PLOT) ||
                                        has_option(&job->arguments, SOLVE_REPORT),
                       .shows_progress = !has_option(&job->arguments, SOLVE_QUIET) && isatty(STDERR_FILENO)};
    carom_error error = {0};
    result->stored = (stored_solution){.error = NAN, .u_of_r = NAN, .u_difference = NAN};
    if (solve_task_read(job, &task, result, &error) == CAROM_OK &&
        solve_task_compute(job, &task, result, &error) == CAROM_OK &&
        solve_job_keep_last(job, &task, &error) == CAROM_OK) {
        show(job, output, result);
        solve_task_write(job, &task, result);
    } else {
        if (report_error(&error) == EXIT_BAD_INPUT)
            job->input_failed = true;
        job->output_failed = true;
        result->message = carom_arena_copy_text(job->arguments.arena, error.text);
    }
    free(task.history.point);
    contact_file_free(&task.file);
}

static int execute(solve_job *job)
{
    const int count = job->file_count;
    job->result = carom_arena_take(job->arguments.arena, (size_t)count, sizeof *job->result);
    if (!job->result)
        return EXIT_COMPUTATION_FAILED;
    for (int i = 0; i < count; i++) {
        job->result[i].path = job->file[i];
        job->result[i].shown = carom_arena_copy_plain(job->arguments.arena, job->result[i].path);
        if (!job->result[i].shown)
            return EXIT_COMPUTATION_FAILED;
    }
    const solve_output output = {&job->solver, &job->limits, count, job->result};
    const char *report = value_of(&job->arguments, SOLVE_REPORT);
    carom_error error = {0};
    if (report && (carom_page_check(report, &error) != CAROM_OK ||
                   page_begin_solve(&job->report, job->argc, job->argv, &error) != CAROM_OK))
        return report_error(&error);
    int read = 0, solved = 0;
    for (int i = 0; i < count; i++) {
        solve_file(job, &output, &job->result[i]);
        read += !job->result[i].message;
        solved += !job->result[i].message && job->result[i].report.word == CAROM_SOLVE_OK;
    }
    if (has_option(&job->arguments, SOLVE_JSON) && read > 0)
        print_solve_json(&output);
    if (job->head_is_shown && count > 1)
        printf("%d of %d solved to %g\n", solved, count, job->limits.tolerance);
    if (report && read > 0) {
        if (page_end_solve(&job->report, &output, report, &error) != CAROM_OK)
            return report_error(&error);
        if (!has_option(&job->arguments, SOLVE_QUIET))
            fprintf(stderr, "report: %s\n", report);
    }
    if (job->input_failed)
        return EXIT_BAD_INPUT;
    return solved == count && !job->output_failed ? EXIT_DONE : EXIT_COMPUTATION_FAILED;
}

static int run_solve(int argc, char **argv)
{
    solve_job job = {.argc = argc, .argv = argv};
    int exit_status = EXIT_BAD_INPUT;
    if (read_command_line(&job, argc, argv))
        exit_status = execute(&job);
    carom_page_discard(&job.report);
    free(job.file);
    free(job.last);
    free_arguments(&job.arguments);
    return exit_status;
}

const command command_solve = {
    .name = "solve",
    .usage = "carom solve FILE.hdf5...|--all DIR... [--solver NAME] [--tol T] [--max-seconds S] [--write "
             "DIR] [--json] ...",
    .summary = "solve frictional contact problems (FCLIB files)",
    .help =
        "  --solver NAME            carom list solvers names them; capitals do not matter; "
        "default: " DEFAULT_SOLVER "\n"
        "  --direct                 global problems by Newton's method on velocities and reactions at once, "
        "without\n"
        "                           forming W; for flexible bodies. The default for those with many "
        "contacts\n"
        "  --tol T                  largest error: natural map relative to |q|; default: 1e-8\n"
        "  --max-seconds S          gives up after this time for each file\n"
        "  --max-iterations N       and after so many iterations; default: the solver's own\n"
        "  --option name=value      option of the solver (repeat for more)\n"
        "  --guess K                start from guess K of the file (1, 2, ...); default: r = 0\n"
        "  --sequence               files of one motion, in order: each starts from its own guess, or else "
        "from the\n"
        "                           solution before it when that has as many contacts\n"
        "  --all                    arguments may be directories: all their files, by name\n"
        "  --repeat N               solves each N times and tells the shortest time: the bare time of small "
        "ones\n"
        "  --write DIR              write each file with its solution (u, r; v of global problems) into DIR\n"
        "  --force                  even over files that are there\n"
        "  --history FILE.csv       iteration, error, seconds of one file\n"
        "  --plot DIR               draw error against iteration, and the reactions in the friction cone\n"
        "  --report FILE.html       a page with both, and a table of all files\n"
        "  --json                   one JSON object on stdout instead of the lines\n"
        "  --quiet                  no lines, no progress line\n"
        "\n"
        "A solution is ok when its natural map is below the tolerance and u = W r + q is known that well.\n"
        "infeasible: a direction d of normal reactions proves that there is none (W^T d = 0, q.d < 0; "
        "--json\n"
        "has it).\n"
        "\n"
        "exit status: 0 all are solved; 1 some are not (the best error is told); 2 bad usage, or a file "
        "that\n"
        "cannot be read (the others are solved all the same)\n"
        "\n"
        "examples\n"
        "  carom solve Capsules-i125-1213.hdf5\n"
        "  carom solve problems/*.hdf5 --solver nsgs --tol 1e-4 --max-seconds 10\n"
        "  carom run bodies/wall --fclib steps --every 20 && carom solve --all steps --sequence\n"
        "  carom solve wall.hdf5 --history wall.csv --plot pictures --write solved\n"
        "  carom solve wall.hdf5 --solver uzawa-bipotential --option ratio=0.5 --option angle=0.3\n",
    .option_count = SOLVE_COUNT,
    .options = option_table,
    .run = run_solve,
};
