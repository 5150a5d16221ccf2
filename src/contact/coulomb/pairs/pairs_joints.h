/* Equations beside contacts, G v = 0, as the solvers in the space of velocities read them: s velocities per body, and
 * one body that never moves, as in pairs_rows.h. Rows are made as large as each other, S_ii = 1 in S = G M^-1 G^T.
 *
 * Rows between the same two bodies, up to s of them, are a group: a block of s x s in S, whose other rows are those of 1.
 * What the joints do to a motion is exact,
 *
 *   v := v - M^-1 G^T S^-1 G v.
 *
 * In the systems of Newton's method, (I + M^-1 J^T D J) dv + M^-1 G^T l = b with G dv = 0, they are springs, whose forces then grow
 * until nothing gives way (Hestenes 1969, Powell 1969): with K = I + M^-1 J^T D J + k M^-1 G^T G
 *
 *   dv = K^-1 b,   dv := dv - K^-1 k M^-1 G^T G dv, ...
 *
 * K has the pattern of bodies that touch or share a joint, and may be factored in any order. */
#ifndef CAROM_CONTACT_COULOMB_PAIRS_PAIRS_JOINTS_H
#define CAROM_CONTACT_COULOMB_PAIRS_PAIRS_JOINTS_H

#include "carom/contact/pairs.h"
#include "carom/linalg/block_lu.h"

/* Memory that grows with the problems. */
typedef struct pairs_joints {
    int s, bodies, groups;
    double length;             /* as of pairs_rows */
    int (*body)[2];            /* of a group; `bodies`: the one that never moves */
    int *rows;                 /* of a group */
    double *J, *A;             /* per group s x s for body a, then b: G, and G M^-1 */
    double *rest;              /* s per group: room */
    carom_block_lu *factor[2]; /* of S: in the plane, in space; made when they are needed */
    carom_block_lu *lu;        /* the one of this problem */
    int (*pair)[2];            /* groups that share a body, */
    int *pair_body;            /* ... and which */
    int pairs;
    int *body_start, *body_group; /* groups of each body */
    size_t group_room, pair_room, body_room;
    int room_s; /* that the room is made for */
} pairs_joints;

/* carom_pairs.length, or what stands for it; a power of two, which rounds nothing. */
double pairs_length(const carom_pairs *problem);
/* For the next problem; false when memory is short. */
bool pairs_joints_take(pairs_joints *self, const carom_pairs *problem);
void pairs_joints_free(pairs_joints *self);

/* v, s per body, without what the joints do not allow. */
void pairs_joints_obey(const pairs_joints *self, double *v);
/* Of carom_pairs: 6 per body. `room` is for s per body, and one body more. */
void pairs_joints_obey_six(const pairs_joints *self, double *velocity, double *room);

#endif
