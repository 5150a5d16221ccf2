/* Joints of bodies: expressions that stay zero, and their rows. */
#ifndef CAROM_MODEL_BODIES_BODY_JOINTS_H
#define CAROM_MODEL_BODIES_BODY_JOINTS_H

#include "carom/model/bodies.h"

typedef struct body_joints {
    carom_tape *values; /* g, then gaps of contacts of expressions */
    carom_tape *rows;   /* entries of G, then g_t */
    int row_count;
    int *start, *column;
    int guides;
    bool *is_motor;
    char **guide_name;
    carom_tape *numbers; /* two per guide; NULL: there is none */
} body_joints;

/* From derivatives by the positions of a body to those along its velocities: in the plane they are the same, in space the
 * quaternion moves along the spin w by q' = 1/2 (0, w) q. Plane: 3 and 3, space: 7 and 6. */
void body_gradient(carom_graph *graph, int dimension, const carom_node *position,
                   const carom_node *by_position, carom_node *along);

struct body_places;

/* Also sets base->joints and their names. False when memory is short, or an expression could not be made. */
bool body_joints_compile(const carom_bodies_spec *spec, carom_model *base, const struct body_places *places,
                         carom_arena *arena, body_joints *joints);

#endif
