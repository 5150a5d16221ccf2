/* carom solve: what comes out beside the lines: files with their solutions, histories, pictures. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/plot_parts.h"
#include "solve_job.h"

/* Where the file goes with its solution; NULL when it is not written. */
static char *target_path(const solve_job *job, const solve_task *task)
{
    const char *directory = value_of(&job->arguments, SOLVE_WRITE), *slash = strrchr(task->file.path, '/');
    carom_text path = {0};
    carom_text_append(&path, "%s/%s", directory, slash ? slash + 1 : task->file.path);
    char *copy = path.failed ? NULL : carom_arena_copy_text(task->file.arena, path.bytes);
    carom_text_free(&path);
    return copy;
}

/* Before a long computation: can its result be written? */
carom_status solve_task_check_target(const solve_job *job, const solve_task *task, carom_error *error)
{
    if (!has_option(&job->arguments, SOLVE_WRITE))
        return CAROM_OK;
    const char *path = target_path(job, task);
    if (!path)
        return carom_fail_memory(error);
    if (!has_option(&job->arguments, SOLVE_FORCE) && access(path, F_OK) == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s is there already; --force writes over it", path);
    for (int i = 0; i < job->file_count; i++)
        if (is_same_file(path, job->file[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "%s is read by this command; --write another directory",
                              path);
    return CAROM_OK;
}

static carom_status take_solution(solve_task *task, carom_error *error)
{
    carom_fclib *content = task->file.content;
    carom_arena *arena = task->file.arena;
    const size_t size = (size_t)task->file.dimension * (size_t)task->file.contacts;
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
    contact_file_extract_velocities(&task->file, task->u, solution->u);
    contact_file_extract(&task->file, task->r, solution->r);
    if (content->is_global)
        return carom_coulomb_motion(&content->global, solution->r, solution->v, solution->l, error);
    return equations > 0 ? carom_coulomb_multipliers(&content->local, solution->r, solution->l, error)
                         : CAROM_OK;
}

static carom_status write_solution(const solve_job *job, solve_task *task, carom_error *error)
{
    if (!has_option(&job->arguments, SOLVE_WRITE))
        return CAROM_OK;
    const char *path = target_path(job, task);
    carom_status status = path ? take_solution(task, error) : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = plot_make_directory(value_of(&job->arguments, SOLVE_WRITE), error);
    return status == CAROM_OK
               ? carom_fclib_write(path, task->file.content, has_option(&job->arguments, SOLVE_FORCE), error)
               : status;
}

static carom_status write_history(const solve_job *job, const solve_task *task, carom_error *error)
{
    const char *path = value_of(&job->arguments, SOLVE_HISTORY);
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

static carom_status draw(solve_job *job, const solve_task *task, const solved_file *result,
                         carom_error *error)
{
    const char *directory = value_of(&job->arguments, SOLVE_PLOT);
    if (!directory && !job->report.payload)
        return CAROM_OK;
    const solve_picture picture = {.name = contact_file_stem(task->file.arena, result->path),
                                   .file = &task->file,
                                   .result = result,
                                   .solver = &job->solver,
                                   .tolerance = job->limits.tolerance,
                                   .history = &task->history,
                                   .r = job->is_orthotropic ? in_cone(job, task) : task->r,
                                   .regime = task->regime};
    carom_status status = picture.name && picture.r ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK && job->report.payload)
        status = page_add_solved(&job->report, &picture, error);
    if (status == CAROM_OK && directory)
        status = draw_solve(&picture, directory, error);
    if (status == CAROM_OK && directory && !has_option(&job->arguments, SOLVE_QUIET))
        fprintf(stderr, "pictures: %s/%s-error.png, %s/%s-cone.png (and .svg, .pdf, .gp, .dat)\n", directory,
                picture.name, directory, picture.name);
    return status;
}

void solve_task_write(solve_job *job, solve_task *task, const solved_file *result)
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
