/* Limit analysis, computed while the file is read, with plain numbers:
 *
 *   limit_load { matrix = { { ... }, ... }, load = { ... }, capacity = { ... },
 *                supports = { { tangent = 1, normal = 2, mu = 0.2 } } }
 *   frame_limit { nodes = { { x, y, support =, normal =, mu =, load = }, ... },
 *                 bars = { { 1, 2, moment = }, ... } } */
#include <math.h>
#include <string.h>

#include "carom/subject/frame.h"
#include "io/lua/loader.h"

enum {
    MOST_ROWS = 500,
    MOST_PROGRAMS = 100000
};

static int list_length(lua_State *L, const char *who, const char *key, const char *form)
{
    const int kind = lua_getfield(L, 1, key);
    const lua_Integer length = kind == LUA_TTABLE ? luaL_len(L, -1) : 0;
    lua_pop(L, 1);
    if (length < 1 || length > MOST_ROWS)
        loader_error(L, "%s: %s is a list of 1 to %d entries: %s = %s", who, key, MOST_ROWS, key, form);
    return (int)length;
}

/* Number k of the list on top of the stack. */
static double element(lua_State *L, const char *who, const char *what, int k)
{
    if (lua_geti(L, -1, k) != LUA_TNUMBER)
        loader_error(L, "%s: number %d of %s must be a plain number; got a %s", who, k, what,
                     luaL_typename(L, -1));
    const double value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return value;
}

/* A number of the table on top of the stack. */
static double field(lua_State *L, const char *who, const char *key, double value)
{
    const int kind = lua_getfield(L, -1, key);
    if (kind != LUA_TNIL && kind != LUA_TNUMBER)
        loader_error(L, "%s: %s must be a plain number; got a %s", who, key, luaL_typename(L, -1));
    if (kind == LUA_TNUMBER)
        value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return value;
}

/* Two numbers of a field of the table on top of the stack, which stay as they are when it is not there. */
static void pair_field(lua_State *L, const char *who, const char *key, double pair[2])
{
    const int kind = lua_getfield(L, -1, key);
    if (kind != LUA_TNIL && (kind != LUA_TTABLE || luaL_len(L, -1) != 2))
        loader_error(L, "%s: %s is a pair of numbers { x, y }", who, key);
    for (int k = 0; kind == LUA_TTABLE && k < 2; k++)
        pair[k] = element(L, who, key, k + 1);
    lua_pop(L, 1);
}

/* A number of the table on top of the stack that must be there. */
static double needed_field(lua_State *L, const char *who, const char *owner, int k, const char *key)
{
    if (lua_getfield(L, -1, key) == LUA_TNIL)
        loader_error(L, "%s: %s %d needs %s", who, owner, k + 1, key);
    lua_pop(L, 1);
    return field(L, who, key, 0.0);
}

/* A number that counts from 1, as a place that counts from 0. */
static int place_of(lua_State *L, const char *who, const char *what, double number)
{
    if (!(number == floor(number) && number >= 1.0 && number <= 1e6))
        loader_error(L, "%s: %s = %g must be a whole number from 1 on", who, what, number);
    return (int)number - 1;
}

static void open_element(lua_State *L, const char *who, const char *key, int k)
{
    if (lua_geti(L, -1, k + 1) != LUA_TTABLE)
        loader_error(L, "%s: %s[%d] must be a table; got a %s", who, key, k + 1, luaL_typename(L, -1));
}

/* ---- results ----------------------------------------------------------------------------------------- */

static void push_flag(lua_State *L, const char *key, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, key);
}

/* What is left of a state when its memory is given back: everything in the loader's arena. No Lua in here,
 * because an error of it would leave the state behind. */
static bool copy_state(carom_arena *arena, const carom_limit_state *state, carom_limit_state *copy)
{
    *copy = *state;
    const struct {
        double **to;
        const double *from;
        size_t count;
    } parts[] = {
        {&copy->stress, state->stress, (size_t)state->stresses},
        {&copy->rate, state->rate, (size_t)state->stresses},
        {&copy->mechanism, state->mechanism, (size_t)state->equations},
        {&copy->history_alpha, state->history_alpha, (size_t)state->programs},
        {&copy->history_normal, state->history_normal, (size_t)(state->programs * state->contacts)},
        {&copy->history_tangent, state->history_tangent, (size_t)(state->programs * state->contacts)},
    };
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        *parts[p].to = carom_arena_take(arena, parts[p].count, sizeof(double));
        if (!*parts[p].to)
            return false;
        for (size_t k = 0; k < parts[p].count; k++)
            (*parts[p].to)[k] = parts[p].from[k];
    }
    return true;
}

static void push_state(lua_State *L, const carom_limit_state *state, double associated)
{
    lua_createtable(L, 0, 16);
    loader_push_number(L, "alpha", state->alpha);
    loader_push_number(L, "associated", associated);
    loader_push_number(L, "programs", state->programs);
    loader_push_number(L, "hinges", state->hinges);
    loader_push_number(L, "defect", state->defect);
    loader_push_list(L, "stress", state->stresses, state->stress);
    loader_push_list(L, "rate", state->stresses, state->rate);
    loader_push_list(L, "mechanism", state->equations, state->mechanism);
    loader_push_list(L, "alphas", state->programs, state->history_alpha);
    loader_push_list(L, "normals", state->programs * state->contacts, state->history_normal);
    loader_push_list(L, "tangents", state->programs * state->contacts, state->history_tangent);
    push_flag(L, "slides", state->slides);
    push_flag(L, "degenerate", state->degenerate);
    push_flag(L, "converged", state->converged);
}

static int analyse(lua_State *L, const char *who, const carom_limit_problem *problem)
{
    carom_limit_options options = carom_limit_defaults();
    options.tolerance = loader_number(L, who, "tolerance", options.tolerance);
    if (!(options.tolerance >= 0.0))
        loader_error(L, "%s: tolerance = %g must not be negative", who, options.tolerance);
    if (loader_number(L, who, "programs", 0.0) != 0.0)
        options.max_programs = loader_whole(L, who, "programs", 1, MOST_PROGRAMS);
    carom_limit_state *state = NULL;
    carom_error error;
    double associated = NAN;
    /* a state that has not settled says so itself */
    carom_limit_load(problem, &options, &state, &error);
    if (state && carom_limit_associated(problem, &associated, &error) != CAROM_OK)
        associated = INFINITY;
    if (!state)
        return loader_error(L, "%s: %s", who, error.text);
    carom_limit_state copy;
    const bool copied = copy_state(loader_of(L)->arena, state, &copy);
    carom_limit_state_free(state);
    if (!copied)
        return loader_error(L, "%s: out of memory", who);
    loader_spend(L, 100L * copy.programs * copy.equations * copy.stresses);
    push_state(L, &copy, associated);
    return 1;
}

/* ---- from matrices ----------------------------------------------------------------------------------- */

static const double *read_matrix(lua_State *L, const char *who, int rows, int columns)
{
    double *matrix = loader_take(L, (size_t)rows * (size_t)columns, sizeof *matrix);
    lua_getfield(L, 1, "matrix");
    for (int i = 0; i < rows; i++) {
        open_element(L, who, "matrix", i);
        if (luaL_len(L, -1) != columns)
            loader_error(L, "%s: row %d of matrix has %d numbers; capacity has %d", who, i + 1,
                         (int)luaL_len(L, -1), columns);
        for (int j = 0; j < columns; j++)
            matrix[(ptrdiff_t)i * columns + j] = element(L, who, "a row of matrix", j + 1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return matrix;
}

static const carom_limit_contact *read_supports(lua_State *L, const char *who, int *count)
{
    static const char *const known[] = {"tangent", "normal", "mu", NULL};
    *count = 0;
    if (lua_getfield(L, 1, "supports") == LUA_TNIL) {
        lua_pop(L, 1);
        return NULL;
    }
    lua_pop(L, 1);
    *count = list_length(L, who, "supports", "{ { tangent = 1, normal = 2, mu = 0.2 } }");
    carom_limit_contact *contact = loader_take(L, (size_t)*count, sizeof *contact);
    lua_getfield(L, 1, "supports");
    for (int c = 0; c < *count; c++) {
        open_element(L, who, "supports", c);
        loader_check_keys(L, lua_gettop(L), "limit_load: a support", known);
        contact[c].tangent = place_of(L, who, "tangent", needed_field(L, who, "support", c, "tangent"));
        contact[c].normal = place_of(L, who, "normal", needed_field(L, who, "support", c, "normal"));
        contact[c].mu = needed_field(L, who, "support", c, "mu");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return contact;
}

static int call_limit_load(lua_State *L)
{
    static const char who[] = "limit_load";
    static const char *const keys[] = {"matrix",   "load",      "capacity", "supports",
                                       "programs", "tolerance", NULL};
    loader_check_keys(L, 1, who, keys);
    carom_limit_problem problem = {.equations = list_length(L, who, "matrix", "{ { 1, 0 }, { 0, 1 } }"),
                                   .stresses = list_length(L, who, "capacity", "{ 1, 1 }")};
    problem.matrix = read_matrix(L, who, problem.equations, problem.stresses);
    const int loads = list_length(L, who, "load", "{ 1, 1 }, one number per row of matrix");
    if (loads != problem.equations)
        loader_error(L, "%s: load has %d numbers; matrix has %d rows", who, loads, problem.equations);
    problem.load = loader_numbers(L, who, "load", problem.equations);
    problem.capacity = loader_numbers(L, who, "capacity", problem.stresses);
    problem.contact = read_supports(L, who, &problem.contacts);
    return analyse(L, who, &problem);
}

/* ---- from geometry ----------------------------------------------------------------------------------- */

static carom_frame_support support_of(lua_State *L, const char *who, int node)
{
    static const char *const words[] = {"free", "clamped", "pinned", "friction"};
    carom_error error;
    lua_getfield(L, -1, "support");
    const char *text = lua_tostring(L, -1);
    int found = text ? -1 : CAROM_FRAME_FREE;
    for (int k = 0; text && k < 4; k++)
        if (strcmp(words[k], text) == 0)
            found = k;
    if (found < 0 && carom_fail_unknown("support", text, words, 4, &error) != CAROM_OK)
        loader_error(L, "%s: node %d: %s", who, node + 1, error.text);
    lua_pop(L, 1);
    return (carom_frame_support)found;
}

static const carom_frame_node *read_nodes(lua_State *L, const char *who, int count)
{
    static const char *const known[] = {"support", "normal", "mu", "load", NULL};
    carom_frame_node *node = loader_take(L, (size_t)count, sizeof *node);
    lua_getfield(L, 1, "nodes");
    for (int i = 0; i < count; i++) {
        open_element(L, who, "nodes", i);
        loader_check_keys(L, lua_gettop(L), "frame_limit: a node", known);
        node[i] = (carom_frame_node){.x = element(L, who, "a node", 1),
                                     .y = element(L, who, "a node", 2),
                                     .support = support_of(L, who, i),
                                     .normal = {0.0, 1.0},
                                     .mu = field(L, who, "mu", 0.0)};
        if (node[i].support == CAROM_FRAME_FRICTION)
            needed_field(L, who, "node", i, "mu");
        pair_field(L, who, "normal", node[i].normal);
        pair_field(L, who, "load", node[i].load);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return node;
}

static const carom_frame_bar *read_bars(lua_State *L, const char *who, int count)
{
    static const char *const known[] = {"moment", NULL};
    carom_frame_bar *bar = loader_take(L, (size_t)count, sizeof *bar);
    lua_getfield(L, 1, "bars");
    for (int b = 0; b < count; b++) {
        open_element(L, who, "bars", b);
        loader_check_keys(L, lua_gettop(L), "frame_limit: a bar", known);
        bar[b] = (carom_frame_bar){place_of(L, who, "a bar's end", element(L, who, "a bar", 1)),
                                   place_of(L, who, "a bar's end", element(L, who, "a bar", 2)),
                                   field(L, who, "moment", 1.0)};
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return bar;
}

static int call_frame_limit(lua_State *L)
{
    static const char who[] = "frame_limit";
    static const char *const keys[] = {"nodes", "bars", "programs", "tolerance", NULL};
    loader_check_keys(L, 1, who, keys);
    const int nodes = list_length(L, who, "nodes", "{ { 0, 0, support = \"clamped\" }, { 0, 1 } }");
    const int bars = list_length(L, who, "bars", "{ { 1, 2, moment = 1 } }");
    const carom_frame frame = {nodes, bars, read_nodes(L, who, nodes), read_bars(L, who, bars)};
    carom_limit_problem problem;
    carom_error error;
    if (carom_frame_equilibrium(&frame, loader_of(L)->arena, &problem, &error) != CAROM_OK)
        return loader_error(L, "%s: %s", who, error.text);
    return analyse(L, who, &problem);
}

void loader_open_frame(lua_State *L)
{
    lua_pushcfunction(L, call_limit_load);
    lua_setglobal(L, "limit_load");
    lua_pushcfunction(L, call_frame_limit);
    lua_setglobal(L, "frame_limit");
}
