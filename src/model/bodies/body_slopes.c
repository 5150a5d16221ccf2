#include "body_slopes.h"

#include <stdlib.h>

#include "bodies_model.h"
#include "model/model_parts.h"

enum {
    POSITIONS_MAX = 7, /* of a body */
    VELOCITIES_MAX = 6
};

static int positions_of(const body_places *places)
{
    return places->dimension == CAROM_PLANE ? 3 : POSITIONS_MAX;
}

bool body_slopes_take(body_slopes *self, carom_graph *graph, const body_places *places, carom_arena *arena)
{
    *self = (body_slopes){.graph = graph, .places = places, .arena = arena};
    self->unit = carom_arena_take(arena, (size_t)places->positions, sizeof *self->unit);
    for (int i = 0; self->unit && i < places->bodies; i++)
        for (int k = 0; places->body[i].q >= 0 && k < positions_of(places); k++)
            self->unit[places->body[i].q + k] = i;
    for (int i = 0; self->unit && i < places->coordinates; i++)
        self->unit[places->q[i]] = places->bodies + i;
    return self->unit != NULL;
}

static void add_entry(const body_slopes *self, int velocity, carom_node node, carom_node_row *row)
{
    if (!model_node_is_zero(self->graph, node))
        row->entry[row->count++] = (carom_node_entry){velocity, node};
}

/* Entries of one body among those by positions, from `first` on; returns the one behind them. */
static int add_body(const body_slopes *self, int unit, const carom_node_row *by, int first,
                    carom_node_row *row)
{
    const carom_body *body = &self->places->body[unit];
    const bool plane = self->places->dimension == CAROM_PLANE;
    const carom_node zero = carom_constant(self->graph, 0.0);
    carom_node leaf[POSITIONS_MAX], slope[POSITIONS_MAX], along[VELOCITIES_MAX];
    int next = first;
    for (int k = 0; k < positions_of(self->places); k++) {
        leaf[k] = carom_leaf(self->graph, CAROM_OP_COORDINATE, body->q + k);
        slope[k] = next < by->count && by->entry[next].index == body->q + k ? by->entry[next++].node : zero;
    }
    body_gradient(self->graph, self->places->dimension, leaf, slope, along);
    for (int k = 0; k < (plane ? 3 : VELOCITIES_MAX); k++)
        add_entry(self, body->v + k, along[k], row);
    return next;
}

static int compare_entries(const void *a, const void *b)
{
    const int i = ((const carom_node_entry *)a)->index, k = ((const carom_node_entry *)b)->index;
    return (i > k) - (i < k);
}

bool body_slopes_along(const body_slopes *self, carom_node value, carom_node_row *row)
{
    carom_node_row by;
    *row = (carom_node_row){0};
    if (!carom_gradient_row(self->graph, value, CAROM_OP_COORDINATE, self->arena, &by))
        return false;
    row->entry =
        carom_arena_take(self->arena, carom_product((size_t)by.count, VELOCITIES_MAX), sizeof *row->entry);
    for (int i = 0; row->entry && i < by.count;) {
        const int unit = self->unit[by.entry[i].index];
        if (unit < self->places->bodies) {
            i = add_body(self, unit, &by, i, row);
            continue;
        }
        add_entry(self, self->places->v[unit - self->places->bodies], by.entry[i].node, row);
        i++;
    }
    if (row->entry && row->count > 1)
        qsort(row->entry, (size_t)row->count, sizeof *row->entry, compare_entries);
    return row->entry != NULL;
}

bool body_slopes_by_velocity(const body_slopes *self, carom_node value, carom_node_row *row)
{
    return carom_gradient_row(self->graph, value, CAROM_OP_VELOCITY, self->arena, row);
}
