/* Inside of the nonsmooth generalized-alpha method: what its files share. */
#ifndef CAROM_SCHEME_GENERALIZED_ALPHA_GENERALIZED_ALPHA_H
#define CAROM_SCHEME_GENERALIZED_ALPHA_GENERALIZED_ALPHA_H

#include "alpha_saddle.h"

#include "carom/scheme.h"
#include "scheme/parts/step_report.h"

/* The three problems of a step. Each has a vector x (dof), multipliers y (constraints), a set of constraints
 * that act, and the equations M x - G^T y = f (or 0), a row for every constraint of the set, y = 0 off it:
 *
 *   SMOOTH    x = v' of the motion without impacts, y = lambda, set S
 *   POSITION  x = U, correction of the position,    y = nu,     set A
 *   VELOCITY  x = W, jump of the velocity,          y = Lambda, set B */
typedef enum alpha_part {
    ALPHA_SMOOTH,
    ALPHA_POSITION,
    ALPHA_VELOCITY,
    ALPHA_PARTS
} alpha_part;

typedef struct alpha_level {
    double *x, *y;
    bool *acts;
    double *residual; /* dof, then constraints */
    double error;     /* of the residual, as the stopping test scales it */
    bool small;       /* it is within the tolerance */
} alpha_level;

/* What the smooth problem asks of a constraint in S; positions and velocities are divided by what an
 * acceleration moves them in a step. */
typedef enum alpha_row {
    ALPHA_ROW_ACCELERATION,   /* G v' + h */
    ALPHA_ROW_POSITION,       /* g / by_q */
    ALPHA_ROW_VELOCITY,       /* (G v + g_t) / by_v */
    ALPHA_ROW_SMOOTH_VELOCITY /* the same without the jump W */
} alpha_row;

typedef struct alpha_coefficients {
    double m, f, gamma, beta;
    double by_q, by_v; /* h^2 beta kappa = dq/dv', h gamma kappa = dv/dv' */
} alpha_coefficients;

/* alpha_m, alpha_f, gamma, beta for a spectral radius in [0, 1] at infinite frequency (61). */
alpha_coefficients alpha_coefficients_of(double rho_inf, double h);

/* Sets that do not settle: see alpha_find_sets. */
typedef struct alpha_cycle {
    double *emphasis; /* per constraint: factor of its effective mass in the tests of the step */
    bool bilateral_S; /* from now on S has joints only */
    bool frozen;      /* A and B stay as they are */
    double least_error;
    bool *best_A, *best_B; /* of the iterate with the least error */
    bool *last;            /* A, B, S of the iterate before */
} alpha_cycle;

struct alpha_friction;

typedef struct generalized_alpha {
    carom_stepper stepper; /* first */
    int joints, constraints;
    double t; /* end of the step */
    alpha_coefficients c;

    alpha_row row;
    bool corrects_position, corrects_velocity; /* the problems of U and W are solved */
    int strategy;                              /* which constraints are in S: 1 none, 2 joints, 3 all of B */
    bool gate;                                 /* S without contacts that rebound */
    bool starts_at_zero, starts_shifted;       /* see alpha_start */
    double tolerance;
    int iterations_max;

    /* Known parts of the model. */
    bool constant_mass, constant_rows, constant_jacobian;
    carom_sparse block[CAROM_BLOCKS];
    double *entry[CAROM_BLOCKS]; /* values of the blocks */
    /* Entries of G row by row, their columns and places; NULL: the model is small or full. */
    int *row_start, *row_column, *row_place;
    double mass_scale, speed_scale, acceleration_scale; /* what residuals are compared with */
    saddle smooth, plain; /* matrices of the smooth problem, and [M -G^T; G 0] */
    carom_contact_frame frame;

    /* At the beginning of the step. */
    double *acceleration, *shifted;               /* v', a */
    double *multiplier, *shifted_lambda;          /* lambda, eta */
    double *rate_old;                             /* G v + g_t */
    double *restitution, *effective_mass;         /* per constraint; r */
    long *restitution_step, *effective_mass_step; /* the step they were found in, 0: not yet */
    carom_sparse_factor *mass_factor;
    long mass_factor_step;

    /* The iterate, and what follows from it (65j-65o). */
    alpha_level level[ALPHA_PARTS];
    double *q, *v, *a, *eta, *nu_total, *impulse_total;
    double *g, *g_t, *hq;
    double *rate, *curvature; /* G v + g_t, G v' + h */
    double *smooth_rate;      /* G (v - W) + g_t */
    double *force;
    double stiffness_size;           /* largest sum of |K_ij q_j|: what rounding of the force is made of */
    double *work_n, *work_m, *right; /* right: dof + constraints */
    alpha_cycle cycle;
    struct alpha_friction *friction; /* NULL: no contact can have friction */
} generalized_alpha;

static inline bool alpha_is_joint(const generalized_alpha *self, int constraint)
{
    return constraint < self->joints;
}

/* ---- evaluation: alpha_residual.c ---------------------------------------------------------------------- */

/* q, v and the others from the unknowns. */
void alpha_update(generalized_alpha *self);
/* At q and v of the iterate: M and G, g and g_t; what depends on velocity and acceleration. */
void alpha_evaluate_position(generalized_alpha *self);
void alpha_evaluate_motion(generalized_alpha *self);
/* rate = G v + g_t */
void alpha_rate(const generalized_alpha *self, const double *v, double *rate);
/* Residuals of one problem for its set. */
void alpha_residual(generalized_alpha *self, alpha_part part);
/* Residuals of all problems and whether they are small; false when a number is not finite. */
bool alpha_residuals(generalized_alpha *self);
/* The largest sum of |a_ij x_j| over a row; of columns when transposed. */
double alpha_largest_sum(generalized_alpha *self, const carom_sparse *a, const double *x, bool transposed);

/* ---- sets: alpha_sets.c -------------------------------------------------------------------------------- */

/* A, B and S of the iterate (55)-(57). FAILED: a restitution out of range, a singular mass matrix. */
carom_status alpha_find_sets(generalized_alpha *self, int iteration, carom_error *error);
/* Whether multiplier - r value >= 0, with the effective mass r of the constraint. */
carom_status alpha_pushes(generalized_alpha *self, int constraint, double multiplier, double value,
                          bool *pushes, carom_error *error);
carom_status alpha_find_restitution(generalized_alpha *self, int constraint, carom_error *error);
/* "joints and contacts floor (A B), ..." */
void alpha_describe_sets(const generalized_alpha *self, char *text, size_t size);

/* ---- the three problems: alpha_newton.c ------------------------------------------------------------------- */

/* The iterate to begin with: accelerations and multipliers of the step before, no corrections. */
void alpha_predict(generalized_alpha *self);
/* One Newton correction of each problem, one after the other, for the sets that the iteration began with. */
carom_status alpha_correct(generalized_alpha *self, carom_error *error);
/* Matrix of the smooth problem at the iterate; matrix [M -G^T; G 0] with the rows of a set. */
void alpha_fill_smooth(generalized_alpha *self);
void alpha_fill_plain(generalized_alpha *self, const bool *acts);

/* ---- start: alpha_start.c ------------------------------------------------------------------------------ */

typedef struct alpha_start {
    bool project; /* joints: correct q and v */
    bool zero;    /* v' = a = 0 instead of the consistent accelerations */
    bool shifted; /* a_0 is the acceleration at the time that it stands for */
} alpha_start;
carom_status alpha_begin(generalized_alpha *self, const alpha_start *start, carom_error *error);
/* As carom_scheme_ops.renew. */
carom_status alpha_renew(carom_stepper *stepper, carom_error *error);

/* ---- friction: alpha_friction.c ------------------------------------------------------------------------ */

/* Leaves self->friction NULL when no contact has a law of friction. */
carom_status alpha_friction_create(generalized_alpha *self, carom_error *error);
void alpha_friction_free(generalized_alpha *self);
/* Jump and impulses of all closed contacts, in the place of the problem of W. */
carom_status alpha_friction_solve(generalized_alpha *self, carom_error *error);
/* What friction adds to the residual of the jump. */
void alpha_friction_residual(generalized_alpha *self);
void alpha_friction_record(generalized_alpha *self);
void alpha_friction_keep(generalized_alpha *self, carom_snapshot *snapshot);
void alpha_friction_predict(generalized_alpha *self);

#endif
