/* Controllers of the user's own: matrices in the script, or a file of numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "drill_study.h"

/* Number of a matrix that is on top of the stack: a list of rows, or all numbers row by row. */
static double entry(lua_State *L, const char *who, const char *key, int row, int column, int columns)
{
    const bool nested = lua_geti(L, -1, 1) == LUA_TTABLE;
    lua_pop(L, 1);
    int kind, levels = 1;
    if (nested) {
        if (lua_geti(L, -1, row + 1) != LUA_TTABLE || luaL_len(L, -1) != columns)
            loader_error(L, "%s: row %d of %s must be a list of %d numbers", who, row + 1, key, columns);
        kind = lua_geti(L, -1, column + 1);
        levels = 2;
    } else {
        kind = lua_geti(L, -1, row * columns + column + 1);
    }
    const double value = kind == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    if (!isfinite(value))
        loader_error(L, "%s: %s[%d][%d] is %s; wanted: a finite number", who, key, row + 1, column + 1,
                     kind == LUA_TNUMBER ? "not finite" : luaL_typename(L, -1));
    lua_pop(L, levels);
    return value;
}

/* rows x columns numbers of a field of the table at 1; zeros when it is not there and may be missing. */
static double *read_matrix(lua_State *L, const char *who, const char *key, int rows, int columns, bool needed)
{
    double *value = loader_take(L, (size_t)(rows * columns), sizeof *value);
    const int kind = lua_getfield(L, 1, key);
    if (kind != LUA_TTABLE && (kind != LUA_TNIL || needed))
        loader_error(L, "%s needs %s = a list of %d x %d numbers, row by row; got %s", who, key, rows,
                     columns, luaL_typename(L, -1));
    if (kind == LUA_TTABLE) {
        const lua_Integer length = luaL_len(L, -1);
        const bool nested = lua_geti(L, -1, 1) == LUA_TTABLE;
        lua_pop(L, 1);
        if (length != (nested ? rows : rows * columns))
            loader_error(L, "%s: %s has %d %s; wanted: %d x %d, for as many states as C has numbers", who,
                         key, (int)length, nested ? "rows" : "numbers", rows, columns);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                value[i * columns + j] = entry(L, who, key, i, j, columns);
    }
    lua_pop(L, 1);
    return value;
}

/* C is one row: as many numbers as there are states. */
static int count_states(lua_State *L, const char *who)
{
    const int kind = lua_getfield(L, 1, "C");
    if (kind != LUA_TNIL && kind != LUA_TTABLE)
        loader_error(L, "%s: C must be a list, a number per state; got a %s", who, luaL_typename(L, -1));
    lua_Integer states = 0;
    if (kind == LUA_TTABLE) {
        states = lua_geti(L, -1, 1) == LUA_TTABLE ? luaL_len(L, -1) : luaL_len(L, -2);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    if (states > CAROM_DRILL_CONTROLLER_STATES)
        loader_error(L, "%s has %d states; wanted: %d at most", who, (int)states,
                     CAROM_DRILL_CONTROLLER_STATES);
    return (int)states;
}

static void read_matrices(lua_State *L, const char *who, drill_data *data)
{
    static const char *const keys[] = {"A", "B", "C", "D", "states", NULL};
    char where[64];
    snprintf(where, sizeof where, "%s: controller", who);
    lua_insert(L, 1); /* fields are read of the table at 1 */
    loader_check_keys(L, 1, where, keys);
    const int n = data->states = count_states(L, where);
    data->A = read_matrix(L, where, "A", n, n, n > 0);
    data->B = read_matrix(L, where, "B", n, 2, n > 0);
    data->C = read_matrix(L, where, "C", 1, n, n > 0);
    data->D = read_matrix(L, where, "D", 1, 2, n == 0);
    lua_remove(L, 1);
}

static bool is_there(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

/* In the current directory first, then beside the model file. */
static const char *find_file(lua_State *L, const char *who, const char *name)
{
    const char *model = loader_of(L)->experiment->file, *slash = strrchr(model, '/');
    if (name[0] == '/' || is_there(name))
        return name;
    const int directory = slash ? (int)(slash - model) + 1 : 0;
    const size_t size = (size_t)directory + strlen(name) + 1;
    char *path = loader_take(L, size, 1);
    snprintf(path, size, "%.*s%s", directory, model, name);
    if (!is_there(path))
        loader_error(L,
                     "%s: there is no controller file '%s', neither in the current directory nor beside %s",
                     who, name, model);
    return path;
}

void loader_drill_controller(lua_State *L, const char *who, drill_data *data)
{
    static const char *const controllers[] = {"softtorque", "lqg", "hinf", "none", "file", NULL};
    const char *name = loader_field_text(L, 1, "controller_file");
    if (name && name[0] == '\0')
        name = NULL;
    const int kind = lua_getfield(L, 1, "controller");
    if (kind == LUA_TTABLE)
        read_matrices(L, who, data);
    else
        lua_pop(L, 1);
    if (kind == LUA_TTABLE)
        data->controller = DRILL_MATRICES;
    else if (kind == LUA_TNIL && name)
        data->controller = DRILL_FILE;
    else
        data->controller = (drill_controller_kind)loader_word(L, who, "controller", controllers);
    if (data->controller == DRILL_FILE && !name)
        loader_error(L, "%s: controller = \"file\" needs controller_file = \"its name\"", who);
    if (data->controller != DRILL_FILE && name)
        loader_error(L, "%s: controller_file = \"%s\" is read with controller = \"file\" only", who, name);
    if (data->controller == DRILL_FILE && name)
        data->path = find_file(L, who, name);
}

carom_status loader_drill_given(const drill_data *data, carom_drill_controller **controller,
                                carom_error *error)
{
    if (data->controller == DRILL_FILE)
        return carom_drill_controller_read(data->path, controller, error);
    const carom_status status = carom_drill_controller_create(data->states, controller, error);
    if (status == CAROM_OK) {
        const size_t n = (size_t)data->states;
        memcpy((*controller)->A, data->A, n * n * sizeof(double));
        memcpy((*controller)->B, data->B, 2 * n * sizeof(double));
        memcpy((*controller)->C, data->C, n * sizeof(double));
        memcpy((*controller)->D, data->D, 2 * sizeof(double));
    }
    return status;
}

static void push_rows(lua_State *L, const char *key, int rows, int columns, const double *value)
{
    lua_createtable(L, rows, 0);
    for (int i = 0; i < rows; i++) {
        lua_createtable(L, columns, 0);
        for (int j = 0; j < columns; j++) {
            lua_pushnumber(L, value[i * columns + j]);
            lua_rawseti(L, -2, j + 1);
        }
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, key);
}

void loader_drill_push_controller(lua_State *L, int states, const double *A, const double *B, const double *C,
                                  const double *D)
{
    lua_createtable(L, 0, 5);
    push_rows(L, "A", states, states, A);
    push_rows(L, "B", states, 2, B);
    loader_push_list(L, "C", states, C);
    loader_push_list(L, "D", 2, D);
    lua_pushinteger(L, states);
    lua_setfield(L, -2, "states");
    lua_setfield(L, -2, "controller");
}
