/* Tables of plain numbers, for functions that compute while the file is read. */
#include <math.h>
#include <string.h>

#include "loader.h"

double *loader_numbers(lua_State *L, const char *who, const char *key, int count)
{
    const int kind = lua_getfield(L, 1, key);
    if (kind != LUA_TNIL && kind != LUA_TNUMBER && kind != LUA_TTABLE)
        loader_error(L, "%s: %s takes plain numbers (of settings, not of params); got a %s", who, key,
                     luaL_typename(L, -1));
    if (kind == LUA_TTABLE && luaL_len(L, -1) != count)
        loader_error(L, "%s: %s has %d values; it takes one, or %d", who, key, (int)luaL_len(L, -1), count);
    double *value = kind == LUA_TNIL ? NULL : loader_take(L, (size_t)count, sizeof *value);
    for (int i = 0; value && i < count; i++) {
        if (kind == LUA_TNUMBER)
            lua_pushvalue(L, -1);
        else if (lua_geti(L, -1, i + 1) != LUA_TNUMBER)
            loader_error(L, "%s: %s[%d] must be a plain number; got a %s", who, key, i + 1,
                         luaL_typename(L, -1));
        value[i] = lua_tonumber(L, -1);
        if (isnan(value[i]))
            loader_error(L, "%s: %s is not a number (NaN)", who, key);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return value;
}

double loader_number(lua_State *L, const char *who, const char *key, double value)
{
    const double *given = loader_numbers(L, who, key, 1);
    return given ? *given : value;
}

double loader_needed_number(lua_State *L, const char *who, const char *key)
{
    const double *given = loader_numbers(L, who, key, 1);
    if (!given)
        loader_error(L, "%s needs %s = a number", who, key);
    return *given;
}

int loader_whole(lua_State *L, const char *who, const char *key, int least, int most)
{
    const double value = loader_needed_number(L, who, key);
    if (!(value >= least && value <= most) || value != (double)(int)value)
        loader_error(L, "%s: %s = %g must be a whole number from %d to %d", who, key, value, least, most);
    return (int)value;
}

int loader_word(lua_State *L, const char *who, const char *key, const char *const *words)
{
    const char *text = loader_field_text(L, 1, key);
    size_t count = 0;
    for (; words[count]; count++)
        if (text && strcmp(words[count], text) == 0)
            return (int)count;
    carom_error error;
    if (text && carom_fail_unknown(key, text, words, count, &error) != CAROM_OK)
        loader_error(L, "%s: %s", who, error.text);
    return 0;
}

void loader_push_list(lua_State *L, const char *key, int count, const double *value)
{
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushnumber(L, value[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, key);
}

void loader_push_number(lua_State *L, const char *key, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, key);
}
