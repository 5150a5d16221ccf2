/* What the frictionless impact schemes paoli-schatzman and sweeping share: the model at one position, with
 * its kinetic metric, and the contacts that act there.
 *
 *   impact law   u+ = -e u- + (1 + e) P(u-),   P the projection on the admissible velocities in the metric M.
 */
#ifndef CAROM_SCHEME_VIBRO_IMPACT_IMPACT_SYSTEM_H
#define CAROM_SCHEME_VIBRO_IMPACT_IMPACT_SYSTEM_H

#include "carom/scheme.h"
#include "scheme/parts/contact_rows.h"
#include "scheme/parts/mass_factor.h"
#include "scheme/parts/normal_lcp.h"
#include "scheme/parts/sparse_normals.h"
#include "scheme/parts/step_report.h"

/* How contacts rebound. */
typedef enum impact_rebound {
    IMPACT_REBOUND_COMMON,  /* all contacts have the same restitution */
    IMPACT_REBOUND_PER_SET, /* contacts that act together do */
    IMPACT_REBOUND_NONE,    /* another law has taken care of impacts */
} impact_rebound;

typedef struct impact_system {
    carom_stepper stepper; /* first: the handle of the caller */
    impact_rebound rebound;
    mass_factor mass;      /* the kinetic metric at the position evaluated last */
    contact_rows rows;     /* only normals are used */
    normal_lcp lcp;        /* of the active contacts, in their order; z: multipliers */
    sparse_normals sparse; /* instead, in a sparse model; vector: the rates, z: multipliers */
    double *gap;
    int active_count;
    int *active;
    bool *is_listed;    /* of a sparse model: the contacts that a projection has met */
    double restitution; /* of the active contacts */
    double *force;
    double *acceleration; /* M^-1 force */
    bool acceleration_constant;
    double *impulse;    /* per contact, of the step under way */
    bool missed;        /* the last projection misses the tolerance of its contact problem */
    bool angle_warned;  /* the angle condition was found violated before */
    double *difference; /* work space of the projection on positions: a linearised projection ... */
    double *trial;      /* ... a position on the way there ... */
    double *way;        /* ... a difference of positions ... */
    double *price;      /* ... and per contact what its violation costs */
} impact_system;

/* Takes memory, checks masses and contacts (friction is refused). An initial velocity that drives into
 * closed contacts goes through the impact law, with a warning, where contacts rebound. */
carom_status impact_system_setup(impact_system *system, impact_rebound rebound, carom_error *error);
void impact_system_free(carom_stepper *stepper);

/* The metric at a position. */
carom_status impact_evaluate_metric(impact_system *system, double t, const double *q, carom_error *error);

/* acceleration = M^-1 force, in the metric evaluated last. */
carom_status impact_accelerate(impact_system *system, double t, const double *q, const double *u,
                               carom_error *error);

/* Finds the contacts with gap <= tolerance, a length, at a position, their rows, their common restitution and the matrix
 * G M^-1 G^T, in the metric evaluated last. */
carom_status impact_find_active(impact_system *system, double t, const double *q, double tolerance,
                                carom_error *error);

/* What iterates around the last projection cannot agree on, relative: the error of a contact problem that missed its
 * tolerance. */
static inline double impact_slack(const impact_system *system)
{
    return system->missed ? system->lcp.report.error : 0.0;
}

/* |change| against |x| and the model's length, positions in the kinetic metric evaluated last. */
double impact_position_change(const impact_system *system, const double *change, const double *x);
/* |change| against |u| and the velocities that a step adds up: those of its start and of its forces. */
double impact_velocity_change(const impact_system *system, const double *change, const double *u);

/* The first entry of a velocity that is not finite or above the limit, 1e12 times the model's speed; dof when there is none. */
int impact_first_beyond_limit(const impact_system *system, const double *u);

/* Fails with the word "blowup" when there is such an entry. */
carom_status impact_check_velocity(impact_system *system, double t, const double *u, carom_error *error);

/* impulse = factor * multiplier for the active contacts, 0 for the others. */
void impact_take_impulses(impact_system *system, double factor);

/* Copies the impulses of the step to the state. */
void impact_record_impulses(impact_system *system);

/* What one step leaves for the next. */
void impact_system_keep(impact_system *system, carom_snapshot *snapshot);

#endif
