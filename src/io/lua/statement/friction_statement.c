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

#include <string.h>

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
static void add_pair(lua_State *L, cone_reader *reader, int index, const char *key, const char *what)
{
    if (!lua_istable(L, index) || luaL_len(L, index) != 2)
        loader_error(L, "contact '%s': %s takes two coefficients, { 0.5, 0.25 }", reader->contact, key);
    for (int i = 1; i <= 2; i++) {
        lua_geti(L, index, i);
        add_coefficient(L, reader, lua_gettop(L), what);
        lua_pop(L, 1);
    }
}

/* { ellipse = { mu_x, mu_y }, axes = angle, slip_potential = { p_x, p_y } } */
static void read_ellipse(lua_State *L, cone_reader *reader, int table)
{
    if (reader->tangents != 2)
        loader_error(L, "contact '%s': an ellipse needs two slip components: slip = { dot(x), dot(y) }",
                     reader->contact);
    lua_getfield(L, table, "ellipse");
    add_pair(L, reader, lua_gettop(L), "ellipse", "an axis of the friction ellipse");
    const bool has_axes = lua_getfield(L, table, "axes") != LUA_TNIL;
    const bool has_rule = lua_getfield(L, table, "slip_potential") != LUA_TNIL;
    if (has_rule && !has_axes) {
        lua_pushnumber(L, 0.0);
        lua_replace(L, -3);
    }
    if (has_axes || has_rule)
        add_coefficient(L, reader, lua_gettop(L) - 1, "the angle of the axes of the friction ellipse");
    if (has_rule)
        add_pair(L, reader, lua_gettop(L), "slip_potential", "an axis of the slip potential");
    lua_pop(L, 3);
}

static void refuse_without_ellipse(lua_State *L, const cone_reader *reader, int table)
{
    static const char *const keys[] = {"axes", "slip_potential"};
    for (int i = 0; i < 2; i++)
        if (lua_getfield(L, table, keys[i]) != LUA_TNIL)
            loader_error(L, "contact '%s': %s goes with ellipse = { mu_x, mu_y }", reader->contact, keys[i]);
    lua_pop(L, 2);
}

static void read_polygon(lua_State *L, cone_reader *reader, int table)
{
    if (reader->tangents != 2)
        loader_error(L, "contact '%s': a polygon needs two slip components: slip = { dot(x), dot(y) }",
                     reader->contact);
    const lua_Integer vertices = lua_istable(L, table) ? luaL_len(L, table) : 0;
    if (vertices < 3 || vertices > CAROM_POLYGON_MAX)
        loader_error(L, "contact '%s': a friction polygon has 3 to %d vertices { {x, y}, ... }; got %d",
                     reader->contact, CAROM_POLYGON_MAX, (int)vertices);
    for (lua_Integer i = 1; i <= vertices; i++) {
        if (lua_geti(L, table, i) != LUA_TTABLE || luaL_len(L, -1) != 2)
            loader_error(L, "contact '%s': vertex %d of the friction polygon is not a pair { x, y }",
                         reader->contact, (int)i);
        for (int c = 1; c <= 2; c++) {
            lua_geti(L, -1, c);
            add_coefficient(L, reader, lua_gettop(L), "a vertex of the friction polygon");
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
}

static void read_asymmetric(lua_State *L, cone_reader *reader, int table)
{
    static const char *const side[] = {"backward", "forward"};
    if (reader->tangents != 1)
        loader_error(L, "contact '%s': backward/forward friction needs one slip component", reader->contact);
    for (int i = 0; i < 2; i++) {
        if (lua_getfield(L, table, side[i]) == LUA_TNIL)
            loader_error(L, "contact '%s': give both backward and forward friction coefficients",
                         reader->contact);
        add_coefficient(L, reader, lua_gettop(L), side[i]);
        lua_pop(L, 1);
    }
}

/* One cone from the value at `index`; its coefficients go to the reader. */
static carom_friction_cone read_cone(lua_State *L, cone_reader *reader, int index)
{
    static const char *const keys[] = {"ellipse", "axes", "slip_potential", "polygon", "backward",
                                       "forward", NULL};
    const int before = reader->count;
    carom_friction_shape shape = CAROM_FRICTION_ISOTROPIC;
    if (loader_is_expression(L, index)) {
        add_coefficient(L, reader, index, "friction");
    } else if (lua_istable(L, index)) {
        loader_check_keys(L, index, "friction", keys);
        const bool is_ellipse = lua_getfield(L, index, "ellipse") != LUA_TNIL;
        if (!is_ellipse)
            refuse_without_ellipse(L, reader, index);
        if (is_ellipse) {
            shape = CAROM_FRICTION_ELLIPTIC;
            read_ellipse(L, reader, index);
        } else if (lua_getfield(L, index, "polygon") != LUA_TNIL) {
            shape = CAROM_FRICTION_POLYGONAL;
            read_polygon(L, reader, lua_gettop(L));
        } else {
            shape = CAROM_FRICTION_ASYMMETRIC;
            read_asymmetric(L, reader, index);
        }
    } else {
        loader_error(
            L,
            "contact '%s': friction must be a coefficient such as 0.3 or a table (static/dynamic, ellipse, "
            "polygon, backward/forward); got a %s",
            reader->contact, luaL_typename(L, index));
    }
    return (carom_friction_cone){shape, reader->count - before};
}

static bool is_two_level(lua_State *L, int index)
{
    if (!lua_istable(L, index))
        return false;
    const bool has_static = lua_getfield(L, index, "static") != LUA_TNIL;
    const bool has_dynamic = lua_getfield(L, index, "dynamic") != LUA_TNIL;
    lua_pop(L, 2);
    if (has_static != has_dynamic)
        loader_error(L, "friction: give both static and dynamic, or one plain coefficient");
    return has_static;
}

void loader_read_friction(lua_State *L, int index, carom_traced_contact *contact)
{
    static const char *const levels[] = {"static", "dynamic", NULL};
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
        lua_getfield(L, friction, "static");
        law->static_cone = read_cone(L, reader, lua_gettop(L));
        lua_getfield(L, friction, "dynamic");
        law->dynamic_cone = read_cone(L, reader, lua_gettop(L));
    } else {
        law->dynamic_cone = read_cone(L, reader, friction);
    }
    carom_node *coefficient = loader_take(L, (size_t)reader->count, sizeof *coefficient);
    memcpy(coefficient, reader->node, (size_t)reader->count * sizeof *coefficient);
    contact->coefficient = coefficient;
    lua_settop(L, friction - 1);
}
