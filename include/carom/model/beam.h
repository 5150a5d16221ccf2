/* model/beam: Euler-Bernoulli beam of constant section, 0 <= x <= L, transverse displacement u(x, t):
 *
 *   rho S u_tt + damping + E I u_xxxx = rho S acceleration(x, t) + load(x, t) + point forces + reactions.
 *
 * Given k2 = E I / (rho S) alone, rho S is 1: forces and energies are per unit of mass per length. */
#ifndef CAROM_MODEL_BEAM_H
#define CAROM_MODEL_BEAM_H

#include "carom/model.h"

typedef enum carom_beam_basis {
    CAROM_BEAM_P3,         /* Hermite cubics: displacement and slope at each node */
    CAROM_BEAM_BSPLINE,    /* cubic B-splines: one coefficient per node */
    CAROM_BEAM_DIFFERENCE, /* finite differences of Paoli 2001, section 3c: clamped and free ends only */
} carom_beam_basis;

/* Where the nodes of finite differences stand, and which end rows they get (spec: Paoli 2001, 3c). */
typedef enum carom_beam_grid {
    CAROM_GRID_PAPER, /* x_j = j L / d: as published, a beam of length L + dx, first order */
    CAROM_GRID_HALF,  /* dx = L / (d + 1), x_j = (j + 1/2) dx: second order */
    CAROM_GRID_GHOST, /* x_j = j L / d, first diagonal entry 7, half a mass at the free end: second order */
} carom_beam_grid;

typedef enum carom_beam_end {
    CAROM_END_CLAMPED, /* u = u' = 0 */
    CAROM_END_PINNED,  /* u = 0 */
    CAROM_END_GUIDED,  /* u' = 0 */
    CAROM_END_FREE,
} carom_beam_end;

/* Nodes here are expressions of parameters; where it says so also of place or time. CAROM_NO_NODE: not
 * given. */

typedef struct carom_beam_obstacle {
    carom_node lower, upper; /* of place */
    carom_node from, to;     /* the part of the beam that it covers, ends included; not given: all */
    int line;
} carom_beam_obstacle;

typedef struct carom_beam_stop {
    const char *name;
    carom_node x, lower, upper;
    int line;
} carom_beam_stop;

typedef struct carom_beam_force {
    carom_node x;
    carom_node value; /* of time */
    int line;
} carom_beam_force;

/* An initial field: a function of place, or a multiple of a mode of vibration. */
typedef struct carom_beam_field {
    carom_node function; /* of place */
    int mode;            /* 1, 2, ...; 0: none */
    carom_node x, value; /* the mode is scaled to `value` at x */
    int line;
} carom_beam_field;

typedef enum carom_beam_probe_kind {
    CAROM_PROBE_DISPLACEMENT, /* at x */
    CAROM_PROBE_VELOCITY,
    CAROM_PROBE_SLOPE,
    CAROM_PROBE_MOMENT, /* E I u_xx (k2 u_xx where only k2 is given); mean of both sides at a node */
    CAROM_PROBE_PENETRATION_LOWER, /* largest lower(x) - u(x) at 19 places inside each element, not below 0 */
    CAROM_PROBE_PENETRATION_UPPER,
    CAROM_PROBE_IMPULSE_LOWER, /* sum over the contacts of a side, stops included */
    CAROM_PROBE_IMPULSE_UPPER,
    CAROM_PROBE_TOUCHING, /* number of contacts that carry an impulse */
} carom_beam_probe_kind;

typedef struct carom_beam_probe {
    carom_beam_probe_kind kind;
    carom_node x; /* for the kinds that are at a place */
    int line;
} carom_beam_probe;

typedef struct carom_beam_spec {
    carom_graph *graph; /* not kept */
    const char *name;   /* begins the names of coordinates */
    int line;           /* where the model file defines it, for messages; 0: unknown */
    int parameters;
    const carom_parameter *parameter; /* copied */
    carom_beam_basis basis;
    carom_beam_grid grid; /* finite differences */
    int elements;         /* J; finite differences: nodes d */
    carom_beam_end left, right;
    carom_node length;
    carom_node k2;                              /* or */
    carom_node modulus, density, area, inertia; /* all four */
    carom_node damping_mass, damping_stiffness;
    carom_node acceleration, load; /* of place and time */
    carom_node restitution;
    int obstacles;
    const carom_beam_obstacle *obstacle;
    int stops;
    const carom_beam_stop *stop;
    int forces;
    const carom_beam_force *force;
    carom_beam_field displacement, velocity; /* at the start */
    int probes;
    const carom_beam_probe *probe; /* the model's observables, in this order */
} carom_beam_spec;

/* Contacts: obstacles make "lower_<node>" and "upper_<node>" for every node whose displacement is free, then
 * stops make "<name>_lower" and "<name>_upper". BAD_INPUT says what is wrong with the spec itself; values of
 * parameters are looked at by ops->check. The caller frees the model; *model is NULL when it fails. */
carom_status carom_beam_model_create(const carom_beam_spec *spec, carom_model **model, carom_error *error);

#endif
