/* Contacts, friction forces and joints, and what expressions can ask of them. */
#include <stdio.h>
#include <string.h>

#include "io/lua/loader.h"
#include "io/lua/loader_bodies.h"
#include "io/lua/statements.h"

/* ---- contacts ------------------------------------------------------------------------------- */

/* Where gap and slip stand: in the table of the contact, or in what disc_disc { ... } and the like returned, its second
 * entry. That has a slip in any case; it is taken where there is friction, so that the contact asks no more of a scheme
 * than it needs. */
static int find_geometry(lua_State *L, const char *name, bool *has_slip)
{
    *has_slip = true;
    lua_geti(L, 1, 2);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        return 1;
    }
    const int shapes = lua_gettop(L);
    if (!lua_istable(L, shapes))
        loader_error(L,
                     "contact '%s': the second entry is the gap of two shapes, such as disc_line { ... }, or "
                     "left out; "
                     "got a %s",
                     name, luaL_typename(L, shapes));
    static const char *const keys[] = {"gap", "slip", NULL}, *const given[] = {"gap", "slip", "level", NULL};
    loader_check_keys(L, shapes, "contact: its second entry", keys);
    for (int i = 0; given[i]; i++) {
        if (lua_getfield(L, 1, given[i]) != LUA_TNIL)
            loader_error(L, "contact '%s' has a %s twice: the shapes in its second entry give it", name,
                         given[i]);
        lua_pop(L, 1);
    }
    *has_slip = lua_getfield(L, 1, "friction") != LUA_TNIL;
    lua_pop(L, 1);
    return shapes;
}

static void read_slip(lua_State *L, int geometry, carom_traced_contact *contact)
{
    const int type = lua_getfield(L, geometry, "slip");
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

/* Gap and slip, or the level that they are derived from. */
static void read_geometry(lua_State *L, carom_traced_contact *contact)
{
    bool has_slip;
    const int geometry = find_geometry(L, contact->name, &has_slip);
    contact->distance = loader_field_bool(L, 1, "distance") || geometry != 1;
    if (loader_read_level(L, 1, contact))
        return;
    contact->gap = loader_field_node(L, geometry, "gap");
    if (contact->gap < 0)
        loader_error(
            L,
            "contact '%s' has no gap; give the distance that must not become negative: gap = y, or any "
            "function that is positive outside: level = x^2 + y^2 - 1",
            contact->name);
    if (has_slip)
        read_slip(L, geometry, contact);
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
    loader *load = loader_of(L);
    if (!load->bodies)
        loader_need_coordinates(L, "contact");
    loader_check_statement(L, 1, &language_contact);
    lua_geti(L, 1, 1);
    carom_traced_contact contact = {.name = loader_text(L, loader_check_name(L, -1, "contact")),
                                    .line = loader_line(L)};
    loader_define(L, "contacts", "contact", contact.name);
    read_geometry(L, &contact);
    contact.restitution = loader_field_node(L, 1, "restitution");
    double value;
    if (carom_node_is_constant(load->graph, contact.restitution, &value) && !(value >= 0.0 && value <= 1.0))
        loader_error(L, "contact '%s': restitution %g is outside [0, 1]", contact.name, value);
    contact.stiffness = positive_field(L, &contact, "stiffness");
    contact.exponent = positive_field(L, &contact, "exponent");
    loader_read_friction(L, 1, &contact);
    loader_check_level_friction(L, &contact);
    load->contact = loader_grow(L, load->contact, load->contacts, sizeof *load->contact);
    load->contact[load->contacts] = contact;
    loader_number(L, "contact", contact.name, load->contacts++);
    if (load->bodies)
        loader_bodies_add_contact(L, load->contacts - 1);
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
    loader *load = loader_of(L);
    if (!load->bodies)
        loader_need_coordinates(L, "friction_force");
    loader_check_statement(L, 1, &language_friction_force);
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
    load->contact[load->contacts] = force;
    loader_number(L, "contact", force.name, load->contacts++);
    if (load->bodies)
        loader_bodies_add_contact(L, load->contacts - 1);
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
    if (!loader_of(L)->bodies)
        loader_need_coordinates(L, "joint");
    loader_check_statement(L, 1, &language_joint);
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
    if (load->bodies && lua_type(L, 1) != LUA_TSTRING) {
        const int watched = loader_watched_contact(L, 1);
        const lua_Integer of = luaL_optinteger(L, 3, 0);
        if (of < 0 || of > 1)
            loader_error(L, "impulse(a, b, %d): 0 is the normal impulse, 1 the friction", (int)of);
        loader_push_node(
            L, carom_leaf(load->graph, CAROM_OP_IMPULSE, CAROM_CONTACT_COMPONENTS * watched + (int)of));
        return 1;
    }
    const int contact = loader_find_contact(L, luaL_checkstring(L, 1));
    const lua_Integer component = luaL_optinteger(L, 2, 0);
    if (component < 0 || component > load->contact[contact].tangents)
        loader_error(L, "impulse(\"%s\", %d): the contact has %d slip components",
                     load->contact[contact].name, (int)component, load->contact[contact].tangents);
    const int index = CAROM_CONTACT_COMPONENTS * loader_contact_number(load, contact) + (int)component;
    loader_push_node(L, carom_leaf(load->graph, CAROM_OP_IMPULSE, index));
    return 1;
}

/* The number of the equation `name`, or of equation `entry` of a joint that has several; -1: there is none. */
static int find_joint(const loader *load, const char *name, lua_Integer entry)
{
    char numbered[80];
    snprintf(numbered, sizeof numbered, "%s_%d", name, (int)entry);
    for (int i = 0; i < load->joints; i++)
        if (strcmp(load->joint[i].name, entry > 0 ? numbered : name) == 0)
            return i;
    return -1;
}

/* reaction "rod", reaction("pin", 2): the force of an equation of a joint, for records. */
static int call_reaction(lua_State *L)
{
    loader *load = loader_of(L);
    const char *name = luaL_checkstring(L, 1);
    const lua_Integer entry = luaL_optinteger(L, 2, 0);
    loader_spend(L, load->joints / 8);
    int joint = find_joint(load, name, entry);
    if (joint < 0 && entry == 1) /* of one equation */
        joint = find_joint(load, name, 0);
    if (joint < 0 && find_joint(load, name, 1) >= 0)
        loader_error(L, "reaction: joint '%s' has several equations; say which: reaction(\"%s\", 1)%s", name,
                     name, entry > 0 ? ", 2, ..." : "");
    if (joint < 0) {
        const char **names = loader_take(L, (size_t)load->joints, sizeof *names);
        for (int i = 0; i < load->joints; i++)
            names[i] = load->joint[i].name;
        const char *nearest = carom_nearest_name(name, names, (size_t)load->joints);
        loader_error(L, "reaction: there is no joint '%s' above this line%s%s%s", name,
                     nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    }
    loader_push_node(L, carom_leaf(load->graph, CAROM_OP_MULTIPLIER, joint));
    return 1;
}

/* ---- descriptions ----------------------------------------------------------------------------- */

static const carom_statement_key contact_keys[] = {
    {"gap", "distance that must not become negative: an expression of position and time"},
    {"slip", "sliding velocity in the unit of the gap: one expression, or a list of one or two"},
    {"level", "in place of gap and slip: any function of the point that is positive outside"},
    {"point", "of a level: the coordinates of the point that touches; default: all, of one point mass"},
    {"surface", "of a level: velocity of the obstacle, whose tangential part counts"},
    {"distance", "true: gap and slip are true lengths, nothing is divided by gradients"},
    {"restitution", "in [0, 1]; default: the rule of the scheme"},
    {"friction", "a coefficient or a table, see carom list laws; needs slip or level"},
    {"stiffness", "K of the force K x^eta in compression, for impact law lzb; default 1"},
    {"exponent", "eta of it; default 3/2"},
    {0},
};

const carom_statement language_contact = {
    .name = "contact",
    .summary = "an obstacle: a gap that must not become negative, with restitution and friction",
    .example = "contact { \"floor\", gap = y, slip = dot(x), restitution = 0.8, friction = 0.3 }",
    .keys = contact_keys,
    .call = statement_contact,
};

static const carom_statement_key friction_force_keys[] = {
    {"slip", "a velocity"},
    {"bound", "the largest force, at high speed where it weakens"},
    {"static", "force at the start of motion, not below the bound; goes with decay"},
    {"decay", "how fast it falls to the bound: 1 / slip; goes with static"},
    {0},
};

const carom_statement language_friction_force = {
    .name = "friction_force",
    .summary = "dry friction without an obstacle: a force against the slip, within a bound",
    .example = "friction_force { \"dry\", slip = dot(x), bound = 0.1 }",
    .keys = friction_force_keys,
    .call = statement_friction_force,
};

static const carom_statement_key joint_keys[] = {
    {0},
};

const carom_statement language_joint = {
    .name = "joint",
    .summary = "expressions of position and time that stay zero",
    .example = "joint { \"pin\", x - l * cos(a), y - l * sin(a) }",
    .keys = joint_keys,
    .call = statement_joint,
};

const carom_statement language_gap = {
    .name = "gap",
    .summary = "the gap of a contact, as an expression",
    .example = "record { distance = gap \"floor\" }",
    .call = call_gap,
};

const carom_statement language_impulse = {
    .name = "impulse",
    .summary = "impulse of a contact in the step that led to the output: normal, or tangent 1 or 2",
    .example = "record { push = impulse \"floor\", rub = impulse(\"floor\", 1) }",
    .call = call_impulse,
};

const carom_statement language_reaction = {
    .name = "reaction",
    .summary = "force of a joint at the output, of one with several equations that of equation 1, 2, ...",
    .example = "record { rod = reaction \"rod\", lift = reaction(\"pin\", 2) }",
    .call = call_reaction,
};
