/* Studies: computations that are no motion (an exact mode, a limit load, a drill string's own run), as objects with
 * a name, named inputs and named outputs.
 *
 *   model file --describes--> carom_study_use (study + inputs) --a run computes--> outputs
 *                                                                                     |
 *                 measures, plots, inputs of later studies, numbers in expressions <--+
 *
 * Nothing is computed before a run asks. */
#ifndef CAROM_RUN_STUDY_H
#define CAROM_RUN_STUDY_H

#include "carom/base.h"

/* ---- data: what goes into a study and comes out of it ------------------------------------------------ */

typedef enum carom_data_kind {
    CAROM_DATA_NONE, /* no value: looked for and not there */
    CAROM_DATA_NUMBER,
    CAROM_DATA_FLAG, /* number is 0 or 1 */
    CAROM_DATA_TEXT,
    CAROM_DATA_LIST,   /* `rows` numbers; columns is 1 */
    CAROM_DATA_MATRIX, /* rows x columns numbers, row by row */
    CAROM_DATA_TABLE,  /* entries with names and entries in a row */
    CAROM_DATA_LATER,  /* an output of another study: known in a run */
} carom_data_kind;

typedef struct carom_data {
    carom_data_kind kind;
    const char *name; /* of an entry of a table; NULL: one of those in a row */
    double number;
    const char *text;
    int rows, columns;
    double *list;
    struct carom_data *first, *last,
        *next; /* entries of a table; the next entry of the table this one is in */
} carom_data;

/* An entry of a table by name, or the `index`-th (from 0) of those in a row; NULL when there is none or it is no
 * value. */
const carom_data *carom_data_find(const carom_data *table, const char *name);
const carom_data *carom_data_at(const carom_data *table, int index);
/* How many entries: numbers of a list, rows of a matrix, entries of a table that are in a row. */
int carom_data_length(const carom_data *data);
/* Element `i` of a list, or `i`, `j` of a matrix (from 0), as in "u[3]" of a model file; i < 0: the number itself,
 * j < 0: of a list. False when it is not there. */
bool carom_data_element(const carom_data *data, int i, int j, double *value);
/* Row `index` (from 0) of a matrix, as a list in *row, or of a table; NULL when there is none. */
const carom_data *carom_data_row(const carom_data *data, int index, carom_data *row);
/* Adds an entry (name NULL: in a row); NULL when memory is short. All memory is the arena's. */
carom_data *carom_data_add(carom_arena *arena, carom_data *table, const char *name, carom_data_kind kind);
/* A copy with all that is below; false when memory is short. */
bool carom_data_copy(carom_arena *arena, const carom_data *from, carom_data *to);

/* ---- what a study is ------------------------------------------------------------------------------------ */

typedef enum carom_study_kind {
    CAROM_STUDY_NUMBER,
    CAROM_STUDY_WHOLE,
    CAROM_STUDY_FLAG,
    CAROM_STUDY_WORD, /* one of the choices */
    CAROM_STUDY_TEXT,
    CAROM_STUDY_FILE,   /* name of a text file; the study is given a table: `path` and `text`, its content,
                          or `problem` */
    CAROM_STUDY_LIST,   /* numbers; where one number is enough, it counts for all */
    CAROM_STUDY_MATRIX, /* rows of numbers, or all numbers row by row */
    CAROM_STUDY_TABLE,  /* as its doc says */
    CAROM_STUDY_WORD_OR_TABLE,
} carom_study_kind;
const char *carom_study_kind_word(carom_study_kind kind);

typedef struct carom_study_input {
    const char *name;
    carom_study_kind kind;
    const char *unit, *doc; /* unit NULL: none */
    double value;           /* default of numbers and flags; NAN: none, see `usual` */
    const char *usual; /* what holds when it is left out, in words; NULL with value NAN: it must be given */
    double min, max;   /* of numbers, and of every number of a list; min = max = 0: any */
    const char *const *choices; /* words, ending with NULL; the first is the default */
} carom_study_input;

typedef struct carom_study_output {
    const char *name;
    carom_study_kind kind;
    const char *unit, *doc;
} carom_study_output;

/* What compute is given: the inputs, checked against the table; memory for outputs; whom to tell. */
typedef struct carom_study_call {
    const struct carom_study_ops *study;
    const carom_data *input; /* a table */
    carom_data *output;      /* a table, empty at first */
    carom_arena *arena;      /* outputs and what is needed on the way */
    carom_progress progress;
    carom_error *error;
    carom_status status; /* the first failure of the functions below */
} carom_study_call;

typedef struct carom_study_ops {
    const char *name, *summary;
    const carom_study_input *inputs;   /* end with an entry without a name */
    const carom_study_output *outputs; /* likewise */
    carom_status (*compute)(carom_study_call *call);
} carom_study_ops;

/* Checks inputs: names (an unknown one says which was meant), kinds, ranges, words, what is missing. Numbers that
 * are not known yet are NAN and pass. BAD_INPUT begins with the study's name. */
carom_status carom_study_check(const carom_study_ops *study, const carom_data *inputs, carom_error *error);

/* Checks the inputs and computes. Outputs are a table in the arena. */
carom_status carom_study_compute(const carom_study_ops *study, const carom_data *inputs, carom_arena *arena,
                                 carom_progress progress, carom_data *outputs, carom_error *error);

/* ---- for the files of studies: inputs by name, with their defaults; outputs by name --------------------- */

/* Fills the call's error, as carom_fail does, and remembers the status. */
carom_status carom_study_fail(carom_study_call *call, carom_status status, const char *format, ...)
    CAROM_PRINTF(3, 4);
bool carom_study_given(const carom_study_call *call, const char *name);
double carom_study_number(const carom_study_call *call, const char *name);
int carom_study_whole(const carom_study_call *call, const char *name);
bool carom_study_flag(const carom_study_call *call, const char *name);
int carom_study_word(const carom_study_call *call, const char *name);         /* index of the choice */
const char *carom_study_text(const carom_study_call *call, const char *name); /* NULL: not given */
/* The content of a file and where it is; false: not given, or (a failure) not to be read. */
bool carom_study_file(carom_study_call *call, const char *name, const char **path, const char **text);
/* `count` numbers: a list of as many, or one for all; zeros (and a failure) for a list of another length; NULL:
 * not given. */
double *carom_study_list(carom_study_call *call, const char *name, int count);
/* Numbers of a list, whatever their count; a single number is a list of one. */
int carom_study_list_length(const carom_study_call *call, const char *name);
/* Zeroed memory of the call; NULL (and a failure) when it is short. */
void *carom_study_take(carom_study_call *call, size_t count, size_t size);
/* True asks to stop: the caller is to return call->status, which is INTERRUPTED then. */
bool carom_study_stopped(carom_study_call *call, double done, double total);

void carom_study_give_number(carom_study_call *call, const char *name, double value);
/* No value where it is not finite. */
void carom_study_give_finite(carom_study_call *call, const char *name, double value);
void carom_study_give_flag(carom_study_call *call, const char *name, bool value);
void carom_study_give_text(carom_study_call *call, const char *name, const char *text);
/* Copies of the numbers. */
void carom_study_give_list(carom_study_call *call, const char *name, int count, const double *value);
void carom_study_give_matrix(carom_study_call *call, const char *name, int rows, int columns,
                             const double *value);

/* ---- the studies by name (their list is subject/studies.h)        ---------------------------------------- */

size_t carom_study_count(void);
/* NULL past the end. */
const carom_study_ops *carom_study_at(size_t index);
/* NULL, and an error that lists the names and says which was probably meant. */
const carom_study_ops *carom_study_find(const char *name, carom_error *error);
/* Adds a study for the rest of the process; it must outlive it. BAD_INPUT: a name that is taken. */
carom_status carom_study_register(const carom_study_ops *study, carom_error *error);

/* ---- studies of an experiment ---------------------------------------------------------------------------- */

/* A part of an input that is known only in a run: entry `index` of `place` (0 of a number) is the experiment's
 * value, or all of `place` is an output of an earlier study. */
typedef struct carom_study_link {
    const carom_data *place; /* in the inputs of the use */
    int index;
    int value; /* carom_value; -1: the output below */
    int study, i, j;
    const char *output;
} carom_study_link;

struct carom_study_results;

/* A study written in the model file: a function of it. */
typedef struct carom_script_ops {
    void (*free)(void *script);
    /* Calls function number `function`; what it returns becomes the outputs. What it prints is added to the
     * messages. `parameter`: values of the run, with those of earlier studies. */
    carom_status (*call)(void *script, int function, const double *parameter,
                         const struct carom_study_results *earlier, carom_progress progress,
                         carom_arena *arena, carom_data *outputs, carom_text *messages, carom_error *error);
} carom_script_ops;

typedef struct carom_study_use {
    const carom_study_ops *study; /* NULL: function number `function` of the script */
    int function, line;
    carom_data input;
    int link_count;
    carom_study_link *link;
} carom_study_use;

/* One number of an output as a parameter of the experiment's expressions: number, u[i] or u[i][j]. */
typedef struct carom_study_number_use {
    int study, parameter;
    const char *output;
    int i, j; /* from 0; -1: none */
} carom_study_number_use;

/* All outputs, study by study. */
typedef struct carom_study_results {
    carom_arena *arena;      /* owns all */
    const double *parameter; /* what they were computed for */
    int count;
    carom_data *output; /* tables */
    char *messages;     /* what functions of the model file printed; NULL: nothing */
} carom_study_results;
void carom_study_results_free(carom_study_results *results);

/* Where an output stands: study and name, and which part. study < 0: nowhere. */
typedef struct carom_study_place {
    int study;
    const char *output;
    int i, j; /* -1: all of it */
} carom_study_place;
/* The data of a place; NULL where there is no value. An element is copied to *element, which is returned. */
const carom_data *carom_study_results_at(const carom_study_results *results, const carom_study_place *place,
                                         carom_data *element);

#endif
