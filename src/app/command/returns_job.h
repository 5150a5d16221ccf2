/* What `carom bifurcation` and `carom basin` have in common: options of motions and outputs, the journal. */
#ifndef CAROM_APP_COMMAND_RETURNS_JOB_H
#define CAROM_APP_COMMAND_RETURNS_JOB_H

#include "app/crew.h"
#include "app/diagram_output.h"
#include "app/jit.h"
#include "app/resumed.h"
#include "carom/io/long_term.h"

/* The first options of both commands. */
enum {
    RETURNS_SET,
    RETURNS_VARIANT,
    RETURNS_SCHEME,
    RETURNS_H,
    RETURNS_OPTION,
    RETURNS_PERIOD,
    RETURNS_LONGEST,
    RETURNS_TOLERANCE,
    RETURNS_ESCAPE,
    RETURNS_THREADS,
    RETURNS_JIT,
    RETURNS_CSV,
    RETURNS_OUT,
    RETURNS_PLOT,
    RETURNS_JSON,
    RETURNS_QUIET,
    RETURNS_DRY_RUN,
    RETURNS_OPTIONS
};

#define RETURNS_TABLE                                                                                        \
    [RETURNS_SET] = {"--set", true, true, 0, NULL}, [RETURNS_VARIANT] = {"--variant", true, false, 0, NULL}, \
    [RETURNS_SCHEME] = {"--scheme", true, false, 0, NULL}, [RETURNS_H] = {"--h", true, false, 0, NULL},      \
    [RETURNS_OPTION] = {"--option", true, true, 0, NULL},                                                    \
    [RETURNS_PERIOD] = {"--period", true, false, 0, NULL},                                                   \
    [RETURNS_LONGEST] = {"--longest", true, false, 0, NULL},                                                 \
    [RETURNS_TOLERANCE] = {"--tolerance", true, false, 0, NULL},                                             \
    [RETURNS_ESCAPE] = {"--escape", true, false, 0, NULL}, [RETURNS_JIT] = {"--jit", false, false, 0, NULL}, \
    [RETURNS_THREADS] = {"--threads", true, false, 0, NULL}, [RETURNS_CSV] = {"--csv", true, false,          \
                                                                              0,       NULL, WRITES_FILE},   \
    [RETURNS_OUT] = {"--out", true, false, 0, NULL, WRITES_FILE},                                            \
    [RETURNS_PLOT] = {"--plot", true, false, 0, NULL, WRITES_FOLDER},                                        \
    [RETURNS_JSON] = {"--json", false, false, 0, NULL},                                                      \
    [RETURNS_QUIET] = {"--quiet", false, false, 0, NULL},                                                    \
    [RETURNS_DRY_RUN] = {"--dry-run", false, false, 0, NULL}

#define RETURNS_HELP_MOTION                                                                                  \
    "  --period T           time between two looks; default: the forcing period, from the model\n"           \
    "  --longest N          longest period that is looked for, in looks\n"                                   \
    "  --tolerance E        of a period, relative to the model's size and the state; default 1e-6\n"         \
    "  --escape SIZE        beyond it a motion has escaped; default: 1e6 times the scales of the model\n"    \
    "  --set name=value     another value for a parameter (repeat for more)\n"                               \
    "  --variant NAME       variant of the model file\n"                                                     \
    "  --scheme NAME        time discretisation; default: the model's, and event-driven-linear in place "    \
    "of\n"                                                                                                   \
    "                       event-driven where it takes the model\n"                                         \
    "  --h H                time step, made to divide the period\n"                                          \
    "  --option name=value  option of the scheme\n"                                                          \
    "  --threads N          motions computed at a time; default: one per core\n" JIT_HELP

#define RETURNS_HELP_OUTPUT                                                                                  \
    "  --json               one JSON object on stdout instead of the text\n"                                 \
    "  --quiet              no text, no progress line\n"                                                     \
    "  --dry-run            how many motions, memory and time it will take, from a few that are timed\n"

typedef struct returns_job {
    arguments arguments;
    int set_count;
    carom_override *set;
    carom_returns_request returns;
    int longest, threads;
    double tolerance;
    carom_experiment *experiment;
    unit_journal kept;
    carom_survey_trial trial;     /* of --dry-run */
    const carom_workers *workers; /* that compute with this process */
    const resumed_command
        *followed;         /* this process computes for another, which was asked this; NULL: it does not */
    resumed_command *from; /* NULL: from the start */
    int argc;              /* as they were given */
    char **argv;
} returns_job;

/* Reads the options above; false after a message. */
bool returns_read(const command *self, returns_job *job, int argc, char **argv);
carom_status returns_load(returns_job *job, carom_error *error);
carom_status returns_open_journal(returns_job *job, carom_error *error);
void returns_close_journal(returns_job *job, bool done, bool begun);
static inline bool returns_is_dry(const returns_job *job)
{
    return has_option(&job->arguments, RETURNS_DRY_RUN);
}
/* The progress of a job, which a process that follows another does not show. */
carom_progress returns_begin(const returns_job *job, const char *units);
void returns_end(const returns_job *job);

/* What a command of returns does with its job, which begins with a returns_job. */
typedef struct returns_course {
    bool (*read)(returns_job *job, int argc, char **argv);
    carom_status (*run)(returns_job *job, carom_error *error);
    void (*print)(const returns_job *job, bool complete, bool json);
    carom_status (*write_table)(FILE *stream, const returns_job *job, carom_error *error);
    carom_status (*write_file)(const char *path, const returns_job *job, carom_error *error);
    carom_status (*draw)(const char *directory, const returns_job *job, carom_error *error);
    const char *picture;                   /* what is drawn: the name of its file */
    int (*report)(const returns_job *job); /* on standard error; the exit status */
    void (*free)(returns_job *job);        /* its result */
} returns_course;
/* From the command line to the exit status; the job holds where it goes on from, if it does. */
int returns_execute(const returns_course *course, returns_job *job, int argc, char **argv);
/* The same where another process leads: only what it asks for is computed. */
carom_status returns_follow(const returns_course *course, returns_job *job, int argc, char **argv,
                            carom_error *error);

#endif
