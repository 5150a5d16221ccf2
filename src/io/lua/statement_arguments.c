/* Reading the arguments of statements, with errors that name the place and the cure. */
#include "loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader_bodies.h"

loader *loader_of(lua_State *L)
{
    return *(loader **)lua_getextraspace(L);
}

/* Where the script is: the innermost function on the call stack that has lines and is not of the library. C
 * functions have none, be it the statement itself, table.sort that compares symbols, or a text that is added
 * to one. */
bool loader_place(lua_State *L, lua_Debug *place)
{
    for (int level = 0; lua_getstack(L, level, place); level++)
        if (lua_getinfo(L, "Sl", place) && place->currentline > 0 && place->source[0] != '=')
            return true;
    return false;
}

int loader_error(lua_State *L, const char *format, ...)
{
    char text[1500];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lua_Debug place;
    if (loader_place(L, &place))
        lua_pushfstring(L, "%s:%d: %s", place.short_src, place.currentline, text);
    else
        lua_pushstring(L, text);
    return lua_error(L);
}

int loader_no_memory(lua_State *L)
{
    loader_of(L)->no_memory = true;
    return loader_error(L, "out of memory");
}

int loader_raise(lua_State *L, const char *before, const carom_error *error)
{
    if (error->status == CAROM_NO_MEMORY)
        return loader_no_memory(L);
    return loader_error(L, "%s%s", before, error->text);
}

int loader_line(lua_State *L)
{
    lua_Debug place;
    return loader_place(L, &place) ? place.currentline : 0;
}

void *loader_take(lua_State *L, size_t count, size_t size)
{
    loader *load = loader_of(L);
    const size_t room = ((size_t)LOADER_MEMORY_MB << 20) - load->memory_used;
    if (count > room / size)
        loader_error(L, "the script needs more than %d MB of memory", LOADER_MEMORY_MB);
    void *memory = carom_arena_take(load->computing ? load->run_arena : load->arena, count, size);
    if (!memory)
        loader_no_memory(L);
    load->memory_used += count * size;
    if (load->computing)
        load->run_memory += count * size;
    return memory;
}

char *loader_text(lua_State *L, const char *text)
{
    if (!carom_is_plain(text))
        loader_error(
            L,
            "the text '%.80s' has control characters, or is not UTF-8; texts of a model are shown to people",
            text);
    char *copy = loader_take(L, strlen(text) + 1, 1);
    strcpy(copy, text);
    return copy;
}

void *loader_grow(lua_State *L, void *array, int count, size_t size)
{
    /* Arrays have room for 4, 8, 16, ... elements: a full one is copied to one of twice the room. */
    const bool full = count == 0 || (count >= 4 && (count & (count - 1)) == 0);
    if (loader_of(L)->computing) /* a statement that was kept in a variable */
        loader_error(L, "nothing can be described inside compute(function() ... end)");
    if (!full)
        return array;
    void *larger = loader_take(L, count ? 2 * (size_t)count : 4, size);
    if (count)
        memcpy(larger, array, (size_t)count * size);
    return larger;
}

void loader_define(lua_State *L, const char *space, const char *kind, const char *name)
{
    const char *key = lua_pushfstring(L, "carom.%s.%s", space, name);
    if (lua_getfield(L, LUA_REGISTRYINDEX, key) != LUA_TNIL)
        loader_error(L, "%s '%s' is defined twice: it was %s; choose another name", kind, name,
                     lua_tostring(L, -1));
    lua_Debug place = {0};
    loader_place(L, &place);
    lua_pushfstring(L, "a %s at %s:%d", kind, place.short_src, place.currentline);
    lua_setfield(L, LUA_REGISTRYINDEX, key);
    lua_pop(L, 2);
}

const char *loader_check_name(lua_State *L, int index, const char *what)
{
    if (lua_type(L, index) != LUA_TSTRING)
        loader_error(L, "%s: the first entry must be its name, a text such as \"x\"; got a %s", what,
                     luaL_typename(L, index));
    size_t length;
    const char *name = lua_tolstring(L, index, &length);
    if (strlen(name) != length)
        loader_error(L, "%s: a name cannot hold a zero byte", what);
    loader_check_name_text(L, name, what);
    return name;
}

/* What a letter is does not depend on the locale of the program. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

void loader_check_name_text(lua_State *L, const char *name, const char *what)
{
    bool good = strlen(name) < 64 && is_letter(name[0]);
    for (const char *c = name; *c; c++)
        good = good && (is_letter(*c) || (*c >= '0' && *c <= '9') || *c == '-');
    if (!good)
        loader_error(L, "%s: '%.80s' is not a name; use up to 63 letters, digits, _ and -, a letter first",
                     what, name);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int loader_sorted_keys(lua_State *L, int index, const char ***keys)
{
    int count = 0;
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
        count += lua_type(L, -2) == LUA_TSTRING;
    *keys = NULL;
    if (count == 0)
        return 0;
    const char **list = loader_take(L, (size_t)count, sizeof *list);
    count = 0;
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
        if (lua_type(L, -2) == LUA_TSTRING) {
            list[count] = lua_tostring(L, -2);
            if (strlen(list[count++]) != lua_rawlen(L, -2))
                loader_error(L, "a name cannot hold a zero byte");
        }
    qsort(list, (size_t)count, sizeof *list, compare_texts);
    *keys = list;
    return count;
}

void loader_check_keys(lua_State *L, int index, const char *statement, const char *const *allowed)
{
    if (!lua_istable(L, index))
        loader_error(L, "%s takes a table: %s { ... }; got a %s", statement, statement,
                     luaL_typename(L, index));
    size_t known = 0;
    while (allowed[known])
        known++;
    const char **keys = NULL;
    const int count = loader_sorted_keys(L, index, &keys);
    for (int i = 0; i < count; i++) {
        bool found = false;
        for (size_t k = 0; k < known; k++)
            found = found || strcmp(keys[i], allowed[k]) == 0;
        if (found)
            continue;
        const char *nearest = carom_nearest_name(keys[i], allowed, known);
        if (nearest && strlen(keys[i]) > 1) /* one letter that is wrong says nothing */
            loader_error(L, "%s: unknown key '%s'; did you mean '%s'?", statement, keys[i], nearest);
        char shown[600] = "";
        for (size_t k = 0; k < known; k++) {
            size_t used = strlen(shown);
            snprintf(shown + used, sizeof shown - used, "%s%s", k ? ", " : "", allowed[k]);
        }
        loader_error(L, "%s: unknown key '%s'; known are %s", statement, keys[i], shown);
    }
}

void loader_check_statement(lua_State *L, int index, const carom_statement *statement)
{
    enum {
        MOST_KEYS = 40
    };
    const char *names[MOST_KEYS + 1] = {0};
    for (int i = 0; statement->keys && statement->keys[i].name && i < MOST_KEYS; i++)
        names[i] = statement->keys[i].name;
    loader_check_keys(L, index, statement->name, names);
}

const char *loader_field_text(lua_State *L, int index, const char *key)
{
    const char *text = NULL;
    if (lua_getfield(L, index, key) == LUA_TSTRING) {
        text = loader_text(L, lua_tostring(L, -1));
        if (strlen(text) != lua_rawlen(L, -1))
            loader_error(L, "'%s' cannot hold a zero byte", key);
    } else if (!lua_isnil(L, -1))
        loader_error(L, "'%s' must be a text in quotes; got a %s", key, luaL_typename(L, -1));
    lua_pop(L, 1);
    return text;
}

bool loader_field_bool(lua_State *L, int index, const char *key)
{
    lua_getfield(L, index, key);
    if (!lua_isnil(L, -1) && !lua_isboolean(L, -1))
        loader_error(L, "'%s' must be true or false; got a %s", key, luaL_typename(L, -1));
    const bool value = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return value;
}

carom_value loader_value(lua_State *L, int index, const char *what)
{
    loader *load = loader_of(L);
    const carom_node node = loader_check_node(L, index, what);
    if (carom_node_depends(load->graph, node) & ~(unsigned)CAROM_ON_PARAMETER)
        loader_error(L, "%s must be a number or an expression of parameters; it depends on the motion", what);
    load->value = loader_grow(L, load->value, load->values, sizeof *load->value);
    load->value[load->values] = node;
    return load->values++;
}

carom_value loader_field_value(lua_State *L, int index, const char *key)
{
    carom_value value = CAROM_NO_VALUE;
    if (lua_getfield(L, index, key) != LUA_TNIL)
        value = loader_value(L, lua_gettop(L), key);
    lua_pop(L, 1);
    return value;
}

void loader_number(lua_State *L, const char *kind, const char *name, int number)
{
    const char *key = lua_pushfstring(L, "carom.number.%s.%s", kind, name);
    lua_pushinteger(L, number);
    lua_setfield(L, LUA_REGISTRYINDEX, key);
    lua_pop(L, 1);
}

/* -1: nothing has this name. */
static int number_of(lua_State *L, const char *kind, const char *name)
{
    const char *key = lua_pushfstring(L, "carom.number.%s.%s", kind, name);
    const int number = lua_getfield(L, LUA_REGISTRYINDEX, key) == LUA_TNIL ? -1 : (int)lua_tointeger(L, -1);
    lua_pop(L, 2);
    return number;
}

int loader_find_coordinate(lua_State *L, const char *name)
{
    return number_of(L, "coordinate", name);
}

/* In a list that ascends. */
static int find_number(int count, const int *list, int number)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (list[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && list[low] == number ? low : -1;
}

int loader_coordinate_at(const loader *load, int position)
{
    return load->bodies ? find_number(load->coordinates, load->coordinate_q, position) : position;
}

int loader_coordinate_moving(const loader *load, int velocity)
{
    return load->bodies ? find_number(load->coordinates, load->coordinate_v, velocity) : velocity;
}

int loader_contact_number(const loader *load, int contact)
{
    return load->bodies ? loader_bodies_contact(load->bodies, contact) : contact;
}

int loader_find_contact(lua_State *L, const char *name)
{
    loader *load = loader_of(L);
    const int number = number_of(L, "contact", name);
    if (number >= 0)
        return number;
    const char **names = loader_take(L, (size_t)load->contacts, sizeof *names);
    for (int i = 0; i < load->contacts; i++) {
        names[i] = load->contact[i].name;
        if (strcmp(name, names[i]) == 0) /* of a beam, whose contacts come with it */
            return i;
    }
    const char *nearest = carom_nearest_name(name, names, (size_t)load->contacts);
    if (nearest)
        loader_error(L, "there is no contact '%s' above this line; did you mean '%s'?", name, nearest);
    return loader_error(L, "there is no contact '%s' above this line", name);
}

int loader_column(lua_State *L, carom_node node)
{
    loader *load = loader_of(L);
    loader_spend(L, (load->named_columns + load->hidden_columns) / 8);
    for (int i = 0; i < load->named_columns; i++)
        if (load->named_column[i] == node)
            return i;
    for (int i = 0; i < load->hidden_columns; i++)
        if (load->hidden_column[i] == node)
            return LOADER_HIDDEN + i;
    load->hidden_column =
        loader_grow(L, load->hidden_column, load->hidden_columns, sizeof *load->hidden_column);
    load->hidden_column[load->hidden_columns] = node;
    return LOADER_HIDDEN + load->hidden_columns++;
}
