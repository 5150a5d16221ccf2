/* compute(function() ... return { name = value, ... } end): a study written in the model file.
 *
 *   file is read:   the function is noted, nothing of it runs; r.name is a symbol
 *   a run asks:     the function runs with limits of its own; studies in it compute, and variables of the file that
 *                   hold parameters or what earlier studies found are plain, so that it may loop and branch on them
 *
 * The Lua state lives as long as the experiment for that. */
#include <stdlib.h>
#include <string.h>

#include "io/lua/loader.h"

static int call_compute(lua_State *L)
{
    loader *load = loader_of(L);
    if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TFUNCTION)
        loader_error(
            L, "compute takes a function that returns a table: compute(function() ... return { a = 1 } end)");
    if (load->computing) { /* inside another one there is nothing to wait for */
        lua_call(L, 0, 1);
        return 1;
    }
    carom_study_use use = {.function = luaL_ref(L, LUA_REGISTRYINDEX), .input = {.kind = CAROM_DATA_TABLE}};
    load->functions++;
    loader_add_study(L, &use);
    return 1;
}

/* ---- plain values for what a function sees ------------------------------------------------------------------ */

static const char CHANGED[] =
    "carom.changed"; /* in the registry: { function, number of the upvalue, value, ... } */

/* The value on top, as it is while a function computes: true, and the plain value above it, for a symbol of parameters
 * and for an output. */
static bool push_plain(lua_State *L)
{
    carom_study_place place;
    carom_data element;
    double value;
    if (loader_is_output(L, -1, &place)) {
        loader_push_data(L, carom_study_results_at(loader_of(L)->earlier, &place, &element));
        return true;
    }
    if (lua_type(L, -1) != LUA_TUSERDATA || !loader_is_expression(L, -1) ||
        !loader_evaluate(L, loader_check_node(L, lua_gettop(L), "symbol"), &value))
        return false;
    lua_pushnumber(L, value);
    return true;
}

/* Variables of the file that the function at `index` and those it calls use become plain for the time of the call. The
 * table at `changed` remembers what they were, and which functions were seen. */
static void make_plain(lua_State *L, int index, int changed)
{
    luaL_checkstack(L, 8, "functions are nested too deeply");
    lua_pushvalue(L, index);
    if (lua_rawget(L, changed) != LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    lua_pop(L, 1);
    lua_pushvalue(L, index);
    lua_pushboolean(L, 1);
    lua_rawset(L, changed);
    for (int i = 1; lua_getupvalue(L, index, i); i++) {
        if (lua_type(L, -1) == LUA_TFUNCTION && !lua_iscfunction(L, -1))
            make_plain(L, lua_gettop(L), changed);
        if (push_plain(L)) {
            const lua_Integer count = (lua_Integer)lua_rawlen(L, changed);
            lua_pushvalue(L, index);
            lua_rawseti(L, changed, count + 1);
            lua_pushinteger(L, i);
            lua_rawseti(L, changed, count + 2);
            lua_pushvalue(L, -2);
            lua_rawseti(L, changed, count + 3);
            lua_setupvalue(L, index, i);
        }
        lua_pop(L, 1);
    }
}

/* In protected mode: the variables are symbols again. */
static int make_symbols(lua_State *L)
{
    if (lua_getfield(L, LUA_REGISTRYINDEX, CHANGED) != LUA_TTABLE)
        return 0;
    if (loader_of(L)->swapped)
        loader_swap_statements(L);
    for (lua_Integer k = (lua_Integer)lua_rawlen(L, 1) - 2; k >= 1; k -= 3) {
        lua_rawgeti(L, 1, k);
        lua_rawgeti(L, 1, k + 1);
        lua_rawgeti(L, 1, k + 2);
        const int upvalue = (int)lua_tointeger(L, 3);
        lua_setupvalue(L, 2, upvalue);
        lua_settop(L, 1);
    }
    lua_pushnil(L);
    lua_setfield(L, LUA_REGISTRYINDEX, CHANGED);
    return 0;
}

/* ---- calls --------------------------------------------------------------------------------------------------- */

/* In protected mode: the function's number at 1, where its outputs go at 2. */
static int call_function(lua_State *L)
{
    carom_data *outputs = lua_touserdata(L, 2);
    lua_newtable(L);
    lua_pushvalue(L, 3);
    lua_setfield(L, LUA_REGISTRYINDEX, CHANGED);
    lua_rawgeti(L, LUA_REGISTRYINDEX, lua_tointeger(L, 1));
    make_plain(L, 4, 3);
    lua_remove(L, 3);
    loader_swap_statements(L);
    lua_call(L, 0, 1);
    if (lua_isnil(L, -1))
        return 0;
    if (!lua_istable(L, -1))
        return luaL_error(L, "compute: the function returned a %s; it returns a table { name = value, ... }",
                          luaL_typename(L, -1));
    const char **keys = NULL;
    const int count = loader_sorted_keys(L, 3, &keys);
    for (int i = 0; i < count; i++) {
        carom_data *entry = carom_data_add(loader_of(L)->run_arena, outputs, keys[i], CAROM_DATA_NONE);
        if (!entry)
            return loader_no_memory(L);
        lua_getfield(L, 3, keys[i]);
        if (!lua_isboolean(L, -1) || lua_toboolean(L, -1)) /* x = found or false: no value */
            loader_read_data(L, lua_gettop(L), "compute", keys[i], NULL, entry);
        lua_pop(L, 1);
    }
    return 0;
}

static carom_status call_alone(lua_State *L, int function, const double *parameter,
                               const carom_study_results *earlier, carom_progress progress,
                               carom_arena *arena, carom_data *outputs, carom_text *messages,
                               carom_error *error)
{
    loader *load = loader_of(L);
    load->computing = true;
    load->interrupted = false;
    load->instructions = 0;
    load->memory_traffic = 0;
    load->run_parameter = parameter;
    load->earlier = earlier;
    load->progress = progress;
    load->run_arena = arena;
    load->run_memory = 0;
    outputs->kind = CAROM_DATA_TABLE;
    lua_settop(L, 0);
    lua_pushcfunction(L, call_function);
    lua_pushinteger(L, function);
    lua_pushlightuserdata(L, outputs);
    const int code = lua_pcall(L, 2, 0, 0);
    carom_status status = code == LUA_OK ? CAROM_OK : loader_script_error(L, code, load->experiment, error);
    lua_settop(L, 0);
    lua_pushcfunction(L, make_symbols);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK && status == CAROM_OK)
        status = carom_fail_memory(error);
    if (load->interrupted)
        status = carom_fail(error, CAROM_INTERRUPTED, "%s", error->text);
    if (load->messages.bytes)
        carom_text_append_bytes(messages, load->messages.bytes, load->messages.length);
    carom_text_free(&load->messages);
    load->messages = (carom_text){0};
    lua_settop(L, 0);
    lua_gc(L, LUA_GCCOLLECT);
    load->memory_used -= load->run_memory; /* the arena goes with the run */
    load->computing = false;
    load->earlier = NULL;
    load->run_arena = NULL;
    load->run_parameter = NULL;
    return status;
}

static carom_status call(void *script, int function, const double *parameter,
                         const carom_study_results *earlier, carom_progress progress, carom_arena *arena,
                         carom_data *outputs, carom_text *messages, carom_error *error)
{
    loader *load = loader_of(script);
    pthread_mutex_lock(&load->one_at_a_time);
    const carom_number_format numbers = carom_numbers_begin();
    const carom_status status =
        call_alone(script, function, parameter, earlier, progress, arena, outputs, messages, error);
    carom_numbers_end(numbers);
    pthread_mutex_unlock(&load->one_at_a_time);
    return status;
}

static void free_script(void *script)
{
    lua_State *L = script;
    loader *load = loader_of(L);
    lua_close(L);
    pthread_mutex_destroy(&load->one_at_a_time);
    carom_text_free(&load->messages);
    free(load);
}

const carom_script_ops loader_script = {.free = free_script, .call = call};

const carom_statement language_compute = {
    .name = "compute",
    .summary = "a study written in the file: a function that a run calls, in which results are plain numbers",
    .example = "local r = compute(function() return { longest = max(mode.T, 2) } end)",
    .call = call_compute,
};
