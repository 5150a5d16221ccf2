/* model: what the system is. M(q), forces, gaps, contact frames; immutable after it is built. */
#ifndef CAROM_MODEL_H
#define CAROM_MODEL_H

#include "carom/expr.h"
#include "carom/law.h"
#include "carom/linalg.h"

/* Most tangents a contact can have. */
enum {
    CAROM_TANGENTS_MAX = 2,
    CAROM_CONTACT_COMPONENTS = 3
};

typedef struct carom_parameter {
    char *name, *unit, *doc;
    double value; /* default */
    double min, max;
    bool integer;
    bool computed; /* by a study, before a run: not for users to set or see */
    bool
        input; /* CAROM_OP_INPUT: a value from outside, for a motion that is stepped; in runs it is constant */
} carom_parameter;

/* Which columns a row has entries in, the same always; column NULL: all, 0, 1, ..., count - 1. */
typedef struct carom_row_pattern {
    int count;
    const int *column; /* ascending */
} carom_row_pattern;

typedef struct carom_contact_info {
    char *name;
    int tangents; /* slip components: 0, 1 or 2 */
    carom_friction_law friction;
    int coefficients;          /* friction coefficients in all */
    bool has_restitution;      /* false: the scheme's own rule decides */
    bool constant_rows;        /* rows depend on parameters only, rates and coefficients on time at most */
    bool constant_frame;       /* everything in the frame depends on parameters only */
    bool constant_restitution; /* depends on parameters only */
    bool may_be_absent;        /* the gap is +infinity where parameters leave no obstacle */
    bool friction_force; /* no obstacle: a force in [-b, b] against the slip; b is the only coefficient, or
                             falls with the slip (carom_friction_weakening) */
    bool in_lengths; /* gap and slip are a distance and a velocity: the model says so, or they were derived */
    bool normalized; /* gap or slip were divided by the lengths of their gradients (carom/model/level.h) */
    bool tangential; /* the slips are orthogonal to the normal at every position, in a model of one point */
    carom_row_pattern row[CAROM_CONTACT_COMPONENTS]; /* normal, tangents; all zero: all columns */
} carom_contact_info;

/* A row of numbers, sparse: the entries that are not listed are zero. */
typedef struct carom_row {
    int count;
    const int *column; /* ascending; NULL: 0, 1, ..., count - 1 */
    double *value;
} carom_row;

/* row . x, in the order of the columns: the bits of the full product. */
static inline double carom_row_dot(const carom_row *row, const double *x)
{
    if (!row->column)
        return carom_dot(row->count, row->value, x);
    double sum = 0.0;
    for (int i = 0; i < row->count; i++)
        sum += row->value[i] * x[row->column[i]];
    return sum;
}
/* y += s row */
static inline void carom_row_add(const carom_row *row, double s, double *y)
{
    if (!row->column) {
        carom_axpy(row->count, s, row->value, y);
        return;
    }
    for (int i = 0; i < row->count; i++)
        y[row->column[i]] += s * row->value[i];
}
static inline int carom_row_column(const carom_row *row, int i)
{
    return row->column ? row->column[i] : i;
}
/* The product of two rows. */
double carom_row_product(const carom_row *a, const carom_row *b);
/* All n entries of the row, with its zeros. */
void carom_row_spread(const carom_row *row, int n, double *full);
/* The entry in a column; 0 where the row has none. */
double carom_row_at(const carom_row *row, int column);

/* A contact at one position: rows of the map from velocities to relative velocities,
 *   gap rate = normal . u + normal_rate,   slip_k = tangent[k] . u + tangent_rate[k]. */
typedef struct carom_contact_frame {
    carom_row normal; /* d gap / d q */
    carom_row tangent[CAROM_TANGENTS_MAX];
    double normal_rate, tangent_rate[CAROM_TANGENTS_MAX];
    double restitution;
    double stiffness, exponent; /* of the force K x^eta in compression, for impact law lzb; 0: 1 and 3/2 */
    double *coefficients;       /* friction; carom_contact_info.coefficients entries */
} carom_contact_frame;

typedef struct carom_model carom_model;
typedef struct carom_model_work carom_model_work; /* one per thread and parameter set */

/* A linear structure with clearance, for the parameters that its work is bound to:
 *
 *   M u'' + C u' + S u = load(t) + D^T r,   lower <= D u <= upper,
 *   C = damping_mass M + damping_stiffness S.
 *
 * Matrices are banded, rows of D are short. */
typedef struct carom_structure {
    carom_band mass, stiffness; /* one size and width */
    double damping_mass, damping_stiffness;
    int rows;                      /* of D: constrained displacements */
    const int *row_start, *column; /* as in carom_qp */
    const double *entry;
    const double *lower, *upper;              /* per row; infinite where there is no obstacle */
    const int *lower_contact, *upper_contact; /* per row: which contact its side is, -1: none */
    const double *place;                      /* per row: x */
    double restitution;                       /* of all contacts */
} carom_structure;

/* Circular frequency of the linear mode with this index, from 1; 0 where rounding makes its square negative.
 */
carom_status carom_structure_frequency(const carom_structure *structure, int index, double *omega,
                                       carom_error *error);

/* A mechanism: joints g = 0 and contacts g >= 0 as one list of constraints, joints first, and what schemes on
 * the levels of position, velocity and acceleration need of it:
 *
 *   g' = G v + g_t,   g'' = G v' + h(q, v, t),   M v' - G^T lambda = f.
 *
 * Matrices are sparse and have the same places always. */
typedef struct carom_motion {
    double t;
    const double *q, *v;
    const double *a;      /* v' in the residuals whose derivatives are asked */
    const double *lambda; /* per constraint, likewise */
} carom_motion;

typedef enum carom_mechanism_block {
    CAROM_BLOCK_MASS,           /* M */
    CAROM_BLOCK_ROWS,           /* G, constraints x dof */
    CAROM_BLOCK_RATE_BY_Q,      /* d/dq (G v + g_t) */
    CAROM_BLOCK_STIFFNESS,      /* d/dq (M a - G^T lambda - f) */
    CAROM_BLOCK_DAMPING,        /* -df/dv */
    CAROM_BLOCK_CURVATURE_BY_Q, /* d/dq (G a + h) */
    CAROM_BLOCK_CURVATURE_BY_V, /* d/dv h */
    CAROM_BLOCKS
} carom_mechanism_block;

/* Matrices that models can give by their entries. */
typedef enum carom_model_matrix {
    CAROM_MATRIX_MASS,       /* M */
    CAROM_MATRIX_FORCE_BY_Q, /* d force / d q */
    CAROM_MATRIX_FORCE_BY_U, /* d force / d u */
    CAROM_MATRICES
} carom_model_matrix;

/* A direction of all that a model depends on; NULL: does not change. Inputs change as their parameters do. */
typedef struct carom_direction {
    double t;
    const double *q, *u;     /* positions and dof numbers */
    const double *parameter; /* one per parameter of the model */
} carom_direction;

/* Derivatives of the numbers of a carom_structure along a direction of its parameters. Its rows do not change. */
typedef struct carom_structure_along {
    carom_band mass, stiffness;
    double damping_mass, damping_stiffness, restitution;
    const double *lower, *upper; /* per row; 0 where there is no obstacle */
} carom_structure_along;

/* Derivatives, along directions, of what the functions of carom_model_ops of the same names give; `count` directions at one
 * point, the result of each behind that of the one before. At kinks it is the derivative of the branch that is taken. What
 * is not finite: there is no derivative. */
typedef struct carom_model_tangent_ops {
    void (*mass)(carom_model_work *work, double t, const double *q, int count,
                 const carom_direction *direction, double *mass);
    void (*force)(carom_model_work *work, double t, const double *q, const double *u, int count,
                  const carom_direction *direction, double *force);
    void (*gaps)(carom_model_work *work, double t, const double *q, int count,
                 const carom_direction *direction, double *gap);
    /* One frame per direction, from carom_contact_frame_take: all its numbers are derivatives. */
    void (*frame)(carom_model_work *work, int contact, double t, const double *q, int count,
                  const carom_direction *direction, carom_contact_frame *frame);
    void (*energy)(carom_model_work *work, double t, const double *q, const double *u, int count,
                   const carom_direction *direction, double *energy);
    /* Of a mechanism: the entries of a block; g, g_t and h per constraint, joints first, each of which may be NULL.
     * Accelerations and multipliers of the motion do not change. */
    void (*block)(carom_model_work *work, carom_mechanism_block block, const carom_motion *motion, int count,
                  const carom_direction *direction, double *entry);
    void (*constraints)(carom_model_work *work, const carom_motion *motion, int count,
                        const carom_direction *direction, double *g, double *g_t, double *h);
    /* Of models with an initial state of their own, and with observables; along a direction of the parameters (NULL: they do not
     * change), and one of all that an output has. */
    void (*initial)(carom_model_work *work, const double *parameter, double *q, double *u);
    void (*observe)(carom_model_work *work, double t, const double *q, const double *u, const double *impulse,
                    const carom_direction *direction, const double *impulse_along, double *observed);
    /* Of a linear structure, along a direction of the parameters (NULL: they do not change). Its numbers, which live as long as
     * the work and change with bind; NULL: memory is short. The load, as t[k] moves by t_along[k]; S q with q held. */
    const carom_structure_along *(*structure)(carom_model_work *work, const double *parameter);
    void (*load)(carom_model_work *work, const double *parameter, int count, const double *t,
                 const double *weight, const double *t_along, double *load);
    void (*stiffness_times)(carom_model_work *work, const double *parameter, const double *q, double *force);
} carom_model_tangent_ops;

/* What a model can be asked, in units of the model's own choice. Arrays are the caller's: q has
 * carom_model_positions(model) numbers, u has dof, gap one per contact. */
typedef struct carom_model_ops {
    void (*free)(carom_model *model);
    /* NULL when memory is short; carom_model_work_create also binds and checks. */
    carom_model_work *(*work_create)(const carom_model *model);
    void (*work_free)(carom_model_work *work);
    /* The values of the parameters for what follows; copied. */
    void (*bind)(carom_model_work *work, const double *parameters);
    /* M, n x n row-major. */
    void (*mass)(carom_model_work *work, double t, const double *q, double *mass);
    /* Generalized force of M(q) u' = force: applied forces, -dV/dq and the inertia terms. */
    void (*force)(carom_model_work *work, double t, const double *q, const double *u, double *force);
    /* d force / d q and d force / d u, n x n row-major; either may be NULL. */
    void (*force_jacobian)(carom_model_work *work, double t, const double *q, const double *u, double *by_q,
                           double *by_u);
    /* The force and both of its derivatives at once, the same numbers in less time; false, with nothing done, where the
     * model has no way to do that. May be NULL. */
    bool (*force_with_jacobian)(carom_model_work *work, double t, const double *q, const double *u,
                                double *force, double *by_q, double *by_u);
    /* Gaps of all contacts; a negative one penetrates. */
    void (*gaps)(carom_model_work *work, double t, const double *q, double *gap);
    /* Rows, rates, restitution and friction of one contact; carom_contact_frame_take gives the arrays. */
    void (*frame)(carom_model_work *work, int contact, double t, const double *q, carom_contact_frame *frame);
    /* Kinetic plus potential energy. */
    double (*energy)(carom_model_work *work, double t, const double *q, const double *u);

    /* What follows may be NULL. */
    /* Places of the entries of a matrix, dof x dof, the same always (its value is NULL), and their values, as many
     * as the pattern has. u may be NULL for the mass. Models without it have full matrices only. */
    const carom_sparse *(*matrix_pattern)(const carom_model *model, carom_model_matrix matrix);
    void (*matrix)(carom_model_work *work, carom_model_matrix matrix, double t, const double *q,
                   const double *u, double *entry);
    /* The gap of one contact at t and q + share (to - q), for the price of that contact. */
    double (*gap_between)(carom_model_work *work, int contact, double t, const double *q, const double *to,
                          double share);
    /* How fast the energy changes while no contact and no joint acts, but for carried momentum: see
     * carom_model_power, which also serves models without it. */
    double (*power)(carom_model_work *work, double t, const double *q, const double *u);
    /* Momentum b = dT/du at u = 0, n entries; asked only of a model with moving_frame. */
    void (*carried)(carom_model_work *work, double t, const double *q, double *momentum);
    /* After bind: do the parameters make a model? BAD_INPUT says which does not and what would be right. */
    carom_status (*check)(const carom_model_work *work, carom_error *error);
    /* The model's own initial state. */
    void (*initial)(carom_model_work *work, double *q, double *u);
    /* carom_model.observables numbers of one output; impulse has 3 places per contact. */
    void (*observe)(carom_model_work *work, double t, const double *q, const double *u, const double *impulse,
                    double *observed);
    /* Of a mechanism. Places of a block's entries; their values (as many as the pattern has). */
    const carom_sparse *(*block_pattern)(const carom_model *model, carom_mechanism_block block);
    void (*block)(carom_model_work *work, carom_mechanism_block block, const carom_motion *motion,
                  double *entry);
    /* Whether the entries of a block in one column, and g_t of a constraint, depend on parameters only. */
    bool (*block_is_constant)(const carom_model *model, carom_mechanism_block block, int column);
    bool (*rate_is_constant)(const carom_model *model, int constraint);
    /* Per constraint g, g_t and h; each may be NULL. */
    void (*constraints)(carom_model_work *work, const carom_motion *motion, double *g, double *g_t,
                        double *h);
    /* A linear structure's matrices and rows; they live as long as the work and change with bind. */
    const carom_structure *(*structure)(const carom_model_work *work);
    /* Sum of weight[k] times the load of a linear structure at t[k], n entries. */
    void (*load)(carom_model_work *work, int count, const double *t, const double *weight, double *load);
    /* S q of a linear structure, better than the product with the assembled matrix where that loses
     * digits. */
    void (*stiffness_times)(carom_model_work *work, const double *q, double *force);
    /* Shape of a structure: displacements at profile_points places, from one end to the other. */
    int (*profile_points)(const carom_model *model);
    void (*profile)(carom_model_work *work, const double *q, double *x, double *u);
    /* Where along the structure a contact is, and whether it is on the upper side. */
    double (*contact_place)(const carom_model_work *work, int contact, bool *upper);
    /* Derivatives along directions of state and parameters; NULL: the model has none. */
    const carom_model_tangent_ops *tangent;
    /* carom/model/forcing.h: the circular frequencies of the dependence on time, carom_model.frequencies of them; and
     * of a model with is_linear what drives it, which lives as long as the work and changes with bind. */
    void (*frequencies)(carom_model_work *work, double *frequency);
    const struct carom_harmonics *(*harmonics)(carom_model_work *work);
    /* Functions of time whose signs change where the forces have a kink or a jump: carom_model.switches of them. NULL: none. */
    void (*switches)(carom_model_work *work, double t, double *value);
    /* Several states at once: carom/model/wide.h. */
    const struct carom_model_wide_ops *wide;
} carom_model_ops;

struct carom_model {
    const carom_model_ops *ops;
    int dof, contacts, joints, parameters;
    int inputs; /* parameters that are inputs */
    int observables;
    int rotations; /* of bodies in space: each has one position more than velocities (carom_model_positions) */
    bool has_bodies;   /* carom/model/bodies.h: what touches is found where they are, step by step */
    char **coordinate; /* names of the positions */
    char **velocity;   /* ... of the velocities; NULL: the same */
    char **joint;      /* likewise */
    carom_contact_info *contact;
    carom_parameter *parameter;
    bool constant_mass;           /* M depends on parameters only */
    bool constant_force_jacobian; /* d force / d q and d force / d u depend on parameters only */
    bool affine_force;            /* ... and the force has no jumps: it is affine in q and u */
    bool constant_force;          /* the force depends on parameters only */
    bool conservative;            /* no applied force, no dependence on time: energy cannot grow */
    bool powerless;               /* carom_model_power is 0 always */
    bool moving_frame;            /* T has terms linear in u: coordinates in a frame that moves */
    bool one_point; /* two or three coordinates, M = m I, and contacts with friction or a level */
    /* Sines and cosines of time that it depends on; 0: it does not; -1: it depends on time in another way. Counts where
     * ops->frequencies is there. */
    int frequencies;
    int switches; /* of ops->switches */
    /* Constant mass, affine force, affine gaps with constant rows, restitution of parameters, no friction and no joints,
     * driven by a sum of sines and cosines: ops->harmonics has it. */
    bool is_linear;
};

/* Numbers of a position; a velocity has dof. */
static inline int carom_model_positions(const carom_model *model)
{
    return model->dof + model->rotations;
}
static inline const char *carom_model_velocity_name(const carom_model *model, int i)
{
    return model->velocity ? model->velocity[i] : model->coordinate[i];
}

/* Thread work of a model starts with this head. */
struct carom_model_work {
    const carom_model *model;
    /* What the inputs are now, at the places of their parameters; written by bind, and by who steps (carom_stepper.input).
     * NULL: the model has none. */
    double *input;
};

/* NULL is fine. Works and steppers of the model must be freed before it. */
void carom_model_free(carom_model *model);

/* What one thread needs to evaluate the model: memory, and the values of the parameters (one per parameter of
 * the model, copied; NULL: their defaults). BAD_INPUT: the parameters do not make a model; *work is NULL
 * then. The model must outlive its works; works are independent of each other. Schemes (carom/scheme.h) take
 * a work; what the model says is asked through its operations: work->model->ops->force(work, t, q, v,
 * force). */
carom_status carom_model_work_create(const carom_model *model, const double *parameters,
                                     carom_model_work **work, carom_error *error);
void carom_model_work_free(carom_model_work *work);

/* How fast the energy T + V changes at a state while no contact and no joint acts: the power of applied forces
 * and of what depends on time. Where the model has no power of its own, by central differences of the energy.
 * `scratch`: carom_model_power_scratch(model) numbers. NAN: the mass matrix is singular. */
double carom_model_power(carom_model_work *work, double t, const double *q, const double *u, double *scratch);
size_t carom_model_power_scratch(const carom_model *model);
/* M^-1 b with the momentum b at rest, of a model with moving_frame: a generalized force g has the power
 * g.(u + M^-1 b). `scratch`: carom_model_carrier_scratch(model) numbers. Takes memory where the mass is sparse. False: the mass matrix is singular. */
bool carom_model_carrier(carom_model_work *work, double t, const double *q, double *scratch, double *carrier);
size_t carom_model_carrier_scratch(const carom_model *model);

/* Kinetic energy, as E(u) - E(0). `scratch`: dof numbers. */
double carom_model_kinetic(carom_model_work *work, double t, const double *q, const double *u,
                           double *scratch);

/* Index of a parameter or contact by name, -1 when there is none. */
int carom_model_find_parameter(const carom_model *model, const char *name);
int carom_model_find_contact(const carom_model *model, const char *name);
/* Likewise of a position by its coordinate, of a velocity by its own name. */
int carom_model_find_position(const carom_model *model, const char *name);
int carom_model_find_velocity(const carom_model *model, const char *name);
/* Place of a number of a state by name: q:NAME or NAME a position, v:NAME a velocity; velocities stand behind positions. -1: there is
 * none, and the error lists what there is. */
int carom_model_state_place(const carom_model *model, const char *name, carom_error *error);

/* Memory for a frame of any contact of the model, or of this one, from the arena; false when memory is short. */
bool carom_contact_frame_take(carom_arena *arena, const carom_model *model, carom_contact_frame *frame);
bool carom_contact_frame_take_for(carom_arena *arena, const carom_model *model, int contact,
                                  carom_contact_frame *frame);

/* Whether the model is worth sparse matrices: it gives their places, has more than some coordinates, and its
 * matrices are mostly zeros. Those who keep n x n numbers may do so when it is false. */
bool carom_model_is_sparse(const carom_model *model);
/* Of a model with matrix_pattern: CAROM_OK when its mass is finite, symmetric and positive definite at (t, q); with
 * `massless` coordinates that have no inertia at all are passed over. BAD_INPUT names the coordinate. Takes memory
 * while it works. */
carom_status carom_model_check_sparse_mass(carom_model_work *work, double t, const double *q, bool massless,
                                           carom_error *error);

/* ---- still model --------------------------------------------------------------------------------
 *
 * No coordinates, no contacts, energy 0: for studies, which compute without a motion. Only free, work_create,
 * work_free, bind and energy of its operations are there. The parameters are copied; the caller frees the model. */
carom_status carom_still_model_create(int parameters, const carom_parameter *parameter, carom_model **model,
                                      carom_error *error);

/* ---- model from plain functions -------------------------------------------------------------------
 *
 *   M(q, t) v' = f(t, q, v) + contact forces,   q' = v,   gap_i(t, q) >= 0.
 *
 * A ball over the floor, whose context is not needed:
 *
 *   static void weight(void *context, double t, const double *q, const double *v, double *f)
 *   {
 *       f[0] = -9.81;
 *   }
 *   static void height(void *context, double t, const double *q, double *gap)
 *   {
 *       gap[0] = q[0];
 *   }
 *
 *   carom_model_functions ball = {.dof = 1, .masses = (double[]){1.0}, .force = weight,
 *                                 .contacts = 1, .gap = height,
 *                                 .contact = &(carom_function_contact){.restitution = 0.8}};
 *
 * Arrays that functions fill come zeroed. Functions are called by every thread that has a work of the model,
 * with the same context: they may read it and must not write there. For joints, exact derivatives and models
 * with parameters take expressions (below). Schemes that need more than functions can say refuse the model
 * and name others. */

typedef struct carom_function_contact {
    const char *name;   /* copied; NULL: "contact1", "contact2", ... */
    double restitution; /* of the normal velocity, from 0 (inelastic) to 1. Schemes that have a rule of their
                         * own (elast: 1, inel: 0) refuse another */
    int tangents;       /* slip components: 0 (no friction), 1 or 2 */
    double
        friction; /* Coulomb's coefficient, >= 0; needs tangents. The gap is then a distance and a slip a velocity of
                         * the same unit: functions are used as they are, also in a model of one point mass */
} carom_function_contact;

/* What is left zero is not there; dof and an inertia must be. */
typedef struct carom_model_functions {
    void *context; /* handed to every function */
    int dof;
    const char *const *coordinate; /* dof names, copied; NULL: "q1", "q2", ... */

    /* One of the three: constant masses, a constant matrix (both are copied), or a function. Row-major,
     * symmetric, positive definite. */
    const double *masses;      /* the diagonal: dof numbers */
    const double *mass_matrix; /* dof x dof */
    void (*mass)(void *context, double t, const double *q, double *mass);

    /* The right-hand side; where the mass depends on q, with the inertia terms. NULL: 0. */
    void (*force)(void *context, double t, const double *q, const double *v, double *force);
    /* d force / d q and d force / d v, dof x dof row-major, for implicit schemes. NULL: central differences,
     * with steps of 6e-6 max(1, |x|). */
    void (*force_jacobian)(void *context, double t, const double *q, const double *v, double *by_q,
                           double *by_v);
    /* For the energy of the records, which is 1/2 v.M v + potential. NULL: 0. */
    double (*potential)(void *context, double t, const double *q);

    int contacts;
    const carom_function_contact *contact; /* one per contact, copied; NULL: inelastic and without friction */
    /* All gaps at once. */
    void (*gap)(void *context, double t, const double *q, double *gap);
    /* d gap / d q, dof numbers, and d gap / d t of one contact. NULL: central differences of gap. */
    void (*normal)(void *context, int contact, double t, const double *q, double *row, double *rate);
    /* Slip component `tangent` (0 or 1) of one contact is row . v + rate. Contacts with tangents need it. */
    void (*slip)(void *context, int contact, int tangent, double t, const double *q, double *row,
                 double *rate);
} carom_model_functions;

/* The struct is not kept, its context and functions are. BAD_INPUT says what is missing or wrong; *model is
 * NULL then. The caller frees the model with carom_model_free. */
carom_status carom_model_from_functions(const carom_model_functions *functions, carom_model **model,
                                        carom_error *error);

/* ---- traced model: from expressions ----------------------------------------------------------- */

struct carom_level;

typedef struct carom_traced_contact {
    const char *name;
    int line; /* where the model file defines it, for messages; 0: unknown */
    carom_node gap;
    int tangents;
    carom_node slip[CAROM_TANGENTS_MAX];
    carom_node restitution;         /* CAROM_NO_NODE: not given */
    carom_node stiffness, exponent; /* CAROM_NO_NODE: 1 and 3/2 */
    carom_friction_law friction;
    const carom_node *coefficient; /* carom_friction_law_coefficients(&friction) nodes */
    bool friction_force;           /* one slip, gap 0, an isotropic law whose coefficient is the bound or a
                                      weakening one */
    bool distance;                 /* gap and slip are true lengths and velocities: they are left alone */
    const struct carom_level
        *level; /* what gap and slip were derived from (carom/model/level.h); NULL: given */
} carom_traced_contact;

/* A joint: an expression of position and time that stays zero. */
typedef struct carom_traced_joint {
    const char *name;
    int line;
    carom_node value;
} carom_traced_joint;

/* Kinetic energy T or a mass matrix, not both. CAROM_NO_NODE (or NULL) where something is not given: 0 is a
 * node. carom_builder (below) is the comfortable way to one. */
typedef struct carom_traced_spec {
    carom_graph *graph; /* not kept: all expressions are compiled */
    int dof;
    const char *const *coordinate;
    int parameters;
    const carom_parameter *parameter; /* copied */
    carom_node kinetic;
    const carom_node *mass;   /* dof x dof, or ... */
    const carom_node *masses; /* ... its diagonal alone, dof */
    carom_node potential;
    const carom_node *force; /* dof */
    int contacts;
    const carom_traced_contact *contact;
    int joints;
    const carom_traced_joint *joint;
} carom_traced_spec;

/* Derives mass matrix, forces, inertia terms and contact frames. BAD_INPUT says what the expressions get
 * wrong (a mass that depends on velocity, a slip that is not linear in velocity, ...). The caller frees
 * the model with carom_model_free; *model is NULL when it fails. */
carom_status carom_traced_model_create(const carom_traced_spec *spec, carom_model **model,
                                       carom_error *error);

/* Total energy as a node: T (or 1/2 u.M u) plus V. */
carom_node carom_traced_energy(const carom_traced_spec *spec);

/* Exact derivatives against central finite differences at one point: the worst relative difference of each
 * kind, 0 where the model has none. */
typedef struct carom_derivative_report {
    double momentum;  /* dT/du */
    double mass;      /* d2T/du2 */
    double inertia;   /* d/dt dT/du - dT/dq without the acceleration terms */
    double potential; /* dV/dq, as part of the force */
    double gap;       /* d gap / d q and d gap / d t */
    double slip;      /* d slip / d u */
    double force;     /* d force / d q and d force / d u */
} carom_derivative_report;

/* The largest entry of a report. */
double carom_derivative_report_worst(const carom_derivative_report *report);

/* Compares at (t, q, u) for these parameter values. BAD_INPUT as carom_traced_model_create; adds nodes to the
 * spec's graph. */
carom_status carom_traced_check(const carom_traced_spec *spec, const double *parameters, double t,
                                const double *q, const double *u, carom_derivative_report *report,
                                carom_error *error);

/* ---- model from expressions, built in C ------------------------------------------------------------
 *
 * What a model file says in Lua, call by call. A formula is text (carom_build_formula) or is made node by
 * node in the builder's graph (carom/expr.h); derivatives are exact. The pendulum that strikes a wall:
 *
 *   carom_builder *b = carom_builder_create();
 *   carom_build_coordinate(b, "theta");
 *   carom_build_parameter(b, "l", 0.5);
 *   carom_build_kinetic(b, carom_build_formula(b, "1/2 * l^2 * dot(theta)^2"));
 *   carom_build_potential(b, carom_build_formula(b, "-9.81 * l * cos(theta)"));
 *   int wall = carom_build_contact(b, "wall", carom_build_formula(b, "theta"));
 *   carom_build_restitution(b, wall, carom_build_formula(b, "0.7"));
 *   carom_status status = carom_build_model(b, &model, &error);
 *   carom_builder_free(b);
 *
 * Calls need no check: the first one that goes wrong is remembered, the others do nothing then, and
 * carom_build_model says what it was. Names and texts are copied. One builder is for one thread. */
typedef struct carom_builder carom_builder;

/* NULL when memory is short. The caller frees it, also before the models that it made. */
carom_builder *carom_builder_create(void);
void carom_builder_free(carom_builder *builder);
/* Where its expressions are; it belongs to the builder. */
carom_graph *carom_builder_graph(carom_builder *builder);
/* CAROM_OK, or what the first call that went wrong left, for who wants to know before carom_build_model. */
carom_status carom_builder_status(const carom_builder *builder, carom_error *error);

/* Symbols; CAROM_NO_NODE after a failure. Coordinates and parameters share one space of names. A run may set
 * parameters (carom_run_request.parameter, in the order of these calls); `value` is the default. */
carom_node carom_build_coordinate(carom_builder *builder, const char *name);
carom_node carom_build_velocity(carom_builder *builder, carom_node coordinate);
carom_node carom_build_parameter(carom_builder *builder, const char *name, double value);
/* A parameter that is an input: who steps the motion may change it from step to step (carom/run/stepping.h). */
carom_node carom_build_input(carom_builder *builder, const char *name, double value);
/* A formula of coordinates x, velocities dot(x), parameters, the time t, pi and the functions of
 * carom_formula. */
carom_node carom_build_formula(carom_builder *builder, const char *text);

/* Each call adds a term. The kinetic energy is quadratic in the velocities; a force is the generalized one
 * that belongs to a coordinate and may depend on velocities and time. */
void carom_build_kinetic(carom_builder *builder, carom_node energy);
void carom_build_potential(carom_builder *builder, carom_node energy);
void carom_build_force(carom_builder *builder, carom_node coordinate, carom_node force);

/* A contact: gap(q, t) >= 0. With friction the gap is a distance, and a slip a velocity of the same unit. Returns its index, the
 * number of contacts before it; -1 after a failure. */
int carom_build_contact(carom_builder *builder, const char *name, carom_node gap);
/* A contact of a point with an obstacle: level(q, t) is any function that is positive outside it. Distance and slips are derived
 * (carom/model/level.h); carom_build_slip is not called. `point`: its 1 to 3 coordinates, or expressions of position that the
 * level contains; dimension 0: all coordinates, in a model that is one point mass. */
int carom_build_level(carom_builder *builder, const char *name, carom_node level, int dimension,
                      const carom_node *point);
/* Velocity of the obstacle of a level, one node per component of its point; its tangential part counts. */
void carom_build_surface(carom_builder *builder, int contact, const carom_node *velocity);
/* Declares gap and slips of a contact to be true lengths and velocities: nothing is divided by gradients. */
void carom_build_distance(carom_builder *builder, int contact);
/* From 0 to 1; not given: the scheme's own rule. */
void carom_build_restitution(carom_builder *builder, int contact, carom_node restitution);
/* A relative velocity along the contact, linear in the velocities; one or two per contact. */
void carom_build_slip(carom_builder *builder, int contact, carom_node slip);
/* Coulomb's coefficient; the contact needs a slip. */
void carom_build_friction(carom_builder *builder, int contact, carom_node coefficient);
/* A joint: value(q, t) = 0. */
void carom_build_joint(carom_builder *builder, const char *name, carom_node value);

/* The model of what was said so far; the caller frees it with carom_model_free. BAD_INPUT: what a call got
 * wrong, or what carom_traced_model_create finds; *model is NULL then. */
carom_status carom_build_model(carom_builder *builder, carom_model **model, carom_error *error);

#endif
