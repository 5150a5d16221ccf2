/* beam { "u", length = L, elements = 40, k2 = k2, ... }: a linear structure with clearance.
 *
 * Functions of place (and time) are called once, with symbols; the model evaluates what they return where it
 * needs it. The statement returns a beam that can be asked for what records and measures look at: u:at(x),
 * ... */
#include <string.h>

#include "beam_fields.h"
#include "io/lua/statements.h"

static const char BEAM[] = "carom.beam";

enum {
    OUTLINE_POINTS = 200 /* intervals of an obstacle in a picture */
};

/* ---- parts of the statement -------------------------------------------------------------------------- */

static void read_material(lua_State *L, carom_beam_spec *beam)
{
    beam->k2 = beam_field_parameter(L, 1, "k2");
    beam->modulus = beam_field_parameter(L, 1, "E");
    beam->density = beam_field_parameter(L, 1, "rho");
    beam->area = beam->inertia = CAROM_NO_NODE;
    if (lua_getfield(L, 1, "section") != LUA_TNIL) {
        if (!lua_istable(L, -1))
            loader_error(
                L, "beam: section is tube{...}, round{...}, rectangle{...} or { area = ..., inertia = ... }");
        const int section = lua_gettop(L);
        beam->area = beam_field_parameter(L, section, "area");
        beam->inertia = beam_field_parameter(L, section, "inertia");
    }
    lua_pop(L, 1);
    beam->damping_mass = beam->damping_stiffness = CAROM_NO_NODE;
    if (lua_getfield(L, 1, "damping") != LUA_TNIL) {
        static const char *const keys[] = {"mass", "stiffness", NULL};
        const int damping = lua_gettop(L);
        loader_check_keys(L, damping, "damping", keys);
        beam->damping_mass = beam_field_parameter(L, damping, "mass");
        beam->damping_stiffness = beam_field_parameter(L, damping, "stiffness");
    }
    lua_pop(L, 1);
}

/* Calls `read` for every table of the list in a field, with the table on top of the stack. */
static int each_entry(lua_State *L, const char *key,
                      void (*read)(lua_State *L, int index, carom_beam_spec *beam), carom_beam_spec *beam)
{
    if (lua_getfield(L, 1, key) == LUA_TNIL) {
        lua_pop(L, 1);
        return 0;
    }
    if (!lua_istable(L, -1) || (luaL_len(L, -1) == 0))
        loader_error(L, "beam: %s takes a list of tables: %s = { { ... } }", key, key);
    const int list = lua_gettop(L), count = (int)luaL_len(L, list);
    for (int i = 1; i <= count; i++) {
        if (lua_geti(L, list, i) != LUA_TTABLE)
            loader_error(L, "beam: entry %d of %s is not a table", i, key);
        read(L, lua_gettop(L), beam);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return count;
}

static void read_obstacle(lua_State *L, int index, carom_beam_spec *beam)
{
    static const char *const keys[] = {"lower", "upper", "from", "to", NULL};
    loader_check_keys(L, index, "an obstacle", keys);
    const carom_beam_obstacle obstacle = {.lower = beam_field_function(L, index, "lower", false),
                                          .upper = beam_field_function(L, index, "upper", false),
                                          .from = beam_field_parameter(L, index, "from"),
                                          .to = beam_field_parameter(L, index, "to"),
                                          .line = loader_line(L)};
    if (obstacle.lower < 0 && obstacle.upper < 0)
        loader_error(L, "beam: an obstacle needs lower or upper: { lower = function(x) return -0.01 end }");
    beam->obstacle = loader_grow(L, (void *)beam->obstacle, beam->obstacles, sizeof obstacle);
    ((carom_beam_obstacle *)beam->obstacle)[beam->obstacles++] = obstacle;
}

static void read_stop(lua_State *L, int index, carom_beam_spec *beam)
{
    static const char *const keys[] = {"x", "lower", "upper", NULL};
    loader_check_keys(L, index, "a stop", keys);
    lua_geti(L, index, 1);
    const carom_beam_stop stop = {.name = loader_text(L, loader_check_name(L, -1, "stop")),
                                  .x = beam_field_parameter(L, index, "x"),
                                  .lower = beam_field_parameter(L, index, "lower"),
                                  .upper = beam_field_parameter(L, index, "upper"),
                                  .line = loader_line(L)};
    lua_pop(L, 1);
    beam_need_node(L, stop.x, "a stop { \"name\", x = ..., lower = ..., upper = ... }", "x");
    if (stop.lower < 0 && stop.upper < 0)
        loader_error(L, "beam: stop '%s' needs lower or upper", stop.name);
    beam->stop = loader_grow(L, (void *)beam->stop, beam->stops, sizeof stop);
    ((carom_beam_stop *)beam->stop)[beam->stops++] = stop;
}

static void read_force(lua_State *L, int index, carom_beam_spec *beam)
{
    static const char *const keys[] = {"x", "value", NULL};
    loader_check_keys(L, index, "a force", keys);
    const carom_beam_force force = {.x = beam_field_parameter(L, index, "x"),
                                    .value = loader_field_node(L, index, "value"),
                                    .line = loader_line(L)};
    beam_need_node(L, force.x, "a force { x = ..., value = ... }", "x");
    beam_need_node(L, force.value, "a force { x = ..., value = ... }", "value");
    beam_check_depends(L, force.value, CAROM_ON_TIME, "the value of a force", " and time");
    beam->force = loader_grow(L, (void *)beam->force, beam->forces, sizeof force);
    ((carom_beam_force *)beam->force)[beam->forces++] = force;
}

/* displacement and velocity at the start: a function of x, or { mode = 1, x = ..., value = ... }. */
static carom_beam_field read_field(lua_State *L, const char *key)
{
    static const char *const keys[] = {"mode", "x", "value", NULL};
    carom_beam_field field = {CAROM_NO_NODE, 0, CAROM_NO_NODE, CAROM_NO_NODE, loader_line(L)};
    const int type = lua_getfield(L, 1, key), table = lua_gettop(L);
    if (type == LUA_TTABLE) {
        loader_check_keys(L, table, key, keys);
        int whole = 0;
        lua_getfield(L, table, "mode");
        field.mode = (int)lua_tointegerx(L, -1, &whole);
        if (!whole || field.mode < 1)
            loader_error(L, "beam: %s = { mode = ... } needs a mode number 1, 2, ...", key);
        lua_pop(L, 1);
        field.x = beam_field_parameter(L, table, "x");
        field.value = beam_field_parameter(L, table, "value");
        beam_need_node(L, field.x, "a mode { mode = 1, x = ..., value = ... }", "x");
        beam_need_node(L, field.value, "a mode { mode = 1, x = ..., value = ... }", "value");
    }
    lua_pop(L, 1);
    if (type != LUA_TTABLE)
        field.function = beam_field_function(L, 1, key, false);
    return field;
}

static int read_elements(lua_State *L)
{
    enum {
        MOST_ELEMENTS = 1000000
    };
    int whole = 0;
    lua_getfield(L, 1, "elements");
    const lua_Integer elements = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &whole) : 0;
    lua_pop(L, 1);
    if (!whole || elements > MOST_ELEMENTS)
        loader_error(
            L,
            "beam: elements must be a whole number from 2 to %d (a setting, not a param: it shapes the "
            "model)",
            MOST_ELEMENTS);
    return (int)elements;
}

/* ---- the statement ---------------------------------------------------------------------------------- */

/* Contacts get the names that the model gives them, so that measures can speak of them from here on. */
static void name_contacts(lua_State *L)
{
    loader *load = loader_of(L);
    carom_beam_spec spec = load->beam;
    spec.parameters = load->parameters;
    spec.parameter = load->parameter;
    carom_model *model = NULL;
    carom_error error = {0};
    spec.line = 0; /* this statement's, which the error names anyway */
    if (carom_beam_model_create(&spec, &model, &error) != CAROM_OK)
        loader_raise(L, "", &error);
    /* no Lua error may pass while the model is ours to free */
    carom_traced_contact *contact = carom_arena_take(load->arena, (size_t)model->contacts, sizeof *contact);
    bool good = contact != NULL;
    for (int i = 0; good && i < model->contacts; i++) {
        contact[i].name = carom_arena_copy_text(load->arena, model->contact[i].name);
        contact[i].gap = CAROM_NO_NODE;
        good = contact[i].name != NULL;
    }
    load->contacts = good ? model->contacts : 0;
    load->contact = contact;
    carom_model_free(model);
    if (!good)
        loader_no_memory(L);
    for (int i = 0; i < load->contacts; i++)
        loader_number(L, "contact", contact[i].name, i);
}

static int statement_beam(lua_State *L)
{
    static const char *const bases[] = {"p3", "bspline", "difference", NULL};
    static const char *const grids[] = {"paper", "half", "ghost", NULL};
    static const char *const left_ends[] = {"clamped", "pinned", "guided", "free", NULL};
    static const char *const right_ends[] = {"free", "clamped", "pinned", "guided", NULL};
    static const carom_beam_end right_end[] = {CAROM_END_FREE, CAROM_END_CLAMPED, CAROM_END_PINNED,
                                               CAROM_END_GUIDED};
    loader *load = loader_of(L);
    loader_check_statement(L, 1, &language_beam);
    if (load->bodies) { /* made of coordinates there (library/beams.lua) */
        lua_getglobal(L, "beam_beside_bodies");
        lua_pushvalue(L, 1);
        lua_call(L, 1, 1);
        return 1;
    }
    if (load->has_beam)
        loader_error(L, "beam: a model has one beam");
    if (load->coordinates > 0)
        loader_error(L, "beam: a model is a beam or has coordinates, not both");
    carom_beam_spec beam = {.graph = load->graph, .line = loader_line(L)};
    lua_geti(L, 1, 1);
    beam.name = loader_text(L, loader_check_name(L, -1, "beam"));
    lua_pop(L, 1);
    beam.elements = read_elements(L);
    beam.basis = (carom_beam_basis)beam_field_word(L, 1, "basis", bases);
    beam.grid = (carom_beam_grid)beam_field_word(L, 1, "grid", grids);
    beam.left = (carom_beam_end)beam_field_word(L, 1, "left", left_ends);
    beam.right = right_end[beam_field_word(L, 1, "right", right_ends)];
    beam.length = beam_field_parameter(L, 1, "length");
    beam_need_node(L, beam.length, "beam", "length");
    read_material(L, &beam);
    beam.acceleration = beam_field_function(L, 1, "acceleration", true);
    beam.load = beam_field_function(L, 1, "load", true);
    beam.restitution = beam_field_parameter(L, 1, "restitution");
    each_entry(L, "obstacles", read_obstacle, &beam);
    each_entry(L, "stops", read_stop, &beam);
    each_entry(L, "forces", read_force, &beam);
    beam.displacement = read_field(L, "displacement");
    beam.velocity = read_field(L, "velocity");
    load->beam = beam;
    load->has_beam = true;
    load->experiment->inertia_line = load->experiment->initial_line = beam.line;
    name_contacts(L);
    lua_newuserdatauv(L, 0, 0);
    luaL_setmetatable(L, BEAM);
    return 1;
}

/* ---- what a beam can be asked for ---------------------------------------------------------------------- */

/* The observable for a probe; equal probes are one. */
static int push_probe(lua_State *L, carom_beam_probe_kind kind, carom_node x)
{
    loader *load = loader_of(L);
    carom_beam_spec *beam = &load->beam;
    int index = 0;
    while (index < beam->probes && (beam->probe[index].kind != kind || beam->probe[index].x != x))
        index++;
    if (index == beam->probes) {
        beam->probe = loader_grow(L, (void *)beam->probe, beam->probes, sizeof *beam->probe);
        ((carom_beam_probe *)beam->probe)[beam->probes++] =
            (carom_beam_probe){.kind = kind, .x = x, .line = loader_line(L)};
    }
    loader_push_node(L, carom_leaf(load->graph, CAROM_OP_OBSERVED, 1 + index));
    return 1;
}

static void check_beam(lua_State *L, const char *method)
{
    if (!luaL_testudata(L, 1, BEAM))
        loader_error(L, "%s is asked of a beam with a colon: u:%s(...), where local u = beam { ... }", method,
                     method);
}

static int probe_at_place(lua_State *L, carom_beam_probe_kind kind, const char *method)
{
    check_beam(L, method);
    const carom_node x = loader_check_node(L, 2, "the place x");
    beam_check_depends(L, x, 0, "the place x", "");
    return push_probe(L, kind, x);
}

static int method_at(lua_State *L)
{
    return probe_at_place(L, CAROM_PROBE_DISPLACEMENT, "at");
}

static int method_velocity(lua_State *L)
{
    return probe_at_place(L, CAROM_PROBE_VELOCITY, "velocity");
}

static int method_slope(lua_State *L)
{
    return probe_at_place(L, CAROM_PROBE_SLOPE, "slope");
}

static int method_moment(lua_State *L)
{
    return probe_at_place(L, CAROM_PROBE_MOMENT, "moment");
}

/* 0: "lower", 1: "upper". */
static int check_side(lua_State *L, const char *method)
{
    check_beam(L, method);
    const char *side = lua_tostring(L, 2);
    if (!side || (strcmp(side, "lower") != 0 && strcmp(side, "upper") != 0))
        loader_error(L, "%s takes a side: u:%s(\"lower\") or u:%s(\"upper\")", method, method, method);
    return strcmp(side, "upper") == 0;
}

static int method_penetration(lua_State *L)
{
    const int side = check_side(L, "penetration");
    return push_probe(L, side ? CAROM_PROBE_PENETRATION_UPPER : CAROM_PROBE_PENETRATION_LOWER, CAROM_NO_NODE);
}

static int method_impulse(lua_State *L)
{
    const int side = check_side(L, "impulse");
    return push_probe(L, side ? CAROM_PROBE_IMPULSE_UPPER : CAROM_PROBE_IMPULSE_LOWER, CAROM_NO_NODE);
}

static int method_touching(lua_State *L)
{
    check_beam(L, "touching");
    return push_probe(L, CAROM_PROBE_TOUCHING, CAROM_NO_NODE);
}

/* Appends { x, y } to the table on top of the stack. */
static void append_point(lua_State *L, carom_node x, carom_node y)
{
    lua_createtable(L, 2, 0);
    loader_push_node(L, x);
    lua_rawseti(L, -2, 1);
    loader_push_node(L, y);
    lua_rawseti(L, -2, 2);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

/* An obstacle of one side along the part of the beam that it covers. */
static void append_obstacle(lua_State *L, const carom_beam_obstacle *obstacle, carom_node edge)
{
    loader *load = loader_of(L);
    carom_graph *graph = load->graph;
    const carom_node place = beam_place_leaf(load);
    const carom_node from = obstacle->from >= 0 ? obstacle->from : carom_constant(graph, 0.0);
    const carom_node to = obstacle->to >= 0 ? obstacle->to : load->beam.length;
    const carom_node span = carom_binary(graph, CAROM_OP_SUB, to, from);
    for (int i = 0; i <= OUTLINE_POINTS; i++) {
        const carom_node part = carom_constant(graph, (double)i / OUTLINE_POINTS);
        const carom_node x =
            carom_binary(graph, CAROM_OP_ADD, from, carom_binary(graph, CAROM_OP_MUL, part, span));
        append_point(L, x, carom_substitute(graph, edge, 1, &place, &x));
    }
}

/* A stop is drawn as a short piece of wall. */
static void append_stop(lua_State *L, const carom_beam_stop *stop, carom_node edge)
{
    loader *load = loader_of(L);
    const carom_node half =
        carom_binary(load->graph, CAROM_OP_MUL, carom_constant(load->graph, 0.01), load->beam.length);
    append_point(L, carom_binary(load->graph, CAROM_OP_SUB, stop->x, half), edge);
    append_point(L, carom_binary(load->graph, CAROM_OP_ADD, stop->x, half), edge);
}

/* u:obstacle("upper"): the obstacles of a side as points for outline(...); an infinite one parts the pieces.
 */
static int method_obstacle(lua_State *L)
{
    const int side = check_side(L, "obstacle");
    loader *load = loader_of(L);
    const carom_beam_spec *beam = &load->beam;
    const carom_node nowhere = carom_constant(load->graph, HUGE_VAL);
    lua_newtable(L);
    for (int i = 0; i < beam->obstacles; i++) {
        const carom_node edge = side ? beam->obstacle[i].upper : beam->obstacle[i].lower;
        if (edge < 0)
            continue;
        append_obstacle(L, &beam->obstacle[i], edge);
        append_point(L, nowhere, nowhere);
    }
    for (int i = 0; i < beam->stops; i++) {
        const carom_node edge = side ? beam->stop[i].upper : beam->stop[i].lower;
        if (edge < 0)
            continue;
        append_stop(L, &beam->stop[i], edge);
        append_point(L, nowhere, nowhere);
    }
    if (lua_rawlen(L, -1) == 0)
        loader_error(L, "obstacle: this beam has no obstacle or stop of that side");
    return 1;
}

static int unknown_method(lua_State *L)
{
    return loader_error(
        L,
        "a beam has no '%s'; it has at, velocity, slope, moment, penetration, impulse, touching and "
        "obstacle: u:at(L)",
        luaL_tolstring(L, 2, NULL));
}

static void open_beam(lua_State *L)
{
    static const luaL_Reg methods[] = {{"at", method_at},
                                       {"velocity", method_velocity},
                                       {"slope", method_slope},
                                       {"moment", method_moment},
                                       {"penetration", method_penetration},
                                       {"impulse", method_impulse},
                                       {"touching", method_touching},
                                       {"obstacle", method_obstacle},
                                       {NULL, NULL}};
    luaL_newmetatable(L, BEAM);
    luaL_newlib(L, methods);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, unknown_method);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}

/* ---- descriptions ----------------------------------------------------------------------------- */

static const carom_statement_key beam_keys[] = {
    {"length", "L"},
    {"elements", "number of elements, of nodes for basis \"difference\""},
    {"basis", "\"p3\" Hermite cubics, \"bspline\", \"difference\"; default p3"},
    {"grid", "of differences: \"paper\" as published, \"half\", \"ghost\""},
    {"k2", "E I / (rho S); forces and energies are then per rho S"},
    {"E", "Young's modulus, in place of k2, with rho and section"},
    {"rho", "density"},
    {"section", "tube, round, rectangle, or { area =, inertia = }"},
    {"damping", "{ mass = a, stiffness = b }: C = a M + b S"},
    {"left", "\"clamped\", \"pinned\", \"guided\" or \"free\"; default clamped"},
    {"right", "likewise; default free"},
    {"load", "function(x, t): force per unit length"},
    {"acceleration", "function(x, t): force per unit mass"},
    {"restitution", "at all contacts; default 0"},
    {"obstacles", "list of { lower =, upper =, from =, to = }"},
    {"stops", "list of { name, x =, lower =, upper = }: at one node"},
    {"forces", "list of { x =, value = }: point forces"},
    {"displacement", "at the start: function(x), or { mode = 1, x =, value = }"},
    {"velocity", "likewise"},
    {0},
};

const carom_statement language_beam = {
    .name = "beam",
    .summary = "an Euler-Bernoulli beam between obstacles: the whole model, or beside bodies",
    .example = "local u = beam { \"u\", length = 10, elements = 40, k2 = 282.84 }",
    .keys = beam_keys,
    .call = statement_beam,
    .open = open_beam,
};
