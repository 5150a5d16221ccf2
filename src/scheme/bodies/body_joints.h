/* Joints between bodies: impulses along the rows at the predicted position, so that
 *
 *   G (theta v+ + (1 - theta) v) + g_t = 0:
 *
 * with theta = 1/2 they do no work. All joints together are one sparse system S = G M^-1 G^T, whose places stay. */
#ifndef CAROM_SCHEME_BODIES_BODY_JOINTS_H
#define CAROM_SCHEME_BODIES_BODY_JOINTS_H

#include "carom/model/bodies.h"
#include "carom/scheme.h"

/* The part of a joint's row that belongs to one body. */
typedef struct joint_block {
    int joint, body;
    double row[6], answer[6]; /* answer: M^-1 row; 0 where the body is not free */
} joint_block;

/* S[place] += row of block a . answer of block b */
typedef struct joint_product {
    int place, a, b;
} joint_product;

typedef struct body_step_joints {
    int count, guides, blocks, products; /* rows of guides follow those of joints */
    joint_block *block;                  /* by joint */
    int *block_start;                    /* joints + 1 */
    int *entry_block;                    /* per entry of G: its block, and the place in its row */
    int *entry_place;
    double *entry, *g, *g_t;
    joint_product *product;
    carom_sparse S;
    double *value, *regular; /* of S; with a little on the diagonal, which redundant joints need */
    int *diagonal;
    carom_sparse_factor *factor;
    double *lambda, *rest; /* of the last solution; room */
    double *reaction;      /* impulses of the step */
    /* per guide */
    double *first, *bound; /* numbers at the end of the step */
    double *impulse;       /* one per guide: of a limit, of a motor */
    int *island;
} body_step_joints;

struct body_step;

/* All memory. */
carom_status body_joints_set_up(struct body_step *self, carom_error *error);
void body_joints_free(body_step_joints *joints);
/* Rows and factors at a position, with self->inverse_inertia. */
carom_status body_joints_prepare(struct body_step *self, double t, const double *q, carom_error *error);
/* The numbers of guides for the step. */
void body_joints_begin(struct body_step *self);
/* Do positions and velocities of the start obey the joints? Velocities are corrected where the options say so. */
carom_status body_joints_check_start(struct body_step *self, carom_error *error);
/* Takes from v what the joints do not allow at q: left alone, a mean velocity that obeys them would let errors go to and
 * fro for ever. */
carom_status body_joints_settle(struct body_step *self, const double *q, double *v, carom_error *error);
/* x (6 per body) += M^-1 G^T lambda with G M^-1 G^T lambda = joints.rest, which is overwritten. */
void body_joints_answer(struct body_step *self, double *x);
/* joints.rest := -G x */
void body_joints_against(struct body_step *self, const double *x);
/* The free velocities get what the joints ask of them. */
void body_joints_constrain(struct body_step *self, double *free);
/* Is a limit passed at q, by more than rounding? joints.g has all values there. */
bool body_joints_limits_passed(struct body_step *self, const double *q);
/* Positions are put back on the joints. */
void body_joints_project(struct body_step *self, double *q);

#endif
