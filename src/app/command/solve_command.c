/* carom solve: frictional contact problems of FCLIB files. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/plot_parts.h"
#include "app/solve_output.h"
#include "carom/contact/bipotential.h"

/* What `carom solve` takes without --solver. */
#define DEFAULT_SOLVER "auto"

enum {
    OPTION_SOLVER,
    OPTION_DIRECT,
    OPTION_TOL,
    OPTION_MAX_SECONDS,
    OPTION_MAX_ITERATIONS,
    OPTION_OPTION,
    OPTION_GUESS,
    OPTION_WRITE,
    OPTION_FORCE,
    OPTION_HISTORY,
    OPTION_PLOT,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_COUNT,
};

static const argument_option option_table[OPTION_COUNT] = {
    [OPTION_SOLVER] = {"--solver", true, false, 0, NULL},
    [OPTION_DIRECT] = {"--direct", false, false, 0, NULL},
    [OPTION_TOL] = {"--tol", true, false, 0, NULL},
    [OPTION_MAX_SECONDS] = {"--max-seconds", true, false, 0, NULL},
    [OPTION_MAX_ITERATIONS] = {"--max-iterations", true, false, 0, NULL},
    [OPTION_OPTION] = {"--option", true, true, 0, NULL},
    [OPTION_GUESS] = {"--guess", true, false, 0, NULL},
    [OPTION_WRITE] = {"--write", true, false, 0, NULL},
    [OPTION_FORCE] = {"--force", false, false, 0, NULL},
    [OPTION_HISTORY] = {"--history", true, false, 0, NULL, WRITES_FILE},
    [OPTION_PLOT] = {"--plot", true, false, 0, NULL},
    [OPTION_JSON] = {"--json", false, false, 0, NULL},
    [OPTION_QUIET] = {"--quiet", false, false, 0, NULL},
};

/* What --direct takes: it is no solver of FC(W, q, mu), so the name is all there is. */
static const carom_solver_ops direct_solver = {
    .name = "direct", .summary = "Newton's method on velocities and reactions of a global problem"};

/* Everything of one `carom solve`, so that it is freed in one place. */
typedef struct solve_job {
    arguments arguments;
    chosen_solver solver;
    carom_solver_options limits;
    carom_orthotropy orthotropy; /* of --option ratio, slip_ratio, angle */
    bool is_orthotropic;
    int guess; /* 0: start from r = 0 */
    solved_file *result;
    bool head_is_shown, input_failed, output_failed;
} solve_job;

/* The file in hand. */
typedef struct solve_task {
    contact_file file;
    carom_elliptic_problem elliptic; /* what is solved when friction is orthotropic */
    double *r, *u;                   /* 3 per contact */
    double *given, *given_u;         /* dimension per contact, with --direct */
    unsigned char *regime;
    solve_history history;
    bool keeps_history, shows_progress, drew_progress;
    double last_shown;
} solve_task;

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
    if (has_option(&job->arguments, OPTION_DIRECT)) {
        job->solver = (chosen_solver){.ops = &direct_solver, .label = direct_solver.name};
        if (!has_option(&job->arguments, OPTION_SOLVER) && !has_option(&job->arguments, OPTION_OPTION))
            return true;
        report_usage(&command_solve, "--direct is a method of its own: it takes no --solver and no --option");
        return false;
    }
    int count = 0;
    carom_override *given = NULL;
    if (!read_assignments(&command_solve, &job->arguments, &job->arguments.option[OPTION_OPTION], &count,
                          &given))
        return false;
    carom_error error = {0};
    const char *name =
        value_of(&job->arguments, OPTION_SOLVER) ? value_of(&job->arguments, OPTION_SOLVER) : DEFAULT_SOLVER;
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
    if (!job->is_orthotropic || !has_option(&job->arguments, OPTION_WRITE))
        return true;
    report_usage(&command_solve, "--write: a file has one mu per contact and no place for orthotropic "
                                 "friction (ratio, slip_ratio, angle)");
    return false;
}

static bool read_command_line(solve_job *job, int argc, char **argv)
{
    job->limits = (carom_solver_options){.tolerance = 1e-8};
    if (!parse_arguments(&command_solve, argc, argv, &job->arguments))
        return false;
    if (job->arguments.positional_count == 0) {
        report_usage(&command_solve, "which FCLIB file?");
        return false;
    }
    if (has_option(&job->arguments, OPTION_HISTORY) && job->arguments.positional_count > 1) {
        report_usage(&command_solve, "--history needs one file; got %d", job->arguments.positional_count);
        return false;
    }
    return read_limits(&command_solve, &job->arguments.option[OPTION_TOL],
                       &job->arguments.option[OPTION_MAX_SECONDS], &job->limits) &&
           read_whole(&command_solve, &job->arguments.option[OPTION_MAX_ITERATIONS], 1, WHOLE_MOST,
                      &job->limits.max_iterations) &&
           read_whole(&command_solve, &job->arguments.option[OPTION_GUESS], 1, WHOLE_MOST, &job->guess) &&
           read_solver(job) && check_orthotropy(job);
}

/* ---- one file ----------------------------------------------------------------------------------- */

static void keep_point(solve_history *history, const solve_point *point)
{
    if (history->count == history->capacity) {
        const size_t capacity = history->capacity ? 2 * history->capacity : 256;
        solve_point *larger = realloc(history->point, capacity * sizeof *larger);
        if (!larger) {
            history->is_short = true;
            return;
        }
        history->point = larger;
        history->capacity = capacity;
    }
    history->point[history->count++] = *point;
}

static void show_progress(solve_task *task, const solve_point *point)
{
    if (point->seconds < task->last_shown + 0.5)
        return;
    task->last_shown = point->seconds;
    task->drew_progress = true;
    fputc('\r', stderr);
    print_foreign(stderr, task->file.path);
    fprintf(stderr, ": iteration %d, error %.3e, %.0f s \x1b[K", point->iteration, point->error,
            point->seconds);
    fflush(stderr);
}

static void take_report(void *context, int iteration, double error, double seconds)
{
    solve_task *task = context;
    const solve_point point = {iteration, error, seconds};
    if (task->keeps_history)
        keep_point(&task->history, &point);
    if (task->shows_progress)
        show_progress(task, &point);
}

/* Where the file goes with its solution; NULL when it is not written. */
static char *target_path(const solve_job *job, const solve_task *task)
{
    const char *directory = value_of(&job->arguments, OPTION_WRITE), *slash = strrchr(task->file.path, '/');
    carom_text path = {0};
    carom_text_append(&path, "%s/%s", directory, slash ? slash + 1 : task->file.path);
    char *copy = path.failed ? NULL : carom_arena_copy_text(task->file.arena, path.bytes);
    carom_text_free(&path);
    return copy;
}

/* Before a long computation: can its result be written? */
static carom_status check_target(const solve_job *job, const solve_task *task, carom_error *error)
{
    if (!has_option(&job->arguments, OPTION_WRITE))
        return CAROM_OK;
    const char *path = target_path(job, task);
    if (!path)
        return carom_fail_memory(error);
    if (!has_option(&job->arguments, OPTION_FORCE) && access(path, F_OK) == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s is there already; --force writes over it", path);
    for (int i = 0; i < job->arguments.positional_count; i++)
        if (is_same_file(path, job->arguments.positional[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "%s is read by this command; --write another directory",
                              path);
    return CAROM_OK;
}

static carom_status take_memory(solve_task *task, carom_error *error)
{
    const size_t contacts = (size_t)task->file.problem.contacts;
    task->r = carom_arena_take(task->file.arena, 3 * contacts, sizeof *task->r);
    task->u = carom_arena_take(task->file.arena, 3 * contacts, sizeof *task->u);
    task->regime = carom_arena_take(task->file.arena, contacts, 1);
    task->given = carom_arena_take(task->file.arena, 3 * contacts, sizeof *task->given);
    task->given_u = carom_arena_take(task->file.arena, 3 * contacts, sizeof *task->given_u);
    return task->r && task->u && task->regime && task->given && task->given_u ? CAROM_OK
                                                                              : carom_fail_memory(error);
}

static carom_status take_start(const solve_job *job, solve_task *task, carom_error *error)
{
    const carom_fclib *content = task->file.content;
    if (job->guess == 0)
        return CAROM_OK;
    if (job->guess > content->guess_count)
        return carom_fail(error, CAROM_BAD_INPUT, "%s holds %d guess%s; there is no --guess %d",
                          task->file.path, content->guess_count, content->guess_count == 1 ? "" : "es",
                          job->guess);
    const double *r = content->guess[job->guess - 1].r;
    if (!r)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: guess %d holds no r", task->file.path, job->guess);
    contact_file_embed(&task->file, r, task->r);
    return CAROM_OK;
}

static carom_status pose_elliptic(const solve_job *job, solve_task *task, carom_error *error)
{
    if (!job->is_orthotropic)
        return CAROM_OK;
    if (task->file.dimension != 3)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s is a problem in the plane; orthotropic friction (ratio, slip_ratio, angle) "
                          "needs two tangents",
                          task->file.path);
    return carom_elliptic_from_coulomb(&task->file.problem, &job->orthotropy, task->file.arena,
                                       &task->elliptic, error);
}

static carom_status summarise(const solve_job *job, solve_task *task, carom_coulomb_summary *summary,
                              carom_error *error)
{
    if (!has_option(&job->arguments, OPTION_DIRECT)) {
        carom_coulomb_summarise(&task->file.problem, task->r, task->u, task->regime, summary);
        return CAROM_OK;
    }
    carom_error inner = {0};
    contact_file_extract(&task->file, task->r, task->given);
    const carom_status status = carom_coulomb_summarise_global(&task->file.content->global, task->given,
                                                               task->given_u, task->regime, summary, &inner);
    contact_file_embed(&task->file, task->given_u, task->u);
    return contact_file_explain(&task->file, status, &inner, error);
}

static double distance(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* |u - u stored| / |q|, u as it was last summarised. */
static double stored_distance(const solve_task *task, double q_norm)
{
    const int size = task->file.dimension * task->file.problem.contacts;
    contact_file_extract(&task->file, task->u, task->given_u);
    const double found = distance(size, task->given_u, task->file.content->solution.u);
    return q_norm > 0.0 ? found / q_norm : found;
}

/* The solution that the file holds: is it one? Zeros with an error, beside a u that is not q, are the place of an
 * r that was never stored. */
static carom_status look_at_stored(const solve_job *job, solve_task *task, solved_file *result,
                                   carom_error *error)
{
    const carom_fclib_solution *solution = &task->file.content->solution;
    stored_solution *stored = &result->stored;
    const int size = task->file.dimension * result->contacts;
    *stored = (stored_solution){
        .has_r = solution->r, .has_u = solution->u, .error = NAN, .u_of_r = NAN, .u_difference = NAN};
    if (!solution->r)
        return CAROM_OK;
    carom_coulomb_summary summary;
    contact_file_embed(&task->file, solution->r, task->r);
    const carom_status status = summarise(job, task, &summary, error);
    memset(task->r, 0, 3 * (size_t)result->contacts * sizeof *task->r);
    if (status != CAROM_OK)
        return status;
    stored->r_is_zero = carom_largest(size, solution->r) == 0.0 && !(summary.error <= job->limits.tolerance);
    if (stored->r_is_zero)
        return CAROM_OK;
    stored->error = summary.error;
    if (stored->has_u)
        stored->u_of_r = stored_distance(task, summary.q_norm);
    return CAROM_OK;
}

static carom_status read_problem(const solve_job *job, solve_task *task, solved_file *result,
                                 carom_error *error)
{
    carom_status status = has_option(&job->arguments, OPTION_DIRECT)
                              ? contact_file_read_global(result->path, &task->file, error)
                              : contact_file_read(result->path, &task->file, error);
    if (status == CAROM_OK)
        status = check_target(job, task, error);
    if (status == CAROM_OK)
        status = take_memory(task, error);
    if (status != CAROM_OK)
        return status;
    const carom_fclib *content = task->file.content;
    result->is_global = content->is_global;
    result->contacts = task->file.problem.contacts;
    result->dimension = task->file.dimension;
    result->guess_count = content->guess_count;
    status = pose_elliptic(job, task, error);
    if (status == CAROM_OK)
        status = look_at_stored(job, task, result, error);
    return status == CAROM_OK ? take_start(job, task, error) : status;
}

static carom_status solve_directly(solve_task *task, const carom_solver_options *limits,
                                   carom_solve_report *report, carom_error *error)
{
    const carom_coulomb_global *global = &task->file.content->global;
    double *v = carom_arena_take(task->file.arena, (size_t)global->M.rows, sizeof *v);
    carom_error inner = {0};
    if (!v)
        return carom_fail_memory(error);
    contact_file_extract(&task->file, task->r, task->given);
    const carom_status status = carom_coulomb_solve_global(global, limits, v, task->given, report, &inner);
    contact_file_embed(&task->file, task->given, task->r);
    return contact_file_explain(&task->file, status, &inner, error);
}

/* What was not solved: is there a solution? */
static carom_status look_for_proof(const solve_job *job, solve_task *task, solved_file *result,
                                   carom_error *error)
{
    carom_solve_report *report = &result->report;
    if (report->word == CAROM_SOLVE_OK || report->word == CAROM_SOLVE_MEMORY ||
        report->word == CAROM_SOLVE_REFUSED)
        return CAROM_OK;
    result->proof_skipped = result->contacts > CAROM_PROOF_CONTACTS;
    const bool direct = has_option(&job->arguments, OPTION_DIRECT);
    if (direct && result->proof_skipped) /* there is no W */
        return CAROM_OK;
    const size_t size = 3 * (size_t)result->contacts;
    double *d = carom_arena_take(job->arguments.arena, size, sizeof *d);
    if (!d)
        return carom_fail_memory(error);
    const carom_status status = direct ? contact_file_reduce(&task->file, error) : CAROM_OK;
    if (status != CAROM_OK)
        return status;
    result->has_proof =
        carom_coulomb_infeasible(&task->file.problem, job->limits.tolerance, d, &result->proof);
    if (result->has_proof)
        report->word = CAROM_SOLVE_INFEASIBLE;
    if (result->has_proof || carom_coulomb_find_doubt(&task->file.problem, d))
        result->direction = d;
    return CAROM_OK;
}

/* The law part by part, without W where there is none. */
static carom_status ask_law(const solve_job *job, solve_task *task, solved_file *result, carom_error *error)
{
    result->has_residual = true;
    if (!has_option(&job->arguments, OPTION_DIRECT)) {
        result->residual = carom_coulomb_residuals(&task->file.problem, task->r);
        return CAROM_OK;
    }
    carom_error inner = {0};
    contact_file_extract(&task->file, task->r, task->given);
    const carom_status status =
        carom_coulomb_residuals_global(&task->file.content->global, task->given, &result->residual, &inner);
    return contact_file_explain(&task->file, status, &inner, error);
}

/* After summarise: task->u is that of the solution. */
static carom_status look_at_solution(const solve_job *job, solve_task *task, solved_file *result,
                                     carom_error *error)
{
    if (result->stored.has_u)
        result->stored.u_difference = stored_distance(task, result->summary.q_norm);
    const carom_status status = ask_law(job, task, result, error);
    return status == CAROM_OK ? look_for_proof(job, task, result, error) : status;
}

static carom_status compute(const solve_job *job, solve_task *task, solved_file *result, carom_error *error)
{
    carom_solver_options limits = job->limits;
    limits.report = take_report;
    limits.context = task;
    const double started = carom_seconds();
    carom_status status = CAROM_OK;
    if (has_option(&job->arguments, OPTION_DIRECT)) {
        status = solve_directly(task, &limits, &result->report, error);
    } else {
        limits.option = job->solver.option;
        status = carom_coulomb_solve(job->solver.ops, &task->file.problem, &limits, task->r, &result->report,
                                     error);
    }
    result->wall_seconds = carom_seconds() - started;
    if (task->drew_progress)
        fprintf(stderr, "\r\x1b[K");
    if (status != CAROM_OK)
        return status;
    if (!job->is_orthotropic) {
        status = summarise(job, task, &result->summary, error);
        return status == CAROM_OK ? look_at_solution(job, task, result, error) : status;
    }
    carom_elliptic_summarise(&task->elliptic, task->r, task->u, task->regime, &result->summary);
    result->is_orthotropic = true;
    result->certificate = carom_elliptic_certify(&task->elliptic, task->r, NULL);
    return CAROM_OK;
}

/* ---- what comes out ----------------------------------------------------------------------------- */

static carom_status take_solution(solve_task *task, carom_error *error)
{
    carom_fclib *content = task->file.content;
    carom_arena *arena = task->file.arena;
    const size_t size = (size_t)task->file.dimension * (size_t)task->file.problem.contacts;
    const int velocities = content->is_global ? content->global.M.rows : 0;
    const int equations = content->is_global ? content->global.G.columns : content->local.R.rows;
    carom_fclib_solution *solution = &content->solution;
    *solution = (carom_fclib_solution){.u = carom_arena_take(arena, size, sizeof(double)),
                                       .r = carom_arena_take(arena, size, sizeof(double))};
    if (velocities > 0)
        solution->v = carom_arena_take(arena, (size_t)velocities, sizeof(double));
    if (equations > 0)
        solution->l = carom_arena_take(arena, (size_t)equations, sizeof(double));
    if (!solution->u || !solution->r || (velocities > 0 && !solution->v) || (equations > 0 && !solution->l))
        return carom_fail_memory(error);
    contact_file_extract(&task->file, task->u, solution->u);
    contact_file_extract(&task->file, task->r, solution->r);
    if (content->is_global)
        return carom_coulomb_motion(&content->global, solution->r, solution->v, solution->l, error);
    return equations > 0 ? carom_coulomb_multipliers(&content->local, solution->r, solution->l, error)
                         : CAROM_OK;
}

static carom_status write_solution(const solve_job *job, solve_task *task, carom_error *error)
{
    if (!has_option(&job->arguments, OPTION_WRITE))
        return CAROM_OK;
    const char *path = target_path(job, task);
    carom_status status = path ? take_solution(task, error) : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = plot_make_directory(value_of(&job->arguments, OPTION_WRITE), error);
    return status == CAROM_OK
               ? carom_fclib_write(path, task->file.content, has_option(&job->arguments, OPTION_FORCE), error)
               : status;
}

static carom_status write_history(const solve_job *job, const solve_task *task, carom_error *error)
{
    const char *path = value_of(&job->arguments, OPTION_HISTORY);
    if (!path)
        return CAROM_OK;
    carom_output *output = NULL;
    const carom_status status = carom_output_open(path, false, &output, error);
    if (status != CAROM_OK)
        return status;
    write_solve_history(carom_output_stream(output), &task->history);
    return carom_output_commit(output, error);
}

/* Reactions along the axes of their cones, in which an ellipse is drawn as the unit disk. */
static const double *in_cone(const solve_job *job, const solve_task *task)
{
    const int contacts = task->file.problem.contacts;
    double *turned = carom_arena_take(task->file.arena, 3 * (size_t)contacts, sizeof *turned);
    const double c = cos(job->orthotropy.angle), s = sin(job->orthotropy.angle);
    for (int i = 0; turned && i < 3 * contacts; i += 3) {
        turned[i] = task->r[i];
        turned[i + 1] = c * task->r[i + 1] + s * task->r[i + 2];
        turned[i + 2] = (c * task->r[i + 2] - s * task->r[i + 1]) / job->orthotropy.ratio;
    }
    return turned;
}

static carom_status draw(const solve_job *job, const solve_task *task, const solved_file *result,
                         carom_error *error)
{
    const char *directory = value_of(&job->arguments, OPTION_PLOT);
    if (!directory)
        return CAROM_OK;
    const solve_picture picture = {.name = contact_file_stem(task->file.arena, result->path),
                                   .file = &task->file,
                                   .result = result,
                                   .solver = &job->solver,
                                   .tolerance = job->limits.tolerance,
                                   .history = &task->history,
                                   .r = job->is_orthotropic ? in_cone(job, task) : task->r,
                                   .regime = task->regime};
    carom_status status =
        picture.name && picture.r ? draw_solve(&picture, directory, error) : carom_fail_memory(error);
    if (status == CAROM_OK && !has_option(&job->arguments, OPTION_QUIET))
        fprintf(stderr, "pictures: %s/%s-error.png, %s/%s-cone.png (and .svg, .pdf, .gp, .dat)\n", directory,
                picture.name, directory, picture.name);
    return status;
}

static void write_files(solve_job *job, solve_task *task, const solved_file *result)
{
    carom_error error[3] = {0};
    const carom_status status[3] = {write_solution(job, task, &error[0]), write_history(job, task, &error[1]),
                                    draw(job, task, result, &error[2])};
    for (int i = 0; i < 3; i++)
        if (status[i] != CAROM_OK) {
            if (report_error(&error[i]) == EXIT_BAD_INPUT)
                job->input_failed = true;
            job->output_failed = true;
        }
}

static void show(solve_job *job, const solve_output *output, const solved_file *result)
{
    if (!has_option(&job->arguments, OPTION_JSON) && !has_option(&job->arguments, OPTION_QUIET)) {
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
    solve_task task = {.keeps_history = has_option(&job->arguments, OPTION_HISTORY) ||
                                        has_option(&job->arguments, OPTION_PLOT),
                       .shows_progress = !has_option(&job->arguments, OPTION_QUIET) && isatty(STDERR_FILENO)};
    carom_error error = {0};
    result->stored = (stored_solution){.error = NAN, .u_of_r = NAN, .u_difference = NAN};
    if (read_problem(job, &task, result, &error) == CAROM_OK &&
        compute(job, &task, result, &error) == CAROM_OK) {
        show(job, output, result);
        write_files(job, &task, result);
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
    const int count = job->arguments.positional_count;
    job->result = carom_arena_take(job->arguments.arena, (size_t)count, sizeof *job->result);
    if (!job->result)
        return EXIT_COMPUTATION_FAILED;
    for (int i = 0; i < count; i++) {
        job->result[i].path = job->arguments.positional[i];
        job->result[i].shown = carom_arena_copy_plain(job->arguments.arena, job->result[i].path);
        if (!job->result[i].shown)
            return EXIT_COMPUTATION_FAILED;
    }
    const solve_output output = {&job->solver, &job->limits, count, job->result};
    int read = 0, solved = 0;
    for (int i = 0; i < count; i++) {
        solve_file(job, &output, &job->result[i]);
        read += !job->result[i].message;
        solved += !job->result[i].message && job->result[i].report.word == CAROM_SOLVE_OK;
    }
    if (has_option(&job->arguments, OPTION_JSON) && read > 0)
        print_solve_json(&output);
    if (job->head_is_shown && count > 1)
        printf("%d of %d solved to %g\n", solved, count, job->limits.tolerance);
    if (job->input_failed)
        return EXIT_BAD_INPUT;
    return solved == count && !job->output_failed ? EXIT_DONE : EXIT_COMPUTATION_FAILED;
}

static int run_solve(int argc, char **argv)
{
    solve_job job = {0};
    int exit_status = EXIT_BAD_INPUT;
    if (read_command_line(&job, argc, argv))
        exit_status = execute(&job);
    free_arguments(&job.arguments);
    return exit_status;
}

const command command_solve = {
    .name = "solve",
    .usage =
        "carom solve FILE.hdf5... [--solver NAME] [--tol T] [--max-seconds S] [--write DIR] [--json] ...",
    .summary = "solve frictional contact problems (FCLIB files)",
    .help =
        "  --solver NAME            carom list solvers names them; capitals do not matter; "
        "default: " DEFAULT_SOLVER "\n"
        "  --direct                 global problems by Newton's method on velocities and reactions at once, "
        "without\n"
        "                           forming W; for flexible bodies\n"
        "  --tol T                  largest error: natural map relative to |q|; default: 1e-8\n"
        "  --max-seconds S          gives up after this time for each file\n"
        "  --max-iterations N       and after so many iterations; default: the solver's own\n"
        "  --option name=value      option of the solver (repeat for more)\n"
        "  --guess K                start from guess K of the file (1, 2, ...); default: r = 0\n"
        "  --write DIR              write each file with its solution (u, r; v of global problems) into DIR\n"
        "  --force                  even over files that are there\n"
        "  --history FILE.csv       iteration, error, seconds of one file\n"
        "  --plot DIR               draw error against iteration, and the reactions in the friction cone\n"
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
        "  carom solve wall.hdf5 --history wall.csv --plot pictures --write solved\n"
        "  carom solve wall.hdf5 --solver uzawa-bipotential --option ratio=0.5 --option angle=0.3\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_solve,
};
