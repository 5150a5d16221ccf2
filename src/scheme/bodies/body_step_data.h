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
#include "cut.h"
#include "jointed_pairs.h"
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
    int touch; /* number in body_step.touch */
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
/* A point of the projection: its normal, and what r moves by it. */
typedef struct lift_row {
    int point, body[2];
    double gap, inverse, r; /* at the end of the step; of W_NN; impulse of the projection */
    double normal[3], turn[2][3], answer[2][3];
} lift_row;

/* Of a body in the step, without projection: change of the energy, kinetic energy at the end, and what rounding is measured by. */
typedef struct body_energy {
    double change, kinetic, size;
} body_energy;

/* Of the bodies that push each other. */
typedef struct group_energy {
    double change, kinetic, size;
    double lift;            /* work of the projection against forces */
    double contacts, moved; /* work of impulses, and of their absolute values */
    double held;            /* energy that forces would give to the bodies in one step from rest */
    double worst_work;
    int worst; /* the point that gains most */
    bool pushed, grounded, driven, jointed, struck;
    bool told_elsewhere;  /* another process tells of what it gained */
    double slower, lower; /* factors of velocities and displacements */
    double of_lift;       /* part of what is taken back that the projection gave */
} group_energy;

/* Two bodies that carry an impulse. */
typedef struct touching_pair {
    int a, b;
    bool sticks;
} touching_pair;

/* What the points of a pair do together. */
typedef struct pair_sum {
    touching_pair pair;
    double impulse, before, after, slip_before, slip_after;
} pair_sum;

/* At a pair that is watched: the least gap, sums of impulses, the fastest slip. */
typedef struct watched_sum {
    double gap, normal, tangential, slip;
} watched_sum;

/* c = a x b; c may be one of them. */
static inline void body_cross(const double a[3], const double b[3], double c[3])
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    c[0] = x;
    c[1] = y;
    c[2] = z;
}

/* Which process solves what, and what they tell each other. */
typedef struct shared_islands {
    int *owner;     /* of an island; -1: all of them */
    double *number; /* of all processes */
    size_t *start;  /* ranks + 1 */
    double *load;   /* of a process */
    size_t room, island_room;
} shared_islands;

struct body_step {
    carom_stepper *stepper;
    const carom_bodies *bodies;
    body_step_options options;
    carom_arena *arena;
    carom_collider *collider;
    int threads;
    carom_pairs_solver **solver; /* per thread */
    carom_solver *dense_solver;  /* of islands with joints */
    bool plane;
    int slots;            /* of a motion: six per body, then one per coordinate */
    double tolerance;     /* of contact problems */
    double gap_tolerance; /* gaps up to this are closed */
    double margin;        /* touches are reported up to this gap */
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
    int *moved_in;           /* sweep of the projection that moved it last */
    int *group;              /* of the balance of energy: union and find */
    body_energy *energy;
    group_energy *group_energy; /* by the first body of the group */
    /* per position and velocity */
    double *q, *v, *v_end, *force, *q_mean, *v_mean, *f_mean; /* the last three: of the works of forces */
    double *drive; /* velocities of driven bodies in the middle of the step */

    /* per point: room grows */
    size_t room;
    int count, active;        /* points with rows, and those of them that are closed: they come first */
    const carom_touch *touch; /* of the collider, until it finds others */
    body_point *point;
    carom_pair_rows *row;
    double *impulse, *problem_q, *shift; /* 3 per point */
    kept_point *kept, *next_kept;
    int kept_count;

    /* islands: points in their order, renumbered bodies */
    int islands;
    int *island_start, *island_point;
    int *island_bodies; /* first of an island's places in island_mass, island_velocity */
    carom_solve_report *island_report;
    bool *island_jointed; /* solved with rows of joints, coordinates or contacts of expressions */
    double *island_e;     /* restitution of Moreau's law */
    shared_islands shared;
    space_cut cut;
    lift_row *lift;
    carom_pair_rows *island_row;
    double *island_q, *island_r, *island_mass, *island_velocity; /* q, r: 3 per point, with moments 9 */
    body_moments moments;

    body_step_linked linked;
    body_step_joints joints;
    body_step_row_contacts rows;
    body_step_jointed_pairs jointed_pairs;
    double *joint_room, *joint_old; /* per joint */
    /* of islands with joints: W as full blocks */
    size_t dense_room;
    double *dense_block, *dense_mu;
    int *dense_start, *dense_column, *dense_diagonal;
    int *guide_list, guide_room;

    double *watched_gap;
    /* pairs that touched in the step before, for events; only while somebody listens */
    touching_pair *pair, *next_pair;
    pair_sum *pair_sum; /* of this step */
    int pairs;
    size_t pair_room;
};

/* ---- points.c: from touches to rows ----------------------------------------------------------------- */

/* Finds the points at self->pose; closed ones first, with their laws, and the last step's impulses at those that were there. */
carom_status body_step_find_points(body_step *self, carom_error *error);
/* Room for so many points and impulses of the last step; false when memory is short. */
bool body_step_take_room(body_step *self, size_t points);
/* Relative velocity of a point along its frame, for 6 velocities per body. */
void body_point_velocity(const body_step *self, int point, const double *velocity, double u[3]);
/* p.(u- + u+)/2 of a point: work on both bodies together. */
double body_point_work(const body_step *self, int point);
/* Impulses of the last step as plain numbers, and back; false: they are not from there, or memory is short. */
size_t body_step_packed(const body_step *self);
void body_step_pack(const body_step *self, double *packed);
bool body_step_unpack(body_step *self, size_t length, const double *packed);
/* Impulses for the next step. */
void body_step_keep_impulses(body_step *self);

/* ---- impact.c --------------------------------------------------------------------------------------- */

/* Adds to q (3 per point) what the law of impact asks for beside the velocity at the end. */
void body_step_add_law(body_step *self, double *q);

/* ---- islands.c -------------------------------------------------------------------------------------- */

/* Parts of the first `points` points that share no free body. */
void body_step_find_islands(body_step *self, int points);
/* Solves island by island: u = q + H x with q (3 per point) for the impulses r; adds M^-1 H^T r to x (6 per body).
 * `worst` gets the largest error. FAILED: an error that is useless. */
carom_status body_step_solve(body_step *self, const double *q, double *r, double *x, double *worst,
                             carom_error *error);
/* Has its problem a full W? */
bool body_step_is_jointed(const body_step *self, int island);
/* The problem of an island, with its bodies numbered from 0; and its solution to r and x. */
carom_pairs body_step_gather_island(body_step *self, int island, const double *q, const double *r);
void body_step_scatter_island(body_step *self, int island, double *r, double *x);
/* Islands without joints, by all processes of the stepper (shared_islands.c). FAILED, NO_MEMORY. */
bool shared_islands_used(const body_step *self, int points);
carom_status shared_islands_solve(body_step *self, const double *q, double *r, double *x, carom_error *error);
void shared_islands_free(shared_islands *self);
/* Where the numbers of an island begin in island_q and island_r. */
ptrdiff_t body_step_first_number(const body_step *self, int island);
/* Large islands with joints without friction: as body_step_solve does them, of which nobody fails. NO_MEMORY. */
carom_status body_step_put_large_apart(body_step *self, const double *gap, double *r, double *x,
                                       carom_error *error);
/* Are islands with so many points together worth a thread each? */
bool body_step_shares(const body_step *self, int points);
/* The thread that asks, from 0. */
int body_step_thread(void);

/* Tells the stepper's listener the problem of the step, of all islands together (body_problem.c). NO_MEMORY, or what the
 * listener says. */
carom_status body_step_tell_problem(body_step *self, carom_error *error);

/* The same of one island with joints (jointed.c). */
carom_solve_report body_step_solve_jointed(body_step *self, int island, const double *q, bool frictionless,
                                           double *r, double *x);
/* Six velocities per body from v, and those of free bodies back. */
void body_step_spread(const body_step *self, const double *v, double *six);
void body_step_gather(const body_step *self, const double *six, double *v);
/* R A R^T */
void body_step_turn_inertia(const double r[9], const double a[9], double turned[9]);
/* Inverse inertias along the axes of space at q. */
void body_step_turn_inertias(body_step *self, const double *q);
/* q moved by x (6 per body): *work is done against the forces. It belongs to the contacts or joints that move it, which let
 * it go too far before. */
void body_step_displace(body_step *self, const double *x, double *q, double *work);

/* What it costs against the forces to move body i by x. */
double body_step_lift_work(const body_step *self, int i, const double x[6]);

/* ---- gyroscopic.c ------------------------------------------------------------------------------------ */

/* Is it a free body whose inertia is not the same about every axis? */
bool body_spin_is_gyroscopic(const body_step *self, int body);
/* The change of spin by the gyroscopic term while the angular impulse `added` (of contacts, in space) acts. FAILED: the spin is
 * too fast for the step. */
carom_status body_spin_change(body_step *self, int body, const double added[3], double change[3],
                              carom_error *error);
/* self->gyro with the impulses of contacts and joints, from self->end. *changed when it changed a spin by more than rounding. */
carom_status body_spin_correct(body_step *self, bool *changed, carom_error *error);
/* The spin by which a body turns in a step, from the mean one along the axes of the predicted position. */
void body_spin_turn(const body_step *self, int body, double spin[3]);
/* The spin of the predicted position goes on with the body to q; unchanged where the inertia is round. */
void body_spin_carry(const body_step *self, int body, const double *q, const double spin[3],
                     double carried[3]);

/* ---- projection.c, balance.c ------------------------------------------------------------------------- */

/* Overlaps at the end of the step are put back; the energy of what touches does not grow by it. */
carom_status body_step_project(body_step *self, double *q, carom_error *error);
/* Energy of body i; `work`: what the forces did on the way of the step. */
void body_step_note_energy(body_step *self, int i, double work);
/* Takes from self->end, self->v_end and x what the step gained by itself. lift (3 per point, the first one counts) and x (6 per
 * body): impulses and displacement of the projection, NULL: none. */
carom_status body_step_balance(body_step *self, const double *lift, double *x, carom_error *error);
/* The row of a point whose gap at the end of the step is given. */
void body_step_make_lift(const body_step *self, int point, double gap, lift_row *lift);

/* ---- accounts.c -------------------------------------------------------------------------------------- */

/* Works, penetration and what is watched, after the velocities are known. */
void body_step_account(body_step *self);
/* Steps in a row, this one included, in which the point carried an impulse that grew steadily. */
int body_point_pushes(const body_step *self, int point);
/* Tells the listener of pairs that begin or cease to touch, to stick. FAILED never; NO_MEMORY. */
carom_status body_step_tell_events(body_step *self, double energy_before, carom_error *error);
/* Saves or restores the pairs that touched in the last step. Without them the next step reports an impact of each. */
void body_step_keep_pairs(body_step *self, carom_snapshot *snapshot);
/* Has a body passed through another on the way to q? */
carom_status body_step_look_for_crossing(body_step *self, const double *q, carom_error *error);
void body_step_note_penetration(body_step *self, int point, double depth);
void body_step_set_penetration(body_step *self, int a, int b, double depth);
/* A closed point for who looks at it. */
carom_body_point body_step_point_at(const body_step *self, int point);
/* What the points of this process do at a pair that is watched (gap INFINITY: none is there), and what all do. */
watched_sum body_step_watch(const body_step *self, int contact);
void body_step_set_watched(body_step *self, int contact, const watched_sum *sum);
/* The contacts of an island gained energy, most of it at `point`. warns: it is not small compared with what moves. */
void body_step_note_gain(body_step *self, double gain, bool warns, int point);
void body_step_tell_gain(body_step *self, double gain, bool warns, const char *contact);

#endif
