/* The equations that hold at one moment of an event-driven motion, and their derivatives along directions of everything:
 *
 *   accelerations   M a  - G^T l - sum B r = f          G a + h + 2 b g' + b^2 g = 0    n.a + ... = 0 (closed)   T a + ... = 0 (stick)
 *   an impact       M u+ - G^T p - sum B p = M u-       G u+ + g_t = 0                  n.u+ + n_t = -e (n.u- + n_t)   T u+ + T_t = 0
 *
 * B = n of a contact without friction, n and T of one that sticks, n + T x of one that slips, x its friction per normal force.
 * With the statuses of contacts held both are one linear system K z = right side in z = (a or u+, joints, contacts). Along a
 * direction K dz = d right side - dK z. */
#ifndef CAROM_SCHEME_EVENT_DRIVEN_VARIATION_EQUATIONS_H
#define CAROM_SCHEME_EVENT_DRIVEN_VARIATION_EQUATIONS_H

#include "scheme/event_driven/event_driven.h"

enum {
    EQUATIONS_COEFFICIENTS = 16 /* of friction, at most */
};

/* A contact that carries something. */
typedef struct equation_contact {
    int contact;
    unsigned char status; /* event_status, not EVENT_OPEN */
    bool bounded;         /* a friction force: no normal */
    bool given;           /* its slip has the direction below, whatever its velocity */
    int tangents;         /* along which it has friction */
    int first;            /* place of its first unknown */
    double direction[2];
    double x[2];   /* of one that slips */
    bool held;     /* the static set rules, where there are two */
    bool rebounds; /* of an impact: its restitution counts, ... */
    double e;      /* ... and is this */
    double
        curvature[CAROM_TANGENTS_MAX]; /* second derivatives of its slips, but for what accelerations give */
} equation_contact;

typedef struct equations {
    carom_model_work *work;
    const carom_model *model;
    int n, joints, contacts, directions;
    int listed;
    equation_contact *list;
    carom_contact_frame *frame; /* per contact, at the moment */
    carom_contact_frame *along; /* directions per contact: its derivatives */
    carom_contact_frame *probe; /* directions */

    double t;
    const double *q, *u; /* of the moment; of an impact: before it */
    const double *after; /* of an impact, else NULL: z */
    int unknowns, room;
    double *z;                          /* solution */
    double *matrix, *factor, *singular; /* room x room */
    double *scale;                      /* S of the factors of S K S */
    int *pivot;
    double *right; /* directions x room */
    double *work_space;
    size_t work_size;
    bool mass_known;  /* constant, in `mass` */
    bool is_factored; /* K is that of a constant mass and nothing else */
    bool is_singular;
    double *mass, *mass_along; /* n x n, directions x n x n */
    double *gap, *gap_along;
    double *joint_entry, *joint_entry_along;
    double *joint_row;                                  /* joints x n */
    double *value, *rate, *curvature;                   /* per constraint: g, g_t, h ... */
    double *value_along, *rate_along, *curvature_along; /* ... directions times */
    double *force, *force_along;
    double *row, *probe_q, *scratch;
    double *differences;    /* (DIFFERENCE_SCRATCH + 1) * CAROM_TANGENTS_MAX * directions */
    double time;            /* scale of the motion's time, for differences along it */
    double drift;           /* rate b */
    carom_direction *moved; /* directions */
} equations;

/* For so many directions at most. False when memory is short. */
bool equations_take(equations *self, carom_arena *arena, carom_model_work *work, int directions);

/* The contacts of the scheme's present mode, or none; to be followed by equations_accelerate. */
void equations_list_mode(equations *self, const event_driven *scheme);
void equations_list_none(equations *self);
equation_contact *equations_list_add(equations *self, int contact, unsigned char status);

/* z: accelerations, forces of joints, of contacts. False: something is not finite, or no solution. */
bool equations_accelerate(equations *self, double t, const double *q, const double *u);
/* z: velocities after an impact of the listed contacts, impulses. */
bool equations_strike(equations *self, double t, const double *q, const double *u);
/* Factors of the matrix. False: not finite. */
bool equations_factor(equations *self);
/* K x = x, with the K of the last of these. */
bool equations_solve(equations *self, double *x);
/* Derivatives of z along `count` directions (`unknowns` numbers each) for either; u of a direction: of the velocity before. */
bool equations_along(equations *self, int count, const carom_direction *direction, double *dz);

/* Force or impulse of a list entry: normal, tangents; and its derivative, after equations_along. */
void equations_force(const equations *self, int entry, const double *z, double r[3]);
void equations_force_along(const equations *self, int entry, int direction, const carom_direction *moved,
                           const double *dz, double r[3]);

/* After either: gap rate and slip of a contact whose frame is known at velocity u, and their derivatives along a direction for
 * which equations_along was called with that contact listed. */
double equations_rate(const equations *self, int contact, int component, const double *u);
/* Frames of a contact that is not listed, at the moment and along directions. */
void equations_look_at(equations *self, int contact, double t, const double *q, int count,
                       const carom_direction *direction);
double equations_rate_along(const equations *self, int contact, int component, const double *u, int direction,
                            const double *du);

/* Row of a frame, and the rate along it: of the gap (component 0) or a slip. */
static inline const carom_row *equations_frame_row(const carom_contact_frame *frame, int component)
{
    return component == 0 ? &frame->normal : &frame->tangent[component - 1];
}

static inline double equations_frame_rate(const carom_contact_frame *frame, int component, const double *u)
{
    const double rate = component == 0 ? frame->normal_rate : frame->tangent_rate[component - 1];
    return carom_row_dot(equations_frame_row(frame, component), u) + rate;
}

static inline bool equations_weakens(const carom_contact_info *info)
{
    return info->friction.dynamic_cone.shape == &carom_friction_weakening;
}

/* Friction per unit of normal force of a slip. */
void equations_friction(const carom_contact_info *info, const double *coefficients, bool held,
                        const double slip[2], const double *given, double x[2]);

#endif
