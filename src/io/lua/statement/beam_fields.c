#include "beam_fields.h"

#include <string.h>

carom_node beam_place_leaf(loader *load)
{
    return carom_leaf(load->graph, CAROM_OP_PLACE, 0);
}

int beam_field_word(lua_State *L, int index, const char *key, const char *const *words)
{
    const char *given = loader_field_text(L, index, key);
    if (!given)
        return 0;
    char known[200] = "";
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], given) == 0)
            return i;
        if (i > 0)
            strncat(known, ", ", sizeof known - strlen(known) - 1);
        strncat(known, words[i], sizeof known - strlen(known) - 1);
    }
    return loader_error(L, "beam: %s = \"%s\" is not known; take one of %s", key, given, known);
}

void beam_check_depends(lua_State *L, carom_node node, unsigned allowed, const char *key, const char *on)
{
    const loader *load = loader_of(L);
    if (carom_node_depends(load->graph, node) & ~(allowed | (unsigned)CAROM_ON_PARAMETER))
        loader_error(L, "beam: %s may depend on parameters%s only", key, on);
}

carom_node beam_field_function(lua_State *L, int index, const char *key, bool of_time)
{
    loader *load = loader_of(L);
    const int type = lua_getfield(L, index, key);
    carom_node node = CAROM_NO_NODE;
    if (type == LUA_TFUNCTION) {
        loader_push_node(L, beam_place_leaf(load));
        loader_push_node(L, carom_leaf(load->graph, CAROM_OP_TIME, 0));
        lua_call(L, 2, 1);
    }
    if (type != LUA_TNIL) {
        if (!loader_is_expression(L, -1))
            loader_error(
                L,
                "beam: %s takes a number, an expression or function(%s) ... end that returns one; got a %s",
                key, of_time ? "x, t" : "x", luaL_typename(L, -1));
        node = loader_check_node(L, lua_gettop(L), key);
        beam_check_depends(L, node, CAROM_ON_PLACE | (of_time ? CAROM_ON_TIME : 0u), key,
                           of_time ? ", place and time" : " and place");
    }
    lua_pop(L, 1);
    return node;
}

carom_node beam_field_parameter(lua_State *L, int index, const char *key)
{
    const carom_node node = loader_field_node(L, index, key);
    if (node >= 0)
        beam_check_depends(L, node, 0, key, "");
    return node;
}

void beam_need_node(lua_State *L, carom_node node, const char *statement, const char *key)
{
    if (node < 0)
        loader_error(L, "%s: %s is missing", statement, key);
}
