/* tube { outer = D, inner = d }, round { diameter = D }, rectangle { width = b, height = h }: sections of beams, tables
 * with area and inertia. */
#include "beam_fields.h"
#include "io/lua/statements.h"

static carom_node product(loader *load, carom_node a, carom_node b)
{
    return carom_binary(load->graph, CAROM_OP_MUL, a, b);
}

static carom_node power(loader *load, carom_node a, double exponent)
{
    return carom_binary(load->graph, CAROM_OP_POW, a, carom_constant(load->graph, exponent));
}

static int push_section(lua_State *L, carom_node area, carom_node inertia)
{
    lua_createtable(L, 0, 2);
    loader_push_node(L, area);
    lua_setfield(L, -2, "area");
    loader_push_node(L, inertia);
    lua_setfield(L, -2, "inertia");
    return 1;
}

/* pi/4 (D^2 - d^2) and pi/64 (D^4 - d^4); d < 0: solid. */
static int push_ring(lua_State *L, carom_node outer, carom_node inner)
{
    loader *load = loader_of(L);
    carom_node area = power(load, outer, 2.0), inertia = power(load, outer, 4.0);
    if (inner >= 0) {
        area = carom_binary(load->graph, CAROM_OP_SUB, area, power(load, inner, 2.0));
        inertia = carom_binary(load->graph, CAROM_OP_SUB, inertia, power(load, inner, 4.0));
    }
    return push_section(L, product(load, carom_constant(load->graph, CAROM_PI / 4.0), area),
                        product(load, carom_constant(load->graph, CAROM_PI / 64.0), inertia));
}

static int call_tube(lua_State *L)
{
    loader_check_statement(L, 1, &language_tube);
    const carom_node outer = beam_field_parameter(L, 1, "outer"), inner = beam_field_parameter(L, 1, "inner");
    beam_need_node(L, outer, "tube { outer = ..., inner = ... }", "outer");
    beam_need_node(L, inner, "tube { outer = ..., inner = ... }", "inner");
    return push_ring(L, outer, inner);
}

static int call_round(lua_State *L)
{
    loader_check_statement(L, 1, &language_round);
    const carom_node diameter = beam_field_parameter(L, 1, "diameter");
    beam_need_node(L, diameter, "round { diameter = ... }", "diameter");
    return push_ring(L, diameter, CAROM_NO_NODE);
}

/* b h and b h^3 / 12; h is measured in the direction of the motion. */
static int call_rectangle(lua_State *L)
{
    loader *load = loader_of(L);
    loader_check_statement(L, 1, &language_rectangle);
    const carom_node width = beam_field_parameter(L, 1, "width"),
                     height = beam_field_parameter(L, 1, "height");
    beam_need_node(L, width, "rectangle { width = ..., height = ... }", "width");
    beam_need_node(L, height, "rectangle { width = ..., height = ... }", "height");
    const carom_node cube = product(load, power(load, height, 3.0), carom_constant(load->graph, 1.0 / 12.0));
    return push_section(L, product(load, width, height), product(load, width, cube));
}

/* ---- descriptions ----------------------------------------------------------------------------- */

static const carom_statement_key tube_keys[] = {
    {"outer", "diameter"},
    {"inner", "diameter"},
    {0},
};

const carom_statement language_tube = {
    .name = "tube",
    .summary = "section of a beam: a ring",
    .example = "section = tube { outer = 0.02, inner = 0.016 }",
    .keys = tube_keys,
    .call = call_tube,
};

static const carom_statement_key round_keys[] = {
    {"diameter", "of the disk"},
    {0},
};

const carom_statement language_round = {
    .name = "round",
    .summary = "section of a beam: a disk",
    .example = "section = round { diameter = 0.02 }",
    .keys = round_keys,
    .call = call_round,
};

static const carom_statement_key rectangle_keys[] = {
    {"width", "across the motion"},
    {"height", "in the direction of the motion"},
    {0},
};

const carom_statement language_rectangle = {
    .name = "rectangle",
    .summary = "section of a beam: a rectangle",
    .example = "section = rectangle { width = 0.02, height = 0.01 }",
    .keys = rectangle_keys,
    .call = call_rectangle,
};
