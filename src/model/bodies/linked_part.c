/* The linked part: coordinates, and the bodies that forces link to them; masses and derivatives of forces as entries. */
#include <stdlib.h>
#include <string.h>

#include "model/model_parts.h"
#include "with_coordinates.h"

/* What is needed while the part is found; a unit is a body, or behind the bodies a coordinate. */
typedef struct linker {
    const carom_bodies_spec *spec;
    const body_places *places;
    const carom_node *force;
    carom_node *position, *velocity;  /* leaves */
    carom_node *by, *along, *by_rate; /* of one force */
    int *unit;                        /* of each velocity; -1: not free */
    int *set;                         /* of units: union and find */
    int *number;                      /* of each velocity within the part, -1: it is not there */
} linker;

static bool take_linker(linker *self, carom_arena *arena)
{
    const size_t positions = (size_t)self->places->positions, dof = (size_t)self->places->dof,
                 units = (size_t)self->places->bodies + (size_t)self->places->coordinates;
    self->position = carom_arena_take(arena, positions, sizeof(carom_node));
    self->by = carom_arena_take(arena, positions, sizeof(carom_node));
    self->velocity = carom_arena_take(arena, dof, sizeof(carom_node));
    self->along = carom_arena_take(arena, dof, sizeof(carom_node));
    self->by_rate = carom_arena_take(arena, dof, sizeof(carom_node));
    self->unit = carom_arena_take(arena, dof, sizeof(int));
    self->number = carom_arena_take(arena, dof, sizeof(int));
    self->set = carom_arena_take(arena, units, sizeof(int));
    if (!self->position || !self->by || !self->velocity || !self->along || !self->by_rate || !self->unit ||
        !self->number || !self->set)
        return false;
    for (size_t i = 0; i < units; i++)
        self->set[i] = (int)i;
    for (size_t i = 0; i < positions; i++)
        self->position[i] = carom_leaf(self->spec->graph, CAROM_OP_COORDINATE, (int)i);
    for (size_t i = 0; i < dof; i++)
        self->velocity[i] = carom_leaf(self->spec->graph, CAROM_OP_VELOCITY, (int)i);
    for (int i = 0; i < self->places->bodies; i++) {
        const carom_body *body = &self->places->body[i];
        for (int k = 0; body->v >= 0 && k < (self->places->dimension == CAROM_PLANE ? 3 : 6); k++)
            self->unit[body->v + k] = body->kind == CAROM_BODY_FREE ? i : -1;
    }
    for (int i = 0; i < self->places->coordinates; i++)
        self->unit[self->places->v[i]] = self->places->bodies + i;
    return true;
}

/* Derivatives of the force at velocity v, by displacements along velocities and by velocities; false: it is a number. */
static bool differentiate(linker *self, int v)
{
    carom_graph *g = self->spec->graph;
    if (!(carom_node_depends(g, self->force[v]) & (CAROM_ON_COORDINATE | CAROM_ON_VELOCITY)))
        return false;
    carom_gradient(g, self->force[v], self->places->positions, self->position, self->by);
    carom_gradient(g, self->force[v], self->places->dof, self->velocity, self->by_rate);
    body_places_gradient(g, self->places, self->position, self->by, self->along);
    return true;
}

/* Units that share a force are one; those that share one with a coordinate are the part. */
static int find_part(linker *self, int *velocity)
{
    const int dof = self->places->dof, bodies = self->places->bodies;
    int count = 0;
    for (int v = 0; v < dof; v++) {
        if (self->unit[v] < 0 || !differentiate(self, v))
            continue;
        for (int c = 0; c < dof; c++)
            if (self->unit[c] >= 0 && !(model_node_is_zero(self->spec->graph, self->along[c]) &&
                                        model_node_is_zero(self->spec->graph, self->by_rate[c]))) {
                const int a = carom_sets_root(self->set, self->unit[v]),
                          b = carom_sets_root(self->set, self->unit[c]);
                self->set[a < b ? a : b] = a < b ? b : a; /* a coordinate is the root where there is one */
            }
    }
    for (int v = 0; v < dof; v++) {
        const bool within = self->unit[v] >= 0 && carom_sets_root(self->set, self->unit[v]) >= bodies;
        self->number[v] = within ? count : -1;
        if (within)
            velocity[count++] = v;
    }
    return count;
}

typedef struct entry_list {
    int *row, *column;
    carom_node *node;
    int count, room;
} entry_list;

static bool add_entry(entry_list *list, int row, int column, carom_node node)
{
    if (list->count == list->room) {
        const int room = list->room ? 2 * list->room : 64;
        int *rows = realloc(list->row, (size_t)room * sizeof *rows);
        list->row = rows ? rows : list->row;
        int *columns = realloc(list->column, (size_t)room * sizeof *columns);
        list->column = columns ? columns : list->column;
        carom_node *nodes = realloc(list->node, (size_t)room * sizeof *nodes);
        list->node = nodes ? nodes : list->node;
        if (!rows || !columns || !nodes)
            return false;
        list->room = room;
    }
    list->row[list->count] = row;
    list->column[list->count] = column;
    list->node[list->count++] = node;
    return true;
}

/* Compiles the list and gives its memory back. */
static bool finish_entries(carom_graph *graph, carom_arena *arena, entry_list *list, bool complete,
                           entry_tape *tape)
{
    const size_t count = (size_t)list->count;
    int *row = carom_arena_take(arena, count, sizeof *row),
        *column = carom_arena_take(arena, count, sizeof *column);
    complete = complete && row && column;
    if (complete && count > 0) {
        memcpy(row, list->row, count * sizeof *row);
        memcpy(column, list->column, count * sizeof *column);
    }
    if (complete)
        tape->tape = carom_tape_compile(graph, list->count, list->node);
    tape->places = (carom_places){list->count, row, column};
    free(list->row);
    free(list->column);
    free(list->node);
    return tape->tape != NULL;
}

static bool compile_jacobians(linker *self, carom_arena *arena, body_coordinates *coordinates)
{
    entry_list by_q = {0}, by_u = {0};
    bool made = true;
    for (int i = 0; made && i < coordinates->linked; i++) {
        if (!differentiate(self, coordinates->linked_velocity[i]))
            continue;
        for (int j = 0; made && j < coordinates->linked; j++) {
            const int v = coordinates->linked_velocity[j];
            made = (model_node_is_zero(self->spec->graph, self->along[v]) ||
                    add_entry(&by_q, i, j, self->along[v])) &&
                   (model_node_is_zero(self->spec->graph, self->by_rate[v]) ||
                    add_entry(&by_u, i, j, self->by_rate[v]));
        }
    }
    const bool positions = finish_entries(self->spec->graph, arena, &by_q, made, &coordinates->by_q);
    const bool velocities = finish_entries(self->spec->graph, arena, &by_u, made, &coordinates->by_u);
    return positions && velocities;
}

/* M = dp/du, row by row. */
static bool compile_mass(linker *self, const coordinate_inertia *derived, carom_arena *arena,
                         body_coordinates *coordinates)
{
    carom_graph *graph = self->spec->graph;
    entry_list list = {0};
    bool made = true;
    for (int i = 0; made && i < coordinates->count; i++) {
        carom_gradient(graph, derived->momentum[i], self->places->dof, self->velocity, self->by_rate);
        for (int j = 0; made && j < coordinates->count; j++) {
            const carom_node entry = self->by_rate[coordinates->v[j]];
            if (!model_node_is_zero(graph, entry))
                made =
                    add_entry(&list, self->number[coordinates->v[i]], self->number[coordinates->v[j]], entry);
        }
    }
    return finish_entries(graph, arena, &list, made, &coordinates->mass);
}

static bool is_still(const carom_tape *tape)
{
    for (int i = 0; i < carom_tape_outputs(tape); i++)
        if (carom_tape_depends(tape, i) & (CAROM_ON_COORDINATE | CAROM_ON_VELOCITY))
            return false;
    return true;
}

static bool is_affine(const linker *self, const body_coordinates *coordinates)
{
    if (!is_still(coordinates->mass.tape) || !is_still(coordinates->by_q.tape) ||
        !is_still(coordinates->by_u.tape))
        return false;
    for (int i = 0; i < coordinates->linked; i++)
        if (carom_has_kinks(self->spec->graph, 1, &self->force[coordinates->linked_velocity[i]],
                            CAROM_ON_COORDINATE | CAROM_ON_VELOCITY))
            return false;
    return true;
}

bool body_linked_compile(const carom_bodies_spec *spec, const body_places *places,
                         const coordinate_inertia *derived, const carom_node *force, carom_arena *arena,
                         body_coordinates *coordinates)
{
    carom_arena *scratch = carom_arena_create();
    linker self = {.spec = spec, .places = places, .force = force};
    coordinates->linked_velocity = carom_arena_take(arena, (size_t)places->dof, sizeof(int));
    bool made = scratch && coordinates->linked_velocity && take_linker(&self, scratch);
    if (made) {
        coordinates->linked = find_part(&self, coordinates->linked_velocity);
        made =
            compile_mass(&self, derived, arena, coordinates) && compile_jacobians(&self, arena, coordinates);
        coordinates->affine = made && is_affine(&self, coordinates);
    }
    carom_arena_free(scratch);
    return made;
}
