/* One `carom solve`, for its files: solve_command.c, which reads the command line, solve_files.c, solve_task.c, which solves one
 * file, and solve_outputs.c. */
#ifndef CAROM_APP_COMMAND_SOLVE_JOB_H
#define CAROM_APP_COMMAND_SOLVE_JOB_H

#include "app/command_pages.h"
#include "app/solve_output.h"
#include "carom/contact/bipotential.h"

enum {
    SOLVE_SOLVER,
    SOLVE_DIRECT,
    SOLVE_TOL,
    SOLVE_MAX_SECONDS,
    SOLVE_MAX_ITERATIONS,
    SOLVE_OPTION,
    SOLVE_GUESS,
    SOLVE_SEQUENCE,
    SOLVE_ALL,
    SOLVE_REPEAT,
    SOLVE_WRITE,
    SOLVE_FORCE,
    SOLVE_HISTORY,
    SOLVE_PLOT,
    SOLVE_JSON,
    SOLVE_QUIET,
    SOLVE_REPORT,
    SOLVE_COUNT,
};

/* Everything of one `carom solve`, so that it is freed in one place. */
typedef struct solve_job {
    arguments arguments;
    chosen_solver solver;
    carom_solver_options limits;
    carom_orthotropy orthotropy; /* of --option ratio, slip_ratio, angle */
    bool is_orthotropic;
    bool
        leaves_large; /* no solver of W is asked for: global problems whose W would be large stay as they are */
    int guess;        /* 0: start from r = 0 */
    int repeat;       /* how often each is solved, for its time */
    int file_count;
    const char **file;
    double *last; /* of --sequence: the solution before, as its file has it */
    int last_contacts, last_dimension;
    bool last_rolls;
    solved_file *result;
    bool head_is_shown, input_failed, output_failed;
    carom_page report; /* --report; not begun: nothing is asked for */
    int argc;          /* as they were given */
    char **argv;
} solve_job;

/* The file in hand. */
typedef struct solve_task {
    contact_file file;
    carom_elliptic_problem elliptic; /* what is solved when friction is orthotropic */
    double *r, *u;                   /* 3 per contact of file.problem */
    bool is_direct; /* a global problem is left as it is, with --direct or because W would be large */
    double *given, *given_u; /* dimension per contact, then */
    unsigned char *regime;
    solve_history history;
    bool keeps_history, shows_progress, drew_progress;
    double last_shown;
} solve_task;

/* ---- solve_files.c ------------------------------------------------------------------------------ */

/* job->file: the arguments, and with --all what is in those that are directories. */
carom_status solve_job_list_files(solve_job *job, carom_error *error);
/* task->r: where the solver starts. */
carom_status solve_job_start(const solve_job *job, solve_task *task, carom_error *error);
/* For the next of a sequence. */
carom_status solve_job_keep_last(solve_job *job, const solve_task *task, carom_error *error);

/* ---- solve_task.c ------------------------------------------------------------------------------- */

/* The problem of result->path, with what is told of it before it is solved. */
carom_status solve_task_read(const solve_job *job, solve_task *task, solved_file *result, carom_error *error);
/* Solves it, and looks at what came out. */
carom_status solve_task_compute(const solve_job *job, solve_task *task, solved_file *result,
                                carom_error *error);

/* ---- solve_outputs.c ---------------------------------------------------------------------------- */

/* Before a long computation: can its result be written? */
carom_status solve_task_check_target(const solve_job *job, const solve_task *task, carom_error *error);
/* Solution, history and pictures, as asked; what fails is reported and noted in the job. */
void solve_task_write(solve_job *job, solve_task *task, const solved_file *result);

#endif
