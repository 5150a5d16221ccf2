/* Contacts in lengths: the distance of a point from an obstacle and its slip, from any function that is positive
 * outside.
 *
 * Coulomb's law compares forces, so a contact with friction needs a gap that is a distance and slips that are velocities
 * of the same unit. With a level function f of a point p they follow from f alone:
 *
 *   gap = f / |df/dp|  to first order,   slip_k = t_k . (dp/dt - surface),   t_k orthonormal, orthogonal to df/dp. */
#ifndef CAROM_MODEL_LEVEL_H
#define CAROM_MODEL_LEVEL_H

#include "carom/model.h"

enum {
    CAROM_POINT_MAX = 3
};

typedef struct carom_level {
    carom_node value;                     /* f: of position and time, positive outside */
    int dimension;                        /* of the point: 1 to 3 */
    carom_node point[CAROM_POINT_MAX];    /* coordinates, or expressions of position that f contains */
    carom_node velocity[CAROM_POINT_MAX]; /* dp/dt */
    carom_node surface[CAROM_POINT_MAX];  /* velocity of the obstacle, whose tangential part counts;
                                             CAROM_NO_NODE: 0 */
    bool whole_model;                     /* the point is all coordinates: a model of one point mass */
} carom_level;

/* The gap. Far from the obstacle it stays finite where df/dp is 0. CAROM_NO_NODE when nodes cannot be made. */
carom_node carom_level_distance(carom_graph *graph, const carom_level *level);

/* Wrong if not "": why the level cannot be one, for messages that begin with the name of the contact. */
const char *carom_level_fault(carom_graph *graph, const carom_level *level);

/* The dimension - 1 slips. In the plane the tangent is the normal turned clockwise: (1, 0) on a floor. In space the frame is
 * carried along from the axis nearest to the normal at the start, which is `axis` (0, 1, 2) times `sign`; it is continuous
 * but for the opposite direction. */
void carom_level_slips(carom_graph *graph, const carom_level *level, int axis, double sign, carom_node *slip);

/* Gives all contacts that have a level and tangents their slips. `start` has the nodes of the initial position, one per
 * coordinate, of parameters only; NULL: 0. False when memory is short. */
bool carom_level_finish(carom_graph *graph, int parameters, const carom_parameter *parameter, int dof,
                        const carom_node *start, int contacts, carom_traced_contact *contact);

/* ---- contacts at a position ------------------------------------------------------------------------ */

/* Moves q along the normal of a contact to where its gap is 0; `frame` is the one there. False: no such position was
 * found. `size`: a length of the motion, to which the distance is zero in the end. Allocates nothing. */
bool carom_contact_reach(carom_model_work *work, int contact, double t, double size, double *q, double *gaps,
                         carom_contact_frame *frame);

#endif
