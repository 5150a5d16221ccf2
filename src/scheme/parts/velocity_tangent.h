/* The derivative of a step on the level of velocities: of the equations
 *
 *   M(a)(u - v_n) = h sum of weight f(b, w) + H(c)^T p + ((1 - s) G(q) + s G(q_n))^T r,
 *   laws of the contacts that were active (contact_tangent.h),      G(q) u + g_t = 0,
 *   q = q_n + h (old v_n + new u),
 *
 * where a, b, c are points t_n + time h, q_n + h (old v_n + new u), and w is v_n + share (u - v_n). The unknowns are u, p of the contacts
 * that carry an impulse, and r. A scheme describes its step by numbers; moreau-jean, sweeping and Moreau's schemes are of this
 * form. */
#ifndef CAROM_SCHEME_PARTS_VELOCITY_TANGENT_H
#define CAROM_SCHEME_PARTS_VELOCITY_TANGENT_H

#include "contact_tangent.h"
#include "step_tangent.h"

/* t_n + time h, q_n + h (old v_n + new u) */
typedef struct step_point {
    double time, old, new;
} step_point;

typedef struct step_force {
    double weight;
    step_point at;
    double share; /* its velocity is v_n + share (u - v_n) */
} step_force;

/* Which velocity a closed contact has after the step: u_N = -e v_N. */
typedef enum step_restitution {
    RESTITUTION_AT_START, /* e, N and v_N of the start of the step; contacts that give none have e = 0 */
    RESTITUTION_OF_ROWS,  /* e and v_N along the rows of the step */
    RESTITUTION_FIXED,    /* v_N along the rows of the step */
    RESTITUTION_OBLIQUE,  /* fixed, or 0, in all components: u = -e v with friction (Moreau's law) */
    RESTITUTION_OF_FREE, /* fixed; in the place of v_N the velocity without impulses, along the rows of the step */
    RESTITUTION_POSITION, /* none of it: the gap is 0 where the rows are taken */
} step_restitution;

enum {
    STEP_FORCES = 2
};

typedef struct velocity_step {
    step_point mass, rows, gaps, end;
    int forces;
    step_force force[STEP_FORCES];
    step_restitution restitution;
    double fixed_restitution;
    double joint_share; /* s */
    bool pulls;         /* impulses may be negative */
    int active_count;   /* contacts that were active, whether they carry an impulse or not */
    const int *active;
    const double *gap; /* per contact, where the step looked */
    const double
        *struck; /* per contact: the impulse of an impact before the step, in the state's, too; NULL: none */
} velocity_step;

/* How a scheme tells of its steps. */
typedef struct velocity_description {
    /* Of the last step; the rest of the struct is zero. */
    void (*step)(const carom_stepper *stepper, velocity_step *step);
    /* Derivatives of the numbers in it along a direction, whose option or parameter is not NULL; NULL: they do not depend on
     * these. */
    void (*along)(carom_tangent *tangent, const step_direction *direction, velocity_step *along);

    /* Of schemes with coordinates without inertia, whose joints carry no force; else NULL. Per coordinate: it is one. */
    const bool *(*massless)(const carom_stepper *stepper);
    /* Puts them where the joints want them, in positions at the end and at the force, where q has a guess; and their derivatives
     * into q of a direction. NULL: they are integrated as the others. */
    void (*settle)(carom_tangent *tangent, double t, double *q);
    void (*settle_along)(carom_tangent *tangent, double t, const double *q, double t_along,
                         const double *parameter, double *dq);
    /* ... their velocities of a column after the step, whose other numbers are known. */
    void (*rates_along)(carom_tangent *tangent, int column);
} velocity_description;

typedef struct velocity_tangent {
    carom_tangent base;
    const velocity_description *description;
    velocity_step now, now_along;
    step_tangent step;
    int n, contacts, joints;
    contact_status *status;           /* of the active contacts, in their order */
    carom_contact_frame *frame;       /* per contact: rows that acted */
    carom_contact_frame *start_frame; /* per contact: at the start of the step */
    carom_contact_frame along, start_along;
    double *mass, *mass_along; /* n x n */
    double *mass_factor;       /* ... for RESTITUTION_OF_FREE */
    int *mass_pivot;
    bool mass_is_regular;
    double *free, *free_along; /* velocity without impulses; it does not depend on what is after the step */
    double *force[STEP_FORCES], *force_along;
    double *gap_along;
    const carom_sparse *pattern; /* of the rows of constraints */
    double *row_old, *row, *row_old_along, *row_along, *rate_along;
    double *q_mass, *q_rows, *q_end, *q_force[STEP_FORCES]; /* points */
    double *v_force[STEP_FORCES], *dv_force;
    double *dq_mass, *dq_rows, *dq_end, *dq_force, *du; /* along a direction */
    double *change;                                     /* u - v_n */
    double *zero;
} velocity_tangent;

/* For carom_tangent_ops: setup with the description of a scheme, and a step. */
carom_status velocity_tangent_setup(carom_tangent *base, const velocity_description *description,
                                    carom_error *error);
carom_status velocity_tangent_step(carom_tangent *base, carom_error *error);

#endif
