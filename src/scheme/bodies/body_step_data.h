/* One step of bodies with shapes, Moreau and Jean's: the contacts are found at the predicted position, where their rows
 * are taken and stay, so that a step is one contact problem.
 *
 *   predict -> collide -> rows, laws, warm start -> islands -> pairs solver -> velocities -> positions -> projection
 *
 * The plane is treated as space with the motions out of it left out. */
#ifndef CAROM_SCHEME_BODIES_BODY_STEP_DATA_H
#define CAROM_SCHEME_BODIES_BODY_STEP_DATA_H

#include "body_joints.h"
#include "carom/contact/pairs.h"
#include "carom/model/bodies.h"
#include "carom/scheme.h"
#include "linked.h"
#include "moments.h"
#include "row_contacts.h"
#include "scheme/body_step.h"

/* A point of the last step that carried an impulse: what the next one starts from. */
typedef struct kept_point {
    int a, b;
    uint64_t feature;
    double impulse[3], moment[3]; /* along the axes of space, on a */
    int pushes;                   /* as in body_point */
} kept_point;

/* A point of this step. */
typedef struct body_point {
    int a, b; /* bodies */
    uint64_t feature;
    int island;
    double gap;
    double before[3]; /* relative velocity at the start of the step, along the frame */
    double shift;     /* u_N + shift >= 0 after the step */
    double last;      /* normal impulse of the step before, 0: none */
    int pushes; /* steps in a row with an impulse that grew steadily, up to BODY_STEPS_TO_STAY: before this one */
} body_point;

enum {
    BODY_STEPS_TO_STAY = 3 /* a point that carries an impulse in so many steps in a row stays closed */
};

/* Two bodies that carry an impulse. */
typedef struct touching_pair {
    int a, b;
    bool sticks;
} touching_pair;

struct body_step {
    carom_stepper *stepper;
    const carom_bodies *bodies;
    body_step_options options;
    carom_arena *arena;
    carom_collider *collider;
    carom_pairs_solver *solver, *projector;
    carom_solver *dense_solver; /* of islands with joints */
    bool plane;
    int slots;            /* of a motion: six per body, then one per coordinate */
    double tolerance;     /* of contact problems */
    double gap_tolerance; /* gaps up to this are closed */
    double scale_speed;   /* what forces change a velocity by in a step, at most */
    double step_ahead;    /* prediction h */

    /* per body */
    carom_pose *pose_start, *pose; /* at the start of the step; predicted */
    int shapes;                    /* bodies that have one: their numbers, and their predicted poses */
    int *shape_body;
    carom_pose *shape_pose, *shape_start;
    double *old, *plain; /* slots: before, with forces alone, */
    double *free, *end;  /* ... with gyroscopic terms and joints, after */
    double *shift6;      /* room */
    double *inverse_mass;
    double *inverse_inertia; /* 9, along the axes of space, predicted */
    double *gyro;            /* 3: change of spin by the gyroscopic term */
    double *acceleration;    /* |f| / m */
    double *size;            /* radius around the origin of the shape */
    int *set;                /* of the islands: union and find */
    int *local;              /* number within its island */
    bool *jointed;           /* a joint is at it */
    /* per position and velocity */
    double *q, *v, *v_end, *force;
    double *drive; /* velocities of driven bodies in the middle of the step */

    /* per point: room grows */
    size_t room;
    int count, active; /* points with rows, and those of them that are closed: they come first */
    body_point *point;
    carom_pair_rows *row;
    double *impulse, *problem_q, *shift; /* 3 per point */
    kept_point *kept, *next_kept;
    int kept_count;

    /* islands: points in their order, renumbered bodies */
    int islands;
    int *island_start, *island_point;
    carom_pair_rows *island_row;
    double *island_q, *island_r, *island_mass, *island_velocity; /* q, r: 3 per point, with moments 9 */
    body_moments moments;

    body_step_linked linked;
    body_step_joints joints;
    body_step_row_contacts rows;
    double *joint_room, *joint_old; /* per joint */
    /* of islands with joints: W as full blocks */
    size_t dense_room;
    double *dense_block, *dense_mu;
    int *dense_start, *dense_column, *dense_diagonal;
    int *guide_list, guide_room;

    double *watched_gap;
    /* pairs that touched in the step before, for events; only while somebody listens */
    touching_pair *pair, *next_pair;
    int pairs;
    size_t pair_room;
};

/* ---- points.c: from touches to rows ----------------------------------------------------------------- */

/* Finds the points at self->pose; closed ones first, with their laws, and the last step's impulses at those that were there. */
carom_status body_step_find_points(body_step *self, carom_error *error);
/* Relative velocity of a point along its frame, for 6 velocities per body. */
void body_point_velocity(const body_step *self, int point, const double *velocity, double u[3]);
/* Impulses of the last step as plain numbers, and back; false: they are not from there, or memory is short. */
size_t body_step_packed(const body_step *self);
void body_step_pack(const body_step *self, double *packed);
bool body_step_unpack(body_step *self, size_t length, const double *packed);
/* Impulses for the next step. */
void body_step_keep_impulses(body_step *self);

/* ---- islands.c -------------------------------------------------------------------------------------- */

/* Parts of the first `points` points that share no free body. */
void body_step_find_islands(body_step *self, int points);
/* Solves island by island: u = q + H x with q (3 per point) for the impulses r; adds M^-1 H^T r to x (6 per body). With
 * `frictionless` without friction. `worst` gets the largest error. FAILED: an error that is useless. */
carom_status body_step_solve(body_step *self, carom_pairs_solver *solver, int points, const double *q,
                             bool frictionless, double *r, double *x, double *worst, carom_error *error);

/* The same of one island with joints (jointed.c). */
carom_solve_report body_step_solve_jointed(body_step *self, int island, const double *q, bool frictionless,
                                           double *r, double *x);
/* Six velocities per body from v, and those of free bodies back. */
void body_step_spread(const body_step *self, const double *v, double *six);
void body_step_gather(const body_step *self, const double *six, double *v);
/* The spin by which a body turns in a step, from the mean one along the axes of the predicted position. */
void body_step_turn_spin(const body_step *self, int body, double spin[3]);
/* R A R^T */
void body_step_turn_inertia(const double r[9], const double a[9], double turned[9]);
/* Inverse inertias along the axes of space at q. */
void body_step_turn_inertias(body_step *self, const double *q);
/* q moved by x (6 per body): *work is done against the forces. It belongs to the contacts or joints that move it, which let
 * it go too far before. */
void body_step_displace(body_step *self, const double *x, double *q, double *work);

/* ---- accounts.c -------------------------------------------------------------------------------------- */

/* Works, penetration and what is watched, after the velocities are known. */
void body_step_account(body_step *self);
/* Steps in a row, this one included, in which the point carried an impulse that grew steadily. */
int body_point_pushes(const body_step *self, int point);
/* After the projection has moved the bodies by self->shift: what of its work is the scheme's. */
void body_step_account_projection(body_step *self);
/* Tells the listener of pairs that begin or cease to touch, to stick. FAILED never; NO_MEMORY. */
carom_status body_step_tell_events(body_step *self, double energy_before, carom_error *error);
/* Has a body passed through another on the way to q? */
void body_step_look_for_crossing(body_step *self, const double *q);
void body_step_note_penetration(body_step *self, int point, double depth);

#endif
