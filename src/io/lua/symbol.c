/* Symbols: Lua values that stand for expressions. Arithmetic on them grows the graph. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loader.h"
#include "loader_bodies.h"

enum {
    SYMBOL_PRICE = 50,    /* instructions: about the time that making one takes */
    DERIVATIVE_PRICE = 32 /* for each node of the expression, or each coordinate */
};

static const char SYMBOL[] = "carom.symbol";

typedef struct symbol {
    carom_node node;
} symbol;

/* The node itself; raises an error when the graph could not make it. */
static carom_node check_made(lua_State *L, carom_node node)
{
    if (node < 0) {
        carom_error error = {.text = "the expression could not be built"};
        carom_graph_status(loader_of(L)->graph, &error);
        loader_raise(L, "", &error);
    }
    return node;
}

bool loader_evaluate(lua_State *L, carom_node node, double *value)
{
    loader *load = loader_of(L);
    if (carom_node_is_constant(load->graph, node, value))
        return true;
    if (!load->computing || (carom_node_depends(load->graph, node) & ~(unsigned)CAROM_ON_PARAMETER))
        return false;
    carom_tape *tape = carom_tape_compile(load->graph, 1, &node); /* no error of Lua while it is held */
    double *work = tape ? carom_new_array(carom_tape_work_size(tape), sizeof *work) : NULL;
    if (work) {
        carom_tape_bind(tape, load->run_parameter, work);
        carom_tape_evaluate(tape, work, &(carom_inputs){0}, value);
    }
    const bool done = work != NULL;
    free(work);
    carom_tape_free(tape);
    if (!done)
        loader_no_memory(L);
    return true;
}

void loader_push_node(lua_State *L, carom_node node)
{
    loader *load = loader_of(L);
    check_made(L, node);
    loader_spend(L, SYMBOL_PRICE);
    double value;
    if (carom_node_is_constant(load->graph, node, &value) && isnan(value))
        loader_error(L, "this expression is not a number (NaN): look for 0/0, the root or logarithm of a "
                        "negative number, infinity minus infinity");
    if (load->computing && loader_evaluate(L, node, &value)) {
        lua_pushnumber(L, value);
        return;
    }
    symbol *s = lua_newuserdatauv(L, sizeof *s, 0);
    s->node = node;
    luaL_setmetatable(L, SYMBOL);
}

bool loader_is_expression(lua_State *L, int index)
{
    return lua_type(L, index) == LUA_TNUMBER || luaL_testudata(L, index, SYMBOL) != NULL;
}

carom_node loader_check_node(lua_State *L, int index, const char *what)
{
    const symbol *s = luaL_testudata(L, index, SYMBOL);
    carom_study_place place;
    if (s)
        return s->node;
    if (loader_is_output(L, index, &place))
        return loader_output_node(L, &place);
    if (lua_type(L, index) != LUA_TNUMBER)
        loader_error(L, "%s must be a number or an expression; got %s%s", what,
                     lua_isnoneornil(L, index) ? "nothing" : "a ",
                     lua_isnoneornil(L, index) ? "" : luaL_typename(L, index));
    const double value = lua_tonumber(L, index);
    if (isnan(value))
        loader_error(L, "%s is not a number (NaN)", what);
    return check_made(L, carom_constant(loader_of(L)->graph, value));
}

carom_node loader_field_node(lua_State *L, int index, const char *key)
{
    carom_node node = CAROM_NO_NODE;
    if (lua_getfield(L, index, key) != LUA_TNIL)
        node = loader_check_node(L, lua_gettop(L), key);
    lua_pop(L, 1);
    return node;
}

/* ---- operators ----------------------------------------------------------------------------- */

static int binary_operator(lua_State *L, carom_op op)
{
    const char *name = carom_op_name(op);
    carom_node a = loader_check_node(L, 1, lua_pushfstring(L, "the left side of '%s'", name));
    carom_node b = loader_check_node(L, 2, lua_pushfstring(L, "the right side of '%s'", name));
    loader_push_node(L, carom_binary(loader_of(L)->graph, op, a, b));
    return 1;
}

static int operator_add(lua_State *L)
{
    return binary_operator(L, CAROM_OP_ADD);
}

static int operator_sub(lua_State *L)
{
    return binary_operator(L, CAROM_OP_SUB);
}

static int operator_mul(lua_State *L)
{
    return binary_operator(L, CAROM_OP_MUL);
}

static int operator_div(lua_State *L)
{
    return binary_operator(L, CAROM_OP_DIV);
}

static int operator_pow(lua_State *L)
{
    return binary_operator(L, CAROM_OP_POW);
}

static int operator_unm(lua_State *L)
{
    loader_push_node(L,
                     carom_unary(loader_of(L)->graph, CAROM_OP_NEG, loader_check_node(L, 1, "the operand")));
    return 1;
}

/* Numbers of both sides, where a function computes. */
static void compared(lua_State *L, double side[2])
{
    if (!loader_of(L)->computing)
        loader_error(L,
                     "comparing a symbol: its value is not known while the file is read, so 'if' and 'while' "
                     "cannot use it; write select(c, a, b) (a where c > 0, otherwise b), min or max, or "
                     "compare inside compute(function() ... end)");
    for (int i = 0; i < 2; i++)
        if (!loader_evaluate(L, loader_check_node(L, i + 1, "what is compared"), &side[i]))
            loader_error(L, "comparing a symbol of the motion: a study has no motion");
}

static int operator_less(lua_State *L)
{
    double side[2];
    compared(L, side);
    lua_pushboolean(L, side[0] < side[1]);
    return 1;
}

static int operator_not_more(lua_State *L)
{
    double side[2];
    compared(L, side);
    lua_pushboolean(L, side[0] <= side[1]);
    return 1;
}

static int operator_equal(lua_State *L)
{
    double side[2];
    compared(L, side);
    lua_pushboolean(L, side[0] == side[1]);
    return 1;
}

static int operator_other(lua_State *L)
{
    return loader_error(L, "this operator is not defined for symbols; use + - * / ^ and functions");
}

static int operator_index(lua_State *L)
{
    return loader_error(L, "a symbol has no fields ('%s')", luaL_tolstring(L, 2, NULL));
}

static int operator_call(lua_State *L)
{
    return loader_error(L, "a symbol is not a function; is a '*' missing before the parenthesis?");
}

/* Of a coordinate; -1: of a body. */
static const char *name_of(const loader *load, int coordinate)
{
    return coordinate < 0 ? "position of a body" : load->coordinate[coordinate];
}

/* A symbol's name for messages and print(). */
static int operator_tostring(lua_State *L)
{
    loader *load = loader_of(L);
    const carom_node node = loader_check_node(L, 1, "symbol");
    const int index = carom_node_index(load->graph, node);
    double value;
    switch (carom_node_op(load->graph, node)) {
    case CAROM_OP_CONSTANT:
        carom_node_is_constant(load->graph, node, &value);
        lua_pushnumber(L, value);
        lua_tostring(L, -1);
        break;
    case CAROM_OP_PARAMETER:
    case CAROM_OP_INPUT:
        lua_pushstring(L, load->parameter[index].name);
        break;
    case CAROM_OP_COORDINATE:
        lua_pushstring(L, name_of(load, loader_coordinate_at(load, index)));
        break;
    case CAROM_OP_VELOCITY:
        lua_pushfstring(L, "dot(%s)", name_of(load, loader_coordinate_moving(load, index)));
        break;
    case CAROM_OP_TIME:
        lua_pushliteral(L, "time()");
        break;
    default:
        lua_pushliteral(L, "expression");
    }
    return 1;
}

/* ---- functions ----------------------------------------------------------------------------- */

static const carom_op function_ops[] = {
    CAROM_OP_SQRT, CAROM_OP_EXP,   CAROM_OP_LOG,   CAROM_OP_SIN,    CAROM_OP_COS,
    CAROM_OP_TAN,  CAROM_OP_ASIN,  CAROM_OP_ACOS,  CAROM_OP_ATAN,   CAROM_OP_SINH,
    CAROM_OP_COSH, CAROM_OP_TANH,  CAROM_OP_ABS,   CAROM_OP_SIGN,   CAROM_OP_MIN,
    CAROM_OP_MAX,  CAROM_OP_ATAN2, CAROM_OP_HYPOT, CAROM_OP_SELECT,
};

static void check_arity(lua_State *L, const char *name, int least, int most)
{
    const int count = lua_gettop(L);
    if (count >= least && count <= most)
        return;
    if (least == most)
        loader_error(L, "%s takes %d argument%s; got %d", name, least, least == 1 ? "" : "s", count);
    loader_error(L, "%s takes %d to %d arguments; got %d", name, least, most, count);
}

/* Numbers stay Lua numbers, so that loops and table sizes can use sqrt() and friends. */
static void give(lua_State *L, int arguments, carom_node node)
{
    double value;
    for (int i = 1; i <= arguments; i++)
        if (lua_type(L, i) != LUA_TNUMBER) {
            loader_push_node(L, node);
            return;
        }
    carom_node_is_constant(loader_of(L)->graph, check_made(L, node), &value);
    lua_pushnumber(L, value);
}

static int call_function(lua_State *L)
{
    const carom_op op = (carom_op)lua_tointeger(L, lua_upvalueindex(1));
    const char *name = carom_op_name(op);
    carom_graph *graph = loader_of(L)->graph;
    const int count = lua_gettop(L);
    if (op == CAROM_OP_MIN || op == CAROM_OP_MAX)
        check_arity(L, name, 1, 1000);
    else if (op == CAROM_OP_ATAN)
        check_arity(L, name, 1, 2);
    else
        check_arity(L, name, carom_op_arity(op), carom_op_arity(op));
    carom_node result = loader_check_node(L, 1, name);
    if (op == CAROM_OP_SELECT)
        result = carom_select(graph, result, loader_check_node(L, 2, name), loader_check_node(L, 3, name));
    else if (op == CAROM_OP_ATAN && count == 2)
        result = carom_binary(graph, CAROM_OP_ATAN2, result, loader_check_node(L, 2, name));
    else if (carom_op_arity(op) == 1)
        result = carom_unary(graph, op, result);
    else
        for (int i = 2; i <= count; i++)
            result = carom_binary(graph, op, result, loader_check_node(L, i, name));
    give(L, count, result);
    return 1;
}

/* dot(expression): time derivative along the motion; dot(x) of a coordinate is its velocity. */
carom_node loader_rate(lua_State *L, carom_node node)
{
    loader *load = loader_of(L);
    const int index = carom_node_index(load->graph, node);
    const bool coordinate = carom_node_op(load->graph, node) == CAROM_OP_COORDINATE;
    if (load->bodies && coordinate && loader_coordinate_at(load, index) >= 0)
        return carom_leaf(load->graph, CAROM_OP_VELOCITY,
                          load->coordinate_v[loader_coordinate_at(load, index)]);
    if (!load->bodies && coordinate)
        return carom_leaf(load->graph, CAROM_OP_VELOCITY, index);
    loader_spend(L, DERIVATIVE_PRICE * carom_node_size(load->graph, node));
    return load->bodies ? loader_bodies_rate(L, node) : carom_time_derivative(load->graph, node);
}

static int call_dot(lua_State *L)
{
    check_arity(L, "dot", 1, 1);
    const carom_node node = loader_check_node(L, 1, "the argument of dot");
    if (carom_node_depends(loader_of(L)->graph, node) & (CAROM_ON_VELOCITY | CAROM_ON_NO_MOTION))
        loader_error(
            L,
            "dot(...) of a velocity is an acceleration, which a model cannot use; write forces instead. For "
            "records and measures there is acceleration(x)");
    loader_push_node(L, loader_rate(L, node));
    return 1;
}

/* Of an expression of coordinates and time, along the motion. */
static carom_node second_derivative(lua_State *L, carom_node node)
{
    carom_graph *graph = loader_of(L)->graph;
    carom_arena *arena = carom_arena_create();
    const carom_node rate = carom_time_derivative(graph, node);
    carom_node_row by_q, by_u;
    carom_node second = CAROM_NO_NODE;
    if (arena && carom_gradient_row(graph, rate, CAROM_OP_COORDINATE, arena, &by_q) &&
        carom_gradient_row(graph, rate, CAROM_OP_VELOCITY, arena, &by_u)) {
        const int count = by_q.count + by_u.count;
        carom_node *leaf = carom_arena_take(arena, (size_t)count + 1, sizeof *leaf);
        carom_node *direction = carom_arena_take(arena, (size_t)count + 1, sizeof *direction);
        for (int i = 0; leaf && direction && i < count; i++) {
            const bool moves = i >= by_q.count;
            const int index = moves ? by_u.entry[i - by_q.count].index : by_q.entry[i].index;
            leaf[i] = carom_leaf(graph, moves ? CAROM_OP_VELOCITY : CAROM_OP_COORDINATE, index);
            direction[i] = carom_leaf(graph, moves ? CAROM_OP_ACCELERATION : CAROM_OP_VELOCITY, index);
        }
        if (leaf && direction) {
            leaf[count] = carom_leaf(graph, CAROM_OP_TIME, 0);
            direction[count] = carom_constant(graph, 1.0);
            carom_directional(graph, 1, &rate, count + 1, leaf, direction, &second);
        }
    }
    carom_arena_free(arena);
    if (second < 0 && carom_graph_status(graph, NULL) == CAROM_OK)
        loader_no_memory(L);
    return second;
}

/* acceleration(expression): second time derivative along the motion, for records; of a coordinate its acceleration. */
static int call_acceleration(lua_State *L)
{
    check_arity(L, "acceleration", 1, 1);
    loader *load = loader_of(L);
    carom_graph *graph = load->graph;
    const carom_node node = loader_check_node(L, 1, "the argument of acceleration");
    if (load->has_beam)
        loader_error(L, "acceleration: a beam has no coordinates of the model file");
    if (carom_node_depends(graph, node) & (CAROM_ON_VELOCITY | CAROM_ON_NO_MOTION))
        loader_error(L, "acceleration(...) takes an expression of positions and time: acceleration(x), not "
                        "acceleration(dot(x))");
    if (load->bodies) {
        loader_spend(L, 2 * DERIVATIVE_PRICE * carom_node_size(graph, node));
        loader_push_node(L, loader_bodies_acceleration(L, node));
        return 1;
    }
    if (carom_node_op(graph, node) == CAROM_OP_COORDINATE) {
        loader_push_node(L, carom_leaf(graph, CAROM_OP_ACCELERATION, carom_node_index(graph, node)));
        return 1;
    }
    loader_spend(L, 2 * DERIVATIVE_PRICE * carom_node_size(graph, node));
    loader_push_node(L, second_derivative(L, node));
    return 1;
}

static int call_time(lua_State *L)
{
    check_arity(L, "time", 0, 0);
    loader_push_node(L, carom_leaf(loader_of(L)->graph, CAROM_OP_TIME, 0));
    return 1;
}

void loader_set_operators(lua_State *L)
{
    static const luaL_Reg operators[] = {
        {"__add", operator_add},    {"__sub", operator_sub},           {"__mul", operator_mul},
        {"__div", operator_div},    {"__pow", operator_pow},           {"__unm", operator_unm},
        {"__lt", operator_less},    {"__le", operator_not_more},       {"__eq", operator_equal},
        {"__mod", operator_other},  {"__idiv", operator_other},        {"__concat", operator_other},
        {"__len", operator_other},  {"__band", operator_other},        {"__bor", operator_other},
        {"__bxor", operator_other}, {"__shl", operator_other},         {"__shr", operator_other},
        {"__bnot", operator_other}, {"__index", operator_index},       {"__newindex", operator_index},
        {"__call", operator_call},  {"__tostring", operator_tostring}, {NULL, NULL},
    };
    luaL_setfuncs(L, operators, 0);
}

void loader_open_symbols(lua_State *L)
{
    luaL_newmetatable(L, SYMBOL);
    loader_set_operators(L);
    lua_pushliteral(L, "symbol"); /* what Lua's own messages call it */
    lua_setfield(L, -2, "__name");
    lua_pop(L, 1);
    lua_getglobal(L, "math");
    for (size_t i = 0; i < sizeof function_ops / sizeof *function_ops; i++) {
        const char *name = carom_op_name(function_ops[i]);
        lua_pushinteger(L, function_ops[i]);
        lua_pushcclosure(L, call_function, 1);
        lua_pushvalue(L, -1);
        lua_setglobal(L, name);
        lua_setfield(L, -2, name);
    }
    lua_pop(L, 1);
}

/* ---- descriptions ----------------------------------------------------------------------------- */

const carom_statement language_dot = {
    .name = "dot",
    .summary = "time derivative along the motion: of a coordinate its velocity",
    .example = "kinetic(dot(x)^2 / 2)",
    .call = call_dot,
};

const carom_statement language_time = {
    .name = "time",
    .summary = "the time t",
    .example = "force { x = cos(5 * time()) }",
    .call = call_time,
};

const carom_statement language_acceleration = {
    .name = "acceleration",
    .summary = "second time derivative along the motion, at the outputs",
    .example = "record { push = acceleration(x) }",
    .call = call_acceleration,
};
