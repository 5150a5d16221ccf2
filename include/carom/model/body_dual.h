/* model/body_dual: poses and motions of bodies in numbers with a derivative (carom/linalg/dual.h). Part of room model. */
#ifndef CAROM_MODEL_BODY_DUAL_H
#define CAROM_MODEL_BODY_DUAL_H

#include "carom/linalg/dual.h"
#include "carom/model/bodies.h"

typedef struct carom_dual_pose {
    carom_dual x[3], r[9];
} carom_dual_pose;

/* Of the positions of one body: x, y, phi in the plane, else x, y, z and a quaternion. */
void carom_dual_pose_of(int dimension, const carom_dual *position, carom_dual_pose *pose);
/* As carom_body_move, of one body: velocity has 6 numbers, positions are moved in place. */
void carom_dual_move(int dimension, carom_dual h, const carom_dual velocity[6], carom_dual *position);
/* R A R^T */
void carom_dual_turn_matrix(const carom_dual r[9], const carom_dual a[9], carom_dual turned[9]);
/* False: it has none. */
bool carom_dual_invert(const carom_dual a[9], carom_dual inverse[9]);

#endif
