/* Shooting: flights of given duration and impacts of one model, and equations made of them. */
#ifndef CAROM_PERIODIC_SHOOTING_SHOOTING_H
#define CAROM_PERIODIC_SHOOTING_SHOOTING_H

#include <math.h>

#include "carom/linalg.h"
#include "carom/periodic/shooting.h"
#include "periodic/switching.h"

enum {
    EXTRAPOLATIONS = 6, /* columns of the extrapolation: order 12 */
    SHOOTING_BLOCK = 64 /* derivatives that one flight carries along, at most */
};

/* What drives a column of derivatives beside the state: see variation.c. */
typedef enum variation_source {
    SOURCE_NONE,
    SOURCE_TIME,
    SOURCE_DAMPING,
    SOURCE_PARAMETER,
} variation_source;

/* Flights and impacts; states are q, v. */
typedef struct shooting_flow {
    carom_model_work *work;
    int dof, size;  /* size: 2 dof */
    double damping; /* an acceleration -damping v: not of the model, see CAROM_SHOOT_CONSERVATIVE */
    bool constant_mass, factored;
    double *mass; /* dof x dof: its factor */
    double *gaps; /* per contact */
    carom_contact_frame frame;
    double *response; /* M^-1 n */
    double *table[EXTRAPOLATIONS];
    double *low, *high, *next, *rate;
    double *kept;         /* size */
    double length, speed; /* sizes of positions and velocities of the motion */
    double truncation;    /* of the last flight: estimated error relative to them */
    /* derivatives */
    int columns, block; /* carried along by the flight at hand; most of them */
    variation_source source[SHOOTING_BLOCK];
    bool linearised;
    double *by_q, *by_v;                    /* dof x dof, by columns: A_q, A_v */
    int *start_q, *row_q, *start_v, *row_v; /* where their columns are not zero */
    double *square;                         /* dof x dof */
    double *extended;                       /* a state and its columns */
    double *beside;                         /* 4 size */
    double *nothing;                        /* a zero per constraint */
    double *entries;   /* of d(M a - f)/dq; NULL: the mass is constant, or the model does not give it */
    double time_scale; /* in which forces change */
    const switching *switches;        /* instants at which flights are interrupted */
    double earliest, latest;          /* between two of them: times at which forces are evaluated */
    carom_model_work *beside_work[2]; /* bound to p - h and p + h; NULL: no parameter is free */
    double parameter_step;            /* h */
    const switching *beside_switches[2];
} shooting_flow;

bool shooting_flow_take(shooting_flow *flow, carom_arena *arena, carom_model_work *work);
/* After the parameters of the work have changed. */
void shooting_flow_changed(shooting_flow *flow);
bool shooting_acceleration(shooting_flow *flow, double t, const double *q, const double *v,
                           double *acceleration);
/* The state after `duration` in `steps` equal steps of extrapolation; false when it cannot be computed. */
bool shooting_fly(shooting_flow *flow, double t, double duration, int steps, double *state);
/* Gap of a contact and its rate; the normal stays in flow->frame. */
double shooting_gap(shooting_flow *flow, int contact, double t, const double *state, double *rate);
/* The velocity after an impact of the contact, v - (1 + e) M^-1 n gap' / (n . M^-1 n). */
bool shooting_strike(shooting_flow *flow, int contact, double t, double *state);

/* ---- derivatives (variation.c) ---- */

bool shooting_variation_take(shooting_flow *flow, carom_arena *arena);
/* Rates of a state and of flow->columns columns behind it. */
bool shooting_variation_rate(shooting_flow *flow, double t, const double *y, double *rate);
/* Does a force have a kink or a jump in time? */
static inline bool shooting_switches(const shooting_flow *flow)
{
    return flow->switches && flow->switches->count > 0;
}
/* shooting_fly for a state with its columns. */
bool shooting_fly_extended(shooting_flow *flow, double t, double duration, int steps, double *y);
/* The acceleration with the work beside. */
bool shooting_flow_acceleration_beside(shooting_flow *flow, int side, double t, const double *q,
                                       const double *v, double *acceleration);

/* Derivatives of the end of a flight. */
typedef struct shooting_tangent {
    double *by_state; /* size x size */
    int sources;      /* 0 to 2 */
    variation_source source[2];
    double *by_source[2]; /* size each */
} shooting_tangent;
/* shooting_fly with its derivatives. */
bool shooting_fly_tangents(shooting_flow *flow, double t, double duration, int steps, double *state,
                           const shooting_tangent *tangent);
/* Derivatives of shooting_strike by the state (size x size) and by time. */
bool shooting_strike_tangents(shooting_flow *flow, int contact, double t, const double *state,
                              double *by_state, double *by_time);
/* The matrix that takes small changes of the state across an impact, whose time changes with them. The state before it
 * becomes that after it. */
bool shooting_saltation(shooting_flow *flow, int contact, double t, double *state, double *matrix);

struct carom_shooting {
    carom_arena *arena; /* owns everything but the work */
    const carom_model *model;
    carom_model_work *work;
    shooting_flow flow;
    carom_shooting_kind kind;
    int dof, impacts, unknowns;
    int flights; /* one per impact; without impacts one, a whole period */
    int *contact;
    double *parameter;
    double period; /* of the problem */
    int frequency, multiple;
    switching switches[3]; /* of the work, and of the works beside */
    double forcing;        /* period of what drives the model; NAN: unknown, or nothing does */
    double start;          /* time at which a motion without impacts begins */
    double tolerance;
    int *steps;              /* per flight */
    int free;                /* what the curve's p is: parameter or CAROM_SHOOT_PERIOD; FREE_NONE: nothing */
    double *state;           /* 2 dof */
    double *x;               /* unknowns */
    double *scale;           /* typical sizes of the unknowns */
    double width;            /* largest gap of the motion: size of gaps */
    double *columns;         /* for monodromy: 3 x 2 dof x 2 dof */
    carom_shot shot;         /* of a point of a branch, its arrays from the arena */
    double *gaps, *rates[2]; /* per contact, while flights are watched */
    /* derivatives of the equations */
    double *chain;          /* of the state by each unknown and p: columns of 2 dof */
    double *delay;          /* of the time by them */
    double *parameters[2];  /* with p - h and p + h */
    double parameter_scale; /* typical size of changes of p; 0: that of its value */
    double beside;          /* p of the works beside; NAN: none are bound */
    /* of the motion that was described last: multipliers without those that are 1 for a known reason */
    int multipliers;
    double *real, *imaginary;
};

static inline int shooting_next_contact(const carom_shooting *self, int flight)
{
    return self->impacts > 0 ? self->contact[(flight + 1) % self->impacts] : -1;
}

/* Size of a parameter of which no range is given: its value; at 0 that of its own unit. */
static inline double shooting_parameter_size(double value)
{
    return value != 0.0 ? fabs(value) : 1.0;
}

enum {
    FREE_NONE = -2
};

/* BAD_INPUT when a conservative motion strikes a contact whose restitution is not 1. */
carom_status shooting_check_restitution(carom_shooting *self, const carom_shot *shot, carom_error *error);

/* Unknowns from and to a shot. */
void shooting_pack(carom_shooting *shooting, const carom_shot *shot, double *x);
bool shooting_unpack(carom_shooting *shooting, const double *x, carom_shot *shot);
/* Sets what p stands for. */
bool shooting_bind(carom_shooting *shooting, double p);
bool shooting_residual(void *context, const double *x, double p, double *f);
/* Derivatives of the residual by x, unknowns x unknowns, and by p. */
bool shooting_jacobian(void *context, const double *x, double p, double *by_x, double *by_p);
/* Period with which the forces of a work repeat that has these parameters. */
double shooting_forcing(const carom_shooting *shooting, carom_model_work *work, const double *parameter);
/* The period that the equations ask for, with the parameters at hand. */
double shooting_period(const carom_shooting *shooting);
/* State right after the first impact from the unknowns of the symmetric form. */
bool shooting_symmetric_state(carom_shooting *shooting, const double *x, double *state);
/* Checks a guess, and chooses scales of the unknowns and steps of the flights by it. */
carom_status shooting_prepare(carom_shooting *shooting, carom_shot *shot, carom_error *error);
/* Smallest gaps and speeds of impacts of the shot; false when it cannot be computed. */
bool shooting_find_gaps(carom_shooting *shooting, carom_shot *shot);
/* Enough steps for each flight of the shot. */
carom_status shooting_choose_steps(carom_shooting *shooting, const carom_shot *shot, carom_error *error);
/* Energy, gaps, approach, multiplier of a solution. */
carom_status shooting_describe(carom_shooting *shooting, carom_shot *shot, carom_error *error);

/* ---- special points (special.c): of the motion described last ---- */

void shooting_fill_tests(const carom_shooting *shooting, carom_branch_point *point);
bool shooting_nearest_multiplier(void *context, carom_special to, double *real, double *imaginary);
bool shooting_branches(void *context);
carom_special shooting_limit(void *context, bool impact, int *contact);
carom_special shooting_merging(void *context, int *contact);

/* Largest modulus of the eigenvalues of a monodromy matrix, which is overwritten. */
carom_status shooting_largest_multiplier(carom_shooting *shooting, const carom_shot *shot, double *matrix,
                                         double *largest, carom_error *error);

#endif
