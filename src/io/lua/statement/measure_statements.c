/* record { name = expression } and measure { name = reducer(...) }. */
#include "io/lua/loader.h"

#include <string.h>

static const char MEASURE[] = "carom.measure";
static const char EVENT[] = "carom.event";
static const char ANGLE[] = "carom.angle";
static const char PERIOD[] = "carom.every";

typedef struct event {
    carom_event_kind kind;
    int contact; /* -1: any */
} event;

static void *push_object(lua_State *L, size_t size, const char *type)
{
    void *object = lua_newuserdatauv(L, size, 0);
    memset(object, 0, size);
    luaL_setmetatable(L, type);
    return object;
}

/* ---- record --------------------------------------------------------------------------------- */

static int statement_record(lua_State *L)
{
    loader *load = loader_of(L);
    if (!lua_istable(L, 1))
        loader_error(L, "record takes a table: record { height = y, energy = energy() }; got a %s",
                     luaL_typename(L, 1));
    const char **keys = NULL;
    const int count = loader_sorted_keys(L, 1, &keys);
    if (luaL_len(L, 1) > 0 || count == 0)
        loader_error(L, "record: give every expression a name: record { height = y }");
    for (int i = 0; i < count; i++) {
        loader_define(L, "records", "record", keys[i]);
        lua_getfield(L, 1, keys[i]);
        const carom_node node = loader_check_node(L, lua_gettop(L), keys[i]);
        lua_pop(L, 1);
        load->named_column =
            loader_grow(L, load->named_column, load->named_columns, sizeof *load->named_column);
        load->column_name = loader_grow(L, load->column_name, load->named_columns, sizeof *load->column_name);
        load->named_column[load->named_columns] = node;
        load->column_name[load->named_columns++] = loader_text(L, keys[i]);
    }
    return 0;
}

/* ---- what measures look at ------------------------------------------------------------------ */

static int call_event(lua_State *L)
{
    const char *name = luaL_optstring(L, 1, NULL);
    const int contact = name ? loader_find_contact(L, name) : -1;
    event *e = push_object(L, sizeof *e, EVENT);
    e->kind = (carom_event_kind)lua_tointeger(L, lua_upvalueindex(1));
    e->contact = contact;
    return 1;
}

static int call_unwrap(lua_State *L)
{
    const carom_node node = loader_check_node(L, 1, "the argument of unwrap");
    carom_node *angle = push_object(L, sizeof *angle, ANGLE);
    *angle = node;
    return 1;
}

static int call_every(lua_State *L)
{
    const carom_value value = loader_value(L, 1, "the argument of every");
    carom_value *period = push_object(L, sizeof *period, PERIOD);
    *period = value;
    return 1;
}

/* ---- reducers ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    carom_measure_kind kind;
    bool of_event;
} reducer[] = {
    {"final", CAROM_MEASURE_FINAL, false},     {"maximum", CAROM_MEASURE_MAXIMUM, false},
    {"minimum", CAROM_MEASURE_MINIMUM, false}, {"mean", CAROM_MEASURE_MEAN, false},
    {"rms", CAROM_MEASURE_RMS, false},         {"deviation", CAROM_MEASURE_DEVIATION, false},
    {"at", CAROM_MEASURE_AT, false},           {"crossings", CAROM_MEASURE_CROSSINGS, false},
    {"peaks", CAROM_MEASURE_PEAKS, false},     {"times", CAROM_MEASURE_TIMES, true},
    {"count", CAROM_MEASURE_COUNT, true},      {"first", CAROM_MEASURE_FIRST, true},
    {"last", CAROM_MEASURE_LAST, true},        {"fraction", CAROM_MEASURE_FRACTION, true},
    {"steps", CAROM_MEASURE_STEPS, true},      {"first_step", CAROM_MEASURE_FIRST_STEP, true},
    {"total", CAROM_MEASURE_TOTAL, false},
};

static void read_times(lua_State *L, carom_measure *measure)
{
    const carom_value *period = luaL_testudata(L, 2, PERIOD);
    if (period) {
        measure->every = *period;
        return;
    }
    const carom_measure *moment = luaL_testudata(L, 2, MEASURE);
    if (moment && moment->kind == CAROM_MEASURE_FIRST) { /* at(expression, first(touching "stop")) */
        measure->kind = CAROM_MEASURE_AT_FIRST;
        measure->event = moment->event;
        measure->contact = moment->contact;
        measure->from = moment->from;
        measure->to = moment->to;
        return;
    }
    if (loader_is_expression(L, 2)) {
        measure->time = loader_take(L, 1, sizeof *measure->time);
        measure->time[measure->time_count++] = loader_value(L, 2, "the time in at(...)");
        return;
    }
    if (!lua_istable(L, 2))
        loader_error(L, "at(expression, times): times are { 0.1, 0.2 }, every(0.1) or first(...); got a %s",
                     luaL_typename(L, 2));
    const int count = (int)luaL_len(L, 2);
    measure->time = loader_take(L, (size_t)count, sizeof *measure->time);
    for (int i = 0; i < count; i++) {
        lua_geti(L, 2, i + 1);
        measure->time[measure->time_count++] = loader_value(L, lua_gettop(L), "a time in at(...)");
        lua_pop(L, 1);
    }
}

static void read_subject(lua_State *L, int index, const char *name, bool of_event, carom_measure *measure)
{
    const event *e = luaL_testudata(L, index, EVENT);
    if (of_event && !e)
        loader_error(L, "%s(...) takes an event: %s(impact \"floor\"), or touching, sticking, release", name,
                     name);
    if (!of_event && e)
        loader_error(L, "%s(...) takes an expression; events go to times, count, first, last, fraction",
                     name);
    if (e) {
        measure->event = e->kind;
        measure->contact = e->contact;
        return;
    }
    const carom_node *angle = luaL_testudata(L, index, ANGLE);
    measure->unwrap = angle != NULL;
    measure->column = loader_column(L, angle ? *angle : loader_check_node(L, index, name));
}

static int call_reducer(lua_State *L)
{
    static const char *const keys[] = {"from", "to", NULL};
    const int which = (int)lua_tointeger(L, lua_upvalueindex(1));
    const bool is_at = reducer[which].kind == CAROM_MEASURE_AT;
    const int window = is_at ? 3 : 2, most = window;
    const int count = lua_gettop(L);
    if (count < most - 1 || count > most)
        loader_error(L, "%s takes %s and, if wanted, a window { from = 1, to = 2 }; got %d arguments",
                     reducer[which].name, is_at ? "an expression, times" : "one argument", count);
    carom_measure measure = {.kind = reducer[which].kind,
                             .column = -1,
                             .contact = -1,
                             .from = CAROM_NO_VALUE,
                             .to = CAROM_NO_VALUE,
                             .every = CAROM_NO_VALUE};
    read_subject(L, 1, reducer[which].name, reducer[which].of_event, &measure);
    if (is_at)
        read_times(L, &measure);
    if (count == window) {
        loader_check_keys(L, window, "the window", keys);
        measure.from = loader_field_value(L, window, "from");
        measure.to = loader_field_value(L, window, "to");
    }
    carom_measure *object = push_object(L, sizeof *object, MEASURE);
    *object = measure;
    return 1;
}

/* jumps(expression, { low =, high =, over = }): the times at which its running mean over the time `over` has
 * gone from below `low` to above `high` or back. */
static int call_jumps(lua_State *L)
{
    static const char *const keys[] = {"low", "high", "over", "from", "to", NULL};
    if (lua_gettop(L) != 2 || !lua_istable(L, 2))
        loader_error(
            L, "jumps takes an expression and its levels: jumps(a, { low = 1, high = 2, over = 6.28 })");
    loader_check_keys(L, 2, "jumps", keys);
    carom_measure measure = {.kind = CAROM_MEASURE_JUMPS,
                             .column = -1,
                             .contact = -1,
                             .from = loader_field_value(L, 2, "from"),
                             .to = loader_field_value(L, 2, "to"),
                             .every = CAROM_NO_VALUE,
                             .low = loader_field_value(L, 2, "low"),
                             .high = loader_field_value(L, 2, "high"),
                             .over = loader_field_value(L, 2, "over")};
    if (measure.low < 0 || measure.high < 0 || measure.over < 0)
        loader_error(L, "jumps needs low, high and over, the time of the running mean");
    read_subject(L, 1, "jumps", false, &measure);
    carom_measure *object = push_object(L, sizeof *object, MEASURE);
    *object = measure;
    return 1;
}

/* { e1, e2, ... }: the last values of several expressions, as one array. */
static void read_list(lua_State *L, const char *name, carom_measure *measure)
{
    const int list = lua_gettop(L);
    measure->kind = CAROM_MEASURE_LIST;
    measure->list_count = (int)luaL_len(L, list);
    measure->list = loader_take(L, (size_t)measure->list_count, sizeof *measure->list);
    for (int i = 0; i < measure->list_count; i++) {
        lua_geti(L, list, i + 1);
        measure->list[i] = loader_column(L, loader_check_node(L, lua_gettop(L), name));
        lua_pop(L, 1);
    }
}

static int statement_measure(lua_State *L)
{
    carom_experiment *experiment = loader_of(L)->experiment;
    if (!lua_istable(L, 1))
        loader_error(L, "measure takes a table: measure { bounces = count(impact \"floor\") }; got a %s",
                     luaL_typename(L, 1));
    const char **keys = NULL;
    const int count = loader_sorted_keys(L, 1, &keys);
    if (luaL_len(L, 1) > 0 || count == 0)
        loader_error(L, "measure: give every measure a name: measure { bounces = count(impact \"floor\") }");
    for (int i = 0; i < count; i++) {
        loader_define(L, "measures", "measure", keys[i]);
        lua_getfield(L, 1, keys[i]);
        carom_measure measure = {.kind = CAROM_MEASURE_FINAL,
                                 .column = -1,
                                 .contact = -1,
                                 .from = CAROM_NO_VALUE,
                                 .to = CAROM_NO_VALUE,
                                 .every = CAROM_NO_VALUE};
        const carom_measure *given = luaL_testudata(L, -1, MEASURE);
        if (given)
            measure = *given;
        else if (lua_istable(L, -1))
            read_list(L, keys[i], &measure);
        else if (lua_isboolean(L, -1) && !lua_toboolean(L, -1)) /* x = found or false */
            measure.kind = CAROM_MEASURE_NONE;
        else /* a plain expression means its final value */
            read_subject(L, lua_gettop(L), keys[i], false, &measure);
        lua_pop(L, 1);
        measure.name = loader_text(L, keys[i]);
        experiment->measure = loader_grow(L, experiment->measure, experiment->measure_count, sizeof measure);
        experiment->measure[experiment->measure_count++] = measure;
    }
    return 0;
}

void loader_open_measures(lua_State *L)
{
    static const struct {
        const char *name;
        carom_event_kind kind;
    } events[] = {{"impact", CAROM_EVENT_IMPACT},
                  {"touching", CAROM_EVENT_CONTACT},
                  {"sticking", CAROM_EVENT_STICK},
                  {"release", CAROM_EVENT_RELEASE}};
    static const char *const types[] = {MEASURE, EVENT, ANGLE, PERIOD};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        luaL_newmetatable(L, types[i]);
        lua_pop(L, 1);
    }
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        lua_pushinteger(L, events[i].kind);
        lua_pushcclosure(L, call_event, 1);
        lua_setglobal(L, events[i].name);
    }
    for (size_t i = 0; i < sizeof reducer / sizeof *reducer; i++) {
        lua_pushinteger(L, (lua_Integer)i);
        lua_pushcclosure(L, call_reducer, 1);
        lua_setglobal(L, reducer[i].name);
    }
    static const luaL_Reg functions[] = {{"record", statement_record}, {"measure", statement_measure},
                                         {"jumps", call_jumps},        {"unwrap", call_unwrap},
                                         {"every", call_every},        {NULL, NULL}};
    lua_pushglobaltable(L);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}
