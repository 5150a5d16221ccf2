/* Contacts by a function that is positive outside the obstacle. */
#include "carom/model/level.h"
#include "io/lua/loader.h"
#include "io/lua/loader_bodies.h"

/* A list of expressions; returns their number, 0: the key is absent. */
static int read_list(lua_State *L, int index, const char *contact, const char *key, carom_node *node)
{
    const int type = lua_getfield(L, index, key), list = lua_gettop(L);
    if (type == LUA_TNIL) {
        lua_pop(L, 1);
        return 0;
    }
    const lua_Integer count = lua_istable(L, list) ? luaL_len(L, list) : 0;
    if (count < 1 || count > CAROM_POINT_MAX)
        loader_error(L, "contact '%s': %s is a list of one to three expressions: %s = { %s }", contact, key,
                     key, key[0] == 'p' ? "x, y, z" : "1, 0, 0");
    for (int i = 0; i < (int)count; i++) {
        lua_geti(L, list, i + 1);
        node[i] = loader_check_node(L, lua_gettop(L), key);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return (int)count;
}

/* All coordinates, where no point is given. */
static void take_model(lua_State *L, const char *contact, carom_level *level)
{
    const loader *load = loader_of(L);
    if (load->bodies || load->coordinates < 2 || load->coordinates > CAROM_POINT_MAX)
        loader_error(
            L,
            "contact '%s' has a level and no point, and the model is not one point mass with two or three "
            "coordinates; write which point touches: point = { x, y }",
            contact);
    level->whole_model = true;
    level->dimension = load->coordinates;
    for (int i = 0; i < level->dimension; i++)
        level->point[i] = carom_leaf(load->graph, CAROM_OP_COORDINATE, i);
}

static void read_surface(lua_State *L, int index, const char *contact, carom_level *level)
{
    for (int i = 0; i < CAROM_POINT_MAX; i++)
        level->surface[i] = CAROM_NO_NODE;
    const int count = read_list(L, index, contact, "surface", level->surface);
    if (count != 0 && count != level->dimension)
        loader_error(L, "contact '%s': surface has %d components, and the point %d", contact, count,
                     level->dimension);
    for (int i = 0; i < count; i++)
        if (carom_node_depends(loader_of(L)->graph, level->surface[i]) & CAROM_ON_NO_MOTION)
            loader_error(L, "contact '%s': surface must be a velocity", contact);
}

/* Keys that belong to a level alone, and those that do not go with it. */
static void check_keys(lua_State *L, int index, const char *contact, bool has_level)
{
    static const char *const own[] = {"point", "surface"}, *const other[] = {"gap", "slip", "distance"};
    const int count = has_level ? 3 : 2;
    for (int i = 0; i < count; i++) {
        const char *key = has_level ? other[i] : own[i];
        if (lua_getfield(L, index, key) != LUA_TNIL)
            loader_error(L,
                         has_level
                             ? "contact '%s': %s does not go with level, from which gap and slip are derived"
                             : "contact '%s': %s belongs to a level",
                         contact, key);
        lua_pop(L, 1);
    }
}

bool loader_read_level(lua_State *L, int index, carom_traced_contact *contact)
{
    loader *load = loader_of(L);
    const carom_node value = loader_field_node(L, index, "level");
    check_keys(L, index, contact->name, value >= 0);
    if (value < 0)
        return false;
    carom_level *level = loader_take(L, 1, sizeof *level);
    level->value = value;
    level->dimension = read_list(L, index, contact->name, "point", level->point);
    if (level->dimension == 0)
        take_model(L, contact->name, level);
    read_surface(L, index, contact->name, level);
    const char *fault = carom_level_fault(load->graph, level);
    if (*fault)
        loader_error(L, "contact '%s': %s", contact->name, fault);
    for (int i = 0; i < level->dimension; i++)
        level->velocity[i] = loader_rate(L, level->point[i]);
    contact->level = level;
    contact->gap = carom_level_distance(load->graph, level);
    const bool friction = lua_getfield(L, index, "friction") != LUA_TNIL;
    lua_pop(L, 1);
    contact->tangents = friction ? level->dimension - 1 : 0;
    if (friction && contact->tangents == 0)
        loader_error(L, "contact '%s': a point that slips has two or three components", contact->name);
    return true;
}

static bool is_isotropic(const carom_friction_cone *cone)
{
    return cone->shape == &carom_friction_isotropic;
}

void loader_check_level_friction(lua_State *L, const carom_traced_contact *contact)
{
    const carom_friction_law *law = &contact->friction;
    if (contact->level && contact->tangents == 2 && contact->coefficient &&
        (!is_isotropic(&law->dynamic_cone) || (law->two_level && !is_isotropic(&law->static_cone))))
        loader_error(
            L,
            "contact '%s': friction that depends on the direction needs slip components of your choice; "
            "write gap and slip in place of level",
            contact->name);
}
