/* carom solve: one file, from reading it to what is known of its solution. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve_job.h"

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

static carom_status pose_elliptic(const solve_job *job, solve_task *task, carom_error *error)
{
    if (!job->is_orthotropic)
        return CAROM_OK;
    if (task->file.is_rolling)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s has rolling friction; it is not solved beside orthotropic friction (ratio, "
                          "slip_ratio, angle)",
                          task->file.path);
    if (task->file.dimension != 3)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s is a problem in the plane; orthotropic friction (ratio, slip_ratio, angle) "
                          "needs two tangents",
                          task->file.path);
    return carom_elliptic_from_coulomb(&task->file.problem, &job->orthotropy, task->file.arena,
                                       &task->elliptic, error);
}

static void summarise_reduced(solve_task *task, carom_coulomb_summary *summary,
                              carom_coulomb_residual *residual)
{
    if (task->file.is_rolling) {
        carom_rolling_examine(&task->file.rolling, task->r, task->u, task->regime, summary, residual);
        return;
    }
    carom_coulomb_summarise(&task->file.problem, task->r, task->u, task->regime, summary);
    *residual = carom_coulomb_residuals(&task->file.problem, task->r);
}

/* The law part by part as well; without W where there is none. */
static carom_status summarise(solve_task *task, carom_coulomb_summary *summary,
                              carom_coulomb_residual *residual, carom_error *error)
{
    const contact_file *file = &task->file;
    const carom_coulomb_global *global = &file->content->global;
    if (!task->is_direct) {
        summarise_reduced(task, summary, residual);
        return CAROM_OK;
    }
    carom_error inner = {0};
    contact_file_extract(file, task->r, task->given);
    const carom_status status =
        file->is_rolling ? carom_rolling_examine_global(global, &file->rolling, task->given, task->given_u,
                                                        task->regime, summary, residual, &inner)
                         : carom_coulomb_examine_global(global, task->given, task->given_u, task->regime,
                                                        summary, residual, &inner);
    contact_file_embed_velocities(file, task->given_u, task->u);
    return contact_file_explain(file, status, &inner, error);
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
    const int size = task->file.dimension * task->file.contacts;
    contact_file_extract_velocities(&task->file, task->u, task->given_u);
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
    carom_coulomb_residual residual;
    contact_file_embed(&task->file, solution->r, task->r);
    const carom_status status = summarise(task, &summary, &residual, error);
    memset(task->r, 0, 3 * (size_t)task->file.problem.contacts * sizeof *task->r);
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

carom_status solve_task_read(const solve_job *job, solve_task *task, solved_file *result, carom_error *error)
{
    task->is_direct = has_option(&job->arguments, SOLVE_DIRECT);
    carom_status status;
    if (task->is_direct)
        status = contact_file_read_global(result->path, &task->file, error);
    else if (job->leaves_large)
        status = contact_file_read_either(result->path, &task->file, &task->is_direct, error);
    else
        status = contact_file_read(result->path, &task->file, error);
    if (status == CAROM_OK)
        status = solve_task_check_target(job, task, error);
    if (status == CAROM_OK)
        status = take_memory(task, error);
    if (status != CAROM_OK)
        return status;
    const carom_fclib *content = task->file.content;
    result->is_global = content->is_global;
    result->contacts = task->file.contacts;
    result->dimension = task->file.dimension;
    result->is_rolling = task->file.is_rolling;
    result->parts = task->file.problem.contacts;
    result->guess_count = content->guess_count;
    status = pose_elliptic(job, task, error);
    if (status == CAROM_OK)
        status = look_at_stored(job, task, result, error);
    return status == CAROM_OK ? solve_job_start(job, task, error) : status;
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
    const carom_status status =
        task->file.is_rolling ? carom_rolling_solve_global(global, limits, v, task->given, report, &inner)
                              : carom_coulomb_solve_global(global, limits, v, task->given, report, &inner);
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
    result->proof_skipped = task->file.problem.contacts > CAROM_PROOF_CONTACTS;
    if (task->is_direct && result->proof_skipped) /* there is no W */
        return CAROM_OK;
    const size_t size = 3 * (size_t)task->file.problem.contacts;
    double *d = carom_arena_take(job->arguments.arena, size, sizeof *d);
    if (!d)
        return carom_fail_memory(error);
    const carom_status status = task->is_direct ? contact_file_reduce(&task->file, error) : CAROM_OK;
    if (status != CAROM_OK)
        return status;
    result->has_proof =
        carom_coulomb_infeasible(&task->file.problem, job->limits.tolerance, d, &result->proof);
    if (result->has_proof)
        report->word = CAROM_SOLVE_INFEASIBLE;
    if (!result->has_proof && !carom_coulomb_find_doubt(&task->file.problem, d))
        return CAROM_OK;
    double *direction = carom_arena_take(job->arguments.arena, size, sizeof *direction);
    if (!direction)
        return carom_fail_memory(error);
    contact_file_extract(&task->file, d, direction);
    result->direction = direction;
    return CAROM_OK;
}

static carom_status solve_reduced(const solve_job *job, solve_task *task, const carom_solver_options *limits,
                                  carom_solve_report *report, carom_error *error)
{
    if (task->file.is_rolling)
        return carom_rolling_solve(job->solver.ops, &task->file.rolling, limits, task->r, report, error);
    return carom_coulomb_solve(job->solver.ops, &task->file.problem, limits, task->r, report, error);
}

/* After summarise: task->u is that of the solution. */
static carom_status look_at_solution(const solve_job *job, solve_task *task, solved_file *result,
                                     carom_error *error)
{
    if (result->stored.has_u)
        result->stored.u_difference = stored_distance(task, result->summary.q_norm);
    return look_for_proof(job, task, result, error);
}

carom_status solve_task_compute(const solve_job *job, solve_task *task, solved_file *result,
                                carom_error *error)
{
    carom_solver_options limits = job->limits;
    limits.report = take_report;
    limits.context = task;
    limits.option = task->is_direct ? NULL : job->solver.option;
    carom_status status = CAROM_OK;
    const size_t bytes = 3 * (size_t)task->file.problem.contacts * sizeof *task->r;
    memcpy(task->u, task->r, bytes); /* the start */
    result->wall_seconds = INFINITY;
    for (int i = 0; status == CAROM_OK && i < job->repeat; i++) {
        memcpy(task->r, task->u, bytes);
        const double started = carom_seconds();
        status = task->is_direct ? solve_directly(task, &limits, &result->report, error)
                                 : solve_reduced(job, task, &limits, &result->report, error);
        result->wall_seconds = fmin(result->wall_seconds, carom_seconds() - started);
    }
    if (task->drew_progress)
        fprintf(stderr, "\r\x1b[K");
    if (status != CAROM_OK)
        return status;
    if (!job->is_orthotropic) {
        status = summarise(task, &result->summary, &result->residual, error);
        result->has_residual = status == CAROM_OK;
        return status == CAROM_OK ? look_at_solution(job, task, result, error) : status;
    }
    carom_elliptic_summarise(&task->elliptic, task->r, task->u, task->regime, &result->summary);
    result->is_orthotropic = true;
    result->certificate = carom_elliptic_certify(&task->elliptic, task->r, NULL);
    return CAROM_OK;
}
