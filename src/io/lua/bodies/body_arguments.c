/* Vectors, lists and plain numbers in the tables of statements about bodies. */
#include <math.h>

#include "io/lua/loader_bodies.h"

void loader_read_vector(lua_State *L, int index, int count, const char *what, carom_node *node)
{
    if (!lua_istable(L, index) || luaL_len(L, index) != count)
        loader_error(L, "%s must be a list of %d numbers or expressions", what, count);
    const int table = lua_absindex(L, index);
    for (int i = 0; i < count; i++) {
        lua_geti(L, table, i + 1);
        node[i] = loader_check_node(L, lua_gettop(L), what);
        lua_pop(L, 1);
    }
}

bool loader_field_vector(lua_State *L, int index, const char *key, int count, carom_node *node)
{
    const bool given = lua_getfield(L, index, key) != LUA_TNIL;
    if (given)
        loader_read_vector(L, lua_gettop(L), count, key, node);
    lua_pop(L, 1);
    return given;
}

double loader_plain_number(lua_State *L, int index, const char *what)
{
    double value = 0.0;
    const carom_node node = loader_check_node(L, index, what);
    if (!carom_node_is_constant(loader_of(L)->graph, node, &value))
        loader_error(L,
                     "%s must be a number that is known while the file is read; a size that is to be varied "
                     "is a setting: "
                     "setting { \"r\", 0.1 }",
                     what);
    if (!isfinite(value))
        loader_error(L, "%s must be finite; got %g", what, value);
    return value;
}

double loader_field_number(lua_State *L, int index, const char *key, const char *statement)
{
    if (lua_getfield(L, index, key) == LUA_TNIL)
        loader_error(L, "%s needs %s", statement, key);
    const double value = loader_plain_number(L, lua_gettop(L), key);
    lua_pop(L, 1);
    return value;
}

size_t loader_plain_list(lua_State *L, int index, size_t count, const char *what, double **number)
{
    const int table = lua_absindex(L, index);
    if (!lua_istable(L, table))
        loader_error(L, "%s must be a list of numbers; got a %s", what, luaL_typename(L, table));
    const size_t length = (size_t)luaL_len(L, table);
    if (count > 0 && length != count)
        loader_error(L, "%s must have %d numbers; got %d", what, (int)count, (int)length);
    *number = loader_take(L, length ? length : 1, sizeof **number);
    for (size_t i = 0; i < length; i++) {
        lua_geti(L, table, (lua_Integer)i + 1);
        (*number)[i] = loader_plain_number(L, lua_gettop(L), what);
        lua_pop(L, 1);
    }
    return length;
}

/* ---- rotations --------------------------------------------------------------------------------------- */

/* (cos(angle/2), sin(angle/2) axis / |axis|) */
static void axis_and_angle(lua_State *L, int table, carom_node rotation[4])
{
    carom_graph *g = loader_of(L)->graph;
    carom_node axis[3];
    const carom_node angle = loader_field_node(L, table, "angle");
    if (!loader_field_vector(L, table, "axis", 3, axis) || angle < 0)
        loader_error(L, "rotation: give axis and angle, { axis = { 0, 0, 1 }, angle = 0.3 }, or a quaternion "
                        "{ w, x, y, z }");
    const carom_node half = carom_binary(g, CAROM_OP_MUL, carom_constant(g, 0.5), angle);
    carom_node square = carom_constant(g, 0.0);
    for (int k = 0; k < 3; k++)
        square = carom_binary(g, CAROM_OP_ADD, square, carom_binary(g, CAROM_OP_MUL, axis[k], axis[k]));
    const carom_node scale = carom_binary(g, CAROM_OP_DIV, carom_unary(g, CAROM_OP_SIN, half),
                                          carom_unary(g, CAROM_OP_SQRT, square));
    rotation[0] = carom_unary(g, CAROM_OP_COS, half);
    for (int k = 0; k < 3; k++)
        rotation[1 + k] = carom_binary(g, CAROM_OP_MUL, scale, axis[k]);
}

void loader_read_rotation(lua_State *L, int index, int dimension, carom_node rotation[4])
{
    const int table = lua_absindex(L, index);
    if (dimension == CAROM_PLANE) {
        rotation[0] = loader_check_node(L, table, "rotation, an angle in the plane,");
        return;
    }
    if (lua_istable(L, table) && luaL_len(L, table) == 4)
        loader_read_vector(L, table, 4, "rotation", rotation);
    else if (lua_istable(L, table))
        axis_and_angle(L, table, rotation);
    else
        loader_error(L,
                     "rotation in space is { axis = { 0, 0, 1 }, angle = 0.3 } or a quaternion { w, x, y, z "
                     "}; got a %s",
                     luaL_typename(L, table));
}

void loader_plain_rotation(lua_State *L, int index, int dimension, double rotation[4])
{
    carom_node node[4];
    const int count = dimension == CAROM_PLANE ? 1 : 4;
    double square = 0.0;
    loader_read_rotation(L, index, dimension, node);
    for (int k = 0; k < count; k++) {
        if (!carom_node_is_constant(loader_of(L)->graph, node[k], &rotation[k]) || !isfinite(rotation[k]))
            loader_error(
                L,
                "rotation: numbers are needed that are known while the file is read, and an axis that is not "
                "zero");
        square += rotation[k] * rotation[k];
    }
    if (dimension == CAROM_PLANE)
        return;
    if (!(square > 0.0))
        loader_error(L, "rotation: the quaternion is zero; no rotation is { 1, 0, 0, 0 }");
    for (int k = 0; k < 4; k++)
        rotation[k] /= sqrt(square);
}
