/* What studies find, as values of the model language:
 *
 *   local r = bar_mode { N = 1, m = 1, d = 0.5 }
 *   r.T, r.u[3]       symbols while the file is read, numbers while a function given to compute(...) runs
 *
 * A field is known by its study and its name; a number of it becomes a parameter of the experiment's expressions
 * that the run fills in. */
#include <math.h>
#include <string.h>

#include "io/lua/loader.h"

static const char RESULT[] = "carom.result";
static const char OUTPUT[] = "carom.output";

typedef struct result {
    int study;
} result;

/* ---- plain values -------------------------------------------------------------------------------------- */

static void push_numbers(lua_State *L, int count, const double *value)
{
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushnumber(L, value[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_table(lua_State *L, const carom_data *table)
{
    lua_Integer row = 0;
    lua_newtable(L);
    for (const carom_data *entry = table->first; entry; entry = entry->next) {
        loader_push_data(L, entry);
        if (entry->name)
            lua_setfield(L, -2, entry->name);
        else
            lua_rawseti(L, -2, ++row);
    }
}

void loader_push_data(lua_State *L, const carom_data *data)
{
    luaL_checkstack(L, 8, "a result is nested too deeply");
    switch (data ? data->kind : CAROM_DATA_NONE) {
    case CAROM_DATA_NUMBER:
        lua_pushnumber(L, data->number);
        return;
    case CAROM_DATA_FLAG:
        lua_pushboolean(L, data->number != 0.0);
        return;
    case CAROM_DATA_TEXT:
        lua_pushstring(L, data->text);
        return;
    case CAROM_DATA_LIST:
        push_numbers(L, data->rows, data->list);
        return;
    case CAROM_DATA_MATRIX:
        lua_createtable(L, data->rows, 0);
        for (int i = 0; i < data->rows; i++) {
            push_numbers(L, data->columns, data->list + (ptrdiff_t)i * data->columns);
            lua_rawseti(L, -2, i + 1);
        }
        return;
    case CAROM_DATA_TABLE:
        push_table(L, data);
        return;
    default:
        lua_pushnil(L);
    }
}

/* ---- outputs --------------------------------------------------------------------------------------------- */

static void push_output(lua_State *L, const carom_study_place *place)
{
    const loader *load = loader_of(L);
    if (load->computing) {
        carom_data element;
        loader_push_data(L, carom_study_results_at(load->earlier, place, &element));
        return;
    }
    carom_study_place *object = lua_newuserdatauv(L, sizeof *object, 0);
    *object = *place;
    luaL_setmetatable(L, OUTPUT);
}

bool loader_is_output(lua_State *L, int index, carom_study_place *place)
{
    const carom_study_place *found = luaL_testudata(L, index, OUTPUT);
    if (found)
        *place = *found;
    return found != NULL;
}

static const char *text_of(lua_State *L, const carom_study_place *place)
{
    if (place->i < 0)
        return lua_pushfstring(L, "%s", place->output);
    return place->j < 0 ? lua_pushfstring(L, "%s[%d]", place->output, place->i + 1)
                        : lua_pushfstring(L, "%s[%d][%d]", place->output, place->i + 1, place->j + 1);
}

/* The number of a place while a function computes. */
static carom_node known_number(lua_State *L, const carom_study_place *place)
{
    carom_data element;
    const carom_data *data = carom_study_results_at(loader_of(L)->earlier, place, &element);
    if (!data || (data->kind != CAROM_DATA_NUMBER && data->kind != CAROM_DATA_FLAG))
        loader_error(L, "%s has no number here: it is %s", text_of(L, place),
                     data ? "of another kind" : "no value");
    return carom_constant(loader_of(L)->graph, data->number);
}

carom_node loader_output_node(lua_State *L, const carom_study_place *place)
{
    loader *load = loader_of(L);
    carom_experiment *experiment = load->experiment;
    if (load->computing)
        return known_number(L, place);
    for (int i = 0; i < experiment->study_number_count; i++) {
        const carom_study_number_use *use = &experiment->study_number[i];
        if (use->study == place->study && use->i == place->i && use->j == place->j &&
            strcmp(use->output, place->output) == 0)
            return carom_leaf(load->graph, CAROM_OP_PARAMETER, use->parameter);
    }
    experiment->study_number = loader_grow(L, experiment->study_number, experiment->study_number_count,
                                           sizeof *experiment->study_number);
    experiment->study_number[experiment->study_number_count++] =
        (carom_study_number_use){place->study, load->parameters, place->output, place->i, place->j};
    const char *name = lua_pushfstring(L, "study %d: %s", place->study + 1, text_of(L, place));
    load->parameter = loader_grow(L, load->parameter, load->parameters, sizeof *load->parameter);
    load->parameter[load->parameters] = (carom_parameter){
        .name = loader_text(L, name), .value = NAN, .min = -INFINITY, .max = INFINITY, .computed = true};
    lua_pop(L, 2);
    return carom_leaf(load->graph, CAROM_OP_PARAMETER, load->parameters++);
}

/* u[3], or force[2][1]; while a function computes, the number itself. */
static int index_output(lua_State *L)
{
    carom_study_place place = *(const carom_study_place *)luaL_checkudata(L, 1, OUTPUT);
    int whole = 0;
    const lua_Integer number = lua_tointegerx(L, 2, &whole);
    if (!whole || number < 1 || number > 100000000)
        loader_error(L, "%s has entries 1, 2, ...; there is no '%s'", text_of(L, &place),
                     luaL_tolstring(L, 2, NULL));
    if (place.i >= 0 && place.j >= 0)
        loader_error(L, "%s is a number", text_of(L, &place));
    *(place.i < 0 ? &place.i : &place.j) = (int)number - 1;
    push_output(L, &place);
    return 1;
}

static int length_of_output(lua_State *L)
{
    const loader *load = loader_of(L);
    const carom_study_place *place = luaL_checkudata(L, 1, OUTPUT);
    carom_data element;
    const carom_data *data = load->computing ? carom_study_results_at(load->earlier, place, &element) : NULL;
    if (!load->computing)
        loader_error(L,
                     "#%s: how many there are is known only when the study has run; look at them inside "
                     "compute(function() ... end)",
                     text_of(L, place));
    lua_pushinteger(L, data ? carom_data_length(data) : 0);
    return 1;
}

static int name_output(lua_State *L)
{
    text_of(L, luaL_checkudata(L, 1, OUTPUT));
    return 1;
}

/* ---- results --------------------------------------------------------------------------------------------- */

static void check_output(lua_State *L, const carom_study_ops *study, const char *name)
{
    enum {
        MOST = 64
    };
    const char *names[MOST];
    size_t count = 0;
    for (const carom_study_output *output = study->outputs; output->name && count < MOST; output++) {
        if (strcmp(output->name, name) == 0)
            return;
        names[count++] = output->name;
    }
    carom_error error = {0};
    const char *what = lua_pushfstring(L, "output of %s", study->name);
    carom_fail_unknown(what, name, names, count, &error);
    loader_error(L, "%s", error.text);
}

static int index_result(lua_State *L)
{
    const result *r = luaL_checkudata(L, 1, RESULT);
    const carom_study_use *use = &loader_of(L)->experiment->studies[r->study];
    if (lua_type(L, 2) != LUA_TSTRING)
        loader_error(L, "outputs of a study have names; there is no '%s'", luaL_tolstring(L, 2, NULL));
    const char *name = lua_tostring(L, 2);
    if (use->study)
        check_output(L, use->study, name);
    const carom_study_place place = {r->study, loader_text(L, name), -1, -1};
    push_output(L, &place);
    return 1;
}

static int refuse_change(lua_State *L)
{
    return loader_error(L, "what a study finds cannot be changed ('%s')", luaL_tolstring(L, 2, NULL));
}

void loader_push_result(lua_State *L, int study)
{
    result *r = lua_newuserdatauv(L, sizeof *r, 0);
    r->study = study;
    luaL_setmetatable(L, RESULT);
}

void loader_open_results(lua_State *L)
{
    static const luaL_Reg of_result[] = {
        {"__index", index_result}, {"__newindex", refuse_change}, {NULL, NULL}};
    static const luaL_Reg of_output[] = {{"__index", index_output},
                                         {"__newindex", refuse_change},
                                         {"__len", length_of_output},
                                         {"__tostring", name_output},
                                         {NULL, NULL}};
    luaL_newmetatable(L, RESULT);
    luaL_setfuncs(L, of_result, 0);
    lua_pushliteral(L, "result of a study");
    lua_setfield(L, -2, "__name");
    luaL_newmetatable(L, OUTPUT);
    loader_set_operators(L);
    luaL_setfuncs(L, of_output, 0);
    lua_pushliteral(L, "symbol"); /* what Lua's own messages call it */
    lua_setfield(L, -2, "__name");
    lua_pop(L, 2);
}
