/* Layers of plots: line, points and segments of outputs; curve, outline and circle, which stand still; values of lists;
 * profile and contact_map of structures; scene of bodies. */
#include <math.h>
#include <string.h>

#include "io/lua/statements.h"
#include "plot_layers.h"

static const char LAYER[] = "carom.layer";

enum {
    CIRCLE_POINTS = 120
};

carom_layer plot_empty_layer(carom_layer_kind kind)
{
    return (carom_layer){.kind = kind,
                         .x = -1,
                         .y = -1,
                         .x2 = -1,
                         .y2 = -1,
                         .every = CAROM_NO_VALUE,
                         .smooth = CAROM_NO_VALUE,
                         .from = CAROM_NO_VALUE,
                         .to = CAROM_NO_VALUE,
                         .at = CAROM_NO_VALUE};
}

static void push_layer(lua_State *L, const carom_layer *layer)
{
    carom_layer *object = lua_newuserdatauv(L, sizeof *object, 0);
    *object = *layer;
    luaL_setmetatable(L, LAYER);
}

static void check_style(lua_State *L, const char *style)
{
    static const char *const known[] = {"solid", "dashed", "dotted", "cross", "plus", "circle", "dot"};
    for (size_t i = 0; style && i < sizeof known / sizeof *known; i++)
        if (strcmp(style, known[i]) == 0)
            return;
    if (style)
        loader_error(
            L,
            "unknown style '%s'; known are solid, dashed, dotted for lines, cross, plus, circle, dot for "
            "points",
            style);
}

static void add_mark(lua_State *L, carom_layer *layer, carom_event_kind kind, int contact)
{
    if (kind == CAROM_EVENT_CONTACT)
        loader_error(L, "marks: touching lasts; mark where it begins and ends: impact, release, sticking");
    layer->mark = loader_grow(L, layer->mark, layer->mark_count, sizeof *layer->mark);
    layer->mark[layer->mark_count++] = (carom_layer_mark){kind, contact};
}

/* marks = true: impacts, and changes between stick and slip; or an event, or a list of them. */
static void read_marks(lua_State *L, int index, carom_layer *layer)
{
    carom_event_kind kind;
    int contact;
    lua_getfield(L, index, "marks");
    const int marks = lua_gettop(L);
    const int count = lua_istable(L, marks) ? (int)luaL_len(L, marks) : 0;
    if (lua_isboolean(L, marks) && lua_toboolean(L, marks)) {
        add_mark(L, layer, CAROM_EVENT_IMPACT, -1);
        add_mark(L, layer, CAROM_EVENT_STICK, -1);
    } else if (loader_event_at(L, marks, &kind, &contact)) {
        add_mark(L, layer, kind, contact);
    } else if (lua_toboolean(L, marks) && count == 0) {
        loader_error(
            L,
            "marks takes true, an event or a list of events: marks = { impact \"floor\", sticking() }; got a "
            "%s",
            luaL_typename(L, marks));
    }
    for (int i = 1; i <= count; i++) {
        lua_geti(L, marks, i);
        if (!loader_event_at(L, -1, &kind, &contact))
            loader_error(L, "marks: entry %d is not an event: impact, release or sticking of a contact", i);
        else
            add_mark(L, layer, kind, contact);
        lua_pop(L, 1);
    }
    lua_settop(L, marks - 1);
}

void plot_read_layer_options(lua_State *L, int index, carom_layer *layer)
{
    layer->label = plot_label(L, index, "label");
    layer->style = (char *)loader_field_text(L, index, "style");
    check_style(L, layer->style);
    layer->every = loader_field_value(L, index, "every");
    layer->from = loader_field_value(L, index, "from");
    layer->to = loader_field_value(L, index, "to");
    layer->smooth = loader_field_value(L, index, "smooth");
    layer->numbered = loader_field_bool(L, index, "numbered");
    layer->family = loader_field_bool(L, index, "family");
    read_marks(L, index, layer);
}

/* Column of entry `position` of the table at 1, or of its field `key`. */
static int entry_column(lua_State *L, int position, const char *key, const char *layer)
{
    lua_geti(L, 1, position);
    if (lua_isnil(L, -1) && key)
        lua_getfield(L, 1, key);
    if (lua_isnil(L, -1))
        loader_error(L, "%s: entry %d is missing; %s", layer, position,
                     key ? "write line { x, y }" : "write segments { x1, y1, x2, y2 }");
    const int column = loader_column(L, loader_check_node(L, lua_gettop(L), layer));
    lua_settop(L, 1);
    return column;
}

static int make_curve(lua_State *L, carom_layer_kind kind, const carom_statement *statement)
{
    const char *name = statement->name;
    loader_check_statement(L, 1, statement);
    carom_layer layer = plot_empty_layer(kind);
    layer.x = entry_column(L, 1, "x", name);
    layer.y = entry_column(L, 2, "y", name);
    if (kind == CAROM_LAYER_SEGMENTS) {
        layer.x2 = entry_column(L, 3, NULL, name);
        layer.y2 = entry_column(L, 4, NULL, name);
    }
    plot_read_layer_options(L, 1, &layer);
    if (kind == CAROM_LAYER_SEGMENTS && layer.smooth != CAROM_NO_VALUE)
        loader_error(L, "segments cannot be smoothed; line and points can");
    if (kind == CAROM_LAYER_SEGMENTS && layer.mark_count > 0)
        loader_error(L, "segments have no marks; line and points can");
    push_layer(L, &layer);
    return 1;
}

static int call_line(lua_State *L)
{
    return make_curve(L, CAROM_LAYER_LINE, &language_line);
}

static int call_points(lua_State *L)
{
    return make_curve(L, CAROM_LAYER_POINTS, &language_points);
}

static int call_segments(lua_State *L)
{
    return make_curve(L, CAROM_LAYER_SEGMENTS, &language_segments);
}

/* The points of curve { r.points } or curve { x = r.t, y = r.u }; false when they are written out. */
static bool read_computed_points(lua_State *L, const char *who, carom_layer *layer)
{
    lua_geti(L, 1, 1);
    const bool points = loader_is_output(L, -1, &layer->list);
    if (points && luaL_len(L, 1) != 1)
        loader_error(L, "%s takes one list of points that a study finds: %s { r.points }", who, who);
    const bool x = lua_getfield(L, 1, "x") != LUA_TNIL, y = lua_getfield(L, 1, "y") != LUA_TNIL;
    if ((x || y) &&
        (points || !loader_is_output(L, -2, &layer->list_x) || !loader_is_output(L, -1, &layer->list_y)))
        loader_error(L, "%s: x and y are lists that a study finds: %s { x = r.t, y = r.u }", who, who);
    lua_settop(L, 1);
    return points || x || y;
}

/* Fixed points: outline { {0, 0}, {1, 0} } is part of the scene, curve { ... } one of the curves. */
static int make_fixed(lua_State *L, const carom_statement *statement, bool coloured)
{
    const char *who = statement->name;
    loader_check_statement(L, 1, statement);
    carom_layer layer = plot_empty_layer(CAROM_LAYER_OUTLINE);
    layer.coloured = coloured;
    if (read_computed_points(L, who, &layer)) {
        plot_read_layer_options(L, 1, &layer);
        push_layer(L, &layer);
        return 1;
    }
    layer.point_count = (int)luaL_len(L, 1);
    if (layer.point_count < 1)
        loader_error(L, "%s takes points: %s { {0, 0}, {1, 0} }", who, who);
    layer.point = loader_take(L, 2 * (size_t)layer.point_count, sizeof *layer.point);
    for (int i = 0; i < layer.point_count; i++) {
        if (lua_geti(L, 1, i + 1) != LUA_TTABLE || luaL_len(L, -1) != 2)
            loader_error(L, "%s: point %d is not a pair { x, y }", who, i + 1);
        for (int c = 0; c < 2; c++) {
            lua_geti(L, -1, c + 1);
            layer.point[2 * i + c] =
                loader_value(L, lua_gettop(L), coloured ? "a point of curve" : "a point of outline");
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    plot_read_layer_options(L, 1, &layer);
    push_layer(L, &layer);
    return 1;
}

static int call_outline(lua_State *L)
{
    return make_fixed(L, &language_outline, false);
}

static int call_fixed_curve(lua_State *L)
{
    return make_fixed(L, &language_curve, true);
}

/* circle { x, y, radius }: an outline of many points. */
static int call_circle(lua_State *L)
{
    loader *load = loader_of(L);
    loader_check_statement(L, 1, &language_circle);
    carom_node given[3];
    for (int i = 0; i < 3; i++) {
        lua_geti(L, 1, i + 1);
        given[i] = loader_check_node(L, lua_gettop(L), "circle { x, y, radius }");
        lua_pop(L, 1);
    }
    carom_layer layer = plot_empty_layer(CAROM_LAYER_OUTLINE);
    layer.point_count = CIRCLE_POINTS + 1;
    layer.point = loader_take(L, 2 * (size_t)layer.point_count, sizeof *layer.point);
    for (int i = 0; i < layer.point_count; i++) {
        const double angle = 2.0 * CAROM_PI * i / CIRCLE_POINTS;
        const double direction[2] = {cos(angle), sin(angle)};
        for (int c = 0; c < 2; c++) {
            carom_node offset =
                carom_binary(load->graph, CAROM_OP_MUL, given[2], carom_constant(load->graph, direction[c]));
            loader_push_node(L, carom_binary(load->graph, CAROM_OP_ADD, given[c], offset));
            layer.point[2 * i + c] = loader_value(L, lua_gettop(L), "a point of circle");
            lua_pop(L, 1);
        }
    }
    plot_read_layer_options(L, 1, &layer);
    push_layer(L, &layer);
    return 1;
}

/* values { { e1, e2, ... } }: one point per entry, its number across, at the last output shown. */
static int call_values(lua_State *L)
{
    loader_check_statement(L, 1, &language_values);
    carom_layer layer = plot_empty_layer(CAROM_LAYER_VALUES);
    lua_geti(L, 1, 1);
    if (loader_is_output(L, -1, &layer.list)) {
        lua_settop(L, 1);
        plot_read_layer_options(L, 1, &layer);
        push_layer(L, &layer);
        return 1;
    }
    if (!lua_istable(L, -1) || luaL_len(L, 1) != 1 || luaL_len(L, -1) < 1)
        loader_error(L, "values takes one list of expressions: values { { x, y, z } }");
    const int list = lua_gettop(L);
    layer.column_count = (int)luaL_len(L, list);
    layer.column = loader_take(L, (size_t)layer.column_count, sizeof *layer.column);
    for (int i = 0; i < layer.column_count; i++) {
        lua_geti(L, list, i + 1);
        layer.column[i] = loader_column(L, loader_check_node(L, lua_gettop(L), "values"));
        lua_settop(L, list);
    }
    lua_settop(L, 1);
    plot_read_layer_options(L, 1, &layer);
    push_layer(L, &layer);
    return 1;
}

static int call_profile(lua_State *L)
{
    loader_check_statement(L, 1, &language_profile);
    if (luaL_len(L, 1) > 0)
        loader_error(L, "profile takes no entries; write profile { every = 0.1, from = 0, to = 1 }");
    carom_layer layer = plot_empty_layer(CAROM_LAYER_PROFILE);
    plot_read_layer_options(L, 1, &layer);
    push_layer(L, &layer);
    return 1;
}

static int call_contact_map(lua_State *L)
{
    loader_check_statement(L, 1, &language_contact_map);
    lua_geti(L, 1, 1);
    const char *side = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    const bool upper = strcmp(side, "upper") == 0;
    if ((!upper && strcmp(side, "lower") != 0) || luaL_len(L, 1) != 1)
        loader_error(L, "contact_map takes one side: contact_map { \"lower\" } or contact_map { \"upper\" }");
    lua_pop(L, 1);
    carom_layer layer = plot_empty_layer(CAROM_LAYER_CONTACTS);
    layer.upper = upper;
    plot_read_layer_options(L, 1, &layer);
    push_layer(L, &layer);
    return 1;
}

static void read_view(lua_State *L, carom_layer *layer)
{
    double *const angle[2] = {&layer->azimuth, &layer->elevation};
    const int type = lua_getfield(L, 1, "view");
    bool good = type == LUA_TNIL || (type == LUA_TTABLE && luaL_len(L, -1) == 2);
    for (int i = 0; good && type == LUA_TTABLE && i < 2; i++) {
        int is_number = 0;
        lua_geti(L, 2, i + 1);
        *angle[i] = lua_tonumberx(L, -1, &is_number);
        good = is_number && isfinite(*angle[i]);
        lua_pop(L, 1);
    }
    if (!good)
        loader_error(L, "scene: view is { azimuth, elevation }, two angles in degrees");
    lua_settop(L, 1);
}

/* scene { at = 1 }, scene { every = 0.1 }: bodies, from where view = { azimuth, elevation } is. */
static int call_scene(lua_State *L)
{
    loader_check_statement(L, 1, &language_scene);
    if (luaL_len(L, 1) > 0)
        loader_error(
            L,
            "scene takes no entries, and shows all bodies; write scene { at = 1 } or scene { every = 0.1 }");
    if (!loader_of(L)->bodies)
        loader_error(L, "scene shows bodies with shapes; this model has none: body { ... }");
    carom_layer layer = plot_empty_layer(CAROM_LAYER_SCENE);
    plot_read_layer_options(L, 1, &layer);
    layer.at = loader_field_value(L, 1, "at");
    if (layer.at != CAROM_NO_VALUE && layer.every != CAROM_NO_VALUE)
        loader_error(L, "scene: give at or every, not both");
    read_view(L, &layer);
    push_layer(L, &layer);
    return 1;
}

const carom_layer *plot_layer_at(lua_State *L, int index)
{
    return luaL_testudata(L, index, LAYER);
}

static void open_layers(lua_State *L)
{
    luaL_newmetatable(L, LAYER);
    lua_pop(L, 1);
}

/* ---- descriptions ----------------------------------------------------------------------------- */

/* of line, points and segments */
static const carom_statement_key line_keys[] = {
    PLOT_CURVE_KEYS,
    {0},
};

const carom_statement language_line = {
    .name = "line",
    .summary = "layer of a plot: a line through the outputs",
    .example = "line { time(), x, label = \"x\" }",
    .keys = line_keys,
    .call = call_line,
    .open = open_layers,
};

const carom_statement language_points = {
    .name = "points",
    .summary = "layer of a plot: a point per output",
    .example = "points { x, y, every = 0.1 }",
    .keys = line_keys,
    .call = call_points,
};

const carom_statement language_segments = {
    .name = "segments",
    .summary = "layer of a plot: a segment per output",
    .example = "segments { x1, y1, x2, y2, every = 0.1 }",
    .keys = line_keys,
    .call = call_segments,
};

/* of fixed points */
static const carom_statement_key outline_keys[] = {
    {"label", "text in the legend"},
    {"style", "\"solid\", \"dashed\", \"dotted\"; points: \"cross\", \"plus\", \"circle\", \"dot\""},
    {0},
};

static const carom_statement_key fixed_keys[] = {
    {"label", "text in the legend"},
    {"style", "\"solid\", \"dashed\", \"dotted\"; points: \"cross\", \"plus\", \"circle\", \"dot\""},
    {"x", "with y: lists that a study finds, in place of points"},
    {"y", "likewise"},
    {0},
};

const carom_statement language_outline = {
    .name = "outline",
    .summary = "layer of a plot: fixed points as a thin grey line, for walls",
    .example = "outline { {0, 0}, {1, 0} }",
    .keys = fixed_keys,
    .call = call_outline,
};

const carom_statement language_curve = {
    .name = "curve",
    .summary = "layer of a plot: fixed points as one of the curves",
    .example = "curve { {0, 0}, {1, 0.5}, label = \"exact\" }",
    .keys = fixed_keys,
    .call = call_fixed_curve,
};

const carom_statement language_circle = {
    .name = "circle",
    .summary = "layer of a plot: a fixed circle x, y, radius",
    .example = "circle { 0, 0, 1, style = \"dashed\" }",
    .keys = outline_keys,
    .call = call_circle,
};

static const carom_statement_key values_keys[] = {
    {"label", "text in the legend"},
    {"style", "\"solid\", \"dashed\", \"dotted\"; points: \"cross\", \"plus\", \"circle\", \"dot\""},
    {"from", "window of time"},
    {"to", "window of time"},
    {"family", "true: once per member of the family"},
    {0},
};

const carom_statement language_values = {
    .name = "values",
    .summary = "layer of a plot: a point (number, value) per entry of a list",
    .example = "values { { x, y, z } }",
    .keys = values_keys,
    .call = call_values,
};

/* of layers of structures */
static const carom_statement_key profile_keys[] = {
    {"label", "text in the legend"},
    {"style", "\"solid\", \"dashed\", \"dotted\"; points: \"cross\", \"plus\", \"circle\", \"dot\""},
    {"every", "only the outputs nearest to multiples of this time"},
    {"from", "window of time"},
    {"to", "window of time"},
    {0},
};

const carom_statement language_profile = {
    .name = "profile",
    .summary = "layer of a plot: the shape of a structure at each output shown",
    .example = "profile { every = 0.02 }",
    .keys = profile_keys,
    .call = call_profile,
};

const carom_statement language_contact_map = {
    .name = "contact_map",
    .summary = "layer of a plot: where and when a structure touches",
    .example = "contact_map { \"lower\", every = 0.1 }",
    .keys = profile_keys,
    .call = call_contact_map,
};

static const carom_statement_key scene_keys[] = {
    {"at", "the time; default: the end"},
    {"every", "instead: the outputs nearest to multiples of this time, light to dark"},
    {"from", "window of time"},
    {"to", "window of time"},
    {"view", "in space: { azimuth, elevation } of the viewer, in degrees; default { 0, 0 }: he looks along "
             "y, z is up"},
    {"style", "\"solid\", \"dashed\", \"dotted\""},
    {0},
};

const carom_statement language_scene = {
    .name = "scene",
    .summary = "layer of a plot: the shapes of all bodies, where they are at a time",
    .example = "scene { at = 0.5 }",
    .keys = scene_keys,
    .call = call_scene,
};
