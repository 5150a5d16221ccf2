/* model/bodies: rigid bodies with shapes, in the plane and in space. Part of room model.
 *
 * Positions of a body in the plane are x, y, phi, in space x, y, z and a unit quaternion qw, qx, qy, qz; velocities are
 * x, y, phi and x, y, z, wx, wy, wz, the spin along the axes of space:
 *
 *   m x'' = f,   d/dt (R J R^T w) = torque,   q' = 1/2 (0, w) q.
 *
 * A fixed body has no positions; a driven one has positions and velocities, and the latter are given functions of time.
 * What touches is found where the bodies are (carom/shape.h): the contacts of the model (carom_model.contact) are only
 * those pairs whose impulses are watched, and contacts of expressions.
 *
 * Beside the bodies there may be coordinates of their own, with kinetic energy, forces and contacts of expressions, which
 * also take the positions of bodies. */
#ifndef CAROM_MODEL_BODIES_H
#define CAROM_MODEL_BODIES_H

#include "carom/model.h"
#include "carom/shape.h"

typedef enum carom_body_kind {
    CAROM_BODY_FREE,
    CAROM_BODY_FIXED,
    CAROM_BODY_DRIVEN,
} carom_body_kind;

/* What a body is, in expressions of parameters. What is CAROM_NO_NODE is zero, or found from the shape. */
typedef struct carom_body_spec {
    const char *name;
    int line; /* where a model file has it, for messages; 0: unknown */
    carom_body_kind kind;
    const carom_shape
        *shape; /* one of the spec's; its frame is that of the body, a free one's centre of mass. NULL: it
                               * touches nothing */
    int material;
    carom_node mass; /* free bodies: > 0 */
    carom_node inertia
        [6]; /* xx, yy, zz, xy, xz, yz about the centre of mass, along the axes of the body; plane: zz */
    carom_node at[3];
    carom_node rotation[4];          /* a quaternion of any length; plane: the angle, in rotation[0] */
    carom_node velocity[3], spin[3]; /* at the start; driven: of time. Plane: the spin is spin[2] */
} carom_body_spec;

/* Of two materials, in any order; -1: any. Later ones are stronger. rolling and torsion (in space) are lengths: moment
 * over normal force. */
typedef struct carom_material_pair {
    int material[2];
    int line;
    carom_node friction, restitution, rolling, torsion;
} carom_material_pair;

/* A stop or a drive of a joint: one equation less than a joint.
 *
 *   limit: value(q, t) >= 0;   motor: the rate of value is speed, as long as a force within [-bound, bound] does it. */
typedef struct carom_body_guide {
    const char *name;
    int line;
    bool is_motor;
    carom_node value;
    carom_node restitution;  /* limit */
    carom_node speed, bound; /* motor; of time */
} carom_body_guide;

/* A coordinate beside the bodies; where it stands among the positions: behind those of the first `after` bodies, and of the
 * coordinates before it. */
typedef struct carom_body_coordinate {
    const char *name;
    int after;
    carom_node position, velocity; /* at the start, of parameters; CAROM_NO_NODE: 0 */
} carom_body_coordinate;

typedef struct carom_bodies_spec {
    carom_graph *graph; /* not kept */
    int dimension;      /* CAROM_PLANE or CAROM_SPACE */
    carom_node gravity[3];
    int shapes; /* of all bodies, each once; they become the model's when it is made */
    carom_shape *const *shape;
    int bodies;
    const carom_body_spec *body;
    int materials;
    int pairs;
    const carom_material_pair *pair;
    int parameters;
    const carom_parameter *parameter;
    /* Of leaves COORDINATE (index: position) and VELOCITY; force has a node per velocity, CAROM_NO_NODE or NULL: none. */
    carom_node potential;
    const carom_node *force;
    int joints; /* expressions of positions and time that stay zero */
    const carom_traced_joint *joint;
    int guides;
    const carom_body_guide *guide;
    int apart; /* pairs of bodies that pass through each other */
    const int (*apart_pair)[2];
    /* The contacts of the model: pairs of bodies; second one -1: all that touch the first; first one -1 - i: contact i of
     * expressions, each of which is there once. */
    int watched;
    const int (*watched_pair)[2];
    int coordinates;
    const carom_body_coordinate *coordinate;
    carom_node kinetic;       /* of coordinates, or ... */
    const carom_node *mass;   /* ... coordinates x coordinates, or ... */
    const carom_node *masses; /* ... its diagonal alone */
    int contacts;             /* of expressions of all positions */
    const carom_traced_contact *contact;
} carom_bodies_spec;

/* BAD_INPUT says which body or pair is wrong. The caller frees the model; *model is NULL when it fails. */
carom_status carom_bodies_model_create(const carom_bodies_spec *spec, carom_model **model,
                                       carom_error *error);

/* ---- for schemes --------------------------------------------------------------------------------- */

typedef struct carom_body {
    const char *name;
    carom_body_kind kind;
    const carom_shape *shape;
    int material;
    int q, v; /* first position and velocity; -1: fixed */
    double mass, inertia[9],
        inverse_inertia[9]; /* along the axes of the body; plane: only the last entry; 0: not free */
    bool round;             /* the inertia is the same about every axis */
    carom_pose pose;        /* at the start */
} carom_body;

/* Of a pair of materials. */
typedef struct carom_pair_law {
    double friction, restitution, rolling, torsion;
} carom_pair_law;

/* Entries of a matrix. */
typedef struct carom_places {
    int count;
    const int *row, *column;
} carom_places;

/* The coordinates beside the bodies, and the linked part: their velocities and those of free bodies that forces link to
 * them, directly or through others. Its equations are (rows and columns by their number within the part)
 *
 *   M dv = h f,   df = by_q dx + by_u dv,   dx: a displacement along the velocities. */
typedef struct carom_linked {
    int coordinates;
    const int *q, *v;    /* of each coordinate: its position and velocity */
    int count;           /* velocities of the part */
    const int *velocity; /* ascending */
    carom_places mass;   /* of coordinates; both triangles */
    carom_places by_q, by_u;
    bool affine; /* M, by_q and by_u depend on parameters and time only, and forces have no kinks */
} carom_linked;

/* A contact of expressions. */
typedef struct carom_row_contact {
    const char *name;
    int number;   /* among the contacts of the model */
    int tangents; /* rows beside the normal one */
    bool two_level;
    bool is_force; /* no obstacle: a force within a bound against the slip */
} carom_row_contact;

/* The bodies of a model for the parameters that a work is bound to. */
typedef struct carom_bodies {
    int dimension, count, materials;
    const carom_body *body;
    const carom_pair_law *law; /* materials x materials */
    double gravity[3];
    bool has_force; /* others than gravity */
    int apart;
    const int (*apart_pair)[2];
    int watched; /* as many as the model has contacts; first of a pair negative: a contact of expressions */
    const int (*watched_pair)[2];
    /* Rows of the joints, then of guides, then three of each contact of expressions (normal, tangents), G:
     * g' = G v + g_t; entries of row i stand at joint_start[i] ... joint_start[i + 1] - 1, columns (velocities)
     * ascending. */
    const int *joint_start, *joint_column;
    int contacts; /* of expressions */
    const carom_row_contact *contact;
    carom_linked linked;
    int guides;
    const bool *is_motor;
    const char *const *guide_name;
} carom_bodies;

/* NULL: the model has none. */
const carom_bodies *carom_model_bodies(const carom_model_work *work);
/* Velocities of driven bodies at t; the others' stay. */
void carom_bodies_drive(carom_model_work *work, double t, double *v);
/* g of the joints and guides, gaps of the contacts of expressions; the entries of G with g_t. */
void carom_bodies_joint_values(carom_model_work *work, double t, const double *q, double *g);
/* Per guide: restitution of a limit, speed of a motor; bound of a motor. */
void carom_bodies_guide_numbers(carom_model_work *work, double t, double *first, double *bound);
void carom_bodies_joint_rows(carom_model_work *work, double t, const double *q, double *entry, double *g_t);
/* Per contact of expressions: restitution, and two coefficients of friction: at the start of slip and in it; of a force its
 * bound. Three numbers each. */
void carom_bodies_contact_numbers(carom_model_work *work, double t, const double *q, double *number);
/* Entries of the matrices of the linked part, at their places. */
void carom_bodies_linked_matrices(carom_model_work *work, double t, const double *q, const double *v,
                                  double *mass, double *by_q, double *by_u);
void carom_bodies_linked_mass(carom_model_work *work, double t, const double *q, double *mass);
/* Derivatives along a direction of the parameters (NULL: they do not change): gravity, laws, and of bodies masses, inertias and
 * poses at the start. The arrays live until the next call. */
carom_bodies carom_bodies_along(carom_model_work *work, const double *parameter);
/* As carom_bodies_drive, with derivatives as t moves by t_along. */
void carom_bodies_drive_along(carom_model_work *work, double t, double t_along, const double *parameter,
                              double *v, double *v_along);
/* g and its derivative; derivatives of the entries of G and of g_t. */
void carom_bodies_joint_values_along(carom_model_work *work, double t, const double *q,
                                     const carom_direction *direction, double *g, double *g_along);
void carom_bodies_joint_rows_along(carom_model_work *work, double t, const double *q,
                                   const carom_direction *direction, double *entry, double *g_t);
/* Where the bodies are; of fixed ones too. */
void carom_bodies_poses(const carom_bodies *bodies, const double *q, carom_pose *pose);
/* q := q moved by h v: the position moves straight, the rotation by its exact exponential. In place is fine. */
void carom_body_move(const carom_bodies *bodies, const carom_body *body, double h, const double *v,
                     const double *q, double *moved);
/* "a/b" of two bodies, a free one first. Returns text. */
const char *carom_bodies_pair_name(const carom_bodies *bodies, int a, int b, char *text, size_t size);
const char *carom_bodies_model_pair_name(const carom_model *model, int a, int b, char *text, size_t size);

#endif
