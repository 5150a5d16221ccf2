/* Tables whose keys are coordinates: mass, force, initial. */
#include "io/lua/loader.h"

int loader_key_coordinate(lua_State *L, int key, const char *statement, bool *velocity)
{
    loader *load = loader_of(L);
    if (velocity)
        *velocity = false;
    if (lua_type(L, key) == LUA_TSTRING) {
        const char *name = lua_tostring(L, key);
        const int index = loader_find_coordinate(L, name);
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

void loader_set_once(lua_State *L, const char *statement, int coordinate, carom_node value, carom_node *slot)
{
    if (*slot >= 0)
        loader_error(L, "%s: '%s' is given twice in this table", statement,
                     loader_of(L)->coordinate[coordinate]);
    *slot = value;
}

carom_node *loader_no_nodes(lua_State *L, size_t count)
{
    carom_node *node = loader_take(L, count, sizeof *node);
    for (size_t i = 0; i < count; i++)
        node[i] = CAROM_NO_NODE;
    return node;
}

void loader_fill_missing(loader *load, size_t count, carom_node *node)
{
    for (size_t i = 0; i < count; i++)
        if (node[i] < 0)
            node[i] = carom_constant(load->graph, 0.0);
}

void loader_need_coordinates(lua_State *L, const char *statement)
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
