/* plot { "name", x = ..., y = ... } for one curve, or with layers and panels:
 *
 *   plot { "name", title = "...", columns = 2,
 *          panel { xlabel = "x", ylabel = "y", equal = true, xrange = { 0, 1 },
 *                  line { x, y, label = "...", family = true }, points { x, y, every = 0.1, numbered = true },
 *                  segments { x1, y1, x2, y2, every = 0.1 }, outline { {0, 0}, {1, 0} }, circle { 0, 0, 1 } },
 *          panel { ... } }
 *
 * A structure has two layers more: profile { every = 0.1 } and contact_map { "lower", every = 0.1 }.
 * Layers directly in a plot make one panel. `only = { "variant", ... }` keeps a plot for those variants. */
#include <string.h>

#include "io/lua/statements.h"
#include "plot_layers.h"

static const char PANEL[] = "carom.panel";

/* ---- panels --------------------------------------------------------------------------------- */

static void read_range(lua_State *L, int index, const char *key, carom_value range[2])
{
    range[0] = range[1] = CAROM_NO_VALUE;
    if (lua_getfield(L, index, key) != LUA_TNIL) {
        if (!lua_istable(L, -1) || luaL_len(L, -1) != 2)
            loader_error(L, "%s takes two numbers: %s = { 0, 1 }", key, key);
        const int table = lua_gettop(L);
        for (int i = 0; i < 2; i++) {
            lua_geti(L, table, i + 1);
            range[i] = loader_value(L, lua_gettop(L), key);
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
}

static void read_panel_options(lua_State *L, int index, carom_panel *panel)
{
    carom_value range[2];
    panel->title = plot_label(L, index, "title");
    panel->xlabel = plot_label(L, index, "xlabel");
    panel->ylabel = plot_label(L, index, "ylabel");
    panel->equal = loader_field_bool(L, index, "equal");
    panel->xlog = loader_field_bool(L, index, "xlog");
    panel->ylog = loader_field_bool(L, index, "ylog");
    if (panel->equal && (panel->xlog || panel->ylog))
        loader_error(
            L, "equal means the same unit on both axes, which logarithmic ones do not have: leave one out");
    read_range(L, index, "xrange", range);
    panel->xmin = range[0];
    panel->xmax = range[1];
    read_range(L, index, "yrange", range);
    panel->ymin = range[0];
    panel->ymax = range[1];
}

static void add_layer(lua_State *L, carom_panel *panel, const carom_layer *layer)
{
    panel->layer = loader_grow(L, panel->layer, panel->layer_count, sizeof *layer);
    panel->layer[panel->layer_count++] = *layer;
}

/* Adds the layers among the list entries of the table at `index`, from entry `first` on. */
static void read_layers(lua_State *L, int index, int first, carom_panel *panel)
{
    const int count = (int)luaL_len(L, index);
    for (int i = first; i <= count; i++) {
        lua_geti(L, index, i);
        const carom_layer *layer = plot_layer_at(L, -1);
        if (!layer)
            loader_error(L,
                         "entry %d of this panel is not a layer: line, points, segments, curve, outline, "
                         "circle, values, profile or contact_map",
                         i);
        else
            add_layer(L, panel, layer);
        lua_pop(L, 1);
    }
}

static int call_panel(lua_State *L)
{
    loader_check_statement(L, 1, &language_panel);
    carom_panel panel = {0};
    read_panel_options(L, 1, &panel);
    read_layers(L, 1, 1, &panel);
    if (panel.layer_count == 0)
        loader_error(L, "panel: no layers; add line { x, y }");
    carom_panel *object = lua_newuserdatauv(L, sizeof *object, 0);
    *object = panel;
    luaL_setmetatable(L, PANEL);
    return 1;
}

/* ---- plot ----------------------------------------------------------------------------------- */

/* A label for an axis that shows a plain symbol: its name. */
static char *axis_label(lua_State *L, int index)
{
    const char *text = luaL_tolstring(L, index, NULL);
    char *label = strcmp(text, "time()") == 0       ? loader_text(L, "t")
                  : strcmp(text, "expression") == 0 ? NULL
                                                    : plot_symbol_label(L, text);
    lua_pop(L, 1);
    return label;
}

/* plot { "name", x = time(), y = y } or y = { a, b }, with labels from the symbols' names. */
static void read_simple_curves(lua_State *L, carom_panel *panel)
{
    carom_layer layer = plot_empty_layer(CAROM_LAYER_LINE);
    lua_getfield(L, 1, "x");
    if (!panel->xlabel)
        panel->xlabel = axis_label(L, lua_gettop(L));
    layer.x = loader_column(L, loader_check_node(L, lua_gettop(L), "x of plot"));
    lua_getfield(L, 1, "y");
    const int y = lua_gettop(L);
    plot_read_layer_options(L, 1, &layer);
    if (loader_is_expression(L, y)) {
        if (!panel->ylabel)
            panel->ylabel = axis_label(L, y);
        layer.y = loader_column(L, loader_check_node(L, y, "y of plot"));
        add_layer(L, panel, &layer);
        return;
    }
    if (!lua_istable(L, y) || luaL_len(L, y) == 0)
        loader_error(L, "plot: y is missing; write plot { \"name\", x = time(), y = x }");
    for (int i = 1; i <= (int)luaL_len(L, y); i++) {
        lua_geti(L, y, i);
        layer.label = axis_label(L, lua_gettop(L));
        layer.y = loader_column(L, loader_check_node(L, lua_gettop(L), "y of plot"));
        add_layer(L, panel, &layer);
        lua_pop(L, 1);
    }
}

static bool wanted_for_variant(lua_State *L)
{
    if (lua_getfield(L, 1, "only") == LUA_TNIL) {
        lua_pop(L, 1);
        return true;
    }
    if (!lua_istable(L, -1))
        loader_error(
            L, "plot: only takes a list of variants: only = { \"plate-12\" }; \"\" is the plain experiment");
    const char *active = loader_of(L)->request->variant;
    bool wanted = false;
    for (int i = 1; i <= (int)luaL_len(L, -1); i++) {
        lua_geti(L, -1, i);
        const char *name = lua_tostring(L, -1);
        wanted = wanted || (name && strcmp(name, active ? active : "") == 0);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return wanted;
}

static void add_panel(lua_State *L, carom_plot *plot, const carom_panel *panel)
{
    plot->panel = loader_grow(L, plot->panel, plot->panel_count, sizeof *panel);
    plot->panel[plot->panel_count++] = *panel;
}

static void read_panels(lua_State *L, carom_plot *plot)
{
    carom_panel own = {0};
    lua_geti(L, 1, 2);
    const bool has_panels = luaL_testudata(L, -1, PANEL) != NULL;
    const bool has_layers = plot_layer_at(L, -1) != NULL;
    lua_pop(L, 1);
    if (!has_panels) {
        read_panel_options(L, 1, &own);
        own.title = NULL; /* title belongs to the plot */
        if (has_layers)
            read_layers(L, 1, 2, &own);
        else
            read_simple_curves(L, &own);
        add_panel(L, plot, &own);
        return;
    }
    for (int i = 2; i <= (int)luaL_len(L, 1); i++) {
        lua_geti(L, 1, i);
        const carom_panel *panel = luaL_testudata(L, -1, PANEL);
        if (!panel)
            loader_error(L, "plot: entry %d is not a panel; do not mix panels and layers", i);
        else
            add_panel(L, plot, panel);
        lua_pop(L, 1);
    }
}

static int read_columns(lua_State *L, const char *plot)
{
    enum {
        MOST_COLUMNS = 6
    };
    lua_Integer columns = 1;
    if (lua_getfield(L, 1, "columns") != LUA_TNIL) {
        int whole = 0;
        columns = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &whole) : 0;
        if (!whole || columns < 1 || columns > MOST_COLUMNS)
            loader_error(L, "plot '%s': columns must be a whole number from 1 to %d", plot, MOST_COLUMNS);
    }
    lua_pop(L, 1);
    return (int)columns;
}

static int statement_plot(lua_State *L)
{
    carom_experiment *experiment = loader_of(L)->experiment;
    loader_check_statement(L, 1, &language_plot);
    lua_geti(L, 1, 1);
    carom_plot plot = {.name = loader_text(L, loader_check_name(L, -1, "plot"))};
    lua_settop(L, 1);
    loader_define(L, "plots", "plot", plot.name);
    plot.title = plot_label(L, 1, "title");
    plot.columns = read_columns(L, plot.name);
    read_panels(L, &plot);
    lua_settop(L, 1);
    if (!wanted_for_variant(L))
        return 0;
    experiment->plot = loader_grow(L, experiment->plot, experiment->plot_count, sizeof plot);
    experiment->plot[experiment->plot_count++] = plot;
    return 0;
}

carom_status loader_check_plots(const carom_experiment *experiment, carom_error *error)
{
    const carom_model_ops *ops = experiment->model->ops;
    if (ops->profile && ops->profile_points && ops->contact_place)
        return CAROM_OK;
    for (int p = 0; p < experiment->plot_count; p++)
        for (int k = 0; k < experiment->plot[p].panel_count; k++) {
            const carom_panel *panel = &experiment->plot[p].panel[k];
            for (int l = 0; l < panel->layer_count; l++) {
                const carom_layer_kind kind = panel->layer[l].kind;
                if (kind == CAROM_LAYER_PROFILE || kind == CAROM_LAYER_CONTACTS)
                    return carom_fail(error, CAROM_BAD_INPUT,
                                      "%s: plot '%s': %s needs a structure such as beam { ... }",
                                      experiment->file, experiment->plot[p].name,
                                      kind == CAROM_LAYER_PROFILE ? "profile" : "contact_map");
            }
        }
    return CAROM_OK;
}

static void open_plots(lua_State *L)
{
    luaL_newmetatable(L, PANEL);
    lua_pop(L, 1);
}

/* ---- descriptions ----------------------------------------------------------------------------- */

static const carom_statement_key plot_keys[] = {
    {"title", "text above"},
    {"columns", "panels side by side; default 1"},
    {"only", "list of variants that it belongs to"},
    {"xlabel", "text of the axis"},
    {"ylabel", "text of the axis"},
    {"equal", "true: the same unit on both axes"},
    {"xlog", "true: a logarithmic axis"},
    {"ylog", "true: a logarithmic axis"},
    {"xrange", "{ low, high }; default: from the data"},
    {"yrange", "likewise"},
    PLOT_CURVE_KEYS,
    {0},
};

const carom_statement language_plot = {
    .name = "plot",
    .summary = "a picture: one curve, layers, or panels",
    .example = "plot { \"height\", x = time(), y = y }",
    .keys = plot_keys,
    .call = statement_plot,
    .open = open_plots,
};

static const carom_statement_key panel_keys[] = {
    {"title", "text above"},
    {"xlabel", "text of the axis"},
    {"ylabel", "text of the axis"},
    {"equal", "true: the same unit on both axes"},
    {"xlog", "true: a logarithmic axis"},
    {"ylog", "true: a logarithmic axis"},
    {"xrange", "{ low, high }; default: from the data"},
    {"yrange", "likewise"},
    {0},
};

const carom_statement language_panel = {
    .name = "panel",
    .summary = "a part of a plot with its own axes",
    .example = "panel { xlabel = \"t\", line { time(), x } }",
    .keys = panel_keys,
    .call = call_panel,
};
