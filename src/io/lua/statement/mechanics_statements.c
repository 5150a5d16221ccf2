/* Statements that describe the mechanics: coordinates, energies, forces, contacts, the start, the
 * integration. */
#include <stdio.h>
#include <string.h>

#include "io/lua/loader.h"

/* ---- coordinates --------------------------------------------------------------------------- */

static void add_coordinate(lua_State *L, int index)
{
    loader *load = loader_of(L);
    char *name = loader_text(L, loader_check_name(L, index, "coordinates"));
    if (load->has_beam)
        loader_error(
            L, "coordinates: a beam makes its own coordinates; a model is a beam or has others, not both");
    if (load->mass || load->force || load->has_initial) /* these have a place per coordinate */
        loader_error(L, "coordinates: '%s' comes after mass, force or initial; define all coordinates first",
                     name);
    loader_define(L, "names", "coordinate", name);
    load->coordinate = loader_grow(L, load->coordinate, load->coordinates, sizeof *load->coordinate);
    load->coordinate[load->coordinates] = name;
    loader_push_node(L, carom_leaf(load->graph, CAROM_OP_COORDINATE, load->coordinates++));
}

/* coordinates("x", "y") returns the symbols; coordinates { "x", "y" } returns them in one table. */
static int statement_coordinates(lua_State *L)
{
    const int count = lua_gettop(L);
    if (count == 0)
        loader_error(L, "coordinates takes names: local x, y = coordinates(\"x\", \"y\")");
    if (!lua_istable(L, 1)) {
        luaL_checkstack(L, count, "too many coordinates");
        for (int i = 1; i <= count; i++)
            add_coordinate(L, i);
        return count;
    }
    const int size = (int)luaL_len(L, 1);
    if (count > 1 || size == 0)
        loader_error(L, "coordinates takes names, or one list of them: coordinates { \"x\", \"y\" }");
    lua_createtable(L, size, 0);
    for (int i = 1; i <= size; i++) {
        lua_geti(L, 1, i);
        add_coordinate(L, lua_gettop(L));
        lua_rawseti(L, 2, i);
        lua_pop(L, 1);
    }
    return 1;
}

/* The coordinate that a table key names: "x", or the symbol x; velocities too where `velocity` is not NULL.
 */
static int key_coordinate(lua_State *L, int key, const char *statement, bool *velocity)
{
    loader *load = loader_of(L);
    if (velocity)
        *velocity = false;
    if (lua_type(L, key) == LUA_TSTRING) {
        const char *name = lua_tostring(L, key);
        const int index = loader_find_coordinate(load, name);
        if (index >= 0)
            return index;
        const char *hint = velocity ? " (a velocity is written [dot(x)] = 1)" : "";
        const char *nearest =
            carom_nearest_name(name, (const char *const *)load->coordinate, (size_t)load->coordinates);
        if (nearest)
            loader_error(L, "%s: there is no coordinate '%s'; did you mean '%s'?%s", statement, name, nearest,
                         hint);
        return loader_error(L, "%s: there is no coordinate '%s'%s", statement, name, hint);
    }
    if (!loader_is_expression(L, key) || lua_type(L, key) == LUA_TNUMBER)
        return loader_error(L, "%s: keys are coordinates, such as x = 0%s; got a %s", statement,
                            velocity ? " or [dot(x)] = 1" : "", luaL_typename(L, key));
    const carom_node node = loader_check_node(L, key, statement);
    const carom_op op = carom_node_op(load->graph, node);
    if (op == CAROM_OP_COORDINATE)
        return carom_node_index(load->graph, node);
    if (velocity && op == CAROM_OP_VELOCITY) {
        *velocity = true;
        return carom_node_index(load->graph, node);
    }
    return loader_error(L, "%s: the key in [...] must be a coordinate%s", statement,
                        velocity ? " or its velocity dot(x)" : "");
}

/* Sets one value of a table whose keys are coordinates. The keys "x" and [x] mean the same, and Lua gives
 * them in any order, so both in one table are an error. */
static void set_once(lua_State *L, const char *statement, int coordinate, carom_node value, carom_node *slot)
{
    if (*slot >= 0)
        loader_error(L, "%s: '%s' is given twice in this table", statement,
                     loader_of(L)->coordinate[coordinate]);
    *slot = value;
}

static carom_node *no_nodes(lua_State *L, int count)
{
    carom_node *node = loader_take(L, (size_t)count, sizeof *node);
    for (int i = 0; i < count; i++)
        node[i] = CAROM_NO_NODE;
    return node;
}

static void fill_missing(loader *load, int count, carom_node *node)
{
    for (int i = 0; i < count; i++)
        if (node[i] < 0)
            node[i] = carom_constant(load->graph, 0.0);
}

static void need_coordinates(lua_State *L, const char *statement)
{
    if (loader_of(L)->has_beam)
        loader_error(
            L,
            "%s: a beam is a model of its own; its inertia, forces, obstacles and start are given in "
            "beam { ... }",
            statement);
    if (loader_of(L)->coordinates == 0)
        loader_error(L, "%s: define the coordinates first: local x = coordinates(\"x\")", statement);
}

/* ---- energies and forces: each call adds to what is there ----------------------------------- */

static carom_node add_term(lua_State *L, carom_node sum, const char *what)
{
    if (lua_gettop(L) != 1)
        loader_error(L, "%s takes one expression; got %d arguments", what, lua_gettop(L));
    const carom_node term = loader_check_node(L, 1, what);
    return sum < 0 ? term : carom_binary(loader_of(L)->graph, CAROM_OP_ADD, sum, term);
}

static int statement_kinetic(lua_State *L)
{
    loader *load = loader_of(L);
    need_coordinates(L, "kinetic");
    load->experiment->inertia_line = loader_line(L);
    load->kinetic = add_term(L, load->kinetic, "kinetic");
    return 0;
}

static int statement_potential(lua_State *L)
{
    loader *load = loader_of(L);
    need_coordinates(L, "potential");
    load->potential = add_term(L, load->potential, "potential");
    return 0;
}

static void read_mass_row(lua_State *L, int row)
{
    loader *load = loader_of(L);
    const int n = load->coordinates;
    if (!lua_istable(L, -1) || luaL_len(L, -1) != n)
        loader_error(L, "mass: row %d must have %d entries, one per coordinate", row + 1, n);
    for (int j = 0; j < n; j++) {
        lua_geti(L, -1, j + 1);
        load->mass[row * n + j] = loader_check_node(L, lua_gettop(L), "an entry of mass");
        lua_pop(L, 1);
    }
}

/* mass(m): m for every coordinate; mass { x = m, ... }: diagonal; mass { {..}, {..} }: full matrix. */
static int statement_mass(lua_State *L)
{
    loader *load = loader_of(L);
    need_coordinates(L, "mass");
    if (load->mass)
        loader_error(L, "mass is given twice");
    load->experiment->inertia_line = loader_line(L);
    const int n = load->coordinates;
    load->mass = no_nodes(L, n * n);
    if (loader_is_expression(L, 1)) {
        for (int i = 0; i < n; i++)
            load->mass[i * n + i] = loader_check_node(L, 1, "mass");
        fill_missing(load, n * n, load->mass);
        return 0;
    }
    if (!lua_istable(L, 1))
        loader_error(L, "mass takes a number, { x = m, ... } or a full matrix { {..}, {..} }; got a %s",
                     luaL_typename(L, 1));
    const int rows = (int)luaL_len(L, 1);
    if (rows > 0 && rows != n)
        loader_error(L, "mass: the matrix has %d rows; it needs %d, one per coordinate", rows, n);
    for (int i = 0; i < rows; i++) {
        lua_geti(L, 1, i + 1);
        read_mass_row(L, i);
        lua_pop(L, 1);
    }
    lua_pushnil(L);
    while (rows == 0 && lua_next(L, 1)) {
        const int i = key_coordinate(L, lua_gettop(L) - 1, "mass", NULL);
        set_once(L, "mass", i, loader_check_node(L, lua_gettop(L), "mass"), &load->mass[i * n + i]);
        lua_pop(L, 1);
    }
    fill_missing(load, n * n, load->mass);
    return 0;
}

static int statement_force(lua_State *L)
{
    loader *load = loader_of(L);
    need_coordinates(L, "force");
    if (!lua_istable(L, 1))
        loader_error(L, "force takes a table: force { x = ..., y = ... }; got a %s", luaL_typename(L, 1));
    if (!load->force) {
        load->force = no_nodes(L, load->coordinates);
        fill_missing(load, load->coordinates, load->force);
    }
    /* Lua gives the keys in any order; terms are added in the order of the coordinates, so that the same file
     * always makes the same expressions. */
    carom_node *term = no_nodes(L, load->coordinates);
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        const int i = key_coordinate(L, lua_gettop(L) - 1, "force", NULL);
        set_once(L, "force", i, loader_check_node(L, lua_gettop(L), "force"), &term[i]);
        lua_pop(L, 1);
    }
    fill_missing(load, load->coordinates, term);
    for (int i = 0; i < load->coordinates; i++)
        load->force[i] = carom_binary(load->graph, CAROM_OP_ADD, load->force[i], term[i]);
    return 0;
}

/* ---- contacts ------------------------------------------------------------------------------- */

static void read_slip(lua_State *L, carom_traced_contact *contact)
{
    const int type = lua_getfield(L, 1, "slip");
    const int slip = lua_gettop(L);
    if (type == LUA_TNIL) {
        contact->tangents = 0;
    } else if (loader_is_expression(L, slip)) {
        contact->tangents = 1;
        contact->slip[0] = loader_check_node(L, slip, "slip");
    } else {
        if (!lua_istable(L, slip) || luaL_len(L, slip) < 1 || luaL_len(L, slip) > CAROM_TANGENTS_MAX)
            loader_error(L, "contact '%s': slip is one velocity, or two: slip = { dot(x), dot(y) }",
                         contact->name);
        contact->tangents = (int)luaL_len(L, slip);
        for (int k = 0; k < contact->tangents; k++) {
            lua_geti(L, slip, k + 1);
            contact->slip[k] = loader_check_node(L, lua_gettop(L), "slip");
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
}

/* Stiffness and exponent of the compression, for impact law lzb. */
static carom_node positive_field(lua_State *L, const carom_traced_contact *contact, const char *key)
{
    const carom_node node = loader_field_node(L, 1, key);
    double value;
    if (carom_node_is_constant(loader_of(L)->graph, node, &value) && !(value > 0.0))
        loader_error(L, "contact '%s': %s %g must be positive", contact->name, key, value);
    return node;
}

static int statement_contact(lua_State *L)
{
    static const char *const keys[] = {"gap",       "slip",     "restitution", "friction",
                                       "stiffness", "exponent", NULL};
    loader *load = loader_of(L);
    need_coordinates(L, "contact");
    loader_check_keys(L, 1, "contact", keys);
    lua_geti(L, 1, 1);
    carom_traced_contact contact = {.name = loader_text(L, loader_check_name(L, -1, "contact")),
                                    .line = loader_line(L)};
    loader_define(L, "contacts", "contact", contact.name);
    contact.gap = loader_field_node(L, 1, "gap");
    if (contact.gap < 0)
        loader_error(L, "contact '%s' has no gap; give the distance that must not become negative: gap = y",
                     contact.name);
    contact.restitution = loader_field_node(L, 1, "restitution");
    double value;
    if (carom_node_is_constant(load->graph, contact.restitution, &value) && !(value >= 0.0 && value <= 1.0))
        loader_error(L, "contact '%s': restitution %g is outside [0, 1]", contact.name, value);
    contact.stiffness = positive_field(L, &contact, "stiffness");
    contact.exponent = positive_field(L, &contact, "exponent");
    read_slip(L, &contact);
    loader_read_friction(L, 1, &contact);
    load->contact = loader_grow(L, load->contact, load->contacts, sizeof *load->contact);
    load->contact[load->contacts++] = contact;
    return 0;
}

/* A coefficient of a friction force: not negative, where that is seen now. */
static carom_node friction_field(lua_State *L, const char *name, const char *key)
{
    const carom_node node = loader_field_node(L, 1, key);
    double value;
    if (carom_node_is_constant(loader_of(L)->graph, node, &value) && !(value >= 0.0))
        loader_error(L, "friction_force '%s': the %s %g must not be negative", name, key, value);
    return node;
}

/* bound, or bound, static and decay: the order of carom_friction_weakening. */
static void read_friction_force(lua_State *L, carom_traced_contact *force)
{
    const carom_graph *graph = loader_of(L)->graph;
    carom_node *coefficient = loader_take(L, 3, sizeof *coefficient);
    coefficient[0] = friction_field(L, force->name, "bound");
    coefficient[1] = friction_field(L, force->name, "static");
    coefficient[2] = friction_field(L, force->name, "decay");
    force->coefficient = coefficient;
    force->friction.dynamic_cone = (carom_friction_cone){&carom_friction_isotropic, 1};
    if (force->slip[0] < 0 || coefficient[0] < 0)
        loader_error(L, "friction_force '%s' needs a slip and a bound: slip = dot(x), bound = 0.1",
                     force->name);
    if (coefficient[1] < 0 && coefficient[2] < 0)
        return;
    if (coefficient[1] < 0 || coefficient[2] < 0)
        loader_error(
            L,
            "friction_force '%s': %s is missing; static (the force at the start of motion) and decay "
            "(how fast it falls to the bound, per slip) go together",
            force->name, coefficient[1] < 0 ? "static" : "decay");
    double dynamic, at_rest;
    if (carom_node_is_constant(graph, coefficient[0], &dynamic) &&
        carom_node_is_constant(graph, coefficient[1], &at_rest) && at_rest < dynamic)
        loader_error(L, "friction_force '%s': static = %g, bound = %g: weakening law needs Ts >= Td",
                     force->name, at_rest, dynamic);
    force->friction.dynamic_cone = (carom_friction_cone){&carom_friction_weakening, 3};
}

/* friction_force { "dry", slip = dot(x), bound = b }: a force in [-b, b] against the slip s, wherever the
 * system is; with static = Ts, decay = vd it is Sign(s) (b + (Ts - b) exp(-vd |s|)). */
static int statement_friction_force(lua_State *L)
{
    static const char *const keys[] = {"slip", "bound", "static", "decay", NULL};
    loader *load = loader_of(L);
    need_coordinates(L, "friction_force");
    loader_check_keys(L, 1, "friction_force", keys);
    lua_geti(L, 1, 1);
    carom_traced_contact force = {.name = loader_text(L, loader_check_name(L, -1, "friction_force")),
                                  .line = loader_line(L),
                                  .gap = carom_constant(load->graph, 0.0),
                                  .tangents = 1,
                                  .restitution = CAROM_NO_NODE,
                                  .stiffness = CAROM_NO_NODE,
                                  .exponent = CAROM_NO_NODE,
                                  .friction_force = true};
    loader_define(L, "contacts", "contact", force.name);
    force.slip[0] = loader_field_node(L, 1, "slip");
    read_friction_force(L, &force);
    load->contact = loader_grow(L, load->contact, load->contacts, sizeof *load->contact);
    load->contact[load->contacts++] = force;
    return 0;
}

static void add_joint(lua_State *L, const char *name, int entry)
{
    loader *load = loader_of(L);
    lua_geti(L, 1, entry);
    const carom_traced_joint joint = {.name = name,
                                      .line = loader_line(L),
                                      .value = loader_check_node(L, lua_gettop(L), "an equation of joint")};
    lua_pop(L, 1);
    loader_define(L, "joints", "joint", name);
    load->joint = loader_grow(L, load->joint, load->joints, sizeof *load->joint);
    load->joint[load->joints++] = joint;
}

/* joint { "pin", x - l * cos(a), y - l * sin(a) }: expressions that stay zero, of position and time. */
static int statement_joint(lua_State *L)
{
    static const char *const keys[] = {NULL};
    need_coordinates(L, "joint");
    loader_check_keys(L, 1, "joint", keys);
    const int count = (int)luaL_len(L, 1) - 1;
    lua_geti(L, 1, 1);
    const char *name = loader_text(L, loader_check_name(L, -1, "joint"));
    lua_pop(L, 1);
    if (count < 1)
        loader_error(L, "joint '%s' has no equation; give what stays zero: joint { \"%s\", x - 1 }", name,
                     name);
    for (int i = 0; i < count; i++) {
        char numbered[80];
        snprintf(numbered, sizeof numbered, "%s_%d", name, i + 1);
        add_joint(L, count == 1 ? name : loader_text(L, numbered), i + 2);
    }
    return 0;
}

/* gap "floor": the gap's expression; impulse("floor", k): its impulse (k = 1, 2: tangents), for records. */
static int call_gap(lua_State *L)
{
    const carom_node node = loader_of(L)->contact[loader_find_contact(L, luaL_checkstring(L, 1))].gap;
    if (node < 0)
        loader_error(
            L, "gap: the gaps of a beam are in its outputs; for an expression take u:at(x) and the bound");
    loader_push_node(L, node);
    return 1;
}

static int call_impulse(lua_State *L)
{
    loader *load = loader_of(L);
    const int contact = loader_find_contact(L, luaL_checkstring(L, 1));
    const lua_Integer component = luaL_optinteger(L, 2, 0);
    if (component < 0 || component > load->contact[contact].tangents)
        loader_error(L, "impulse(\"%s\", %d): the contact has %d slip components",
                     load->contact[contact].name, (int)component, load->contact[contact].tangents);
    const int index = CAROM_CONTACT_COMPONENTS * contact + (int)component;
    loader_push_node(L, carom_leaf(load->graph, CAROM_OP_IMPULSE, index));
    return 1;
}

static int call_energy(lua_State *L)
{
    loader *load = loader_of(L);
    if (load->has_beam) { /* the energy of the output, which the scheme may know better */
        loader_push_node(L, carom_leaf(load->graph, CAROM_OP_OBSERVED, 0));
        return 1;
    }
    if (load->kinetic < 0 && !load->mass)
        loader_error(L, "energy() needs kinetic(...) or mass{...} above this line");
    const carom_traced_spec spec = {.graph = load->graph,
                                    .dof = load->coordinates,
                                    .kinetic = load->kinetic,
                                    .mass = load->mass,
                                    .potential = load->potential};
    loader_push_node(L, carom_traced_energy(&spec));
    return 1;
}

/* ---- start and integration ------------------------------------------------------------------ */

static int statement_initial(lua_State *L)
{
    loader *load = loader_of(L);
    need_coordinates(L, "initial");
    if (!lua_istable(L, 1))
        loader_error(L, "initial takes a table: initial { x = 0, [dot(x)] = 1 }; got a %s",
                     luaL_typename(L, 1));
    if (load->has_initial)
        loader_error(L, "initial is given twice; put all values in one table");
    load->has_initial = true;
    load->experiment->initial_line = loader_line(L);
    load->q0 = no_nodes(L, load->coordinates);
    load->v0 = no_nodes(L, load->coordinates);
    load->experiment->gap_tolerance = loader_field_value(L, 1, "gap_tolerance");
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        const int key = lua_gettop(L) - 1;
        if (lua_type(L, key) == LUA_TSTRING && strcmp(lua_tostring(L, key), "gap_tolerance") == 0) {
            lua_pop(L, 1);
            continue;
        }
        bool velocity;
        const int i = key_coordinate(L, key, "initial", &velocity);
        const carom_node node = loader_check_node(L, lua_gettop(L), "an initial value");
        if (carom_node_depends(load->graph, node) & ~(unsigned)CAROM_ON_PARAMETER)
            loader_error(L, "initial: the value of '%s' must be a number or an expression of parameters",
                         load->coordinate[i]);
        set_once(L, "initial", i, node, velocity ? &load->v0[i] : &load->q0[i]);
        lua_pop(L, 1);
    }
    fill_missing(load, load->coordinates, load->q0);
    fill_missing(load, load->coordinates, load->v0);
    return 0;
}

static bool known_option(const char *name)
{
    for (size_t i = 0; i < carom_scheme_count(); i++)
        if (carom_scheme_find_option(carom_scheme_at(i), name) >= 0)
            return true;
    return false;
}

static void check_integrate_key(lua_State *L, const char *key)
{
    static const char *const own[] = {"scheme", "h", "until_t", "from_t"};
    const size_t own_count = sizeof own / sizeof *own;
    for (size_t i = 0; i < own_count; i++)
        if (strcmp(own[i], key) == 0)
            return;
    if (known_option(key))
        return;
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
    return carom_node_index(load->graph, node);
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
        if (known_option(keys[i]))
            read_choice(L, keys[i]);
    }
    experiment->scheme = (char *)loader_field_text(L, 1, "scheme");
    if (!experiment->scheme) /* the second takes any model, but with full matrices */
        experiment->scheme = loader_text(L, load->has_beam ? "newmark-contact" : "moreau-jean");
    carom_error error;
    if (!carom_scheme_find(experiment->scheme, &error))
        loader_error(L, "integrate: %s", error.text);
    experiment->h = loader_field_value(L, 1, "h");
    experiment->until = loader_field_value(L, 1, "until_t");
    experiment->t0 = loader_field_value(L, 1, "from_t");
    if (experiment->h < 0 || experiment->until < 0)
        loader_error(L, "integrate needs a step and an end: integrate { h = 1e-3, until_t = 1 }");
    experiment->h_parameter = field_parameter(L, "h");
    experiment->until_parameter = field_parameter(L, "until_t");
    return 0;
}

void loader_open_mechanics(lua_State *L)
{
    static const luaL_Reg statements[] = {
        {"coordinates", statement_coordinates},
        {"kinetic", statement_kinetic},
        {"potential", statement_potential},
        {"mass", statement_mass},
        {"force", statement_force},
        {"contact", statement_contact},
        {"friction_force", statement_friction_force},
        {"joint", statement_joint},
        {"initial", statement_initial},
        {"gap", call_gap},
        {"impulse", call_impulse},
        {"integrate", statement_integrate},
        {"energy", call_energy},
        {NULL, NULL},
    };
    lua_pushglobaltable(L);
    luaL_setfuncs(L, statements, 0);
    lua_pop(L, 1);
}
