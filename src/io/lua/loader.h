/* Inside of the model file loader. One loader per file read; it hangs on the Lua state while the script runs.
 *
 *   sandbox (limits, allowed functions) -> symbols (operators) -> statements -> finish (tapes, model)
 *
 * All memory comes from the experiment's arena, because a Lua error may leave any C function at any call. */
#ifndef CAROM_IO_LUA_LOADER_H
#define CAROM_IO_LUA_LOADER_H

#include <pthread.h>

#include <lauxlib.h>
#include <lua.h>

#include "carom/io.h"
#include "carom/model/beam.h"

/* Limits of a script: memory held by Lua, by what the script defines and by its messages; all memory ever
 * asked of Lua's allocator, so that a loop of short-lived large texts ends too. */
enum {
    LOADER_MEMORY_MB = 512,
    LOADER_TEXT_MB = 16, /* of one text: it is compared in one instruction */
    LOADER_TRAFFIC_MB = 8192,
    LOADER_MESSAGES_MB = 1
};

typedef struct loader {
    const carom_load_request *request;
    carom_experiment *experiment;
    carom_arena *arena;
    carom_graph *graph;
    carom_text messages;
    carom_text data; /* files of data that were read, as comments behind the script (data_file.c) */
    size_t memory_used, memory_traffic;
    bool long_text;    /* one was refused */
    bool refused;      /* the system, and not a limit, refused the last memory that could not be had */
    bool no_memory;    /* an error was raised because of that outside of Lua */
    long instructions; /* spent so far, with the price of calls into C */
    long since_look;   /* ... since the clock was looked at */
    double time_limit, deadline; /* seconds of this thread's processor time */
    long instruction_limit;
    double last_report; /* when a run was last asked whether to go on */

    int coordinates;
    char **coordinate;
    int *coordinate_q,
        *coordinate_v;     /* places among positions and velocities: the number, where no body is */
    int *coordinate_after; /* how many bodies were there before it */
    int parameters;
    carom_parameter *parameter;
    carom_node kinetic, potential;
    carom_node *mass;   /* coordinates x coordinates, or NULL */
    carom_node *masses; /* of each coordinate, or NULL */
    carom_node *force;  /* coordinates, or NULL */
    int force_input;    /* the parameter of the first of request->force_inputs; the others follow */
    int contacts;
    carom_traced_contact *contact; /* of a beam: the names only */
    int joints;
    carom_traced_joint *joint;
    bool has_beam;
    carom_beam_spec beam;
    struct loader_bodies *bodies; /* NULL: no statement about bodies yet (loader_bodies.h) */

    int values;
    carom_node *value;
    int named_columns, hidden_columns;
    carom_node *named_column, *hidden_column;
    char **column_name;

    /* while a function of the file computes (study/script.c): what the run gives it */
    pthread_mutex_t one_at_a_time; /* runs of one experiment on several threads share the Lua state */
    bool computing, interrupted;
    bool swapped; /* statements are refused */
    const double *run_parameter;
    const carom_study_results *earlier;
    carom_progress progress;
    carom_arena *run_arena;
    size_t run_memory; /* taken of it */
    int functions;     /* given to compute(...) */

    int looks; /* numbers of draw { } that change with time */
    carom_node *look;
    bool draws_alone;
    carom_node *stop; /* the conditions of experiment->stop */
    carom_node *q0, *v0;
    bool has_initial, has_integrate;
    /* the active variant's overrides and family */
    const carom_variant *active_variant;
    bool variant_has_family;
} loader;

/* ---- helpers for statements (statement_arguments.c) ---------------------------------------------- */

loader *loader_of(lua_State *L);

/* Room for one more element: the array itself, or a larger copy. Raises a Lua error when memory is short. */
void *loader_grow(lua_State *L, void *array, int count, size_t size);
void *loader_take(lua_State *L, size_t count, size_t size);
char *loader_text(lua_State *L, const char *text);

/* Charges work to the script's instruction limit; raises an error when that is reached. */
void loader_spend(lua_State *L, long instructions);

/* Raises "file:line: text", with the line of the script that is running. */
int loader_error(lua_State *L, const char *format, ...) CAROM_PRINTF(2, 3)
#ifdef __clang_analyzer__
    __attribute__((analyzer_noreturn))
#endif
    ;
/* The same where an allocation failed: the file is not wrong. */
int loader_no_memory(lua_State *L)
#ifdef __clang_analyzer__
    __attribute__((analyzer_noreturn))
#endif
    ;
/* Raises `error`, with `before` in front of its text. */
int loader_raise(lua_State *L, const char *before, const carom_error *error)
#ifdef __clang_analyzer__
    __attribute__((analyzer_noreturn))
#endif
    ;

/* What takes the place of a name that other languages have; NULL: nothing is known of it (foreign_names.c). */
const char *loader_foreign_advice(const char *name);
/* Length of x in a name such as x_dot or xdot; 0: it is none. */
size_t loader_foreign_stem(const char *name);
/* Is `nearest` (NULL: there is none) worth a guess? Another letter in the place of one makes another word of a short name. */
bool loader_is_misspelt(const char *name, const char *nearest);

/* Line of the model file that is running. */
bool loader_place(lua_State *L, lua_Debug *place); /* false: there is none */
int loader_line(lua_State *L);

/* Defines a name of a kind; raises an error when the space (coordinates and parameters share one) has it. */
void loader_define(lua_State *L, const char *space, const char *kind, const char *name);
/* A name that can stand in --set, in tables, pictures and names of files: up to 63 letters of ASCII, digits, _ and -. */
const char *loader_check_name(lua_State *L, int index, const char *what);
/* The same for a key of a table. */
void loader_check_name_text(lua_State *L, const char *name, const char *what);

/* Raises an error for string keys of the table at `index` that are not in the NULL-terminated list. */
void loader_check_keys(lua_State *L, int index, const char *statement, const char *const *allowed);
/* The same by the statement's description. */
void loader_check_statement(lua_State *L, int index, const carom_statement *statement);
/* String keys of the table at `index`, sorted, so that the order of a Lua table never matters. */
int loader_sorted_keys(lua_State *L, int index, const char ***keys);
const char *loader_field_text(lua_State *L, int index, const char *key); /* NULL: absent */
bool loader_field_bool(lua_State *L, int index, const char *key);
/* carom_value of a field that must not depend on more than parameters; CAROM_NO_VALUE: absent. */
carom_value loader_field_value(lua_State *L, int index, const char *key);
/* The same for the value on top of the stack, which is called `what` in errors. */
carom_value loader_value(lua_State *L, int index, const char *what);
/* Which coordinate or contact a name belongs to, found whatever their number; -1: there is no such coordinate. */
void loader_number(lua_State *L, const char *kind, const char *name, int number);
int loader_find_coordinate(lua_State *L, const char *name);
/* The coordinate that has this position, or velocity; -1: it is a body's. */
int loader_coordinate_at(const loader *load, int position);
int loader_coordinate_moving(const loader *load, int velocity);
int loader_find_contact(lua_State *L, const char *name);
/* The number of a contact of expressions among all contacts of the model. */
int loader_contact_number(const loader *load, int contact);

/* Adds the input of request->force_inputs for a velocity to the force on it (finish.c). */
void loader_add_force_input(const loader *load, int velocity, carom_node *force);

/* ---- values by coordinate (statement/by_coordinate.c) --------------------------------------------- */

/* Raises an error when there are no coordinates, or a beam, which has its own. */
void loader_need_coordinates(lua_State *L, const char *statement);
/* The coordinate that a table key names: "x", or the symbol x; velocities too where `velocity` is not NULL. */
int loader_key_coordinate(lua_State *L, int key, const char *statement, bool *velocity);
/* Sets one value of a table whose keys are coordinates. The keys "x" and [x] mean the same, and Lua gives
 * them in any order, so both in one table are an error. */
void loader_set_once(lua_State *L, const char *statement, int coordinate, carom_node value, carom_node *slot);
carom_node *loader_no_nodes(lua_State *L, size_t count);
/* Zero where there is none. */
void loader_fill_missing(loader *load, size_t count, carom_node *node);

/* ---- symbols (symbol.c) ------------------------------------------------------------------------ */

void loader_open_symbols(lua_State *L);
/* A symbol; while a function computes, the number that an expression of parameters has. */
void loader_push_node(lua_State *L, carom_node node);
/* Operators of symbols, into the metatable on top. */
void loader_set_operators(lua_State *L);
/* The number that an expression has while a function computes; false when it depends on the motion. */
bool loader_evaluate(lua_State *L, carom_node node, double *value);
bool loader_is_expression(lua_State *L, int index); /* a symbol or a number */
/* Node of a symbol or number; otherwise raises an error that names `what`. */
carom_node loader_check_node(lua_State *L, int index, const char *what);
/* Time derivative along the motion of an expression of position and time. */
carom_node loader_rate(lua_State *L, carom_node node);
/* Node of a field; CAROM_NO_NODE when absent. */
carom_node loader_field_node(lua_State *L, int index, const char *key);

/* ---- files of data (data_file.c) ------------------------------------------------------------------- */

/* The content of a file beside the model file, or of what the model's text carries of that name. */
const char *loader_data_file(lua_State *L, const char *name);
/* Files that are no text: their bytes, and what is kept of them as text under a name, to be read again from the model's text;
 * NULL: nothing of that name is there. */
const char *loader_data_bytes(lua_State *L, const char *name, size_t *length);
const char *loader_attached_data(lua_State *L, const char *name);
void loader_keep_data(lua_State *L, const char *name, const char *text);
/* Puts what was read behind the experiment's text; false: memory is short. */
bool loader_attach_data(loader *load);

/* ---- studies (study/) ------------------------------------------------------------------------------ */

void loader_open_results(lua_State *L);
/* What a study will have found: its fields are outputs. `study` is its number in the experiment. */
void loader_push_result(lua_State *L, int study);
/* The output that the value at `index` stands for; false when it is something else. */
bool loader_is_output(lua_State *L, int index, carom_study_place *place);
/* Its number, as a leaf of the graph. */
carom_node loader_output_node(lua_State *L, const carom_study_place *place);
/* Data as plain Lua values. */
void loader_push_data(lua_State *L, const carom_data *data);
/* The value at `index` as data; parts that are known only in a run become links of the use (NULL: no links, all
 * is known). `who` and `what` begin messages. */
void loader_read_data(lua_State *L, int index, const char *who, const char *what, carom_study_use *use,
                      carom_data *to);
/* Adds a study to the experiment and pushes its result. */
void loader_add_study(lua_State *L, carom_study_use *use);
extern const carom_script_ops loader_script;
carom_status loader_script_error(lua_State *L, int code, const carom_experiment *experiment,
                                 carom_error *error);

/* ---- statements ---------------------------------------------------------------------------------- */

void loader_open_statements(lua_State *L); /* those of statements.h, and the measures */
void loader_open_studies(lua_State *L);    /* a function per registered study */

/* After the script, when the model is known: layers that show a structure need one. */
carom_status loader_check_plots(const carom_experiment *experiment, carom_error *error);

/* level, point and surface of the contact whose table is at `index` (statement/level_contact.c); false: it has no level. */
bool loader_read_level(lua_State *L, int index, carom_traced_contact *contact);
void loader_check_level_friction(lua_State *L, const carom_traced_contact *contact);
/* Friction of the contact whose table is at `index` (statement/friction_statement.c). */
void loader_read_friction(lua_State *L, int index, carom_traced_contact *contact);

/* The event that the value at `index` stands for, such as impact "floor"; contact -1: all. False: it is none. */
bool loader_event_at(lua_State *L, int index, carom_event_kind *kind, int *contact);

/* Reads a family table at `index` into the experiment. */
void loader_read_family(lua_State *L, int index);

/* Column number of an expression while reading: named and hidden columns are joined by loader_finish. */
enum {
    LOADER_HIDDEN = 1 << 20
};
int loader_column(lua_State *L, carom_node node);

/* ---- sandbox and finish ------------------------------------------------------------------------- */

lua_State *loader_new_state(loader *load);
void loader_open_sandbox(lua_State *L); /* called in protected mode */
void loader_limit_functions(lua_State *L);
/* Statements that describe, and functions that refuse them, change places. */
void loader_swap_statements(lua_State *L);
carom_status loader_finish(loader *load, carom_error *error);

#endif
