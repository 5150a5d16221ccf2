/* model: what the system is. M(q), forces, gaps, contact frames; immutable after it is built. */
#ifndef CAROM_MODEL_H
#define CAROM_MODEL_H

#include "carom/expr.h"
#include "carom/law.h"

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
} carom_parameter;

typedef struct carom_contact_info {
    char *name;
    int tangents; /* slip components: 0, 1 or 2 */
    carom_friction_law friction;
    int coefficients;     /* friction coefficients in all */
    bool has_restitution; /* false: the scheme's own rule decides */
    bool constant_rows;   /* rows depend on parameters only, rates and coefficients on time at most */
    bool constant_frame;  /* everything in the frame depends on parameters only */
} carom_contact_info;

/* A contact at one position: rows of the map from velocities to relative velocities,
 *   gap rate = normal . u + normal_rate,   slip_k = tangent[k] . u + tangent_rate[k]. */
typedef struct carom_contact_frame {
    double *normal; /* n entries: d gap / d q */
    double *tangent[CAROM_TANGENTS_MAX];
    double normal_rate, tangent_rate[CAROM_TANGENTS_MAX];
    double restitution;
    double *coefficients; /* friction; carom_contact_info.coefficients entries */
} carom_contact_frame;

typedef struct carom_model carom_model;
typedef struct carom_model_work carom_model_work; /* one per thread and parameter set */

typedef struct carom_model_ops {
    void (*free)(carom_model *model);
    carom_model_work *(*work_create)(const carom_model *model);
    void (*work_free)(carom_model_work *work);
    void (*bind)(carom_model_work *work, const double *parameters);
    /* M, n x n row-major. */
    void (*mass)(carom_model_work *work, double t, const double *q, double *mass);
    /* Generalized force of M(q) u' = force: applied forces, -dV/dq and the inertia terms. */
    void (*force)(carom_model_work *work, double t, const double *q, const double *u, double *force);
    /* d force / d q and d force / d u, n x n row-major; either may be NULL. */
    void (*force_jacobian)(carom_model_work *work, double t, const double *q, const double *u, double *by_q,
                           double *by_u);
    void (*gaps)(carom_model_work *work, double t, const double *q, double *gap);
    void (*frame)(carom_model_work *work, int contact, double t, const double *q, carom_contact_frame *frame);
    /* Kinetic plus potential energy. */
    double (*energy)(carom_model_work *work, double t, const double *q, const double *u);
} carom_model_ops;

struct carom_model {
    const carom_model_ops *ops;
    int dof, contacts, parameters;
    char **coordinate; /* names */
    carom_contact_info *contact;
    carom_parameter *parameter;
    bool constant_mass;           /* M depends on parameters only */
    bool constant_force_jacobian; /* d force / d q and d force / d u depend on parameters only */
    bool affine_force;            /* ... and the force has no jumps: it is affine in q and u */
    bool constant_force;          /* the force depends on parameters only */
    bool conservative;            /* no applied force, no dependence on time: energy cannot grow */
};

/* Thread work of a model starts with this head. */
struct carom_model_work {
    const carom_model *model;
};

void carom_model_free(carom_model *model);
/* Index of a parameter or contact by name, -1 when there is none. */
int carom_model_find_parameter(const carom_model *model, const char *name);
int carom_model_find_contact(const carom_model *model, const char *name);

/* Memory for a frame of any contact of the model, from the arena; false when memory is short. */
bool carom_contact_frame_take(carom_arena *arena, const carom_model *model, carom_contact_frame *frame);

/* ---- traced model: from expressions ----------------------------------------------------------- */

typedef struct carom_traced_contact {
    const char *name;
    int line; /* where the model file defines it, for messages; 0: unknown */
    carom_node gap;
    int tangents;
    carom_node slip[CAROM_TANGENTS_MAX];
    carom_node restitution; /* CAROM_NO_NODE: not given */
    carom_friction_law friction;
    const carom_node *coefficient; /* carom_friction_law_coefficients(&friction) nodes */
} carom_traced_contact;

/* Kinetic energy T or a mass matrix, not both. CAROM_NO_NODE (or NULL) where something is not given. */
typedef struct carom_traced_spec {
    carom_graph *graph; /* not kept: all expressions are compiled */
    int dof;
    const char *const *coordinate;
    int parameters;
    const carom_parameter *parameter; /* copied */
    carom_node kinetic;
    const carom_node *mass; /* dof x dof */
    carom_node potential;
    const carom_node *force; /* dof */
    int contacts;
    const carom_traced_contact *contact;
} carom_traced_spec;

/* Derives mass matrix, forces, inertia terms and contact frames. BAD_INPUT says what the expressions get
 * wrong (a mass that depends on velocity, a slip that is not linear in velocity, ...). */
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

carom_status carom_traced_check(const carom_traced_spec *spec, const double *parameters, double t,
                                const double *q, const double *u, carom_derivative_report *report,
                                carom_error *error);

#endif
