/* draw { disc(x, y, r), segment(p, q), ... }: how a model looks. Points are tables of expressions, { x, y } or { x, y, z };
 * options stand in a table behind them: disc(x, y, r, { name = "ball", colour = "red" }). */
#include "io/lua/draw_statements.h"

#include <string.h>

#include "io/lua/statements.h"

static const char ITEM[] = "carom.draw";

enum {
    ITEMS_MOST = 100000,
};

/* ---- numbers and points ----------------------------------------------------------------------------- */

/* The number of an expression among those that change with time. */
static int look_number(lua_State *L, carom_node node)
{
    loader *load = loader_of(L);
    load->look = loader_grow(L, load->look, load->looks, sizeof *load->look);
    load->look[load->looks] = node;
    return load->looks++;
}

static carom_draw_number read_number(lua_State *L, int index, const char *what)
{
    const carom_node node = loader_check_node(L, index, what);
    const unsigned depends = carom_node_depends(loader_of(L)->graph, node);
    const unsigned unknown = CAROM_ON_PLACE | CAROM_ON_OBSERVED | CAROM_ON_ACCELERATION | CAROM_ON_MULTIPLIER;
    if (depends & unknown)
        loader_error(
            L,
            "%s: what is drawn may depend on parameters, coordinates, velocities, impulses and time; this "
            "depends on something else",
            what);
    if (depends & ~(unsigned)CAROM_ON_PARAMETER)
        return (carom_draw_number){.look = look_number(L, node), .value = -1};
    return (carom_draw_number){.look = -1, .value = loader_value(L, index, what)};
}

static void add_number(lua_State *L, carom_draw_item *item, carom_draw_number number)
{
    item->number = loader_grow(L, item->number, item->number_count, sizeof number);
    item->number[item->number_count++] = number;
}

/* { x, y } or { x, y, z }; all points of an item are alike. */
static void add_point(lua_State *L, carom_draw_item *item, int index, const char *statement)
{
    const int count = lua_istable(L, index) ? (int)luaL_len(L, index) : 0;
    if (count != 2 && count != 3)
        loader_error(L, "%s: a point is { x, y }, in space { x, y, z }; got %s", statement,
                     lua_istable(L, index) ? "a table of another length" : luaL_typename(L, index));
    if (item->dimension != 0 && item->dimension != count)
        loader_error(L, "%s: one point has %d numbers and another %d", statement, item->dimension, count);
    item->dimension = count;
    for (int i = 1; i <= count; i++) {
        lua_geti(L, index, i);
        add_number(L, item, read_number(L, lua_gettop(L), statement));
        lua_pop(L, 1);
    }
}

/* ---- options ---------------------------------------------------------------------------------------- */

static const char *const OPTIONS[] = {"name",  "colour", "dashed",     "dotted", "fill",
                                      "scale", "closed", "exaggerate", NULL};

/* Letters, digits and # ( ) , . % and spaces: a colour is given to a browser as it is. */
static void check_colour(lua_State *L, const char *colour)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#(),.% ";
    enum {
        LONGEST = 40
    };
    if (colour && (strlen(colour) > LONGEST || strspn(colour, good) != strlen(colour)))
        loader_error(L, "colour takes a name such as \"red\" or a number such as \"#d55e00\"");
}

static void read_options(lua_State *L, int index, const char *statement, carom_draw_item *item)
{
    if (lua_isnoneornil(L, index))
        return;
    luaL_checktype(L, index, LUA_TTABLE);
    loader_check_keys(L, index, statement, OPTIONS);
    item->name = (char *)loader_field_text(L, index, "name");
    item->colour = (char *)loader_field_text(L, index, "colour");
    check_colour(L, item->colour);
    item->dashed = loader_field_bool(L, index, "dashed");
    item->dotted = loader_field_bool(L, index, "dotted");
    item->closed = loader_field_bool(L, index, "closed");
    item->exaggerates = loader_field_bool(L, index, "exaggerate");
    if (lua_getfield(L, index, "fill") != LUA_TNIL)
        item->filled = lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (lua_getfield(L, index, "scale") != LUA_TNIL) {
        item->scale = luaL_checknumber(L, -1);
        if (!(item->scale > 0.0 && item->scale < HUGE_VAL))
            loader_error(L, "%s: scale is a positive number", statement);
    }
    lua_pop(L, 1);
}

static int push_item(lua_State *L, const carom_draw_item *item)
{
    carom_draw_item *object = lua_newuserdatauv(L, sizeof *object, 0);
    *object = *item;
    luaL_setmetatable(L, ITEM);
    return 1;
}

static carom_draw_item empty_item(carom_draw_kind kind)
{
    return (carom_draw_item){.kind = kind, .contact = -1, .filled = true};
}

/* ---- what can be drawn ------------------------------------------------------------------------------ */

int draw_disc(lua_State *L)
{
    carom_draw_item item = empty_item(CAROM_DRAW_DISC);
    item.points = 1;
    if (lua_istable(L, 1)) { /* disc({ x, y, z }, r) */
        add_point(L, &item, 1, "disc");
        lua_remove(L, 1);
    } else {
        item.dimension = 2;
        add_number(L, &item, read_number(L, 1, "disc"));
        add_number(L, &item, read_number(L, 2, "disc"));
        lua_remove(L, 1);
        lua_remove(L, 1);
    }
    if (lua_isnoneornil(L, 1))
        loader_error(L, "disc: its radius is missing; write disc(x, y, r) or disc(x, y, r, angle)");
    add_number(L, &item, read_number(L, 1, "disc"));
    const bool turns = loader_is_expression(L, 2);
    add_number(L, &item, turns ? read_number(L, 2, "disc") : (carom_draw_number){.look = -1, .value = -1});
    read_options(L, turns ? 3 : 2, "disc", &item);
    return push_item(L, &item);
}

/* From one point to another. */
static int between(lua_State *L, carom_draw_kind kind, const char *statement)
{
    carom_draw_item item = empty_item(kind);
    item.points = 2;
    int next = 3;
    for (int i = 1; i <= 2; i++)
        add_point(L, &item, i, statement);
    if (kind == CAROM_DRAW_ROD) {
        if (!loader_is_expression(L, next))
            loader_error(L, "rod: its radius is missing; write rod({ x1, y1 }, { x2, y2 }, r)");
        add_number(L, &item, read_number(L, next++, statement));
    }
    read_options(L, next, statement, &item);
    return push_item(L, &item);
}

static int call_segment(lua_State *L)
{
    return between(L, CAROM_DRAW_SEGMENT, "segment");
}

static int call_spring(lua_State *L)
{
    return between(L, CAROM_DRAW_SPRING, "spring");
}

static int call_damper(lua_State *L)
{
    return between(L, CAROM_DRAW_DAMPER, "damper");
}

static int call_rod(lua_State *L)
{
    return between(L, CAROM_DRAW_ROD, "rod");
}

/* A place, and for arrows what stands there. */
static int at_point(lua_State *L, carom_draw_kind kind, const char *statement)
{
    carom_draw_item item = empty_item(kind);
    item.points = 1;
    int next = 2;
    add_point(L, &item, 1, statement);
    if (kind == CAROM_DRAW_ARROW)
        add_point(L, &item, next++, statement);
    if (kind == CAROM_DRAW_TEXT)
        item.text = loader_text(L, luaL_checkstring(L, next++));
    read_options(L, next, statement, &item);
    return push_item(L, &item);
}

static int call_path(lua_State *L)
{
    return at_point(L, CAROM_DRAW_PATH, "path");
}

static int call_arrow(lua_State *L)
{
    return at_point(L, CAROM_DRAW_ARROW, "arrow");
}

static int call_text(lua_State *L)
{
    return at_point(L, CAROM_DRAW_TEXT, "text");
}

static int call_pin(lua_State *L)
{
    return at_point(L, CAROM_DRAW_PIN, "pin");
}

static int call_touch(lua_State *L)
{
    carom_draw_item item = empty_item(CAROM_DRAW_CONTACT);
    const char *name = luaL_checkstring(L, 1);
    item.points = 1;
    item.contact = loader_find_contact(L, name);
    item.name = loader_text(L, name);
    add_point(L, &item, 2, "touch");
    add_point(L, &item, 3, "touch");
    lua_settop(L, 4);
    read_options(L, 4, "touch", &item);
    item.name = item.name ? item.name : loader_text(L, name);
    return push_item(L, &item);
}

/* Points in a table, with options beside them. */
static int through_points(lua_State *L, carom_draw_kind kind, const char *statement, int least)
{
    carom_draw_item item = empty_item(kind);
    luaL_checktype(L, 1, LUA_TTABLE);
    read_options(L, 1, statement, &item);
    const int count = (int)luaL_len(L, 1);
    if (count < least)
        loader_error(L, "%s needs %d points or more: %s { { x1, y1 }, { x2, y2 }, ... }", statement, least,
                     statement);
    for (int i = 1; i <= count; i++) {
        lua_geti(L, 1, i);
        add_point(L, &item, lua_gettop(L), statement);
        lua_pop(L, 1);
        item.points++;
    }
    return push_item(L, &item);
}

int draw_polygon(lua_State *L)
{
    return through_points(L, CAROM_DRAW_POLYGON, "polygon", 3);
}

static int call_wall(lua_State *L)
{
    return through_points(L, CAROM_DRAW_WALL, "wall", 2);
}

static int call_deformed(lua_State *L)
{
    return through_points(L, CAROM_DRAW_CURVE, "deformed", 2);
}

bool draw_is_symbolic(lua_State *L, int index)
{
    const int top = lua_gettop(L);
    bool found = false;
    for (int i = 1; !found && lua_istable(L, index) && i <= (int)luaL_len(L, index); i++) {
        lua_geti(L, index, i);
        for (int k = 1; !found && lua_istable(L, -1) && k <= (int)luaL_len(L, -1); k++) {
            lua_geti(L, -1, k);
            found = !lua_isnumber(L, -1);
            lua_pop(L, 1);
        }
        lua_settop(L, top);
    }
    return found;
}

/* ---- draw ------------------------------------------------------------------------------------------- */

static int statement_draw(lua_State *L)
{
    carom_experiment *experiment = loader_of(L)->experiment;
    luaL_checktype(L, 1, LUA_TTABLE);
    loader_check_statement(L, 1, &language_draw);
    loader_of(L)->draws_alone = loader_of(L)->draws_alone || loader_field_bool(L, 1, "alone");
    const bool automatic = loader_field_bool(L, 1, "automatic");
    const int count = (int)luaL_len(L, 1);
    if (count == 0)
        loader_error(L, "draw: nothing to draw; write draw { disc(x, y, 0.1) }");
    if (count > ITEMS_MOST - experiment->draw_count)
        loader_error(L, "draw: more than %d things", ITEMS_MOST);
    for (int i = 1; i <= count; i++) {
        lua_geti(L, 1, i);
        const carom_draw_item *item = luaL_testudata(L, -1, ITEM);
        if (!item)
            loader_error(
                L,
                "draw: entry %d is nothing that can be drawn: disc(x, y, r), segment(p, q), spring(p, q), "
                "damper(p, q), rod(p, q, r), polygon { p, q, ... }, wall { p, q, ... }, path(p), "
                "arrow(p, v), text(p, \"...\"), pin(p), touch(\"contact\", p, n), deformed { p, q, ... }",
                i);
        else {
            experiment->draw = loader_grow(L, experiment->draw, experiment->draw_count, sizeof *item);
            experiment->draw[experiment->draw_count] = *item;
            experiment->draw[experiment->draw_count++].automatic = automatic;
        }
        lua_pop(L, 1);
    }
    return 0;
}

static void open_draw(lua_State *L)
{
    luaL_newmetatable(L, ITEM);
    lua_pop(L, 1);
}

/* ---- descriptions ----------------------------------------------------------------------------------- */

static const carom_statement_key draw_keys[] = {
    {"alone", "true: what chains, mechanisms and the like draw of themselves is left out"},
    {"automatic", "true: by a statement of the library, for those that draw themselves"},
    {0}};

const carom_statement language_draw = {
    .name = "draw",
    .keys = draw_keys,
    .summary = "how the model looks, for pages, animations and files of scenes",
    .example = "draw { disc(x, y, 0.1), wall { { -1, 0 }, { 1, 0 } } }",
    .call = statement_draw,
    .open = open_draw,
};

const carom_statement language_segment = {
    .name = "segment",
    .summary = "to draw: a straight line between two points",
    .example = "draw { segment({ 0, 0 }, { sin(phi), -cos(phi) }) }",
    .call = call_segment,
};

const carom_statement language_spring = {
    .name = "spring",
    .summary = "to draw: a spring between two points",
    .example = "draw { spring({ 0, 0 }, { x, 0 }) }",
    .call = call_spring,
};

const carom_statement language_damper = {
    .name = "damper",
    .summary = "to draw: a damper between two points",
    .example = "draw { damper({ 0, 0.1 }, { x, 0.1 }) }",
    .call = call_damper,
};

const carom_statement language_rod = {
    .name = "rod",
    .summary = "to draw: a bar with round ends between two points, of a radius",
    .example = "draw { rod({ 0, 0 }, { sin(phi), -cos(phi) }, 0.05) }",
    .call = call_rod,
};

const carom_statement language_path = {
    .name = "path",
    .summary = "to draw: the way of a point",
    .example = "draw { path({ x, y }) }",
    .call = call_path,
};

const carom_statement language_arrow = {
    .name = "arrow",
    .summary = "to draw: a vector at a point",
    .example = "draw { arrow({ x, y }, { dot(x), dot(y) }, { scale = 0.1 }) }",
    .call = call_arrow,
};

const carom_statement language_text = {
    .name = "text",
    .summary = "to draw: a text at a point",
    .example = "draw { text({ 0, 1 }, \"pivot\") }",
    .call = call_text,
};

const carom_statement language_pin = {
    .name = "pin",
    .summary = "to draw: a joint that turns, at a point",
    .example = "draw { pin({ 0, 0 }) }",
    .call = call_pin,
};

const carom_statement language_touch = {
    .name = "touch",
    .summary = "to draw: where a contact touches, with its normal; its impulses are shown there",
    .example = "draw { touch(\"floor\", { x, 0 }, { 0, 1 }) }",
    .call = call_touch,
};

const carom_statement language_wall = {
    .name = "wall",
    .summary = "to draw: an obstacle by its surface, solid on the right side seen along it",
    .example = "draw { wall { { -1, 0 }, { 1, 0 } } }",
    .call = call_wall,
};

const carom_statement language_deformed = {
    .name = "deformed",
    .summary = "to draw: a structure by points along it; exaggerate = true: its motion may be shown larger",
    .example = "draw { deformed { { 0, 0 }, { 1, u1 }, { 2, u2 }, exaggerate = true } }",
    .call = call_deformed,
};
