/* world, pair, body, fixed, driven: what the scene is. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/lua/loader_bodies.h"
#include "io/lua/statements.h"

enum {
    WATCH_ALL = 64 /* all pairs are watched where there are not more than these */
};

loader_bodies *loader_need_bodies(lua_State *L, const char *statement)
{
    loader *load = loader_of(L);
    if (load->has_beam)
        loader_error(
            L,
            "%s comes after beam { ... }, which is a model of its own there; write world { ... } first: "
            "beside bodies a beam is made of coordinates that they can touch",
            statement);
    if (load->bodies)
        return load->bodies;
    loader_bodies *bodies = loader_take(L, 1, sizeof *bodies);
    const carom_node none[3] = {CAROM_NO_NODE, CAROM_NO_NODE, CAROM_NO_NODE};
    memcpy(bodies->gravity, none, sizeof none);
    bodies->positions = bodies->velocities = load->coordinates; /* they have their places already */
    load->bodies = bodies;
    for (int i = 0; i < load->contacts; i++)
        loader_bodies_add_contact(L, i);
    return bodies;
}

int loader_bodies_contact(const loader_bodies *bodies, int contact)
{
    for (int i = 0; i < bodies->watched; i++)
        if (bodies->watched_pair[i][0] == -1 - contact)
            return i;
    return -1;
}

void loader_bodies_add_contact(lua_State *L, int contact)
{
    loader_bodies *bodies = loader_of(L)->bodies;
    bodies->watched_pair =
        loader_grow(L, bodies->watched_pair, bodies->watched, sizeof *bodies->watched_pair);
    bodies->watched_pair[bodies->watched][0] = -1 - contact;
    bodies->watched_pair[bodies->watched++][1] = -1;
}

void loader_bodies_free(loader_bodies *bodies)
{
    if (!bodies)
        return;
    for (int i = 0; i < bodies->shapes; i++)
        carom_shape_free(bodies->shape[i]);
    free(bodies->shape);
    bodies->shape = NULL;
    bodies->shapes = 0;
}

/* ---- world and pairs ------------------------------------------------------------------------------------ */

static int statement_world(lua_State *L)
{
    loader_bodies *bodies = loader_need_bodies(L, "world");
    loader_check_statement(L, 1, &language_world);
    if (bodies->dimension)
        loader_error(L, "world is given twice");
    if (lua_getfield(L, 1, "gravity") != LUA_TTABLE ||
        (luaL_len(L, -1) != CAROM_PLANE && luaL_len(L, -1) != CAROM_SPACE))
        loader_error(L, "world: gravity is a list, of two numbers in the plane, of three in space: world { "
                        "gravity = { 0, "
                        "0, -9.81 } }");
    bodies->dimension = (int)luaL_len(L, -1);
    loader_read_vector(L, lua_gettop(L), bodies->dimension, "gravity", bodies->gravity);
    for (int k = 0; k < bodies->dimension; k++)
        if (carom_node_depends(loader_of(L)->graph, bodies->gravity[k]) & ~(unsigned)CAROM_ON_PARAMETER)
            loader_error(
                L,
                "world: gravity may depend on parameters only; forces that change are force { body, ... }");
    return 0;
}

static int find_material(lua_State *L, const char *name)
{
    loader_bodies *bodies = loader_of(L)->bodies;
    for (int i = 0; i < bodies->materials; i++)
        if (strcmp(bodies->material[i], name) == 0)
            return i;
    loader_check_name_text(L, name, "material");
    bodies->material = loader_grow(L, bodies->material, bodies->materials, sizeof *bodies->material);
    bodies->material[bodies->materials] = loader_text(L, name);
    return bodies->materials++;
}

/* An expression of parameters. */
static carom_node constant_field(lua_State *L, int index, const char *key, const char *statement)
{
    const carom_node node = loader_field_node(L, index, key);
    if (node >= 0 && (carom_node_depends(loader_of(L)->graph, node) & ~(unsigned)CAROM_ON_PARAMETER))
        loader_error(L, "%s: %s may depend on parameters only", statement, key);
    return node;
}

static int statement_pair(lua_State *L)
{
    loader_bodies *bodies = loader_need_bodies(L, "pair");
    loader_check_statement(L, 1, &language_pair);
    carom_material_pair pair = {.material = {-1, -1}, .line = loader_line(L)};
    const int names = (int)luaL_len(L, 1);
    if (names != 0 && names != 2)
        loader_error(L, "pair takes two materials, or none for all that is not said: pair { \"steel\", "
                        "\"oak\", friction = "
                        "0.4 }");
    for (int k = 0; k < names; k++) {
        if (lua_geti(L, 1, k + 1) != LUA_TSTRING)
            loader_error(L, "pair: materials are names in quotes");
        pair.material[k] = find_material(L, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    pair.friction = constant_field(L, 1, "friction", "pair");
    pair.restitution = constant_field(L, 1, "restitution", "pair");
    pair.rolling = constant_field(L, 1, "rolling", "pair");
    pair.torsion = constant_field(L, 1, "torsion", "pair");
    bodies->pair = loader_grow(L, bodies->pair, bodies->pairs, sizeof *bodies->pair);
    bodies->pair[bodies->pairs++] = pair;
    return 0;
}

/* ---- bodies ---------------------------------------------------------------------------------------------- */

static carom_body_spec empty_body(void)
{
    carom_body_spec body = {.mass = CAROM_NO_NODE};
    for (int k = 0; k < 6; k++)
        body.inertia[k] = CAROM_NO_NODE;
    for (int k = 0; k < 3; k++)
        body.at[k] = body.velocity[k] = body.spin[k] = CAROM_NO_NODE;
    for (int k = 0; k < 4; k++)
        body.rotation[k] = CAROM_NO_NODE;
    return body;
}

static carom_node times(loader *load, carom_node node, double factor)
{
    return carom_binary(load->graph, CAROM_OP_MUL, carom_constant(load->graph, factor), node);
}

/* inertia = J in the plane; { xx, yy, zz } or { xx, yy, zz, xy, xz, yz } in space. */
static bool read_inertia(lua_State *L, int dimension, carom_body_spec *body)
{
    if (lua_getfield(L, 1, "inertia") == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    const int value = lua_gettop(L);
    if (dimension == CAROM_PLANE) {
        body->inertia[2] = loader_check_node(L, value, "inertia");
    } else {
        const int count = lua_istable(L, value) ? (int)luaL_len(L, value) : 0;
        if (count != 3 && count != 6)
            loader_error(L, "body '%s': inertia in space is { xx, yy, zz } or { xx, yy, zz, xy, xz, yz }",
                         body->name);
        loader_read_vector(L, value, count, "inertia", body->inertia);
    }
    lua_pop(L, 1);
    return true;
}

/* Mass and inertia, from the density or the mass and the shape; given ones are stronger. */
static void read_mass(lua_State *L, int dimension, const carom_shape_mass *of_shape, carom_body_spec *body)
{
    static const int place[6] = {0, 4, 8, 1, 2, 5};
    loader *load = loader_of(L);
    const carom_node density = constant_field(L, 1, "density", "body");
    const bool has_inertia = read_inertia(L, dimension, body);
    carom_node per_volume = density;
    body->mass = constant_field(L, 1, "mass", "body");
    if (body->mass < 0 && density < 0)
        loader_error(L, "body '%s' has no mass; give density, or mass and inertia", body->name);
    if (body->mass >= 0 && density >= 0)
        loader_error(L, "body '%s': give mass or density, not both", body->name);
    if (!(of_shape->volume > 0.0) && (density >= 0 || !has_inertia))
        loader_error(L, "body '%s': its shape has no volume; give mass and inertia", body->name);
    if (body->mass < 0)
        body->mass = times(load, density, of_shape->volume);
    else if (of_shape->volume > 0.0)
        per_volume = times(load, body->mass, 1.0 / of_shape->volume);
    for (int k = 0; !has_inertia && k < 6; k++)
        body->inertia[k] = times(load, per_volume, of_shape->inertia[place[k]]);
}

/* The centre of mass in the axes of the shape, where it is not that of the shape: a body that is heavier on one side. */
static void read_centre(lua_State *L, const carom_body_spec *body, double centre[3])
{
    double *given = NULL;
    if (lua_getfield(L, 1, "centre") != LUA_TNIL) {
        const int dimension = loader_of(L)->bodies->dimension;
        if (lua_getfield(L, 1, "inertia") == LUA_TNIL)
            loader_error(L,
                         "body '%s': with a centre of its own it needs mass and inertia, about that centre",
                         body->name);
        lua_pop(L, 1);
        loader_plain_list(L, lua_gettop(L), (size_t)dimension, "centre", &given);
        memcpy(centre, given, (size_t)dimension * sizeof *given);
    }
    lua_pop(L, 1);
}

/* The frame of a free body is at its centre of mass, wherever the shape has its origin. */
static void read_shape(lua_State *L, carom_body_spec *body)
{
    const loader_bodies *bodies = loader_of(L)->bodies;
    carom_shape_mass mass = {0};
    if (lua_getfield(L, 1, "shape") != LUA_TNIL)
        body->shape = loader_check_shape(L, lua_gettop(L), "shape");
    lua_pop(L, 1);
    if (body->kind != CAROM_BODY_FREE)
        return;
    if (body->shape) {
        if (!carom_shape_is_solid(body->shape))
            loader_error(
                L, "body '%s': this shape has no inside, so that it is for fixed and driven bodies only",
                body->name);
        carom_shape_mass_of(body->shape, &mass);
        if (!(mass.inertia[8] > DBL_MIN) || !isfinite(mass.inertia[8]))
            loader_error(L,
                         "body '%s': its shape is too small or too large for a mass to be computed (volume "
                         "%g); choose other units of length",
                         body->name, mass.volume);
        read_centre(L, body, mass.centre);
        const double *c = mass.centre;
        if (c[0] != 0.0 || c[1] != 0.0 || c[2] != 0.0) {
            carom_shape *moved = NULL;
            carom_error error = {0};
            const carom_status status = carom_shape_moved(body->shape, c, &moved, &error);
            loader_check_status(L, status, &error);
            loader_own_shape(L, moved);
            body->shape = moved;
        }
    }
    read_mass(L, bodies->dimension, &mass, body);
}

static void read_motion(lua_State *L, carom_body_spec *body)
{
    const int dimension = loader_of(L)->bodies->dimension;
    const unsigned allowed =
        body->kind == CAROM_BODY_DRIVEN ? CAROM_ON_PARAMETER | CAROM_ON_TIME : CAROM_ON_PARAMETER;
    loader_field_vector(L, 1, "velocity", dimension, body->velocity);
    if (lua_getfield(L, 1, "spin") != LUA_TNIL) {
        if (dimension == CAROM_PLANE)
            body->spin[2] = loader_check_node(L, lua_gettop(L), "spin");
        else
            loader_read_vector(L, lua_gettop(L), 3, "spin", body->spin);
    }
    lua_pop(L, 1);
    for (int k = 0; k < 3; k++) {
        const carom_node node[2] = {body->velocity[k], body->spin[k]};
        for (int i = 0; i < 2; i++)
            if (node[i] >= 0 && (carom_node_depends(loader_of(L)->graph, node[i]) & ~allowed))
                loader_error(L, "'%s': velocity and spin may depend on parameters%s only", body->name,
                             body->kind == CAROM_BODY_DRIVEN ? " and time()" : "");
    }
}

static int add_body(lua_State *L, carom_body_kind kind, const carom_statement *statement)
{
    loader *load = loader_of(L);
    loader_bodies *bodies = loader_need_bodies(L, statement->name);
    loader_check_statement(L, 1, statement);
    if (bodies->dimension == 0)
        loader_error(L,
                     "%s: say first whether the world is the plane or space: world { gravity = { 0, -9.81 } "
                     "} or world "
                     "{ gravity = { 0, 0, -9.81 } }",
                     statement->name);
    const int dimension = bodies->dimension;
    carom_body_spec body = empty_body();
    lua_geti(L, 1, 1);
    body.name = loader_text(L, loader_check_name(L, -1, statement->name));
    lua_pop(L, 1);
    body.line = loader_line(L);
    body.kind = kind;
    if (load->has_integrate == false)
        load->experiment->inertia_line = 0;
    loader_define(L, "names", "body", body.name);
    const char *material = loader_field_text(L, 1, "material");
    body.material = find_material(L, material ? material : "default");
    loader_field_vector(L, 1, "at", dimension, body.at);
    if (lua_getfield(L, 1, "rotation") != LUA_TNIL)
        loader_read_rotation(L, lua_gettop(L), dimension, body.rotation);
    lua_pop(L, 1);
    if (kind != CAROM_BODY_FIXED)
        read_motion(L, &body);
    read_shape(L, &body);
    bodies->body = loader_grow(L, bodies->body, bodies->bodies, sizeof *bodies->body);
    bodies->q = loader_grow(L, bodies->q, bodies->bodies, sizeof *bodies->q);
    bodies->v = loader_grow(L, bodies->v, bodies->bodies, sizeof *bodies->v);
    const int i = bodies->bodies++;
    const bool moves = kind != CAROM_BODY_FIXED;
    bodies->body[i] = body;
    bodies->q[i] = moves ? bodies->positions : -1;
    bodies->v[i] = moves ? bodies->velocities : -1;
    bodies->positions += !moves ? 0 : dimension == CAROM_PLANE ? 3 : 7;
    bodies->velocities += !moves ? 0 : dimension == CAROM_PLANE ? 3 : 6;
    loader_push_body(L, i);
    return 1;
}

static int statement_body(lua_State *L)
{
    return add_body(L, CAROM_BODY_FREE, &language_body);
}

static int statement_fixed(lua_State *L)
{
    return add_body(L, CAROM_BODY_FIXED, &language_fixed);
}

static int statement_driven(lua_State *L)
{
    return add_body(L, CAROM_BODY_DRIVEN, &language_driven);
}

/* ---- the model ------------------------------------------------------------------------------------------- */

/* In a small scene every pair is watched, whether a measure names it or not. */
static bool watch_all(loader *load, int (**watched)[2], int *count)
{
    const loader_bodies *bodies = load->bodies;
    int(*all)[2] = carom_arena_take(load->arena, (size_t)bodies->watched + WATCH_ALL, sizeof *all);
    if (!all)
        return false;
    *count = bodies->watched;
    if (bodies->watched)
        memcpy(all, bodies->watched_pair, (size_t)bodies->watched * sizeof *all);
    *watched = all;
    int pairs = 0;
    for (int a = 0; a < bodies->bodies; a++)
        for (int b = a + 1; b < bodies->bodies && pairs <= WATCH_ALL; b++)
            pairs += bodies->body[a].shape && bodies->body[b].shape &&
                     (bodies->body[a].kind == CAROM_BODY_FREE || bodies->body[b].kind == CAROM_BODY_FREE);
    for (int a = 0; pairs <= WATCH_ALL && a < bodies->bodies; a++)
        for (int b = a + 1; b < bodies->bodies; b++) {
            bool known = !bodies->body[a].shape || !bodies->body[b].shape ||
                         (bodies->body[a].kind != CAROM_BODY_FREE && bodies->body[b].kind != CAROM_BODY_FREE);
            for (int k = 0; !known && k < bodies->watched; k++)
                known = (all[k][0] == a && all[k][1] == b) || (all[k][0] == b && all[k][1] == a);
            if (known)
                continue;
            const bool turned = bodies->body[a].kind != CAROM_BODY_FREE;
            all[*count][0] = turned ? b : a;
            all[(*count)++][1] = turned ? a : b;
        }
    return true;
}

/* Of bodies and of coordinates, one per velocity; NULL: there is none. */
/* request->force_inputs; nothing moves what is fixed or driven. */
static void add_force_inputs(const loader *load, carom_node *force)
{
    const loader_bodies *bodies = load->bodies;
    if (!load->request->force_inputs)
        return;
    for (int i = 0; i < bodies->bodies; i++)
        for (int k = 0;
             bodies->body[i].kind == CAROM_BODY_FREE && k < (bodies->dimension == CAROM_PLANE ? 3 : 6); k++)
            loader_add_force_input(load, bodies->v[i] + k, &force[bodies->v[i] + k]);
    for (int i = 0; i < load->coordinates; i++)
        loader_add_force_input(load, load->coordinate_v[i], &force[load->coordinate_v[i]]);
}

static bool list_forces(loader *load, carom_node **force)
{
    const loader_bodies *bodies = load->bodies;
    if (bodies->forces == 0 && !load->force && !load->request->force_inputs)
        return true;
    *force = carom_arena_take(load->arena, (size_t)bodies->velocities, sizeof **force);
    if (!*force)
        return false;
    for (int i = 0; i < bodies->velocities; i++)
        (*force)[i] = i < bodies->forces ? bodies->force[i] : CAROM_NO_NODE;
    for (int i = 0; load->force && i < load->coordinates; i++)
        (*force)[load->coordinate_v[i]] = load->force[i];
    add_force_inputs(load, *force);
    return true;
}

static bool list_coordinates(loader *load, carom_body_coordinate **coordinate)
{
    *coordinate = carom_arena_take(load->arena, (size_t)load->coordinates, sizeof **coordinate);
    for (int i = 0; *coordinate && i < load->coordinates; i++)
        (*coordinate)[i] =
            (carom_body_coordinate){.name = load->coordinate[i],
                                    .after = load->coordinate_after[i],
                                    .position = load->has_initial ? load->q0[i] : CAROM_NO_NODE,
                                    .velocity = load->has_initial ? load->v0[i] : CAROM_NO_NODE};
    return *coordinate != NULL;
}

static bool is_used(const loader_bodies *bodies, int material)
{
    for (int i = 0; i < bodies->bodies; i++)
        if (bodies->body[i].material == material)
            return true;
    return false;
}

/* A law for a material that nothing is made of is a mistake in its name. */
static carom_status check_pairs(const loader *load, carom_error *error)
{
    const loader_bodies *bodies = load->bodies;
    for (int p = 0; p < bodies->pairs; p++)
        for (int k = 0; k < 2; k++) {
            const int material = bodies->pair[p].material[k];
            if (material < 0 || is_used(bodies, material))
                continue;
            carom_text known = {0};
            for (int i = 0; i < bodies->materials; i++)
                if (is_used(bodies, i))
                    carom_text_append(&known, "%s%s", known.length > 0 ? ", " : "", bodies->material[i]);
            const carom_status status = carom_fail(
                error, CAROM_BAD_INPUT, "%d: pair: no body has the material '%s'; materials of bodies are %s",
                bodies->pair[p].line, bodies->material[material], known.bytes ? known.bytes : "default");
            carom_text_free(&known);
            return status;
        }
    return CAROM_OK;
}

carom_status loader_bodies_model(loader *load, carom_model **model, carom_error *error)
{
    loader_bodies *bodies = load->bodies;
    int watched = 0, (*watched_pair)[2] = NULL;
    if (bodies->bodies == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "the world is empty; add body { ... }");
    const carom_status checked = check_pairs(load, error);
    if (checked != CAROM_OK)
        return checked;
    if (!watch_all(load, &watched_pair, &watched))
        return carom_fail_memory(error);
    carom_node *force = NULL;
    carom_body_coordinate *coordinate = NULL;
    if (!list_forces(load, &force) || !list_coordinates(load, &coordinate))
        return carom_fail_memory(error);
    const carom_bodies_spec spec = {.graph = load->graph,
                                    .dimension = bodies->dimension,
                                    .gravity = {bodies->gravity[0], bodies->gravity[1], bodies->gravity[2]},
                                    .shapes = bodies->shapes,
                                    .shape = bodies->shape,
                                    .bodies = bodies->bodies,
                                    .body = bodies->body,
                                    .materials = bodies->materials,
                                    .pairs = bodies->pairs,
                                    .pair = bodies->pair,
                                    .parameters = load->parameters,
                                    .parameter = load->parameter,
                                    .potential = load->potential,
                                    .force = force,
                                    .joints = load->joints,
                                    .joint = load->joint,
                                    .guides = bodies->guides,
                                    .guide = bodies->guide,
                                    .apart = bodies->apart,
                                    .apart_pair = (const int(*)[2])bodies->apart_pair,
                                    .watched = watched,
                                    .watched_pair = (const int(*)[2])watched_pair,
                                    .coordinates = load->coordinates,
                                    .coordinate = coordinate,
                                    .kinetic = load->kinetic,
                                    .mass = load->mass,
                                    .masses = load->masses,
                                    .contacts = load->contacts,
                                    .contact = load->contact};
    const carom_status status = carom_bodies_model_create(&spec, model, error);
    if (status == CAROM_OK) { /* the shapes are the model's now */
        free(bodies->shape);
        bodies->shape = NULL;
        bodies->shapes = 0;
    }
    return status;
}

int loader_bodies_heights(loader *load, int most, char **name, carom_node *height)
{
    const loader_bodies *bodies = load->bodies;
    int count = 0;
    for (int i = 0; i < bodies->bodies && count < most; i++) {
        if (bodies->body[i].kind != CAROM_BODY_FREE)
            continue;
        name[count] = load->experiment->model->coordinate[bodies->q[i] + bodies->dimension - 1];
        height[count++] = carom_leaf(load->graph, CAROM_OP_COORDINATE, bodies->q[i] + bodies->dimension - 1);
    }
    for (int i = 0; i < load->coordinates && count < most; i++) {
        name[count] = load->coordinate[i];
        height[count++] = carom_leaf(load->graph, CAROM_OP_COORDINATE, load->coordinate_q[i]);
    }
    return count;
}

/* ---- descriptions ------------------------------------------------------------------------------------------ */

static const carom_statement_key world_keys[] = {{"gravity", "two numbers: the plane; three: space"}, {0}};

const carom_statement language_world = {
    .name = "world",
    .summary = "the world of bodies: the plane or space, and its gravity",
    .example = "world { gravity = { 0, 0, -9.81 } }",
    .keys = world_keys,
    .call = statement_world,
    .open = loader_open_bodies,
};

static const carom_statement_key pair_keys[] = {
    {"friction", "Coulomb's coefficient; default 0"},
    {"restitution", "from 0 to 1; default 0"},
    {"rolling", "length, default 0: largest moment against rolling over normal force"},
    {"torsion", "length, default 0: largest moment against spinning over normal force; in space"},
    {0}};

const carom_statement language_pair = {
    .name = "pair",
    .summary = "friction and restitution between two materials, or between all that is not said",
    .example =
        "pair { \"steel\", \"oak\", friction = 0.4, restitution = 0.1, rolling = 1e-3, torsion = 5e-4 }",
    .keys = pair_keys,
    .call = statement_pair,
};

static const carom_statement_key body_keys[] = {
    {"shape", "what it touches with; none: nothing"},
    {"density", "mass per volume (plane: area)"},
    {"mass", "in place of density"},
    {"inertia",
     "plane: a number; space: { xx, yy, zz } or { xx, yy, zz, xy, xz, yz }; default: of the shape"},
    {"centre", "centre of mass in the axes of the shape, with mass and inertia; default: that of the shape"},
    {"material", "a name, for pair { ... }; default \"default\""},
    {"at", "centre of mass at the start"},
    {"rotation", "plane: an angle; space: { axis = ..., angle = ... } or a quaternion { w, x, y, z }"},
    {"velocity", "at the start"},
    {"spin", "at the start; plane: a number; space: along the axes of space"},
    {0}};

const carom_statement language_body = {
    .name = "body",
    .summary = "a rigid body that moves freely; returns it, with its symbols b.x, b.y, b.phi, ...",
    .example = "body { \"crate\", shape = box { 0.4, 0.3 }, density = 600, at = { 0, 1 } }",
    .keys = body_keys,
    .call = statement_body,
};

static const carom_statement_key fixed_keys[] = {{"shape", "what others touch"},
                                                 {"material", "a name, for pair { ... }"},
                                                 {"at", "where the shape's origin is"},
                                                 {"rotation", "as of body"},
                                                 {0}};

const carom_statement language_fixed = {
    .name = "fixed",
    .summary = "a body that does not move: floor, walls, stops",
    .example = "fixed { \"floor\", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }",
    .keys = fixed_keys,
    .call = statement_fixed,
};

static const carom_statement_key driven_keys[] = {{"shape", "what others touch"},
                                                  {"material", "a name, for pair { ... }"},
                                                  {"at", "where the shape's origin is at the start"},
                                                  {"rotation", "at the start, as of body"},
                                                  {"velocity", "of the origin: expressions of time()"},
                                                  {"spin", "expressions of time()"},
                                                  {0}};

const carom_statement language_driven = {
    .name = "driven",
    .summary = "a body whose motion is given: velocity and spin, functions of time()",
    .example = "driven { \"table\", shape = box { 2, 0.1 }, velocity = { 0.1 * cos(5 * time()), 0 } }",
    .keys = driven_keys,
    .call = statement_driven,
};
