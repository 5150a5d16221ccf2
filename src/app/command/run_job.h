/* One `carom run`, for its files: run_command.c, which reads the command line, run_load.c, run_runs.c and run_outputs.c. */
#ifndef CAROM_APP_COMMAND_RUN_JOB_H
#define CAROM_APP_COMMAND_RUN_JOB_H

#include "app/command.h"
#include "app/film.h"
#include "app/resumed.h"

enum {
    RUN_SET,
    RUN_SCHEME,
    RUN_H,
    RUN_UNTIL,
    RUN_OPTION,
    RUN_SOLVER,
    RUN_TOLERANCE,
    RUN_MAX_ITERATIONS,
    RUN_AT,
    RUN_OUT,
    RUN_CSV,
    RUN_PLOT,
    RUN_JSON,
    RUN_QUIET,
    RUN_VARIANT,
    RUN_NO_FAMILY,
    RUN_EVERY,
    RUN_JIT,
    RUN_RECORD,
    RUN_COMPRESS,
    RUN_CERTIFY,
    RUN_ACCURACY,
    RUN_ACCURACY_LIMIT,
    RUN_ACCURACY_ALONE,
    RUN_EVENTS,
    RUN_SENSITIVITY,
    RUN_SIDES,
    RUN_CHECKPOINT,
    RUN_REPORT,
    RUN_FCLIB,
    RUN_VTK,
    RUN_GLTF,
    RUN_FRAME_COUNT,
    RUN_VIDEO, /* the options of film.h, in their order */
    RUN_FRAMES,
    RUN_FPS,
    RUN_SIZE,
    RUN_SPEED,
    RUN_COUNT,
};

/* Everything of one `carom run`, so that it is freed in one place. */
typedef struct run_job {
    arguments arguments;
    argument_option option[RUN_COUNT];
    int set_count;
    carom_override *set;
    carom_option *scheme_option;
    int sample_count;
    double *sample;
    int sensitivity_count;
    const char **sensitivity; /* names */
    bool sides;               /* one-sided ones, too */
    double h, until;
    const char *scheme;       /* NULL: the experiment's */
    accuracy_wishes accuracy; /* --accuracy */
    int every;
    int column_count; /* selected ones; 0: all */
    carom_table_column *column;
    carom_experiment *experiment;
    run_again again; /* when a run file is run again */
    bool is_again;
    finished_run main;
    int member_count;
    finished_run *member;
    carom_run_writer *writer;
    FILE *csv;
    carom_output *csv_output; /* NULL: none, or stdout */
    carom_output *events_output;
    carom_csv_writer csv_writer;
    int frame_count; /* of files of scenes; 0: not given */
    film film;
    long problems_told, problems_kept; /* of --fclib */
    double checkpoint_seconds;
    carom_journal *journal; /* beside the run file */
    resumed_command *from;  /* NULL: from the start */
    int argc;               /* as they were given */
    char **argv;
} run_job;

/* The experiment, with the options of a run file that is run again. */
carom_status run_job_load(run_job *job, carom_error *error);
/* How many options a list has that ends with one without a name. */
size_t run_job_option_count(const carom_option *list);
/* All runs that are asked for, from loading to results; files are open after it. */
carom_status run_job_run(run_job *job, carom_error *error);
/* The columns that --record names. */
carom_status run_job_select(run_job *job, carom_error *error);
/* Begins what is asked for. */
carom_status run_job_open(run_job *job, carom_error *error);
/* Ends it: complete files get their names; `status` is that of the run. */
carom_status run_job_close(run_job *job, carom_status status, carom_error *error);
/* Last of all: removes the journal if the run is finished and every output is written. Otherwise the journal stays for carom resume. */
void run_job_close_journal(run_job *job, carom_status status, bool written);
carom_status run_job_draw(run_job *job, carom_error *error);
/* The report page. */
carom_status run_job_report(run_job *job, carom_error *error);
carom_status run_job_page(run_job *job, const char *path, carom_error *error);
/* The film (run_film.c): its options, false after a message; what it needs, before the run; the film. */
bool run_job_read_film(run_job *job);
carom_status run_job_check_film(run_job *job, carom_error *error);
carom_status run_job_film(run_job *job, carom_error *error);
/* Files of scenes, for other programs (run_scenes.c). */
carom_status run_job_scenes(run_job *job, carom_error *error);
/* Before the run: can they be written where they are asked for? */
carom_status run_job_check_scenes(const run_job *job, carom_error *error);
/* Contact problems as files (run_problems.c): before the main run, and after it. */
carom_status run_job_keep_problems(run_job *job, carom_run_request *request, carom_error *error);
void run_job_tell_problems(const run_job *job);
void run_job_print(const run_job *job);

#endif
