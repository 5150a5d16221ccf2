/* The sandbox: a Lua state with memory and instruction limits and without any way out. */
#include <lualib.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "library.h"
#include "loader.h"

/* An instruction that compares two long texts takes a thousandth of a second and more: the clock is looked at often. */
enum {
    HOOK_EVERY = 1000,
    INSTRUCTION_LIMIT = 400000000
};

static const double TIME_LIMIT = 60.0; /* seconds of a processor */

static void *limited_allocate(void *context, void *block, size_t old_size, size_t new_size)
{
    loader *load = context;
    if (!block) {
        if (old_size == LUA_TSTRING && new_size > (size_t)LOADER_TEXT_MB << 20) {
            load->long_text = true;
            return NULL;
        }
        old_size = 0; /* Lua passes an object kind here */
    }
    if (new_size == 0) {
        free(block);
        load->memory_used -= old_size;
        return NULL;
    }
    const size_t growth = new_size > old_size ? new_size - old_size : 0;
    if (growth > 0 && (load->memory_used + growth > (size_t)LOADER_MEMORY_MB << 20 ||
                       load->memory_traffic + growth > (size_t)LOADER_TRAFFIC_MB << 20)) {
        load->refused = false;
        return NULL;
    }
    void *moved = realloc(block, new_size);
    if (!moved)
        load->refused = true;
    if (moved) {
        load->memory_used = load->memory_used - old_size + new_size;
        load->memory_traffic += growth;
    }
    return moved;
}

/* Seconds that this thread computed: a machine that is busy otherwise does not count. */
static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What reading a file may take; a function that computes may take what its studies need, until it is stopped. */
static void check_time(lua_State *L)
{
    loader *load = loader_of(L);
    if (!load->computing) {
        if (processor_seconds() > load->deadline)
            loader_error(L,
                         "the script did not end after %g s of computing; is this loop endless, or does it "
                         "compare long "
                         "texts? (the file is read once to describe the model)",
                         load->time_limit);
        return;
    }
    const double now = carom_seconds();
    if (!load->progress.report || now < load->last_report + 0.05)
        return;
    load->last_report = now;
    if (!load->progress.report(load->progress.context, 0.0, 1.0)) {
        load->interrupted = true;
        loader_error(L, "stopped");
    }
}

void loader_spend(lua_State *L, long instructions)
{
    loader *load = loader_of(L);
    load->instructions += instructions;
    load->since_look += instructions;
    if (load->instructions > load->instruction_limit)
        loader_error(
            L,
            "the script did not end after %g million instructions; is this loop endless? (the file is "
            "read once to describe the model, time stepping is not done here)",
            (double)load->instruction_limit / 1e6);
    if (load->since_look < HOOK_EVERY)
        return;
    load->since_look = 0;
    check_time(L);
}

static void count_instructions(lua_State *L, lua_Debug *debug)
{
    (void)debug;
    loader_spend(L, HOOK_EVERY);
}

lua_State *loader_new_state(loader *load)
{
    lua_State *L = lua_newstate(limited_allocate, load);
    if (!L)
        return NULL;
    *(loader **)lua_getextraspace(L) = load;
    load->time_limit = load->request->max_seconds > 0.0 ? load->request->max_seconds : TIME_LIMIT;
    load->instruction_limit =
        load->request->max_instructions > 0 ? load->request->max_instructions : INSTRUCTION_LIMIT;
    load->deadline = processor_seconds() + load->time_limit;
    lua_sethook(L, count_instructions, LUA_MASKCOUNT, HOOK_EVERY);
    return L;
}

/* print(...) goes to the experiment's messages, which the program shows; the library prints nothing. */
static int sandbox_print(lua_State *L)
{
    loader *load = loader_of(L);
    const int count = lua_gettop(L);
    for (int i = 1; i <= count; i++) {
        size_t length;
        const char *text = luaL_tolstring(L, i, &length);
        if (i > 1)
            carom_text_append_bytes(&load->messages, "\t", 1);
        carom_text_append_bytes(&load->messages, text, length);
        lua_pop(L, 1);
    }
    carom_text_append_bytes(&load->messages, "\n", 1);
    if (load->messages.length > (size_t)LOADER_MESSAGES_MB << 20)
        loader_error(L, "print wrote more than %d MB; a model file prints a few lines at most",
                     LOADER_MESSAGES_MB);
    return 0;
}

/* A field of string, table or math that model files do not have. */
static int unknown_field(lua_State *L)
{
    return loader_error(L, "'%s.%s' is not available in model files", lua_tostring(L, lua_upvalueindex(1)),
                        luaL_tolstring(L, 2, NULL));
}

static void keep_only(lua_State *L, const char *library, const char *const *names)
{
    lua_newtable(L);
    lua_getglobal(L, library);
    for (int i = 0; names[i]; i++) {
        lua_getfield(L, -1, names[i]);
        lua_setfield(L, -3, names[i]);
    }
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushstring(L, library);
    lua_pushcclosure(L, unknown_field, 1);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_setglobal(L, library);
}

static int is_removed(const char *name)
{
    static const char *const removed[] = {"load",         "loadfile",     "loadstring",     "dofile",
                                          "require",      "module",       "collectgarbage", "io",
                                          "os",           "debug",        "package",        "coroutine",
                                          "setmetatable", "getmetatable", "pcall",          "xpcall"};
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++)
        if (strcmp(removed[i], name) == 0)
            return 1;
    return 0;
}

/* Raises an error of the library at the line of the model file. */
static int library_fail(lua_State *L)
{
    return loader_error(L, "%s", luaL_checkstring(L, 1));
}

static void open_part(lua_State *L, const lua_library_part *part)
{
    const char *chunk = lua_pushfstring(L, "=%s", part->name);
    if (luaL_loadbufferx(L, part->text, strlen(part->text), chunk, "t") != LUA_OK)
        lua_error(L);
    lua_pushcfunction(L, library_fail);
    lua_call(L, 1, 0);
    lua_pop(L, 1);
}

/* Reading them all takes longer than most model files: a part is read when one of its names is asked for. Pushes
 * what it defines; false when no part does. */
static bool open_library_name(lua_State *L, const char *name)
{
    for (const lua_library_part *part = lua_library; part->name; part++) {
        const char *function = lua_pushfstring(L, "\nfunction %s(", name);
        const char *value = lua_pushfstring(L, "\n%s = ", name);
        const bool has_it = strstr(part->text, function) || strstr(part->text, value);
        lua_pop(L, 2);
        if (!has_it)
            continue;
        open_part(L, part);
        lua_pushglobaltable(L);
        lua_pushstring(L, name);
        lua_rawget(L, -2);
        return !lua_isnil(L, -1);
    }
    return false;
}

static int fail_unknown(lua_State *L, const char *name, const char *nearest)
{
    const char *advice = loader_foreign_advice(name);
    const int stem = (int)loader_foreign_stem(name);
    if (advice)
        return loader_error(L, "unknown name '%s': %s; a name of your own is defined before this line", name,
                            advice);
    if (stem > 0)
        return loader_error(L, "unknown name '%s'; the velocity of '%.*s' is dot(%.*s)", name, stem, name,
                            stem, name);
    if (loader_is_misspelt(name, nearest))
        return loader_error(L, "unknown name '%s'; did you mean '%s'?", name, nearest);
    return loader_error(L, "unknown name '%s'; define it before this line (local %s = ...)", name, name);
}

/* Reading a global that does not exist is a misspelt name nearly always: say which one was meant. */
static int unknown_global(lua_State *L)
{
    const char *name = lua_tostring(L, 2);
    if (!name)
        return 0;
    if (open_library_name(L, name))
        return 1;
    for (const lua_library_part *part = lua_library; part->name;
         part++) /* for the names it may be meant for */
        open_part(L, part);
    if (is_removed(name))
        return loader_error(
            L, "'%s' is not available in model files (they describe a model and touch nothing else)", name);
    const char **keys = NULL;
    lua_pushglobaltable(L);
    const int count = loader_sorted_keys(L, lua_gettop(L), &keys);
    return fail_unknown(L, name, carom_nearest_name(name, keys, (size_t)count));
}

/* Stands for a statement that describes while a function computes. */
static int refuse_statement(lua_State *L)
{
    return loader_error(L,
                        "'%s' describes the experiment: it cannot stand inside compute(function() ... end)",
                        lua_tostring(L, lua_upvalueindex(1)));
}

static const char STATEMENTS[] = "carom.statements"; /* in the registry: name -> what is not there now */

void loader_swap_statements(lua_State *L)
{
    lua_pushglobaltable(L);
    const int globals = lua_gettop(L);
    lua_getfield(L, LUA_REGISTRYINDEX, STATEMENTS);
    for (lua_pushnil(L); lua_next(L, globals + 1); lua_settop(L, globals + 2)) {
        lua_pushvalue(L, globals + 2);
        lua_rawget(L, globals);      /* what is there now */
        if (!lua_iscfunction(L, -1)) /* a variable of the file has its name */
            continue;
        lua_pushvalue(L, globals + 2);
        lua_pushvalue(L, globals + 3);
        lua_rawset(L, globals);
        lua_pushvalue(L, globals + 2);
        lua_pushvalue(L, globals + 4);
        lua_rawset(L, globals + 1); /* a field that exists: lua_next goes on */
    }
    lua_settop(L, globals - 1);
    loader_of(L)->swapped = !loader_of(L)->swapped;
}

static void open_statements(lua_State *L)
{
    lua_settop(L, 0);
    lua_newtable(L); /* names before */
    lua_pushglobaltable(L);
    lua_pushnil(L);
    while (lua_next(L, 2)) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_pushboolean(L, 1);
        lua_rawset(L, 1);
    }
    loader_open_statements(L);
    lua_newtable(L);
    lua_pushvalue(L, 3);
    lua_setfield(L, LUA_REGISTRYINDEX, STATEMENTS);
    const char **names = NULL;
    const int count = loader_sorted_keys(L, 2, &names);
    for (int i = 0; i < count; i++) {
        lua_getfield(L, 1, names[i]);
        const bool was_there = lua_toboolean(L, -1);
        lua_pushstring(L, names[i]);
        lua_pushcclosure(L, refuse_statement, 1);
        if (!was_there && strcmp(names[i], "compute") != 0)
            lua_setfield(L, 3, names[i]);
        lua_settop(L, 3);
    }
    lua_settop(L, 0);
}

void loader_open_sandbox(lua_State *L)
{
    /* Pattern functions and table.move are left out: they can run for ever inside one instruction. */
    static const char *const strings[] = {"format", "rep",  "sub",  "upper",   "lower",
                                          "len",    "byte", "char", "reverse", NULL};
    static const char *const maths[] = {"pi",   "huge",   "floor", "ceil",       "fmod",       "tointeger",
                                        "type", "random", "modf",  "maxinteger", "mininteger", NULL};
    static const char *const tables[] = {"concat", "insert", "pack", "remove", "sort", "unpack", NULL};
    luaL_requiref(L, LUA_GNAME, luaopen_base, 1);
    luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 1);
    luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 1);
    luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 1);
    lua_settop(L, 0);
    /* The same random numbers on every machine and every run. */
    lua_getglobal(L, "math");
    lua_getfield(L, -1, "randomseed");
    lua_pushinteger(L, 1);
    lua_call(L, 1, 0);
    lua_settop(L, 0);
    loader_limit_functions(L);
    keep_only(L, "string", strings);
    keep_only(L, "table", tables);
    keep_only(L, "math", maths);
    /* Methods of strings ("x"):rep(3) must not reach what was left out. */
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_getglobal(L, "string");
    lua_setfield(L, -2, "__index");
    lua_settop(L, 0);
    lua_pushglobaltable(L);
    static const char *const removed[] = {
        "load",         "loadfile", "dofile", "collectgarbage", "setmetatable",
        "getmetatable", "pcall",    "xpcall", "warn",           NULL};
    for (int i = 0; removed[i]; i++) {
        lua_pushnil(L);
        lua_setfield(L, -2, removed[i]);
    }
    lua_pushcfunction(L, sandbox_print);
    lua_setfield(L, -2, "print");
    loader_open_symbols(L);
    open_statements(L);
    loader_open_studies(L);
    lua_pushnumber(L, CAROM_PI);
    lua_setglobal(L, "pi");
    lua_pushglobaltable(L);
    lua_newtable(L);
    lua_pushcfunction(L, unknown_global);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_settop(L, 0);
}
