/* The inside of the program: what a command is, and what commands share. Each is a file of command/. */
#ifndef CAROM_APP_COMMAND_H
#define CAROM_APP_COMMAND_H

#include <stdio.h>

#include "carom/carom.h"
#include "commands.h"

/* Exit status of the program. */
enum {
    EXIT_DONE = 0,
    EXIT_COMPUTATION_FAILED = 1,
    EXIT_BAD_INPUT = 2
};

/* What the value of an option names. */
typedef enum argument_writes {
    WRITES_NOTHING,
    WRITES_FILE,    /* a file that the command writes */
    WRITES_PICTURE, /* FILE.svg, with its data and script beside it */
    WRITES_FOLDER,  /* a folder, or a picture or a folder */
} argument_writes;

typedef struct argument_option {
    const char *name; /* "--set" */
    bool takes_value;
    bool repeats;
    int count;
    const char **value; /* filled by parse_arguments; the last one for options that do not repeat */
    argument_writes writes;
} argument_option;

struct resumed_command; /* resumed.h */

typedef struct command {
    const char *name;
    const char *usage;   /* one line */
    const char *summary; /* one line */
    const char *help;    /* options and examples */
    int option_count;
    const argument_option *options;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
    /* Goes on with what was begun with these arguments; NULL: nothing of it can be resumed. */
    int (*resume)(int argc, char **argv, struct resumed_command *from);
    /* Computes pieces of what another process was asked with these arguments; NULL: it does all alone. */
    carom_status (*follow)(int argc, char **argv, const struct resumed_command *from,
                           const carom_workers *workers, carom_error *error);
} command;

/* The commands by name, those of commands.h. */
#define DECLARE_COMMAND(entry) extern const command entry;
COMMANDS(DECLARE_COMMAND)
#undef DECLARE_COMMAND
size_t command_count(void);
const command *command_at(size_t index);
/* NULL: there is none; *nearest (may be NULL) is what was probably meant, or NULL. */
const command *command_find(const char *name, const char **nearest);

/* Runs the command that argv[1] names and closes standard output; the exit status. */
int program_run(int argc, char **argv);

/* Prints "carom: text" to stderr; returns the exit status for the error. */
int report_error(const carom_error *error);
/* The same for a reason that is not the end of the command. */
void report_reason(const char *format, ...) CAROM_PRINTF(1, 2);
/* A mistake in the call: prints it, with the command's usage; returns EXIT_BAD_INPUT. */
int report_usage(const command *self, const char *format, ...) CAROM_PRINTF(2, 3);

/* Writes text that a model file printed, or that comes from elsewhere: a terminal shows it and obeys nothing in it. */
void print_foreign(FILE *stream, const char *text);
/* Prints a text and a newline to standard output, and frees the text. */
void print_whole(carom_text *text);
/* An allocation failed while something was found that is printed: the program ends with status 1 and a message. */
void report_loss(void);
/* The bytes of a text. If an allocation failed, the text is not complete: returns "", and the program ends with status 1 and a
 * message. */
const char *whole_text(const carom_text *text);

/* "s" unless the count is one. */
static inline const char *plural(long count)
{
    return count == 1 ? "" : "s";
}

/* ---- arguments ------------------------------------------------------------------------------- */

typedef struct arguments {
    int positional_count;
    const char **positional;
    argument_option *option;
    int option_count;
    carom_arena *arena;
} arguments;

/* Splits argv into positional arguments and options ("--name value" or "--name=value"). On a mistake prints a
 * message and returns false. --units is an option of every command that has options. */
bool parse_arguments(const command *self, int argc, char **argv, arguments *result);
/* What --units says: the units in which models are seen from then on. Zero: it was not given. */
carom_units given_units(void);
extern const char units_help[];
/* No option names a file to be written that another argument names to be read, and no two the same; false after a message.
 * parse_arguments asks it. */
bool check_outputs(const command *self, const arguments *given);
/* Would a file of that name be a plain one, so that it can be replaced and have a journal? */
bool is_plain_target(const char *path);
/* By what they are, not by how they are called. */
bool is_same_file(const char *a, const char *b);
/* The same for one file that a command is to write. */
bool may_write(const command *self, const arguments *given, const char *option, const char *path);
void free_arguments(arguments *given);

static inline bool has_option(const arguments *given, int option)
{
    return given->option[option].count > 0;
}
/* NULL: not given. */
static inline const char *option_value(const argument_option *option)
{
    return option->count > 0 ? option->value[0] : NULL;
}
static inline const char *value_of(const arguments *given, int option)
{
    return option_value(&given->option[option]);
}
/* Splits "name=value"; false after a message when there is no '='. */
bool split_assignment(const command *self, arguments *given, const char *option, const char *text,
                      carom_override *assignment);
/* All values of a repeated option, each split. */
bool read_assignments(const command *self, arguments *given, const argument_option *option, int *count,
                      carom_override **list);
/* The same as options of a scheme, a list that ends with {0}. */
bool read_scheme_options(const command *self, arguments *given, const argument_option *option,
                         carom_option **list);

/* FILE.svg or FILE.png: the folder and the name without its ending. */
typedef struct picture_place {
    const char *directory, *name; /* NULL: not asked for */
} picture_place;
/* Reads an option with such a value, if it is given; false after a message, which shows `example`.svg. */
bool read_picture_place(const command *self, arguments *given, const argument_option *option,
                        const char *example, picture_place *place);
/* The same, where a folder is fine, too, as with carom run --plot: the picture in it has the name of the example. */
bool read_picture_or_folder(const command *self, arguments *given, const argument_option *option,
                            const char *example, picture_place *place);
/* "picture: DIRECTORY/NAME.png (and ...)" on stderr, unless quiet. */
void report_picture(const picture_place *place, bool quiet);
/* The words between commas; NULL when memory is short. */
const char **split_list(carom_arena *arena, const char *given, int *count);

/* Numbers. What is not given leaves *value alone; false after a message. */
bool parse_number_option(const command *self, const argument_option *option, double *value);
/* The same for a time of a request, where 0 would say that nothing is given. */
bool parse_time_option(const command *self, const argument_option *option, double *value);
bool read_finite(const command *self, const argument_option *option, double *value);
bool read_positive(const command *self, const argument_option *option, double *value); /* and finite */
enum {
    WHOLE_MOST = 2147483646 /* no bound to speak of */
};
bool read_whole(const command *self, const argument_option *option, int least, int most, int *value);
/* Numbers with commas between them. */
bool read_numbers(const command *self, arguments *given, const argument_option *option, bool positive,
                  int *count, double **value);

/* --accuracy A,measure=B,... and --accuracy-limit N. */
typedef struct accuracy_wishes {
    double relative; /* NAN: only single measures */
    int count;
    carom_accuracy_wish *wish;
    double limit; /* 0: the default */
    bool alone;   /* --accuracy-alone */
} accuracy_wishes;
bool read_accuracy(const command *self, arguments *given, const argument_option *option,
                   const argument_option *limit, const argument_option *alone, accuracy_wishes *wishes);

/* "A:B:N" of an axis: N values from A to B, 2 or more; false after a message, which shows the example. */
bool read_range(const command *self, const carom_override *over, const char *example, double *from,
                double *to, int *count);

/* ---- experiments ------------------------------------------------------------------------------- */

typedef struct experiment_place {
    char *name;    /* shown name */
    char *file;    /* path of the model file */
    char *variant; /* NULL: none */
} experiment_place;

/* Finds an experiment by name, or a model file by path. BAD_INPUT says which name was probably meant. */
carom_status find_experiment(carom_arena *arena, const char *name, experiment_place *place,
                             carom_error *error);

/* All model files of the experiment folders, sorted by name, without variants. */
carom_status list_experiments(carom_arena *arena, int *count, experiment_place **places, carom_error *error);

/* Finds and loads; `variant` (may be NULL) is stronger than one in the name. What the script printed goes to
 * stderr. */
carom_status load_experiment(const char *name, const char *variant, int override_count,
                             const carom_override *override, carom_experiment **experiment,
                             carom_error *error);
/* The same, for commands that need a motion: refuses files that describe studies only, and computes the studies that
 * the model uses. */
carom_status load_motion(const char *name, const char *variant, int override_count,
                         const carom_override *override, carom_experiment **experiment, carom_error *error);

/* A run file as something to run: its model, with what the run was told. */
typedef struct run_again {
    int override_count; /* parameters and settings: those of the file, then those that were given */
    carom_override *override;
    char *scheme;
    double h, until, every;
    int option_count;
    carom_override *option;
    bool has_family;
} run_again;

bool is_run_file(const char *path);
/* carom_run_file_read; a friction problem, which is HDF5 too, is told from a run file. */
carom_status read_run_file(const char *path, carom_run_file **run, carom_error *error);
/* Loads the model that a run file carries, with its parameters and then `override`; texts go to the arena. */
carom_status load_run_again(const char *path, int override_count, const carom_override *override,
                            carom_arena *arena, run_again *again, carom_experiment **experiment,
                            carom_error *error);

/* ---- output -------------------------------------------------------------------------------------- */

/* One run of a family, or the main run (label NULL). */
typedef struct finished_run {
    char *label;
    double *parameter;
    carom_run_result result;
    carom_series series;               /* rows, when pictures are wanted */
    carom_push_series pushes;          /* where bodies touched, when a page is wanted */
    bool events_in_json;               /* --events - */
    carom_certification certification; /* --certify; count 0: not asked for */
    carom_accuracy accuracy;           /* --accuracy; no measures: not asked for */
} finished_run;

/* Its parts: derivatives of a run in its JSON, of a sample, and in words; nothing where there are none. */
void write_sensitivity(carom_json *json, const carom_experiment *experiment, const carom_run_result *result);
void write_sample_sensitivity(carom_json *json, const carom_experiment *experiment,
                              const carom_run_result *result, int sample);
void print_sensitivity(const carom_experiment *experiment, const carom_run_result *result);
/* What was found of an accuracy: in JSON, behind a measure, and the rest in words. */
void write_accuracy(carom_json *json, const char *key, const carom_accuracy *accuracy);
void print_accuracy_of(const carom_accuracy_measure *measure);
void print_accuracy(const carom_accuracy *accuracy);
void print_run_json(const carom_experiment *experiment, const finished_run *main, int member_count,
                    const finished_run *member);
void print_run_text(const carom_experiment *experiment, const finished_run *main, int member_count,
                    const finished_run *member);

/* A progress line on stderr when it is a terminal, counting `unit` ("steps"); SIGINT and SIGTERM make it ask the
 * run to stop. One at a time. */
carom_progress progress_begin(bool quiet, const char *unit);
void progress_end(void);
/* Was it asked to stop? */
bool progress_is_stopped(void);

#endif
