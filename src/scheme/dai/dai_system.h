/* What the schemes for differential algebraic inclusions share:
 *
 *   M u' + sum_k d_k T_k(|slip_k|) Sign(slip_k) contains f(t, q, u),   g(t, q) = 0,   Sign(0) = [-1, 1].
 *
 * Coordinates without inertia (zero rows of M) are the algebraic variables; the joints g = 0, as many as
 * there are such coordinates, give them, and carry no force. Friction forces are contacts of the model that
 * have no gap: d_k is the row of the slip, T_k the bound, which may weaken with the slip (carom_weakening).
 *
 * Vectors have a place for every coordinate; those of algebraic variables are filled by dai_settle (values)
 * and dai_rates (velocities), and matrices are the identity there. */
#ifndef CAROM_SCHEME_DAI_DAI_SYSTEM_H
#define CAROM_SCHEME_DAI_DAI_SYSTEM_H

#include "carom/linalg.h"
#include "carom/scheme.h"

typedef struct dai_system {
    carom_stepper stepper; /* first */
    int algebraic, forces;
    bool *is_algebraic; /* per coordinate */
    int *algebraic_at;  /* which coordinates */
    double *mass;       /* dof x dof, 1 for algebraic variables */
    double *inverse;    /* dof x dof: of the matrix that dai_invert was given */
    double *of_mass;    /* dof x dof: inverse of the mass matrix */
    double *force;      /* dof: work */
    int *lu_pivot;      /* dof: work */

    /* joints */
    const carom_sparse *pattern; /* of their derivatives */
    double *entry, *g, *g_t;
    double *by_algebraic; /* d g / d z, factored */
    int *pivot;
    double *change;     /* per joint */
    bool one_is_enough; /* d g / d z is constant: one step of Newton gives z */
    bool timed;         /* d g / d t is not zero everywhere */

    /* friction forces */
    carom_contact_frame *frame;
    bool constant_frames;
    int *only_place;  /* the only entry of a slip's row; -1: it has several */
    double *response; /* forces x dof: inverse d_k */
    double *delassus; /* forces x forces: d_j inverse d_k */
    double *free_slip, *impulse;
    double *settled;      /* per force: change of the impulse that is rounding */
    carom_weakening *law; /* per force; Ts = Td: Coulomb's */
    bool weakens;         /* some force has Ts > Td */
    double *slip;         /* of forces with Ts > Td, in the step under way */
    double *last_slip;    /* ... and in the one before, where their solution starts */
} dai_system;

enum {
    DAI_OPTION_INITIAL,
    DAI_OPTION_COUNT
};
extern const carom_option_info dai_options[DAI_OPTION_COUNT];

carom_status dai_accepts(const carom_model *model, carom_error *error);

/* Memory, the inverse of the mass matrix, the frames of friction, and a start that satisfies the joints. */
carom_status dai_system_setup(dai_system *system, carom_error *error);

/* d g / d z at q, factored (false: it is singular), with all derivatives of the joints in `entry`; and x := (d g / d z)^-1 x. */
bool dai_factor_joints(dai_system *system, double t, const double *q);
void dai_solve_joints(const dai_system *system, double *x);
/* Algebraic variables of q from the others; q holds a guess. False: Newton's method did not get there. */
bool dai_settle(dai_system *system, double t, double *q);
/* Their velocities: d g / d z z' = -(d g / d x) x' - d g / d t. False: d g / d z is singular. */
bool dai_rates(dai_system *system, double t, const double *q, double *v);
/* slope[i * dof + j] += by_q[i][z] dz/dx_j: the derivative of a force with the algebraic variables
 * eliminated, in place. False: d g / d z is singular. */
bool dai_eliminate(dai_system *system, double t, const double *q, double *by_q);

/* inverse := matrix^-1 (matrix is overwritten), and the responses to friction. False: it is singular. */
bool dai_invert(dai_system *system, double *matrix);

/* BAD_INPUT: over a step a force that weakens has several solutions; says the largest h that has one. */
carom_status dai_check_weakening(const dai_system *system, carom_error *error);

/* Frames at the end of a step, where they are not constant. */
carom_status dai_update_frames(dai_system *system, double t, const double *q, long step, carom_error *error);

/* Velocities without friction in, velocities with it out: the impulses p_k of a step satisfy
 *   v = v_free - inverse sum d_k p_k,   p_k in h T_k(|s_k|) Sign(s_k),   s_k = d_k v + rate_k.
 * A slip of one coordinate that sticks is zero to the last bit. False: Gauss-Seidel sweeps did not end. */
bool dai_apply_friction(dai_system *system, double *v);
/* Impulses and regimes go to the state. */
void dai_record_friction(dai_system *system);

/* What one step leaves for the next: the starts of the friction's solution, and the matrix that is kept. */
void dai_system_keep(carom_stepper *stepper, carom_snapshot *snapshot);

#endif
