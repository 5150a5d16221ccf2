/* The start of a motion, how it is integrated, and what ends it. */
#include <stdio.h>
#include <string.h>

#include "io/lua/loader.h"
#include "io/lua/statements.h"

static int statement_initial(lua_State *L)
{
    loader *load = loader_of(L);
    loader_need_coordinates(L, "initial");
    if (!lua_istable(L, 1))
        loader_error(L, "initial takes a table: initial { x = 0, [dot(x)] = 1 }; got a %s",
                     luaL_typename(L, 1));
    if (load->has_initial)
        loader_error(L, "initial is given twice; put all values in one table");
    load->has_initial = true;
    load->experiment->initial_line = loader_line(L);
    load->q0 = loader_no_nodes(L, (size_t)load->coordinates);
    load->v0 = loader_no_nodes(L, (size_t)load->coordinates);
    load->experiment->gap_tolerance = loader_field_value(L, 1, "gap_tolerance");
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        const int key = lua_gettop(L) - 1;
        if (lua_type(L, key) == LUA_TSTRING && strcmp(lua_tostring(L, key), "gap_tolerance") == 0) {
            lua_pop(L, 1);
            continue;
        }
        bool velocity;
        const int i = loader_key_coordinate(L, key, "initial", &velocity);
        const carom_node node = loader_check_node(L, lua_gettop(L), "an initial value");
        if (carom_node_depends(load->graph, node) & ~(unsigned)CAROM_ON_PARAMETER)
            loader_error(L, "initial: the value of '%s' must be a number or an expression of parameters",
                         load->coordinate[i]);
        loader_set_once(L, "initial", i, node, velocity ? &load->v0[i] : &load->q0[i]);
        lua_pop(L, 1);
    }
    loader_fill_missing(load, (size_t)load->coordinates, load->q0);
    loader_fill_missing(load, (size_t)load->coordinates, load->v0);
    return 0;
}

/* ... and the options of the schemes and of their solvers */
static const carom_statement_key integrate_keys[] = {
    {"scheme", "its name, see carom list schemes; default moreau-jean, of a beam newmark-contact"},
    {"h", "time step"},
    {"until_t", "end; the last output is the first one at or after it"},
    {"from_t", "start; default 0"},
    {0},
};

static bool known_option(const char *name)
{
    for (size_t i = 0; i < carom_scheme_count(); i++)
        if (carom_scheme_takes_option(carom_scheme_at(i), name))
            return true;
    return false;
}

static bool is_own_key(const char *key)
{
    for (int i = 0; integrate_keys[i].name; i++)
        if (strcmp(integrate_keys[i].name, key) == 0)
            return true;
    return false;
}

static void check_integrate_key(lua_State *L, const char *key)
{
    if (is_own_key(key) || known_option(key))
        return;
    const char *own[sizeof integrate_keys / sizeof *integrate_keys];
    size_t own_count = 0;
    for (; integrate_keys[own_count].name; own_count++)
        own[own_count] = integrate_keys[own_count].name;
    const char *nearest = carom_nearest_name(key, own, own_count);
    for (size_t s = 0; !nearest && s < carom_scheme_count(); s++) {
        const carom_scheme_ops *scheme = carom_scheme_at(s);
        for (int o = 0; !nearest && o < scheme->option_count; o++)
            nearest = carom_nearest_name(key, &scheme->options[o].name, 1);
    }
    if (nearest)
        loader_error(L, "integrate: unknown key '%s'; did you mean '%s'?", key, nearest);
    loader_error(L,
                 "integrate: unknown key '%s'; known are scheme, h, until_t, from_t and the options of the "
                 "schemes (carom list schemes)",
                 key);
}

static void read_choice(lua_State *L, const char *key)
{
    carom_experiment *experiment = loader_of(L)->experiment;
    carom_scheme_choice choice = {.name = loader_text(L, key), .value = CAROM_NO_VALUE};
    lua_getfield(L, 1, key);
    if (lua_type(L, -1) == LUA_TSTRING)
        choice.word = loader_text(L, lua_tostring(L, -1));
    else if (lua_isboolean(L, -1))
        choice.word = loader_text(L, lua_toboolean(L, -1) ? "on" : "off");
    else
        choice.value = loader_value(L, lua_gettop(L), key);
    lua_pop(L, 1);
    experiment->choice = loader_grow(L, experiment->choice, experiment->choice_count, sizeof choice);
    experiment->choice[experiment->choice_count++] = choice;
}

/* Index of the parameter that a field is, when it is nothing but a parameter. */
static int field_parameter(lua_State *L, const char *key)
{
    loader *load = loader_of(L);
    const carom_node node = loader_field_node(L, 1, key);
    if (node < 0 || carom_node_op(load->graph, node) != CAROM_OP_PARAMETER)
        return -1;
    const int index = carom_node_index(load->graph, node);
    return load->parameter[index].computed ? -1 : index;
}

static int statement_integrate(lua_State *L)
{
    loader *load = loader_of(L);
    carom_experiment *experiment = load->experiment;
    if (!lua_istable(L, 1))
        loader_error(
            L, "integrate takes a table: integrate { scheme = \"moreau-jean\", h = 1e-3, until_t = 1 }");
    if (load->has_integrate)
        loader_error(L, "integrate is given twice");
    load->has_integrate = true;
    experiment->integrate_line = loader_line(L);
    const char **keys = NULL;
    const int count = loader_sorted_keys(L, 1, &keys);
    for (int i = 0; i < count; i++) {
        check_integrate_key(L, keys[i]);
        if (!is_own_key(keys[i]))
            read_choice(L, keys[i]);
    }
    experiment->scheme = (char *)loader_field_text(L, 1, "scheme");
    experiment->scheme_given = experiment->scheme != NULL;
    if (!experiment->scheme) /* the second takes any model, but with full matrices */
        experiment->scheme = loader_text(L, load->has_beam ? "newmark-contact" : "moreau-jean");
    carom_error error;
    if (!carom_scheme_find(experiment->scheme, &error))
        loader_raise(L, "integrate: ", &error);
    experiment->h = loader_field_value(L, 1, "h");
    experiment->until = loader_field_value(L, 1, "until_t");
    experiment->t0 = loader_field_value(L, 1, "from_t");
    if (experiment->h < 0 || experiment->until < 0)
        loader_error(L, "integrate needs a step and an end: integrate { h = 1e-3, until_t = 1 }");
    experiment->h_parameter = field_parameter(L, "h");
    experiment->until_parameter = field_parameter(L, "until_t");
    return 0;
}

/* stop { when = x - 1 }, stop { "away", when = x - 1 }: ends a run where the expression becomes positive. */
static int statement_stop(lua_State *L)
{
    loader *load = loader_of(L);
    carom_experiment *experiment = load->experiment;
    if (!lua_istable(L, 1))
        loader_error(L, "stop takes a table: stop { when = x - 1 }; got a %s", luaL_typename(L, 1));
    loader_check_statement(L, 1, &language_stop);
    char numbered[32];
    snprintf(numbered, sizeof numbered, "stop-%d", experiment->stop_count + 1);
    lua_geti(L, 1, 1);
    if (loader_is_expression(L, -1))
        loader_error(L, "stop: the condition needs its key: stop { when = ... }");
    const char *name = lua_isnil(L, -1) ? numbered : loader_check_name(L, -1, "stop");
    carom_stop_condition stop = {.name = loader_text(L, name), .line = loader_line(L)};
    loader_define(L, "stops", "stop", stop.name);
    const carom_node when = loader_field_node(L, 1, "when");
    if (when < 0)
        loader_error(
            L,
            "stop '%s' has no condition: when = an expression that becomes positive where the run is to end",
            stop.name);
    const unsigned depends = carom_node_depends(load->graph, when);
    if (!(depends & ~(unsigned)CAROM_ON_PARAMETER) || depends & CAROM_ON_PLACE)
        loader_error(
            L, "stop '%s': when must depend on the motion or on time; this is one value for the whole run",
            stop.name);
    load->stop = loader_grow(L, load->stop, experiment->stop_count, sizeof *load->stop);
    experiment->stop = loader_grow(L, experiment->stop, experiment->stop_count, sizeof stop);
    load->stop[experiment->stop_count] = when;
    experiment->stop[experiment->stop_count++] = stop;
    return 0;
}

/* ---- descriptions ----------------------------------------------------------------------------- */

const carom_statement language_initial = {
    .name = "initial",
    .summary = "positions and velocities at the start, by coordinate; what is not given is 0",
    .example = "initial { x = 1, [dot(x)] = 2 }",
    .call = statement_initial,
};

const carom_statement language_integrate = {
    .name = "integrate",
    .summary = "the scheme, its step and its end",
    .example = "integrate { scheme = \"moreau-jean\", h = 1e-3, until_t = 1 }",
    .keys = integrate_keys,
    .call = statement_integrate,
};

static const carom_statement_key stop_keys[] = {
    {"when", "an expression; the run ends where it becomes positive"},
    {0},
};

const carom_statement language_stop = {
    .name = "stop",
    .summary = "ends the run where an expression becomes positive",
    .example = "stop { \"fallen\", when = -y }",
    .keys = stop_keys,
    .call = statement_stop,
};
