/* Derivatives of one expression along the velocities of bodies and coordinates, by the entries that are not zero: they cost
 * what the expression costs, however many bodies there are. */
#ifndef CAROM_MODEL_BODIES_BODY_SLOPES_H
#define CAROM_MODEL_BODIES_BODY_SLOPES_H

#include "with_coordinates.h"

typedef struct body_slopes {
    carom_graph *graph;
    const body_places *places;
    carom_arena *arena; /* of the rows */
    int *unit;          /* of each position: a body, or behind the bodies a coordinate */
} body_slopes;

/* Memory from the arena, which the rows come from, too; false when it is short. */
bool body_slopes_take(body_slopes *self, carom_graph *graph, const body_places *places, carom_arena *arena);

/* By displacements along velocities; indices are those of velocities, ascending. False when memory is short. */
bool body_slopes_along(const body_slopes *self, carom_node value, carom_node_row *row);
/* By velocities. */
bool body_slopes_by_velocity(const body_slopes *self, carom_node value, carom_node_row *row);

#endif
