#include "body_joints.h"

#include <stdlib.h>
#include <string.h>

void body_gradient(carom_graph *g, int dimension, const carom_node *position, const carom_node *by_position,
                   carom_node *along)
{
    /* d/dw of dV/dq . 1/2 (0, w) q: which part of the quaternion stands beside which derivative, and its sign */
    static const int place[3][4] = {{1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    static const double sign[3][4] = {{-1.0, 1.0, -1.0, 1.0}, {-1.0, 1.0, 1.0, -1.0}, {-1.0, -1.0, 1.0, 1.0}};
    memcpy(along, by_position, 3 * sizeof *along); /* plane: the angle, too */
    for (int axis = 0; dimension == CAROM_SPACE && axis < 3; axis++) {
        carom_node sum = carom_constant(g, 0.0);
        for (int k = 0; k < 4; k++) {
            const carom_node product =
                carom_binary(g, CAROM_OP_MUL, position[3 + place[axis][k]], by_position[3 + k]);
            sum =
                carom_binary(g, CAROM_OP_ADD, sum,
                             carom_binary(g, CAROM_OP_MUL, carom_constant(g, 0.5 * sign[axis][k]), product));
        }
        along[3 + axis] = sum;
    }
}

typedef struct row_list {
    carom_node *entry;
    int *column;
    int count, room;
} row_list;

static bool add_entry(row_list *list, int column, carom_node entry)
{
    if (list->count == list->room) {
        const int room = list->room ? 2 * list->room : 64;
        carom_node *entries = realloc(list->entry, (size_t)room * sizeof *entries);
        if (entries)
            list->entry = entries;
        int *columns = realloc(list->column, (size_t)room * sizeof *columns);
        if (columns)
            list->column = columns;
        if (!entries || !columns)
            return false;
        list->room = room;
    }
    list->entry[list->count] = entry;
    list->column[list->count++] = column;
    return true;
}

/* The entries of one row that are not zero. */
static bool add_row(const carom_bodies_spec *spec, const carom_body *body, carom_node value,
                    const carom_node *leaf, int positions, carom_node *by, row_list *list)
{
    carom_gradient(spec->graph, value, positions, leaf, by);
    for (int i = 0; i < spec->bodies; i++) {
        carom_node along[6];
        if (body[i].q < 0)
            continue;
        body_gradient(spec->graph, spec->dimension, leaf + body[i].q, by + body[i].q, along);
        for (int k = 0; k < (spec->dimension == CAROM_PLANE ? 3 : 6); k++) {
            double number;
            if (carom_node_is_constant(spec->graph, along[k], &number) && number == 0.0)
                continue;
            if (!add_entry(list, body[i].v + k, along[k]))
                return false;
        }
    }
    return true;
}

static bool name_joints(const carom_bodies_spec *spec, carom_model *base, carom_arena *arena)
{
    base->joint = carom_arena_take(arena, (size_t)spec->joints, sizeof *base->joint);
    for (int i = 0; base->joint && i < spec->joints; i++)
        if (!(base->joint[i] = carom_arena_copy_text(arena, spec->joint[i].name)))
            return false;
    base->joints = spec->joints;
    return base->joint != NULL;
}

static bool compile_guides(const carom_bodies_spec *spec, carom_arena *arena, body_joints *joints)
{
    const size_t count = (size_t)spec->guides;
    joints->guides = spec->guides;
    joints->is_motor = carom_arena_take(arena, count, sizeof *joints->is_motor);
    joints->guide_name = carom_arena_take(arena, count, sizeof *joints->guide_name);
    if (!joints->is_motor || !joints->guide_name)
        return false;
    if (count == 0)
        return true;
    carom_node *node = carom_new_array(2 * count, sizeof *node);
    bool made = node != NULL;
    for (size_t i = 0; made && i < count; i++) {
        const carom_body_guide *guide = &spec->guide[i];
        const carom_node zero = carom_constant(spec->graph, 0.0);
        const carom_node first = guide->is_motor ? guide->speed : guide->restitution;
        node[2 * i] = first >= 0 ? first : zero;
        node[2 * i + 1] = guide->is_motor && guide->bound >= 0 ? guide->bound : zero;
        joints->is_motor[i] = guide->is_motor;
        joints->guide_name[i] = carom_arena_copy_text(arena, guide->name);
        made = joints->guide_name[i] != NULL;
    }
    if (made)
        joints->numbers = carom_tape_compile(spec->graph, 2 * spec->guides, node);
    free(node);
    return joints->numbers != NULL;
}

bool body_joints_compile(const carom_bodies_spec *spec, carom_model *base, const carom_body *body,
                         carom_arena *arena, body_joints *joints)
{
    const int count = spec->joints + spec->guides, positions = carom_model_positions(base);
    joints->start = carom_arena_take(arena, (size_t)count + 1, sizeof *joints->start);
    if (!joints->start || !name_joints(spec, base, arena) || !compile_guides(spec, arena, joints))
        return false;
    if (count == 0)
        return true;
    carom_node *leaf = carom_new_array((size_t)positions, sizeof *leaf);
    carom_node *by = carom_new_array((size_t)positions, sizeof *by);
    carom_node *value = carom_new_array((size_t)count, sizeof *value);
    row_list list = {0};
    bool made = leaf && by && value;
    for (int i = 0; made && i < positions; i++)
        leaf[i] = carom_leaf(spec->graph, CAROM_OP_COORDINATE, i);
    for (int i = 0; made && i < count; i++) {
        value[i] = i < spec->joints ? spec->joint[i].value : spec->guide[i - spec->joints].value;
        made = add_row(spec, body, value[i], leaf, positions, by, &list);
        joints->start[i + 1] = list.count;
    }
    const int entries = list.count;
    const carom_node time = carom_leaf(spec->graph, CAROM_OP_TIME, 0);
    for (int i = 0; made && i < count; i++) {
        carom_node by_time;
        carom_gradient(spec->graph, value[i], 1, &time, &by_time);
        made = add_entry(&list, -1, by_time);
    }
    if (made) {
        joints->column = carom_arena_take(arena, (size_t)entries, sizeof *joints->column);
        joints->values = carom_tape_compile(spec->graph, count, value);
        joints->rows = carom_tape_compile(spec->graph, entries + count, list.entry);
        made = joints->column && joints->values && joints->rows;
    }
    if (made && entries)
        memcpy(joints->column, list.column, (size_t)entries * sizeof *joints->column);
    free(leaf);
    free(by);
    free(value);
    free(list.entry);
    free(list.column);
    return made;
}
