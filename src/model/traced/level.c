/* Distance and slip from a function that is positive outside an obstacle. */
#include "carom/model/level.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static carom_node binary(carom_graph *graph, carom_op op, carom_node a, carom_node b)
{
    return carom_binary(graph, op, a, b);
}

static carom_node add(carom_graph *graph, carom_node a, carom_node b)
{
    return carom_binary(graph, CAROM_OP_ADD, a, b);
}

static carom_node times(carom_graph *graph, carom_node a, carom_node b)
{
    return carom_binary(graph, CAROM_OP_MUL, a, b);
}

static carom_node number(carom_graph *graph, double value)
{
    return carom_constant(graph, value);
}

static carom_node root(carom_graph *graph, carom_node a)
{
    return carom_unary(graph, CAROM_OP_SQRT, a);
}

static carom_node product(carom_graph *graph, int count, const carom_node *a, const carom_node *b)
{
    carom_node sum = number(graph, 0.0);
    for (int i = 0; i < count; i++)
        sum = add(graph, sum, times(graph, a[i], b[i]));
    return sum;
}

static bool is_zero(const carom_graph *graph, carom_node node)
{
    double value;
    return carom_node_is_constant(graph, node, &value) && value == 0.0;
}

/* ---- distance ------------------------------------------------------------------------------------------- */

/* Leaves that stand for the point while f is differentiated by it: f cannot depend on them. */
static void take_leaves(carom_graph *graph, carom_node *leaf)
{
    for (int i = 0; i < CAROM_POINT_MAX; i++)
        leaf[i] = carom_leaf(graph, CAROM_OP_ACCELERATION, i);
}

/* f of the leaves, and its gradient. */
static carom_node differentiate(carom_graph *graph, const carom_level *level, carom_node *leaf,
                                carom_node *gradient)
{
    take_leaves(graph, leaf);
    const carom_node value = carom_substitute(graph, level->value, level->dimension, level->point, leaf);
    if (value >= 0)
        carom_gradient(graph, value, level->dimension, leaf, gradient);
    return value;
}

/* Sum of the squares of all second derivatives; the constant 0 for planes. */
static carom_node curvature(carom_graph *graph, int dimension, const carom_node *leaf,
                            const carom_node *gradient)
{
    carom_node second[CAROM_POINT_MAX * CAROM_POINT_MAX];
    carom_jacobian(graph, dimension, gradient, dimension, leaf, second);
    return product(graph, dimension * dimension, second, second);
}

/* f / |f'| near the surface. Where f' is 0, such as in the middle of a bowl, that is infinite. So |f'|^2 is
 *
 *   w = g + a / sqrt(g^2 + a),   g = |f'|^2,   a = (f |f''|)^2,
 *
 * which differs from g by the second order of the distance, and has no unit of its own. Where f, f' are both 0 there is no
 * normal and w = 1. */
static carom_node length_squared(carom_graph *graph, int dimension, carom_node value, const carom_node *leaf,
                                 const carom_node *gradient)
{
    const carom_node g = product(graph, dimension, gradient, gradient);
    const carom_node second = curvature(graph, dimension, leaf, gradient);
    if (second < 0 || is_zero(graph, second))
        return second < 0 ? CAROM_NO_NODE : g;
    const carom_node a = times(graph, times(graph, value, value), second);
    const carom_node sum = add(graph, times(graph, g, g), a);
    const carom_node w = add(graph, g, binary(graph, CAROM_OP_DIV, a, root(graph, sum)));
    return carom_select(graph, sum, w, number(graph, 1.0));
}

carom_node carom_level_distance(carom_graph *graph, const carom_level *level)
{
    carom_node leaf[CAROM_POINT_MAX], gradient[CAROM_POINT_MAX];
    const carom_node value = differentiate(graph, level, leaf, gradient);
    if (value < 0)
        return CAROM_NO_NODE;
    const carom_node w = length_squared(graph, level->dimension, value, leaf, gradient);
    const carom_node distance = binary(graph, CAROM_OP_DIV, value, root(graph, w));
    return carom_substitute(graph, distance, level->dimension, leaf, level->point);
}

/* ---- what can be wrong ------------------------------------------------------------------------------------ */

static bool is_coordinate(const carom_graph *graph, carom_node node)
{
    return carom_node_op(graph, node) == CAROM_OP_COORDINATE;
}

/* Whether f, once the point is taken out of it, still depends on a coordinate that the point is made of: then f is not
 * written with the expressions of the point, and its derivative by the point is another one. */
static bool goes_around(carom_graph *graph, const carom_level *level, carom_node value, carom_arena *arena)
{
    carom_node_row rest, of_point;
    if (!carom_gradient_row(graph, value, CAROM_OP_COORDINATE, arena, &rest))
        return false;
    for (int i = 0; i < level->dimension; i++) {
        if (!carom_gradient_row(graph, level->point[i], CAROM_OP_COORDINATE, arena, &of_point))
            return false;
        for (int a = 0; a < rest.count; a++)
            for (int b = 0; b < of_point.count; b++)
                if (rest.entry[a].index == of_point.entry[b].index)
                    return true;
    }
    return false;
}

const char *carom_level_fault(carom_graph *graph, const carom_level *level)
{
    bool plain = true;
    for (int i = 0; i < level->dimension; i++) {
        if (carom_node_depends(graph, level->point[i]) & (CAROM_ON_VELOCITY | CAROM_ON_NO_MOTION))
            return "point must consist of expressions of position and time";
        if (!(carom_node_depends(graph, level->point[i]) & CAROM_ON_COORDINATE))
            return "a component of point does not depend on any coordinate";
        for (int k = 0; k < i; k++)
            if (level->point[k] == level->point[i])
                return "two components of point are the same";
        plain = plain && is_coordinate(graph, level->point[i]);
    }
    if (carom_node_depends(graph, level->value) & (CAROM_ON_VELOCITY | CAROM_ON_NO_MOTION))
        return "level must be a function of position and time";
    carom_node leaf[CAROM_POINT_MAX], gradient[CAROM_POINT_MAX];
    const carom_node value = differentiate(graph, level, leaf, gradient);
    bool depends = false;
    for (int i = 0; value >= 0 && i < level->dimension; i++)
        depends = depends || !is_zero(graph, gradient[i]);
    if (value >= 0 && !depends)
        return "level does not depend on its point; write it with the same expressions that point has";
    carom_arena *arena = plain || value < 0 ? NULL : carom_arena_create();
    const bool around = arena && goes_around(graph, level, value, arena);
    carom_arena_free(arena);
    return around
               ? "level depends on coordinates of its point in another way than through point; write it with "
                 "the same expressions that point has"
               : "";
}

/* ---- slips ------------------------------------------------------------------------------------------------ */

/* f' / |f'|; 0 where f' is 0. */
static void unit_normal(carom_graph *graph, const carom_level *level, carom_node *normal)
{
    carom_node leaf[CAROM_POINT_MAX], gradient[CAROM_POINT_MAX];
    if (differentiate(graph, level, leaf, gradient) < 0)
        return;
    const carom_node g = product(graph, level->dimension, gradient, gradient), zero = number(graph, 0.0);
    for (int i = 0; i < level->dimension; i++) {
        const carom_node part = binary(graph, CAROM_OP_DIV, gradient[i], root(graph, g));
        normal[i] =
            carom_substitute(graph, carom_select(graph, g, part, zero), level->dimension, leaf, level->point);
    }
}

/* w_k turned as e is turned into n, by the shortest way: t_k = w_k - (n.w_k) / (1 + n.e) (n + e), with e, w_1, w_2 a
 * right-handed frame. Its part along e is -n.w_k. Near n = -e, 1 + n.e loses its digits and (1 - (n.e)^2) / (1 - n.e) does not;
 * at n = -e t_k is w_k. */
static void turned_frame(carom_graph *graph, const carom_node *n, int axis, double sign,
                         carom_node tangent[2][3])
{
    const carom_node one = number(graph, 1.0), zero = number(graph, 0.0), side = number(graph, sign);
    const int w[2] = {(axis + 1) % 3, (axis + 2) % 3};
    const carom_node along = times(graph, side, n[axis]);
    const carom_node across[2] = {n[w[0]], times(graph, side, n[w[1]])};
    const carom_node rest = product(graph, 2, across, across);
    const carom_node near = binary(graph, CAROM_OP_DIV, one, add(graph, one, along));
    const carom_node far = binary(graph, CAROM_OP_DIV, binary(graph, CAROM_OP_SUB, one, along), rest);
    const carom_node apart =
        binary(graph, CAROM_OP_SUB, rest, number(graph, 4.0 * DBL_MIN)); /* 2 / rest is finite */
    const carom_node share = carom_select(graph, along, near, carom_select(graph, apart, far, zero));
    for (int k = 0; k < 2; k++) {
        const carom_node part = times(graph, across[k], share);
        tangent[k][axis] = carom_unary(graph, CAROM_OP_NEG, times(graph, side, across[k]));
        for (int i = 0; i < 2; i++) {
            const double own = i != k ? 0.0 : i == 0 ? 1.0 : sign;
            tangent[k][w[i]] = binary(graph, CAROM_OP_SUB, number(graph, own), times(graph, part, n[w[i]]));
        }
    }
}

void carom_level_slips(carom_graph *graph, const carom_level *level, int axis, double sign, carom_node *slip)
{
    carom_node normal[CAROM_POINT_MAX] = {CAROM_NO_NODE, CAROM_NO_NODE, CAROM_NO_NODE};
    carom_node relative[CAROM_POINT_MAX], tangent[2][3];
    unit_normal(graph, level, normal);
    for (int i = 0; i < level->dimension; i++)
        relative[i] = level->surface[i] < 0
                          ? level->velocity[i]
                          : binary(graph, CAROM_OP_SUB, level->velocity[i], level->surface[i]);
    if (level->dimension == 2) {
        tangent[0][0] = normal[1];
        tangent[0][1] = carom_unary(graph, CAROM_OP_NEG, normal[0]);
    } else if (level->dimension == 3) {
        turned_frame(graph, normal, axis, sign, tangent);
    }
    for (int k = 0; k < level->dimension - 1; k++)
        slip[k] = product(graph, level->dimension, tangent[k], relative);
}

/* The normal at the start, for the default values of the parameters; what cannot be evaluated is not a number. */
static bool normal_at_start(carom_graph *graph, const carom_level *level, int parameters,
                            const carom_parameter *parameter, int dof, const carom_node *start,
                            double *normal)
{
    const carom_node zero = number(graph, 0.0);
    carom_node node[CAROM_POINT_MAX] = {CAROM_NO_NODE, CAROM_NO_NODE, CAROM_NO_NODE};
    unit_normal(graph, level, node);
    carom_node *leaf = carom_new_array((size_t)dof, sizeof *leaf);
    double *value = carom_new_array((size_t)parameters + 1, sizeof *value);
    for (int i = 0; leaf && i < dof; i++)
        leaf[i] = carom_leaf(graph, CAROM_OP_COORDINATE, i);
    for (int i = 0; leaf && i < level->dimension; i++) {
        if (start)
            node[i] = carom_substitute(graph, node[i], dof, leaf, start);
        node[i] = carom_substitute_leaves(graph, node[i], CAROM_OP_COORDINATE, zero);
    }
    for (int i = 0; value && i < parameters; i++)
        value[i] = parameter[i].value;
    carom_tape *tape = leaf && value ? carom_tape_compile(graph, level->dimension, node) : NULL;
    double *work = tape ? carom_new_array(carom_tape_work_size(tape), sizeof *work) : NULL;
    if (work) {
        carom_tape_bind(tape, value, work);
        carom_tape_evaluate(tape, work, &(carom_inputs){0}, normal);
    }
    const bool done = work != NULL;
    free(leaf);
    free(value);
    free(work);
    carom_tape_free(tape);
    return done;
}

bool carom_level_finish(carom_graph *graph, int parameters, const carom_parameter *parameter, int dof,
                        const carom_node *start, int contacts, carom_traced_contact *contact)
{
    for (int k = 0; k < contacts; k++) {
        const carom_level *level = contact[k].level;
        double normal[CAROM_POINT_MAX] = {0.0, 0.0, 0.0};
        int axis = 2; /* up, where nothing else is known */
        if (!level || contact[k].tangents == 0)
            continue;
        if (level->dimension == 3 &&
            !normal_at_start(graph, level, parameters, parameter, dof, start, normal))
            return carom_graph_status(graph, NULL) != CAROM_OK; /* who makes the model says why */
        for (int i = 0; i < 2; i++)
            if (fabs(normal[i]) > fabs(normal[axis]))
                axis = i;
        carom_level_slips(graph, level, axis, normal[axis] < 0.0 ? -1.0 : 1.0, contact[k].slip);
    }
    return true;
}
