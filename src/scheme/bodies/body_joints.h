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
    int count, guides, blocks,
        products;       /* rows of guides follow those of joints, then those of contacts of */
    int rows;           /* ... expressions; so many in all */
    joint_block *block; /* by row */
    int *block_start;   /* rows + 1 */
    int *entry_block;   /* per entry of G: its block, and the place in its row; -1: of the linked part, */
    int *entry_place;   /* ... and the number there */
    int linked;         /* joints with entries of the linked part: which, */
    int *linked_joint;
    double *linked_reply; /* ... A^-1 of these entries, */
    int *linked_place;    /* ... and the places of all pairs of them in S */
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

/* Of a row: its velocity without g_t, what an impulse along it gives (the linked part waits for linked_answer), and the mean
 * power over the step of such an impulse on what moves freely. */
double body_row_velocity(const struct body_step *self, int row, const double *x);
void body_row_push(struct body_step *self, int row, double impulse, double *x);
double body_row_work(const struct body_step *self, int row, double impulse);
/* The part of that which the linked part has. */
double linked_row_work(const struct body_step *self, int row, double impulse);

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
