/* Inside of the beam model, for its files. */
#ifndef CAROM_MODEL_BEAM_BEAM_H
#define CAROM_MODEL_BEAM_BEAM_H

#include "beam_basis.h"

/* Index of an expression of parameters among the outputs of beam_model.numbers; -1: not given. */
typedef int beam_number;

typedef struct beam_obstacle {
    beam_number from, to;
    int line;
} beam_obstacle;

typedef struct beam_stop {
    char *name;
    beam_number x, lower, upper;
    int line;
} beam_stop;

typedef struct beam_force {
    beam_number x;
    int line;
} beam_force;

typedef struct beam_field {
    const char *name;
    bool given; /* as a function */
    int mode;
    beam_number x, value;
    int line;
} beam_field;

typedef struct beam_probe {
    carom_beam_probe_kind kind;
    beam_number x;
    int line;
} beam_probe;

typedef struct beam_model {
    carom_model base;
    carom_arena *arena;
    beam_space space;
    int line;
    carom_tape *numbers;
    beam_number length, k2, modulus, density, area, inertia, damping_mass, damping_stiffness, restitution;

    int obstacles, stops;
    beam_obstacle *obstacle;
    beam_stop *stop;
    carom_tape *bounds; /* of place: lower and upper of each obstacle, infinite where not given */
    int obstacle_nodes; /* nodes that have contacts of obstacles: rows 0, 1, ...; then come the stops */
    int first_node;     /* ... and the first of them */
    int rows;
    int *lower_contact, *upper_contact; /* per row */
    int *contact_row;
    bool *contact_upper;

    int terms;          /* of the load: products of a function of place and one of time */
    carom_tape *shape;  /* of place: the terms' */
    carom_tape *factor; /* of time: the terms', then the values of the point forces */
    carom_tape *rest;   /* of place and time; NULL: all of the load is in the terms */
    int forces;
    beam_force *force;

    beam_field displacement, velocity;
    carom_tape *fields; /* of place: displacement and its slope, velocity and its slope */

    beam_probe *probe;                   /* base.observables of them */
    bool measures_lower, measures_upper; /* penetration is asked for */
} beam_model;

enum {
    BEAM_GAUSS = 5,   /* points of the quadrature on an element */
    BEAM_PLACES = 19, /* where penetration is looked for inside an element */
};

/* What a beam is along one direction of its parameters: derivatives. */
typedef struct beam_along {
    carom_structure_along structure; /* first */
    struct beam_along *next;         /* other directions */
    bool bound;                      /* for the parameters of the work */
    double *parameter;               /* the direction */
    double length, linear_density, bending;
    double *number, *lower, *upper;
    double *power;            /* per unknown: see beam_slope_powers */
    double *shape, *factor;   /* as in the work */
    double *factor_of_shapes; /* sums of factors */
    beam_row *force_row, *probe_row;
    double *tangent;                         /* of a tape that is evaluated once */
    double *bounds_tangent, *factor_tangent; /* of those that are evaluated again and again */
    double *rest_tangent;
    double *vector, *other; /* n */
} beam_along;

typedef struct beam_work {
    carom_model_work base;
    carom_arena *arena;
    carom_error problem; /* what bind found first; status CAROM_OK: nothing */

    double *numbers_work, *number;
    double length, element_length, linear_density, bending;
    carom_structure structure;
    double *vector;      /* n */
    double *other;       /* n */
    double *coefficient; /* of the basis before the end conditions */
    double *pushed;      /* as many */

    double *bounds_work, *bound;
    int *row_start, *column; /* of the structure, as are the next ones */
    double *entry, *lower, *upper, *place;

    double *shape_work, *factor_work, *rest_work;
    double *shape;       /* terms x n */
    double *shape_value; /* outputs of the shape tape */
    double *factor;      /* terms + forces */
    double *factor_sum;
    beam_row *force_row;
    double gauss[BEAM_GAUSS][BEAM_LOCALS]; /* basis functions times weights and element length */

    double *fields_work;
    double *q, *u;                /* the initial state */
    double *nodal;                /* 2 x nodes: values and slopes of a field */
    double *interpolation_matrix; /* 5 x n */

    beam_row *probe_row;
    double *lower_inside, *upper_inside; /* obstacles at BEAM_PLACES places of each element */
    double inside[BEAM_PLACES][BEAM_LOCALS];

    beam_along *along; /* directions that were asked for */
} beam_work;

static inline const beam_model *beam_of(const beam_work *work)
{
    return (const beam_model *)work->base.model;
}

/* Keeps the text when it is the first problem of this bind; a line > 0 begins it. */
void beam_problem(beam_work *work, int line, const char *format, ...) CAROM_PRINTF(3, 4);
/* Is x on the beam, and its displacement there free? A problem when not; `what` names who is at x. */
bool beam_place_is_free(beam_work *work, int line, const char *what, double x);

/* ---- parts: what each creates, takes and binds ------------------------------------------------ */

carom_status beam_check_spec(const carom_beam_spec *spec, carom_error *error);

/* beam_build.c: names, numbers, tapes; false when memory is short. */
bool beam_build(beam_model *model, const carom_beam_spec *spec);

/* beam_work.c */
carom_model_work *beam_work_create(const carom_model *model);
void beam_work_free(carom_model_work *work);
void beam_bind(carom_model_work *work, const double *parameters);
carom_status beam_check(const carom_model_work *work, carom_error *error);

bool beam_obstacles_take(beam_work *work);
void beam_obstacles_bind(beam_work *work);
/* Tightest bounds of the obstacles at x, infinite where there are none. */
void beam_obstacle_bounds(beam_work *work, double x, double *lower, double *upper);
/* Their derivatives along a direction, for a place that moves with the length; 0 where there are none. */
void beam_obstacle_bounds_along(beam_work *work, const beam_along *along, double x, double *lower,
                                double *upper);
void beam_obstacles_bind_along(beam_work *work, beam_along *along);

bool beam_load_take(beam_work *work);
void beam_load_bind(beam_work *work);
void beam_load(carom_model_work *work, int count, const double *t, const double *weight, double *load);
void beam_load_bind_along(beam_work *work, beam_along *along);
/* Derivative of beam_load, as t[k] moves by t_along[k]. */
void beam_load_derivative(beam_work *work, const beam_along *along, int count, const double *t,
                          const double *weight, const double *t_along, double *load);
/* The power of the load at a time along a velocity. */
double beam_load_along(beam_work *work, double t, const double *u);

bool beam_start_take(beam_work *work);
void beam_start_bind(beam_work *work);
void beam_initial(carom_model_work *work, double *q, double *u);
void beam_initial_along(beam_work *work, const beam_along *along, double *q, double *u);

bool beam_probe_take(beam_work *work);
void beam_probe_bind(beam_work *work);
void beam_observe(carom_model_work *work, double t, const double *q, const double *u, const double *impulse,
                  double *observed);
void beam_probe_bind_along(beam_work *work, beam_along *along);
/* Derivatives of observables; the beam moves by direction->q and u, its impulses by impulse_along. */
void beam_observe_along(beam_work *work, const beam_along *along, const double *q, const double *u,
                        const carom_direction *direction, const double *impulse_along, double *observed);
int beam_profile_points(const carom_model *model);
void beam_profile(carom_model_work *work, const double *q, double *x, double *u);

/* dense += factor band, n x n. */
void beam_expand_band(const carom_band *band, double factor, double *dense);

/* ---- beam_along.c: derivatives along directions ------------------------------------------------- */

extern const carom_model_tangent_ops beam_tangent_ops;
/* The parameters are others: directions are to be bound again. */
void beam_forget_along(beam_work *work);
/* Derivative of an expression of parameters; 0 where it is not given. */
static inline double beam_number_along(const beam_along *along, beam_number index)
{
    return index < 0 ? 0.0 : along->number[index];
}

#endif
