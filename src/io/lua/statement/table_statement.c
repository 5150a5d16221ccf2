/* table_of { ... }: functions that are given by data.
 *
 *   local a = table_of { { 0, 1, 2 }, { 0, 5, 3 } }          a(x), a:integral(x), a:derivative(x), a.from, a.to */
#include <math.h>
#include <string.h>

#include "io/lua/loader.h"
#include "io/lua/statements.h"

static const char TABLE[] = "carom.table";

enum {
    POINTS_MAX = 1000000,
    POINT_PRICE = 4,  /* instructions */
    POINT_BYTES = 64, /* of memory in a table */
    LOOKUP_PRICE = 20
};

typedef struct data_table {
    carom_table *table; /* the graph has a share: it lives as long as the expressions do */
    double from, to;
} data_table;

/* ---- points ------------------------------------------------------------------------------------------- */

typedef struct points {
    int count;
    double *x, *y;
} points;

static void check_size(lua_State *L, lua_Unsigned count)
{
    if (count > POINTS_MAX)
        loader_error(L, "table_of: %llu points; at most %d are possible", (unsigned long long)count,
                     POINTS_MAX);
    loader_spend(L, POINT_PRICE * (long)count);
}

/* The plain numbers of the list that is entry `entry` of the statement's table. */
static double *read_list(lua_State *L, int entry, const char *what, int *count)
{
    if (lua_geti(L, 1, entry) != LUA_TTABLE)
        loader_error(L, "table_of: %s must be a list of numbers; got %s%s", what,
                     lua_isnil(L, -1) ? "nothing" : "a ", lua_isnil(L, -1) ? "" : luaL_typename(L, -1));
    const lua_Unsigned length = lua_rawlen(L, -1);
    check_size(L, length);
    double *value = loader_take(L, (size_t)length, sizeof *value);
    for (lua_Unsigned i = 0; i < length; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TNUMBER)
            loader_error(L,
                         "table_of: entry %d of %s is a %s; a table is made of plain numbers (multiply its "
                         "value by what "
                         "may vary)",
                         (int)i + 1, what, luaL_typename(L, -1));
        value[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    *count = (int)length;
    return value;
}

/* 0, step, 2 step, ... */
static double *read_steps(lua_State *L, int count)
{
    if (lua_getfield(L, 1, "step") != LUA_TNUMBER || !(lua_tonumber(L, -1) > 0.0) ||
        !isfinite(lua_tonumber(L, -1)))
        loader_error(L, "table_of: step must be a plain number > 0, the distance from one value to the next");
    const double step = lua_tonumber(L, -1);
    double *x = loader_take(L, (size_t)count, sizeof *x);
    for (int i = 0; i < count; i++)
        x[i] = (double)i * step;
    lua_pop(L, 1);
    return x;
}

static bool has(lua_State *L, const char *key)
{
    const bool found = lua_getfield(L, 1, key) != LUA_TNIL;
    lua_pop(L, 1);
    return found;
}

static points points_of_lists(lua_State *L)
{
    points read = {0};
    const bool steps = has(L, "step");
    const lua_Unsigned entries = lua_rawlen(L, 1);
    if (has(L, "time") || has(L, "column"))
        loader_error(L, "table_of: time and column are columns of a file: file = \"quake.csv\"");
    if (entries != (steps ? 1 : 2))
        loader_error(
            L, steps ? "table_of: with step there is one list, the values: table_of { values, step = 0.02 }"
                     : "table_of takes two lists, table_of { t, values }, or a file: table_of { file = "
                       "\"quake.csv\", column = \"a\" }");
    read.y = read_list(L, steps ? 1 : 2, "the values", &read.count);
    int places = read.count;
    read.x = steps ? read_steps(L, read.count) : read_list(L, 1, "the first list", &places);
    if (places != read.count)
        loader_error(L, "table_of: the lists have %d and %d entries; each value needs its place", places,
                     read.count);
    return read;
}

/* A column by its name or its number. */
static carom_csv_column column_of(lua_State *L, const char *key, int number)
{
    carom_csv_column column = {.number = number};
    const int type = lua_getfield(L, 1, key);
    if (type == LUA_TSTRING)
        column.name = loader_text(L, lua_tostring(L, -1));
    else if (type == LUA_TNUMBER && lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 &&
             lua_tointeger(L, -1) <= 10000)
        column.number = (int)lua_tointeger(L, -1);
    else if (type != LUA_TNIL)
        loader_error(L, "table_of: %s must be the name of a column, or its number from 1", key);
    lua_pop(L, 1);
    return column;
}

static points points_of_file(lua_State *L)
{
    const bool steps = has(L, "step");
    if (lua_rawlen(L, 1) > 0)
        loader_error(L, "table_of: the numbers are in a file, or in lists; not both");
    if (steps && has(L, "time"))
        loader_error(L, "table_of: time and step both tell where the values are; give one of them");
    const char *name = loader_field_text(L, 1, "file");
    const carom_csv_column time = column_of(L, "time", 1), value = column_of(L, "column", steps ? 1 : 2);
    const carom_csv_column both[] = {time, value};
    const carom_csv_request request = {
        .file = name, .column_count = steps ? 1 : 2, .column = steps ? &value : both, .first_grows = !steps};
    const char *text = loader_data_file(L, name);
    carom_csv_numbers found;
    carom_error error = {0};
    if (carom_csv_numbers_parse(&request, text, loader_of(L)->arena, &found, &error) != CAROM_OK)
        loader_raise(L, "table_of: ", &error);
    check_size(L, (lua_Unsigned)found.rows);
    return (points){.count = found.rows,
                    .x = steps ? read_steps(L, found.rows) : found.column[0],
                    .y = found.column[steps ? 0 : 1]};
}

/* ---- the statement ------------------------------------------------------------------------------------ */

static carom_table_outside read_outside(lua_State *L)
{
    static const char *const words[] = {
        [CAROM_OUTSIDE_HOLD] = "hold", [CAROM_OUTSIDE_ZERO] = "zero", [CAROM_OUTSIDE_NONE] = "none"};
    const char *word = loader_field_text(L, 1, "outside");
    for (int i = 0; i < 3; i++)
        if (!word || strcmp(word, words[i]) == 0)
            return (carom_table_outside)i;
    loader_error(L, "table_of: outside = \"%.40s\"; known are \"hold\", \"zero\", \"none\"", word);
    return CAROM_OUTSIDE_HOLD;
}

static int statement_table_of(lua_State *L)
{
    loader *load = loader_of(L);
    if (!lua_istable(L, 1))
        loader_error(L, "table_of takes a table: table_of { t, values }; got a %s", luaL_typename(L, 1));
    loader_check_statement(L, 1, &language_table_of);
    const points data = has(L, "file") ? points_of_file(L) : points_of_lists(L);
    const carom_table_spec spec = {.count = data.count,
                                   .x = data.x,
                                   .y = data.y,
                                   .smooth = loader_field_bool(L, 1, "smooth"),
                                   .outside = read_outside(L)};
    loader_take(L, (size_t)data.count, POINT_BYTES); /* what the table takes itself counts, too */
    data_table *made = lua_newuserdatauv(L, sizeof *made, 0);
    *made =
        (data_table){.from = data.count ? data.x[0] : 0.0, .to = data.count ? data.x[data.count - 1] : 0.0};
    luaL_setmetatable(L, TABLE);
    carom_table *table = NULL;
    carom_error error = {0};
    if (carom_table_create(&spec, &table, &error) != CAROM_OK)
        loader_raise(L, "table_of: ", &error);
    /* A lookup gives the graph its share. */
    const carom_node node = carom_lookup(load->graph, table, 0, carom_leaf(load->graph, CAROM_OP_TIME, 0));
    made->table = table;
    carom_table_free(table);
    if (node < 0)
        loader_no_memory(L);
    return 1;
}

/* ---- what can be asked of a table ------------------------------------------------------------------------ */

static int look_up(lua_State *L, const char *what, int order)
{
    const data_table *self = luaL_testudata(L, 1, TABLE);
    if (!self)
        return loader_error(L, "%s is asked of a table with a colon: a:%s(x)", what, what);
    carom_graph *graph = loader_of(L)->graph;
    loader_spend(L, LOOKUP_PRICE);
    const carom_node node =
        carom_lookup(graph, self->table, order, loader_check_node(L, 2, "the argument of a table"));
    double value;
    if (lua_type(L, 2) == LUA_TNUMBER && carom_node_is_constant(graph, node, &value) && !isnan(value))
        lua_pushnumber(L, value);
    else
        loader_push_node(L, node);
    return 1;
}

static int call_table(lua_State *L)
{
    if (lua_gettop(L) != 2)
        return loader_error(L, "a table of data takes one argument: a(time()); got %d", lua_gettop(L) - 1);
    return look_up(L, "value", 0);
}

static int call_integral(lua_State *L)
{
    const lua_Integer times = luaL_optinteger(L, 3, 1);
    if (times < 1 || times > CAROM_TABLE_INTEGRALS)
        return loader_error(L, "integral(x, n): n is 1, or 2 for the integral of the integral; got %d",
                            (int)times);
    return look_up(L, "integral", -(int)times);
}

static int call_derivative(lua_State *L)
{
    return look_up(L, "derivative", 1);
}

static int index_table(lua_State *L)
{
    const data_table *self = luaL_checkudata(L, 1, TABLE);
    const char *key = luaL_tolstring(L, 2, NULL);
    if (strcmp(key, "integral") == 0)
        lua_pushcfunction(L, call_integral);
    else if (strcmp(key, "derivative") == 0)
        lua_pushcfunction(L, call_derivative);
    else if (strcmp(key, "from") == 0)
        lua_pushnumber(L, self->from);
    else if (strcmp(key, "to") == 0)
        lua_pushnumber(L, self->to);
    else
        return loader_error(L, "a table of data has no '%s'; known are integral, derivative, from, to", key);
    return 1;
}

static int refuse_field(lua_State *L)
{
    return loader_error(L, "a table of data cannot be changed");
}

static void open_tables(lua_State *L)
{
    luaL_newmetatable(L, TABLE);
    static const luaL_Reg functions[] = {
        {"__call", call_table}, {"__index", index_table}, {"__newindex", refuse_field}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
    lua_pushliteral(L, "table of data"); /* what Lua's own messages call it */
    lua_setfield(L, -2, "__name");
    lua_pop(L, 1);
}

/* ---- description ----------------------------------------------------------------------------------------- */

static const carom_statement_key table_keys[] = {
    {"file", "its name, beside the model file; in place of the lists"},
    {"time", "name or number of the column with the places; default 1"},
    {"column", "name or number of the column with the values; default 2, with step 1"},
    {"step", "distance of the values, in place of their places"},
    {"smooth", "true: continuous derivative, no extremes between the points; default: lines"},
    {"outside", "beyond the ends: \"hold\" (default), \"zero\", or \"none\", where a run fails"},
    {0},
};

const carom_statement language_table_of = {
    .name = "table_of",
    .summary = "a function that is given by data: lists, or columns of a file",
    .example = "local a = table_of { file = \"quake.csv\", column = \"a\", outside = \"zero\" }",
    .keys = table_keys,
    .call = statement_table_of,
    .open = open_tables,
};
