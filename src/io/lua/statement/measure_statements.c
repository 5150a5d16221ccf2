/* record { name = expression } and measure { name = reducer(...) }. */
#include "io/lua/loader.h"
#include "io/lua/loader_bodies.h"

#include <stdio.h>
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
        loader_check_name_text(L, keys[i], "record");
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

static int push_event(lua_State *L, carom_event_kind kind)
{
    const loader *load = loader_of(L);
    const bool bodies = load->bodies && !lua_isnoneornil(L, 1) && lua_type(L, 1) != LUA_TSTRING;
    const char *name = bodies ? NULL : luaL_optstring(L, 1, NULL);
    const int contact = bodies ? loader_watched_contact(L, 1)
                        : name ? loader_contact_number(load, loader_find_contact(L, name))
                               : -1;
    event *e = push_object(L, sizeof *e, EVENT);
    *e = (event){kind, contact};
    return 1;
}

bool loader_event_at(lua_State *L, int index, carom_event_kind *kind, int *contact)
{
    const event *e = luaL_testudata(L, index, EVENT);
    if (!e)
        return false;
    *kind = e->kind;
    *contact = e->contact;
    return true;
}

static int call_impact(lua_State *L)
{
    return push_event(L, CAROM_EVENT_IMPACT);
}

static int call_touching(lua_State *L)
{
    return push_event(L, CAROM_EVENT_CONTACT);
}

static int call_sticking(lua_State *L)
{
    return push_event(L, CAROM_EVENT_STICK);
}

static int call_release(lua_State *L)
{
    return push_event(L, CAROM_EVENT_RELEASE);
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

/* Without column, window and events. */
static carom_measure empty_measure(const carom_measure_ops *ops)
{
    carom_measure measure = {.ops = ops,
                             .column = -1,
                             .contact = -1,
                             .from = CAROM_NO_VALUE,
                             .to = CAROM_NO_VALUE,
                             .every = CAROM_NO_VALUE};
    for (int i = 0; i < CAROM_MEASURE_ARGUMENTS; i++)
        measure.argument[i] = CAROM_NO_VALUE;
    return measure;
}

static void read_times(lua_State *L, carom_measure *measure)
{
    const carom_value *period = luaL_testudata(L, 2, PERIOD);
    if (period) {
        measure->every = *period;
        return;
    }
    const carom_measure *moment = luaL_testudata(L, 2, MEASURE);
    if (moment && moment->ops == &carom_reduce_first) { /* at(expression, first(touching "stop")) */
        measure->ops = &carom_reduce_at_first;
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

/* "times, count, first, ...": what events go to. */
static void list_event_measures(char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < carom_measure_count(); i++) {
        const carom_measure_ops *ops = carom_measure_at(i);
        const size_t used = strlen(text);
        if (ops->subject == CAROM_MEASURE_OF_EVENTS && !ops->hidden)
            snprintf(text + used, size - used, "%s%s", used ? ", " : "", ops->name);
    }
}

static void read_subject(lua_State *L, int index, const char *name, bool of_event, carom_measure *measure)
{
    const event *e = luaL_testudata(L, index, EVENT);
    char known[400];
    if (of_event && !e)
        loader_error(L, "%s(...) takes an event: %s(impact \"floor\"), or touching, sticking, release", name,
                     name);
    if (!of_event && e) {
        list_event_measures(known, sizeof known);
        loader_error(L, "%s(...) takes an expression; events go to %s", name, known);
    }
    if (e) {
        measure->event = e->kind;
        measure->contact = e->contact;
        return;
    }
    const carom_node *angle = luaL_testudata(L, index, ANGLE);
    measure->unwrap = angle != NULL;
    measure->column = loader_column(L, angle ? *angle : loader_check_node(L, index, name));
}

/* The table behind the subject: the window and the measure's own arguments. */
static void read_named(lua_State *L, int index, carom_measure *measure)
{
    const carom_measure_ops *ops = measure->ops;
    const char *keys[CAROM_MEASURE_ARGUMENTS + 3] = {0};
    int count = 0;
    for (const carom_measure_key *key = ops->keys; key && key->name && count < CAROM_MEASURE_ARGUMENTS; key++)
        keys[count++] = key->name;
    keys[count] = "from";
    keys[count + 1] = "to";
    loader_check_keys(L, index, count > 0 ? ops->name : "the window", keys);
    for (int i = 0; i < count; i++) {
        measure->argument[i] = loader_field_value(L, index, ops->keys[i].name);
        if (ops->keys[i].needed && measure->argument[i] == CAROM_NO_VALUE)
            loader_error(L, "%s needs %s, %s: %s", ops->name, ops->keys[i].name, ops->keys[i].doc,
                         ops->example);
    }
    measure->from = loader_field_value(L, index, "from");
    measure->to = loader_field_value(L, index, "to");
}

static bool needs_named(const carom_measure_ops *ops)
{
    for (const carom_measure_key *key = ops->keys; key && key->name; key++)
        if (key->needed)
            return true;
    return false;
}

/* reducer(subject), reducer(subject, { from =, to = }), at(subject, times), ... */
static int call_reducer(lua_State *L)
{
    const carom_measure_ops *ops = lua_touserdata(L, lua_upvalueindex(1));
    const int named = ops->takes_times ? 3 : 2, least = needs_named(ops) ? named : named - 1;
    const int count = lua_gettop(L);
    if (least == named && (count != named || !lua_istable(L, named)))
        loader_error(L, "%s takes %s and its named arguments: %s", ops->name,
                     ops->subject == CAROM_MEASURE_OF_EVENTS ? "an event" : "an expression", ops->example);
    if (count < least || count > named)
        loader_error(L, "%s takes %s and, if wanted, a window { from = 1, to = 2 }; got %d arguments",
                     ops->name, ops->takes_times ? "an expression, times" : "one argument", count);
    carom_measure measure = empty_measure(ops);
    read_subject(L, 1, ops->name, ops->subject == CAROM_MEASURE_OF_EVENTS, &measure);
    if (ops->takes_times)
        read_times(L, &measure);
    if (count == named)
        read_named(L, named, &measure);
    carom_measure *object = push_object(L, sizeof *object, MEASURE);
    *object = measure;
    return 1;
}

/* { e1, e2, ... }: the last values of several expressions, as one array. */
static void read_list(lua_State *L, const char *name, carom_measure *measure)
{
    const int list = lua_gettop(L);
    measure->ops = &carom_reduce_list;
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
        loader_check_name_text(L, keys[i], "measure");
        loader_define(L, "measures", "measure", keys[i]);
        lua_getfield(L, 1, keys[i]);
        carom_measure measure = empty_measure(&carom_reduce_final);
        const carom_measure *given = luaL_testudata(L, -1, MEASURE);
        if (given)
            measure = *given;
        else if (loader_is_output(L, -1, &measure.result))
            measure.ops = NULL;
        else if (lua_istable(L, -1))
            read_list(L, keys[i], &measure);
        else if (lua_isboolean(L, -1) && !lua_toboolean(L, -1)) /* x = found or false */
            measure.ops = NULL;
        else /* a plain expression means its final value */
            read_subject(L, lua_gettop(L), keys[i], false, &measure);
        lua_pop(L, 1);
        measure.name = loader_text(L, keys[i]);
        experiment->measure = loader_grow(L, experiment->measure, experiment->measure_count, sizeof measure);
        experiment->measure[experiment->measure_count++] = measure;
    }
    return 0;
}

static void open_measures(lua_State *L)
{
    static const char *const types[] = {MEASURE, EVENT, ANGLE, PERIOD};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        luaL_newmetatable(L, types[i]);
        lua_pop(L, 1);
    }
    for (size_t i = 0; i < carom_measure_count(); i++) {
        const carom_measure_ops *ops = carom_measure_at(i);
        if (ops->hidden)
            continue;
        lua_pushlightuserdata(L, (void *)ops);
        lua_pushcclosure(L, call_reducer, 1);
        lua_setglobal(L, ops->name);
    }
}

/* ---- descriptions ----------------------------------------------------------------------------- */

const carom_statement language_record = {
    .name = "record",
    .summary = "expressions to record at each output, by name",
    .example = "record { height = y, energy = energy() }",
    .call = statement_record,
};

const carom_statement language_measure = {
    .name = "measure",
    .summary = "numbers and arrays that a run is reduced to, by name; see carom list measures",
    .example = "measure { top = maximum(y), bounces = count(impact \"floor\") }",
    .call = statement_measure,
    .open = open_measures,
};

const carom_statement language_unwrap = {
    .name = "unwrap",
    .summary = "for measures: an angle without its jumps of 2 pi",
    .example = "measure { turns = final(unwrap(atan2(y, x))) }",
    .call = call_unwrap,
};

const carom_statement language_every = {
    .name = "every",
    .summary = "for at: the multiples of a time",
    .example = "measure { samples = at(x, every(0.1)) }",
    .call = call_every,
};

const carom_statement language_impact = {
    .name = "impact",
    .summary = "event: the contact carries an impulse and carried none in the step before",
    .example = "measure { bounces = count(impact \"floor\") }",
    .call = call_impact,
};

const carom_statement language_touching = {
    .name = "touching",
    .summary = "event: the contact carries an impulse",
    .example = "measure { held = fraction(touching \"floor\") }",
    .call = call_touching,
};

const carom_statement language_sticking = {
    .name = "sticking",
    .summary = "event: the contact carries an impulse and does not slip",
    .example = "measure { rests = fraction(sticking \"floor\") }",
    .call = call_sticking,
};

const carom_statement language_release = {
    .name = "release",
    .summary = "event: the contact carries none and carried one in the step before",
    .example = "measure { lifted = times(release()) }",
    .call = call_release,
};
