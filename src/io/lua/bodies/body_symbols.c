/* Bodies as values of the language: their symbols, points and forces, and the pairs that are watched. */
#include <string.h>

#include "io/lua/loader_bodies.h"
#include "io/lua/statements.h"

static const char BODY[] = "carom.body";

typedef struct body_value {
    int body;
} body_value;

void loader_push_body(lua_State *L, int body)
{
    body_value *value = lua_newuserdatauv(L, sizeof *value, 0);
    value->body = body;
    luaL_setmetatable(L, BODY);
}

int loader_check_body(lua_State *L, int index, const char *what)
{
    const body_value *value = luaL_testudata(L, index, BODY);
    if (!value)
        loader_error(L, "%s must be a body: local b = body { ... }; got %s", what,
                     lua_isnoneornil(L, index) ? "nothing" : luaL_typename(L, index));
    return value->body;
}

/* ---- expressions -------------------------------------------------------------------------------------------- */

static carom_node add(carom_graph *g, carom_node a, carom_node b)
{
    return carom_binary(g, CAROM_OP_ADD, a, b);
}

static carom_node subtract(carom_graph *g, carom_node a, carom_node b)
{
    return carom_binary(g, CAROM_OP_SUB, a, b);
}

static carom_node multiply(carom_graph *g, carom_node a, carom_node b)
{
    return carom_binary(g, CAROM_OP_MUL, a, b);
}

static carom_node or_zero(carom_graph *g, carom_node node)
{
    return node < 0 ? carom_constant(g, 0.0) : node;
}

/* Position k of a body: x, y, phi, or x, y, z and the quaternion; of a fixed body an expression of parameters. */
static carom_node position(const loader *load, int body, int k)
{
    const loader_bodies *bodies = load->bodies;
    const carom_body_spec *spec = &bodies->body[body];
    if (bodies->q[body] >= 0)
        return carom_leaf(load->graph, CAROM_OP_COORDINATE, bodies->q[body] + k);
    if (k < bodies->dimension)
        return or_zero(load->graph, spec->at[k]);
    const int of_rotation = k - bodies->dimension;
    if (bodies->dimension == CAROM_SPACE && of_rotation == 0 && spec->rotation[0] < 0)
        return carom_constant(load->graph, 1.0);
    return or_zero(load->graph, spec->rotation[of_rotation]);
}

static carom_node velocity(const loader *load, int body, int k)
{
    const loader_bodies *bodies = load->bodies;
    return bodies->v[body] < 0 ? carom_constant(load->graph, 0.0)
                               : carom_leaf(load->graph, CAROM_OP_VELOCITY, bodies->v[body] + k);
}

/* Entry (i, j) of the rotation of a body. */
static carom_node rotation_entry(const loader *load, int body, int i, int j)
{
    carom_graph *g = load->graph;
    if (load->bodies->dimension == CAROM_PLANE) {
        const carom_node phi = position(load, body, 2);
        const carom_node c = carom_unary(g, CAROM_OP_COS, phi), s = carom_unary(g, CAROM_OP_SIN, phi);
        return i == j ? c : i > j ? s : carom_unary(g, CAROM_OP_NEG, s);
    }
    const carom_node two = carom_constant(g, 2.0), one = carom_constant(g, 1.0);
    carom_node q[4];
    for (int k = 0; k < 4; k++)
        q[k] = position(load, body, 3 + k);
    if (i == j) { /* 1 - 2 (y^2 + z^2) */
        const carom_node a = q[1 + (i + 1) % 3], b = q[1 + (i + 2) % 3];
        return subtract(g, one, multiply(g, two, add(g, multiply(g, a, a), multiply(g, b, b))));
    }
    const int third = 3 - i - j;
    const bool minus = (i + 1) % 3 == j; /* r01, r12, r20 have - w */
    const carom_node products = multiply(g, q[1 + i], q[1 + j]), turned = multiply(g, q[0], q[1 + third]);
    return multiply(g, two, minus ? subtract(g, products, turned) : add(g, products, turned));
}

/* Where a point of the body, along its own axes, is in space. */
static void place_point(const loader *load, int body, const carom_node *point, carom_node *placed)
{
    carom_graph *g = load->graph;
    const int n = load->bodies->dimension;
    for (int i = 0; i < n; i++) {
        placed[i] = position(load, body, i);
        for (int j = 0; j < n; j++)
            placed[i] = add(g, placed[i], multiply(g, rotation_entry(load, body, i, j), point[j]));
    }
}

/* Leaves and their rates. */
typedef struct rate_list {
    carom_node *leaf, *rate;
    int count;
} rate_list;

static void add_rate(rate_list *list, carom_node leaf, carom_node rate)
{
    list->leaf[list->count] = leaf;
    list->rate[list->count++] = rate;
}

static void add_body_rates(const loader *load, int body, rate_list *list)
{
    carom_graph *g = load->graph;
    for (int k = 0; k < 3; k++) /* plane: the angle, too */
        add_rate(list, position(load, body, k), velocity(load, body, k));
    if (load->bodies->dimension == CAROM_PLANE)
        return;
    /* q' = 1/2 (0, w) q */
    const carom_node half = carom_constant(g, 0.5);
    const carom_node p[4] = {position(load, body, 3), position(load, body, 4), position(load, body, 5),
                             position(load, body, 6)};
    const carom_node w[3] = {velocity(load, body, 3), velocity(load, body, 4), velocity(load, body, 5)};
    carom_node dot = carom_constant(g, 0.0);
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        dot = add(g, dot, multiply(g, w[k], p[1 + k]));
        const carom_node crossed = subtract(g, multiply(g, w[a], p[1 + b]), multiply(g, w[b], p[1 + a]));
        add_rate(list, p[1 + k], multiply(g, half, add(g, multiply(g, w[k], p[0]), crossed)));
    }
    add_rate(list, p[0], carom_unary(g, CAROM_OP_NEG, multiply(g, half, dot)));
}

/* The body that has this position: those that move have them in ascending order, others have none (-1). */
static int body_at(const loader_bodies *bodies, int place)
{
    int low = 0, high = bodies->bodies;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        while (middle > low && bodies->q[middle] < 0)
            middle--;
        if (middle > low && bodies->q[middle] > place)
            high = middle;
        else if (middle > low)
            low = middle;
        else { /* none moves between low and the middle */
            middle = low + (high - low) / 2;
            while (middle < high && bodies->q[middle] < 0)
                middle++;
            if (middle == high || bodies->q[middle] > place)
                return low;
            low = middle;
        }
    }
    return low;
}

/* The rates of the positions that an expression has, and the time; with room for its velocities. False when memory is
 * short. */
static bool list_rates(const loader *load, carom_arena *arena, carom_node node, size_t velocities,
                       rate_list *list)
{
    carom_graph *g = load->graph;
    carom_node_row by;
    if (!carom_gradient_row(g, node, CAROM_OP_COORDINATE, arena, &by))
        return false;
    const size_t room = 7 * (size_t)by.count + 1 + velocities;
    *list = (rate_list){.leaf = carom_arena_take(arena, room, sizeof(carom_node)),
                        .rate = carom_arena_take(arena, room, sizeof(carom_node))};
    if (!list->leaf || !list->rate)
        return false;
    for (int i = 0, last = -1; i < by.count; i++) {
        const int place = by.entry[i].index, coordinate = loader_coordinate_at(load, place);
        if (coordinate >= 0) {
            add_rate(list, carom_leaf(g, CAROM_OP_COORDINATE, place),
                     carom_leaf(g, CAROM_OP_VELOCITY, load->coordinate_v[coordinate]));
            continue;
        }
        const int body = body_at(load->bodies, place);
        if (body != last)
            add_body_rates(load, body, list);
        last = body;
    }
    add_rate(list, carom_leaf(g, CAROM_OP_TIME, 0), carom_constant(g, 1.0));
    return true;
}

/* CAROM_NO_NODE when memory is short. */
static carom_node rate_of(const loader *load, carom_arena *arena, carom_node node)
{
    rate_list list;
    carom_node result = CAROM_NO_NODE;
    if (list_rates(load, arena, node, 0, &list))
        carom_directional(load->graph, 1, &node, list.count, list.leaf, list.rate, &result);
    return result;
}

static carom_node acceleration_of(const loader *load, carom_arena *arena, carom_node node)
{
    const carom_node first = rate_of(load, arena, node);
    carom_node second = CAROM_NO_NODE;
    carom_node_row by;
    rate_list list;
    if (!carom_gradient_row(load->graph, first, CAROM_OP_VELOCITY, arena, &by) ||
        !list_rates(load, arena, first, (size_t)by.count, &list))
        return CAROM_NO_NODE;
    for (int i = 0; i < by.count; i++)
        add_rate(&list, carom_leaf(load->graph, CAROM_OP_VELOCITY, by.entry[i].index),
                 carom_leaf(load->graph, CAROM_OP_ACCELERATION, by.entry[i].index));
    carom_directional(load->graph, 1, &first, list.count, list.leaf, list.rate, &second);
    return second;
}

/* The time derivatives take memory while they are made; what is left of it are nodes. */
static carom_node derived(lua_State *L, carom_node node,
                          carom_node (*derive)(const loader *load, carom_arena *arena, carom_node node))
{
    carom_arena *arena = carom_arena_create();
    const carom_node result = arena ? derive(loader_of(L), arena, node) : CAROM_NO_NODE;
    carom_arena_free(arena);
    if (result < 0 && carom_graph_status(loader_of(L)->graph, NULL) == CAROM_OK)
        loader_no_memory(L);
    return result;
}

carom_node loader_bodies_rate(lua_State *L, carom_node node)
{
    return derived(L, node, rate_of);
}

carom_node loader_bodies_acceleration(lua_State *L, carom_node node)
{
    return derived(L, node, acceleration_of);
}

/* ---- fields and methods -------------------------------------------------------------------------------------- */

/* A vector as a table: 1, 2, 3 and x, y, z. */
static void push_vector(lua_State *L, int count, const carom_node *node)
{
    static const char *const axis[] = {"x", "y", "z"};
    lua_createtable(L, count, count);
    for (int k = 0; k < count && k < 3; k++) {
        loader_push_node(L, node[k]);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, k + 1);
        lua_setfield(L, -2, axis[k]);
    }
}

/* b:point { x, y, z }: where a point of the body is, in space. */
static int method_point(lua_State *L)
{
    const loader *load = loader_of(L);
    const int body = loader_check_body(L, 1, "point");
    carom_node point[3] = {0}, placed[3] = {0};
    loader_read_vector(L, 2, load->bodies->dimension, "a point of the body", point);
    place_point(load, body, point, placed);
    push_vector(L, load->bodies->dimension, placed);
    return 1;
}

/* Entry (i, j) of the rotation at the start. */
static carom_node start_entry(loader *load, int body, int i, int j)
{
    /* as if the body were fixed where it starts */
    loader_bodies *bodies = load->bodies;
    const int q = bodies->q[body];
    bodies->q[body] = -1;
    const carom_node entry = rotation_entry(load, body, i, j);
    bodies->q[body] = q;
    return entry;
}

/* b:direction { x, y, z }: a vector of the body, along the axes of space. */
static int method_direction(lua_State *L)
{
    const loader *load = loader_of(L);
    const int body = loader_check_body(L, 1, "direction"), n = load->bodies->dimension;
    carom_node vector[3] = {0}, turned[3] = {0};
    loader_read_vector(L, 2, n, "a vector of the body", vector);
    for (int i = 0; i < n; i++) {
        turned[i] = carom_constant(load->graph, 0.0);
        for (int j = 0; j < n; j++)
            turned[i] = add(load->graph, turned[i],
                            multiply(load->graph, rotation_entry(load, body, i, j), vector[j]));
    }
    push_vector(L, n, turned);
    return 1;
}

/* R0^T v */
static void turn_back(loader *load, int body, const carom_node *v, carom_node *turned)
{
    const int n = load->bodies->dimension;
    for (int j = 0; j < n; j++) {
        turned[j] = carom_constant(load->graph, 0.0);
        for (int i = 0; i < n; i++)
            turned[j] =
                add(load->graph, turned[j], multiply(load->graph, start_entry(load, body, i, j), v[i]));
    }
}

/* b:attach { x, y, z }: the point of the body that is there at the start, along the axes of the body. */
static int method_attach(lua_State *L)
{
    loader *load = loader_of(L);
    const int body = loader_check_body(L, 1, "attach"), n = load->bodies->dimension;
    carom_node point[3] = {0}, turned[3] = {0};
    loader_read_vector(L, 2, n, "a point", point);
    for (int i = 0; i < n; i++)
        point[i] = subtract(load->graph, point[i], or_zero(load->graph, load->bodies->body[body].at[i]));
    turn_back(load, body, point, turned);
    push_vector(L, n, turned);
    return 1;
}

/* The same of a direction. */
static int method_attach_direction(lua_State *L)
{
    loader *load = loader_of(L);
    const int body = loader_check_body(L, 1, "attach_direction"), n = load->bodies->dimension;
    carom_node vector[3] = {0}, turned[3] = {0};
    loader_read_vector(L, 2, n, "a direction", vector);
    turn_back(load, body, vector, turned);
    push_vector(L, n, turned);
    return 1;
}

/* b:pass(other): the two do not touch each other. */
static int method_pass(lua_State *L)
{
    loader_bodies *bodies = loader_of(L)->bodies;
    const int a = loader_check_body(L, 1, "pass"), b = loader_check_body(L, 2, "the other body");
    bodies->apart_pair = loader_grow(L, bodies->apart_pair, bodies->apart, sizeof *bodies->apart_pair);
    bodies->apart_pair[bodies->apart][0] = a;
    bodies->apart_pair[bodies->apart++][1] = b;
    return 0;
}

static void add_guide(lua_State *L, carom_body_guide guide)
{
    loader_bodies *bodies = loader_of(L)->bodies;
    guide.name = loader_text(L, loader_check_name(L, 2, "a limit or motor"));
    guide.line = loader_line(L);
    guide.value = loader_check_node(L, 3, guide.name);
    bodies->guide = loader_grow(L, bodies->guide, bodies->guides, sizeof *bodies->guide);
    bodies->guide[bodies->guides++] = guide;
}

/* b:limit("name", value, restitution): an expression of positions that does not become negative. */
static int method_limit(lua_State *L)
{
    const carom_node restitution =
        lua_isnoneornil(L, 4) ? CAROM_NO_NODE : loader_check_node(L, 4, "restitution");
    add_guide(L,
              (carom_body_guide){.restitution = restitution, .speed = CAROM_NO_NODE, .bound = CAROM_NO_NODE});
    return 0;
}

/* b:motor("name", value, speed, bound): the rate of the value becomes `speed`, with a force up to the bound. */
static int method_motor(lua_State *L)
{
    add_guide(L, (carom_body_guide){.is_motor = true,
                                    .restitution = CAROM_NO_NODE,
                                    .speed = loader_check_node(L, 4, "speed"),
                                    .bound = loader_check_node(L, 5, "torque")});
    return 0;
}

/* b:start_angle(), in the plane */
static int method_start_angle(lua_State *L)
{
    const loader *load = loader_of(L);
    const int body = loader_check_body(L, 1, "start_angle");
    if (load->bodies->dimension != CAROM_PLANE)
        loader_error(L, "start_angle is of the plane");
    loader_push_node(L, or_zero(load->graph, load->bodies->body[body].rotation[0]));
    return 1;
}

/* b:is_free() */
static int method_is_free(lua_State *L)
{
    const int body = loader_check_body(L, 1, "is_free");
    lua_pushboolean(L, loader_of(L)->bodies->body[body].kind == CAROM_BODY_FREE);
    return 1;
}

static int method_speed(lua_State *L)
{
    const loader *load = loader_of(L);
    const int body = loader_check_body(L, 1, "speed");
    carom_graph *g = load->graph;
    carom_node sum = carom_constant(g, 0.0);
    for (int k = 0; k < load->bodies->dimension; k++)
        sum = add(g, sum, multiply(g, velocity(load, body, k), velocity(load, body, k)));
    loader_push_node(L, carom_unary(g, CAROM_OP_SQRT, sum));
    return 1;
}

/* 1/2 m v^2 + 1/2 w.J w, the spin along the axes of the body. */
static int method_kinetic(lua_State *L)
{
    static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    const loader *load = loader_of(L);
    const int body = loader_check_body(L, 1, "kinetic"), n = load->bodies->dimension;
    const carom_body_spec *spec = &load->bodies->body[body];
    carom_graph *g = load->graph;
    carom_node sum = carom_constant(g, 0.0), w[3];
    for (int k = 0; k < n; k++)
        sum = add(g, sum,
                  multiply(g, or_zero(g, spec->mass),
                           multiply(g, velocity(load, body, k), velocity(load, body, k))));
    if (n == CAROM_PLANE) {
        const carom_node spin = velocity(load, body, 2);
        sum = add(g, sum, multiply(g, or_zero(g, spec->inertia[2]), multiply(g, spin, spin)));
    } else {
        for (int k = 0; k < 3; k++) {
            w[k] = carom_constant(g, 0.0);
            for (int i = 0; i < 3; i++)
                w[k] =
                    add(g, w[k], multiply(g, rotation_entry(load, body, i, k), velocity(load, body, 3 + i)));
        }
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                sum =
                    add(g, sum, multiply(g, or_zero(g, spec->inertia[place[i][j]]), multiply(g, w[i], w[j])));
    }
    loader_push_node(L, multiply(g, carom_constant(g, 0.5), sum));
    return 1;
}

static int body_index(lua_State *L)
{
    static const char *const plane[] = {"x", "y", "phi", NULL};
    static const char *const space[] = {"x", "y", "z", "qw", "qx", "qy", "qz", NULL};
    static const char *const spins[] = {"wx", "wy", "wz", NULL};
    static const luaL_Reg method[] = {{"point", method_point},
                                      {"direction", method_direction},
                                      {"speed", method_speed},
                                      {"kinetic", method_kinetic},
                                      {"attach", method_attach},
                                      {"attach_direction", method_attach_direction},
                                      {"pass", method_pass},
                                      {"is_free", method_is_free},
                                      {"start_angle", method_start_angle},
                                      {"limit", method_limit},
                                      {"motor", method_motor},
                                      {NULL, NULL}};
    const loader *load = loader_of(L);
    const int body = loader_check_body(L, 1, "the value");
    const bool is_plane = load->bodies->dimension == CAROM_PLANE;
    const char *name = luaL_checkstring(L, 2), *const *list = is_plane ? plane : space;
    for (int k = 0; method[k].name; k++)
        if (strcmp(name, method[k].name) == 0) {
            lua_pushcfunction(L, method[k].func);
            return 1;
        }
    for (int k = 0; list[k]; k++)
        if (strcmp(name, list[k]) == 0) {
            loader_push_node(L, position(load, body, k));
            return 1;
        }
    for (int k = 0; spins[k]; k++)
        if (strcmp(name, spins[k]) == 0 && (!is_plane || k == 2)) {
            loader_push_node(L, velocity(load, body, is_plane ? 2 : 3 + k));
            return 1;
        }
    return loader_error(L, "body '%s' has no '%s'; it has %s", load->bodies->body[body].name, name,
                        is_plane ? "x, y, phi, wz, point, speed, kinetic"
                                 : "x, y, z, qw, qx, qy, qz, wx, wy, wz, point, speed, kinetic");
}

static int body_tostring(lua_State *L)
{
    lua_pushfstring(L, "body %s", loader_of(L)->bodies->body[loader_check_body(L, 1, "the value")].name);
    return 1;
}

void loader_open_bodies(lua_State *L)
{
    luaL_newmetatable(L, BODY);
    lua_pushcfunction(L, body_index);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, body_tostring);
    lua_setfield(L, -2, "__tostring");
    lua_pushliteral(L, "body");
    lua_setfield(L, -2, "__name");
    lua_pop(L, 1);
}

/* ---- pairs that are watched ------------------------------------------------------------------------------------ */

int loader_watched_contact(lua_State *L, int index)
{
    loader_bodies *bodies = loader_of(L)->bodies;
    const int a = loader_check_body(L, index, "the first of the pair");
    const int b =
        lua_isnoneornil(L, index + 1) ? -1 : loader_check_body(L, index + 1, "the second of the pair");
    if (a == b)
        loader_error(L, "a body does not touch itself: give two");
    for (int i = 0; i < bodies->watched; i++) {
        const int *pair = bodies->watched_pair[i];
        if ((pair[0] == a && pair[1] == b) || (b >= 0 && pair[0] == b && pair[1] == a))
            return i;
    }
    bodies->watched_pair =
        loader_grow(L, bodies->watched_pair, bodies->watched, sizeof *bodies->watched_pair);
    bodies->watched_pair[bodies->watched][0] = a;
    bodies->watched_pair[bodies->watched][1] = b;
    return bodies->watched++;
}

/* ---- forces ------------------------------------------------------------------------------------------------------ */

static void add_force(lua_State *L, int place, carom_node force)
{
    loader *load = loader_of(L);
    loader_bodies *bodies = load->bodies;
    while (bodies->forces <= place) {
        bodies->force = loader_grow(L, bodies->force, bodies->forces, sizeof *bodies->force);
        bodies->force[bodies->forces++] = carom_constant(load->graph, 0.0);
    }
    bodies->force[place] = add(load->graph, bodies->force[place], force);
}

static int check_free(lua_State *L, const char *statement)
{
    if (!lua_istable(L, 1))
        loader_error(L, "%s takes a table: %s { body, ... }", statement, statement);
    lua_geti(L, 1, 1);
    const int body = loader_check_body(L, lua_gettop(L), statement);
    lua_pop(L, 1);
    const loader_bodies *bodies = loader_of(L)->bodies;
    if (bodies->body[body].kind != CAROM_BODY_FREE)
        loader_error(L, "%s: body '%s' does not move freely, and no force moves it", statement,
                     bodies->body[body].name);
    return body;
}

int loader_body_force(lua_State *L)
{
    static const char *const keys[] = {"at", NULL};
    const loader *load = loader_of(L);
    carom_graph *g = load->graph;
    const int n = load->bodies->dimension;
    loader_check_keys(L, 1, "force", keys);
    const int body = check_free(L, "force"), v = load->bodies->v[body];
    carom_node force[3] = {0}, at[3] = {0}, arm[3] = {0};
    lua_geti(L, 1, 2);
    loader_read_vector(L, lua_gettop(L), n, "force: its components", force);
    lua_pop(L, 1);
    for (int k = 0; k < n; k++)
        add_force(L, v + k, force[k]);
    if (!loader_field_vector(L, 1, "at", n, at))
        return 0;
    for (int k = 0; k < n; k++)
        arm[k] = subtract(g, at[k], position(load, body, k));
    if (n == CAROM_PLANE) {
        add_force(L, v + 2, subtract(g, multiply(g, arm[0], force[1]), multiply(g, arm[1], force[0])));
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        add_force(L, v + 3 + k, subtract(g, multiply(g, arm[a], force[b]), multiply(g, arm[b], force[a])));
    }
    return 0;
}

static int statement_torque(lua_State *L)
{
    const loader *load = loader_of(L);
    if (!load->bodies)
        loader_error(L, "torque { body, ... } is for bodies; forces of coordinates are force { x = ... }");
    const int body = check_free(L, "torque"), v = load->bodies->v[body];
    carom_node torque[3] = {0};
    lua_geti(L, 1, 2);
    if (load->bodies->dimension == CAROM_PLANE) {
        add_force(L, v + 2, loader_check_node(L, lua_gettop(L), "torque"));
        return 0;
    }
    loader_read_vector(L, lua_gettop(L), 3, "torque: its components", torque);
    for (int k = 0; k < 3; k++)
        add_force(L, v + 3 + k, torque[k]);
    return 0;
}

const carom_statement language_torque = {
    .name = "torque",
    .summary = "a torque on a body: a number in the plane, three along the axes of space; further calls add",
    .example = "torque { crate, { 0, 0, -0.1 * crate.wz } }",
    .call = statement_torque,
};
