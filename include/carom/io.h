/* io: model files (Lua), run files and FCLIB problems (HDF5), CSV, JSON. */
#ifndef CAROM_IO_H
#define CAROM_IO_H

#include <stdio.h>

#include "carom/io/journal.h"
#include "carom/io/output.h"
#include "carom/survey.h"

struct lua_State;

/* ---- model files ----------------------------------------------------------------------------- */

/* What to read. {.file = path} or {.text = script} is enough; the rest may be left zero. */
typedef struct carom_load_request {
    const char *name;    /* shown name: "moreau-1986/trial-04"; NULL: the file's path */
    const char *file;    /* path of the model file */
    const char *text;    /* when not NULL: the script itself; `file` is then only its name in messages */
    const char *variant; /* NULL: none */
    int override_count;
    const carom_override *override; /* values of parameters and settings, as for --set */
    bool only_names; /* title, parameters, variants, measures and plots; no model is made, nothing can run */
    double max_seconds;    /* of processor time that the script may take; 0: 60 */
    long max_instructions; /* of Lua, what takes long counts as several; 0: 400 million */
    /* An input for the generalized force on every velocity, in their order, beside what the file says: the last
     * parameters of the model (carom_stepper.input). Not for beams. */
    bool force_inputs;
    carom_units units; /* carom_experiment_in_units; zero: those of the file */
} carom_load_request;

/* Reads a model file and traces it. The caller frees the experiment with carom_experiment_free. BAD_INPUT
 * says file and line, and what would be right; *experiment is NULL then. */
carom_status carom_experiment_load(const carom_load_request *request, carom_experiment **experiment,
                                   carom_error *error);

/* A statement of the model language: a function that model files call. Statements, measures (carom/run.h) and the
 * functions of expressions (carom/expr.h) are its words. */
typedef struct carom_statement_key {
    const char *name; /* NULL: the end of a list */
    const char *doc;
} carom_statement_key;

typedef struct carom_statement {
    const char *name;
    const char *summary; /* one line */
    const char *example; /* one line of a model file */
    const carom_statement_key
        *keys; /* of its table, all there are; NULL: they are not fixed, or it has none */
    int (*call)(struct lua_State *L);  /* NULL: it is written in the language itself */
    void (*open)(struct lua_State *L); /* what must be there before any call; NULL: nothing */
} carom_statement;

size_t carom_statement_count(void);
const carom_statement *carom_statement_at(size_t index);
/* NULL and an error that says which statement was probably meant. */
const carom_statement *carom_statement_find(const char *name, carom_error *error);

/* ---- run files --------------------------------------------------------------------------------- */

/* Writes rows in chunks as they come. The file is PATH.new until the writer is closed; what stood at PATH stays until
 * then, and for good when writing fails. */
typedef struct carom_run_writer carom_run_writer;

/* One column of the rows of a run, by the name that it has in tables: t, y, v_y, energy, floor.gap, floor.status, ... */
typedef struct carom_table_column {
    const char *name;
    int place;      /* in a row */
    bool is_status; /* of a contact: open, stick or slip, as carom_contact_regime numbers them */
} carom_table_column;
/* The columns that have these names, t first, each once; `column` has room for count + 1, and keeps the names. BAD_INPUT, with
 * the names that there are, when one is unknown. */
carom_status carom_table_columns_find(const carom_experiment *experiment, int count, const char *const *name,
                                      carom_table_column *column, int *found, carom_error *error);

/* BAD_INPUT when the path cannot be written, IO_ERROR when another process writes it; *writer is NULL then. */
carom_status carom_run_writer_create(const char *path, carom_run_writer **writer, carom_error *error);
/* Runs that begin after this are stored compressed (shuffled and deflated, which every HDF5 reads): some two thirds of the
 * bytes or less, for more time. */
void carom_run_writer_compress(carom_run_writer *writer);
/* Runs that begin after this keep these columns of their rows alone, which must stay: in the datasets `t` and `kept` of the group
 * `series`. carom_run_file_read does not read such files. No derivatives can be asked for, and t must be the first. */
void carom_run_writer_select(carom_run_writer *writer, int count, const carom_table_column *column);
/* Rows that the recorder of the run under way has got, `count` from number `first` on (0: its first), layout.width numbers each:
 * for who must keep them elsewhere, too. What the file does not store (times of impacts, forces) is NAN. */
carom_status carom_run_writer_read_back(carom_run_writer *writer, size_t first, size_t count, double *rows,
                                        carom_error *error);
/* Starts the group of one run: the main one (member < 0) or a family member (0, 1, ...). `parameter` are the
 * values used. Returns a recorder for its rows; finish with carom_run_writer_end. */
carom_status carom_run_writer_begin(carom_run_writer *writer, int member, const carom_experiment *experiment,
                                    const double *parameter, carom_recorder *recorder, carom_error *error);
/* ... and of a run with derivatives by these names, which must stay until the end: their rows, too, where they are exact. */
carom_status carom_run_writer_begin_sensitive(carom_run_writer *writer, int member,
                                              const carom_experiment *experiment, const double *parameter,
                                              int names, const char *const *name, carom_recorder *recorder,
                                              carom_error *error);
/* Writes what is known only at the end of the run: status, counters, measures. */
carom_status carom_run_writer_end(carom_run_writer *writer, const carom_run_result *result,
                                  carom_error *error);
/* Completes the file, gives it its name, and frees the writer, also when it fails. NULL is fine. */
carom_status carom_run_writer_close(carom_run_writer *writer, carom_error *error);
/* Frees the writer and leaves no file; NULL is fine. */
void carom_run_writer_discard(carom_run_writer *writer);

/* A measure of a run that was read back. */
typedef struct carom_run_measure {
    char *name;
    carom_measured measured;
} carom_run_measure;

/* Derivatives by one name, read back. */
typedef struct carom_run_slopes {
    char *name;
    bool has_series;     /* false: differences of whole runs have no rows */
    carom_series series; /* rows like those of the run, of derivatives */
    int positions, dof;  /* of the state at the end */
    double *q, *v;
    int measure_count; /* by name, those that have derivatives */
    carom_run_measure *measure;
} carom_run_slopes;

typedef struct carom_run_sensitivity {
    char *method;           /* "exact" or "differences"; NULL: the run has none */
    char *why;              /* of differences */
    double error;           /* of differences */
    int count;              /* names, in their order */
    carom_run_slopes *name; /* ... and what is known by each */
    int break_count, breaks_kept;
    carom_tangent_break *breaks;
} carom_run_sensitivity;

/* A run read back: the rows, what is needed to trace the model again, and what it says of itself. */
typedef struct carom_run_member {
    carom_series series;
    carom_event_points points; /* its events, where the run kept them for pictures */
    int override_count;
    carom_override *override; /* parameters and settings, as texts that read back to the same bits */
    char *scheme, *status, *message;
    double h, t0, t_end;
    double until; /* where the run was to end; NAN for one that was killed, as h is */
    double every; /* so many steps from row to row, but to the last one */
    int option_count;
    carom_override *option; /* options of the scheme, likewise */
    bool has_certificate;   /* false: a study, a run that was killed, or a file of an older carom */
    carom_certificate certificate;
    int measure_count; /* by name */
    carom_run_measure *measure;
    carom_run_sensitivity sensitivity;
} carom_run_member;

typedef struct carom_run_file {
    carom_arena *arena;
    char *name, *file, *text, *variant, *version;
    carom_run_member main;
    int member_count;
    carom_run_member *member;
} carom_run_file;

/* Reads all rows into memory. BAD_INPUT: not there, damaged, or no run file; *run is NULL then. */
carom_status carom_run_file_read(const char *path, carom_run_file **run, carom_error *error);
void carom_run_file_free(carom_run_file *run);

/* ---- CSV ------------------------------------------------------------------------------------------ */

/* A column of a table, by its name in the first line or, when name is NULL, by its number from 1. */
typedef struct carom_csv_column {
    const char *name;
    int number;
} carom_csv_column;

enum {
    CAROM_CSV_COLUMNS_MAX = 64 /* that can be asked for at once */
};

typedef struct carom_csv_request {
    const char *file; /* for messages */
    int column_count; /* 1 to CAROM_CSV_COLUMNS_MAX */
    const carom_csv_column *column;
    bool first_grows; /* numbers of the first of them must grow from row to row */
    bool may_miss;    /* cells of the others may be empty, NaN, NA or -: they are NAN */
} carom_csv_request;

typedef struct carom_csv_numbers {
    int rows;
    double **column; /* rows numbers each, in the order of the request */
} carom_csv_numbers;

/* Reads columns of numbers from a text; the result stands in the arena. Cells are separated by semicolons, commas, tabs or
 * blanks; a first line that holds something else than numbers names the columns; empty lines, and those that begin with #
 * or %, are passed over. BAD_INPUT names file and line. */
carom_status carom_csv_numbers_parse(const carom_csv_request *request, const char *text, carom_arena *arena,
                                     carom_csv_numbers *to, carom_error *error);

/* The names in the first line; count 0: it has numbers only. */
carom_status carom_csv_names(const char *file, const char *text, carom_arena *arena, int *count, char ***name,
                             carom_error *error);
/* The text of such a file, in the arena. BAD_INPUT: it is not there, no plain file, or larger than 16 MiB. */
carom_status carom_csv_file_read(const char *path, carom_arena *arena, const char **text, carom_error *error);

/* Header line with names, then a line per row, %.17g. The stream is the caller's. */
typedef struct carom_csv_writer {
    FILE *stream;
    const carom_experiment *experiment;
    carom_row_layout layout;
    int names; /* of derivatives */
    const char *const *name;
    const double *slopes; /* of the row that comes next: names rows; NULL: not known */
    int columns;          /* selected ones; 0: all */
    const carom_table_column *column;
    size_t waiting;  /* bytes that the disk has not been asked to take yet */
    bool takes_room; /* on the disk, ahead; set by who gives it back, as files of carom_output do */
} carom_csv_writer;
/* Writes the header and makes *recorder, which a run takes; writer and stream must outlive the run. */
carom_status carom_csv_begin(carom_csv_writer *writer, FILE *stream, const carom_experiment *experiment,
                             carom_recorder *recorder, carom_error *error);
/* The same with columns `d y / d e` behind the others: derivatives of positions, velocities and records by the names of the
 * run's request (carom_run_request.sensitivity), which must outlive the run. Cells are empty where they are not known: at
 * outputs of runs that are differentiated by differences. */
carom_status carom_csv_begin_sensitive(carom_csv_writer *writer, FILE *stream,
                                       const carom_experiment *experiment, int names, const char *const *name,
                                       carom_recorder *recorder, carom_error *error);

/* The same with these columns alone, which must outlive the run. */
carom_status carom_csv_begin_selected(carom_csv_writer *writer, FILE *stream,
                                      const carom_experiment *experiment, int columns,
                                      const carom_table_column *column, carom_recorder *recorder,
                                      carom_error *error);

/* What a fit has made of its data: file, column, t (or number of the impact), data, fit, residual; `column` names the
 * outputs. */
struct carom_fit_request;
struct carom_fit;
carom_status carom_fit_write_csv(FILE *stream, const struct carom_fit_request *request,
                                 const struct carom_fit *fit, const char *const *column, carom_error *error);

/* ---- FCLIB: frictional contact problems (HDF5) ------------------------------------------------------- */

typedef struct carom_fclib_solution {
    double *u, *r, *v, *l; /* NULL: not there */
} carom_fclib_solution;

typedef struct carom_fclib {
    carom_arena *arena; /* owns all */
    bool is_global;
    carom_coulomb_local local;             /* of a local problem */
    carom_coulomb_global global;           /* of a global one */
    char *title, *description, *math_info; /* NULL: not there */
    carom_fclib_solution solution;
    int guess_count;
    carom_fclib_solution *guess;
} carom_fclib;

/* Reads and checks everything; errors name file, dataset, what was found and what is right. BAD_INPUT for
 * files that are damaged, inconsistent or not FCLIB. A problem whose mu_r is not NULL has rolling friction
 * (carom/contact/rolling.h). */
carom_status carom_fclib_read(const char *path, carom_fclib **problem, carom_error *error);
/* The same with a part of the entries of the matrices, whose sizes and whose vectors are those of the whole problem: every entry is in one of the
 * parts 0 to parts - 1, so that the sum of their matrices is the whole one. Solution and guesses are read with part 0 alone. */
carom_status carom_fclib_read_part(const char *path, int part, int parts, carom_fclib **problem,
                                   carom_error *error);
/* Is it HDF5 with a problem in it? False also for what cannot be opened. */
bool carom_fclib_is_file(const char *path);
/* Refuses to overwrite a file unless told to. */
carom_status carom_fclib_write(const char *path, const carom_fclib *problem, bool overwrite,
                               carom_error *error);
void carom_fclib_free(carom_fclib *problem);

/* ---- sweeps ---------------------------------------------------------------------------------------- */

/* Header line, then a line per point: values of the axes, status, steps, wall_s, measures. Numbers are %.17g;
 * the values of an array measure stand in one cell with ';' between them. */
/* A line per event: t, kind, contact, rates, impulse, energies. */
carom_status carom_events_write_csv(FILE *stream, const carom_model *model, size_t count,
                                    const carom_event *event, carom_error *error);
carom_status carom_sweep_write_csv(FILE *stream, const carom_sweep *sweep, carom_error *error);
/* HDF5: a dataset per axis, and per measure one of the grid's shape; NaN where there is no value. */
carom_status carom_sweep_write_file(const char *path, const carom_experiment *experiment,
                                    const carom_sweep *sweep, carom_error *error);

/* ---- systems of impacts (JSON) ------------------------------------------------------------------------ */

/* {"M": [[...]] or [...] (diagonal), "W": [[...]] (a row per coordinate, a column per contact),
 *  "velocity": [...], "restitution": number or [...], "rate", "stiffness", "exponent": likewise,
 *  "names": [...]}
 *
 * M and W must be there; what else is missing is NULL in the impact. */
typedef struct carom_impact_file {
    carom_arena *arena; /* owns all */
    carom_impact impact;
    char **contact; /* names; NULL: none */
} carom_impact_file;

/* Reads and checks shapes and types; errors name file, line, key, and what would be right. BAD_INPUT for a
 * file that is not there, is no JSON, or is larger than 256 MiB. */
carom_status carom_impact_file_read(const char *path, carom_impact_file **file, carom_error *error);
void carom_impact_file_free(carom_impact_file *file);

/* ---- controllers of drill strings (text) ----------------------------------------------------------- */

/* nc, ne (1 or 2), then A, B, C, D row by row; numbers between white space, # begins a comment. Errors name
 * file, line, matrix entry and what stands there. */
struct carom_drill_controller; /* carom/subject/drilling.h */
carom_status carom_drill_controller_read(const char *path, struct carom_drill_controller **controller,
                                         carom_error *error);
/* Numbers are %.17g: they read back to the same bits. Refuses to overwrite a file unless told to. */
carom_status carom_drill_controller_write(const char *path, const struct carom_drill_controller *controller,
                                          bool overwrite, carom_error *error);

/* ---- triangles (OBJ, STL) ------------------------------------------------------------------------------ */

/* Points, 3 numbers each, and corners of triangles, numbers of points from 0, 3 each: what carom_shape_mesh and
 * carom_shape_convex (carom/shape.h) take. */
typedef struct carom_triangles {
    size_t points, triangles;
    double *point;
    int *corner;
} carom_triangles;

/* Wavefront OBJ: `v` and `f`; faces of more corners are cut into fans, everything else is passed over. Errors name file and line,
 * and do not show what stands there. BAD_INPUT: no such file, larger than 256 MiB, not well-formed, no faces (a file of points
 * alone is fine when `points_only`). */
carom_status carom_read_obj(const char *path, bool points_only, carom_triangles **triangles,
                            carom_error *error);
/* STL, text or binary; errors name file and line, or triangle. */
carom_status carom_read_stl(const char *path, carom_triangles **triangles, carom_error *error);
/* By the ending of the name, .obj or .stl, in any case of letters. */
carom_status carom_read_triangles(const char *path, bool points_only, carom_triangles **triangles,
                                  carom_error *error);
/* The same from bytes in memory; `name` has the ending, and stands in messages. */
carom_status carom_parse_triangles(const char *name, const void *bytes, size_t length, bool points_only,
                                   carom_triangles **triangles, carom_error *error);
/* Points at the same place become one, the first; OK or NO_MEMORY. */
carom_status carom_triangles_join(carom_triangles *triangles, carom_error *error);
/* As text of an OBJ file, whose numbers read back to the same bits. */
void carom_triangles_write(const carom_triangles *triangles, carom_text *text);
void carom_triangles_free(carom_triangles *triangles);

/* ---- JSON ----------------------------------------------------------------------------------------- */

/* Writes one JSON value to a text; commas, quotes and escapes are its business. Numbers are %.17g; NaN and
 * infinities become null. */
typedef struct carom_json {
    carom_text *text;
    bool comma;
} carom_json;

void carom_json_object_begin(carom_json *json, const char *key); /* key NULL inside arrays */
void carom_json_object_end(carom_json *json);
void carom_json_array_begin(carom_json *json, const char *key);
void carom_json_array_end(carom_json *json);
void carom_json_number(carom_json *json, const char *key, double value);
void carom_json_text(carom_json *json, const char *key, const char *value);
void carom_json_bool(carom_json *json, const char *key, bool value);

/* A number, an array, or null where there is no value. */
void carom_json_measured(carom_json *json, const char *key, const carom_measured *measured);
/* An object: `trusted`, `energy`, `penetration`, ..., `doubts` (docs/trust.md). */
void carom_json_certificate(carom_json *json, const char *key, const carom_certificate *certificate);

#endif
