/* Studies in model files: every registered one is a function that takes its inputs by name.
 *
 *   local r = drill_run { controller = "lqg", rpm = 5.5 }
 *
 * While the file is read this is only noted; inside compute(function() ... end), which a run calls, the study is
 * computed at once and its outputs are plain values. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "io/lua/loader.h"
#include "io/parts/text_file.h"

enum {
    DEEPEST = 5
};

/* ---- from Lua to data ------------------------------------------------------------------------------------ */

static carom_arena *arena_of(const loader *load)
{
    return load->computing ? load->run_arena : load->arena;
}

static carom_data *add_entry(lua_State *L, carom_data *table, const char *name, carom_data_kind kind)
{
    carom_data *entry = carom_data_add(arena_of(loader_of(L)), table, name, kind);
    if (!entry)
        loader_no_memory(L);
    return entry;
}

static void add_link(lua_State *L, carom_study_use *use, const carom_study_link *link)
{
    use->link = loader_grow(L, use->link, use->link_count, sizeof *link);
    use->link[use->link_count++] = *link;
}

/* A number or an expression at `index` as entry `k` of the data. */
static double read_number(lua_State *L, int index, const char *who, const char *what, int depth,
                          carom_study_use *use, const carom_data *place, int k)
{
    if (lua_type(L, index) == LUA_TNUMBER) {
        const double value = lua_tonumber(L, index);
        if (isnan(value) && use && depth <= 2) /* deeper ones are the study's to judge */
            loader_error(L, "%s: %s is not a number (NaN)", who, what);
        return value;
    }
    const carom_node node = loader_check_node(L, index, what);
    double value;
    if (!use) {
        if (!loader_evaluate(L, node, &value))
            loader_error(L, "%s: %s depends on the motion; it must be a number", who, what);
        return value;
    }
    if (carom_node_depends(loader_of(L)->graph, node) & ~(unsigned)CAROM_ON_PARAMETER)
        loader_error(
            L, "%s: %s depends on the motion; a study takes numbers, parameters and what other studies find",
            who, what);
    if (carom_node_is_constant(loader_of(L)->graph, node, &value))
        return value;
    add_link(L, use,
             &(carom_study_link){.place = place,
                                 .index = k,
                                 .value = loader_value(L, index, what),
                                 .study = -1,
                                 .i = -1,
                                 .j = -1});
    return NAN;
}

static bool is_number(lua_State *L, int index)
{
    carom_study_place place;
    return loader_is_expression(L, index) || (loader_is_output(L, index, &place) && place.i >= 0);
}

/* What the entries in a row of the table at `index` are: numbers, lists of numbers of one length, or a mixture. */
static carom_data_kind kind_of_rows(lua_State *L, int index, int rows, int *columns)
{
    bool numbers = true, lists = rows > 0;
    *columns = 1;
    for (int i = 1; i <= rows; i++) {
        lua_geti(L, index, i);
        numbers = numbers && is_number(L, -1);
        const int length = lua_istable(L, -1) ? (int)luaL_len(L, -1) : 0;
        const char **keys = NULL;
        lists = lists && length > 0 && (i == 1 || length == *columns) &&
                loader_sorted_keys(L, lua_gettop(L), &keys) == 0;
        for (int k = 1; lists && k <= length; k++) {
            lua_geti(L, -1, k);
            lists = is_number(L, -1);
            lua_pop(L, 1);
        }
        if (lists)
            *columns = length;
        lua_pop(L, 1);
    }
    return numbers ? CAROM_DATA_LIST : lists ? CAROM_DATA_MATRIX : CAROM_DATA_TABLE;
}

static void read_rows(lua_State *L, int index, const char *who, const char *what, int depth, int rows,
                      int columns, carom_study_use *use, carom_data *to)
{
    to->rows = rows;
    to->columns = columns;
    to->list = loader_take(L, carom_product((size_t)rows, (size_t)columns), sizeof *to->list);
    for (int i = 0; i < rows; i++) {
        lua_geti(L, index, i + 1);
        for (int k = 0; k < columns; k++) {
            if (to->kind == CAROM_DATA_LIST)
                lua_pushvalue(L, -1);
            else
                lua_geti(L, -1, k + 1);
            const int place = i * columns + k;
            to->list[place] = read_number(L, lua_gettop(L), who, what, depth, use, to, place);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
}

static void read_value(lua_State *L, int index, const char *who, const char *what, int depth,
                       carom_study_use *use, carom_data *to);

static void read_table(lua_State *L, int index, const char *who, const char *what, int depth,
                       carom_study_use *use, carom_data *to)
{
    const char **keys = NULL;
    const int count = loader_sorted_keys(L, index, &keys), rows = (int)luaL_len(L, index);
    int columns = 1;
    if (depth > DEEPEST)
        loader_error(L, "%s: %s has tables in tables, more than %d levels", who, what, DEEPEST);
    to->kind = count > 0 ? CAROM_DATA_TABLE : kind_of_rows(L, index, rows, &columns);
    if (to->kind != CAROM_DATA_TABLE) {
        read_rows(L, index, who, what, depth, rows, columns, use, to);
        return;
    }
    for (int i = 1; i <= rows; i++) {
        lua_geti(L, index, i);
        read_value(L, lua_gettop(L), who, what, depth, use, add_entry(L, to, NULL, CAROM_DATA_NONE));
        lua_pop(L, 1);
    }
    for (int i = 0; i < count; i++) {
        lua_getfield(L, index, keys[i]);
        read_value(L, lua_gettop(L), who, keys[i], depth, use, add_entry(L, to, keys[i], CAROM_DATA_NONE));
        lua_pop(L, 1);
    }
}

static void read_value(lua_State *L, int index, const char *who, const char *what, int depth,
                       carom_study_use *use, carom_data *to)
{
    carom_study_place place;
    carom_data element;
    luaL_checkstack(L, 10, "a table is nested too deeply");
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        return;
    case LUA_TBOOLEAN:
        to->kind = CAROM_DATA_FLAG;
        to->number = lua_toboolean(L, index);
        return;
    case LUA_TSTRING:
        to->kind = CAROM_DATA_TEXT;
        to->text = loader_text(L, lua_tostring(L, index));
        return;
    case LUA_TTABLE:
        read_table(L, index, who, what, depth + 1, use, to);
        return;
    case LUA_TNUMBER:
    case LUA_TUSERDATA:
        break;
    default:
        loader_error(L, "%s: %s cannot be a %s", who, what, luaL_typename(L, index));
    }
    if (!loader_is_output(L, index, &place)) {
        to->kind = CAROM_DATA_NUMBER;
        to->number = read_number(L, index, who, what, depth, use, to, 0);
    } else if (use) {
        to->kind = CAROM_DATA_LATER;
        add_link(L, use,
                 &(carom_study_link){.place = to,
                                     .value = -1,
                                     .study = place.study,
                                     .i = place.i,
                                     .j = place.j,
                                     .output = place.output});
    } else {
        const carom_data *found = carom_study_results_at(loader_of(L)->earlier, &place, &element);
        if (found && !carom_data_copy(arena_of(loader_of(L)), found, to))
            loader_no_memory(L);
    }
}

void loader_read_data(lua_State *L, int index, const char *who, const char *what, carom_study_use *use,
                      carom_data *to)
{
    read_value(L, index, who, what, 0, use, to);
}

/* ---- files ------------------------------------------------------------------------------------------------- */

static bool is_there(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

/* In the current directory first, then beside the model file; NULL, and why. */
static const char *find_file(lua_State *L, const char *name, carom_error *error)
{
    const char *model = loader_of(L)->experiment->file, *slash = strrchr(model, '/');
    if (name[0] == '/' || is_there(name))
        return name;
    const int directory = slash ? (int)(slash - model) + 1 : 0;
    const size_t size = (size_t)directory + strlen(name) + 1;
    char *path = loader_take(L, size, 1);
    snprintf(path, size, "%.*s%s", directory, model, name);
    if (is_there(path))
        return path;
    carom_fail(error, CAROM_BAD_INPUT,
               "there is no controller file '%s', neither in the current directory nor beside %s", name,
               model);
    return NULL;
}

/* A file's name becomes a table with `path` and `text`, its content, or `problem`, which the study tells if it wants
 * the file. */
static void read_file(lua_State *L, carom_data *entry)
{
    carom_error error = {0};
    const char *path = find_file(L, entry->text, &error), *text = NULL;
    if (path && text_file_read(arena_of(loader_of(L)), "controller file", path, &text, &error) != CAROM_OK)
        text = NULL;
    entry->kind = CAROM_DATA_TABLE;
    add_entry(L, entry, "path", CAROM_DATA_TEXT)->text = loader_text(L, path ? path : entry->text);
    if (text)
        add_entry(L, entry, "text", CAROM_DATA_TEXT)->text = text;
    else
        add_entry(L, entry, "problem", CAROM_DATA_TEXT)->text = loader_text(L, error.text);
}

static void read_files(lua_State *L, const carom_study_ops *study, carom_data *inputs)
{
    for (carom_data *entry = inputs->first; entry; entry = entry->next)
        for (const carom_study_input *input = study->inputs; input->name; input++) {
            if (input->kind != CAROM_STUDY_FILE || strcmp(input->name, entry->name) != 0 ||
                entry->kind != CAROM_DATA_TEXT)
                continue;
            if (entry->text[0] == '\0') /* "" is none */
                entry->kind = CAROM_DATA_NONE;
            else
                read_file(L, entry);
        }
}

/* ---- the functions ------------------------------------------------------------------------------------------- */

void loader_add_study(lua_State *L, carom_study_use *use)
{
    carom_experiment *experiment = loader_of(L)->experiment;
    use->line = loader_line(L);
    experiment->studies = loader_grow(L, experiment->studies, experiment->study_count, sizeof *use);
    experiment->studies[experiment->study_count] = *use;
    loader_push_result(L, experiment->study_count++);
}

static void compute_now(lua_State *L, const carom_study_ops *study, const carom_data *inputs)
{
    loader *load = loader_of(L);
    carom_data outputs = {.kind = CAROM_DATA_TABLE};
    carom_error error = {0};
    const carom_status status =
        carom_study_compute(study, inputs, load->run_arena, load->progress, &outputs, &error);
    load->interrupted = status == CAROM_INTERRUPTED;
    if (status != CAROM_OK)
        loader_error(L, "%s", error.text);
    loader_push_data(L, &outputs);
}

static int call_study(lua_State *L)
{
    const carom_study_ops *study = lua_touserdata(L, lua_upvalueindex(1));
    const bool computing = loader_of(L)->computing;
    carom_study_use use = {.study = study, .input = {.kind = CAROM_DATA_TABLE}};
    carom_error error = {0};
    if (!lua_istable(L, 1) || lua_gettop(L) != 1)
        loader_error(L, "%s takes a table: %s { ... }; got a %s", study->name, study->name,
                     luaL_typename(L, 1));
    carom_data *inputs = loader_take(L, 1, sizeof *inputs); /* links point into it: it must not move */
    loader_read_data(L, 1, study->name, "its table", computing ? NULL : &use, inputs);
    if (inputs->kind == CAROM_DATA_LIST && inputs->rows == 0)
        inputs->kind = CAROM_DATA_TABLE;
    if (inputs->kind != CAROM_DATA_TABLE)
        loader_error(L, "%s: every input has a name: %s { %s = ... }", study->name, study->name,
                     study->inputs[0].name);
    if (carom_study_check(study, inputs, &error) != CAROM_OK)
        loader_error(L, "%s", error.text);
    read_files(L, study, inputs);
    if (computing) {
        compute_now(L, study, inputs);
        return 1;
    }
    use.input = *inputs;
    loader_add_study(L, &use);
    return 1;
}

void loader_open_studies(lua_State *L)
{
    loader_open_results(L);
    for (size_t i = 0; i < carom_study_count(); i++) {
        const carom_study_ops *study = carom_study_at(i);
        void *value;
        memcpy(&value, &study, sizeof value); /* without its const, which Lua does not know */
        lua_pushlightuserdata(L, value);
        lua_pushcclosure(L, call_study, 1);
        lua_setglobal(L, study->name);
    }
}
