#include "body_joints.h"

#include <stdlib.h>
#include <string.h>

#include "bodies_model.h"
#include "body_slopes.h"

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

/* What rows are made with. */
typedef struct row_maker {
    const carom_bodies_spec *spec;
    body_slopes slopes;
    carom_node_row row;
    row_list list;
    carom_node *rate; /* per row: d/dt, or the slip at rest */
} row_maker;

static bool add_row(row_maker *self)
{
    for (int k = 0; k < self->row.count; k++)
        if (!add_entry(&self->list, self->row.entry[k].index, self->row.entry[k].node))
            return false;
    return true;
}

/* The row of an expression of positions and time. */
static bool add_value_row(row_maker *self, carom_node value, int row)
{
    carom_graph *graph = self->spec->graph;
    const carom_node time = carom_leaf(graph, CAROM_OP_TIME, 0);
    carom_gradient(graph, value, 1, &time, &self->rate[row]);
    return body_slopes_along(&self->slopes, value, &self->row) && add_row(self);
}

/* Slip, which is linear in the velocities. */
static bool add_slip_row(row_maker *self, carom_node slip, int row)
{
    carom_graph *graph = self->spec->graph;
    self->rate[row] = carom_substitute_leaves(graph, slip, CAROM_OP_VELOCITY, carom_constant(graph, 0.0));
    return body_slopes_by_velocity(&self->slopes, slip, &self->row) && add_row(self);
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

static bool take_maker(row_maker *self, carom_arena *scratch, const body_places *places, int rows)
{
    carom_graph *graph = self->spec->graph;
    self->rate = carom_arena_take(scratch, (size_t)rows, sizeof(carom_node));
    for (int i = 0; self->rate && i < rows; i++)
        self->rate[i] = carom_constant(graph, 0.0);
    return self->rate && body_slopes_take(&self->slopes, graph, places, scratch);
}

/* Rows of joints, guides and contacts of expressions, their values and ends. */
static bool make_rows(row_maker *self, int *start, carom_node *value)
{
    const carom_bodies_spec *spec = self->spec;
    const int plain = spec->joints + spec->guides;
    int row = 0;
    for (int i = 0; i < plain; i++) {
        value[i] = i < spec->joints ? spec->joint[i].value : spec->guide[i - spec->joints].value;
        if (!add_value_row(self, value[i], row))
            return false;
        start[++row] = self->list.count;
    }
    for (int i = 0; i < spec->contacts; i++) {
        const carom_traced_contact *contact = &spec->contact[i];
        value[plain + i] = contact->gap;
        for (int k = 0; k <= CAROM_TANGENTS_MAX; k++) {
            if (k == 0 && !add_value_row(self, contact->gap, row))
                return false;
            if (k > 0 && k <= contact->tangents && !add_slip_row(self, contact->slip[k - 1], row))
                return false;
            start[++row] = self->list.count;
        }
    }
    return true;
}

static bool compile_rows(row_maker *self, carom_arena *arena, const carom_node *value, body_joints *joints)
{
    const carom_bodies_spec *spec = self->spec;
    const int entries = self->list.count;
    for (int i = 0; i < joints->row_count; i++)
        if (!add_entry(&self->list, -1, self->rate[i]))
            return false;
    joints->column = carom_arena_take(arena, (size_t)entries, sizeof *joints->column);
    joints->values = carom_tape_compile(spec->graph, spec->joints + spec->guides + spec->contacts, value);
    joints->rows = carom_tape_compile(spec->graph, entries + joints->row_count, self->list.entry);
    if (joints->column && entries)
        memcpy(joints->column, self->list.column, (size_t)entries * sizeof *joints->column);
    return joints->column && joints->values && joints->rows;
}

bool body_joints_compile(const carom_bodies_spec *spec, carom_model *base, const body_places *places,
                         carom_arena *arena, body_joints *joints)
{
    const size_t values = (size_t)spec->joints + (size_t)spec->guides + (size_t)spec->contacts;
    joints->row_count = spec->joints + spec->guides + (1 + CAROM_TANGENTS_MAX) * spec->contacts;
    joints->start = carom_arena_take(arena, (size_t)joints->row_count + 1, sizeof *joints->start);
    if (!joints->start || !name_joints(spec, base, arena) || !compile_guides(spec, arena, joints))
        return false;
    if (joints->row_count == 0)
        return true;
    carom_arena *scratch = carom_arena_create();
    row_maker self = {.spec = spec};
    carom_node *value = scratch ? carom_arena_take(scratch, values, sizeof *value) : NULL;
    const bool made = value && take_maker(&self, scratch, places, joints->row_count) &&
                      make_rows(&self, joints->start, value) && compile_rows(&self, arena, value, joints);
    carom_arena_free(scratch);
    free(self.list.entry);
    free(self.list.column);
    return made;
}

/* ---- evaluation --------------------------------------------------------------------------------------- */

void carom_bodies_joint_values(carom_model_work *base, double t, const double *q, double *g)
{
    bodies_work *work = (bodies_work *)base;
    if (bodies_model_of(work)->joints.values)
        carom_tape_evaluate(bodies_model_of(work)->joints.values, work->value_work,
                            &(carom_inputs){.t = t, .q = q, .outside = work->base.input}, g);
}

void carom_bodies_joint_rows(carom_model_work *base, double t, const double *q, double *entry, double *g_t)
{
    bodies_work *work = (bodies_work *)base;
    const int joints = bodies_model_of(work)->joints.row_count, entries = work->bodies.joint_start[joints];
    if (joints == 0)
        return;
    carom_tape_evaluate(bodies_model_of(work)->joints.rows, work->row_work,
                        &(carom_inputs){.t = t, .q = q, .outside = work->base.input}, work->row_output);
    memcpy(entry, work->row_output, (size_t)entries * sizeof *entry);
    memcpy(g_t, work->row_output + entries, (size_t)joints * sizeof *g_t);
}

void carom_bodies_guide_numbers(carom_model_work *base, double t, double *first, double *bound)
{
    bodies_work *work = (bodies_work *)base;
    const body_joints *joints = &bodies_model_of(work)->joints;
    if (!joints->numbers)
        return;
    carom_tape_evaluate(joints->numbers, work->guide_work,
                        &(carom_inputs){.t = t, .outside = work->base.input}, work->guide_output);
    for (int i = 0; i < joints->guides; i++) {
        first[i] = work->guide_output[2 * i];
        bound[i] = work->guide_output[2 * i + 1];
    }
}
