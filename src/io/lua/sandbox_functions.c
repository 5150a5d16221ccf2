/* Functions of Lua's library that loop inside one instruction, where the instruction limit does not see them. Each is
 * charged for what it will do before it does it. */
#include "loader.h"

#include <string.h>

/* Prices in instructions, by the time that they take. */
enum {
    REPEAT_LIMIT = 1000000,
    MOVE_PRICE = 4,            /* of an element, to another place or to a text */
    COMPARE_PRICE = 20,        /* of two elements */
    BYTES_PER_INSTRUCTION = 64 /* of texts that are compared */
};

/* Calls Lua's own function (the first upvalue) with what was given. It does not know its name, the second upvalue, nor
 * the line that called it. */
static int call_own(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    const int code = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    if (code == LUA_OK)
        return lua_gettop(L);
    const char *text = lua_tostring(L, -1), *name = lua_tostring(L, lua_upvalueindex(2));
    lua_Debug place;
    if (code != LUA_ERRRUN || !text || !loader_place(L, &place) ||
        strncmp(text, place.short_src, strlen(place.short_src)) == 0)
        return lua_error(L);
    lua_pushfstring(L, "%s:%d: %s", place.short_src, place.currentline, luaL_gsub(L, text, "'?'", name));
    return lua_error(L);
}

/* Elements from one place to another; places far apart are more than any limit. */
static void spend_places(lua_State *L, lua_Integer from, lua_Integer to)
{
    const double count = (double)to - (double)from + 1.0;
    if (count > 0.0)
        loader_spend(L, MOVE_PRICE * (count < 1e15 ? (long)count : (long)1e15));
}

/* Length of a list; Lua's function says what is wrong with anything else. */
static lua_Integer length(lua_State *L)
{
    return lua_istable(L, 1) ? (lua_Integer)lua_rawlen(L, 1) : 0;
}

/* An empty text could be repeated any number of times. */
static int sandbox_repeat(lua_State *L)
{
    const lua_Integer copies = luaL_checkinteger(L, 2);
    if (copies > REPEAT_LIMIT)
        return loader_error(L, "string.rep: at most %d copies", REPEAT_LIMIT);
    if (copies > 0)
        loader_spend(L, (long)copies);
    return call_own(L);
}

/* Elements behind the place move. */
static int sandbox_insert(lua_State *L)
{
    if (lua_gettop(L) == 3 && lua_isinteger(L, 2))
        spend_places(L, lua_tointeger(L, 2), length(L));
    return call_own(L);
}

static int sandbox_remove(lua_State *L)
{
    if (lua_gettop(L) >= 2 && lua_isinteger(L, 2))
        spend_places(L, lua_tointeger(L, 2), length(L));
    return call_own(L);
}

static int sandbox_concat(lua_State *L)
{
    spend_places(L, luaL_optinteger(L, 3, 1), luaL_optinteger(L, 4, length(L)));
    return call_own(L);
}

static int sandbox_unpack(lua_State *L)
{
    spend_places(L, luaL_optinteger(L, 2, 1), luaL_optinteger(L, 3, length(L)));
    return call_own(L);
}

/* Which of two elements comes first: by the script's function (the first upvalue), or by <. */
static int compare_elements(lua_State *L)
{
    if (!lua_isnil(L, lua_upvalueindex(1))) {
        loader_spend(L, COMPARE_PRICE);
        lua_pushvalue(L, lua_upvalueindex(1));
        lua_insert(L, 1);
        lua_call(L, 2, 1);
        return 1;
    }
    long bytes = 0;
    if (lua_type(L, 1) == LUA_TSTRING && lua_type(L, 2) == LUA_TSTRING) {
        const lua_Unsigned a = lua_rawlen(L, 1), b = lua_rawlen(L, 2);
        bytes = (long)(a < b ? a : b);
    }
    loader_spend(L, COMPARE_PRICE + bytes / BYTES_PER_INSTRUCTION);
    lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT));
    return 1;
}

static int sandbox_sort(lua_State *L)
{
    lua_settop(L, 2);
    if (!lua_isnil(L, 2))
        luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushcclosure(L, compare_elements, 1);
    return call_own(L);
}

void loader_limit_functions(lua_State *L)
{
    static const struct {
        const char *library, *name;
        lua_CFunction function;
    } limited[] = {{"string", "rep", sandbox_repeat},   {"table", "insert", sandbox_insert},
                   {"table", "remove", sandbox_remove}, {"table", "concat", sandbox_concat},
                   {"table", "unpack", sandbox_unpack}, {"table", "sort", sandbox_sort}};
    for (size_t i = 0; i < sizeof limited / sizeof *limited; i++) {
        lua_getglobal(L, limited[i].library);
        lua_getfield(L, -1, limited[i].name);
        lua_pushstring(L, limited[i].name);
        lua_pushcclosure(L, limited[i].function, 2);
        lua_setfield(L, -2, limited[i].name);
        lua_pop(L, 1);
    }
}
