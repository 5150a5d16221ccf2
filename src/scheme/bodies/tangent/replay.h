/* A step of bodies once more, in numbers with a derivative (carom/linalg/dual.h) along one column of a tangent: the same formulas, with
 * the decisions that the step has taken. Impulses come from outside: those of the step, and their derivatives when these are known.
 *
 *   begin: predict, forces, points -> impulses -> velocities -> end: positions, joints, projection, balance of energy */
#ifndef CAROM_SCHEME_BODIES_TANGENT_REPLAY_H
#define CAROM_SCHEME_BODIES_TANGENT_REPLAY_H

#include "carom/model/body_dual.h"
#include "scheme/bodies/body_step_data.h"

typedef struct replay_body {
    carom_dual position[7];
    carom_dual_pose start, at;                                     /* at the start of the step, predicted */
    carom_dual inverse_mass, mass, inertia[9], inverse_inertia[9]; /* along the axes of the body */
    carom_dual spread[9]; /* inverse inertia along the axes of space, predicted */
    carom_dual force[6];
    carom_dual old[6], end[6];        /* velocities, along the axes of the predicted position */
    carom_dual way[6];                /* of a driven body: in the middle of the step */
    carom_dual final[6];              /* velocities of the state */
    carom_dual lift[6];               /* displacement of a projection */
    double reply[9];                  /* d spin / d angular impulse: with the gyroscopic term */
    carom_dual change, kinetic, size; /* energies: balance.c */
} replay_body;

/* Of a point: impulses along normal and tangents, then moments about the second tangent, the first one, and the normal; the relative
 * velocities and spins that belong to them. */
enum {
    REPLAY_COMPONENTS = 6
};

typedef struct replay_point {
    carom_dual gap, mu, rolling, torsion, restitution;
    carom_dual direction[9], turn[2][9];
    carom_dual before[3], shift[3];
    carom_dual r[REPLAY_COMPONENTS];
    carom_dual lift; /* impulse of the projection */
} replay_point;

/* Rows of joints at a position. */
typedef struct replay_rows {
    carom_dual *entry, *g_t;
} replay_rows;

typedef struct body_replay {
    carom_tangent *base;
    body_step *step;
    int column; /* -1: none, numbers without derivatives */
    int theta_option, prediction_option;
    carom_dual t, h, theta, ahead; /* ahead: time of the predicted position after the start */
    replay_body *body;
    int *group; /* of the balance: union and find */
    /* per position, velocity: values and derivatives for models */
    double *q, *q_along, *v, *v_along, *force_along;
    int joints;
    double *joint_value, *joint_along, *entry_along; /* per row of joints; per entry */
    replay_rows rows;
    carom_dual *lambda; /* impulses of joints */
    double *impulse,
        *reaction; /* components of points, and of joints: values of impulses, those of the step at first */
    /* dense systems of joints and projections; room for `system` unknowns */
    int system;
    carom_dual *matrix, *right;
    double *real_matrix, *copy, *real_right, *first, *work; /* first: values of the solution */
    size_t work_size;
    int *pivot;
    size_t room; /* points */
    replay_point *point;
} body_replay;

/* False when memory is short; from the arena of base. */
bool body_replay_take(body_replay *self, carom_tangent *base, body_step *step);
void body_replay_free(body_replay *self);
/* Room for the points of the last step, and its impulses. False when memory is short. */
bool body_replay_grow(body_replay *self);

/* Up to the points, with the impulses of the step. `why` (200 characters) says what has no derivative; false then. */
bool body_replay_begin(body_replay *self, int column, char *why);
/* Velocities at the end, from the impulses. False: the gyroscopic term is too large. */
bool body_replay_velocities(body_replay *self);
/* u of a point for one of the velocities. */
typedef enum replay_velocity {
    REPLAY_OLD,
    REPLAY_END,
    REPLAY_LIFT
} replay_velocity;
void body_replay_point_velocity(const body_replay *self, int point, replay_velocity which, carom_dual u[3]);
/* The same, and spins; in the plane only the first of these. */
void body_replay_point_motion(const body_replay *self, int point, replay_velocity which,
                              carom_dual u[REPLAY_COMPONENTS]);
/* What an impulse of 1 along a component gives body a (side 0), to be multiplied by -1 for b. */
void body_replay_point_push(const body_replay *self, int point, int component, int side, carom_dual push[6]);
carom_dual body_replay_joint_velocity(const body_replay *self, int joint, replay_velocity which);
/* What the joints ask for: G (theta v+ + (1 - theta) v) + g_t, which is 0. */
carom_dual body_replay_joint_rest(const body_replay *self, int joint);

/* The size of derivatives of positions and velocities of a column before the step, as velocities: of lengths over the model's time, and
 * of angles at the model's length. */
double body_replay_size_before(const body_replay *self, int column);
/* ... and of those around the step, and of what forces alone give: what is much smaller is rounding. */
double body_replay_size(const body_replay *self);
/* Is a gap zero to rounding, and changes along the column? So near that it would be gone when the state changes by a millionth of
 * the smallest body: a gap that hardly changes may be smaller. */
bool body_replay_just_touches(const body_replay *self, carom_dual gap);

/* Positions and velocities of the state; false: no derivative, why says what. */
bool body_replay_end(body_replay *self, char *why);

/* ---- parts of the end: replay_projection.c, replay_balance.c, replay_joints.c ------------------------------ */

/* Moves bodies by what stands in their lift. */
void body_replay_displace(body_replay *self);
bool body_replay_project(body_replay *self, char *why);
/* needed: a projection stands in lift. */
void body_replay_balance(body_replay *self, bool needed);
/* Rows at a position, which stands in q and q_along. */
void body_replay_find_rows(body_replay *self, carom_dual t);
bool body_replay_project_joints(body_replay *self);
bool body_replay_settle_joints(body_replay *self);
/* Adds M^-1 G^T of an impulse of a joint to lift, with the inertias that stand in spread. */
void body_replay_push_joint(body_replay *self, int joint, carom_dual impulse);
/* matrix x = right, shortest where it is singular; x stands in right then. */
bool body_replay_solve(body_replay *self, int n);
/* Values of all positions to q and q_along. */
void body_replay_write_positions(body_replay *self);

#endif
