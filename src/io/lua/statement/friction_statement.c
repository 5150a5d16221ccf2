/* The friction of a contact:
 *
 *   friction = 0.3                                          isotropic
 *   friction = { static = 0.6, dynamic = 0.4 }              each side may be any of the other forms
 *   friction = { ellipse = { 0.5, 0.25 } }                  semi-axes along the two slip components
 *       axes = 0.3,                                         of an ellipse: its axes turned by 0.3 radians
 *       slip_potential = { 0.2, 0.2 }                       and a slip rule that is not associated
 *   friction = { polygon = { {0.5, 0}, {0, 0.3}, ... } }    counter-clockwise, containing 0
 *   friction = { backward = 0.3, forward = 1.2 }            one slip component: coefficient while slip < 0, >
 * 0
 */
#include "io/lua/loader.h"

#include <stdio.h>
#include <string.h>

enum {
    NEEDED_SIZE = 600
};

typedef struct cone_reader {
    const char *contact;
    int tangents;
    int count;
    carom_node node[2 * 2 * CAROM_POLYGON_MAX];
} cone_reader;

static void add_coefficient(lua_State *L, cone_reader *reader, int index, const char *what)
{
    reader->node[reader->count++] = loader_check_node(L, index, what);
}

/* Two numbers or expressions in the table at `index`. */
static void add_pair(lua_State *L, cone_reader *reader, int index, const carom_friction_key *key)
{
    if (!lua_istable(L, index) || luaL_len(L, index) != 2)
        loader_error(L, "contact '%s': %s takes two coefficients, { 0.5, 0.25 }", reader->contact, key->name);
    for (int i = 1; i <= 2; i++) {
        lua_geti(L, index, i);
        add_coefficient(L, reader, lua_gettop(L), key->what);
        lua_pop(L, 1);
    }
}

static void add_vertices(lua_State *L, cone_reader *reader, int index, const carom_friction_key *key)
{
    const lua_Integer vertices = lua_istable(L, index) ? luaL_len(L, index) : 0;
    if (vertices < 3 || vertices > CAROM_POLYGON_MAX)
        loader_error(L, "contact '%s': a friction %s has 3 to %d vertices { {x, y}, ... }; got %d",
                     reader->contact, key->name, CAROM_POLYGON_MAX, (int)vertices);
    for (lua_Integer i = 1; i <= vertices; i++) {
        if (lua_geti(L, index, i) != LUA_TTABLE || luaL_len(L, -1) != 2)
            loader_error(L, "contact '%s': vertex %d of the friction %s is not a pair { x, y }",
                         reader->contact, (int)i, key->name);
        for (int c = 1; c <= 2; c++) {
            lua_geti(L, -1, c);
            add_coefficient(L, reader, lua_gettop(L), key->what);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
}

static void add_default(lua_State *L, cone_reader *reader, const carom_friction_key *key)
{
    for (int i = 0; i < (key->kind == CAROM_FRICTION_PAIR ? 2 : 1); i++) {
        lua_pushnumber(L, key->value);
        add_coefficient(L, reader, lua_gettop(L), key->what);
        lua_pop(L, 1);
    }
}

static bool has_key(lua_State *L, int table, const char *key)
{
    const bool has = lua_getfield(L, table, key) != LUA_TNIL;
    lua_pop(L, 1);
    return has;
}

/* "ellipse", "both backward and forward": what must be given of a law. */
static void append_needed(const carom_friction_law_ops *law, char text[NEEDED_SIZE])
{
    const bool both = law->keys[1].name && law->keys[1].needed;
    size_t used = strlen(text);
    snprintf(text + used, NEEDED_SIZE - used, both ? "both %s" : "%s", law->keys[0].name);
    for (const carom_friction_key *key = law->keys + 1; key->name && key->needed; key++) {
        used = strlen(text);
        snprintf(text + used, NEEDED_SIZE - used, " and %s", key->name);
    }
}

static void refuse_incomplete(lua_State *L, const cone_reader *reader, const carom_friction_law_ops *law)
{
    char needed[NEEDED_SIZE];
    snprintf(needed, sizeof needed, "contact '%s': give ", reader->contact);
    append_needed(law, needed);
    loader_error(L, "%s friction coefficients", needed);
}

/* The coefficients of a law, from its keys in the table. */
static void read_law(lua_State *L, cone_reader *reader, int table, const carom_friction_law_ops *law)
{
    const carom_friction_key *end = law->keys;
    if (law->slip_needed && (reader->tangents < law->tangents_min || reader->tangents > law->tangents_max))
        loader_error(L, "contact '%s': %s", reader->contact, law->slip_needed);
    for (const carom_friction_key *key = law->keys; key->name; key++) {
        if (has_key(L, table, key->name))
            end = key + 1;
        else if (key->needed)
            refuse_incomplete(L, reader, law);
    }
    for (const carom_friction_key *key = law->keys; key < end; key++) {
        const bool is_given = lua_getfield(L, table, key->name) != LUA_TNIL;
        const int index = lua_gettop(L);
        if (!is_given)
            add_default(L, reader, key);
        else if (key->kind == CAROM_FRICTION_PAIR)
            add_pair(L, reader, index, key);
        else if (key->kind == CAROM_FRICTION_VERTICES)
            add_vertices(L, reader, index, key);
        else
            add_coefficient(L, reader, index, key->what);
        lua_pop(L, 1);
    }
}

/* ---- which law? ------------------------------------------------------------------------------------- */

/* A law that is written as a table of coefficients. */
static bool is_table_law(const carom_friction_law_ops *law)
{
    return law->keys && law->keys[0].kind != CAROM_FRICTION_CONE;
}

static void check_keys(lua_State *L, int table)
{
    size_t count = 0;
    for (size_t i = 0; i < carom_friction_law_count(); i++)
        if (is_table_law(carom_friction_law_at(i)))
            for (const carom_friction_key *key = carom_friction_law_at(i)->keys; key->name; key++)
                count++;
    const char **known = loader_take(L, count + 1, sizeof *known);
    count = 0;
    for (size_t i = 0; i < carom_friction_law_count(); i++)
        if (is_table_law(carom_friction_law_at(i)))
            for (const carom_friction_key *key = carom_friction_law_at(i)->keys; key->name; key++)
                known[count++] = key->name;
    loader_check_keys(L, table, "friction", known);
}

/* A key of the table that belongs to the law, behind its first one; NULL: none. */
static const carom_friction_key *later_key(lua_State *L, int table, const carom_friction_law_ops *law)
{
    for (const carom_friction_key *key = law->keys + 1; key->name; key++)
        if (has_key(L, table, key->name))
            return key;
    return NULL;
}

static void refuse_empty(lua_State *L, const cone_reader *reader)
{
    char needed[NEEDED_SIZE];
    const char *between = "";
    snprintf(needed, sizeof needed, "contact '%s': the friction table is empty; give ", reader->contact);
    for (size_t i = 0; i < carom_friction_law_count(); i++)
        if (is_table_law(carom_friction_law_at(i))) {
            strncat(needed, between, sizeof needed - strlen(needed) - 1);
            append_needed(carom_friction_law_at(i), needed);
            between = ", or ";
        }
    loader_error(L, "%s friction coefficients", needed);
}

/* The law whose first key the table has. Keys that go with the first key of another law are refused. */
static const carom_friction_law_ops *law_of_table(lua_State *L, const cone_reader *reader, int table)
{
    const carom_friction_law_ops *found = NULL;
    for (size_t i = 0; i < carom_friction_law_count(); i++) {
        const carom_friction_law_ops *law = carom_friction_law_at(i);
        if (!is_table_law(law))
            continue;
        const bool has_first = has_key(L, table, law->keys[0].name);
        const carom_friction_key *later = has_first ? NULL : later_key(L, table, law);
        if (later && later->needed && !found)
            refuse_incomplete(L, reader, law);
        if (later && !later->needed)
            loader_error(L, "contact '%s': %s goes with %s", reader->contact, later->name,
                         law->keys[0].example);
        if (has_first && !found)
            found = law;
    }
    if (found)
        return found;
    refuse_empty(L, reader);
    return NULL;
}

/* One cone from the value at `index`; its coefficients go to the reader. */
static carom_friction_cone read_cone(lua_State *L, cone_reader *reader, int index)
{
    const int before = reader->count;
    const carom_friction_law_ops *law = &carom_friction_isotropic;
    if (loader_is_expression(L, index)) {
        add_coefficient(L, reader, index, "friction");
    } else if (lua_istable(L, index)) {
        check_keys(L, index);
        law = law_of_table(L, reader, index);
        read_law(L, reader, index, law);
    } else {
        loader_error(
            L,
            "contact '%s': friction must be a coefficient such as 0.3 or a table (static/dynamic, ellipse, "
            "polygon, backward/forward); got a %s",
            reader->contact, luaL_typename(L, index));
    }
    return (carom_friction_cone){law, reader->count - before};
}

/* ---- static and dynamic friction -------------------------------------------------------------------- */

static bool is_two_level(lua_State *L, int index)
{
    if (!lua_istable(L, index))
        return false;
    const carom_friction_key *level = carom_friction_static_dynamic.keys;
    const bool has_static = has_key(L, index, level[0].name), has_dynamic = has_key(L, index, level[1].name);
    if (has_static != has_dynamic)
        loader_error(L, "friction: give both static and dynamic, or one plain coefficient");
    return has_static;
}

void loader_read_friction(lua_State *L, int index, carom_traced_contact *contact)
{
    const carom_friction_key *level = carom_friction_static_dynamic.keys;
    const char *const levels[] = {level[0].name, level[1].name, NULL};
    if (lua_getfield(L, index, "friction") == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    const int friction = lua_gettop(L);
    if (contact->tangents == 0)
        loader_error(
            L,
            "contact '%s' has friction but no slip; give the sliding velocity: slip = dot(x), or two "
            "components slip = { dot(x), dot(y) }",
            contact->name);
    cone_reader *reader = loader_take(L, 1, sizeof *reader);
    reader->contact = contact->name;
    reader->tangents = contact->tangents;
    carom_friction_law *law = &contact->friction;
    law->two_level = is_two_level(L, friction);
    if (law->two_level) {
        loader_check_keys(L, friction, "friction", levels);
        lua_getfield(L, friction, levels[0]);
        law->static_cone = read_cone(L, reader, lua_gettop(L));
        lua_getfield(L, friction, levels[1]);
        law->dynamic_cone = read_cone(L, reader, lua_gettop(L));
    } else {
        law->dynamic_cone = read_cone(L, reader, friction);
    }
    carom_node *coefficient = loader_take(L, (size_t)reader->count, sizeof *coefficient);
    memcpy(coefficient, reader->node, (size_t)reader->count * sizeof *coefficient);
    contact->coefficient = coefficient;
    lua_settop(L, friction - 1);
}
