/* Shapes: what they are is known while the file is read. */
#include <stdlib.h>
#include <string.h>

#include "io/lua/draw_statements.h"
#include "io/lua/loader_bodies.h"
#include "io/lua/statements.h"
#include "shape_files.h"

static const char SHAPE[] = "carom.shape";

typedef struct shape_value {
    carom_shape *shape;
} shape_value;

static void open_shapes(lua_State *L)
{
    luaL_newmetatable(L, SHAPE);
    lua_pushliteral(L, "shape");
    lua_setfield(L, -2, "__name");
    lua_pop(L, 1);
}

void loader_check_status(lua_State *L, carom_status status, const carom_error *error)
{
    if (status != CAROM_OK)
        loader_raise(L, "", error);
}

/* No error of Lua may come between making a shape and owning it. */
void loader_own_shape(lua_State *L, carom_shape *shape)
{
    loader_bodies *bodies = loader_of(L)->bodies;
    if ((size_t)bodies->shapes == bodies->shape_room) {
        const size_t room = bodies->shape_room ? 2 * bodies->shape_room : 16;
        carom_shape **larger = realloc(bodies->shape, room * sizeof *larger);
        if (!larger) {
            carom_shape_free(shape);
            loader_no_memory(L);
            return;
        }
        bodies->shape = larger;
        bodies->shape_room = room;
    }
    bodies->shape[bodies->shapes++] = shape;
}

void loader_push_shape(lua_State *L, carom_shape *shape)
{
    loader_own_shape(L, shape);
    shape_value *value = lua_newuserdatauv(L, sizeof *value, 0);
    value->shape = shape;
    luaL_setmetatable(L, SHAPE);
}

const carom_shape *loader_check_shape(lua_State *L, int index, const char *what)
{
    const shape_value *value = luaL_testudata(L, index, SHAPE);
    if (!value)
        loader_error(L, "%s must be a shape, such as box { 1, 2 } or disc { 0.1 }; got %s", what,
                     lua_isnoneornil(L, index) ? "nothing" : luaL_typename(L, index));
    return value->shape;
}

static int dimension_of(lua_State *L, const char *statement, int wanted)
{
    const int dimension = loader_need_bodies(L, statement)->dimension;
    if (dimension == 0)
        loader_error(
            L,
            "%s: say first whether the world is the plane or space: world { gravity = { 0, -9.81 } } or "
            "world { gravity = { 0, 0, -9.81 } }",
            statement);
    if (wanted && dimension != wanted)
        loader_error(L, "%s is a shape of %s, and the world is %s", statement,
                     wanted == CAROM_PLANE ? "the plane" : "space",
                     dimension == CAROM_PLANE ? "the plane" : "space");
    return dimension;
}

static int push_made(lua_State *L, carom_status status, carom_shape *shape, const carom_error *error)
{
    loader_check_status(L, status, error);
    loader_push_shape(L, shape);
    return 1;
}

/* The one number of sphere { r } or sphere { radius = r }. */
static double radius_of(lua_State *L, const char *statement)
{
    if (!lua_istable(L, 1))
        loader_error(L, "%s takes a table: %s { 0.1 }", statement, statement);
    if (lua_geti(L, 1, 1) == LUA_TNIL) {
        lua_pop(L, 1);
        return loader_field_number(L, 1, "radius", statement);
    }
    const double radius = loader_plain_number(L, lua_gettop(L), "the radius");
    lua_pop(L, 1);
    return radius;
}

static int round_shape(lua_State *L, const char *statement, int dimension)
{
    carom_shape *shape = NULL;
    carom_error error = {0};
    dimension_of(L, statement, dimension);
    const double radius = radius_of(L, statement);
    const carom_status status = carom_shape_sphere(dimension, radius, &shape, &error);
    return push_made(L, status, shape, &error);
}

static int call_sphere(lua_State *L)
{
    return round_shape(L, "sphere", CAROM_SPACE);
}

static int call_disc(lua_State *L)
{
    if (lua_gettop(L) > 1) /* not a shape: something to draw */
        return draw_disc(L);
    return round_shape(L, "disc", CAROM_PLANE);
}

static int call_box(lua_State *L)
{
    const int dimension = dimension_of(L, "box", 0);
    double *edge = NULL;
    carom_shape *shape = NULL;
    carom_error error = {0};
    loader_plain_list(L, 1, (size_t)dimension, "box: its edges", &edge);
    const carom_status status = carom_shape_box(dimension, edge, &shape, &error);
    return push_made(L, status, shape, &error);
}

static int call_capsule(lua_State *L)
{
    const int dimension = dimension_of(L, "capsule", 0);
    carom_shape *shape = NULL;
    carom_error error = {0};
    loader_check_statement(L, 1, &language_capsule);
    const double radius = loader_field_number(L, 1, "radius", "capsule");
    const double length = loader_field_number(L, 1, "length", "capsule");
    const carom_status status = carom_shape_capsule(dimension, radius, length, &shape, &error);
    return push_made(L, status, shape, &error);
}

static int call_cylinder(lua_State *L)
{
    carom_shape *shape = NULL;
    carom_error error = {0};
    dimension_of(L, "cylinder", CAROM_SPACE);
    loader_check_statement(L, 1, &language_cylinder);
    const double radius = loader_field_number(L, 1, "radius", "cylinder");
    const double height = loader_field_number(L, 1, "height", "cylinder");
    const carom_status status = carom_shape_cylinder(radius, height, &shape, &error);
    return push_made(L, status, shape, &error);
}

/* A list of points of the table at `index`, flat. */
static size_t read_points(lua_State *L, int index, int dimension, const char *what, double **xyz)
{
    const int table = lua_absindex(L, index);
    if (!lua_istable(L, table))
        loader_error(L, "%s: a list of points is needed: { {0, 0}, {1, 0}, {0, 1} }", what);
    const size_t count = (size_t)luaL_len(L, table);
    *xyz = loader_take(L, count * (size_t)dimension + 1, sizeof **xyz);
    for (size_t i = 0; i < count; i++) {
        double *point = NULL;
        lua_geti(L, table, (lua_Integer)i + 1);
        loader_plain_list(L, lua_gettop(L), (size_t)dimension, what, &point);
        memcpy(*xyz + i * (size_t)dimension, point, (size_t)dimension * sizeof *point);
        lua_pop(L, 1);
    }
    return count;
}

/* Does the table at 1 name a file? Then it has nothing else but the scale. */
static bool is_file(lua_State *L, const char *statement)
{
    if (!lua_istable(L, 1))
        return false;
    const bool found = lua_getfield(L, 1, "file") != LUA_TNIL;
    bool more = luaL_len(L, 1) > 0;
    more = lua_getfield(L, 1, "points") != LUA_TNIL || more;
    more = lua_getfield(L, 1, "triangles") != LUA_TNIL || more;
    const bool scaled = lua_getfield(L, 1, "scale") != LUA_TNIL;
    lua_pop(L, 4);
    if (found && more)
        loader_error(L, "%s: points are in a file, or in lists; not both", statement);
    if (!found && scaled)
        loader_error(L, "%s: scale is for files: %s { file = \"stone.stl\", scale = 1e-3 }", statement,
                     statement);
    return found;
}

static int convex_of_file(lua_State *L)
{
    carom_shape *shape = NULL;
    carom_error error = {0};
    dimension_of(L, "convex with a file", CAROM_SPACE);
    loader_check_statement(L, 1, &language_convex);
    const shape_file file = loader_shape_file(L, "convex", true);
    const carom_status status = carom_shape_convex(CAROM_SPACE, file.points, file.point, &shape, &error);
    return push_made(L, status, shape, &error);
}

static int mesh_of_file(lua_State *L)
{
    carom_shape *shape = NULL;
    carom_error error = {0};
    const shape_file file = loader_shape_file(L, "mesh", false);
    const carom_status status =
        carom_shape_mesh(file.points, file.point, file.triangles, file.corner, &shape, &error);
    return push_made(L, status, shape, &error);
}

static int call_convex(lua_State *L)
{
    const int dimension = dimension_of(L, "convex", 0);
    double *xyz = NULL;
    carom_shape *shape = NULL;
    carom_error error = {0};
    if (is_file(L, "convex"))
        return convex_of_file(L);
    if (lua_istable(L, 1) && lua_getfield(L, 1, "points") != LUA_TNIL)
        lua_replace(L, 1);
    const size_t count = read_points(L, 1, dimension, "convex", &xyz);
    const carom_status status = carom_shape_convex(dimension, count, xyz, &shape, &error);
    return push_made(L, status, shape, &error);
}

static int call_polygon(lua_State *L)
{
    if (!loader_of(L)->bodies || draw_is_symbolic(L, 1)) /* not a shape: something to draw */
        return draw_polygon(L);
    double *xy = NULL;
    carom_shape *shape = NULL;
    carom_error error = {0};
    dimension_of(L, "polygon", CAROM_PLANE);
    const size_t count = read_points(L, 1, CAROM_PLANE, "polygon", &xy);
    const carom_status status = carom_shape_polygon(count, xy, &shape, &error);
    return push_made(L, status, shape, &error);
}

static int call_polyline(lua_State *L)
{
    double *xy = NULL;
    carom_shape *shape = NULL;
    carom_error error = {0};
    dimension_of(L, "polyline", CAROM_PLANE);
    loader_check_statement(L, 1, &language_polyline);
    const bool closed = loader_field_bool(L, 1, "closed");
    const size_t count = read_points(L, 1, CAROM_PLANE, "polyline", &xy);
    const carom_status status = carom_shape_polyline(count, xy, closed, &shape, &error);
    return push_made(L, status, shape, &error);
}

static int call_plane(lua_State *L)
{
    const int dimension = dimension_of(L, "plane", 0);
    double *normal = NULL;
    carom_shape *shape = NULL;
    carom_error error = {0};
    loader_check_statement(L, 1, &language_plane);
    lua_getfield(L, 1, "normal");
    loader_plain_list(L, lua_gettop(L), (size_t)dimension, "plane: its normal", &normal);
    lua_getfield(L, 1, "offset");
    const double offset = lua_isnil(L, -1) ? 0.0 : loader_plain_number(L, lua_gettop(L), "offset");
    const carom_status status = carom_shape_halfspace(dimension, normal, offset, &shape, &error);
    return push_made(L, status, shape, &error);
}

/* heightfield { dx = , dy = , { z, z, ... }, { ... } }: rows of heights, along x each. */
static int call_heightfield(lua_State *L)
{
    carom_shape *shape = NULL;
    carom_error error = {0};
    dimension_of(L, "heightfield", CAROM_SPACE);
    loader_check_statement(L, 1, &language_heightfield);
    const double dx = loader_field_number(L, 1, "dx", "heightfield");
    const double dy = loader_field_number(L, 1, "dy", "heightfield");
    const size_t ny = (size_t)luaL_len(L, 1);
    size_t nx = 0;
    double *z = NULL;
    for (size_t j = 0; j < ny; j++) {
        double *row = NULL;
        lua_geti(L, 1, (lua_Integer)j + 1);
        nx = loader_plain_list(L, lua_gettop(L), nx, "heightfield: a row of heights", &row);
        lua_pop(L, 1);
        if (!z)
            z = loader_take(L, carom_product(nx, ny) + 1, sizeof *z);
        memcpy(z + j * nx, row, nx * sizeof *z);
    }
    const carom_status status = carom_shape_heightfield(nx, ny, dx, dy, z, &shape, &error);
    return push_made(L, status, shape, &error);
}

/* mesh { points = { {x, y, z}, ... }, triangles = { {1, 2, 3}, ... } } */
static int call_mesh(lua_State *L)
{
    carom_shape *shape = NULL;
    carom_error error = {0};
    double *xyz = NULL, *corners = NULL;
    dimension_of(L, "mesh", CAROM_SPACE);
    loader_check_statement(L, 1, &language_mesh);
    if (is_file(L, "mesh"))
        return mesh_of_file(L);
    lua_getfield(L, 1, "points");
    const size_t points = read_points(L, lua_gettop(L), 3, "mesh: points", &xyz);
    lua_getfield(L, 1, "triangles");
    const size_t triangles = read_points(L, lua_gettop(L), 3, "mesh: triangles", &corners);
    int *corner = loader_take(L, 3 * triangles + 1, sizeof *corner);
    for (size_t i = 0; i < 3 * triangles; i++) {
        if (!(corners[i] >= 1.0 && corners[i] <= (double)points) || corners[i] != (double)(int)corners[i])
            loader_error(L, "mesh: a triangle names point %g; there are 1 to %d", corners[i], (int)points);
        corner[i] = (int)corners[i] - 1;
    }
    const carom_status status = carom_shape_mesh(points, xyz, triangles, corner, &shape, &error);
    return push_made(L, status, shape, &error);
}

/* Pose of a part from at and rotation, plain numbers: an angle, or axis and angle. */
static carom_pose read_pose(lua_State *L, int index, int dimension)
{
    const int table = lua_absindex(L, index);
    carom_pose pose = carom_pose_identity();
    double *at = NULL;
    if (lua_getfield(L, table, "at") != LUA_TNIL) {
        loader_plain_list(L, lua_gettop(L), (size_t)dimension, "compound: at", &at);
        memcpy(pose.x, at, (size_t)dimension * sizeof *at);
    }
    lua_pop(L, 1);
    if (lua_getfield(L, table, "rotation") != LUA_TNIL) {
        double quaternion[4];
        loader_plain_rotation(L, lua_gettop(L), dimension, quaternion);
        const carom_body here = {.q = 0};
        const carom_bodies alone = {.dimension = dimension, .count = 1, .body = &here};
        const double plane[3] = {pose.x[0], pose.x[1], quaternion[0]};
        const double space[7] = {pose.x[0],     pose.x[1],     pose.x[2],    quaternion[0],
                                 quaternion[1], quaternion[2], quaternion[3]};
        carom_bodies_poses(&alone, dimension == CAROM_PLANE ? plane : space, &pose);
    }
    lua_pop(L, 1);
    return pose;
}

/* compound { { shape, at = , rotation = }, ... } */
static int call_compound(lua_State *L)
{
    const int dimension = dimension_of(L, "compound", 0);
    if (!lua_istable(L, 1) || luaL_len(L, 1) == 0)
        loader_error(L, "compound takes parts: compound { { box { 1, 1 }, at = { 0, 1 } }, ... }");
    const size_t parts = (size_t)luaL_len(L, 1);
    carom_shape **part = loader_take(L, parts, sizeof *part);
    carom_pose *pose = loader_take(L, parts, sizeof *pose);
    const double nowhere[3] = {0.0, 0.0, 0.0};
    carom_error error = {0};
    for (size_t i = 0; i < parts; i++) {
        lua_geti(L, 1, (lua_Integer)i + 1);
        const int table = lua_gettop(L);
        if (!lua_istable(L, table))
            loader_error(L, "compound: part %d must be a table: { box { 1, 1 }, at = { 0, 1 } }", (int)i + 1);
        lua_geti(L, table, 1);
        loader_check_shape(L, lua_gettop(L), "the first entry of a part of compound");
        lua_pop(L, 1);
        pose[i] = read_pose(L, table, dimension);
        lua_pop(L, 1);
    }
    /* copies, which the compound consumes: no error of Lua from here on until they are its own */
    carom_status status = CAROM_OK;
    size_t copied = 0;
    for (; status == CAROM_OK && copied < parts; copied++) {
        lua_geti(L, 1, (lua_Integer)copied + 1);
        lua_geti(L, -1, 1);
        const shape_value *value = lua_touserdata(L, -1);
        lua_pop(L, 2);
        status = carom_shape_moved(value->shape, nowhere, &part[copied], &error);
    }
    carom_shape *shape = NULL;
    if (status == CAROM_OK)
        status = carom_shape_compound(dimension, parts, part, pose, &shape, &error);
    for (size_t i = 0; status != CAROM_OK && i < copied; i++)
        carom_shape_free(part[i]);
    return push_made(L, status, shape, &error);
}

/* ---- descriptions ----------------------------------------------------------------------------------- */

static const carom_statement_key round_keys[] = {{"radius", "instead of the first entry"}, {0}};

const carom_statement language_sphere = {
    .name = "sphere",
    .summary = "a ball of space around the origin",
    .example = "body { \"ball\", shape = sphere { 0.1 }, density = 1000, at = { 0, 0, 1 } }",
    .keys = round_keys,
    .call = call_sphere,
    .open = open_shapes,
};

const carom_statement language_disc = {
    .name = "disc",
    .summary = "a disc of the plane around the origin",
    .example = "body { \"coin\", shape = disc { 0.1 }, density = 1000, at = { 0, 1 } }",
    .keys = round_keys,
    .call = call_disc,
};

const carom_statement language_box = {
    .name = "box",
    .summary = "a box around the origin, by its full edges: two in the plane, three in space",
    .example = "box { 0.4, 0.3, 0.2 }",
    .call = call_box,
};

static const carom_statement_key capsule_keys[] = {
    {"radius", "of the caps"},
    {"length", "between the centres of the caps, along x in the plane, z in space"},
    {0}};

const carom_statement language_capsule = {
    .name = "capsule",
    .summary = "all points within a radius of a segment",
    .example = "capsule { radius = 0.05, length = 0.4 }",
    .keys = capsule_keys,
    .call = call_capsule,
};

static const carom_statement_key cylinder_keys[] = {{"radius", "> 0"}, {"height", "along z"}, {0}};

const carom_statement language_cylinder = {
    .name = "cylinder",
    .summary = "a cylinder of space around the origin, axis z",
    .example = "cylinder { radius = 0.1, height = 0.3 }",
    .keys = cylinder_keys,
    .call = call_cylinder,
};

static const carom_statement_key convex_keys[] = {
    {"points", "instead of the list itself"},
    {"file", "in space: .obj or .stl beside the model file, in place of the list"},
    {"scale", "of a file, default 1: 1e-3 where it is in mm"},
    {0}};

const carom_statement language_convex = {
    .name = "convex",
    .summary = "the convex hull of points",
    .example = "convex { {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1} }",
    .keys = convex_keys,
    .call = call_convex,
};

const carom_statement language_polygon = {
    .name = "polygon",
    .summary = "the inside of a simple polygon of the plane; cut into convex parts where it is not convex",
    .example = "polygon { {0, 0}, {2, 0}, {2, 1}, {1, 0.5} }",
    .call = call_polygon,
};

static const carom_statement_key plane_keys[] = {{"normal", "points to the free side; of any length"},
                                                 {"offset", "normal . x on the surface; default 0"},
                                                 {0}};

const carom_statement language_plane = {
    .name = "plane",
    .summary = "a half plane or half space: all x with normal . x <= offset are inside",
    .example = "fixed { \"floor\", shape = plane { normal = { 0, 1 }, offset = 0 } }",
    .keys = plane_keys,
    .call = call_plane,
};

static const carom_statement_key polyline_keys[] = {{"closed", "true: the last point is joined to the first"},
                                                    {0}};

const carom_statement language_polyline = {
    .name = "polyline",
    .summary = "a line of straight pieces in the plane, for fixed and driven bodies",
    .example = "polyline { {-1, 1}, {0, 0}, {1, 1} }",
    .keys = polyline_keys,
    .call = call_polyline,
};

static const carom_statement_key heightfield_keys[] = {
    {"dx", "distance of heights along x"}, {"dy", "distance of rows along y"}, {0}};

const carom_statement language_heightfield = {
    .name = "heightfield",
    .summary = "a surface over a grid, rows of heights along x, for fixed and driven bodies",
    .example = "heightfield { dx = 1, dy = 1, { 0, 0, 0 }, { 0, 0.2, 0 }, { 0, 0, 0 } }",
    .keys = heightfield_keys,
    .call = call_heightfield,
};

static const carom_statement_key mesh_keys[] = {
    {"points", "list of { x, y, z }"},
    {"triangles", "list of three numbers of points, from 1"},
    {"file", ".obj or .stl beside the model file, in place of both"},
    {"scale", "of a file, default 1: 1e-3 where it is in mm"},
    {0}};

const carom_statement language_mesh = {
    .name = "mesh",
    .summary = "a surface of triangles, for fixed and driven bodies",
    .example = "mesh { points = { {0,0,0}, {1,0,0}, {0,1,0} }, triangles = { {1, 2, 3} } }",
    .keys = mesh_keys,
    .call = call_mesh,
};

const carom_statement language_compound = {
    .name = "compound",
    .summary = "several shapes as one, each with at and rotation",
    .example = "compound { { box { 1, 0.1 } }, { disc { 0.2 }, at = { 0.5, 0 } } }",
    .call = call_compound,
};
