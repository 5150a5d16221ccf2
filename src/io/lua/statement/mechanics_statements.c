/* Statements that describe the mechanics: coordinates, energies, mass and forces. */
#include <stdlib.h>

#include "io/lua/loader.h"
#include "io/lua/loader_bodies.h"

/* ---- coordinates --------------------------------------------------------------------------- */

static void add_coordinate(lua_State *L, int index)
{
    loader *load = loader_of(L);
    char *name = loader_text(L, loader_check_name(L, index, "coordinates"));
    if (load->bodies)
        loader_error(L, "coordinates: a model with bodies has no coordinates of its own yet");
    if (load->has_beam)
        loader_error(
            L, "coordinates: a beam makes its own coordinates; a model is a beam or has others, not both");
    if (load->mass || load->masses || load->force ||
        load->has_initial) /* these have a place per coordinate */
        loader_error(L, "coordinates: '%s' comes after mass, force or initial; define all coordinates first",
                     name);
    loader_define(L, "names", "coordinate", name);
    load->coordinate = loader_grow(L, load->coordinate, load->coordinates, sizeof *load->coordinate);
    load->coordinate[load->coordinates] = name;
    loader_number(L, "coordinate", name, load->coordinates);
    loader_push_node(L, carom_leaf(load->graph, CAROM_OP_COORDINATE, load->coordinates++));
}

/* coordinates("x", "y") returns the symbols; coordinates { "x", "y" } returns them in one table. */
static int statement_coordinates(lua_State *L)
{
    const int count = lua_gettop(L);
    if (count == 0)
        loader_error(L, "coordinates takes names: local x, y = coordinates(\"x\", \"y\")");
    if (!lua_istable(L, 1)) {
        luaL_checkstack(L, count, "too many coordinates");
        for (int i = 1; i <= count; i++)
            add_coordinate(L, i);
        return count;
    }
    const int size = (int)luaL_len(L, 1);
    if (count > 1 || size == 0)
        loader_error(L, "coordinates takes names, or one list of them: coordinates { \"x\", \"y\" }");
    lua_createtable(L, size, 0);
    for (int i = 1; i <= size; i++) {
        lua_geti(L, 1, i);
        add_coordinate(L, lua_gettop(L));
        lua_rawseti(L, 2, i);
        lua_pop(L, 1);
    }
    return 1;
}

/* ---- energies and forces: each call adds to what is there ----------------------------------- */

static carom_node add_term(lua_State *L, carom_node sum, const char *what)
{
    if (lua_gettop(L) != 1)
        loader_error(L, "%s takes one expression; got %d arguments", what, lua_gettop(L));
    const carom_node term = loader_check_node(L, 1, what);
    return sum < 0 ? term : carom_binary(loader_of(L)->graph, CAROM_OP_ADD, sum, term);
}

static int statement_kinetic(lua_State *L)
{
    loader *load = loader_of(L);
    loader_need_coordinates(L, "kinetic");
    load->experiment->inertia_line = loader_line(L);
    load->kinetic = add_term(L, load->kinetic, "kinetic");
    return 0;
}

static int statement_potential(lua_State *L)
{
    loader *load = loader_of(L);
    if (!load->bodies)
        loader_need_coordinates(L, "potential");
    load->potential = add_term(L, load->potential, "potential");
    return 0;
}

static void read_mass_row(lua_State *L, int row)
{
    loader *load = loader_of(L);
    const int n = load->coordinates;
    if (!lua_istable(L, -1) || luaL_len(L, -1) != n)
        loader_error(L, "mass: row %d must have %d entries, one per coordinate", row + 1, n);
    for (int j = 0; j < n; j++) {
        lua_geti(L, -1, j + 1);
        load->mass[row * n + j] = loader_check_node(L, lua_gettop(L), "an entry of mass");
        lua_pop(L, 1);
    }
}

/* mass(m): m for every coordinate; mass { x = m, ... }: diagonal; mass { {..}, {..} }: full matrix. */
static int statement_mass(lua_State *L)
{
    loader *load = loader_of(L);
    loader_need_coordinates(L, "mass");
    if (load->mass || load->masses)
        loader_error(L, "mass is given twice");
    load->experiment->inertia_line = loader_line(L);
    const int n = load->coordinates;
    if (loader_is_expression(L, 1)) {
        load->masses = loader_no_nodes(L, (size_t)n);
        for (int i = 0; i < n; i++)
            load->masses[i] = loader_check_node(L, 1, "mass");
        return 0;
    }
    if (!lua_istable(L, 1))
        loader_error(L, "mass takes a number, { x = m, ... } or a full matrix { {..}, {..} }; got a %s",
                     luaL_typename(L, 1));
    const int rows = (int)luaL_len(L, 1);
    if (rows > 0 && rows != n)
        loader_error(L, "mass: the matrix has %d rows; it needs %d, one per coordinate", rows, n);
    if (rows > 0)
        load->mass = loader_no_nodes(L, carom_product((size_t)n, (size_t)n));
    else
        load->masses = loader_no_nodes(L, (size_t)n);
    for (int i = 0; i < rows; i++) {
        lua_geti(L, 1, i + 1);
        read_mass_row(L, i);
        lua_pop(L, 1);
    }
    lua_pushnil(L);
    while (rows == 0 && lua_next(L, 1)) {
        const int i = loader_key_coordinate(L, lua_gettop(L) - 1, "mass", NULL);
        loader_set_once(L, "mass", i, loader_check_node(L, lua_gettop(L), "mass"), &load->masses[i]);
        lua_pop(L, 1);
    }
    if (load->masses)
        loader_fill_missing(load, (size_t)n, load->masses);
    return 0;
}

typedef struct force_term {
    int coordinate;
    carom_node node;
} force_term;

static int compare_terms(const void *a, const void *b)
{
    const force_term *left = a, *right = b;
    return (left->coordinate > right->coordinate) - (left->coordinate < right->coordinate);
}

/* Lua gives the keys in any order; terms are added in the order of the coordinates, so that the same file always makes
 * the same expressions. */
static void add_terms(lua_State *L, int count, force_term *term)
{
    loader *load = loader_of(L);
    if (count > 1)
        qsort(term, (size_t)count, sizeof *term, compare_terms);
    for (int k = 0; k < count; k++) {
        carom_node given = k > 0 && term[k - 1].coordinate == term[k].coordinate ? 0 : CAROM_NO_NODE;
        loader_set_once(L, "force", term[k].coordinate, term[k].node, &given);
        carom_node *sum = &load->force[term[k].coordinate];
        *sum = carom_binary(load->graph, CAROM_OP_ADD, *sum, term[k].node);
    }
}

static int statement_force(lua_State *L)
{
    loader *load = loader_of(L);
    if (load->bodies)
        return loader_body_force(L);
    loader_need_coordinates(L, "force");
    if (!lua_istable(L, 1))
        loader_error(L, "force takes a table: force { x = ..., y = ... }; got a %s", luaL_typename(L, 1));
    if (!load->force) {
        load->force = loader_no_nodes(L, (size_t)load->coordinates);
        loader_fill_missing(load, (size_t)load->coordinates, load->force);
    }
    int count = 0;
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1))
        count++;
    force_term *term = loader_take(L, (size_t)count, sizeof *term);
    count = 0;
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        const int i = loader_key_coordinate(L, lua_gettop(L) - 1, "force", NULL);
        term[count++] = (force_term){i, loader_check_node(L, lua_gettop(L), "force")};
    }
    add_terms(L, count, term);
    return 0;
}

static int call_energy(lua_State *L)
{
    loader *load = loader_of(L);
    if (load->has_beam || load->bodies) { /* the energy of the output, which the scheme may know better */
        loader_push_node(L, carom_leaf(load->graph, CAROM_OP_OBSERVED, 0));
        return 1;
    }
    if (load->kinetic < 0 && !load->mass && !load->masses)
        loader_error(L, "energy() needs kinetic(...) or mass{...} above this line");
    const carom_traced_spec spec = {.graph = load->graph,
                                    .dof = load->coordinates,
                                    .kinetic = load->kinetic,
                                    .mass = load->mass,
                                    .masses = load->masses,
                                    .potential = load->potential};
    loader_push_node(L, carom_traced_energy(&spec));
    return 1;
}

/* ---- descriptions ----------------------------------------------------------------------------- */

const carom_statement language_coordinates = {
    .name = "coordinates",
    .summary = "declares coordinates and returns their symbols",
    .example = "local x, y = coordinates(\"x\", \"y\")",
    .call = statement_coordinates,
};

const carom_statement language_kinetic = {
    .name = "kinetic",
    .summary = "kinetic energy, an expression; further calls add terms",
    .example = "kinetic(m * dot(x)^2 / 2)",
    .call = statement_kinetic,
};

const carom_statement language_potential = {
    .name = "potential",
    .summary = "potential energy, an expression of position and time; further calls add terms",
    .example = "potential(9.81 * y)",
    .call = statement_potential,
};

const carom_statement language_mass = {
    .name = "mass",
    .summary = "masses, in place of kinetic: one for all, by coordinate, or a full matrix",
    .example = "mass { x = 2, y = 1 }",
    .call = statement_mass,
};

const carom_statement language_force = {
    .name = "force",
    .summary = "forces by coordinate; further calls add",
    .example = "force { x = -0.1 * dot(x) }",
    .call = statement_force,
};

const carom_statement language_energy = {
    .name = "energy",
    .summary = "kinetic plus potential energy, as far as given above this line",
    .example = "record { energy = energy() }",
    .call = call_energy,
};
